//! Laws of the force along the normal of a contact: elastic foundations, and the law of Hunt and Crossley.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::{ContactLaw, ElasticFoundation, HuntCrossley, NormalLaw};
use sinew::geometry::SurfaceMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, Collider, ColliderShape, CollisionBehavior, FemModel, FrameSite, Master, Model,
    Particle, PointRef, RigidBody,
};
use sinew::solve::Integrator;
use sinew_datasets::beam::{BeamElement, beam_mesh};

use super::scenes::{EULER, Scene, TRAPEZOIDAL, add_box, add_sphere, model_under};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
const LAYER: ElasticFoundation =
    ElasticFoundation { youngs_modulus: 2e5, poissons_ratio: 0.4, thickness: 0.01 };
const SPRING: HuntCrossley = HuntCrossley { effective_modulus: 1e6, exponent: 1.5, radius: 0.0 };

fn foundation(dissipation: f64) -> ContactLaw {
    ContactLaw {
        normal: NormalLaw::ElasticFoundation,
        foundation: LAYER,
        dissipation,
        ..ContactLaw::default()
    }
}

fn hunt_crossley(dissipation: f64) -> ContactLaw {
    ContactLaw {
        normal: NormalLaw::HuntCrossley,
        hunt_crossley: SPRING,
        dissipation,
        ..ContactLaw::default()
    }
}

/// A ball of 1 kg whose lowest point is at this height above a plane, at this velocity [m, m/s].
fn ball(law: ContactLaw, gravity: f64, height: f64, velocity: f64) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(gravity);
    let ball = add_sphere(&mut model, "ball", 1.0, RADIUS, Vec3::z() * (RADIUS + height));
    model[ball].velocity = Vec3::z() * velocity;
    model.add(Collider::half_space(Pose::identity()).named("ground"));
    model.add(CollisionBehavior::default().with_law(law));
    (model, ball)
}

fn depth(scene: &Scene, ball: Handle<RigidBody>) -> f64 {
    RADIUS - scene.place(ball).z
}

/// The root of a rising function between two numbers.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { high = middle } else { low = middle }
    }
    low
}

/// K over the thickness, written as ArtiSynth's manual has it [Pa/m].
fn layer() -> f64 {
    let ElasticFoundation { youngs_modulus: e, poissons_ratio: nu, thickness } = LAYER;
    (1.0 - nu) * e / ((1.0 + nu) * (1.0 - 2.0 * nu)) / thickness
}

#[test]
fn a_ball_rests_on_a_foundation_where_the_volume_of_its_overlap_carries_its_weight() {
    let volume = |d: f64| PI * d * d * (RADIUS - d / 3.0);
    let expected = root(|d| layer() * volume(d) - G, 0.0, RADIUS);
    for integrator in [EULER, TRAPEZOIDAL, Integrator::SymplecticEuler, Integrator::RungeKutta4] {
        let (model, ball) = ball(foundation(20.0), G, 0.0, 0.0);
        let mut scene = Scene::new(&model, integrator);
        scene.steps(2e-3, 1000);
        let found = depth(&scene, ball);
        assert!((found / expected - 1.0).abs() < 1e-6, "{integrator:?}: {found} {expected}");
        assert!((scene.force().z / G - 1.0).abs() < 1e-6, "{integrator:?}: {}", scene.force());
    }
}

#[test]
fn two_balls_share_the_foundation_of_their_common_curvature() {
    let mut model = model_under(G);
    let upper = add_sphere(&mut model, "upper", 1.0, RADIUS, Vec3::z() * 0.3);
    model.add(Collider::new(
        ColliderShape::Sphere { radius: 0.2 },
        FrameSite::ground(Pose::identity()),
    ));
    model.add(CollisionBehavior::default().with_law(foundation(20.0)));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 1000);
    let found = 0.3 - scene.place(upper).z;
    let expected = (G / (layer() * PI * RADIUS * 0.2 / (RADIUS + 0.2))).sqrt();
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
}

