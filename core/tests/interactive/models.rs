//! Formulas that act on running models.

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::PointMotion;
use sinew::interactive::{constraint_by_formula, force_by_energy};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{CustomConstrainer, CustomForce, FemModel, Model, Particle, PointRef};
use sinew::solve::{MechSystemSolver, SolverSettings};

/// A cube of tissue of 0.1 m, one corner of which slides on a surface.
#[test]
fn a_node_of_tissue_and_a_particle_stay_on_surfaces_of_formulas() {
    let corner = |x, y, z| 0.1 * Vec3::new(x, y, z);
    let square =
        |z| [corner(0.0, 0.0, z), corner(1.0, 0.0, z), corner(1.0, 1.0, z), corner(0.0, 1.0, z)];
    let mut mesh = VolumeMesh::new([square(1.0), square(0.0)].concat());
    mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]).expect("an element");
    let tissue = MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 5e3, poissons_ratio: 0.45 });
    let mut model = Model::new("surfaces");
    model.set_gravity(Vec3::z() * -9.8);
    let cube = model.add(FemModel::new("cube", mesh, 1050.0, tissue));
    let bob = model.add(Particle::new(0.2, Vec3::new(0.6, 0.0, 0.8)));
    let (rows, law) = constraint_by_formula(
        "n.z + 0.1*sin(10*n.x); sqrt(b.x^2 + b.y^2 + b.z^2) - 1",
        &["n", "b"],
    )
    .expect("a formula");
    let points = vec![PointRef::FemNode(cube, 4), bob.into()];
    model.add(CustomConstrainer::new(points, Vec::new(), rows, law));
    let compiled = model.compile().expect("a model");
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).expect("a solver");
    let (node, bead) = (compiled.block_of_node(cube, 4), compiled.block_of_particle(bob));
    for _ in 0..60 {
        solver.step(&compiled, &mut state, 0.005).expect("a step");
        let (n, b) = (state.q[node], state.q[bead]);
        assert!((n.z + 0.1 * (10.0 * n.x).sin()).abs() < 1e-4, "{n}");
        assert!((b.norm() - 1.0).abs() < 1e-4, "{b}");
    }
    let b = state.q[bead];
    assert!(b.z < 0.6 && b.x > 0.6, "the bead slides down: {b}");
    assert!(state.q[compiled.block_of_node(cube, 6)].z < -0.1, "the rest of the cube falls");
}

#[test]
fn forces_are_the_slopes_of_an_energy_by_a_formula() {
    let text = "5*((a.x - b.x)^2 + (a.y - b.y)^2) + t*a.z";
    let law = force_by_energy(text, &["a", "b"]).expect("a formula");
    let positions = [Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.5, 1.0, 4.0)];
    let (velocities, mut forces) = ([Vec3::zeros(); 2], [Vec3::zeros(); 2]);
    law(PointMotion { time: 3.0, positions: &positions, velocities: &velocities }, &mut forces);
    assert!((forces[0] - Vec3::new(-5.0, -10.0, -3.0)).norm() < 1e-12, "{forces:?}");
    assert!((forces[1] - Vec3::new(5.0, 10.0, 0.0)).norm() < 1e-12, "{forces:?}");
    // A particle on it swings: m a = -10 x, a quarter of a period after the start it is at the middle.
    let mut model = Model::new("swing");
    let bob = model.add(Particle::new(0.1, Vec3::new(0.2, 0.0, 0.0)));
    let law = force_by_energy("5*p.x^2", &["p"]).expect("a formula");
    model.add(CustomForce::new(vec![bob.into()], law));
    let compiled = model.compile().expect("a model");
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).expect("a solver");
    let step = 0.5 * std::f64::consts::PI / 10.0 / 1000.0;
    for _ in 0..1000 {
        solver.step(&compiled, &mut state, step).expect("a step");
    }
    let place = state.q[compiled.block_of_particle(bob)].x;
    assert!(place.abs() < 1e-3, "{place}");
}

#[test]
fn names_that_are_no_points_are_refused_with_their_column() {
    let error = constraint_by_formula("a.x - c.y", &["a", "b"]).map(|(rows, _)| rows);
    let error = error.expect_err("there is no c");
    assert_eq!(error.column, 7);
    let error = force_by_energy("a.x*u", &["a"]).map(|_| ()).expect_err("there is no u");
    assert_eq!(error.column, 5);
}
