//! Small meshes for the suite: a grid of cells, each split into elements of the kinds asked for.
//! No element is a parallelepiped, so that nothing is constant over one by accident.

use std::collections::BTreeMap;

use crate::Vec3;
use crate::fem::{ElementKind, VolumeMesh};

/// Edge of a cell [m].
pub(super) const CELL: f64 = 0.1;

/// The faces of a cell, x = 0, x = 1, y = 0, .., wound so that their normals point inward. Corner
/// (i, j, k) of a cell has the number i + 2 j + 4 k.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
/// The corners at z = 1 come first in a hexahedron.
const HEXAHEDRON: [usize; 8] = [4, 5, 7, 6, 0, 1, 3, 2];
/// Two prisms along y.
const WEDGES: [[usize; 6]; 2] = [[2, 3, 7, 0, 1, 5], [2, 7, 6, 0, 5, 4]];

/// Division of a cell into elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Split {
    /// Not at all.
    Hexahedron,
    /// Into two wedges.
    Wedges,
    /// Into a fan about a node in the middle: of each face in turn two tetrahedra (`true`) or a
    /// pyramid.
    Fan([bool; 6]),
}

impl Split {
    /// The split that is made of one kind, or of its quadratic sister.
    fn of(kind: ElementKind) -> Self {
        match kind.linear() {
            ElementKind::Tet4 => Self::Fan([true; 6]),
            ElementKind::Pyramid5 => Self::Fan([false; 6]),
            ElementKind::Wedge6 => Self::Wedges,
            _ => Self::Hexahedron,
        }
    }
}

/// A block of `counts` cells of one kind, a corner at the origin.
pub(super) fn block(kind: ElementKind, counts: [usize; 3]) -> VolumeMesh {
    Grid::new(counts, kind.is_quadratic()).filled(|_| Split::of(kind))
}

/// Four cells along x of all four linear kinds, or of all four quadratic ones: a hexahedron, wedges,
/// pyramids whose last face is two tetrahedra, and tetrahedra.
pub(super) fn mixed(quadratic: bool) -> VolumeMesh {
    let one_face = Split::Fan([false, true, false, false, false, false]);
    let splits = [Split::Hexahedron, Split::Wedges, one_face, Split::Fan([true; 6])];
    Grid::new([4, 1, 1], quadratic).filled(|x| splits[x])
}

/// Indices of the nodes at places where `holds` is true.
pub(super) fn nodes_where(mesh: &VolumeMesh, holds: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    (0..mesh.nodes.len() as u32).filter(|&i| holds(&mesh.nodes[i as usize])).collect()
}

/// A grid of cells while it is filled with elements.
struct Grid {
    counts: [usize; 3],
    quadratic: bool,
    nodes: Vec<Vec3>,
    elements: Vec<(ElementKind, Vec<u32>)>,
    middles: BTreeMap<[u32; 2], u32>,
}

impl Grid {
    fn new(counts: [usize; 3], quadratic: bool) -> Self {
        let [nx, ny, nz] = counts;
        let mut nodes = Vec::new();
        for k in 0..=nz {
            for j in 0..=ny {
                nodes.extend((0..=nx).map(|i| CELL * Vec3::new(i as f64, j as f64, k as f64)));
            }
        }
        let (elements, middles) = (Vec::new(), BTreeMap::new());
        Self { counts, quadratic, nodes, elements, middles }
    }

    /// Fills every cell as `split` says of its place along x.
    fn filled(mut self, split: impl Fn(usize) -> Split) -> VolumeMesh {
        let [nx, ny, nz] = self.counts;
        for k in 0..nz {
            for j in 0..ny {
                (0..nx).for_each(|i| self.fill([i, j, k], split(i)));
            }
        }
        self.nodes.iter_mut().for_each(|p| *p += distortion(p));
        let mut mesh = VolumeMesh::new(self.nodes);
        for (kind, nodes) in &self.elements {
            mesh.push_element(*kind, nodes).expect("the grid has the nodes of its elements");
        }
        mesh
    }

