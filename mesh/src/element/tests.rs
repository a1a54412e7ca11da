//! Contracts that every element of [`ElementKind::ALL`] keeps, and published values.

use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;

use super::{Element, ElementKind, QuadraturePoint, QuadratureRule, Tet10};
use crate::{Mat3, Vec3};

const N: usize = ElementKind::MAX_NODE_COUNT;

fn shape(kind: ElementKind, r: [f64; 3]) -> Vec<f64> {
    let mut n = vec![0.0; kind.node_count()];
    kind.shape(r, &mut n);
    n
}

fn gradient(kind: ElementKind, r: [f64; 3]) -> Vec<[f64; 3]> {
    let mut dn = vec![[0.0; 3]; kind.node_count()];
    kind.gradient(r, &mut dn);
    dn
}

fn is_pyramid(kind: ElementKind) -> bool {
    kind.linear() == ElementKind::Pyramid5
}

/// The place in space of reference coordinates: the same, except that pyramids shrink to the apex.
fn place(kind: ElementKind, [x, y, z]: [f64; 3]) -> Vec3 {
    let s = if is_pyramid(kind) { 0.5 * (1.0 - z) } else { 1.0 };
    Vec3::new(s * x, s * y, z)
}

fn node_places(kind: ElementKind) -> Vec<Vec3> {
    kind.nodes().iter().map(|&r| place(kind, r)).collect()
}

/// dx/dr of an element whose nodes lie at `x`.
fn jacobian(dn: &[[f64; 3]], x: &[Vec3]) -> Mat3 {
    x.iter().zip(dn).map(|(x, &d)| x * Vector3::from(d).transpose()).sum()
}

/// Integral of each shape function over the element with straight edges.
fn integrals(kind: ElementKind) -> Vec<f64> {
    let x = node_places(kind);
    let mut sum = vec![0.0; kind.node_count()];
    for p in kind.points() {
        let dv = p.weight * jacobian(&gradient(kind, p.at), &x).determinant();
        sum.iter_mut().zip(shape(kind, p.at)).for_each(|(s, n)| *s += n * dv);
    }
    sum
}

/// A point anywhere in the bounding cube of all reference elements; shape functions are polynomials.
fn point() -> impl Strategy<Value = [f64; 3]> {
    [-1.0..1.0, -1.0..1.0, -1.0..1.0]
}

proptest! {
    #[test]
    fn shape_functions_sum_to_one_and_their_gradients_to_zero(r in point()) {
        for kind in ElementKind::ALL {
            let sum: f64 = shape(kind, r).iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-13, "{kind:?} at {r:?}: {sum}");
            let slope: Vec3 = gradient(kind, r).into_iter().map(Vec3::from).sum();
            prop_assert!(slope.norm() < 1e-13, "{kind:?} at {r:?}: {slope}");
        }
    }

    #[test]
    fn linear_fields_are_reproduced(r in point()) {
        for kind in ElementKind::ALL {
            let n = shape(kind, r);
            let x: Vec3 = node_places(kind).iter().zip(&n).map(|(x, &n)| x * n).sum();
            let error = (x - place(kind, r)).norm();
            prop_assert!(error < 1e-13, "{kind:?} at {r:?}: off by {error}");
        }
    }

    #[test]
    fn gradients_are_the_slopes_of_the_shape_functions(r in point()) {
        // Central differences of polynomials of degree <= 3 in each coordinate: error h² + eps / h.
        let h = 1e-5;
        for kind in ElementKind::ALL {
            let dn = gradient(kind, r);
            for i in 0..3 {
                let (mut a, mut b) = (r, r);
                a[i] -= h;
                b[i] += h;
                let (a, b) = (shape(kind, a), shape(kind, b));
                for k in 0..kind.node_count() {
                    let slope = (b[k] - a[k]) / (2.0 * h);
                    let error = (slope - dn[k][i]).abs();
                    prop_assert!(error < 1e-9, "{kind:?} node {k} axis {i} at {r:?}: {error}");
                }
            }
        }
    }

    #[test]
    fn single_precision_agrees_with_double(r in point()) {
        let r32 = r.map(|x| x as f32);
        let r = r32.map(f64::from);
        for kind in ElementKind::ALL {
            let (mut n, mut dn) = ([0.0_f32; N], [[0.0_f32; 3]; N]);
            kind.shape(r32, &mut n);
            kind.gradient(r32, &mut dn);
            let (n64, dn64) = (shape(kind, r), gradient(kind, r));
            for k in 0..kind.node_count() {
                // About ten roundings of f32 (6e-8) of terms up to 8 (pyramid13).
                let error = (f64::from(n[k]) - n64[k]).abs();
                prop_assert!(error < 5e-6, "{kind:?} N{k} at {r:?}: {error}");
                for i in 0..3 {
                    let error = (f64::from(dn[k][i]) - dn64[k][i]).abs();
                    prop_assert!(error < 1e-5, "{kind:?} dN{k}/d{i} at {r:?}: {error}");
                }
            }
        }
    }
}

