//! The suite of backends on the device, on the twins of its kernels, and with forces on the CPU.

use std::sync::Arc;

use sinew::axial::{ActivationDynamics, ActivationModel};
use sinew::backend::conformance::check;
use sinew::backend::{Backend, CpuBackend};
use sinew::fem::Incompressible;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{FemModel, Model, MuscleBundle, RestState};
use sinew::schedule::{MakeBackend, Simulation};
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, NewtonSettings, Preconditioning, SolverSettings,
    StaticSettings,
};
use sinew::system::{CompiledModel, State};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;
use sinew_gpu::testing::test_device;
use sinew_gpu::{
    AssistedBackend, Dispatches, GpuBackend, GpuError, IterationCounts, Options, Placed,
};

fn on_device(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    Box::new(GpuBackend::new(test_device(), system, settings).expect("the device takes the model"))
}

fn on_twins(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    let options = Options::of_twins();
    Box::new(GpuBackend::on_twins(&options, system, settings).expect("the twins take the model"))
}

/// Multigrid whatever the size, with a coarsest level so small that there are several.
fn multigrid(settings: SolverSettings) -> SolverSettings {
    SolverSettings { preconditioner: Preconditioning::Multigrid, ..settings }
}

fn with_multigrid(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    let options = Options { coarsest_dofs: 24, ..Options::of_twins() };
    let backend = GpuBackend::on_twins(&options, system, multigrid(settings));
    Box::new(backend.expect("the twins take the model"))
}

/// A matrix and lists of elements that are cut into several buffers.
fn cut(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    let options = Options { max_binding: 200_000, ..Options::of_twins() };
    let backend = GpuBackend::on_twins(&options, system, multigrid(settings));
    Box::new(backend.expect("the twins take the model"))
}

/// Forces on the CPU, and a device without 64-bit arithmetic.
fn assisted(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
    let precision = sinew_shaders::source::Precision::Single;
    let options = Options { precision, ..Options::of_twins() };
    let backend = AssistedBackend::on_twins(&options, system, settings);
    Box::new(backend.expect("the twins take the model"))
}

mod resident_on_twins {
    sinew::conformance_suite!(super::on_twins);
}

mod resident_on_the_device {
    sinew::conformance_suite!(super::on_device);
}

mod with_multigrid_on_twins {
    sinew::conformance_suite!(super::with_multigrid);
}

/// The cases that reach the linear solve in different ways; the others are the CPU's alone here.
const SOLVES: [&str; 6] = [
    "hex8_beams_fall_like_the_reference",
    "tet10_beams_fall_like_the_reference",
    "nearly_incompressible_corotated_beams_agree",
    "prescribed_supports_follow_their_schedule",
    "every_solve_meets_the_residual_asked_for",
    "the_trapezoidal_rule_agrees_on_hex8",
];

