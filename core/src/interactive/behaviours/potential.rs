//! Behaviours by an energy, written once over any scalar: forces and stiffness are its derivatives.

use super::semidefinite::{MOST, project};
use super::{Behaviour, PortMotion};
use crate::interactive::{Dual, Scalar, Taylor};

/// An energy of some numbers.
pub trait Energy: Send + 'static {
    /// Number of numbers, at most [`Potential::MOST`].
    fn port_count(&self) -> usize;
    /// The energy \[J\].
    fn energy<S: Scalar>(&self, x: &[S]) -> S;
}

/// The behaviour of an energy: f = -∂E/∂x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Potential<E>(pub E);

impl<E: Energy> Potential<E> {
    /// Most ports: evaluations keep their numbers on the stack.
    pub const MOST: usize = MOST;
}

impl<E: Energy> Behaviour for Potential<E> {
    fn port_count(&self) -> usize {
        self.0.port_count()
    }

    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        let mut x = [Dual::constant(0.0); MOST];
        x.iter_mut().zip(at.x).for_each(|(x, at)| x.re = *at);
        for (k, force) in forces.iter_mut().enumerate() {
            x[k].du = 1.0;
            *force -= self.0.energy(&x[..at.x.len()]).du;
            x[k].du = 0.0;
        }
    }

    fn add_stiffness(&self, at: PortMotion<'_>, stiffness: &mut [f64]) {
        let (count, mut x) = (at.x.len(), [Taylor::constant(0.0); MOST]);
        x.iter_mut().zip(at.x).for_each(|(x, at)| x.re.re = *at);
        let mut hessian = [0.0; MOST * MOST];
        for i in 0..count {
            x[i].re.du = 1.0;
            for j in 0..=i {
                x[j].du.re = 1.0;
                let entry = self.0.energy(&x[..count]).du.du;
                hessian[i * count + j] = entry;
                hessian[j * count + i] = entry;
                x[j].du.re = 0.0;
            }
            x[i].re.du = 0.0;
        }
        let mut turn = [0.0; MOST * MOST];
        let size = count * count;
        project(&mut hessian[..size], &mut turn[..size], count);
        stiffness.iter_mut().zip(&hessian[..size]).for_each(|(sum, entry)| *sum += entry);
    }

    fn energy(&self, at: PortMotion<'_>) -> f64 {
        self.0.energy(at.x)
    }
}
