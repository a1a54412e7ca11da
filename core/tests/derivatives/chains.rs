//! Gradients through chains of joints, and by the constants of tendons.

use std::f64::consts::FRAC_PI_2;

use sinew::Vec3;
use sinew::adjoint::{Parameter, Trajectory};
use sinew::axial::AxialLaw;
use sinew::axial::active::{Millard2012, Thelen2003};
use sinew::axial::passive::LinearSpring;
use sinew::constraint::{JointKind, Pose};
use sinew::model::{AxialSpring, FrameMarker, Joint, Model, Particle, PointRef};
use sinew::solve::{ImplicitMode, Integrator};

use crate::gradients::{Sum, assert_near, check, derivative, settings};
use crate::scenes::{hinge, in_plane, shift, site, solid_box};

type Rule = fn(ImplicitMode) -> Integrator;

/// Two links turn in space about axes of their own.
#[test]
fn gradients_through_a_chain_that_turns_in_space_are_those_of_trapezoidal_steps() {
    let mut model = in_plane(9.81);
    let first = model.add(solid_box("first", 1.0, [0.2, 0.05, 0.08]).at(shift(0.1, 0.0, 0.0)));
    let second = model.add(solid_box("second", 0.5, [0.2, 0.03, 0.05]).at(shift(0.3, 0.0, 0.0)));
    hinge(&mut model, [Some(first), None], Vec3::zeros(), Vec3::new(0.2, 0.3, 1.0).normalize());
    hinge(
        &mut model,
        [Some(second), Some(first)],
        Vec3::x() * 0.2,
        Vec3::new(0.0, 1.0, 0.4).normalize(),
    );
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        check(&model, &[], (settings(rule), 5), "chain");
    }
}

/// Compares the derivative of a sum over all states by a number with differences of runs, of this width over the number.
fn check_number(model: &Model, path: &str, (rule, step, steps): (Rule, f64, usize), width: f64) {
    let trajectory = Trajectory { model, settings: settings(rule), step, steps };
    let sum = Sum::new(&model.compile().unwrap());
    let at = Parameter::constant(model, path).unwrap();
    let of = |by: f64| {
        let parameter = Parameter { values: vec![at.values[0] + by], ..at.clone() };
        trajectory.gradient(None, &[parameter], &mut sum.objective()).unwrap()
    };
    let found = of(0.0).parameters[0][0];
    let expected = derivative(|by| of(by).value, width * at.values[0]);
    assert_near(found, expected, expected.abs(), path);
}

/// Its steps are solved to the tolerance in some four iterations, and to rounding in more than a dozen.
#[test]
fn gradients_through_joints_that_converge_slowly_are_those_of_the_steps() {
    let mut model = in_plane(9.81);
    let bodies =
        [(1.2, 0.15, 0.3), (0.8, 0.425, 0.25), (0.4, 0.65, 0.15)].map(|(mass, x, length)| {
            model.add(solid_box("link", mass, [length, 0.05, 0.08]).at(shift(x, 0.0, 0.0)))
        });
    model[bodies[0]].velocity = Vec3::y() * 0.1;
    model[bodies[1]].inertial_damping = Some(0.3);
    let along_x = Pose::new(Vec3::x() * 0.55, Vec3::y() * FRAC_PI_2);
    let joints = [
        (JointKind::Spherical, Pose::identity(), [Some(bodies[0]), None]),
        (JointKind::Universal, shift(0.3, 0.0, 0.0), [Some(bodies[1]), Some(bodies[0])]),
        (JointKind::Cylindrical, along_x, [Some(bodies[2]), Some(bodies[1])]),
    ];
    for (kind, frame, bodies) in joints {
        let [c, d] = bodies.map(|body| site(&model, body, frame));
        model.add(Joint::new(kind, c, d));
    }
    let post = model.add(Particle::new(1.0, Vec3::new(0.2, 0.4, 0.1)).fixed());
    let tip = model.add(FrameMarker::new(bodies[2], Vec3::new(0.05, 0.01, 0.02)));
    let law = AxialLaw::Linear(LinearSpring { stiffness: 120.0, damping: 3.0 });
    let mut spring = AxialSpring::with_law([PointRef::from(post), tip.into()], law);
    spring.rest_length = 0.3;
    let spring = model.add(spring);
    let path = format!("{}:material.stiffness", model.path(spring));
    for rule in [Integrator::BackwardEuler as Rule, Integrator::Trapezoidal] {
        check_number(&model, &path, (rule, 0.02, 4), 1e-3);
    }
}

/// A fibre answers to the constants of its tendon at once: the share of the start and that of the steps nearly cancel.
#[test]
fn gradients_by_the_constants_of_elastic_tendons_are_those_of_the_steps() {
    let thelen = Thelen2003 {
        max_isometric_force: 40.0,
        optimal_fibre_length: 0.15,
        tendon_slack_length: 0.25,
        ..Default::default()
    };
    let millard = Millard2012 {
        max_isometric_force: 40.0,
        optimal_fibre_length: 0.15,
        tendon_slack_length: 0.25,
        ..Default::default()
    };
    for law in [AxialLaw::Thelen2003(thelen), AxialLaw::Millard2012(millard)] {
        let mut model = in_plane(9.81);
        let post = model.add(Particle::new(1.0, Vec3::y() * 0.4).fixed());
        let mass = model.add(Particle::new(0.7, Vec3::x() * 0.02));
        let mut muscle = AxialSpring::with_law([post, mass].map(PointRef::from), law);
        muscle.excitation = 0.3;
        let muscle = model.add(muscle);
        for constant in ["tendon_slack_length", "optimal_fibre_length", "max_isometric_force"] {
            let path = format!("{}:material.{constant}", model.path(muscle));
            for rule in [Integrator::BackwardEuler as Rule, Integrator::Trapezoidal] {
                check_number(&model, &path, (rule, 0.01, 3), 1e-4);
            }
        }
    }
}
