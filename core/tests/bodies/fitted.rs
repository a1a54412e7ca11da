//! Bodies that follow a tissue or points.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, about_y, grid, nodes_where, shift, solid_box};
use super::scenes::{scatter, site};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, AxialSpring, Dirichlet, FemModel, FrameAttachment, FrameLoad, FrameMarker, Inertia,
    Joint, LinearAxial, Master, Model, Particle, PointLoad, PointRef, RigidBody,
};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings};
use sinew_datasets::beam::BeamElement;

const G: f64 = 9.8;

fn law(youngs_modulus: f64) -> MaterialSpec {
    MaterialSpec::NeoHookean(Isotropic { youngs_modulus, poissons_ratio: 0.3 })
}

/// A block of tissue along x from the origin, 0.3 x 0.1 x 0.1 m.
fn block(youngs_modulus: f64) -> FemModel {
    let corner = Vec3::new(0.0, -0.05, -0.05);
    let mesh = grid(BeamElement::Hex, [3, 1, 1], [0.3, 0.1, 0.1], corner);
    FemModel::new("block", mesh, 1000.0, law(youngs_modulus))
}

fn weightless() -> Model {
    let mut model = Model::new("carried");
    model.set_gravity(Vec3::zeros());
    model
}

/// A bone of 0.5 kg in the second cell, 2 cm from its middle, turned.
fn bone() -> RigidBody {
    let pose = Pose::new(Vec3::new(0.17, 0.01, -0.02), Vec3::new(0.4, -0.3, 0.8));
    solid_box("bone", 0.5, [0.06, 0.03, 0.02]).at(pose)
}

/// Both masters: the tissue, or all nodes of the end of the block.
fn attach(model: &mut Model, fem: Handle<FemModel>, on_points: bool) -> Handle<RigidBody> {
    let bone = model.add(bone());
    let nodes = nodes_where(&model[fem].mesh, |x| x.x > 0.05);
    let points = nodes.into_iter().map(|n| PointRef::FemNode(fem, n)).collect();
    model.add(match on_points {
        true => FrameAttachment::to_points(bone, points),
        false => FrameAttachment::to_tissue(bone, fem),
    });
    bone
}

#[test]
fn a_body_on_a_block_that_turns_as_one_turns_with_it() {
    for on_points in [false, true] {
        let mut model = weightless();
        let mut disk = solid_box("disk", 1.0, [0.2; 3]).fixed();
        disk.angular_velocity = Vec3::new(1.0, -2.0, 3.0);
        disk.velocity = Vec3::new(0.3, 0.2, -0.1);
        let disk = model.add(disk);
        let fem = model.add(block(1e5));
        let nodes = 0..model[fem].mesh.nodes.len() as u32;
        let points = nodes.map(|n| PointRef::FemNode(fem, n)).collect();
        model.add(Attachment::new(points, Master::Body(disk)));
        let bone = attach(&mut model, fem, on_points);
        let tip = model.add(FrameMarker::new(bone, Vec3::new(0.03, 0.0, 0.01)));
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let relative = runner.pose(disk).inverse() * runner.pose(bone);
        for _ in 0..50 {
            runner.step(0.02);
            let expected = runner.pose(disk) * relative;
            let error = expected.inverse() * runner.pose(bone);
            assert!(error.translation.vector.norm() < 1e-13, "{}", error.translation);
            assert!(error.rotation.angle() < 1e-13, "{}", error.rotation.angle());
            let at = expected.transform_point(&Vec3::new(0.03, 0.0, 0.01).into()).coords;
            assert!((runner.place(tip) - at).norm() < 1e-13);
        }
        assert!(runner.pose(bone).rotation.angle() > 0.3, "it hardly turned");
    }
}

/// A free block with a bone on it and a particle on a spring to a marker of the bone.
fn free_block(on_points: bool) -> (Model, Handle<RigidBody>) {
    let mut model = weightless();
    let fem = model.add(block(1e5));
    let bone = attach(&mut model, fem, on_points);
    let end = model.add(FrameMarker::new(bone, Vec3::new(0.03, 0.0, 0.01)));
    let bob = model.add(Particle::new(0.2, Vec3::new(0.17, 0.3, 0.0)));
    let law = LinearAxial { stiffness: 20.0, damping: 0.0, rest_length: 0.2 };
    model.add(AxialSpring::new([PointRef::from(bob), end.into()], law));
    (model, bone)
}

fn changes(h: f64, integrator: Integrator, on_points: bool) -> [f64; 2] {
    let mut runner = Runner::new(&free_block(on_points).0, integrator);
    scatter(&mut runner, 0.3);
    runner.step(1e-9);
    let linear = runner.compiled.at(&runner.state).momentum();
    let angular = runner.compiled.at(&runner.state).angular_momentum();
    runner.steps(h, (0.2 / h).round() as usize);
    [
        (runner.compiled.at(&runner.state).momentum() - linear).norm() / linear.norm(),
        (runner.compiled.at(&runner.state).angular_momentum() - angular).norm() / angular.norm(),
    ]
}

