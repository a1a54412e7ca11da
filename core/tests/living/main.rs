//! Promises of the living model: trees, paths, references, edits that can be undone, documents,
//! transformations. Random trees under random edits are in `trees.rs`.

mod attaching;
mod change_sets;
mod command_forms;
mod commands;
mod deformation;
mod documents;
mod multibody;
mod panels;
mod paths;
mod references;
mod transform;
mod trees;
mod world;
