//! Tissues attached to bodies and to each other.

use super::scenes::{EULER, Runner, grid, nodes_where, shift, solid_box};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose};
use sinew::fem::VolumeMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, Dirichlet, FemModel, FrameSite, Joint, Master, Model, PointRef, RigidBody,
};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings};
use sinew_datasets::beam::BeamElement;

const G: f64 = 9.8;
const BLOCK: [f64; 3] = [0.1, 0.1, 0.2];

/// A soft block that hangs from z = 0.
fn block() -> FemModel {
    let corner = Vec3::new(-0.05, -0.05, -0.2);
    let mesh = grid(BeamElement::Hex, [2, 2, 4], BLOCK, corner);
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.3 });
    FemModel::new("block", mesh, 1000.0, law)
}

fn top(mesh: &VolumeMesh) -> Vec<u32> {
    nodes_where(mesh, |x| x.z.abs() < 1e-9)
}

fn gravity(name: &str) -> Model {
    let mut model = Model::new(name);
    model.set_gravity(Vec3::z() * -G);
    model
}

/// The block on a body that a weld holds, or on nodes that are fixed, all in equilibrium.
fn hung_from_a_body() -> (Runner, Handle<FemModel>, Handle<RigidBody>) {
    let mut model = gravity("hung");
    let body = model.add(solid_box("bone", 3.0, [0.1, 0.1, 0.05]).at(shift(0.0, 0.0, 0.025)));
    let d = FrameSite::ground(shift(0.0, 0.0, 0.025));
    model.add(Joint::new(JointKind::Solid, FrameSite::on(body, Pose::identity()), d));
    let fem = block();
    let nodes = top(&fem.mesh);
    let fem = model.add(fem);
    let points = nodes.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
    model.add(Attachment::new(points, Master::Body(body)));
    let mut runner = Runner::new(&model, EULER);
    // Backward Euler with steps of many periods is Newton's method for the equilibrium.
    runner.steps(5.0, 30);
    (runner, fem, body)
}

/// The weld carries the body and all of the tissue, what of its mass the body has taken over included.
#[test]
fn a_weld_carries_the_weight_of_what_hangs_from_its_body() {
    let (runner, ..) = hung_from_a_body();
    let weight = (3.0 + 1000.0 * BLOCK.iter().product::<f64>()) * G;
    let force = Vec3::from_column_slice(&runner.state.multipliers[..3]);
    assert!((force - Vec3::z() * weight).norm() < 1e-7 * weight, "{force} instead of {weight}");
    // Everything is symmetric about the z axis.
    assert!(runner.state.multipliers[3..].iter().all(|m| m.abs() < 1e-7), "moments");
    assert!(runner.state.u.iter().all(|u| u.norm() < 1e-9), "it still moves");
}

#[test]
fn a_block_on_a_body_hangs_as_one_on_fixed_nodes() {
    let (runner, fem, _) = hung_from_a_body();
    let mut model = gravity("held");
    let mut fixed = block();
    fixed.dirichlet.push(Dirichlet::fix(top(&fixed.mesh)));
    let other = model.add(fixed);
    let compiled = model.compile().unwrap();
    let settings = SolverSettings {
        integrator: Integrator::Static(StaticSettings::default()),
        ..SolverSettings::default()
    };
    let mut state = compiled.initial_state();
    MechSystemSolver::new(&compiled, settings).unwrap().step(&compiled, &mut state, 1.0).unwrap();
    let mut sunk = 0f64;
    for n in 0..model[other].mesh.nodes.len() {
        let expected = state.q[compiled.block_of_node(other, n)];
        let found = runner.place(PointRef::FemNode(fem, n as u32));
        sunk = sunk.max((expected - model[other].mesh.nodes[n]).norm());
        assert!((found - expected).norm() < 1e-6 * 0.2, "node {n}: {found} instead of {expected}");
    }
    assert!(sunk > 5e-3, "the block hardly sank: {sunk}");
}

