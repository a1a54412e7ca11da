//! Derivatives of one step: changes of its end by changes of its start or of numbers (tangents), and derivatives of a
//! scalar by its start from those by its end (cotangents). docs/theory/adjoint.md.

use super::border::SHIFT;
use super::bordered::{Bordered, EquationColumn};
use super::cotangent::StateVector;
use super::error::AdjointError;
use super::jacobian::{Argument, At, at_end, at_start, force_jacobian};
use super::layout::Layout;
use super::linearization::{Column, Linearization};
use super::touch::{Touching, changed, check_met};
use crate::Vec3;
use crate::attachment::Attachments;
use crate::force::MemorySlopes;
use crate::linalg::{BLOCK, BlockMatrix, SparseCholesky};
use crate::solve::{
    ForceMatrices, MechSystemSolver, SolverSettings, StepEquations, StepUnknowns, Touch,
};
use crate::system::{CompiledModel, LoadCase, MechSystem, State};

/// A step that was taken.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenStep {
    pub(super) start: State,
    pub(super) unknowns: StepUnknowns,
    pub(super) h: f64,
}

/// Takes steps, and differentiates them.
pub(super) struct StepDerivatives {
    pub(super) solver: MechSystemSolver,
    pub(super) w: f64,
    layout: Option<Layout>,
    factor: Option<SparseCholesky>,
    /// Derivatives of the memory at the end of the step that was linearized last.
    pub(super) memory: MemorySlopes,
    /// Its equations at the step.
    pub(super) base: StepEquations,
    /// Evaluations of the equations of steps.
    pub(super) evaluations: usize,
}

impl StepDerivatives {
    pub(super) fn new(
        system: &dyn MechSystem,
        settings: SolverSettings,
    ) -> Result<Self, AdjointError> {
        let solver = MechSystemSolver::new(system, settings)?;
        let rule = format!("{:?}", settings.integrator);
        let w = solver.newton_rule().ok_or(AdjointError::Integrator(rule))?;
        Ok(Self {
            solver,
            w,
            layout: None,
            factor: None,
            memory: MemorySlopes::default(),
            base: StepEquations::default(),
            evaluations: 0,
        })
    }

    /// The start of a model as its first step takes it, on the rows of its joints.
    pub(super) fn start_of(&mut self, system: &CompiledModel) -> Result<State, AdjointError> {
        let mut state = system.initial_state();
        self.solver.start(system, &mut state)?;
        Ok(state)
    }

