//! Model files.

mod round_trip;
