//! Worlds that are opened.
