//! A snapshot for other programs: glTF 2.0 for viewers and office software, POV-Ray scenes for pictures
//! with traced light. What a view shows is exported, but for its grid, labels, lines in pixels and
//! planes that clip bodies.

mod gltf;
mod pieces;
mod pov;
#[cfg(test)]
mod tests;

pub use gltf::{to_glb, to_gltf};
pub use pieces::{ExportMesh, pieces};
pub use pov::to_pov;
