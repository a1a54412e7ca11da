//! Laws of the force of a contact: foundations, Hunt and Crossley, automatic compliance, friction by speed, rolling friction.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::{ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw, Stribeck};
use sinew::geometry::cuboid_mesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, ColliderShape, CollisionBehavior, FemModel, Model, RigidBody};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::table::Row;
use crate::touching::{EULER, Scene, TRAPEZOIDAL, add_box, add_slope, add_sphere, model_under};

pub(super) const G: f64 = 9.81;
/// Of balls [m].
pub(super) const RADIUS: f64 = 0.1;
/// Area of a foot [m²].
pub(super) const AREA: f64 = 0.04;
pub(super) const LAYER: ElasticFoundation =
    ElasticFoundation { youngs_modulus: 2e5, poissons_ratio: 0.4, thickness: 0.01 };
/// Depth [m] and time [s] of the impact of Hertz, CON-sphere-drop (b): 1 kg at 0.5 m/s, E = 1 MPa, nu = 1/2.
const HERTZ: [f64; 2] = [0.0031476687280702024, 0.018528910511607866];

/// The root of a rising function between two numbers.
pub(super) fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { high = middle } else { low = middle }
    }
    low
}

/// A ball whose lowest point is at this height above a plane, at this velocity [m, m/s].
pub(super) fn ball(
    law: ContactLaw,
    (mass, gravity): (f64, f64),
    (height, velocity): (f64, f64),
) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(gravity);
    let ball = add_sphere(&mut model, "ball", mass, RADIUS, Vec3::z() * (RADIUS + height));
    model[ball].velocity = Vec3::z() * velocity;
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::default().with_law(law));
    (model, ball)
}

/// A square foot of vertices on a plane, at this velocity upwards [m/s].
pub(super) fn foot(
    law: ContactLaw,
    (mass, gravity): (f64, f64),
    velocity: f64,
) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(gravity);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let foot = add_box(&mut model, "foot", mass, half, Pose::translation(0.0, 0.0, 0.05 + 1e-6));
    let collider = model.iter::<Collider>().next().unwrap().0;
    model[foot].mesh = Some(cuboid_mesh(&(half * 2.0)).unwrap());
    model[foot].velocity = Vec3::z() * velocity;
    model[collider].shape = ColliderShape::vertices(0.0);
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::default().with_law(law));
    (model, foot)
}

fn foundations() -> [Row; 2] {
    // (1 - nu) E / ((1 + nu) (1 - 2 nu)).
    let modulus = 0.6 * 2e5 / (1.4 * 0.2);
    let linear = ContactLaw {
        normal: NormalLaw::ElasticFoundation,
        foundation: LAYER,
        dissipation: 20.0,
        ..ContactLaw::default()
    };
    let (model, body) = ball(linear, (1.0, G), (0.0, 0.0));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 600);
    let cap =
        |d: f64| std::f64::consts::PI * d * d * (RADIUS - d / 3.0) * modulus / LAYER.thickness - G;
    let sunk = (root(cap, 0.0, RADIUS), RADIUS - scene.place(body).z);
    // A pressure of half the modulus of the layer.
    let mass = 0.5 * modulus * AREA / G;
    let logarithmic = ContactLaw { normal: NormalLaw::LogarithmicFoundation, ..linear };
    let (model, body) = foot(logarithmic, (mass, G), 0.0);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 600);
    let pressed = (LAYER.thickness * (1.0 - f64::exp(-0.5)), 0.05 - scene.place(body).z);
    [
        Row::new("ball on an elastic foundation, 2 ms", "overlap at rest [m]", sunk, 1e-6),
        Row::new("foot on a logarithmic foundation, 2 ms", "overlap at rest [m]", pressed, 1e-6),
    ]
}

/// Velocity after a bounce at `v` with dissipation `c` (docs/reference/contact.md, "Laws of the force").
fn after(v: f64, c: f64) -> f64 {
    let taken = v / c - (c * v).ln_1p() / (c * c);
    root(|u| -u / c - (-c * u).ln_1p() / (c * c) - taken, 0.0, (1.0 - 1e-12) / c)
}

fn hunt_crossley(effective_modulus: f64, dissipation: f64) -> ContactLaw {
    let numbers = HuntCrossley { effective_modulus, exponent: 1.5, radius: 0.0 };
    let normal = NormalLaw::HuntCrossley;
    ContactLaw { normal, hunt_crossley: numbers, dissipation, ..ContactLaw::default() }
}

