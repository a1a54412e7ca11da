//! Tests of the house, read from its files: lengths of functions, imports, the files that a part touches, words of names
//! and docs, and links.

mod functions;
mod imports;
mod links;
mod recipes;
mod source;
mod types;
mod words;
