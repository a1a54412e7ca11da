//! Rows of joints, constraints and ranges at the border of tissue in a step of backward Euler: their errors at the end of an iterate and the
//! impulses that meet them. The equations are those of a step of the CPU (docs/theory/rigid.md, unilateral.md); the iteration is in
//! docs/theory/device.md, "Joints".

use super::border_bodies::BorderBodies;
use super::border_ranges::{BorderRanges, RowImpacts};
use super::border_responses::{Responses, RowState};
use super::border_vectors::RowVectors;
use super::{BorderForces, CompiledModel, MechSystem, Multibody, State};
use crate::attachment::Attachments;
use crate::constraint::{POSITION_TOLERANCE, Placement, RowMotion, RowStep, StepOfRows};
use crate::lcp::Bound;
use crate::{Mat3, Vec3};

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

/// The rows, and their state in the step under way. Bilateral ones are numbered first.
pub(super) struct BorderRows {
    attachments: Attachments,
    h: f64,
    motion: Motions,
    vectors: RowVectors,
    before: Vec<f64>,
    rates: Vec<f64>,
    values: Vec<f64>,
    impulses: Vec<f64>,
    ranges: BorderRanges,
    impacts: RowImpacts,
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

impl Motions {
    fn new(size: usize, multibody: &Multibody, touched: &[u32]) -> Self {
        let vectors = || vec![Vec3::zeros(); size];
        let of_bodies = multibody.bodies.iter().flat_map(|body| [body.row, body.row + 1]);
        Self {
            seen: touched.iter().copied().chain(of_bodies).collect(),
            start: vectors(),
            end: vectors(),
            mean: vectors(),
            velocities: vectors(),
            turns: vec![Mat3::identity(); multibody.bodies.len()],
            coordinates: Vec::new(),
        }
    }
}

impl BorderRows {
    /// The rows of a model; `touched` are the block rows of its border with what is attached to it. `None` without rows.
    pub(super) fn new(system: &CompiledModel, touched: &[u32]) -> Option<Self> {
        let multibody = system.multibody()?;
        let (joints, size) = (&multibody.joints, system.block_count());
        let count = joints.rows.count();
        let vectors = RowVectors::new(joints.rows.lists(), size, multibody);
        let ranges = BorderRanges::new(system, multibody);
        let all = count + ranges.count();
        if all == 0 {
            return None;
        }
        let blocks = vectors.blocks().iter().chain(ranges.vectors.blocks()).copied();
        let responses = Responses::new(blocks.collect(), all);
        let scalars = || vec![0.0; count];
        Some(Self {
            attachments: multibody.attachments.resolved.clone(),
            responses,
            h: 0.0,
            motion: Motions::new(size, multibody, touched),
            vectors,
            before: scalars(),
            rates: scalars(),
            values: scalars(),
            impulses: scalars(),
            ranges,
            impacts: RowImpacts::default(),
            error: 0.0,
        })
    }

    fn count(&self) -> usize {
        self.impulses.len() + self.ranges.count()
    }

    /// Begins a step of `h` [s] from a state, whose bodies have begun it: the first iterate goes on as it moves.
    pub(super) fn begin(
        &mut self,
        multibody: &Multibody,
        bodies: &mut BorderBodies,
        (state, h): (&State, f64),
    ) {
        self.h = h;
        self.impacts = RowImpacts::default();
        self.responses.begin_step();
        let Motions { seen, start, end, coordinates, .. } = &mut self.motion;
        for &row in &*seen {
            let row = row as usize;
            (start[row], end[row]) = (state.q[row], state.q[row] + state.u[row] * h);
        }
        coordinates.clone_from(&state.coordinates);
        self.impulses.fill(0.0);
        let forces = self.impulses.iter_mut().zip(&state.multipliers);
        forces.for_each(|(impulse, force)| *impulse = force * h);
        self.attachments.update_weights(bodies.weights_at_start(multibody));
        self.set_start(multibody, bodies.rotations()[0], state);
        self.update(multibody, bodies);
    }

