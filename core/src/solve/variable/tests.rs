//! Base vectors of natural coordinates between the steps of a rule.

use super::turns::places;
use crate::component::Handle;
use crate::constraint::{JointKind, Pose, Range};
use crate::dynamics::SpatialInertia;
use crate::model::{FrameSite, Inertia, Joint, Model, RigidBody};
use crate::solve::{BodyCoordinates, Integrator, MechSystemSolver, SolverSettings, VariableStep};
use crate::{Mat3, Vec3};

/// Links on a universal joint, a hinge and a ball joint.
fn linkage() -> Model {
    let mut model = Model::new("linkage");
    model.set_gravity(Vec3::z() * -9.8);
    let inertia = SpatialInertia::of_box(1.2, &Vec3::new(0.5, 0.2, 0.1)).unwrap();
    let mut before: Option<Handle<RigidBody>> = None;
    for (k, kind) in
        [JointKind::Universal, JointKind::Hinge, JointKind::Spherical].into_iter().enumerate()
    {
        let body = RigidBody::new(format!("link{k}"), Inertia::Explicit(inertia));
        let body = model.add(body.at(Pose::translation(0.5 * k as f64, 0.0, 0.0)));
        let frame = |x: f64| Pose::new(Vec3::x() * x, Vec3::x() * 1.3);
        let d = before.map_or(FrameSite::ground(frame(-0.25)), |it| FrameSite::on(it, frame(0.25)));
        let mut joint = Joint::new(kind, FrameSite::on(body, frame(-0.25)), d);
        joint.settings.coordinates.iter_mut().for_each(|it| it.range = Range::FREE);
        model.add(joint);
        before = Some(body);
    }
    model
}

/// Rows of joints have their test in core/tests/orders.
#[test]
fn base_vectors_stay_orthonormal_for_ten_seconds() {
    let compiled = linkage().compile().expect("compiles");
    let step = VariableStep { coordinates: BodyCoordinates::Natural, ..VariableStep::default() };
    let settings = SolverSettings { integrator: Integrator::Variable(step), ..Default::default() };
    let mut solver = MechSystemSolver::new(&compiled, settings).expect("a solver");
    let mut state = compiled.initial_state();
    let mut worst = 0.0f64;
    for _ in 0..100 {
        solver.step(&compiled, &mut state, 0.1).expect("steps");
        let variable = solver.variable.as_ref().expect("a rule");
        let (y, turns) = (variable.solver.y(), &variable.turns);
        for place in places(&turns.rotations, turns.sizes()).filter(|it| it.body.is_some()) {
            let base = Mat3::from_column_slice(&y[place.position..place.position + 9]);
            worst = worst.max((base.tr_mul(&base) - Mat3::identity()).amax());
        }
    }
    assert!(worst < 1e-10, "{worst:e}");
}
