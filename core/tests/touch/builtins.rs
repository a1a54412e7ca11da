//! The built-in models of contact come to rest where they should.

use sinew::Vec3;
use sinew::model::{Collider, FemModel, Model, RigidBody};
use sinew::system::MechSystem;
use sinew_datasets::{Params, find};

use super::scenes::{EULER, Scene, TRAPEZOIDAL};

fn built(name: &str, arguments: &[&str]) -> Model {
    let mut params = Params::parse(arguments).unwrap();
    (find(name).unwrap().build)(&mut params).unwrap()
}

/// Overlaps stay below 1e-4 of the radius of the model, which is below 0.7 m in all of these.
const TOLERANCE: f64 = 7e-5;

#[test]
fn three_boxes_fall_onto_each_other_and_rest() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let model = built("boxes", &["n=3"]);
        let mut scene = Scene::new(&model, integrator);
        scene.steps(0.01, 30);
        assert!(scene.kinetic() < 1e-12, "{} J", scene.kinetic());
        for (k, name) in ["b0", "b1", "b2"].into_iter().enumerate() {
            let (body, _) = model.iter::<RigidBody>().find(|(_, body)| body.name == name).unwrap();
            let at = scene.place(body);
            let rest = Vec3::new(0.0, 0.0, 0.1 + 0.2 * k as f64);
            let allowed = TOLERANCE * (k + 1) as f64;
            assert!((at - rest).norm() < allowed, "{name} at {at:?} under {integrator:?}");
        }
        scene.steps(0.01, 30);
        assert!(scene.kinetic() < 1e-12, "{} J", scene.kinetic());
        let weight = 24.0 * 9.8;
        let plate = model.iter::<Collider>().find(|(_, it)| it.name == "plate").unwrap().0;
        let on_plate = scene.compiled.contacts_on(plate, &scene.state).unwrap();
        let force = -on_plate.map(|force| force.z).sum::<f64>();
        assert!((force / weight - 1.0).abs() < 1e-9, "{force} N of {weight} N");
    }
}

/// By the virial theorem the change of volume is (1 - 2 nu) / E times the sum of force times place, whatever friction
/// does; the centre of mass of a column sinks by rho g L² / 3 E under its weight.
#[test]
fn a_soft_cube_falls_on_a_plate_and_rests_shortened_by_its_weight() {
    let model = built("plate", &["n=4"]);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.005, 60);
    assert!(scene.kinetic() < 1e-12, "{} J", scene.kinetic());
    let (fem, tissue) = model.iter::<FemModel>().next().unwrap();
    let masses = scene.compiled.masses();
    let of_node = |k: usize| scene.compiled.block_of_node(fem, k);
    let rows: Vec<usize> = (0..tissue.mesh.nodes.len()).map(of_node).collect();
    let center = rows.iter().map(|&row| scene.state.q[row] * masses[row]).sum::<Vec3>() / 8.0;
    let (sunk, column) = (-0.01 - center.z, 1000.0 * 9.8 * 0.04 / (3.0 * 5e5));
    // A column is free sideways; the lowest layer is not.
    assert!((sunk - column).abs() < 0.05 * column, "{sunk} m of {column} m");
    assert!(center.xy().norm() < 1e-9, "{center:?}");
    let weight = 8.0 * 9.8;
    let force = scene.force();
    assert!((force.z.abs() / weight - 1.0).abs() < 1e-6, "{force:?} of {weight} N");
    let sign = force.z.signum();
    let friction: f64 =
        scene.state.contacts.iter().map(|it| it.force.xy().dot(&it.point.xy()) * sign).sum();
    let expected = 0.34 / 5e5 * (friction - weight * 0.1);
    let change = scene.compiled.at(&scene.state).tissue_sums(fem).unwrap().volume - 0.008;
    println!("sunk {sunk} m, volume {change} m³ of {expected} m³, friction {friction} J");
    assert!((change / expected - 1.0).abs() < 1e-2, "{change} m³ of {expected} m³");
}

#[test]
fn a_sphere_rolls_where_friction_is_enough_and_slips_where_it_is_not() {
    let (sin, cos) = 20f64.to_radians().sin_cos();
    for (friction, expected) in [(0.15, 5.0 / 7.0 * sin), (0.05, sin - 0.05 * cos)] {
        let model = built("sphere", &["angle=20", &format!("mu={friction}")]);
        let mut scene = Scene::new(&model, TRAPEZOIDAL);
        let ball = model.iter::<RigidBody>().find(|(_, body)| body.name == "sphere").unwrap().0;
        scene.steps(1e-2, 100);
        let speed = scene.velocity(ball).norm();
        assert!((speed / (9.8 * expected) - 1.0).abs() < 1e-3, "{speed} m/s at mu {friction}");
        let slip = speed - 0.1 * scene.angular_velocity(ball).norm();
        // 2/7 of the slope, 0.104, is enough.
        assert_eq!(slip > 1e-6, friction < 0.104, "{slip} m/s at mu {friction}");
    }
}

/// A hull of the bowl would be closed above: the cube would lie on it. It comes to rest inside, at its lowest
/// place, and the walls bear its weight.
#[test]
fn a_soft_cube_falls_into_a_bowl_and_rests_inside() {
    let model = built("bowl", &["n=3"]);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 150);
    let (fem, tissue) = model.iter::<FemModel>().next().unwrap();
    let places = (0..tissue.mesh.nodes.len())
        .map(|k| scene.state.q[scene.compiled.block_of_node(fem, k)])
        .collect::<Vec<_>>();
    // Facets lie within 0.5 % of the inner radius of 0.11 m; the upper corners stand out of the bowl.
    let inside = |p: &&Vec3| p.z < 0.0;
    let farthest = places.iter().filter(inside).map(|p| p.norm()).fold(0.0, f64::max);
    assert!((0.105..0.1101).contains(&farthest), "{farthest} m");
    assert!(scene.kinetic() < 1e-6, "{} J", scene.kinetic());
    let weight = 9.8;
    assert!((scene.force().z / weight - 1.0).abs() < 1e-3, "{} N", scene.force());
}
