//! Bodies that are solids: one `shape` gives the surface that is drawn, the inertia, and the
//! collider.

use std::f64::consts::PI;

use sinew::component::{ComponentId, Handle};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{Collider, ColliderShape, FrameSite, RigidBody};
use sinew::property::Pose;
use sinew::{Mat3, Vec3};

use super::solids::{self, SOLIDS};
use super::value::numbers;
use crate::diagnostic::Diagnostic;
use crate::tree::{Entry, Node, Span, Table, Tree, get};
use crate::units::Length;

/// Keys of a shape beside its solid.
pub(crate) const SHAPE_KEYS: [&str; 4] = ["centre", "axis", "facets", "collide"];

/// A solid of a body, in the frame of the body.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Its name, by its key and by the name of the collider's shape.
    solid: String,
    radius: f64,
    half_length: f64,
    half_extents: Vec3,
    /// Its middle and its axis, along z of this frame \[m\].
    pose: Pose,
    /// Its surface \[m\].
    pub(super) mesh: SurfaceMesh,
    collides: bool,
    span: Span,
}

/// A collider of a body that a shape makes, to be added behind those of the file.
#[derive(Clone, Debug)]
pub(super) struct ShapeCollider {
    /// It.
    pub(super) collider: Collider,
    /// The mechanical model that it belongs to.
    pub(super) start: ComponentId,
    /// Place of the shape.
    pub(super) span: Span,
}

impl Shape {
    /// Reads a shape, in a file with this unit of length.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(super) fn read(node: &Node, unit: Length) -> Result<Self, Diagnostic> {
        let Some(table) = node.table() else {
            let found = node.value.describe();
            let message = format!("a shape is a table such as {{ sphere = 0.02 }}, not {found}");
            return Err(Diagnostic::error(node.span, message));
        };
        let entry = solids::solid(table).ok_or_else(|| {
            let message = format!("a shape is one of {}", SOLIDS.join(", "));
            Diagnostic::error(node.span, message)
        })?;
        let of_surface: Table =
            table.iter().filter(|entry| is_of_surface(entry)).cloned().collect();
        let solid = entry.key.clone();
        let (radius, half_length, half_extents) = solids::sizes(entry, unit)?;
        let surface = solids::surface(&of_surface, entry, unit)?;
        let centre = solids::centre(table, unit)?;
        let pose = Pose::translation(centre.x, centre.y, centre.z) * axis(table)?;
        // The surface is about its centre already.
        let turn: Mat3 = pose.rotation.to_rotation_matrix().into_inner();
        let mesh = surface.transformed(&turn, &(centre - turn * centre));
        let mesh = mesh.map_err(|error| Diagnostic::error(node.span, error.to_string()))?;
        let collides = match get(table, "collide").map(|node| (node, &node.value)) {
            None => true,
            Some((_, Tree::Bool(collides))) => *collides,
            Some((node, other)) => {
                let message = format!("'collide' is true or false, not {}", other.describe());
                return Err(Diagnostic::error(node.span, message));
            }
        };
        let span = node.span;
        Ok(Self { solid, radius, half_length, half_extents, pose, mesh, collides, span })
    }

    /// The collider that it makes on a body, if it makes one.
    pub(super) fn collider(&self, body: Handle<RigidBody>) -> Option<Collider> {
        let mut shape = ColliderShape::ALL.into_iter().find(|it| it.name() == self.solid)?;
        if let Some(radius) = shape.radius_mut() {
            *radius = self.radius;
        }
        if let Some(half_length) = shape.half_length_mut() {
            *half_length = self.half_length;
        }
        if let Some(half_extents) = shape.half_extents_mut() {
            *half_extents = self.half_extents;
        }
        self.collides.then(|| Collider::new(shape, FrameSite::on(body, self.pose)))
    }

    /// Its volume [m³].
    pub(super) fn volume(&self) -> f64 {
        let ball = 4.0 / 3.0 * PI * self.radius.powi(3);
        let column = PI * self.radius * self.radius * 2.0 * self.half_length;
        match self.solid.as_str() {
            "box" => 8.0 * self.half_extents.product(),
            "cylinder" => column,
            _ => column + ball,
        }
    }

    /// The inertia of the exact solid, of a mass [kg].
    pub(super) fn inertia(&self, mass: f64) -> Result<SpatialInertia, Diagnostic> {
        let length = 2.0 * self.half_length;
        let made = match self.solid.as_str() {
            "box" => SpatialInertia::of_box(mass, &(2.0 * self.half_extents)),
            "sphere" => SpatialInertia::of_sphere(mass, self.radius),
            "cylinder" => SpatialInertia::of_cylinder(mass, self.radius, length),
            _ => SpatialInertia::of_capsule(mass, self.radius, length),
        };
        let made = made.map_err(|error| Diagnostic::error(self.span, error.to_string()))?;
        Ok(made.transformed(&self.pose.rotation, &self.pose.translation.vector))
    }
}

/// True if the surface of a solid is told of a key; where it lies is told once, here.
fn is_of_surface(entry: &Entry) -> bool {
    !matches!(entry.key.as_str(), "axis" | "collide")
}

/// The turn from z to the axis of a solid.
fn axis(table: &Table) -> Result<Pose, Diagnostic> {
    let Some(node) = get(table, "axis") else { return Ok(Pose::identity()) };
    let axis = numbers(node).filter(|list| list.len() == 3);
    let turn = axis.and_then(|axis| turn_to(&Vec3::from_column_slice(&axis)));
    turn.ok_or_else(|| Diagnostic::error(node.span, "an axis is [x, y, z], of a length above 0"))
}

/// The shortest turn that takes z to a direction, about the origin; a half turn about x where that is -z.
/// `None` for a vector without direction.
pub(super) fn turn_to(axis: &Vec3) -> Option<Pose> {
    let axis = axis.try_normalize(0.0).filter(|axis| axis.iter().all(|x| x.is_finite()))?;
    let across = Vec3::z().cross(&axis);
    let angle = across.norm().atan2(axis.z);
    Some(Pose::rotation(across.try_normalize(0.0).unwrap_or_else(Vec3::x) * angle))
}
