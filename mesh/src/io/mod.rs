//! Meshes in, results and meshes out. Reads volume meshes of twelve formats (`volume/`) and surfaces (`surface/`), by
//! numbers in text and binary (`text/`) and arrays of VTK (`vtk/`); writes VTU frames, PVD series, and meshes in seven
//! formats (`write/`). Units are converted here and nowhere else.
//!
//! One file or folder a format, own parsers: bad counts must be refused before anything is
//! allocated, and a fault must name its line, neither of which the available crates do.

mod element_codes;
mod error;
mod recognize;
mod surface;
mod text;
mod volume;
mod vtk;
mod write;

use std::path::Path;

pub use element_codes::vtk as vtk_order;
pub use error::{Location, Problem, ReadError};
pub use recognize::{Recognized, SurfaceFormat, VolumeFormat, recognize};
pub use surface::{
    AnyMesh, SurfaceData, SurfaceFile, read_mesh, read_surface, read_surface_as, read_surface_bytes,
};
pub use text::plain_file::{open_file, read_file};
pub use volume::checks::{LARGEST_BODY, LARGEST_PART};
pub use volume::geometry::{element_volume, mesh_volume};
pub use volume::{read_febio_mesh, read_volume, read_volume_bytes};
pub use write::obj::write_obj;
pub use write::pvd::PvdWriter;
pub use write::vtu_surface::{SurfaceFrame, write_surface_vtu};
pub use write::vtu_write::{FieldRef, Frame, WriteError, write_vtu};
pub use write::{WriteFormat, write_mesh, write_surface};

use crate::VolumeMesh;

/// Largest mesh file [byte]: some 300 million elements as text. Numbers take as much memory as their text.
const MAX_BYTES: u64 = 16 << 30;

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

/// Options for reading a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Unit of the coordinates in the file.
    pub unit: LengthUnit,
}

/// A mesh as read, with notes for the user.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// The mesh [m]; all nodes are used, all simply inverted elements are reordered.
    pub mesh: VolumeMesh,
    /// The format that was recognized.
    pub format: &'static str,
    /// Notes on entries that were passed over, changed, or look wrong: one sentence each.
    pub notes: Vec<String>,
}

fn refused(path: &Path, fault: error::Fault) -> ReadError {
    ReadError::Refused { path: path.to_owned(), at: fault.at, problem: fault.problem }
}

/// The bytes of a file that is one and is not empty.
fn load(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path.is_dir() {
        return Err(refused(path, Problem::Folder.at(Location::File)));
    }
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let bytes = read_file(path, MAX_BYTES).map_err(io)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refused(path, Problem::Empty.at(Location::File)));
    }
    Ok(bytes)
}
