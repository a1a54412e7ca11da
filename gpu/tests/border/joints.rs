//! Joints and constraints at the border of tissue that stays on the device: steps are those of the CPU, and what crosses the bus
//! does not grow with the mesh.

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::{Backend, CpuBackend};
use sinew::component::Handle;
use sinew::constraint::{Compliance, JointKind, PointConstraint};
use sinew::model::{
    Anchor, Attachment, FemModel, FrameSite, Joint, Master, Model, Particle, PointConstrainer,
    PointRef, RigidBody,
};
use sinew::property::Pose;
use sinew::solve::{Preconditioning, SolverSettings};
use sinew::system::{CompiledModel, StepError, StepStats};
use sinew_datasets::beam::{BeamParams, beam};
use sinew_gpu::testing::test_device;
use sinew_gpu::{GpuBackend, Options, Placed};

use super::{H, boxed, largest_distance};

pub(super) fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

/// A body that swings on a hinge of another one, `apart` [m] off it.
fn add_hinged(model: &mut Model, upper: Handle<RigidBody>, apart: f64) -> Handle<RigidBody> {
    let axis = Pose::new(Vec3::new(0.0, 0.0, -apart), Vec3::new(1.2, 0.3, 0.0));
    let away = Pose::new(Vec3::new(0.02, 0.0, -apart), Vec3::new(0.1, 0.0, 0.4));
    let pose = model[upper].pose * axis * away;
    let lower = RigidBody::new("lower", boxed(0.4)).at(pose);
    let turning = pose * Vec3::new(0.0, 0.0, 2.0);
    let lower = model.add(RigidBody { angular_velocity: turning, ..lower });
    let [c, d] = [FrameSite::on(lower, away.inverse()), FrameSite::on(upper, axis)];
    model.add(Joint::new(JointKind::Hinge, c, d));
    lower
}

/// A beam whose end is attached to a body, from which one hangs by a hinge and is tied to the wall by a rod; a node beside the
/// end is kept near a plane.
fn beam_with_joints() -> Model {
    let mut model = beam(&BeamParams::kuhn(1)).expect("a beam");
    let (tissue, nodes) = (model.nth::<FemModel>(0), model.fem(0).mesh.nodes.clone());
    let far = nodes.iter().map(|p| p.x).fold(f64::MIN, f64::max);
    let is_end = |k: &usize| nodes[*k].x > far - 1e-6;
    let end: Vec<usize> = (0..nodes.len()).filter(is_end).collect();
    let place = end.iter().map(|&k| nodes[k]).sum::<Vec3>() / end.len() as f64;
    let upper = Pose::new(place + Vec3::new(0.06, 0.0, 0.02), Vec3::new(0.3, 0.2, -0.1));
    let upper = model.add(RigidBody::new("upper", boxed(1.0)).at(upper));
    let end = end.into_iter().map(|k| (tissue, k as u32).into()).collect();
    model.add(Attachment::new(end, Master::Body(upper)));
    let lower = add_hinged(&mut model, upper, 0.08);
    let bob = model.add(Particle::new(0.1, model[lower].pose.translation.vector));
    model.add(Attachment::new(vec![bob.into()], Master::Body(lower)));
    let wall = Anchor::Frame(FrameSite::ground(shift(far + 0.3, 0.1, -0.1)));
    let length = (model[bob].position - Vec3::new(far + 0.3, 0.1, -0.1)).norm();
    let rod = PointConstraint::AtDistance { length };
    model.add(PointConstrainer::new(rod, bob, wall));
    let beside: PointRef = (tissue, 2 * nodes.len() as u32 / 3).into();
    let plane = Anchor::Frame(FrameSite::ground(shift(0.0, 0.0, nodes[2 * nodes.len() / 3].z)));
    let plane = PointConstrainer::new(PointConstraint::OnPlane, beside, plane);
    let compliance = Compliance { compliance: 1e-3, damping: 2.0 };
    model.add(PointConstrainer { compliance, ..plane });
    model
}

