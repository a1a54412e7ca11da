//! Derivatives of a step by excitations: what each excitation adds to the balance of momenta of backward Euler,
//! S(e) y = M u + h f(e), where S has the stiffness of what is excited in it too.

use super::Kinematics;
use crate::Vec3;

/// Owner of an excitation, by its place in the lists of a compiled model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcitationSource {
    /// A line that pulls: those between two points, then those through several.
    Line(usize),
    /// A bundle of fibres in tissue.
    Bundle(usize),
    /// An actuator of a coordinate.
    Actuator(usize),
    /// An exciter, with all that it drives.
    Exciter(usize),
    /// A load: those on points, then those on bodies.
    Load(usize),
}

impl ExcitationSource {
    /// The exciter, if it is one.
    pub(crate) fn exciter(self) -> Option<usize> {
        match self {
            Self::Exciter(k) => Some(k),
            Self::Line(_) | Self::Bundle(_) | Self::Actuator(_) | Self::Load(_) => None,
        }
    }
}

/// The step that derivatives are taken of: backward Euler, linearized about its start.
#[derive(Clone, Copy, Debug)]
pub struct ExcitedStep<'a> {
    /// Its start, with the loads of its end; [`Motion::step`](crate::state::Motion::step) is its length.
    pub kinematics: Kinematics<'a>,
    /// Mean velocities [m/s], [rad/s].
    pub velocities: &'a [Vec3],
    /// Positions that these lead to in the share [`Self::LOOK`] of the step [m]; of points alone.
    pub ahead: &'a [Vec3],
    /// Positions as far behind the start [m].
    pub behind: &'a [Vec3],
}

impl ExcitedStep<'_> {
    /// Part of a step over which forces are differenced along it [-]: what is left of the third order is 1e-4 of it.
    pub const LOOK: f64 = 0.01;

    /// Length of the step [s].
    pub fn length(&self) -> f64 {
        self.kinematics.motion.step
    }
}
