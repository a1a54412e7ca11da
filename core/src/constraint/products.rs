//! Constraint rows as sums of products of vectors that move with bodies and points. Taken at the mean
//! of two placements, whose matrices are then no rotations, the coefficients of such a row give the
//! exact difference of its values (Gonzalez1999, BetschSteinmann2002): docs/theory/rigid.md.

use super::kinds::{Products, Turns};
use super::{JointKind, PointConstraint, Pose};
use crate::dynamics::skew;
use crate::linalg::kkt::ConstraintPattern;
use crate::{Mat3, Vec3};

/// Base of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteBase {
    /// The ground: nothing moves it.
    Ground,
    /// A point: its block row.
    Point(u32),
    /// A rigid body: its number, and the block row of its centre of mass; that of its rotation follows.
    Body(u32, u32),
}

/// A frame on a carrier: in the axes of a body from its centre of mass, or in those of the world from
/// a point or the origin [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Base of the frame.
    pub base: SiteBase,
    /// Pose on the base.
    pub pose: Pose,
}

/// A fixed vector, and for each carrier its position times a sign plus an arm that turns with it.
#[derive(Clone, Debug, Default)]
struct MovingVector {
    fixed: Vec3,
    parts: Vec<(SiteBase, f64, Vec3)>,
}

impl MovingVector {
    fn fixed(v: Vec3) -> Self {
        Self { fixed: v, parts: Vec::new() }
    }

    fn on_base(base: SiteBase, sign: f64, arm: Vec3) -> Self {
        match base {
            SiteBase::Ground => Self::fixed(arm),
            // A point does not turn.
            SiteBase::Point(_) => Self { fixed: arm, parts: vec![(base, sign, Vec3::zeros())] },
            SiteBase::Body(..) => Self { fixed: Vec3::zeros(), parts: vec![(base, sign, arm)] },
        }
    }

    fn origin(site: &Site) -> Self {
        Self::on_base(site.base, 1.0, site.pose.translation.vector)
    }

    fn axis(site: &Site, direction: Vec3) -> Self {
        let direction = site.pose.rotation * direction;
        match site.base {
            SiteBase::Point(_) => Self::fixed(direction),
            base => Self::on_base(base, 0.0, direction),
        }
    }

    fn minus(mut self, other: Self) -> Self {
        self.fixed -= other.fixed;
        self.parts.extend(other.parts.into_iter().map(|(c, sign, arm)| (c, -sign, -arm)));
        self
    }
}

/// One row: sum of factor (s . t), less a constant.
#[derive(Clone, Debug)]
struct Row {
    factor: f64,
    product: [MovingVector; 2],
    constant: f64,
}

impl Row {
    fn dot(s: MovingVector, t: MovingVector) -> Self {
        Self { factor: 1.0, product: [s, t], constant: 0.0 }
    }
}

/// Part of a moving vector: sign times the position of a row, plus an arm turned by a body, and the
/// entries of its constraint row that these make.
#[derive(Clone, Copy, Debug)]
struct Part {
    sign: f64,
    arm: Vec3,
    center: u32,
    body: u32,
    center_entry: u32,
    turn_entry: u32,
}

const NONE: u32 = u32::MAX;

/// A vector of a product: a fixed part, and a range of parts.
#[derive(Clone, Copy, Debug)]
struct Vector {
    fixed: Vec3,
    parts: [u32; 2],
}

/// Configuration: positions by block row [m], and a matrix for each body, a rotation or the mean
/// of two.
#[derive(Clone, Copy, Debug)]
pub struct Placement<'a> {
    /// Positions [m].
    pub q: &'a [Vec3],
    /// Body axes in the world, one a body.
    pub turns: &'a [Mat3],
    /// Coordinates of joints before [m], [rad], as in a state; empty where none are known.
    pub coordinates: &'a [f64],
}

/// Rows of a system, flat.
#[derive(Clone, Debug, Default)]
pub struct ProductRows {
    parts: Vec<Part>,
    vectors: Vec<[Vector; 2]>,
    factors: Vec<f64>,
    constants: Vec<f64>,
    lists: Vec<Vec<u32>>,
}

