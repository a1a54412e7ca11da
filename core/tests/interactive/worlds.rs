//! Edits of worlds, and refusals.

use sinew::interactive::{
    ConstraintKind, Curve, Order, Particle, Pull, Troid, Variables, Weight, World, WorldError,
};

fn with_particle() -> (World, sinew::interactive::ObjectId) {
    let mut world = World::default();
    let object = Particle { dimensions: 2, mass: 1.0 };
    let id = world.add_object("p", object, Order::Second, &[1.0, 2.0]).expect("a particle");
    (world, id)
}

#[test]
fn refusals_name_the_part_and_change_nothing() {
    let (mut world, p) = with_particle();
    let ports = world.ports(p).expect("ports");
    world.constrain("line", &ports[..1], ConstraintKind::Equal).expect("a constraint");
    let object = Particle { dimensions: 2, mass: 0.0 };
    let drag = Curve::new("s; a*s", &["a"], [0.0, 1.0]).expect("a curve");
    let texts = [
        world.add_object("p", object, Order::Second, &[0.0; 2]).expect_err("taken"),
        world.add_object("q", object, Order::Second, &[0.0; 3]).expect_err("three numbers"),
        world.add_object("c", drag, Order::Second, &[1.0]).expect_err("no inertia"),
        world.remove_object(p).expect_err("in use"),
        world.add_point("corner", p, &[1.0, 0.0]).expect_err("a particle has one point"),
        world
            .add_behaviour("pull", Pull { target: vec![0.0], stiffness: 1.0, damping: 0.0 }, &ports)
            .expect_err("one port"),
        world.step(0.0).expect_err("no step"),
    ];
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "the name 'p' is that of another object; use another one",
            "'q' takes 2 state(s), got 3",
            "object 'c' has drag and no inertia: let it move in first order, or weight it by its parameter",
            "block 'p' is used by line; rewire or remove these first",
            "object 'p' has no point at [1.0, 0.0]",
            "'pull' takes 1 port(s), got 2",
            "step must be > 0, got 0",
        ]
    );
    world.step(0.01).expect("the world is as it was");
    assert_eq!(world.state(p).expect("p")[1], 2.0, "nothing but the line acts");
}

#[test]
fn a_mass_that_is_none_is_named_when_it_is_needed() {
    let mut world = World::default();
    let object = Particle { dimensions: 2, mass: 0.0 };
    let p = world.add_object("p", object, Order::Second, &[1.0, 2.0]).expect("a particle");
    let error = world.step(0.01).expect_err("no mass");
    assert_eq!(error, WorldError::Mass("p".to_owned()));
    world.remove_object(p).expect("nobody uses it");
    world.step(0.01).expect("an empty world");
}

#[test]
fn objects_come_and_go_while_the_rest_moves_on() {
    let (mut world, p) = with_particle();
    world.set_state(p, &[1.0, 2.0], &[1.0, 0.0]).expect("a state");
    let object = Variables { names: vec!["a".to_owned()], masses: vec![2.0] };
    let first = world.add_object("first", object.clone(), Order::First, &[4.0]).expect("one");
    let last = world.add_object("last", object, Order::Second, &[7.0]).expect("one");
    world.set_state(last, &[7.0], &[2.0]).expect("a state");
    (0..10).for_each(|_| world.step(0.1).expect("a step"));
    world.remove_object(first).expect("nobody uses it");
    (0..10).for_each(|_| world.step(0.1).expect("a step"));
    let (a, b) = (world.state(p).expect("p"), world.state(last).expect("last"));
    assert!((a[0] - 3.0).abs() < 1e-12 && (b[0] - 11.0).abs() < 1e-12, "{a:?}, {b:?}");
    assert_eq!(world.state(first), Err(WorldError::Gone("object")));
    assert!(world.acceleration(last).is_ok());
    let object = Variables { names: vec!["a".to_owned()], masses: vec![2.0] };
    let new = world.add_object("new", object, Order::Second, &[0.0]).expect("one");
    let error = world.acceleration(new).expect_err("no step since");
    assert_eq!(error.to_string(), "the result of the last step is not there any more");
    assert_eq!(world.find_object("last"), Some(last));
}

