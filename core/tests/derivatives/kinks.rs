//! Gradients through a step that ends at a kink of the forces: a spring that only pulls, at its rest length.

use sinew::Vec3;
use sinew::adjoint::{StateVector, Trajectory};
use sinew::axial::AxialLaw;
use sinew::axial::passive::UnidirectionalSpring;
use sinew::model::{AxialSpring, Model, Particle, PointRef};
use sinew::solve::{Integrator, MechSystemSolver};
use sinew::system::{CompiledModel, State};

use crate::gradients::{H, assert_near, settings};
use crate::scenes::in_plane;

const REST: f64 = 0.5;
const STEPS: usize = 3;

/// A particle of 0.5 kg on a spring of 400 N/m that only pulls, which is at its rest length after the first step.
fn pulled(velocity: f64) -> (Model, usize) {
    let mut model = in_plane(0.0);
    let wall = model.add(Particle::new(1.0, Vec3::zeros()).fixed());
    let mut mass = Particle::new(0.5, Vec3::x() * (REST - H * velocity));
    mass.velocity = Vec3::x() * velocity;
    let mass = model.add(mass);
    let spring = UnidirectionalSpring { stiffness: 400.0, damping: 0.0 };
    let law = AxialLaw::UnidirectionalLinear(spring);
    let mut spring = AxialSpring::with_law([wall, mass].map(PointRef::from), law);
    spring.rest_length = REST;
    model.add(spring);
    let row = model.compile().unwrap().block_of_particle(mass);
    (model, row)
}

/// Sum of the places of the particle after each step, begun so far from its start [m].
fn sum((model, row): &(Model, usize), by: f64) -> f64 {
    let compiled = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&compiled, settings(Integrator::BackwardEuler)).unwrap();
    let mut state = compiled.initial_state();
    state.q[*row].x += by;
    let mut sum = state.q[*row].x;
    for _ in 0..STEPS {
        solver.step(&compiled, &mut state, H).unwrap();
        sum += state.q[*row].x;
    }
    sum
}

#[test]
fn gradients_at_a_kink_are_those_of_the_side_that_the_step_goes_to() {
    for velocity in [1.0, -1.0] {
        let scene = pulled(velocity);
        let (model, row) = &scene;
        let start = model.compile().unwrap().initial_state();
        let settings = settings(Integrator::BackwardEuler);
        let trajectory = Trajectory { model, settings, step: H, steps: STEPS };
        let mut objective = |_: usize, state: &State, _: &CompiledModel, by: &mut StateVector| {
            by.q[*row].x += 1.0;
            state.q[*row].x
        };
        let found = trajectory.gradient(Some(&start), &[], &mut objective).unwrap();
        // Beyond the kink the motion is linear in its start.
        let beyond = |by: f64| (sum(&scene, by) - sum(&scene, 0.0)) / by;
        let [side, other] = [1e-5, -1e-5].map(|by| beyond(by * velocity));
        assert!((side - other).abs() > 0.01, "both sides are alike: {side} {other}");
        assert_near(found.start.q[*row].x, side, side.abs(), &format!("at {velocity} m/s"));
    }
}
