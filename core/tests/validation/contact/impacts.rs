//! MB-impacts, MB-joint-limit, and LCP-box-on-plane and LCP-friction-particle as scenes with a step.

use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose, Range};
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Collider, ColliderShape, CollisionBehavior, FrameSite, Inertia, Joint, Model, Particle,
    RigidBody,
};
use sinew::{Mat3, Vec3};

use super::absolute;
use crate::scenes::about_y;
use crate::table::Row;
use crate::touching::{EULER, Scene, TRAPEZOIDAL, add_sphere, model_under};

/// Length of the step of an impact [s].
const H: f64 = 1e-3;
/// Error of an impulse or a velocity after it, absolute, all of them about 1.
const IMPULSE: f64 = 1e-9;
/// Angular velocity before the end of the range [rad/s], impulse [N m s], torque at rest [N m], and the highest angle
/// after a rebound with e = 0.5 [degrees from below].
const LIMIT: [f64; 4] =
    [5.048477754073601, 1.6828259180245337, 2.4524999999999997, 49.4946496725814];
/// Velocity before, mu, impulse on it: along x and z.
const PARTICLE: [([f64; 2], f64, [f64; 2]); 4] = [
    ([1.0, -1.0], 0.3, [-0.3, 1.0]),
    ([0.2, -1.0], 0.3, [-0.2, 1.0]),
    ([-0.5, -2.0], 0.5, [0.5, 2.0]),
    ([0.0, 1.0], 0.5, [0.0, 0.0]),
];

fn two_spheres() -> Row {
    let mut model = model_under(0.0);
    let bodies = [(1.0, 0.0, 2.0), (2.0, 0.2045, -1.0)].map(|(mass, x, v)| {
        let body = add_sphere(&mut model, "", mass, 0.1, Vec3::x() * x);
        model[body].velocity = Vec3::x() * v;
        body
    });
    let law = ContactLaw { restitution: 0.5, ..ContactLaw::default() };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    scene.steps(H, 4);
    let [a, b] = bodies.map(|body| scene.velocity(body).x);
    let error = (a + 1.0).abs().max((b - 0.5).abs());
    absolute(
        "MB-impacts, two spheres, e = 0.5",
        "velocity of the first, worst of both [m/s]",
        (-1.0, a),
        IMPULSE,
    )
    .with_error(error)
}

/// A uniform thin rod of 1 kg and 1 m along x.
fn rod(model: &mut Model) -> Handle<RigidBody> {
    let moments = Mat3::from_diagonal(&Vec3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0));
    let inertia = SpatialInertia::new(1.0, Vec3::zeros(), moments).unwrap();
    model.add(RigidBody::new("rod", Inertia::Explicit(inertia)))
}

fn rod_on_peg() -> [Row; 2] {
    let mut model = model_under(0.0);
    let rod = rod(&mut model);
    model[rod].velocity = Vec3::z() * -2.0;
    let end = ColliderShape::Sphere { radius: 0.02 };
    model.add(Collider::on(rod, end).at(Pose::translation(0.5, 0.0, 0.0)));
    let peg = FrameSite::ground(Pose::translation(0.5, 0.0, -0.041));
    model.add(Collider::new(end, peg));
    let law = ContactLaw { restitution: 0.5, ..ContactLaw::default() };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    scene.step(H);
    let case = "MB-impacts, end of a rod on a peg, e = 0.5";
    let found = (scene.velocity(rod).z, scene.angular_velocity(rod).norm());
    [
        absolute(case, "velocity of its middle [m/s]", (-1.25, found.0), IMPULSE),
        absolute(case, "angular velocity [rad/s]", (4.5, found.1), IMPULSE),
    ]
}

/// The rod on a hinge about y, from the horizontal, and its upper end at 30 degrees from below.
fn hanging(restitution: f64) -> Scene {
    let mut model = model_under(9.81);
    let rod = rod(&mut model);
    model[rod].pose = Pose::translation(0.5, 0.0, 0.0);
    let (c, d) = (about_y(-0.5, 0.0, 0.0), about_y(0.0, 0.0, 0.0));
    let mut joint = Joint::new(JointKind::Hinge, FrameSite::on(rod, c), FrameSite::ground(d));
    let settings = &mut joint.settings.coordinates[0];
    settings.range = Range { lower: None, upper: Some(60f64.to_radians()) };
    settings.restitution = restitution;
    model.add(joint);
    Scene::new(&model, TRAPEZOIDAL)
}

