//! Signs of the configuration in which the second of two surfaces is moved by (e, e², e³), e positive and
//! infinitesimal. They are exact (Shewchuk1997) and those of one true placement, so they never contradict
//! each other and are never zero where something could be pierced (Edelsbrunner1990; Magalhaes2017 shifts
//! one mesh in this way). Lengths: any unit, coordinates of a few units at most.

use robust::{Coord3D, orient3d};

use crate::Vec3;

/// An edge whose direction is within this angle [rad] of a face may leave it by rounding: its point is
/// brought back.
const SHALLOW: f64 = 1e-8;

/// The way of the first of two things of a predicate against the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shift {
    /// It moves by (e, e², e³) against the other: it is of the second surface.
    Forth,
    /// The other moves: it is of the first surface.
    Back,
}

impl Shift {
    fn sign(self) -> i8 {
        match self {
            Self::Forth => 1,
            Self::Back => -1,
        }
    }
}

/// Side of the plane of a face that a point is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    /// Height over the plane times twice the area of the face, nearly.
    value: f64,
    /// 1 above, -1 below; 0 only where the face has no area.
    pub(super) sign: i8,
}

/// An edge that goes through a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    /// True if the edge goes along the normal of the face.
    pub(super) leaves: bool,
    /// Share of the edge before the face [-], 0 to 1.
    pub(super) along: f64,
}

fn coord(p: &Vec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

/// Height of `p` over the plane of `face`; `shift` is that of the point.
pub(super) fn height(face: &[Vec3; 3], p: &Vec3, shift: Shift) -> Height {
    let value = -orient3d(coord(&face[0]), coord(&face[1]), coord(&face[2]), coord(p));
    let sign = match sign(value) {
        0 => shift.sign() * leading_sign([&face[0], &face[1]], [&face[0], &face[2]]),
        clear => clear,
    };
    Height { value, sign }
}

/// Sign of the volume of the tetrahedron of two edges; `shift` is that of the first.
fn turn(edge: &[Vec3; 2], other: [&Vec3; 2], shift: Shift) -> i8 {
    let [p, q] = edge;
    match sign(orient3d(coord(p), coord(q), coord(other[0]), coord(other[1]))) {
        0 => -shift.sign() * leading_sign([p, q], other),
        clear => clear,
    }
}

/// Point at which `edge`, of ends at these heights, goes through `face`; `shift` is that of the edge.
pub(super) fn pierce(
    edge: &[Vec3; 2],
    face: &[Vec3; 3],
    ends: [Height; 2],
    shift: Shift,
) -> Option<Passage> {
    if ends[0].sign * ends[1].sign >= 0 {
        return None;
    }
    let turns = [0, 1, 2].map(|k| turn(edge, [&face[k], &face[(k + 1) % 3]], shift));
    if turns[0] == 0 || turns[1] != turns[0] || turns[2] != turns[0] {
        return None;
    }
    Some(Passage { leaves: ends[1].sign > 0, along: along(edge, face, ends) })
}

/// Share of the edge before the face [-]. Of an edge that hardly leaves the plane it is that of a point
/// within the face.
fn along(edge: &[Vec3; 2], face: &[Vec3; 3], ends: [Height; 2]) -> f64 {
    let rise = ends[0].value - ends[1].value;
    let share = if rise == 0.0 { 0.5 } else { (ends[0].value / rise).clamp(0.0, 1.0) };
    let way = edge[1] - edge[0];
    let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
    if rise.abs() > SHALLOW * way.norm() * normal.norm() {
        return share;
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for k in 0..3 {
        let inward = normal.cross(&(face[(k + 1) % 3] - face[k]));
        let (from, by) = (inward.dot(&(edge[0] - face[k])), inward.dot(&way));
        if by > 0.0 {
            low = low.max(-from / by);
        } else if by < 0.0 {
            high = high.min(-from / by);
        }
    }
    if low <= high { share.clamp(low, high) } else { (0.5 * (low + high)).clamp(0.0, 1.0) }
}

/// Sign of the first component that is not zero of the cross product of the differences of two pairs.
fn leading_sign(u: [&Vec3; 2], v: [&Vec3; 2]) -> i8 {
    let signs = [0, 1, 2].map(|axis| cross_sign(u, v, axis));
    signs.into_iter().find(|&s| s != 0).unwrap_or(0)
}

/// Sign of a component of (u1 - u0) x (v1 - v0).
fn cross_sign(u: [&Vec3; 2], v: [&Vec3; 2], axis: usize) -> i8 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (one, other) =
        ((u[1][i] - u[0][i]) * (v[1][j] - v[0][j]), (u[1][j] - u[0][j]) * (v[1][i] - v[0][i]));
    // Differences and products are within three roundings.
    let clear = 8.0 * f64::EPSILON * (one.abs() + other.abs());
    if (one - other).abs() > clear {
        return sign(one - other);
    }
    let mut sum = Expansion::default();
    sum.add_product(difference(u[1][i], u[0][i]), difference(v[1][j], v[0][j]), 1.0);
    sum.add_product(difference(u[1][j], u[0][j]), difference(v[1][i], v[0][i]), -1.0);
    sum.sign()
}

/// Sum of two numbers as the rounded sum and what rounding left out (Shewchuk1997, theorem 7).
fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let virtual_b = sum - a;
    [sum, (a - (sum - virtual_b)) + (b - virtual_b)]
}

