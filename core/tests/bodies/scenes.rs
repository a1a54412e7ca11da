//! Models that several tests share.

use nalgebra::UnitQuaternion;
use sinew::component::Handle;
use sinew::constraint::{
    EllipsoidNormal, EllipsoidShape, JointKind, Placement, PointConstraint, Pose, Skew,
};
use sinew::dynamics::SpatialInertia;
use sinew::fem::VolumeMesh;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Anchor, FrameMarker, FrameSite, Inertia, Joint, Model, Particle, PointConstrainer, PointRef,
    RigidBody,
};
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, beam_mesh};

pub(crate) const G: f64 = 9.8;

pub(crate) const TRAPEZOIDAL: Integrator = Integrator::Trapezoidal(ImplicitMode::Linearized);
pub(crate) const EULER: Integrator = Integrator::BackwardEuler(ImplicitMode::Linearized);

pub(crate) fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

/// Axes with z along y of the world: hinges about y.
pub(crate) fn about_y(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Vec3::new(x, y, z), Vec3::x() * -std::f64::consts::FRAC_PI_2)
}

/// Links 0.2 x 0.04 x 0.04 m, 1000 kg/m³, hinged about y, from the horizontal.
pub(crate) fn chain(links: usize) -> (Model, Vec<Handle<RigidBody>>) {
    let mut model = Model::new("chain");
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.04, 0.04)).unwrap();
    let mut bodies: Vec<Handle<RigidBody>> = Vec::new();
    for k in 0..links {
        let body = RigidBody::from_mesh(format!("link{k}"), mesh.clone(), 1000.0);
        let body = model.add(body.at(shift(0.2 * k as f64 + 0.1, 0.0, 0.0)));
        let c = FrameSite::on(body, about_y(-0.1, 0.0, 0.0));
        let d = match bodies.last() {
            None => FrameSite::ground(about_y(0.0, 0.0, 0.0)),
            Some(&before) => FrameSite::on(before, about_y(0.1, 0.0, 0.0)),
        };
        model.add(Joint::new(JointKind::Hinge, c, d));
        bodies.push(body);
    }
    (model, bodies)
}

/// Report of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) factorizations: usize,
    pub(crate) solves: usize,
    pub(crate) divided: usize,
}

pub(crate) struct Runner {
    pub(crate) compiled: CompiledModel,
    pub(crate) solver: MechSystemSolver,
    pub(crate) state: State,
}

impl Runner {
    pub(crate) fn new(model: &Model, integrator: Integrator) -> Self {
        let compiled = model.compile().unwrap();
        let settings = SolverSettings { integrator, ..SolverSettings::default() };
        let solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let state = compiled.initial_state();
        Self { compiled, solver, state }
    }

    pub(crate) fn energy(&self) -> f64 {
        self.compiled.energies(&self.state).total()
    }

    /// A point of a body, in its frame from its centre of mass, in the world [m].
    pub(crate) fn point(&self, body: Handle<RigidBody>, arm: Vec3) -> Vec3 {
        let rows = self.compiled.body_rows(body).unwrap();
        self.state.q[rows.row as usize] + rows.orientation(&self.state.q) * arm
    }

    /// Place of a point [m].
    pub(crate) fn place(&self, point: impl Into<PointRef>) -> Vec3 {
        self.state.q[self.compiled.find_row(point.into()).unwrap()]
    }

    /// Velocity of a point [m/s].
    pub(crate) fn velocity(&self, point: impl Into<PointRef>) -> Vec3 {
        self.state.u[self.compiled.find_row(point.into()).unwrap()]
    }

    /// Pose of a body, body to world.
    pub(crate) fn pose(&self, body: Handle<RigidBody>) -> Pose {
        self.compiled.body_motion(body, &self.state).unwrap().0
    }

    /// Angular velocity of a body [rad/s].
    pub(crate) fn angular_velocity(&self, body: Handle<RigidBody>) -> Vec3 {
        self.compiled.body_motion(body, &self.state).unwrap().2
    }

    /// Values of the constraint rows [m], [-].
    pub(crate) fn row_values(&self) -> Vec<f64> {
        let multibody = self.compiled.multibody().unwrap();
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&self.state.q, &mut turns);
        let at =
            Placement { q: &self.state.q, turns: &turns, coordinates: &self.state.coordinates };
        let mut rows = multibody.joints.rows.at(at);
        (0..multibody.joints.rows.count()).map(|row| rows.value(row)).collect()
    }

    /// Largest error of a row [m], [-].
    pub(crate) fn drift(&self) -> f64 {
        self.row_values().iter().fold(0.0, |most, value| value.abs().max(most))
    }

    pub(crate) fn step(&mut self, h: f64) {
        self.solver.step(&self.compiled, &mut self.state, h).unwrap();
    }

    pub(crate) fn steps(&mut self, h: f64, count: usize) {
        (0..count).for_each(|_| self.step(h));
    }

    /// Steps of `h` until `end`; changes of energy against the start.
    pub(crate) fn run(&mut self, h: f64, end: f64) -> Run {
        let start = self.energy();
        let mut run = Run::default();
        let steps = ((end - self.state.time) / h).round() as usize;
        for _ in 0..steps {
            let stats = self.solver.step(&self.compiled, &mut self.state, h).unwrap();
            let change = self.energy() - start;
            run.least = run.least.min(change);
            run.most = run.most.max(change);
            run.factorizations += stats.factorizations;
            run.solves += stats.linear_solves;
            run.divided += usize::from(stats.substeps > 1);
        }
        run
    }
}