#[test]
fn each_shape_function_is_one_at_its_node_and_zero_at_the_others() {
    for kind in ElementKind::ALL {
        for (k, &r) in kind.nodes().iter().enumerate() {
            for (l, n) in shape(kind, r).into_iter().enumerate() {
                let expected = if k == l { 1.0 } else { 0.0 };
                assert!((n - expected).abs() < 1e-15, "{kind:?}: N{l} at node {k} is {n}");
            }
        }
    }
}

#[test]
fn volumes_are_those_of_the_reference_elements() {
    for kind in ElementKind::ALL {
        let expected = match kind.linear() {
            ElementKind::Tet4 => 1.0 / 6.0,
            ElementKind::Wedge6 => 1.0,
            ElementKind::Pyramid5 => 8.0 / 3.0,
            _ => 8.0,
        };
        let volume: f64 = integrals(kind).iter().sum();
        assert!((volume / expected - 1.0).abs() < 1e-14, "{kind:?}: {volume}, not {expected}");
    }
}

#[test]
fn integrals_of_shape_functions_are_the_exact_ones() {
    // corner, mid-edge
    let cases = [
        (ElementKind::Tet4, 1.0 / 24.0, None),
        (ElementKind::Hex8, 1.0, None),
        (ElementKind::Wedge6, 1.0 / 6.0, None),
        (ElementKind::Tet10, -1.0 / 120.0, Some(1.0 / 30.0)),
        (ElementKind::Hex20, -1.0, Some(4.0 / 3.0)),
    ];
    for (kind, corner, edge) in cases {
        for (k, n) in integrals(kind).into_iter().enumerate() {
            let expected = if k < kind.corner_count() { corner } else { edge.unwrap() };
            assert!((n - expected).abs() < 1e-14, "{kind:?} node {k}: {n}, not {expected}");
        }
    }
}

/// Integral of the gradients in space of the shape functions of an element with its nodes at `x`.
fn gradient_integrals(kind: ElementKind, points: &[QuadraturePoint], x: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); kind.node_count()];
    for p in points {
        let dn = gradient(kind, p.at);
        let j = jacobian(&dn, x);
        let to_space =
            j.try_inverse().expect("a volume").transpose() * (p.weight * j.determinant());
        sums.iter_mut().zip(&dn).for_each(|(sum, &d)| *sum += to_space * Vec3::from(d));
    }
    sums
}

