//! Bilateral rows at the border of tissue (joints, constraints, couplings) in a step of backward Euler: their values at the
//! end of an iterate, their vectors half way, and the impulses that meet them, by responses that a device has found. The equations are
//! those of a step of the CPU (docs/theory/rigid.md); the iteration is in docs/theory/device.md, "Joints".

use nalgebra::{DMatrix, DVector};

use super::border_bodies::BorderBodies;
use super::{BorderForces, CompiledModel, MechSystem, Multibody, State};
use crate::attachment::{Attachments, RowReduction};
use crate::constraint::{POSITION_TOLERANCE, Placement, RowMotion, RowStep, StepOfRows};
use crate::linalg::kkt::ConstraintPattern;
use crate::{Mat3, Vec3};

/// Shares of its response that each row yields, so that redundant rows split their impulses; the next one is tried where the
/// matrix of the responses is not positive. The first is ten times what solves for the responses leave; iterations remove what it lets
/// through.
const YIELDS: [f64; 3] = [1e-5, 1e-3, 1e-1];

/// An iteration that leaves more than this share of the error of the rows asks for new responses [-].
const CONTRACTION: f64 = 0.25;

/// Change of the impulses at a border, and the error of the rows that they are to meet.
#[derive(Clone, Copy, Debug, Default)]
pub struct BorderCorrection {
    /// Norm of the change in the unknowns of rows [N s].
    pub change: f64,
    /// Largest error of the rows in the iterate before [m], [-]; 0 where there are none.
    pub error: f64,
}

impl BorderCorrection {
    /// True if the rows are met as a step of the CPU meets them.
    pub fn meets_rows(&self) -> bool {
        self.error < POSITION_TOLERANCE
    }
}

/// The rows, and their state in the step under way.
pub(super) struct BorderRows {
    full: ConstraintPattern,
    attachments: Attachments,
    reduction: RowReduction,
    /// Block rows with vectors of the reduced rows, rising.
    carriers: Vec<u32>,
    h: f64,
    motion: Motions,
    before: Vec<f64>,
    rates: Vec<f64>,
    values: Vec<f64>,
    vectors: Vec<Vec3>,
    reduced: Vec<Vec3>,
    impulses: Vec<f64>,
    error: f64,
    responses: Responses,
}

/// Places and velocities by block row, of which those at the border, of what is attached to it and of bodies count.
struct Motions {
    seen: Vec<u32>,
    start: Vec<Vec3>,
    end: Vec<Vec3>,
    mean: Vec<Vec3>,
    velocities: Vec<Vec3>,
    turns: Vec<Mat3>,
    coordinates: Vec<f64>,
}

/// Velocities that carriers gain by impulses on rows.
#[derive(Default)]
struct Responses {
    /// Those of an impulse of 1 N s, by row, then by carrier.
    velocities: Vec<Vec3>,
    /// Velocities of the carriers in the iterate.
    base: Vec<Vec3>,
    /// Length of the steps that they are for [s]; 0 before there are any.
    h: f64,
    /// True if they were found in the step under way.
    is_fresh: bool,
    /// Error of the rows when they were last corrected; infinite before.
    corrected: f64,
}

impl BorderRows {
    /// The rows of a model; `touched` are the block rows of its border with what is attached to it. `None` without rows.
    pub(super) fn new(system: &CompiledModel, touched: &[u32]) -> Option<Self> {
        let multibody = system.multibody().filter(|it| it.joints.rows.count() > 0)?;
        let (size, count) = (system.block_count(), multibody.joints.rows.count());
        let full = multibody.joints.rows.pattern(size);
        let attachments = multibody.attachments.resolved.clone();
        let reduction = RowReduction::new(&full, &attachments);
        let mut carriers = reduction.pattern().blocks().to_vec();
        carriers.sort_unstable();
        carriers.dedup();
        let vectors = || vec![Vec3::zeros(); size];
        let of_bodies = multibody.bodies.iter().flat_map(|body| [body.row, body.row + 1]);
        let motion = Motions {
            seen: touched.iter().copied().chain(of_bodies).collect(),
            start: vectors(),
            end: vectors(),
            mean: vectors(),
            velocities: vectors(),
            turns: vec![Mat3::identity(); multibody.bodies.len()],
            coordinates: Vec::new(),
        };
        let scalars = || vec![0.0; count];
        Some(Self {
            vectors: vec![Vec3::zeros(); full.entry_count()],
            reduced: vec![Vec3::zeros(); reduction.pattern().entry_count()],
            responses: Responses {
                velocities: vec![Vec3::zeros(); count * carriers.len()],
                ..Responses::default()
            },
            full,
            attachments,
            reduction,
            carriers,
            h: 0.0,
            motion,
            before: scalars(),
            rates: scalars(),
            values: scalars(),
            impulses: scalars(),
            error: 0.0,
        })
    }

