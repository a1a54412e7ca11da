//! Equilibrium, and what a step says and leaves when it cannot be taken.

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::VelocityTerms::Excluded;
use sinew::linalg::norm;
use sinew::material::MaterialSpec;
use sinew::model::{Dirichlet, FemModel, Model};
use sinew::solve::{
    ImplicitMode, Integrator, LinearSolver, MechSystemSolver, NewtonSettings, SolverSettings,
    StaticSettings,
};
use sinew::system::{CompiledModel, MechSystem, State, StepError};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use crate::fixture::{ISOTROPIC, distorted_mesh, floating, forces, laws, run, with_integrator};

/// A clamped beam under its weight; the tip sinks by some fifth of its length.
fn hanging(law: Law) -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: [6, 2, 2] };
    beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap()
}

fn static_settings(increments: usize) -> SolverSettings {
    with_integrator(Integrator::Static(StaticSettings { increments, ..StaticSettings::default() }))
}

const LAWS: [Law; 5] =
    [Law::Linear, Law::Corotated, Law::StVenantKirchhoff, Law::NeoHookean, Law::MooneyRivlin];

#[test]
fn at_equilibrium_the_forces_on_free_nodes_vanish_and_the_reactions_carry_the_weight() {
    for law in LAWS {
        let compiled = hanging(law).compile().unwrap();
        let mut state = compiled.initial_state();
        run(&compiled, &mut state, static_settings(1), (1, 0.01));
        let mut force = forces(&compiled, &state, Excluded);
        let weight: f64 = 9.8 * compiled.masses().iter().sum::<f64>();
        let resultant: Vec3 = force.iter().sum();
        let mut reaction = Vec3::zeros();
        for (f, fixed) in force.iter_mut().zip(compiled.fixed()) {
            if fixed[0] {
                reaction += *f;
                *f = Vec3::zeros();
            }
        }
        // The tolerance is 1e-10 of the largest force.
        assert!(norm(&force) < 1e-8 * weight, "{law:?}: residual {:.1e}", norm(&force));
        // Internal forces cancel, so that all forces add to the weight, and the free ones to nothing.
        assert!((resultant.z + weight).abs() < 1e-10 * weight, "{law:?}: {resultant:?}");
        assert!((reaction.z + weight).abs() < 1e-8 * weight, "{law:?}: {reaction:?}");
        assert_eq!(norm(&state.u), 0.0);
    }
}

#[test]
fn equilibrium_does_not_depend_on_the_number_of_load_increments() {
    for law in [Law::Corotated, Law::NeoHookean] {
        let compiled = hanging(law).compile().unwrap();
        let solved = |increments| {
            let mut state = compiled.initial_state();
            run(&compiled, &mut state, static_settings(increments), (1, 0.01));
            state
        };
        let (one, five) = (solved(1), solved(5));
        let error = one.q.iter().zip(&five.q).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(error < 1e-8, "{law:?}: {error:.1e} m");
    }
}

#[test]
fn dynamics_with_damping_end_at_equilibrium() {
    let mut model = hanging(Law::NeoHookean);
    model.fem_mut(0).mass_damping = 20.0;
    let compiled = model.compile().unwrap();
    let (mut settled, mut moving) = (compiled.initial_state(), compiled.initial_state());
    run(&compiled, &mut settled, static_settings(1), (1, 0.01));
    run(&compiled, &mut moving, SolverSettings::default(), (400, 0.02));
    let error = settled.q.iter().zip(&moving.q).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(error < 1e-7, "{error:.1e} m");
}

/// Takes a step that must fail, and checks that it left everything as it was, bit for bit.
fn refused(
    compiled: &CompiledModel,
    state: &mut State,
    settings: SolverSettings,
    h: f64,
) -> StepError {
    let before = state.clone();
    let mut solver = MechSystemSolver::new(compiled, settings).unwrap();
    let error = solver.step(compiled, state, h).expect_err("the step cannot be taken");
    assert_eq!(*state, before, "{error}");
    error
}

