//! Constrained motion against published and hand-derived values (Witkin1990, sections 2 and 3).

use sinew::interactive::{
    ConstraintId, ConstraintKind, Distance, Feedback, Motor, ObjectId, Order, Particle, PlanarBody,
    RigidBody, World, WorldSettings,
};

const GRAVITY: f64 = 9.81;

fn falling() -> World {
    World::new(WorldSettings { gravity: [0.0, -GRAVITY, 0.0], ..WorldSettings::default() })
}

fn particle(world: &mut World, name: &str, mass: f64, at: &[f64]) -> ObjectId {
    let object = Particle { dimensions: at.len(), mass };
    world.add_object(name, object, Order::Second, at).expect("a particle")
}

/// A bead on a wire that a formula of its x and y describes.
fn bead(wire: &str, at: [f64; 2]) -> (World, ObjectId, ConstraintId) {
    let mut world = falling();
    let bead = particle(&mut world, "bead", 1.0, &at);
    let block = world.graph_mut().add_expression("wire", wire).expect("a wire");
    let wire = world.constrain("wire", &[block.port(0)], ConstraintKind::Equal);
    (world, bead, wire.expect("a constraint"))
}

/// Speed [m/s] and outward force [N] of a bead on a ring of 1 m, by the angle from its top: conservation of energy.
const RING: [[f64; 3]; 7] = [
    [10.0, 0.5459596009783863, 9.362892171149282],
    [30.0, 1.6212900967283161, 5.867127633376032],
    [48.18968510422141, 2.557342370508885, 0.0],
    [60.0, 3.1320919526731648, -4.905],
    [90.0, 4.42944691807002, -19.62],
    [120.0, 5.424942396007537, -34.335],
    [180.0, 6.26418390534633, -49.05],
];

#[test]
fn a_bead_on_a_ring_has_the_speed_and_the_force_of_theory() {
    let [_, start, _] = RING[0];
    let at = |degrees: f64| (degrees.to_radians().sin(), degrees.to_radians().cos());
    let (s, c) = at(RING[0][0]);
    let (mut world, bead, wire) = bead("hypot(bead.x, bead.y) - 1", [s, c]);
    world.set_state(bead, &[s, c], &[start * c, -start * s]).expect("a state");
    let (mut next, mut before) = (0, 0.0);
    while next < RING.len() {
        let [degrees, speed, force] = RING[next];
        let state = world.state(bead).expect("the bead").to_vec();
        let angle = state[0].atan2(state[1]).to_degrees().rem_euclid(360.0);
        if angle >= degrees || angle < before {
            // The step has gone beyond by less than 0.4 degrees: compare with energy at the angle where it is.
            let u = world.velocity(bead).expect("the bead");
            let (found, drop) = (u[0].hypot(u[1]), 1.0 - angle.to_radians().cos());
            assert!((found - (2.0 * GRAVITY * drop).sqrt()).abs() < 1e-6, "{degrees}: {found}");
            world
                .set_state(
                    bead,
                    &[at(degrees).0, at(degrees).1],
                    &[speed * at(degrees).1, -speed * at(degrees).0],
                )
                .expect("a state");
            world.update_forces().expect("forces");
            let lambda = world.multipliers(wire).expect("the wire")[0];
            assert!((lambda - force).abs() < 1e-6, "{degrees}: {lambda}, {force}");
            next += 1;
        }
        before = if next < RING.len() { angle.min(RING[next][0]) } else { 0.0 };
        world.step(1e-3).expect("a step");
        assert!((state[0].hypot(state[1]) - 1.0).abs() < 1e-6, "drift");
    }
}

/// x [m] every half second of a bead on y = x² from x = 1 at rest (DOP853).
const PARABOLA: [f64; 11] = [
    1.0,
    0.3764298232139141,
    -0.9273598815888207,
    -0.7962748646908668,
    0.6807207159596204,
    0.9713021569280447,
    -0.11127662407356137,
    -0.9904780791623419,
    -0.5717501969338987,
    0.8609708635931154,
    0.8812891668953727,
];

#[test]
fn a_bead_on_a_parabola_moves_as_published() {
    let (mut world, bead, _) = bead("bead.y - bead.x^2", [1.0, 1.0]);
    for (k, expected) in PARABOLA.iter().enumerate() {
        let state = world.state(bead).expect("the bead").to_vec();
        assert!((state[0] - expected).abs() < 1e-5, "{k}: {state:?}, {expected}");
        assert!((state[1] - state[0] * state[0]).abs() < 1e-6, "{k}: drift {state:?}");
        (0..250).for_each(|_| world.step(2e-3).expect("a step"));
    }
}

