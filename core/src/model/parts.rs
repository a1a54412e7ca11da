//! The small parts of a model: particles, springs, loads, and the time course of a load.

use crate::Vec3;

/// Which particle of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParticleId(pub u32);

/// Which soft tissue of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FemId(pub u32);

/// A point that springs and loads act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointRef {
    /// A particle.
    Particle(ParticleId),
    /// A node of a soft tissue: which one, and the node's index in its mesh.
    FemNode(FemId, u32),
}

/// A point mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Particle {
    /// Name in reports; may be empty.
    pub name: String,
    /// Position at the start [m].
    pub position: Vec3,
    /// Velocity at the start [m/s].
    pub velocity: Vec3,
    /// Mass [kg], positive.
    pub mass: f64,
    /// Held where it starts.
    pub fixed: bool,
}

/// A spring along the line between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct AxialSpring {
    /// Name in reports; may be empty.
    pub name: String,
    /// Its two ends.
    pub ends: [PointRef; 2],
    /// Its law.
    pub material: LinearAxial,
}

/// Linear spring: tension = stiffness (l - rest_length) + damping dl/dt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearAxial {
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Length without tension [m].
    pub rest_length: f64,
}

/// A force on a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointLoad {
    /// Where it acts.
    pub target: PointRef,
    /// Force at a schedule value of 1 [N].
    pub force: Vec3,
    /// Its time course.
    pub schedule: Schedule,
}

/// A force on the lumped mass of a soft tissue: at node i, m_i weight_i acceleration.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLoad {
    /// The tissue.
    pub fem: FemId,
    /// Acceleration at a schedule value of 1 [m/s²].
    pub acceleration: Vec3,
    /// One factor a node of the mesh [-]; empty means 1 everywhere.
    pub weights: Vec<f64>,
    /// Its time course.
    pub schedule: Schedule,
}

/// A factor over time [-].
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// The same at all times.
    Constant(f64),
    /// Linear between (time [s], value) pairs with rising times, constant outside them.
    Table(Vec<[f64; 2]>),
}

impl Default for Schedule {
    fn default() -> Self {
        Self::Constant(1.0)
    }
}

impl Schedule {
    /// The factor at time `t` [s].
    pub fn at(&self, t: f64) -> f64 {
        let table = match self {
            Self::Constant(value) => return *value,
            Self::Table(table) => table,
        };
        let after = table.partition_point(|row| row[0] <= t);
        match (table.get(after.wrapping_sub(1)), table.get(after)) {
            (Some(&[t0, v0]), Some(&[t1, v1])) => v0 + (v1 - v0) * (t - t0) / (t1 - t0),
            (Some(row), None) | (None, Some(row)) => row[1],
            (None, None) => 0.0,
        }
    }
}
