//! Constraint rows that are quadratic in positions and rotation matrices: sums of dot products of
//! vectors that are affine in them. Evaluated at the mean of two poses, such a row's coefficients give
//! the exact difference of its values (Gonzalez1999, BetschSteinmann2002).

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

pub(crate) type Vec3 = Vector3<f64>;
pub(crate) type Mat3 = Matrix3<f64>;

/// Position of a centre of mass and rotation matrix, or the mean of two such pairs, whose matrix
/// is then no rotation.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) center: Vec3,
    pub(crate) matrix: Mat3,
}

impl Placement {
    pub(crate) fn new(center: Vec3, orientation: &UnitQuaternion<f64>) -> Self {
        Self { center, matrix: orientation.to_rotation_matrix().into_inner() }
    }

    pub(crate) fn mean(&self, other: &Self) -> Self {
        let matrix = (self.matrix + other.matrix) * 0.5;
        Self { center: (self.center + other.center) * 0.5, matrix }
    }
}

/// A vector that moves with bodies: a fixed part, and for each body its centre of mass, component
/// by component times a factor, plus a vector turned with the body.
#[derive(Clone)]
pub(crate) struct MovingVector {
    fixed: Vec3,
    parts: Vec<(usize, Vec3, Vec3)>,
}

impl MovingVector {
    pub(crate) fn fixed(v: Vec3) -> Self {
        Self { fixed: v, parts: Vec::new() }
    }

    /// `v`, given in body axes, turned with the body; without a body, in world axes.
    pub(crate) fn direction(body: Option<usize>, v: Vec3) -> Self {
        body.map_or(Self::fixed(v), |b| Self {
            fixed: Vec3::zeros(),
            parts: vec![(b, Vec3::zeros(), v)],
        })
    }

    /// The point at `r` from the centre of mass in body axes.
    pub(crate) fn point(body: Option<usize>, r: Vec3) -> Self {
        body.map_or(Self::fixed(r), |b| Self {
            fixed: Vec3::zeros(),
            parts: vec![(b, Vec3::repeat(1.0), r)],
        })
    }

    /// (x, 0, 0), x that of a centre of mass.
    pub(crate) fn abscissa(body: usize) -> Self {
        Self { fixed: Vec3::zeros(), parts: vec![(body, Vec3::x(), Vec3::zeros())] }
    }

    pub(crate) fn minus(mut self, other: Self) -> Self {
        self.fixed -= other.fixed;
        self.parts.extend(other.parts.into_iter().map(|(b, c, v)| (b, -c, -v)));
        self
    }

    fn value(&self, at: &[Placement]) -> Vec3 {
        let part =
            |&(b, c, v): &(usize, Vec3, Vec3)| at[b].center.component_mul(&c) + at[b].matrix * v;
        self.fixed + self.parts.iter().map(part).sum::<Vec3>()
    }
}

/// One bilateral row g = sum of factor * (u . v) - constant = 0.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(f64, MovingVector, MovingVector)>,
    pub(crate) constant: f64,
}

/// Coefficients of a row for a body: the velocity error is linear . v + angular . w.
pub(crate) type Coefficients = (usize, Vec3, Vec3);

/// A 3 x 3 block of a second derivative: row (body, 0 linear or 1 angular), column, block.
pub(crate) type Curvature = ((usize, usize), (usize, usize), Mat3);

fn skew(a: &Vec3) -> Mat3 {
    a.cross_matrix()
}

impl Row {
    /// u . v = `constant`.
    pub(crate) fn dot(u: MovingVector, v: MovingVector, constant: f64) -> Self {
        Self { terms: vec![(1.0, u, v)], constant }
    }

    pub(crate) fn value(&self, at: &[Placement]) -> f64 {
        let term =
            |(f, u, v): &(f64, MovingVector, MovingVector)| f * u.value(at).dot(&v.value(at));
        self.terms.iter().map(term).sum::<f64>() - self.constant
    }

    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms.iter().flat_map(|(_, u, v)| u.parts.iter().chain(&v.parts)).map(|p| p.0)
    }

    /// Coefficients at these placements; a body may occur more than once.
    pub(crate) fn coefficients(&self, at: &[Placement], out: &mut Vec<Coefficients>) {
        out.clear();
        for (f, u, v) in &self.terms {
            for (one, other) in [(u, v), (v, u)] {
                let other = other.value(at) * *f;
                for &(b, c, r) in &one.parts {
                    out.push((b, other.component_mul(&c), (at[b].matrix * r).cross(&other)));
                }
            }
        }
    }

    /// Symmetric second derivative of the row by displacements and turns of its bodies.
    pub(crate) fn curvature(&self, at: &[Placement], out: &mut Vec<Curvature>) {
        out.clear();
        for (f, u, v) in &self.terms {
            for (one, other) in [(u, v), (v, u)] {
                let value = other.value(at) * *f;
                for &(b, c, r) in &one.parts {
                    let r = at[b].matrix * r;
                    let outer = r * value.transpose();
                    let own = (outer + outer.transpose()) * 0.5;
                    out.push(((b, 1), (b, 1), own - Mat3::identity() * value.dot(&r)));
                    for &(b2, c2, r2) in &other.parts {
                        let r2 = at[b2].matrix * r2;
                        let [c, c2] = [&c, &c2].map(Mat3::from_diagonal);
                        out.push(((b, 0), (b2, 0), c * c2 * *f));
                        out.push(((b, 0), (b2, 1), c * skew(&r2) * -f));
                        out.push(((b, 1), (b2, 0), skew(&r) * c2 * *f));
                        out.push(((b, 1), (b2, 1), skew(&r) * skew(&r2) * -f));
                    }
                }
            }
        }
    }
}