    fn fill(&mut self, [i, j, k]: [usize; 3], split: Split) {
        let [nx, ny, _] = self.counts;
        let number = |c: usize| {
            let (i, j, k) = (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
            (i + (nx + 1) * (j + (ny + 1) * k)) as u32
        };
        // The diagonal of a face joins its even corners, seen from either side.
        let is_even = |c: usize| (i + j + k + (c & 1) + (c >> 1 & 1) + (c >> 2)).is_multiple_of(2);
        match split {
            Split::Hexahedron => self.add(ElementKind::Hex8, HEXAHEDRON.map(number).into()),
            Split::Wedges => {
                WEDGES.iter().for_each(|w| self.add(ElementKind::Wedge6, w.map(number).into()));
            }
            Split::Fan(faces) => {
                let corners = (0..8).map(|c| self.nodes[number(c) as usize]);
                self.nodes.push(corners.sum::<Vec3>() / 8.0);
                let middle = self.nodes.len() as u32 - 1;
                for (face, is_split) in FACES.into_iter().zip(faces) {
                    let first = usize::from(!is_even(face[0]));
                    let [a, b, c, d] = [0, 1, 2, 3].map(|n| number(face[(first + n) % 4]));
                    if is_split {
                        self.add(ElementKind::Tet4, vec![a, b, c, middle]);
                        self.add(ElementKind::Tet4, vec![a, c, d, middle]);
                    } else {
                        self.add(ElementKind::Pyramid5, vec![a, b, c, d, middle]);
                    }
                }
            }
        }
    }

    /// Adds an element by its corners.
    fn add(&mut self, kind: ElementKind, mut nodes: Vec<u32>) {
        if !self.quadratic {
            return self.elements.push((kind, nodes));
        }
        let kind = kind.quadratic();
        for &[a, b] in kind.edges() {
            let (a, b) = (nodes[a as usize], nodes[b as usize]);
            let all = &mut self.nodes;
            let middle = *self.middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                all.push(0.5 * (all[a as usize] + all[b as usize]));
                all.len() as u32 - 1
            });
            nodes.push(middle);
        }
        self.elements.push((kind, nodes));
    }
}

/// Displacement of a node of the grid [m]: some 5 % of a cell; nothing at x = 0, where blocks are
/// fixed, and along x, so that ends stay flat.
fn distortion(p: &Vec3) -> Vec3 {
    let size = 0.05 * CELL * (p.x / CELL).min(1.0);
    size * Vec3::new(0.0, (23.0 * p.x + 11.0 * p.z).sin(), (17.0 * p.y + 7.0 * p.x).cos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Isotropic, MaterialSpec};
    use crate::model::{FemModel, Model};

    fn volume_of(mesh: VolumeMesh) -> f64 {
        let law = MaterialSpec::Linear(Isotropic::default());
        let mut model = Model::new("mesh");
        model.add(FemModel::new("mesh", mesh, 1000.0, law));
        let compiled = model.compile().expect("no element is inside out");
        compiled.at(&compiled.initial_state()).volume()
    }

    #[test]
    fn every_split_fills_its_cells_once() {
        // Faces are no planes: a tetrahedron's face and a hexahedron's differ by the distortion
        // squared, some 1e-3 of a cell.
        for kind in ElementKind::ALL {
            let whole = volume_of(block(ElementKind::Hex8, [3, 2, 2]));
            let error = volume_of(block(kind, [3, 2, 2])) / whole - 1.0;
            assert!(error.abs() < 5e-3, "{}: {error:.1e}", kind.name());
        }
        let whole = volume_of(block(ElementKind::Hex8, [4, 1, 1]));
        for quadratic in [false, true] {
            let error = volume_of(mixed(quadratic)) / whole - 1.0;
            assert!(error.abs() < 5e-3, "mixed: {error:.1e}");
        }
    }

    #[test]
    fn mixed_meshes_have_all_kinds_of_their_order() {
        for quadratic in [false, true] {
            let kinds: std::collections::BTreeSet<_> =
                mixed(quadratic).elements().map(|(kind, _)| kind).collect();
            let all = ElementKind::ALL.into_iter().filter(|kind| kind.is_quadratic() == quadratic);
            assert_eq!(kinds, all.collect());
        }
    }
}
