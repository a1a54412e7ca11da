//! Meshes in, results and meshes out. Reads volume meshes of twelve formats and surfaces (`surface/`);
//! writes VTU frames, PVD series, and meshes in seven formats (`write/`). Units are converted here and nowhere else.
//!
//! One file or folder a format, own parsers: bad counts must be refused before anything is
//! allocated, and a fault must name its line, neither of which the available crates do.

mod abaqus;
mod ansys;
mod array_fault;
mod builder;
mod checks;
mod degenerate;
mod duplicates;
mod element_codes;
mod error;
mod faces;
mod febio;
mod geometry;
mod gmsh;
mod lines;
mod marks;
mod medit;
mod mid_edges;
mod nastran;
mod number;
mod numbers;
mod pair;
mod plain_file;
mod pvd;
mod recognize;
mod scanner;
mod shapes;
mod surface;
mod tetgen;
mod ucd;
mod vega;
mod vtk_cells;
mod vtk_legacy;
mod vtu;
mod vtu_array;
mod vtu_surface;
mod vtu_write;
mod write;

use std::path::Path;

use builder::Builder;
pub use checks::LARGEST_BODY;
pub use element_codes::vtk as vtk_order;
use error::Parsed;
pub use error::{Location, Problem, ReadError};
pub use geometry::{element_volume, mesh_volume};
pub use plain_file::{open_file, read_file};
pub use pvd::PvdWriter;
pub use recognize::{Recognized, SurfaceFormat, VolumeFormat, recognize};
pub use surface::{
    AnyMesh, SurfaceData, SurfaceFile, read_mesh, read_surface, read_surface_as, read_surface_bytes,
};
pub use vtu_surface::{SurfaceFrame, write_surface_vtu};
pub use vtu_write::{FieldRef, Frame, WriteError, write_vtu};
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

/// Reads a volume mesh; its kind is told from the content. A pair of files (TetGen, ANSYS) is named
/// by either of them, or by the name that they share, without its ending.
///
/// # Errors
/// A file that cannot be opened, is malformed or not supported, or has no volume element; the error
/// names file, line or byte, and the numbers.
pub fn read_volume(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    if let Some(pair) = pair::find(path)? {
        return pair::read(&pair, options);
    }
    read_bytes((&load(path)?, None), path, options)
}

/// Reads a volume mesh from the content of a file, or of the files of a pair: nodes, elements, and
/// TetGen's faces where there are any.
/// The format is recognized unless it is given. Errors name the file as `bytes`.
///
/// # Errors
/// As [`read_volume`]; one file of a pair alone.
pub fn read_volume_bytes(
    files: &[&[u8]],
    format: Option<VolumeFormat>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let path = Path::new("bytes");
    match files {
        [nodes, elements, faces @ ..] if faces.len() < 2 => {
            let is_tetgen = format.map(|format| format == VolumeFormat::TetGen);
            let contents = pair::Contents { nodes, elements, faces: faces.first().copied() };
            let (builder, format) =
                pair::parse(contents, is_tetgen).map_err(|(_, fault)| refused(path, fault))?;
            checks::finish(builder, format, options)
                .map_err(|p| refused(path, p.at(Location::File)))
        }
        [bytes] => read_bytes((bytes, format), path, options),
        _ => Err(refused(path, Problem::Empty.at(Location::File))),
    }
}

fn read_bytes(
    (bytes, format): (&[u8], Option<VolumeFormat>),
    path: &Path,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let refuse = |fault: error::Fault| refused(path, fault);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refuse(Problem::Empty.at(Location::File)));
    }
    let recognized = format.map_or_else(|| recognize(bytes), Recognized::Volume);
    let (builder, format) = parse(bytes, recognized).map_err(refuse)?;
    checks::finish(builder, format, options).map_err(|p| refuse(p.at(Location::File)))
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

/// Parses a file of any format but those that are pairs.
fn parse(bytes: &[u8], recognized: Recognized) -> Parsed<(Builder, &'static str)> {
    let format = match recognized {
        Recognized::Volume(format) => format,
        Recognized::Surface(format) => return Err(surface(format).at(Location::File)),
        Recognized::OtherXml => return Err(unknown("; this is some other XML file")),
        Recognized::Unknown => return Err(unknown("")),
    };
    let text = lines::without_mark(bytes);
    match format {
        VolumeFormat::Vtu => Ok((vtu::parse(text)?, "VTU")),
        VolumeFormat::VtkLegacy => Ok((vtk_legacy::parse(text)?, "VTK legacy")),
        VolumeFormat::Gmsh => gmsh::parse(text),
        VolumeFormat::Abaqus => Ok((abaqus::parse(text)?, "Abaqus")),
        VolumeFormat::Ucd => Ok((ucd::parse(text)?, "AVS UCD")),
        VolumeFormat::Medit => Ok((medit::parse(text)?, "Medit")),
        VolumeFormat::Nastran => Ok((nastran::parse(text)?, "Nastran")),
        VolumeFormat::Febio => Ok((febio::parse(text)?, "FEBio")),
        VolumeFormat::Vega => Ok((vega::parse(text)?, "Vega")),
        VolumeFormat::AnsysArchive => Ok((ansys::parse_archive(text)?, "ANSYS archive")),
        VolumeFormat::TetGen => {
            Err(unknown("; if it is one file of a TetGen mesh, name the pair .node and .ele"))
        }
        VolumeFormat::Ansys => {
            Err(unknown("; if it is one file of an ANSYS mesh, name the pair .node and .elem"))
        }
    }
}

fn unknown(hint: &'static str) -> error::Fault {
    Problem::UnknownFormat { hint }.at(Location::File)
}

fn surface(format: SurfaceFormat) -> Problem {
    let name = match format {
        SurfaceFormat::Obj => "Wavefront OBJ",
        SurfaceFormat::StlAscii | SurfaceFormat::StlBinary => "STL",
        SurfaceFormat::Ply => "PLY",
        SurfaceFormat::Vtp => "a VTK PolyData file",
        SurfaceFormat::VtkPolyData => "a POLYDATA set",
    };
    Problem::NoVolume { found: format!(" ({name} holds surfaces)") }
}
