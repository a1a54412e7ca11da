//! Tissue whose stress relaxes: what is left of earlier stresses, and what points remember.

use sinew::Vec3;
use sinew::fem::ElementKind;
use sinew::material::{MaterialSpec, PronySeries, PronyStress};
use sinew::model::RestState;
use sinew::system::{CompiledModel, MechSystem, Motion, State};
use sinew_gpu::elements::Twins;
use sinew_shaders::cpu::Real;
use sinew_shaders::machine::ElementTwins;

use crate::fixture::{STEP, Setup, distorted_mesh, error, laws, model, noise, turned};
use crate::forces::{WHOLE, expected_in};
use crate::matrix::compare_in;

const KINDS: [ElementKind; 3] = [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge15];
const STRESSES: [PronyStress; 2] = [PronyStress::SecondPiolaKirchhoff, PronyStress::Cauchy];

/// Two cells of a kind that have grown a little, with terms shorter and longer than a step.
fn relaxing(kind: ElementKind, law: MaterialSpec, stress: PronyStress) -> CompiledModel {
    let mut model = model(distorted_mesh(kind, [2, 1, 1]), law);
    let fem = model.fem_mut(0);
    fem.prony = PronySeries { stress, ..PronySeries::new([[0.004, 0.5], [0.02, 0.3]]) };
    fem.rest = RestState { growth: 1.05, ..RestState::default() };
    model.compile().unwrap()
}

/// A state that is turned and strained, after a step from rest to one that is strained otherwise.
pub(crate) fn remembering(system: &CompiledModel) -> State {
    let mut state = system.initial_state();
    let q = turned(system);
    state.q = q.iter().zip(&noise(q.len(), 8)).map(|(q, d)| q + d * 1e-3).collect();
    system.advance_memory(0.006, &mut state);
    assert!(state.memory.iter().any(|stress| *stress != 0.0));
    state.q = q;
    state
}

fn found<T: Real>(system: &CompiledModel, state: &State, v: &[Vec3]) -> Vec<Vec3>
where
    Twins: ElementTwins<T>,
{
    let mut setup = Setup::<T>::new(system, (&state.q, v), WHOLE);
    setup.give_memory(&state.memory);
    setup.forces()
}

/// Calls with every kind, law and stress.
fn for_all(check: impl Fn(&CompiledModel, &State, &str)) {
    for kind in KINDS {
        for (law, stress) in laws().into_iter().flat_map(|law| STRESSES.map(|it| (law, it))) {
            let system = relaxing(kind, law, stress);
            let name = format!("{kind:?} {} {stress:?}", law.name());
            assert_eq!(system.device_view().other_effectors(), [""; 0], "{name}");
            check(&system, &remembering(&system), &name);
        }
    }
}

#[test]
fn forces_products_and_matrices_of_relaxing_tissue_are_those_of_the_cpu() {
    for_all(|system, state, name| {
        let v = noise(state.q.len(), 2);
        let motion = Motion { u: &v, ..Motion::of(state, STEP[0]) };
        let expected = expected_in(system, motion, &v);
        let double = error(&found::<f64>(system, state, &v), &expected);
        // Some hundred roundings.
        assert!(double < 1e-12, "{name}: {double:e}");
        let single = error(&found::<f32>(system, state, &v), &expected);
        // Displacements of a turn are twice the edge of an element: 40 times its strain.
        assert!(single < 2e-5, "{name}: {single:e}");
        compare_in::<f64>(system, motion, name);
    });
}

#[test]
fn points_remember_what_they_do_on_the_cpu() {
    for_all(|system, state, name| {
        let mut setup = Setup::<f64>::new(system, (&state.q, &state.q), WHOLE);
        setup.give_memory(&state.memory);
        let mut memory = state.memory.clone();
        setup.remember(&mut memory);
        let mut advanced = state.clone();
        system.advance_memory(STEP[1], &mut advanced);
        let largest = advanced.memory.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
        let worst = memory.iter().zip(&advanced.memory).map(|(a, b)| (a - b).abs());
        let error = worst.fold(0.0, f64::max) / largest;
        assert!(memory != state.memory && error < 1e-12, "{name}: {error:e}");
    });
}
