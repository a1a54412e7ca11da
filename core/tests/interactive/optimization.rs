//! Optimization by dynamics (Witkin1990, section 5.3): objectives, sliders, snakes, fits.

use sinew::interactive::{
    Bending, ConstraintKind, EdgeField, GrayImage, Integrator, Norm, ObjectId, Objective, Order,
    Particle, Port, Pull, Residuals, Spring, Variables, World, WorldSettings,
};

use crate::random::Random;

fn variables(world: &mut World, name: &str, names: &[&str], state: &[f64]) -> ObjectId {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let masses = vec![1.0; names.len()];
    world.add_object(name, Variables { names, masses }, Order::First, state).expect("variables")
}

#[test]
fn an_expression_is_maximized_under_a_constraint_by_a_slider() {
    let mut world = World::default();
    let v = variables(&mut world, "v", &["x", "y"], &[1.9, 0.1]);
    let graph = world.graph_mut();
    let area = graph.add_expression("area", "4*v.x*v.y").expect("an area").port(0);
    let ring = graph.add_expression("ring", "v.x^2/4 + v.y^2 - 1").expect("an ellipse").port(0);
    world.constrain("ring", &[ring], ConstraintKind::Equal).expect("a constraint");
    let slider = Pull { target: vec![1.0], stiffness: 5.0, damping: 0.0 };
    let slider = world.add_behaviour("slider", slider, &[area]).expect("a slider");
    (0..1000).for_each(|_| world.step(0.005).expect("a step"));
    assert!((world.value(area).expect("the area") - 1.0).abs() < 1e-6, "within reach");
    // Beyond reach: the largest rectangle in the ellipse has the area 2 a b = 4, at x = √2, y = 1/√2.
    world.behaviour_mut::<Pull>(slider).expect("the slider").target[0] = 9.0;
    (0..1000).for_each(|_| world.step(0.002).expect("a step"));
    let state = world.state(v).expect("the variables");
    let expected = [2.0_f64.sqrt(), 0.5_f64.sqrt()];
    assert!(state.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{state:?}");
    // The same by an objective in the place of the slider.
    world.remove_behaviour(slider).expect("it was there");
    world.set_state(v, &[0.4, -0.97], &[0.0; 2]).expect("a state");
    world.add_behaviour("most", Objective { gain: -1.0 }, &[area]).expect("an objective");
    (0..3000).for_each(|_| world.step(0.005).expect("a step"));
    let state = world.state(v).expect("the variables");
    // From the other side of the axis it finds the other maximum.
    assert!(state.iter().zip(expected).all(|(a, b)| (a.abs() - b).abs() < 1e-6), "{state:?}");
    assert!(state[0] * state[1] > 0.0, "{state:?}");
}

/// Points on an ellipse with a little noise, every fifth one anywhere.
fn scattered(random: &mut Random) -> Vec<[f64; 2]> {
    let [x, y, a, b] = ELLIPSE;
    let point = |k: usize| {
        let angle = k as f64 * 0.157;
        let noise = [random.range(-0.01, 0.01), random.range(-0.01, 0.01)];
        match k % 5 {
            4 => [random.range(1.5, 4.0), random.range(-3.0, 3.0)],
            _ => [x + a * angle.cos() + noise[0], y + b * angle.sin() + noise[1]],
        }
    };
    (0..60).map(point).collect()
}

const ELLIPSE: [f64; 4] = [0.3, -0.2, 2.0, 1.0];

/// The ellipse that fits the points under a norm.
fn fit(points: &[[f64; 2]], norm: Norm) -> Vec<f64> {
    let settings = WorldSettings { integrator: Integrator::Implicit, ..WorldSettings::default() };
    let mut world = World::new(settings);
    let ellipse = variables(&mut world, "e", &["x", "y", "a", "b"], &[0.0, 0.0, 1.6, 1.3]);
    let ports: Vec<Port> = points
        .iter()
        .enumerate()
        .map(|(k, [x, y])| {
            // Distance along the ray from the centre, to first order.
            let text = format!(
                "(sqrt((({x}) - e.x)^2/e.a^2 + (({y}) - e.y)^2/e.b^2) - 1)*sqrt(e.a^2 + e.b^2)"
            );
            world.graph_mut().add_expression(&format!("r{k}"), &text).expect("a residual").port(0)
        })
        .collect();
    let residuals = Residuals { ports: ports.len(), stiffness: 1.0, norm };
    world.add_behaviour("fit", residuals, &ports).expect("a fit");
    (0..100).for_each(|_| world.step(1.0).expect("a step"));
    world.state(ellipse).expect("the ellipse").to_vec()
}

#[test]
fn an_ellipse_is_fitted_to_points_with_outliers_under_robust_norms() {
    let points = scattered(&mut Random(11));
    let off =
        |found: &[f64]| found.iter().zip(ELLIPSE).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let square = fit(&points, Norm::Square);
    assert!(off(&square) > 0.1, "outliers draw it away: {square:?}");
    for norm in [Norm::Tukey(1.0), Norm::GemanMcClure(0.15)] {
        let found = fit(&points, norm);
        assert!(off(&found) < 0.01, "{norm:?}: {found:?}");
    }
    let huber = fit(&points, Norm::Huber(0.05));
    assert!(off(&huber) < 0.5 * off(&square), "{huber:?}, {square:?}");
}

#[test]
fn weights_of_norms_are_their_slopes() {
    for norm in [Norm::Square, Norm::Huber(0.7), Norm::Tukey(1.5), Norm::GemanMcClure(0.8)] {
        for r in [-2.0, -0.71, 0.3, 0.69, 1.49, 3.0] {
            let slope = (norm.value(r + 1e-6) - norm.value(r - 1e-6)) / 2e-6;
            assert!((norm.weight(r) * r - slope).abs() < 1e-8, "{norm:?} at {r}");
        }
    }
}

/// A bright disc.
fn disc(center: [f64; 2]) -> GrayImage {
    let edge = |x: f64, y: f64| 12.0 - (x - center[0]).hypot(y - center[1]);
    GrayImage::of(64, 64, |x, y| (edge(x, y) + 0.5).clamp(0.0, 1.0)).expect("an image")
}

#[test]
fn a_snake_locks_to_the_edge_of_a_disc_and_follows_it() {
    let settings = WorldSettings { integrator: Integrator::Implicit, ..WorldSettings::default() };
    let mut world = World::new(settings);
    let images: Vec<GrayImage> = (0..9).map(|k| disc([24.0 + 2.0 * k as f64, 30.0])).collect();
    let field = EdgeField::new(&images, 1.0, 2.0, 2000.0).expect("a field");
    let count = 24;
    let ids: Vec<ObjectId> = (0..count)
        .map(|k| {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            let at = [24.0 + 15.0 * angle.cos(), 30.0 + 15.0 * angle.sin()];
            let object = Particle { dimensions: 2, mass: 1.0 };
            world.add_object(&format!("p{k}"), object, Order::First, &at).expect("a point")
        })
        .collect();
    for k in 0..count {
        let three = [0, 1, 2].map(|i| world.ports(ids[(k + i) % count]).expect("ports"));
        world.add_behaviour(&format!("edge{k}"), field.clone(), &three[0]).expect("a field");
        let spring = Spring { dimensions: 2, stiffness: 0.5, damping: 0.0, rest_length: 0.0 };
        world.add_behaviour(&format!("s{k}"), spring, &three[..2].concat()).expect("a spring");
        let bending = Bending { dimensions: 2, stiffness: 0.5 };
        world.add_behaviour(&format!("b{k}"), bending.behaviour(), &three.concat()).expect("one");
    }
    let off = |world: &World, center: [f64; 2]| {
        let distance = |&id: &ObjectId| {
            let at = world.state(id).expect("a point");
            ((at[0] - center[0]).hypot(at[1] - center[1]) - 12.0).abs()
        };
        ids.iter().map(distance).fold(0.0, f64::max)
    };
    assert!(off(&world, [24.0, 30.0]) > 2.0);
    for step in 0..160 {
        world.step(0.05).expect("a step");
        if step == 19 {
            let lag = off(&world, [26.0, 30.0]);
            assert!(lag < 1.0, "a second later it has locked: {lag}");
        }
    }
    // The disc has moved by 16 pixels, more than its radius; tension holds the snake inside of the edge a little.
    let end = off(&world, [40.0, 30.0]);
    assert!(end < 1.0, "{end}");
}

#[test]
fn forces_of_edges_are_the_slopes_of_their_energy() {
    use sinew::interactive::{Behaviour, PortMotion};
    let images = [disc([20.0, 30.0]), disc([25.0, 31.0])];
    let field = EdgeField::new(&images, 2.0, 2.0, 3.0).expect("a field");
    let energy = |x: f64, y: f64| field.energy(PortMotion { time: 0.6, x: &[x, y], v: &[0.0; 2] });
    for [x, y] in [[31.3, 30.2], [20.0, 17.9], [12.4, 38.6], [1.0, 62.7]] {
        let mut force = [0.0; 2];
        field.add_forces(PortMotion { time: 0.6, x: &[x, y], v: &[0.0; 2] }, &mut force);
        let h = 1e-5;
        let slopes = [energy(x + h, y) - energy(x - h, y), energy(x, y + h) - energy(x, y - h)];
        for (force, slope) in force.iter().zip(slopes) {
            assert!((force + slope / (2.0 * h)).abs() < 1e-8, "{x}, {y}: {force}, {slope}");
        }
    }
    assert!(GrayImage::new(3, 3, vec![0.0; 8]).is_err());
    assert!(GrayImage::new(1, 1, vec![f64::NAN]).is_err());
    assert!(EdgeField::new(&[], 1.0, 1.0, 1.0).is_err());
    assert!(EdgeField::new(&images, 0.0, 1.0, 1.0).is_err());
}
