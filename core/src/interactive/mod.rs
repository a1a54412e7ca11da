//! Interactive Dynamics (Witkin1990): models that are built while they move. Layers, each over the one before:
//! formulas and numbers with derivatives ([`crate::formula`]), graphs of function blocks (`graph/`), objects with
//! states and masses (`objects/`), forces between outputs (`behaviours/`), geometry as blocks (`connectors.rs`), and
//! the world that solves for constraint forces and takes all of it through time (`world/`), worlds as data (`description/`),
//! parts that a hand adds (`palette/`), worlds
//! that run in a thread of their own for a window (`live/`), drawings of curves that hands pull (`drawing/`).
//! `model_laws.rs` lets formulas act on models. docs/theory/interactive.md.

mod behaviours;
mod connectors;
mod description;
mod drawing;
mod graph;
mod live;
mod model_laws;
mod objects;
mod palette;
mod path;
mod world;

pub use crate::formula::{Dependence, Dual, Formula, FormulaError, FormulaFault, Scalar, Taylor};
pub use behaviours::{
    Behaviour, Bending, ConstantForce, Damper, EdgeField, Energy, GrayImage, ImageError, Motor,
    Norm, Objective, PortMotion, Potential, Pull, Residuals, Spring, TroidElasticity,
};
pub use connectors::{
    Difference, Distance, EnclosedVolume, InnerProduct, PlaneAngle, PolygonArea, SpaceAngle,
    TriangleNormal,
};
pub use description::{
    BehaviourDescription, BehaviourKind, BlockDescription, BlockKind, ConstraintDescription,
    ConstraintRule, DescriptionError, DescriptionFault, ImageDescription, MOST_PIXELS,
    ObjectDescription, ObjectKind, PartId, PartList, WorldDescription, WorldPart,
};
pub use drawing::{
    BoardError, CurveKind, CurvePoint, Drawing, DrawingBoard, DrawingError, DrawnCurve, Nail,
    NearPoint,
};
pub use graph::{BlockFunction, BlockId, Code, Function, Graph, GraphError, Port, Role, Workspace};
pub use live::{
    BlockRow, ConstraintRow, LiveError, LiveWorld, Mark, MarkKind, ObjectOutline, ObjectPoint,
    OutputRow, PartText, Refusal, ShownImage, WorldCommand, WorldFiles, WorldPoint, WorldSession,
    WorldSnapshot, WorldStatus,
};
pub use model_laws::{constraint_by_formula, force_by_energy};
pub use objects::{
    Curve, Particle, PhysicalObject, PlanarBody, RigidBody, StateFunction, Troid, Variables, Weight,
};
pub use palette::{Candidate, PaletteError, PartKind, Pick, Slot, part_kinds};
pub use path::{MotionPath, PathError};
pub use world::{
    BehaviourId, ConstraintId, ConstraintKind, Feedback, Integrator, Mobility, ObjectId, Order,
    Statistics, World, WorldError, WorldSettings,
};
