//! Gradients through coordinates of joints that go along paths, against central differences of the trajectories.

use sinew::Vec3;
use sinew::adjoint::{Gradient, Parameter, StateVector, Trajectory};
use sinew::component::Handle;
use sinew::constraint::Compliance;
use sinew::model::{CoordinateKeyframe, Joint, KeyframeInterpolation, Model};
use sinew::property::Value;
use sinew::solve::{Integrator, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};

use crate::gradients::{H, assert_near, check, derivative, excitations, settings};
use crate::models::{Excitable, constant, muscle};
use crate::scenes::{hinge, in_plane, shift, solid_box};

/// Lets the coordinate of a hinge go along a cubic, at speed from the start on.
fn drive(model: &mut Model, joint: Handle<Joint>, interpolation: KeyframeInterpolation) {
    let coordinate = &mut model[joint].settings.coordinates[0];
    coordinate.locked = true;
    let frame = |k: i32| {
        let t = 0.01 * f64::from(k);
        CoordinateKeyframe { time: t, value: 2.0 * t + 30.0 * t * t - 200.0 * t.powi(3) }
    };
    coordinate.keyframes = (0..=8).map(frame).collect();
    coordinate.keyframe_interpolation = interpolation;
}

/// A bar that is led, a bar on it that is free to turn about an axis of its own and pulled by a muscle, and one more behind it.
fn chain(interpolation: KeyframeInterpolation, compliance: Compliance) -> (Model, Vec<String>) {
    let mut model = in_plane(9.81);
    let size = |length: f64| [length, 0.05, 0.04];
    let prescribed = model.add(solid_box("prescribed", 2.0, size(0.6)).at(shift(0.3, 0.0, 0.0)));
    let pivot = hinge(&mut model, [Some(prescribed), None], Vec3::zeros(), Vec3::z());
    let free = model.add(solid_box("free", 1.0, size(0.4)).at(shift(0.8, 0.0, 0.0)));
    let skew = Vec3::new(0.0, 0.3, 1.0).normalize();
    hinge(&mut model, [Some(free), Some(prescribed)], Vec3::x() * 0.6, skew);
    let last = model.add(solid_box("last", 0.7, size(0.2)).at(shift(1.1, 0.0, 0.0)));
    hinge(&mut model, [Some(last), Some(free)], Vec3::x(), Vec3::z());
    drive(&mut model, pivot, interpolation);
    model[pivot].settings.coordinates[0].compliance = compliance;
    let above = (Vec3::new(0.5, 0.6, 0.0), free, Vec3::x() * -0.1);
    let line = muscle(&mut model, above, constant(40.0));
    let mut scene = Excitable { excited: vec![line.into()], model, level: 0.5 };
    let mut paths = excitations(&mut scene);
    paths.extend([free, last].map(|body| format!("{}:mass", scene.model.path(body))));
    (scene.model, paths)
}

const SOFT: Compliance = Compliance { compliance: 2e-3, damping: 3.0 };

#[test]
fn gradients_through_a_coordinate_on_a_path_are_those_of_the_steps() {
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        for interpolation in [KeyframeInterpolation::Linear, KeyframeInterpolation::Spline] {
            for compliance in [Compliance::default(), SOFT] {
                let (model, paths) = chain(interpolation, compliance);
                check(&model, &paths, (settings(rule), 4), "a chain that is led");
            }
        }
    }
}

/// The sum of the x and y of the last body and its rates over all states.
fn objective(_: usize, state: &State, compiled: &CompiledModel, gradient: &mut StateVector) -> f64 {
    let last = compiled.multibody().unwrap().bodies.last().unwrap().row as usize;
    let by_q = Vec3::new(1.0, 2.0, 0.0);
    let by_u = [Vec3::new(0.3, -0.2, 0.1), Vec3::new(0.0, 0.1, 0.2)];
    gradient.q[last] += by_q;
    gradient.u[last] += by_u[0];
    gradient.u[last + 1] += by_u[1];
    by_q.dot(&state.q[last]) + by_u[0].dot(&state.u[last]) + by_u[1].dot(&state.u[last + 1])
}

fn gradient(model: &Model, settings: SolverSettings, parameters: &[Parameter]) -> Gradient {
    let trajectory = Trajectory { model, settings, step: H, steps: 4 };
    trajectory.gradient(None, parameters, &mut objective).unwrap()
}

/// Bars on the prescribed one are set in motion at the start, shared out by its masses.
#[test]
fn gradients_from_the_start_of_a_model_take_the_velocities_that_a_path_gives_it() {
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        let (model, paths) = chain(KeyframeInterpolation::Spline, Compliance::default());
        let settings = settings(rule);
        let parameters: Vec<Parameter> =
            paths.iter().map(|path| Parameter::constant(&model, path).unwrap()).collect();
        let found = gradient(&model, settings, &parameters);
        for (parameter, found) in parameters.iter().zip(&found.parameters) {
            let (property, at) = (model.property(&parameter.path).unwrap(), parameter.values[0]);
            let value = |by: f64| {
                let mut model = model.clone();
                model.set_property(&property, Value::Real(at + by)).unwrap();
                gradient(&model, settings, &[]).value
            };
            let expected = derivative(value, 1e-3 * at);
            assert!(expected.abs() > 1e-6, "{}: {expected}", parameter.path);
            assert_near(found[0], expected, expected.abs(), &parameter.path);
        }
    }
}
