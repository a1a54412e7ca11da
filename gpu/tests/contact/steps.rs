//! Steps with candidates from elsewhere are the same bits as with the hierarchies of the CPU.

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::Backend;
use sinew::contact::{CandidateFinder, Candidates, Ways};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{CollisionBehavior, Dirichlet, FemModel, Model};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::{BeamElement, beam_mesh};
use sinew_datasets::{Params, find};
use sinew_gpu::testing::test_device;
use sinew_gpu::{AssistedBackend, DeviceFinder, Options, Touching};

use crate::scene::options;

/// A block of tissue about a place.
fn block(name: &str, (cells, size): ([usize; 3], [f64; 3]), at: Vec3) -> FemModel {
    let mut mesh = beam_mesh(BeamElement::Hex, cells, size).unwrap();
    mesh.nodes.iter_mut().for_each(|node| *node += at);
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.4 });
    FemModel::new(name, mesh, 1000.0, law)
}

/// A block that falls on another with a velocity [m/s], which is fixed below.
fn two_blocks(speed: f64) -> (CompiledModel, State) {
    let mut model = Model::new("blocks");
    let mut lower = block("lower", ([3, 3, 1], [0.1, 0.1, 0.05]), Vec3::zeros());
    let nodes = (0..).zip(&lower.mesh.nodes);
    let base = nodes.filter(|(_, p)| p.z < -0.024).map(|(k, _)| k).collect();
    lower.dirichlet.push(Dirichlet::fix(base));
    let lower = model.add(lower);
    let at = Vec3::new(0.02, 0.005, 0.052);
    let upper = model.add(block("upper", ([2, 2, 1], [0.1, 0.1, 0.05]), at));
    model.add(CollisionBehavior::new(upper, lower, 0.3));
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    for k in 0..model[upper].mesh.nodes.len() {
        state.u[compiled.block_of_node(upper, k)].z = -speed;
    }
    (compiled, state)
}

fn built_in(name: &str, parameters: &[&str]) -> (CompiledModel, State) {
    let mut parameters = Params::parse(parameters).unwrap();
    let model = (find(name).unwrap().build)(&mut parameters).unwrap();
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    (compiled, state)
}

/// The bits of the state after steps of 10 ms, and the most contacts of one of them.
fn bits(
    (compiled, state): &(CompiledModel, State),
    finder: Option<Box<dyn CandidateFinder>>,
    steps: usize,
) -> (Vec<u64>, usize) {
    let mut solver = MechSystemSolver::new(compiled, SolverSettings::default()).unwrap();
    if let Some(finder) = finder {
        solver.set_finder(finder);
    }
    let (mut state, mut contacts) = (state.clone(), 0);
    for _ in 0..steps {
        solver.step(compiled, &mut state, 0.01).unwrap();
        contacts = contacts.max(state.contacts.len());
    }
    (bits_of(&state), contacts)
}

fn bits_of(state: &State) -> Vec<u64> {
    state.q.iter().chain(&state.u).flat_map(|v| v.iter()).map(|x| x.to_bits()).collect()
}

fn finders(compiled: &CompiledModel) -> [DeviceFinder; 2] {
    let contacts = &compiled.multibody().unwrap().contacts;
    let of = Touching {
        colliders: &contacts.colliders,
        points: &contacts.points,
        surfaces: &contacts.surfaces,
        pairs: &contacts.pairs,
    };
    let q = compiled.initial_state().q;
    let twins = DeviceFinder::on_twins(&options(), of, &q);
    let device = DeviceFinder::on_device(test_device(), &options(), of, &q);
    [twins, device].map(|finder| finder.unwrap().expect("there are surfaces"))
}

/// Steps with finders on twins and device, and without.
fn agree(scene: &(CompiledModel, State), (steps, least): (usize, usize)) {
    let (expected, contacts) = bits(scene, None, steps);
    assert!(contacts >= least, "{contacts} contacts");
    for finder in finders(&scene.0) {
        let (found, _) = bits(scene, Some(Box::new(finder.clone())), steps);
        assert_eq!(found, expected);
        let (up, down) = finder.traffic();
        assert!(up > 0 && down > 0, "nothing was asked of the device");
    }
}

#[test]
fn a_block_comes_to_lie_on_another_bit_for_bit_as_without_a_device() {
    agree(&two_blocks(0.2), (15, 4));
}

#[test]
fn a_fast_block_is_stopped_bit_for_bit_as_without_a_device() {
    agree(&two_blocks(0.6), (3, 4));
}

#[test]
fn a_slab_that_folds_onto_itself_moves_bit_for_bit_as_without_a_device() {
    agree(&built_in("fold", &["n=1"]), (60, 2));
}

#[derive(Debug)]
struct Blind;

impl CandidateFinder for Blind {
    fn find(&mut self, _ways: &Ways<'_>, _out: &mut Candidates) -> bool {
        true
    }
}

#[test]
fn a_finder_that_finds_nothing_is_noticed() {
    let scene = two_blocks(0.2);
    let (found, contacts) = bits(&scene, Some(Box::new(Blind)), 15);
    assert_eq!(contacts, 0);
    assert_ne!(found, bits(&scene, None, 15).0);
}

#[test]
fn a_tissue_in_a_rigid_bowl_moves_bit_for_bit_as_without_a_device() {
    agree(&built_in("bowl", &[]), (40, 3));
}

/// Three steps of the backend that is used with `--backend gpu`: bits of the state, and bytes that went up.
fn assisted(options: &Options, is_on_device: bool) -> (Vec<u64>, u64) {
    let system = Arc::new(two_blocks(0.2).0);
    let settings = SolverSettings::default();
    let backend = match is_on_device {
        true => AssistedBackend::with_options(test_device(), options, system, settings),
        false => AssistedBackend::on_twins(options, system, settings),
    };
    let mut backend = backend.expect("the model is taken");
    let mut up = 0;
    for _ in 0..3 {
        up += backend.step(0.01).unwrap().bytes_up;
    }
    let mut state = backend.system().initial_state();
    backend.read_state(&mut state).unwrap();
    (bits_of(&state), up)
}

#[test]
fn the_backend_that_a_run_uses_has_candidates_from_the_device_and_counts_their_bytes() {
    for is_on_device in [false, true] {
        let without = Options { contact_triangles: usize::MAX, ..options() };
        let (with, without) =
            (assisted(&options(), is_on_device), assisted(&without, is_on_device));
        assert_eq!(with.0, without.0);
        let (compiled, _) = two_blocks(0.2);
        let surfaces = &compiled.multibody().unwrap().contacts.surfaces;
        let vertices: usize = surfaces.iter().map(|surface| surface.rows.len()).sum();
        let (more, search) = (with.1 - without.1, 16 + 24 * vertices as u64);
        // Each step detects contacts and asks whether it passes through something.
        assert!(more >= 6 * search && more.is_multiple_of(search), "{more} bytes of {search}");
    }
}
