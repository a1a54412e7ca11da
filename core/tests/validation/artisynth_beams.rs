//! The beam runs of ArtiSynth 3.9 (one thread, MKL Pardiso), to the figures that it printed.

use sinew::Vec3;
use sinew::linalg::norm;
use sinew::material::Isotropic;
use sinew::model::Model;
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

use super::meshes::kind_name;
use super::table::{Group, Row};

/// Values that a run prints at one time.
struct Printed {
    tip: [f64; 3],
    kinetic: f64,
    volume: f64,
    center: [f64; 3],
}

fn undamped(element: BeamElement, law: Law) -> BeamParams {
    BeamParams {
        grid: BeamGrid::Cells { element, counts: [8, 2, 2] },
        law,
        isotropic: Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.3 },
        mass_damping: 0.0,
        stiffness_damping: 0.0,
        ..BeamParams::default()
    }
}

/// Mean displacement of the end face [m].
fn tip_displacement(model: &Model, compiled: &CompiledModel, state: &State) -> Vec3 {
    let mesh = &model.fem(0).mesh;
    let tip = &mesh.node_sets["tip"];
    let displacement = |&node: &u32| {
        state.q[compiled.block_of_node(compiled.fems()[0], node as usize)]
            - mesh.nodes[node as usize]
    };
    tip.iter().map(displacement).sum::<Vec3>() / tip.len() as f64
}

/// Compares a state with what was printed; lengths relative to the tip's way, `allowed` relative.
fn compare(
    case: &str,
    (model, compiled, state): (&Model, &CompiledModel, &State),
    printed: &Printed,
    allowed: f64,
) -> Vec<Row> {
    let along_z = |metric: &str, reference: [f64; 3], ours: Vec3| {
        let reference = Vec3::from(reference);
        let error = (ours - reference).norm() / reference.norm();
        let metric = format!("{metric} z [m]; error: of the vector");
        Row::new(case, metric, (reference.z, ours.z), allowed).with_error(error)
    };
    let tip = tip_displacement(model, compiled, state);
    let volume = compiled.at(state).volume();
    let mut rows = vec![
        along_z("displacement of the tip", printed.tip, tip),
        Row::new(case, "volume [m³]", (printed.volume, volume), allowed),
        along_z("centre of mass", printed.center, compiled.at(state).center_of_mass()),
    ];
    if printed.kinetic > 0.0 {
        let kinetic = compiled.energies(state).kinetic;
        rows.push(Row::new(case, "kinetic energy [J]", (printed.kinetic, kinetic), allowed));
    }
    rows
}

/// Equilibrium of an undamped beam, to 1e-6 relative.
fn static_rows(element: BeamElement, law: Law, printed: &Printed) -> Vec<Row> {
    let model = beam(&undamped(element, law)).unwrap();
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let settings = SolverSettings {
        integrator: Integrator::Static(StaticSettings::default()),
        ..SolverSettings::default()
    };
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    solver.step(&compiled, &mut state, 0.01).unwrap();
    assert_eq!(norm(&state.u), 0.0);
    let name = LAWS.iter().find(|l| l.0 == law).expect("a law of the runs").1;
    let case = format!("equilibrium, {name}, {}", kind_name(element));
    compare(&case, (&model, &compiled, &state), printed, 1e-6)
}

const LAWS: [(Law, &str); 2] = [(Law::Linear, "linear"), (Law::Corotated, "corotated")];

/// Element, law, tip, volume, centre of mass in equilibrium.
type Static = (BeamElement, Law, [f64; 3], f64, [f64; 3]);

const STATICS: [Static; 5] = [
    (
        BeamElement::Tet,
        Law::Linear,
        [4.317533985e-17, 1.496730558e-15, -0.3262604027],
        0.06939499050,
        [0.0, 0.0, -0.1354146518],
    ),
    (
        BeamElement::Hex,
        Law::Linear,
        [0.0, 0.0, -0.4236840144],
        0.07436353190,
        [0.0, 0.0, -0.1748571476],
    ),
    (
        BeamElement::Wedge,
        Law::Linear,
        [-0.0009415924024, 0.0, -0.2545628699],
        0.06661581132,
        [-0.0001576297697, 0.0, -0.1081921654],
    ),
    (
        BeamElement::QuadHex,
        Law::Linear,
        [0.0, 0.0, -0.4856481065],
        0.07818567474,
        [0.0, 0.0, -0.2008457385],
    ),
    (
        BeamElement::Hex,
        Law::Corotated,
        [-0.08022063798, 0.0, -0.3808127265],
        0.06245165495,
        [-0.02853569735, 0.0, -0.1592246164],
    ),
];

/// Time, tip z, kinetic energy, volume, z of the centre of mass of the linear hex beam let go.
const MOTION: [[f64; 5]; 10] = [
    [0.02, -0.002058000254, 0.9841814598, 0.06250021604, -0.001829246180],
    [0.04, -0.008036707748, 3.442210477, 0.06250485516, -0.006608242874],
    [0.06, -0.01799721178, 6.907304643, 0.06252524262, -0.01374411745],
    [0.08, -0.03288435068, 11.06762011, 0.06257755172, -0.02283716960],
    [0.10, -0.05547840273, 15.99890916, 0.06268806602, -0.03356188597],
    [0.12, -0.08664305675, 21.90466926, 0.06292981308, -0.04563932691],
    [0.14, -0.1245072082, 28.30920056, 0.06341346877, -0.05882497226],
    [0.16, -0.1671434848, 34.55256434, 0.06424896268, -0.07297878744],
    [0.18, -0.2131036989, 39.96962351, 0.06548814242, -0.08833507849],
    [0.20, -0.2610795147, 44.44487641, 0.06709781674, -0.1053506856],
];

/// The last printed time, with the largest error of all of them, to 1e-5 relative.
fn motion_rows() -> Vec<Row> {
    let model = beam(&undamped(BeamElement::Hex, Law::Linear)).unwrap();
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    let at = |[_, tip, kinetic, volume, center]: [f64; 5]| {
        for _ in 0..20 {
            solver.step(&compiled, &mut state, 1e-3).unwrap();
        }
        let (tip, center) = ([0.0, 0.0, tip], [0.0, 0.0, center]);
        let printed = Printed { tip, kinetic, volume, center };
        let case = "motion at 0.2 s, linear, hex8; error: worst of ten times";
        compare(case, (&model, &compiled, &state), &printed, 1e-5)
    };
    let with_worst = |before: Vec<Row>, now: Vec<Row>| {
        let worst = |(b, n): (Row, Row)| {
            let error = b.error.max(n.error);
            n.with_error(error)
        };
        before.into_iter().zip(now).map(worst).collect()
    };
    MOTION.map(at).into_iter().reduce(with_worst).expect("ten times")
}

pub(crate) fn groups() -> Vec<Group> {
    let at_rest = |&(element, law, tip, volume, center): &Static| {
        static_rows(element, law, &Printed { tip, kinetic: 0.0, volume, center })
    };
    let mut rows: Vec<Row> = STATICS.iter().flat_map(at_rest).collect();
    rows.extend(motion_rows());
    vec![Group {
        title: "Beam runs of ArtiSynth 3.9",
        text: "1 x 0.25 x 0.25 m in 8 x 2 x 2 cells, E = 500 kPa, nu = 0.3, undamped, under gravity; \
               equilibrium, and backward Euler with steps of 1 ms. ArtiSynth prints ten digits.",
        rows,
    }]
}

#[test]
fn beams_rest_and_move_as_in_artisynth() {
    groups().iter().for_each(Group::check);
}
