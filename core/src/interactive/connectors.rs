//! Geometry as blocks: differences, distances, angles, areas, volumes of points. Points and directions of objects are
//! blocks of the world; whatever else is wanted is a formula.

use super::{Code, Scalar};

/// a - b, of vectors of this many numbers each: inputs a, then b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference(pub usize);

/// Distance of two points of this many coordinates each \[m\]. It has no derivative where they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance(pub usize);

/// Product aᵀ b of two vectors of this many numbers each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerProduct(pub usize);

/// Angle from a direction to another one in the plane, within half a turn either way \[rad\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneAngle;

/// Angle between two directions in space, in [0, π] \[rad\]. It has no derivative at the ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceAngle;

/// Area of a polygon in the plane by its corners, x and y of each; positive counterclockwise \[m²\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolygonArea(pub usize);

/// Volume within a closed surface of triangles, which name their corners counterclockwise seen from outside; inputs
/// x, y, z of each corner \[m³\].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosedVolume {
    corners: usize,
    triangles: Vec<[u32; 3]>,
}

impl EnclosedVolume {
    /// The surface of these triangles over this many corners; none, where a triangle names a corner that is not there.
    pub fn new(corners: usize, triangles: Vec<[u32; 3]>) -> Option<Self> {
        let known = triangles.iter().flatten().all(|&corner| (corner as usize) < corners);
        known.then_some(Self { corners, triangles })
    }
}

/// Area of a triangle in space \[m²\], and its unit normal: inputs x, y, z of each corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleNormal;

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::constant(0.0), |sum, (a, b)| sum + *a * *b)
}

fn cross<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn at<S: Scalar>(x: &[S], corner: usize) -> [S; 3] {
    [x[3 * corner], x[3 * corner + 1], x[3 * corner + 2]]
}

fn from<S: Scalar>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    std::array::from_fn(|k| b[k] - a[k])
}

impl Code for Difference {
    fn input_count(&self) -> usize {
        2 * self.0
    }
    fn output_count(&self) -> usize {
        self.0
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        (0..self.0).for_each(|k| y[k] = x[k] - x[self.0 + k]);
    }
    fn is_affine(&self) -> bool {
        true
    }
}

impl Code for Distance {
    fn input_count(&self) -> usize {
        2 * self.0
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let squares = (0..self.0).map(|k| (x[k] - x[self.0 + k]) * (x[k] - x[self.0 + k]));
        y[0] = squares.fold(S::constant(0.0), |sum, square| sum + square).sqrt();
    }
}

impl Code for InnerProduct {
    fn input_count(&self) -> usize {
        2 * self.0
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        y[0] = dot(&x[..self.0], &x[self.0..]);
    }
}

impl Code for PlaneAngle {
    fn input_count(&self) -> usize {
        4
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        y[0] = (x[0] * x[3] - x[1] * x[2]).atan2(x[0] * x[2] + x[1] * x[3]);
    }
}

impl Code for SpaceAngle {
    fn input_count(&self) -> usize {
        6
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let (a, b) = (at(x, 0), at(x, 1));
        let across = cross(a, b);
        y[0] = dot(&across, &across).sqrt().atan2(dot(&a, &b));
    }
}

impl Code for PolygonArea {
    fn input_count(&self) -> usize {
        2 * self.0
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let half = S::constant(0.5);
        y[0] = (0..self.0).fold(S::constant(0.0), |area, k| {
            let next = (k + 1) % self.0;
            area + half * (x[2 * k] * x[2 * next + 1] - x[2 * k + 1] * x[2 * next])
        });
    }
}

impl Code for EnclosedVolume {
    fn input_count(&self) -> usize {
        3 * self.corners
    }
    fn output_count(&self) -> usize {
        1
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let sixth = S::constant(1.0 / 6.0);
        y[0] = self.triangles.iter().fold(S::constant(0.0), |volume, corners| {
            let [a, b, c] = corners.map(|corner| at(x, corner as usize));
            volume + sixth * dot(&a, &cross(b, c))
        });
    }
}

impl Code for TriangleNormal {
    fn input_count(&self) -> usize {
        9
    }
    fn output_count(&self) -> usize {
        4
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let (a, b, c) = (at(x, 0), at(x, 1), at(x, 2));
        let across = cross(from(a, b), from(a, c));
        let length = dot(&across, &across).sqrt();
        y[0] = S::constant(0.5) * length;
        (0..3).for_each(|k| y[k + 1] = across[k] / length);
    }
}
