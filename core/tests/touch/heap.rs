//! Many bodies of several shapes in a box.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, ConvexHull, Member, Pair, Shape};
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, Model, RigidBody};
use sinew::system::{ContactBehavior, ContactSetup};

use super::scenes::{EULER, Scene};

/// Numbers in [0, 1), the same on every machine.
pub(crate) struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub(crate) fn heap(count: usize) -> Scene {
    let mut model = Model::new("heap");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    let mut numbers = Numbers(7);
    let mut setup = ContactSetup::default();
    let across = 4;
    for k in 0..count {
        let size = 0.04 + 0.04 * numbers.next();
        let layer = k / (across * across);
        let cell = [k % across, k / across % across];
        let at = Vec3::new(
            0.2 * cell[0] as f64 - 0.3 + 0.02 * numbers.next(),
            0.2 * cell[1] as f64 - 0.3 + 0.02 * numbers.next(),
            0.1 + 0.2 * layer as f64,
        );
        let turn = Vec3::new(numbers.next(), numbers.next(), numbers.next()) * 3.0;
        let shape = match k % 3 {
            0 => Shape::Box { half_extents: Vec3::new(size, 0.8 * size, 0.7 * size) },
            1 => Shape::Sphere { radius: size },
            _ => {
                let mut point = || Vec3::new(numbers.next(), numbers.next(), numbers.next());
                let points: Vec<Vec3> = (0..12)
                    .map(|_| (point() - Vec3::repeat(0.5)).normalize() * size * 1.2)
                    .collect();
                Shape::Convex(ConvexHull::new(&points).unwrap())
            }
        };
        let inertia =
            SpatialInertia::of_box(1000.0 * size.powi(3), &Vec3::repeat(1.4 * size)).unwrap();
        let pose = Pose::from_parts(at.into(), UnitQuaternion::new(turn));
        model.add(RigidBody::new(format!("b{k}"), Inertia::Explicit(inertia)).at(pose));
        setup.colliders.push(Collider { shape, frame: k as u32, pose: Pose::identity() });
    }
    let wall = |origin: Vec3, normal: Vec3| {
        let turn = UnitQuaternion::rotation_between(&Vec3::z(), &normal).unwrap_or_else(|| {
            UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI)
        });
        let pose = Pose::from_parts(origin.into(), turn);
        Collider { shape: Shape::HalfSpace, frame: Collider::GROUND, pose }
    };
    for side in [-1.0, 1.0] {
        setup.colliders.push(wall(Vec3::x() * 0.42 * side, Vec3::x() * -side));
        setup.colliders.push(wall(Vec3::y() * 0.42 * side, Vec3::y() * -side));
    }
    setup.colliders.push(wall(Vec3::zeros(), Vec3::z()));
    for a in 0..count as u32 {
        for b in a + 1..setup.colliders.len() as u32 {
            let (a, b) = (Member::Collider(a), Member::Collider(b));
            setup.pairs.push(Pair { a, b, margin: 1e-3 });
            setup.behaviors.push(ContactBehavior { friction: 0.5, ..ContactBehavior::default() });
            setup.names.push(String::new());
        }
    }
    Scene::new(&model, setup, EULER)
}

#[test]
fn a_heap_settles_and_stays() {
    let count = std::env::var("HEAP").map_or(30, |n| n.parse().unwrap());
    let mut scene = heap(count);
    let start = std::time::Instant::now();
    for k in 0..400 {
        scene.step(0.005);
        if k % 20 == 0 {
            let deepest = scene.state.contacts.iter().fold(0.0, |d: f64, c| d.max(-c.gap));
            println!(
                "{k} E {:.3e} rows {} fact {} solves {} parts {} contacts {} deepest {deepest:.2e} {:?}",
                scene.kinetic(),
                scene.last.unilateral_rows,
                scene.last.factorizations,
                scene.last.linear_solves,
                scene.last.substeps,
                scene.state.contacts.len(),
                start.elapsed()
            );
        }
    }
    assert!(scene.kinetic() < 1e-3, "{}", scene.kinetic());
}
