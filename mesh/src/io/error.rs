//! Errors of mesh files: the file, the place in it, the numbers, and what to do.

use std::fmt;
use std::path::PathBuf;

/// A mesh file that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system could not open or read the file.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The content is not a mesh that can be read.
    #[error("{}{at}: {problem}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: Location,
        /// The fault there.
        problem: Problem,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    File,
    /// A line of text, from 1.
    Line(usize),
    /// A byte of binary data, from 0.
    Byte(usize),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(byte) => write!(f, ", byte {byte}"),
        }
    }
}

/// Faults of the content of a file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Nothing is in the file.
    #[error("the file is empty")]
    Empty,
    /// The path names a folder.
    #[error("this is a folder; name a mesh file in it")]
    Folder,
    /// The first bytes belong to no format that is read.
    #[error(
        "not a volume mesh that can be read (VTU, legacy VTK, Gmsh, TetGen, ANSYS, Abaqus, AVS UCD, Medit, Nastran, FEBio, Vega){hint}"
    )]
    UnknownFormat {
        /// Formats that it may be instead, and what to do; may be empty.
        hint: &'static str,
    },
    /// The second file of a pair is not there.
    #[error("{format} meshes are a pair of files, but {} is missing", .partner.display())]
    PartnerMissing {
        /// The format of the file that is there.
        format: &'static str,
        /// The file that was looked for.
        partner: PathBuf,
    },
    /// A format, version, or feature that is not read.
    #[error("{what} is not supported; {remedy}")]
    Unsupported {
        /// Name of the unsupported feature.
        what: String,
        /// Advice to the user.
        remedy: &'static str,
    },
    /// Something else was expected here.
    #[error("expected {expected}, found `{found}`")]
    Expected {
        /// Text expected here.
        expected: &'static str,
        /// Text found here, shortened.
        found: String,
    },
    /// The file stops too early.
    #[error("the file ends where {expected} should stand; it may be cut off")]
    EndOfFile {
        /// Text expected here.
        expected: &'static str,
    },
    /// A declared count cannot fit in what is left of the file.
    #[error("{declared} {what} are declared, but only {bytes_left} bytes follow")]
    CountTooLarge {
        /// Name of the counted things.
        what: &'static str,
        /// The count in the file.
        declared: u64,
        /// Bytes between here and the end of the file or array.
        bytes_left: usize,
    },
    /// Two counts that must agree do not.
    #[error("{declared} {what} are declared, {found} are given")]
    CountMismatch {
        /// Name of the counted things.
        what: &'static str,
        /// The count in the header.
        declared: u64,
        /// The count in the data.
        found: u64,
    },
    /// An array is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A coordinate is NaN or infinite.
    #[error("node {node} has the non-finite position ({}, {}, {})", .at[0], .at[1], .at[2])]
    NonFinite {
        /// The node as the file numbers it.
        node: u64,
        /// Its coordinates.
        at: [f64; 3],
    },
    /// An element names a node that does not exist.
    #[error(
        "element {element} refers to node {node}, which is not among the {node_count} nodes of the file{hint}"
    )]
    MissingNode {
        /// The element as the file numbers it.
        element: u64,
        /// The node it names.
        node: i64,
        /// Nodes in the file.
        node_count: usize,
        /// A likely cause; may be empty.
        hint: &'static str,
    },
    /// A number that must be unique occurs twice.
    #[error("node number {id} is given twice")]
    DuplicateNode {
        /// The number.
        id: u64,
    },
    /// An element number that occurs twice.
    #[error("element number {id} is given twice")]
    DuplicateElement {
        /// The number.
        id: u64,
    },
    /// Sets that name more than a model can mean.
    #[error(
        "the sets up to `{set}` have {entries} entries, far more than the mesh has nodes and elements; take out sets that repeat others"
    )]
    SetsTooLarge {
        /// The set that went too far.
        set: String,
        /// Entries of all sets up to there.
        entries: usize,
    },
    /// Instances of parts that make more than a model can mean.
    #[error("the instances make {count} nodes, more than {limit}; name fewer instances")]
    InstancesTooLarge {
        /// Nodes of all instances.
        count: u64,
        /// Number of instances that are read at most.
        limit: u64,
    },
    /// A file that includes another.
    #[error("the file includes `{file}`, and included files are not read; {remedy}")]
    Include {
        /// The file that is named.
        file: String,
        /// Advice to the user.
        remedy: &'static str,
    },
    /// A hexahedron with repeated nodes that is no wedge, pyramid or tetrahedron.
    #[error(
        "element {element} repeats nodes in a way that makes no wedge, pyramid or tetrahedron: {nodes:?}"
    )]
    Degenerate {
        /// The element as the file numbers it.
        element: u64,
        /// Its nodes.
        nodes: Vec<i64>,
    },
    /// A material that cannot be simulated.
    #[error(
        "material `{material}` ({law}) has a Poisson's ratio of {value}: a compressible law needs one above -1 and below 0.5"
    )]
    Poisson {
        /// Name of the material.
        material: String,
        /// Its law.
        law: String,
        /// Its Poisson's ratio.
        value: f64,
    },
    /// An element with a wrong number of nodes for its type.
    #[error("element {element} is a {kind} of {expected} nodes, but {found} are given")]
    NodeCount {
        /// The element as the file numbers it.
        element: u64,
        /// Its type.
        kind: &'static str,
        /// Nodes of the type.
        expected: usize,
        /// Nodes found.
        found: u64,
    },
    /// A type code that the format does not define.
    #[error("element {element} has the unknown type {code}")]
    UnknownType {
        /// The element as the file numbers it.
        element: u64,
        /// The type code.
        code: i64,
    },
    /// The mid-edge nodes of a TetGen element lie on no edge, so that their order cannot be told.
    #[error(
        "element {element}: node {node} lies nearest to no free edge midpoint, so that its place is unknown"
    )]
    MidNode {
        /// The element as the file numbers it.
        element: u64,
        /// The node as the file numbers it.
        node: u64,
    },
    /// Only points, lines, or faces.
    #[error(
        "no volume element in the file{found}; a solid needs tetrahedra, hexahedra, wedges or pyramids (mesh the surface with TetGen or Gmsh first)"
    )]
    NoVolume {
        /// Contents found instead, e.g. ` (12 triangles)`; may be empty.
        found: String,
    },
    /// The XML is not well formed.
    #[error("XML: {0}")]
    Xml(String),
    /// Encoded or compressed data that does not decode.
    #[error("the data of array `{array}` does not decode: {what}")]
    Encoding {
        /// Name of the array.
        array: String,
        /// The operation that failed.
        what: String,
    },
}

/// A problem and its place, while the path is not yet known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: Location,
    pub(super) problem: Problem,
}

impl Problem {
    pub(super) fn at(self, at: Location) -> Fault {
        Fault { at, problem: self }
    }
}

pub(super) type Parsed<T> = Result<T, Fault>;
