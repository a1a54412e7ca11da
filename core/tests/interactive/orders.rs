//! First and second order, in one world and as limits of each other; inequalities; implicit steps.

use sinew::interactive::{
    ConstantForce, ConstraintKind, Damper, Integrator, ObjectId, Order, Particle, Pull, Spring,
    World, WorldSettings,
};

fn world(integrator: Integrator) -> World {
    let gravity = [0.0, -10.0, 0.0];
    World::new(WorldSettings { integrator, gravity, ..WorldSettings::default() })
}

/// Three particles on springs between two nails, the middle one on a wire, a force on the last.
fn net(order: Order, damping: f64) -> Vec<f64> {
    let mut world = World::default();
    let starts = [[0.2, 0.4], [1.0, 1.0], [2.2, 0.1]];
    let mut ids: Vec<ObjectId> = Vec::new();
    for (k, start) in starts.iter().enumerate() {
        let object = Particle { dimensions: 2, mass: 0.5 + k as f64 };
        ids.push(world.add_object(&format!("p{k}"), object, order, start).expect("a particle"));
        let ports = world.ports(ids[k]).expect("ports");
        if order == Order::Second {
            let damper = Damper { ports: 2, damping };
            world.add_behaviour(&format!("drag{k}"), damper, &ports).expect("a damper");
        }
    }
    let wire = world.graph_mut().add_expression("wire", "p1.y - sin(p1.x)").expect("a wire");
    world.constrain("wire", &[wire.port(0)], ConstraintKind::Equal).expect("a constraint");
    for k in 0..2 {
        let ports =
            [world.ports(ids[k]).expect("ports"), world.ports(ids[k + 1]).expect("ports")].concat();
        let spring = Spring { dimensions: 2, stiffness: 30.0, damping: 0.0, rest_length: 0.8 };
        world.add_behaviour(&format!("spring{k}"), spring, &ports).expect("a spring");
    }
    let ports = world.ports(ids[0]).expect("ports");
    let hook = Pull { target: vec![0.0, 0.0], stiffness: 20.0, damping: 0.0 };
    world.add_behaviour("hook", hook, &ports).expect("a hook");
    let ports = world.ports(ids[2]).expect("ports");
    world.add_behaviour("force", ConstantForce(vec![3.0, -1.0]), &ports).expect("a force");
    (0..6000).for_each(|_| world.step(0.01).expect("a step"));
    ids.iter().flat_map(|&id| world.state(id).expect("a particle").to_vec()).collect()
}

#[test]
fn first_order_comes_to_the_rest_of_heavy_damping() {
    let (first, second) = (net(Order::First, 0.0), net(Order::Second, 4.0));
    for (a, b) in first.iter().zip(&second) {
        assert!((a - b).abs() < 1e-7, "{first:?}, {second:?}");
    }
}

/// A heavy body that draws one of first order through a joint: m a = F - d v.
fn drawn(integrator: Integrator, step: f64) -> [f64; 2] {
    let mut world = World::new(WorldSettings { integrator, ..WorldSettings::default() });
    let object = |mass| Particle { dimensions: 2, mass };
    let heavy = world.add_object("heavy", object(2.0), Order::Second, &[0.0, 0.0]).expect("one");
    let slow = world.add_object("slow", object(3.0), Order::First, &[1.0, 0.0]).expect("another");
    let gap = "heavy.x - slow.x + 1; heavy.y - slow.y";
    let gap = world.graph_mut().add_expression("gap", gap).expect("a gap").ports::<2>();
    let joint = world.constrain("joint", &gap, ConstraintKind::Equal).expect("a joint");
    let ports = world.ports(heavy).expect("ports");
    world.add_behaviour("force", ConstantForce(vec![6.0, 0.0]), &ports).expect("a force");
    for _ in 0..(1.0 / step).round() as usize {
        world.step(step).expect("a step");
    }
    let (a, b) = (world.state(heavy).expect("one"), world.state(slow).expect("another"));
    assert!((b[0] - a[0] - 1.0).abs() < 1e-6, "the joint holds: {a:?}, {b:?}");
    let lambda = world.multipliers(joint).expect("the joint")[0];
    [a[0], lambda]
}

