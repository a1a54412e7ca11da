//! Constraint rows by functions of relative poses: errors of joints whose rows are no products of
//! vectors, and coordinates: limits, locks, couplings. A row is a sum of functions of such numbers.
//! Values are those at a placement, coefficients those half way between two: the difference of values
//! is met to third order in the step, and exactly once they are corrected.

use std::sync::Arc;

use super::bending::Bending;
use super::joint_sample::{JointMemo, JointSample};
use super::placed_joint::PlacedFrame;
use super::spatial::Function;
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
    pub(super) fn at(&self, x: f64) -> [f64; 3] {
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
    pub(super) fn offset(&self, previous: &[f64]) -> f64 {
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
        self.value_of(row, at, &mut JointMemo::default())
    }

    /// The same with the joint that was sampled last at this placement.
    pub(super) fn value_of<'a>(
        &'a self,
        row: usize,
        at: Placement<'a>,
        memo: &mut JointMemo<'a>,
    ) -> f64 {
        let mut value = 0.0;
        for Entered { term, .. } in self.terms(row) {
            let sample = memo.sample(&term.joint, at);
            let offset = term.offset(sample.previous);
            value += term.at(sample.value(term.number) - offset)[0];
        }
        value
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        self.coefficients_of(row, at, &mut JointMemo::default(), values);
    }

    /// The same with the joint that was sampled last at this placement.
    pub(super) fn coefficients_of<'a>(
        &'a self,
        row: usize,
        at: Placement<'a>,
        memo: &mut JointMemo<'a>,
        values: &mut [Vec3],
    ) {
        values.fill(Vec3::zeros());
        for entered in self.terms(row) {
            let sample = memo.sample(&entered.term.joint, at);
            entered.add(entered.term.wrenches(sample), 1.0, values);
        }
    }

    /// Corrects `values`, the vectors of a row half way, so that with the mean velocities `y` of a step they make
    /// the mean rate `rate` of the row [m/s or rad/s] exactly: along the motion of C seen from D, which keeps
    /// forces and moments on both opposite (Gonzalez1996).
    pub fn meet(&self, row: usize, at: Placement, step: (&[Vec3], f64, f64), values: &mut [Vec3]) {
        self.meet_of(row, (at, &mut JointMemo::default()), step, values);
    }

    /// The same with the joint that was sampled last at this placement.
    pub(super) fn meet_of<'a>(
        &'a self,
        row: usize,
        (at, memo): (Placement<'a>, &mut JointMemo<'a>),
        (y, rate, h): (&[Vec3], f64, f64),
        values: &mut [Vec3],
    ) {
        let list = self.lists[row].iter();
        let made: f64 = list.zip(&*values).map(|(&block, by)| by.dot(&y[block as usize])).sum();
        if let [entered] = self.terms(row)
            && let Some(wrench) = entered.alone(values)
        {
            let sample = memo.sample(&entered.term.joint, at);
            let (along, power) = entered.term.along_motion(sample, wrench, y);
            if h * f64::sqrt(power) >= STILL {
                entered.add(along, (rate - made) / power, values);
            }
            return;
        }
        let mut power = 0.0;
        for Entered { term, .. } in self.terms(row) {
            power += term.along(memo.sample(&term.joint, at), y).1;
        }
        if h * f64::sqrt(power) < STILL {
            return;
        }
        let share = (rate - made) / power;
        for entered in self.terms(row) {
            let sample = memo.sample(&entered.term.joint, at);
            entered.add(entered.term.along(sample, y).0, share, values);
        }
    }

    /// Adds `factor` times the second derivative of a row to that of its joint; of the joint before, if it is another,
    /// the blocks are handed to `visit`.
    pub(super) fn add_bending<'a>(
        &'a self,
        (row, factor): (usize, f64),
        at: Placement<'a>,
        bending: &mut Option<Bending<'a>>,
        visit: &mut dyn FnMut(u32, u32, Mat3),
    ) {
        for Entered { term, .. } in self.terms(row) {
            Bending::add_term(bending, (term, factor), at, visit);
        }
    }
}

impl Entered {
    /// Force and moment on the carrier of C among the vectors of a row that has no other term.
    fn alone(&self, values: &[Vec3]) -> Option<[Vec3; 2]> {
        let [a, b, c, d] = self.entries;
        let apart = a != NONE && b != NONE && ![c, d].contains(&a) && ![c, d].contains(&b);
        apart.then(|| [values[a as usize], values[b as usize]])
    }

    /// Adds a share of what the carriers get to the entries of the row.
    fn add(&self, wrenches: [Vec3; 4], share: f64, values: &mut [Vec3]) {
        for (&entry, wrench) in self.entries.iter().zip(wrenches) {
            if entry != NONE {
                values[entry as usize] += wrench * share;
            }
        }
    }
}

impl JointTerm {
    /// Derivatives by the displacement and the turn of the carrier of C, then of D. Forces follow the
    /// mean axes of D, which is what displacements are exact by; moments the axes half way, shortened
    /// alike for both sides, so that they stay opposite.
    pub(super) fn wrenches(&self, sample: &mut JointSample) -> [Vec3; 4] {
        let number = sample.slope(self.number);
        let [c, d] = &sample.frames;
        let slope = self.at(number.value() - self.offset(sample.previous))[1];
        let force = d.axes * number.force() * slope;
        let moment = d.pose.rotation * number.moment() * (slope * c.shortening * d.shortening);
        on_carriers(&sample.frames, force, moment)
    }

    /// Force and moment on the carriers in proportion to the motion of C seen from D under velocities `y` of block
    /// rows, weighted as the term itself has them, and the power of these.
    fn along(&self, sample: &mut JointSample, y: &[Vec3]) -> ([Vec3; 4], f64) {
        let [force, moment, ..] = self.wrenches(sample);
        self.along_motion(sample, [force, moment], y)
    }

    /// The same by the force and the moment on the carrier of C.
    fn along_motion(
        &self,
        sample: &JointSample,
        [force, moment]: [Vec3; 2],
        y: &[Vec3],
    ) -> ([Vec3; 4], f64) {
        let [c, d] = &sample.frames;
        let weights = [force, moment - c.arm.cross(&force)].map(|it| it.norm_squared());
        let velocity = |row: Option<u32>| row.map_or_else(Vec3::zeros, |row| y[row as usize]);
        let [move_c, turn_c, move_d, turn_d] = self.rows().map(velocity);
        let reach = c.origin - (d.origin - d.arm);
        let moves = move_c + turn_c.cross(&c.arm) - move_d - turn_d.cross(&reach);
        let turns = turn_c - turn_d;
        let (force, moment) = (moves * weights[0], turns * weights[1]);
        let power = force.dot(&moves) + moment.dot(&turns);
        (on_carriers(&sample.frames, force, moment), power)
    }

    /// The same at positions of block rows: what the carriers of C and D get for a force or moment of 1 on
    /// the number.
    pub(crate) fn wrenches_at(&self, q: &[Vec3], coordinates: &[f64]) -> [Vec3; 4] {
        let frames = [&self.joint.c, &self.joint.d].map(|site| site.placed_at(q));
        let previous = self.joint.previous(coordinates);
        self.wrenches(&mut JointSample::of(&self.joint, frames, previous))
    }
}

/// Force and moment on C at its origin, and their opposites on D, about what carries the frames.
fn on_carriers([c, d]: &[PlacedFrame; 2], force: Vec3, moment: Vec3) -> [Vec3; 4] {
    let reach = c.origin - (d.origin - d.arm);
    [force, c.arm.cross(&force) + moment, -force, -(reach.cross(&force) + moment)]
}
