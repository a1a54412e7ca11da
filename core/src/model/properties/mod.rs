//! Properties of the components of a model: finding, reading, setting and inheriting them.

mod access;
mod inherit;
mod markdown;
mod named;
mod part_table;
mod parts;
mod targets;
mod write;

pub use markdown::markdown;
