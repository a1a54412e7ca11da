//! Tissue whose stress relaxes: matrices are the derivatives of forces, rigid motions turn what is remembered, memory
//! advances with accepted steps alone, equilibria are those of the long run, and no energy is made.

use nalgebra::{DMatrix, Rotation3};
use sinew::component::Affine;
use sinew::fem::{ElementKind, Incompressible};
use sinew::force::JacobianScale;
use sinew::force::VelocityTerms::{self, Excluded, Included};
use sinew::linalg::BlockMatrix;
use sinew::material::{LawFrame, Material, MaterialSpec, PronyLaw, PronySeries, PronyStress};
use sinew::model::{Edit, FemModel, Model, Particle};
use sinew::solve::{Integrator, MechSystemSolver, NewtonSettings, SolverSettings, StaticSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, Refresh, State};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use crate::fixture::{
    ISOTROPIC, all_laws, dense, distorted_mesh, flat, floating, in_pool, is_corotated,
    is_exponential, largest, random_state, with_integrator,
};

/// Length of a step [s].
const H: f64 = 0.02;
const STRESSES: [PronyStress; 2] = [PronyStress::SecondPiolaKirchhoff, PronyStress::Cauchy];

/// Two terms about the length of a step.
fn series(stress: PronyStress) -> PronySeries {
    PronySeries { stress, ..PronySeries::new([[0.01, 0.7], [0.3, 0.4]]) }
}

fn relaxing(kind: ElementKind, law: MaterialSpec, prony: PronySeries) -> Model {
    let mut model = floating(distorted_mesh(kind), law);
    model.fem_mut(0).prony = prony;
    model
}

/// A state that came through two others, and the positions of the next.
fn history(model: &CompiledModel) -> State {
    let mut state = model.initial_state();
    for seed in [5, 6] {
        let motion = random_state(model, seed);
        (state.q, state.u) = (motion.q, motion.u);
        model.advance_memory(H, &mut state);
        state.time += H;
    }
    let next = random_state(model, 7);
    (state.q, state.u) = (next.q, next.u);
    state
}

/// Forces `step` [s] after the memory of a state.
fn forces(model: &CompiledModel, state: &State, step: f64, velocity: VelocityTerms) -> Vec<Vec3> {
    let mut f = vec![Vec3::zeros(); state.q.len()];
    model.forces(LoadCase::at(state.time), Motion::of(state, step), velocity, &mut f).unwrap();
    f
}

/// -scale.position df/dq - scale.velocity df/du a step after the memory, with what turns add.
fn jacobian(model: &CompiledModel, state: &State, [position, velocity]: [f64; 2]) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(model.pattern().clone());
    let (load, scale) = (LoadCase::at(state.time), JacobianScale { position, velocity });
    let motion = Motion::of(state, H);
    model.add_jacobian(load, motion, scale, &mut matrix).unwrap();
    model.add_jacobian_of_turns(load, motion, scale, &mut matrix).unwrap();
    matrix
}

/// -df/dq by central differences, a step after the memory.
fn differences(model: &CompiledModel, state: &State) -> DMatrix<f64> {
    const STEP: f64 = 1e-7;
    let columns: Vec<_> = (0..3 * state.q.len())
        .map(|i| {
            let at = |by: f64| {
                let mut moved = state.clone();
                moved.q[i / 3][i % 3] += by;
                flat(&forces(model, &moved, H, Excluded))
            };
            (at(-STEP) - at(STEP)) / (2.0 * STEP)
        })
        .collect();
    DMatrix::from_columns(&columns)
}

/// True if one law of each shape is enough for this kind of element.
fn left_out(kind: ElementKind, law: &MaterialSpec) -> bool {
    kind.is_quadratic() && law.name() != "mr" && law.name() != "corot"
}

#[test]
fn stiffness_is_minus_the_derivative_of_the_forces() {
    for kind in ElementKind::ALL {
        for law in all_laws().into_iter().filter(|law| !left_out(kind, law)) {
            let model = relaxing(kind, law, series(STRESSES[0])).compile().unwrap();
            let state = history(&model);
            let mut expected = differences(&model, &state);
            if is_corotated(&law) {
                expected = (&expected + expected.transpose()) * 0.5;
            }
            let exact = dense(&jacobian(&model, &state, [1.0, 0.0]));
            let error = (&expected - &exact).amax() / exact.amax();
            let allowed = if is_exponential(&law) { 1e-5 } else { 1e-6 };
            assert!(error < allowed, "{} {}: error {error:.1e}", kind.name(), law.name());
        }
    }
}