#[test]
fn a_free_block_with_a_body_on_it_keeps_its_linear_momentum() {
    for (integrator, on_points) in [(EULER, false), (TRAPEZOIDAL, false), (TRAPEZOIDAL, true)] {
        let [linear, _] = changes(2e-3, integrator, on_points);
        assert!(linear < 1e-10, "{integrator:?}: {linear}");
    }
}

/// Forces of the tissue are linearized about the start of the step. What the body hands on is not: other tests have
/// it to rounding, and the midpoint rule with it.
#[test]
fn a_free_block_with_a_body_on_it_loses_angular_momentum_of_second_order_in_the_step() {
    for on_points in [false, true] {
        let [coarse, fine] = [1e-3, 5e-4].map(|h| changes(h, TRAPEZOIDAL, on_points)[1]);
        assert!(coarse < 1e-2 && fine < 0.35 * coarse, "{coarse} {fine}");
    }
}

/// The Runge-Kutta rule solves another form of the equations of motion, with the accelerations of the weights.
#[test]
fn two_rules_agree_on_the_motion_of_a_body_on_a_block() {
    for on_points in [false, true] {
        let (model, bone) = free_block(on_points);
        let end = |integrator: Integrator, h: f64| {
            let mut runner = Runner::new(&model, integrator);
            scatter(&mut runner, 0.3);
            runner.steps(h, (0.05 / h).round() as usize);
            runner.pose(bone)
        };
        let exact = end(Integrator::RungeKutta4, 1e-4);
        let errors = [1e-3, 5e-4].map(|h| {
            let error = exact.inverse() * end(TRAPEZOIDAL, h);
            [error.translation.vector.norm(), error.rotation.angle()]
        });
        for [coarse, fine] in [0, 1].map(|k| errors.map(|error| error[k])) {
            assert!(coarse < 1e-2 && (3.0..5.0).contains(&(coarse / fine)), "{coarse} {fine}");
        }
        assert!(exact.rotation.angle_to(&model[bone].pose.rotation) > 1e-2, "it hardly turned");
    }
}

/// Half a metre of beam, fixed at one end, its load at the other: a body, or eight particles at the corners of a
/// box of the same moments of inertia.
fn loaded_beam(as_body: bool) -> (Model, Handle<FemModel>) {
    let mut model = Model::new("beam");
    model.set_gravity(Vec3::z() * -G);
    let corner = Vec3::new(0.0, -0.05, -0.05);
    let mesh = grid(BeamElement::Hex, [5, 1, 1], [0.5, 0.1, 0.1], corner);
    let mut fem = FemModel::new("beam", mesh, 1000.0, law(5e5));
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
    let fem = model.add(fem);
    let (mass, center, half) = (4.0, Vec3::x() * 0.45, 0.04);
    if as_body {
        let moment = mass * 2.0 * half * half;
        let inertia = nalgebra::Matrix3::from_diagonal_element(moment);
        let inertia = SpatialInertia::new(mass, Vec3::zeros(), inertia).unwrap();
        let body = RigidBody::new("load", Inertia::Explicit(inertia));
        let body = model.add(body.at(Pose::from_parts(center.into(), Pose::identity().rotation)));
        model.add(FrameAttachment::to_tissue(body, fem));
    } else {
        let signs = (0..8).map(|k| Vec3::from_fn(|i, _| f64::from(2 * (k >> i & 1)) - 1.0));
        let add = |at: Vec3| model.add(Particle::new(mass / 8.0, at)).into();
        let points = signs.map(|s| center + s * half).map(add).collect();
        model.add(Attachment::new(points, Master::Tissue(fem)));
    }
    (model, fem)
}

/// Swung out under gravity, the tip of the beam is where particles of the same inertia lead it; these strain with
/// the tissue, a body does not, so some per cent of the rotation are between them.
#[test]
fn a_body_at_the_end_of_a_beam_swings_as_particles_of_the_same_inertia() {
    let swing = |as_body: bool| {
        let (model, fem) = loaded_beam(as_body);
        let tip = nodes_where(&model[fem].mesh, |x| x.x > 0.49)[0];
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let mut heights = Vec::new();
        for _ in 0..100 {
            runner.step(5e-3);
            heights.push(runner.place(PointRef::FemNode(fem, tip)).z + 0.05);
        }
        heights
    };
    let (body, particles) = (swing(true), swing(false));
    let deepest = particles.iter().copied().fold(0.0, f64::min);
    assert!(deepest < -0.02, "it hardly swung: {deepest}");
    for (a, b) in body.iter().zip(&particles) {
        assert!((a - b).abs() < 0.02 * deepest.abs(), "{a} {b} of {deepest}");
    }
}

