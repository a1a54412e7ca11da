//! Bodies that forces do not move: through keyframes, or at their velocities.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, grid, nodes_where, shift, solid_box};
use sinew::Vec3;
use sinew::constraint::{JointKind, Pose};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, FemModel, FrameMarker, FrameSite, Joint, Keyframe, Master, Model, Particle,
    PointRef, RigidBody,
};
use sinew_datasets::beam::BeamElement;

/// Up by 0.1 m and a quarter turn about z in 0.5 s, then back without the turn in 0.25 s.
fn keyframes() -> Vec<Keyframe> {
    let quarter = Vec3::z() * std::f64::consts::FRAC_PI_2;
    vec![
        Keyframe { time: 0.1, pose: Pose::identity() },
        Keyframe { time: 0.6, pose: Pose::new(Vec3::z() * 0.1, quarter) },
        Keyframe { time: 0.85, pose: Pose::new(Vec3::zeros(), quarter) },
    ]
}

/// The pose at a time, by hand.
fn pose_at(t: f64) -> Pose {
    let share = ((t - 0.1) / 0.5).clamp(0.0, 1.0);
    let back = ((t - 0.6) / 0.25).clamp(0.0, 1.0);
    let turn = Vec3::z() * (share * std::f64::consts::FRAC_PI_2);
    Pose::new(Vec3::z() * (0.1 * (share - back)), turn)
}

fn prescribed_by_keyframes() -> RigidBody {
    RigidBody { keyframes: keyframes(), ..solid_box("led", 1.0, [0.2; 3]).fixed() }
}

/// With a step that meets none of the times of the keyframes.
#[test]
fn a_body_goes_through_its_keyframes() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let mut model = Model::new("led");
        let body = model.add(prescribed_by_keyframes());
        let place = Vec3::new(0.1, 0.1, 0.1);
        let marker = model.add(FrameMarker::new(body, place));
        let mut runner = Runner::new(&model, integrator);
        for k in 1..=80 {
            runner.step(0.0123);
            let (found, expected) = (runner.pose(body), pose_at(0.0123 * f64::from(k)));
            let apart = (found.translation.vector - expected.translation.vector).norm();
            assert!(apart < 1e-12 && found.rotation.angle_to(&expected.rotation) < 1e-7);
            let on_body = expected.transform_point(&place.into()).coords;
            assert!((runner.place(marker) - on_body).norm() < 1e-12);
        }
        assert!(runner.pose(body).rotation.angle() > 1.5);
    }
}

/// 2 kg that move at 3 m, and 1 kg at 0.6 m that is attached to a body which does not: (6 + 0.6) / 3 m. Where nothing
/// moves all counts.
#[test]
fn the_centre_of_mass_is_that_of_what_forces_move() {
    let mut model = Model::new("center");
    let prescribed = model.add(solid_box("led", 5.0, [0.2; 3]).at(shift(0.5, 0.1, 0.0)).fixed());
    model.add(Particle::new(4.0, Vec3::new(-7.0, 1.0, 0.0)).fixed());
    let still = model.compile().unwrap();
    let center = still.at(&still.initial_state()).center_of_mass();
    assert!((center - Vec3::new(-25.5 / 9.0, 0.5, 0.0)).norm() < 1e-14, "{center}");
    model.add(Particle::new(2.0, Vec3::x() * 3.0));
    let tooth = model.add(Particle::new(1.0, Vec3::x() * 0.6));
    model.add(Attachment::new(vec![tooth.into()], Master::Body(prescribed)));
    let compiled = model.compile().unwrap();
    let center = compiled.at(&compiled.initial_state()).center_of_mass();
    assert!((center - Vec3::x() * 2.2).norm() < 1e-14, "{center}");
}

/// Without keyframes a body keeps its velocity and turns evenly: 3 rad/s for 4 s is two turns.
#[test]
fn a_body_that_is_fixed_keeps_its_velocities() {
    let mut model = Model::new("led");
    let mut body = solid_box("led", 1.0, [0.2; 3]).at(shift(1.0, 0.0, 0.0)).fixed();
    (body.velocity, body.angular_velocity) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.0, 2.0, -2.0));
    let body = model.add(body);
    let mut runner = Runner::new(&model, EULER);
    for k in 1..=400 {
        runner.step(0.01);
        let t = 0.01 * f64::from(k);
        let expected = Pose::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 2.0, -2.0) * t);
        let place = Vec3::x() + Vec3::new(0.1, 0.2, 0.3) * t;
        let found = runner.pose(body);
        assert!((found.translation.vector - place).norm() < 1e-12);
        assert!(found.rotation.angle_to(&expected.rotation) < 1e-7);
        // The velocity of a step is that of the Cayley map, late by (h w)² / 12.
        assert!((runner.angular_velocity(body) - Vec3::new(1.0, 2.0, -2.0)).norm() < 1e-3);
    }
}

