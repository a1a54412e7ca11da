//! The beam runs of ArtiSynth 3.9 (one thread, MKL Pardiso), to the figures that it printed.

use sinew::Vec3;
use sinew::linalg::norm;
use sinew::material::Isotropic;
use sinew::model::{FemId, Model};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

/// What a run prints at one time.
struct Printed {
    time: f64,
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
    let mesh = &model.fems[0].mesh;
    let tip = &mesh.node_sets["tip"];
    let displacement = |&node: &u32| {
        state.q[compiled.block_of_node(FemId(0), node as usize)] - mesh.nodes[node as usize]
    };
    tip.iter().map(displacement).sum::<Vec3>() / tip.len() as f64
}

/// Compares a state with what was printed; lengths relative to the tip's way, `tolerance` relative.
fn check(
    model: &Model,
    compiled: &CompiledModel,
    state: &State,
    printed: &Printed,
    tolerance: f64,
) {
    let tip = tip_displacement(model, compiled, state);
    let way = Vec3::from(printed.tip).norm();
    let error = (tip - Vec3::from(printed.tip)).norm() / way;
    assert!(error <= tolerance, "t = {}: tip {tip:?}, error {error:.1e}", printed.time);
    let volume = compiled.volume(state);
    let error = (volume / printed.volume - 1.0).abs();
    assert!(error <= tolerance, "t = {}: volume {volume}, error {error:.1e}", printed.time);
    let center = compiled.center_of_mass(state);
    let error = (center - Vec3::from(printed.center)).norm() / Vec3::from(printed.center).norm();
    assert!(error <= tolerance, "t = {}: centre {center:?}, error {error:.1e}", printed.time);
    if printed.kinetic > 0.0 {
        let kinetic = compiled.energies(state).kinetic;
        let error = (kinetic / printed.kinetic - 1.0).abs();
        assert!(error <= tolerance, "t = {}: kinetic {kinetic}, error {error:.1e}", printed.time);
    }
}

/// Equilibrium of an undamped beam, to 1e-6 relative.
fn check_static(element: BeamElement, law: Law, printed: &Printed) {
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
    check(&model, &compiled, &state, printed, 1e-6);
}

#[test]
fn static_linear_tet_beam_agrees() {
    check_static(
        BeamElement::Tet,
        Law::Linear,
        &Printed {
            time: 0.01,
            tip: [4.317533985e-17, 1.496730558e-15, -0.3262604027],
            kinetic: 0.0,
            volume: 0.06939499050,
            center: [0.0, 0.0, -0.1354146518],
        },
    );
}

#[test]
fn static_linear_hex_beam_agrees() {
    check_static(
        BeamElement::Hex,
        Law::Linear,
        &Printed {
            time: 0.01,
            tip: [0.0, 0.0, -0.4236840144],
            kinetic: 0.0,
            volume: 0.07436353190,
            center: [0.0, 0.0, -0.1748571476],
        },
    );
}

#[test]
fn static_linear_wedge_beam_agrees() {
    check_static(
        BeamElement::Wedge,
        Law::Linear,
        &Printed {
            time: 0.01,
            tip: [-0.0009415924024, 0.0, -0.2545628699],
            kinetic: 0.0,
            volume: 0.06661581132,
            center: [-0.0001576297697, 0.0, -0.1081921654],
        },
    );
}

#[test]
fn static_linear_20_node_hex_beam_agrees() {
    check_static(
        BeamElement::QuadHex,
        Law::Linear,
        &Printed {
            time: 0.01,
            tip: [0.0, 0.0, -0.4856481065],
            kinetic: 0.0,
            volume: 0.07818567474,
            center: [0.0, 0.0, -0.2008457385],
        },
    );
}

#[test]
fn static_corotated_hex_beam_agrees() {
    check_static(
        BeamElement::Hex,
        Law::Corotated,
        &Printed {
            time: 0.03,
            tip: [-0.08022063798, 0.0, -0.3808127265],
            kinetic: 0.0,
            volume: 0.06245165495,
            center: [-0.02853569735, 0.0, -0.1592246164],
        },
    );
}

#[test]
fn linear_hex_beam_moves_as_printed() {
    // time, tip z, kinetic energy, volume, z of the centre of mass
    const ROWS: [[f64; 5]; 10] = [
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
    let model = beam(&undamped(BeamElement::Hex, Law::Linear)).unwrap();
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    for [time, tip, kinetic, volume, center] in ROWS {
        for _ in 0..20 {
            solver.step(&compiled, &mut state, 1e-3).unwrap();
        }
        let (tip, center) = ([0.0, 0.0, tip], [0.0, 0.0, center]);
        check(&model, &compiled, &state, &Printed { time, tip, kinetic, volume, center }, 1e-5);
    }
}