    /// Advances `state` by a step of `h` [s].
    pub(super) fn step(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<TakenStep, AdjointError> {
        let mut taken = TakenStep { h, ..Default::default() };
        let into = (&mut taken.start, &mut taken.unknowns);
        self.solver.step_whole(system, state, h, into)?;
        let TakenStep { start, unknowns, .. } = &mut taken;
        let time = state.time;
        match self.solver.find_active(system, (start, h), unknowns) {
            Touch::Active => Ok(taken),
            Touch::SprangBack => {
                Err(AdjointError::Touching { time, fault: "springs back, an impact" })
            }
            Touch::Adheres => Err(AdjointError::Unsupported(
                "adhesion of contacts, whose pull ends at once beyond its range: set adhesion and adhesion_force to 0"
                    .to_owned(),
            )),
            Touch::Areas => Err(AdjointError::Unsupported(
                "contact over areas of tissue, which change with its nodes: take law = \"linear\""
                    .to_owned(),
            )),
            Touch::Rolls => Err(AdjointError::Touching {
                time,
                fault: "rolls against all its rolling friction",
            }),
        }
    }

    /// Column of a number that `sides` of a system, a start and unknowns are the two sides of, over `width`.
    pub(super) fn column(
        &mut self,
        sides: [(&dyn MechSystem, &State, &StepUnknowns); 2],
        (layout, h, width): (&Layout, f64, f64),
    ) -> Result<Column, AdjointError> {
        let mut found = [StepEquations::default(), StepEquations::default()];
        self.evaluations += sides.len();
        for (&(system, start, unknowns), found) in sides.iter().zip(&mut found) {
            let mut placed = start.clone();
            self.solver.place_attached(system, &mut placed);
            self.solver.eval_equations(system, (&placed, unknowns), h, found)?;
        }
        let [low, high] = &found;
        let momenta = high.momenta.iter().zip(&low.momenta).map(|(b, a)| (b - a) / width);
        let rows = high.rows.iter().zip(&low.rows).map(|(b, a)| (b - a) / width);
        let equations = EquationColumn { momenta: momenta.collect(), rows: rows.collect() };
        if equations.rows.iter().any(|by| !by.is_finite()) {
            return Err(changed(sides[0].1.time + h));
        }
        let mut end = layout.difference(&low.end, &high.end, 1.0 / width);
        for (of, row, by) in &self.memory.by_position {
            end.memory[*of] -= by.dot(&end.q[*row]);
        }
        Ok(Column { equations, end })
    }

    /// Column of a number of the model, by the systems on both sides of it, `width` apart. Fixed points of the start go with
    /// the places that the systems have for them, from where they are: a start that was given may have them elsewhere.
    pub(super) fn parameter_column(
        &mut self,
        systems: [&CompiledModel; 2],
        taken: &TakenStep,
        (layout, width): (&Layout, f64),
    ) -> Result<Column, AdjointError> {
        let places = systems.map(|system| {
            let mut q = taken.start.q.clone();
            system.prescribe(LoadCase::at(taken.start.time), &mut q);
            q
        });
        let [low, high] = [-0.5, 0.5].map(|side| {
            let mut start = taken.start.clone();
            let apart = places[1].iter().zip(&places[0]).map(|(high, low)| high - low);
            start.q.iter_mut().zip(apart).for_each(|(q, apart)| *q += apart * side);
            start
        });
        let (unknowns, [a, b]) = (&taken.unknowns, systems.map(|it| it as &dyn MechSystem));
        self.column([(a, &low, unknowns), (b, &high, unknowns)], (layout, taken.h, width))
    }

    /// The derivatives of a step.
    pub(super) fn linearize(
        &mut self,
        system: &dyn MechSystem,
        taken: &TakenStep,
    ) -> Result<Linearization, AdjointError> {
        let TakenStep { start, unknowns, h } = taken;
        let h = *h;
        let mut base = std::mem::take(&mut self.base);
        self.evaluations += 1;
        self.solver.eval_equations(system, (start, unknowns), h, &mut base)?;
        let attachments = self.solver.attachments(system, h);
        let layout = self.take_layout(system, unknowns.active.len())?;
        let mean = attachments.as_ref().map(|it| &it.mean);
        let forces = self.force_matrices(system, (start, &base, h), (&layout, mean))?;
        let [by_unknowns, by_positions, by_velocities] = self.matrices(system, &forces, h);
        self.base = base;
        let memories = self.memory_columns(system, taken, (layout.rows, mean))?;
        let mut own = Linearization {
            w: self.w,
            h,
            attachments,
            by_unknowns,
            by_positions,
            by_velocities,
            columns: Vec::new(),
            ends: Vec::new(),
            start: Vec::new(),
            time: start.time + h,
            touch: Vec::new(),
            active: Vec::new(),
            memory: self.memory.clone(),
            layout,
        };
        self.add_border((system, taken), &forces, &mut own)?;
        own.start.extend(memories);
        self.add_touch(system, taken, &mut own)?;
        self.layout = Some(own.layout.clone());
        Ok(own)
    }

    /// Scalars of a step in which so many unilateral rows act.
    fn take_layout(
        &mut self,
        system: &dyn MechSystem,
        active: usize,
    ) -> Result<Layout, AdjointError> {
        let mut layout = self.layout.take().map_or_else(|| Layout::new(system), Ok)?;
        layout.rows = layout.joints + active;
        Ok(layout)
    }

    /// Derivatives of the forces at the end of a step and, where the rule has them, at its start.
    fn force_matrices(
        &self,
        system: &dyn MechSystem,
        (start, base, h): (&State, &StepEquations, f64),
        known: (&Layout, Option<&Attachments>),
    ) -> Result<ForceMatrices, AdjointError> {
        let at_end = at_end(system, (start, base, h));
        let both = |at: At| -> Result<[BlockMatrix; 2], AdjointError> {
            let by = |argument| force_jacobian(at, argument, known);
            Ok([by(Argument::Position)?, by(Argument::Velocity)?])
        };
        let at_start = (self.w < 1.0).then(|| both(at_start(system, start))).transpose()?;
        Ok(ForceMatrices { end: both(at_end)?, start: at_start })
    }

    /// Derivatives of momenta by mean velocities, positions and velocities: with K and D minus the derivatives of forces,
    /// M + w² h² K1 + w h D1, w h ((1 - w) K0 + w K1), and -M + w (1 - w) h (D0 - D1).
    fn matrices(
        &self,
        system: &dyn MechSystem,
        forces: &ForceMatrices,
        h: f64,
    ) -> [BlockMatrix; 3] {
        let w = self.w;
        let [k1, d1] = &forces.end;
        let share = w * (1.0 - w) * h;
        let mut by_unknowns = combination(&[(w * w * h * h, k1), (w * h, d1)]);
        let (by_positions, mut by_velocities) = match &forces.start {
            Some([k0, d0]) => (
                combination(&[(w * w * h, k1), (share, k0)]),
                combination(&[(-share, d1), (share, d0)]),
            ),
            None => (combination(&[(w * w * h, k1)]), combination(&[(-share, d1)])),
        };
        add_masses(system, 1.0, &mut by_unknowns);
        add_masses(system, -1.0, &mut by_velocities);
        [by_unknowns, by_positions, by_velocities]
    }

    /// Parts of unilateral rows that act: their derivatives by velocities, and columns of inner scalars at the start.
    fn add_touch(
        &mut self,
        system: &dyn MechSystem,
        TakenStep { start, unknowns, h }: &TakenStep,
        own: &mut Linearization,
    ) -> Result<(), AdjointError> {
        if unknowns.active.is_empty() {
            return Ok(());
        }
        let known = self.solver.active_rows(system, (start, unknowns), *h);
        check_met((&known, unknowns), self.solver.settings().friction, own.time)?;
        // Exact, so that rows that depend on each other are seen to.
        let Linearization { layout, columns, .. } = own;
        for (scalar, column) in layout.border.iter().zip(columns) {
            for (k, vectors) in known.by_y.iter().enumerate() {
                let of = vectors.iter().filter(|it| it.0 as usize == scalar.row);
                column.rows[layout.joints + k] = of.map(|it| it.1[scalar.axis]).sum();
            }
        }
        let varies = system.multibody().is_some_and(|it| it.contacts.friction_varies());
        let (solver, by_velocities) = (&mut self.solver, self.w < 1.0 || varies);
        let mut touching = Touching { solver, system, start, unknowns, h: *h, by_velocities };
        own.touch = touching.columns(&own.layout, &known)?;
        own.active = known.by_y;
        Ok(())
    }

    /// The linear system of a step.
    fn bordered<'a>(
        factor: &'a mut Option<SparseCholesky>,
        of: &'a Linearization,
    ) -> Result<Bordered<'a>, AdjointError> {
        let singular = |fault| AdjointError::Singular { time: of.time, fault };
        if of.layout.inner_count() > 0 && factor.is_none() {
            let made = SparseCholesky::new(of.by_unknowns.pattern(), &of.layout.outside());
            *factor = Some(made.map_err(|error| singular(error.into()))?);
        }
        let matrix = (&of.by_unknowns, of.attachments.as_ref().map(|it| &it.mean));
        let columns = (&of.columns[..], &of.active[..]);
        Bordered::new(&of.layout, matrix, columns, factor.as_mut()).map_err(singular)
    }

    /// From the derivatives of a scalar by the end of a step to those by its start; and the multipliers of its equations,
    /// whose product with the column of a number is minus what that changes of the scalar through them.
    pub(super) fn pull_back(
        &mut self,
        of: &Linearization,
        end: &StateVector,
    ) -> Result<(StateVector, EquationColumn), AdjointError> {
        let reduced = of.reduced_at_end(end);
        let mut inner: Vec<Vec3> =
            reduced.q.iter().zip(&reduced.u).map(|(q, u)| q * of.h + u / of.w).collect();
        of.layout.keep_inner(&mut inner);
        let border: Vec<f64> = of.ends.iter().map(|it| it.dot(end)).collect();
        let singular = |fault| AdjointError::Singular { time: of.time, fault };
        let mut bordered = Self::bordered(&mut self.factor, of)?;
        let multipliers = bordered.solve_transposed(&inner, &border).map_err(singular)?;
        Ok((of.pulled_to_start(end, reduced, &multipliers), multipliers))
    }

    /// Derivatives of a scalar by a state, those by attached points counted with what they follow.
    pub(super) fn reduce(
        &mut self,
        system: &dyn MechSystem,
        state: &State,
        of: StateVector,
    ) -> StateVector {
        let Some(layout) = self.layout.as_ref().filter(|_| system.multibody().is_some()) else {
            return of;
        };
        let mut placed = state.clone();
        self.solver.place_attached(system, &mut placed);
        let mut reduced = of.clone();
        if let Some(attachments) = self.solver.placed_attachments() {
            attachments.reduce_force(&mut reduced.q);
            attachments.reduce_force(&mut reduced.u);
        }
        for scalar in layout.start_scalars() {
            let [low, high] = [-SHIFT, SHIFT].map(|by| {
                let mut moved = state.clone();
                layout.move_scalar(&mut moved, scalar, by);
                self.solver.place_attached(system, &mut moved);
                moved
            });
            let value = layout.difference(&low, &high, 0.5 / SHIFT).dot(&of);
            *reduced.at_mut(scalar) = value;
        }
        reduced
    }

    /// Makes changes of the start those of the end, each with the column of a number beside it.
    pub(super) fn push_forward(
        &mut self,
        of: &Linearization,
        changes: &mut [StateVector],
        columns: &[Column],
    ) -> Result<(), AdjointError> {
        let singular = |fault| AdjointError::Singular { time: of.time, fault };
        let mut bordered = Self::bordered(&mut self.factor, of)?;
        for (change, column) in changes.iter_mut().zip(columns) {
            let (mut end, errors) = of.with_unknowns_fixed(change, column);
            let unknowns = bordered.solve(&errors).map_err(singular)?;
            of.add_unknowns(-1.0, unknowns, &mut end);
            of.add_memory(&mut end);
            *change = end;
        }
        Ok(())
    }
}

/// Sum of matrices on one pattern, each times a factor.
fn combination(terms: &[(f64, &BlockMatrix)]) -> BlockMatrix {
    let mut sum = BlockMatrix::zeros(terms[0].1.pattern().clone());
    for (factor, matrix) in terms {
        let values = sum.values_mut().iter_mut().zip(matrix.values());
        values.for_each(|(sum, value)| *sum += factor * value);
    }
    sum
}

fn add_masses(system: &dyn MechSystem, factor: f64, matrix: &mut BlockMatrix) {
    for (row, mass) in system.masses().iter().enumerate() {
        let block = BLOCK * system.pattern().diagonal(row);
        for axis in 0..3 {
            matrix.values_mut()[block + 4 * axis] += factor * mass;
        }
    }
}
