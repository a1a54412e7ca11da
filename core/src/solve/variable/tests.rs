//! Natural coordinates beside quaternions on the same states, and what a rule keeps of them between its steps.

use super::turns::places;
use crate::component::Handle;
use crate::constraint::{
    EllipsoidNormal, EllipsoidShape, JointKind, Placement, PointConstraint, Pose, Quantity, Range,
    Skew,
};
use crate::dynamics::SpatialInertia;
use crate::model::{
    Anchor, AxialSpring, FrameMarker, FrameSite, Inertia, Joint, LinearAxial, Model,
    PointConstrainer, RigidBody,
};
use crate::solve::constrained::{Natural, StepContext, accelerations, project};
use crate::solve::{BodyCoordinates, Integrator, MechSystemSolver, SolverSettings, VariableStep};
use crate::system::{CompiledModel, INSTANT, LoadCase, MechSystem, State};
use crate::{Mat3, Vec3};

/// Numbers in [-1, 1) of a linear congruence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.next() * size)
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.vector(0.2), self.vector(1.0))
    }
}

fn kinds() -> Vec<JointKind> {
    let shape =
        EllipsoidShape { semi_axes: [0.3, 0.4, 0.5], wing_angle: 0.3, ..Default::default() };
    let scaled = EllipsoidShape { normal: EllipsoidNormal::Scaled, ..shape };
    let mut kinds = JointKind::ALL.to_vec();
    kinds.extend([
        JointKind::SkewedUniversal(Skew { skew_angle: 0.4 }),
        JointKind::Ellipsoid(shape),
        JointKind::Ellipsoid3d(shape),
        JointKind::Ellipsoid(scaled),
    ]);
    kinds
}

fn solid(name: &str, random: &mut Random) -> RigidBody {
    let size = Vec3::repeat(0.25) + random.vector(0.15);
    let inertia = SpatialInertia::of_box(1.0 + 0.5 * random.next(), &size).unwrap();
    let turned = inertia.transformed(&random.pose().rotation, &random.vector(0.1));
    RigidBody::new(name, Inertia::Explicit(turned))
}

/// A tree in which every kind of joint hangs on a body before, the first on the ground.
fn random_tree(random: &mut Random) -> (Model, Vec<Handle<RigidBody>>) {
    let mut model = Model::new("tree");
    model.set_gravity(Vec3::new(0.3, -0.5, -9.8));
    let mut bodies: Vec<Handle<RigidBody>> = Vec::new();
    for (k, kind) in kinds().into_iter().enumerate() {
        let parent = (k > 0).then(|| bodies[(k * 7 / 3 + 1) % k]);
        let (c, d) = (random.pose(), random.pose());
        let of = |quantity| if quantity == Quantity::Angle { 0.4 } else { 0.1 };
        let coordinates: Vec<f64> =
            kind.coordinate_specs().iter().map(|it| of(it.quantity)).collect();
        let base = parent.map_or(Pose::identity(), |it| model[it].pose);
        let body = solid(&format!("body{k}"), random);
        let body = model.add(body.at(base * d * kind.pose(&coordinates) * c.inverse()));
        let on = parent.map_or(FrameSite::ground(d), |it| FrameSite::on(it, d));
        let mut joint = Joint::new(kind, FrameSite::on(body, c), on);
        joint.settings.coordinates.iter_mut().for_each(|it| it.range = Range::FREE);
        model.add(joint);
        bodies.push(body);
    }
    (model, bodies)
}

fn solver_of(compiled: &CompiledModel, coordinates: BodyCoordinates) -> MechSystemSolver {
    let step = VariableStep { coordinates, ..VariableStep::default() };
    let settings = SolverSettings { integrator: Integrator::Variable(step), ..Default::default() };
    MechSystemSolver::new(compiled, settings).expect("a solver")
}

