//! Natural coordinates beside quaternions on random trees of every kind of joint, their drift, and chains of any length.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{JointKind, PointConstraint, Pose, Quantity, Range};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    Anchor, AxialSpring, FrameMarker, FrameSite, Inertia, Joint, LinearAxial, Model,
    PointConstrainer, RigidBody,
};
use sinew::ode::Method;
use sinew::solve::{BodyCoordinates, Integrator, VariableStep};

use crate::scenes::{Runner, chain, joint_kinds};

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
    for (k, kind) in joint_kinds().into_iter().enumerate() {
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

fn rule(tolerance: f64, coordinates: BodyCoordinates) -> Integrator {
    let (method, relative, absolute) = (Method::DormandPrince, tolerance, tolerance);
    Integrator::Variable(VariableStep { method, relative, absolute, coordinates })
}

/// Springs between bodies of a tree, a locked coordinate, and a row on a point that a body takes along, which closes a
/// loop.
fn entangle(model: &mut Model, bodies: &[Handle<RigidBody>], random: &mut Random) {
    let mut mark = |k: usize| model.add(FrameMarker::new(bodies[k], random.vector(0.3)));
    let ends = [[2, 9], [5, 20], [11, 17]].map(|pair| pair.map(&mut mark));
    for [a, b] in ends {
        let law = LinearAxial { stiffness: 300.0, damping: 5.0, rest_length: 0.1 };
        model.add(AxialSpring::new([a, b], law));
    }
    let hinge = model.iter::<Joint>().find(|(_, it)| it.settings.kind == JointKind::Hinge);
    let hinge = hinge.expect("a hinge").0;
    model[hinge].settings.coordinates[0].locked = true;
    let (kind, anchor) = (PointConstraint::OnPlane, ends[0][1]);
    let at = model[bodies[9]].pose.transform_point(&model[anchor].location.into());
    let plane = Pose::from_parts(at.coords.into(), random.pose().rotation);
    model.add(PointConstrainer::new(kind, anchor, Anchor::Frame(FrameSite::ground(plane))));
}

/// Forces of rows are a function of the state alone, as accelerations are, of which velocities after a millisecond are made.
#[test]
fn trees_of_every_joint_move_and_pull_as_by_quaternions() {
    let mut random = Random(3);
    for number in 0..5 {
        let (mut model, bodies) = random_tree(&mut random);
        entangle(&mut model, &bodies, &mut random);
        let seed = random.0;
        let run = |coordinates| {
            let mut random = Random(seed);
            let mut runner = Runner::new(&model, rule(1e-12, coordinates));
            runner.state.u.iter_mut().for_each(|u| *u = random.vector(2.0));
            runner.step(1e-9);
            let start = runner.state.u.clone();
            runner.step(1e-3);
            assert!(runner.drift() < 1e-10, "tree {number}: {:e}", runner.drift());
            let changes: Vec<Vec3> =
                runner.state.u.iter().zip(&start).map(|(u, before)| u - before).collect();
            (changes, runner.state.multipliers.clone())
        };
        let [a, b] = [BodyCoordinates::Quaternions, BodyCoordinates::Natural].map(run);
        let size = a.0.iter().fold(0.0, |most: f64, v| most.max(v.amax()));
        let apart = a.0.iter().zip(&b.0).fold(0.0, |most: f64, (a, b)| most.max((a - b).amax()));
        assert!(apart < 1e-10 * size.max(1.0), "tree {number}: {apart:e} of {size}");
        let force = a.1.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        let apart = a.1.iter().zip(&b.1).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        // What central differences leave of -(dG/dt) u in the other form.
        assert!(apart < 1e-8 * force, "tree {number}: forces of rows {apart:e} of {force}");
    }
}

#[test]
fn joints_do_not_drift_and_energy_is_kept_in_ten_seconds() {
    let (model, _) = chain(4);
    let mut runner = Runner::new(&model, rule(1e-9, BodyCoordinates::Natural));
    let start = runner.energy();
    for _ in 0..100 {
        runner.step(0.1);
        assert!(runner.drift() < 1e-10, "{} s: {:e}", runner.state.time, runner.drift());
    }
    let change = (runner.energy() - start).abs();
    assert!(change < 1e-5, "{change:e} J");
}

#[test]
fn long_chains_move_as_by_quaternions() {
    for links in [10, 200] {
        let run = |coordinates| {
            let (model, bodies) = chain(links);
            let mut runner = Runner::new(&model, rule(1e-8, coordinates));
            runner.steps(0.02, 2);
            assert!(runner.drift() < 1e-10, "{links} links: {:e}", runner.drift());
            runner.pose(bodies[links - 1]).translation.vector
        };
        let [a, b] = [BodyCoordinates::Quaternions, BodyCoordinates::Natural].map(run);
        assert!((a - b).norm() < 1e-7, "{links} links: {a} {b}");
    }
}
