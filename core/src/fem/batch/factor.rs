//! Factor of the stiffness of an element in a matrix.

use crate::force::JacobianScale;

/// Factor of the stiffness of an element. Rayleigh damping takes it without the part of pressures,
/// p d²V: that has as many negative as positive eigenvalues, and alone, away from stresses such as
/// those of fibres that hold the pressure, it would drive motions in place of damping them.
#[derive(Clone, Copy)]
pub(super) struct StiffnessFactor {
    /// Of all but that part.
    pub(super) whole: f64,
    /// Of that part, and of stresses that relax, which damping does not see.
    pub(super) turning: f64,
}

impl StiffnessFactor {
    /// From factors of the derivatives by position and velocity, and the coefficient beta [s].
    pub(super) fn new(scale: JacobianScale, beta: f64) -> Self {
        Self { whole: scale.position + scale.velocity * beta, turning: scale.position }
    }

    /// Of both.
    pub(super) fn of(factor: f64) -> Self {
        Self { whole: factor, turning: factor }
    }
}
