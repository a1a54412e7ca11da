//! Settings of a world, and counts of what its steps did.

use serde::{Deserialize, Serialize};

/// Method of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Runge-Kutta of order 4 on accelerations and first-order velocities: accurate, for forces that are not stiff.
    #[default]
    #[serde(rename = "runge_kutta_4")]
    RungeKutta4,
    /// Backward Euler, linearized at the start of the step, on the mixed problem: stable for stiff forces, of first
    /// order; inequalities hold at the end of each step.
    Implicit,
}

/// Feedback that brings constraints back to zero (Witkin1990, section 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Feedback {
    /// Part of the constraint equation: c̈ = -2 ω ċ - ω² c of second order, ċ = -ω c of first order, with the rate ω
    /// \[1/s\]. Independent of masses.
    Rate(f64),
    /// A damped spring in each row, -(stiffness c + damping ċ) ∂c/∂q, that comes on top of the multipliers and moves heavy
    /// parts slowly. Implicit steps take the rate stiffness / damping instead.
    Force {
        /// -α of the paper \[N/m\].
        stiffness: f64,
        /// -β of the paper \[N s/m\].
        damping: f64,
    },
}

impl Default for Feedback {
    /// Constraints are met to 5 % after a quarter of a second of second order: quick for an eye, and slow enough for
    /// steps of 0.05 s.
    fn default() -> Self {
        Self::Rate(20.0)
    }
}

/// Settings of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorldSettings {
    /// Method of a step.
    pub integrator: Integrator,
    /// Feedback of constraints that are added from here on.
    pub feedback: Feedback,
    /// Acceleration of gravity \[m/s²\], which acts on objects of second order.
    pub gravity: [f64; 3],
}

/// Counts since the world was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps.
    pub steps: usize,
    /// Evaluations of accelerations or implicit steps.
    pub solves: usize,
    /// Factorizations of constraint matrices.
    pub factorizations: usize,
    /// Rows of constraints that followed from others at the last factorization.
    pub redundant_rows: usize,
}

/// Mobility of an output: the rate that a unit of force on it brings about in first order \[m/(N s)\], or its
/// acceleration in second order \[1/kg\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mobility {
    /// Its value; zero where no force moves the output.
    pub value: f64,
    /// Order of the motion: the second, where an object of that order takes part.
    pub order: super::Order,
}
