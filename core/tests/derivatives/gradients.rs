//! Gradients of trajectories by their start and by numbers of the model, against central differences of the trajectories.

use sinew::Vec3;
use sinew::adjoint::{Gradient, Parameter, StateVector, Trajectory};
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::component::{Address, ComponentId, Handle};
use sinew::inverse::TrackedExcitation;
use sinew::material::{ActiveStrainMuscleConstants, MaterialSpec, PronySeries};
use sinew::model::{AxialSpring, Dirichlet, FemModel, Model, MuscleBundle, Particle, PointRef};
use sinew::property::Value;
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::BeamElement;

use crate::models::{
    Excitable, attached_tissue, hexapod, particles, peck, pendulum, resting_box, tissue,
};
use crate::scenes::{grid, in_plane, nodes_where};

pub(crate) const H: f64 = 0.005;

/// The rule by Newton's method, to what rounding leaves.
pub(crate) fn settings(rule: fn(ImplicitMode) -> Integrator) -> SolverSettings {
    let newton = NewtonSettings { max_iterations: 60, tolerance: 1e-13 };
    SolverSettings { integrator: rule(ImplicitMode::Newton(newton)), ..Default::default() }
}

/// A number of a trajectory: every state times vectors that no symmetry favours. Rotations have a part by their rates.
pub(crate) struct Sum {
    rotations: Vec<usize>,
}

impl Sum {
    pub(crate) fn new(compiled: &CompiledModel) -> Self {
        let bodies = compiled.multibody().map_or(&[][..], |it| &it.bodies);
        Self { rotations: bodies.iter().map(|body| body.row as usize + 1).collect() }
    }

    fn vectors(step: usize, row: usize) -> [Vec3; 2] {
        let wave = |phase: f64| (0.9 * row as f64 + 0.4 * step as f64 + phase).sin();
        [
            Vec3::new(wave(0.1), wave(1.7), wave(3.1)),
            Vec3::new(wave(4.0), wave(5.2), wave(0.8)) * 0.1,
        ]
    }

    fn add(&self, step: usize, state: &State, gradient: Option<&mut StateVector>) -> f64 {
        let mut sum = 0.0;
        let mut own = StateVector::zeros(state);
        for row in 0..state.q.len() {
            let [by_q, by_u] = Self::vectors(step, row);
            if !self.rotations.contains(&row) {
                sum += by_q.dot(&state.q[row]);
                own.q[row] = by_q;
            }
            sum += by_u.dot(&state.u[row]);
            own.u[row] = by_u;
        }
        if let Some(gradient) = gradient {
            gradient.add(1.0, &own);
        }
        sum
    }

    /// The number as an objective of trajectories.
    pub(crate) fn objective(
        &self,
    ) -> impl FnMut(usize, &State, &CompiledModel, &mut StateVector) -> f64 {
        |step, state, _, gradient| self.add(step, state, Some(gradient))
    }
}

/// The same number of a run.
fn run(model: &Model, start: &State, (settings, steps): (SolverSettings, usize)) -> f64 {
    let compiled = model.compile().unwrap();
    let sum = Sum::new(&compiled);
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = start.clone();
    let mut value = sum.add(0, &state, None);
    for step in 0..steps {
        solver.forget();
        solver.step(&compiled, &mut state, H).unwrap();
        value += sum.add(step + 1, &state, None);
    }
    value
}

/// Derivative by central differences of two widths, their error of second order taken out.
pub(crate) fn derivative(value: impl Fn(f64) -> f64, by: f64) -> f64 {
    let central = |by: f64| (value(by) - value(-by)) / (2.0 * by);
    (4.0 * central(0.5 * by) - central(by)) / 3.0
}

pub(crate) fn assert_near(found: f64, expected: f64, scale: f64, name: &str) {
    let error = (found - expected).abs() / scale;
    assert!(error < 1e-6, "{name}: {found} for {expected}, error {error:.1e}");
}

/// A state some steps after the start, whose velocities are those of a motion; with less excitation than the model has, so that
/// activations rise: where they turn from rise to fall they have no derivative.
fn moving(model: &Model, settings: SolverSettings, steps: usize) -> State {
    let mut model = model.clone();
    for id in excited(&model) {
        let property = model.property_of(id, "excitation").unwrap();
        model.set_property(&property, Value::Real(0.1)).unwrap();
    }
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    for _ in 0..steps {
        solver.step(&compiled, &mut state, H).unwrap();
    }
    // Tissue alone is stretched: fibres that pull in tension only have no derivative of their stiffness at rest.
    if compiled.multibody().is_none() {
        state.q.iter_mut().for_each(|q| q.x *= 1.03);
    }
    state
}

