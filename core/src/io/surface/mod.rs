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
pub use data::SurfaceData;

use super::error::{Fault, Parsed, Place, Problem, ReadError};
use super::scanner::shorten;
use super::{MeshFile, ReadOptions, load, read_volume, refused};

/// A surface as read, with what the user should know about it.
#[derive(Clone, Debug)]
pub struct SurfaceFile {
    /// The surface [m].
    pub surface: SurfaceData,
    /// The format that was recognized.
    pub format: &'static str,
    /// What was passed over or changed: one sentence each.
    pub notes: Vec<String>,
}

/// What a mesh file holds.
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
) -> Result<SurfaceFile, (Place, Problem)> {
    match SurfaceFormat::recognize(bytes) {
        Some(format) => read_surface_as(format, bytes, options),
        // Of no other format: what is wrong with it as binary STL says more than nothing.
        None if stl::may_be_binary(bytes) => {
            read_surface_as(SurfaceFormat::StlBinary, bytes, options)
        }
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
) -> Result<SurfaceFile, (Place, Problem)> {
    let builder = format.parse(without_mark(bytes)).map_err(|fault| (fault.at, fault.problem))?;
    Ok(builder.finish(format.label(), options))
}

/// Reads a volume or a surface, whichever the file holds; a file of faces in a format for both is a
/// surface. TetGen meshes are named as for [`read_volume`].
///
/// # Errors
/// As [`read_volume`] and [`read_surface`].
pub fn read_mesh(path: &Path, options: &ReadOptions) -> Result<AnyMesh, ReadError> {
    let is_file = path.is_file();
    let bytes = if is_file { load(path)? } else { Vec::new() };
    let found = SurfaceFormat::recognize(&bytes);
    if found.is_some_and(|format| !format.holds_volumes()) {
        return read_surface(path, options).map(AnyMesh::Surface);
    }
    match read_volume(path, options) {
        Err(ReadError::Refused { problem: Problem::NoVolume { .. }, .. }) if found.is_some() => {
            read_surface(path, options).map(AnyMesh::Surface)
        }
        // Neither kind: the message that names all formats.
        Err(ReadError::Refused { problem: Problem::UnknownFormat { .. }, .. }) if is_file => {
            read_surface(path, options).map(AnyMesh::Surface)
        }
        other => other.map(AnyMesh::Volume),
    }
}

/// The formats that surfaces are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlAscii,
    /// STL in binary.
    StlBinary,
    /// PLY (Stanford), all encodings.
    Ply,
    /// VTK's XML files, .vtp: PolyData, and grids of faces.
    Vtp,
    /// VTK's legacy files: PolyData, and grids of faces.
    VtkPolyData,
}

impl SurfaceFormat {
    /// The surface format of these bytes, if they look like one.
    fn recognize(bytes: &[u8]) -> Option<Self> {
        let text = without_mark(bytes);
        let start = text.trim_ascii_start();
        let begins = |word: &[u8]| {
            start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word))
                && start.get(word.len()).is_none_or(u8::is_ascii_whitespace)
        };
        // A binary file may begin with any text, so its exact length decides first.
        if stl::has_binary_length(bytes) {
            return Some(Self::StlBinary);
        }
        if begins(b"solid") && !stl::is_binary_after_all(start) {
            return Some(Self::StlAscii);
        }
        if begins(b"ply") {
            return Some(Self::Ply);
        }
        if start.starts_with(b"# vtk DataFile") {
            return Some(Self::VtkPolyData);
        }
        if start.starts_with(b"<") {
            let head = &start[..start.len().min(4096)];
            let is_vtk = head.windows(8).any(|w| w == b"<VTKFile");
            return is_vtk.then_some(Self::Vtp);
        }
        obj::begins(text).then_some(Self::Obj)
    }

    /// The name in reports.
    fn label(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::StlAscii => "STL ascii",
            Self::StlBinary => "STL binary",
            Self::Ply => "PLY",
            Self::Vtp => "VTK XML",
            Self::VtkPolyData => "VTK legacy",
        }
    }

    /// Whether files of this format may hold volumes too.
    fn holds_volumes(self) -> bool {
        matches!(self, Self::Vtp | Self::VtkPolyData)
    }

    fn parse(self, bytes: &[u8]) -> Parsed<SurfaceBuilder> {
        match self {
            Self::Obj => obj::parse(bytes),
            Self::StlAscii => stl::parse_text(bytes),
            Self::StlBinary => stl::parse_binary(bytes),
            Self::Ply => ply::parse(bytes),
            Self::Vtp => vtp::parse(bytes),
            Self::VtkPolyData => vtk_polydata::parse(bytes),
        }
    }
}

/// The message for bytes that belong to no format.
fn unknown(bytes: &[u8]) -> (Place, Problem) {
    if bytes.is_empty() {
        return (Place::File, Problem::Empty);
    }
    let start = &bytes[..bytes.len().min(16)];
    let problem = Problem::Unsupported {
        what: format!("a file that begins with `{}`", shorten(start)),
        remedy: "surfaces are read from OBJ, STL, PLY, VTP and legacy VTK, volumes from the formats \
                 of docs/meshes.md",
    };
    (Place::File, problem)
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