/// With pressures of elements, of nodes, and with the volume at centres, which do not relax.
#[test]
fn stiffness_of_nearly_incompressible_tissue_is_minus_the_derivative_of_the_forces() {
    let mut count = 0;
    for kind in ElementKind::ALL {
        for law in ["mr", "corot"].map(|name| MaterialSpec::from_name(name).unwrap()) {
            for way in [Incompressible::Element, Incompressible::Nodal, Incompressible::Fbar] {
                if way.rule(kind, &law).is_err() {
                    continue;
                }
                let mut model = relaxing(kind, law, series(STRESSES[0]));
                model.fem_mut(0).incompressible = way;
                let model = model.compile().unwrap();
                // Where elements turn, the turns of volumes around nodes are left out: at rest there are none.
                let mut state = history(&model);
                if is_corotated(&law) {
                    state = model.initial_state();
                }
                let exact = dense(&jacobian(&model, &state, [1.0, 0.0]));
                let error = (differences(&model, &state) - &exact).amax() / exact.amax();
                assert!(error < 1e-6, "{} {} {way:?}: {error:.1e}", kind.name(), law.name());
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count} cases");
}

/// The tangent of a Cauchy stress that turns is the symmetric part of the derivative where nothing is stretched.
#[test]
fn stiffness_of_a_cauchy_stress_that_relaxes_is_that_of_small_stretches() {
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Tet10] {
        for law in ["neohook", "mr"].map(|name| MaterialSpec::from_name(name).unwrap()) {
            let model = relaxing(kind, law, series(STRESSES[1])).compile().unwrap();
            assert!(model.leaves_out_turns());
            let mut state = history(&model);
            let rotation = Rotation3::from_euler_angles(0.4, -0.7, 1.1);
            for (q, rest) in state.q.iter_mut().zip(model.rest_positions()) {
                *q = rotation * rest;
            }
            let derivative = differences(&model, &state);
            let symmetric = (&derivative + derivative.transpose()) * 0.5;
            let exact = dense(&jacobian(&model, &state, [1.0, 0.0]));
            let error = (&symmetric - &exact).amax() / exact.amax();
            assert!(error < 1e-6, "{} {}: error {error:.1e}", kind.name(), law.name());
        }
    }
}

#[test]
fn damping_by_stiffness_is_that_of_the_law_and_does_not_depend_on_the_step() {
    for law in [MaterialSpec::NeoHookean(ISOTROPIC), MaterialSpec::Corotated(ISOTROPIC)] {
        let damped = |prony: PronySeries| {
            let mut model = relaxing(ElementKind::Hex8, law, prony);
            model.fem_mut(0).stiffness_damping = 0.02;
            model.compile().unwrap()
        };
        let (elastic, model) = (damped(PronySeries::default()), damped(series(STRESSES[0])));
        let state = history(&model);
        let share = |model: &CompiledModel| {
            let [with, without] = [Included, Excluded].map(|it| forces(model, &state, H, it));
            flat(&with) - flat(&without)
        };
        let (ours, expected) = (share(&model), share(&elastic));
        let error = (&ours - &expected).amax() / expected.amax();
        assert!(error < 1e-12, "{}: error {error:.1e}", law.name());
        // A matrix by velocity alone, which turns have no part in.
        let [ours, expected] =
            [&model, &elastic].map(|model| dense(&jacobian(model, &state, [0.0, 1.0])));
        assert!((&ours - &expected).amax() < 1e-12 * expected.amax(), "{}", law.name());
    }
}

#[test]
fn turning_a_tissue_turns_its_forces_whatever_it_remembers() {
    let rotation = Rotation3::from_euler_angles(2.0, -0.7, 1.1);
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge15] {
        for law in all_laws().into_iter().filter(|law| law.law::<f64>().frame() != LawFrame::Rest) {
            for stress in STRESSES {
                let model = relaxing(kind, law, series(stress)).compile().unwrap();
                let mut state = history(&model);
                let before = forces(&model, &state, H, Excluded);
                state.q.iter_mut().for_each(|q| *q = rotation * *q);
                let after = forces(&model, &state, H, Excluded);
                let off = before.iter().zip(&after).map(|(f, g)| (rotation * f - g).norm());
                let error = off.fold(0.0, f64::max) / largest(&before);
                assert!(error < 1e-10, "{} {} {stress:?}: {error:.1e}", kind.name(), law.name());
                // What is remembered has neither resultant nor moment.
                let resultant: Vec3 = after.iter().sum();
                let moment: Vec3 = after.iter().zip(&state.q).map(|(f, q)| q.cross(f)).sum();
                let size = largest(&after);
                let name = format!("{} {} {stress:?}", kind.name(), law.name());
                assert!(resultant.norm() < 1e-11 * size, "{name}");
                let whole = law.law::<f64>().frame() == LawFrame::Point;
                assert!(!whole || moment.norm() < 1e-11 * size, "{name}: {:.1e}", moment.norm());
            }
        }
    }
}

