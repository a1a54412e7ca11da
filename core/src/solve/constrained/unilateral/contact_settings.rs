//! Settings of a user for the rows of a step, and counts for the report of the step.

use crate::lcp::{Bound, FrictionModel};
use crate::mixed::{ConeMethod, MixedOutcome, friction_limits};
use crate::solve::constrained::mixed_settings::mixed_settings;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::row_set::RowSet;
use crate::solve::settings::{FrictionMethod, SolverSettings};
use crate::system::StepStats;

/// Settings of the rows, and counts of a step.
pub(in crate::solve::constrained) struct ContactSettings {
    /// Rows above which no dense problem is solved.
    pub(super) many: usize,
    post_hoc: bool,
    /// Impulses along the normals without friction, for its limits post hoc.
    normals: Vec<f64>,
    /// Impulses before these were found.
    kept: Vec<f64>,
    pivots: usize,
    fallbacks: usize,
    was_sparse: bool,
    was_box: bool,
    /// True if friction is bounded by a cone, which the limits of its two rows do not express.
    is_cone: bool,
}

impl ContactSettings {
    pub(super) fn new(settings: &SolverSettings) -> Self {
        Self {
            many: mixed_settings(settings).dense_rows,
            post_hoc: settings.friction_method == FrictionMethod::PostHoc,
            normals: Vec::new(),
            kept: Vec::new(),
            pivots: 0,
            fallbacks: 0,
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
        (self.pivots, self.fallbacks) = (0, 0);
        (self.was_sparse, self.was_box) = (false, false);
        self.is_cone = false;
    }

    /// Takes a solution into the counts.
    pub(in super::super) fn count(&mut self, outcome: &MixedOutcome) {
        self.pivots += outcome.pivots;
        self.fallbacks += outcome.fallbacks;
        self.is_cone =
            outcome.method == ConeMethod::Dense && outcome.friction != FrictionModel::Box;
        match outcome.method {
            ConeMethod::None => {}
            ConeMethod::Dense => self.was_box |= !self.is_cone,
            ConeMethod::Condensed
            | ConeMethod::Elimination
            | ConeMethod::ActiveSets
            | ConeMethod::InteriorPoint
            | ConeMethod::Kept => self.was_sparse = true,
        }
    }

    /// Keeps impulses that a problem without friction will replace.
    pub(super) fn keep_impulses(&mut self, impulses: &[f64]) {
        self.kept.clear();
        self.kept.extend_from_slice(impulses);
    }

    /// The impulses kept.
    pub(super) fn kept_impulses(&self) -> &[f64] {
        &self.kept
    }

    /// True for a row of friction in a cone, whose impulse is not determined by its own limits:
    /// cones are as exact as their dense solution.
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

    /// Adds the counts of a part of a step with the rows `set` to its report, `asked` the model of friction chosen.
    pub(in crate::solve) fn count_into(
        &self,
        set: &RowSet,
        asked: FrictionModel,
        stats: &mut StepStats,
    ) {
        let Self { pivots, fallbacks, was_sparse, was_box, post_hoc, .. } = *self;
        stats.unilateral_rows = stats.unilateral_rows.max(set.count());
        stats.pivots += pivots;
        stats.fallbacks += fallbacks;
        let rubs = set.rows.iter().any(|row| matches!(row.origin, Origin::Tangent(_)));
        let boxed = was_sparse || was_box || post_hoc;
        stats.box_for_cone |= asked != FrictionModel::Box && rubs && boxed;
    }
}
