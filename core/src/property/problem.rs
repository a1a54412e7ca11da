//! Faults of a component: numbers out of the ranges of its properties, references to nothing, lists
//! of the wrong length.

use crate::axial::AxialError;
use crate::constraint::spatial::MotionError;
use crate::constraint::{JointError, SurfaceFault};
use crate::contact::ContactError;
use crate::dynamics::InertiaError;
use crate::material::MaterialError;
use crate::property::{Range, number};

/// Fault of a component. Display says all but the path of the component.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{at} {problem}")]
pub struct CheckError {
    /// The property, or the part and its property: `density`, `nodes/3:rest_position`.
    pub at: String,
    /// Its fault.
    pub problem: Problem,
}

/// Faults of components.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// A number is out of range.
    #[error("is {}; it must be {range}", number(.value))]
    OutOfRange {
        /// The number.
        value: f64,
        /// Range of permitted values.
        range: Range,
    },
    /// A number in a list is not what it must be.
    #[error("has a {what} of {}; it must be {must}", number(.value))]
    Entry {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The condition that it must meet.
        must: &'static str,
    },
    /// A quantity that varies is out of range somewhere.
    #[error("is {} in element {element}; it must be {range}", number(.value))]
    InElement {
        /// Its value.
        value: f64,
        /// Index of the element.
        element: usize,
        /// Range of permitted values.
        range: Range,
    },
    /// A direction of sheets that leaves the one across them to rounding.
    #[error(
        "lies along the fibres in element {element}; it must turn from them by 1e-6 rad or more"
    )]
    AlongFibres {
        /// The first such element.
        element: usize,
    },
    /// It refers to something that is not there.
    #[error("refers to {0}, which is not there")]
    Missing(String),
    /// A list has the wrong length.
    #[error("has {given} entries; it needs {expected}")]
    Length {
        /// Its length.
        given: usize,
        /// Length that it must have.
        expected: usize,
    },
    /// A list is too short.
    #[error("has {given} entries; it needs {least} at least")]
    Few {
        /// Its length.
        given: usize,
        /// Least length.
        least: usize,
    },
    /// It refers to something of a kind that does not do.
    #[error("refers to {target}; it must be {must}")]
    Unfit {
        /// Path of what it refers to.
        target: String,
        /// The condition that it must meet.
        must: &'static str,
    },
    /// It refers to something more than once.
    #[error("names {0} more than once")]
    Twice(String),
    /// A component that would be constrained to itself.
    #[error("is {0}, which is on the other side already")]
    SameSide(String),
    /// An exciter drives itself by way of others.
    #[error("lead back to it; an exciter cannot drive itself")]
    Circle,
    /// A joint has no coordinate of that name.
    #[error("is '{name}', which {joint} has not; its coordinates are: {names}")]
    Coordinate {
        /// The name.
        name: String,
        /// Path of the joint.
        joint: String,
        /// Names of its coordinates.
        names: String,
    },
    /// Positions are rounded to more than the size of what is there.
    #[error(
        "is {farthest:e} m away, where positions are rounded to {rounding:.1e} m; its radius of gyration is {size:.1e} m: move it nearer, or look at the unit"
    )]
    Remote {
        /// Largest coordinate [m].
        farthest: f64,
        /// Rounding at that distance [m].
        rounding: f64,
        /// Radius of gyration [m].
        size: f64,
    },
    /// A pose does not only turn.
    #[error("has a quaternion whose length is not 1")]
    Quaternion,
    /// The constants of a law make no material.
    #[error("is refused: {0}")]
    Material(#[from] MaterialError),
    /// Surface and numbers of a body make no inertia.
    #[error("is refused: {0}")]
    Inertia(Box<InertiaError>),
    /// Settings that make no joint.
    #[error("is refused: {0}")]
    Joint(Box<JointError>),
    /// Axes and functions that make no motion of a joint.
    #[error("is refused: {0}")]
    Motion(Box<MotionError>),
    /// A set of faces that the mesh does not have.
    #[error("is '{surface}', and the mesh has no such face set; it has: {known}")]
    NoSet {
        /// Its name.
        surface: String,
        /// Those that there are.
        known: String,
    },
    /// A set of nodes that the mesh does not have.
    #[error("is '{set}', and the mesh has no such node set; it has: {known}")]
    NoNodes {
        /// Its name.
        set: String,
        /// Those that there are.
        known: String,
    },
    /// Faces that bound no volume.
    #[error("{0}")]
    ClosedSurface(Box<SurfaceFault>),
    /// A shape that is made of a surface, on a body without one.
    #[error("is {0}, which is made of the surface of its body, and it has none: take another")]
    NoSurface(&'static str),
    /// Points make no shape that can touch.
    #[error("is refused: {0}")]
    Shape(Box<ContactError>),
    /// A length of contact beyond the size of what touches.
    #[error(
        "is {} m; it must be <= {} m, the radius of the smaller of {} and {} or of the model: look at its unit", number(.value), number(.most), names[0], names[1]
    )]
    TooLong {
        /// The length [m].
        value: f64,
        /// Radius of the lesser of both, or of the model [m].
        most: f64,
        /// Paths of both.
        names: [String; 2],
    },
    /// An elastic foundation between things whose contacts stand for no area: paths of both.
    #[error(
        "is elastic_foundation, and the contacts of {} against {} stand for no area: give one of the bodies a collider of shape = \"vertices\" on a surface with small triangles, or take another law", .0[0], .0[1]
    )]
    NoArea([String; 2]),
    /// An adhesion by area between things whose contacts stand for none: paths of both.
    #[error(
        "is of an area, and the contacts of {} against {} stand for none: give one of the bodies a collider of shape = \"vertices\" on a surface with small triangles, or each contact a pull by `adhesion_force`", .0[0], .0[1]
    )]
    NoAreaToAdhere([String; 2]),
    /// The curvature of things that are flat where they touch: paths of both.
    #[error(
        "is 0, which stands for the curvature of the shapes, and {} against {} have none: give the radius", .0[0], .0[1]
    )]
    NoCurvature([String; 2]),
    /// Tied sides of which nothing begins near the other: paths of both, and the distance [m].
    #[error(
        "is true, and no node on the surface of {} begins within {reach} m of {}: give a larger margin, and a body a collider; nodes on the ground are fixed by supports", names[0], names[1]
    )]
    NothingTied {
        /// Paths of the tissue and of what it would follow.
        names: [String; 2],
        /// The distance [m].
        reach: f64,
    },
    /// Sides that cannot be tied.
    #[error(
        "is true, and the sides are not a tissue and another tissue or a body: name both as a and b"
    )]
    NotTied,
    /// A material without a Young's modulus at rest, under an automatic compliance.
    #[error(
        "has no Young's modulus at rest, which law = \"automatic\" of a collision behaviour is computed of: take law = \"linear\" with a compliance"
    )]
    NoModulus,
    /// A name that no code is registered under, or code that refuses its parameters.
    #[error("{0}")]
    Code(String),
    /// A text that is no formula of properties.
    #[error("is refused: {0}")]
    Formula(String),
    /// A component has no such property, or it is of another type.
    #[error("is refused: {0}")]
    Property(String),
    /// The constants of a law make no spring or muscle.
    #[error("is refused: {0}")]
    Axial(Box<AxialError>),
}

impl Problem {
    /// The same, of the property or part `at`.
    pub(crate) fn at(self, at: impl Into<String>) -> CheckError {
        CheckError { at: at.into(), problem: self }
    }
}

impl CheckError {
    /// The whole message: `/models/jaw/fem_models/tongue:density is -1; it must be > 0`.
    pub fn of(&self, path: &str) -> String {
        let part = ["nodes/", "elements/", "regions/", "supports/"];
        let separator = if part.iter().any(|part| self.at.starts_with(part)) { '/' } else { ':' };
        format!("{path}{separator}{self}")
    }
}
