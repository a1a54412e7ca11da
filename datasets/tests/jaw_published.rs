//! The assembled model with published surfaces and landmarks, where their files are.

use sinew::Vec3;
use sinew::model::{
    AxialSpring, CollisionBehavior, FemModel, FrameMarker, Model, PointRef, RigidBody,
};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};
use sinew_datasets::jaw::excitation::Task;
use sinew_datasets::jaw::muscles::muscles;
use sinew_datasets::jaw_tongue_hyoid::{
    Contacts, JawParams, from_data, from_data_with_tongue, jaw_tongue_hyoid,
};
use sinew_datasets::tongue::{TongueParams, tongue};

use crate::common::public_data;

/// Bodies, springs, markers.
fn counts(model: &Model) -> [usize; 3] {
    [
        model.iter::<RigidBody>().count(),
        model.iter::<AxialSpring>().count(),
        model.iter::<FrameMarker>().count(),
    ]
}

#[test]
fn published_surfaces_and_landmarks_make_the_same_model() {
    let Some(folder) = public_data("jaw") else { return };
    let params = JawParams::default();
    let (read, made) = (from_data(&folder, &params).unwrap(), jaw_tongue_hyoid(&params).unwrap());
    read.check().unwrap();
    assert_eq!(counts(&read), counts(&made));
    for (_, spring) in read.iter::<AxialSpring>() {
        let Some(record) = muscles().into_iter().find(|m| m.name == spring.name) else { continue };
        for (end, at) in spring.ends.iter().zip([record.origin, record.insertion]) {
            let PointRef::Marker(marker) = *end else { panic!("{} on no bone", spring.name) };
            let off = (read[marker].location - sinew::Vec3::from(at.point)).norm();
            // Rounding to whole millimetres moves a point by half a diagonal at most.
            assert!(off < 0.87e-3, "{}: {off} m", spring.name);
            assert_eq!(read[read[marker].body].name, at.body.name());
        }
    }
    // Both hyoid bones carry the same attachments: their boxes have the same middle but for some millimetres.
    let middle = |model: &Model| {
        let (_, hyoid) = model.iter::<RigidBody>().find(|(_, b)| b.name == "hyoid").unwrap();
        let [low, high] = hyoid.mesh.as_ref().unwrap().bounding_box().unwrap();
        0.5 * (low + high)
    };
    let off = (middle(&read) - middle(&made)).norm();
    assert!(off < 5e-3, "hyoid bone {off} m off");
}

#[test]
fn the_tongue_touches_published_jaws_and_their_teeth_are_refused() {
    let Some(folder) = public_data("jaw") else { return };
    let with =
        |teeth, tongue| JawParams { contacts: Contacts { teeth, tongue }, ..JawParams::default() };
    let model = from_data(&folder, &with(false, true)).unwrap();
    assert_eq!(model.iter::<CollisionBehavior>().count(), 2);
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    solver.step(&compiled, &mut state, 0.01).unwrap();
    let refused = from_data(&folder, &with(true, true)).unwrap_err().to_string();
    assert!(refused.contains("contact") && refused.contains("none or tongue"), "{refused}");
}

#[test]
fn a_folder_without_the_files_is_refused_with_the_missing_name() {
    let error = from_data(&std::env::temp_dir().join("no-such-folder"), &JawParams::default());
    let text = error.unwrap_err().to_string();
    assert!(text.contains("cranium.obj"), "{text}");
}

/// The model with the published tongue, which is there to be stepped.
fn with_tongue(task: Task) -> Option<Model> {
    let (folder, tongue) = (public_data("jaw")?, public_data("tongue")?.join("tongue.1.node"));
    let params = JawParams { task, ..JawParams::default() };
    Some(from_data_with_tongue(&folder, &tongue, &params).unwrap())
}

