//! Constraint rows by functions of relative poses: errors of joints whose rows are no products of
//! vectors, and coordinates: limits, locks, couplings. A row is a sum of functions of such numbers.
//! Values are those at a placement, coefficients those half way between two: the difference of values
//! is met to third order in the step, and exactly once they are corrected.

use std::sync::Arc;

use nalgebra::Matrix6;

use super::placed_joint::PlacedFrame;
use super::rows::RelativeMotion;
use super::spatial::Function;
use super::stiffness::geometric_stiffness;
use super::{JointNumber, PlacedJoint, Placement, Scalar};
use crate::{Mat3, Vec3};

const NONE: u32 = u32::MAX;
/// Motion within a step [m or rad] below which the rounding of values, 1e-16, would turn a row by more than the
/// error of its vectors, the square of the motion.
const STILL: f64 = 1e-6;

/// A polynomial of a number of a joint, and a curve of it.
#[derive(Clone)]
pub struct JointTerm {
    /// The joint.
    pub joint: Arc<PlacedJoint>,
    /// Its variable x among the numbers of the joint.
    pub number: JointNumber,
    /// Coefficients of 1, x, x², ...
    pub polynomial: Vec<f64>,
    /// Function of x that is added.
    pub curve: Option<Arc<Function>>,
    /// True if x is a coordinate less its value in [`Placement::coordinates`].
    pub from_locked: bool,
}

impl JointTerm {
    /// x itself.
    pub fn of(joint: &Arc<PlacedJoint>, number: JointNumber) -> Self {
        let (joint, polynomial) = (joint.clone(), vec![0.0, 1.0]);
        Self { joint, number, polynomial, curve: None, from_locked: false }
    }

    /// Block rows of its carriers: move and turn of that of C, then of D; none of the ground.
    pub(crate) fn rows(&self) -> [Option<u32>; 4] {
        let [[a, b], [c, d]] = [self.joint.c.rows(), self.joint.d.rows()];
        [a, b, c, d]
    }

    /// Value, slope and second derivative of the polynomial and the curve.
    fn at(&self, x: f64) -> [f64; 3] {
        let (mut p, mut slope, mut bend) = (0.0, 0.0, 0.0);
        for &c in self.polynomial.iter().rev() {
            bend = bend * x + 2.0 * slope;
            slope = slope * x + p;
            p = p * x + c;
        }
        let curve = self.curve.as_ref().map_or([0.0; 3], |curve| curve.at(x));
        [p + curve[0], slope + curve[1], bend + curve[2]]
    }

    /// Origin of x.
    fn offset(&self, previous: &[f64]) -> f64 {
        match self.number {
            JointNumber::Coordinate(k) if self.from_locked => previous[k as usize],
            _ => 0.0,
        }
    }
}

/// A term, and the entries of its row that the carriers of C and D have: move, turn.
#[derive(Clone)]
struct Entered {
    term: JointTerm,
    entries: [u32; 4],
}

/// Rows, flat.
#[derive(Clone, Default)]
pub struct JointRows {
    terms: Vec<Entered>,
    /// Index of the first term of each row, and the end of all.
    first: Vec<u32>,
    lists: Vec<Vec<u32>>,
}

impl JointRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// The block rows of every row, each once.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// A row: the sum of some terms.
    pub fn push(&mut self, terms: impl IntoIterator<Item = JointTerm>) {
        let mut list: Vec<u32> = Vec::new();
        self.first.push(self.terms.len() as u32);
        for term in terms {
            let entries = term.rows().map(|row| match row {
                None => NONE,
                Some(row) => {
                    let known = list.iter().position(|&b| b == row);
                    known.unwrap_or_else(|| {
                        list.push(row);
                        list.len() - 1
                    }) as u32
                }
            });
            self.terms.push(Entered { term, entries });
        }
        self.lists.push(list);
    }

    fn terms(&self, row: usize) -> &[Entered] {
        let end = self.first.get(row + 1).map_or(self.terms.len(), |&end| end as usize);
        &self.terms[self.first[row] as usize..end]
    }

    /// Value of a row [m or rad].
    pub fn value(&self, row: usize, at: Placement) -> f64 {
        let value = |Entered { term, .. }: &Entered| {
            let offset = term.offset(term.joint.previous(at.coordinates));
            term.at(term.joint.value(term.number, at) - offset)[0]
        };
        self.terms(row).iter().map(value).sum()
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        values.fill(Vec3::zeros());
        for entered in self.terms(row) {
            let joint = &entered.term.joint;
            let previous = joint.previous(at.coordinates);
            let wrenches = entered.term.wrenches(&joint.frames(at), previous);
            for (&entry, wrench) in entered.entries.iter().zip(wrenches) {
                if entry != NONE {
                    values[entry as usize] += wrench;
                }
            }
        }
    }

    /// Corrects `values`, the vectors of a row half way, so that with the mean velocities `y` of a step they make
    /// the mean rate `rate` of the row [m/s or rad/s] exactly: along the motion of C seen from D, which keeps
    /// forces and moments on both opposite (Gonzalez1996).
    pub fn meet(
        &self,
        row: usize,
        at: Placement,
        (y, rate, h): (&[Vec3], f64, f64),
        values: &mut [Vec3],
    ) {
        let list = &self.lists[row];
        let made = |values: &[Vec3]| -> f64 {
            list.iter().zip(values).map(|(&block, value)| value.dot(&y[block as usize])).sum()
        };
        let power: f64 = self.terms(row).iter().map(|it| it.term.along(at, y).1).sum();
        if h * power.sqrt() < STILL {
            return;
        }
        let share = (rate - made(values)) / power;
        for entered in self.terms(row) {
            let (wrenches, _) = entered.term.along(at, y);
            for (&entry, wrench) in entered.entries.iter().zip(wrenches) {
                if entry != NONE {
                    values[entry as usize] += wrench * share;
                }
            }
        }
    }

    /// Hands the blocks of the symmetric second derivative of a row, by displacements and turns of its
    /// carriers, to `visit` with their block rows.
    pub fn curvature(&self, row: usize, at: Placement, visit: &mut dyn FnMut(u32, u32, Mat3)) {
        let list = &self.lists[row];
        for entered in self.terms(row) {
            let joint = &entered.term.joint;
            let previous = joint.previous(at.coordinates);
            let blocks = entered.term.second_derivatives(&joint.frames(at), previous);
            for (i, &a) in entered.entries.iter().enumerate().filter(|(_, a)| **a != NONE) {
                for (j, &b) in entered.entries.iter().enumerate().filter(|(_, b)| **b != NONE) {
                    let (row, column) = (list[a as usize], list[b as usize]);
                    let part = |k: &Matrix6<f64>, r: usize, c: usize| {
                        k.fixed_view::<3, 3>(3 * (r % 2), 3 * (c % 2)).into_owned()
                    };
                    let block = part(&blocks[i / 2][j / 2], i, j);
                    let other = part(&blocks[j / 2][i / 2], j, i);
                    visit(row, column, (block + other.transpose()) * 0.5);
                }
            }
        }
    }
}

