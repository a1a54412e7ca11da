//! Numbers and words of files: opening, lines, numbers in text, and one scanner for text and binary.

pub(super) mod lines;
pub(super) mod number;
pub(super) mod plain_file;
pub(super) mod scanner;
