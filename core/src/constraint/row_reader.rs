//! Rows at one placement, read in their order: numbers of a joint are made once for all of its rows.

use super::all_rows::Source;
use super::joint_sample::JointMemo;
use super::{ConstraintRows, Placement};
use crate::Vec3;

/// The rows of a system at a placement.
pub struct RowReader<'a> {
    rows: &'a ConstraintRows,
    at: Placement<'a>,
    joint: JointMemo<'a>,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(rows: &'a ConstraintRows, at: Placement<'a>) -> Self {
        Self { rows, at, joint: JointMemo::default() }
    }

    /// Value of a row: a length [m], an angle [rad], or the sine of one [-] where the row is a product.
    pub fn value(&mut self, row: usize) -> f64 {
        match self.rows.sources[row] {
            Source::Product(k) => self.rows.products.value(k, self.at),
            Source::Joint(k) => self.rows.joints.value_of(k, self.at, &mut self.joint),
            Source::Law(k) => self.rows.laws.value(k, self.at),
        }
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&mut self, row: usize, values: &mut [Vec3]) {
        match self.rows.sources[row] {
            Source::Product(k) => self.rows.products.coefficients(k, self.at, values),
            Source::Joint(k) => {
                self.rows.joints.coefficients_of(k, self.at, &mut self.joint, values);
            }
            Source::Law(k) => self.rows.laws.coefficients(k, self.at, values),
        }
    }

    /// Corrects the vectors of a row half way so that with the mean velocities `y` of a step of `h` [s] they make
    /// the mean rate `rate` of its value exactly. Products do without; of laws of users nothing is known.
    pub fn meet(&mut self, row: usize, step: (&[Vec3], f64, f64), values: &mut [Vec3]) {
        if let Source::Joint(k) = self.rows.sources[row] {
            self.rows.joints.meet_of(k, (self.at, &mut self.joint), step, values);
        }
    }
}