impl JointTerm {
    /// Derivatives by the displacement and the turn of the carrier of C, then of D. Forces follow the
    /// mean axes of D, which is what displacements are exact by; moments the axes half way, shortened
    /// alike for both sides, so that they stay opposite.
    pub(super) fn wrenches(&self, [c, d]: &[PlacedFrame; 2], previous: &[f64]) -> [Vec3; 4] {
        let jet = self.joint.jet(self.number, &d.pose.inv_mul(&c.pose), previous);
        let slope = self.at(jet.value() - self.offset(previous))[1];
        let force = d.axes * jet.force() * slope;
        let moment = d.pose.rotation * jet.moment() * (slope * c.shortening * d.shortening);
        let reach = c.origin - (d.origin - d.arm);
        [force, c.arm.cross(&force) + moment, -force, -(reach.cross(&force) + moment)]
    }

    /// Force and moment on the carriers in proportion to the motion of C seen from D under velocities `y` of block
    /// rows, weighted as the term itself has them, and the power of these.
    fn along(&self, at: Placement, y: &[Vec3]) -> ([Vec3; 4], f64) {
        let frames = self.joint.frames(at);
        let [force, moment, ..] = self.wrenches(&frames, self.joint.previous(at.coordinates));
        let [c, d] = &frames;
        let weights = [force, moment - c.arm.cross(&force)].map(|it| it.norm_squared());
        let velocity = |row: Option<u32>| row.map_or_else(Vec3::zeros, |row| y[row as usize]);
        let [move_c, turn_c, move_d, turn_d] = self.rows().map(velocity);
        let reach = c.origin - (d.origin - d.arm);
        let moves = move_c + turn_c.cross(&c.arm) - move_d - turn_d.cross(&reach);
        let turns = turn_c - turn_d;
        let (force, moment) = (moves * weights[0], turns * weights[1]);
        let wrenches =
            [force, c.arm.cross(&force) + moment, -force, -(reach.cross(&force) + moment)];
        (wrenches, force.dot(&moves) + moment.dot(&turns))
    }

    /// The same at positions of block rows: what the carriers of C and D get for a force or moment of 1 on
    /// the number.
    pub(crate) fn wrenches_at(&self, q: &[Vec3], coordinates: &[f64]) -> [Vec3; 4] {
        let frames = [&self.joint.c, &self.joint.d].map(|site| site.placed_at(q));
        self.wrenches(&frames, self.joint.previous(coordinates))
    }

    /// Second derivatives by the same displacements: those of the number, and of the polynomial.
    fn second_derivatives(
        &self,
        [c, d]: &[PlacedFrame; 2],
        previous: &[f64],
    ) -> [[Matrix6<f64>; 2]; 2] {
        let jet = self.joint.jet(self.number, &d.pose.inv_mul(&c.pose), previous);
        let [_, slope, bend] = self.at(jet.value() - self.offset(previous));
        let motion = RelativeMotion::new(&c.motion(), &d.motion());
        let mut blocks = geometric_stiffness(&motion, &(jet * slope));
        if bend != 0.0 {
            let row = motion.row(&jet);
            let sides = [row.on_a, row.on_b].map(|wrench| {
                let (f, m) = (wrench.force, wrench.moment);
                nalgebra::Vector6::new(f.x, f.y, f.z, m.x, m.y, m.z)
            });
            for (i, blocks) in blocks.iter_mut().enumerate() {
                for (j, block) in blocks.iter_mut().enumerate() {
                    *block += sides[i] * sides[j].transpose() * bend;
                }
            }
        }
        blocks
    }
}
