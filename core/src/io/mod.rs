//! Meshes in, results out. Reads VTU, legacy VTK, Gmsh 2.2 and 4.1, and TetGen volume meshes; writes
//! VTU frames and PVD series. Units are converted here and nowhere else.
//!
//! One file a format, own parsers: bad counts must be refused before anything is allocated, and a
//! fault must name its line, neither of which the available crates do.

mod builder;
mod checks;
mod error;
mod geometry;
mod gmsh;
mod node_order;
mod pvd;
mod scanner;
mod surface;
mod tetgen;
mod vtk_cells;
mod vtk_legacy;
mod vtu;
mod vtu_array;
mod vtu_surface;
mod vtu_write;
mod write;

use std::fs;
use std::path::{Path, PathBuf};

use builder::Builder;
use error::Parsed;
pub use error::{Place, Problem, ReadError};
pub use geometry::{element_volume, mesh_volume};
pub use pvd::PvdWriter;
pub use surface::{
    AnyMesh, SurfaceData, SurfaceFile, SurfaceFormat, read_mesh, read_surface, read_surface_as,
    read_surface_bytes,
};
pub use vtu_surface::{SurfaceFrame, write_surface_vtu};
pub use vtu_write::{FieldRef, Frame, WriteError, write_vtu};
pub use write::{WriteFormat, write_mesh, write_surface};

use crate::fem::VolumeMesh;

/// The unit of lengths in a file; inside everything is in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// 1 m.
    #[default]
    Metre,
    /// 1e-2 m.
    Centimetre,
    /// 1e-3 m.
    Millimetre,
    /// 1e-6 m.
    Micrometre,
}

impl LengthUnit {
    /// The unit of this symbol or name: `m`, `cm`, `mm`, `um`, `metre`, ...; `None` for others.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "m" | "metre" | "meter" | "metres" | "meters" => Self::Metre,
            "cm" | "centimetre" | "centimeter" => Self::Centimetre,
            "mm" | "millimetre" | "millimeter" => Self::Millimetre,
            "um" | "µm" | "μm" | "micrometre" | "micrometer" | "micron" => Self::Micrometre,
            _ => return None,
        })
    }

    /// Metres in one of the unit.
    pub fn factor(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 1e-2,
            Self::Millimetre => 1e-3,
            Self::Micrometre => 1e-6,
        }
    }
}

/// How a file is to be understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Unit of the coordinates in the file.
    pub unit: LengthUnit,
}

/// A mesh as read, with what the user should know about it.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// The mesh [m]; all nodes are used, all simply inverted elements are reordered.
    pub mesh: VolumeMesh,
    /// The format that was recognized.
    pub format: &'static str,
    /// What was passed over, changed, or looks wrong: one sentence each.
    pub notes: Vec<String>,
}

/// Reads a volume mesh; its kind is told from the content. A TetGen mesh is named by its `.node`,
/// its `.ele`, or the two names without their ending.
///
/// # Errors
/// A file that cannot be opened, is malformed or not supported, or has no volume element; the error
/// names file, line or byte, and the numbers.
pub fn read_volume(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    if is_tetgen(path) {
        return read_tetgen(path, options);
    }
    let bytes = load(path)?;
    let refuse = |fault: error::Fault| refused(path, fault);
    let (builder, format) = parse(&bytes).map_err(refuse)?;
    checks::finish(builder, format, options).map_err(|p| refuse(p.at(Place::File)))
}

fn refused(path: &Path, fault: error::Fault) -> ReadError {
    ReadError::Refused { path: path.to_owned(), at: fault.at, problem: fault.problem }
}

/// The bytes of a file that is one and is not empty.
fn load(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path.is_dir() {
        return Err(refused(path, Problem::Folder.at(Place::File)));
    }
    let bytes = fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refused(path, Problem::Empty.at(Place::File)));
    }
    Ok(bytes)
}

/// Recognizes all formats but TetGen's, whose files begin with plain numbers.
fn parse(bytes: &[u8]) -> Parsed<(Builder, &'static str)> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = text.trim_ascii_start();
    if start.starts_with(b"<") {
        return Ok((vtu::parse(text)?, "VTU"));
    }
    if start.starts_with(b"# vtk DataFile") {
        return Ok((vtk_legacy::parse(text)?, "VTK legacy"));
    }
    if start.starts_with(b"$") {
        return gmsh::parse(text);
    }
    let hint =
        if start.starts_with(b"solid") || start.starts_with(b"ply") || start.starts_with(b"v ") {
            "; this looks like a surface (STL, PLY, OBJ): mesh its inside with TetGen or Gmsh first"
        } else {
            ""
        };
    Err(Problem::UnknownFormat { hint }.at(Place::File))
}

fn is_tetgen(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    matches!(extension, "node" | "ele") || (!path.exists() && with_ending(path, "ele").exists())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn read_tetgen(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let is_file_of_pair = path.extension().is_some_and(|e| e == "node" || e == "ele");
    let stem = if is_file_of_pair { path.with_extension("") } else { path.to_owned() };
    let [node_path, ele_path] = ["node", "ele"].map(|ending| with_ending(&stem, ending));
    if !path.exists() && is_file_of_pair {
        load(path)?;
    }
    for partner in [&node_path, &ele_path] {
        if !partner.exists() {
            let problem = Problem::PartnerMissing { partner: partner.clone() };
            return Err(refused(path, problem.at(Place::File)));
        }
    }
    let nodes = tetgen::parse_nodes(&load(&node_path)?).map_err(|f| refused(&node_path, f))?;
    let builder =
        tetgen::parse_elements(&load(&ele_path)?, nodes).map_err(|f| refused(&ele_path, f))?;
    checks::finish(builder, "TetGen", options)
        .map_err(|problem| refused(&ele_path, problem.at(Place::File)))
}
