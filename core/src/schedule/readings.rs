//! Readings of a running model by handles: positions, velocities and forces now. By paths:
//! `values.rs`.

use super::{Simulation, SimulationError};
use crate::Vec3;
use crate::component::{Address, ComponentId, Handle};
use crate::constraint::Pose;
use crate::model::{AxialSpring, PointRef, RigidBody};
use crate::property::PropertyError;
use crate::simulated::{Simulated, coordinates};

impl Simulation {
    /// Position of a particle, a marker or a node now [m].
    ///
    /// ```
    /// use sinew::prelude::*;
    ///
    /// let mut model = Model::new("fall");
    /// let stone = model.add(Particle::new(2.0, Vec3::new(0.0, 0.0, 1.0)).named("stone"));
    /// let mut simulation = Simulation::new(model, SolverSettings::default())?;
    /// for _ in 0..10 {
    ///     simulation.step(0.01)?;
    /// }
    /// // By handle, and by path.
    /// let [position, velocity] = [simulation.position(stone)?, simulation.velocity(stone)?];
    /// let named = simulation.property("/models/fall/particles/stone:velocity")?;
    /// assert_eq!(simulation.get(&named)?, Value::Vector(velocity));
    /// assert!((velocity.z + 9.8 * 0.1).abs() < 1e-12 && position.z < 1.0, "{velocity}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SimulationError::Property`] for a point that was deleted, or is not compiled yet;
    /// [`SimulationError::Step`] when the device is lost.
    pub fn position(&mut self, point: impl Into<PointRef>) -> Result<Vec3, SimulationError> {
        let point = point.into();
        self.read(point.address(), |now| Some(now.motion(point)?.0))
    }

    /// Velocity of a particle, a marker or a node now [m/s].
    ///
    /// # Errors
    /// As [`Self::position`].
    pub fn velocity(&mut self, point: impl Into<PointRef>) -> Result<Vec3, SimulationError> {
        let point = point.into();
        self.read(point.address(), |now| Some(now.motion(point)?.1))
    }

    /// Pose of a body now, body to world [m].
    ///
    /// # Errors
    /// As [`Self::position`].
    pub fn pose(&mut self, body: Handle<RigidBody>) -> Result<Pose, SimulationError> {
        self.read(body.into(), |now| Some(now.compiled.body_motion(body, now.state)?.0))
    }

    /// Velocity of the origin of a body's frame [m/s], and its angular velocity [rad/s], in the world now.
    ///
    /// # Errors
    /// As [`Self::position`].
    pub fn body_velocity(&mut self, body: Handle<RigidBody>) -> Result<[Vec3; 2], SimulationError> {
        self.read(body.into(), |now| {
            let (_, velocity, angular_velocity) = now.compiled.body_motion(body, now.state)?;
            Some([velocity, angular_velocity])
        })
    }

    /// Coordinates of a joint now [m], [rad], in the order of its kind.
    ///
    /// # Errors
    /// As [`Self::position`], also for a joint that is not enabled.
    pub fn coordinates(
        &mut self,
        joint: impl Into<ComponentId>,
    ) -> Result<Vec<f64>, SimulationError> {
        let joint = joint.into();
        self.read(joint.into(), |now| coordinates(now, joint))
    }

    /// Tension of a spring or point-to-point muscle now [N].
    ///
    /// # Errors
    /// As [`Self::position`].
    pub fn tension(&mut self, spring: Handle<AxialSpring>) -> Result<f64, SimulationError> {
        self.read(spring.into(), |now| {
            let [_, _, tension, _] = now.compiled.stretch_of(spring, now.state)?;
            Some(tension)
        })
    }

    /// Value that `look` finds of a component that is compiled.
    fn read<T>(
        &mut self,
        of: Address,
        look: impl FnOnce(&Simulated<'_>) -> Option<T>,
    ) -> Result<T, SimulationError> {
        self.state()?;
        let found = look(&self.simulated());
        found.ok_or_else(|| PropertyError::Gone(self.model().path(of)).into())
    }
}
