//! Responses of a step to excitations, against central differences of the step itself.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::dynamics::turn_between;
use sinew::force::{ExcitedStep, Kinematics};
use sinew::model::Model;
use sinew::property::Value;
use sinew::solve::ResponseAccuracy::{Factor, Refined};
use sinew::solve::{MechSystemSolver, ResponseAccuracy, SolverSettings, StepResponse};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State};

use sinew_datasets::tongue::{Manoeuvre, TongueParams, tongue};

use crate::models::{
    ELASTIC, Excitable, attached_tissue, constant, hexapod, lever, particles, peck, resting_box,
    tissue,
};

/// Change of excitations for differences: large enough for what a step leaves of its equations.
const DELTA: f64 = 2e-3;

fn excite(model: &mut Model, id: ComponentId, value: f64) {
    let property = model.property_of(id, "excitation").unwrap();
    model.set_property(&property, Value::Real(value)).unwrap();
}

fn solver(compiled: &CompiledModel) -> MechSystemSolver {
    MechSystemSolver::new(compiled, SolverSettings::default()).unwrap()
}

/// A state some steps after the start, and the model with the excitations that responses are taken at.
fn moving(scene: &mut Excitable, (steps, h): (usize, f64)) -> State {
    for &id in &scene.excited {
        excite(&mut scene.model, id, 0.6 * scene.level);
    }
    let compiled = scene.model.compile().unwrap();
    let (mut solver, mut state) = (solver(&compiled), compiled.initial_state());
    for _ in 0..steps {
        solver.step(&compiled, &mut state, h).unwrap();
    }
    for &id in &scene.excited {
        excite(&mut scene.model, id, scene.level);
    }
    state
}

/// Responses by back-solves, a column an excitation.
fn responses(
    scene: &Excitable,
    start: &State,
    (h, accuracy): (f64, ResponseAccuracy),
) -> (CompiledModel, Vec<Vec<Vec3>>) {
    let compiled = scene.model.compile().unwrap();
    let mut solver = solver(&compiled);
    let mut end = start.clone();
    solver.linearize(&compiled, &mut end, h).unwrap();
    let velocities = solver.mean_velocities().to_vec();
    let places = |sign: f64| -> Vec<Vec3> {
        start
            .q
            .iter()
            .zip(&velocities)
            .map(|(q, y)| q + y * (sign * h * ExcitedStep::LOOK))
            .collect()
    };
    let (ahead, behind) = (places(1.0), places(-1.0));
    let kinematics =
        Kinematics { load: LoadCase::at(start.time + h), motion: Motion::of(start, h) };
    let step = ExcitedStep { kinematics, velocities: &velocities, ahead: &ahead, behind: &behind };
    let size = compiled.block_count();
    let mut impulses = vec![Vec3::zeros(); size * scene.excited.len()];
    for (&id, column) in scene.excited.iter().zip(impulses.chunks_exact_mut(size)) {
        let source = compiled.excitation_source(&scene.model, id).unwrap();
        compiled.add_excitation_impulses(source, &step, column).unwrap();
    }
    let mut response = StepResponse::default();
    solver.respond(&compiled, (&mut impulses, h, accuracy), &mut response).unwrap();
    (compiled, response.positions.chunks_exact(size).map(<[Vec3]>::to_vec).collect())
}

/// Positions at the end of the step with one excitation changed.
fn end(scene: &mut Excitable, start: &State, (id, by, h): (ComponentId, f64, f64)) -> State {
    excite(&mut scene.model, id, scene.level + by);
    let compiled = scene.model.compile().unwrap();
    excite(&mut scene.model, id, scene.level);
    let mut state = start.clone();
    solver(&compiled).step(&compiled, &mut state, h).unwrap();
    state
}

/// Largest error of the responses of points and bodies to each excitation, and the largest of these responses.
fn errors(mut scene: Excitable, steps: (usize, f64), accuracy: ResponseAccuracy) -> Vec<[f64; 2]> {
    let h = steps.1;
    let start = moving(&mut scene, steps);
    let (compiled, columns) = responses(&scene, &start, (h, accuracy));
    let rotations: Vec<usize> = compiled
        .multibody()
        .map_or_else(Vec::new, |m| m.bodies.iter().map(|body| body.row as usize + 1).collect());
    let mut errors = Vec::new();
    for (id, column) in scene.excited.clone().into_iter().zip(columns) {
        let [low, high] = [-DELTA, DELTA].map(|by| end(&mut scene, &start, (id, by, h)));
        let mut largest = [0f64; 2];
        for row in 0..column.len() {
            let difference = match rotations.contains(&row) {
                true => turn_between(
                    &UnitQuaternion::new(low.q[row]),
                    &UnitQuaternion::new(high.q[row]),
                ),
                false => high.q[row] - low.q[row],
            };
            let expected = difference / (2.0 * DELTA * h);
            largest[0] = largest[0].max((column[row] - expected).norm());
            largest[1] = largest[1].max(expected.norm());
        }
        errors.push(largest);
    }
    errors
}

