//! Measures of the shape of elements that meshing programs report: mean ratio and scaled Jacobian at
//! the corners (Knupp2003), dihedral angles. Mid-edge nodes are not looked at.

use rayon::prelude::*;

use super::{ElementKind, VolumeMesh};
use crate::{Mat3, Vec3};

/// The shape of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementQuality {
    /// Smallest mean ratio of a corner [-]: 3 det(A)^(2/3) / |A|², A the map of the edges of the
    /// ideal element to those at the corner. 1 is ideal, 0 flat or inside out.
    pub mean_ratio: f64,
    /// Smallest scaled Jacobian of a corner [-]: the determinant of its edges of length 1 over that
    /// of the ideal element. 1 is ideal, 0 flat, below 0 inside out.
    pub scaled_jacobian: f64,
    /// Smallest and largest angle between faces, inside [rad].
    pub dihedral: [f64; 2],
}

/// Data that the measures need of a kind of element, found once.
struct Shape {
    /// A corner and its neighbours along edges, right-handed; the apex of the pyramid has four and
    /// is left out.
    frames: Vec<[u8; 4]>,
    /// For each frame the inverse of the edges of the ideal element, and their scaled determinant.
    ideal: Vec<(Mat3, f64)>,
    /// Pairs of faces that share an edge, with the ends of the edge as the first face winds.
    hinges: Vec<([u8; 2], [u8; 2])>,
}

/// The corners of the ideal element: regular tetrahedron, cube, and wedge and pyramid of which all
/// edges have one length.
fn ideal_corners(kind: ElementKind) -> Vec<Vec3> {
    let third = 3f64.sqrt() / 2.0;
    let map = match kind.linear() {
        ElementKind::Tet4 => {
            Mat3::new(1.0, 0.5, 0.5, 0.0, third, third / 3.0, 0.0, 0.0, (2.0 / 3.0_f64).sqrt())
        }
        ElementKind::Wedge6 => Mat3::new(1.0, 0.5, 0.0, 0.0, third, 0.0, 0.0, 0.0, 0.5),
        ElementKind::Pyramid5 => Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.5_f64.sqrt())),
        _ => Mat3::identity(),
    };
    kind.linear().nodes().iter().map(|&r| map * Vec3::from(r)).collect()
}

fn edges_at(frame: &[u8; 4], at: impl Fn(u8) -> Vec3) -> Mat3 {
    let x = frame.map(at);
    Mat3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

/// Determinant of the columns scaled to length 1; 0 where one has none.
fn scaled_determinant(edges: &Mat3) -> f64 {
    let lengths: f64 = edges.column_iter().map(|e| e.norm()).product();
    if lengths > 0.0 { edges.determinant() / lengths } else { 0.0 }
}

impl Shape {
    fn of(kind: ElementKind) -> Self {
        let kind = kind.linear();
        let corners = ideal_corners(kind);
        let at = |i: u8| corners[i as usize];
        let mut frames: Vec<[u8; 4]> = Vec::new();
        for corner in 0..corners.len() as u8 {
            let others: Vec<u8> = (kind.edges().iter())
                .filter_map(|&[a, b]| (a == corner).then_some(b).or((b == corner).then_some(a)))
                .collect();
            if let [a, b, c] = others[..] {
                let right = edges_at(&[corner, a, b, c], at).determinant() > 0.0;
                frames.push(if right { [corner, a, b, c] } else { [corner, b, a, c] });
            }
        }
        let ideal = frames.iter().map(|frame| {
            let edges = edges_at(frame, at);
            let inverse = edges.try_inverse().expect("the ideal element is not flat");
            (inverse, scaled_determinant(&edges))
        });
        Self { ideal: ideal.collect(), hinges: hinges(kind), frames }
    }

    fn quality(&self, kind: ElementKind, at: impl Fn(u8) -> Vec3) -> ElementQuality {
        let (mut mean_ratio, mut scaled_jacobian) = (f64::INFINITY, f64::INFINITY);
        for (frame, (inverse, scaled)) in self.frames.iter().zip(&self.ideal) {
            let edges = edges_at(frame, &at);
            let map = edges * inverse;
            let (determinant, size) = (map.determinant(), map.norm_squared());
            let is_sound = determinant > 0.0 && size > 0.0;
            let ratio = if is_sound { 3.0 * determinant.cbrt().powi(2) / size } else { 0.0 };
            mean_ratio = mean_ratio.min(ratio);
            scaled_jacobian = scaled_jacobian.min(scaled_determinant(&edges) / scaled);
        }
        ElementQuality { mean_ratio, scaled_jacobian, dihedral: self.dihedral(kind, at) }
    }

    /// pi less the angle by which the outward normal turns over the edge.
    fn dihedral(&self, kind: ElementKind, at: impl Fn(u8) -> Vec3) -> [f64; 2] {
        let normals = kind.linear().faces().iter().map(|face| match **face {
            [a, b, c] => (at(b) - at(a)).cross(&(at(c) - at(a))),
            [a, b, c, d] => (at(c) - at(a)).cross(&(at(d) - at(b))),
            _ => Vec3::zeros(),
        });
        let mut normal = [Vec3::zeros(); 6];
        normal.iter_mut().zip(normals).for_each(|(n, value)| *n = value);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for ([f, g], [a, b]) in &self.hinges {
            let (m, n) = (normal[*f as usize], normal[*g as usize]);
            let edge = at(*b) - at(*a);
            let sine = m.cross(&n).dot(&edge) / edge.norm().max(f64::MIN_POSITIVE);
            let angle = std::f64::consts::PI - sine.atan2(m.dot(&n));
            range = [range[0].min(angle), range[1].max(angle)];
        }
        range
    }
}

fn hinges(kind: ElementKind) -> Vec<([u8; 2], [u8; 2])> {
    let faces = kind.faces();
    let mut hinges = Vec::new();
    for (f, face) in faces.iter().enumerate() {
        for k in 0..face.len() {
            let [a, b] = [face[k], face[(k + 1) % face.len()]];
            let shares = |g: &usize| faces[*g].contains(&a) && faces[*g].contains(&b);
            if let Some(g) = (f + 1..faces.len()).find(shares) {
                hinges.push(([f as u8, g as u8], [a, b]));
            }
        }
    }
    hinges
}

impl VolumeMesh {
    /// The shape of every element.
    pub fn element_qualities(&self) -> Vec<ElementQuality> {
        let shapes: Vec<Shape> = ElementKind::ALL.iter().map(|&kind| Shape::of(kind)).collect();
        let quality = |e: usize| {
            let (kind, nodes) = self.element(e);
            shapes[kind as usize].quality(kind, |i| self.nodes[nodes[i as usize] as usize])
        };
        (0..self.element_count()).into_par_iter().map(quality).collect()
    }
}

/// Numbers of values in each of ten equal parts of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Histogram {
    /// Ends of the range; values beyond are in the outermost parts.
    pub range: [f64; 2],
    /// Values in each part.
    pub counts: [usize; 10],
    /// Smallest value.
    pub min: f64,
    /// Mean value.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
    /// Index of the smallest value.
    pub min_at: usize,
}

