//! Random meshes, and the orders in which files have the nodes of an element.

use proptest::prelude::*;
use sinew_mesh::Vec3;
use sinew_mesh::{ElementFace, ElementKind, Field, VolumeMesh};

/// The kinds without mid-edge nodes.
pub(crate) const LINEAR: [ElementKind; 4] =
    [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge6, ElementKind::Pyramid5];

/// A mesh and the region of each element.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) mesh: VolumeMesh,
    pub(crate) regions: Vec<usize>,
}

/// Coordinates are multiples of this: they have ten decimals at the most and fit into any column.
const GRAIN: f64 = 1.0 / 1024.0;

/// One to six elements of these kinds in regions 1 to 3, their nodes moved a little.
pub(crate) fn sample(kinds: &'static [ElementKind]) -> impl Strategy<Value = Sample> {
    let element = (0..kinds.len(), 1..4_usize).prop_map(|(kind, region)| (kinds[kind], region));
    let elements = prop::collection::vec(element, 1..=6);
    (elements, prop::collection::vec(-40..40_i32, 60)).prop_map(|(e, moves)| Sample::of(&e, &moves))
}

/// Reference corners, then the middles of the edges.
fn nodes(kind: ElementKind) -> Vec<Vec3> {
    let mut x: Vec<Vec3> = kind.linear().nodes().iter().map(|&p| Vec3::from(p)).collect();
    if kind.is_quadratic() {
        let middles = kind.edges().iter().map(|&[a, b]| (x[a as usize] + x[b as usize]) / 2.0);
        x.extend(middles.collect::<Vec<_>>());
    }
    x
}

impl Sample {
    pub(crate) fn of(elements: &[(ElementKind, usize)], moves: &[i32]) -> Self {
        let mut mesh = VolumeMesh::default();
        let mut moves = moves.iter().cycle();
        for (i, &(kind, _)) in elements.iter().enumerate() {
            let first = mesh.nodes.len() as u32;
            for p in nodes(kind) {
                let shift = [0; 3].map(|_| moves.next().map_or(0.0, |&m| f64::from(m) * GRAIN));
                mesh.nodes.push(p + Vec3::x() * 3.0 * i as f64 + Vec3::from(shift));
            }
            let own: Vec<u32> = (first..mesh.nodes.len() as u32).collect();
            mesh.push_element(kind, &own).unwrap();
        }
        Self { mesh, regions: elements.iter().map(|e| e.1).collect() }
    }

    /// With the regions as element sets of this stem.
    pub(crate) fn with_sets(&self, stem: &str) -> Self {
        let mut new = self.clone();
        for (e, region) in self.regions.iter().enumerate() {
            let set = new.mesh.element_sets.entry(format!("{stem}{region}"));
            set.or_default().push(e as u32);
        }
        new
    }

    /// With a vector `u` at the nodes and a number `s` in the elements.
    pub(crate) fn with_fields(&self) -> Self {
        let mut new = self.clone();
        let field = |components, values| Field { components, values };
        new.mesh.node_fields.insert("u".to_owned(), field(3, self.vectors()));
        new.mesh.element_fields.insert("s".to_owned(), field(1, self.scalars()));
        new
    }

    pub(crate) fn vectors(&self) -> Vec<f64> {
        (0..3 * self.mesh.nodes.len()).map(|i| i as f64 * 0.125 - 1.0).collect()
    }

    pub(crate) fn scalars(&self) -> Vec<f64> {
        (0..self.mesh.element_count()).map(|i| 0.5 - i as f64).collect()
    }

    /// The corners of a face of the first element: the first that all formats have.
    pub(crate) fn first_face(&self) -> Vec<u32> {
        let (kind, nodes) = self.mesh.element(0);
        let n = if kind.corner_count() == 8 {
            4..8
        } else {
            0..if kind.corner_count() == 5 { 4 } else { 3 }
        };
        nodes[n].to_vec()
    }

    /// With that face as a set.
    pub(crate) fn with_first_face(&self, name: &str) -> Self {
        let mut new = self.clone();
        let corners = self.first_face();
        let (kind, nodes) = self.mesh.element(0);
        let is_it = |face: &&[u8]| {
            face.len() == corners.len()
                && face.iter().all(|&i| corners.contains(&nodes[i as usize]))
        };
        let face = kind.linear().faces().iter().position(is_it).unwrap() as u8;
        new.mesh.face_sets.insert(name.to_owned(), vec![ElementFace { element: 0, face }]);
        new
    }
}

/// Node order of an element in a family of formats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// VTK, Abaqus, ANSYS, FEBio, Medit, Vega: edges around the lower face, the upper one, upright.
    Vtk,
    /// Lower, upright, upper edges.
    Nastran,
    Gmsh,
    /// Hexahedra and wedges upside down, pyramids with the apex first.
    Ucd,
}

/// The nodes of an element in the order of a file, found by the edges that its mid-edge nodes lie on.
pub(crate) fn in_order(kind: ElementKind, nodes: &[u32], order: Order) -> Vec<u32> {
    let places: &[usize] = match (kind.corner_count(), order) {
        (8, Order::Ucd) => &[0, 1, 2, 3, 4, 5, 6, 7],
        (6, Order::Ucd) => &[3, 4, 5, 0, 1, 2],
        (5, Order::Ucd) => &[4, 0, 1, 2, 3],
        // Ours begins with the upper face.
        (8, _) => &[4, 5, 6, 7, 0, 1, 2, 3],
        (n, _) => &[0, 1, 2, 3, 4, 5][..n],
    };
    let mut found: Vec<u32> = places.iter().map(|&i| nodes[i]).collect();
    for [a, b] in edges(kind, order) {
        let pair = [places[a], places[b]];
        let ours = kind.edges().iter().position(|e| pair.iter().all(|&c| e.contains(&(c as u8))));
        found.push(nodes[kind.corner_count() + ours.unwrap()]);
    }
    found
}

fn ring(n: usize, from: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..n).map(move |i| [from + i, from + (i + 1) % n])
}

fn upright(n: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..n).map(move |i| [i, i + n])
}

/// The edges of the mid-edge nodes by corners of the file, as the manuals of the programs draw them.
fn edges(kind: ElementKind, order: Order) -> Vec<[usize; 2]> {
    if !kind.is_quadratic() {
        return Vec::new();
    }
    match (kind.corner_count(), order) {
        (4, Order::Gmsh) => vec![[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]],
        (4, _) => ring(3, 0).chain([[0, 3], [1, 3], [2, 3]]).collect(),
        (5, Order::Gmsh) => {
            vec![[0, 1], [0, 3], [0, 4], [1, 2], [1, 4], [2, 3], [2, 4], [3, 4]]
        }
        (5, _) => ring(4, 0).chain((0..4).map(|i| [i, 4])).collect(),
        (6, Order::Gmsh) => {
            vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]]
        }
        (_, Order::Gmsh) => vec![
            [0, 1],
            [0, 3],
            [0, 4],
            [1, 2],
            [1, 5],
            [2, 3],
            [2, 6],
            [3, 7],
            [4, 5],
            [4, 7],
            [5, 6],
            [6, 7],
        ],
        (corners, Order::Nastran) => {
            let n = corners / 2;
            ring(n, 0).chain(upright(n)).chain(ring(n, n)).collect()
        }
        (corners, _) => {
            let n = corners / 2;
            ring(n, 0).chain(ring(n, n)).chain(upright(n)).collect()
        }
    }
}

/// Numbers with a separator between them.
pub(crate) fn joined<T: ToString>(numbers: impl IntoIterator<Item = T>, separator: &str) -> String {
    let words: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    words.join(separator)
}
