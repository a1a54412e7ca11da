//! Steps are the same bits whatever the number of threads and after a pause, and none that fails leaves a trace.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, grid, hinge, nodes_where, shift, solid_box};
use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::active::ConstantMuscle;
use sinew::component::Handle;
use sinew::constraint::{Compliance, PointConstraint, Pose};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Anchor, Attachment, AxialSpring, FemModel, FrameMarker, FrameSite, LinearAxial, Master, Model,
    MultiPointSpring, Particle, PointConstrainer, PointRef, RigidBody,
};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::State;
use sinew_datasets::beam::BeamElement;

/// Steps that no element is stretched too far in [s]: the jaw falls from where it is not at rest.
const STEP: f64 = 2e-3;

/// A tongue between the jaw and the hyoid, attached to both.
fn add_tongue(model: &mut Model, cells: [usize; 3], [jaw, hyoid]: [Handle<RigidBody>; 2]) {
    let size = [0.05, 0.04, 0.03];
    let mesh = grid(BeamElement::Hex, cells, size, Vec3::new(-0.02, -0.02, 0.01));
    let front = nodes_where(&mesh, |x| x.z < 0.011);
    let back = nodes_where(&mesh, |x| x.x < -0.019 && x.z > 0.011);
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e4, poissons_ratio: 0.4 });
    let mut tongue = FemModel::new("tongue", mesh, 1040.0, law);
    (tongue.mass_damping, tongue.stiffness_damping) = (5.0, 0.01);
    let tongue = model.add(tongue);
    for (nodes, body) in [(front, jaw), (back, hyoid)] {
        let points = nodes.iter().map(|&n| PointRef::FemNode(tongue, n)).collect();
        model.add(Attachment::new(points, Master::Body(body)));
    }
}

/// A mandible on a hinge, closed by muscles, with a tongue between it and a bone that springs hold, and a tooth
/// on a soft plane.
fn jaw(cells: [usize; 3]) -> Model {
    let mut model = Model::new("jaw");
    model.set_gravity(Vec3::z() * -9.8);
    let jaw = model.add(solid_box("mandible", 0.3, [0.08, 0.1, 0.02]));
    hinge(&mut model, [Some(jaw), None], Vec3::new(-0.05, 0.0, 0.02), Vec3::y());
    let hyoid =
        model.add(solid_box("hyoid", 0.02, [0.01, 0.04, 0.01]).at(shift(-0.05, 0.0, -0.04)));
    add_tongue(&mut model, cells, [jaw, hyoid]);
    let spring = LinearAxial { stiffness: 200.0, damping: 1.0, rest_length: 0.02 };
    for y in [-0.02, 0.02] {
        let skull = model.add(Particle::new(1.0, Vec3::new(-0.06, y, 0.05)).fixed());
        let on_hyoid = model.add(FrameMarker::new(hyoid, Vec3::y() * y));
        model.add(AxialSpring::new([PointRef::from(skull), on_hyoid.into()], spring));
        let closer = model.add(FrameMarker::new(jaw, Vec3::new(0.0, y, 0.0)));
        let angle = model.add(FrameMarker::new(jaw, Vec3::new(-0.03, y, 0.01)));
        let law =
            AxialLaw::ConstantMuscle(ConstantMuscle { max_force: 30.0, ..Default::default() });
        let points = vec![skull.into(), angle.into(), closer.into()];
        let mut muscle = MultiPointSpring::new(points, law);
        muscle.excitation = 0.2;
        model.add(muscle);
    }
    let tooth = model.add(FrameMarker::new(jaw, Vec3::new(0.04, 0.0, 0.01)));
    let plane = FrameSite::ground(Pose::translation(0.0, 0.0, 0.015));
    let mut bite = PointConstrainer::new(PointConstraint::OnPlane, tooth, Anchor::Frame(plane));
    bite.compliance = Compliance { compliance: 1e-4, damping: 1.0 };
    model.add(bite);
    model
}

fn after(model: &Model, threads: usize, steps: usize) -> State {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut runner = Runner::new(model, TRAPEZOIDAL);
        runner.steps(STEP, steps);
        runner.state
    })
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let model = jaw([8, 6, 5]);
    let (one, two) = (after(&model, 1, 25), after(&model, 2, 25));
    assert_eq!(one, two);
    let start = model.compile().unwrap().initial_state();
    let moved = one.q.iter().zip(&start.q).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(moved > 1e-4, "nothing moved: {moved}");
}

/// A state is all that a run needs: another solver goes on from it, and the run that was not stopped does not
/// notice that its solver was told to forget.
#[test]
fn a_resumed_run_goes_on_with_the_same_bits() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let model = jaw([3, 2, 2]);
        let mut whole = Runner::new(&model, integrator);
        whole.steps(0.01, 10);
        let saved = whole.state.clone();
        whole.steps(0.01, 10);
        let mut resumed = Runner::new(&model, integrator);
        resumed.state = saved;
        resumed.steps(0.01, 10);
        assert_eq!(whole.state, resumed.state, "{integrator:?}");
    }
}

/// The tongue is turned inside out by velocities that no step can follow.
#[test]
fn a_step_that_fails_leaves_the_state_as_it_was() {
    let mut model = jaw([3, 2, 2]);
    let law = Isotropic { youngs_modulus: 1e4, poissons_ratio: 0.4 };
    model.fem_mut(0).material = MaterialSpec::NeoHookean(law);
    for first in [true, false] {
        let mut runner = Runner::new(&model, EULER);
        if !first {
            runner.steps(STEP, 8);
        }
        let fem = model.nth::<FemModel>(0);
        for n in (0..36).step_by(5) {
            let row = runner.compiled.block_of_node(fem, n);
            runner.state.q[row] += Vec3::new(0.1, -0.1, 0.1);
        }
        let before = runner.state.clone();
        let error = runner.solver.step(&runner.compiled, &mut runner.state, 0.01);
        assert!(error.is_err(), "the step was taken");
        assert_eq!(runner.state, before, "first: {first}");
    }
}

/// Forces that are no numbers end a step with an error, and the solver takes the next good one.
#[test]
fn a_solver_goes_on_after_a_step_that_failed() {
    let model = jaw([3, 2, 2]);
    let compiled = model.compile().unwrap();
    let settings = SolverSettings { integrator: TRAPEZOIDAL, ..SolverSettings::default() };
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let mut state = compiled.initial_state();
    solver.step(&compiled, &mut state, 0.01).unwrap();
    let mut broken = State { u: vec![Vec3::repeat(f64::NAN); state.u.len()], ..state.clone() };
    assert!(solver.step(&compiled, &mut broken, 0.01).is_err());
    let mut other = state.clone();
    solver.step(&compiled, &mut state, 0.01).unwrap();
    let mut fresh = MechSystemSolver::new(&compiled, settings).unwrap();
    fresh.step(&compiled, &mut other, 0.01).unwrap();
    assert_eq!(state, other);
}
