//! Columns of bodies and rows in closed form: gradients through all that they know, and how seldom equations are evaluated.

use sinew::Vec3;
use sinew::adjoint::{StateVector, Trajectory};
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::component::Handle;
use sinew::constraint::{Compliance, JointKind};
use sinew::model::{AxialSpring, FrameMarker, Joint, Model, Particle, PointRef, RigidBody};
use sinew::solve::{Integrator, SolverSettings};
use sinew::system::{CompiledModel, State};

use crate::gradients::{H, check, settings};
use crate::models::{attached_tissue, pendulum};
use crate::scenes::{hinge, in_plane, shift, site, solid_box};

const STEPS: usize = 3;
const SOFT: Compliance = Compliance { compliance: 2e-3, damping: 3.0 };

/// A point of a body, in its frame.
fn point(model: &mut Model, body: Handle<RigidBody>, at: Vec3) -> PointRef {
    model.add(FrameMarker::new(body, at)).into()
}

/// Links in space on a hinge that a soft lock holds, a ball, and a universal joint with a rigid lock, with springs between points
/// of them and of the world.
fn links(damping: f64) -> Model {
    let mut model = in_plane(9.81);
    let bodies = [("first", 0.1), ("second", 0.3), ("third", 0.5)].map(|(name, x)| {
        let mut body = solid_box(name, 1.0, [0.2, 0.05, 0.08]).at(shift(x, 0.0, 0.0));
        body.angular_velocity = Vec3::new(0.4, -0.3, 0.8);
        model.add(body)
    });
    let axis = Vec3::new(0.2, 0.3, 1.0).normalize();
    let pivot = hinge(&mut model, [Some(bodies[0]), None], Vec3::zeros(), axis);
    let coordinate = &mut model[pivot].settings.coordinates[0];
    (coordinate.locked, coordinate.compliance) = (true, SOFT);
    for (k, kind) in [(1, JointKind::Spherical), (2, JointKind::Universal)] {
        let frame = shift(0.2 * k as f64, 0.0, 0.0);
        let [c, d] = [bodies[k], bodies[k - 1]].map(|body| site(&model, Some(body), frame));
        let joint = model.add(Joint::new(kind, c, d));
        for coordinate in model[joint].settings.coordinates.iter_mut().take(1) {
            coordinate.locked = true;
        }
    }
    let law = AxialLaw::Linear(LinearSpring { stiffness: 300.0, damping });
    let wall = model.add(Particle::new(1.0, Vec3::new(0.3, 0.4, 0.2)).fixed());
    let on_second = point(&mut model, bodies[1], Vec3::new(0.05, 0.02, 0.0));
    let on_third = point(&mut model, bodies[2], Vec3::new(0.08, 0.0, 0.03));
    for ends in [[wall.into(), on_third], [on_second, on_third]] {
        let mut spring = AxialSpring::with_law(ends, law);
        spring.rest_length = 0.1;
        model.add(spring);
    }
    model
}

/// Evaluations of the equations of a step in the gradient of a run.
fn evaluations(model: &Model, settings: SolverSettings) -> usize {
    let trajectory = Trajectory { model, settings, step: H, steps: STEPS };
    let mut objective = |_: usize, _: &State, _: &CompiledModel, gradient: &mut StateVector| {
        gradient.q.iter_mut().for_each(|by| by.x += 1.0);
        0.0
    };
    let found = trajectory.gradient(None, &[], &mut objective).unwrap();
    assert_eq!(found.evaluations % STEPS, 0, "the same in every step");
    found.evaluations / STEPS
}

#[test]
fn gradients_through_joints_locks_and_springs_of_bodies_are_those_of_the_steps() {
    for damping in [0.0, 2.0] {
        let model = links(damping);
        let paths =
            ["first", "third"].map(|body| format!("/models/mechanism/rigid_bodies/{body}:mass"));
        for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
            let settings = settings(rule);
            check(&model, &paths, (settings, STEPS), "links");
            // The step itself, and both sides of the direction that closed forms are checked along.
            assert_eq!(evaluations(&model, settings), 3, "{:?} {damping}", settings.integrator);
        }
    }
}

#[test]
fn equations_of_bodies_on_joints_are_evaluated_three_times_a_step() {
    let chain = sinew_datasets::find("chain").unwrap();
    let mut params = sinew_datasets::Params::parse(&["n=5".to_owned()]).unwrap();
    let chain = (chain.build)(&mut params).unwrap();
    let mut scenes = [
        ("chain", chain),
        ("pendulum", pendulum([2.0, 1.0]).0.model),
        // It has muscles with a memory.
        ("tissue on a body", attached_tissue().model),
    ];
    for (name, model) in &mut scenes {
        assert_eq!(evaluations(model, settings(Integrator::BackwardEuler)), 3, "{name}");
    }
}
