//! Random components of a multibody system: bodies, and what holds, joins and moves them.

use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::constraint::{JointKind, PointConstraint};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Anchor, Attachment, AxialSpring, Collider, ColliderShape, CollisionBehavior, Component,
    FemModel, FrameLoad, FrameMarker, FrameSite, FrameSpring, Inertia, Joint, Keyframe, Master,
    MechModel, Model, MultiPointSpring, MuscleExciter, Particle, PointConstrainer, PointRef,
    RigidBody,
};
use sinew::property::Pose;
use sinew::{Mat3, Vec3};

use crate::world::{Draw, pick, point, vector};

/// A place somewhere in the world or on a body.
pub(crate) fn pose(draw: u32) -> Pose {
    Pose::new(vector(draw), vector(draw.rotate_left(13)))
}

/// A new component of a multibody system; `None` where there is nothing yet for it to hold on to.
pub(crate) fn multibody(model: &Model, [what, a, b, _]: Draw, name: &str) -> Option<Component> {
    let bodies: Vec<_> = model.iter::<RigidBody>().map(|it| it.0).collect();
    let body = |draw| pick(&bodies, draw);
    let sides = || {
        let (c, d) = (FrameSite::on(body(a)?, pose(b)), pose(b.rotate_left(3)));
        let other = body(a.rotate_left(16)).filter(|&other| Some(other) != c.body);
        Some((c, FrameSite { body: other, pose: d }))
    };
    Some(match what % 14 {
        0..3 => rigid_body(a, b).named(name).into(),
        3..5 => FrameMarker::new(body(a)?, vector(b)).named(name).into(),
        5 => {
            let kinds = JointKind::ALL;
            let (c, d) = sides()?;
            let kind = kinds[b as usize % kinds.len()];
            Joint::new(kind, c, d).named(name).into()
        }
        6 => {
            let (c, d) = sides()?;
            FrameSpring { stiffness: vector(b).abs(), ..FrameSpring::new(c, d) }.named(name).into()
        }
        7 => constrainer(model, a, b)?.named(name).into(),
        8 => attachment(model, body(a), b)?.named(name).into(),
        9 => {
            let points = (0..2 + b % 3).map(|k| point(model, a.rotate_left(7 * k)));
            let law = sinew::axial::AxialLaw::from_name("linear")?;
            MultiPointSpring::new(points.collect::<Option<_>>()?, law).named(name).into()
        }
        10 => FrameLoad::new(body(a)?, vector(b), vector(a)).named(name).into(),
        11 => exciter(model, a, b, name).into(),
        12 => collider(model, body(a), b).named(name).into(),
        _ => behavior(model, a, b)?.named(name).into(),
    })
}

fn rigid_body(a: u32, b: u32) -> RigidBody {
    let size = Vec3::new(0.1, 0.2, 0.3);
    let body = if a.is_multiple_of(4) {
        RigidBody::from_mesh("", cuboid_mesh(&size).unwrap(), 1000.0)
    } else {
        let inertia = SpatialInertia::new(2.0, vector(a) * 0.1, Mat3::identity() * 0.01).unwrap();
        RigidBody::new("", Inertia::Explicit(inertia))
    };
    let body = RigidBody { velocity: vector(a), ..body }.at(pose(b));
    if !a.is_multiple_of(3) {
        return body;
    }
    let keyframe = |k: u32| Keyframe { time: f64::from(k), pose: pose(b.rotate_left(k)) };
    RigidBody { keyframes: (0..a % 4).map(keyframe).collect(), ..body.fixed() }
}

/// Of a body, or of the ground; made of a surface where the body has one.
fn collider(model: &Model, body: Option<Handle<RigidBody>>, draw: u32) -> Collider {
    let size = f64::from(1 + draw % 7) * 0.01;
    let has_surface = body.is_some_and(|body| model[body].mesh.is_some());
    let shape = match draw % if has_surface { 7 } else { 5 } {
        0 => ColliderShape::HalfSpace,
        1 => ColliderShape::Sphere { radius: size },
        2 => ColliderShape::Capsule { radius: size, half_length: 2.0 * size },
        3 => ColliderShape::Cylinder { radius: size, half_length: 2.0 * size },
        4 => ColliderShape::Box { half_extents: Vec3::new(size, 0.01, 0.02) },
        5 => ColliderShape::HULL,
        _ => ColliderShape::vertices(0.0),
    };
    let site = FrameSite { body: body.filter(|_| !draw.is_multiple_of(5)), pose: pose(draw) };
    let shape = if site.body.is_none() { ColliderShape::Sphere { radius: size } } else { shape };
    Collider::new(shape, site)
}