    fn count(&self) -> usize {
        self.impulses.len()
    }

    /// Begins a step of `h` [s] from a state, whose bodies have begun it: the first iterate goes on as it moves.
    pub(super) fn begin(
        &mut self,
        multibody: &Multibody,
        bodies: &mut BorderBodies,
        (state, h): (&State, f64),
    ) {
        self.h = h;
        (self.responses.is_fresh, self.responses.corrected) = (false, f64::INFINITY);
        let Motions { seen, start, end, coordinates, .. } = &mut self.motion;
        for &row in &*seen {
            let row = row as usize;
            (start[row], end[row]) = (state.q[row], state.q[row] + state.u[row] * h);
        }
        coordinates.clone_from(&state.coordinates);
        self.impulses.fill(0.0);
        let forces = self.impulses.iter_mut().zip(&state.multipliers);
        forces.for_each(|(impulse, force)| *impulse = force * h);
        self.set_start(multibody, bodies.rotations()[0], &state.u);
        self.update(multibody, bodies);
    }

    /// Values of the rows at the start, and rates of those with an inertia, with bodies turned so and velocities `u`.
    fn set_start(&mut self, multibody: &Multibody, turns: &[Mat3], u: &[Vec3]) {
        let Self { full, motion, before, rates, vectors, .. } = self;
        let Motions { start, coordinates, .. } = motion;
        let mut reader = multibody.joints.rows.at(Placement { q: start, turns, coordinates });
        for (row, value) in before.iter_mut().enumerate() {
            *value = reader.value(row);
            if multibody.joints.inertia[row] != 0.0 {
                reader.coefficients(row, &mut vectors[full.entries(row)]);
                rates[row] = full.velocity(row, vectors, u);
            }
        }
    }

    /// Takes places at the end of the iterate by displacements from `rest` [m] and velocities of the rows of the border.
    fn take(&mut self, rows: &[u32], (rest, motion): (&[Vec3], &[f64])) {
        for (&row, motion) in rows.iter().zip(motion.as_chunks::<6>().0) {
            self.motion.end[row as usize] =
                rest[row as usize] + Vec3::from_column_slice(&motion[..3]);
        }
    }

    /// Values and vectors of the rows, and the largest error, in the iterate that places at the end and bodies have.
    fn update(&mut self, multibody: &Multibody, bodies: &mut BorderBodies) {
        let Self { motion, h, .. } = self;
        self.attachments.update_weights(bodies.weights_half_way(multibody));
        let [_, mean_turns, end_turns] = bodies.rotations();
        let Motions { seen, start, end, mean, velocities, turns, coordinates } = motion;
        for (k, body) in bodies.moving(multibody) {
            end[body.row as usize + 1] = bodies.end(k)[0];
        }
        turns.copy_from_slice(end_turns);
        multibody.place_attached(turns, end);
        for &row in &*seen {
            let row = row as usize;
            mean[row] = (start[row] + end[row]) * 0.5;
            velocities[row] = (end[row] - start[row]) / *h;
        }
        for (k, body) in bodies.moving(multibody) {
            velocities[body.row as usize + 1] = bodies.velocity(k);
        }
        let end = Placement { q: end, turns: end_turns, coordinates };
        let mean = Placement { q: mean, turns: mean_turns, coordinates };
        let step = StepOfRows { end, mean, before: &self.before, velocities, h: *h };
        let (rows, entries) = (&multibody.joints.rows, |row| self.full.entries(row));
        rows.update(step, entries, (&mut self.values, &mut self.vectors));
        self.reduction.reduce(&self.attachments, &self.vectors, &mut self.reduced);
        let sizes = (0..self.count()).map(|row| {
            let soft = &multibody.joints.compliance[row];
            soft.size_of_error(self.step_of(multibody, row), self.error_of(multibody, row))
        });
        // A maximum that keeps what is not a number.
        self.error = sizes.fold(0.0, |most, size| if size <= most { most } else { size });
    }

