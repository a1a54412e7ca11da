//! Natural coordinates of bodies: published motions, conservation, order, impacts, agreement with quaternions, and what they
//! refuse.

use nalgebra::UnitQuaternion;
use sinew::component::Handle;
use sinew::constraint::{JointKind, PointConstraint, Pose};
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Anchor, Collider, CollisionBehavior, FrameAttachment, FrameMarker, FrameSite, Inertia, Joint,
    Model, Particle, PointConstrainer, PointRef, RigidBody,
};
use sinew::ode::Method;
use sinew::solve::{BodyCoordinates, Integrator, MechSystemSolver, SolverSettings, VariableStep};
use sinew::system::MechSystem;
use sinew::{Mat3, Vec3};

use crate::order_rules::end;
use crate::order_scenes::SCENES;
use crate::scenes::{
    Runner, about_y, chain, four_bar, hinge, in_plane, shift, slider_crank, solid_box,
};
use crate::variable::{METHODS, check_bricard, check_double_pendulum};

fn rule(method: Method, tolerance: f64, coordinates: BodyCoordinates) -> Integrator {
    let (relative, absolute) = (tolerance, tolerance);
    Integrator::Variable(VariableStep { method, relative, absolute, coordinates })
}

fn natural(method: Method, tolerance: f64) -> Integrator {
    rule(method, tolerance, BodyCoordinates::Natural)
}

/// Every kind of force and memory moves as under quaternions.
#[test]
fn scenes_of_every_kind_end_where_quaternions_end() {
    for scene in SCENES {
        let method = if scene.name.contains("uscle") { Method::Radau } else { Method::Adams };
        let reference = end(scene, rule(method, 1e-9, BodyCoordinates::Quaternions), 4);
        let found = end(scene, natural(method, 1e-9), 4);
        let size = reference.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let apart = found.iter().zip(&reference).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-6 * size, "{}: {apart:e} of {size}", scene.name);
    }
}

/// A rod of 1 m hinged at its end, from the horizontal: speed and force of the hinge by its energy.
#[test]
fn a_pendulum_keeps_its_energy_and_pulls_as_its_closed_form() {
    let g = 9.81;
    for method in METHODS {
        let mut model = Model::new("rod");
        model.set_gravity(Vec3::z() * -g);
        let rod = model.add(solid_box("rod", 2.0, [1.0, 0.05, 0.05]).at(shift(0.5, 0.0, 0.0)));
        let (c, d) = (about_y(-0.5, 0.0, 0.0), about_y(0.0, 0.0, 0.0));
        model.add(Joint::new(JointKind::Hinge, FrameSite::on(rod, c), FrameSite::ground(d)));
        let mut runner = Runner::new(&model, natural(method, 1e-10));
        let start = runner.energy();
        for _ in 0..20 {
            runner.step(0.05);
            assert!(runner.drift() < 1e-10, "{method:?}: {:e}", runner.drift());
            let along = runner.pose(rod) * Vec3::x();
            // Of the speed ω: I ω² / 2 = m g s, I = m (1/3 + w²/12) with the width w of the box.
            let sunk = -0.5 * along.z;
            let square = 2.0 * g * sunk / (1.0 / 3.0 + 0.0025 / 12.0);
            let speed = runner.angular_velocity(rod).norm();
            assert!((speed * speed - square).abs() < 1e-6, "{method:?}: {speed}");
            let tension = 2.0 * (0.5 * square - g * along.z);
            let force = Vec3::from_column_slice(&runner.state.multipliers[..3]);
            assert!((-force.dot(&along) - tension).abs() < 1e-5, "{method:?}: {force} {tension}");
        }
        assert!((runner.energy() - start).abs() < 1e-7, "{method:?}");
    }
}

