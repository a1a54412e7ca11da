//! Fill-reducing nested-dissection ordering of a symmetric graph.
//!
//! This is a crate of its own because it holds the one foreign call of the CPU path: the rest of
//! that path forbids `unsafe`, and the whole of it here lies in `metis.rs`, behind a graph type
//! that can only be made by the checks of `graph.rs`. Nested dissection by METIS makes the sparse
//! factor of a solid three to four times cheaper than minimum degree does (key Karypis1998).
#![deny(unsafe_code)]

mod graph;
#[cfg(feature = "metis")]
#[allow(unsafe_code)]
mod metis;

use graph::Graph;

/// A renumbering of the rows and columns of a symmetric matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// New to old: row `k` of the permuted matrix is row `perm[k]` of the original one.
    pub perm: Vec<u32>,
    /// Old to new: `inverse[perm[k]] == k`.
    pub inverse: Vec<u32>,
}

impl Ordering {
    /// The ordering that changes nothing.
    pub fn identity(node_count: u32) -> Self {
        let perm: Vec<u32> = (0..node_count).collect();
        Self { inverse: perm.clone(), perm }
    }
}

/// Errors of a graph, or of its ordering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderingError {
    /// The offsets do not enclose the neighbour array.
    #[error(
        "offsets must start at 0 and end at the {neighbour_count} neighbours, they run {first:?} to {last:?}"
    )]
    OffsetRange {
        /// First offset, if there is one.
        first: Option<u32>,
        /// Last offset, if there is one.
        last: Option<u32>,
        /// Length of the neighbour array.
        neighbour_count: usize,
    },
    /// An offset is larger than the next one.
    #[error("the neighbours of node {node} start at {start} and end before that, at {end}")]
    OffsetOrder {
        /// The node whose list runs backwards.
        node: usize,
        /// Its start.
        start: u32,
        /// Its end.
        end: u32,
    },
    /// A neighbour is not a node.
    #[error("node {node} names neighbour {neighbour}, but the graph has {node_count} nodes")]
    MissingNode {
        /// The node that names it.
        node: usize,
        /// The neighbour that does not exist.
        neighbour: u32,
        /// Nodes in the graph.
        node_count: usize,
    },
    /// A node is its own neighbour.
    #[error("node {node} is its own neighbour; leave the diagonal out of the graph")]
    SelfLoop {
        /// The node.
        node: usize,
    },
    /// A neighbour is listed twice.
    #[error("node {node} lists neighbour {neighbour} more than once")]
    Duplicate {
        /// The node with the double entry.
        node: usize,
        /// The neighbour listed twice.
        neighbour: u32,
    },
    /// An edge is listed from one of its ends only.
    #[error("node {node} lists neighbour {neighbour}, which does not list it back")]
    Asymmetric {
        /// The node that lists the edge.
        node: usize,
        /// The other end.
        neighbour: u32,
    },
    /// The graph has more nodes or edges than 31-bit indices can name.
    #[error(
        "{node_count} nodes and {neighbour_count} neighbours: at most {} of each fit",
        i32::MAX
    )]
    TooLarge {
        /// Nodes in the graph.
        node_count: usize,
        /// Length of the neighbour array.
        neighbour_count: usize,
    },
    /// METIS returned an error code.
    #[error("METIS failed with code {code} (-3 is out of memory)")]
    Failed {
        /// The code, as METIS names it.
        code: i32,
    },
    /// METIS returned something that is not a permutation.
    #[error("METIS returned an ordering that is not a permutation of the {node_count} nodes")]
    NotAPermutation {
        /// Nodes in the graph.
        node_count: usize,
    },
}

/// A nested-dissection ordering of the graph in compressed adjacency form: the neighbours of node
/// `i` are `neighbours[offsets[i]..offsets[i + 1]]`, every edge from both of its ends, no node
/// beside itself. An empty `offsets` is the empty graph.
///
/// The result depends on the graph alone (fixed seed, calls serialized), on one platform; it is
/// `None` when the crate is built without its feature `metis`: fall back on minimum degree then.
///
/// # Errors
/// A graph that is not as described above, one too large for 31-bit indices, or METIS out of
/// memory.
pub fn nested_dissection(
    offsets: &[u32],
    neighbours: &[u32],
) -> Result<Option<Ordering>, OrderingError> {
    let graph = Graph::new(offsets, neighbours)?;
    order(graph)
}

#[cfg(feature = "metis")]
fn order(graph: Graph) -> Result<Option<Ordering>, OrderingError> {
    // METIS is not made for graphs without an edge, and no order of theirs is better than another.
    if graph.is_edgeless() {
        return Ok(Some(Ordering::identity(graph.node_count() as u32)));
    }
    metis::node_nd(graph).map(Some)
}

#[cfg(not(feature = "metis"))]
fn order(_: Graph) -> Result<Option<Ordering>, OrderingError> {
    Ok(None)
}
