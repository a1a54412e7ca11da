//! Shapes that touch, on a rigid body or on the ground. Their solids: `collider_shape.rs`; what touches
//! what, and how: `collision_behavior.rs`.

use serde::{Deserialize, Serialize};

use super::collider_shape::{ShapeName, copied, half_extents, put, scale};
use crate::Vec3;
use crate::component::{ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::contact::{ColliderShape, DEFAULT_SIZE};
use crate::kinds::{FrameSite, RigidBody};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Pose, Problem, Range, Transformation,
    properties,
};

/// A shape that touches others, as the behaviours of collisions say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its solid.
    pub shape: ColliderShape,
    /// Its frame: on a body, in the axes of which it stays, or on the ground.
    pub site: FrameSite,
    /// True if it touches anything.
    pub enabled: bool,
}

impl Collider {
    /// A shape in a frame of a body or of the ground.
    pub fn new(shape: ColliderShape, site: FrameSite) -> Self {
        Self { name: String::new(), shape, site, enabled: true }
    }

    /// A shape in the frame of a body.
    pub fn on(body: Handle<RigidBody>, shape: ColliderShape) -> Self {
        Self::new(shape, FrameSite::on(body, Pose::identity()))
    }

    /// The convex hull of the surface of a body.
    pub fn of_mesh(body: Handle<RigidBody>) -> Self {
        Self::on(body, ColliderShape::HULL)
    }

    /// The vertices of the surface of a body as balls of a radius [m], which may be zero.
    pub fn of_vertices(body: Handle<RigidBody>, radius: f64) -> Self {
        Self::on(body, ColliderShape::vertices(radius))
    }

    /// A box in the frame of a body, from half its edges [m].
    pub fn boxed(body: Handle<RigidBody>, half_extents: Vec3) -> Self {
        Self::on(body, ColliderShape::Box { half_extents })
    }

    /// A ball about the origin of a body, from its radius [m].
    pub fn sphere(body: Handle<RigidBody>, radius: f64) -> Self {
        Self::on(body, ColliderShape::Sphere { radius })
    }

    /// The ground below the plane z = 0 of a frame in the world.
    pub fn half_space(pose: Pose) -> Self {
        Self::new(ColliderShape::HalfSpace, FrameSite::ground(pose))
    }

    /// The same in another frame of its body, or of the ground.
    pub fn at(self, pose: Pose) -> Self {
        Self { site: FrameSite { pose, ..self.site }, ..self }
    }
}

impl Collider {
    /// Sizes are positive; a shape of a surface has a body with one.
    fn check_shape(&self, model: &dyn Components) -> Result<(), CheckError> {
        let cloud = self.shape.is_cloud();
        let radii = if cloud { Range::NOT_NEGATIVE } else { Range::POSITIVE };
        let extents = half_extents(&self.shape);
        let radius = copied(&self.shape, ColliderShape::radius_mut);
        let half_length = copied(&self.shape, ColliderShape::half_length_mut);
        let sizes = [("radius", radius, radii)]
            .into_iter()
            .chain([("half_length", half_length, Range::POSITIVE)])
            .chain((0..3).map(|k| ("half_extents", extents.map(|e| e[k]), Range::POSITIVE)));
        for (at, value, range) in sizes {
            if let Some(value) = value.filter(|&value| !range.contains(value)) {
                return Err(Problem::OutOfRange { value, range }.at(at));
            }
        }
        model.check_body("body", self.site.body)?;
        let mesh = self.site.body.and_then(|body| model.get(body)?.mesh.as_ref());
        if self.shape.is_of_points() && mesh.is_none() {
            return Err(Problem::NoSurface(self.shape.name()).at("shape"));
        }
        Ok(())
    }
}

impl ModelComponent for Collider {
    const HOME: Option<&'static str> = Some("colliders");
    const MOVED: Invalidates = Invalidates::GEOMETRY.and(Invalidates::RENDER);

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.site.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.site.redirect(map);
    }

    /// One on the ground moves and grows; one on a body goes with that.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let image = if self.shape.is_plane() {
            transformation.put_plane(&mut self.site)?
        } else {
            transformation.put_site(&mut self.site, 2)?
        };
        if let Some(image) = image {
            scale(&mut self.shape, &image);
        }
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_shape(model)
    }

    properties! { Collider {
        "enabled": bool = true, "", FINITE, STRUCTURE, "True if it touches anything", own (enabled);
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that it is on; empty for the ground",
            reference (|it| it.site.addresses(), |it, to| it.site.put(to)), check Collider::check_shape;
        "pose": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Its frame, in that of its body or of the world: position, then the quaternion i j k w", own (site.pose);
        "shape": ShapeName = ShapeName("sphere"), "", FINITE, STRUCTURE, "Its solid: all below z = 0, a ball, a capsule or a cylinder along z, a box, the convex hull of the surface of its body, or its vertices as small balls; sizes begin as 1 cm",
            replacing (|it: &Collider| Some(ShapeName(it.shape.name())), |it: &mut Collider, name: ShapeName| name.put(&mut it.shape)), check Collider::check_shape;
        "radius": f64 = DEFAULT_SIZE, "m", NOT_NEGATIVE, GEOMETRY, "Radius of a ball, capsule or cylinder, and of the balls at vertices, where it may be zero",
            via (|it: &Collider| copied(&it.shape, ColliderShape::radius_mut), |it: &mut Collider, new: f64| put(it.shape.radius_mut(), new)), check Collider::check_shape;
        "half_length": f64 = DEFAULT_SIZE, "m", POSITIVE, GEOMETRY, "Half the length of a cylinder, or of the straight part of a capsule",
            via (|it: &Collider| copied(&it.shape, ColliderShape::half_length_mut), |it: &mut Collider, new: f64| put(it.shape.half_length_mut(), new));
        "half_extents": Vec3 = Vec3::repeat(DEFAULT_SIZE), "m", POSITIVE, GEOMETRY, "Half the edges of a box along x, y, z",
            via (|it: &Collider| half_extents(&it.shape), |it: &mut Collider, new: Vec3| put(it.shape.half_extents_mut(), new));
        "contact_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of its contacts that were active in the last step", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of the mean forces of its contacts on it over the last step", simulated ();
    } }
}
