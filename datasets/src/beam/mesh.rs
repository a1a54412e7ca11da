//! The meshes of a box: a grid of split cells, with mid-edge nodes for the quadratic kinds, and the
//! Kuhn triangulation.

use std::collections::HashMap;

use sinew::Vec3;
use sinew::fem::{ElementKind, MeshError, VolumeMesh};

use super::cells::{HEXAHEDRON, PYRAMID, Splits, TET, WEDGE};

/// Elements of a cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BeamElement {
    /// Five tetrahedra.
    Tet,
    /// One hexahedron.
    Hex,
    /// Two wedges.
    Wedge,
    /// Three pyramids.
    Pyramid,
    /// Five 10-node tetrahedra.
    QuadTet,
    /// One 20-node hexahedron.
    QuadHex,
    /// Two 15-node wedges.
    QuadWedge,
    /// Three 13-node pyramids.
    QuadPyramid,
}

impl BeamElement {
    /// The names of `elem=`.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("tet", Self::Tet),
        ("hex", Self::Hex),
        ("wedge", Self::Wedge),
        ("pyramid", Self::Pyramid),
        ("quadtet", Self::QuadTet),
        ("quadhex", Self::QuadHex),
        ("quadwedge", Self::QuadWedge),
        ("quadpyramid", Self::QuadPyramid),
    ];

    /// Splits of the cells, and true if edges carry a node.
    fn splits(self) -> (Splits, bool) {
        match self {
            Self::Tet => (TET, false),
            Self::Hex => (HEXAHEDRON, false),
            Self::Wedge => (WEDGE, false),
            Self::Pyramid => (PYRAMID, false),
            Self::QuadTet => (TET, true),
            Self::QuadHex => (HEXAHEDRON, true),
            Self::QuadWedge => (WEDGE, true),
            Self::QuadPyramid => (PYRAMID, true),
        }
    }
}

/// Index of grid node (i, j, k): z runs fastest.
fn grid_node(counts: [usize; 3], [i, j, k]: [usize; 3]) -> u32 {
    ((i * (counts[1] + 1) + j) * (counts[2] + 1) + k) as u32
}

/// All (i, j, k) below `counts`, k fastest.
fn indices([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nx).flat_map(move |i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [i, j, k])))
}

/// Nodes of a grid with one corner at `origin` [m].
fn grid_nodes(counts: [usize; 3], size: [f64; 3], origin: [f64; 3]) -> Vec<Vec3> {
    let along = |axis: usize, i: usize| origin[axis] + size[axis] * i as f64 / counts[axis] as f64;
    indices(counts.map(|count| count + 1))
        .map(|[i, j, k]| Vec3::new(along(0, i), along(1, j), along(2, k)))
        .collect()
}

/// A box of `size` [m] centred at the origin, `counts` cells along x, y, z, each split into
/// elements. Corners come first (z fastest, then y), then mid-edge nodes in the order of first use.
///
/// # Errors
/// None for counts of at least 1.
pub fn beam_mesh(
    element: BeamElement,
    counts: [usize; 3],
    size: [f64; 3],
) -> Result<VolumeMesh, MeshError> {
    let (splits, quadratic) = element.splits();
    let kind = if quadratic { splits.kind.quadratic() } else { splits.kind };
    let mut nodes = grid_nodes(counts, size, size.map(|length| -0.5 * length));
    let mut middles = MidEdgeNodes::default();
    let mut elements = Vec::new();
    for [i, j, k] in indices(counts) {
        for corners in splits.elements([i, j, k]) {
            let at = |&[a, b, c]: &[usize; 3]| grid_node(counts, [i + a, j + b, k + c]);
            let mut list: Vec<u32> = corners.iter().map(at).collect();
            if quadratic {
                middles.append(kind.edges(), &mut list, &mut nodes);
            }
            elements.push(list);
        }
    }
    with_elements(nodes, kind, &elements)
}

fn with_elements(
    nodes: Vec<Vec3>,
    kind: ElementKind,
    elements: &[Vec<u32>],
) -> Result<VolumeMesh, MeshError> {
    let mut mesh = VolumeMesh::new(nodes);
    elements.iter().try_for_each(|list| mesh.push_element(kind, list))?;
    Ok(mesh)
}

/// The node in the middle of each edge, one for all elements that share the edge.
#[derive(Default)]
struct MidEdgeNodes {
    of_edge: HashMap<[u32; 2], u32>,
}

impl MidEdgeNodes {
    /// Appends the mid-edge nodes of the element whose corners are in `list`.
    fn append(&mut self, edges: &[[u8; 2]], list: &mut Vec<u32>, nodes: &mut Vec<Vec3>) {
        for &[a, b] in edges {
            let (a, b) = (list[a as usize], list[b as usize]);
            let node = *self.of_edge.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                nodes.push(0.5 * (nodes[a as usize] + nodes[b as usize]));
                nodes.len() as u32 - 1
            });
            list.push(node);
        }
    }
}

/// The orders in which Kuhn tetrahedra walk along the axes, in lexicographic order.
const WALKS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A box of `size` [m] with a corner at the origin: 4n x n x n cells, each split into the six
/// tetrahedra that walk from its lowest to its highest corner along the axes in every order.
///
/// # Errors
/// None for n of at least 1.
pub fn kuhn_mesh(n: usize, size: [f64; 3]) -> Result<VolumeMesh, MeshError> {
    let counts = [4 * n, n, n];
    let mut elements = Vec::with_capacity(24 * n * n * n);
    for cell in indices(counts) {
        for walk in WALKS {
            let mut at = cell;
            let mut list = vec![grid_node(counts, at)];
            for axis in walk {
                at[axis] += 1;
                list.push(grid_node(counts, at));
            }
            // An odd permutation of the axes walks a left-handed tetrahedron.
            if (walk[1] + 3 - walk[0]) % 3 == 2 {
                list.swap(1, 2);
            }
            elements.push(list);
        }
    }
    with_elements(grid_nodes(counts, size, [0.0; 3]), ElementKind::Tet4, &elements)
}
