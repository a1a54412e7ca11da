//! How the house is built, read from its sources: which file knows which, and what a part touches.

mod imports;
mod recipes;
mod source;
