//! Settings of a substep: its length, rule, matrix and tolerances.

use crate::constraint::RowStep;
use crate::lcp::FrictionModel;
use crate::solve::constrained::tuning::{DAMPED_MOMENTUM_TOLERANCE, MOMENTUM_TOLERANCE};
use crate::solve::equations::ImplicitRule;
use crate::solve::settings::{ImplicitMode, Integrator, NewtonSettings};

/// One part of a step.
#[derive(Clone, Copy)]
pub(super) struct Substep {
    /// From the start of the step [s].
    pub(super) offset: f64,
    pub(super) h: f64,
    pub(super) rule: ImplicitRule,
    pub(super) explicit: bool,
    pub(super) newton: Option<NewtonSettings>,
    /// True if a rule that keeps energy evaluates forces at the mean of start and end.
    pub(super) midpoint: bool,
    pub(super) matrix: Matrix,
    pub(super) friction: FrictionModel,
    /// True if contacts may stay beyond their tolerance after all iterations.
    pub(super) lenient: bool,
}

/// The matrix of the iterations of a substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matrix {
    /// Rows at the mean on both sides, with a little compliance.
    Symmetric,
    /// Columns at the mean, rows at the end.
    Unsymmetric,
    /// Symmetric without any compliance: rows that contradict each other are met as nearly as they can be.
    Nearest,
}

impl Substep {
    /// A whole step of `h` [s] by a rule that is implicit, or symplectic Euler.
    pub(super) fn whole(integrator: Integrator, h: f64, friction: FrictionModel) -> Self {
        let (end_weight, mode) = match integrator {
            Integrator::Trapezoidal(mode) => (0.5, mode),
            Integrator::Midpoint(newton) => (0.5, ImplicitMode::Newton(newton)),
            Integrator::BackwardEuler(mode) => (1.0, mode),
            _ => (1.0, ImplicitMode::Linearized),
        };
        let newton = match mode {
            ImplicitMode::Newton(newton) => Some(newton),
            ImplicitMode::Linearized => None,
        };
        Self {
            offset: 0.0,
            h,
            rule: ImplicitRule::of_weight(end_weight),
            explicit: integrator == Integrator::SymplecticEuler,
            newton,
            midpoint: matches!(integrator, Integrator::Midpoint(_)),
            matrix: Matrix::Symmetric,
            friction,
            lenient: false,
        }
    }

    /// True if forces are evaluated at the mean of start and end.
    pub(super) fn forces_at_mean(&self) -> bool {
        self.midpoint && self.weight() < 1.0
    }

    /// A row of an inertia [kg or kg m²] in it.
    pub(super) fn of_row(&self, inertia: f64) -> RowStep {
        RowStep { h: self.h, weight: self.weight(), inertia }
    }

    pub(super) fn weight(&self) -> f64 {
        self.rule.end_weight
    }

    pub(super) fn momentum_tolerance(&self) -> f64 {
        if self.weight() < 1.0 || self.explicit {
            MOMENTUM_TOLERANCE
        } else {
            DAMPED_MOMENTUM_TOLERANCE
        }
    }

    /// True if linear systems are solved beyond the tolerance of the settings: for rules that keep
    /// energy, and for Newton's method.
    pub(super) fn is_fine(&self) -> bool {
        self.weight() < 1.0 || self.explicit || self.newton.is_some()
    }

    /// True if its equations are solved as far as rounding lets them: Newton's method was asked for less than it leaves
    /// by default, as derivatives of steps are.
    pub(super) fn is_exact(&self) -> bool {
        self.newton.is_some_and(|newton| newton.tolerance < NewtonSettings::default().tolerance)
    }

    /// Weight of the end in the angular velocity of a body.
    pub(super) fn rotation_weight(&self, rotates_freely: bool) -> f64 {
        if rotates_freely { 0.5 } else { self.weight() }
    }
}
