//! Particles, and variables that are no places: each number has a mass of its own.

use std::sync::Arc;

use super::{PhysicalObject, StateFunction, axes};
use crate::interactive::{Code, Scalar};

/// A point with a mass, in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// 2 or 3.
    pub dimensions: usize,
    /// Mass \[kg\], or drag \[kg/s\] of first order.
    pub mass: f64,
}

/// Numbers with names.
#[derive(Clone, Debug, PartialEq)]
pub struct Variables {
    /// Their names.
    pub names: Vec<String>,
    /// Mass of each: the larger, the less it moves.
    pub masses: Vec<f64>,
}

/// The numbers as they are.
struct Identity(usize);

impl Code for Identity {
    fn input_count(&self) -> usize {
        self.0
    }
    fn output_count(&self) -> usize {
        self.0
    }
    fn eval<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        y.copy_from_slice(x);
    }
    fn is_affine(&self) -> bool {
        true
    }
}

impl PhysicalObject for Particle {
    fn state_names(&self) -> Vec<String> {
        axes(self.dimensions)
    }
    fn add_mass(&self, _state: &[f64], mass: &mut [f64]) {
        mass.iter_mut().step_by(self.dimensions + 1).for_each(|m| *m += self.mass);
    }
    fn has_constant_mass(&self) -> bool {
        true
    }
    fn add_weight(&self, _state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        forces.iter_mut().zip(gravity).for_each(|(f, g)| *f += self.mass * g);
    }
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        coordinates.iter().all(|x| *x == 0.0).then(|| Arc::new(Identity(self.dimensions)) as _)
    }
}

impl PhysicalObject for Variables {
    fn state_names(&self) -> Vec<String> {
        self.names.clone()
    }
    fn add_mass(&self, _state: &[f64], mass: &mut [f64]) {
        let own = mass.iter_mut().step_by(self.names.len() + 1);
        own.zip(&self.masses).for_each(|(m, own)| *m += own);
    }
    fn has_constant_mass(&self) -> bool {
        true
    }
}