#[test]
fn bodies_of_both_orders_move_as_one_on_the_joint_between_them() {
    // v = 2 (1 - exp(-1.5 t)), the force of the joint 3 v.
    let speed = 2.0 * (1.0 - (-1.5_f64).exp());
    let place = 2.0 - speed / 1.5;
    let [x, lambda] = drawn(Integrator::RungeKutta4, 0.01);
    assert!((x - place).abs() < 1e-8, "{x}, {place}");
    assert!((lambda.abs() - 3.0 * speed).abs() < 1e-6, "{lambda}");
    let errors = [0.02, 0.01].map(|step| (drawn(Integrator::Implicit, step)[0] - place).abs());
    assert!((1.8..2.2).contains(&(errors[0] / errors[1])), "of first order: {errors:?}");
    assert!(errors[1] < 0.01, "{errors:?}");
}

#[test]
fn a_body_falls_onto_the_floor_and_stays_there() {
    for integrator in [Integrator::RungeKutta4, Integrator::Implicit] {
        let mut world = world(integrator);
        let object = Particle { dimensions: 2, mass: 2.0 };
        let ball = world.add_object("ball", object, Order::Second, &[0.0, 1.0]).expect("a ball");
        world.set_state(ball, &[0.0, 1.0], &[0.5, 0.0]).expect("a state");
        let height = world.ports(ball).expect("ports")[1];
        let floor = world.constrain("floor", &[height], ConstraintKind::NotNegative);
        let floor = floor.expect("a floor");
        let mut lowest = 1.0_f64;
        for _ in 0..200 {
            world.step(0.01).expect("a step");
            lowest = lowest.min(world.state(ball).expect("the ball")[1]);
        }
        let state = world.state(ball).expect("the ball");
        let lambda = world.multipliers(floor).expect("the floor")[0];
        assert!(state[1].abs() < 1e-6, "{integrator:?}: {state:?}");
        assert!((state[0] - 1.0).abs() < 1e-9, "nothing brakes it along the floor: {state:?}");
        assert!((lambda - 20.0).abs() < 1e-5, "{integrator:?}: {lambda}");
        // Implicit steps end at the floor; explicit ones see it after the step that crosses it.
        let deepest = if integrator == Integrator::Implicit { 1e-12 } else { 0.05 };
        assert!(lowest > -deepest, "{integrator:?}: {lowest}");
    }
}

#[test]
fn inequalities_let_go() {
    for integrator in [Integrator::RungeKutta4, Integrator::Implicit] {
        let mut world = world(integrator);
        let object = Particle { dimensions: 2, mass: 1.0 };
        let ball = world.add_object("ball", object, Order::Second, &[0.0, 0.0]).expect("a ball");
        let height = world.ports(ball).expect("ports")[1];
        world.constrain("floor", &[height], ConstraintKind::NotNegative).expect("a floor");
        let ports = world.ports(ball).expect("ports");
        world.add_behaviour("lift", ConstantForce(vec![0.0, 12.0]), &ports).expect("a force");
        (0..100).for_each(|_| world.step(0.01).expect("a step"));
        let state = world.state(ball).expect("the ball");
        assert!((state[1] - 1.0).abs() < 0.02, "{integrator:?}: {state:?}");
    }
}

#[test]
fn implicit_steps_are_stable_where_explicit_ones_are_not() {
    let run = |integrator: Integrator| {
        let mut world = world(integrator);
        let object = Particle { dimensions: 2, mass: 1e-3 };
        let bob = world.add_object("bob", object, Order::Second, &[1.1, 0.0]).expect("a bob");
        let ports = world.ports(bob).expect("ports");
        let anchor = world.graph_mut().add_parameters("anchor", &["x", "y"], &[0.0, 0.0]);
        let all = [anchor.expect("an anchor").ports::<2>().to_vec(), ports].concat();
        let spring = Spring { dimensions: 2, stiffness: 1e5, damping: 1.0, rest_length: 1.0 };
        world.add_behaviour("spring", spring, &all).expect("a spring");
        let end = (0..200).try_for_each(|_| world.step(0.01));
        end.map(|()| world.state(bob).expect("the bob").to_vec())
    };
    let state = run(Integrator::Implicit).expect("it runs");
    assert!((state[0].hypot(state[1]) - 1.0).abs() < 1e-3, "{state:?}");
    let wild = run(Integrator::RungeKutta4);
    assert!(wild.is_err() || wild.is_ok_and(|state| state[0].hypot(state[1]) > 10.0));
}

