//! The equations of a step with bodies, attached points and rows as a function of its start and its unknowns
//! (`solve/derivative.rs`), with the rows of contacts and ranges that act.

use crate::Vec3;
use crate::attachment::Attachments;
use crate::constraint::Placement;
use crate::force::VelocityTerms;
use crate::linalg::BLOCK;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::end_locks_on_paths;
use crate::solve::constrained::fitted::reduce_matrix;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::trial::{finish_substep, move_trial, set_end_velocities};
use crate::solve::constrained::unilateral::active;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::derivative::{ActiveRows, StepAttachments, StepEquations, StepUnknowns, Touch};
use crate::solve::equations::{Equations, Work};
use crate::solve::failure::Failure;
use crate::system::{INSTANT, LoadCase, Motion, Multibody, State};

/// Errors of momenta and rows at the unknowns of a step of `h` [s] from `start`, and its end.
pub(in crate::solve) fn eval_constrained(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    (start, unknowns, h): (&State, &StepUnknowns, f64),
    out: &mut StepEquations,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let substep = Substep::whole(equations.integrator, h, equations.settings.friction);
    begin_at(equations, own, context, (start, substep))?;
    hold(own, multibody, (start, unknowns), (h, substep.weight()));
    own.parts.free.copy_from_slice(&unknowns.free);
    own.parts.trial.y.copy_from_slice(&unknowns.y);
    own.parts.trial.impulses.copy_from_slice(&unknowns.impulses);
    move_trial(&mut own.parts, multibody, &equations.work, h);
    set_end_velocities(&mut own.parts, multibody, &equations.work, substep);
    out.force_u.clone_from(&own.parts.end_u);
    let load = LoadCase::at(start.time + h);
    let (q, u) = (&own.parts.trial.q[..], &own.parts.end_u[..]);
    let motion = Motion { q, u, ..Motion::of(start, h) };
    equations.eval_forces(system, load, motion, VelocityTerms::Included)?;
    set_right_side(equations, context, &own.parts, substep);
    reduce_matrix(&mut own.parts, context, &mut equations.matrix);
    update_residual(own, multibody, &equations.matrix, &equations.work, substep);
    write_errors(&own.parts, multibody, out);
    if let Some(rows) = &mut own.contacts {
        let at = (&own.parts.trial.y[..], h, substep.weight());
        out.rows.extend(active::active_rows(rows, multibody, &unknowns.active, at).errors);
    }
    finish_substep(own, context, &equations.work, &mut out.end, substep);
    end_locks_on_paths(equations, context, &mut own.parts, &mut out.end, h)
}

/// Takes a start, with its forces where the rule has them.
fn begin_at(
    equations: &mut Equations,
    own: &mut Constrained,
    context: StepContext,
    (start, substep): (&State, Substep),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    equations.work.q0.copy_from_slice(&start.q);
    equations.work.u0.copy_from_slice(&start.u);
    own.parts.start.coordinates.clone_from(&start.coordinates);
    own.parts.drive_to_end(multibody, [start.time, start.time + substep.h]);
    own.parts.begin(multibody, (&start.q, &start.u));
    if substep.weight() < 1.0 {
        let load = LoadCase::at(start.time);
        let motion = Motion::of(start, INSTANT);
        equations.eval_forces(system, load, motion, VelocityTerms::Included)?;
        equations.work.f0.copy_from_slice(&equations.work.f);
    }
    Ok(())
}

/// Makes the rows of contacts and ranges that act, at the start whose orientations `own` has.
fn hold(
    own: &mut Constrained,
    multibody: &Multibody,
    (start, unknowns): (&State, &StepUnknowns),
    (h, w): (f64, f64),
) {
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return };
    place_start(parts, multibody, &start.q);
    if !unknowns.active.is_empty() {
        rows.near.keep_up(multibody);
    }
    let (turns, coordinates) = (&parts.start.turns[..], &parts.start.coordinates[..]);
    let at = Placement { q: &start.q, turns, coordinates };
    let attachments = &parts.reduction.attachments;
    let begin = Begin { multibody, attachments, at, u: &start.u, h, w };
    active::hold(rows, &begin, &unknowns.active, &unknowns.pushes);
}

/// Weights of attached points as they are at the start.
fn place_start(parts: &mut Parts, multibody: &Multibody, q: &[Vec3]) {
    let Parts { trial, start, reduction, .. } = parts;
    multibody.update_rates(q, &mut trial.bodies.rates);
    multibody.update_weights((q, &start.turns), &trial.bodies.rates, &mut trial.weights);
    reduction.attachments.update_weights(&trial.weights);
}

/// The matrix of the masses, and momenta at the start with the impulses of all forces.
fn set_right_side(
    equations: &mut Equations,
    context: StepContext,
    parts: &Parts,
    substep: Substep,
) {
    let StepContext { system, multibody } = context;
    let (h, w) = (substep.h, substep.weight());
    let Equations { matrix, work, .. } = equations;
    matrix.values_mut().fill(0.0);
    for (row, &mass) in system.masses().iter().enumerate() {
        let force = match w < 1.0 {
            true => work.f0[row] * (1.0 - w) + work.f[row] * w,
            false => work.f[row],
        };
        work.b[row] = work.u0[row] * mass + force * (w * h);
        let block = BLOCK * system.pattern().diagonal(row);
        for axis in 0..3 {
            matrix.values_mut()[block + 4 * axis] += mass;
        }
    }
    for (body, _) in multibody.bodies.iter().zip(&parts.free).filter(|(_, free)| **free) {
        work.b[body.row as usize + 1] *= 0.5 / w;
    }
}

