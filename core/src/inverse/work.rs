//! A step in derivatives: where it leads with the excitations of now, and the response of each target to each excitation.

use crate::Vec3;
use crate::force::{ExcitationSource, Fault};
use crate::inverse::sensor_target::{SensorResponse, reading};
use crate::inverse::target::PlacedTarget;
use crate::inverse::{InverseError, MotionTarget, TrackedExcitation};
use crate::model::Model;
use crate::solve::{MechSystemSolver, ResponseAccuracy, SolverSettings, StepResponse};
use crate::system::{CompiledModel, State, StepError, excited_step};

/// Data and work vectors that belong to one compiled system.
pub(super) struct StepDerivatives {
    solver: MechSystemSolver,
    pub(super) sources: Vec<ExcitationSource>,
    pub(super) placed: Vec<PlacedTarget>,
    /// End of the step.
    pub(super) end: State,
    velocities: Vec<Vec3>,
    ahead: Vec<Vec3>,
    behind: Vec<Vec3>,
    impulses: Vec<Vec3>,
    response: StepResponse,
    /// The end with the response of multipliers and contacts to each excitation in their place, where targets are forces.
    forces: Vec<State>,
    accuracy: ResponseAccuracy,
}

impl StepDerivatives {
    /// For a compiled model.
    pub(super) fn new(
        (model, compiled): (&Model, &CompiledModel),
        (settings, accuracy): (SolverSettings, ResponseAccuracy),
        (targets, excitations): (&[MotionTarget], &[TrackedExcitation]),
    ) -> Result<Self, TrackingError> {
        let settings = SolverSettings { responses: excitations.len(), ..settings };
        let solver = MechSystemSolver::new(compiled, settings)?;
        let absent = |path: String| TrackingError::Inverse(InverseError::NotSimulated(path));
        let mut sources = Vec::new();
        for excitation in excitations {
            let id = excitation.component;
            let source = compiled.excitation_source(model, id);
            sources.push(source.ok_or_else(|| absent(model.path(id)))?);
        }
        let mut placed = Vec::new();
        for target in targets {
            let place = target.place(model, compiled);
            placed.push(place.ok_or_else(|| absent(target.path(model)))?);
        }
        Ok(Self {
            solver,
            sources,
            placed,
            end: State::default(),
            velocities: Vec::new(),
            ahead: Vec::new(),
            behind: Vec::new(),
            impulses: Vec::new(),
            response: StepResponse::default(),
            forces: Vec::new(),
            accuracy,
        })
    }

    /// Takes the step of `h` [s] from `start` on a copy, and finds the responses of its end.
    pub(super) fn update(
        &mut self,
        compiled: &CompiledModel,
        start: &State,
        h: f64,
    ) -> Result<(), StepError> {
        self.end.clone_from(start);
        // What a solver keeps is not part of a waypoint.
        self.solver.forget();
        self.solver.linearize(compiled, &mut self.end, h)?;
        self.velocities.clear();
        self.velocities.extend_from_slice(self.solver.mean_velocities());
        let size = compiled.block_count();
        self.impulses.clear();
        self.impulses.resize(size * self.sources.len(), Vec3::zeros());
        let step = excited_step(start, (&self.velocities, h), [&mut self.ahead, &mut self.behind]);
        for (source, column) in self.sources.iter().zip(self.impulses.chunks_exact_mut(size)) {
            let added = compiled.add_excitation_impulses(*source, &step, column);
            added.map_err(|fault| named(fault, start.time))?;
        }
        self.solver.respond(
            compiled,
            (&mut self.impulses, h, self.accuracy),
            &mut self.response,
        )?;
        if self.placed.iter().any(PlacedTarget::is_reading) {
            self.place_forces(h);
        }
        Ok(())
    }

    /// Responses of forces as states that have them.
    fn place_forces(&mut self, h: f64) {
        let Self { end, forces, response, sources, .. } = self;
        forces.resize(sources.len(), State::default());
        let (rows, contacts) = (end.multipliers.len(), end.contacts.len());
        for (k, column) in forces.iter_mut().enumerate() {
            column.clone_from(end);
            let changes = &response.multipliers[k * rows..(k + 1) * rows];
            column.multipliers.iter_mut().zip(changes).for_each(|(force, by)| *force = by / h);
            let changes = &response.contacts[k * contacts..(k + 1) * contacts];
            column.contacts.iter_mut().zip(changes).for_each(|(contact, by)| contact.force = *by);
        }
    }

    /// Response of target number `target` to excitation number `k` by a step from `start`: of its mean rate [m/s], [rad/s],
    /// or of a force [N] or a reading.
    pub(super) fn change(
        &self,
        (model, compiled): (&Model, &CompiledModel),
        (target, k): (usize, usize),
        start: &State,
    ) -> Vec3 {
        match &self.placed[target] {
            PlacedTarget::Force(force) => force.value(compiled, &self.forces[k]),
            PlacedTarget::Sensor(sensor) => {
                let forces = self.forces.get(k);
                let response = SensorResponse { end: &self.end, columns: self.columns(k), forces };
                Vec3::x() * response.of((model, compiled), *sensor, start)
            }
            motion => motion.change([start, &self.end], self.columns(k)[0]),
        }
    }

    /// A force or a reading at the end of the step with the excitations of now; of a motion zeros.
    pub(super) fn reading(
        &self,
        (model, compiled): (&Model, &CompiledModel),
        target: usize,
        start: &State,
    ) -> Vec3 {
        match &self.placed[target] {
            PlacedTarget::Force(force) => force.value(compiled, &self.end),
            PlacedTarget::Sensor(sensor) => {
                Vec3::x() * reading((model, compiled), *sensor, [start, &self.end])
            }
            _ => Vec3::zeros(),
        }
    }

    /// Changes of the rows over the step, and of their velocities at its end, by excitation number `k` [m/s], [rad/s].
    fn columns(&self, k: usize) -> [&[Vec3]; 2] {
        let of = k * self.end.q.len()..(k + 1) * self.end.q.len();
        [&self.response.positions, &self.response.velocities].map(|it| &it[of.clone()])
    }
}

/// Errors of the search for excitations.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrackingError {
    #[error(transparent)]
    Inverse(#[from] InverseError),
    #[error(transparent)]
    Step(#[from] StepError),
}

/// A fault of an element as the error of a step that begins at `time` [s].
fn named(fault: Fault, time: f64) -> StepError {
    match fault {
        Fault::Inverted { fem, element, volume_ratio, .. } => {
            StepError::Inverted { fem, element, volume_ratio, time }
        }
        Fault::Unoriented { fem, element, .. } => StepError::Unoriented { fem, element, time },
    }
}
