//! Bars that lie on bars or strike them.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::ColliderShape;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, CollisionBehavior, FrameSite, Inertia, Model, RigidBody};

use super::scenes::{EULER, Scene, TRAPEZOIDAL, model_under};

/// Half the thickness of all bars [m].
const THIN: f64 = 0.005;

/// A bar that touches by its surface or as a box; half its edges [m].
fn add_bar(
    model: &mut Model,
    (name, by_mesh): (&str, bool),
    half: Vec3,
    (at, moves): (Pose, bool),
) -> Handle<RigidBody> {
    let inertia = SpatialInertia::of_box(8e3 * half.product(), &(half * 2.0)).unwrap();
    let body = RigidBody::new(name, Inertia::Explicit(inertia)).at(at);
    let body =
        RigidBody { mesh: Some(cuboid_mesh(&(half * 2.0)).unwrap()), dynamic: moves, ..body };
    let body = model.add(body);
    let shape = match by_mesh {
        true => ColliderShape::MESH,
        false => ColliderShape::Box { half_extents: half },
    };
    model.add(Collider::new(shape, FrameSite::on(body, Pose::identity())).named(name));
    body
}

#[test]
fn a_bar_across_a_bar_rests_on_it_at_every_angle() {
    for (degrees, by_mesh) in [(0.0, true), (7.0, true), (30.0, true), (45.0, true), (7.0, false)] {
        let mut model = model_under(9.8);
        let low = Vec3::new(0.1, THIN, THIN);
        add_bar(&mut model, ("low", by_mesh), low, (Pose::identity(), false));
        let turn = Vec3::z() * f64::to_radians(degrees);
        let at = Pose::new(Vec3::z() * (2.0 * THIN + 5e-3), turn);
        let up = Vec3::new(THIN, 0.1, THIN);
        let bar = add_bar(&mut model, ("up", by_mesh), up, (at, true));
        model.add(CollisionBehavior::everything(0.5));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(0.01, 100);
        let height = scene.place(bar).z - 2.0 * THIN;
        assert!(height.abs() < 1e-4, "{degrees}°, mesh {by_mesh}: {height} m");
    }
}

/// A blade that turns between two poles: far more than it is thick in one step.
#[test]
fn a_fast_blade_that_strikes_poles_gains_no_energy() {
    for by_mesh in [false, true] {
        for (speed, rule) in [(10.0, EULER), (50.0, EULER), (100.0, EULER), (50.0, TRAPEZOIDAL)] {
            let mut model = model_under(0.0);
            let half = Vec3::new(0.15, THIN, THIN);
            let blade = add_bar(&mut model, ("blade", by_mesh), half, (Pose::identity(), true));
            model[blade].angular_velocity = Vec3::new(0.3, 0.1, speed);
            for (name, y) in [("pole", 0.1), ("other", -0.1)] {
                let at = Pose::translation(0.0, y, 0.0);
                add_bar(&mut model, (name, by_mesh), Vec3::new(THIN, THIN, 0.1), (at, false));
            }
            model.add(CollisionBehavior::everything(0.0));
            let mut scene = Scene::new(&model, rule);
            let start = scene.kinetic();
            for step in 0..12 {
                scene.step(0.01);
                let now = scene.kinetic();
                let case = format!("{rule:?}, mesh {by_mesh}, {speed} rad/s");
                assert!(now < 1.01 * start, "{case}, step {step}: {start} J to {now} J");
            }
        }
    }
}
