//! Directions of fibres in the elements of a tissue, where its mesh has a field of them. What an element
//! does to its fibre is linear in the places of its nodes, so that only weights are kept.

use crate::Vec3;
use crate::fem::{ElementKind, Field, VolumeMesh};

/// Fibres of a tissue, one an element that has one, at its centre. With N the shape functions there and
/// a0 the direction at rest, the centre is the sum of N x and F a0 that of (dN/dX . a0) x over its nodes x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fibres {
    /// Index of the first node of each, and the end of those of the last: one more than there are fibres.
    pub offsets: Vec<u32>,
    /// Points of the nodes.
    pub points: Vec<u32>,
    /// Weights of each node: in the centre [-], and in the direction [1/m].
    pub weights: Vec<[f32; 2]>,
    /// Mean length of the edges of each element at rest [m].
    pub lengths: Vec<f32>,
}

/// A fibre where its element is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// Centre of the element, relative to the origin of the scene [m].
    pub centre: [f32; 3],
    /// F a0 [-]: its length is the stretch along the fibre.
    pub direction: [f32; 3],
    /// Mean length of the edges of the element at rest [m].
    pub length: f32,
}

/// Names that fields of fibres have in files, in any case of letters.
const NAMES: [&str; 6] =
    ["fiber", "fibre", "fibers", "fibres", "fiber_direction", "fibre_direction"];

impl Fibres {
    /// Those of `mesh`, whose nodes are the points `points`: a field of vectors named `fiber` (or
    /// `fibre`, `fibers`, `fibres`, with or without `_direction`) with a value an element, else one with
    /// a value a node. None where an element has no direction or no volume.
    pub fn of(mesh: &VolumeMesh, points: &[u32]) -> Self {
        let mut fibres = Self { offsets: vec![0], ..Self::default() };
        let known = |(name, field): &(&String, &Field)| {
            field.components == 3 && NAMES.contains(&name.to_lowercase().as_str())
        };
        let by_element = mesh.element_fields.iter().find(known).map(|(_, field)| field);
        let by_node = mesh.node_fields.iter().find(known).map(|(_, field)| field);
        if by_element.or(by_node).is_none() {
            return fibres;
        }
        for (element, (kind, nodes)) in mesh.elements().enumerate() {
            let direction = match (by_element, by_node) {
                (Some(field), _) => vector(field, element),
                (None, Some(field)) => mean(field, kind, nodes),
                (None, None) => None,
            };
            if let Some(direction) = direction.and_then(|it| it.try_normalize(0.0)) {
                fibres.push(mesh, (kind, nodes), points, direction);
            }
        }
        fibres
    }

    /// Those of `mesh`, whose nodes are the points `points`, in elements that are given with a direction
    /// at rest, of any length but 0.
    pub fn along(
        mesh: &VolumeMesh,
        points: &[u32],
        elements: impl Iterator<Item = (u32, Vec3)>,
    ) -> Self {
        let mut fibres = Self { offsets: vec![0], ..Self::default() };
        for (element, direction) in elements {
            if let Some(direction) = direction.try_normalize(0.0) {
                fibres.push(mesh, mesh.element(element as usize), points, direction);
            }
        }
        fibres
    }

    /// Number of fibres.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Each fibre where `places`, those of all points, have its element.
    pub fn placed<'a>(&'a self, places: &'a [[f32; 3]]) -> impl Iterator<Item = Fibre> + 'a {
        let ends = self.offsets.windows(2).zip(&self.lengths);
        ends.filter_map(move |(ends, &length)| {
            let nodes = ends[0] as usize..ends[1] as usize;
            let (mut centre, mut direction) = ([0.0; 3], [0.0; 3]);
            // Weights of the direction add up to 0: relative to a node, nothing is lost to rounding.
            let first = *places.get(*self.points.get(nodes.start)? as usize)?;
            for (&point, [part, slope]) in
                self.points[nodes.clone()].iter().zip(&self.weights[nodes])
            {
                let place = places.get(point as usize)?;
                for k in 0..3 {
                    centre[k] += part * (place[k] - first[k]);
                    direction[k] += slope * (place[k] - first[k]);
                }
            }
            let centre = std::array::from_fn(|k| first[k] + centre[k]);
            Some(Fibre { centre, direction, length })
        })
    }

    fn push(
        &mut self,
        mesh: &VolumeMesh,
        (kind, nodes): (ElementKind, &[u32]),
        points: &[u32],
        direction: Vec3,
    ) {
        let place = |k: usize| mesh.nodes[nodes[k] as usize];
        let (parts, gradients) = shapes(kind);
        // J = sum of x dN/dr; dN/dX . a0 = dN/dr . J^-1 a0.
        let jacobian = (0..nodes.len()).fold(crate::Mat3::zeros(), |sum, k| {
            sum + place(k) * Vec3::from(gradients[k]).transpose()
        });
        let Some(inverse) = jacobian.try_inverse() else { return };
        let along = inverse * direction;
        let weights = (0..nodes.len())
            .map(|k| [parts[k] as f32, Vec3::from(gradients[k]).dot(&along) as f32]);
        self.weights.extend(weights);
        self.points.extend(nodes.iter().map(|&node| points[node as usize]));
        self.offsets.push(self.points.len() as u32);
        let edges = kind.edges();
        let length = |&[a, b]: &[u8; 2]| (place(a as usize) - place(b as usize)).norm();
        self.lengths.push((edges.iter().map(length).sum::<f64>() / edges.len() as f64) as f32);
    }
}