/// Of two that can touch; now and then of a mechanical model, or of all.
fn behavior(model: &Model, a: u32, b: u32) -> Option<CollisionBehavior> {
    let solid = model.iter::<Collider>().map(|it| it.0.id());
    let solid: Vec<_> = solid.chain(model.iter::<RigidBody>().map(|it| it.0.id())).collect();
    let points = model.iter::<Particle>().map(|it| it.0.id());
    let points: Vec<_> = points.chain(model.iter::<FemModel>().map(|it| it.0.id())).collect();
    let models: Vec<_> = model.iter::<MechModel>().map(|it| it.0.id()).collect();
    let first = pick(&solid, a)?;
    let second = match b % 8 {
        0 => return Some(CollisionBehavior { a: Some(first), ..CollisionBehavior::default() }),
        // Rare, as a copy of it brings a copy of all below.
        1 if b.is_multiple_of(5) => pick(&models, b / 8)?,
        1..5 => pick(&points, b / 8)?,
        _ => pick(&solid, b / 8).filter(|&second| second != first)?,
    };
    let new = CollisionBehavior::new(first, second, f64::from(a % 3));
    Some(CollisionBehavior { enabled: !a.is_multiple_of(4), margin: Some(0.125), ..new })
}

/// Of a particle, which no body carries.
fn constrainer(model: &Model, a: u32, b: u32) -> Option<PointConstrainer> {
    let particles: Vec<_> = model.iter::<Particle>().map(|it| it.0).collect();
    let constrained = pick(&particles, a)?;
    let kind = [
        PointConstraint::OnPlane,
        PointConstraint::OnLine,
        PointConstraint::AtPoint,
        PointConstraint::AtDistance { length: 0.5 },
    ][b as usize % 4];
    let anchor = match point(model, b).filter(|&other| other != PointRef::from(constrained)) {
        Some(other) if b.is_multiple_of(3) => Anchor::Point(other),
        _ => Anchor::Frame(FrameSite::ground(pose(b))),
    };
    Some(PointConstrainer::new(kind, constrained, anchor))
}

/// Of a particle that is not attached yet, to a body, or to a particle that was there before it: no
/// circles.
fn attachment(model: &Model, body: Option<Handle<RigidBody>>, draw: u32) -> Option<Attachment> {
    let attached: Vec<PointRef> =
        model.iter::<Attachment>().flat_map(|it| it.1.points.clone()).collect();
    let particles: Vec<_> = model.iter::<Particle>().map(|it| it.0).collect();
    let point = pick(&particles, draw).filter(|&it| !attached.contains(&it.into()))?;
    let older: Vec<_> = particles.into_iter().filter(|it| it.id() < point.id()).collect();
    let master = match (body, pick(&older, draw.rotate_left(8))) {
        (Some(body), _) if draw.is_multiple_of(2) => Master::Body(body),
        (_, Some(particle)) => Master::Particle(particle),
        (body, None) => Master::Body(body?),
    };
    Some(Attachment::new(vec![point.into()], master))
}

fn exciter(model: &Model, a: u32, b: u32, name: &str) -> MuscleExciter {
    let springs = model.iter::<AxialSpring>().map(|it| it.0.id());
    let lines = model.iter::<MultiPointSpring>().map(|it| it.0.id());
    let exciters = model.iter::<MuscleExciter>().map(|it| it.0.id());
    let all: Vec<ComponentId> = springs.chain(lines).chain(exciters).collect();
    let targets = (0..a % 4).filter_map(|k| pick(&all, b.rotate_left(6 * k)));
    MuscleExciter::new(name, targets)
}