/// Accelerations and forces of rows of a state by quaternions, and by natural coordinates.
fn both(compiled: &CompiledModel, state: &mut State) -> [(Vec<Vec3>, Vec<f64>); 2] {
    let mut solver = solver_of(compiled, BodyCoordinates::Quaternions);
    let multibody = compiled.multibody().expect("bodies");
    let context = StepContext { system: compiled, multibody };
    let (equations, own) = (&mut solver.equations, solver.constrained.as_mut().expect("rows"));
    let (parts, at) = (&mut own.parts, (LoadCase::at(0.0), INSTANT));
    multibody.update_coordinates(&state.q, &mut state.coordinates);
    project(equations, context, parts, state).expect("projects");
    accelerations(equations, context, parts, state, at).expect("accelerates");
    let by_quaternions = (parts.linear.step.clone(), parts.linear.row_step.clone());
    let mut natural = Natural::new(context, parts).expect("a tree");
    natural.take(context, state);
    natural.accelerate(equations, context, parts, state, at).expect("accelerates");
    [by_quaternions, (parts.linear.step.clone(), parts.linear.row_step.clone())]
}

fn assert_same([a, b]: &[(Vec<Vec3>, Vec<f64>); 2], what: &str) {
    let size = a.0.iter().fold(0.0, |most: f64, v| most.max(v.amax()));
    let apart = a.0.iter().zip(&b.0).fold(0.0, |most: f64, (a, b)| most.max((a - b).amax()));
    assert!(apart < 1e-10 * size, "{what}: accelerations {apart:e} of {size}");
    let force = a.1.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    let apart = a.1.iter().zip(&b.1).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    assert!(apart < 1e-9 * force, "{what}: forces of rows {apart:e} of {force}");
}

#[test]
fn accelerations_and_forces_of_rows_are_those_of_quaternions_on_trees_of_every_joint() {
    let mut random = Random(3);
    for number in 0..5 {
        let (mut model, bodies) = random_tree(&mut random);
        // Springs between bodies, a locked coordinate, a row on a point that a body takes along, which closes a loop.
        let mut mark = |k: usize| model.add(FrameMarker::new(bodies[k], random.vector(0.3)));
        let ends = [[2, 9], [5, 20], [11, 17]].map(|pair| pair.map(&mut mark));
        for [a, b] in ends {
            let law = LinearAxial { stiffness: 300.0, damping: 5.0, rest_length: 0.1 };
            model.add(AxialSpring::new([a, b], law));
        }
        let hinge =
            model.iter::<Joint>().find(|(_, it)| it.settings.kind == JointKind::Hinge).unwrap().0;
        model[hinge].settings.coordinates[0].locked = true;
        let (kind, anchor) = (PointConstraint::OnPlane, ends[0][1]);
        let at = model[bodies[9]].pose.transform_point(&model[anchor].location.into());
        let plane = Pose::from_parts(at.coords.into(), random.pose().rotation);
        model.add(PointConstrainer::new(kind, anchor, Anchor::Frame(FrameSite::ground(plane))));
        let compiled = model.compile().expect("compiles");
        let mut state = compiled.initial_state();
        state.u.iter_mut().for_each(|u| *u = random.vector(2.0));
        assert_same(&both(&compiled, &mut state), &format!("tree {number}"));
    }
}

/// Base vectors stay orthonormal in what a rule goes on from, and rows of joints in what it hands out.
#[test]
fn rigidity_and_joints_do_not_drift_in_ten_seconds() {
    let mut random = Random(11);
    let mut model = Model::new("chain");
    model.set_gravity(Vec3::z() * -9.8);
    let mut before: Option<Handle<RigidBody>> = None;
    for (k, kind) in
        [JointKind::Universal, JointKind::Hinge, JointKind::Spherical].iter().enumerate()
    {
        let body = solid(&format!("link{k}"), &mut random);
        let body = model.add(body.at(Pose::translation(0.5 * k as f64, 0.0, 0.0)));
        let frame = |x: f64| Pose::new(Vec3::x() * x, Vec3::x() * 1.3);
        let d = before.map_or(FrameSite::ground(frame(-0.25)), |it| FrameSite::on(it, frame(0.25)));
        let mut joint = Joint::new(*kind, FrameSite::on(body, frame(-0.25)), d);
        joint.settings.coordinates.iter_mut().for_each(|it| it.range = Range::FREE);
        model.add(joint);
        before = Some(body);
    }
    let compiled = model.compile().expect("compiles");
    let mut solver = solver_of(&compiled, BodyCoordinates::Natural);
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
        let multibody = compiled.multibody().expect("bodies");
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let mut rows = multibody.joints.rows.at(at);
        for row in 0..multibody.joints.rows.count() {
            worst = worst.max(rows.value(row).abs());
        }
    }
    assert!(worst < 1e-10, "{worst:e}");
}