#[test]
fn a_formula_is_changed_under_a_constraint() {
    let (mut world, p) = with_particle();
    world.set_order(p, Order::First).expect("p");
    let line = world.graph_mut().add_expression("line", "p.y - p.x").expect("a line");
    world.constrain("line", &[line.port(0)], ConstraintKind::Equal).expect("a constraint");
    (0..300).for_each(|_| world.step(0.01).expect("a step"));
    let state = world.state(p).expect("p").to_vec();
    assert!((state[0] - 1.5).abs() < 1e-9 && (state[1] - 1.5).abs() < 1e-9, "{state:?}");
    world.graph_mut().set_formula(line, "p.y + 2*p.x - 1").expect("another line");
    (0..300).for_each(|_| world.step(0.01).expect("a step"));
    let state = world.state(p).expect("p").to_vec();
    // The foot of the perpendicular from (1.5, 1.5).
    assert!((state[0] - 0.1).abs() < 1e-9 && (state[1] - 0.8).abs() < 1e-9, "{state:?}");
}

#[test]
fn a_circle_that_is_nailed_to_a_line_follows_the_pull() {
    let mut world = World::default();
    let circle =
        Curve::new("x + r*cos(s); y + r*sin(s)", &["x", "y", "r"], [0.0, std::f64::consts::TAU]);
    let circle =
        world.add_object("circle", circle.expect("a circle"), Order::First, &[0.0, 2.0, 1.0]);
    let circle = circle.expect("an object");
    let line = Curve::new("a + s*c; b + s*d", &["a", "b", "c", "d"], [-2.0, 2.0]).expect("a line");
    let line = world.add_object("line", line, Order::First, &[0.0, 0.0, 1.0, 0.0]).expect("a line");
    let bottom =
        world.add_point("bottom", circle, &[-std::f64::consts::FRAC_PI_2]).expect("a point");
    let middle = world.add_point("middle", line, &[0.5]).expect("a point");
    let ends = [-2.0, 2.0].map(|s| {
        world.add_point(if s < 0.0 { "left" } else { "right" }, line, &[s]).expect("an end")
    });
    world.nail("left", ends[0], &[-2.0, 0.0]).expect("a nail");
    world.nail("right", ends[1], &[2.0, 0.0]).expect("a nail");
    world.join("nail", bottom, middle).expect("a nail between curves");
    let top = world.add_point("top", circle, &[std::f64::consts::FRAC_PI_2]).expect("a point");
    let pull = Pull { target: vec![0.5, 3.0], stiffness: 50.0, damping: 0.0 };
    let ports = world.graph().ports(top).expect("its ports");
    let mouse = world.add_behaviour("mouse", pull, &ports).expect("a mouse");
    (0..400).for_each(|_| world.step(0.01).expect("a step"));
    let state = world.state(circle).expect("the circle").to_vec();
    // Its lowest point stays on the line, the mouse has the highest: the diameter is 3.
    let expected = [0.5, 1.5, 1.5];
    assert!(state.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{state:?}");
    world.behaviour_mut::<Pull>(mouse).expect("the mouse").target = vec![0.5, 1.0];
    (0..400).for_each(|_| world.step(0.01).expect("a step"));
    assert!((world.state(circle).expect("the circle")[2] - 0.5).abs() < 1e-5);
}

#[test]
fn the_mass_matrix_of_a_curve_is_that_of_its_matter() {
    // A rod of 2 kg between (a, b) and (c, d): kinetic energy of both ends moving.
    let mut world = World::default();
    let rod = Curve::new("a + s*(c - a); b + s*(d - b)", &["a", "b", "c", "d"], [0.0, 1.0]);
    let rod = rod.expect("a rod").with_density(2.0, Weight::Parameter);
    let rod = world.add_object("rod", rod, Order::Second, &[0.0, 0.0, 1.0, 0.0]).expect("a rod");
    world.set_state(rod, &[0.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]).expect("a state");
    assert!((world.kinetic_energy().expect("an energy") - 1.0).abs() < 1e-12);
    // Turning about its middle at 2 rad/s: m l²/12 w²/2, by the trapezoidal rule to 1/(2 n²) = 2e-4.
    world.set_state(rod, &[0.0, 0.0, 1.0, 0.0], &[0.0, -1.0, 0.0, 1.0]).expect("a state");
    let energy = world.kinetic_energy().expect("an energy");
    assert!((energy - 1.0 / 3.0).abs() < 3e-4, "{energy}");
}

#[test]
fn a_troid_has_the_names_and_points_of_an_affine_body() {
    let mut world = World::default();
    let troid = Troid::<2>::of_box(1.0, [2.0, 1.0]);
    let at = Troid::<2>::rest([1.0, 1.0]);
    let troid = world.add_object("leaf", troid, Order::Second, &at).expect("a troid");
    world.set_state(troid, &[1.0, 1.0, 2.0, 0.5, 0.0, 1.0], &[0.0; 6]).expect("a state");
    let corner = world.add_point("corner", troid, &[1.0, 0.5]).expect("a corner").ports::<2>();
    let place = corner.map(|port| world.value(port).expect("a value"));
    assert_eq!(place, [3.25, 1.5]);
    assert!(world.graph().resolve("leaf.xy").is_some());
}

#[test]
fn tangents_and_curvatures_of_curves_are_blocks() {
    let mut world = World::default();
    let ellipse = Curve::new("2*r*cos(s); r*sin(s)", &["r"], [0.0, std::f64::consts::TAU]);
    let ellipse = world.add_object("e", ellipse.expect("a curve"), Order::First, &[1.5]);
    let ellipse = ellipse.expect("an object");
    world.add_direction("d", ellipse, &[0.0]).expect("a tangent");
    world.add_direction("dd", ellipse, &[0.0, 2.0]).expect("a second derivative");
    let curvature = "(d.0*dd.1 - d.1*dd.0)/hypot(d.0, d.1)^3";
    let curvature = world.graph_mut().add_expression("curvature", curvature).expect("a block");
    // At the end of the long axis a = 2 r: a / b² with b = r.
    let found = world.value(curvature.port(0)).expect("a value");
    assert!((found - 3.0 / 2.25).abs() < 1e-12, "{found}");
    // The curve takes the size at which the curvature there is 4.
    let text = "curvature - 4";
    let wanted = world.graph_mut().add_expression("wanted", text).expect("a block");
    world.constrain("bent", &[wanted.port(0)], ConstraintKind::Equal).expect("a constraint");
    world.assemble(1e-10).expect("it is found");
    assert!((world.state(ellipse).expect("the ellipse")[0] - 0.5).abs() < 1e-10);
    assert!(world.add_direction("no", ellipse, &[0.0, 0.5]).is_err());
}

#[test]
fn matter_on_a_ring_that_opens_keeps_its_momentum() {
    let ring = Curve::new("r*cos(s + a); r*sin(s + a)", &["r", "a"], [0.0, std::f64::consts::TAU]);
    let ring = ring.expect("a ring").with_density(0.3, Weight::Parameter);
    let mut world = World::default();
    let ring = world.add_object("ring", ring, Order::Second, &[1.0, 0.0]).expect("an object");
    world.set_state(ring, &[1.0, 0.0], &[0.0, 1.0]).expect("a state");
    (0..200).for_each(|_| world.step(0.01).expect("a step"));
    // Free matter goes straight on: r² = 1 + t², tan a = t.
    let state = world.state(ring).expect("the ring");
    assert!((state[0] - 5.0_f64.sqrt()).abs() < 1e-8, "{state:?}");
    assert!((state[1] - 2.0_f64.atan()).abs() < 1e-8, "{state:?}");
}
