//! Areas, resultants and centres of pressure of faces that lie on faces, in every direction of space, against polygons that are
//! clipped in the plane.

use std::f64::consts::TAU;

use proptest::prelude::*;
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::{Compliance, Pose};
use sinew::contact::ColliderShape;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{Collider, CollisionBehavior, FrameSite, Inertia, Model, RigidBody};
use sinew::property::Value;
use sinew::simulated::Simulated;

use super::scenes::{EULER, Scene, model_under};

const MASS: f64 = 2.0;
const G: f64 = 9.81;
/// Half the height of all solids [m].
const HEIGHT: f64 = 0.05;

type Polygon = Vec<[f64; 2]>;

/// Solid whose faces across its z axis touch.
#[derive(Clone, Copy, Debug)]
enum Part {
    Plane,
    Box([f64; 2]),
    /// A prism over a regular polygon: corners and radius.
    Hull(u32, f64),
}

impl Part {
    /// Its face in its own plane, counterclockwise.
    fn face(self) -> Polygon {
        match self {
            Self::Plane => vec![[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]],
            Self::Box([x, y]) => vec![[-x, -y], [x, -y], [x, y], [-x, y]],
            Self::Hull(count, radius) => {
                let angle = |k: u32| (f64::from(k) * TAU / f64::from(count)).sin_cos();
                (0..count).map(angle).map(|(y, x)| [radius * x, radius * y]).collect()
            }
        }
    }

    /// Its surface: both faces, and the sides between.
    fn prism(self) -> SurfaceMesh {
        let face = self.face();
        let count = face.len() as u32;
        let at = |z: f64| face.iter().map(move |[x, y]| Vec3::new(*x, *y, z));
        let vertices = at(-HEIGHT).chain(at(HEIGHT)).collect();
        let ends = (1..count - 1).flat_map(|k| [[0, k + 1, k], [count, count + k, count + k + 1]]);
        let sides = (0..count).flat_map(|k| {
            let next = (k + 1) % count;
            [[k, next, count + next], [k, count + next, count + k]]
        });
        SurfaceMesh::new(vertices, ends.chain(sides).collect()).unwrap()
    }

    /// Adds it to a body, or to the ground where its upper face is in the plane z = 0 of a pose.
    fn add(self, model: &mut Model, name: &str, at: Pose, mass: Option<f64>) -> Handle<Collider> {
        let shape = match self {
            Self::Plane => {
                return model.add(Collider::half_space(at).named(name));
            }
            Self::Box([x, y]) => ColliderShape::Box { half_extents: Vec3::new(x, y, HEIGHT) },
            Self::Hull(..) => ColliderShape::HULL,
        };
        let shift = if mass.is_some() { HEIGHT } else { -HEIGHT };
        let inertia = SpatialInertia::of_box(mass.unwrap_or(1.0), &Vec3::repeat(0.1)).unwrap();
        let pose = at * Pose::translation(0.0, 0.0, shift);
        let body = RigidBody::new(name, Inertia::Explicit(inertia)).at(pose);
        let body = RigidBody { mesh: Some(self.prism()), dynamic: mass.is_some(), ..body };
        let body = model.add(body);
        model.add(Collider::new(shape, FrameSite::on(body, Pose::identity())).named(name))
    }
}