/// A square of 0.2 m in a plane whose triangles have a size, cut along diagonals that alternate.
pub(super) fn plate(cells: u32) -> SurfaceMesh {
    let side = cells + 1;
    let at = |i: u32| 0.2 * (f64::from(i) / f64::from(cells) - 0.5);
    let vertices = (0..side * side).map(|k| Vec3::new(at(k % side), at(k / side), 0.0)).collect();
    let mut triangles = Vec::new();
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let [a, b, c, d] =
            [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| j * side + i);
        // Seen from below.
        match (i + j) % 2 {
            0 => triangles.extend([[a, c, b], [a, d, c]]),
            _ => triangles.extend([[a, d, b], [b, d, c]]),
        }
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_flat_foot_of_vertices_sinks_by_its_pressure_and_resists_tilt_as_its_area_does() {
    let cells = 16;
    let mut model = model_under(G);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let foot = add_box(&mut model, "foot", 2.0, half, Pose::translation(0.0, 0.0, 1e-4));
    let collider = model.iter::<Collider>().next().unwrap().0;
    model[foot].mesh = Some(plate(cells));
    model[collider].shape = ColliderShape::vertices(0.0);
    let ground = model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::new(foot, ground, 0.0).with_law(foundation(50.0)));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 1000);
    let found = -scene.place(foot).z;
    let expected = 2.0 * G / (layer() * 0.04);
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    // A weight on it, aside by less than a sixth of its width: K/h I tilt is its moment, while all of the foot touches.
    let arm = 0.01;
    let bob = Particle::new(2.0, Vec3::new(arm, 0.0, 0.1 + 1e-4));
    let bob = model.add(bob);
    model.add(Attachment::new(vec![PointRef::Particle(bob)], Master::Body(foot)));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 2000);
    let tilt = (scene.pose(foot).rotation * Vec3::x()).z.asin();
    let second = 0.2f64.powi(4) / 12.0;
    let expected = -2.0 * G * arm / (layer() * second);
    // The trapezoidal rule over n cells has an I that is larger by 2/n²; heights and arms turn along.
    assert!(
        (tilt / expected - 1.0).abs() < 2.0 / f64::from(cells).powi(2) + 0.02,
        "{tilt} {expected}"
    );
}

#[test]
fn a_block_of_tissue_stands_on_a_foundation_as_on_its_springs() {
    for (element, cells) in [
        (BeamElement::Hex, [4, 4, 2]),
        (BeamElement::QuadTet, [2, 2, 1]),
        (BeamElement::Wedge, [3, 3, 2]),
    ] {
        let mesh = beam_mesh(element, cells, [0.1, 0.1, 0.05]).unwrap();
        let low = mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
        let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e6, poissons_ratio: 0.0 });
        let mut model = model_under(G);
        let mut fem = FemModel::new("block", mesh, 1000.0, law);
        fem.stiffness_damping = 0.01;
        model.add(fem);
        model.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
        model.add(CollisionBehavior::default().with_law(foundation(50.0)));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(5e-3, 800);
        let weight = 0.5 * G;
        assert!((scene.force().z / weight - 1.0).abs() < 1e-6, "{element:?}: {}", scene.force());
        // Corners of quadratic faces stand for no area, and hang free.
        let contacts = &scene.state.contacts;
        let mean = -contacts.iter().map(|it| it.gap).sum::<f64>() / contacts.len() as f64;
        let expected = 500.0 * G * 0.1 / 100.0 / (layer() * 0.01);
        // Lumped masses of quadratic elements do not load their faces as a pressure does: the block bends a little.
        let most = if element == BeamElement::QuadTet { 0.1 } else { 1e-3 };
        assert!((mean / expected - 1.0).abs() < most, "{element:?}: {mean} {expected}");
    }
}

#[test]
fn a_logarithmic_foundation_carries_a_weight_that_would_press_a_linear_one_flat() {
    // Pressures of half and of three times the modulus of the layer, which the linear law meets at 3 thicknesses.
    for pressures in [0.05, 0.5, 3.0] {
        let mut model = model_under(G);
        let modulus = layer() * LAYER.thickness;
        let mesh = beam_mesh(BeamElement::Hex, [3, 3, 2], [0.1, 0.1, 0.05]).unwrap();
        let low = mesh.nodes.iter().map(|p| p.z).fold(f64::MAX, f64::min);
        // Stiff beside the layer, so that the block stays one.
        let stiff = MaterialSpec::Corotated(Isotropic { youngs_modulus: 1e9, poissons_ratio: 0.0 });
        let density = pressures * modulus / (G * 0.05);
        let mut fem = FemModel::new("block", mesh, density, stiff);
        fem.stiffness_damping = 0.001;
        model.add(fem);
        model.add(Collider::half_space(Pose::translation(0.0, 0.0, low)));
        let law = ContactLaw { normal: NormalLaw::LogarithmicFoundation, ..foundation(5.0) };
        model.add(CollisionBehavior::default().with_law(law));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(2e-3, 1500);
        let contacts = &scene.state.contacts;
        let mean = -contacts.iter().map(|it| it.gap).sum::<f64>() / contacts.len() as f64;
        // p = -K ln(1 - d / h).
        let expected = LAYER.thickness * (1.0 - f64::exp(-pressures));
        assert!((mean / expected - 1.0).abs() < 1e-3, "{pressures}: {mean} {expected}");
    }
}