/// Velocity after a bounce, depth and time of a ball of 1 kg, in steps of 10 µs.
fn bounce(law: ContactLaw, v: f64) -> [f64; 3] {
    let (model, body) = ball(law, (1.0, 0.0), (1e-4, -v));
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    let (mut deepest, mut steps) = (0.0f64, 0u32);
    while scene.velocity(body).z < 0.0 || scene.place(body).z < RADIUS {
        scene.step(1e-5);
        let depth = RADIUS - scene.place(body).z;
        deepest = deepest.max(depth);
        steps += u32::from(depth > 0.0);
    }
    [scene.velocity(body).z, deepest, f64::from(steps) * 1e-5]
}

fn bounces() -> [Row; 3] {
    let [_, depth, time] = bounce(hunt_crossley(1e6 / 0.75, 0.0), 0.5);
    let [rebound, ..] = bounce(hunt_crossley(1e6, 0.5), 1.0);
    let case = "CON-sphere-drop (b), Hertz, 10 µs";
    [
        Row::new(case, "deepest overlap [m]", (HERTZ[0], depth), 1e-5),
        Row::new(case, "time of contact [s]", (HERTZ[1], time), 2e-3),
        Row::new(
            "Hunt and Crossley, dissipation 0.5 s/m at 1 m/s, 10 µs",
            "velocity after the bounce [m/s]",
            (after(1.0, 0.5), rebound),
            1e-4,
        ),
    ]
}

/// A block of tissue under an automatic compliance: a tenth of volume by surface gives way.
fn automatic() -> Row {
    let mut model = model_under(G);
    let mesh = beam_mesh(BeamElement::Hex, [4, 4, 2], [0.1, 0.1, 0.05]).unwrap();
    let low = mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
    let material = Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.0 };
    let mut fem = FemModel::new("block", mesh, 1000.0, MaterialSpec::Corotated(material));
    fem.stiffness_damping = 0.02;
    model.add(fem);
    model.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
    let law = ContactLaw { normal: NormalLaw::Automatic, ..ContactLaw::default() };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 300);
    let all = || scene.state.contacts.iter().map(|it| (it.force.norm(), -it.gap));
    let mean = all().map(|(force, depth)| force * depth).sum::<f64>()
        / all().map(|(force, _)| force).sum::<f64>();
    let layer = 0.1 * (5e-4 / 0.04);
    let expected = 1000.0 * G * 0.05 * layer / 2e4;
    Row::new(
        "block of tissue, automatic compliance, 5 ms",
        "mean overlap at rest [m]",
        (expected, mean),
        1e-3,
    )
}

fn frictions() -> [Row; 2] {
    // Steady where mu + k v is the tangent of the slope; the fall from rest is over at 20 times its speed.
    let mut model = model_under(G);
    let slope = add_slope(&mut model, 0.4);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let block = add_box(&mut model, "block", 1.0, half, slope * Pose::translation(0.0, 0.0, 0.05));
    model[block].velocity = slope.rotation * Vec3::x() * 0.5;
    let stribeck = Stribeck { static_friction: 0.4, velocity: 0.01, viscous: 1.0 };
    let law = ContactLaw { stribeck, ..ContactLaw::rough(0.2) };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 600);
    let steady = (0.4f64.tan() - 0.2, scene.velocity(block).norm());
    let rolling = ContactLaw { rolling_friction: 1e-3, ..ContactLaw::rough(0.5) };
    let (mut model, ball) = ball(rolling, (2.0, G), (0.0, 0.0));
    model[ball].velocity = Vec3::x();
    model[ball].angular_velocity = Vec3::y() / RADIUS;
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 200);
    let slowed = (5.0 / 7.0 * G * 1e-3 / RADIUS, 1.0 - scene.velocity(ball).norm());
    [
        Row::new(
            "friction by speed on a slope of 0.4 rad, 5 ms",
            "steady velocity [m/s]",
            steady,
            1e-6,
        ),
        Row::new("rolling friction of 1 mm, 5 ms", "deceleration [m/s²]", slowed, 1e-6),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = foundations().to_vec();
    rows.extend(bounces());
    rows.push(automatic());
    rows.extend(frictions());
    rows
}