/// Muscles and actuators of a model.
fn excited(model: &Model) -> Vec<ComponentId> {
    TrackedExcitation::muscles(model).into_iter().map(|it| it.component).collect()
}

/// Compares the gradients by parameters, and by what is free at the start along a direction.
pub(crate) fn check(
    model: &Model,
    paths: &[String],
    (settings, steps): (SolverSettings, usize),
    name: &str,
) {
    check_from(model, paths, &moving(model, settings, 2), (settings, steps), name);
}

/// The same from a state.
pub(crate) fn check_from(
    model: &Model,
    paths: &[String],
    start: &State,
    run_by: (SolverSettings, usize),
    name: &str,
) {
    let found = check_parameters(model, paths, start, run_by, name);
    let compiled = model.compile().unwrap();
    check_start(&compiled, model, (start, &found.start), run_by, name);
}

/// Compares the gradients by parameters alone.
pub(crate) fn check_parameters(
    model: &Model,
    paths: &[String],
    start: &State,
    (settings, steps): (SolverSettings, usize),
    name: &str,
) -> Gradient {
    let compiled = model.compile().unwrap();
    let sum = Sum::new(&compiled);
    let parameters: Vec<Parameter> =
        paths.iter().map(|path| Parameter::constant(model, path).unwrap()).collect();
    let trajectory = Trajectory { model, settings, step: H, steps };
    let mut objective = sum.objective();
    let found = trajectory.gradient(Some(start), &parameters, &mut objective).unwrap();
    let value = run(model, start, (settings, steps));
    assert!(
        (found.value - value).abs() < 1e-9 * value.abs().max(1e-3),
        "{name}: {} {value}",
        found.value
    );
    for (parameter, found) in parameters.iter().zip(&found.parameters) {
        let expected = by_differences(model, parameter, start, (settings, steps));
        // What hardly changes the sum is compared with what rounding leaves of it.
        let scale = expected.abs().max(1e-5 * value.abs() / size(model, parameter));
        assert_near(found[0], expected, scale, &format!("{name}, {}", parameter.path));
    }
    found
}

/// Size of a number; of one that is zero, of the largest of its unit in its component.
fn size(model: &Model, parameter: &Parameter) -> f64 {
    let property = model.property(&parameter.path).unwrap();
    let alike = match property.host() {
        Address::Component(id) if parameter.values[0] == 0.0 => model.properties(id),
        _ => vec![property],
    };
    let alike = alike.into_iter().filter(|it| it.info().unit == property.info().unit);
    alike.filter_map(|it| model.get_real(&it).ok()).fold(0.0, |most, it| f64::max(most, it.abs()))
}

/// Derivative of the number of a run by a number of its model, by central differences.
fn by_differences(
    model: &Model,
    parameter: &Parameter,
    start: &State,
    run_by: (SolverSettings, usize),
) -> f64 {
    let property = model.property(&parameter.path).unwrap();
    let at = parameter.values[0];
    let value = |by: f64| {
        let mut model = model.clone();
        model.set_property(&property, Value::Real(at + by)).unwrap();
        run(&model, start, run_by)
    };
    derivative(value, 1e-3 * size(model, parameter))
}

/// A direction of all rows that are free.
fn free_direction(compiled: &CompiledModel) -> Vec<Vec3> {
    let fixed = compiled
        .multibody()
        .map_or_else(|| compiled.fixed().to_vec(), |it| it.reduced_fixed(compiled.fixed()));
    let direction = |(row, fixed): (usize, &[bool; 3])| {
        let wave = |axis: usize| (2.3 * (3 * row + axis) as f64).sin();
        Vec3::from_fn(|axis, _| if fixed[axis] { 0.0 } else { wave(axis) })
    };
    fixed.iter().enumerate().map(direction).collect()
}

/// Compares the gradient by the start along two directions: of positions, not those of bodies, and of velocities.
fn check_start(
    compiled: &CompiledModel,
    model: &Model,
    (start, gradient): (&State, &StateVector),
    run_by: (SolverSettings, usize),
    name: &str,
) {
    let bodies = compiled.multibody().map_or(&[][..], |it| &it.bodies);
    let of_body = |row: usize| bodies.iter().any(|it| [it.row, it.row + 1].contains(&(row as u32)));
    let directions = free_direction(compiled);
    for by_velocities in [false, true] {
        let value = |by: f64| {
            let mut moved = start.clone();
            for (row, direction) in directions.iter().enumerate() {
                match by_velocities {
                    true => moved.u[row] += direction * by,
                    false if !of_body(row) => moved.q[row] += direction * by,
                    false => {}
                }
            }
            place(compiled, &mut moved);
            run(model, &moved, run_by)
        };
        let of = if by_velocities { &gradient.u } else { &gradient.q };
        let rows = directions.iter().enumerate().filter(|(row, _)| by_velocities || !of_body(*row));
        let found: f64 = rows.map(|(row, direction)| direction.dot(&of[row])).sum();
        let expected = derivative(value, if by_velocities { 1e-3 } else { 1e-6 });
        let what = if by_velocities { "velocities" } else { "positions" };
        assert_near(
            found,
            expected,
            expected.abs().max(1e-3),
            &format!("{name}, {what} at the start"),
        );
    }
}