/// A beam of so many cells with a body that hangs on its tip, and one that hangs on that by a hinge.
pub(super) fn beam_with_pendulum(cells: usize) -> Model {
    let mut model = beam(&BeamParams::kuhn(cells)).expect("a beam");
    let (tissue, nodes) = (model.nth::<FemModel>(0), &model.fem(0).mesh.nodes);
    let (last, tip) = (nodes.len() as u32 - 1, nodes[nodes.len() - 1]);
    let from = Vec3::new(0.03, 0.0, -0.05);
    let upper = RigidBody::new("upper", boxed(0.3)).at(Pose::new(tip + from, Vec3::zeros()));
    let upper = model.add(upper);
    let site = FrameSite::on(upper, Pose::new(-from, Vec3::zeros()));
    let pin = PointConstraint::AtPoint;
    model.add(PointConstrainer::new(pin, (tissue, last), Anchor::Frame(site)));
    add_hinged(&mut model, upper, 0.05);
    model
}

pub(super) fn on_twins(system: &Arc<CompiledModel>, settings: SolverSettings) -> GpuBackend {
    let options = Options { coarsest_dofs: 60, ..Options::of_twins() };
    GpuBackend::on_twins(&options, system.clone(), settings).expect("the twins take the model")
}

/// Largest differences of positions, velocities and forces of rows after a step, over those of the step.
pub(super) fn differences(backend: &mut dyn Backend, cpu: &mut CpuBackend) -> [f64; 3] {
    let (start, mut state) = (cpu.state().clone(), cpu.state().clone());
    backend.write_state(&start).expect("a state");
    backend.step(H).expect("a step");
    cpu.step(H).expect("a step");
    backend.read_state(&mut state).expect("a state");
    let forces = state.multipliers.iter().zip(&cpu.state().multipliers);
    let apart = forces.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let most = state.multipliers.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
    assert_eq!(state.coordinates.len(), cpu.state().coordinates.len());
    [
        largest_distance(&state.q, &cpu.state().q) / largest_distance(&start.q, &state.q),
        largest_distance(&state.u, &cpu.state().u) / largest_distance(&start.u, &state.u),
        apart / most,
    ]
}