/// The same rod held by a marker: what a body takes along has the acceleration of its way about the body.
#[test]
fn a_row_on_a_point_of_a_turning_body_pulls_as_its_closed_form() {
    let g = 9.81;
    for coordinates in [BodyCoordinates::Quaternions, BodyCoordinates::Natural] {
        let mut model = Model::new("rod");
        model.set_gravity(Vec3::z() * -g);
        let rod = model.add(solid_box("rod", 2.0, [1.0, 0.05, 0.05]).at(shift(0.5, 0.0, 0.0)));
        let marker = model.add(FrameMarker::new(rod, Vec3::x() * -0.5));
        let anchor = Anchor::Frame(FrameSite::ground(Pose::identity()));
        model.add(PointConstrainer::new(PointConstraint::AtPoint, marker, anchor));
        let mut runner = Runner::new(&model, rule(Method::DormandPrince, 1e-10, coordinates));
        for _ in 0..10 {
            runner.step(0.05);
            let along = runner.pose(rod) * Vec3::x();
            let square = -g * along.z / (1.0 / 3.0 + 0.0025 / 12.0);
            let tension = 2.0 * (0.5 * square - g * along.z);
            let force = Vec3::from_column_slice(&runner.state.multipliers[..3]);
            let pull = -force.dot(&along);
            assert!((pull - tension).abs() < 1e-5, "{coordinates:?}: {pull} {tension}");
        }
    }
}

/// On points: their coordinates are natural ones already.
#[test]
fn a_double_pendulum_moves_as_published() {
    check_double_pendulum(natural(Method::DormandPrince, 1e-10));
}

/// Dzhanibekov's turn-over: energy and angular momentum of a free body, beside quaternions.
#[test]
fn a_free_body_turns_over_and_keeps_energy_and_angular_momentum() {
    let run = |coordinates| {
        let mut model = Model::new("free");
        model.set_gravity(Vec3::zeros());
        let moments = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.9));
        let inertia = SpatialInertia::new(1.0, Vec3::zeros(), moments).unwrap();
        let turned =
            inertia.transformed(&UnitQuaternion::new(Vec3::new(0.3, 0.2, -0.5)), &Vec3::x());
        let mut body = RigidBody::new("body", Inertia::Explicit(turned));
        body.angular_velocity =
            UnitQuaternion::new(Vec3::new(0.3, 0.2, -0.5)) * Vec3::new(0.01, 5.0, 0.0);
        let body = model.add(body);
        let mut runner = Runner::new(&model, rule(Method::Adams, 1e-11, coordinates));
        let multibody = runner.compiled.multibody().unwrap().clone();
        let momentum =
            |runner: &Runner| multibody.rotational_momentum(&runner.state.q, &runner.state.u);
        let (energy, before) = (runner.energy(), momentum(&runner));
        let mut least = 5.0f64;
        for _ in 0..100 {
            runner.step(0.1);
            let along = runner.angular_velocity(body).dot(&before) / before.norm();
            least = least.min(runner.pose(body).rotation.inverse().transform_vector(&before).y);
            assert!(along > 0.0);
        }
        assert!(least < -5.0, "it did not turn over: {least}");
        assert!((runner.energy() / energy - 1.0).abs() < 1e-9, "{coordinates:?}");
        assert!((momentum(&runner) - before).norm() < 1e-8, "{coordinates:?}");
        runner.pose(body)
    };
    let [a, b] = [BodyCoordinates::Quaternions, BodyCoordinates::Natural].map(run);
    // Turn-overs multiply errors by some 1e4 each.
    assert!(a.rotation.angle_to(&b.rotation) < 1e-4, "{}", a.rotation.angle_to(&b.rotation));
}

