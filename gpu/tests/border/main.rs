//! Models whose tissue stays on the device and whose springs, shells and the like are computed by the host at the border of it.

mod joints;
mod ranges;
mod springs;

use std::sync::Arc;

use sinew::Vec3;
use sinew::backend::{Backend, CpuBackend};
use sinew::dynamics::SpatialInertia;
use sinew::material::MaterialSpec;
use sinew::model::{
    Attachment, AxialSpring, FemModel, FrameLoad, FrameMarker, Inertia, LinearAxial, Master, Model,
    Particle, PointLoad, PointRef, RigidBody, Shell,
};
use sinew::property::Pose;
use sinew::solve::{Preconditioning, SolverSettings};
use sinew::system::StepError;
use sinew_datasets::beam::{BeamParams, beam};
use sinew_gpu::testing::test_device;
use sinew_gpu::{GpuBackend, Options, Placed};

const H: f64 = 0.01;

fn largest_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A beam of so many cells with a spring from its tip to its root, and one to a ball that follows an element.
fn beam_with_springs(cells: usize) -> Model {
    let mut model = beam(&BeamParams::kuhn(cells)).expect("a beam");
    let nodes = &model.fem(0).mesh.nodes;
    let (last, tip) = (nodes.len() as u32 - 1, nodes[nodes.len() - 1]);
    // In the element at the tip: the border has as many rows whatever the mesh.
    let ball = model.add(Particle::new(0.1, tip));
    let wall = model.add(Particle::new(1.0, tip + Vec3::new(0.1, 0.2, 0.0)).fixed());
    let tissue = model.nth::<FemModel>(0);
    let material = LinearAxial { stiffness: 400.0, damping: 1.0, rest_length: 0.8 };
    model.add(AxialSpring::new([(tissue, 0), (tissue, last)], material));
    model.add(Attachment::new(vec![ball.into()], Master::Tissue(tissue)));
    let material = LinearAxial { rest_length: 0.1, ..material };
    model.add(AxialSpring::new([ball, wall], material));
    model
}

/// Rows and pairs of the border of a model, and the fewest bytes up and down in a step on the twins.
fn traffic(model: &Model) -> ([u64; 2], [u64; 2]) {
    let system = Arc::new(model.compile().expect("compiles"));
    let border = system.device_view().border();
    let border = border.map_or([0; 2], |it| [it.rows().len(), it.pairs().len()]);
    let settings =
        SolverSettings { preconditioner: Preconditioning::Multigrid, ..SolverSettings::default() };
    let options = Options { coarsest_dofs: 60, ..Options::of_twins() };
    let mut backend = GpuBackend::on_twins(&options, system, settings).expect("it fits");
    let mut least = [u64::MAX; 2];
    for _ in 0..6 {
        // A step that looks again at a solve reads once more.
        let stats = backend.step(H).expect("a step");
        least = [least[0].min(stats.bytes_up), least[1].min(stats.bytes_down)];
    }
    (border.map(|count| count as u64), least)
}

#[test]
fn bytes_on_the_bus_are_those_of_the_border_however_large_the_tissue_is() {
    let (small, large) = (traffic(&beam_with_springs(1)), traffic(&beam_with_springs(3)));
    assert_eq!(small, large);
    let (_, [up, down]) = traffic(&beam(&BeamParams::kuhn(3)).expect("a beam"));
    let [rows, pairs] = large.0;
    assert_eq!(large.1, [up + 24 * rows + 72 * pairs, down + 48 * rows]);
}

#[test]
fn a_model_with_springs_is_wholly_placed_and_moves_as_on_the_processor() {
    let system = Arc::new(beam_with_springs(2).compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-8, ..SolverSettings::default() };
    let placed = Placed::new(test_device(), system.clone(), settings).expect("a backend");
    assert_eq!(placed.missing, [""; 0]);
    let (mut device, mut cpu) =
        (placed.backend, CpuBackend::new(system.clone(), settings).expect("a solver"));
    for _ in 0..3 {
        device.step(H).expect("a step");
        cpu.step(H).expect("a step");
    }
    let start = system.initial_state();
    let mut state = start.clone();
    device.read_state(&mut state).expect("a state");
    let moved = largest_distance(&state.q, &start.q);
    let far = largest_distance(&state.q, &cpu.state().q) / moved;
    assert!(far < 1e-6, "{far:e} of {moved} m");
}

