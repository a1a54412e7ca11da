//! Joints and constraints by one's own code, and points on chains of planes.

use super::scenes::{Runner, TRAPEZOIDAL, shift, solid_box};
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::{
    CoordinateSpec, Jet, JointFunctions, JointKind, PointConstraint, Pose, Quantity, Range, Scalar,
};
use sinew::model::{
    Anchor, CustomConstrainer, CustomJoint, FrameMarker, FrameSite, Joint, Model, Particle,
    PointConstrainer, RigidBody, SegmentedPlane,
};
use sinew::system::{CompileError, MechSystem};

fn hinge_functions() -> JointFunctions {
    JointFunctions {
        name: "elbow".to_owned(),
        coordinates: vec![CoordinateSpec::angle("theta", Range::FREE)],
        rows: vec![
            Quantity::Length,
            Quantity::Length,
            Quantity::Length,
            Quantity::Angle,
            Quantity::Angle,
        ],
        pose: Box::new(|q| Pose::new(Vec3::zeros(), Vec3::z() * q[0])),
        errors: Box::new(|t, _, g| {
            g[..3].copy_from_slice(&t.position);
            g[3..5].copy_from_slice(&t.tilt());
        }),
        readout: Box::new(|t, q| q[0] = t.twist()),
    }
}

/// A body that swings about z of a frame at the origin, gravity along -y; joined by `join`.
fn swinging(join: impl Fn(&mut Model, FrameSite, FrameSite)) -> (Model, Handle<RigidBody>) {
    let mut model = Model::new("swinging");
    model.set_gravity(Vec3::y() * -9.8);
    let body = model.add(solid_box("body", 2.0, [0.1, 0.2, 0.3]).at(shift(0.3, 0.0, 0.1)));
    let c = FrameSite::on(body, shift(-0.3, 0.0, -0.1));
    join(&mut model, c, FrameSite::ground(Pose::identity()));
    (model, body)
}

#[test]
fn a_hinge_of_ones_own_swings_as_the_one_that_is_there() {
    let own = swinging(|model, c, d| {
        model.add(CustomJoint::new(hinge_functions(), c, d));
    });
    let known = swinging(|model, c, d| {
        model.add(Joint::new(JointKind::Hinge, c, d));
    });
    let [mut a, mut b] = [&own.0, &known.0].map(|model| Runner::new(model, TRAPEZOIDAL));
    for _ in 0..200 {
        a.step(0.005);
        b.step(0.005);
        let apart = (a.pose(own.1).translation.vector - b.pose(known.1).translation.vector).norm();
        assert!(apart < 1e-9, "{apart:e} at {} s", a.state.time);
    }
    assert!(a.drift() < 1e-9 && (a.state.coordinates[0] + 1.5).abs() < 1.6);
}

/// A screw falls, more than a turn, with the inertia of what it turns: (m + I / lead²) z'' = -m g.
#[test]
fn a_screw_sinks_by_the_inertia_of_what_it_turns() {
    let lead = 0.05;
    let mut functions = hinge_functions();
    functions.pose =
        Box::new(move |q| Pose::new(Vec3::new(0.0, 0.0, lead * q[0]), Vec3::z() * q[0]));
    functions.errors = Box::new(move |t, q, g| {
        g[..2].copy_from_slice(&t.position[..2]);
        g[2] = t.position[2] - q[0] * lead;
        g[3..5].copy_from_slice(&t.tilt());
    });
    let mut model = Model::new("screw");
    model.set_gravity(Vec3::z() * -9.8);
    let body = model.add(solid_box("nut", 2.0, [0.1, 0.2, 0.3]));
    let c = FrameSite::on(body, Pose::identity());
    model.add(CustomJoint::new(functions, c, FrameSite::ground(Pose::identity())));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(0.001, 0.6);
    let turned = 2.0 * (0.01 + 0.04) / 12.0 / (lead * lead);
    let expected = -0.5 * 9.8 * 2.0 / (2.0 + turned) * 0.6 * 0.6;
    let found = runner.pose(body).translation.vector.z;
    assert!((found - expected).abs() < 1e-4 * expected.abs(), "{found} {expected}");
    assert!(run.most.max(-run.least) < 1e-6 && runner.drift() < 1e-9, "{run:?}");
}