/// One tetrahedron, where gradients are known by hand: a force goes to the nodes by the barycentric coordinates,
/// a moment as (moment / 2) x gradient.
#[test]
fn force_and_moment_on_a_body_are_those_distributed_by_hand() {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()].map(|x| x * 0.2);
    let gradients = [Vec3::repeat(-5.0), Vec3::x() * 5.0, Vec3::y() * 5.0, Vec3::z() * 5.0];
    let place = Vec3::new(0.02, 0.05, 0.06);
    let shares = [0.35, 0.1, 0.25, 0.3];
    let (force, moment) = (Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.02, 0.05, -0.03));
    let moved = |by_hand: bool| {
        let mut model = weightless();
        let mut mesh = VolumeMesh::new(corners.to_vec());
        mesh.push_element(ElementKind::Tet4, &[0, 1, 2, 3]).unwrap();
        let fem = model.add(FemModel::new("tet", mesh, 1000.0, law(1e4)));
        let pose = Pose::from_parts(place.into(), Pose::identity().rotation);
        let bone = model.add(solid_box("bone", 0.3, [0.05; 3]).at(pose));
        model.add(FrameAttachment::to_tissue(bone, fem));
        if by_hand {
            for (n, (share, g)) in (0..).zip(shares.iter().zip(&gradients)) {
                let load = force * *share + (moment * 0.5).cross(g);
                model.add(PointLoad::new((fem, n), load));
            }
        } else {
            model.add(FrameLoad::new(bone, force, moment));
        }
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        runner.step(1e-4);
        (0..4).map(|n| runner.velocity(PointRef::FemNode(fem, n))).collect::<Vec<_>>()
    };
    // Weights are those of the mean of the step, which moved by 1e-8 m of 0.2 m.
    for (a, b) in moved(false).iter().zip(moved(true)) {
        assert!((a - b).norm() < 1e-6 * b.norm(), "{a} {b}");
    }
}

/// A clamped block carries a bone, and on a hinge of that a second body: at rest the hinge bears the weight of
/// the one, the clamp that of all.
fn lantern() -> (Model, Handle<FemModel>, [Handle<RigidBody>; 2]) {
    let mut model = Model::new("lantern");
    model.set_gravity(Vec3::z() * -G);
    let mut fem = block(2e5);
    fem.dirichlet.push(Dirichlet::fix(nodes_where(&fem.mesh, |x| x.x < 1e-9)));
    let fem = model.add(fem);
    let bone = attach(&mut model, fem, false);
    let lamp = model.add(solid_box("lamp", 0.4, [0.02, 0.02, 0.1]).at(shift(0.2, 0.0, -0.15)));
    let frame = about_y(0.2, 0.0, -0.1);
    let sites = [lamp, bone].map(|body| site(&model, Some(body), frame));
    model.add(Joint::new(JointKind::Hinge, sites[0], sites[1]));
    (model, fem, [bone, lamp])
}

#[test]
fn a_joint_on_a_fitted_body_bears_what_hangs_on_it() {
    let (model, _, [bone, lamp]) = lantern();
    let compiled = model.compile().unwrap();
    let integrator = Integrator::Static(StaticSettings::default());
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    let stats = solver.step(&compiled, &mut state, 1.0).unwrap();
    assert!(stats.factorizations < 40, "{}", stats.factorizations);
    let force = Vec3::from_column_slice(&state.multipliers[..3]);
    assert!((force.norm() - 0.4 * G).abs() < 1e-6, "{force}");
    let mut runner = Runner::new(&model, EULER);
    runner.steps(0.5, 100);
    let poses = [bone, lamp].map(|body| compiled.body_motion(body, &state).unwrap().0);
    for (body, pose) in [bone, lamp].into_iter().zip(poses) {
        let error = pose.inverse() * runner.pose(body);
        assert!(error.translation.vector.norm() < 1e-6, "{}", error.translation);
        assert!(error.rotation.angle() < 1e-5, "{}", error.rotation.angle());
    }
    assert!(poses[0].translation.vector.z < -0.025, "it hardly sank: {}", poses[0].translation);
}

#[test]
fn a_lantern_swings_on_its_rows_with_one_factor_a_step() {
    let (model, ..) = lantern();
    for integrator in [EULER, TRAPEZOIDAL] {
        let mut runner = Runner::new(&model, integrator);
        let run = runner.run(5e-3, 1.0);
        assert!(runner.drift() < 1e-9, "{}", runner.drift());
        assert_eq!(run.divided, 0, "{run:?}");
        assert!(run.factorizations <= 220, "{run:?}");
    }
}