/// A homogeneous box.
pub(crate) fn solid_box(name: &str, mass: f64, size: [f64; 3]) -> RigidBody {
    let inertia = SpatialInertia::of_box(mass, &Vec3::from(size)).unwrap();
    RigidBody::new(name, Inertia::Explicit(inertia))
}

/// A box [0, x] x [0, y] x [0, z] m in cells of one kind, with its corner at `corner`.
pub(crate) fn grid(
    element: BeamElement,
    counts: [usize; 3],
    size: [f64; 3],
    corner: Vec3,
) -> VolumeMesh {
    let mut mesh = beam_mesh(element, counts, size).unwrap();
    let shift = corner - mesh.bounding_box().unwrap()[0];
    mesh.nodes.iter_mut().for_each(|x| *x += shift);
    mesh
}

/// The nodes where `predicate` holds.
pub(crate) fn nodes_where(mesh: &VolumeMesh, predicate: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    (0..mesh.nodes.len() as u32).filter(|&n| predicate(&mesh.nodes[n as usize])).collect()
}

/// A model whose gravity is along -y.
pub(crate) fn in_plane(gravity: f64) -> Model {
    let mut model = Model::new("mechanism");
    model.set_gravity(Vec3::new(0.0, -gravity, 0.0));
    model
}

/// A frame of the world, given in that of a body at the start.
pub(crate) fn site(model: &Model, body: Option<Handle<RigidBody>>, frame: Pose) -> FrameSite {
    match body {
        None => FrameSite::ground(frame),
        Some(body) => FrameSite::on(body, model[body].pose.inverse() * frame),
    }
}

/// A hinge about a line through a point of the world.
pub(crate) fn hinge(
    model: &mut Model,
    [c, d]: [Option<Handle<RigidBody>>; 2],
    point: Vec3,
    axis: Vec3,
) -> Handle<Joint> {
    let turn = UnitQuaternion::rotation_between(&Vec3::z(), &axis)
        .unwrap_or_else(|| UnitQuaternion::new(Vec3::x() * std::f64::consts::PI));
    let frame = Pose::from_parts(point.into(), turn);
    let [c, d] = [c, d].map(|body| site(model, body, frame));
    model.add(Joint::new(JointKind::Hinge, c, d))
}

/// `windows` square windows of slender rods of 1 m and 1 kg in the plane z = 0; tips move at 1 m/s.
pub(crate) fn four_bar(windows: usize) -> (Model, Handle<RigidBody>) {
    let mut model = in_plane(9.81);
    let moments = Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0);
    let moments = nalgebra::Matrix3::from_diagonal(&moments);
    let rod = SpatialInertia::new(1.0, Vec3::zeros(), moments).unwrap();
    let upright = Vec3::z() * std::f64::consts::FRAC_PI_2;
    let (mut left, mut first) = (None, None);
    for i in 0..=windows {
        let x = i as f64;
        let mut post = RigidBody::new(format!("post{i}"), Inertia::Explicit(rod));
        post.pose = Pose::new(Vec3::new(x, 0.5, 0.0), upright);
        post.velocity = Vec3::new(0.5, 0.0, 0.0);
        post.angular_velocity = -Vec3::z();
        let post = model.add(post);
        first = first.or(Some(post));
        hinge(&mut model, [Some(post), None], Vec3::new(x, 0.0, 0.0), Vec3::z());
        let tip = Vec3::new(x, 1.0, 0.0);
        if left.is_some() {
            hinge(&mut model, [Some(post), left], tip, Vec3::z());
        }
        if i < windows {
            let mut coupler = RigidBody::new(format!("coupler{i}"), Inertia::Explicit(rod));
            coupler.pose = shift(x + 0.5, 1.0, 0.0);
            coupler.velocity = Vec3::x();
            let coupler = model.add(coupler);
            hinge(&mut model, [Some(coupler), Some(post)], tip, Vec3::z());
            left = Some(coupler);
        }
    }
    (model, first.unwrap())
}