    fn step_of(&self, multibody: &Multibody, row: usize) -> RowStep {
        RowStep { h: self.h, weight: 1.0, inertia: multibody.joints.inertia[row] }
    }

    fn error_of(&self, multibody: &Multibody, row: usize) -> f64 {
        let motion = RowMotion {
            before: self.before[row],
            after: self.values[row],
            rate: self.rates[row],
            impulse: self.impulses[row],
        };
        multibody.joints.compliance[row].error(self.step_of(multibody, row), motion)
    }

    /// Vectors of a row by block row.
    fn vectors_of(&self, row: usize) -> impl Iterator<Item = (u32, Vec3)> {
        let pattern = self.reduction.pattern();
        pattern.entries(row).map(|entry| (pattern.blocks()[entry], self.reduced[entry]))
    }

    /// Adds the impulses of all rows to those of block rows.
    pub(super) fn push(&self, impulses: &mut [Vec3]) {
        for (row, impulse) in self.impulses.iter().enumerate() {
            for (block, by) in self.vectors_of(row) {
                impulses[block as usize] += by * *impulse;
            }
        }
    }

    /// Rate that a row gains by an impulse of 1 N s on another [1/kg].
    fn response(&self, row: usize, other: usize) -> f64 {
        let Self { carriers, responses, .. } = self;
        let own = &responses.velocities[other * carriers.len()..(other + 1) * carriers.len()];
        let gained = |(block, by): (u32, Vec3)| {
            let carrier = carriers.binary_search(&block).expect("it is a carrier of the row");
            by.dot(&own[carrier])
        };
        self.vectors_of(row).map(gained).sum()
    }

    /// Changes the impulses so that the rows are met, if velocities respond as is known; where nothing is known, not at all.
    fn correct(&mut self, multibody: &Multibody) {
        if self.responses.h != self.h {
            return;
        }
        self.responses.corrected = self.error;
        let (count, h) = (self.count(), self.h);
        let mut right = DVector::zeros(count);
        let mut matrix = DMatrix::from_fn(count, count, |i, j| {
            0.5 * (self.response(i, j) + self.response(j, i))
        });
        for (row, soft) in multibody.joints.compliance.iter().enumerate() {
            let scale = soft.scale(self.step_of(multibody, row));
            right[row] = -self.error_of(multibody, row) / (h * scale);
            matrix[(row, row)] += soft.compliance / (h * h * scale);
        }
        if let Some(change) = solve(&matrix, &right) {
            self.impulses.iter_mut().zip(&change).for_each(|(impulse, by)| *impulse += by);
        }
    }
}

/// Solves with a matrix of responses, of which each row yields a little; `None` where it is degenerate beyond that.
fn solve(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    let factor = YIELDS.iter().find_map(|share| {
        let mut matrix = matrix.clone();
        for row in 0..right.len() {
            // A row that nothing responds to has no impulse worth the name.
            let own = matrix[(row, row)];
            matrix[(row, row)] = if own > 0.0 { own * (1.0 + share) } else { f64::MAX };
        }
        matrix.cholesky()
    })?;
    Some(factor.solve(right))
}

impl BorderForces {
    /// Number of bilateral rows at the border.
    pub fn row_count(&self) -> usize {
        self.joints.as_ref().map_or(0, BorderRows::count)
    }

    /// True if a state has no multipliers of the rows yet: it is to be brought onto them before its first step.
    pub fn is_off_rows(&self, state: &State) -> bool {
        self.joints.as_ref().is_some_and(|rows| rows.count() != state.multipliers.len())
    }

