//! Texts that all formats share: of what a format has no place for, and of what it refuses.

use std::path::Path;

use crate::VolumeMesh;
use crate::io::write::vtu_write::WriteError;

/// The error that a format does not hold the mesh.
pub(super) fn refused(path: &Path, reason: String) -> WriteError {
    WriteError::Format { path: path.to_owned(), reason }
}

/// `1 set`, `2 sets`: a count with its noun.
pub(super) fn counted(n: usize, singular: &str) -> String {
    if n == 1 { format!("1 {singular}") } else { format!("{n} {singular}s") }
}

/// The note that something of the mesh is not in the file; none for nothing.
pub(super) fn left_out(notes: &mut Vec<String>, n: usize, singular: &str) {
    if n > 0 {
        let what = counted(n, singular);
        let pronoun = if n == 1 { "it" } else { "them" };
        notes.push(format!("{what} not written: the format has no place for {pronoun}"));
    }
}

/// Notes on the parts of a volume mesh that no text format here holds: all but elements and their
/// sets.
pub(super) fn left_out_of_volume(mesh: &VolumeMesh, notes: &mut Vec<String>) {
    left_out(notes, mesh.node_sets.len(), "node set");
    left_out(notes, mesh.face_sets.len(), "face set");
    left_out(notes, mesh.node_fields.len() + mesh.element_fields.len(), "field");
}