    /// Values of the rows at the start, and rates of those with an inertia; the rows of ranges.
    fn set_start(&mut self, multibody: &Multibody, turns: &[Mat3], state: &State) {
        let Self { vectors, motion, before, rates, ranges, attachments, h, .. } = self;
        let Motions { start, coordinates, .. } = motion;
        let at = Placement { q: start, turns, coordinates };
        let joints = &multibody.joints;
        let (gaps, u) = (&joints.unilateral, &state.u[..]);
        ranges.begin(gaps, (at, &*attachments), (u, *h), &state.range_forces);
        let mut reader = joints.rows.at(at);
        for (row, value) in before.iter_mut().enumerate() {
            *value = reader.value(row);
            if joints.inertia[row] != 0.0 {
                reader.coefficients(row, vectors.of_carriers_mut(row));
                rates[row] = vectors.pattern.velocity(row, &vectors.values, &state.u);
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
        let Self { motion, h, vectors, .. } = self;
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
        let (pattern, values) = (&vectors.pattern, &mut vectors.values);
        let rows = &multibody.joints.rows;
        rows.update(step, |row| pattern.entries(row), (&mut self.values, values));
        vectors.reduce(&self.attachments);
        self.ranges.update(&multibody.joints.unilateral, end, velocities);
        self.set_error(multibody);
    }

    fn set_error(&mut self, multibody: &Multibody) {
        let bilateral = self.impulses.len();
        let sizes = (0..bilateral).map(|row| {
            let soft = &multibody.joints.compliance[row];
            soft.size_of_error(self.step_of(multibody, row), self.error_of(multibody, row))
        });
        let own = |row: usize| match self.responses.is_known(bilateral + row, self.h) {
            true => self.response(bilateral + row, bilateral + row),
            false => 1.0,
        };
        let of_ranges = self.ranges.error(self.h, own);
        // A maximum that keeps what is not a number.
        self.error = sizes.fold(of_ranges, |most, size| if size <= most { most } else { size });
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
        match row.checked_sub(self.impulses.len()) {
            None => self.vectors.of(row),
            Some(range) => self.ranges.vectors.of(range),
        }
    }

    /// Adds the impulses of all rows to those of block rows.
    pub(super) fn push(&self, impulses: &mut [Vec3]) {
        self.vectors.push(&self.impulses, impulses);
        self.ranges.vectors.push(&self.ranges.impulses, impulses);
    }

    /// Rate that a row gains by an impulse of 1 N s on another [1/kg].
    fn response(&self, row: usize, other: usize) -> f64 {
        self.vectors_of(row).map(|(block, by)| by.dot(&self.responses.of(other, block))).sum()
    }

    /// Rows that may have impulses in this step.
    fn active(&self) -> impl Iterator<Item = usize> {
        let bilateral = self.impulses.len();
        let may = move |row: &usize| *row < bilateral || self.ranges.is_near(*row - bilateral);
        (0..self.count()).filter(may)
    }

    /// Rows whose responses are not known, or of an earlier step that they have changed since, where some row is not met.
    fn asked(&self) -> Vec<usize> {
        if self.error < POSITION_TOLERANCE || self.error.is_nan() {
            return Vec::new();
        }
        let asks = |row: &usize| self.responses.asks(*row, (self.h, self.error));
        self.active().filter(asks).collect()
    }

    /// Changes the impulses so that the rows are met, if velocities respond as is known; where something is not known, not at all.
    fn correct(&mut self, multibody: &Multibody) {
        let active: Vec<usize> = self.active().collect();
        if !active.iter().all(|&row| self.responses.is_known(row, self.h)) {
            return;
        }
        self.responses.note_correction(self.error);
        let states: Vec<RowState> =
            active.iter().map(|&row| self.state_of(multibody, row)).collect();
        let matrix: Vec<f64> = (active.iter())
            .flat_map(|&i| active.iter().map(move |&j| (i, j)))
            .map(|(i, j)| 0.5 * (self.response(i, j) + self.response(j, i)))
            .collect();
        let Some(impulses) = self.responses.solve(&matrix, &states) else { return };
        let bilateral = self.impulses.len();
        for (row, impulse) in active.into_iter().zip(impulses) {
            match row.checked_sub(bilateral) {
                None => self.impulses[row] = impulse,
                Some(range) => self.ranges.impulses[range] = impulse,
            }
        }
    }

    fn state_of(&self, multibody: &Multibody, row: usize) -> RowState {
        if let Some(range) = row.checked_sub(self.impulses.len()) {
            let BorderRanges { excess, compliance, impulses, .. } = &self.ranges;
            let (excess, compliance) = (excess[range], compliance[range]);
            return RowState {
                excess,
                compliance,
                impulse: impulses[range],
                bound: Bound::Unilateral,
            };
        }
        let soft = &multibody.joints.compliance[row];
        let (h, scale) = (self.h, soft.scale(self.step_of(multibody, row)));
        RowState {
            excess: self.error_of(multibody, row) / (h * scale),
            compliance: soft.compliance / (h * h * scale),
            impulse: self.impulses[row],
            bound: Bound::Bilateral,
        }
    }
}

impl BorderForces {
    /// Number of rows of joints, constraints and ranges at the border.
    pub fn row_count(&self) -> usize {
        self.joints.as_ref().map_or(0, BorderRows::count)
    }

    /// True if a state has no multipliers of the bilateral rows yet: it is to be brought onto them before its first step.
    pub fn is_off_rows(&self, state: &State) -> bool {
        let joints = self.joints.as_ref();
        joints.is_some_and(|rows| rows.impulses.len() != state.multipliers.len())
    }

    /// Takes the velocities of the border that a device has found as an iterate: displacement from `rest` [m] and velocity of each row.
    pub fn take_iterate(&mut self, system: &CompiledModel, rest: &[Vec3], motion: &[f64]) {
        let Some(multibody) = system.multibody() else { return };
        self.take_velocities(multibody, motion);
        let base = self.velocities_of_carriers(motion);
        let Self { joints: Some(joints), rows, bodies, .. } = self else { return };
        joints.responses.begin_iterate(base);
        joints.take(rows, (rest, motion));
        joints.update(multibody, bodies);
    }

    fn velocities_of_carriers(&self, motion: &[f64]) -> Vec<Vec3> {
        let bases = self.joints.iter().flat_map(|joints| joints.responses.bases());
        bases.map(|&row| self.velocity_in(motion, row)).collect()
    }

    /// Rows of which it must be known how velocities respond to impulses on them, as rows are not met in the iterate.
    pub fn rows_to_find(&self) -> Vec<usize> {
        self.joints.as_ref().map_or_else(Vec::new, BorderRows::asked)
    }

    /// Norm of the vector of a row in the unknowns of block rows [-].
    pub fn norm_of_row(&self, row: usize) -> f64 {
        let vectors = self.joints.iter().flat_map(|rows| rows.vectors_of(row));
        vectors.map(|(block, by)| (by * self.scale(block)).norm_squared()).sum::<f64>().sqrt()
    }

    /// Impulse at each block row with one more on a constraint row [N s].
    pub fn impulses_with(&self, row: usize, impulse: f64) -> impl Iterator<Item = Vec3> {
        let vectors: Vec<(u32, Vec3)> =
            self.joints.iter().flat_map(|rows| rows.vectors_of(row)).collect();
        self.rows().iter().zip(self.impulses()).map(move |(&block, own)| {
            let on = vectors.iter().filter(|(on, _)| *on == block).map(|(_, by)| by);
            own + on.sum::<Vec3>() * (impulse * self.scale(block))
        })
    }

    /// Takes displacements and velocities of the border under [`Self::impulses_with`] one more impulse on a row, after those without it
    /// ([`Self::take_iterate`]).
    pub fn set_response(&mut self, (row, impulse): (usize, f64), motion: &[f64]) {
        let velocities = self.velocities_of_carriers(motion);
        if let Some(joints) = &mut self.joints {
            joints.responses.set(row, (impulse, joints.h), &velocities);
        }
    }

    /// Drops the responses: those of the next step are of that alone.
    pub fn forget_responses(&mut self) {
        self.joints.iter_mut().for_each(|rows| rows.responses.forget());
    }

    /// True if the step that has ended passed a rigid range by more than is left as it is: the state is to be corrected
    /// ([`crate::solve::MechSystemSolver::take_back_overlaps`]).
    pub fn passes_ranges(&self) -> bool {
        self.joints.as_ref().is_some_and(|rows| rows.ranges.is_passed())
    }

    /// True if the step that has begun strikes a range that springs back: velocities of its start are to be those after the impact
    /// ([`crate::solve::MechSystemSolver::spring_back`]), and the step is to begin anew.
    pub fn springs_back(&self) -> bool {
        self.joints.as_ref().is_some_and(|rows| rows.ranges.springs_back)
    }

    /// Takes the impulses of the impacts that the step which has begun starts with.
    pub fn take_impacts(&mut self, impacts: RowImpacts) {
        if let Some(rows) = &mut self.joints {
            rows.impacts = impacts;
        }
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
            let RowImpacts { ranges, multipliers } = &rows.impacts;
            let forces = [
                (&mut state.multipliers, &rows.impulses, multipliers),
                (&mut state.range_forces, &rows.ranges.impulses, ranges),
            ];
            for (forces, impulses, impacts) in forces {
                forces.clear();
                forces.extend(impulses.iter().map(|impulse| impulse / rows.h));
                let struck = forces.iter_mut().zip(impacts);
                struck.for_each(|(force, impulse)| *force += impulse / rows.h);
            }
        }
        multibody.update_coordinates(&state.q, &mut state.coordinates);
    }
}
