//! Springs between frames, springs, stops and motors of joints, and drag on bodies at the border of tissue that stays on the device.

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::CpuBackend;
use sinew::force::{CoordinateSpring, CoordinateStops};
use sinew::model::{
    CoordinateActuator, FrameSite, FrameSpring, Joint, JointCoordinate, Model, RigidBody,
};
use sinew::property::Pose;
use sinew::solve::SolverSettings;

use super::joints::{assert_bytes, beam_with_pendulum, differences, on_twins, shift};

/// A pendulum on the tip of a beam of so many cells, with a spring between its bodies and one to the ground, a motor, a spring and
/// stops of its hinge, and drag.
fn beam_with_sprung_pendulum(cells: usize) -> Model {
    let mut model = beam_with_pendulum(cells);
    let [upper, lower] = [0, 1].map(|k| model.nth::<RigidBody>(k));
    let hinge = model.nth::<Joint>(0);
    let place = model[upper].pose * shift(0.05, 0.001, 0.0);
    let turned = Pose::new(Vec3::new(0.0, 0.001, -0.02), Vec3::new(0.05, -0.03, 0.04));
    let there = model[lower].pose.inverse() * model[upper].pose * turned;
    let between = [FrameSite::on(lower, there), FrameSite::on(upper, shift(0.0, 0.0, -0.02))];
    let to_ground = [FrameSite::on(upper, shift(0.05, 0.0, 0.0)), FrameSite::ground(place)];
    for [c, d] in [between, to_ground] {
        model.add(FrameSpring {
            stiffness: Vec3::new(200.0, 300.0, 100.0),
            rotary_stiffness: Vec3::new(0.3, 0.5, 0.2),
            damping: Vec3::new(0.4, 0.2, 0.3),
            rotary_damping: Vec3::new(0.01, 0.03, 0.02),
            ..FrameSpring::new(c, d)
        });
    }
    let (ends, stiffness) = ([-0.02, 0.02], [5.0, 8.0]);
    let stops = CoordinateStops { ends, stiffness, transition: 0.01, damping: 0.02 };
    let spring = CoordinateSpring { stiffness: 0.2, rest: 0.3, damping: 0.01, stops: Some(stops) };
    let motor = CoordinateActuator::new(JointCoordinate::new(hinge, "theta"), 0.05);
    model.add(CoordinateActuator { excitation: -0.8, spring, ..motor });
    model[lower].inertial_damping = Some(2.0);
    model
}

#[test]
fn springs_and_motors_of_bodies_and_joints_act_as_on_the_processor() {
    let system = Arc::new(beam_with_sprung_pendulum(1).compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let mut twins = on_twins(&system, settings);
    let mut cpu = CpuBackend::new(system.clone(), settings).expect("a solver");
    for step in 0..12 {
        // The CPU ends its iterations at a balance of momenta of 1e-7.
        let [places, velocities, forces] = differences(&mut twins, &mut cpu);
        assert!(places < 1e-6 && velocities < 1e-6, "step {step}: {places:e}, {velocities:e}");
        assert!(forces < 1e-4, "step {step}: forces of rows {forces:e}");
    }
}

#[test]
fn bytes_of_springs_of_bodies_on_the_bus_do_not_grow_with_the_tissue() {
    assert_bytes(beam_with_sprung_pendulum, 16);
}
