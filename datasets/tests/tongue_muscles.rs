//! The muscles of the tongue: where their fibres are, what they do alone and together, and that the tongue keeps its
//! volume whatever contracts.

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::material::{MaterialSpec, Value};
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
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

fn centre(mesh: &VolumeMesh, element: u32) -> Vec3 {
    let nodes = mesh.element(element as usize).1;
    nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
}

#[test]
fn every_muscle_has_a_bundle_a_side_and_an_exciter_of_both() {
    for resolution in ["resolution=0", "resolution=1"] {
        let model = tongue(&["task=rest", resolution]);
        let mesh = &model.fem(0).mesh;
        let exciters: Vec<&MuscleExciter> = model.iter().map(|(_, exciter)| exciter).collect();
        assert_eq!(exciters.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), NAMES);
        assert_eq!(model.iter::<MuscleBundle>().count(), 21, "ten pairs and SL");
        for exciter in exciters {
            let own: Vec<&MuscleBundle> =
                exciter.targets.iter().map(|to| &model[to.target.typed().unwrap()]).collect();
            let names: Vec<_> = own.iter().map(|bundle| bundle.name.clone()).collect();
            let expected = match exciter.name.as_str() {
                "SL" => vec!["SL".to_owned()],
                name => ["left", "right"].map(|side| format!("{side}_{name}")).into(),
            };
            assert_eq!(names, expected);
            let mut sum = 0.0;
            for bundle in &own {
                assert_eq!(bundle.elements.len(), bundle.fibres.len(), "{names:?}");
                assert!(bundle.fibres.iter().all(|fibre| (fibre.norm() - 1.0).abs() < 1e-12));
                let aside = bundle.elements.iter().map(|&e| centre(mesh, e).y);
                assert!(
                    own.len() == 1
                        || aside.clone().all(|y| (y > 0.0) == (bundle.name.starts_with("left")))
                );
                sum += aside.sum::<f64>();
                let Some(Value::Number(stress)) = bundle.material.get("max_stress") else {
                    panic!("{names:?} has a maximum stress")
                };
                assert!((5e3..4e5).contains(&stress), "{names:?}, {resolution}: {stress} Pa");
            }
            assert!(sum.abs() < 1e-12, "{names:?} are mirror images: {sum} m");
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

/// A tongue at rest of which one muscle, or one of its bundles, is excited to the full within 0.1 s.
fn excited(path: &str) -> Model {
    let mut model = tongue(&["task=rest", "resolution=0"]);
    let path = format!("/models/tongue/{path}");
    model.set_text(&format!("{path}:excitation"), "1").unwrap();
    if path.contains("exciters") {
        model.set_text(&format!("{path}:schedule"), "0 0 0.1 1").unwrap();
    }
    model
}

/// Excites what there is at these paths, one after the other, and holds it for 0.3 s in steps of 10 ms.
fn contract(paths: impl Iterator<Item = String>) {
    let failures: Vec<String> = paths.filter_map(|path| contracted(&path).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn contracted(path: &str) -> Result<(), String> {
    let simulation = Simulation::new(excited(path), SolverSettings::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    for step in 0..40 {
        scheduler.step().map_err(|error| format!("{path}, step {step}: {error}"))?;
    }
    let halved = scheduler.halved_steps();
    let simulation = scheduler.simulation_mut();
    let (state, compiled) = (simulation.state().unwrap().clone(), simulation.compiled());
    let change =
        compiled.at(&state).volume() / compiled.at(&compiled.initial_state()).volume() - 1.0;
    let places = state.q.iter().zip(compiled.rest_positions());
    let most = places.map(|(q, rest)| (q - rest).norm()).fold(0.0, f64::max);
    println!("{path}: volume {change:.1e}, moves {most:.4} m, {halved} steps halved");
    if change.abs() > 5e-3 {
        return Err(format!("{path}: the volume changes by {change}"));
    }
    if most < 5e-4 {
        return Err(format!("{path} moves the tongue by {most} m alone"));
    }
    Ok(())
}

#[test]
fn every_muscle_contracts_to_the_full_and_the_tongue_keeps_its_volume() {
    contract(NAMES.into_iter().map(|name| format!("exciters/{name}")));
}

/// At once, and on one side alone.
#[test]
fn every_bundle_contracts_to_the_full_and_the_tongue_keeps_its_volume() {
    let pairs = NAMES.into_iter().filter(|name| *name != "SL");
    let sides = pairs.map(|name| format!("muscle_bundles/left_{name}"));
    contract(sides.chain(["muscle_bundles/SL".to_owned()]));
}

/// Displacement of the tip and the dorsum from their positions under gravity, at 0.5 s.
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

/// Tip, middle of the dorsum and root [mm] over the first second, every 50 ms.
#[test]
fn a_swallow_raises_the_tip_then_the_dorsum_and_draws_the_body_back() {
    let course = |task: &str| -> Vec<[Vec3; 3]> {
        let model = tongue(&[&format!("task={task}"), "resolution=0"]);
        let (fem, mesh) = (model.nth::<FemModel>(0), &model.fem(0).mesh);
        let dorsum = &mesh.node_sets["dorsum"];
        let middle = |low: f64, high: f64| -> Vec<u32> {
            let x = |n: u32| mesh.nodes[n as usize].x * 1e3;
            dorsum.iter().copied().filter(|&n| low < x(n) && x(n) < high).collect()
        };
        let sets = [mesh.node_sets["tip"].clone(), middle(-15.0, 10.0), middle(-40.0, -25.0)];
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
        let mut record = || {
            (0..5).for_each(|_| advance(&mut solver, &compiled, &mut state, 0.01));
            let place = |n: u32| state.q[compiled.block_of_node(fem, n as usize)] * 1e3;
            let mean =
                |set: &Vec<u32>| set.iter().map(|&n| place(n)).sum::<Vec3>() / set.len() as f64;
            [mean(&sets[0]), mean(&sets[1]), mean(&sets[2])]
        };
        (0..20).map(|_| record()).collect()
    };
    let (swallow, rest) = (course("swallow"), course("rest"));
    let moved: Vec<[Vec3; 3]> =
        swallow.iter().zip(&rest).map(|(a, b)| [0, 1, 2].map(|k| a[k] - b[k])).collect();
    let when = |value: &dyn Fn(&[Vec3; 3]) -> f64| {
        let most = (0..moved.len()).max_by(|&a, &b| value(&moved[a]).total_cmp(&value(&moved[b])));
        let most = most.unwrap();
        (0.05 * (most + 1) as f64, value(&moved[most]))
    };
    let (tip, dorsum) = (when(&|at| at[0].z), when(&|at| at[1].z));
    let back = when(&|at| -at[1].x);
    assert!(tip.0 < dorsum.0 && dorsum.0 < back.0, "tip {tip:?}, dorsum {dorsum:?}, back {back:?}");
    assert!(tip.1 > 1.0 && dorsum.1 > 0.5 && back.1 > 0.5, "{tip:?}, {dorsum:?}, {back:?}");
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
