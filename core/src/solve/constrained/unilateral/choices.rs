//! What a user chose for the rows of a step, and what is counted for the report of the step.

use crate::lcp::{Bound, ContactOutcome, FrictionModel};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::tuning::MANY;
use crate::solve::constrained::unilateral::dense::{correct_sparse, respond};
use crate::solve::constrained::unilateral::row_set::friction_limits;
use crate::solve::constrained::unilateral::{Origin, StepRows, Unilateral};
use crate::solve::constrained::{Parts, StepContext, Substep};
use crate::solve::failure::Failure;
use crate::solve::settings::{ContactMethod, FrictionMethod, SolverSettings};
use crate::system::StepStats;

/// Settings of the rows, and counts of a step.
pub(super) struct Choices {
    /// Rows above which the sparse way is taken.
    pub(super) many: usize,
    post_hoc: bool,
    /// Impulses along the normals without friction, for its limits post hoc.
    normals: Vec<f64>,
    /// Impulses before these were found.
    kept: Vec<f64>,
    exchanges: usize,
    was_sparse: bool,
    was_box: bool,
    /// Whether friction is as a cone has it, which the limits of its two rows do not say.
    is_cone: bool,
}

impl Choices {
    pub(super) fn new(settings: &SolverSettings) -> Self {
        let many = match settings.contact_method {
            ContactMethod::Auto => MANY,
            ContactMethod::Dense => usize::MAX,
            ContactMethod::Sparse => 0,
        };
        Self {
            many,
            post_hoc: settings.friction_method == FrictionMethod::PostHoc,
            normals: Vec::new(),
            kept: Vec::new(),
            exchanges: 0,
            was_sparse: false,
            was_box: false,
            is_cone: false,
        }
    }

    pub(super) fn is_post_hoc(&self) -> bool {
        self.post_hoc
    }

    /// Nothing counted yet.
    pub(super) fn clear(&mut self) {
        (self.exchanges, self.was_sparse, self.was_box) = (0, false, false);
        self.is_cone = false;
    }

    /// Takes a dense solution into the counts.
    pub(super) fn count(&mut self, outcome: &ContactOutcome) {
        if let ContactOutcome::Solved { model, pivots, .. }
        | ContactOutcome::Unsettled { model, pivots, .. } = outcome
        {
            self.exchanges += pivots;
            self.is_cone = *model != FrictionModel::Box;
            self.was_box |= !self.is_cone;
        }
    }

    /// Takes a sparse solution into the counts.
    pub(super) fn count_sparse(&mut self, exchanges: usize) {
        self.exchanges += exchanges;
        (self.was_sparse, self.is_cone) = (true, false);
    }

    /// Whether what is asked of a row is not told by its limits: cones are as exact as their dense solution.
    pub(super) fn is_in_cone(&self, bound: &Bound) -> bool {
        self.is_cone && matches!(bound, Bound::Friction { .. })
    }

    /// Takes the impulses of the rows as those without friction.
    pub(super) fn keep_normals(&mut self, impulses: &[f64]) {
        self.normals.clear();
        self.normals.extend_from_slice(impulses);
        (self.was_sparse, self.was_box) = (false, false);
    }

    /// The bound of a row of friction: post hoc its limits are known.
    pub(super) fn bound(&self, implicit: Bound) -> Bound {
        match implicit {
            Bound::Friction { normal, coefficient, .. } if self.post_hoc => {
                let [lower, upper] = friction_limits(coefficient, self.normals[normal]);
                Bound::Range { lower, upper }
            }
            _ => implicit,
        }
    }
}

impl StepRows {
    /// Adds the counts of a part of a step to its report, `asked` the model of friction chosen.
    pub(in crate::solve) fn count_into(&self, asked: FrictionModel, stats: &mut StepStats) {
        let Choices { exchanges, was_sparse, was_box, post_hoc, .. } = self.choices;
        stats.unilateral_rows = stats.unilateral_rows.max(self.set.count());
        stats.exchanges += exchanges;
        let rubs = self.set.rows.iter().any(|row| matches!(row.origin, Origin::Tangent(_)));
        let boxed = was_sparse || was_box || post_hoc;
        stats.box_for_cone |= asked != FrictionModel::Box && rubs && boxed;
    }
}

/// Impulses along the normals as they would be without friction, for limits post hoc. `parts.linear.step` is the
/// correction without changes of impulses.
pub(in crate::solve) fn solve_normals(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
    substep: Substep,
    rows: &mut Unilateral,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    rows.step.choices.kept.clone_from(&rows.step.set.impulses);
    let iteration = rows.step.status.iteration;
    let mut dense = !rows.is_sparse();
    if dense {
        respond(parts, (multibody, matrix), substep, rows)?;
        set_corrected_velocities(parts);
        dense = rows.solve(&parts.end_u, FrictionModel::Box).is_ok();
    }
    if !dense {
        rows.step.set.impulses.copy_from_slice(&rows.step.choices.kept);
        correct_sparse(parts, context, matrix, rows)?;
    }
    rows.step.choices.keep_normals(&rows.step.set.impulses);
    rows.step.set.impulses.copy_from_slice(&rows.step.choices.kept);
    (rows.step.status.iteration, rows.dense.current) = (iteration, false);
    Ok(())
}

/// `own.end_u` = mean velocities with their correction.
pub(in crate::solve) fn set_corrected_velocities(parts: &mut Parts) {
    for (row, free) in parts.end_u.iter_mut().enumerate() {
        *free = parts.trial.y[row];
        for axis in (0..3).filter(|&axis| !parts.reduction.held[row][axis]) {
            free[axis] += parts.linear.step[row][axis];
        }
    }
}
