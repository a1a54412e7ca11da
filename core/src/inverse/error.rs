//! Errors in targets, excitations and settings of inverse control, and in solutions.

use crate::property::{PropertyError, number};

/// Errors of inverse control.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InverseError {
    /// A property that is not there.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A property that is no motion.
    #[error(
        "'{0}' cannot be followed: name the position of a particle, marker, node or body, the \
         orientation of a body, the value of a coordinate of a joint, the force or the moment of a joint, the force of a \
         constraint of a point, a pair that touches or a collider, the value of a sensor, or \
         TISSUE:node_sets.NAME.position of a set of nodes, face_sets of one of faces"
    )]
    Target(String),
    /// A sensor whose reading depends on an excitation itself.
    #[error(
        "'{0}' measures the muscle that is excited, or what its excitation makes of it: follow a force or a motion that it \
         causes"
    )]
    SensorOfMuscle(String),
    /// A component that excites nothing.
    #[error(
        "'{0}' has no excitation: name a muscle, a spring, a bundle of a tissue, an exciter, an \
         actuator, or a load on a point or a body"
    )]
    Excitation(String),
    /// A target or an excitation that takes no part in the simulation.
    #[error("'{0}' is not simulated: enable it, and what it belongs to")]
    NotSimulated(String),
    /// A state that cannot be read.
    #[error("{0}")]
    State(String),
    /// No targets, or no excitations.
    #[error("there are no {0}: give at least one")]
    Nothing(&'static str),
    /// A number out of range.
    #[error("`{name}` must be {must}, got {}", number(value))]
    Number {
        /// Name of the setting.
        name: &'static str,
        /// Range of permitted values.
        must: &'static str,
        /// Given value.
        value: f64,
    },
    /// A model that does not compile.
    #[error("the model does not compile: {0}")]
    Model(String),
    /// Coordinates that joints and couplings do not allow together.
    #[error(
        "at t = {time} s no place of the bodies has the coordinates asked for (error {error:.1e}): they contradict \
         each other, or are too far from those before"
    )]
    Placement {
        /// Time [s].
        time: f64,
        /// Largest error of a joint or a coordinate that was left [m], [rad].
        error: f64,
    },
    /// A motion that forces along the coordinates do not make.
    #[error(
        "at t = {time} s forces along the coordinates leave {left:.3e} N or N m of the motion: give all \
         coordinates of the joints, and the external forces"
    )]
    Unbalanced {
        /// Time [s].
        time: f64,
        /// Largest force or moment that is left [N], [N m].
        left: f64,
    },
    /// A list of coefficients that is not one an excitation.
    #[error("{found} coefficients for {expected} excitations: give one for each, in their order")]
    Coefficients {
        /// Numbers given.
        found: usize,
        /// Number of excitations.
        expected: usize,
    },
    /// A rule of steps whose derivatives are not known.
    #[error(
        "excitations are found for steps of backward Euler, linearized; the rule is {0}: take \
         --integrator backward-euler without --newton"
    )]
    Integrator(String),
    /// The quadratic program was not solved.
    #[error(
        "the excitations at t = {time} s were not found: {detail}; conditions on excitations may contradict their bounds"
    )]
    Program {
        /// Time at the start of the step [s].
        time: f64,
        /// Outcome of the solver.
        detail: String,
    },
}