impl Histogram {
    /// The histogram of `values` over `range`; `None` without values.
    pub fn new(range: [f64; 2], values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut counts = [0; 10];
        let (mut min, mut max, mut sum, mut n, mut min_at) =
            (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0_usize, 0);
        for (i, value) in values.enumerate() {
            let part = 10.0 * (value - range[0]) / (range[1] - range[0]);
            // Casting clamps below 0 and takes what is no number to 0.
            counts[(part as usize).min(9)] += 1;
            if value < min {
                (min, min_at) = (value, i);
            }
            max = max.max(value);
            sum += value;
            n += 1;
        }
        (n > 0).then(|| Self { range, counts, min, mean: sum / n as f64, max, min_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: ElementKind, map: impl Fn(Vec3) -> Vec3) -> ElementQuality {
        let corners: Vec<Vec3> = ideal_corners(kind).into_iter().map(map).collect();
        let mut mesh = VolumeMesh::new(corners);
        let all: Vec<u32> = (0..kind.node_count() as u32).collect();
        mesh.push_element(kind, &all).unwrap();
        mesh.element_qualities()[0]
    }

    const LINEAR: [ElementKind; 4] =
        [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge6, ElementKind::Pyramid5];

    #[test]
    fn ideal_elements_of_any_size_have_measures_of_one_and_mirrored_ones_not_above_zero() {
        for kind in LINEAR {
            let found = one(kind, |x| x * 1e-3);
            assert!((found.mean_ratio - 1.0).abs() < 1e-14, "{kind:?}: {found:?}");
            assert!((found.scaled_jacobian - 1.0).abs() < 1e-14, "{kind:?}: {found:?}");
            let mirrored = one(kind, |x| Vec3::new(x.x, x.y, -x.z));
            assert_eq!(mirrored.mean_ratio, 0.0);
            assert!((mirrored.scaled_jacobian + 1.0).abs() < 1e-14, "{kind:?}");
        }
    }

    #[test]
    fn dihedral_angles_are_those_of_the_solids() {
        let right = std::f64::consts::FRAC_PI_2;
        // Regular tetrahedron, cube, prism, Johnson's pyramid J1: acos(1/3), ..., acos(-1/3).
        let third = (1.0_f64 / 3.0).acos();
        for (kind, low, high) in [
            (ElementKind::Tet4, third, third),
            (ElementKind::Hex8, right, right),
            (ElementKind::Wedge6, std::f64::consts::FRAC_PI_3, right),
            (ElementKind::Pyramid5, (1.0 / 3f64.sqrt()).acos(), (-1.0_f64 / 3.0).acos()),
        ] {
            let [lo, hi] = one(kind, |x| x).dihedral;
            assert!((lo - low).abs() < 1e-14 && (hi - high).abs() < 1e-14, "{kind:?} {lo} {hi}");
        }
    }

    /// The formula for tetrahedra of LiuJoe1994, 12 (3 V)^(2/3) over the squares of the six edges.
    #[test]
    fn the_mean_ratio_of_a_tetrahedron_is_that_of_its_volume_and_edges() {
        let map = Mat3::new(1.0, 0.3, -0.2, 0.1, 2.0, 0.4, 0.0, -0.5, 0.7);
        let x: Vec<Vec3> = ideal_corners(ElementKind::Tet4).into_iter().map(|x| map * x).collect();
        let volume = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let squares: f64 = pairs.iter().map(|&[i, j]| (x[i] - x[j]).norm_squared()).sum();
        let expected = 12.0 * (3.0 * volume).powf(2.0 / 3.0) / squares;
        let found = one(ElementKind::Tet4, |x| map * x).mean_ratio;
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }

    #[test]
    fn a_histogram_counts_each_value_once_and_knows_the_worst() {
        let h = Histogram::new([0.0, 1.0], [0.05, -1.0, 0.999, 1.0, 0.5].into_iter()).unwrap();
        assert_eq!(h.counts, [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!((h.min, h.min_at, h.max), (-1.0, 1, 1.0));
        assert!(Histogram::new([0.0, 1.0], std::iter::empty()).is_none());
    }
}
