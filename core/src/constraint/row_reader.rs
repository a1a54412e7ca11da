//! Rows at one placement, read in their order: numbers of a joint are made once for all of its rows.

use super::all_rows::Source;
use super::bending::Bending;
use super::joint_sample::JointMemo;
use super::{ConstraintRows, Placement};
use crate::{Mat3, Vec3};

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
            Source::Volume(k) => self.rows.volumes.value(k, self.at),
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
            Source::Volume(k) => self.rows.volumes.coefficients(k, self.at, values),
        }
    }

    /// Second derivative of a row by time along an even motion, (dG/dt) u: that of its value by displacements and turns of
    /// its carriers, twice by velocities `u` of the block rows [m/s²], [rad/s²]. `None` for laws of users, of which it is
    /// not known, and for volumes.
    pub fn bending(&self, row: usize, u: &[Vec3]) -> Option<f64> {
        let mut sum = 0.0;
        let mut visit = |i: u32, j: u32, block: Mat3| {
            sum += u[i as usize].dot(&(block * u[j as usize]));
        };
        match self.rows.sources[row] {
            Source::Product(k) => self.rows.products.curvature(k, self.at, &mut visit),
            Source::Joint(k) => {
                let mut bending = None;
                self.rows.joints.add_bending((k, 1.0), self.at, &mut bending, &mut visit);
                bending.iter().for_each(|it: &Bending| it.finish(&mut visit));
            }
            Source::Law(_) | Source::Volume(_) => return None,
        }
        Some(sum)
    }

    /// Corrects the vectors of a row half way so that with the mean velocities `y` of a step of `h` [s] they make
    /// the mean rate `rate` of its value exactly. Products do without; of laws of users nothing is known.
    pub fn meet(&mut self, row: usize, step: (&[Vec3], f64, f64), values: &mut [Vec3]) {
        match self.rows.sources[row] {
            Source::Joint(k) => {
                self.rows.joints.meet_of(k, (self.at, &mut self.joint), step, values);
            }
            Source::Volume(k) => self.rows.volumes.meet(k, (step.0, step.1), values),
            Source::Product(_) | Source::Law(_) => {}
        }
    }
}