impl ProductRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.factors.len()
    }

    /// The block rows of every row, each once: the pattern of [`Self::coefficients`].
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// The rows of a joint between frame C and frame D, positions before angles as in
    /// [`JointKind::row_quantities`]; `false`, and nothing done, for the ellipsoid joints, whose rows are
    /// no products. Three rows of position are along the axes of the world, others along those of D.
    /// Angles are measured by their sines.
    #[must_use]
    pub fn push_joint(&mut self, kind: JointKind, c: &Site, d: &Site) -> bool {
        let Some(Products { lengths, turns }) = kind.products() else { return false };
        for &k in lengths {
            let across = Vec3::ith(k, 1.0);
            let axis = match lengths.len() {
                3 => MovingVector::fixed(across),
                _ => MovingVector::axis(d, across),
            };
            self.push(Row::dot(axis, MovingVector::origin(c).minus(MovingVector::origin(d))));
        }
        turns.rows(c, d).into_iter().for_each(|row| self.push(row));
        true
    }

    /// The rows of a point constraint: `c` is the point, `d` its anchor.
    pub fn push_point(&mut self, kind: PointConstraint, c: &Site, d: &Site) {
        let between = || MovingVector::origin(c).minus(MovingVector::origin(d));
        let along = |k: usize| Row::dot(MovingVector::axis(d, Vec3::ith(k, 1.0)), between());
        match kind {
            PointConstraint::OnPlane => self.push(along(2)),
            PointConstraint::OnLine => (0..2).for_each(|k| self.push(along(k))),
            PointConstraint::AtPoint => (0..3).for_each(|k| self.push(along(k))),
            // (l² - L²) / 2L is l - L to first order.
            PointConstraint::AtDistance { length } => self.push(Row {
                factor: 0.5 / length,
                constant: 0.5 * length,
                ..Row::dot(between(), between())
            }),
        }
    }

    fn push(&mut self, row: Row) {
        let mut list = Vec::new();
        let vectors = row.product.map(|vector| {
            let start = self.parts.len() as u32;
            for (base, sign, arm) in vector.parts {
                let mut entry = |block: u32| {
                    let known = list.iter().position(|&b| b == block);
                    known.unwrap_or_else(|| {
                        list.push(block);
                        list.len() - 1
                    }) as u32
                };
                let (center, body) = match base {
                    SiteBase::Ground => continue,
                    SiteBase::Point(row) => (row, NONE),
                    SiteBase::Body(body, row) => (row, body),
                };
                let center_entry = if sign == 0.0 { NONE } else { entry(center) };
                let turn_entry = if body == NONE { NONE } else { entry(center + 1) };
                self.parts.push(Part { sign, arm, center, body, center_entry, turn_entry });
            }
            Vector { fixed: vector.fixed, parts: [start, self.parts.len() as u32] }
        });
        self.vectors.push(vectors);
        self.factors.push(row.factor);
        self.constants.push(row.constant);
        self.lists.push(list);
    }

    fn parts(&self, vector: &Vector) -> &[Part] {
        &self.parts[vector.parts[0] as usize..vector.parts[1] as usize]
    }

    fn vector(&self, vector: &Vector, at: Placement) -> Vec3 {
        let part = |part: &Part| {
            let turned = match part.body {
                NONE => Vec3::zeros(),
                body => at.turns[body as usize] * part.arm,
            };
            at.q[part.center as usize] * part.sign + turned
        };
        vector.fixed + self.parts(vector).iter().map(part).sum::<Vec3>()
    }

    /// Value of a row: a length [m], or the sine of an angle [-].
    pub fn value(&self, row: usize, at: Placement) -> f64 {
        let [s, t] = &self.vectors[row];
        self.factors[row] * self.vector(s, at).dot(&self.vector(t, at)) - self.constants[row]
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        values.fill(Vec3::zeros());
        let [s, t] = &self.vectors[row];
        for (one, other) in [(s, t), (t, s)] {
            let other = self.vector(other, at) * self.factors[row];
            for part in self.parts(one) {
                if part.center_entry != NONE {
                    values[part.center_entry as usize] += other * part.sign;
                }
                if part.turn_entry != NONE {
                    let arm = at.turns[part.body as usize] * part.arm;
                    values[part.turn_entry as usize] += arm.cross(&other);
                }
            }
        }
    }

    /// Change of the [coefficients](Self::coefficients) of a row where the placement changes by `change`: displacements, and
    /// changes of the matrices, which need not be turns of them.
    pub fn change_of_coefficients(
        &self,
        row: usize,
        (at, change): (Placement, Placement),
        values: &mut [Vec3],
    ) {
        values.fill(Vec3::zeros());
        let [s, t] = &self.vectors[row];
        for (one, other) in [(s, t), (t, s)] {
            let moved = (self.vector(other, change) - other.fixed) * self.factors[row];
            let other = self.vector(other, at) * self.factors[row];
            let is_still = moved == Vec3::zeros();
            for part in self.parts(one) {
                if part.center_entry != NONE {
                    values[part.center_entry as usize] += moved * part.sign;
                }
                if part.turn_entry == NONE {
                    continue;
                }
                let value = &mut values[part.turn_entry as usize];
                *value += (change.turns[part.body as usize] * part.arm).cross(&other);
                if !is_still {
                    *value += (at.turns[part.body as usize] * part.arm).cross(&moved);
                }
            }
        }
    }

    /// Hands the blocks of the symmetric second derivative of a row, by displacements and turns of its
    /// carriers, to `visit` with their block rows.
    pub fn curvature(&self, row: usize, at: Placement, visit: &mut dyn FnMut(u32, u32, Mat3)) {
        let factor = self.factors[row];
        let [s, t] = &self.vectors[row];
        let arm = |part: &Part| match part.body {
            NONE => Vec3::zeros(),
            body => at.turns[body as usize] * part.arm,
        };
        for (one, other) in [(s, t), (t, s)] {
            let value = self.vector(other, at) * factor;
            for a in self.parts(one) {
                let r = arm(a);
                if a.body != NONE {
                    visit(a.center + 1, a.center + 1, lever_stiffness(&r, &value));
                }
                for b in self.parts(other) {
                    let r2 = arm(b);
                    let (left, right) = (a.sign * factor, b.sign * factor);
                    if a.sign != 0.0 && b.sign != 0.0 {
                        visit(a.center, b.center, Mat3::identity() * (left * b.sign));
                    }
                    if a.sign != 0.0 && b.body != NONE {
                        visit(a.center, b.center + 1, skew(&r2) * -left);
                    }
                    if a.body != NONE && b.sign != 0.0 {
                        visit(a.center + 1, b.center, skew(&r) * right);
                    }
                    if a.body != NONE && b.body != NONE {
                        visit(a.center + 1, b.center + 1, skew(&r) * skew(&r2) * -factor);
                    }
                }
            }
        }
    }

    /// Pattern of all rows in a system of `size` block rows.
    pub fn pattern(&self, size: usize) -> ConstraintPattern {
        ConstraintPattern::from_lists(&self.lists, size).expect("carriers are block rows")
    }
}

/// Symmetric part of the derivative of the moment r x f by a turn of the arm r, f constant:
/// (r fᵀ + f rᵀ) / 2 - (r . f) I.
pub fn lever_stiffness(arm: &Vec3, force: &Vec3) -> Mat3 {
    let outer = arm * force.transpose();
    (outer + outer.transpose()) * 0.5 - Mat3::identity() * arm.dot(force)
}

impl Turns {
    fn rows(&self, c: &Site, d: &Site) -> Vec<Row> {
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        // Positive for a positive turn of C about the axis that the two do not span.
        let dot = |of_c: Vec3, of_d: Vec3| {
            Row::dot(MovingVector::axis(c, of_c), MovingVector::axis(d, of_d))
        };
        match self {
            Self::None => vec![dot(y, z), dot(z, x), dot(x, y)],
            Self::AboutZ => vec![dot(y, z), dot(-x, z)],
            Self::Skew(angle) => {
                let (sin, cos) = angle.sin_cos();
                vec![Row { constant: sin, ..dot(y * cos + z * sin, z) }]
            }
            Self::Reversed => vec![dot(-z, y)],
            Self::All => Vec::new(),
        }
    }
}
