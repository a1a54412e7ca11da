//! Meshes: files in the folder of meshes, MuJoCo's own binary ones among them, and vertices in the document.

use std::path::Path;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::geometry::{GeometryError, SurfaceMesh};
use sinew::io::{ReadOptions, read_surface};

use super::import::Import;
use super::view::View;
use crate::diagnostic::Diagnostic;
use crate::source::read_bytes;
use crate::tree::Span;

/// Largest mesh file \[byte\].
const MOST_BYTES: u64 = 1 << 30;

impl<'d> Import<'d> {
    /// Learns a mesh of the assets by its name, or that of its file.
    pub(super) fn learn_mesh(&mut self, view: View<'d>) {
        let stem = |file: &str| {
            let stem = Path::new(file).file_stem().map(|it| it.to_string_lossy().into_owned());
            stem.unwrap_or_default()
        };
        let name = match view.at.name() {
            "" => view.text("file").map(stem).unwrap_or_default(),
            name => name.to_owned(),
        };
        self.meshes.assets.insert(name, view);
    }

    /// A mesh by name, in the frame of its file [m].
    ///
    /// # Errors
    /// A name or a file that is not there, a file that is no surface.
    pub(super) fn mesh(&mut self, name: &str, span: Span) -> Result<SurfaceMesh, Diagnostic> {
        if let Some(known) = self.meshes.read.get(name) {
            return known.clone();
        }
        let Some(view) = self.meshes.assets.get(name).cloned() else {
            let message = format!("there is no mesh '{name}'");
            let known = self.meshes.assets.keys().map(String::as_str);
            return Err(Diagnostic::unknown(span, message, name, known));
        };
        let mesh = self.read_mesh(&view);
        self.meshes.read.insert(name.to_owned(), mesh.clone());
        mesh
    }

    fn read_mesh(&mut self, view: &View<'d>) -> Result<SurfaceMesh, Diagnostic> {
        let raw = match view.text("file") {
            Some(file) => self.mesh_file(view, file)?,
            None => inline(view)?,
        };
        let scale = view.vector("scale")?.unwrap_or(Vec3::repeat(1.0));
        let shift = view.vector("refpos")?.unwrap_or_default();
        let [w, x, y, z] = view.array("refquat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let turn = UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-15);
        let turn = turn.unwrap_or_default().inverse();
        let moved = |v: &Vec3| turn * (v - shift).component_mul(&scale);
        let vertices = raw.vertices().iter().map(moved).collect();
        let made = SurfaceMesh::new(vertices, raw.triangles().to_vec());
        let made =
            made.map_err(|error| view.at.refused(format!("{}: {error}", view.at.label())))?;
        // A reflection turns it inside out.
        Ok(if scale.product() < 0.0 { made.flipped() } else { made })
    }

    fn mesh_file(&mut self, view: &View<'d>, file: &str) -> Result<SurfaceMesh, Diagnostic> {
        let span = view.blamed("file", "").span.unwrap_or(view.at.span);
        let last = || file.rsplit('/').next().unwrap_or(file);
        let file = if self.compiler.strip { last() } else { file };
        let name = match self.compiler.mesh_folder.trim_end_matches('/') {
            "" => file.to_owned(),
            folder => format!("{folder}/{file}"),
        };
        let path = self.files.folders.resolve(&self.files.folder, &name, span)?;
        self.files.files.insert(path.clone());
        let refused = |why: String| Diagnostic::error(span, why);
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("msh")) {
            let bytes =
                read_bytes(&path, MOST_BYTES).map_err(|error| refused(error.to_string()))?;
            let named = |fault| refused(format!("{}: {fault}", path.display()));
            return binary(&bytes).map_err(named);
        }
        let surface = read_surface(&path, &ReadOptions::default());
        let surface = surface.map_err(|error| refused(error.to_string()))?;
        surface.surface.mesh().map_err(|error| refused(format!("{}: {error}", path.display())))
    }
}

