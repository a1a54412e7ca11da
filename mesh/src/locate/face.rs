//! The point of a face of an element that is nearest to a point: in its interior, on an edge, or a
//! node. Faces are triangles of 3 or 6 and quadrangles of 4 or 8 nodes, corners first.

use crate::Vec3;

/// Most nodes of a face.
pub(crate) const MAX_FACE: usize = 8;

/// Corners of the reference quadrangle.
const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
/// Newton steps at most; from starts on a grid they need about five.
const STEPS: usize = 60;

/// Shape functions of a face and their derivatives by its coordinates (a, b): N, N_a, N_b, N_aa, N_ab,
/// N_bb.
pub(crate) type Shape = [[f64; 6]; MAX_FACE];

/// Triangles have a, b >= 0, a + b <= 1; quadrangles have a, b from -1 to 1.
pub(crate) fn shape(nodes: usize, [a, b]: [f64; 2]) -> Shape {
    let mut n = [[0.0; 6]; MAX_FACE];
    let l = 1.0 - a - b;
    match nodes {
        3 => {
            n[0] = [l, -1.0, -1.0, 0.0, 0.0, 0.0];
            n[1] = [a, 1.0, 0.0, 0.0, 0.0, 0.0];
            n[2] = [b, 0.0, 1.0, 0.0, 0.0, 0.0];
        }
        6 => {
            n[0] = [l * (2.0 * l - 1.0), 1.0 - 4.0 * l, 1.0 - 4.0 * l, 4.0, 4.0, 4.0];
            n[1] = [a * (2.0 * a - 1.0), 4.0 * a - 1.0, 0.0, 4.0, 0.0, 0.0];
            n[2] = [b * (2.0 * b - 1.0), 0.0, 4.0 * b - 1.0, 0.0, 0.0, 4.0];
            n[3] = [4.0 * l * a, 4.0 * (l - a), -4.0 * a, -8.0, -4.0, 0.0];
            n[4] = [4.0 * a * b, 4.0 * b, 4.0 * a, 0.0, 4.0, 0.0];
            n[5] = [4.0 * b * l, -4.0 * b, 4.0 * (l - b), 0.0, -4.0, -8.0];
        }
        _ => quadrangle(nodes, [a, b], &mut n),
    }
    n
}

/// Shape functions of a quadrangle of 4 or 8 nodes.
fn quadrangle(nodes: usize, [a, b]: [f64; 2], n: &mut Shape) {
    for (k, [i, j]) in CORNERS.into_iter().enumerate() {
        let (u, v) = (i * a, j * b);
        let (p, q) = (1.0 + u, 1.0 + v);
        n[k] = [0.25 * p * q, 0.25 * i * q, 0.25 * j * p, 0.0, 0.25 * i * j, 0.0];
        if nodes == 8 {
            let by_a = 0.25 * i * q * (2.0 * u + v);
            let by_b = 0.25 * j * p * (u + 2.0 * v);
            let mixed = 0.25 * i * j * (2.0 * u + 2.0 * v + 1.0);
            n[k] = [0.25 * p * q * (u + v - 1.0), by_a, by_b, 0.5 * q, mixed, 0.5 * p];
        }
    }
    if nodes == 8 {
        for (k, side) in [(4, -1.0), (6, 1.0)] {
            let (q, bubble) = (1.0 + side * b, 1.0 - a * a);
            n[k] = [bubble * q, -2.0 * a * q, side * bubble, -2.0 * q, -2.0 * a * side, 0.0]
                .map(|x| 0.5 * x);
        }
        for (k, side) in [(5, 1.0), (7, -1.0)] {
            let (p, bubble) = (1.0 + side * a, 1.0 - b * b);
            n[k] = [bubble * p, side * bubble, -2.0 * b * p, 0.0, -2.0 * b * side, -2.0 * p]
                .map(|x| 0.5 * x);
        }
    }
}

/// Track of a search on a face.
#[derive(Clone, Copy)]
enum Track {
    Everywhere,
    /// Along the line from one place to another, both in (a, b).
    Along([f64; 2], [f64; 2]),
}

/// The nearest point of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Square of its distance [m²].
    pub(super) distance_squared: f64,
    /// Shape functions of the nodes of the face there.
    pub(super) weights: [f64; MAX_FACE],
}

/// A face with nodes at `x` [m], and the point that is looked from.
struct Search<'a> {
    x: &'a [Vec3],
    from: Vec3,
}

/// The point of the face with nodes at `x` that is nearest to `from` [m].
pub(super) fn nearest(x: &[Vec3], from: Vec3) -> Nearest {
    let search = Search { x, from };
    let triangle = x.len().is_multiple_of(3);
    let corners: &[[f64; 2]] =
        if triangle { &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] } else { &CORNERS };
    let inside = |[a, b]: [f64; 2]| {
        if triangle {
            a >= 0.0 && b >= 0.0 && a + b <= 1.0
        } else {
            a.abs() <= 1.0 && b.abs() <= 1.0
        }
    };
    let mut best = search.at(corners[0]);
    let mut consider = |at: [f64; 2]| {
        let other = search.at(at);
        if inside(at) && other.distance_squared < best.distance_squared {
            best = other;
        }
    };
    corners.iter().for_each(|&corner| consider(corner));
    for (k, &corner) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let curved = x.len() > corners.len();
        for start in if curved { &[0.2, 0.8][..] } else { &[0.5] } {
            let t = search.descend([*start, 0.0], Track::Along(corner, next))[0];
            consider(on_line(corner, next, t.clamp(0.0, 1.0)));
        }
    }
    for start in starts(triangle, x.len() > corners.len()) {
        consider(search.descend(start, Track::Everywhere));
    }
    best
}

