//! Impacts with restitution. What is struck in a step springs back at its start, by impulses in the metric of the masses
//! under the rows of the joints: an impact takes no time, so that neither the forces nor the turns of a step have a part
//! in it. Impulses do no work: where Newton's law would have them do some, as with friction or several
//! contacts at once (Stronge1990), restitution is what leaves the energy as it is.

use crate::Vec3;
use crate::constraint::Placement;
use crate::contact::ContactPoint;
use crate::lcp::FrictionModel;
use crate::solve::constrained::project::{
    factored_motion, forget_soft_rows, place_on_rows, set_masses,
};
use crate::solve::constrained::tuning::{MAX_IMPACTS, NO_WORK};
use crate::solve::constrained::unilateral::impulses::solve_rows;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::constrained::unilateral::{Origin, RowSet, Unilateral};
use crate::solve::constrained::{Constrained, Parts, StepContext};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{ContactForce, Multibody, State};

/// Impulses of the impacts of a step.
#[derive(Default)]
pub(in crate::solve) struct Impacts {
    /// Of contacts, in the place of their forces [N s], and of ends of ranges [N s], [N m s].
    contacts: Vec<ContactForce>,
    ranges: Vec<f64>,
    /// Of the rows of joints [N s], [N m s].
    multipliers: Vec<f64>,
    /// Velocities before all of them.
    before: Vec<Vec3>,
    /// Those of one impact.
    latest_contacts: Vec<ContactForce>,
    latest_ranges: Vec<f64>,
    /// Impulses of the rows of an impact with restitution, while those without are sought.
    elastic: Vec<f64>,
}

/// Velocities after what is struck within a step of `h` [s] has sprung back, into `state` of its start, whose rows are
/// those of `own`.
pub(in crate::solve) fn rebound(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let Constrained { parts, contacts } = own;
    let Some(rows) = contacts else { return Ok(()) };
    rows.impacts.begin(&state.u);
    if !springs_back(multibody) {
        return Ok(());
    }
    for _ in 0..MAX_IMPACTS {
        place_on_rows(parts, multibody, state);
        if !rows.begin_struck(&before(parts, multibody, state, h), state) {
            return Ok(());
        }
        strike(equations, context, parts, state, (h, rows))?;
        for (row, u) in state.u.iter_mut().enumerate() {
            for axis in (0..3).filter(|&axis| !parts.reduction.fixed[row][axis]) {
                u[axis] = parts.trial.y[row][axis];
            }
        }
        parts.reduction.attachments.expand_velocity(&mut state.u);
        let ranges = multibody.joints.unilateral.count();
        let Unilateral { impacts, set, near, .. } = &mut **rows;
        impacts.keep(set, &near.found, ranges, &parts.trial.impulses);
    }
    Ok(())
}

fn springs_back(multibody: &Multibody) -> bool {
    let (contacts, ranges) = (&multibody.contacts, &multibody.joints.unilateral);
    contacts.behaviors.iter().any(|behavior| behavior.law.restitution > 0.0)
        || (0..ranges.count()).any(|range| ranges.restitution(range) > 0.0)
}

/// Where things are struck.
fn before<'a>(parts: &'a Parts, multibody: &'a Multibody, state: &'a State, h: f64) -> Begin<'a> {
    let (turns, coordinates) = (&parts.start.turns[..], &parts.start.coordinates[..]);
    Begin {
        multibody,
        attachments: &parts.reduction.attachments,
        at: Placement { q: &state.q, turns, coordinates },
        u: &state.u,
        h,
        w: 1.0,
    }
}

/// Velocities after the impact on the rows there are, into `parts.trial.y`.
fn strike(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &State,
    (h, rows): (f64, &mut Unilateral),
) -> Result<(), Failure> {
    let multibody = context.multibody;
    set_masses(parts, context, &mut equations.matrix, state);
    parts.linear.row_right.fill(0.0);
    forget_soft_rows(parts, multibody);
    factored_motion(parts, &equations.matrix)?;
    parts.trial.balance.residual.copy_from_slice(&state.u);
    let matrix = &equations.matrix;
    parts.mixed.matrix_changed();
    solve_rows(parts, matrix, rows, FrictionModel::Box, h)?;
    rows.settings.keep_normals(&rows.set.impulses);
    parts.trial.balance.force.copy_from_slice(&parts.trial.y);
    parts.reduction.attachments.expand_velocity(&mut parts.trial.balance.force);
    let count = rows.set.count();
    let begin = before(parts, multibody, state, h);
    rows.add_friction(&begin, Some(&parts.trial.balance.force), state);
    let model = equations.settings.friction;
    if rows.set.count() > count {
        solve_rows(parts, matrix, rows, model, h)?;
    }
    if works(&rows.set, &parts.trial.y) {
        parts.end_u.copy_from_slice(&parts.trial.y);
        rows.impacts.begin_plastic(&mut rows.set);
        solve_rows(parts, matrix, rows, model, h)?;
        let share = rows.impacts.share_without_work(&rows.set, &parts.trial.y, &parts.end_u);
        rows.impacts.restore_share(&mut rows.set, share);
        for (y, elastic) in parts.trial.y.iter_mut().zip(&parts.end_u) {
            *y += (elastic - *y) * share;
        }
    }
    Ok(())
}

