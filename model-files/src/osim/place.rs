//! Poses of bodies at the start: from the ground outwards along the joints.

use std::collections::{BTreeMap, VecDeque};

use nalgebra::Point3;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::constraint::spatial::FrameVelocity;

use super::fields::refused;
use super::import::Import;
use super::records::{Base, Frame, JointRecord, Placed};

const AT_REST: FrameVelocity = FrameVelocity {
    velocity: Vec3::new(0.0, 0.0, 0.0),
    angular_velocity: Vec3::new(0.0, 0.0, 0.0),
};

/// Pose of the child of a joint.
fn child_of(joint: &JointRecord<'_>, parent: &Placed) -> Placed {
    let (pose, motion) = (joint.pose(), joint.motion());
    let (d, c) = (&joint.d.pose, &joint.c.pose);
    let (child, sign, seen_from) = if joint.reversed {
        let d_world = parent.pose * c * pose.inverse();
        (d_world * d.inverse(), -1.0, d_world)
    } else {
        let d_world = parent.pose * d;
        (d_world * pose * c.inverse(), 1.0, d_world)
    };
    let middle = seen_from.transform_point(&Point3::from(pose.translation.vector)).coords;
    let origin = |pose: &Pose| pose.translation.vector;
    let before = parent.motion.angular_velocity;
    let angular_velocity = before + seen_from.rotation * motion.angular_velocity * sign;
    // Of the child's material at the origin of C, then at its own.
    let there = parent.motion.velocity
        + before.cross(&(middle - origin(&parent.pose)))
        + seen_from.rotation * motion.velocity * sign;
    let velocity = there + angular_velocity.cross(&(origin(&child) - middle));
    let fixed = parent.fixed && joint.is_weld();
    Placed { pose: child, motion: FrameVelocity { velocity, angular_velocity }, fixed }
}

impl Import<'_> {
    fn placed(&self, base: Base) -> Option<Placed> {
        match base {
            Base::Ground => Some(Placed { pose: Pose::identity(), motion: AT_REST, fixed: true }),
            Base::Body(number) => self.bodies[number].placed,
        }
    }

    /// Places all bodies, and finds those that are parts of others.
    pub(super) fn place_bodies(&mut self) {
        let mut from: BTreeMap<Base, Vec<usize>> = BTreeMap::new();
        let mut moved = vec![false; self.bodies.len()];
        for (k, joint) in self.joints.iter().enumerate() {
            from.entry(joint.parent().base).or_default().push(k);
            if let Base::Body(child) = joint.child().base {
                moved[child] = true;
            }
        }
        let mut open: VecDeque<usize> = from.remove(&Base::Ground).unwrap_or_default().into();
        self.follow_joints(&mut open, &mut from);
        for free in (0..self.bodies.len()).filter(|&number| !moved[number]) {
            let body = &mut self.bodies[free];
            body.placed = Some(Placed { pose: Pose::identity(), motion: AT_REST, fixed: false });
            let message = format!("no joint moves body '{}': it is free, at the origin", body.name);
            let span = body.at.span;
            self.findings.note(span, message);
            open.extend(from.remove(&Base::Body(free)).unwrap_or_default());
            self.follow_joints(&mut open, &mut from);
        }
        for k in from.into_values().flatten() {
            let joint = &self.joints[k];
            let message = format!(
                "{} is part of a circle of joints that no joint ties to the ground",
                joint.at.label()
            );
            let help = "let the first joint begin at the ground";
            self.findings.push(refused(joint.at, message).help(help));
        }
    }

    /// Places the children of joints whose parents have a place, and theirs.
    fn follow_joints(&mut self, open: &mut VecDeque<usize>, from: &mut BTreeMap<Base, Vec<usize>>) {
        while let Some(k) = open.pop_front() {
            let joint = &self.joints[k];
            let parent = self.placed(joint.parent().base);
            let (Some(parent), Base::Body(child)) = (parent, joint.child().base) else { continue };
            if self.bodies[child].placed.is_none() {
                let placed = child_of(joint, &parent);
                // Its frame in the parent's, for one that is part of it.
                let part = joint.is_weld() && self.bodies[child].mass == 0.0 && !placed.fixed;
                let frame = Frame::of(joint.parent().base).with(&parent.pose.inv_mul(&placed.pose));
                let body = &mut self.bodies[child];
                (body.placed, body.part_of) = (Some(placed), part.then_some(frame));
            }
            open.extend(from.remove(&Base::Body(child)).unwrap_or_default());
        }
    }
}
