//! Structural edits of a model with bodies, joints and attachments.

use sinew::Vec3;
use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::constraint::{JointKind, Pose};
use sinew::model::{
    Affine, Attachment, Edit, FrameMarker, FrameSite, Joint, Master, MechModel, MultiPointSpring,
    Particle, PointRef, RigidBody,
};
use sinew::property::Value;
use sinew::schedule::Simulation;

use crate::fixture::{
    STEP, Scene, advance, body_motion, difference, motion, placed, running, scene,
};

/// Frame of a body: position and orientation (direction times angle), velocity and angular velocity.
fn frame(simulation: &mut Simulation, scene: &Scene) -> [Vec3; 4] {
    frame_of(simulation, scene.arm.body)
}

fn frame_of(simulation: &mut Simulation, body: Handle<RigidBody>) -> [Vec3; 4] {
    ["position", "orientation", "velocity", "angular_velocity"].map(|name| {
        let property = simulation.model().property_of(body, name).unwrap();
        match simulation.get(&property).unwrap() {
            Value::Vector(x) => x,
            other => panic!("{other}"),
        }
    })
}

fn main_model(simulation: &Simulation) -> ComponentId {
    simulation.model().first::<MechModel>().expect("a mechanical model").id()
}

#[test]
fn an_arm_swings_on_as_if_it_had_been_built_so_and_put_there() {
    let scene = scene();
    let hinge = scene.arm.hinge;
    for k in 0..3 {
        let mut simulation = running(scene.model.clone(), 20);
        let main = main_model(&simulation);
        let edit = match k {
            0 => Edit::add(main, FrameMarker::new(scene.arm.body, Vec3::y())),
            1 => Edit::delete(scene.arm.muscle),
            _ => Edit::add(
                main,
                RigidBody { name: "new".into(), ..scene.model[scene.arm.post].clone() },
            ),
        };
        simulation.edit(edit).unwrap();
        let state = simulation.state().unwrap().clone();
        let known = simulation.compiled().multipliers_of(hinge, &state);
        assert!(known.is_some_and(|m| m.iter().any(|x| *x != 0.0)), "edit {k}: forces are known");
        let mut fresh = placed(&simulation.model().clone(), &mut simulation);
        assert_eq!(difference(&mut simulation, &mut fresh), [0.0; 2], "edit {k}: before the step");
        advance(&mut simulation, 3);
        advance(&mut fresh, 3);
        assert_eq!(difference(&mut simulation, &mut fresh), [0.0; 2], "edit {k}");
    }
}

#[test]
fn what_an_edit_of_an_arm_does_not_touch_moves_on_as_without_it() {
    let scene = scene();
    let mut edited = running(scene.model.clone(), 20);
    let mut untouched = running(scene.model.clone(), 20);
    // Neither has a part in the motion of anything that moves: not a row of what does changes.
    let main = main_model(&edited);
    edited.edit(Edit::add(main, FrameMarker::new(scene.arm.post, Vec3::y()))).unwrap();
    advance(&mut edited, 10);
    advance(&mut untouched, 10);
    let [position, velocity] = difference(&mut edited, &mut untouched);
    // Another elimination order rounds otherwise: positions of 1 m, velocities near 1 m/s.
    assert!(position < 1e-13 && velocity < 1e-11, "{position:e} m, {velocity:e} m/s");
}

#[test]
fn a_weight_that_is_attached_shifts_the_centre_of_mass_and_moves_nothing() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let before = frame(&mut simulation, &scene);
    let rows = body_motion(&mut simulation, scene.arm.body);
    let hinge = simulation.model().property_of(scene.arm.hinge, "coordinates").unwrap();
    let angle = simulation.get(&hinge).unwrap();
    let main = main_model(&simulation);
    let heavy = Particle::new(0.3, Vec3::new(0.15, 1.0, -0.05)).named("heavy");
    let heavy: PointRef = match simulation.edit(Edit::add(main, heavy)).unwrap()[..] {
        [id] => PointRef::at(id.into()).unwrap(),
        _ => panic!("one particle"),
    };
    let attached = Attachment::new(vec![heavy], Master::Body(scene.arm.body));
    simulation.edit(Edit::add(main, attached)).unwrap();
    let after = frame(&mut simulation, &scene);
    assert_ne!(
        body_motion(&mut simulation, scene.arm.body)[0],
        rows[0],
        "the row is another point"
    );
    for (a, b) in before.iter().zip(&after) {
        // A dozen roundings of 1 m.
        assert!((a - b).norm() < 1e-14 * (1.0 + a.norm()), "{a} {b}");
    }
    // The weight is where it is on the body, and goes with it.
    let [q, u] = motion(&mut simulation, heavy);
    let turn = nalgebra::UnitQuaternion::new(after[1]);
    let arm = turn * Vec3::new(0.05, 0.0, -0.05);
    assert!((q - (after[0] + arm)).norm() < 1e-14, "{q}");
    assert!((u - (after[2] + after[3].cross(&arm))).norm() < 1e-14, "{u}");
    let Value::List(angle) = angle else { panic!("{angle}") };
    let Value::List(now) = simulation.get(&hinge).unwrap() else { panic!("a list") };
    assert!((angle[0] - now[0]).abs() < 1e-14, "{angle:?} {now:?}");
    advance(&mut simulation, 1);
}

