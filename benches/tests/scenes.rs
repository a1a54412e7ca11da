//! The scenes are those that the other programs were timed on, and are in a state worth timing.

use sinew::linalg::SparseCholesky;
use sinew::solve::LinearSolver;
use sinew::system::MechSystem;
use sinew_benches::{KUHN_SIZES, Kind, Size, StepSystem, Stepper, bend, kuhn_scene, scene};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};
use sinew_datasets::law::Law;

/// Nodes and elements of a scene's mesh.
fn counts(scene: &sinew_benches::Scene) -> [usize; 2] {
    let model = beam(&scene.beam).unwrap();
    [model.fem(0).mesh.nodes.len(), model.fem(0).mesh.element_count()]
}

#[test]
fn grids_have_the_counts_that_artisynth_was_timed_at() {
    let hex = Size::ALL.map(|size| counts(&scene(Kind::Hex, size)));
    assert_eq!(hex, [[1225, 864], [4961, 4000], [18785, 16384]]);
    let tet = Size::ALL.map(|size| counts(&scene(Kind::Tet, size)));
    assert_eq!(tet, [[1225, 4320], [4961, 20000], [18785, 81920]]);
}

#[test]
fn kuhn_beams_have_the_counts_that_the_peers_were_timed_at() {
    let kuhn = KUHN_SIZES.map(|n| counts(&kuhn_scene(n)));
    assert_eq!(kuhn, [[756, 3000], [2673, 12288], [10388, 52728]]);
}

#[test]
fn a_scene_of_another_law_tells_it_in_its_name() {
    let neohook = scene(Kind::Hex, Size::K1).with_law(Law::NeoHookean);
    assert_eq!((neohook.name.as_str(), neohook.beam.law), ("hex 1k neohook", Law::NeoHookean));
}

#[test]
fn bending_turns_the_end_and_keeps_the_middle_line() {
    let mut q: Vec<sinew::Vec3> =
        [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [8.0, 0.0, -1.0], [8.0, 0.0, 0.0], [8.0, 0.0, 1.0]]
            .map(sinew::Vec3::from)
            .to_vec();
    bend(&mut q, 0.5);
    let radius = 8.0 / 0.5;
    let middle = sinew::Vec3::new(radius * 0.5f64.sin(), 0.0, radius * (0.5f64.cos() - 1.0));
    // Some roundings of numbers of the size of the radius.
    let tolerance = 1e-14 * radius;
    assert!((q[3] - middle).norm() <= tolerance, "{:?} is not {middle:?}", q[3]);
    let across = q[4] - q[2];
    let turned = sinew::Vec3::new(2.0 * 0.5f64.sin(), 0.0, 2.0 * 0.5f64.cos());
    assert!((across - turned).norm() <= tolerance, "{across:?} is not {turned:?}");
    assert_eq!(q[0], sinew::Vec3::new(0.0, 0.0, -1.0));
}

#[test]
fn a_fall_begins_anew_after_twenty_steps() {
    let small = kuhn_scene(1);
    let mut stepper = Stepper::new(&small, LinearSolver::Direct);
    let after_one = stepper.state.clone();
    for _ in 1..20 {
        stepper.advance();
    }
    assert!((stepper.state.time - 0.2).abs() < 1e-12, "t = {}", stepper.state.time);
    stepper.advance();
    assert_eq!(stepper.state, after_one);
}

#[test]
fn a_dense_factor_takes_the_operations_of_a_dense_factorization() {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: [1, 1, 1] };
    let cell = BeamParams { grid, ..BeamParams::default() };
    let system = beam(&cell).unwrap().compile().unwrap();
    let cholesky = SparseCholesky::new(system.pattern(), system.fixed()).unwrap();
    // Four free nodes of one hexahedron: 12 unknowns, all coupled; 1² + 2² + .. + 12².
    assert_eq!((cholesky.unknown_count(), cholesky.factor_flops()), (12, 650.0));
}

#[test]
fn the_system_of_a_step_has_the_masses_on_its_diagonal() {
    let mut step = StepSystem::new(&kuhn_scene(1));
    let ones = vec![sinew::Vec3::new(1.0, 1.0, 1.0); step.rhs.len()];
    let mut product = ones.clone();
    step.matrix.mul(&ones, &mut product);
    // Stiffness resists no translation, and this beam has no damping by mass.
    for (i, (row, mass)) in product.iter().zip(step.system.masses()).enumerate() {
        let error = (row - ones[i] * *mass).norm() / mass;
        assert!(error < 1e-9, "row {i}: {row:?} for a mass of {mass}");
    }
    let first = step.matrix.values().to_vec();
    step.assemble();
    assert_eq!(first, step.matrix.values(), "assembled twice, the matrix is the same");
}