/// A cantilever of 0.4 m along x, by itself or as two halves of which the second, in finer cells, is
/// attached to the first. Returns the deflection of its end [m].
fn cantilever(cells: &[[usize; 3]]) -> f64 {
    let mut model = gravity("beam");
    let length = 0.4 / cells.len() as f64;
    let law = MaterialSpec::Linear(Isotropic { youngs_modulus: 5e5, poissons_ratio: 0.3 });
    let mut before: Option<Handle<FemModel>> = None;
    let mut tip = Vec::new();
    for (k, &cells) in cells.iter().enumerate() {
        let start = length * k as f64;
        let mesh = grid(BeamElement::QuadHex, cells, [length, 0.1, 0.1], Vec3::x() * start);
        let face = nodes_where(&mesh, |x| (x.x - start).abs() < 1e-9);
        let end = nodes_where(&mesh, |x| (x.x - start - length).abs() < 1e-9);
        let mut fem = FemModel::new(format!("part{k}"), mesh, 1000.0, law);
        if before.is_none() {
            fem.dirichlet.push(Dirichlet::fix(face.clone()));
        }
        let fem = model.add(fem);
        if let Some(before) = before {
            let points = face.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
            model.add(Attachment::new(points, Master::Tissue(before)));
        }
        before = Some(fem);
        tip = end.into_iter().map(|n| PointRef::FemNode(fem, n)).collect();
    }
    let mut runner = Runner::new(&model, EULER);
    let mean = |r: &Runner| tip.iter().map(|&p| r.place(p).z).sum::<f64>() / tip.len() as f64;
    let rest = mean(&runner);
    runner.steps(10.0, 10);
    rest - mean(&runner)
}

/// The finer side follows the quadratic faces of the coarser one. (The other way round nodes of the finer face
/// are held by nothing: 8 nodes that follow 21 leave it 5 % too soft.)
#[test]
fn two_halves_of_a_beam_welded_along_meshes_that_do_not_match_bend_as_one() {
    let whole = cantilever(&[[4, 2, 2]]);
    for second in [[2, 3, 3], [3, 4, 3]] {
        let welded = cantilever(&[[2, 2, 2], second]);
        let error = (welded - whole).abs() / whole;
        assert!(error < 1e-2, "{second:?}: {welded} instead of {whole}");
    }
    // rho g A L⁴ / 8 E I, with shear some per cent more.
    let bending = 1000.0 * G * 0.01 * 0.4f64.powi(4) / (8.0 * 5e5 * 1e-4 / 12.0);
    assert!((1.0..1.15).contains(&(whole / bending)), "{whole} beside {bending}");
}

/// A tissue between two bodies of which one is fixed pulls the other up: what hangs on it is carried by the
/// weld of the first.
#[test]
fn a_ligament_of_tissue_carries_the_body_below_it() {
    let mut model = gravity("ligament");
    let upper = model.add(solid_box("upper", 1.0, [0.1; 3]).at(shift(0.0, 0.0, 0.05)));
    let lower = model.add(solid_box("lower", 0.5, [0.1; 3]).at(shift(0.0, 0.0, -0.25)));
    let d = FrameSite::ground(shift(0.0, 0.0, 0.05));
    model.add(Joint::new(JointKind::Solid, FrameSite::on(upper, Pose::identity()), d));
    let fem = block();
    let ends = [0.0, -0.2].map(|z: f64| nodes_where(&fem.mesh, |x| (x.z - z).abs() < 1e-9));
    let fem = model.add(fem);
    for (nodes, body) in ends.iter().zip([upper, lower]) {
        let points = nodes.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
        model.add(Attachment::new(points, Master::Body(body)));
    }
    let mut runner = Runner::new(&model, EULER);
    runner.steps(5.0, 40);
    let weight = (1.5 + 1000.0 * BLOCK.iter().product::<f64>()) * G;
    assert!((runner.state.multipliers[2] - weight).abs() < 1e-6 * weight);
    let place = runner.pose(lower).translation.vector;
    assert!(place.z < -0.255 && place.xy().norm() < 1e-6, "{place}");
    assert!(runner.pose(lower).rotation.angle() < 1e-6);
}
