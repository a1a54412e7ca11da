//! Rows of friction: across the normals of contacts, against slip and against rolling.

use crate::Vec3;
use crate::constraint::SiteBase;
use crate::contact::ContactPoint;
use crate::dynamics::any_perpendicular;
use crate::lcp::{ActiveSetStatus, Bound};
use crate::solve::constrained::tuning::{NO_SLIP, SLIPPING, SLIPS};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::row::{Origin, Row};
use crate::solve::constrained::unilateral::rows::{Begin, base, points_of};
use crate::system::{ContactForce, Multibody, State};

/// Two rows of friction to be added.
struct Across {
    normal: usize,
    contact: ContactPoint,
    coefficient: f64,
    origin: Origin,
    /// Velocity that they resist, and their force of the last step, both across the normal.
    slip: Vec3,
    last: Vec3,
    /// True if the slip is that of the end of the step.
    ahead: bool,
    largest: f64,
}

impl Unilateral {
    /// Adds two rows across the normal to each contact with friction: the first along the slip that there would be
    /// without it, `free` the velocities of that; where none are context, along that of the start, or along the
    /// friction of the last step. Two more resist rolling where there is rolling friction.
    pub(in super::super) fn add_friction(
        &mut self,
        begin: &Begin,
        free: Option<&[Vec3]>,
        state: &State,
    ) {
        self.status.directed = true;
        let (ahead, free) = (free.is_some(), free.unwrap_or(begin.u));
        let largest = free.iter().fold(0.0, |most: f64, u| most.max(u.amax()));
        for normal in 0..self.set.rows.len() {
            let Origin::Normal(number) = self.set.rows[normal].origin else { continue };
            let contact = self.near.found[number as usize];
            let law = &begin.multibody.contacts.behaviors[contact.pair as usize].law;
            let n = contact.normal;
            let across = |v: Vec3| v - n * n.dot(&v);
            let (slip, angular_velocity) = relative(begin, &contact, free);
            let (coefficient, last, origin) = (0.0, Vec3::zeros(), Origin::Tangent(number));
            let slip = across(slip);
            let slips = Across { normal, contact, coefficient, origin, slip, last, ahead, largest };
            if law.has_friction() {
                let last = known_force(&state.contacts, &contact).map_or(Vec3::zeros(), across);
                // Of the speed at the start, so that the limit is a number of the step.
                let speed = across(relative(begin, &contact, begin.u).0).norm();
                let coefficient = law.friction_at(speed);
                self.add_across(begin, &Across { coefficient, last, ..slips });
            }
            if let (Some(turn), true) = (angular_velocity, law.rolling_friction != 0.0) {
                let (slip, coefficient) = (across(turn), law.rolling_friction);
                let rolls = Across { slip, coefficient, origin: Origin::Rolling, ..slips };
                self.add_across(begin, &rolls);
            }
        }
        self.resize();
    }

    fn add_across(&mut self, begin: &Begin, pair: &Across) {
        let n = pair.contact.normal;
        let slips = pair.slips(begin.h);
        let first = match (slips, pair.last.norm() > 0.0) {
            (true, _) => pair.slip.normalize(),
            (false, true) => pair.last.normalize(),
            (false, false) => any_perpendicular(&n),
        };
        let count = self.set.rows.len();
        for (place, direction) in [first, n.cross(&first)].into_iter().enumerate() {
            match pair.origin {
                Origin::Rolling => self.set.add_moment_row(begin, &pair.contact, direction),
                _ => self.set.add_row(begin, &pair.contact, direction),
            }
            let before = self.set.pattern.velocity(count + place, &self.set.values, begin.u);
            let target = (1.0 - begin.w) * before;
            let origin = pair.origin;
            self.set.rows.push(Row { origin, target, before, direction, ..Row::NOTHING });
            self.set.bounds.push(self.settings.bound(Bound::Friction {
                normal: pair.normal,
                coefficient: pair.coefficient,
                partner: Some(count + 1 - place),
            }));
            let impulse = pair.last.dot(&direction) * begin.h * begin.w;
            let most = pair.coefficient * self.set.impulses[pair.normal];
            let status = if slips { status_at(impulse, most) } else { ActiveSetStatus::Basic };
            self.set.statuses.push(status);
            // The balance of momenta of this iteration does not know it yet.
            self.set.impulses.push(0.0);
        }
    }

    /// Writes mean forces of a step of `h` into `state`, sorted.
    pub(in super::super) fn write_forces(&self, multibody: &Multibody, state: &mut State, h: f64) {
        state.range_forces.clear();
        state.range_forces.resize(multibody.joints.unilateral.count(), 0.0);
        let lists = (&mut state.contacts, &mut state.range_forces[..]);
        self.set.write_forces(&self.near.found, lists, h);
    }
}

impl Across {
    /// True if there is slip to speak of, in a step of `h` [s].
    fn slips(&self, h: f64) -> bool {
        match self.ahead {
            true => self.slip.norm() > NO_SLIP * self.largest,
            false => self.slip.norm() * h > SLIPS,
        }
    }
}

/// Status of friction with an impulse, of `most` at its limit.
fn status_at(impulse: f64, most: f64) -> ActiveSetStatus {
    match impulse {
        z if z > 0.0 && z >= most * (1.0 - SLIPPING) => ActiveSetStatus::Upper,
        z if z < 0.0 && z <= -most * (1.0 - SLIPPING) => ActiveSetStatus::Lower,
        _ => ActiveSetStatus::Basic,
    }
}

/// Velocity [m/s] and, where there is a body, angular velocity [rad/s] of A against B at a contact, by the velocities
/// `u`.
fn relative(begin: &Begin, contact: &ContactPoint, u: &[Vec3]) -> (Vec3, Option<Vec3>) {
    let point = (contact.point_a + contact.point_b) * 0.5;
    let pair = begin.multibody.contacts.pairs[contact.pair as usize];
    let motion = |member| match base(begin.multibody, member, contact) {
        None | Some(SiteBase::Ground) => (Vec3::zeros(), None),
        Some(SiteBase::Point(row)) => (u[row as usize], None),
        Some(SiteBase::Body(_, row)) => {
            let (arm, angular_velocity) = (point - begin.at.q[row as usize], u[row as usize + 1]);
            (u[row as usize] + angular_velocity.cross(&arm), Some(angular_velocity))
        }
    };
    let (a, b) = (motion(pair.a), motion(pair.b));
    let angular_velocity = match (a.1, b.1) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or_default() - b.unwrap_or_default()),
    };
    let of_points: Vec3 = points_of(contact).map(|(row, w)| u[row as usize] * w).sum();
    let of_members = a.0 - b.0;
    let velocity = if contact.stencil.is_some() { of_points + of_members } else { of_members };
    (velocity, angular_velocity)
}

/// The force of the last step on A of the same contact [N].
pub(super) fn known_force(forces: &[ContactForce], contact: &ContactPoint) -> Option<Vec3> {
    let identity = (contact.pair, contact.a, contact.key);
    let place = forces.binary_search_by(|force| (force.pair, force.a, force.key).cmp(&identity));
    place.ok().map(|k| forces[k].force)
}
