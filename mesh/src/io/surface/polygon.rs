//! Polygons cut into triangles by ears (Meisters1975): any simple polygon, convex or not, keeps its
//! outline and its winding. The tests are exact in the projection along the largest component of
//! the normal, which drops one coordinate and rounds nothing.

use robust::{Coord, orient2d};

use crate::Vec3;

/// Corners of a polygon at most. Ears take the square of the number of corners; polygons in
/// anatomical files have fewer than ten.
pub(super) const MAX_CORNERS: usize = 1024;

/// Result of cutting a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Along its inside.
    Whole,
    /// It crosses itself or has no area: as a fan from some corner on.
    Forced,
}

/// Appends the triangles of the polygon `corners`, which are indices of `points`.
pub(super) fn triangulate(points: &[Vec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> Cut {
    let mut ring = Ring::new(points, corners);
    let mut cut = Cut::Whole;
    while ring.corners.len() > 3 {
        let ear = ring.best_ear().unwrap_or_else(|| {
            cut = Cut::Forced;
            1
        });
        triangles.push(ring.triangle(ear));
        ring.remove(ear);
    }
    triangles.push(ring.triangle(1));
    cut
}

/// The rest of a polygon: corners and their positions in the plane.
struct Ring {
    corners: Vec<u32>,
    flat: Vec<[f64; 2]>,
}

impl Ring {
    fn new(points: &[Vec3], corners: &[u32]) -> Self {
        let at = |&i: &u32| points[i as usize];
        // Newell's normal, from the first corner, so that a polygon far away keeps it.
        let origin = at(&corners[0]);
        let spokes: Vec<Vec3> = corners.iter().map(|i| at(i) - origin).collect();
        let normal: Vec3 = spokes.windows(2).map(|w| w[0].cross(&w[1])).sum();
        let axis = normal.iamax();
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        let flat = corners.iter().map(|i| [at(i)[u], at(i)[v]]).collect();
        Self { corners: corners.to_vec(), flat }
    }

    fn neighbours(&self, i: usize) -> [usize; 3] {
        let n = self.corners.len();
        [(i + n - 1) % n, i, (i + 1) % n]
    }

    fn triangle(&self, i: usize) -> [u32; 3] {
        self.neighbours(i).map(|k| self.corners[k])
    }

    fn remove(&mut self, i: usize) {
        self.corners.remove(i);
        self.flat.remove(i);
    }

    fn turn(&self, [a, b, c]: [usize; 3]) -> f64 {
        let at = |i: usize| Coord { x: self.flat[i][0], y: self.flat[i][1] };
        orient2d(at(a), at(b), at(c))
    }

    /// The ear with the shortest cut, the first of equals.
    fn best_ear(&self) -> Option<usize> {
        let n = self.corners.len();
        let reflex: Vec<usize> = (0..n).filter(|&i| self.turn(self.neighbours(i)) <= 0.0).collect();
        let length = |i: usize| {
            let [a, _, c] = self.neighbours(i).map(|k| self.flat[k]);
            (a[0] - c[0]).powi(2) + (a[1] - c[1]).powi(2)
        };
        let ears = (0..n).filter(|&i| self.is_ear(i, &reflex));
        ears.min_by(|&i, &j| length(i).total_cmp(&length(j)))
    }

    /// True if corner `i` turns left and no other corner lies in its triangle.
    fn is_ear(&self, i: usize, reflex: &[usize]) -> bool {
        let [a, b, c] = self.neighbours(i);
        let is_corner = |p: usize| [a, b, c].iter().any(|&k| self.flat[k] == self.flat[p]);
        let is_inside = |&p: &usize| {
            !is_corner(p)
                && self.turn([a, b, p]) >= 0.0
                && self.turn([b, c, p]) >= 0.0
                && self.turn([c, a, p]) >= 0.0
        };
        self.turn([a, b, c]) > 0.0 && !reflex.iter().any(is_inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area vector of a polygon or of triangles.
    fn area(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec3 {
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            (b - a).cross(&(c - a)) * 0.5
        };
        triangles.iter().map(part).sum()
    }

    fn cut(points: &[Vec3]) -> (Cut, Vec<[u32; 3]>) {
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        let cut = triangulate(points, &corners, &mut triangles);
        (cut, triangles)
    }

    /// An L, a comb and a spiral, in a tilted plane.
    #[test]
    fn polygons_that_are_not_convex_keep_their_area_and_no_triangle_leaves_them() {
        let l = [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)];
        let comb = [(0., 0.), (5., 0.), (5., 3.), (4., 3.), (4., 1.), (3., 1.), (3., 3.), (2., 3.)];
        let comb = [&comb[..], &[(2., 1.), (1., 1.), (1., 3.), (0., 3.)]].concat();
        for (outline, expected) in [(&l[..], 3.0), (&comb[..], 11.0)] {
            for turned in [false, true] {
                let tilt = |&(x, y): &(f64, f64)| Vec3::new(x, y, 0.5 * x - 0.25 * y);
                let mut points: Vec<Vec3> = outline.iter().map(tilt).collect();
                if turned {
                    points.reverse();
                }
                let (cut, triangles) = cut(&points);
                assert_eq!((cut, triangles.len()), (Cut::Whole, points.len() - 2));
                let sign = if turned { -1.0 } else { 1.0 };
                for t in &triangles {
                    assert!(area(&points, &[*t]).z * sign > 0.0, "{t:?}");
                }
                // Exact in binary.
                assert_eq!(area(&points, &triangles).z, sign * expected);
            }
        }
    }

    #[test]
    fn a_corner_in_the_middle_of_a_side_makes_no_flat_triangle() {
        let points = [(0., 0.), (1., 0.), (2., 0.), (2., 2.), (0., 2.)];
        let points: Vec<Vec3> = points.iter().map(|&(x, y)| Vec3::new(x, y, 7.0)).collect();
        let (cut, triangles) = cut(&points);
        assert_eq!(cut, Cut::Whole);
        assert!(triangles.iter().all(|t| area(&points, &[*t]).z > 0.0), "{triangles:?}");
    }

    #[test]
    fn what_has_no_area_or_crosses_itself_is_cut_all_the_same() {
        let line: Vec<Vec3> = (0..5).map(|i| Vec3::x() * f64::from(i)).collect();
        let bow = [(0., 0.), (1., 1.), (1., 0.), (0., 1.)].map(|(x, y)| Vec3::new(x, y, 0.0));
        assert_eq!((cut(&line).0, cut(&line).1.len()), (Cut::Forced, 3));
        assert_eq!(cut(&bow).1.len(), 2);
    }
}