#[test]
fn rules_integrate_gradients_exactly_with_straight_edges_and_that_of_artisynth_not_in_pyramid13() {
    let tensor = |x: [f64; 3]| -> Vec<QuadraturePoint> {
        let line = [(-x[0], x[1]), (0.0, x[2]), (x[0], x[1])];
        let all = line.iter().flat_map(|&(a, u)| line.map(|(b, v)| (a, b, u * v)));
        all.flat_map(|(a, b, w)| line.map(|(c, v)| QuadraturePoint::new(a, b, c, w * v))).collect()
    };
    // Gauss's rule of three points, exact for all of these polynomials of the collapsed cube.
    let exact = tensor([0.6_f64.sqrt(), 5.0 / 9.0, 8.0 / 9.0]);
    let corners: [[f64; 3]; 5] =
        [[-1.1, -0.9, 0.1], [1.2, -1.0, 0.0], [0.9, 1.3, -0.2], [-1.0, 0.8, 0.1], [0.3, -0.2, 1.7]];
    let kind = ElementKind::Pyramid13;
    let x = straight(kind, &corners.map(Vec3::from));
    let error = |points: &[QuadraturePoint]| {
        let [own, expected] = [points, &exact].map(|rule| gradient_integrals(kind, rule, &x));
        own.iter().zip(&expected).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).norm()))
    };
    assert!(error(&kind.points_by(QuadratureRule::Standard)) < 1e-14);
    assert!(error(&kind.points_by(QuadratureRule::ArtiSynth)) > 1e-2);
    assert_eq!(kind.points_by(QuadratureRule::ArtiSynth).len(), kind.points().len());
}

#[test]
fn the_jacobian_is_positive_at_every_quadrature_point() {
    for kind in ElementKind::ALL {
        let x = node_places(kind);
        for p in kind.points() {
            let j = jacobian(&gradient(kind, p.at), &x).determinant();
            assert!(j > 0.0 && p.weight > 0.0, "{kind:?} at {:?}: {j}, {}", p.at, p.weight);
        }
    }
}

