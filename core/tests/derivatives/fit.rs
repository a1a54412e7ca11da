//! Constants of materials that are found again from noisy points of the surface.

use sinew::Vec3;
use sinew::adjoint::{AdjointError, Fit, FitParameter, FitResult, Trajectory};
use sinew::component::Handle;
use sinew::inverse::{MotionTarget, TargetKind};
use sinew::material::MaterialSpec;
use sinew::model::{Dirichlet, FemModel, Model, PointRef};
use sinew::property::Value;
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, NewtonSettings, SolverSettings};
use sinew_datasets::beam::BeamElement;

use crate::scenes::{grid, in_plane, nodes_where};

const H: f64 = 0.01;
const STEPS: usize = 12;
/// Largest noise of a coordinate [m].
const NOISE: f64 = 2e-5;
const MODULI: [f64; 2] = [2e4, 6e4];
/// Records that moduli are found from.
const RECORDS: u64 = 40;

fn settings() -> SolverSettings {
    let newton = NewtonSettings { max_iterations: 50, tolerance: 1e-12 };
    let integrator = Integrator::BackwardEuler(ImplicitMode::Newton(newton));
    SolverSettings { integrator, ..Default::default() }
}

/// Two bars of tissue that fall from the horizontal, and the points of their free ends.
fn bars() -> (Model, [Handle<FemModel>; 2], Vec<MotionTarget>) {
    let mut model = in_plane(9.81);
    let mut targets = Vec::new();
    let fems = [("soft", 0.0), ("firm", 0.1)].map(|(name, z)| {
        let mesh = grid(BeamElement::Hex, [3, 1, 1], [0.15, 0.04, 0.04], Vec3::z() * z);
        let law = MaterialSpec::from_name("neo_hookean").unwrap();
        let mut fem = FemModel::new(name, mesh, 1000.0, law);
        fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
        let ends = nodes_where(&fem.mesh, |x| x.x > 0.09);
        let fem = model.add(fem);
        let points = ends.into_iter().map(|node| PointRef::FemNode(fem, node));
        targets.extend(points.map(|point| MotionTarget::new(TargetKind::Point(point))));
        fem
    });
    (model, fems, targets)
}

fn paths(model: &Model, fems: &[Handle<FemModel>; 2]) -> [String; 2] {
    fems.map(|fem| format!("{}:material.youngs_modulus", model.path(fem)))
}

/// Numbers of the targets after each step of the model with these moduli.
fn record(model: &Model, paths: &[String; 2], targets: &[MotionTarget]) -> Vec<Vec<f64>> {
    let mut model = model.clone();
    for (path, modulus) in paths.iter().zip(MODULI) {
        let property = model.property(path).unwrap();
        model.set_property(&property, Value::Real(modulus)).unwrap();
    }
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings()).unwrap();
    let mut state = compiled.initial_state();
    let mut rows = Vec::new();
    for _ in 0..STEPS {
        solver.step(&compiled, &mut state, H).unwrap();
        let mut row = Vec::new();
        for target in targets {
            let TargetKind::Point(point) = target.kind else { panic!("{target:?}") };
            let place = state.q[compiled.find_row(point).unwrap()];
            row.extend(place.iter());
        }
        rows.push(row);
    }
    rows
}

/// The same with noise of triangular distribution.
fn with_noise(mut rows: Vec<Vec<f64>>, seed: u64) -> Vec<Vec<f64>> {
    let mut seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut uniform = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for number in rows.iter_mut().flatten() {
        *number += NOISE * (uniform() + uniform());
    }
    rows
}

/// Moduli by the record of noise `seed`.
fn fit(upper: f64, seed: u64) -> FitResult {
    let (model, fems, targets) = bars();
    let paths = paths(&model, &fems);
    let rows = with_noise(record(&model, &paths, &targets), seed);
    let mut parameters = Vec::new();
    for path in &paths {
        let mut parameter = FitParameter::of(&model, path).unwrap();
        (parameter.start, parameter.lower, parameter.upper) = (4e4, 5e3, upper);
        parameters.push(parameter);
    }
    let trajectory = Trajectory { model: &model, settings: settings(), step: H, steps: STEPS };
    let fit = Fit { trajectory, parameters, targets, iterations: 20 };
    let mut signal = move |time: f64, values: &mut [f64]| {
        values.copy_from_slice(&rows[(time / H).round() as usize - 1]);
    };
    let mut errors = Vec::new();
    let found = fit.run(&mut signal, &mut |progress| errors.push(progress.error)).unwrap();
    assert!(errors.windows(2).all(|pair| pair[1] <= pair[0]), "{errors:?}");
    found
}

/// Records of noise of their own: an error bar is the standard deviation of what they say, so that 68 % of them are within one.
#[test]
fn the_moduli_of_two_tissues_are_found_from_noisy_points_within_their_own_error_bar() {
    let mut bars_off = [Vec::new(), Vec::new()];
    for seed in 1..=RECORDS {
        let found = fit(2e5, seed);
        assert!(found.converged && found.at_bound == [false; 2], "{found:?}");
        for (k, modulus) in MODULI.into_iter().enumerate() {
            let bar = found.errors[k];
            assert!(bar < 0.01 * modulus, "{found:?}");
            bars_off[k].push((found.values[k] - modulus) / bar);
        }
        // The standard deviation of the noise is its largest value over the square root of 6.
        let ratio = found.error / (NOISE / 6f64.sqrt());
        assert!((0.9..1.1).contains(&ratio), "{ratio} {found:?}");
    }
    for off in &bars_off {
        // 27 of 40 are expected, with a standard deviation of 3.
        let within = off.iter().filter(|it| it.abs() < 1.0).count();
        assert!((19..=36).contains(&within), "{within} of {RECORDS} are within one bar: {off:?}");
    }
    // Of 80 values the root mean square is 1, with a standard deviation of 0.08.
    let squares: f64 = bars_off.iter().flatten().map(|it| it * it).sum();
    let deviation = (squares / (2.0 * RECORDS as f64)).sqrt();
    assert!((0.76..1.24).contains(&deviation), "{deviation} bars");
}

#[test]
fn a_value_beyond_a_bound_is_left_there_and_said() {
    let found = fit(5e4, 1);
    assert!(found.converged && found.at_bound == [false, true], "{found:?}");
    assert_eq!(found.values[1], 5e4);
}

#[test]
fn a_record_of_too_little_is_refused() {
    let (model, fems, _) = bars();
    let path = paths(&model, &fems)[0].clone();
    let parameters = vec![FitParameter::of(&model, &path).unwrap()];
    let trajectory = Trajectory { model: &model, settings: settings(), step: H, steps: 1 };
    let fit = Fit { trajectory, parameters, targets: Vec::new(), iterations: 5 };
    let error = fit.run(&mut |_: f64, _: &mut [f64]| {}, &mut |_| {}).unwrap_err();
    assert!(matches!(error, AdjointError::Length { what: "the record", .. }), "{error}");
}
