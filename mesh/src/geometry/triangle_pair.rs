//! Intersections of two triangles of a surface anywhere but at the vertices and edges that they
//! share. The signs are exact (Shewchuk1997), so that touching is told from missing.

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::Vec3;

type Triangle = [Vec3; 3];

fn side([a, b, c]: &Triangle, d: &Vec3) -> f64 {
    let at = |p: &Vec3| Coord3D { x: p.x, y: p.y, z: p.z };
    orient3d(at(a), at(b), at(c), at(d))
}

/// True if two triangles meet, given by the numbers and positions of their corners. Corners of equal
/// numbers are shared; triangles of the same three are not judged.
pub(super) fn meet(a: ([u32; 3], &Triangle), b: ([u32; 3], &Triangle)) -> bool {
    let shared_of_a = a.0.map(|v| b.0.contains(&v));
    let shared_of_b = b.0.map(|v| a.0.contains(&v));
    match shared_of_a.iter().filter(|&&s| s).count() {
        0 => (0..3).any(|i| hits(a.1, i, b.1) || hits(b.1, i, a.1)),
        1 => {
            opposite(shared_of_a, |i| hits(a.1, i, b.1))
                || opposite(shared_of_b, |i| hits(b.1, i, a.1))
        }
        2 => fold(a.1, shared_of_a, b.1, shared_of_b),
        _ => false,
    }
}

/// Passes the edge opposite the only shared corner: edge i runs from corner i to corner i + 1.
fn opposite(shared: [bool; 3], hits: impl Fn(usize) -> bool) -> bool {
    shared.iter().position(|&s| s).is_some_and(|corner| hits((corner + 1) % 3))
}

/// True if edge `i` of `a` meets the triangle `b`, borders included.
fn hits(a: &Triangle, i: usize, b: &Triangle) -> bool {
    let (p, q) = (a[i], a[(i + 1) % 3]);
    let (from, to) = (side(b, &p), side(b, &q));
    if from == 0.0 && to == 0.0 {
        return hits_in_plane(&p, &q, b);
    }
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) {
        return false;
    }
    let around = [0, 1, 2].map(|k| side(&[p, q, b[k]], &b[(k + 1) % 3]));
    around.iter().all(|&s| s >= 0.0) || around.iter().all(|&s| s <= 0.0)
}

/// The two coordinates that a triangle is seen best by.
fn axes(t: &Triangle) -> [usize; 2] {
    let axis = (t[1] - t[0]).cross(&(t[2] - t[0])).iamax();
    [(axis + 1) % 3, (axis + 2) % 3]
}

fn turn([u, v]: [usize; 2], a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    let at = |p: &Vec3| Coord { x: p[u], y: p[v] };
    orient2d(at(a), at(b), at(c))
}

/// True if the segment from `p` to `q` meets the triangle `t` of the same plane.
fn hits_in_plane(p: &Vec3, q: &Vec3, t: &Triangle) -> bool {
    let axes = axes(t);
    let is_inside = |x: &Vec3| {
        let turns = [0, 1, 2].map(|k| turn(axes, &t[k], &t[(k + 1) % 3], x));
        turns.iter().all(|&s| s >= 0.0) || turns.iter().all(|&s| s <= 0.0)
    };
    let crosses = |k: usize| {
        let (a, b) = (&t[k], &t[(k + 1) % 3]);
        let apart = |x: f64, y: f64| (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
        let (ap, aq) = (turn(axes, a, b, p), turn(axes, a, b, q));
        let (pa, pb) = (turn(axes, p, q, a), turn(axes, p, q, b));
        // On one line, ends decide, and those are tested against the whole triangle.
        let on_line = ap == 0.0 && aq == 0.0;
        !on_line && !apart(ap, aq) && !apart(pa, pb)
    };
    is_inside(p) || is_inside(q) || (0..3).any(crosses)
}

/// True if two triangles with a common edge lie on each other: in one plane, on the same side.
fn fold(a: &Triangle, shared_of_a: [bool; 3], b: &Triangle, shared_of_b: [bool; 3]) -> bool {
    let (Some(i), Some(j)) =
        (shared_of_a.iter().position(|&s| !s), shared_of_b.iter().position(|&s| !s))
    else {
        return false;
    };
    let (u, v) = (&a[(i + 1) % 3], &a[(i + 2) % 3]);
    if side(a, &b[j]) != 0.0 {
        return false;
    }
    let axes = axes(a);
    let (one, other) = (turn(axes, u, v, &a[i]), turn(axes, u, v, &b[j]));
    (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0)
}
