//! Derivatives of a scalar by a state, and of a state by a number.

use super::layout::StateScalar;
use crate::Vec3;
use crate::system::State;

/// Changes of a state, or derivatives of a scalar by it. Rotations of bodies are turns in the axes of the world; what
/// follows others (attached points) has no entry of its own in gradients: it is counted with its masters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateVector {
    /// Of positions, one a block row \[1/m\], \[1/rad\] times the unit of the scalar.
    pub q: Vec<Vec3>,
    /// Of velocities.
    pub u: Vec<Vec3>,
    /// Of the memory of forces, such as activations.
    pub memory: Vec<f64>,
}

impl StateVector {
    /// Zeros for a state.
    pub fn zeros(of: &State) -> Self {
        let zeros = vec![Vec3::zeros(); of.q.len()];
        Self { q: zeros.clone(), u: zeros, memory: vec![0.0; of.memory.len()] }
    }

    /// Product of a change and a derivative.
    pub fn dot(&self, other: &Self) -> f64 {
        let vectors = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let memory = self.memory.iter().zip(&other.memory).map(|(a, b)| a * b).sum::<f64>();
        vectors(&self.q, &other.q) + vectors(&self.u, &other.u) + memory
    }

    /// The same of some block rows alone, or of all.
    pub(super) fn dot_on(&self, other: &Self, rows: Option<&[u32]>) -> f64 {
        let of_row = |&row: &u32| {
            let row = row as usize;
            self.q[row].dot(&other.q[row]) + self.u[row].dot(&other.u[row])
        };
        rows.map_or_else(|| self.dot(other), |rows| rows.iter().map(of_row).sum())
    }

    /// The number of a scalar of the state.
    pub(super) fn at(&self, scalar: StateScalar) -> f64 {
        match scalar {
            StateScalar::Position(at) => self.q[at.row][at.axis],
            StateScalar::Velocity(at) => self.u[at.row][at.axis],
            StateScalar::Memory(k) => self.memory[k],
        }
    }

    /// The same, to be changed.
    pub(super) fn at_mut(&mut self, scalar: StateScalar) -> &mut f64 {
        match scalar {
            StateScalar::Position(at) => &mut self.q[at.row][at.axis],
            StateScalar::Velocity(at) => &mut self.u[at.row][at.axis],
            StateScalar::Memory(k) => &mut self.memory[k],
        }
    }

    /// Adds `factor` times another.
    pub fn add(&mut self, factor: f64, other: &Self) {
        let add = |a: &mut [Vec3], b: &[Vec3]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b * factor);
        };
        add(&mut self.q, &other.q);
        add(&mut self.u, &other.u);
        self.memory.iter_mut().zip(&other.memory).for_each(|(a, b)| *a += factor * b);
    }
}
