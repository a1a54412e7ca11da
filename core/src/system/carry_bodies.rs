//! From one compiled model to the next: rigid bodies, points attached to them, and the multipliers
//! of their constraint rows.

use nalgebra::UnitQuaternion;

use super::carry::{Before, Maps};
use super::{BodyRows, CompiledModel, State};
use crate::Vec3;
use crate::component::{Affine, Handle};
use crate::constraint::Pose;
use crate::dynamics::turn_between;
use crate::model::RigidBody;

/// Differences of positions [m] and velocities [m/s] of size 1 that are taken for rounding.
const ROUNDING: f64 = 1e-12;
/// Values [m] and rates [m/s] with which a row that was not there before is taken for satisfied.
const SATISFIED: f64 = 1e-10;

/// True if two vectors differ by rounding alone.
pub(super) fn near(a: &Vec3, b: &Vec3) -> bool {
    (a - b).norm() <= ROUNDING * (1.0 + a.norm())
}

/// Position and velocity of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyMotion {
    /// Centre of mass in its frame [m].
    center: Vec3,
    /// Positions and velocities of its two rows.
    q: [Vec3; 2],
    u: [Vec3; 2],
}

impl BodyMotion {
    pub(super) fn of(body: &BodyRows, state: &State) -> Self {
        let row = body.row as usize;
        let (q, u) = ([0, 1].map(|k| state.q[row + k]), [0, 1].map(|k| state.u[row + k]));
        Self { center: body.inertia.center_of_mass(), q, u }
    }

    /// As a list, to be remembered.
    pub(super) fn to_list(self) -> Vec<(Vec3, Vec3)> {
        vec![(self.q[0], self.u[0]), (self.q[1], self.u[1]), (self.center, Vec3::zeros())]
    }

    pub(super) fn from_list(list: &[(Vec3, Vec3)]) -> Option<Self> {
        let [(q, u), (turn, angular_velocity), (center, _)] = *list else { return None };
        Some(Self { center, q: [q, turn], u: [u, angular_velocity] })
    }

    fn orientation(&self) -> UnitQuaternion<f64> {
        UnitQuaternion::new(self.q[1])
    }

    /// Pose of the frame of the body.
    fn pose(&self) -> Pose {
        let turn = self.orientation();
        Pose::from_parts((self.q[0] - turn * self.center).into(), turn)
    }

    /// The same motion, told of another centre of mass.
    fn about(mut self, center: Vec3) -> Self {
        if center != self.center {
            let arm = self.orientation() * (center - self.center);
            self.q[0] += arm;
            self.u[0] += self.u[1].cross(&arm);
            self.center = center;
        }
        self
    }

    /// Taken along by a map.
    fn mapped(mut self, map: &Affine) -> Self {
        let frame = self.pose();
        let Some(moved) = map.frame(&frame, map.mirrored_axis(&frame)) else { return self };
        self.q[0] = map.point(&self.q[0]);
        self.q[1] = turn_between(&UnitQuaternion::identity(), &moved.rotation);
        let turn = match map.is_rigid() {
            true => map.linear,
            false => {
                self.center = moved.inverse_transform_point(&self.q[0].into()).coords;
                map.turn().unwrap_or(map.linear)
            }
        };
        // An angular velocity is an axial vector.
        let sign = turn.determinant().signum();
        self.u = [map.linear * self.u[0], turn * self.u[1] * sign];
        self
    }
}

/// Puts body number `place` into a motion; one that is prescribed without keyframes goes on from there.
pub(super) fn put(new: &mut CompiledModel, place: usize, motion: BodyMotion, next: &mut State) {
    let Some(body) = new.parts.multibody.as_ref().and_then(|m| m.bodies.get(place)) else { return };
    let row = body.row as usize;
    let motion = motion.about(body.inertia.center_of_mass());
    next.q[row..row + 2].copy_from_slice(&motion.q);
    next.u[row..row + 2].copy_from_slice(&motion.u);
    let Some(prescribed) =
        new.points.prescribed.iter_mut().find(|prescribed| prescribed.row() == row)
    else {
        return;
    };
    let reached = prescribed.positions(next.time);
    let there = near(&reached[0], &motion.q[0]) && near(&reached[1], &motion.q[1]);
    if prescribed.keyframes.is_empty() && !there {
        let pose = motion.pose();
        let back = UnitQuaternion::new(-prescribed.angular_velocity * next.time);
        let origin = pose.translation.vector - prescribed.velocity * next.time;
        prescribed.pose = Pose::from_parts(origin.into(), back * pose.rotation);
    }
    let positions = prescribed.positions(next.time);
    next.q[row..row + 2].copy_from_slice(&positions);
}