#[test]
fn tissue_with_joints_stays_on_the_device_and_steps_from_each_state_as_on_the_processor() {
    let system = Arc::new(beam_with_joints().compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let mut twins = on_twins(&system, settings);
    let mut cpu = CpuBackend::new(system.clone(), settings).expect("a solver");
    for step in 0..12 {
        // The CPU ends its iterations at a balance of momenta of 1e-7.
        let [places, velocities, forces] = differences(&mut twins, &mut cpu);
        assert!(places < 1e-6 && velocities < 1e-6, "step {step}: {places:e}, {velocities:e}");
        assert!(forces < 1e-4, "step {step}: forces of rows {forces:e}");
    }
}

#[test]
fn a_model_with_joints_is_wholly_placed_and_moves_as_on_the_processor() {
    let system = Arc::new(beam_with_pendulum(1).compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-8, ..SolverSettings::default() };
    let placed = Placed::new(test_device(), system.clone(), settings).expect("a backend");
    assert_eq!(placed.missing, [""; 0]);
    let mut device = placed.backend;
    let mut cpu = CpuBackend::new(system, settings).expect("a solver");
    for step in 0..2 {
        let [places, velocities, _] = differences(device.as_mut(), &mut cpu);
        assert!(places < 1e-6 && velocities < 1e-6, "step {step}: {places:e}, {velocities:e}");
    }
}

/// Fewest bytes up and down in a step of a beam without a border, then of a model in each of six steps.
fn traffic(model: &Model, cells: usize) -> ([u64; 2], Vec<[u64; 2]>) {
    let settings =
        SolverSettings { preconditioner: Preconditioning::Multigrid, ..SolverSettings::default() };
    let bytes = |stats: StepStats| [stats.bytes_up, stats.bytes_down];
    let steps = |model: &Model| -> Vec<[u64; 2]> {
        let system = Arc::new(model.compile().expect("compiles"));
        let mut backend = on_twins(&system, settings);
        (0..6).map(|_| bytes(backend.step(H).expect("a step"))).collect()
    };
    let plain = steps(&beam(&BeamParams::kuhn(cells)).expect("a beam"));
    let least = plain.iter().fold([u64::MAX; 2], |[up, down], it| [up.min(it[0]), down.min(it[1])]);
    (least, steps(model))
}

/// Asserts that a model with the bodies and joints of the pendulum moves so many bytes as its border has, whatever number of cells it is of, in
/// steps one of which takes so many solves at most.
pub(super) fn assert_bytes(model: fn(usize) -> Model, most: u64) {
    let border = model(1).compile().expect("compiles").device_view().border();
    let border = border.expect("there are bodies");
    // The tip, and two rows a body.
    let (rows, pairs) = (border.rows().len() as u64, border.pairs().len() as u64);
    assert_eq!((rows, border.row_count()), (5, 8));
    for cells in [1, 2] {
        let (plain, steps) = traffic(&model(cells), cells);
        let look = plain[1] + 48 * rows;
        let mut fewest = [u64::MAX; 2];
        // In the first step the state is brought onto the rows, and responses are found.
        for (step, [up, down]) in steps.into_iter().enumerate().skip(1) {
            assert_eq!(down % look, 0, "step {step} of {cells} cells");
            // Impulses, a tolerance and flags go up again for each solve on, after which there is a look at least.
            let again = 24 * rows + 8 + 4 * u64::from(sinew_shaders::layout::flag::COUNT);
            let further = up - (plain[0] + 24 * rows + 72 * pairs + 8);
            assert_eq!(further % again, 0, "step {step} of {cells} cells");
            let (solves, looks) = (1 + further / again, down / look);
            assert!(solves <= looks, "{solves} of {looks}");
            fewest = [fewest[0].min(solves), fewest[1].min(looks)];
        }
        assert!(fewest[0] <= most, "{fewest:?} solves and looks");
    }
}

#[test]
fn bytes_of_joints_on_the_bus_are_those_of_the_border_however_large_the_tissue_is() {
    // With a solve for the response to each of the eight rows they would be ten at least.
    assert_bytes(beam_with_pendulum, 8);
}

#[test]
fn a_run_with_joints_goes_on_from_a_waypoint_bit_by_bit() {
    let system = Arc::new(beam_with_pendulum(1).compile().expect("compiles"));
    let settings = SolverSettings::default();
    let [mut first, mut second] = [(); 2].map(|()| on_twins(&system, settings));
    let two_steps = |backend: &mut GpuBackend| {
        (0..2).for_each(|_| assert!(backend.step(H).is_ok()));
    };
    two_steps(&mut first);
    let [mut end, mut expected] = [(); 2].map(|()| system.initial_state());
    first.read_state(&mut end).expect("a state");
    for backend in [&mut first, &mut second] {
        backend.write_state(&end).expect("a state");
        backend.forget();
        two_steps(backend);
    }
    first.read_state(&mut expected).expect("a state");
    second.read_state(&mut end).expect("a state");
    assert_eq!(end, expected);
}

#[test]
fn rows_that_contradict_each_other_are_an_error_and_leave_the_state() {
    let mut model = beam_with_pendulum(1);
    let (tissue, last) = (model.nth::<FemModel>(0), model.fem(0).mesh.nodes.len() as u32 - 1);
    for x in [0.3, 0.5] {
        let there = Anchor::Frame(FrameSite::ground(shift(x, 0.0, 0.0)));
        model.add(PointConstrainer::new(PointConstraint::AtPoint, (tissue, last), there));
    }
    let system = Arc::new(model.compile().expect("compiles"));
    let mut backend = on_twins(&system, SolverSettings::default());
    let error = backend.step(H).expect_err("a node is at one place");
    assert!(matches!(error, StepError::Unmet { .. }), "{error}");
    let mut state = system.initial_state();
    backend.read_state(&mut state).expect("a state");
    assert!(largest_distance(&state.q, &system.initial_state().q) < 1e-12);
}
