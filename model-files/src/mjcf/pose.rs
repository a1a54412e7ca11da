//! Poses and velocities of bodies at the start: from the world outwards, joint after joint (Featherstone2008).

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::constraint::spatial::{FrameVelocity, turn};

use super::import::Import;
use super::records::{Body, Joint, JointType};

/// A frame that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) pose: Pose,
    pub(super) motion: FrameVelocity,
}

impl Moving {
    /// A frame that is at a pose in this one and moves along.
    pub(super) fn with(&self, pose: &Pose) -> Self {
        let there = self.pose * pose;
        let arm = there.translation.vector - self.pose.translation.vector;
        let velocity = self.motion.velocity + self.motion.angular_velocity.cross(&arm);
        Self { pose: there, motion: FrameVelocity { velocity, ..self.motion } }
    }

    /// The frame after a joint of its body.
    pub(super) fn after(&self, joint: &Joint<'_>) -> Self {
        let (rotation, axis) = (self.pose.rotation, self.pose.rotation * joint.axis);
        let moved = joint.value - joint.reference;
        match joint.kind {
            JointType::Slide => {
                let mut next = *self;
                next.pose.translation.vector += axis * moved;
                next.motion.velocity +=
                    axis * joint.rate + self.motion.angular_velocity.cross(&(axis * moved));
                next
            }
            JointType::Hinge => {
                let turned = rotation * turn(&joint.axis, moved);
                self.turned(turned, axis * joint.rate, &joint.anchor)
            }
            JointType::Ball => {
                let turned = rotation * joint.turn;
                self.turned(turned, turned * joint.angular_velocity, &joint.anchor)
            }
            JointType::Free => *self,
        }
    }

    /// The frame turned about an anchor in it, with an angular velocity [rad/s] against before.
    fn turned(&self, rotation: UnitQuaternion<f64>, rate: Vec3, anchor: &Vec3) -> Self {
        let (origin, before) = (self.pose.translation.vector, self.motion.angular_velocity);
        let fixed = self.pose.transform_point(&(*anchor).into()).coords;
        let place = fixed - rotation * anchor;
        let angular_velocity = before + rate;
        let velocity = self.motion.velocity
            + before.cross(&(fixed - origin))
            + angular_velocity.cross(&(place - fixed));
        Self {
            pose: Pose::from_parts(place.into(), rotation),
            motion: FrameVelocity { velocity, angular_velocity },
        }
    }
}

/// The frame of a body before its joints.
fn before_joints(bodies: &[Body<'_>], number: usize) -> Moving {
    let body = &bodies[number];
    let parent = &bodies[body.parent];
    Moving { pose: parent.placed, motion: parent.motion }.with(&body.pose)
}

/// Places bodies at the coordinates of their joints, free ones where they are; finds those that are one with others.
pub(super) fn place(bodies: &mut [Body<'_>]) {
    for number in 1..bodies.len() {
        let mut at = before_joints(bodies, number);
        let body = &bodies[number];
        let welded = if body.joints.is_empty() { bodies[body.parent].welded } else { number };
        for joint in &body.joints {
            at = at.after(joint);
        }
        // A free joint has its pose in the world.
        let free = body.joints.iter().any(|it| it.kind == JointType::Free);
        let body = &mut bodies[number];
        body.welded = welded;
        if !free {
            (body.placed, body.motion) = (at.pose, at.motion);
        }
    }
}

impl Import<'_> {
    /// The frame of a body before its joints.
    pub(super) fn before_joints(&self, number: usize) -> Moving {
        before_joints(&self.bodies, number)
    }

    /// Places all bodies at the start.
    pub(super) fn place_bodies(&mut self) {
        place(&mut self.bodies);
    }
}
