//! The start of a step, to go back to.

use nalgebra::UnitQuaternion;

use crate::attachment::Turning;
use crate::system::{ContactForce, Multibody, State};
use crate::{Mat3, Vec3};

/// The start of a step and of one of its parts.
pub(in crate::solve) struct StartState {
    /// Before anything was done.
    pub(super) before_q: Vec<Vec3>,
    pub(super) before_u: Vec<Vec3>,
    /// True if the state had multipliers then.
    pub(super) had_multipliers: bool,
    /// The same on the rows.
    pub(super) whole_q: Vec<Vec3>,
    pub(super) whole_u: Vec<Vec3>,
    pub(super) whole_multipliers: Vec<f64>,
    /// Multipliers at the start of the part under way.
    pub(super) part_multipliers: Vec<f64>,
    pub(super) before_contacts: Vec<ContactForce>,
    pub(super) before_ranges: Vec<f64>,
    pub(super) orientations: Vec<UnitQuaternion<f64>>,
    pub(super) turns: Vec<Mat3>,
    /// Polar factors of what fitted bodies follow.
    pub(super) turnings: Vec<Turning>,
    /// Values of the rows.
    pub(super) values: Vec<f64>,
    /// Rates of the rows that have an inertia.
    pub(super) rates: Vec<f64>,
    /// Coordinates of the joints; of locks along paths those at the end of the substep.
    pub(super) coordinates: Vec<f64>,
}

impl StartState {
    pub(super) fn new(size: usize, count: usize, multibody: &Multibody) -> Self {
        let bodies = multibody.bodies.len();
        let vectors = || vec![Vec3::zeros(); size];
        Self {
            before_q: vectors(),
            before_u: vectors(),
            whole_q: vectors(),
            whole_u: vectors(),
            whole_multipliers: vec![0.0; count],
            part_multipliers: Vec::with_capacity(count),
            before_contacts: Vec::new(),
            before_ranges: Vec::new(),
            had_multipliers: false,
            orientations: vec![UnitQuaternion::identity(); bodies],
            turns: vec![Mat3::zeros(); bodies],
            turnings: vec![Turning::of(&Mat3::identity()); multibody.attachments.fitted.len()],
            values: vec![0.0; count],
            rates: vec![0.0; count],
            coordinates: Vec::new(),
        }
    }

    /// Keeps a state with `count` constraint rows as it is before anything is done.
    pub(super) fn keep(&mut self, state: &State, count: usize) {
        self.coordinates.clone_from(&state.coordinates);
        self.before_q.copy_from_slice(&state.q);
        self.before_u.copy_from_slice(&state.u);
        self.before_contacts.clone_from(&state.contacts);
        self.before_ranges.clone_from(&state.range_forces);
        self.whole_multipliers.resize(count, 0.0);
        self.whole_multipliers.fill(0.0);
        self.had_multipliers = state.multipliers.len() == count;
        if self.had_multipliers {
            self.whole_multipliers.copy_from_slice(&state.multipliers);
        }
    }

    /// Takes a state of later for the start of the step, on the rows.
    pub(in crate::solve) fn begin_at(&mut self, state: &State) {
        self.whole_q.copy_from_slice(&state.q);
        self.whole_u.copy_from_slice(&state.u);
        self.whole_multipliers.copy_from_slice(&state.multipliers);
    }

    /// Back to the start of the step, on the rows.
    pub(super) fn go_back(&self, state: &mut State) {
        state.q.copy_from_slice(&self.whole_q);
        state.u.copy_from_slice(&self.whole_u);
        state.multipliers.copy_from_slice(&self.whole_multipliers);
    }

    /// Brings back the state before the step.
    pub(super) fn restore(&self, state: &mut State) {
        state.q.copy_from_slice(&self.before_q);
        state.u.copy_from_slice(&self.before_u);
        state.contacts.clone_from(&self.before_contacts);
        state.range_forces.clone_from(&self.before_ranges);
        state.multipliers.clear();
        if self.had_multipliers {
            state.multipliers.extend_from_slice(&self.whole_multipliers);
        }
    }
}
