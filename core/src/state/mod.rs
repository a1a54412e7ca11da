//! The state of a system: positions and velocities by row, memory of its forces, and the time
//! courses of its loads. The ground floor: nothing here knows a model.

mod motion;
mod schedule;

pub(crate) use motion::INSTANT;
pub use motion::{LoadCase, Motion};
pub use schedule::Schedule;

use crate::Vec3;

/// Positions and velocities: one 3-vector a row, in the order of the compiled
/// system (see [`CompiledModel::block_of_node`](crate::system::CompiledModel::block_of_node), not the order of the meshes). A rigid body has two rows,
/// that of its centre of mass and that of its rotation; the position of the latter is a rotation vector
/// (direction times angle [rad], body to world), its velocity the angular velocity in world axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Simulated time [s].
    pub time: f64,
    /// Positions [m], [rad].
    pub q: Vec<Vec3>,
    /// Velocities [m/s], [rad/s].
    pub u: Vec<Vec3>,
    /// Memories of forces: fibre lengths of muscles [m], activations [-], in the order of
    /// the compiled system.
    pub memory: Vec<f64>,
    /// Mean forces [N] and moments [N m] of the constraint rows over the last step, the first guess for the
    /// next one; empty before the first.
    pub multipliers: Vec<f64>,
    /// Mean forces of the contacts that were active in the last step, by pair, point and key.
    pub contacts: Vec<ContactForce>,
    /// Mean forces [N] and moments [N m] of the ends of ranges over the last step.
    pub range_forces: Vec<f64>,
    /// Coordinates of the joints that hold [m], [rad], with whole turns counted; of a locked one
    /// the value of its lock.
    pub coordinates: Vec<f64>,
    /// Momenta of rows whose motion is prescribed, at the mean velocity of the last step; empty before the first. Only
    /// [`Simulation`](crate::schedule::Simulation) knows them.
    pub prescribed: Vec<PrescribedMomentum>,
}

impl State {
    /// Takes the numbers of another one, without allocation where there are no more of them than before.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self {
            time,
            q,
            u,
            memory,
            multipliers,
            contacts,
            range_forces,
            coordinates,
            prescribed,
        } = other;
        self.time = *time;
        self.q.clone_from(q);
        self.u.clone_from(u);
        self.memory.clone_from(memory);
        self.multipliers.clone_from(multipliers);
        self.contacts.clone_from(contacts);
        self.range_forces.clone_from(range_forces);
        self.coordinates.clone_from(coordinates);
        self.prescribed.clone_from(prescribed);
    }
}

/// Momentum of a row whose motion is prescribed, and the force that changed it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrescribedMomentum {
    /// Row of a point, or one of the two rows of a body.
    pub row: u32,
    /// Momentum at the mean velocity of the last step [kg m/s], [kg m²/s].
    pub momentum: Vec3,
    /// Its change from that of the step before, over the length of the step [N], [N m].
    pub force: Vec3,
}

/// A contact that was active in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Number of the pair.
    pub pair: u32,
    /// Number of the point in its set; `u32::MAX` for a collider, and between points.
    pub a: u32,
    /// Key of the touching features.
    pub key: u64,
    /// Position at the start of the step [m].
    pub point: Vec3,
    /// Unit normal, into A.
    pub normal: Vec3,
    /// Room at the start of the step [m], negative for an overlap.
    pub gap: f64,
    /// Mean force on A over the step [N].
    pub force: Vec3,
}
