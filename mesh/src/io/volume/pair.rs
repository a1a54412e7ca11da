//! Meshes that are a pair of files, nodes and elements: TetGen's, with a third one of faces where there
//! is one, and ANSYS's. Which of them a pair is stands in the content, not in the endings.

use std::path::{Path, PathBuf};

use crate::io::error::{Location, Problem, ReadError};
use crate::io::recognize::{Recognized, VolumeFormat, is_tetgen_pair, recognize};
use crate::io::volume::builder::Builder;
use crate::io::volume::{ansys, checks, tetgen};
use crate::io::{MeshFile, ReadOptions, load, refused};

const TETGEN: &str = "TetGen";
const ANSYS: &str = "ANSYS";

/// The files of a pair.
pub(in crate::io) struct Pair {
    nodes: PathBuf,
    elements: PathBuf,
    faces: Option<PathBuf>,
}

/// The contents of a pair.
#[derive(Clone, Copy)]
pub(in crate::io) struct Contents<'a> {
    pub(in crate::io) nodes: &'a [u8],
    pub(in crate::io) elements: &'a [u8],
    pub(in crate::io) faces: Option<&'a [u8]>,
}

/// File of a pair that has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Part {
    Nodes,
    Elements,
    Faces,
}

/// The pair that a path names by one of its files or by the name that they share.
///
/// # Errors
/// One file is there and the other is not.
pub(in crate::io) fn find(path: &Path) -> Result<Option<Pair>, ReadError> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let is_file_of_pair = matches!(ending.as_str(), "node" | "ele" | "elem" | "face");
    if !is_file_of_pair && (path.exists() || partner(path, &["node"]).is_none()) {
        return Ok(None);
    }
    if is_file_of_pair && !path.exists() {
        load(path)?;
    }
    let stem = if is_file_of_pair { path.with_extension("") } else { path.to_owned() };
    let missing = |format, ending| {
        let problem = Problem::PartnerMissing { format, partner: with_ending(&stem, ending) };
        Err(refused(path, problem.at(Location::File)))
    };
    if matches!(ending.as_str(), "ele" | "elem") {
        let Some(nodes) = partner(&stem, &["node", "NODE"]) else {
            return missing(if ending == "ele" { TETGEN } else { ANSYS }, "node");
        };
        let faces = partner(&stem, &["face"]);
        return Ok(Some(Pair { nodes, elements: path.to_owned(), faces }));
    }
    let is_nodes = is_file_of_pair && ending != "face";
    let nodes = if is_nodes { path.to_owned() } else { with_ending(&stem, "node") };
    if !nodes.is_file() {
        return missing(TETGEN, "node");
    }
    let is_tetgen = recognize(&load(&nodes)?) == Recognized::Volume(VolumeFormat::TetGen);
    let (format, endings) =
        if is_tetgen { (TETGEN, ["ele", "elem"]) } else { (ANSYS, ["elem", "ele"]) };
    match partner(&stem, &endings) {
        Some(elements) => {
            let faces = partner(&stem, &["face"]).filter(|_| is_tetgen);
            Ok(Some(Pair { nodes, elements, faces }))
        }
        None => missing(format, endings[0]),
    }
}

fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// The first of the files that is there.
fn partner(stem: &Path, endings: &[&str]) -> Option<PathBuf> {
    endings.iter().map(|ending| with_ending(stem, ending)).find(|path| path.is_file())
}

/// Reads a pair.
pub(in crate::io) fn read(pair: &Pair, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let [nodes, elements] = [load(&pair.nodes)?, load(&pair.elements)?];
    let faces = pair.faces.as_deref().map(load).transpose()?;
    let contents = Contents { nodes: &nodes, elements: &elements, faces: faces.as_deref() };
    let path = |part| match part {
        Part::Nodes => &pair.nodes,
        Part::Elements => &pair.elements,
        Part::Faces => pair.faces.as_ref().unwrap_or(&pair.elements),
    };
    let (builder, format) =
        parse(contents, None).map_err(|(part, fault)| refused(path(part), fault))?;
    checks::finish(builder, format, options)
        .map_err(|problem| refused(&pair.elements, problem.at(Location::File)))
}

/// Parses the contents of a pair, of which kind may be known; a fault comes with the file it is in.
pub(in crate::io) fn parse(
    contents: Contents<'_>,
    is_tetgen: Option<bool>,
) -> Result<(Builder, &'static str), (Part, crate::io::error::Fault)> {
    let Contents { nodes, elements, faces } = contents;
    let of_nodes = |fault| (Part::Nodes, fault);
    let of_elements = |fault| (Part::Elements, fault);
    if !is_tetgen.unwrap_or_else(|| is_tetgen_pair(nodes, elements)) {
        let nodes = ansys::parse_nodes(nodes).map_err(of_nodes)?;
        return Ok((ansys::parse_elements(elements, nodes).map_err(of_elements)?, ANSYS));
    }
    let mut nodes = tetgen::parse_nodes(nodes).map_err(of_nodes)?;
    tetgen::parse_elements(elements, &mut nodes).map_err(of_elements)?;
    if let Some(faces) = faces {
        tetgen::parse_faces(faces, &mut nodes).map_err(|fault| (Part::Faces, fault))?;
    }
    Ok((nodes.builder, TETGEN))
}
