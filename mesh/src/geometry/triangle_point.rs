//! The point of a triangle that is nearest to a point, and the part of the triangle that it lies on
//! (Ericson2005, 5.1.5).

use crate::Vec3;

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrianglePart {
    /// Its interior.
    Face,
    /// The side from corner `k` to the next.
    Edge(usize),
    /// Corner `k`.
    Corner(usize),
}

/// The nearest point of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct OnTriangle {
    /// Weights of the corners, which add up to 1 [-].
    pub weights: [f64; 3],
    /// The part that it lies on.
    pub part: TrianglePart,
    /// Position [m].
    pub point: Vec3,
}

/// The point of the triangle of these corners [m] that is nearest to `p` [m]. A triangle without area is
/// taken as its sides.
pub fn nearest_on_triangle(p: &Vec3, corners: &[Vec3; 3]) -> OnTriangle {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let (to_a, to_b, to_c) = (p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(&to_a), ac.dot(&to_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return corner(corners, 0);
    }
    let (d3, d4) = (ab.dot(&to_b), ac.dot(&to_b));
    if d3 >= 0.0 && d4 <= d3 {
        return corner(corners, 1);
    }
    let (d5, d6) = (ab.dot(&to_c), ac.dot(&to_c));
    if d6 >= 0.0 && d5 <= d6 {
        return corner(corners, 2);
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return side(corners, 0, d1 / (d1 - d3));
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return side(corners, 1, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return side(corners, 2, d6 / (d6 - d2));
    }
    let area = va + vb + vc;
    if area <= 0.0 || area.is_nan() {
        return nearest_side(p, corners);
    }
    let weights = [va / area, vb / area, vc / area];
    let point = a * weights[0] + b * weights[1] + c * weights[2];
    OnTriangle { weights, part: TrianglePart::Face, point }
}

fn corner(corners: &[Vec3; 3], k: usize) -> OnTriangle {
    let mut weights = [0.0; 3];
    weights[k] = 1.0;
    OnTriangle { weights, part: TrianglePart::Corner(k), point: corners[k] }
}

/// The point at the share `t` of the side from corner `k` to the next.
fn side(corners: &[Vec3; 3], k: usize, t: f64) -> OnTriangle {
    // A side without length has no share.
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    let next = (k + 1) % 3;
    let mut weights = [0.0; 3];
    (weights[k], weights[next]) = (1.0 - t, t);
    let point = corners[k] + (corners[next] - corners[k]) * t;
    OnTriangle { weights, part: TrianglePart::Edge(k), point }
}

fn nearest_side(p: &Vec3, corners: &[Vec3; 3]) -> OnTriangle {
    let of_side = |k: usize| {
        let along = corners[(k + 1) % 3] - corners[k];
        side(corners, k, (p - corners[k]).dot(&along) / along.norm_squared())
    };
    let distance = |it: &OnTriangle| (p - it.point).norm_squared();
    let [first, second, third] = [0, 1, 2].map(of_side);
    let nearer = |best: OnTriangle, it: OnTriangle| {
        if distance(&it) < distance(&best) { it } else { best }
    };
    nearer(nearer(first, second), third)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least distance over a fine grid of weights, and the width of a cell [m].
    fn by_search(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
        const CELLS: usize = 200;
        let at = |i: usize, j: usize| {
            let (u, v) = (i as f64 / CELLS as f64, j as f64 / CELLS as f64);
            (p - (a * (1.0 - u - v) + b * u + c * v)).norm()
        };
        (0..=CELLS)
            .flat_map(|i| (0..=CELLS - i).map(move |j| (i, j)))
            .map(|(i, j)| at(i, j))
            .fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn no_point_of_a_triangle_is_nearer(x in prop::array::uniform12(-1.0..1.0f64)) {
            let point = |k: usize| Vec3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            let (p, corners) = (point(0), [point(1), point(2), point(3)]);
            let found = nearest_on_triangle(&p, &corners);
            let rebuilt: Vec3 = (0..3).map(|k| corners[k] * found.weights[k]).sum();
            prop_assert!((rebuilt - found.point).norm() < 1e-12);
            let (distance, searched) = ((p - found.point).norm(), by_search(&p, &corners));
            prop_assert!(distance <= searched + 1e-12 && searched <= distance + 0.03);
        }
    }

    #[test]
    fn triangles_without_area_are_their_sides() {
        let line = [Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0];
        let found = nearest_on_triangle(&Vec3::new(1.5, 1.0, 0.0), &line);
        assert!((found.point - Vec3::x() * 1.5).norm() < 1e-15, "{found:?}");
        let dot = [Vec3::y(); 3];
        assert_eq!(nearest_on_triangle(&Vec3::zeros(), &dot).point, Vec3::y());
    }
}