/// Vertices and faces in the document.
fn inline(view: &View<'_>) -> Result<SurfaceMesh, Diagnostic> {
    let (vertices, faces) = (view.numbers("vertex")?, view.numbers("face")?);
    let (Some(vertices), Some(faces)) = (vertices, faces) else {
        let message = format!("{} has neither a file nor vertices with faces", view.at.label());
        return Err(view.at.refused(message));
    };
    let refused = |why: String| view.at.refused(format!("{}: {why}", view.at.label()));
    if !vertices.len().is_multiple_of(3) || !faces.len().is_multiple_of(3) {
        return Err(refused("vertices and faces are three numbers each".to_owned()));
    }
    let corner = |x: &f64| match x.fract() == 0.0 && *x >= 0.0 && *x < vertices.len() as f64 / 3.0 {
        true => Ok(*x as u32),
        false => Err(refused(format!("there is no vertex {x}"))),
    };
    let corners: Vec<u32> = faces.iter().map(corner).collect::<Result<_, _>>()?;
    let triangles = corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    let points = vertices.chunks_exact(3).map(Vec3::from_column_slice).collect();
    SurfaceMesh::new(points, triangles).map_err(|error| refused(error.to_string()))
}

/// Faults of a binary mesh.
#[derive(Debug, thiserror::Error)]
enum BinaryFault {
    #[error("no counts of vertices and faces at its begin")]
    Counts,
    #[error("its counts make {counted} bytes, it has {length}")]
    Length { counted: u64, length: usize },
    #[error(transparent)]
    Surface(#[from] GeometryError),
}

/// MuJoCo's binary format: counts of vertices, normals, texture coordinates and faces, then these in single
/// precision and as corners, little-endian.
fn binary(bytes: &[u8]) -> Result<SurfaceMesh, BinaryFault> {
    let word = |k: usize| -> Option<[u8; 4]> { bytes.get(4 * k..4 * k + 4)?.try_into().ok() };
    let count = |k: usize| word(k).map(i32::from_le_bytes).filter(|n| *n >= 0);
    let counts = [0, 1, 2, 3].map(|k| count(k).map(|n| n as u64));
    let [Some(points), Some(normals), Some(texture), Some(faces)] = counts else {
        return Err(BinaryFault::Counts);
    };
    let words = 4 + 3 * points + 3 * normals + 2 * texture + 3 * faces;
    if bytes.len() as u64 != 4 * words {
        return Err(BinaryFault::Length { counted: 4 * words, length: bytes.len() });
    }
    let number = |k: u64| word(k as usize).map_or(0.0, |it| f64::from(f32::from_le_bytes(it)));
    let vertices = (0..points).map(|k| Vec3::from_fn(|i, _| number(4 + 3 * k + i as u64)));
    let first = 4 + 3 * points + 3 * normals + 2 * texture;
    let corner = |k: u64| word((first + k) as usize).map_or(0, u32::from_le_bytes);
    let triangles = (0..faces).map(|k| [0, 1, 2].map(|i| corner(3 * k + i)));
    Ok(SurfaceMesh::new(vertices.collect(), triangles.collect())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_meshes_are_read_and_wrong_counts_refused() {
        let mut bytes: Vec<u8> = [4i32, 0, 0, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
        let points = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        bytes.extend(points.iter().flat_map(|x| x.to_le_bytes()));
        let corners = [0u32, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
        bytes.extend(corners.iter().flat_map(|k| k.to_le_bytes()));
        let mesh = binary(&bytes).unwrap();
        assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-12);
        let cut = binary(&bytes[..bytes.len() - 4]);
        assert!(matches!(cut, Err(BinaryFault::Length { counted: 112, length: 108 })), "{cut:?}");
        assert!(binary(&bytes[..9]).is_err());
        bytes[0..4].copy_from_slice(&(-1i32).to_le_bytes());
        assert!(binary(&bytes).is_err());
    }
}
