//! A step in derivatives: where it leads with the excitations of now, and the response of each target to each excitation.

use nalgebra::DMatrix;

use crate::Vec3;
use crate::force::ExcitationSource;
use crate::inverse::row_model::RowModel;
use crate::inverse::sensor_target::{SensorResponse, reading};
use crate::inverse::target::PlacedTarget;
use crate::inverse::{InverseError, MotionTarget, TrackedExcitation};
use crate::model::Model;
use crate::solve::{MechSystemSolver, ResponseAccuracy, RowResponse, SolverSettings, StepResponse};
use crate::system::{CompiledModel, State, SteadyForces, StepError, excited_step};

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
    pub(super) response: StepResponse,
    by_rows: RowResponse,
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
        let mut solver = MechSystemSolver::new(compiled, settings)?;
        let absent = |path: String| TrackingError::Inverse(InverseError::NotSimulated(path));
        let mut sources = Vec::new();
        for excitation in excitations {
            let id = excitation.component;
            let source = compiled.excitation_source(model, id);
            sources.push(source.ok_or_else(|| absent(model.path(id)))?);
        }
        solver.keep_steady(compiled, steady(&sources));
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
            by_rows: RowResponse::default(),
            forces: Vec::new(),
            accuracy,
        })
    }

    /// Has steps look for contacts no further than they lead with the excitations of now.
    pub(super) fn look_near(&mut self, compiled: &CompiledModel) {
        self.solver.look_for_contacts(compiled, (&[], &[]), 0.0);
    }

    /// Has steps of `h` [s] look for contacts as far as changes of the excitations by these amounts lead.
    pub(super) fn look_far(&mut self, compiled: &CompiledModel, amounts: &[f64], h: f64) {
        self.solver.look_for_contacts(compiled, (&self.response.positions, amounts), h);
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
            added.map_err(|fault| StepError::of_fault(fault, start.time))?;
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

    /// The solver, which has linearized a step.
    pub(super) fn solver(&mut self) -> &mut MechSystemSolver {
        &mut self.solver
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
        known: (&Model, &CompiledModel),
        (target, k): (usize, usize),
        start: &State,
    ) -> Vec3 {
        let column = Column { rows: self.columns(&self.response, k), forces: self.forces.get(k) };
        self.change_by(known, target, column, start)
    }

    /// Response of a target to a column of changes.
    fn change_by(
        &self,
        (model, compiled): (&Model, &CompiledModel),
        target: usize,
        Column { rows, forces }: Column,
        start: &State,
    ) -> Vec3 {
        match &self.placed[target] {
            PlacedTarget::Force(force) => {
                forces.map_or_else(Vec3::zeros, |forces| force.value(compiled, forces))
            }
            PlacedTarget::Sensor(sensor) => {
                let response = SensorResponse { end: &self.end, columns: rows, forces };
                Vec3::x() * response.of((model, compiled), *sensor, start)
            }
            motion => motion.change([start, &self.end], rows[0]),
        }
    }

    /// Number of the unilateral rows of the step that may push and do not pull.
    pub(super) fn pushing_rows(&self) -> usize {
        self.response.rows.iter().filter(|row| row.only_pushes).count()
    }

    /// The unilateral rows of a step of `h` [s] from `start`, and the responses of the targets, whose sizes are given, to unit
    /// impulses on them, a row a number.
    pub(super) fn row_model(
        &mut self,
        known: (&Model, &CompiledModel),
        sizes: &[usize],
        (start, h): (&State, f64),
    ) -> Result<(RowModel, DMatrix<f64>), StepError> {
        let mut by_rows = std::mem::take(&mut self.by_rows);
        self.solver.respond_to_rows(known.1, h, &mut by_rows)?;
        let model = RowModel::new(&self.response, &by_rows, self.sources.len());
        let mut responses = DMatrix::zeros(sizes.iter().sum(), by_rows.pushed.len());
        let reads = self.placed.iter().any(PlacedTarget::is_reading);
        for (j, contacts) in by_rows.contacts.iter().enumerate() {
            let forces = reads.then(|| {
                let mut forces = self.end.clone();
                let rows = forces.multipliers.len();
                let changes = &by_rows.response.multipliers[j * rows..(j + 1) * rows];
                forces.multipliers.iter_mut().zip(changes).for_each(|(it, by)| *it = by / h);
                forces.contacts.clone_from(contacts);
                forces
            });
            let rows = self.columns(&by_rows.response, j);
            let mut first = 0;
            for (target, size) in sizes.iter().enumerate() {
                let column = Column { rows, forces: forces.as_ref() };
                let change = self.change_by(known, target, column, start);
                (0..*size).for_each(|axis| responses[(first + axis, j)] = change[axis]);
                first += size;
            }
        }
        self.by_rows = by_rows;
        Ok((model, responses))
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

    /// Changes of the rows over the step, and of their velocities at its end, in column number `k` [m/s], [rad/s].
    fn columns<'a>(&self, response: &'a StepResponse, k: usize) -> [&'a [Vec3]; 2] {
        let of = k * self.end.q.len()..(k + 1) * self.end.q.len();
        [&response.positions, &response.velocities].map(|it| &it[of.clone()])
    }
}

/// Forces that stay while these are excited.
fn steady(sources: &[ExcitationSource]) -> SteadyForces {
    let beside = |source: &ExcitationSource| {
        use ExcitationSource::{Actuator, Line, Load};
        matches!(source, Line(_) | Actuator(_) | Load(_))
    };
    match sources.iter().all(beside) {
        true => SteadyForces::TissuesAndBundles,
        false => SteadyForces::Tissues,
    }
}

/// Changes of a step: of the rows, as [`StepDerivatives::columns`] has them, and of multipliers and contacts in their places.
struct Column<'a> {
    rows: [&'a [Vec3]; 2],
    forces: Option<&'a State>,
}

/// Errors of the search for excitations.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrackingError {
    #[error(transparent)]
    Inverse(#[from] InverseError),
    #[error(transparent)]
    Step(#[from] StepError),
}