#[test]
fn an_arm_that_was_deleted_and_comes_back_goes_on_where_it_was() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let points = [PointRef::from(scene.arm.weight), simulation.compiled().markers()[2].into()];
    let (body, at) = (
        body_motion(&mut simulation, scene.arm.body),
        points.map(|point| motion(&mut simulation, point)),
    );
    simulation.edit(Edit::delete(scene.arm.body)).unwrap();
    assert!(!simulation.model().contains(scene.arm.hinge), "its hinge went along");
    assert!(simulation.undo().unwrap());
    assert_eq!(body_motion(&mut simulation, scene.arm.body), body);
    for (point, before) in points.into_iter().zip(at) {
        let now = motion(&mut simulation, point);
        let off = [0, 1].map(|k| (now[k] - before[k]).norm());
        // Roundings of 1 m and 1 m/s.
        assert!(off[0] < 1e-14 && off[1] < 1e-13, "{off:?}");
    }
    let mut untouched = running(scene.model, 20);
    advance(&mut simulation, 3);
    advance(&mut untouched, 3);
    let [position, velocity] = difference(&mut simulation, &mut untouched);
    // The hinge is new to the rows, which are projected on: as far as velocities of a step of the rule
    // are off the rows at its end.
    assert!(position < 1e-3 && velocity < 1e-2, "{position:e} m, {velocity:e} m/s");
}

#[test]
fn an_arm_that_is_turned_with_its_hinge_moves_as_if_everything_had_been_turned() {
    let mut scene = scene();
    scene.model.set_gravity(Vec3::zeros());
    scene.model[scene.arm.body].angular_velocity = Vec3::y() * 2.0;
    scene.model[scene.arm.body].velocity = Vec3::new(0.0, 0.0, -0.2);
    let map = Affine::rotation(Vec3::new(0.2, 0.1, 0.0), Vec3::new(0.4, -1.0, 0.7));
    let mut turned = running(scene.model.clone(), 15);
    let mut still = running(scene.model.clone(), 15);
    turned.edit(Edit::transform(main_model(&turned), map)).unwrap();
    for steps in [0, 10] {
        advance(&mut turned, steps);
        advance(&mut still, steps);
        let ([x, _, v, w], [y, _, s, r]) = (frame(&mut still, &scene), frame(&mut turned, &scene));
        // Momenta are balanced to 1e-9 in each step.
        assert!((map.point(&x) - y).norm() < 1e-10, "{x} {y}");
        assert!(
            (map.linear * v - s).norm() < 1e-8 && (map.linear * w - r).norm() < 1e-7,
            "{w} {r}"
        );
    }
    assert!(frame(&mut still, &scene)[3].norm() > 1.0, "it still swings");
}

#[test]
fn a_body_that_is_fixed_stays_where_it_is_and_one_that_is_let_go_falls_from_there() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let dynamic = simulation.model().property_of(scene.arm.body, "dynamic").unwrap();
    let [place, turn, velocity, _] = frame(&mut simulation, &scene);
    assert!(velocity.norm() > 0.05, "it moves: {velocity}");
    simulation.set(&dynamic, false).unwrap();
    // Its hinge asks for nothing that it does not do.
    advance(&mut simulation, 5);
    let fixed = frame(&mut simulation, &scene);
    assert!((fixed[0] - place).norm() < 1e-14 && (fixed[1] - turn).norm() < 1e-14, "{fixed:?}");
    assert!(fixed[2].norm() < 1e-12 && fixed[3].norm() < 1e-12, "{fixed:?}");
    // Another edit finds it there too.
    simulation.edit(Edit::delete(scene.springs[2])).unwrap();
    let still = frame(&mut simulation, &scene);
    let off = still.iter().zip(&fixed).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(off < 1e-14, "{still:?} {fixed:?}");
    simulation.set(&dynamic, true).unwrap();
    advance(&mut simulation, 1);
    let after = frame(&mut simulation, &scene);
    assert!((after[0] - place).norm() < 2e-3 && after[2].norm() > 1e-3, "{after:?}");
    let hung = 0.1 * 9.8 * STEP * STEP;
    assert!((after[0] - place).norm() > 1e-2 * hung, "it falls: {after:?}");
}