impl Before<'_> {
    /// Bodies stay where they are; those that are prescribed go on from there, or where their keyframes
    /// have them.
    pub(super) fn keep_bodies(&self, new: &mut CompiledModel, next: &mut State, maps: &Maps) {
        for place in 0..new.bodies().len() {
            let handle = new.bodies()[place];
            if let Some(motion) = self.kept(handle, new, maps) {
                put(new, place, motion, next);
            }
        }
    }

    /// The motion that a body which was there before has now; `None` for another one.
    fn kept(
        &self,
        handle: Handle<RigidBody>,
        new: &CompiledModel,
        maps: &Maps,
    ) -> Option<BodyMotion> {
        let (before, after) = (self.old.body_rows(handle)?, new.body_rows(handle)?);
        let center = after.inertia.center_of_mass();
        let old_start = BodyMotion::of(before, &self.old.points.initial).about(center);
        let start = BodyMotion::of(after, &new.points.initial);
        let same = |a: [Vec3; 2], b: [Vec3; 2]| near(&a[0], &b[0]) && near(&a[1], &b[1]);
        let stays = [same(old_start.q, start.q), same(old_start.u, start.u)];
        let maps = maps.get(&handle.id()).filter(|_| !stays[0]);
        let along = maps.map_or(&[][..], Vec::as_slice);
        let now = along.iter().fold(BodyMotion::of(before, self.state), BodyMotion::mapped);
        let mut kept = now.about(center);
        if maps.is_none() && !stays[0] {
            kept.q = start.q;
        }
        let body = self.model.get(handle)?;
        let was_prescribed = self
            .old
            .points
            .prescribed
            .iter()
            .any(|prescribed| prescribed.row() == before.row as usize);
        if !body.dynamic && !was_prescribed {
            // From now on it keeps the velocities that it is given.
            let arm = kept.orientation() * center;
            let [velocity, angular_velocity] = match body.keyframes[..] {
                [] => [body.velocity, body.angular_velocity],
                _ => [Vec3::zeros(); 2],
            };
            kept.u = [velocity + angular_velocity.cross(&arm), angular_velocity];
        } else if maps.is_none() && !stays[1] {
            kept.u = start.u;
        }
        Some(kept)
    }

    /// Keeps attached points to the bit where they are in place but for rounding, and places them
    /// otherwise.
    pub(super) fn keep_attached(&self, new: &CompiledModel, next: &mut State) {
        let (before, after) = (&self.old.points, &new.points);
        for (handle, &to) in after.places.markers.handles().iter().zip(&after.numbering.marker_rows)
        {
            if let Some(place) = before.places.markers.place(*handle) {
                let (from, to) = (before.numbering.marker_rows[place] as usize, to as usize);
                (next.q[to], next.u[to]) = (self.state.q[from], self.state.u[from]);
            }
        }
        let transferred = next.clone();
        new.place_attached(next);
        let Some(multibody) = &new.parts.multibody else { return };
        self.keep_momenta(new, &transferred, next);
        for row in multibody.attachments.list.attached_rows().iter().map(|&row| row as usize) {
            if near(&transferred.q[row], &next.q[row]) {
                next.q[row] = transferred.q[row];
            }
            if near(&transferred.u[row], &next.u[row]) {
                next.u[row] = transferred.u[row];
            }
        }
    }

    /// Coordinates of joints keep their turns, and what is locked stays locked where it was.
    pub(super) fn keep_coordinates(&self, new: &CompiledModel, next: &mut State) {
        let Some(multibody) = &new.parts.multibody else { return };
        let was_locked = self.old.parts.multibody.as_ref().map_or(&[][..], |m| &m.joints.locked);
        for (&id, &place) in &multibody.joints.places {
            let joint = &multibody.joints.placed[place];
            let (first, count) = (joint.first as usize, joint.start.len());
            let known = self.old.coordinates_of(id).filter(|known| known.len() == count);
            let before = known.clone().and_then(|known| self.state.coordinates.get(known));
            let mut now = joint.start.clone();
            joint.calc_coordinates(&next.q, before.unwrap_or(&joint.start), &mut now);
            if let (Some(known), Some(before)) = (known, before) {
                for (k, now) in now.iter_mut().enumerate() {
                    if was_locked[known.start + k] && multibody.joints.locked[first + k] {
                        *now = before[k];
                    }
                }
            }
            next.coordinates[first..first + count].copy_from_slice(&now);
        }
    }

    /// A body that follows has velocities of its own, those of the mean of a step; they stay where it is
    /// where it was.
    fn keep_momenta(&self, new: &CompiledModel, transferred: &State, next: &mut State) {
        let Some(multibody) = &new.parts.multibody else { return };
        let mut own = next.u.clone();
        for body in &multibody.attachments.fitted {
            let handle = new.bodies()[body.body as usize];
            let before = self.old.body_rows(handle).map(|rows| rows.row as usize);
            let followed = before.is_some_and(|row| self.old.is_attached(row));
            let row = multibody.bodies[body.body as usize].row as usize;
            if followed && (row..row + 2).all(|row| near(&transferred.q[row], &next.q[row])) {
                own[row..row + 2].copy_from_slice(&transferred.u[row..row + 2]);
            }
        }
        multibody.keep_fitted(&own, &multibody.weights_at(&next.q), &mut next.u);
    }

    /// Keeps the multipliers of rows whose values and rates are unchanged, so that the next step
    /// goes on as any other. Otherwise nothing is known of them, and the next step first brings
    /// everything onto its rows.
    pub(super) fn keep_multipliers(&self, new: &CompiledModel, next: &mut State) {
        if self.state.multipliers.len() != self.old.row_count() {
            return;
        }
        let (before, after) = (self.old.row_values(self.state), new.row_values(next));
        let mut multipliers = vec![0.0; after.len()];
        for (owner, rows) in new.points.row_owners.iter() {
            let known = self.old.rows_of(owner).filter(|known| known.len() == rows.len());
            let old = known.clone().map_or(&[][..], |known| &before[known]);
            match stay(old, &after[rows.clone()]) {
                Stay::Same => {
                    let known = known.map_or(&[][..], |known| &self.state.multipliers[known]);
                    multipliers[rows].copy_from_slice(known);
                }
                Stay::Turned => {}
                Stay::Changed if rows.clone().all(|row| new.is_compliant(row)) => {}
                Stay::Changed => return,
            }
        }
        next.multipliers = multipliers;
    }
}

/// Change of the rows of a joint by an edit.
enum Stay {
    /// To rounding as they were.
    Same,
    /// As far off as they were, along other axes; or new, and satisfied.
    Turned,
    Changed,
}

/// Values and rates of the rows of one joint before, none where it is new, and after.
fn stay(before: &[[f64; 2]], after: &[[f64; 2]]) -> Stay {
    let norm =
        |rows: &[[f64; 2]], i: usize| rows.iter().map(|row| row[i] * row[i]).sum::<f64>().sqrt();
    if before.len() != after.len() {
        let satisfied = [0, 1].iter().all(|&i| norm(after, i) <= SATISFIED);
        return if satisfied { Stay::Turned } else { Stay::Changed };
    }
    // Roundings of positions and velocities of size 1.
    let alike = |a: f64, b: f64| (a - b).abs() <= ROUNDING * (1.0 + a.abs());
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    if pairs.into_iter().all(|(&a, &b)| alike(a, b)) {
        Stay::Same
    } else if [0, 1].iter().all(|&i| alike(norm(before, i), norm(after, i))) {
        Stay::Turned
    } else {
        Stay::Changed
    }
}