/// Starting points of the search for a point in the interior: curved faces have more than one
/// hollow.
fn starts(triangle: bool, curved: bool) -> impl Iterator<Item = [f64; 2]> {
    let center = if triangle { [1.0 / 3.0; 2] } else { [0.0; 2] };
    let grid: &[[f64; 2]] = match (curved, triangle) {
        (false, _) => &[],
        (true, true) => &[[0.15, 0.15], [0.7, 0.15], [0.15, 0.7]],
        (true, false) => &[[-0.6, -0.6], [0.6, -0.6], [0.6, 0.6], [-0.6, 0.6]],
    };
    std::iter::once(center).chain(grid.iter().copied())
}

fn on_line(from: [f64; 2], to: [f64; 2], t: f64) -> [f64; 2] {
    [0, 1].map(|i| from[i] + t * (to[i] - from[i]))
}

impl Search<'_> {
    fn at(&self, at: [f64; 2]) -> Nearest {
        let shape = shape(self.x.len(), at);
        let point: Vec3 = self.x.iter().zip(&shape).map(|(x, n)| x * n[0]).sum();
        let distance_squared = (point - self.from).norm_squared();
        Nearest { distance_squared, weights: shape.map(|n| n[0]) }
    }

    /// Half the squared distance on a track, its slope and its second derivatives (uu, uv, vv).
    fn value(&self, at: [f64; 2], track: Track) -> (f64, [f64; 2], [f64; 3]) {
        let place = match track {
            Track::Everywhere => at,
            Track::Along(from, to) => on_line(from, to, at[0]),
        };
        let shape = shape(self.x.len(), place);
        let sum = |k: usize| self.x.iter().zip(&shape).map(|(x, n)| x * n[k]).sum::<Vec3>();
        let [r, a, b] = [sum(0) - self.from, sum(1), sum(2)];
        let [aa, ab, bb] = [sum(3), sum(4), sum(5)];
        let slope = [r.dot(&a), r.dot(&b)];
        let bend = [a.dot(&a) + r.dot(&aa), a.dot(&b) + r.dot(&ab), b.dot(&b) + r.dot(&bb)];
        let value = 0.5 * r.norm_squared();
        match track {
            Track::Everywhere => (value, slope, bend),
            Track::Along(from, to) => {
                let [u, v] = [to[0] - from[0], to[1] - from[1]];
                let along = u * u * bend[0] + 2.0 * u * v * bend[1] + v * v * bend[2];
                (value, [u * slope[0] + v * slope[1], 0.0], [along, 0.0, 1.0])
            }
        }
    }

    /// Newton's method downhill, with as much added to the diagonal as it takes.
    fn descend(&self, mut at: [f64; 2], track: Track) -> [f64; 2] {
        let (mut value, mut slope, mut bend) = self.value(at, track);
        let mut damping = 0.0;
        for _ in 0..STEPS {
            let trace = bend[0].abs() + bend[2].abs();
            let [p, q] = [bend[0] + damping, bend[2] + damping];
            let determinant = p * q - bend[1] * bend[1];
            let step = if p > 0.0 && determinant > 1e-14 * trace * trace {
                [
                    -(q * slope[0] - bend[1] * slope[1]) / determinant,
                    -(p * slope[1] - bend[1] * slope[0]) / determinant,
                ]
            } else {
                damping = (4.0 * damping).max(1e-3 * trace);
                continue;
            };
            let next = [at[0] + step[0], at[1] + step[1]];
            let there = self.value(next, track);
            if there.0 <= value {
                (value, slope, bend) = there;
                at = next;
                damping = if damping > 1e-9 * trace { 0.1 * damping } else { 0.0 };
            } else {
                damping = (4.0 * damping).max(1e-3 * trace);
            }
            // The error is the square of the last step of Newton's method.
            if step[0].abs().max(step[1].abs()) < 1e-12 || at[0].abs().max(at[1].abs()) > 3.0 {
                break;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coordinates of the nodes of a face, corners first.
    fn nodes(count: usize) -> Vec<[f64; 2]> {
        let mut nodes: Vec<[f64; 2]> = match count % 3 {
            0 => vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            _ => CORNERS.to_vec(),
        };
        let corners = nodes.clone();
        if count > 4 {
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            nodes.extend(ends.map(|(&p, &q)| on_line(p, q, 0.5)));
        }
        nodes
    }

    #[test]
    fn shape_functions_of_faces_are_one_at_their_node_and_their_derivatives_are_slopes() {
        for count in [3, 4, 6, 8] {
            for (i, at) in nodes(count).into_iter().enumerate() {
                for (j, n) in shape(count, at)[..count].iter().enumerate() {
                    assert!((n[0] - f64::from(u8::from(i == j))).abs() < 1e-15, "{count}: {i} {j}");
                }
            }
            let (at, h) = ([0.3, 0.21], 1e-5);
            let moved = |a: f64, b: f64| shape(count, [at[0] + a * h, at[1] + b * h]);
            let all = shape(count, at);
            for j in 0..count {
                for (of, by, [a, b], k) in [
                    (0, 1, [1.0, 0.0], 1),
                    (0, 2, [0.0, 1.0], 2),
                    (1, 3, [1.0, 0.0], 3),
                    (1, 4, [0.0, 1.0], 4),
                    (2, 5, [0.0, 1.0], 5),
                ] {
                    let slope = (moved(a, b)[j][of] - moved(-a, -b)[j][of]) / (2.0 * h);
                    assert!((slope - all[j][by]).abs() < 1e-9, "{count}: {j} {k}");
                }
            }
        }
    }
}