#[test]
fn forces_of_the_cpu_with_corrections_in_single_precision_agree() {
    for name in SOLVES {
        check(name, assisted).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn buffers_that_are_cut_agree() {
    for name in ["several_workgroups_of_nodes_agree", "mixed_quadratic_kinds_share_their_nodes"] {
        check(name, cut).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn multigrid_agrees_on_the_device() {
    fn make(system: Arc<CompiledModel>, settings: SolverSettings) -> Box<dyn Backend> {
        Box::new(GpuBackend::new(test_device(), system, multigrid(settings)).expect("a backend"))
    }
    for name in ["several_workgroups_of_nodes_agree", "tet4_beams_fall_like_the_reference"] {
        check(name, make).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Largest difference of two states, relative to the largest displacement from the start.
fn difference(a: &State, b: &State, start: &State) -> f64 {
    let largest = |x: &State, y: &State| {
        x.q.iter().zip(&y.q).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max)
    };
    largest(a, b) / largest(a, start)
}

/// Name of tissue whose shear modulus the matrix of a device does not hold beside that of the volume.
const TOO_STIFF: &str = "tissue whose bulk modulus is more than 2e4 times its shear modulus";

#[test]
fn what_the_device_lacks_is_named_and_left_to_the_cpu() {
    let newton = NewtonSettings { tolerance: 1e-9, ..NewtonSettings::default() };
    let settings =
        |integrator| SolverSettings { integrator, cg_tolerance: 1e-8, ..SolverSettings::default() };
    let plain = beam(&BeamParams::default()).expect("a beam");
    let linearized = Integrator::default();
    let static_settings = StaticSettings { newton, ..StaticSettings::default() };
    for (model, settings, lacks) in [
        (formed(1e5, Incompressible::Nodal), settings(linearized), TOO_STIFF),
        (
            plain.clone(),
            settings(Integrator::BackwardEuler(ImplicitMode::Newton(newton))),
            "full Newton iteration",
        ),
        (plain, settings(Integrator::Static(static_settings)), "static equilibrium"),
    ] {
        let system = Arc::new(model.compile().expect("compiles"));
        let placed = Placed::new(test_device(), system.clone(), settings).expect("a backend");
        assert_eq!(placed.missing, [lacks]);
        let mut device = placed.backend;
        let direct = SolverSettings { linear_solver: LinearSolver::Direct, ..settings };
        let mut cpu = CpuBackend::new(system.clone(), direct).expect("a solver");
        for step in 0..3 {
            let stats = device.step(0.01).unwrap_or_else(|e| panic!("{lacks}, step {step}: {e}"));
            // An equilibrium that is found needs no second solve.
            let solved = stats.bytes_up > 0 && stats.bytes_down > 0;
            assert!(solved || step > 0, "{lacks}: nothing crossed the bus");
            cpu.step(0.01).expect("the CPU steps");
        }
        let start = system.initial_state();
        let mut state = start.clone();
        device.read_state(&mut state).expect("a state");
        // The solves end at a residual of 1e-8.
        let far = difference(&state, cpu.state(), &start);
        assert!(far < 1e-6, "{lacks}: {far:e}");
    }
}

/// A beam of hexahedra with this modulus of the volume over its shear modulus.
fn pressed_beam(ratio: f64) -> Model {
    let isotropic =
        Isotropic { poissons_ratio: 0.5 * ratio / (1.0 + ratio), ..Isotropic::default() };
    let isotropic = Isotropic { youngs_modulus: 2e4, ..isotropic };
    let params = BeamParams { law: Law::NeoHookean, isotropic, ..BeamParams::default() };
    beam(&params).expect("a beam")
}

/// The same with a form of its volume.
fn formed(ratio: f64, form: Incompressible) -> Model {
    let mut model = pressed_beam(ratio);
    model.fem_mut(0).incompressible = form;
    model
}

/// The same of quadratic pyramids.
fn of_pyramids(ratio: f64) -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::QuadPyramid, counts: [1; 3] };
    let mut model = beam(&BeamParams { grid, ..BeamParams::default() }).expect("a beam");
    let material = pressed_beam(ratio).fem(0).material;
    (model.fem_mut(0).material, model.fem_mut(0).incompressible) =
        (material, Incompressible::Element);
    model
}

#[test]
fn forms_of_the_volume_that_the_device_lacks_are_named() {
    for (model, lacks) in [
        (formed(1e6, Incompressible::Element), TOO_STIFF),
        (formed(1e6, Incompressible::Nodal), TOO_STIFF),
        (of_pyramids(1e3), "tissue whose bulk modulus is more than 2e2 times its shear modulus"),
    ] {
        let system = Arc::new(model.compile().expect("compiles"));
        let options = Options::of_twins();
        match GpuBackend::on_twins(&options, system, SolverSettings::default()) {
            Err(GpuError::Unsupported { parts }) => assert_eq!(parts, [lacks]),
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("{lacks}: on the device"),
        }
    }
}

#[test]
fn few_restarts_solve_for_tissue_that_hardly_changes_its_volume() {
    // Corrections by blocks that are rounded to f32 gain fewer digits the stiffer the volume is.
    for (ratio, tolerance, restarts) in
        [(1e3, 1e-5, 1), (1e4, 1e-5, 1), (1e3, 1e-8, 3), (1e4, 1e-8, 3)]
    {
        for form in [Incompressible::Element, Incompressible::Nodal] {
            let system = Arc::new(formed(ratio, form).compile().expect("compiles"));
            let settings = SolverSettings { cg_tolerance: tolerance, ..Default::default() };
            for make in [on_twins, with_multigrid] {
                let mut backend = make(system.clone(), settings);
                for step in 0..5 {
                    let stats = backend.step(0.01).expect("a step");
                    let (iterations, found) = (stats.cg_iterations, stats.corrections);
                    println!(
                        "{form:?} {ratio:e}, {tolerance:e}: {iterations} iterations, {found} restarts"
                    );
                    let name = format!("{form:?} {ratio:e}, {tolerance:e}, step {step}");
                    assert!(found <= restarts, "{name}: {stats:?}");
                }
            }
        }
    }
}

/// A small beam with a bundle whose activation rises slowly.
fn beam_with_a_muscle() -> Model {
    let mut model = beam(&BeamParams::default()).expect("a beam");
    let tissue = model.nth::<FemModel>(0);
    let law = MaterialSpec::from_name("simple_muscle").expect("a law of the list");
    let activation = ActivationDynamics {
        model: ActivationModel::FirstOrder,
        activation_time: 0.05,
        ..ActivationDynamics::default()
    };
    model.add(MuscleBundle { excitation: 0.8, activation, ..MuscleBundle::new(tissue, law) });
    model
}

#[test]
fn muscles_stay_on_the_device_and_their_activations_come_and_go_with_the_state() {
    let system = Arc::new(beam_with_a_muscle().compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-8, ..SolverSettings::default() };
    let placed = Placed::new(test_device(), system.clone(), settings).expect("a backend");
    assert_eq!(placed.missing, [""; 0]);
    let mut cpu = CpuBackend::new(system.clone(), settings).expect("a solver");
    let mut twins = on_twins(system.clone(), settings);
    let mut start = system.initial_state();
    start.memory.fill(0.1);
    let (mut state, mut on_cpu) = (start.clone(), start.clone());
    for backend in [&mut cpu as &mut dyn Backend, twins.as_mut()] {
        backend.write_state(&start).expect("a state");
        for _ in 0..3 {
            backend.step(0.01).expect("a step");
        }
    }
    twins.read_state(&mut state).expect("a state");
    cpu.read_state(&mut on_cpu).expect("a state");
    assert!(state.memory[0] > 0.2, "{:?}", state.memory);
    assert_eq!(state.memory, on_cpu.memory);
    // What is copied beside steps has the activation of its time, and a state that is written brings its own.
    twins.start_read().expect("a read");
    twins.step(0.01).expect("a step");
    let mut copied = start.clone();
    assert!(twins.finish_read(&mut copied).expect("a read"));
    assert_eq!(copied.memory, state.memory);
    twins.write_state(&start).expect("a state");
    twins.read_state(&mut copied).expect("a state");
    assert_eq!(copied.memory, start.memory);
}

/// A beam that has grown by a share of what it will.
fn growing_beam() -> Model {
    let mut model = beam(&BeamParams::default()).expect("a beam");
    model.fem_mut(0).rest = RestState { growth: 1.3, ramp: 0.1, ..RestState::default() };
    model
}

#[test]
fn growth_that_changes_between_steps_goes_up_and_the_program_stays() {
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let grown = |make: MakeBackend| {
        let mut simulation = Simulation::with_backend(growing_beam(), make).expect("a simulation");
        let structure = simulation.structure();
        let beam = simulation.model().nth::<FemModel>(0);
        let path = format!("{}:rest.ramp", simulation.model().path(beam));
        let ramp = simulation.property(&path).expect("a property");
        for step in 1..=4 {
            simulation.step(0.01).expect("a step");
            simulation.set(&ramp, 0.1 + 0.2 * f64::from(step)).expect("a share");
        }
        simulation.step(0.01).expect("a step");
        assert_eq!(simulation.structure(), structure, "compiled anew");
        simulation.state().expect("a state").clone()
    };
    let on_cpu = grown(Box::new(move |system| Ok(Box::new(CpuBackend::new(system, settings)?))));
    let found = grown(Box::new(move |system| Ok(on_twins(system, settings))));
    let start = growing_beam().compile().expect("compiles").initial_state();
    let far = difference(&found, &on_cpu, &start);
    assert!(far < 1e-6, "{far:e}");
}

#[test]
fn a_solver_that_the_device_does_not_have_is_refused_by_name() {
    let system =
        Arc::new(beam(&BeamParams::default()).expect("a beam").compile().expect("compiles"));
    let settings =
        SolverSettings { linear_solver: LinearSolver::Direct, ..SolverSettings::default() };
    match Placed::new(test_device(), system, settings) {
        Err(GpuError::Unsupported { parts }) => assert_eq!(parts, ["sparse factorization"]),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a direct solve ran on the device"),
    }
}

/// A beam that falls on twins under multigrid with several levels.
fn falling(n: usize, tolerance: f64) -> GpuBackend {
    let model = beam(&BeamParams::kuhn(n)).expect("a beam");
    let options = Options { coarsest_dofs: 60, ..Options::of_twins() };
    let settings = SolverSettings { cg_tolerance: tolerance, ..SolverSettings::default() };
    let system = Arc::new(model.compile().expect("compiles"));
    GpuBackend::on_twins(&options, system, multigrid(settings)).expect("the twins take the model")
}

#[test]
fn few_iterations_are_recorded_beyond_those_that_are_used() {
    for tolerance in [1e-5, 1e-9] {
        let mut backend = falling(3, tolerance);
        for _ in 0..20 {
            backend.step(0.01).expect("a step");
        }
        let IterationCounts { recorded, used } = backend.iteration_counts();
        assert!(used >= 100, "{used} iterations");
        assert!(100 * recorded <= 115 * used, "{recorded} recorded for {used}");
    }
}

#[test]
fn coarse_levels_are_kept_while_they_serve_and_made_anew_after_a_waypoint() {
    let mut backend = falling(3, 1e-5);
    let steps = |backend: &mut GpuBackend, h: f64, count: u32| {
        let before = backend.renewals();
        let stats = (0..count).map(|_| backend.step(h).expect("a step"));
        let iterations: Vec<usize> = stats.map(|stats| stats.cg_iterations).collect();
        (backend.renewals() - before, iterations)
    };
    // A falling beam turns by little in a step.
    let (renewals, iterations) = steps(&mut backend, 0.002, 20);
    assert!((1..=6).contains(&renewals), "{renewals} renewals, iterations {iterations:?}");
    let (first, most) = (iterations[0], iterations.iter().max().expect("steps"));
    assert!(*most <= first + first / 2, "{iterations:?}");
    backend.forget();
    assert_eq!(steps(&mut backend, 0.002, 1).0, 1);
    assert_eq!(steps(&mut backend, 0.001, 1).0, 1, "another length of the step");
}

#[test]
fn every_part_of_a_step_keeps_within_its_budget_of_calls() {
    let found = falling(3, 1e-5).dispatches();
    let most = Dispatches {
        begin: 5,
        renew: found.renew,
        keep: 2,
        start: 12,
        iteration: 21,
        correct: 7,
        // Places and velocities of supports, among them.
        end: 3,
    };
    let within = [
        (found.begin, most.begin),
        (found.keep, most.keep),
        (found.start, most.start),
        (found.iteration, most.iteration),
        (found.correct, most.correct),
        (found.end, most.end),
    ];
    assert!(within.iter().all(|(found, most)| found <= most), "{found:?} for {most:?}");
}

#[test]
fn pressures_cost_few_calls_a_residual_and_a_matrix_and_none_an_iteration() {
    let dispatches = |ratio: f64, form: Incompressible| {
        let system = Arc::new(formed(ratio, form).compile().expect("compiles"));
        let backend = GpuBackend::on_twins(&Options::of_twins(), system, SolverSettings::default());
        backend.expect("the twins take the model").dispatches()
    };
    let plain = dispatches(10.0, Incompressible::Auto);
    // Calls of a residual and of a matrix: a solve begins with two residuals.
    for (form, residual, matrix) in [
        (Incompressible::Element, 1, 1),
        (Incompressible::Fbar, 4, 4),
        (Incompressible::Nodal, 2, 4),
    ] {
        let expected = Dispatches {
            begin: plain.begin + matrix,
            start: plain.start + 2 * residual,
            correct: plain.correct + residual,
            ..plain
        };
        assert_eq!(dispatches(1e3, form), expected, "{form:?}");
    }
}

#[test]
fn what_crosses_the_bus_in_a_step_does_not_grow_with_the_mesh() {
    let traffic = |n: usize| {
        let model = beam(&BeamParams::kuhn(n)).expect("a beam");
        let system = Arc::new(model.compile().expect("compiles"));
        let mut backend = on_twins(system, SolverSettings::default());
        // The first steps look more often, as they do not know yet how many iterations it takes.
        let steps = (0..4).map(|_| backend.step(0.01).expect("a step"));
        let stats = steps.last().expect("four steps");
        (stats.bytes_up, stats.bytes_down)
    };
    let (small, large) = (traffic(2), traffic(4));
    assert_eq!(small, large);
    assert!(small.0 + small.1 < 2_000, "{small:?} bytes");
}