#[test]
fn a_dumbbell_turns_about_its_centre_under_the_tension_of_theory() {
    let mut world = World::default();
    let a = particle(&mut world, "a", 1.0, &[0.0, 0.0, 0.0]);
    let b = particle(&mut world, "b", 3.0, &[2.0, 0.0, 0.0]);
    world.set_state(a, &[0.0, 0.0, 0.0], &[0.0, 1.0, 0.0]).expect("a state");
    let ports = [world.ports(a).expect("a"), world.ports(b).expect("b")].concat();
    world.graph_mut().add_code("length", Distance(3), &ports).expect("a length");
    // The constraint as the paper has it.
    let gap = world.graph_mut().add_expression("gap", "2 - length").expect("a gap");
    let rod = world.constrain("rod", &[gap.port(0)], ConstraintKind::Equal).expect("a rod");
    world.update_forces().expect("forces");
    let tension = world.multipliers(rod).expect("the rod")[0];
    assert!((tension - 0.375).abs() < 1e-12, "{tension}");
    (0..1000).for_each(|_| world.step(1e-3).expect("a step"));
    world.update_forces().expect("forces");
    let tension = world.multipliers(rod).expect("the rod")[0];
    assert!((tension - 0.375).abs() < 1e-8, "{tension}");
    let (p, q) = (world.state(a).expect("a").to_vec(), world.state(b).expect("b").to_vec());
    let centre: Vec<f64> = (0..3).map(|k| (p[k] + 3.0 * q[k]) / 4.0).collect();
    assert!((centre[0] - 1.5).abs() < 1e-9 && (centre[1] - 0.25).abs() < 1e-9, "{centre:?}");
    // Half a radian clockwise after a second.
    let angle = (q[1] - p[1]).atan2(q[0] - p[0]);
    assert!((angle + 0.5).abs() < 1e-8, "{angle}");
}

/// Equation 5 by hand: a pendulum whose pivot moves along x = a sin(w t), L = 1 m.
#[test]
fn constraint_forces_of_a_moving_pivot_are_those_of_equation_five_by_hand() {
    let (mut world, bob, wire) = bead("(bead.x - 0.3*sin(4*t))^2 + bead.y^2 - 1", [0.0, 0.0]);
    let places: [[f64; 3]; 3] = [[0.0, 0.3, 0.0], [0.2, -1.1, 2.0], [0.7, 2.5, -3.0]];
    for [time, angle, rate] in places {
        let (pivot, speed, pull) =
            (0.3 * (4.0 * time).sin(), 1.2 * (4.0 * time).cos(), -4.8 * (4.0 * time).sin());
        let (dx, dy) = (angle.sin(), -angle.cos());
        let (vx, vy) = (rate * angle.cos(), rate * angle.sin());
        world.set_time(time);
        world.set_state(bob, &[pivot + dx, dy], &[speed + vx, vy]).expect("a state");
        world.update_forces().expect("forces");
        // J = 2 (dx, dy); J W Jᵀ = 4; J W Q = -2 dy g; the rest 2 (vx² + vy²) - 2 dx a.
        let right = -2.0 * dy * GRAVITY + 2.0 * (vx * vx + vy * vy) - 2.0 * dx * pull;
        let lambda = world.multipliers(wire).expect("the wire")[0];
        assert!((lambda + right / 4.0).abs() < 1e-10, "{time}: {lambda}, {}", -right / 4.0);
    }
}

/// Angles from down of a double pendulum, 1 m and 1 kg, from the horizontal at rest (DOP853).
const DOUBLE: [[f64; 2]; 5] = [
    [std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2],
    [0.570472051232966, 1.2038751111582686],
    [-0.6250876998063705, -1.0345850856800571],
    [-1.6747973454645766, -1.3449719682014543],
    [-0.4829715342517698, -1.3240487123022966],
];

