//! Bodies that nothing holds.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, in_plane, solid_box};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Inertia, Model, RigidBody};
use sinew::{Mat3, Vec3};

/// Moments 1, 2, 3 kg m²: the middle axis is unstable, the body turns over again and again (Dzhanibekov).
/// 10,000 steps of 0.01 s at either rule; rounding adds up to 1e4 * 1e-16 * a few.
#[test]
fn a_free_body_turns_over_and_keeps_its_energy_and_angular_momentum() {
    for integrator in [TRAPEZOIDAL, EULER] {
        let moments = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0));
        let inertia = SpatialInertia::new(1.0, Vec3::zeros(), moments).unwrap();
        let mut body = RigidBody::new("handle", Inertia::Explicit(inertia));
        body.angular_velocity = Vec3::new(0.01, 5.0, 0.0);
        let mut model = Model::new("free");
        model.set_gravity(Vec3::zeros());
        let body = model.add(body);
        let mut runner = Runner::new(&model, integrator);
        let before = runner.compiled.at(&runner.state).angular_momentum();
        let (energy, mut turned) = (runner.energy(), false);
        for _ in 0..10_000 {
            runner.step(0.01);
            let change = runner.energy() - energy;
            assert!(change.abs() < 1e-10 * energy, "{change} at {} s", runner.state.time);
            let turn = runner.pose(body).rotation;
            turned |= (turn.inverse() * runner.angular_velocity(body)).y < 0.0;
        }
        let change = runner.compiled.at(&runner.state).angular_momentum() - before;
        assert!(change.norm() < 1e-10 * before.norm(), "{change}");
        assert!(turned, "it never turned over");
    }
}

/// A box whose frame is not at its centre of mass, thrown with an angular velocity: the centre falls by the rule's own
/// parabola, t² for the trapezoidal one and t (t + h) for backward Euler.
#[test]
fn a_body_flies_along_the_parabola_of_its_rule() {
    let (h, count, g) = (0.01, 200, 9.81);
    for (integrator, late) in [(TRAPEZOIDAL, 0.0), (EULER, h)] {
        let box_ = SpatialInertia::of_box(2.0, &Vec3::new(0.3, 0.2, 0.1)).unwrap();
        let offset = Vec3::new(0.1, -0.2, 0.05);
        let moved = box_.transformed(&nalgebra::UnitQuaternion::identity(), &offset);
        let mut body = RigidBody::new("thrown", Inertia::Explicit(moved));
        body.pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.5, 0.2));
        (body.velocity, body.angular_velocity) =
            (Vec3::new(1.0, 4.0, -2.0), Vec3::new(1.0, 2.0, 3.0));
        let mut model = in_plane(g);
        let body = model.add(body);
        let mut runner = Runner::new(&model, integrator);
        let row = runner.compiled.body_rows(body).unwrap().row as usize;
        let (center, velocity) = (runner.state.q[row], runner.state.u[row]);
        let arm = model[body].pose.rotation * offset;
        let at_center = model[body].velocity + model[body].angular_velocity.cross(&arm);
        assert!((velocity - at_center).norm() < 1e-12, "{velocity}");
        runner.steps(h, count);
        let t = h * count as f64;
        let expected = center + velocity * t - Vec3::y() * (0.5 * g * t * (t + late));
        // 200 sums of metres.
        assert!((runner.state.q[row] - expected).norm() < 1e-11, "{integrator:?}");
        let origin = runner.pose(body).translation.vector;
        let arm = runner.pose(body).rotation * offset;
        assert!((origin + arm - expected).norm() < 1e-11, "{integrator:?}");
    }
}

/// Drag on momentum: v falls as exp(-rate t), by a factor 1 / (1 + h rate) a step of backward Euler, and so does
/// the angular velocity of a cube.
#[test]
fn inertial_damping_slows_flight_and_rotation_at_its_rate() {
    let (rate, h, count) = (2.0, 0.01, 100);
    let mut body = solid_box("cube", 3.0, [0.2; 3]);
    (body.velocity, body.angular_velocity) = (Vec3::x(), Vec3::z() * 2.0);
    body.inertial_damping = Some(rate);
    let mut model = in_plane(0.0);
    let body = model.add(body);
    let mut runner = Runner::new(&model, EULER);
    runner.steps(h, count);
    let left = (1.0 + h * rate).powi(-(count as i32));
    let row = runner.compiled.body_rows(body).unwrap().row as usize;
    assert!((runner.state.u[row] - Vec3::x() * left).norm() < 1e-9, "{}", runner.state.u[row]);
    let angular_velocity = runner.angular_velocity(body);
    // The balance of a turning cube is that of its momentum up to the turn of a step, (h w)² = 4e-4.
    assert!((angular_velocity - Vec3::z() * 2.0 * left).norm() < 1e-3, "{angular_velocity}");
}