/// Shape functions at the centre of an element, and their derivatives.
fn shapes(
    kind: ElementKind,
) -> ([f64; ElementKind::MAX_NODE_COUNT], [[f64; 3]; ElementKind::MAX_NODE_COUNT]) {
    let mut parts = [0.0; ElementKind::MAX_NODE_COUNT];
    let mut gradients = [[0.0; 3]; ElementKind::MAX_NODE_COUNT];
    kind.shape(kind.centre(), &mut parts);
    kind.gradient(kind.centre(), &mut gradients);
    (parts, gradients)
}

fn vector(field: &Field, at: usize) -> Option<Vec3> {
    Some(Vec3::from_column_slice(field.values.get(3 * at..3 * at + 3)?))
}

/// A field of nodes at the centre of an element.
fn mean(field: &Field, kind: ElementKind, nodes: &[u32]) -> Option<Vec3> {
    let (parts, _) = shapes(kind);
    let mut numbered = nodes.iter().zip(parts);
    numbered.try_fold(Vec3::zeros(), |sum, (&node, part)| {
        Some(sum + vector(field, node as usize)? * part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mat3;
    use nalgebra::Rotation3;

    /// An element of a kind, slightly sheared, with a fibre along `direction`.
    fn element(kind: ElementKind, direction: Vec3) -> (VolumeMesh, Vec<u32>) {
        let skew = Mat3::new(1.0, 0.2, 0.0, 0.0, 0.8, 0.1, 0.3, 0.0, 1.1);
        let places = kind.nodes().iter().map(|&r| skew * Vec3::from(r)).collect();
        let mut mesh = VolumeMesh::new(places);
        let nodes: Vec<u32> = (0..kind.node_count() as u32).collect();
        mesh.push_element(kind, &nodes).unwrap();
        let field = Field { components: 3, values: direction.iter().copied().collect() };
        mesh.element_fields.insert("Fiber".to_owned(), field);
        (mesh, nodes)
    }

    fn placed(mesh: &VolumeMesh, points: &[u32], map: impl Fn(Vec3) -> Vec3) -> Vec<Fibre> {
        let places: Vec<[f32; 3]> =
            mesh.nodes.iter().map(|&x| map(x).map(|v| v as f32).into()).collect();
        Fibres::of(mesh, points).placed(&places).collect()
    }

    #[test]
    fn a_fibre_follows_the_deformation_of_every_kind_of_element() {
        let a0 = Vec3::new(1.0, -2.0, 0.5).normalize();
        let turn = Rotation3::from_euler_angles(0.7, -1.9, 2.4).into_inner();
        let stretch = Mat3::new(1.5, 0.4, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.7);
        for kind in ElementKind::ALL {
            let (mesh, points) = element(kind, 3.0 * a0);
            for gradient in [Mat3::identity(), turn, stretch, turn * stretch] {
                let fibres = placed(&mesh, &points, |x| gradient * x + Vec3::new(0.1, 0.2, 0.3));
                let [fibre] = fibres[..] else { panic!("{kind:?}: {fibres:?}") };
                let direction = Vec3::from(fibre.direction.map(f64::from));
                let off = (direction - gradient * a0).norm();
                assert!(off < 1e-5, "{kind:?}: {direction} of {}", gradient * a0);
            }
        }
    }

    #[test]
    fn shear_turns_a_fibre_across_it_and_leaves_one_along_it() {
        let shear = Mat3::new(1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        for (a0, expected) in [(Vec3::x(), [1.0, 0.0, 0.0]), (Vec3::y(), [1.0, 1.0, 0.0])] {
            let (mesh, points) = element(ElementKind::Hex8, a0);
            let fibre = placed(&mesh, &points, |x| shear * x)[0];
            assert!((0..3).all(|k| (fibre.direction[k] - expected[k]).abs() < 1e-6), "{fibre:?}");
        }
    }

    #[test]
    fn a_field_of_nodes_gives_the_direction_at_the_centre_and_elements_go_before_it() {
        let (mut mesh, points) = element(ElementKind::Tet4, Vec3::z());
        let values = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].to_vec();
        mesh.node_fields.insert("fibres".to_owned(), Field { components: 3, values });
        let direction = |mesh: &VolumeMesh| placed(mesh, &points, |x| x)[0].direction;
        assert!((direction(&mesh)[2] - 1.0).abs() < 1e-6);
        mesh.element_fields.clear();
        let [x, y, z] = direction(&mesh);
        assert!((x - y).abs() < 1e-6 && x > 0.7 && z.abs() < 1e-6, "{x} {y} {z}");
    }

    #[test]
    fn without_a_direction_a_volume_or_a_field_there_is_no_fibre() {
        let (mesh, points) = element(ElementKind::Hex8, Vec3::zeros());
        assert!(Fibres::of(&mesh, &points).is_empty());
        let (mut mesh, points) = element(ElementKind::Hex8, Vec3::x());
        assert_eq!(Fibres::of(&mesh, &points).len(), 1);
        mesh.nodes.iter_mut().for_each(|x| x.z = 0.0);
        assert!(Fibres::of(&mesh, &points).is_empty());
        mesh.element_fields.clear();
        assert!(Fibres::of(&mesh, &points).is_empty());
    }
}