#[test]
fn a_double_pendulum_of_particles_moves_as_published() {
    let mut world = falling();
    let a = particle(&mut world, "a", 1.0, &[1.0, 0.0]);
    let b = particle(&mut world, "b", 1.0, &[2.0, 0.0]);
    let rods = "hypot(a.x, a.y) - 1; hypot(b.x - a.x, b.y - a.y) - 1";
    let rods = world.graph_mut().add_expression("rods", rods).expect("rods").ports::<2>();
    world.constrain("rods", &rods, ConstraintKind::Equal).expect("a constraint");
    for (k, expected) in DOUBLE.iter().enumerate() {
        let (p, q) = (world.state(a).expect("a"), world.state(b).expect("b"));
        let angles = [p[0].atan2(-p[1]), (q[0] - p[0]).atan2(p[1] - q[1])];
        for (angle, expected) in angles.iter().zip(expected) {
            assert!((angle - expected).abs() < 1e-4, "{k}: {angles:?}, {expected}");
        }
        (0..500).for_each(|_| world.step(1e-3).expect("a step"));
    }
}

#[test]
fn a_rigid_body_keeps_energy_and_momentum_while_it_tumbles() {
    let mut world = World::default();
    let inertia = [1.0, 2.0, 3.0];
    let body = RigidBody { mass: 2.0, inertia };
    let at = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let body = world.add_object("body", body, Order::Second, &at).expect("a body");
    world.set_state(body, &at, &[0.0, 0.0, 0.0, 0.1, 2.0, 0.1]).expect("a state");
    let ends = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let axes = [0, 1, 2].map(|k| {
        let name = format!("axis_{k}");
        world.add_direction(&name, body, &ends[k]).expect("an axis").ports::<3>()
    });
    let momentum = |world: &mut World| -> Vec<f64> {
        let omega: Vec<f64> = world.velocity(body).expect("the body")[3..].to_vec();
        let mut sum = vec![0.0; 3];
        for (axis, inertia) in axes.iter().zip(inertia) {
            let axis: Vec<f64> = axis.iter().map(|&p| world.value(p).expect("a value")).collect();
            let along: f64 = axis.iter().zip(&omega).map(|(a, w)| a * w).sum();
            sum.iter_mut().zip(&axis).for_each(|(sum, a)| *sum += inertia * along * a);
        }
        sum
    };
    let (before, energy) = (momentum(&mut world), world.kinetic_energy().expect("an energy"));
    // The middle axis is unstable: the body turns over several times.
    (0..4000).for_each(|_| world.step(5e-3).expect("a step"));
    let after = momentum(&mut world);
    for (a, b) in before.iter().zip(&after) {
        assert!((a - b).abs() < 1e-6, "{before:?}, {after:?}");
    }
    let end = world.kinetic_energy().expect("an energy");
    assert!((end - energy).abs() < 1e-6 * energy, "{energy}, {end}");
}

/// A four-bar linkage in the plane: ground of 2 m, crank of 0.5 m, coupler of 2 m, rocker of 1.2 m.
struct FourBar {
    world: World,
    crank: ObjectId,
    rocker: ObjectId,
}

const BARS: [f64; 4] = [2.0, 0.5, 2.0, 1.2];

/// Angle of the rocker for an angle of the crank, on the branch above the ground line.
fn rocker_angle(crank: f64, coupler: f64) -> f64 {
    let [ground, a, _, rocker] = BARS;
    let (x, y) = (a * crank.cos() - ground, a * crank.sin());
    let distance = x.hypot(y);
    let inner =
        (distance * distance + rocker * rocker - coupler * coupler) / (2.0 * distance * rocker);
    y.atan2(x) - inner.acos()
}

fn four_bar() -> FourBar {
    let mut world = World::default();
    let bar = |length: f64| PlanarBody { mass: length, inertia: length.powi(3) / 12.0 };
    let [ground, a, b, c] = BARS;
    let crank = world.add_object("crank", bar(a), Order::Second, &[0.5 * a, 0.1, 0.0]);
    let crank = crank.expect("a crank");
    let pin = world.add_point("crank_pin", crank, &[-0.5 * a, 0.0]).expect("a point");
    world.nail("crank_pin", pin, &[0.0, 0.0]).expect("a nail");
    let motor = world.ports(crank).expect("ports")[2];
    let drive = Motor { speed: 2.0, gain: 2.0, max_torque: 50.0 };
    world.add_behaviour("motor", drive, &[motor]).expect("a motor");
    // It turns already while the rest is built.
    (0..50).for_each(|_| world.step(0.01).expect("a step"));
    let at = world.state(crank).expect("the crank").to_vec();
    assert!(at[2] > 0.8, "the crank turns: {at:?}");
    let tip = world.add_point("crank_tip", crank, &[0.5 * a, 0.0]).expect("a point");
    let coupler = world.add_object("coupler", bar(b), Order::Second, &[1.2, 0.9, 0.2]);
    let coupler = coupler.expect("a coupler");
    let rocker = world.add_object("rocker", bar(c), Order::Second, &[ground + 0.1, 0.6, 1.5]);
    let rocker = rocker.expect("a rocker");
    let left = world.add_point("coupler_left", coupler, &[-0.5 * b, 0.0]).expect("a point");
    let right = world.add_point("coupler_right", coupler, &[0.5 * b, 0.0]).expect("a point");
    let foot = world.add_point("rocker_foot", rocker, &[-0.5 * c, 0.0]).expect("a point");
    let head = world.add_point("rocker_head", rocker, &[0.5 * c, 0.0]).expect("a point");
    world.join("tip_hinge", tip, left).expect("a hinge");
    world.nail("foot_pin", foot, &[ground, 0.0]).expect("a nail");
    world.join("head_hinge", right, head).expect("a hinge");
    world.assemble(1e-10).expect("it closes");
    FourBar { world, crank, rocker }
}

