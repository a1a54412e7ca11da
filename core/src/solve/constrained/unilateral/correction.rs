//! One correction of an iterate where unilateral rows are near: directions of friction, the mixed
//! problem of the iteration, and the errors of the rows after its solution.

use crate::Vec3;
use crate::constraint::Placement;
use crate::contact::ContactPoint;
use crate::lcp::FrictionModel;
use crate::linalg::BlockMatrix;
use crate::mixed::{Accuracy, MixedOutcome, MixedSolver, PROJECTED_ROWS, free_entry};
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::linear_problem::{Request, solve_free, solve_problem};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::tuning::{KEPT_ERROR, KEPT_MOTION};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::row::RowStatus;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// The start of a substep, for its rows.
pub(in crate::solve) fn beginning<'a>(
    parts: &'a Parts,
    multibody: &'a Multibody,
    work: &'a Work,
    substep: Substep,
) -> Begin<'a> {
    Begin {
        multibody,
        attachments: &parts.reduction.attachments,
        at: Placement {
            q: &work.q0,
            turns: &parts.start.turns,
            coordinates: &parts.start.coordinates,
        },
        u: &work.u0,
        h: substep.h,
        w: substep.weight(),
    }
}

/// Corrections of velocities and multipliers with the impulses of unilateral rows that satisfy these, in the
/// frame of the start.
pub(in crate::solve) fn correct_with(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
    (work, state): (&Work, &State),
    substep: Substep,
    rows: &mut Unilateral,
) -> Result<MixedOutcome, Failure> {
    let StepContext { multibody, .. } = context;
    let request = Request::of(substep);
    let mut free = MixedOutcome::default();
    turn_rows(parts, multibody, rows);
    if !rows.status.directed {
        if rows.settings.is_post_hoc() {
            solve_normals(parts, matrix, request, rows)?;
        }
        let knows_slip = !rows.status.many && rows.rubs(multibody);
        if knows_slip {
            free = solve_free(parts, matrix, rows, request)?;
            turn_back(parts, multibody);
            set_free_velocities(parts, work, substep);
        }
        let begin = beginning(parts, multibody, work, substep);
        let velocities = knows_slip.then_some(&parts.trial.balance.force[..]);
        rows.add_friction(&begin, velocities, state);
        turn_rows(parts, multibody, rows);
    }
    let mut outcome = solve_problem(parts, matrix, Some(rows), request)?;
    outcome.iterations += free.iterations;
    turn_back(parts, multibody);
    Ok(outcome)
}

/// Impulses along the normals as they would be without friction, for its limits post hoc.
fn solve_normals(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    request: Request,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    rows.settings.keep_impulses(&rows.set.impulses);
    let in_boxes = Request { friction: FrictionModel::Box, ..request };
    solve_problem(parts, matrix, Some(&mut *rows), in_boxes)?;
    rows.settings.keep_normals(&rows.set.impulses);
    rows.set.impulses.copy_from_slice(rows.settings.kept_impulses());
    parts.mixed.begin_sequence();
    Ok(())
}

/// Angular corrections from the frame half way into that of the start.
pub(in crate::solve) fn turn_back(parts: &mut Parts, multibody: &Multibody) {
    for (k, body) in multibody.bodies.iter().enumerate() {
        let step = &mut parts.linear.step[body.row as usize + 1];
        *step = parts.start.turns[k] * parts.trial.bodies.half[k].tr_mul(step);
    }
}

/// `parts.trial.balance.force` = velocities at the end of the step as corrected.
pub(in crate::solve) fn set_free_velocities(parts: &mut Parts, work: &Work, substep: Substep) {
    let w = substep.weight();
    set_corrected_velocities(parts);
    let mean = parts.end_u.iter().zip(&work.u0);
    for (free, (y, before)) in parts.trial.balance.force.iter_mut().zip(mean) {
        *free = before + (y - before) / w;
    }
}

