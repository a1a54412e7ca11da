//! The part of an instance that the host computes: memory and activity of muscles, and the forces of what touches tissue
//! at its border.

use sinew::Vec3;
use sinew::force::{BundleDrive, Fault};
use sinew::system::{BorderCorrection, BorderForces, CompiledModel, State};

use super::factors::Rule;

/// The latest state as far as the host knows it, and what it computes from that for a step.
pub(super) struct HostPart {
    /// Time, memory, forces of rows and coordinates, and of positions and velocities those of the border with what is attached to it; none without a border.
    state: State,
    drives: Vec<BundleDrive>,
    border: Option<BorderForces>,
}

/// Parts of a state that are on the host.
pub(super) struct BesideMotion {
    pub(super) memory: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) range_forces: Vec<f64>,
    pub(super) coordinates: Vec<f64>,
    /// Position and velocity of each row of the bodies that move.
    pub(super) bodies: Vec<(usize, [Vec3; 2])>,
}

impl HostPart {
    /// At a state of a model.
    pub(super) fn of(system: &CompiledModel, state: &State) -> Self {
        let border = system.device_view().border();
        let mut part = Self { state: State::default(), drives: Vec::new(), border };
        part.go_on_from(state);
        part
    }

    /// Activity of the bundles in a step of `h` [s].
    pub(super) fn drives(
        &mut self,
        system: &CompiledModel,
        (rule, h): (Rule, f64),
    ) -> &[BundleDrive] {
        self.drives.clear();
        if let Some(muscles) = system.device_view().muscles() {
            let after = (&self.state.memory[..], rule.memory_step(h));
            let of = |bundle| muscles.drive(bundle, after, rule.load_time((self.state.time, h)));
            self.drives.extend((0..muscles.bundle_count()).map(of));
        }
        &self.drives
    }

    /// Computes forces and stiffness at the border for a step of `h` [s].
    ///
    /// # Errors
    /// The [`Fault`] of a shell.
    pub(super) fn update_border(
        &mut self,
        system: &CompiledModel,
        (rule, h): (Rule, f64),
    ) -> Result<(), Fault> {
        let Self { state, border, .. } = self;
        border.iter_mut().try_for_each(|border| border.update(system, state, rule.border_step(h)))
    }

    /// Impulses of the border as they were computed last [N s].
    pub(super) fn border_impulses(&self) -> Vec<f64> {
        let impulses = self.border.iter().flat_map(BorderForces::impulses);
        impulses.flat_map(|impulse| impulse.data.0[0]).collect()
    }

    /// Blocks of the border as they were computed last, row by row [kg].
    pub(super) fn border_blocks(&self) -> Vec<f64> {
        let by_rows = |block: sinew::Mat3| block.transpose().data.0.into_iter().flatten();
        self.border.iter().flat_map(BorderForces::blocks).flat_map(by_rows).collect()
    }

    /// Takes an accepted step of `h` [s]; `motion` are displacement, from `rest` [m], and velocity of each row of the border at
    /// its end.
    pub(super) fn advance(
        &mut self,
        (system, rest): (&CompiledModel, &[Vec3]),
        h: f64,
        motion: &[f64],
    ) {
        let Self { state, border, .. } = self;
        border.iter_mut().for_each(|border| border.take_end(system, (rest, motion), state));
        system.device_view().advance_memory(h, state);
        state.time += h;
    }

    /// Takes the motion of the border that a solve has found.
    pub(super) fn take_iterate(
        &mut self,
        (system, rest): (&CompiledModel, &[Vec3]),
        motion: &[f64],
    ) {
        self.border.iter_mut().for_each(|border| border.take_iterate(system, rest, motion));
    }

    /// Changes the impulses of the border by how bodies turn in the iterate, and so that rows are met.
    pub(super) fn correct(&mut self, system: &CompiledModel) -> BorderCorrection {
        self.border.as_mut().map_or_else(BorderCorrection::default, |border| border.correct(system))
    }

    /// The border, where the model has one.
    pub(super) fn border(&self) -> Option<&BorderForces> {
        self.border.as_ref()
    }

    pub(super) fn border_mut(&mut self) -> Option<&mut BorderForces> {
        self.border.as_mut()
    }

    /// True if the latest state is to be brought onto the rows of joints before its first step.
    pub(super) fn is_off_rows(&self) -> bool {
        self.border.as_ref().is_some_and(|border| border.is_off_rows(&self.state))
    }

    /// Rows of the rotations of bodies that move, with the factors of their unknowns [1/m].
    pub(super) fn scales(&self) -> &[(u32, f64)] {
        self.border.as_ref().map_or(&[], |border| border.scales())
    }

    /// Position and velocity of each row of the bodies that move.
    fn bodies(&self) -> Vec<(usize, [Vec3; 2])> {
        let rows = self.scales().iter().flat_map(|&(row, _)| [row as usize - 1, row as usize]);
        rows.map(|row| (row, [self.state.q[row], self.state.u[row]])).collect()
    }

    /// Puts attached points of a state where their masters have them.
    pub(super) fn place_attached(&mut self, system: &CompiledModel, state: &mut State) {
        self.border.iter_mut().for_each(|border| border.place_attached(system, state));
    }

    /// Time of the latest state [s].
    pub(super) fn time(&self) -> f64 {
        self.state.time
    }

    /// Parts that the latest state has beside positions and velocities.
    pub(super) fn beside_motion(&self) -> BesideMotion {
        let State { memory, multipliers, range_forces, coordinates, .. } = &self.state;
        BesideMotion {
            memory: memory.clone(),
            multipliers: multipliers.clone(),
            range_forces: range_forces.clone(),
            coordinates: coordinates.clone(),
            bodies: self.bodies(),
        }
    }

    /// Goes on from a state.
    pub(super) fn go_on_from(&mut self, state: &State) {
        self.state.time = state.time;
        self.state.memory.clone_from(&state.memory);
        self.state.multipliers.clone_from(&state.multipliers);
        self.state.range_forces.clone_from(&state.range_forces);
        self.state.coordinates.clone_from(&state.coordinates);
        if self.border.is_some() {
            self.state.q.clone_from(&state.q);
            self.state.u.clone_from(&state.u);
        }
    }

    /// Goes on from where another one is.
    pub(super) fn take_over(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
    }
}
