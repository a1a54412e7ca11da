//! Impulses of impacts with restitution.

use super::row::Origin;
use super::row_set::RowSet;
use crate::Vec3;
use crate::contact::ContactPoint;
use crate::system::{ContactForce, RowImpacts, State};

/// Impulses of the impacts of a step.
#[derive(Default)]
pub(in crate::solve) struct Impacts {
    /// Of contacts, in the place of their forces [N s], and of ends of ranges [N s], [N m s].
    pub(super) contacts: Vec<ContactForce>,
    pub(super) ranges: Vec<f64>,
    /// Of the rows of joints [N s], [N m s].
    pub(super) multipliers: Vec<f64>,
    /// Velocities before all of them.
    pub(super) before: Vec<Vec3>,
    /// Those of one impact.
    pub(super) latest_contacts: Vec<ContactForce>,
    pub(super) latest_ranges: Vec<f64>,
    /// Impulses of the rows of an impact with restitution, while those without are sought.
    pub(super) elastic: Vec<f64>,
}

impl Impacts {
    /// Asks for the impact without restitution, whose impulses take energy.
    pub(super) fn begin_plastic(&mut self, set: &mut RowSet) {
        self.elastic.clone_from(&set.impulses);
        for row in &mut set.rows {
            if matches!(row.origin, Origin::Normal(_) | Origin::Range(_)) {
                row.target = 0.0;
            }
        }
    }

    /// The share s of restitution whose impulses p + s (e - p) do no work, by those with and without it: the root of
    /// a quadratic function that is not positive at 0 and positive at 1.
    pub(super) fn share_without_work(
        &self,
        set: &RowSet,
        plastic: &[Vec3],
        elastic: &[Vec3],
    ) -> f64 {
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
    pub(super) fn restore_share(&self, set: &mut RowSet, share: f64) {
        let impulses = set.impulses.iter_mut().zip(&self.elastic);
        impulses.for_each(|(p, e)| *p += (e - *p) * share);
    }

    /// Adds the impulses of an impact at the contacts `found` to those of the step, `ranges` their number and `joints`
    /// those of the rows of joints.
    pub(super) fn keep(
        &mut self,
        set: &RowSet,
        found: &[ContactPoint],
        ranges: usize,
        joints: &[f64],
    ) {
        self.latest_ranges.clear();
        self.latest_ranges.resize(ranges, 0.0);
        let lists = (&mut self.latest_contacts, &mut self.latest_ranges[..]);
        set.write_forces(found, lists, 1.0);
        self.add_latest(joints);
    }

    pub(super) fn begin(&mut self, u: &[Vec3]) {
        self.before.clear();
        self.before.extend_from_slice(u);
        self.contacts.clear();
        self.ranges.clear();
        self.multipliers.clear();
    }

    pub(super) fn add_latest(&mut self, joints: &[f64]) {
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

    /// Impulses on ranges and on the rows of joints.
    pub(in crate::solve) fn of_rows(&self) -> RowImpacts {
        RowImpacts { ranges: self.ranges.clone(), multipliers: self.multipliers.clone() }
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
