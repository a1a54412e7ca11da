//! Bodies that forces do not move: where they are at a time.

use nalgebra::UnitQuaternion;

use crate::Vec3;
use crate::constraint::Pose;
use crate::dynamics::turn_between;
use crate::model::{Keyframe, RigidBody};

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrescribedBody {
    pub(super) row: u32,
    /// Centre of mass in the frame of the body [m].
    pub(super) center: Vec3,
    /// That of the body without what is attached to it, from there [m].
    pub(super) own: Vec3,
    /// Pose and velocities at time 0.
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) keyframes: Vec<Keyframe>,
}

impl PrescribedBody {
    /// Positions of its two rows at a time [s].
    pub(super) fn positions(&self, time: f64) -> [Vec3; 2] {
        let pose = self.pose_at(time);
        let turn = turn_between(&UnitQuaternion::identity(), &pose.rotation);
        [pose.transform_point(&self.center.into()).coords, turn]
    }

    /// True if its place changes over time.
    pub(super) fn is_moving(&self) -> bool {
        let still = [self.velocity, self.angular_velocity] == [Vec3::zeros(); 2];
        !(self.keyframes.is_empty() && still)
    }

    pub(super) fn row(&self) -> usize {
        self.row as usize
    }

    /// Centre of mass without what is attached, at positions `q` [m].
    pub(super) fn own_center(&self, q: &[Vec3]) -> Vec3 {
        q[self.row()] + UnitQuaternion::new(q[self.row() + 1]) * self.own
    }

    fn pose_at(&self, time: f64) -> Pose {
        let [.., last] = &self.keyframes[..] else {
            let turn = UnitQuaternion::new(self.angular_velocity * time);
            let origin = self.pose.translation.vector + self.velocity * time;
            return Pose::from_parts(origin.into(), turn * self.pose.rotation);
        };
        let next = self.keyframes.partition_point(|frame| frame.time <= time);
        match (next.checked_sub(1), self.keyframes.get(next)) {
            (None, Some(first)) => first.pose,
            (Some(before), Some(after)) => {
                let before = &self.keyframes[before];
                let share = (time - before.time) / (after.time - before.time);
                let turn = turn_between(&before.pose.rotation, &after.pose.rotation) * share;
                let origins = [before, after].map(|frame| frame.pose.translation.vector);
                let origin = origins[0].lerp(&origins[1], share);
                Pose::from_parts(origin.into(), UnitQuaternion::new(turn) * before.pose.rotation)
            }
            (_, None) => last.pose,
        }
    }

    /// From its two centres of mass: with what is attached, and its own.
    pub(super) fn new(row: u32, body: &RigidBody, [center, own]: [Vec3; 2]) -> Self {
        let RigidBody { pose, velocity, angular_velocity, keyframes, .. } = body;
        let keyframes = keyframes.clone();
        let (pose, velocity, angular_velocity) = (*pose, *velocity, *angular_velocity);
        let own = own - center;
        Self { row, center, own, pose, velocity, angular_velocity, keyframes }
    }
}