/// A heavy symmetric top: energy and both momenta, and the nutation of quaternions.
#[test]
fn a_heavy_top_keeps_its_momenta_and_moves_as_by_quaternions() {
    let run = |coordinates| {
        let mut model = Model::new("top");
        model.set_gravity(Vec3::z() * -9.81);
        // Mass 15 kg, centre of mass at 1 m, moments of GeradinCardona2001's top.
        let moments = Mat3::from_diagonal(&Vec3::new(0.234375, 0.46875, 0.234375));
        let inertia = SpatialInertia::new(15.0, Vec3::zeros(), moments).unwrap();
        let mut body = RigidBody::new("top", Inertia::Explicit(inertia));
        body.pose = shift(0.0, 1.0, 0.0);
        body.angular_velocity = Vec3::new(0.0, 150.0, -4.61538);
        body.velocity = body.angular_velocity.cross(&Vec3::y());
        let body = model.add(body);
        let tip = FrameSite::on(body, shift(0.0, -1.0, 0.0));
        model.add(Joint::new(JointKind::Spherical, tip, FrameSite::ground(Pose::identity())));
        let mut runner = Runner::new(&model, rule(Method::DormandPrince, 1e-10, coordinates));
        let (energy, start) = (runner.energy(), angular_momenta(&runner, body));
        for _ in 0..20 {
            runner.step(0.05);
            assert!(runner.drift() < 1e-10, "{:e}", runner.drift());
        }
        let [about_z, about_axis] = angular_momenta(&runner, body);
        assert!((runner.energy() / energy - 1.0).abs() < 1e-8, "{}", runner.energy() - energy);
        let apart = [about_z - start[0], about_axis - start[1]];
        assert!(apart.iter().all(|it| it.abs() < 1e-6 * start[0].abs()), "{apart:?} of {start:?}");
        runner.pose(body).translation.vector
    };
    let [a, b] = [BodyCoordinates::Quaternions, BodyCoordinates::Natural].map(run);
    assert!((a - b).norm() < 1e-5, "{a} {b}");
}

/// Angular momenta of the top: about the vertical, and about its axis [kg m²/s].
fn angular_momenta(runner: &Runner, body: Handle<RigidBody>) -> [f64; 2] {
    let multibody = runner.compiled.multibody().unwrap();
    let own = multibody.rotational_momentum(&runner.state.q, &runner.state.u);
    let arm = runner.pose(body).translation.vector;
    let of_center = arm.cross(&(runner.state.u[0] * 15.0));
    [(own + of_center).z, own.dot(&arm)]
}

/// The last hinge closes a loop with a row that depends on the others.
#[test]
fn an_overconstrained_loop_moves_as_published() {
    let mut runner = check_bricard(natural(Method::DormandPrince, 1e-8));
    let start = runner.energy();
    runner.steps(0.125, 38);
    assert!(runner.drift() < 1e-10, "{:e}", runner.drift());
    assert!((runner.energy() - start).abs() < 1e-4, "{}", runner.energy() - start);
}

/// Windows of MB-A02-Nfourbar, before they come near to the position in which their rows are singular.
#[test]
fn four_bars_keep_their_energy_and_move_as_by_quaternions() {
    for windows in [1, 3] {
        let run = |coordinates| {
            let (model, first) = four_bar(windows);
            let mut runner = Runner::new(&model, rule(Method::DormandPrince, 1e-9, coordinates));
            let start = runner.energy();
            runner.steps(0.05, 6);
            assert!(runner.drift() < 1e-10, "{:e}", runner.drift());
            assert!((runner.energy() - start).abs() < 1e-5, "{}", runner.energy() - start);
            runner.point(first, Vec3::x() * 0.5)
        };
        let [a, b] = [BodyCoordinates::Quaternions, BodyCoordinates::Natural].map(run);
        assert!((a - b).norm() < 1e-7, "{windows} windows: {a} {b}");
    }
}

/// MB-slider-crank: a prescribed body in a loop with a row on a marker; velocity of the slider of the closed form.
#[test]
fn a_slider_follows_its_prescribed_crank() {
    let (model, slider) = slider_crank();
    let mut runner = Runner::new(&model, natural(Method::DormandPrince, 1e-10));
    for step in 1..=20 {
        runner.step(0.01);
        let angle = 0.1 * f64::from(step);
        let (sine, cosine) = angle.sin_cos();
        let reach = (0.16 - 0.01 * sine * sine).sqrt();
        let exact = [0.1 * cosine + reach, -sine - 0.1 * sine * cosine / reach];
        let found = [runner.place(slider).x, runner.velocity(slider).x];
        assert!((found[0] - exact[0]).abs() < 1e-9, "{step}: {found:?} {exact:?}");
        assert!((found[1] - exact[1]).abs() < 1e-7, "{step}: {found:?} {exact:?}");
    }
}