#[test]
fn a_shell_that_collapses_ends_the_step_and_the_state_stays() {
    let mut model = beam(&BeamParams::kuhn(1)).expect("a beam");
    let tissue = model.nth::<FemModel>(0);
    let law = MaterialSpec::from_name("neohook").expect("a law of the list");
    let element = model.fem(0).mesh.element(0).1.to_vec();
    let triangle = [element[0], element[1], element[2]];
    model.add(Shell { name: "skin".into(), ..Shell::of_triangles(tissue, vec![triangle], law) });
    let system = Arc::new(model.compile().expect("compiles"));
    let settings = SolverSettings::default();
    let mut backend = GpuBackend::on_twins(&Options::of_twins(), system.clone(), settings)
        .expect("the twins take the model");
    let mut flat = system.initial_state();
    let [a, b, _] = triangle.map(|node| system.block_of_node(tissue, node as usize));
    flat.q[b] = flat.q[a];
    backend.write_state(&flat).expect("a state");
    match backend.step(H) {
        Err(StepError::Inverted { fem, element, time, .. }) => {
            assert!(
                fem.ends_with("skin") && element == 0 && time == 0.0,
                "{fem}, {element}, {time}"
            );
        }
        other => panic!("{other:?}"),
    }
    let mut state = system.initial_state();
    backend.read_state(&mut state).expect("a state");
    assert!((state.q[b] - flat.q[b]).norm() < 1e-12 && state.time == 0.0);
    // It goes on from another one.
    backend.write_state(&system.initial_state()).expect("a state");
    backend.step(H).expect("a step");
}

fn boxed(mass: f64) -> Inertia {
    let sides = Vec3::new(0.1, 0.2, 0.15);
    Inertia::Explicit(SpatialInertia::of_box(mass, &sides).expect("a box"))
}

/// A beam at whose end a turning body is attached, with drag and loads; a lighter one hangs from it and from a wall by springs alone.
fn beam_with_bodies() -> Model {
    let mut model = beam(&BeamParams::default()).expect("a beam");
    let (tissue, nodes) = (model.nth::<FemModel>(0), model.fem(0).mesh.nodes.clone());
    let far = nodes.iter().map(|p| p.x).fold(f64::MIN, f64::max);
    let end: Vec<usize> = (0..nodes.len()).filter(|&k| nodes[k].x > far - 1e-6).collect();
    let place = end.iter().map(|&k| nodes[k]).sum::<Vec3>() / end.len() as f64;
    let end: Vec<PointRef> = end.into_iter().map(|k| (tissue, k as u32).into()).collect();
    let turned = Pose::new(place + Vec3::new(0.06, 0.0, 0.02), Vec3::new(0.3, 0.2, -0.1));
    let body = model.add(RigidBody {
        velocity: Vec3::new(0.0, 0.1, 0.2),
        angular_velocity: Vec3::new(1.0, -2.0, 3.0),
        rotary_damping: Some(0.01),
        ..RigidBody::new("body", boxed(2.0)).at(turned)
    });
    model.add(PointLoad::new(end[1], Vec3::new(3.0, 8.0, -5.0)));
    model.add(Attachment::new(end, Master::Body(body)));
    model.add(FrameLoad::new(body, Vec3::new(0.0, 4.0, 0.0), Vec3::new(0.4, 0.1, -0.2)));
    let below = place + Vec3::new(0.2, 0.0, -0.15);
    let below = Pose::translation(below.x, below.y, below.z);
    let second = model.add(RigidBody::new("second", boxed(0.6)).at(below));
    let [first, there, over] = [(body, 0.1), (second, 0.05), (second, -0.05)]
        .map(|(body, x)| model.add(FrameMarker::new(body, Vec3::new(x, 0.02, 0.03))));
    let wall = model.add(Particle::new(1.0, place + Vec3::new(0.2, 0.0, 0.3)).fixed());
    let material = LinearAxial { stiffness: 800.0, damping: 1.0, rest_length: 0.12 };
    let ends: [[PointRef; 2]; 2] = [[first.into(), there.into()], [over.into(), wall.into()]];
    for ends in ends {
        model.add(AxialSpring::new(ends, material));
    }
    model
}

#[test]
fn tissue_with_bodies_stays_on_the_device_and_steps_from_each_state_as_on_the_processor() {
    let system = Arc::new(beam_with_bodies().compile().expect("compiles"));
    let settings = SolverSettings { cg_tolerance: 1e-9, ..SolverSettings::default() };
    let mut twins = GpuBackend::on_twins(&Options::of_twins(), system.clone(), settings)
        .expect("the twins take the model");
    let mut cpu = CpuBackend::new(system.clone(), settings).expect("a solver");
    let mut state = system.initial_state();
    for step in 0..8 {
        let start = cpu.state().clone();
        twins.write_state(&start).expect("a state");
        twins.step(H).expect("a step");
        cpu.step(H).expect("a step");
        twins.read_state(&mut state).expect("a state");
        let far = [
            largest_distance(&state.q, &cpu.state().q) / largest_distance(&start.q, &state.q),
            largest_distance(&state.u, &cpu.state().u) / largest_distance(&start.u, &state.u),
        ];
        // The CPU ends its iterations at a balance of momenta of 1e-7; where it goes on to 1e-12, at most 3e-8 is left.
        assert!(far.iter().all(|far| *far < 1e-6), "step {step}: {far:?}");
    }
}
