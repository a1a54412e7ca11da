//! Boxes on planes and on each other.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::Shape;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, Model, RigidBody};
use sinew::solve::{Integrator, SolverSettings};
use sinew::system::ContactBehavior;

use super::scenes::{EULER, Scene, TRAPEZOIDAL, all_against_all};

fn boxed(name: &str, mass: f64, half: Vec3, at: Pose) -> RigidBody {
    let inertia = SpatialInertia::of_box(mass, &(half * 2.0)).unwrap();
    RigidBody::new(name, Inertia::Explicit(inertia)).at(at)
}

/// A box on a plane that is inclined about y by `angle`, at rest, with friction.
pub(crate) fn incline(
    angle: f64,
    friction: f64,
    integrator: Integrator,
) -> (Scene, Handle<RigidBody>, Vec3) {
    incline_with(angle, friction, SolverSettings { integrator, ..SolverSettings::default() })
}

pub(crate) fn incline_with(
    angle: f64,
    friction: f64,
    settings: SolverSettings,
) -> (Scene, Handle<RigidBody>, Vec3) {
    let half = Vec3::new(0.1, 0.1, 0.05);
    let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), angle);
    let ground = Pose::from_parts(Vec3::zeros().into(), turn);
    let mut model = Model::new("incline");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    let body = model.add(boxed("block", 1.0, half, ground * Pose::translation(0.0, 0.0, 0.05)));
    let behavior = ContactBehavior { friction, ..ContactBehavior::default() };
    let setup = all_against_all(vec![Shape::Box { half_extents: half }], ground, behavior, 1e-3);
    let down = turn * Vec3::x();
    (Scene::with(&model, setup, settings), body, down)
}

#[test]
fn a_box_slides_down_an_incline_with_the_acceleration_of_coulomb() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let (mut scene, body, down) = incline(30f64.to_radians(), 0.3, integrator);
        for _ in 0..2000 {
            scene.step(1e-3);
        }
        let distance = scene.pose(body).translation.vector.dot(&down);
        println!("{distance} {:?}", scene.last);
        assert!((distance - 4.712574473324793).abs() < 0.005 * 4.7126, "{distance}");
    }
}

#[test]
fn a_box_sticks_just_below_the_angle_of_friction_and_slides_just_above() {
    let critical = 0.3f64.atan();
    for (share, moves) in [(-0.5f64, false), (0.5, true)] {
        let (mut scene, body, down) = incline(critical + share.to_radians(), 0.3, EULER);
        let start = scene.pose(body).translation.vector;
        for _ in 0..1000 {
            scene.step(5e-3);
        }
        let distance = (scene.pose(body).translation.vector - start).dot(&down);
        println!("{distance}");
        assert_eq!(distance > 1e-4, moves, "{distance}");
    }
}

#[test]
fn three_boxes_fall_onto_each_other_and_rest() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let mut model = Model::new("boxes");
        model.set_gravity(Vec3::new(0.0, 0.0, -9.8));
        let half = Vec3::repeat(0.1);
        let bodies: Vec<_> = (0..3)
            .map(|k| {
                let z = 0.1 + 0.201 * f64::from(k) + 0.001;
                model.add(boxed(&format!("b{k}"), 8.0, half, Pose::translation(0.0, 0.0, z)))
            })
            .collect();
        let shapes = vec![Shape::Box { half_extents: half }; 3];
        let behavior = ContactBehavior { friction: 0.5, ..ContactBehavior::default() };
        let setup = all_against_all(shapes, Pose::identity(), behavior, 1e-3);
        let mut scene = Scene::new(&model, setup, integrator);
        for k in 0..60 {
            scene.step(0.01);
            if k % 5 == 0 {
                println!(
                    "{k} {:e} z {} {:?} force {}",
                    scene.kinetic(),
                    scene.pose(bodies[2]).translation.vector.z,
                    (scene.last.factorizations, scene.last.linear_solves, scene.last.substeps),
                    scene.state.contacts.iter().map(|c| c.force.z).sum::<f64>()
                );
            }
        }
        assert!(scene.kinetic() < 1e-12, "{}", scene.kinetic());
    }
}