#[test]
fn a_four_bar_linkage_is_built_and_edited_while_its_motor_runs() {
    let FourBar { mut world, crank, rocker } = four_bar();
    let angle = |world: &World, object| world.state(object).expect("a bar")[2];
    let follows = |world: &World, coupler: f64| {
        let expected = rocker_angle(angle(world, crank), coupler);
        let off = (angle(world, rocker) - expected).rem_euclid(std::f64::consts::TAU);
        assert!(off.min(std::f64::consts::TAU - off) < 1e-5, "{off}");
    };
    let start = angle(&world, crank);
    for _ in 0..400 {
        world.step(0.01).expect("a step");
        follows(&world, BARS[2]);
    }
    let turned = angle(&world, crank) - start;
    assert!((6.0..9.0).contains(&turned), "four seconds at 2 rad/s: {turned}");
    // The hinge moves along the coupler while all turns.
    let hinge = world.find_constraint("head_hinge").expect("the hinge");
    world.remove_constraint(hinge).expect("it was there");
    let coupler = world.find_object("coupler").expect("the coupler");
    let nearer = world.add_point("nearer", coupler, &[0.8, 0.0]).expect("a point");
    let head = world.graph().find("rocker_head").expect("the head");
    world.join("head_hinge", nearer, head).expect("another hinge");
    // The feedback takes 0.2 m to below 1e-5 m in a second.
    (0..150).for_each(|_| world.step(0.01).expect("a step"));
    for _ in 0..100 {
        world.step(0.01).expect("a step");
        follows(&world, 1.8);
    }
    let motor = world.find_behaviour("motor").expect("the motor");
    world.behaviour_mut::<Motor>(motor).expect("a motor").speed = 0.0;
    (0..300).for_each(|_| world.step(0.01).expect("a step"));
    let rate = world.velocity(crank).expect("the crank")[2];
    assert!(rate.abs() < 1e-3, "the motor brakes: {rate}");
}

#[test]
fn constraints_that_contradict_each_other_are_met_by_least_squares() {
    let mut world = World::default();
    let object = Particle { dimensions: 2, mass: 2.0 };
    let a = world.add_object("a", object, Order::First, &[0.3, 5.0]).expect("a particle");
    let block = world.block(a).expect("its block");
    world.nail("left", block, &[-1.0, 0.0]).expect("a nail");
    world.nail("right", block, &[1.0, 1.0]).expect("another nail");
    (0..200).for_each(|_| world.step(0.01).expect("a step"));
    let state = world.state(a).expect("a");
    assert!(state[0].abs() < 1e-6 && (state[1] - 0.5).abs() < 1e-6, "{state:?}");
    assert_eq!(world.statistics().redundant_rows, 2);
    assert_eq!(world.statistics().factorizations, 1, "the matrix never changes");
}

#[test]
fn feedback_of_both_kinds_brings_a_constraint_back() {
    let rest = |feedback: Feedback| {
        let (mut world, bead, wire) = bead("bead.y - 0.5", [0.0, 0.7]);
        world.set_feedback(wire, feedback).expect("the wire");
        (0..400).for_each(|_| world.step(0.01).expect("a step"));
        (world.state(bead).expect("the bead")[1] - 0.5).abs()
    };
    assert!(rest(Feedback::Rate(20.0)) < 1e-9);
    assert!(rest(Feedback::Force { stiffness: 400.0, damping: 40.0 }) < 1e-9);
    // Without feedback the bead stays where it was put.
    let left = rest(Feedback::Force { stiffness: 0.0, damping: 0.0 });
    assert!((left - 0.2).abs() < 1e-12, "{left}");
}
