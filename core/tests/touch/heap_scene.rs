//! Many bodies of several shapes in a box with walls: the models, for tests and benches.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::ellipsoid_mesh;
use sinew::model::{Collider, CollisionBehavior, Inertia, Model, RigidBody};

use crate::scenes::{add_box, add_sphere, model_under};

/// Half the width of the box of a heap with so many bodies along each side of a layer [m].
pub(crate) fn half_width(across: usize) -> f64 {
    0.1 * across as f64 + 0.02
}

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

/// A box, a ball or a hull of twelve corners in turns, half as wide as 4 to 8 cm, in cell `k` of layers of so many
/// across.
fn add_body(
    model: &mut Model,
    (k, across): (usize, usize),
    numbers: &mut Numbers,
) -> Handle<RigidBody> {
    let size = 0.04 + 0.04 * numbers.next();
    let (name, mass) = (format!("b{k}"), 1000.0 * size.powi(3));
    let cell = [k % across, k / across % across, k / (across * across)].map(|c| c as f64);
    let aside = numbers.vector() * 0.02;
    let first = 0.1 - 0.1 * across as f64;
    let corner = Vec3::new(first + aside.x, first + aside.y, 0.1);
    let at = Vec3::from(cell) * 0.2 + corner;
    let pose = Pose::new(at, numbers.vector() * 3.0);
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
    // A quarter turn, or none for the floor.
    let turn = Vec3::z().cross(&normal) * std::f64::consts::FRAC_PI_2;
    model.add(Collider::half_space(Pose::new(origin, turn)));
}

/// A heap of `count` bodies over the floor of a box, in layers of `across` by `across`.
pub(crate) fn heap(count: usize, across: usize) -> (Model, Vec<Handle<RigidBody>>) {
    let mut model = model_under(9.81);
    let mut numbers = Numbers(7);
    let add = |k| add_body(&mut model, (k, across), &mut numbers);
    let bodies: Vec<_> = (0..count).map(add).collect();
    // Balls on a floor would roll on and on.
    bodies.iter().for_each(|&body| model[body].rotary_damping = Some(1e-2));
    let away = half_width(across);
    for side in [-1.0, 1.0] {
        add_wall(&mut model, Vec3::x() * away * side, Vec3::x() * -side);
        add_wall(&mut model, Vec3::y() * away * side, Vec3::y() * -side);
    }
    add_wall(&mut model, Vec3::zeros(), Vec3::z());
    model.add(CollisionBehavior::everything(0.5));
    for &ball in bodies.iter().skip(1).step_by(3) {
        // Balls on slopes of 1 degree stay: 1/60 of a radius of 6 cm.
        let rolling_friction = 1e-3;
        let behavior =
            CollisionBehavior { a: Some(ball.into()), ..CollisionBehavior::everything(0.5) };
        let law = ContactLaw { rolling_friction, ..behavior.law };
        model.add(behavior.with_law(law));
    }
    (model, bodies)
}