/// Nodes on a prescribed body are where it has them; the others come to rest about it.
#[test]
fn a_tissue_follows_the_body_that_it_is_attached_to() {
    let mut model = Model::new("led");
    model.set_gravity(Vec3::zeros());
    let body = model.add(prescribed_by_keyframes());
    let mesh = grid(BeamElement::Hex, [2, 2, 2], [0.2; 3], Vec3::new(-0.1, -0.1, 0.1));
    let bottom = nodes_where(&mesh, |x| (x.z - 0.1).abs() < 1e-9);
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e5, poissons_ratio: 0.3 });
    let mut fem = FemModel::new("flesh", mesh, 1000.0, law);
    (fem.mass_damping, fem.stiffness_damping) = (5.0, 0.02);
    let fem = model.add(fem);
    let points = bottom.iter().map(|&n| PointRef::FemNode(fem, n)).collect();
    model.add(Attachment::new(points, Master::Body(body)));
    let mut runner = Runner::new(&model, EULER);
    let deviation = |r: &Runner, n: u32| {
        let place = model[fem].mesh.nodes[n as usize];
        let on_body = r.pose(body).transform_point(&place.into()).coords;
        (r.place(PointRef::FemNode(fem, n)) - on_body).norm()
    };
    let mut most = 0f64;
    for _ in 0..100 {
        runner.step(0.01);
        bottom.iter().for_each(|&n| assert!(deviation(&runner, n) < 1e-12));
        most = most.max((0..27).map(|n| deviation(&runner, n)).fold(0.0, f64::max));
    }
    assert!(most > 1e-4, "the free nodes did not lag behind: {most}");
    runner.steps(0.05, 100);
    // Turned by 90 degrees as a whole: a corotated law is at rest there.
    (0..27).for_each(|n| assert!(deviation(&runner, n) < 1e-6, "{}", deviation(&runner, n)));
}

/// A body of 2 kg welded to one that turns at 5 rad/s, 0.4 m from its axis: the weld pulls it in with m w² r, and
/// bears its weight. Mean forces of a step of 1e-3 s are (h w)² off.
#[test]
fn the_joint_to_a_prescribed_body_carries_centripetal_force_and_weight() {
    let mut model = Model::new("led");
    model.set_gravity(Vec3::z() * -9.8);
    let mut disk = solid_box("disk", 1.0, [0.2; 3]).fixed();
    disk.angular_velocity = Vec3::z() * 5.0;
    let disk = model.add(disk);
    let mut rider = solid_box("rider", 2.0, [0.1; 3]).at(shift(0.4, 0.0, 0.0));
    (rider.velocity, rider.angular_velocity) = (Vec3::y() * 2.0, Vec3::z() * 5.0);
    let rider = model.add(rider);
    let d = FrameSite::on(disk, shift(0.4, 0.0, 0.0));
    model.add(Joint::new(JointKind::Solid, FrameSite::on(rider, Pose::identity()), d));
    let mut runner = Runner::new(&model, EULER);
    // The first step turns the velocity by half as much as the others.
    runner.step(1e-3);
    for _ in 0..200 {
        let before = runner.pose(rider).translation.vector;
        runner.step(1e-3);
        let middle = ((before + runner.pose(rider).translation.vector) * 0.5).normalize();
        let force = Vec3::from_column_slice(&runner.state.multipliers[..3]);
        // Backward Euler turns the velocity by a step between half a step before and after: h w off.
        assert!((force.dot(&middle) + 20.0).abs() < 1e-2 * 20.0, "{force}");
        assert!((force.z - 19.6).abs() < 1e-3, "{force}");
        assert!(runner.drift() < 1e-9);
    }
}

/// A particle on a rod of a prescribed body swings as a pendulum whose support moves evenly does: in the frame of the
/// support nothing changes (Galilei).
#[test]
fn a_pendulum_on_an_evenly_moving_body_swings_as_one_at_rest() {
    let swing = |velocity: Vec3| {
        let mut model = Model::new("led");
        model.set_gravity(Vec3::z() * -9.8);
        let mut cart = solid_box("cart", 1.0, [0.2; 3]).fixed();
        cart.velocity = velocity;
        let cart = model.add(cart);
        let mut bar = solid_box("bar", 1.0, [0.5, 0.05, 0.05]).at(shift(0.25, 0.0, 0.0));
        bar.velocity = velocity;
        let bar = model.add(bar);
        let c = FrameSite::on(bar, shift(-0.25, 0.0, 0.0));
        model.add(Joint::new(JointKind::Spherical, c, FrameSite::on(cart, Pose::identity())));
        let bob = model.add(Particle::new(0.5, Vec3::x() * 0.5));
        model.add(Attachment::new(vec![bob.into()], Master::Body(bar)));
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        runner.steps(0.01, 100);
        runner.place(bob) - runner.pose(cart).translation.vector
    };
    let (rest, moving) = (swing(Vec3::zeros()), swing(Vec3::new(3.0, 1.0, 0.5)));
    assert!((rest - moving).norm() < 1e-8, "{rest} {moving}");
    assert!((rest - Vec3::x() * 0.5).norm() > 0.1, "it did not swing");
}
