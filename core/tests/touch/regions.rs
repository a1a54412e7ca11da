//! Regions in which solids touch: areas, pressures, depths and centres against closed forms.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::{Compliance, Pose};
use sinew::contact::ColliderShape;
use sinew::geometry::{SurfaceMesh, cuboid_mesh, icosphere_mesh};
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::property::Value;
use sinew::simulated::Simulated;
use sinew::system::ContactRegion;

use crate::scenes::{EULER, Scene, model_under};

/// A body about the middle of its surface, at a height [m].
fn body_of(name: &str, mesh: SurfaceMesh, z: f64) -> RigidBody {
    RigidBody::from_mesh(name, mesh, 1000.0).at(Pose::translation(0.0, 0.0, z))
}

fn add_mesh(model: &mut Model, body: RigidBody) -> Handle<RigidBody> {
    let name = body.name.clone();
    let body = model.add(body);
    model.add(Collider::on(body, ColliderShape::MESH).named(name));
    body
}

/// Solids below a plane, or on a slab whose top is z = 0.
fn add_floor(model: &mut Model, is_slab: bool) {
    if is_slab {
        let slab = cuboid_mesh(&Vec3::new(1.0, 1.0, 0.2)).unwrap();
        add_mesh(model, body_of("slab", slab, -0.1).fixed());
    } else {
        model.add(Collider::half_space(Pose::identity()).named("floor"));
    }
}

/// Regions and the readings `contact_area` and `max_pressure` after steps of 10 ms.
fn settle(
    model: &Model,
    behavior: Handle<CollisionBehavior>,
    steps: usize,
) -> (Scene, Vec<ContactRegion>, [f64; 2]) {
    let mut scene = Scene::new(model, EULER);
    scene.steps(0.01, steps);
    let regions = scene.compiled.at(&scene.state).contact_regions(behavior).unwrap();
    let s = Simulated { model, compiled: &scene.compiled, state: &scene.state };
    let read = |name: &str| match s.get_property(&model.property_of(behavior, name).unwrap()) {
        Ok(Value::Real(x)) => x,
        other => panic!("{name}: {other:?}"),
    };
    let readings = [read("contact_area"), read("max_pressure")];
    (scene, regions, readings)
}

/// Two feet below a plate, in one surface.
fn bench() -> SurfaceMesh {
    let parts = [
        (Vec3::new(0.3, 0.1, 0.02), Vec3::new(0.0, 0.0, 0.03)),
        (Vec3::new(0.04, 0.1, 0.04), Vec3::new(-0.1, 0.0, -0.01)),
        (Vec3::new(0.04, 0.1, 0.04), Vec3::new(0.1, 0.0, -0.01)),
    ];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (size, at) in parts {
        let part = cuboid_mesh(&size).unwrap();
        let first = vertices.len() as u32;
        vertices.extend(part.vertices().iter().map(|p| p + at));
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_bench_presses_with_half_its_weight_on_each_foot() {
    for is_slab in [true, false] {
        let mut model = model_under(9.81);
        let body = add_mesh(&mut model, body_of("bench", bench(), 0.03));
        add_floor(&mut model, is_slab);
        let behavior = model.add(CollisionBehavior::everything(0.3));
        let (scene, regions, [area, pressure]) = settle(&model, behavior, 20);
        assert_eq!(regions.len(), 2, "{regions:?}");
        let weight = scene.force().z.abs();
        for region in &regions {
            let up = region.normal.z.abs();
            assert!((region.area / 0.004 - 1.0).abs() < 1e-9 && up > 1.0 - 1e-9, "{region:?}");
            assert!((region.force / weight - 0.5).abs() < 1e-6, "{region:?} of {weight} N");
            assert!((region.center.x.abs() - 0.1).abs() < 1e-6, "{region:?}");
            assert!(region.center.y.abs() < 1e-6, "{region:?}");
        }
        assert!((area / 0.008 - 1.0).abs() < 1e-9, "{area} m²");
        assert!((pressure * 0.008 / weight - 1.0).abs() < 1e-6, "{pressure} Pa");
        assert!(scene.place(body).z.abs() < 0.031);
    }
}

#[test]
fn a_ball_that_sinks_into_a_plane_has_the_circle_of_its_cap() {
    const RADIUS: f64 = 0.05;
    for is_slab in [true, false] {
        let mut model = model_under(9.81);
        let surface = icosphere_mesh(RADIUS, 4).unwrap();
        let ball = add_mesh(&mut model, body_of("ball", surface, RADIUS));
        add_floor(&mut model, is_slab);
        let mut behavior = CollisionBehavior::everything(0.0);
        behavior.law.compliance = Compliance { compliance: 4e-3, damping: 20.0 };
        let behavior = model.add(behavior);
        let (scene, regions, [area, pressure]) = settle(&model, behavior, 40);
        let depth = RADIUS - scene.place(ball).z;
        assert!((1e-3..0.02).contains(&depth), "{depth} m deep");
        let circle = PI * depth * (2.0 * RADIUS - depth);
        let [region] = regions[..] else { panic!("{regions:?}") };
        assert!((region.area / circle - 1.0).abs() < 0.02, "{} of {circle} m²", region.area);
        assert!(area == region.area && pressure == region.pressure());
        let force = scene.force().z.abs();
        assert!((region.force / force - 1.0).abs() < 1e-9, "{} of {force} N", region.force);
        if is_slab {
            let cap = PI * depth * depth * (3.0 * RADIUS - depth) / 3.0 / circle;
            assert!((region.depth / cap - 1.0).abs() < 0.02, "{} of {cap} m", region.depth);
        }
    }
}
