//! Steps of a world allocate nothing after the first ones.

use sinew::interactive::{
    ConstraintKind, Distance, Integrator, Motor, Order, Particle, PlanarBody, RigidBody, Spring,
    Troid, TroidElasticity, World, WorldSettings,
};

use crate::counting::taken_here;

/// Objects of both orders, formulas, joints, a floor, a motor and springs.
fn world(integrator: Integrator) -> World {
    let gravity = [0.0, -9.81, 0.0];
    let mut world = World::new(WorldSettings { integrator, gravity, ..WorldSettings::default() });
    add_crank_and_balls(&mut world);
    add_troid_and_body(&mut world);
    world
}

/// A crank with a motor, a ball on a spring above a floor, and one on a rod of formulas.
fn add_crank_and_balls(world: &mut World) {
    let crank = PlanarBody { mass: 1.0, inertia: 0.1 };
    let crank = world.add_object("crank", crank, Order::Second, &[0.0; 3]).expect("a crank");
    let middle = world.add_point("middle", crank, &[0.0, 0.0]).expect("a point");
    world.nail("bearing", middle, &[0.0, 0.0]).expect("a nail");
    let angle = world.ports(crank).expect("ports")[2];
    let motor = Motor { speed: 2.0, gain: 0.5, max_torque: 5.0 };
    world.add_behaviour("motor", motor, &[angle]).expect("a motor");
    let tip = world.add_point("tip", crank, &[0.5, 0.0]).expect("a point");
    let ball = Particle { dimensions: 2, mass: 0.5 };
    let ball = world.add_object("ball", ball, Order::Second, &[1.0, 0.2]).expect("a ball");
    let ball = world.block(ball).expect("its block");
    let ends = [tip.ports::<2>(), ball.ports::<2>()].concat();
    let spring = Spring { dimensions: 2, stiffness: 20.0, damping: 0.1, rest_length: 0.5 };
    world.add_behaviour("spring", spring, &ends).expect("a spring");
    world.graph_mut().add_expression("floor", "ball.y + 0.3 + 0.05*sin(ball.x)").expect("a floor");
    let floor = world.graph().resolve("floor").expect("the floor");
    world.constrain("floor", &[floor], ConstraintKind::NotNegative).expect("a constraint");
    let slow = Particle { dimensions: 2, mass: 1.0 };
    let slow = world.add_object("slow", slow, Order::First, &[2.0, 0.2]).expect("one");
    let slow = world.block(slow).expect("its block");
    let ends = [slow.ports::<2>(), ball.ports::<2>()].concat();
    let rod = world.graph_mut().add_code("rod", Distance(2), &ends).expect("a rod").port(0);
    let rod = world.graph_mut().add_formula("gap", "l - 1", &[("l", rod)]).expect("a gap");
    world.constrain("rod", &[rod.port(0)], ConstraintKind::Equal).expect("a constraint");
}

/// A troid with elasticity, and a body in space that hangs at a corner.
fn add_troid_and_body(world: &mut World) {
    let at = Troid::<2>::rest([5.0, 0.0]);
    let troid = Troid::<2>::of_box(1.0, [0.4, 0.2]);
    let troid = world.add_object("troid", troid, Order::Second, &at).expect("a troid");
    let ports = world.ports(troid).expect("ports");
    let elasticity = TroidElasticity::<2> { measure: 0.08, shape: 50.0, dilation: 50.0 };
    world.add_behaviour("elasticity", elasticity.behaviour(), &ports[2..]).expect("elasticity");
    let at = [9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let body = RigidBody { mass: 1.0, inertia: [0.1, 0.2, 0.3] };
    let body = world.add_object("body", body, Order::Second, &at).expect("a body");
    let corner = world.add_point("corner", body, &[0.3, 0.2, 0.1]).expect("a point");
    world.nail("corner", corner, &[9.3, 0.2, 0.1]).expect("a nail");
}

#[test]
fn steps_allocate_nothing_after_the_first_ones() {
    for integrator in [Integrator::RungeKutta4, Integrator::Implicit] {
        let mut world = world(integrator);
        (0..200).for_each(|_| world.step(0.005).expect("a step"));
        let before = taken_here();
        (0..100).for_each(|_| world.step(0.005).expect("a step"));
        let taken = taken_here() - before;
        assert_eq!(taken, 0, "{integrator:?}: {taken} allocations in a hundred steps");
    }
}