/// Largest distance of the incisors in a run from that at its start, and the place of the mean node at its end [m].
fn run(model: &Model, steps: usize) -> (f64, Vec3) {
    let compiled = model.compile().unwrap();
    let settings = SolverSettings::default();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    let row = |name: &str| {
        let marker = model.iter::<FrameMarker>().find(|(_, marker)| marker.name == name);
        compiled.find_row(marker.unwrap().0.into()).unwrap()
    };
    let (lower, upper) = (row("lower_incisor"), row("upper_incisor"));
    let apart = |state: &State| (state.q[lower] - state.q[upper]).norm();
    let start = apart(&state);
    let mut most = 0f64;
    for _ in 0..steps {
        advance(&mut solver, &compiled, &mut state, 0.02);
        most = most.max(apart(&state) - start);
    }
    let (fem, tongue) = model.iter::<FemModel>().next().unwrap();
    let rows = (0..tongue.mesh.nodes.len()).map(|n| compiled.block_of_node(fem, n));
    let speed = rows.clone().map(|row| state.u[row].norm()).fold(0.0, f64::max);
    println!("largest gape {most} m, fastest node {speed} m/s");
    let mean = rows.map(|row| state.q[row]).sum::<Vec3>() / tongue.mesh.nodes.len() as f64;
    (most, mean)
}

/// Boxes agree by construction; what is within them differs by some millimetres.
#[test]
fn the_published_tongue_lies_where_the_parametric_one_does() {
    let Some(model) = with_tongue(Task::Rest) else { return };
    model.check().unwrap();
    // That alone, whose dorsum fills no vault.
    let made = tongue(&TongueParams { resolution: 1, ..TongueParams::default() }).unwrap();
    let mesh = |model: &Model| model.iter::<FemModel>().next().unwrap().1.mesh.clone();
    let (read, made) = (mesh(&model), mesh(&made));
    for (a, b) in read.bounding_box().unwrap().iter().zip(made.bounding_box().unwrap()) {
        assert!((a - b).norm() < 1.5e-3, "{a} {b}");
    }
    let [volume, other] = [&read, &made].map(sinew::io::mesh_volume);
    let outside = sinew::fem::locate(&made, &read.nodes);
    let outside: Vec<f64> = outside.iter().map(|placed| placed.offset.norm()).collect();
    let mean = outside.iter().sum::<f64>() / outside.len() as f64;
    let most = outside.iter().copied().fold(0.0, f64::max);
    let sets = ["jaw", "hyoid"].map(|set| read.node_sets[set].len());
    println!("volume {volume} of {other} m³, outside by {mean}, at most {most} m; sets {sets:?}");
    assert!((0.6..1.6).contains(&(volume / other)), "{volume} {other}");
    assert!(mean < 3e-3 && most < 15e-3, "{mean} {most}");
    assert!(sets.iter().all(|&count| (20..500).contains(&count)), "{sets:?}");
}

#[test]
fn the_model_with_the_published_tongue_settles_and_opens_its_jaw() {
    let Some(model) = with_tongue(Task::Rest) else { return };
    let (closed, half) = run(&model, 25);
    let (_, settled) = run(&model, 30);
    assert!(closed < 2e-3, "it opened by {closed} m at rest");
    assert!((settled - half).norm() < 0.5e-3, "{half} {settled}");
    let (open, _) = run(&with_tongue(Task::Open).unwrap(), 25);
    assert!((0.03..0.05).contains(&open), "it opened by {open} m");
}

/// A step of `h` [s], or two of half of it where one would stretch the tissue too far, as a scheduler takes them.
fn advance(solver: &mut MechSystemSolver, compiled: &CompiledModel, state: &mut State, h: f64) {
    match solver.step(compiled, state, h) {
        Ok(stats) => assert!(stats.substeps == 1, "a step in {} parts", stats.substeps),
        Err(error) => {
            assert!(h > 1e-3, "{error}");
            advance(solver, compiled, state, 0.5 * h);
            advance(solver, compiled, state, 0.5 * h);
        }
    }
}
