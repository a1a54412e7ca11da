//! The trait of all behaviours.

use std::any::Any;

/// Motion of the ports of a behaviour.
#[derive(Clone, Copy, Debug)]
pub struct PortMotion<'a> {
    /// Time \[s\].
    pub time: f64,
    /// Values of the ports.
    pub x: &'a [f64],
    /// Their rates.
    pub v: &'a [f64],
}

/// A law of forces on ports. Matrices are flat, ports x ports row by row, and start as zero.
pub trait Behaviour: Any + Send {
    /// Number of its ports.
    fn port_count(&self) -> usize;

    /// Adds the forces on the ports.
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]);

    /// Adds -∂f/∂x, symmetric; parts that are not positive semidefinite are left out. Implicit steps use it, and are
    /// stable the more of it there is.
    fn add_stiffness(&self, at: PortMotion<'_>, stiffness: &mut [f64]) {
        let _ = (at, stiffness);
    }

    /// Adds -∂f/∂v in the same way.
    fn add_damping(&self, at: PortMotion<'_>, damping: &mut [f64]) {
        let _ = (at, damping);
    }

    /// Potential energy, where there is one.
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        let _ = at;
        0.0
    }
}