/// The errors, angular ones in the axes of the world.
fn write_errors(parts: &Parts, multibody: &Multibody, out: &mut StepEquations) {
    let Parts { trial, .. } = parts;
    out.momenta.clone_from(&trial.balance.residual);
    out.rows.clone_from(&trial.balance.row_residual);
    for (k, body) in multibody.bodies.iter().enumerate() {
        let error = &mut out.momenta[body.row as usize + 1];
        *error = trial.bodies.mean_turns[k] * trial.bodies.half[k].tr_mul(error);
    }
}

impl Constrained {
    /// Writes the unknowns of the last step, and its start as it was brought onto the rows.
    pub(in crate::solve) fn write_solution(&self, start: &mut State, unknowns: &mut StepUnknowns) {
        let Parts { trial, start: known, .. } = &self.parts;
        start.q.copy_from_slice(&known.whole_q);
        start.u.copy_from_slice(&known.whole_u);
        start.multipliers.clone_from(&known.whole_multipliers);
        unknowns.free.clone_from(&self.parts.free);
        unknowns.y.clone_from(&trial.y);
        unknowns.impulses.clone_from(&trial.impulses);
    }

    /// Finds the rows of contacts and ranges that acted in the last step, of `h` [s] and the weight `w` of its end.
    pub(in crate::solve) fn find_active(
        &mut self,
        multibody: &Multibody,
        (start, h, w): (&State, f64, f64),
        unknowns: &mut StepUnknowns,
    ) -> Touch {
        unknowns.active.clear();
        unknowns.pushes.clear();
        let Self { parts, contacts } = self;
        let Some(rows) = contacts else { return Touch::Active };
        if active::sprang_back(rows) {
            return Touch::SprangBack;
        }
        if active::pulled(rows) {
            return Touch::Adheres;
        }
        if rows.set.impulses().iter().all(|z| *z == 0.0) {
            return Touch::Active;
        }
        parts.begin(multibody, (&start.q, &start.u));
        place_start(parts, multibody, &start.q);
        let (turns, coordinates) = (&parts.start.turns[..], &parts.start.coordinates[..]);
        let at = Placement { q: &start.q, turns, coordinates };
        let attachments = &parts.reduction.attachments;
        match active::acting(rows, &Begin { multibody, attachments, at, u: &start.u, h, w }) {
            Ok(acting) => {
                (unknowns.active, unknowns.pushes) = acting;
                Touch::Active
            }
            Err(fault) => fault,
        }
    }

    /// Equations of the rows of contacts and ranges that act.
    pub(in crate::solve) fn active_rows(
        &mut self,
        multibody: &Multibody,
        (start, unknowns): (&State, &StepUnknowns),
        (h, w): (f64, f64),
    ) -> ActiveRows {
        self.parts.start.coordinates.clone_from(&start.coordinates);
        self.parts.begin(multibody, (&start.q, &start.u));
        hold(self, multibody, (start, unknowns), (h, w));
        let at = (&unknowns.y[..], h, w);
        let rows = self.contacts.as_mut();
        rows.map_or_else(ActiveRows::default, |rows| {
            active::active_rows(rows, multibody, &unknowns.active, at)
        })
    }

    /// Attached points half way and at the end, for the equations evaluated last.
    pub(in crate::solve) fn attachments(
        &mut self,
        multibody: &Multibody,
        work: &Work,
        h: f64,
    ) -> StepAttachments {
        let end = self.parts.reduction.attachments.clone();
        move_trial(&mut self.parts, multibody, work, h);
        StepAttachments { mean: self.parts.reduction.attachments.clone(), end }
    }

    /// Attached points as they were placed last.
    pub(in crate::solve) fn placed_attachments(&self) -> Attachments {
        self.parts.reduction.attachments.clone()
    }

    /// Puts attached points of a state where their masters have them, and gives them their velocities.
    pub(in crate::solve) fn place_attached(&mut self, multibody: &Multibody, state: &mut State) {
        let Parts { trial, reduction, .. } = &mut self.parts;
        multibody.update_turns(&state.q, &mut trial.bodies.turns);
        multibody.place_attached(&mut trial.bodies.turns, &mut state.q);
        multibody.update_rates(&state.q, &mut trial.bodies.rates);
        let placed = (&state.q[..], &trial.bodies.turns[..]);
        multibody.update_weights(placed, &trial.bodies.rates, &mut trial.weights);
        reduction.attachments.update_weights(&trial.weights);
        reduction.attachments.expand_velocity(&mut state.u);
        debug_assert!(state.u.iter().all(|u: &Vec3| u.iter().all(|x| x.is_finite())));
    }
}