/// The stress of a step, by the memory at its start, is that which the memory at its end tells at once.
#[test]
fn memory_at_the_end_of_a_step_tells_its_forces() {
    for law in [MaterialSpec::NeoHookean(ISOTROPIC), MaterialSpec::Corotated(ISOTROPIC)] {
        for stress in STRESSES {
            let model = relaxing(ElementKind::Hex8, law, series(stress)).compile().unwrap();
            let mut state = history(&model);
            let by_start = flat(&forces(&model, &state, H, Excluded));
            model.advance_memory(H, &mut state);
            let by_end = flat(&forces(&model, &state, 1e-12, Excluded));
            let error = (&by_start - &by_end).amax() / by_end.amax();
            assert!(error < 1e-8, "{} {stress:?}: {error:.1e}", law.name());
        }
    }
}

#[test]
fn one_tissue_in_both_conventions_has_the_same_forces() {
    let (law, stress) = (MaterialSpec::NeoHookean(ISOTROPIC), STRESSES[0]);
    let long = relaxing(ElementKind::Hex8, law, series(stress));
    let mut at_once = long.clone();
    // 1 + 0.7 + 0.4 times as stiff at once.
    at_once.fem_mut(0).material = MaterialSpec::NeoHookean(sinew::material::Isotropic {
        youngs_modulus: 2.1 * ISOTROPIC.youngs_modulus,
        ..ISOTROPIC
    });
    let terms = [[0.01, 0.7 / 2.1], [0.3, 0.4 / 2.1]];
    at_once.fem_mut(0).prony =
        PronySeries { law: PronyLaw::Instantaneous, stress, ..PronySeries::new(terms) };
    let [a, b] = [long, at_once].map(|model| {
        let model = model.compile().unwrap();
        let state = history(&model);
        (flat(&forces(&model, &state, H, Excluded)), model.energies(&state).strain)
    });
    assert!((&a.0 - &b.0).amax() < 1e-12 * a.0.amax());
    assert!((a.1 - b.1).abs() < 1e-12 * a.1, "{} J and {} J", a.1, b.1);
}

/// A beam under its weight, with a stress that relaxes.
fn hanging(law: Law) -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: [6, 2, 2] };
    let mut model = beam(&BeamParams { grid, law, ..BeamParams::default() }).unwrap();
    model.fem_mut(0).prony = PronySeries::new([[0.02, 0.5], [0.5, 1.0]]);
    model
}

#[test]
fn equilibrium_is_that_of_the_long_run_and_stays() {
    let statics = || with_integrator(Integrator::Static(StaticSettings::default()));
    for law in [Law::Corotated, Law::NeoHookean] {
        let model = hanging(law).compile().unwrap();
        let mut elastic = hanging(law);
        elastic.fem_mut(0).prony = PronySeries::default();
        let elastic = elastic.compile().unwrap();
        let settled = |model: &CompiledModel| {
            let mut state = model.initial_state();
            let mut solver = MechSystemSolver::new(model, statics()).unwrap();
            solver.step(model, &mut state, H).unwrap();
            state
        };
        let (mut state, expected) = (settled(&model), settled(&elastic));
        let off = |a: &State, b: &State| (flat(&a.q) - flat(&b.q)).amax();
        let sag = off(&expected, &elastic.initial_state());
        assert!(off(&state, &expected) < 1e-9 * sag, "{} of {sag} m", off(&state, &expected));
        let start = state.clone();
        let mut solver = MechSystemSolver::new(&model, SolverSettings::default()).unwrap();
        for _ in 0..10 {
            solver.step(&model, &mut state, H).unwrap();
        }
        // The equilibrium is found to 1e-6 of the weight.
        assert!(off(&state, &start) < 1e-5 * sag, "{} of {sag} m", off(&state, &start));
    }
}

#[test]
fn relaxing_beams_move_bit_for_bit_the_same_on_any_number_of_threads() {
    let bits = |law: Law, threads: usize| {
        in_pool(threads, || {
            let model = hanging(law).compile().unwrap();
            let mut state = model.initial_state();
            let mut solver = MechSystemSolver::new(&model, SolverSettings::default()).unwrap();
            for _ in 0..5 {
                solver.step(&model, &mut state, 0.01).unwrap();
            }
            let numbers = state.q.iter().chain(&state.u).flatten().chain(&state.memory);
            numbers.map(|x| x.to_bits()).collect::<Vec<_>>()
        })
    };
    for law in [Law::Corotated, Law::NeoHookean] {
        let one = bits(law, 1);
        assert!([2, 3].iter().all(|&threads| bits(law, threads) == one));
    }
}

