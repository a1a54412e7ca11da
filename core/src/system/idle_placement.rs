//! Idle points of a compiled system ([`IdlePoints`]): which there are, and where their bodies have them.

use super::idle_points::{IdlePoint, IdlePoints};
use super::multibody::{AttachmentSet, BodyRows, Multibody, Weight};
use crate::force::NO_BODY;
use crate::{Mat3, Vec3};

impl AttachmentSet {
    /// The body of an attached point that is fixed to one which follows nothing, and its arm.
    fn body_of(&self, k: usize, bodies: &[BodyRows]) -> Option<(u32, Vec3)> {
        let range = self.list.weights(k);
        let [Weight::Centre, Weight::Turned(body, arm)] = self.weights[range] else { return None };
        let row = bodies[body as usize].row;
        let plain = self.list.masters(k) == [row, row + 1] && !self.resolved.is_attached(row);
        plain.then_some((body, arm))
    }
}

impl Multibody {
    /// For each of `size` block rows the row of the centre of mass of the body that it is fixed to, or [`NO_BODY`].
    pub(super) fn body_rows_of_points(&self, size: usize) -> Vec<u32> {
        let mut rows = vec![NO_BODY; size];
        for (k, &row) in self.attachments.list.attached_rows().iter().enumerate() {
            if let Some((body, _)) = self.attachments.body_of(k, &self.bodies) {
                rows[row as usize] = self.bodies[body as usize].row;
            }
        }
        rows
    }

    /// Finds the idle points among the block rows `candidates`, which rise; `is_touched` says on which rows something
    /// is assembled.
    pub(super) fn set_idle(&mut self, candidates: &[u32], is_touched: impl Fn(u32) -> bool) {
        let attachments = &self.attachments;
        let contacts = &self.contacts;
        let mut taken: Vec<u32> = attachments.list.all_masters().to_vec();
        taken.extend(contacts.points.iter().flat_map(|set| &set.rows));
        taken.extend(contacts.surfaces.iter().flat_map(|surface| &surface.rows));
        taken.sort_unstable();
        let mut idle = IdlePoints::default();
        for (k, &row) in attachments.list.attached_rows().iter().enumerate() {
            let own = attachments.body_of(k, &self.bodies).filter(|_| {
                let known = candidates.binary_search(&row).is_ok();
                known && !is_touched(row) && taken.binary_search(&row).is_err()
            });
            match own {
                Some((body, arm)) => {
                    idle.points.push(IdlePoint { number: k as u32, row, body, arm });
                }
                None => idle.active_weights.extend(attachments.list.weights(k).map(|w| w as u32)),
            }
        }
        let flags = idle.flags(attachments.list.attached_rows().len());
        let order = attachments.resolved.order().iter();
        idle.order = order.copied().filter(|&k| !flags[k as usize]).collect();
        self.attachments.idle = idle;
    }

    /// Numbers of the attached points that are not idle, each after its masters.
    pub(crate) fn active_points(&self) -> impl Iterator<Item = usize> {
        self.attachments.idle.order.iter().map(|&k| k as usize)
    }

    /// Puts the attached points that are not idle where their masters have them.
    pub(crate) fn place_active(&self, turns: &mut [Mat3], q: &mut [Vec3]) {
        self.place_points(&self.attachments.idle.order, turns, q);
    }

    /// Puts the idle points where their bodies have them.
    pub(crate) fn place_idle(&self, turns: &[Mat3], q: &mut [Vec3]) {
        for point in &self.attachments.idle.points {
            let center = q[self.bodies[point.body as usize].row as usize];
            q[point.row as usize] = center + turns[point.body as usize] * point.arm;
        }
    }

    /// Velocities of the idle points by those of their bodies, turned as `turns` say.
    pub(crate) fn expand_idle_velocity(&self, turns: &[Mat3], u: &mut [Vec3]) {
        for point in &self.attachments.idle.points {
            let row = self.bodies[point.body as usize].row as usize;
            let arm = turns[point.body as usize] * point.arm;
            u[point.row as usize] = u[row] + u[row + 1].cross(&arm);
        }
    }
}