/// Corners of a face: half its nodes where it is one of a quadratic element.
fn corners(kind: ElementKind, face: &'static [u8]) -> &'static [u8] {
    if kind.is_quadratic() { &face[..face.len() / 2] } else { face }
}

#[test]
fn faces_look_outward_and_close_the_surface() {
    for kind in ElementKind::ALL {
        let x = node_places(kind);
        let center = x[..kind.corner_count()].iter().sum::<Vec3>() / kind.corner_count() as f64;
        let mut directed = Vec::new();
        for face in kind.faces() {
            let c = corners(kind, face);
            let [a, b, d] = [0, 1, 2].map(|k| x[c[k] as usize]);
            let outward = (b - a).cross(&(d - a)).dot(&(a - center));
            assert!(outward > 0.0, "{kind:?} face {face:?} looks inward");
            directed.extend((0..c.len()).map(|k| (c[k], c[(k + 1) % c.len()])));
        }
        for &(a, b) in &directed {
            let same = directed.iter().filter(|&&e| e == (a, b)).count();
            let opposite = directed.iter().filter(|&&e| e == (b, a)).count();
            assert_eq!((same, opposite), (1, 1), "{kind:?} edge {a}, {b}");
            let listed = kind.edges().iter().filter(|e| **e == [a, b] || **e == [b, a]).count();
            assert_eq!(listed, 1, "{kind:?}: edge {a}, {b} of the faces among EDGES");
        }
        assert_eq!(directed.len(), 2 * kind.edges().len(), "{kind:?}");
    }
}

#[test]
fn mid_nodes_halve_their_edges_in_the_element_and_on_its_faces() {
    for kind in ElementKind::ALL.into_iter().filter(|kind| kind.is_quadratic()) {
        let x = node_places(kind);
        let is_middle = |mid: usize, a: u8, b: u8| {
            let middle = 0.5 * (x[a as usize] + x[b as usize]);
            assert_eq!(x[mid], middle, "{kind:?}: node {mid} of edge {a}, {b}");
        };
        assert_eq!(kind.corner_count() + kind.edges().len(), kind.node_count(), "{kind:?}");
        for (k, &[a, b]) in kind.edges().iter().enumerate() {
            is_middle(kind.corner_count() + k, a, b);
        }
        for face in kind.faces() {
            let c = corners(kind, face);
            for k in 0..c.len() {
                is_middle(face[c.len() + k] as usize, c[k], c[(k + 1) % c.len()]);
            }
        }
    }
}

#[test]
fn linear_and_quadratic_kinds_share_corners_edges_and_face_corners() {
    for kind in ElementKind::ALL {
        let (linear, quadratic) = (kind.linear(), kind.quadratic());
        assert_eq!(linear.quadratic(), quadratic);
        assert_eq!(quadratic.linear(), linear);
        assert!(quadratic.is_quadratic() && !linear.is_quadratic());
        assert!(kind == linear || kind == quadratic);
        assert_eq!(linear.nodes(), &quadratic.nodes()[..kind.corner_count()]);
        assert_eq!(linear.edges(), quadratic.edges());
        for (a, b) in linear.faces().iter().zip(quadratic.faces()) {
            assert_eq!(*a, corners(quadratic, b));
        }
    }
}

#[test]
fn names_are_unique_and_found_again() {
    for kind in ElementKind::ALL {
        assert_eq!(ElementKind::from_name(kind.name()), Some(kind));
        assert!(kind.name().ends_with(&kind.node_count().to_string()), "{}", kind.name());
        assert!(kind.node_count() <= ElementKind::MAX_NODE_COUNT);
    }
    assert_eq!(ElementKind::from_name("tet5"), None);
    assert_eq!(Tet10::KIND.name(), Tet10::NAME);
}

/// Trace of the linear stiffness (E = 1, nu = 0.3) of one element with its nodes at `x`:
/// (lambda + 4 mu) times the integral of |grad N|².
fn stiffness_trace(kind: ElementKind, points: &[QuadraturePoint], x: &[Vec3]) -> f64 {
    let (mu, lambda) = (1.0 / 2.6, 0.3 / (1.3 * 0.4));
    let mut sum = 0.0;
    for p in points {
        let dn = gradient(kind, p.at);
        let j = jacobian(&dn, x);
        let to_space = j.try_inverse().unwrap_or_else(Matrix3::zeros).transpose();
        let squares: f64 = dn.iter().map(|&d| (to_space * Vec3::from(d)).norm_squared()).sum();
        sum += squares * p.weight * j.determinant();
    }
    (lambda + 4.0 * mu) * sum
}

/// Nodes of an element with the given corners and straight edges.
fn straight(kind: ElementKind, corners: &[Vec3]) -> Vec<Vec3> {
    let mids = kind.edges().iter().map(|&[a, b]| 0.5 * (corners[a as usize] + corners[b as usize]));
    let mids = mids.filter(|_| kind.is_quadratic());
    corners.iter().copied().chain(mids).collect()
}

/// The unit cube in elements as ArtiSynth's grids cut it, each by the numbers of its corners; corner
/// number x + 2 y + 4 z.
fn cube(kind: ElementKind) -> Vec<Vec<u8>> {
    match kind.linear() {
        ElementKind::Tet4 => [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
            .map(Vec::from)
            .into(),
        ElementKind::Wedge6 => {
            vec![vec![0, 1, 3, 4, 5, 7], vec![0, 3, 2, 4, 7, 6]]
        }
        ElementKind::Pyramid5 => {
            [[1, 5, 7, 3, 0], [3, 7, 6, 2, 0], [4, 6, 7, 5, 0]].map(Vec::from).into()
        }
        _ => vec![vec![4, 5, 7, 6, 0, 1, 3, 2]],
    }
}

#[test]
fn stiffness_traces_of_the_unit_cube_are_those_of_artisynth() {
    // ArtiSynth 3.9, E = 1, nu = 0.3, printed with 12 digits.
    let cases = [
        (ElementKind::Tet4, 10.576_923_076_9),
        (ElementKind::Hex8, 5.641_025_641_03),
        (ElementKind::Wedge6, 7.756_410_256_41),
        (ElementKind::Pyramid5, 9.507_756_923_08),
        (ElementKind::Tet10, 48.653_846_707_3),
        (ElementKind::Hex20, 34.248_230_916_7),
    ];
    let tolerance = 1e-11;
    for (kind, expected) in cases {
        let points = kind.points_by(QuadratureRule::ArtiSynth);
        let corner = |k: &u8| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        let trace: f64 = cube(kind)
            .iter()
            .map(|element| element.iter().map(corner).collect::<Vec<_>>())
            .map(|corners| stiffness_trace(kind, &points, &straight(kind, &corners)))
            .sum();
        let error = (trace / expected - 1.0).abs();
        assert!(error < tolerance, "{kind:?}: trace {trace}, not {expected}, off by {error:.1e}");
    }
}