    /// Takes the velocities of the border that a device has found as an iterate: displacement from `rest` [m] and velocity of each row.
    pub fn take_iterate(&mut self, system: &CompiledModel, rest: &[Vec3], motion: &[f64]) {
        let Some(multibody) = system.multibody() else { return };
        self.take_velocities(multibody, motion);
        let base = self.velocities_of_carriers(motion);
        let Self { joints: Some(joints), rows, bodies, .. } = self else { return };
        joints.responses.base = base;
        joints.take(rows, (rest, motion));
        joints.update(multibody, bodies);
    }

    fn velocities_of_carriers(&self, motion: &[f64]) -> Vec<Vec3> {
        let carriers = self.joints.iter().flat_map(|joints| &joints.carriers);
        carriers.map(|&row| self.velocity_in(motion, row)).collect()
    }

    /// True if the rows are not met in the iterate, and it is not known how velocities respond to impulses on them.
    pub fn asks_for_responses(&self) -> bool {
        self.joints.as_ref().is_some_and(|rows| {
            let known = rows.responses.h == rows.h;
            let slow = rows.error > CONTRACTION * rows.responses.corrected;
            let stale = slow && !rows.responses.is_fresh;
            rows.error >= POSITION_TOLERANCE && (!known || stale)
        })
    }

    /// Norm of the vector of a row in the unknowns of block rows [-].
    pub fn norm_of_row(&self, row: usize) -> f64 {
        let vectors = self.joints.iter().flat_map(|rows| rows.vectors_of(row));
        vectors.map(|(block, by)| (by * self.scale(block)).norm_squared()).sum::<f64>().sqrt()
    }

    /// Impulse at each block row with one more on a constraint row [N s].
    pub fn impulses_with(&self, row: usize, impulse: f64) -> impl Iterator<Item = Vec3> {
        let (rows, own) = (self.rows().iter(), self.impulses());
        rows.zip(own).map(move |(&block, own)| {
            let vectors = self.joints.iter().flat_map(|rows| rows.vectors_of(row));
            let on = vectors.filter(|(on, _)| *on == block).map(|(_, by)| by).sum::<Vec3>();
            own + on * (impulse * self.scale(block))
        })
    }

    /// Takes displacements and velocities of the border under [`Self::impulses_with`] one more impulse on a row, after those without it
    /// ([`Self::take_iterate`]).
    pub fn set_response(&mut self, (row, impulse): (usize, f64), motion: &[f64]) {
        let velocities = self.velocities_of_carriers(motion);
        let Some(joints) = &mut self.joints else { return };
        let (step, is_last) = (joints.h, row + 1 == joints.count());
        let Responses { velocities: gained, base, h, is_fresh, .. } = &mut joints.responses;
        let gained = &mut gained[row * base.len()..(row + 1) * base.len()];
        for ((gained, now), before) in gained.iter_mut().zip(velocities).zip(&*base) {
            *gained = (now - before) / impulse;
        }
        (*h, *is_fresh) = (if is_last { step } else { 0.0 }, is_last);
    }

    /// Drops the responses: those of the next step are of that alone.
    pub fn forget_responses(&mut self) {
        self.joints.iter_mut().for_each(|rows| rows.responses.h = 0.0);
    }

    /// Corrects the impulses about the iterate: by how bodies turn in it, and so that rows are met.
    pub fn correct(&mut self, system: &CompiledModel) -> BorderCorrection {
        let Some(multibody) = system.multibody() else { return BorderCorrection::default() };
        if self.scales().is_empty() && self.joints.is_none() {
            return BorderCorrection::default();
        }
        let before: Vec<Vec3> = self.impulses().collect();
        let error = self.joints.as_mut().map_or(0.0, |rows| {
            rows.correct(multibody);
            rows.error
        });
        self.set_impulses(system);
        let changes = self.impulses().zip(&before).map(|(now, before)| now - before);
        let change = changes.map(|change| change.norm_squared()).sum::<f64>().sqrt();
        BorderCorrection { change, error }
    }

    /// Mean forces of the rows in the step that has ended, into a state, with the coordinates of joints.
    pub(super) fn end_rows(&self, multibody: &Multibody, state: &mut State) {
        if let Some(rows) = &self.joints {
            state.multipliers.clear();
            state.multipliers.extend(rows.impulses.iter().map(|impulse| impulse / rows.h));
        }
        multibody.update_coordinates(&state.q, &mut state.coordinates);
    }
}