#[test]
fn a_prescribed_body_goes_on_as_prescribed_whatever_is_edited() {
    let mut scene = scene();
    let post = scene.arm.post;
    scene.model[post].velocity = Vec3::new(0.1, 0.0, 0.0);
    scene.model[post].angular_velocity = Vec3::z() * 3.0;
    let mut edited = running(scene.model.clone(), 20);
    let mut untouched = running(scene.model.clone(), 20);
    edited.edit(Edit::delete(scene.springs[0])).unwrap();
    assert_eq!(frame_of(&mut edited, post), frame_of(&mut untouched, post));
    advance(&mut edited, 10);
    advance(&mut untouched, 10);
    assert_eq!(body_motion(&mut edited, post)[..2], body_motion(&mut untouched, post)[..2]);
    let pose = pose_of(&mut edited, post);
    // Thirty steps at these velocities.
    assert!((pose.translation.vector - Vec3::new(0.015, 1.0, 0.1)).norm() < 1e-12, "{pose}");
    assert!((pose.rotation.scaled_axis() - Vec3::z() * 0.45).norm() < 1e-12, "{pose}");
}

fn pose_of(simulation: &mut Simulation, body: Handle<RigidBody>) -> Pose {
    let property = simulation.model().property_of(body, "pose").unwrap();
    match simulation.get(&property).unwrap() {
        Value::Pose(pose) => pose,
        other => panic!("{other}"),
    }
}

#[test]
fn muscles_through_several_points_remember_over_an_edit_elsewhere() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 1);
    let excitation = simulation.model().property_of(scene.arm.muscle, "excitation").unwrap();
    simulation.set(&excitation, 1.0).unwrap();
    advance(&mut simulation, 2);
    let memory = |simulation: &mut Simulation| simulation.state().unwrap().memory.clone();
    let before = memory(&mut simulation);
    assert!(before[0] > 0.5 && before[0] < 1.0, "activation rises: {before:?}");
    simulation.edit(Edit::delete(scene.springs[0])).unwrap();
    assert_eq!(memory(&mut simulation), before, "of all that comes after");
    // A new one, driven from without, begins where its excitation has it.
    let muscle = simulation.model()[scene.arm.muscle].clone();
    let again = MultiPointSpring { name: "again".into(), excitation: 0.25, ..muscle };
    let main = main_model(&simulation);
    simulation.edit(Edit::add(main, again)).unwrap();
    let after = memory(&mut simulation);
    assert_eq!((&after[..before.len()], after.last()), (&before[..], Some(&0.25)));
}

#[test]
fn a_joint_that_is_added_where_it_does_not_fit_pulls_its_bodies_together() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 20);
    let main = main_model(&simulation);
    let block = scene.model[scene.arm.post].clone();
    let block = RigidBody { name: "block".into(), dynamic: true, ..block };
    let block =
        simulation.edit(Edit::add(main, block.at(Pose::translation(0.35, 1.0, 0.0)))).unwrap();
    let block: Handle<RigidBody> = block[0].typed().unwrap();
    let (c, d) = (
        FrameSite::on(block, Pose::translation(-0.1, 0.0, 0.0)),
        FrameSite::on(scene.arm.body, Pose::translation(0.1, 0.0, 0.0)),
    );
    let joint =
        simulation.edit(Edit::add(main, Joint::new(JointKind::Spherical, c, d))).unwrap()[0];
    assert!(simulation.state().unwrap().multipliers.is_empty(), "nothing is known of its forces");
    let errors = simulation.model().property_of(joint, "errors").unwrap();
    let largest = |simulation: &mut Simulation| match simulation.get(&errors).unwrap() {
        Value::List(errors) => errors.iter().fold(0.0, |most: f64, x| most.max(x.abs())),
        other => panic!("{other}"),
    };
    assert!(largest(&mut simulation) > 0.01);
    advance(&mut simulation, 1);
    assert!(largest(&mut simulation) < 1e-9, "{}", largest(&mut simulation));
}
