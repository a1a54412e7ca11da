//! Equilibria that contact changes, found by static steps.

use std::f64::consts::{PI, TAU};

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::{ContactLaw, NormalLaw};
use sinew::dynamics::SpatialInertia;
use sinew::fem::VolumeMesh;
use sinew::geometry::SurfaceMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Collider, ColliderShape, CollisionBehavior, FemModel, Inertia, Model, RigidBody,
};
use sinew::solve::{Integrator, MechSystemSolver, SolverSettings, StaticSettings};
use sinew::system::{MechSystem, StepError};
use sinew_datasets::beam::{BeamElement, beam_mesh};

use super::scenes::{EULER, Scene, add_sphere, block_on_slope, model_under};

const G: f64 = 9.81;

fn statics(model: &Model) -> Scene {
    let integrator = Integrator::Static(StaticSettings::default());
    Scene::with(model, SolverSettings { integrator, ..SolverSettings::default() })
}

fn tissue(model: &mut Model, mesh: VolumeMesh, young: f64) -> Handle<FemModel> {
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: young, poissons_ratio: 0.3 });
    let mut fem = FemModel::new("tissue", mesh, 1000.0, law);
    fem.stiffness_damping = 0.05;
    model.add(fem)
}

fn heights(scene: &Scene, fem: Handle<FemModel>, nodes: &[usize]) -> f64 {
    let height = |k: &usize| scene.state.q[scene.compiled.block_of_node(fem, *k)].z;
    nodes.iter().map(height).sum::<f64>() / nodes.len() as f64
}

#[test]
fn a_block_of_tissue_rests_on_the_ground_as_after_a_run_in_time() {
    let mesh = beam_mesh(BeamElement::Hex, [3, 3, 2], [0.1, 0.1, 0.06]).unwrap();
    let at = |z: f64| -> Vec<usize> {
        (0..mesh.nodes.len()).filter(|&k| (mesh.nodes[k].z - z).abs() < 1e-9).collect()
    };
    let [low, high] = mesh.bounding_box().unwrap();
    let (below, above) = (at(low.z), at(high.z));
    let mut model = model_under(G);
    let fem = tissue(&mut model, mesh.clone(), 2e4);
    model.add(Collider::half_space(Pose::translation(0.0, 0.0, low.z - 0.01)));
    model.add(CollisionBehavior::everything(0.2));
    let stretched = |scene: &Scene| heights(scene, fem, &above) - heights(scene, fem, &below);
    let mut at_rest = statics(&model);
    at_rest.step(1.0);
    let weight = 0.6 * G;
    assert!((at_rest.force().z / weight - 1.0).abs() < 1e-6, "{}", at_rest.force());
    let mut settled = Scene::new(&model, EULER);
    settled.steps(5e-3, 1000);
    let [found, expected] = [&at_rest, &settled].map(|scene| 0.06 - stretched(scene));
    // Friction holds the base where it was put down, which is not the same place to a part of this.
    assert!((found / expected - 1.0).abs() < 0.05, "{found} m of {expected} m");
    assert!(expected > 2e-4);
}

/// A ball of hexahedra of this radius about a place [m].
fn ball_mesh(radius: f64, center: Vec3) -> VolumeMesh {
    let mut mesh = beam_mesh(BeamElement::Hex, [6; 3], [2.0; 3]).unwrap();
    let [low, high] = mesh.bounding_box().unwrap();
    for p in &mut mesh.nodes {
        let own = *p - (low + high) * 0.5;
        // Half way between the box and the ball, so that no element is flat at the edges.
        let round = if own.norm() > 0.0 { own.amax() / own.norm() } else { 1.0 };
        *p = center + own * (radius * round);
    }
    mesh
}

