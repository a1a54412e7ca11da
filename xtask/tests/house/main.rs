//! How the house is built, read from its files: which file knows which, what a part touches, what names are made of,
//! and where links lead.

mod imports;
mod links;
mod recipes;
mod source;
mod words;
