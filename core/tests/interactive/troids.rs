//! Troids (Witkin1990, section 5.4): constant constraint matrices, motion paths, elasticity.

use sinew::interactive::{
    Behaviour, BlockId, Damper, MotionPath, ObjectId, Order, PortMotion, Troid, TroidElasticity,
    World, WorldSettings,
};

fn settings() -> WorldSettings {
    WorldSettings { gravity: [0.0, -9.81, 0.0], ..WorldSettings::default() }
}

/// A strip of troids of 0.2 m, each pinned to the one before by the middle of its left side, which is returned for the
/// first one.
fn strip(world: &mut World, count: usize, stiffness: f64) -> (Vec<ObjectId>, BlockId) {
    let (mut ids, mut first, mut last): (Vec<ObjectId>, Option<BlockId>, Option<BlockId>) =
        (Vec::new(), None, None);
    for k in 0..count {
        let troid = Troid::<2>::of_box(0.1, [0.2, 0.1]);
        let at = Troid::<2>::rest([0.1 + 0.2 * k as f64, 0.0]);
        let id = world.add_object(&format!("troid{k}"), troid, Order::Second, &at).expect("one");
        let ports = world.ports(id).expect("ports");
        let elasticity =
            TroidElasticity::<2> { measure: 0.02, shape: stiffness, dilation: stiffness };
        let name = format!("elasticity{k}");
        world.add_behaviour(&name, elasticity.behaviour(), &ports[2..]).expect("elasticity");
        let drag = Damper { ports: 6, damping: 0.02 };
        world.add_behaviour(&format!("drag{k}"), drag, &ports).expect("drag");
        let left = world.add_point(&format!("left{k}"), id, &[-0.1, 0.0]).expect("a point");
        let right = world.add_point(&format!("right{k}"), id, &[0.1, 0.0]).expect("a point");
        if let Some(before) = last {
            world.join(&format!("pin{k}"), before, left).expect("a pin");
        }
        first = first.or(Some(left));
        last = Some(right);
        ids.push(id);
    }
    (ids, first.expect("a troid"))
}

#[test]
fn a_step_of_fifty_nailed_troids_makes_no_factorization() {
    let mut world = World::new(settings());
    let (ids, first) = strip(&mut world, 50, 100.0);
    world.nail("hook", first, &[0.0, 0.0]).expect("a nail");
    world.step(2e-3).expect("a step");
    let before = world.statistics();
    assert_eq!((before.factorizations, before.redundant_rows), (1, 0));
    (0..50).for_each(|_| world.step(2e-3).expect("a step"));
    let after = world.statistics();
    assert_eq!(after.factorizations, 1, "200 evaluations over one factor");
    assert_eq!(after.solves - before.solves, 200);
    let end = world.state(ids[49]).expect("the last troid");
    assert!(end[1] < -0.03, "it falls: {end:?}");
    // Another nail is another matrix.
    let last = world.graph().find("right49").expect("its end");
    let at = [0, 1].map(|k| world.value(last.port(k)).expect("a value"));
    world.nail("end", last, &at).expect("a nail");
    (0..10).for_each(|_| world.step(2e-3).expect("a step"));
    assert_eq!(world.statistics().factorizations, 2);
}

#[test]
fn a_pendulum_of_troids_follows_a_motion_path() {
    let mut world = World::new(settings());
    let (ids, first) = strip(&mut world, 3, 400.0);
    let keyframes = [
        (0.0, vec![0.0, 0.0]),
        (0.5, vec![0.3, 0.2]),
        (1.0, vec![0.0, 0.4]),
        (2.0, vec![-0.5, 0.1]),
    ];
    let path = MotionPath::new(&keyframes).expect("a path");
    let hook = world.follow("hand", first, path).expect("a constraint");
    let mut next = 1;
    for step in 1..=1000 {
        world.step(2e-3).expect("a step");
        let (time, place) = &keyframes[next.min(3)];
        if (f64::from(step) * 2e-3 - time).abs() < 1e-9 {
            let at = [0, 1].map(|k| world.value(first.port(k)).expect("a value"));
            let off = (at[0] - place[0]).hypot(at[1] - place[1]);
            assert!(off < 1e-4, "{time}: {at:?}, {place:?}");
            next += 1;
        }
    }
    assert_eq!((next, world.statistics().factorizations), (4, 1));
    // After the last keyframe the hand rests, and the strip comes to hang below it.
    for id in &ids {
        let drag = world.ports(*id).expect("ports");
        let drag_name = format!("brake of {id:?}");
        world
            .add_behaviour(&drag_name, Damper { ports: 2, damping: 0.3 }, &drag[..2])
            .expect("a brake");
    }
    (0..3000).for_each(|_| world.step(2e-3).expect("a step"));
    let end = world.state(ids[2]).expect("the last troid").to_vec();
    assert!((end[0] + 0.5).abs() < 1e-3 && end[1] < -0.35, "{end:?}");
    world.update_forces().expect("forces");
    let lambda = world.multipliers(hook).expect("the hand");
    assert!((lambda[1] - 3.0 * 0.1 * 9.81).abs() < 1e-2, "it carries the weight: {lambda:?}");
}

