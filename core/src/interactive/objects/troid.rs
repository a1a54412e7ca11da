//! Troids: affine bodies (Witkin1990, section 5.4). A point X of the body is at p + F X, with p the place of the
//! centre of mass and F the deformation gradient: linear in the state, so that constraints on points have constant
//! Jacobians. Their elasticity is a behaviour.

use std::sync::Arc;

use super::{AXES, PhysicalObject, StateFunction, axes};
use crate::interactive::{Code, Scalar};

/// An affine body in the plane (D = 2) or in space (D = 3). Its state is p, then F row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Troid<const D: usize> {
    /// Mass \[kg\].
    pub mass: f64,
    /// Second moments of the mass about the centre of mass, Σ m X Xᵀ \[kg m²\].
    pub moments: [[f64; D]; D],
}

impl<const D: usize> Troid<D> {
    /// A box of these sides \[m\], axes of the body along them.
    pub fn of_box(mass: f64, sides: [f64; D]) -> Self {
        let mut moments = [[0.0; D]; D];
        (0..D).for_each(|k| moments[k][k] = mass * sides[k] * sides[k] / 12.0);
        Self { mass, moments }
    }

    /// The state of the body at rest with its centre of mass at `center`.
    pub fn rest(center: [f64; D]) -> Vec<f64> {
        let unit = (0..D * D).map(|k| f64::from(k % (D + 1) == 0));
        center.into_iter().chain(unit).collect()
    }
}

struct Vector<const D: usize> {
    local: [f64; D],
    is_point: bool,
}

impl<const D: usize> Code for Vector<D> {
    fn input_count(&self) -> usize {
        D + D * D
    }
    fn output_count(&self) -> usize {
        D
    }
    fn eval<S: Scalar>(&self, q: &[S], y: &mut [S]) {
        for k in 0..D {
            let from = if self.is_point { q[k] } else { S::constant(0.0) };
            let row = q[D + D * k..].iter().zip(self.local);
            y[k] = row.fold(from, |sum, (f, x)| sum + *f * S::constant(x));
        }
    }
    fn is_affine(&self) -> bool {
        true
    }
}

impl<const D: usize> PhysicalObject for Troid<D> {
    fn state_names(&self) -> Vec<String> {
        let pair = |k: usize| format!("{}{}", AXES[k / D], AXES[k % D]);
        axes(D).into_iter().chain((0..D * D).map(pair)).collect()
    }
    fn add_mass(&self, _state: &[f64], mass: &mut [f64]) {
        let count = D + D * D;
        for k in 0..D {
            mass[(count + 1) * k] += self.mass;
            let first = D + D * k;
            for i in 0..D {
                for j in 0..D {
                    mass[count * (first + i) + first + j] += self.moments[i][j];
                }
            }
        }
    }
    fn has_constant_mass(&self) -> bool {
        true
    }
    fn add_weight(&self, _state: &[f64], gravity: [f64; 3], forces: &mut [f64]) {
        (0..D).for_each(|k| forces[k] += self.mass * gravity[k]);
    }
    fn point(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(Vector::<D> { local, is_point: true }))
    }
    fn direction(&self, coordinates: &[f64]) -> Option<StateFunction> {
        let local = coordinates.try_into().ok()?;
        Some(Arc::new(Vector::<D> { local, is_point: false }))
    }
}
