//! Volume meshes in: a file or folder a format, each a parser that fills a `Builder`; the checks that a mesh goes
//! through after reading.

mod abaqus;
mod ansys;
pub(super) mod builder;
pub(super) mod checks;
pub(super) mod degenerate;
pub(super) mod duplicates;
pub(super) mod faces;
mod febio;
pub(super) mod geometry;
mod gmsh;
mod medit;
pub(super) mod mid_edges;
mod nastran;
pub(super) mod numbers;
mod pair;
pub(super) mod shapes;
mod tetgen;
mod ucd;
mod vega;
pub(super) mod vtk_legacy;
pub(super) mod vtu;

use std::path::Path;

use builder::Builder;

use crate::io::error::{Fault, Location, Parsed, Problem, ReadError};
use crate::io::recognize::{Recognized, SurfaceFormat, VolumeFormat, recognize};
use crate::io::text::lines;
use crate::io::{MeshFile, ReadOptions, load, refused};

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

/// Reads the mesh of a model of FEBio for a reader of the rest of the model: no notes on other sections, on data of shells
/// and on its size, and each part of shells is a triangle set of its name, whose nodes stay. `path` names the file in errors.
///
/// # Errors
/// As [`read_volume`]; a mesh without solids and shells.
pub fn read_febio_mesh(
    bytes: &[u8],
    path: &Path,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let refuse = |fault: Fault| refused(path, fault);
    let text = lines::without_mark(bytes);
    let builder = febio::parse(text, febio::Rest::ReadElsewhere).map_err(refuse)?;
    checks::finish_of_any_size(builder, "FEBio", options).map_err(|p| refuse(p.at(Location::File)))
}

fn read_bytes(
    (bytes, format): (&[u8], Option<VolumeFormat>),
    path: &Path,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    let refuse = |fault: Fault| refused(path, fault);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(refuse(Problem::Empty.at(Location::File)));
    }
    let recognized = format.map_or_else(|| recognize(bytes), Recognized::Volume);
    let (builder, format) = parse(bytes, recognized).map_err(refuse)?;
    checks::finish(builder, format, options).map_err(|p| refuse(p.at(Location::File)))
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
        VolumeFormat::Febio => Ok((febio::parse(text, febio::Rest::PassedOver)?, "FEBio")),
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

fn unknown(hint: &'static str) -> Fault {
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