#[test]
fn a_model_that_nothing_holds_along_an_axis_is_singular_in_statics() {
    for law in laws() {
        for linear_solver in [LinearSolver::Direct, LinearSolver::ConjugateGradients] {
            let mut model = floating(distorted_mesh(ElementKind::Hex8), law);
            model.set_gravity(Vec3::new(0.0, 0.0, -9.8));
            // Fixed along x and y only, beside a tissue that is fixed altogether.
            let mut other = model.fem(0).clone();
            other.mesh.nodes.iter_mut().for_each(|p| p.y += 1.0);
            other.dirichlet.push(Dirichlet::fix((0..4).collect()));
            model.add(other);
            let sliding =
                Dirichlet { axes: [true, true, false], ..Dirichlet::fix((0..4).collect()) };
            model.fem_mut(0).dirichlet.push(sliding);
            let compiled = model.compile().unwrap();
            let mut state = compiled.initial_state();
            let settings = SolverSettings { linear_solver, ..static_settings(1) };
            match refused(&compiled, &mut state, settings, 0.01) {
                StepError::Singular { detail, .. } => {
                    assert!(detail.starts_with("nothing holds node"), "{detail}");
                    assert!(detail.ends_with("of 'tissue' along z"), "{detail}");
                }
                other => panic!("{} {linear_solver:?}: {other}", law.name()),
            }
        }
    }
}

#[test]
fn an_inverted_start_names_the_element() {
    for kind in ElementKind::ALL {
        let compiled =
            floating(distorted_mesh(kind), MaterialSpec::NeoHookean(ISOTROPIC)).compile().unwrap();
        let mut state = compiled.initial_state();
        // Mirrored: every element is inside out.
        state.q.iter_mut().for_each(|q| q.x = -q.x);
        let newton = ImplicitMode::Newton(NewtonSettings::default());
        for integrator in [
            Integrator::default(),
            Integrator::Trapezoidal(newton),
            Integrator::SymplecticEuler,
            Integrator::Static(StaticSettings::default()),
        ] {
            match refused(&compiled, &mut state, with_integrator(integrator), 0.01) {
                StepError::Inverted { fem, element, volume_ratio, time, .. } => {
                    assert_eq!((fem.as_str(), time), ("tissue", 0.0));
                    assert!(element < 32 && volume_ratio < 0.0, "{element}, J = {volume_ratio}");
                }
                other => panic!("{}: {other}", kind.name()),
            }
        }
    }
}

#[test]
fn of_two_tissues_the_one_that_is_inverted_is_named() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), laws()[0]);
    let mut far: VolumeMesh = distorted_mesh(ElementKind::Hex8);
    far.nodes.iter_mut().for_each(|p| p.x += 1.0);
    let second = model.add(FemModel::new("second", far, 1000.0, laws()[3]));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let (_, nodes) = model.fem(1).mesh.element(1);
    let corner = compiled.block_of_node(second, nodes[6] as usize);
    state.q[corner].x -= 0.5;
    match refused(&compiled, &mut state, SolverSettings::default(), 0.01) {
        StepError::Inverted { fem, element, .. } => {
            assert_eq!((fem.as_str(), element), ("second", 1))
        }
        other => panic!("{other}"),
    }
}

#[test]
fn an_explicit_step_beyond_the_stability_limit_ends_as_an_error_with_the_last_good_state() {
    let compiled = hanging(Law::NeoHookean).compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = with_integrator(Integrator::SymplecticEuler);
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut before = state.clone();
    let error = (0..200).find_map(|_| {
        before = state.clone();
        solver.step(&compiled, &mut state, 0.05).err()
    });
    match error.expect("50 ms is far beyond the limit") {
        StepError::Inverted { time, .. } | StepError::NotFinite { time, .. } => {
            assert_eq!(time, before.time);
        }
        other => panic!("{other}"),
    }
    assert_eq!(state, before);
    assert!(state.q.iter().chain(&state.u).flatten_components().all(f64::is_finite));
}

/// All scalars of a list of vectors.
trait Components<'a> {
    fn flatten_components(self) -> impl Iterator<Item = f64> + 'a;
}

impl<'a, I: Iterator<Item = &'a Vec3> + 'a> Components<'a> for I {
    fn flatten_components(self) -> impl Iterator<Item = f64> + 'a {
        self.flat_map(|v| v.iter().copied())
    }
}