/// The inner side of a bowl of this radius about the origin, down from half its depth.
fn bowl(radius: f64) -> SurfaceMesh {
    let (rings, sides) = (24u32, 48u32);
    let mut vertices = vec![Vec3::z() * -radius];
    for ring in 1..=rings {
        let angle = 0.45 * PI * f64::from(ring) / f64::from(rings);
        for side in 0..sides {
            let (y, x) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
            vertices.push(Vec3::new(x * angle.sin(), y * angle.sin(), -angle.cos()) * radius);
        }
    }
    let at = |ring: u32, side: u32| 1 + (ring - 1) * sides + side % sides;
    let mut triangles: Vec<[u32; 3]> =
        (0..sides).map(|side| [0, at(1, side), at(1, side + 1)]).collect();
    for (ring, side) in (1..rings).flat_map(|ring| (0..sides).map(move |side| (ring, side))) {
        let [a, b] = [at(ring, side), at(ring, side + 1)];
        let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_ball_of_tissue_comes_to_rest_near_the_middle_of_a_bowl() {
    let mut model = model_under(G);
    let fem = tissue(&mut model, ball_mesh(0.05, Vec3::new(0.02, 0.0, -0.09)), 2e4);
    let inertia = SpatialInertia::of_sphere(1.0, 0.1).unwrap();
    let mut body = RigidBody::new("bowl", Inertia::Explicit(inertia));
    body.mesh = Some(bowl(0.15));
    body.dynamic = false;
    let body = model.add(body);
    let side = model.add(Collider::on(body, ColliderShape::MESH));
    model.add(CollisionBehavior::new(fem, side, 0.05));
    let mut scene = statics(&model);
    scene.step(1.0);
    assert_eq!(scene.kinetic(), 0.0);
    let all: Vec<usize> = (0..model[fem].mesh.nodes.len()).collect();
    let place = |k: &usize| scene.state.q[scene.compiled.block_of_node(fem, *k)];
    let middle = all.iter().map(place).sum::<Vec3>() / all.len() as f64;
    // Friction holds it on slopes of 0.05, 5 mm beside the middle; the bowl has facets of 5 mm.
    assert!(middle.xy().norm() < 1e-2, "{middle}");
    let mass = |k: &usize| scene.compiled.masses()[scene.compiled.block_of_node(fem, *k)];
    let weight = all.iter().map(mass).sum::<f64>() * G;
    let force = scene.force();
    assert!((force.z / weight - 1.0).abs() < 1e-6, "{force} of {weight}");
    assert!(force.xy().norm() < 1e-6 * weight, "{force}");
}

#[test]
fn a_rigid_ball_on_hunt_and_crossley_and_a_block_on_a_slope_are_balanced() {
    let mut model = model_under(G);
    let ball = add_sphere(&mut model, "ball", 1.0, 0.1, Vec3::z() * 0.13);
    model.add(Collider::half_space(Pose::identity()));
    let law =
        ContactLaw { normal: NormalLaw::HuntCrossley, dissipation: 1.0, ..ContactLaw::default() };
    model.add(CollisionBehavior::default().with_law(law));
    let mut scene = statics(&model);
    scene.step(1.0);
    let k = 4.0 / 3.0 * 1e6 * 0.1f64.sqrt();
    let (found, expected) = (0.1 - scene.place(ball).z, (G / k).powf(2.0 / 3.0));
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} m of {expected} m");

    let (model, _, _) = block_on_slope(0.2, 0.3, 0.0);
    let mut scene = statics(&model);
    scene.step(1.0);
    assert!((scene.force() - Vec3::z() * G).norm() < 1e-5, "{}", scene.force());
}

#[test]
fn what_slides_away_is_told_and_stays_where_it_was() {
    let (model, _, _) = block_on_slope(0.5, 0.1, 0.0);
    let system = model.compile().unwrap();
    let settings = SolverSettings {
        integrator: Integrator::Static(StaticSettings::default()),
        ..SolverSettings::default()
    };
    let mut solver = MechSystemSolver::new(&system, settings).unwrap();
    let mut state = system.initial_state();
    let before = state.clone();
    let error = solver.step(&system, &mut state, 1.0).unwrap_err();
    let is_told = matches!(
        error,
        StepError::NotConverged { .. }
            | StepError::StaticContact { .. }
            | StepError::Singular { .. }
    );
    assert!(is_told, "{error}");
    assert_eq!(state.q, before.q);
}