#[test]
fn implicit_steps_meet_joints_of_many_bodies_and_the_rest_of_explicit_ones() {
    let chain = |integrator: Integrator, step: f64| {
        let mut world = world(integrator);
        let mut last =
            world.graph_mut().add_parameters("hook", &["x", "y"], &[0.0, 0.0]).expect("one");
        for k in 0..12 {
            let at = [0.3 * (k + 1) as f64, 0.0];
            let object = Particle { dimensions: 2, mass: 0.1 };
            let link = world.add_object(&format!("p{k}"), object, Order::Second, &at).expect("one");
            let ports = world.ports(link).expect("ports");
            let damper = Damper { ports: 2, damping: 0.3 };
            world.add_behaviour(&format!("d{k}"), damper, &ports).expect("a damper");
            let all = [last.ports::<2>().to_vec(), ports.clone()].concat();
            let inputs: Vec<(&str, _)> = ["a", "b", "x", "y"].into_iter().zip(all).collect();
            let rod = "hypot(x - a, y - b) - 0.3";
            let rod = world.graph_mut().add_formula(&format!("rod{k}"), rod, &inputs);
            let rod = rod.expect("a rod").port(0);
            world.constrain(&format!("rod{k}"), &[rod], ConstraintKind::Equal).expect("a rod");
            last = world.block(link).expect("its block");
        }
        (0..(30.0 / step) as usize).for_each(|_| world.step(step).expect("a step"));
        let end = world.find_object("p11").expect("the end");
        let top = world.find_constraint("rod0").expect("the top rod");
        (world.state(end).expect("its place").to_vec(), world.multipliers(top).expect("it")[0])
    };
    let (a, pull_a) = chain(Integrator::RungeKutta4, 0.01);
    let (b, pull_b) = chain(Integrator::Implicit, 0.05);
    for (state, pull) in [(a, pull_a), (b, pull_b)] {
        assert!(state[0].abs() < 1e-3 && (state[1] + 3.6).abs() < 1e-4, "{state:?}");
        assert!((pull + 12.0).abs() < 0.05, "twelve links hang on it: {pull}");
    }
}

#[test]
fn the_mixed_problem_has_the_accelerations_and_multipliers_of_the_constraint_equation() {
    use sinew::interactive::{PlanarBody, Troid};
    let both = [Integrator::RungeKutta4, Integrator::Implicit].map(|integrator| {
        let mut world = world(integrator);
        let bar = PlanarBody { mass: 2.0, inertia: 0.3 };
        let bar = world.add_object("bar", bar, Order::Second, &[0.5, 0.0, 0.0]).expect("a bar");
        let left = world.add_point("left", bar, &[-0.5, 0.0]).expect("a point");
        let right = world.add_point("right", bar, &[0.5, 0.0]).expect("a point");
        world.nail("pivot", left, &[0.0, 0.0]).expect("a nail");
        let troid = Troid::<2>::of_box(1.0, [0.4, 0.2]);
        let at = Troid::<2>::rest([1.2, 0.0]);
        let troid = world.add_object("troid", troid, Order::Second, &at).expect("a troid");
        let corner = world.add_point("corner", troid, &[-0.2, 0.0]).expect("a point");
        world.join("hinge", right, corner).expect("a hinge");
        let far = world.add_point("far", troid, &[0.2, 0.1]).expect("a point").ports::<2>();
        let hook = Pull { target: vec![1.4, 1.0], stiffness: 40.0, damping: 0.0 };
        world.add_behaviour("hook", hook, &far).expect("a hook");
        match integrator {
            Integrator::RungeKutta4 => world.update_forces().expect("forces"),
            Integrator::Implicit => world.step(1e-7).expect("a step"),
        }
        let mut numbers = world.acceleration(bar).expect("the bar").to_vec();
        numbers.extend_from_slice(world.acceleration(troid).expect("the troid"));
        for name in ["pivot", "hinge"] {
            let constraint = world.find_constraint(name).expect("it is there");
            numbers.extend_from_slice(world.multipliers(constraint).expect("a step"));
        }
        numbers
    });
    for (a, b) in both[0].iter().zip(&both[1]) {
        // Terms of the step of 1e-7 s, the compliance of 1e-8, and 1e-16 / 1e-7 of differences.
        assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{both:?}");
    }
    assert!(both[0].iter().any(|number| number.abs() > 5.0), "{both:?}");
}