/// Whether the impulses of the rows do work: that of an impulse is its product with the mean of the velocities before
/// and after.
fn works(set: &RowSet, after: &[Vec3]) -> bool {
    let (mut work, mut size) = (0.0, 0.0);
    for (row, z) in set.impulses.iter().enumerate() {
        let ends = [set.rows[row].before, set.pattern.velocity(row, &set.values, after)];
        work += z * (ends[0] + ends[1]);
        size += z.abs() * (ends[0].abs() + ends[1].abs());
    }
    work > NO_WORK * size
}

impl Impacts {
    /// Asks for the impact without restitution, whose impulses take energy.
    fn begin_plastic(&mut self, set: &mut RowSet) {
        self.elastic.clone_from(&set.impulses);
        for row in &mut set.rows {
            if matches!(row.origin, Origin::Normal(_) | Origin::Range(_)) {
                row.target = 0.0;
            }
        }
    }

    /// The share s of restitution whose impulses p + s (e - p) do no work, by those with and without it: the root of
    /// a quadratic function that is not positive at 0 and positive at 1.
    fn share_without_work(&self, set: &RowSet, plastic: &[Vec3], elastic: &[Vec3]) -> f64 {
        let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
        for (row, (p, e)) in set.impulses.iter().zip(&self.elastic).enumerate() {
            let [vp, ve] = [plastic, elastic].map(|u| set.pattern.velocity(row, &set.values, u));
            let mean = vp + set.rows[row].before;
            a += p * mean;
            b += (e - p) * mean + p * (ve - vp);
            c += (e - p) * (ve - vp);
        }
        let share = -2.0 * a / (b + (b * b - 4.0 * a * c).max(0.0).sqrt());
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Impulses with that share of restitution.
    fn restore_share(&self, set: &mut RowSet, share: f64) {
        let impulses = set.impulses.iter_mut().zip(&self.elastic);
        impulses.for_each(|(p, e)| *p += (e - *p) * share);
    }

    /// Adds the impulses of an impact at the contacts `found` to those of the step, `ranges` their number and `joints`
    /// those of the rows of joints.
    fn keep(&mut self, set: &RowSet, found: &[ContactPoint], ranges: usize, joints: &[f64]) {
        self.latest_ranges.clear();
        self.latest_ranges.resize(ranges, 0.0);
        let lists = (&mut self.latest_contacts, &mut self.latest_ranges[..]);
        set.write_forces(found, lists, 1.0);
        self.add_latest(joints);
    }

    fn begin(&mut self, u: &[Vec3]) {
        self.before.clear();
        self.before.extend_from_slice(u);
        self.contacts.clear();
        self.ranges.clear();
        self.multipliers.clear();
    }

    fn add_latest(&mut self, joints: &[f64]) {
        let Self { contacts, ranges, multipliers, latest_contacts, latest_ranges, .. } = self;
        add_contacts(contacts, latest_contacts, 1.0);
        for (sum, one) in [(ranges, &latest_ranges[..]), (multipliers, joints)] {
            sum.resize(one.len(), 0.0);
            sum.iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
    }

    /// Brings back the velocities before the impacts.
    pub(in crate::solve) fn undo(&self, state: &mut State) {
        state.u.copy_from_slice(&self.before);
    }

    /// Adds the mean forces over a step of `h` [s] to those of `state`.
    pub(in crate::solve) fn add_to(&self, state: &mut State, h: f64) {
        add_contacts(&mut state.contacts, &self.contacts, 1.0 / h);
        let ranges = state.range_forces.iter_mut().zip(&self.ranges);
        let joints = state.multipliers.iter_mut().zip(&self.multipliers);
        ranges.chain(joints).for_each(|(force, impulse)| *force += impulse / h);
    }
}

/// Adds multiples of forces to a list, both sorted by contact.
fn add_contacts(list: &mut Vec<ContactForce>, added: &[ContactForce], factor: f64) {
    let identity = |contact: &ContactForce| (contact.pair, contact.a, contact.key);
    for contact in added {
        match list.binary_search_by(|known| identity(known).cmp(&identity(contact))) {
            Ok(place) => list[place].force += contact.force * factor,
            Err(place) => {
                list.insert(place, ContactForce { force: contact.force * factor, ..*contact });
            }
        }
    }
}
