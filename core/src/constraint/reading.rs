//! A coordinate of a joint as a function of the positions of a system, with its derivatives: what points and paths
//! depend on.

use std::sync::Arc;

use super::joint_sample::JointSample;
use super::{JointNumber, JointTerm, PlacedJoint, Placement};
use crate::Vec3;

/// A coordinate of a joint.
#[derive(Clone)]
pub struct CoordinateReading {
    term: JointTerm,
    number: usize,
    /// Values that angles are nearest to [m or rad].
    near: Vec<f64>,
}

impl CoordinateReading {
    /// Coordinate number `number` of a joint; of an angle the turn that is nearest to `near`, if there is one, or to its
    /// start.
    pub fn new(joint: &Arc<PlacedJoint>, number: usize, near: Option<f64>) -> Self {
        let term = JointTerm::of(joint, JointNumber::Coordinate(number as u8));
        let mut values = joint.start.clone();
        if let (Some(near), Some(value)) = (near, values.get_mut(number)) {
            *value = near;
        }
        Self { term, number, near: values }
    }

    /// Block rows of its bodies: move and turn of that of frame C, then of frame D; none of the ground.
    pub fn rows(&self) -> [Option<u32>; 4] {
        self.term.rows()
    }

    /// Its value at a placement [m or rad].
    pub fn value(&self, at: Placement) -> f64 {
        let [c, d] = self.term.joint.frames(at);
        self.of_pose(&d.pose.inv_mul(&c.pose))
    }

    /// Its value at positions of block rows [m or rad].
    pub fn value_at(&self, q: &[Vec3]) -> f64 {
        let joint = &self.term.joint;
        let [c, d] = [&joint.c, &joint.d].map(|site| site.placed_at(q).pose);
        self.of_pose(&d.inv_mul(&c))
    }

    fn of_pose(&self, t_cd: &super::Pose) -> f64 {
        let mut values = [0.0; super::joint_numbers::MOST];
        let values = &mut values[..self.near.len()];
        self.term.joint.law.calc_coordinates(t_cd, &self.near, values);
        values.get(self.number).copied().unwrap_or(0.0)
    }

    /// Its derivatives by the displacement and the turn of the body of frame C, then of frame D.
    pub fn slopes(&self, at: Placement) -> [Vec3; 4] {
        let joint = &self.term.joint;
        self.term.wrenches(&mut JointSample::of(joint, joint.frames(at), &self.near))
    }
}