#[test]
fn a_step_that_fails_leaves_the_memory_as_it_was() {
    let mut model = hanging(Law::NeoHookean);
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = SolverSettings::default();
    MechSystemSolver::new(&compiled, settings).unwrap().step(&compiled, &mut state, H).unwrap();
    // A step of so much weight inverts elements.
    model.set_gravity(Vec3::new(0.0, 0.0, -1e7));
    let heavy = model.compile().unwrap();
    let before = state.clone();
    let outcome = MechSystemSolver::new(&heavy, settings).unwrap().step(&heavy, &mut state, H);
    assert!(outcome.is_err(), "{outcome:?}");
    assert_eq!(state, before);
    assert!(state.memory.iter().any(|it| *it != 0.0));
}

/// A tissue that is let go from a stretch, its stresses relaxed: its energy of the long run and of its motion is never
/// above that at the start, and is lost. Of laws that are linear in their strain, by a rule that keeps energy.
#[test]
fn energy_is_lost_and_never_made() {
    let newton = NewtonSettings { max_iterations: 50, tolerance: 1e-11 };
    let laws = [MaterialSpec::Linear(ISOTROPIC), MaterialSpec::StVenantKirchhoff(ISOTROPIC)];
    for law in laws {
        for by in [PronyLaw::LongTerm, PronyLaw::Instantaneous] {
            let terms = PronySeries::new([[1e-3, 0.2], [0.01, 0.3]]);
            let prony = PronySeries { law: by, ..terms };
            let model = relaxing(ElementKind::Hex8, law, prony).compile().unwrap();
            let mut state = model.initial_state();
            for q in &mut state.q {
                q.x *= 1.1;
            }
            // Long enough ago that all stresses have relaxed.
            model.advance_memory(1e6, &mut state);
            let settings = with_integrator(Integrator::Midpoint(newton));
            let mut solver = MechSystemSolver::new(&model, settings).unwrap();
            let energy = |state: &State| {
                let it = model.energies(state);
                it.kinetic + it.strain
            };
            let start = energy(&state);
            let mut most = 0f64;
            for _ in 0..400 {
                solver.step(&model, &mut state, 5e-4).unwrap();
                most = most.max(energy(&state));
            }
            let (name, end) = (law.name(), energy(&state));
            assert!(most <= start, "{name} {by:?}: {most} of {start} J");
            assert!(end < 0.2 * start, "{name} {by:?}: {end} of {start} J");
        }
    }
}

/// Mean Cauchy stress of every element [Pa].
fn stresses(model: &CompiledModel, state: &State) -> Vec<Mat3> {
    let mut found = Vec::new();
    model.at(state).for_each_element(model.fems()[0], &mut |e, it| found.push((e, it.stress)));
    found.sort_by_key(|it| it.0);
    found.into_iter().map(|it| it.1).collect()
}

#[test]
fn what_is_remembered_goes_along_with_edits() {
    for law in [Law::Corotated, Law::NeoHookean] {
        let mut model = hanging(law);
        let mut compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
        for _ in 0..5 {
            solver.step(&compiled, &mut state, 0.01).unwrap();
        }
        let before = stresses(&compiled, &state);
        let size = before.iter().map(|it| it.amax()).fold(0.0, f64::max);
        let close = |a: &[Mat3], b: &[Mat3]| {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            assert!(a.len() == 24 && off < 1e-9 * size, "{off} of {size} Pa");
        };
        // Rows are numbered anew.
        model.add(Particle::new(1.0, Vec3::new(-1.0, 0.0, 0.0)));
        assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Recompiled);
        close(&stresses(&compiled, &state), &before);
        let fem = model.nth::<FemModel>(0);
        let turn = *Rotation3::from_euler_angles(0.3, 0.5, -0.2).matrix();
        let map = Affine::about(Vec3::zeros(), turn);
        model.edit(Edit::Transform { ids: vec![fem.id()], map }).unwrap();
        assert_eq!(model.refresh(&mut compiled, &mut state).unwrap(), Refresh::Recompiled);
        let turned: Vec<Mat3> = before.iter().map(|it| turn * it * turn.transpose()).collect();
        close(&stresses(&compiled, &state), &turned);
    }
}

#[test]
fn a_tissue_that_another_series_relaxes_begins_relaxed() {
    let mut model = hanging(Law::NeoHookean);
    let mut compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    for _ in 0..5 {
        solver.step(&compiled, &mut state, 0.01).unwrap();
    }
    let fem = model.path(model.nth::<FemModel>(0).id());
    model.set_text(&format!("{fem}:prony_series"), "0.1 0.2").unwrap();
    model.refresh(&mut compiled, &mut state).unwrap();
    let numbers: Vec<_> = state.memory.chunks(12).collect();
    assert_eq!(numbers.len(), 6 * 2 * 2 * 8);
    assert!(numbers.iter().all(|point| point[..6] == point[6..]));
    assert!(numbers.iter().any(|point| point[0] != 0.0));
}