#[test]
fn a_derivative_that_a_joint_of_ones_own_drops_is_named() {
    let (model, _) = swinging(|model, c, d| {
        let mut functions = hinge_functions();
        functions.errors = Box::new(|t, _, g| {
            g[..3].copy_from_slice(&t.position);
            g[3..5].copy_from_slice(&t.tilt());
            g[1] = Jet::constant(t.position[1].value());
        });
        model.add(CustomJoint::new(functions, c, d));
    });
    let error = model.compile().err().expect("its rows are wrong");
    assert!(matches!(error, CompileError::CustomJoint { .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("elbow") && message.contains("row 1"), "{message}");
    assert!(message.contains("displacement 1"), "{message}");
}

/// A ring of 1 m that a particle moves on, in code and as a rod.
#[test]
fn a_rod_of_ones_own_swings_as_the_one_that_is_there() {
    let scene = |own: bool| {
        let mut model = Model::new("pendulum");
        model.set_gravity(Vec3::z() * -9.8);
        let mut upper = solid_box("upper", 1.0, [0.2; 3]);
        upper.angular_velocity = Vec3::new(1.0, 0.5, -0.3);
        let upper = model.add(upper);
        let c = FrameSite::on(upper, Pose::identity());
        model.add(Joint::new(JointKind::Spherical, c, FrameSite::ground(Pose::identity())));
        let bob = model.add(Particle::new(0.5, Vec3::new(0.3, 0.1, 1.0)));
        let arm = Vec3::new(0.3, 0.1, 0.0);
        if own {
            let law = move |place: sinew::constraint::ConstraintInput<'_>,
                            sheet: &mut sinew::constraint::RowSheet<'_>| {
                let reach = place.poses[0].rotation * arm;
                let apart = place.positions[0] - place.poses[0].translation.vector - reach;
                let direction = apart.normalize();
                sheet.set_value(0, apart.norm() - 1.0);
                sheet.set_point(0, 0, direction);
                sheet.set_body(0, 0, -direction, -reach.cross(&direction));
            };
            model.add(CustomConstrainer::new(vec![bob.into()], vec![upper], 1, law));
        } else {
            let marker = model.add(FrameMarker::new(upper, arm));
            let rod = PointConstraint::AtDistance { length: 1.0 };
            model.add(PointConstrainer::new(rod, bob, Anchor::Point(marker.into())));
        }
        (Runner::new(&model, TRAPEZOIDAL), bob)
    };
    let ((mut a, own), (mut b, rod)) = (scene(true), scene(false));
    for _ in 0..200 {
        a.step(0.0025);
        b.step(0.0025);
        let apart = (a.place(own) - b.place(rod)).norm();
        // The rows of the one meet h³ a step, those of the other all.
        assert!(apart < 1e-5, "{apart:e} at {} s", a.state.time);
    }
    assert!(a.drift() < 1e-9, "{}", a.drift());
    assert!((a.place(own) - Vec3::new(0.3, 0.1, 1.0)).norm() > 0.3, "it did not move");
}

#[test]
fn a_derivative_that_a_constraint_of_ones_own_has_wrong_is_named() {
    let mut model = Model::new("model");
    let body = model.add(solid_box("body", 1.0, [0.2; 3]));
    let bob = model.add(Particle::new(0.5, Vec3::x()));
    let fixed = CustomConstrainer::new(vec![bob.into()], vec![body], 2, |place, sheet| {
        let apart = place.positions[0] - place.poses[0].translation.vector;
        sheet.set_value(0, apart.y);
        sheet.set_point(0, 0, Vec3::y());
        sheet.set_body(0, 0, -Vec3::y(), Vec3::zeros());
        sheet.set_value(1, apart.x - 1.0);
        sheet.set_point(1, 0, Vec3::x());
        sheet.set_body(1, 0, Vec3::x() * -0.5, Vec3::zeros());
    });
    model.add(fixed.named("string"));
    let error = model.compile().err().expect("its rows are wrong");
    assert!(matches!(error, CompileError::CustomConstrainer { .. }), "{error:?}");
    let message = error.to_string();
    for words in ["string", "row 1", "x of body 0", "-0.5"] {
        assert!(message.contains(words), "{message}");
    }
}

/// A roof with its ridge at x = 0: down one side, from rest, at g sin(slope); over the ridge it changes
/// planes and keeps to them.
fn roof(x: f64, velocity: f64) -> (Model, Handle<Particle>) {
    let mut model = Model::new("roof");
    model.set_gravity(Vec3::z() * -9.8);
    let slope = 0.5;
    let bob = Particle::new(0.5, Vec3::new(x, 0.2, -slope * x.abs()));
    let along = Vec3::new(1.0, 0.0, slope);
    let bob = model.add(bob.velocity(along * velocity));
    let chain = vec![[-1.0, -slope], [0.0, 0.0], [1.0, -slope]];
    model.add(SegmentedPlane::new(bob, FrameSite::ground(Pose::identity()), chain));
    (model, bob)
}

#[test]
fn a_point_slides_down_a_plane_of_a_chain() {
    let (model, bob) = roof(0.1, 0.0);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.steps(0.01, 50);
    // g sin(a) cos(a) along x, of a slope of 1 : 2.
    let expected = 0.1 + 0.5 * 9.8 * 0.5 / 1.25 * 0.25;
    let place = runner.place(bob);
    assert!((place.x - expected).abs() < 1e-9 && (place.y - 0.2).abs() < 1e-12, "{place}");
    assert!(runner.drift() < 1e-9);
}

#[test]
fn a_point_passes_from_plane_to_plane() {
    let (model, bob) = roof(-0.2, 2.0);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    for _ in 0..60 {
        runner.step(0.005);
        let place = runner.place(bob);
        assert!((place.z + 0.5 * place.x.abs()).abs() < 1e-9, "{place}");
    }
    assert!(runner.place(bob).x > 0.1, "{}", runner.place(bob));
}

#[test]
fn a_unilateral_chain_of_planes_has_the_distance_as_its_gap() {
    let (mut model, bob) = roof(0.1, 0.0);
    let plane = model.nth::<SegmentedPlane>(0);
    model[plane].unilateral = true;
    model[bob].position.z += 0.1;
    let runner = Runner::new(&model, TRAPEZOIDAL);
    let multibody = runner.compiled.multibody().unwrap();
    assert_eq!((multibody.joints.rows.count(), multibody.joints.unilateral.count()), (0, 1));
    let coordinates = &runner.state.coordinates;
    let at = sinew::constraint::Placement { q: &runner.state.q, turns: &[], coordinates };
    let gap = multibody.joints.unilateral.at(at).value(0);
    assert!((gap - 0.1 / 1.25_f64.sqrt()).abs() < 1e-12, "{gap}");
}
