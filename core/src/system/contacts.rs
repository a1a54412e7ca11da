//! What may touch what in a system, and how: shapes on bodies and sets of points, the pairs of them that
//! are looked at, and a behaviour for each pair. Where they touch is found by `contact`.

use crate::Vec3;
use crate::constraint::Softness;
use crate::contact::{Collider, Pair, PointSet};

/// How two things behave where they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBehavior {
    /// Coefficient of friction (Coulomb) [-].
    pub friction: f64,
    /// Lever of the rolling resistance [m]: the moment across the normal is at most this times the force along it.
    pub rolling_friction: f64,
    /// Share of the velocity of approach with which they part (Newton) [-].
    pub restitution: f64,
    /// Approaches slower than this do not rebound [m/s].
    pub restitution_threshold: f64,
    /// Give of the contact: compliance [m/N], damping [N s/m]; rigid when the compliance is zero.
    pub softness: Softness,
    /// Overlap that is left as it is [m].
    pub tolerance: f64,
    /// Overlap at which a step is made in parts [m].
    pub limit: f64,
}

impl Default for ContactBehavior {
    fn default() -> Self {
        Self {
            friction: 0.0,
            rolling_friction: 0.0,
            restitution: 0.0,
            restitution_threshold: 0.01,
            softness: Softness::default(),
            tolerance: 1e-4,
            limit: f64::INFINITY,
        }
    }
}

/// A contact that carried in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Number of the pair.
    pub pair: u32,
    /// Number of the point in its set; `u32::MAX` for a collider.
    pub a: u32,
    /// Which features touch.
    pub key: u64,
    /// Where, at the start of the step [m].
    pub point: Vec3,
    /// Unit normal, into A.
    pub normal: Vec3,
    /// Room at the start of the step [m], negative for an overlap.
    pub gap: f64,
    /// Mean force on A over the step [N].
    pub force: Vec3,
}

/// Everything that may touch. The frame of a collider is the number of its body.
#[derive(Clone, Debug, Default)]
pub struct ContactSetup {
    /// Shapes.
    pub colliders: Vec<Collider>,
    /// Sets of points.
    pub points: Vec<PointSet>,
    /// What is looked at.
    pub pairs: Vec<Pair>,
    /// How each pair behaves.
    pub behaviors: Vec<ContactBehavior>,
    /// What each pair is, for messages.
    pub names: Vec<String>,
}
