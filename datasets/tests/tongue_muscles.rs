//! The muscles of the tongue: where their fibres are, what they do alone and together, and that the tongue keeps its
//! volume whatever contracts.

use sinew::Vec3;
use sinew::material::{MaterialSpec, Value};
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};
use sinew_datasets::{Params, find};

const NAMES: [&str; 11] = ["GGA", "GGM", "GGP", "STY", "HG", "MH", "GH", "SL", "IL", "V", "T"];

fn tongue(arguments: &[&str]) -> Model {
    let build = find("tongue").unwrap().build;
    build(&mut Params::parse(arguments).unwrap()).unwrap()
}

/// A step of a length [s], in halves where it fails as a whole.
fn advance(solver: &mut MechSystemSolver, compiled: &CompiledModel, state: &mut State, step: f64) {
    let Err(error) = solver.step(compiled, state, step) else { return };
    assert!(step > 1e-4, "at {} s: {error}", state.time);
    (0..2).for_each(|_| advance(solver, compiled, state, 0.5 * step));
}

/// The state after so many steps of 5 ms.
fn run(model: &Model, steps: usize) -> (CompiledModel, State) {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    (0..steps).for_each(|_| advance(&mut solver, &compiled, &mut state, 5e-3));
    (compiled, state)
}

/// Mean displacement of a node set [mm].
fn displacement(model: &Model, (compiled, state): &(CompiledModel, State), set: &str) -> Vec3 {
    let (fem, mesh) = (model.nth::<FemModel>(0), &model.fem(0).mesh);
    let nodes = &mesh.node_sets[set];
    let of = |&n: &u32| state.q[compiled.block_of_node(fem, n as usize)] - mesh.nodes[n as usize];
    nodes.iter().map(of).sum::<Vec3>() * (1e3 / nodes.len() as f64)
}

#[test]
fn every_muscle_has_fibres_on_both_sides_and_an_exciter_of_its_name() {
    for resolution in ["resolution=0", "resolution=1"] {
        let model = tongue(&["task=rest", resolution]);
        let bundles: Vec<&MuscleBundle> = model.iter().map(|(_, bundle)| bundle).collect();
        let exciters: Vec<&MuscleExciter> = model.iter().map(|(_, exciter)| exciter).collect();
        assert_eq!(bundles.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), NAMES);
        assert_eq!(exciters.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), NAMES);
        let mesh = &model.fem(0).mesh;
        for bundle in bundles {
            let name = &bundle.name;
            assert_eq!(bundle.elements.len(), bundle.fibres.len(), "{name}");
            assert!(bundle.fibres.iter().all(|fibre| (fibre.norm() - 1.0).abs() < 1e-12));
            let centre = |&e: &u32| {
                let nodes = mesh.element(e as usize).1;
                nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
            };
            let sum: Vec3 = bundle.elements.iter().map(centre).sum();
            let left = bundle.elements.iter().filter(|e| centre(e).y > 0.0).count();
            assert_eq!(2 * left, bundle.elements.len(), "{name}, {resolution}");
            assert!(sum.y.abs() < 1e-12, "{name} is as far to the left as to the right");
            let Some(Value::Number(stress)) = bundle.material.get("max_stress") else {
                panic!("{name} has a maximum stress")
            };
            assert!((5e3..4e5).contains(&stress), "{name}, {resolution}: {stress} Pa");
        }
    }
}

/// Bundles of one resolution pull as hard as those of another: what differs is how cells divide the tongue.
#[test]
fn stresses_do_not_depend_much_on_the_mesh() {
    let stresses = |resolution: &str| -> Vec<f64> {
        let model = tongue(&["task=rest", resolution]);
        let of = |bundle: &MuscleBundle| match bundle.material.get("max_stress") {
            Some(Value::Number(stress)) => stress * bundle.elements.len() as f64,
            _ => panic!("a maximum stress"),
        };
        let count = model.fem(0).mesh.element_count() as f64;
        model.iter().map(|(_, bundle)| of(bundle) / count).collect()
    };
    for ((fine, finer), name) in
        stresses("resolution=2").iter().zip(stresses("resolution=3")).zip(NAMES)
    {
        assert!((fine / finer - 1.0).abs() < 0.5, "{name}: {fine} and {finer}");
    }
}

/// The muscles that may contract as hard as they can.
const TO_THE_FULL: [&str; 5] = ["GGA", "GGM", "GGP", "MH", "V"];

#[test]
fn muscles_that_contract_keep_the_volume_within_half_a_percent() {
    for name in NAMES {
        let mut model = tongue(&["task=rest", "resolution=0", "g=0"]);
        let (handle, _) =
            model.iter::<MuscleExciter>().find(|(_, exciter)| exciter.name == name).unwrap();
        let path = model.path(handle.id());
        let excitation = if TO_THE_FULL.contains(&name) { "1" } else { "0.2" };
        model.set_text(&format!("{path}:excitation"), excitation).unwrap();
        model.set_text(&format!("{path}:schedule"), "0 0 0.1 1").unwrap();
        let (compiled, state) = run(&model, 40);
        let rest = compiled.volume(&compiled.initial_state());
        let change = compiled.volume(&state) / rest - 1.0;
        assert!(change.abs() < 5e-3, "{name}: {change}");
        let moved =
            state.q.iter().zip(compiled.rest_positions()).map(|(q, rest)| (q - rest).norm());
        let most = moved.fold(0.0, f64::max);
        assert!(most > 5e-4, "{name} moves the tongue by {most} m");
    }
}

/// Where the tip and the dorsum go from where gravity holds them, at 0.5 s.
#[test]
fn manoeuvres_go_where_their_names_say() {
    let at = |task: &str| {
        let model = tongue(&[&format!("task={task}"), "resolution=0"]);
        let end = run(&model, 100);
        ["tip", "dorsum"].map(|set| displacement(&model, &end, set))
    };
    let rest = at("rest");
    let moved = |task: &str| {
        let end = at(task);
        [end[0] - rest[0], end[1] - rest[1]]
    };
    let [tip, _] = moved("protrusion");
    assert!(tip.x > 2.0, "protrusion: tip {tip:?}");
    let [tip, dorsum] = moved("retraction");
    assert!(tip.x < -2.0 && dorsum.x < 0.0, "retraction: tip {tip:?}, dorsum {dorsum:?}");
    let [_, high] = moved("i");
    assert!(high.x > 0.5 && high.z > 0.5, "i: dorsum {high:?}");
    let [_, low] = moved("a");
    assert!(low.z < -1.0, "a: dorsum {low:?}");
    let [tip, _] = moved("tip_up");
    assert!(tip.z > 1.0, "tip_up: tip {tip:?}");
}

#[test]
fn a_tongue_with_muscles_is_nearly_incompressible() {
    let MaterialSpec::MooneyRivlin(law) = tongue(&["task=rest"]).fem(0).material else {
        panic!("Mooney-Rivlin")
    };
    let ratio = law.bulk_modulus / law.shear_modulus();
    // nu = (3 K - 2 G) / (6 K + 2 G).
    let nu = (3.0 * ratio - 2.0) / (6.0 * ratio + 2.0);
    assert!((nu - 0.499).abs() < 1e-4, "{nu}");
}