/// Puts attached points where their masters have them.
fn place(compiled: &CompiledModel, state: &mut State) {
    let Some(multibody) = compiled.multibody() else { return };
    let mut turns = vec![sinew::Mat3::zeros(); multibody.bodies.len()];
    multibody.update_turns(&state.q, &mut turns);
    multibody.place_attached(&mut turns, &mut state.q);
    let mut attachments = multibody.attachments.resolved.clone();
    attachments.update_weights(&multibody.weights_at(&state.q));
    attachments.expand_velocity(&mut state.u);
}

/// A block of two cells, one end fixed, under its weight and with damping.
fn block(law: MaterialSpec) -> (Model, Handle<FemModel>) {
    let mut model = in_plane(9.81);
    let mesh = grid(BeamElement::Hex, [2, 1, 1], [0.2, 0.1, 0.1], Vec3::zeros());
    let mut fem = FemModel::new("tissue", mesh, 1050.0, law);
    fem.fibres = vec![Vec3::new(1.0, 0.4, 0.2); 2];
    fem.sheets = vec![Vec3::new(0.3, 1.0, -0.4)];
    fem.mass_damping = 2.0;
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
    let fem = model.add(fem);
    (model, fem)
}

/// The numbers of a law.
fn constants(model: &Model, fem: Handle<FemModel>) -> Vec<String> {
    let of_law = |name: &str| name.starts_with("material.");
    let known = model.properties(fem.id()).into_iter().filter(|it| of_law(it.info().name));
    let numbers = known.filter(|it| model.get_real(it).is_ok());
    numbers.map(|it| model.property_path(&it)).collect()
}

#[test]
fn gradients_through_tissue_of_every_law_are_those_of_its_steps() {
    for law in MaterialSpec::examples().into_iter().filter(|law| !law.kind().muscle) {
        let (model, fem) = block(law);
        let mut paths = constants(&model, fem);
        assert!(!paths.is_empty(), "{}", law.name());
        paths.push(format!("{}:density", model.path(fem)));
        check(&model, &paths, (settings(Integrator::BackwardEuler), 3), law.name());
    }
}

#[test]
fn gradients_of_trapezoidal_steps_are_those_of_their_steps() {
    for name in ["neo_hookean", "corotated"] {
        let (mut model, fem) = block(MaterialSpec::from_name(name).unwrap());
        model[fem].stiffness_damping = 0.002;
        let paths = constants(&model, fem);
        check(&model, &paths, (settings(Integrator::Trapezoidal), 4), name);
    }
}

/// Excitations of scenes, as paths.
pub(crate) fn excitations(Excitable { model, excited, .. }: &mut Excitable) -> Vec<String> {
    let mut paths = Vec::new();
    for (k, &id) in excited.iter().enumerate() {
        let property = model.property_of(id, "excitation").unwrap();
        model.set_property(&property, Value::Real(0.3 + 0.05 * k as f64)).unwrap();
        paths.push(model.property_path(&property));
    }
    paths
}

#[test]
fn gradients_by_excitations_of_lines_and_bundles_are_those_of_the_steps() {
    for (name, mut scene) in [("particles", particles()), ("tissue", tissue())] {
        let paths = excitations(&mut scene);
        check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 5), name);
    }
}

/// Stress by active strain is not linear in the activation.
#[test]
fn gradients_by_the_excitation_of_active_strain_are_those_of_the_steps() {
    let mut scene = tissue();
    let bundles: Vec<_> = scene.model.iter::<MuscleBundle>().map(|(handle, _)| handle).collect();
    for bundle in bundles {
        scene.model[bundle].material =
            MaterialSpec::ActiveStrainMuscle(ActiveStrainMuscleConstants::default());
    }
    let paths = excitations(&mut scene);
    check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 5), "active strain");
}

