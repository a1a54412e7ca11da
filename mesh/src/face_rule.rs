//! Quadrature on faces of elements: triangles of 3 or 6 and quadrangles of 4 or 8 nodes, corners first.

use std::sync::LazyLock;

use crate::locate::{MAX_FACE, face_shape};

/// Most nodes of a face.
pub const FACE_NODES: usize = MAX_FACE;

/// One quadrature point of a face.
#[derive(Clone, Debug)]
pub struct FacePoint {
    /// Weight by the coordinates of the face.
    pub weight: f64,
    /// Shape functions of the nodes.
    pub n: [f64; FACE_NODES],
    /// Their derivatives by the two coordinates.
    pub slopes: [[f64; 2]; FACE_NODES],
}

/// Quadrature points of a face of so many nodes (3, 4, 6 or 8), of degree 5: exact for a shape function times the normal of a
/// quadrangle with straight edges, and of any triangle. Others than these counts are taken for 8.
pub fn face_points(nodes: usize) -> &'static [FacePoint] {
    static RULES: LazyLock<[Vec<FacePoint>; 4]> = LazyLock::new(|| [3, 4, 6, 8].map(rule));
    match nodes {
        3 => &RULES[0],
        4 => &RULES[1],
        6 => &RULES[2],
        _ => &RULES[3],
    }
}

fn rule(nodes: usize) -> Vec<FacePoint> {
    let at = if nodes.is_multiple_of(3) { triangle() } else { square() };
    let point = |(at, weight): ([f64; 2], f64)| {
        let shape = face_shape(nodes, at);
        let (n, slopes) = (shape.map(|n| n[0]), shape.map(|n| [n[1], n[2]]));
        FacePoint { weight, n, slopes }
    };
    at.into_iter().map(point).collect()
}

/// Three Gauss points a side: degree 5 in each coordinate.
fn square() -> Vec<([f64; 2], f64)> {
    let far = 0.6_f64.sqrt();
    let line = [(-far, 5.0 / 9.0), (0.0, 8.0 / 9.0), (far, 5.0 / 9.0)];
    line.iter().flat_map(|&(a, wa)| line.map(|(b, wb)| ([a, b], wa * wb))).collect()
}

/// Seven points of degree 5 (Radon1948).
fn triangle() -> Vec<([f64; 2], f64)> {
    let root = 15.0_f64.sqrt();
    let mut points = vec![([1.0 / 3.0; 2], 9.0 / 80.0)];
    for sign in [-1.0, 1.0] {
        let (near, weight) = ((6.0 + sign * root) / 21.0, (155.0 + sign * root) / 2400.0);
        let far = 1.0 - 2.0 * near;
        points.extend([[near, near], [far, near], [near, far]].map(|at| (at, weight)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_face_integrate_what_pressures_ask_for() {
        for nodes in [3, 4, 6, 8] {
            let integral = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
                let at = if nodes % 3 == 0 { triangle() } else { square() };
                at.iter().map(|&([a, b], w)| w * f(a, b)).sum()
            };
            let (area, fourth) = if nodes % 3 == 0 { (0.5, 1.0 / 30.0) } else { (4.0, 0.8) };
            assert!((integral(&|_, _| 1.0) - area).abs() < 1e-14);
            assert!((integral(&|a, _| a.powi(4)) - fourth).abs() < 1e-14, "{nodes}");
            for point in face_points(nodes) {
                assert!((point.n.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                let slopes = point.slopes.iter().fold([0.0; 2], |s, x| [s[0] + x[0], s[1] + x[1]]);
                assert!(slopes.iter().all(|s| s.abs() < 1e-13));
            }
        }
    }
}
