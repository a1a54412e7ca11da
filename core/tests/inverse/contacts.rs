//! Contacts that come and go with the excitations that are looked for.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::inverse::{
    ContactSets, MotionTarget, TargetKind, TrackedExcitation, TrackingRule, TrackingSettings,
};
use sinew::model::{Collider, CollisionBehavior, FrameMarker, Model, PointRef, RigidBody};

use crate::models::{constant, muscle};
use crate::scenes::{in_plane, shift, solid_box};
use crate::twins::{Found, H, follow};

/// A block of 2 kg on the ground, pulled up, down and along; the muscles up and down bear 60 N each.
struct Block {
    model: Model,
    block: Handle<RigidBody>,
    touch: Handle<CollisionBehavior>,
    excited: Vec<TrackedExcitation>,
}

fn block(friction: f64) -> Block {
    block_above(friction, (0.0, 9.81))
}

/// The same some way above the ground [m] under a gravity [m/s²].
fn block_above(friction: f64, (gap, gravity): (f64, f64)) -> Block {
    let mut model = in_plane(gravity);
    let floor = solid_box("floor", 1.0, [2.0, 0.2, 2.0]).at(shift(0.0, -0.1, 0.0)).fixed();
    let floor = model.add(floor);
    let block = solid_box("block", 2.0, [0.2, 0.1, 0.3]).at(shift(0.0, 0.05 + gap, 0.0));
    let block = model.add(block);
    let [a, b] = [(floor, [2.0, 0.2, 2.0]), (block, [0.2, 0.1, 0.3])]
        .map(|(of, size)| model.add(Collider::boxed(of, Vec3::from(size) * 0.5)));
    // Side A is the block: its force points up.
    let touch = model.add(CollisionBehavior::new(b, a, friction));
    let ends = [
        (Vec3::y() * 1.0, Vec3::y() * 0.05, 60.0),
        (Vec3::y() * -1.0, Vec3::y() * -0.05, 60.0),
        (Vec3::x() * 2.0, Vec3::x() * 0.1, 10.0),
    ];
    let excited = ends.map(|(from, to, force)| {
        TrackedExcitation::new(muscle(&mut model, (from, block, to), constant(force)))
    });
    Block { model, block, touch, excited: excited.to_vec() }
}

fn settings(contacts: ContactSets) -> TrackingSettings {
    TrackingSettings {
        rule: TrackingRule::Chase { time: H },
        regularization: 1e-6,
        damping: 1e-7,
        contacts,
        ..Default::default()
    }
}

/// A smooth hump of height 1 between two times.
fn hump(time: f64, [from, to]: [f64; 2]) -> f64 {
    let share = ((time - from) / (to - from)).clamp(0.0, 1.0);
    0.5 - 0.5 * (std::f64::consts::TAU * share).cos()
}

/// The height of the middle of the block follows a course of heights above the ground.
fn lifted(scene: Block, contacts: ContactSets, heights: &[f64]) -> Found {
    let Block { mut model, block, excited, .. } = scene;
    let middle = model.add(FrameMarker::new(block, Vec3::zeros()));
    let mut target = MotionTarget::new(TargetKind::Point(PointRef::from(middle)));
    target.directions = [0.0, 1.0, 0.0];
    let rows = heights.iter().map(|it| vec![0.0, 0.05 + it, 0.0]).collect();
    follow(model, (vec![target], rows), excited, settings(contacts))
}

/// Largest distance from the course.
fn missed(found: &Found, heights: &[f64]) -> f64 {
    let rows = found.motion.iter().zip(heights);
    rows.map(|(row, height)| (row[1] - 0.05 - height).abs()).fold(0.0, f64::max)
}

/// A block that bears on the ground does not answer to a pull that is less than its weight: on the set of now no excitation
/// lifts it.
#[test]
fn a_block_on_the_ground_is_lifted_and_set_down_where_contacts_are_chosen() {
    let heights: Vec<f64> = (0..=60).map(|k| 0.02 * hump(f64::from(k) * H, [0.1, 0.5])).collect();
    let kept = missed(&lifted(block(0.3), ContactSets::Kept, &heights), &heights);
    let found = lifted(block(0.3), ContactSets::Chosen, &heights);
    let chosen = missed(&found, &heights);
    assert!(kept > 0.015, "it was lifted on the set of now: {kept} m are left");
    assert!(chosen < 5e-4, "{chosen} m of 0.02 are left");
    // At rest the ground bears it.
    for k in [0, 1, 5, 57, 59] {
        assert!(found.excitations[k][0] < 0.05, "step {k}: {:?}", found.excitations[k]);
    }
}