/// Velocity after a bounce at `v` with dissipation `c`, from m v dv/dd = -k d^n (1 + c v): the energy that d^n takes on the
/// way in it gives back on the way out, whatever k and n.
fn after(v: f64, c: f64) -> f64 {
    let taken = v / c - (c * v).ln_1p() / (c * c);
    root(|u| -u / c - (-c * u).ln_1p() / (c * c) - taken, 0.0, (1.0 - 1e-12) / c)
}

/// Velocity after a bounce in steps of `h`, and the largest depth.
fn bounce(law: ContactLaw, integrator: Integrator, v: f64, h: f64) -> (f64, f64) {
    let (model, ball) = ball(law, 0.0, 1e-4, -v);
    let mut scene = Scene::new(&model, integrator);
    let mut deepest = 0.0;
    for _ in 0..100_000 {
        scene.step(h);
        deepest = depth(&scene, ball).max(deepest);
        if scene.velocity(ball).z > 0.0 && depth(&scene, ball) < 0.0 {
            return (scene.velocity(ball).z, deepest);
        }
    }
    panic!("it does not come back");
}

#[test]
fn a_ball_bounces_with_the_restitution_of_hunt_and_crossley() {
    for (c, v) in [(0.1, 0.5), (0.5, 1.0), (0.5, 4.0)] {
        let expected = after(v, c);
        let (rebound, deepest) = bounce(hunt_crossley(c), TRAPEZOIDAL, v, 1e-5);
        assert!((rebound / expected - 1.0).abs() < 1e-4, "{c} {v}: {rebound} {expected}");
        let k = 4.0 / 3.0 * 1e6 * RADIUS.sqrt();
        let taken = v / c - (c * v).ln_1p() / (c * c);
        let most = (2.5 * taken / k).powf(0.4);
        assert!((deepest / most - 1.0).abs() < 1e-4, "{c} {v}: {deepest} {most}");
    }
}

#[test]
fn a_bounce_without_dissipation_keeps_its_energy_at_any_length_of_step() {
    for law in [hunt_crossley(0.0), foundation(0.0)] {
        for h in [1e-4, 1e-3, 5e-3, 2e-2] {
            let (rebound, _) = bounce(law, TRAPEZOIDAL, 2.0, h);
            assert!((rebound / 2.0 - 1.0).abs() < 1e-6, "{:?} at {h}: {rebound}", law.normal);
        }
        // Backward Euler takes some.
        let (rebound, _) = bounce(law, EULER, 2.0, 1e-3);
        assert!(rebound < 2.0, "{rebound}");
    }
}

#[test]
fn the_impact_of_hertz_is_as_deep_and_takes_as_long_as_published() {
    // CON-sphere-drop (b): 1 kg at 0.5 m/s on E = 1 MPa, nu = 1/2, without gravity.
    let (deepest, time) = (0.0031476687280702024, 0.018528910511607866);
    let modulus = HuntCrossley { effective_modulus: 1e6 / 0.75, ..SPRING };
    let law = ContactLaw { hunt_crossley: modulus, ..hunt_crossley(0.0) };
    let (rebound, found) = bounce(law, TRAPEZOIDAL, 0.5, 1e-5);
    assert!((rebound / 0.5 - 1.0).abs() < 1e-6, "{rebound}");
    assert!((found / deepest - 1.0).abs() < 1e-5, "{found} m of {deepest} m");
    let (model, ball) = ball(law, 0.0, 1e-4, -0.5);
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    let mut touching = 0;
    for _ in 0..3000 {
        scene.step(1e-5);
        touching += u32::from(depth(&scene, ball) > 0.0);
    }
    let found = f64::from(touching) * 1e-5;
    // To a step at either end.
    assert!((found - time).abs() < 2e-5, "{found} s of {time} s");
}