fn limit() -> [Row; 4] {
    let h = 1e-4;
    let angular_velocity = |scene: &Scene| {
        let body = scene.compiled.bodies()[0];
        scene.angular_velocity(body).y
    };
    let push = |scene: &Scene| scene.state.range_forces.iter().sum::<f64>();
    let mut scene = hanging(0.0);
    let mut before = 0.0;
    while push(&scene) == 0.0 && scene.state.time < 1.0 {
        before = angular_velocity(&scene);
        scene.step(h);
    }
    // Comes to the end in one step, and is at rest in the next.
    let mut impulse = push(&scene) * h;
    while angular_velocity(&scene).abs() > 1e-6 && scene.state.time < 1.0 {
        scene.step(h);
        impulse += push(&scene) * h;
    }
    scene.steps(1e-2, 50);
    let resting = push(&scene);
    let mut scene = hanging(0.5);
    while angular_velocity(&scene) >= 0.0 && scene.state.time < 1.0 {
        scene.step(h);
    }
    while angular_velocity(&scene) < 0.0 && scene.state.time < 2.0 {
        scene.step(h);
    }
    let peak = 90.0 - scene.state.coordinates[0].to_degrees();
    let row = |k: usize, metric: &str, ours: f64| {
        Row::new("MB-joint-limit, 0.1 ms", metric, (LIMIT[k], ours), 1e-3)
    };
    [
        row(0, "angular velocity before the end of the range [rad/s]", before),
        row(1, "impulse at e = 0 [N m s]", impulse),
        row(2, "torque at rest [N m]", resting),
        row(3, "peak after e = 0.5 [degrees from below]", peak),
    ]
}

fn box_on_plane() -> [Row; 2] {
    let mut model = model_under(0.0);
    let inertia = SpatialInertia::new(1.0, Vec3::zeros(), Mat3::identity() * 0.01).unwrap();
    let at = Pose::translation(0.0, 0.0, 0.05);
    let block = model.add(RigidBody::new("block", Inertia::Explicit(inertia)).at(at));
    model[block].velocity = Vec3::z() * -0.0981;
    model.add(Collider::boxed(block, Vec3::new(0.1, 0.1, 0.05)));
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::everything(0.0));
    let mut scene = Scene::new(&model, EULER);
    scene.step(H);
    let sum = scene.force().z.abs() * H;
    let even = scene.state.contacts.iter().map(|it| (it.force.z.abs() * H - 0.024525).abs());
    let worst = even.fold(scene.velocity(block).norm(), f64::max);
    let case = "LCP-box-on-plane, a step of 1 ms";
    [
        absolute(case, "sum of impulses [N s]", (0.0981, sum), IMPULSE),
        Row::of_error(case, "largest error of an impulse [N s] and of rest [m/s]", worst, IMPULSE),
    ]
}

fn particles() -> Row {
    let mut most = 0.0f64;
    for ([x, z], friction, impulse) in PARTICLE {
        let mut model = model_under(0.0);
        let velocity = Vec3::new(x, 0.0, z);
        let bead = model.add(Particle::new(1.0, Vec3::zeros()).velocity(velocity));
        model.add(Collider::half_space(Pose::identity()));
        model.add(CollisionBehavior::everything(friction));
        let mut scene = Scene::new(&model, EULER);
        scene.step(H);
        let expected = Vec3::new(impulse[0], 0.0, impulse[1]);
        let force = scene.force();
        let side = if force.z < 0.0 { -1.0 } else { 1.0 };
        let after = scene.state.u[scene.compiled.block_of_particle(bead)];
        most = most.max((force * (side * H) - expected).amax());
        most = most.max((after - velocity - expected).amax());
    }
    Row::of_error(
        "LCP-friction-particle, a step of 1 ms",
        "largest error of impulses [N s] and velocities [m/s]",
        most,
        IMPULSE,
    )
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = vec![two_spheres()];
    rows.extend(rod_on_peg());
    rows.extend(limit());
    rows.extend(box_on_plane());
    rows.push(particles());
    rows
}