/// Errors of the pairs fall with their tolerance, over three decades by more than 100.
#[test]
fn errors_fall_with_the_tolerance() {
    let run = |tolerance: f64| {
        let (model, bodies) = chain(3);
        let mut runner = Runner::new(&model, natural(Method::DormandPrince, tolerance));
        runner.steps(0.1, 6);
        runner.pose(bodies[2]).translation.vector
    };
    let reference = run(1e-12);
    let [coarse, fine] = [1e-5, 1e-8].map(|tolerance| (run(tolerance) - reference).norm());
    assert!(fine < 1e-6 && coarse > 100.0 * fine, "{coarse:e} {fine:e}");
}

/// A ball bounces at its exact times: flights are in natural coordinates, impacts are events.
#[test]
fn a_ball_bounces_at_its_times() {
    let mut model = Model::new("ball");
    model.set_gravity(Vec3::z() * -9.81);
    let inertia = SpatialInertia::of_sphere(1.0, 0.1).unwrap();
    let body = RigidBody::new("ball", Inertia::Explicit(inertia)).at(shift(0.0, 0.0, 1.1));
    let body = model.add(body);
    model.add(Collider::sphere(body, 0.1));
    model.add(Collider::half_space(Pose::identity()));
    let law =
        ContactLaw { restitution: 0.5, restitution_threshold: 1e-3, ..ContactLaw::rough(0.3) };
    model.add(CollisionBehavior::default().with_law(law));
    let mut runner = Runner::new(&model, natural(Method::DormandPrince, 1e-10));
    // Half way up after the second impact.
    let fall = (2.0f64 / 9.81).sqrt();
    let rise = 0.25 * (2.0 * 9.81f64).sqrt() / 9.81;
    runner.steps((2.0 * fall + rise) / 16.0, 16);
    let z = runner.pose(body).translation.z - 0.1;
    assert!((z - 0.0625).abs() < 1e-8, "{z}");
}

#[test]
fn what_natural_coordinates_cannot_say_is_refused_by_its_name() {
    let refused = |model: &Model| {
        let compiled = model.compile().expect("compiles");
        let integrator = natural(Method::DormandPrince, 1e-8);
        let settings = SolverSettings { integrator, ..Default::default() };
        MechSystemSolver::new(&compiled, settings).err().map(|error| error.to_string())
    };
    let mut model = in_plane(9.81);
    let a = model.add(solid_box("a", 1.0, [0.1, 0.1, 0.1]));
    let b = model.add(solid_box("b", 1.0, [0.1, 0.1, 0.1]).at(shift(1.0, 0.0, 0.0)));
    hinge(&mut model, [Some(a), Some(b)], Vec3::x() * 0.5, Vec3::z());
    assert_eq!(refused(&model), None);
    let points: Vec<PointRef> = [[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.1], [0.0, 0.0, 0.3]]
        .map(|at| PointRef::from(model.add(Particle::new(0.1, Vec3::from(at)))))
        .to_vec();
    let rider = solid_box("rider", 0.5, [0.1, 0.1, 0.1]).at(shift(0.1, 0.1, 0.1));
    let rider = model.add(rider);
    model.add(FrameAttachment::to_points(rider, points));
    let text = refused(&model).expect("is refused");
    let start = "an integrator with natural coordinates cannot take ";
    assert!(text.starts_with(start) && text.contains("rider"), "{text}");
    assert!(text.contains("follows points; use quaternions"), "{text}");
}

#[test]
fn a_body_with_two_equal_hinges_moves_as_with_one() {
    let mut model = in_plane(9.81);
    let body = model.add(solid_box("twice", 1.0, [0.1, 0.1, 0.1]));
    let frames = || (FrameSite::on(body, Pose::identity()), FrameSite::ground(Pose::identity()));
    for _ in 0..2 {
        let (c, d) = frames();
        model.add(Joint::new(JointKind::Hinge, c, d));
    }
    // The second hinge is across the tree, and depends on the first.
    let mut runner = Runner::new(&model, natural(Method::DormandPrince, 1e-8));
    runner.steps(0.01, 10);
    assert!(runner.drift() < 1e-10, "{:e}", runner.drift());
}
