//! Surfaces in: OBJ, STL, PLY, VTP and VTK's PolyData, and VTK grids of faces. The kind is told from
//! the content. What can be said of the shape of a surface: `geometry`.
//!
//! One file a format, own parsers: `tobj`, `stl_io` and `ply-rs` allocate by declared counts, lose
//! groups or lines, or cannot name the line of a fault.

mod builder;
mod data;
mod obj;
mod ply;
mod ply_header;
mod polygon;
mod stl;
mod vtk_faces;
mod vtk_polydata;
mod vtp;
mod weld;

use std::path::Path;

use builder::SurfaceBuilder;
pub use data::{SurfaceData, SurfaceFile};

use crate::io::error::{Fault, Location, Parsed, Problem, ReadError};
use crate::io::recognize::{Recognized, SurfaceFormat, VolumeFormat, recognize};
use crate::io::text::lines::without_mark;
use crate::io::text::scanner::shorten;
use crate::io::{MeshFile, ReadOptions, load, read_volume, refused};

/// Content of a mesh file.
#[derive(Clone, Debug)]
pub enum AnyMesh {
    /// Elements that fill space.
    Volume(MeshFile),
    /// Triangles, and lines.
    Surface(SurfaceFile),
}

/// Reads a surface; its kind is told from the content.
///
/// # Errors
/// A file that cannot be opened, is malformed or is no surface; the error names file, line or byte, and
/// the numbers.
pub fn read_surface(path: &Path, options: &ReadOptions) -> Result<SurfaceFile, ReadError> {
    let bytes = load(path)?;
    read_surface_bytes(&bytes, options)
        .map_err(|(at, problem)| refused(path, Fault { at, problem }))
}

/// Reads a surface from the content of a file.
///
/// # Errors
/// As [`read_surface`], by place and problem.
pub fn read_surface_bytes(
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<SurfaceFile, (Location, Problem)> {
    match surface_format(bytes) {
        Some(format) => read_surface_as(format, bytes, options),
        None => Err(unknown(bytes)),
    }
}

/// Reads a surface from the content of a file of this format.
///
/// # Errors
/// As [`read_surface`], by place and problem.
pub fn read_surface_as(
    format: SurfaceFormat,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<SurfaceFile, (Location, Problem)> {
    let builder = parse(format, without_mark(bytes)).map_err(|fault| (fault.at, fault.problem))?;
    Ok(builder.finish(label(format), options))
}

/// Reads a volume or a surface, whichever the file holds; a file of faces in a format for both is a
/// surface. TetGen meshes are named as for [`read_volume`].
///
/// # Errors
/// As [`read_volume`] and [`read_surface`].
pub fn read_mesh(path: &Path, options: &ReadOptions) -> Result<AnyMesh, ReadError> {
    let bytes = if path.is_file() { load(path)? } else { Vec::new() };
    let found = recognize(&bytes);
    if matches!(found, Recognized::Surface(_)) {
        return read_surface(path, options).map(AnyMesh::Surface);
    }
    match read_volume(path, options) {
        Err(ReadError::Refused { problem: Problem::NoVolume { .. }, .. })
            if surface_format(&bytes).is_some() =>
        {
            read_surface(path, options).map(AnyMesh::Surface)
        }
        Err(ReadError::Refused { problem: Problem::UnknownFormat { hint: "" }, .. }) => {
            let (at, problem) = unknown(&bytes);
            Err(refused(path, Fault { at, problem }))
        }
        other => other.map(AnyMesh::Volume),
    }
}

/// The name of a format in reports.
fn label(format: SurfaceFormat) -> &'static str {
    match format {
        SurfaceFormat::Obj => "OBJ",
        SurfaceFormat::StlAscii => "STL ascii",
        SurfaceFormat::StlBinary => "STL binary",
        SurfaceFormat::Ply => "PLY",
        SurfaceFormat::Vtp => "VTK XML",
        SurfaceFormat::VtkPolyData => "VTK legacy",
    }
}

fn parse(format: SurfaceFormat, bytes: &[u8]) -> Parsed<SurfaceBuilder> {
    match format {
        SurfaceFormat::Obj => obj::parse(bytes),
        SurfaceFormat::StlAscii => stl::parse_text(bytes),
        SurfaceFormat::StlBinary => stl::parse_binary(bytes),
        SurfaceFormat::Ply => ply::parse(bytes),
        SurfaceFormat::Vtp => vtp::parse(bytes),
        SurfaceFormat::VtkPolyData => vtk_polydata::parse(bytes),
    }
}

/// The format that a surface in these bytes has; VTK's grids may hold surfaces alone.
fn surface_format(bytes: &[u8]) -> Option<SurfaceFormat> {
    match recognize(bytes) {
        Recognized::Surface(format) => Some(format),
        Recognized::Volume(VolumeFormat::Vtu) => Some(SurfaceFormat::Vtp),
        Recognized::Volume(VolumeFormat::VtkLegacy) => Some(SurfaceFormat::VtkPolyData),
        _ => None,
    }
}

/// The message for bytes that belong to no format.
fn unknown(bytes: &[u8]) -> (Location, Problem) {
    if bytes.is_empty() {
        return (Location::File, Problem::Empty);
    }
    let start = &bytes[..bytes.len().min(16)];
    let problem = Problem::Unsupported {
        what: format!("a file that begins with `{}`", shorten(start)),
        remedy: "surfaces are read from OBJ, STL, PLY, VTP and legacy VTK, volumes from the formats \
                 of docs/reference/meshes.md",
    };
    (Location::File, problem)
}