/// Largest error, each over the largest response to its excitation.
fn error(scene: Excitable, steps: (usize, f64), accuracy: ResponseAccuracy) -> f64 {
    let errors = errors(scene, steps, accuracy);
    assert!(errors.iter().all(|[_, size]| *size > 1e-3), "what moves nothing: {errors:?}");
    errors.iter().map(|[error, size]| error / size).fold(0.0, f64::max)
}

#[test]
fn responses_of_particles_are_the_derivative_of_the_step() {
    let error = error(particles(), (10, 0.01), Factor);
    assert!(error < 2e-5, "{error:.1e}");
}

#[test]
fn responses_of_tissue_are_the_derivative_of_the_step() {
    let error = error(tissue(), (10, 0.01), Factor);
    assert!(error < 2e-5, "{error:.1e}");
}

/// Steps reduce their matrix with the weights of attached points at the predicted velocities: where the stiffness of a muscle
/// changes the step as much as its force does, as behind an elastic tendon, some thousandths are left of that.
#[test]
fn responses_of_a_lever_are_the_derivative_of_the_step_through_activation_dynamics() {
    let factor = error(lever(), (10, 0.005), Factor);
    assert!(factor < 2e-2, "{factor:.1e}");
    for (k, [error, size]) in errors(lever(), (10, 0.005), Refined).into_iter().enumerate() {
        let allowed = if k == ELASTIC { 1e-2 } else { 5e-5 };
        assert!(error < allowed * size, "excitation {k}: {:.1e}", error / size);
    }
}

#[test]
fn responses_of_a_body_in_space_are_the_derivative_of_the_step() {
    let constant = |_| constant(4.0);
    let [factor, refined] = [Factor, Refined].map(|it| error(hexapod(constant).0, (20, 0.01), it));
    assert!(factor < 2e-2 && refined < 1e-4, "{factor:.1e} {refined:.1e}");
    let peck = |length| peck(6.0, length);
    let [factor, refined] = [Factor, Refined].map(|it| error(hexapod(peck).0, (20, 0.01), it));
    assert!(factor < 2e-2 && refined < 1e-4, "{factor:.1e} {refined:.1e}");
}

#[test]
fn responses_of_tissue_on_a_body_are_the_derivative_of_the_step() {
    let [factor, refined] = [Factor, Refined].map(|it| error(attached_tissue(), (10, 0.01), it));
    assert!(factor < 2e-3 && refined < 1e-4, "{factor:.1e} {refined:.1e}");
}

/// A box that is pulled up and along: friction keeps it where it is, or follows the weight that is left.
#[test]
fn responses_with_contact_are_those_on_the_active_set() {
    let sticks = errors(resting_box(2.0), (10, 0.01), Factor);
    // Without contact an excitation would add h F / m = 0.03 m/s.
    assert!(sticks.iter().flatten().all(|it| *it < 1e-6), "{sticks:?}");
    let slides = error(resting_box(0.05), (10, 0.01), Factor);
    assert!(slides < 1e-3, "{slides:.1e}");
}

/// The tongue with its eleven muscles, whose tissue hardly changes its volume, is damped by its stiffness, and becomes ten times
/// as stiff where it is active.
#[test]
fn responses_of_the_tongue_are_the_derivative_of_the_step() {
    let model = crate::tongue::resting();
    let excited = crate::tongue::exciters(&model);
    let error = error(Excitable { model, excited, level: 0.05 }, (3, 0.01), Factor);
    assert!(error < 1e-4, "{error:.1e}");
}

/// Conjugate gradients solve the step, and after some solutions a factor would be the cheaper way: all right sides are solved with
/// what the matrix was prepared for.
#[test]
fn responses_of_a_large_tissue_come_from_the_method_that_took_its_step() {
    let task = Some(Manoeuvre::Rest);
    let model = tongue(&TongueParams { task, ..TongueParams::default() }).unwrap();
    let excited = crate::tongue::exciters(&model);
    let scene = Excitable { model, excited, level: 0.0 };
    let start = scene.model.compile().unwrap().initial_state();
    let (_, columns) = responses(&scene, &start, (0.01, Factor));
    let largest = |column: &Vec<Vec3>| column.iter().map(|by| by.norm()).fold(0.0, f64::max);
    assert!(columns.len() == 11 && columns.iter().all(|it| largest(it) > 1e-3));
}