/// Force of the block on the ground and its height are followed in turn.
fn pressed(contacts: ContactSets, rows: &[Vec<f64>]) -> Found {
    let Block { mut model, block, touch, excited } = block(0.0);
    let middle = model.add(FrameMarker::new(block, Vec3::zeros()));
    let mut height = MotionTarget::new(TargetKind::Point(PointRef::from(middle)));
    height.directions = [0.0, 1.0, 0.0];
    let mut force = MotionTarget::new(TargetKind::PairForce(touch));
    (force.weight, force.directions) = (1e-5, [0.0, 1.0, 0.0]);
    follow(model, (vec![height, force], rows.to_vec()), excited, settings(contacts))
}

#[test]
fn a_block_is_pressed_and_lifted_in_turn_where_contacts_are_chosen() {
    let weight = 2.0 * 9.81;
    let row = |k: u32| {
        let time = f64::from(k) * H;
        let height = 0.01 * hump(time, [0.3, 0.6]);
        let force = weight + 20.0 * hump(time, [0.05, 0.25]) + 20.0 * hump(time, [0.65, 0.85]);
        vec![0.0, 0.05 + height, 0.0, 0.0, if height > 0.0 { 0.0 } else { force }, 0.0]
    };
    let rows: Vec<Vec<f64>> = (0..=90).map(row).collect();
    let [kept, chosen] = [ContactSets::Kept, ContactSets::Chosen].map(|it| pressed(it, &rows));
    let errors = |found: &Found| {
        let pairs = || found.motion.iter().zip(&rows).skip(2);
        let height = pairs().map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
        let squares = pairs().map(|(a, b)| (a[4] - b[4]).powi(2));
        (height, (squares.sum::<f64>() / 89.0).sqrt())
    };
    let roughness = |found: &Found| {
        let changes = found.excitations.windows(2).map(|it| (it[1][0] - it[0][0]).abs());
        changes.sum::<f64>()
    };
    let [before, after] = [&kept, &chosen].map(|it| (errors(it), roughness(it)));
    println!(
        "height [m] and force [N] missed, way of the excitation up: {before:?}, chosen {after:?}"
    );
    assert!(after.0.0 < 1e-6 && after.0.1 < 1e-3, "{after:?}, before {before:?}");
    assert!(before.0.1 > 1.0 && before.1 > 1.2 * after.1, "{before:?}, after {after:?}");
}

/// A block at rest above the ground, of which nothing is asked but a force on it: the contact is not near where the step begins, and
/// no motion leads to it. It is closed where the muscles can do so within a step.
#[test]
fn a_contact_that_only_a_force_asks_for_is_closed_from_rest() {
    let asked = |gap: f64, contacts: ContactSets| {
        let Block { model, touch, excited, .. } = block_above(0.0, (gap, 0.0));
        let mut force = MotionTarget::new(TargetKind::PairForce(touch));
        force.directions = [0.0, 1.0, 0.0];
        let rows = vec![vec![0.0, 20.0, 0.0]; 11];
        follow(model, (vec![force], rows), excited, settings(contacts))
    };
    let found = asked(1e-3, ContactSets::Chosen);
    for (step, row) in found.motion.iter().enumerate().skip(1) {
        assert!((row[1] - 20.0).abs() < 0.01, "step {step}: {} N", row[1]);
    }
    let [up, down] = [0, 1].map(|k| found.excitations[9][k]);
    assert!(((down - up) * 60.0 - 20.0).abs() < 0.01, "{:?}", found.excitations);
    // The muscles move it by 3 mm in a step.
    for (gap, contacts) in [(4e-3, ContactSets::Chosen), (1e-3, ContactSets::Kept)] {
        let found = asked(gap, contacts);
        assert!(found.excitations.iter().flatten().all(|a| *a < 1e-9), "{:?}", found.excitations);
    }
}