fn difference(a: f64, b: f64) -> [f64; 2] {
    two_sum(a, -b)
}

/// A number as a sum of numbers that do not overlap, by rising size.
#[derive(Default)]
struct Expansion {
    terms: [f64; 16],
    count: usize,
}

impl Expansion {
    /// Adds one number (Shewchuk1997, theorem 10).
    fn add(&mut self, term: f64) {
        let mut carry = term;
        for own in &mut self.terms[..self.count] {
            let [sum, rest] = two_sum(carry, *own);
            (*own, carry) = (rest, sum);
        }
        self.terms[self.count] = carry;
        self.count += 1;
    }

    /// Adds `factor`, which is 1 or -1, times the product of two sums.
    fn add_product(&mut self, a: [f64; 2], b: [f64; 2], factor: f64) {
        for x in a {
            for y in b {
                let product = x * y;
                self.add(factor * x.mul_add(y, -product));
                self.add(factor * product);
            }
        }
    }

    fn sign(&self) -> i8 {
        self.terms[..self.count].iter().rev().map(|&term| sign(term)).find(|&s| s != 0).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [Vec3; 3] =
        [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];

    fn passage(p: Vec3, q: Vec3, shift: Shift) -> Option<Passage> {
        let ends = [p, q].map(|end| height(&FACE, &end, shift));
        pierce(&[p, q], &FACE, ends, shift)
    }

    #[test]
    fn an_edge_through_a_face_is_found_with_its_way() {
        let (p, q) = (Vec3::new(0.25, 0.25, -1.0), Vec3::new(0.25, 0.25, 3.0));
        for shift in [Shift::Forth, Shift::Back] {
            let up = passage(p, q, shift).unwrap();
            assert!(up.leaves && (up.along - 0.25).abs() < 1e-15, "{up:?}");
            assert!(!passage(q, p, shift).unwrap().leaves);
            assert!(passage(p + Vec3::x(), q + Vec3::x(), shift).is_none());
        }
    }

    /// Moved along z by e³ a point in the plane is above it.
    #[test]
    fn a_tie_is_decided_by_the_shift() {
        let (p, q) = (Vec3::new(0.25, 0.25, -1.0), Vec3::new(0.25, 0.25, 0.0));
        assert!(passage(p, q, Shift::Forth).is_some());
        assert!(passage(p, q, Shift::Back).is_none());
        // Through the side x = 0: moved forth along x the edge is inside, back outside.
        let (p, q) = (Vec3::new(0.0, 0.5, -1.0), Vec3::new(0.0, 0.5, 1.0));
        assert!(passage(p, q, Shift::Forth).is_some());
        assert!(passage(p, q, Shift::Back).is_none());
    }

    #[test]
    fn a_face_without_area_is_never_pierced() {
        let face = [Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0];
        let edge = [-Vec3::z(), Vec3::z()];
        let ends = edge.map(|end| height(&face, &end, Shift::Forth));
        assert!(ends.iter().all(|end| end.sign == 0));
        assert!(pierce(&edge, &face, ends, Shift::Forth).is_none());
    }

    /// (1 + a)² - (1 + 2 a) = a², which doubles next to 1 do not hold.
    #[test]
    fn components_of_cross_products_have_exact_signs() {
        let a = f64::EPSILON;
        let o = Vec3::zeros();
        let u = Vec3::new(1.0 + a, 1.0, 0.0);
        let v = Vec3::new(1.0 + 2.0 * a, 1.0 + a, 0.0);
        assert_eq!(cross_sign([&o, &u], [&o, &v], 2), 1);
        assert_eq!(cross_sign([&u, &o], [&o, &v], 2), -1);
        assert_eq!(cross_sign([&o, &v], [&o, &v], 2), 0);
        // A difference that is no double: (1 - t) x (1 + t) - 1 x 1 = -t².
        let t = 1e-20;
        let from = Vec3::new(t, -t, 0.0);
        let square = Vec3::new(1.0, 1.0, 0.0);
        assert_eq!(cross_sign([&from, &square], [&o, &square], 2), -1);
    }
}
