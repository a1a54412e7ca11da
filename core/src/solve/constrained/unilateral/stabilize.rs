//! After a step: overlaps beyond their tolerance are taken back by the least motion in the metric of the masses,
//! under all rows (seed equation 7 with unilateral rows). Contacts at rest keep what they have.

use super::rows::Begin;
use super::{Origin, Row, Unilateral};
use crate::Vec3;
use crate::constraint::Placement;
use crate::contact::ContactPoint;
use crate::lcp::{Bound, FrictionModel, Place};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::StepContext;
use crate::solve::constrained::unilateral::resting::set_metric;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::settings::Stabilization;
use crate::system::{ContactBehavior, MechSystem, Multibody, State};

/// Most corrections of a step: what is left is taken back in the next.
const ROUNDS: usize = 3;
/// Overlap of a range that is left as it is [m], [rad].
pub(super) const RANGE_TOLERANCE: f64 = 1e-4;
/// Beyond the tolerance by less than this share of it is none [-].
const SLACK: f64 = 1e-3;

/// Takes back what overlaps too much in `state`.
pub(in crate::solve) fn stabilize(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    if equations.settings.stabilization == Stabilization::None {
        return Ok(());
    }
    for _ in 0..ROUNDS {
        if own.unilateral.is_none() {
            return Ok(());
        }
        own.place(multibody, state);
        let mut rows = own.unilateral.take().expect("it was there");
        let deep = rows.begin_stabilization(multibody, own, state, h);
        own.unilateral = Some(rows);
        if !deep {
            return Ok(());
        }
        stabilize_once(equations, context, own, state, h)?;
    }
    own.place(multibody, state);
    let at =
        Placement { q: &state.q, turns: &own.trial.turns, coordinates: &own.start.coordinates };
    let motion = (&state.u[..], h);
    own.unilateral.iter_mut().for_each(|rows| rows.detect(multibody, at, motion));
    Ok(())
}

fn stabilize_once(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    own.row_right.iter_mut().zip(&own.trial.values).for_each(|(b, value)| *b = -value);
    own.forget_soft_rows(multibody);
    set_metric(equations, context, own, state, h)?;
    let mut rows = own.unilateral.take().expect("it was there");
    let result = own.least_motion_with(system, &equations.matrix, &mut rows);
    own.unilateral = Some(rows);
    result?;
    own.displace_by(multibody, state, 1.0);
    own.place(multibody, state);
    Ok(())
}

impl Constrained {
    /// The least motion that gives all rows what is asked of them.
    fn least_motion_with(
        &mut self,
        system: &dyn MechSystem,
        matrix: &BlockMatrix,
        rows: &mut Unilateral,
    ) -> Result<(), Failure> {
        if rows.is_sparse() {
            self.right.fill(Vec3::zeros());
            self.trial.y.fill(Vec3::zeros());
            rows.half.clone_from(&rows.values);
            rows.matrices += 1;
            return self.solve_sparse(system, matrix, rows);
        }
        self.least_motion(matrix)?;
        let (size, count) = (self.step.len(), self.row_step.len());
        rows.velocities.resize(size * rows.count(), Vec3::zeros());
        rows.multipliers.resize(count * rows.count(), 0.0);
        let Unilateral { velocities, multipliers, pattern, values, .. } = &mut *rows;
        self.kkt.respond_once((pattern, values), (velocities, multipliers));
        rows.update_response(size);
        rows.solve(&self.step, FrictionModel::default())?;
        for (velocities, impulse) in rows.velocities.chunks_exact(size.max(1)).zip(&rows.impulses) {
            self.step.iter_mut().zip(velocities).for_each(|(step, v)| *step += v * *impulse);
        }
        Ok(())
    }
}

impl Unilateral {
    /// Rows that ask for displacements, and whether any is needed.
    fn begin_stabilization(
        &mut self,
        multibody: &Multibody,
        own: &Constrained,
        state: &State,
        h: f64,
    ) -> bool {
        self.clear();
        let at =
            Placement { q: &state.q, turns: &own.trial.turns, coordinates: &own.start.coordinates };
        self.detect(multibody, at, (&state.u, h));
        let begin =
            Begin { multibody, attachments: &own.reduction, at, u: &state.u, h: 1.0, w: 1.0 };
        let mut deep = false;
        for number in 0..multibody.unilateral.count() {
            let room = multibody.unilateral.gap(number, at) + RANGE_TOLERANCE;
            if room > RANGE_TOLERANCE + super::rows::NEAR
                || multibody.unilateral.softness(number).compliance > 0.0
            {
                continue;
            }
            deep |= room < -SLACK * RANGE_TOLERANCE;
            self.add_range_vectors(&begin, number as u32);
            self.add_displacement(Origin::Range(number as u32), room);
        }
        for number in 0..self.found.len() {
            let contact = self.found[number];
            let behavior = multibody.contacts.behaviors[contact.pair as usize];
            if behavior.softness.compliance > 0.0 {
                continue;
            }
            let room = contact.gap + behavior.tolerance;
            deep |= room < -SLACK * behavior.tolerance;
            self.add_row(&begin, &contact, contact.normal);
            self.add_displacement(Origin::Normal(number as u32), room);
        }
        self.resize();
        self.many = self.rows.len() > self.choices.many;
        deep
    }

    fn add_displacement(&mut self, origin: Origin, room: f64) {
        self.rows.push(Row {
            origin,
            target: -room,
            give: 0.0,
            before: 0.0,
            direction: Vec3::zeros(),
        });
        self.bounds.push(Bound::Unilateral);
        self.impulses.push(0.0);
        self.places.push(if room < 0.0 { Place::Basic } else { Place::Lower });
    }

    /// The deepest overlap at the placement `at` beyond its limit and beyond all of the start: its depth [m], and the
    /// number of its pair.
    pub(in super::super) fn beyond_limit(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
    ) -> Option<(f64, u32)> {
        let limited = |behavior: &ContactBehavior| behavior.limit.is_finite();
        if !multibody.contacts.behaviors.iter().any(limited) {
            return None;
        }
        let deepest = self.found.iter().fold(0.0, |most: f64, c| most.max(-c.gap));
        self.detect(multibody, at, (u, h));
        let depth = |contact: &ContactPoint| (-contact.gap, contact.pair);
        let over = |(depth, pair): &(f64, u32)| {
            *depth > multibody.contacts.behaviors[*pair as usize].limit.max(deepest)
        };
        self.found.iter().map(depth).filter(over).max_by(|a, b| a.0.total_cmp(&b.0))
    }
}
