//! Meshes that are a pair of files, nodes and elements: TetGen's and ANSYS's. Which of them a pair
//! is stands in the content of both, not in their endings.

use std::path::{Path, PathBuf};

use super::error::{Place, Problem, ReadError};
use super::recognize::{Recognized, VolumeFormat, is_tetgen_pair, recognize};
use super::{Builder, MeshFile, ReadOptions, ansys, checks, load, refused, tetgen};

const TETGEN: &str = "TetGen";
const ANSYS: &str = "ANSYS";

/// The files of a pair.
pub(super) struct Pair {
    nodes: PathBuf,
    elements: PathBuf,
}

/// The pair that a path names by one of its files or by the name that they share.
///
/// # Errors
/// One file is there and the other is not.
pub(super) fn find(path: &Path) -> Result<Option<Pair>, ReadError> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let is_file_of_pair = matches!(ending.as_str(), "node" | "ele" | "elem");
    if !is_file_of_pair && (path.exists() || partner(path, &["node"]).is_none()) {
        return Ok(None);
    }
    if is_file_of_pair && !path.exists() {
        load(path)?;
    }
    let stem = if is_file_of_pair { path.with_extension("") } else { path.to_owned() };
    let missing = |format, ending| {
        let problem = Problem::PartnerMissing { format, partner: with_ending(&stem, ending) };
        Err(refused(path, problem.at(Place::File)))
    };
    if matches!(ending.as_str(), "ele" | "elem") {
        let Some(nodes) = partner(&stem, &["node", "NODE"]) else {
            return missing(if ending == "ele" { TETGEN } else { ANSYS }, "node");
        };
        return Ok(Some(Pair { nodes, elements: path.to_owned() }));
    }
    let nodes = if is_file_of_pair { path.to_owned() } else { with_ending(&stem, "node") };
    let is_tetgen = recognize(&load(&nodes)?) == Recognized::Volume(VolumeFormat::TetGen);
    let (format, endings) =
        if is_tetgen { (TETGEN, ["ele", "elem"]) } else { (ANSYS, ["elem", "ele"]) };
    match partner(&stem, &endings) {
        Some(elements) => Ok(Some(Pair { nodes, elements })),
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
pub(super) fn read(pair: &Pair, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let Pair { nodes, elements } = pair;
    let [node_bytes, element_bytes] = [load(nodes)?, load(elements)?];
    let (builder, format) = parse(&node_bytes, &element_bytes, None)
        .map_err(|(in_nodes, fault)| refused(if in_nodes { nodes } else { elements }, fault))?;
    checks::finish(builder, format, options)
        .map_err(|problem| refused(elements, problem.at(Place::File)))
}

/// Parses the contents of a pair, of which kind may be known; a fault comes with whether it is in the file of the nodes.
pub(super) fn parse(
    nodes: &[u8],
    elements: &[u8],
    is_tetgen: Option<bool>,
) -> Result<(Builder, &'static str), (bool, super::error::Fault)> {
    let of_nodes = |fault| (true, fault);
    let of_elements = |fault| (false, fault);
    Ok(if is_tetgen.unwrap_or_else(|| is_tetgen_pair(nodes, elements)) {
        let nodes = tetgen::parse_nodes(nodes).map_err(of_nodes)?;
        (tetgen::parse_elements(elements, nodes).map_err(of_elements)?, TETGEN)
    } else {
        let nodes = ansys::parse_nodes(nodes).map_err(of_nodes)?;
        (ansys::parse_elements(elements, nodes).map_err(of_elements)?, ANSYS)
    })
}
