//! The parts of a description, as they stand in files.

use serde::{Deserialize, Serialize};

use super::images::ImageDescription;

use crate::interactive::{Feedback, Norm, Order, Weight, WorldSettings};

/// A world as data. Parts refer to each other by names: a block by its own (`bead`: all of its outputs), an output by that of
/// its block and its own (`bead.x`, `rim.0`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorldDescription {
    /// Time at the start \[s\].
    pub time: f64,
    /// Largest error of a constraint that is left at the start: states are moved until it is met. None are moved where it is
    /// not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assemble: Option<f64>,
    /// Gravity, integrator, feedback of constraints.
    pub settings: WorldSettings,
    /// Objects.
    #[serde(rename = "object", skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectDescription>,
    /// Images, whose edges attract.
    #[serde(rename = "image", skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageDescription>,
    /// Blocks: points of objects, formulas, parameters; each after those that it uses.
    #[serde(rename = "block", skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockDescription>,
    /// Constraints.
    #[serde(rename = "constraint", skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintDescription>,
    /// Behaviours.
    #[serde(rename = "behaviour", skip_serializing_if = "Vec::is_empty")]
    pub behaviours: Vec<BehaviourDescription>,
}

/// An object with its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectDescription {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: ObjectKind,
    /// Order of its motion.
    #[serde(default)]
    pub order: Order,
    /// Its state: places \[m\], then angles \[rad\], a quaternion, a deformation gradient, parameters of a curve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<f64>,
    /// Its velocities; at rest where none are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub velocity: Vec<f64>,
}

/// Kind of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ObjectKind {
    /// A point with a mass \[kg\]: x, y and, in space, z.
    Particle {
        /// Mass \[kg\], or drag \[kg/s\] of first order.
        mass: f64,
        /// 2 or 3.
        dimensions: usize,
    },
    /// A rigid body in the plane: x, y, angle.
    PlanarBody {
        /// Mass \[kg\].
        mass: f64,
        /// Moment of inertia \[kg m²\].
        inertia: f64,
    },
    /// A rigid body in space: x, y, z, then the quaternion qw, qx, qy, qz.
    RigidBody {
        /// Mass \[kg\].
        mass: f64,
        /// Principal moments of inertia \[kg m²\].
        inertia: [f64; 3],
    },
    /// An affine box in the plane or in space: its centre, then the deformation gradient row by row.
    Troid {
        /// Mass \[kg\].
        mass: f64,
        /// Two or three sides \[m\].
        sides: Vec<f64>,
    },
    /// A curve by its equation.
    Curve {
        /// x(s); y(s), or three of them.
        formula: String,
        /// Names of its parameters, which are its state.
        parameters: Vec<String>,
        /// Range of s.
        range: [f64; 2],
        /// Density \[kg/m\], or drag \[kg/(m s)\] of first order.
        #[serde(default = "one")]
        density: f64,
        /// Distribution of the mass.
        #[serde(default)]
        weight: Weight,
    },
    /// Numbers that are no places.
    Variables {
        /// Their names.
        names: Vec<String>,
        /// Mass of each.
        masses: Vec<f64>,
    },
}

/// A density where none is given.
fn one() -> f64 {
    1.0
}

/// A block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockDescription {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: BlockKind,
}

/// Kind of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BlockKind {
    /// A formula over outputs and the time t; several outputs stand between semicolons.
    Formula(String),
    /// Numbers that are set.
    Parameters(Vec<f64>),
    /// Place of a point of an object.
    Point {
        /// The object.
        object: String,
        /// Coordinates of the point in the object; s of a curve.
        at: Vec<f64>,
    },
    /// Direction that turns with an object.
    Direction {
        /// The object.
        object: String,
        /// Its coordinates in the object; s of a curve.
        at: Vec<f64>,
    },
    /// A path through keyframes over the time, each its time \[s\] and its coordinates.
    Path(Vec<Vec<f64>>),
    /// a - b.
    Difference([String; 2]),
    /// Distance of two points \[m\].
    Distance([String; 2]),
    /// Product of two vectors.
    InnerProduct([String; 2]),
    /// Angle from a direction in the plane to another \[rad\].
    PlaneAngle([String; 2]),
    /// Angle between two directions in space \[rad\].
    SpaceAngle([String; 2]),
    /// Area of a polygon by its corners \[m²\].
    PolygonArea(Vec<String>),
    /// Area \[m²\] and unit normal of a triangle in space.
    TriangleNormal([String; 3]),
    /// Volume within triangles \[m³\].
    EnclosedVolume {
        /// Points in space.
        corners: Vec<String>,
        /// Places among the corners, counterclockwise from outside.
        triangles: Vec<[u32; 3]>,
    },
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstraintDescription {
    /// Its name.
    pub name: String,
    /// Its rule.
    pub rule: ConstraintRule,
    /// Feedback of its own; that of the settings where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
}

/// Rule of a constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ConstraintRule {
    /// Outputs are zero.
    Zero(Vec<String>),
    /// Outputs are not negative.
    NotNegative(Vec<String>),
    /// The outputs of two blocks are equal.
    Join([String; 2]),
    /// A block stays at a place.
    Nail {
        /// The block.
        block: String,
        /// The place.
        at: Vec<f64>,
    },
    /// A block follows keyframes over the time, each its time \[s\] and its coordinates.
    Follow {
        /// The block.
        block: String,
        /// The keyframes.
        keyframes: Vec<Vec<f64>>,
    },
}

/// A behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviourDescription {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: BehaviourKind,
    /// Blocks and outputs that it acts on, in its order.
    pub on: Vec<String>,
}

/// Kind of a behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BehaviourKind {
    /// A spring with a damper between two points.
    Spring {
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Damping \[N s/m\].
        #[serde(default)]
        damping: f64,
        /// Length at rest \[m\].
        #[serde(default)]
        rest_length: f64,
    },
    /// A spring to a place.
    Pull {
        /// Place of each output.
        target: Vec<f64>,
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Damping \[N s/m\].
        #[serde(default)]
        damping: f64,
    },
    /// A motor on an angle.
    Motor {
        /// Wanted rate \[rad/s\].
        speed: f64,
        /// Torque per difference of rates \[N m s\].
        gain: f64,
        /// Largest torque \[N m\].
        max_torque: f64,
    },
    /// Forces that stay, one an output \[N\].
    Force(Vec<f64>),
    /// Forces against rates \[N s/m\].
    Damper(f64),
    /// An output that is made small, or large with a negative gain.
    Objective(f64),
    /// Residuals that are made small under a norm.
    Residuals {
        /// Stiffness.
        stiffness: f64,
        /// Norm.
        norm: Norm,
    },
    /// Elasticity of a troid, on the numbers of its deformation gradient.
    TroidElasticity {
        /// Area \[m²\] or volume \[m³\] at rest.
        measure: f64,
        /// Stiffness towards the rest shape \[N/m\], \[Pa\].
        shape: f64,
        /// Stiffness of the area or volume \[N/m\], \[Pa\].
        dilation: f64,
    },
    /// Bending of three points in a row, by a stiffness \[N/m\].
    Bending(f64),
    /// Attraction of points in the plane by the edges of an image.
    Edges {
        /// Name of the image.
        image: String,
        /// Standard deviation of the Gaussian that smooths it \[pixels\]: the farther edges attract.
        deviation: f64,
        /// Energy per squared slope of the brightness.
        gain: f64,
    },
}