#[test]
fn steps_converge_to_the_bounce_in_the_second_order() {
    let expected = after(1.0, 0.5);
    let errors = [4e-4, 2e-4, 1e-4]
        .map(|h| (bounce(hunt_crossley(0.5), TRAPEZOIDAL, 1.0, h).0 - expected).abs());
    assert!(errors[2] < 0.35 * errors[1] && errors[1] < 0.35 * errors[0], "{errors:?}");
}

#[test]
fn a_dropped_ball_comes_to_rest_on_hunt_and_crossley_with_every_integrator() {
    let k = 4.0 / 3.0 * 1e6 * RADIUS.sqrt();
    let expected = (G / k).powf(2.0 / 3.0);
    for integrator in [EULER, TRAPEZOIDAL, Integrator::SymplecticEuler, Integrator::RungeKutta4] {
        let (model, ball) = ball(hunt_crossley(5.0), G, 0.02, 0.0);
        let mut scene = Scene::new(&model, integrator);
        let mut highest = 0.0f64;
        for k in 0..4000 {
            scene.step(1e-3);
            if k > 100 {
                highest = highest.max(-depth(&scene, ball));
            }
        }
        let found = depth(&scene, ball);
        assert!(highest < 0.02, "{integrator:?}: {highest}");
        assert!((found / expected - 1.0).abs() < 1e-3, "{integrator:?}: {found} {expected}");
    }
}

#[test]
fn a_soft_node_bounces_by_the_law_and_friction_holds_what_it_presses() {
    let mut model = model_under(0.0);
    let bead = model.add(Particle::new(0.1, Vec3::z() * 1e-4));
    model[bead].velocity = Vec3::new(0.0, 0.0, -1.0);
    model.add(Collider::half_space(Pose::identity()));
    let law =
        ContactLaw { hunt_crossley: HuntCrossley { radius: 0.02, ..SPRING }, ..hunt_crossley(0.3) };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    scene.steps(1e-5, 2000);
    let rebound = scene.state.u[0].z;
    assert!((rebound / after(1.0, 0.3) - 1.0).abs() < 1e-4, "{rebound}");

    // On a slope just below the angle of friction a ball on a foundation that may not roll would stay; a box of
    // vertices does.
    let slope = Pose::rotation(Vec3::y() * 0.25);
    let mut model = model_under(G);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let foot = add_box(&mut model, "foot", 2.0, half, slope);
    let collider = model.iter::<Collider>().next().unwrap().0;
    model[foot].mesh = Some(plate(4));
    model[collider].shape = ColliderShape::vertices(0.0);
    model.add(Collider::half_space(slope));
    let law = ContactLaw { friction: 0.3, ..foundation(50.0) };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 500);
    let start = scene.place(foot);
    scene.steps(2e-3, 500);
    let moved = (scene.place(foot) - start).norm();
    assert!(moved < 1e-9, "{moved} m");
    assert!((scene.force() - Vec3::z() * 2.0 * G).norm() < 1e-6, "{}", scene.force());
}

#[test]
fn pairs_without_areas_or_curvature_are_refused_by_name() {
    let error = |law: ContactLaw| {
        let mut model = model_under(G);
        add_box(&mut model, "crate", 1.0, Vec3::repeat(0.1), Pose::identity());
        model.add(Collider::half_space(Pose::identity()).named("ground"));
        model.add(CollisionBehavior::default().with_law(law).named("soft"));
        model.compile().err().unwrap().to_string()
    };
    let found = error(foundation(0.0));
    assert!(found.contains("soft") && found.contains("stand for no area"), "{found}");
    assert!(found.contains("crate") && found.contains("ground"), "{found}");
    let logarithm = ContactLaw { normal: NormalLaw::LogarithmicFoundation, ..foundation(0.0) };
    assert!(error(logarithm).contains("stand for no area"));
    let found = error(hunt_crossley(0.0));
    assert!(found.contains("contact_radius is 0") && found.contains("crate"), "{found}");
}
