//! Layouts and programs agree, and programs are valid.
