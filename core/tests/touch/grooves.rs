//! Balls and particles between faces of a mesh: each face holds them, no side is taken, and nothing moves at rest.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::geometry::SurfaceMesh;
use sinew::model::{Collider, ColliderShape, CollisionBehavior, Model, Particle, RigidBody};

use super::scenes::{EULER, Scene, add_sphere, model_under};

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;

/// A block of 0.4 m along y, its upper face a groove of two slopes of 45 degrees from the line z = 0.
fn groove() -> SurfaceMesh {
    let profile = [[0.0, 0.0], [-0.2, 0.2], [-0.2, -0.1], [0.2, -0.1], [0.2, 0.2]];
    let at = |y: f64| profile.map(|[x, z]| Vec3::new(x, y, z));
    let vertices: Vec<Vec3> = at(-0.2).into_iter().chain(at(0.2)).collect();
    let mut triangles = Vec::new();
    for k in 0..5 {
        let next = (k + 1) % 5;
        triangles.extend([[k, next, next + 5], [k, next + 5, k + 5]]);
    }
    for k in 1..4 {
        triangles.extend([[0, k + 1, k], [5, k + 5, k + 6]]);
    }
    SurfaceMesh::new(vertices, triangles).unwrap().flipped()
}

fn with_groove() -> (Model, Handle<RigidBody>) {
    let mut model = model_under(G);
    let body = RigidBody::from_mesh("groove", groove(), 1000.0).at(Pose::identity()).fixed();
    let body = model.add(body);
    model.add(Collider::on(body, ColliderShape::MESH));
    model.add(CollisionBehavior::everything(0.0));
    (model, body)
}

/// Largest way of a row within the last steps of a second [m], and the forces of the last one.
fn way_at_rest(scene: &mut Scene, row: usize) -> (f64, Vec<Vec3>) {
    scene.steps(0.01, 60);
    let before = scene.state.q[row];
    let mut way: f64 = 0.0;
    for _ in 0..40 {
        scene.step(0.01);
        way = way.max((scene.state.q[row] - before).norm());
    }
    (way, scene.state.contacts.iter().map(|it| it.force).filter(|it| it.norm() > 0.0).collect())
}

#[test]
fn a_ball_rests_on_both_sides_of_a_groove_of_a_mesh() {
    let (mut model, _) = with_groove();
    let at = Vec3::new(3e-3, 0.01, RADIUS * 2f64.sqrt() + 2e-3);
    let ball = add_sphere(&mut model, "ball", 1.0, RADIUS, at);
    let mut scene = Scene::new(&model, EULER);
    let row = scene.compiled.body_rows(ball).unwrap().row as usize;
    let (way, forces) = way_at_rest(&mut scene, row);
    assert!(way < 1e-9, "{way} m");
    assert_eq!(forces.len(), 2, "{forces:?}");
    for force in &forces {
        assert!((force.norm() / (G / 2f64.sqrt()) - 1.0).abs() < 1e-6, "{forces:?}");
    }
    assert!((forces[0] + forces[1] - Vec3::z() * G).norm() < 1e-6 * G, "{forces:?}");
    assert!(scene.place(ball).x.abs() < 1e-4, "{}", scene.place(ball));
}

#[test]
fn a_particle_rests_in_the_line_of_a_groove_of_a_mesh() {
    let (mut model, _) = with_groove();
    let at = Vec3::new(3e-3, 0.01, 5e-3);
    let particle = model.add(Particle::new(0.1, at));
    let mut scene = Scene::new(&model, EULER);
    let row = scene.compiled.block_of_particle(particle);
    let (way, forces) = way_at_rest(&mut scene, row);
    assert!(way < 1e-9, "{way} m");
    let sum: Vec3 = forces.iter().sum();
    assert!(forces.len() >= 2 && (sum - Vec3::z() * 0.1 * G).norm() < 1e-6 * G, "{forces:?}");
}
