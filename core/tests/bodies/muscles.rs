//! Springs and muscles between points of bodies: moments are tension times arm.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, hinge, in_plane, shift, solid_box};
use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::{ConstantMuscle, SimpleMuscle};
use sinew::component::Handle;
use sinew::model::{
    AxialSpring, Excited, FrameMarker, LinearAxial, Model, MultiPointSpring, MuscleExciter,
    Particle, PointRef, RigidBody,
};

const G: f64 = 9.81;

/// A bar of 2 kg and 0.6 m from a hinge at the origin along x, gravity along -y.
fn lever() -> (Model, Handle<RigidBody>) {
    let mut model = in_plane(G);
    let mut bar = solid_box("forearm", 2.0, [0.6, 0.05, 0.05]).at(shift(0.3, 0.0, 0.0));
    bar.inertial_damping = Some(20.0);
    let bar = model.add(bar);
    hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    (model, bar)
}

/// Zero of a function that falls through it.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// A muscle with a spring beside it from a point above the hinge holds the bar where its moment is that of the
/// weight; backward Euler with long steps goes to rest.
#[test]
fn a_muscle_holds_a_lever_where_moments_balance() {
    let (mut model, bar) = lever();
    let (above, arm, stiffness, force) = (Vec3::y() * 0.3, 0.2, 300.0, 40.0);
    let origin = model.add(Particle::new(1.0, above).fixed());
    let insertion = model.add(FrameMarker::new(bar, Vec3::x() * (arm - 0.3)));
    let law = SimpleMuscle { stiffness, max_force: force, ..Default::default() };
    let law = AxialLaw::SimpleMuscle(law);
    let mut muscle = AxialSpring::with_law([PointRef::from(origin), insertion.into()], law);
    (muscle.excitation, muscle.rest_length) = (0.9, 0.3);
    model.add(muscle);
    let mut runner = Runner::new(&model, EULER);
    runner.steps(0.01, 3000);
    let moment = |angle: f64| {
        let at = Vec3::new(angle.cos(), angle.sin(), 0.0) * arm;
        let tension = stiffness * ((above - at).norm() - 0.3) + 0.9 * force;
        let pull = (above - at).normalize() * tension;
        at.cross(&pull).z - 2.0 * G * 0.3 * angle.cos()
    };
    let expected = root(moment, -1.5, 1.5);
    let along = runner.pose(bar).rotation * Vec3::x();
    let found = along.y.atan2(along.x);
    assert!(expected.abs() > 0.05 && expected.abs() < 1.4, "a poor choice of numbers: {expected}");
    assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    assert!(runner.angular_velocity(bar).norm() < 1e-6, "{}", runner.angular_velocity(bar));
}

/// From a point of the ground over a point of the bar to another point of the ground: one tension along the
/// line, so the bar is pushed by T (e1 + e2) at its point. The exciter gives 0.5 times its gain of 0.8, on
/// top of the muscle's own 0.1.
#[test]
fn a_line_over_a_bar_pushes_with_the_sum_of_its_ends() {
    let (mut model, bar) = lever();
    let ends = [Vec3::new(0.1, 0.4, 0.0), Vec3::new(0.7, 0.3, 0.0)];
    let [a, b] = ends.map(|x| model.add(Particle::new(1.0, x).fixed()));
    let via = Vec3::new(0.5, 0.02, 0.0);
    let marker = model.add(FrameMarker::new(bar, via - Vec3::x() * 0.3));
    let law = AxialLaw::ConstantMuscle(ConstantMuscle { max_force: 100.0, ..Default::default() });
    let mut muscle = MultiPointSpring::new(vec![a.into(), marker.into(), b.into()], law);
    muscle.excitation = 0.1;
    let muscle = model.add(muscle);
    let mut exciter = MuscleExciter::new("brain", [muscle]);
    exciter.excitation = 0.5;
    exciter.targets = vec![Excited { gain: 0.8, ..exciter.targets[0] }];
    model.add(exciter);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let h = 1e-5;
    runner.step(h);
    let tension = 100.0 * (0.1 + 0.5 * 0.8);
    let push = ends.iter().map(|end| (end - via).normalize() * tension).sum::<Vec3>();
    let moment = via.cross(&push).z - 2.0 * G * 0.3;
    let inertia = 2.0 * (0.36 + 0.05 * 0.05) / 12.0 + 2.0 * 0.09;
    let expected = moment * h / inertia;
    let found = runner.angular_velocity(bar).z;
    // Drag takes h 20 / 2 of it, the change of the arm less.
    assert!((found - expected).abs() < 2e-4 * expected.abs(), "{found} instead of {expected}");
}

/// A spring between markers of two bodies on parallel hinges: opposite forces, so moments about the hinges are
/// those of one force at two arms.
#[test]
fn a_spring_between_two_bodies_pulls_both_with_its_tension() {
    let mut model = in_plane(0.0);
    let mut bars = Vec::new();
    for x in [0.0, 1.0] {
        let bar = solid_box("bar", 2.0, [0.1, 0.6, 0.1]).at(shift(x, 0.3, 0.0));
        let bar = model.add(bar);
        hinge(&mut model, [Some(bar), None], Vec3::x() * x, Vec3::z());
        bars.push(bar);
    }
    let places = [Vec3::new(0.05, 0.5, 0.0), Vec3::new(0.95, 0.2, 0.0)];
    let centers = [Vec3::new(0.0, 0.3, 0.0), Vec3::new(1.0, 0.3, 0.0)];
    let markers = [0, 1].map(|k| model.add(FrameMarker::new(bars[k], places[k] - centers[k])));
    let law = LinearAxial { stiffness: 300.0, damping: 0.0, rest_length: 0.5 };
    model.add(AxialSpring::new(markers, law));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let h = 1e-5;
    runner.step(h);
    let line = places[1] - places[0];
    let force = line.normalize() * (300.0 * (line.norm() - 0.5));
    let inertia = 2.0 * (0.36 + 0.01) / 12.0 + 2.0 * 0.09;
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        let arm = places[k] - Vec3::x() * k as f64;
        let expected = arm.cross(&force).z * sign * h / inertia;
        let found = runner.angular_velocity(bars[k]).z;
        // (h w)² with w² = 300 N/m over 1 kg.
        assert!((found - expected).abs() < 1e-6 * expected.abs(), "{found} instead of {expected}");
    }
}
