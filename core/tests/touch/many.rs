//! Meshes that touch in very many places: the contacts that are kept push as all would.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::{SurfaceMesh, icosphere_mesh};
use sinew::model::{Collider, ColliderShape, CollisionBehavior, Inertia, RigidBody};

use super::scenes::{EULER, Scene, model_under};

const RADIUS: f64 = 0.1;
/// Angular velocity at the start [rad/s].
const TURN_RATE: f64 = 4.0;

/// The lower half of a ball of this radius, open upwards, its normals towards the middle.
fn socket(radius: f64) -> SurfaceMesh {
    let ball = icosphere_mesh(radius, 3).unwrap();
    let is_low = |triangle: &&[u32; 3]| {
        triangle.iter().all(|&v| ball.vertices()[v as usize].z < 0.2 * radius)
    };
    let low = ball.triangles().iter().filter(is_low).copied().collect();
    SurfaceMesh::new(ball.vertices().to_vec(), low).unwrap().flipped()
}

/// A ball that turns in a socket of its shape under a weight beside its middle, with at most so many contacts.
fn joint(most: i64) -> (Scene, Handle<RigidBody>) {
    let mut model = model_under(9.81);
    let inertia = SpatialInertia::of_sphere(1.0, RADIUS).unwrap();
    let mut socket_body = RigidBody::new("socket", Inertia::Explicit(inertia));
    (socket_body.mesh, socket_body.dynamic) = (Some(socket(1.01 * RADIUS)), false);
    let socket_body = model.add(socket_body);
    model.add(Collider::on(socket_body, ColliderShape::MESH));
    let mut ball = RigidBody::new("ball", Inertia::Explicit(inertia));
    ball.mesh = Some(icosphere_mesh(RADIUS, 3).unwrap());
    ball.angular_velocity = Vec3::new(0.0, 0.0, TURN_RATE);
    let ball = model.add(ball);
    model.add(Collider::on(ball, ColliderShape::MESH));
    let mut behavior = CollisionBehavior::everything(0.3);
    behavior.law.most_contacts = most;
    model.add(behavior);
    (Scene::new(&model, EULER), ball)
}

#[test]
fn a_ball_in_a_socket_turns_on_few_contacts_as_on_all() {
    let mut moved = Vec::new();
    for most in [0, 16] {
        let (mut scene, ball) = joint(most);
        let (mut rows, mut force) = (0, Vec3::zeros());
        for step in 0..40 {
            scene.step(0.005);
            rows = rows.max(scene.last.unilateral_rows);
            if step >= 20 {
                force += scene.force() / 20.0;
            }
        }
        assert!((force - Vec3::z() * 9.81).norm() < 0.05 * 9.81, "{force} N");
        moved.push((rows, scene.place(ball), scene.angular_velocity(ball).z));
    }
    let [all, few] = [&moved[0], &moved[1]];
    assert!(all.0 > 150 && few.0 <= 48, "{} and {} rows", all.0, few.0);
    assert!((all.1 - few.1).norm() < 5e-3 * RADIUS, "{} {}", all.1, few.1);
    assert!((all.2 - few.2).abs() < 0.05 * TURN_RATE, "{} {}", all.2, few.2);
}