/// Vectors of the rows with those of rotations in the frame half way.
pub(in super::super) fn turn_rows(parts: &Parts, multibody: &Multibody, rows: &mut Unilateral) {
    rows.set.half.clone_from(&rows.set.values);
    for (entry, &block) in rows.set.pattern.blocks().iter().enumerate() {
        if let Some(k) = multibody.body_of_rotation(block) {
            let vector = &mut rows.set.half[entry];
            *vector = parts.trial.bodies.half[k] * parts.start.turns[k].tr_mul(vector);
        }
    }
}

/// `own.end_u` = mean velocities with their correction.
fn set_corrected_velocities(parts: &mut Parts) {
    for (row, free) in parts.end_u.iter_mut().enumerate() {
        *free = parts.trial.y[row];
        for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
            free[axis] += parts.linear.step[row][axis];
        }
    }
}

impl Unilateral {
    /// Leaves the rows to conjugate gradients where these are preferred and take them.
    pub(in super::super) fn prefer_iterations(&mut self, parts: &Parts, substep: Substep) {
        let Request { friction, accuracy, unsymmetric, .. } = Request::of(substep);
        let may = accuracy == Accuracy::Single && friction == FrictionModel::Box && !unsymmetric;
        self.status.iterates = may && parts.mixed.saddle().prefers_iterations();
        if self.status.iterates {
            let (rows, ..) = self.set.state_about(&parts.trial.y, 0.0);
            let count = rows.bounds.len();
            let is_other = |row: &usize| free_entry(&rows, *row, &parts.reduction.fixed).is_none();
            // Each with its two rows of friction.
            let others = 3 * (0..count).filter(is_other).count();
            self.status.iterates = others <= PROJECTED_ROWS;
        }
    }

    /// True if the matrix is solved with its rows alone: iterations take them, or they are too many
    /// for a dense problem.
    pub(in super::super) fn is_sparse(&self) -> bool {
        self.status.many || self.status.iterates
    }

    /// True if iterations take the rows.
    pub(in super::super) fn iterates(&self) -> bool {
        self.status.iterates
    }

    /// True if a contact has friction.
    fn rubs(&self, multibody: &Multibody) -> bool {
        let rubs = |contact: &ContactPoint| {
            let law = &multibody.contacts.behaviors[contact.pair as usize].law;
            law.has_friction() || law.rolling_friction != 0.0
        };
        self.near.found.iter().any(rubs)
    }

    /// Measures the error of the rows in a step of `h`, at mean velocities `y` [m], [rad].
    pub(in super::super) fn measure(&mut self, mixed: &MixedSolver, y: &[Vec3], h: f64) {
        let n = self.set.count();
        // Limits that stay are those of the step.
        let settled = mixed.settled_limits().filter(|limits| limits.len() == n);
        let mut largest = 0f64;
        for i in 0..n {
            let row = &self.set.rows[i];
            let own = mixed.own_responses().get(i).copied().unwrap_or(1.0);
            let z = self.set.impulses[i];
            let room =
                self.set.pattern.velocity(i, &self.set.values, y) - row.target + row.compliance * z;
            if self.settings.is_in_cone(&self.set.bounds[i]) {
                continue;
            }
            let [lower, upper] = settled.map_or_else(|| self.set.limits(i), |limits| limits[i]);
            let error = ((z - room / own).clamp(lower, upper) - z).abs() * own * h;
            // A maximum that keeps what is not a number.
            largest = if error <= largest { largest } else { error };
        }
        self.status.motion =
            self.set.rows.iter().fold(0.0, |m: f64, row| m.max(row.before.abs())) * h;
        // Without directions of friction nothing is known yet of active contacts.
        let unknown = !self.status.directed && self.set.impulses.iter().any(|z| *z != 0.0);
        self.status.error = if unknown { f64::INFINITY } else { largest };
    }
}

impl RowStatus {
    /// Error of the rows below which an interior point method has nothing to add to impulses, in a step of `h` [m/s].
    pub(in super::super) fn tolerance(&self, h: f64) -> f64 {
        KEPT_ERROR.max(KEPT_MOTION * self.motion) / h
    }
}
