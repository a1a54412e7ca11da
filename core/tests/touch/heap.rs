//! Many bodies of several shapes in a box.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::ellipsoid_mesh;
use sinew::model::{Collider, CollisionBehavior, Inertia, Model, RigidBody};

use super::scenes::{EULER, Scene, add_box, add_sphere, model_under};

/// Bodies along each side of a layer, 0.2 m a body.
const ACROSS: usize = 2;
/// Half the width of the box [m].
const HALF_WIDTH: f64 = 0.1 * ACROSS as f64 + 0.02;

/// Where the first body is [m].
const CORNER: Vec3 = Vec3::new(0.1 - 0.1 * ACROSS as f64, 0.1 - 0.1 * ACROSS as f64, 0.1);

/// Numbers in [0, 1), the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A box, a ball or a hull of twelve corners in turns, from 4 to 8 cm across its half.
fn add_body(model: &mut Model, k: usize, numbers: &mut Numbers) -> Handle<RigidBody> {
    let size = 0.04 + 0.04 * numbers.next();
    let (name, mass) = (format!("b{k}"), 1000.0 * size.powi(3));
    let cell = [k % ACROSS, k / ACROSS % ACROSS, k / (ACROSS * ACROSS)].map(|c| c as f64);
    let aside = numbers.vector() * 0.02;
    let at = Vec3::new(0.2 * cell[0], 0.2 * cell[1], 0.2 * cell[2])
        + CORNER
        + Vec3::new(aside.x, aside.y, 0.0);
    let turn = UnitQuaternion::new(numbers.vector() * 3.0);
    let pose = Pose::from_parts(at.into(), turn);
    match k % 3 {
        0 => add_box(model, &name, mass, Vec3::new(size, 0.8 * size, 0.7 * size), pose),
        1 => add_sphere(model, &name, mass, size, at),
        _ => {
            let half = (Vec3::repeat(0.7) + numbers.vector() * 0.4) * size;
            let inertia = SpatialInertia::of_ellipsoid(mass, &half).unwrap();
            let mut body = RigidBody::new(&*name, Inertia::Explicit(inertia)).at(pose);
            body.mesh = Some(ellipsoid_mesh(&half, 0).unwrap());
            let body = model.add(body);
            model.add(Collider::of_mesh(body).named(name));
            body
        }
    }
}

fn add_wall(model: &mut Model, origin: Vec3, normal: Vec3) {
    let turn = UnitQuaternion::rotation_between(&Vec3::z(), &normal).unwrap();
    model.add(Collider::half_space(Pose::from_parts(origin.into(), turn)));
}

fn heap(count: usize) -> (Model, Vec<Handle<RigidBody>>) {
    let mut model = model_under(9.81);
    let mut numbers = Numbers(7);
    let bodies: Vec<_> = (0..count).map(|k| add_body(&mut model, k, &mut numbers)).collect();
    // Balls on a floor would roll on and on.
    bodies.iter().for_each(|&body| model[body].rotary_damping = Some(1e-2));
    for side in [-1.0, 1.0] {
        add_wall(&mut model, Vec3::x() * HALF_WIDTH * side, Vec3::x() * -side);
        add_wall(&mut model, Vec3::y() * HALF_WIDTH * side, Vec3::y() * -side);
    }
    add_wall(&mut model, Vec3::zeros(), Vec3::z());
    model.add(CollisionBehavior::everything(0.5));
    (model, bodies)
}

#[test]
fn a_small_heap_settles_and_stays() {
    // HEAP=40 for a larger one, in a release build.
    let count = std::env::var("HEAP").map_or(11, |n| n.parse().expect("a count"));
    let (model, bodies) = heap(count);
    let mut scene = Scene::new(&model, EULER);
    let (mut deepest, mut rounds, mut parts, start) = (0.0f64, 0, 0, std::time::Instant::now());
    for k in 0..400 {
        scene.step(0.005);
        deepest = deepest.max(scene.depth());
        rounds = rounds.max(scene.last.linear_solves);
        parts = parts.max(scene.last.substeps);
        if k % 40 == 39 {
            println!(
                "{:.2} s: KE {:.3e} J, {:?}, deepest {deepest:.2e} m, {:?}",
                scene.state.time,
                scene.kinetic(),
                (scene.last.unilateral_rows, rounds, parts),
                start.elapsed()
            );
        }
    }
    let settled: Vec<Vec3> = bodies.iter().map(|&body| scene.place(body)).collect();
    scene.steps(0.005, 40);
    let moved = bodies.iter().zip(&settled).map(|(&body, at)| (scene.place(body) - at).norm());
    let moved = moved.fold(0.0, f64::max);
    println!("moved {moved:e} m in 0.2 s, {:?}", start.elapsed());
    for at in &settled {
        let inside = at.z > 0.0 && at.xy().amax() < HALF_WIDTH;
        assert!(inside, "a body is at {at:?}");
    }
    assert!(scene.kinetic() < 1e-4, "{} J", scene.kinetic());
    assert!(moved < 1e-3, "{moved} m in 0.2 s");
    assert!(deepest < 5e-3, "{deepest} m");
}