#[test]
fn a_linear_model_that_overflows_names_the_point_that_is_not_finite() {
    let mut model = hanging(Law::Linear);
    model.fem_mut(0).stiffness_damping = 0.0;
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let row = compiled.block_of_node(compiled.fems()[0], 30);
    state.u[row] = Vec3::new(1e308, 0.0, 0.0);
    let settings = with_integrator(Integrator::SymplecticEuler);
    match refused(&compiled, &mut state, settings, 100.0) {
        StepError::NotFinite { point, .. } => assert_eq!(point, "node 30 of 'beam'"),
        other => panic!("{other}"),
    }
}

#[test]
fn too_few_newton_iterations_are_reported_with_their_residual() {
    let compiled = hanging(Law::NeoHookean).compile().unwrap();
    let newton = NewtonSettings { max_iterations: 1, tolerance: 1e-12 };
    for integrator in [
        Integrator::BackwardEuler(ImplicitMode::Newton(newton)),
        Integrator::Static(StaticSettings { increments: 1, newton }),
    ] {
        let mut state = compiled.initial_state();
        match refused(&compiled, &mut state, with_integrator(integrator), 0.1) {
            StepError::NotConverged { method, iterations, residual, tolerance, .. } => {
                assert_eq!((method, iterations, tolerance), ("Newton's method", 1, 1e-12));
                assert!(residual > tolerance && residual.is_finite(), "{residual}");
            }
            other => panic!("{other}"),
        }
    }
}

/// A column of hexahedra pressed beyond its buckling load, with a nudge to one side: Newton's method
/// passes through states with negative pivots and still finds the bent shape.
#[test]
fn a_column_pressed_beyond_its_critical_load_bends_aside() {
    let mesh = sinew_datasets::beam::beam_mesh(BeamElement::Hex, [10, 1, 1], [1.0, 0.1, 0.1]);
    let mesh = mesh.unwrap();
    let foot = (0..mesh.nodes.len() as u32).filter(|&i| mesh.nodes[i as usize].x < -0.499);
    let foot = foot.collect();
    let mut model = floating(mesh, MaterialSpec::NeoHookean(ISOTROPIC));
    model.fem_mut(0).dirichlet.push(Dirichlet::fix(foot));
    // Euler's load under its own weight is 7.84 E I / L², I = 1e-4/12: 3.3 N. It bears 6 N.
    model.set_gravity(Vec3::new(-0.6, 0.0, -0.006));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    run(&compiled, &mut state, static_settings(8), (1, 0.01));
    let sink = state.q.iter().map(|q| q.z).fold(f64::INFINITY, f64::min);
    assert!(sink < -0.25, "lowest z {sink}");
}

/// The velocities take every point to the other side of the support within one step, which bends no law enough to
/// resist: positions at the start are fine, those at the end are not.
#[test]
fn a_step_that_would_end_inverted_is_refused_and_changes_nothing() {
    let linearized = Integrator::BackwardEuler(ImplicitMode::Linearized);
    let trapezoidal = Integrator::Trapezoidal(ImplicitMode::Linearized);
    for law in [Law::NeoHookean, Law::MooneyRivlin] {
        for integrator in [linearized, trapezoidal, Integrator::SymplecticEuler] {
            let compiled = hanging(law).compile().unwrap();
            let (mut state, h) = (compiled.initial_state(), 1e-7);
            for (row, u) in state.u.iter_mut().enumerate() {
                u.x = -2.0 * state.q[row].x / h;
            }
            let before = state.clone();
            let mut solver = MechSystemSolver::new(&compiled, with_integrator(integrator)).unwrap();
            match solver.step(&compiled, &mut state, h) {
                Err(StepError::Inverted { volume_ratio, time, .. }) => {
                    // Those at the support are torn apart, the others inverted.
                    let torn = volume_ratio > 2.0;
                    assert!(
                        (volume_ratio <= 0.0 || torn) && time == 0.0,
                        "{law:?}: {volume_ratio} at {time}"
                    );
                }
                other => panic!("{law:?}, {integrator:?}: {other:?}"),
            }
            assert_eq!((state.q, state.u), (before.q, before.u), "{law:?}, {integrator:?}");
        }
    }
}
