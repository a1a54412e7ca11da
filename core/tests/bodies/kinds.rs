//! Every kind of joint between two bodies that swing, and motions of some against closed forms.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, about_y, joint_kinds, shift, solid_box};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{EllipsoidShape, JointKind, Pose, Quantity, Range};
use sinew::model::{FrameSite, Joint, Model, RigidBody};

/// A joint without ranges.
fn free_joint(kind: JointKind, c: FrameSite, d: FrameSite) -> Joint {
    let mut joint = Joint::new(kind, c, d);
    joint.settings.coordinates.iter_mut().for_each(|it| it.range = Range::FREE);
    joint
}

/// A body on a ball joint at the origin, and one that hangs on it by a joint of a kind, both turning.
fn pair(kind: JointKind) -> (Model, [Handle<RigidBody>; 2]) {
    let mut model = Model::new("pair");
    model.set_gravity(Vec3::z() * -9.8);
    let upper = solid_box("upper", 1.5, [0.3, 0.1, 0.2]).at(shift(0.1, 0.05, -0.2));
    let upper = model.add(upper);
    let ball = free_joint(
        JointKind::Spherical,
        FrameSite::on(upper, shift(-0.1, -0.05, 0.2)),
        FrameSite::ground(Pose::identity()),
    );
    model.add(ball);
    let d = Pose::new(Vec3::new(0.1, 0.0, -0.1), Vec3::new(0.3, -0.4, 0.2));
    let c = Pose::new(Vec3::new(-0.05, 0.1, 0.1), Vec3::new(-0.2, 0.1, 0.5));
    let of = |quantity| if quantity == Quantity::Angle { 0.4 } else { 0.1 };
    let coordinates: Vec<f64> = kind.coordinate_specs().iter().map(|s| of(s.quantity)).collect();
    let pose = model[upper].pose * d * kind.pose(&coordinates) * c.inverse();
    let mut lower = solid_box("lower", 1.0, [0.1, 0.2, 0.3]).at(pose);
    lower.angular_velocity = Vec3::new(0.3, -0.5, 0.8);
    let lower = model.add(lower);
    model.add(free_joint(kind, FrameSite::on(lower, c), FrameSite::on(upper, d)));
    (model, [upper, lower])
}

/// Rows of one second are met to 1e-9, and energy to the tolerance of iterations: rows that are products meet the
/// difference of their values by themselves, those of ellipsoid joints along the motion.
#[test]
fn two_bodies_swing_by_every_kind_of_joint_without_drift() {
    for kind in joint_kinds() {
        let mut runner = Runner::new(&pair(kind).0, TRAPEZOIDAL);
        // The first step brings velocities onto the rows.
        runner.step(0.01);
        let run = runner.run(0.01, 1.0);
        assert!(runner.drift() < 1e-9, "{}: {}", kind.name(), runner.drift());
        let change = run.most.max(-run.least);
        assert!(change < 1e-8, "{}: {change:e} J, {run:?}", kind.name());
    }
}

#[test]
fn backward_euler_takes_energy_by_every_kind_of_joint() {
    for kind in joint_kinds() {
        let (model, _) = pair(kind);
        let mut runner = Runner::new(&model, EULER);
        let run = runner.run(0.01, 1.0);
        assert!(runner.drift() < 1e-9, "{}: {}", kind.name(), runner.drift());
        assert!(run.most < 1e-4 && run.least < -1e-4, "{}: {run:?}", kind.name());
    }
}

/// Over a sphere, with its z axis on the normal, a body in the plane of the motion is one that hangs on a
/// hinge at the centre.
#[test]
fn a_body_on_a_sphere_in_a_plane_swings_as_on_a_hinge() {
    let shape = EllipsoidShape { semi_axes: [0.5; 3], ..Default::default() };
    let tilt = 0.7;
    let turn = Pose::new(Vec3::zeros(), Vec3::y() * tilt);
    // z down, so that the body hangs.
    let ground = Pose::new(Vec3::zeros(), Vec3::x() * std::f64::consts::PI);
    let runner = |kind: JointKind| {
        let mut model = Model::new("pendulum");
        model.set_gravity(Vec3::z() * -9.8);
        let body = solid_box("body", 1.3, [0.1, 0.2, 0.3]);
        let body = model.add(body.at(ground * turn * shift(0.0, 0.0, 0.5)));
        let (c, d) = match kind {
            JointKind::Hinge => (about_y(0.0, 0.0, -0.5), ground * about_y(0.0, 0.0, 0.0)),
            _ => (Pose::identity(), ground),
        };
        model.add(free_joint(kind, FrameSite::on(body, c), FrameSite::ground(d)));
        (Runner::new(&model, TRAPEZOIDAL), body)
    };
    let (mut sphere, body) = runner(JointKind::Ellipsoid3d(shape));
    let (mut hinge, other) = runner(JointKind::Hinge);
    let mut least = 1.0_f64;
    for _ in 0..200 {
        sphere.step(0.005);
        hinge.step(0.005);
        let [a, b] = [sphere.pose(body), hinge.pose(other)];
        let apart = (a.translation.vector - b.translation.vector).norm();
        // The rows of the one meet h³ a step, those of the other all.
        assert!(apart < 2e-5, "{apart:e} at {} s", sphere.state.time);
        least = least.min(a.translation.vector.x);
    }
    assert!(least < -0.3, "it did not swing through: {least}");
}

/// g sin(a) down a slope; with theta free the slider of a cylindrical joint does not turn.
#[test]
fn bodies_slide_down_a_slope_by_sliders_and_planes() {
    let slope = 0.4_f64;
    for (kind, along) in [
        (JointKind::Slider, Vec3::z()),
        (JointKind::Cylindrical, Vec3::z()),
        (JointKind::SlottedHinge, Vec3::x()),
        (JointKind::Planar, Vec3::x()),
        (JointKind::PlanarTranslation, Vec3::x()),
    ] {
        let mut model = Model::new("slope");
        model.set_gravity(Vec3::z() * -9.8);
        // The free axis turned so that it points down by the angle of the slope.
        let down = if along == Vec3::z() { slope + std::f64::consts::FRAC_PI_2 } else { slope };
        let frame = Pose::new(Vec3::zeros(), Vec3::y() * down);
        let body = model.add(solid_box("body", 2.0, [0.1, 0.2, 0.3]).at(frame));
        let c = FrameSite::on(body, Pose::identity());
        model.add(free_joint(kind, c, FrameSite::ground(frame)));
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        runner.steps(0.01, 100);
        let pose = runner.pose(body);
        let expected = frame.rotation * along * (0.5 * 9.8 * slope.sin());
        let off = (pose.translation.vector - expected).norm();
        assert!(off < 1e-8, "{}: {off:e}", kind.name());
        assert!(pose.rotation.angle_to(&frame.rotation) < 1e-8, "{}", kind.name());
    }
}