/// More steps than are kept: states are kept at some places, and steps between these are taken again.
#[test]
fn gradients_of_a_run_that_is_too_long_to_be_kept_are_those_of_its_steps() {
    let mut model = in_plane(9.81);
    let wall = model.add(Particle::new(1.0, Vec3::new(0.0, 0.3, 0.0)).fixed());
    let mass = model.add(Particle::new(0.5, Vec3::new(0.2, 0.1, 0.05)));
    let law = AxialLaw::Linear(LinearSpring { stiffness: 40.0, damping: 2.0 });
    model.add(AxialSpring::with_law([wall, mass].map(PointRef::from), law));
    let path = model.property_path(&model.property_of(mass.id(), "mass").unwrap());
    let parameters = [Parameter::constant(&model, &path).unwrap()];
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model: &model, settings, step: H, steps: 59_000 };
    let sum = Sum::new(&model.compile().unwrap());
    let mut objective = sum.objective();
    let backward = trajectory.gradient(None, &parameters, &mut objective).unwrap().parameters[0][0];
    let mut forward = 0.0;
    let mut visit = |step: usize, state: &State, _: &CompiledModel, changes: &[StateVector]| {
        let mut own = StateVector::zeros(state);
        sum.add(step, state, Some(&mut own));
        forward += own.dot(&changes[0]);
    };
    trajectory.sensitivities(None, &parameters, &mut visit).unwrap();
    assert_near(forward, backward, backward.abs(), &path);
}

#[test]
fn gradients_through_bodies_joints_and_attachments_are_those_of_the_steps() {
    let mut scene = pendulum([2.0, 1.0]).0;
    let paths = excitations(&mut scene);
    check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 6), "pendulum");
    let mut scene = hexapod(|length| peck(8.0, length)).0;
    let mut paths = excitations(&mut scene);
    paths.push("/models/mechanism/rigid_bodies/platform:inertial_damping".to_owned());
    check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 4), "hexapod");
    let mut scene = attached_tissue();
    let mut paths = excitations(&mut scene);
    paths.push("/models/mechanism/fem_models/tissue:mass_damping".to_owned());
    check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 3), "tissue on a body");
}

/// Sensitivities forwards and gradients backwards are the same numbers; one value a step adds up to one for all.
#[test]
fn sensitivities_forwards_are_the_gradients_backwards() {
    let mut scene = attached_tissue();
    let paths = excitations(&mut scene);
    let model = &scene.model;
    let (settings, steps) = (settings(Integrator::BackwardEuler), 4);
    let trajectory = Trajectory { model, settings, step: H, steps };
    let constant: Vec<Parameter> =
        paths.iter().map(|path| Parameter::constant(model, path).unwrap()).collect();
    let each: Vec<Parameter> = constant
        .iter()
        .map(|it| Parameter { values: vec![it.values[0]; steps], ..it.clone() })
        .collect();
    let sum = Sum::new(&model.compile().unwrap());
    let mut objective = sum.objective();
    let whole = trajectory.gradient(None, &constant, &mut objective).unwrap();
    let parts = trajectory.gradient(None, &each, &mut objective).unwrap();
    let mut forward = vec![0.0; paths.len()];
    let mut visit = |step: usize, state: &State, _: &CompiledModel, changes: &[StateVector]| {
        let mut own = StateVector::zeros(state);
        sum.add(step, state, Some(&mut own));
        forward.iter_mut().zip(changes).for_each(|(sum, change)| *sum += own.dot(change));
    };
    trajectory.sensitivities(None, &constant, &mut visit).unwrap();
    for k in 0..paths.len() {
        let expected = whole.parameters[k][0];
        let parts: f64 = parts.parameters[k].iter().sum();
        assert_near(parts, expected, expected.abs(), &paths[k]);
        assert_near(forward[k], expected, expected.abs(), &paths[k]);
    }
}

#[test]
fn what_steps_are_not_differentiated_through_is_said() {
    let scene = resting_box(0.5);
    let model = &scene.model;
    let mut objective = |_: usize, _: &State, _: &CompiledModel, _: &mut StateVector| 0.0;
    let trajectory = Trajectory { model, settings: SolverSettings::default(), step: H, steps: 3 };
    let error = trajectory.gradient(None, &[], &mut objective).unwrap_err();
    assert!(error.to_string().contains("--newton"), "{error}");
    let values = vec![0.0; 2];
    let path = "/models/mechanism/rigid_bodies/box:mass".to_owned();
    let parameter = Parameter { path, values };
    let error = trajectory.gradient(None, &[parameter], &mut objective).unwrap_err();
    assert!(error.to_string().contains("one or one a step"), "{error}");
}

#[test]
fn tissue_whose_stress_relaxes_is_refused_by_its_name() {
    let Excitable { mut model, .. } = tissue();
    model.fem_mut(0).prony = PronySeries::new([[0.1, 0.5]]);
    let name = model.fem(0).name.clone();
    let mut objective = |_: usize, _: &State, _: &CompiledModel, _: &mut StateVector| 0.0;
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model: &model, settings, step: H, steps: 2 };
    let error = trajectory.gradient(None, &[], &mut objective).unwrap_err().to_string();
    assert!(error.contains(&format!("viscoelastic tissue '{name}'")), "{error}");
}