#[test]
fn paths_have_continuous_second_derivatives_and_meet_their_keyframes() {
    use sinew::interactive::Graph;
    let keyframes = [(0.0, vec![1.0]), (0.7, vec![-1.0]), (1.0, vec![0.5]), (2.5, vec![0.0])];
    let mut graph = Graph::default();
    let path = MotionPath::new(&keyframes).expect("a path");
    let time = graph.time();
    let path = graph.add_code("path", path, &[time]).expect("a block").port(0);
    let mut at = |time: f64| {
        graph.set_time(time).expect("the time");
        graph.motion_of(path).expect("a motion")
    };
    for (time, place) in &keyframes[..3] {
        let (before, after) = (at(time - 1e-7), at(time + 1e-7));
        assert!((at(*time)[0] - place[0]).abs() < 1e-12);
        // The ends are those of a straight line: nothing bends there; before the first keyframe all rests.
        let from = usize::from(*time == 0.0) * 2;
        (from..3).for_each(|k| assert!((before[k] - after[k]).abs() < 1e-4, "{time}: {before:?}"));
    }
    assert_eq!(at(9.0), [0.0, 0.0, 0.0]);
    assert!(MotionPath::new(&[(1.0, vec![0.0]), (1.0, vec![1.0])]).is_err());
    assert!(MotionPath::new(&[(1.0, vec![0.0]), (2.0, vec![1.0, 2.0])]).is_err());
}

/// Energy, forces and stiffness of the elasticity of a troid, over F.
#[test]
fn elasticity_is_at_rest_in_every_rotation_and_keeps_the_area() {
    let elasticity = TroidElasticity::<3> { measure: 2.0, shape: 3.0, dilation: 5.0 }.behaviour();
    let (s, c) = (0.6, 0.8);
    let turned = [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0];
    let at = |x: &[f64]| {
        let mut forces = vec![0.0; 9];
        let motion = PortMotion { time: 0.0, x, v: &[0.0; 9] };
        elasticity.add_forces(motion, &mut forces);
        (elasticity.energy(motion), forces)
    };
    let (energy, forces) = at(&turned);
    assert!(energy.abs() < 1e-30 && forces.iter().all(|f| f.abs() < 1e-14), "{energy}: {forces:?}");
    // Stretched by 1.2 along x: V (μ/4 (0.44)² + κ/2 0.2²).
    let (energy, forces) = at(&[1.2, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert!((energy - 2.0 * (0.75 * 0.44 * 0.44 + 2.5 * 0.04)).abs() < 1e-12, "{energy}");
    // Its derivative: V (μ 0.44 1.2 + κ 0.2), and κ along the other axes.
    let expected = [-2.0 * (3.0 * 0.44 * 1.2 + 5.0 * 0.2), -2.0 * 5.0 * 0.2 * 1.2];
    assert!(
        (forces[0] - expected[0]).abs() < 1e-12 && (forces[4] - expected[1]).abs() < 1e-12,
        "{forces:?}"
    );
    // Where the energy is convex the stiffness is all of its second derivatives.
    let x = [1.2, 0.1, 0.0, 0.0, 1.3, 0.0, 0.0, 0.0, 1.1];
    let mut stiffness = vec![0.0; 81];
    elasticity.add_stiffness(PortMotion { time: 0.0, x: &x, v: &[0.0; 9] }, &mut stiffness);
    let along = |stiffness: &[f64], d: &[f64; 9]| -> f64 {
        (0..81).map(|k| d[k / 9] * stiffness[k] * d[k % 9]).sum()
    };
    let stretch = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let [before, after] = [-1e-5, 1e-5].map(|h| {
        let moved: Vec<f64> = x.iter().zip(stretch).map(|(x, d)| x + h * d).collect();
        at(&moved).1.iter().zip(stretch).map(|(f, d)| f * d).sum::<f64>()
    });
    let difference = (before - after) / 2e-5;
    let found = along(&stiffness, &stretch);
    assert!((found - difference).abs() < 1e-4 * difference, "{found}, {difference}");
}

#[test]
fn a_troid_in_space_swings_as_a_stiff_body_does() {
    // A box of 0.4 m on a nail at the middle of its top: a compound pendulum of small swings.
    let mut world = World::new(settings());
    let sides = [0.1, 0.4, 0.1];
    let troid = Troid::<3>::of_box(1.0, sides);
    let at = Troid::<3>::rest([0.0, -0.2, 0.0]);
    let id = world.add_object("box", troid, Order::Second, &at).expect("a troid");
    let tilt: f64 = 0.02;
    let (s, c) = tilt.sin_cos();
    let turned = [0.2 * s, -0.2 * c, 0.0, c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0];
    world.set_state(id, &turned, &[0.0; 12]).expect("a state");
    let ports = world.ports(id).expect("ports");
    let elasticity = TroidElasticity::<3> { measure: 4e-3, shape: 2e5, dilation: 2e5 };
    world.add_behaviour("elasticity", elasticity.behaviour(), &ports[3..]).expect("elasticity");
    let top = world.add_point("top", id, &[0.0, 0.2, 0.0]).expect("a point");
    world.nail("nail", top, &[0.0; 3]).expect("a nail");
    // m g l over the moment of inertia about the nail.
    let inertia = (0.01 + 0.16) / 12.0 + 0.04;
    let period = std::f64::consts::TAU / (9.81_f64 * 0.2 / inertia).sqrt();
    let steps = 4000;
    let h = 0.5 * period / f64::from(steps);
    (0..steps).for_each(|_| world.step(h).expect("a step"));
    let state = world.state(id).expect("the box");
    // Half a period later it is on the other side; its elasticity gives way by some 1e-4.
    assert!((state[0] + turned[0]).abs() < 2e-3 * turned[0].abs() + 1e-6, "{state:?}");
}