/// The part of a convex polygon in another one, counterclockwise (Sutherland and Hodgman).
fn clipped(polygon: &[[f64; 2]], by: &[[f64; 2]]) -> Polygon {
    let mut left = polygon.to_vec();
    for (k, a) in by.iter().enumerate() {
        let b = by[(k + 1) % by.len()];
        let side = |p: &[f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        let mut next = Vec::new();
        for (i, p) in left.iter().enumerate() {
            let q = left[(i + 1) % left.len()];
            let (s, t) = (side(p), side(&q));
            if s >= 0.0 {
                next.push(*p);
            }
            if (s >= 0.0) != (t >= 0.0) {
                let at = s / (s - t);
                next.push([p[0] + at * (q[0] - p[0]), p[1] + at * (q[1] - p[1])]);
            }
        }
        left = next;
    }
    left
}

/// Area and centroid of a polygon.
fn measure(polygon: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let mut sum = [0.0; 3];
    for (k, p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let cross = p[0] * q[1] - p[1] * q[0];
        let terms = [cross, cross * (p[0] + q[0]), cross * (p[1] + q[1])];
        sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    (0.5 * sum[0], [sum[1] / (3.0 * sum[0]), sum[2] / (3.0 * sum[0])])
}

fn parts() -> impl Strategy<Value = Part> {
    prop_oneof![
        [0.06..0.2, 0.06..0.2].prop_map(Part::Box),
        (3..9u32, 0.12..0.2).prop_map(|(count, radius)| Part::Hull(count, radius)),
    ]
}

fn grounds() -> impl Strategy<Value = Part> {
    prop_oneof![Just(Part::Plane), parts()]
}

fn rotations() -> impl Strategy<Value = Vec3> {
    [-3.0..3.0, -3.0..3.0, -3.0..3.0].prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_face_on_a_face_has_the_area_of_their_common_polygon_in_every_direction(
        (upper, lower) in (parts(), grounds()),
        turn in rotations(),
        (yaw, at) in (0.0..TAU, [-0.03..0.03, -0.03..0.03]),
        lean in -0.2..0.2,
        swapped in any::<bool>(),
    ) {
        let world = Pose::rotation(turn);
        let on = |p: [f64; 2]| world * nalgebra::Point3::new(p[0], p[1], 0.0);
        let mut model = model_under(0.0);
        // Gravity leans, and friction holds.
        let gravity = Vec3::new(lean, 0.0, -1.0) * G;
        model.set_gravity(world.rotation * gravity);
        let place = world * Pose::translation(at[0], at[1], 0.0) * Pose::rotation(Vec3::z() * yaw);
        let a = upper.add(&mut model, "upper", place, Some(MASS));
        let b = lower.add(&mut model, "lower", world, None);
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        let behavior = model.add(CollisionBehavior::new(first, second, 0.5));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(1e-3, 3);
        let regions = scene.compiled.at(&scene.state).contact_regions(behavior).unwrap();
        let [region] = regions[..] else { panic!("{regions:?}") };
        let (sin, cos) = yaw.sin_cos();
        let seen = |[x, y]: [f64; 2]| [at[0] + cos * x - sin * y, at[1] + sin * x + cos * y];
        let face: Polygon = upper.face().into_iter().map(seen).collect();
        let (area, center) = measure(&clipped(&face, &lower.face()));
        let sign = if swapped { -1.0 } else { 1.0 };
        prop_assert!((region.area / area - 1.0).abs() < 1e-8, "{} of {area} m²", region.area);
        prop_assert!((region.center - on(center).coords).norm() < 1e-4, "{}", region.center);
        let normal: Vec3 = world.rotation * Vec3::z() * sign;
        prop_assert!((region.normal - normal).norm() < 1e-6, "{}", region.normal);
        // The weight acts at the centre of mass: along it, on the face, is the centre of pressure.
        let push = MASS * G;
        prop_assert!((region.force / push - 1.0).abs() < 1e-6, "{} of {push} N", region.force);
        let weight: Vec3 = world.rotation * gravity * -MASS * sign;
        prop_assert!((region.resultant - weight).norm() < 1e-6 * push, "{}", region.resultant);
        let pressed = on([at[0] + lean * HEIGHT, at[1]]);
        let off = (region.center_of_pressure - pressed.coords).norm();
        prop_assert!(off < 1e-5, "{off} m off");
        let s = Simulated { model: &model, compiled: &scene.compiled, state: &scene.state };
        let read = |name: &str| s.get_property(&model.property_of(behavior, name).unwrap());
        prop_assert_eq!(read("contact_area").unwrap(), Value::Real(region.area));
        prop_assert_eq!(read("max_pressure").unwrap(), Value::Real(region.pressure()));
    }
}

#[test]
fn a_compliant_face_has_its_area_and_the_depth_of_its_weight() {
    let compliance = Compliance { compliance: 1e-4, damping: 200.0 };
    for part in [Part::Box([0.1, 0.07]), Part::Hull(4, 0.1)] {
        for ground in [Part::Plane, Part::Box([0.3, 0.3])] {
            let mut model = model_under(G);
            let a = part.add(&mut model, "upper", Pose::identity(), Some(MASS));
            let b = ground.add(&mut model, "lower", Pose::identity(), None);
            let mut behavior = CollisionBehavior::new(a, b, 0.0);
            behavior.law.compliance = compliance;
            let behavior = model.add(behavior);
            let mut scene = Scene::new(&model, EULER);
            scene.steps(5e-3, 400);
            let regions = scene.compiled.at(&scene.state).contact_regions(behavior).unwrap();
            let [region] = regions[..] else { panic!("{regions:?}") };
            let (area, _) = measure(&part.face());
            assert!((region.area / area - 1.0).abs() < 1e-6, "{} of {area} m²", region.area);
            // Four corners share the weight. A plane has no volume.
            let depth = if matches!(ground, Part::Plane) { 0.0 } else { MASS * G * 1e-4 / 4.0 };
            assert!((region.depth - depth).abs() <= 1e-3 * depth, "{} of {depth} m", region.depth);
        }
    }
}

/// A wide foot and a narrow one below a plate, whose gap is narrower than the wide foot: the corners of the wide one are
/// nearer to the middle of the narrow one than to its own.
#[test]
fn unequal_feet_share_the_weight_by_their_arms() {
    let parts = [
        (Vec3::new(0.5, 0.1, 0.02), Vec3::new(0.0, 0.0, 0.05)),
        (Vec3::new(0.4, 0.1, 0.04), Vec3::new(-0.05, 0.0, 0.02)),
        (Vec3::new(0.02, 0.1, 0.04), Vec3::new(0.22, 0.0, 0.02)),
    ];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (size, at) in parts {
        let part = sinew::geometry::cuboid_mesh(&size).unwrap();
        let first = vertices.len() as u32;
        vertices.extend(part.vertices().iter().map(|p| p + at));
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    let bench = SurfaceMesh::new(vertices, triangles).unwrap();
    let mut model = model_under(G);
    let inertia = SpatialInertia::new(MASS, Vec3::zeros(), sinew::Mat3::identity() * 0.01).unwrap();
    let body = RigidBody::new("bench", Inertia::Explicit(inertia));
    let body = model.add(RigidBody { mesh: Some(bench), ..body });
    model.add(Collider::on(body, ColliderShape::MESH));
    model.add(Collider::half_space(Pose::identity()));
    let behavior = model.add(CollisionBehavior::everything(0.5));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(1e-3, 10);
    let regions = scene.compiled.at(&scene.state).contact_regions(behavior).unwrap();
    let [mut wide, mut narrow] = regions[..] else { panic!("{regions:?}") };
    if wide.area < narrow.area {
        std::mem::swap(&mut wide, &mut narrow);
    }
    assert!((wide.area / 0.04 - 1.0).abs() < 1e-9 && (narrow.area / 0.002 - 1.0).abs() < 1e-9);
    let total = wide.force + narrow.force;
    assert!((total / (MASS * G) - 1.0).abs() < 1e-6, "{total} N");
    let moment = wide.center_of_pressure * wide.force + narrow.center_of_pressure * narrow.force;
    assert!((moment / total).xy().norm() < 1e-5, "{moment}");
    for (region, low, high) in [(wide, -0.25, 0.15), (narrow, 0.21, 0.23)] {
        let x = region.center_of_pressure.x;
        assert!(x > low - 1e-6 && x < high + 1e-6, "{x} m is not below its foot");
    }
}
