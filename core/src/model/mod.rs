//! The editable model: particles, springs, finite-element models, loads, supports. `compile`
//! turns it into flat arrays; nothing here steps.

mod fem_model;
mod parts;

pub use fem_model::{Dirichlet, FemModel, Region};
pub use parts::{
    AxialSpring, BodyLoad, FemId, LinearAxial, Particle, ParticleId, PointLoad, PointRef, Schedule,
};

use crate::Vec3;

/// Standard gravity as ArtiSynth has it [m/s²].
pub const DEFAULT_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.8);

/// Everything that is simulated together.
#[derive(Clone, Debug)]
pub struct Model {
    /// What reports call it.
    pub name: String,
    /// Acceleration of free fall [m/s²].
    pub gravity: Vec3,
    /// Viscous drag on every particle and node: force = -point_damping * velocity [N s/m].
    pub point_damping: f64,
    /// Point masses.
    pub particles: Vec<Particle>,
    /// Springs along a line between two points.
    pub springs: Vec<AxialSpring>,
    /// Soft tissues.
    pub fems: Vec<FemModel>,
    /// Forces on points.
    pub point_loads: Vec<PointLoad>,
    /// Forces on the mass of a soft tissue.
    pub body_loads: Vec<BodyLoad>,
}

impl Model {
    /// An empty model under [`DEFAULT_GRAVITY`].
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            gravity: DEFAULT_GRAVITY,
            point_damping: 0.0,
            particles: Vec::new(),
            springs: Vec::new(),
            fems: Vec::new(),
            point_loads: Vec::new(),
            body_loads: Vec::new(),
        }
    }

    /// Adds a point mass.
    pub fn add_particle(&mut self, particle: Particle) -> ParticleId {
        self.particles.push(particle);
        ParticleId(self.particles.len() as u32 - 1)
    }

    /// Adds a soft tissue.
    pub fn add_fem(&mut self, fem: FemModel) -> FemId {
        self.fems.push(fem);
        FemId(self.fems.len() as u32 - 1)
    }

    /// Adds a spring.
    pub fn add_spring(&mut self, spring: AxialSpring) {
        self.springs.push(spring);
    }

    /// Adds a force on a point.
    pub fn add_point_load(&mut self, load: PointLoad) {
        self.point_loads.push(load);
    }

    /// Adds a force on the mass of a soft tissue.
    pub fn add_body_load(&mut self, load: BodyLoad) {
        self.body_loads.push(load);
    }
}