/// Bricard's six-bar: five rods of 1 x 0.1 x 0.1 m and 1 kg, six hinges. With the third rod.
pub(crate) fn bricard() -> (Model, Handle<RigidBody>) {
    let mut model = in_plane(9.81);
    let points = [
        Vec3::zeros(),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(1.0, -1.0, 0.0),
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::new(0.0, -1.0, 1.0),
        Vec3::new(0.0, 0.0, 1.0),
    ];
    let axes = [Vec3::y(), Vec3::z(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x()];
    let mesh = cuboid_mesh(&Vec3::new(1.0, 0.1, 0.1)).unwrap();
    let mut rods = Vec::new();
    for i in 0..5 {
        let along = points[i + 1] - points[i];
        let turn = UnitQuaternion::rotation_between(&Vec3::x(), &along)
            .unwrap_or_else(|| UnitQuaternion::new(Vec3::z() * std::f64::consts::PI));
        let pose = Pose::from_parts(((points[i] + points[i + 1]) * 0.5).into(), turn);
        let rod = RigidBody::from_mesh(format!("rod{i}"), mesh.clone(), 100.0).at(pose);
        let rod = model.add(rod);
        hinge(&mut model, [Some(rod), rods.last().copied()], points[i], axes[i]);
        rods.push(rod);
    }
    hinge(&mut model, [None, Some(rods[4])], points[5], axes[5]);
    (model, rods[2])
}

/// Holds a point at a distance of 1 m from another or, without one, from the origin.
pub(crate) fn rod(model: &mut Model, point: impl Into<PointRef>, other: Option<Handle<Particle>>) {
    let anchor = match other {
        Some(other) => Anchor::Point(other.into()),
        None => Anchor::Frame(FrameSite::ground(Pose::identity())),
    };
    let kind = PointConstraint::AtDistance { length: 1.0 };
    model.add(PointConstrainer::new(kind, point, anchor));
}

/// MB-double-pendulum: points of 1 kg on rods of 1 m, both along x.
pub(crate) fn double_pendulum() -> (Model, [Handle<Particle>; 2]) {
    let mut model = in_plane(9.81);
    let [a, b] = [1.0, 2.0].map(|x| model.add(Particle::new(1.0, Vec3::x() * x)));
    rod(&mut model, a, None);
    rod(&mut model, b, Some(a));
    (model, [a, b])
}

/// MB-witkin-bead-dumbbell: 1 kg and 3 kg on a rod of 2 m, the first at 1 m/s across it.
pub(crate) fn dumbbell() -> (Model, [Handle<Particle>; 2]) {
    let mut model = in_plane(0.0);
    let a = model.add(Particle::new(1.0, Vec3::zeros()).velocity(Vec3::y()));
    let b = model.add(Particle::new(3.0, Vec3::x() * 2.0));
    let (kind, anchor) = (PointConstraint::AtDistance { length: 2.0 }, Anchor::Point(b.into()));
    model.add(PointConstrainer::new(kind, a, anchor));
    (model, [a, b])
}

/// Crank of 0.1 m prescribed at 10 rad/s, rod of 0.4 m, a slider on the x axis that is a marker of the rod.
pub(crate) fn slider_crank() -> (Model, Handle<FrameMarker>) {
    let mut model = in_plane(0.0);
    let mut crank = solid_box("crank", 1.0, [0.1, 0.02, 0.02]).fixed();
    crank.angular_velocity = Vec3::z() * 10.0;
    let crank = model.add(crank);
    let mut rod = solid_box("rod", 1.0, [0.4, 0.02, 0.02]).at(shift(0.3, 0.0, 0.0));
    (rod.velocity, rod.angular_velocity) = (Vec3::y() * 0.5, Vec3::z() * -2.5);
    let rod = model.add(rod);
    hinge(&mut model, [Some(rod), Some(crank)], Vec3::x() * 0.1, Vec3::z());
    let slider = model.add(FrameMarker::new(rod, Vec3::x() * 0.2));
    let along_x = Pose::new(Vec3::zeros(), Vec3::y() * std::f64::consts::FRAC_PI_2);
    let line = Anchor::Frame(FrameSite::ground(along_x));
    model.add(PointConstrainer::new(PointConstraint::OnLine, slider, line));
    (model, slider)
}

/// Velocities between -1 and 1 times `size` that look random, of a linear congruence; what follows others
/// goes along.
pub(crate) fn scatter(runner: &mut Runner, size: f64) {
    let mut seed = 12345u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for u in &mut runner.state.u {
        *u = Vec3::new(next(), next(), next()) * size;
    }
    if let Some(multibody) = runner.compiled.multibody() {
        let mut attachments = multibody.attachments.resolved.clone();
        attachments.update_weights(&multibody.weights_at(&runner.state.q));
        attachments.expand_velocity(&mut runner.state.u);
    }
}

/// Every kind of joint, those with a shape also with another one.
pub(crate) fn joint_kinds() -> Vec<JointKind> {
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
