//! Smooth normals over facets: what slides over a coarse mesh does not cog.

use sinew::Vec3;
use sinew::contact::{PairSearch, Travel};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{Collider, ColliderShape, CollisionBehavior, Inertia, Particle, RigidBody};
use sinew::system::MechSystem;

use super::scenes::{Scene, TRAPEZOIDAL, model_under};
use super::soft::{block_mesh, pair_of};

const RADIUS: f64 = 0.1;
/// Facets of half a circle.
const FACETS: u32 = 16;

/// The lower half of a cylinder along y, open upwards, its facets as wide as 11 degrees.
fn trough() -> SurfaceMesh {
    let turn = |k: u32| std::f64::consts::PI * f64::from(k) / f64::from(FACETS);
    let at = |k: u32, y: f64| Vec3::new(-RADIUS * turn(k).cos(), y, -RADIUS * turn(k).sin());
    let vertices = (0..=FACETS).flat_map(|k| [at(k, -0.1), at(k, 0.1)]).collect();
    let facets = (0..FACETS).map(|k| 2 * k);
    let triangles = facets.flat_map(|k| [[k, k + 2, k + 1], [k + 1, k + 2, k + 3]]).collect();
    SurfaceMesh::new(vertices, triangles).unwrap()
}

/// A particle slides without friction from 50 degrees beside the bottom of the trough, for half a period: the share of its energy
/// that it loses, and the largest angle between the force on it and the way to the axis [rad].
fn slide(smooth: bool) -> (f64, f64) {
    let mut model = model_under(9.81);
    let inertia = SpatialInertia::of_sphere(1.0, RADIUS).unwrap();
    let mut body = RigidBody::new("trough", Inertia::Explicit(inertia));
    (body.mesh, body.dynamic) = (Some(trough()), false);
    let body = model.add(body);
    model.add(Collider::on(body, ColliderShape::MESH));
    let angle = 50f64.to_radians();
    let start = Vec3::new(-angle.sin(), 0.013, -angle.cos()) * (0.999 * RADIUS);
    let particle = model.add(Particle::new(0.1, start));
    let mut behavior = CollisionBehavior::everything(0.0);
    behavior.law.smooth = smooth;
    model.add(behavior);
    let mut scene = Scene::new(&model, TRAPEZOIDAL);
    let row = scene.compiled.block_of_particle(particle);
    let before = scene.compiled.energies(&scene.state).total();
    let mut off: f64 = 0.0;
    for step in 0..330 {
        scene.step(1e-3);
        for it in scene.state.contacts.iter().filter(|it| step > 20 && it.force.norm() > 0.0) {
            let place = scene.state.q[row];
            off = off.max(it.force.angle(&-Vec3::new(place.x, 0.0, place.z)));
        }
    }
    let height = 9.81 * 0.1 * RADIUS * (1.0 - angle.cos());
    ((before - scene.compiled.energies(&scene.state).total()) / height, off)
}

#[test]
fn a_particle_slides_through_a_coarse_trough_without_cogging() {
    let [flat, smooth] = [false, true].map(slide);
    // Each line between facets takes sin²(11 degrees) of the energy there is, and forces are across facets.
    assert!(flat.0 > 0.15 && flat.1 > 0.08, "{flat:?}");
    assert!(smooth.0 < 0.1 * flat.0 && smooth.1 < 0.1 * flat.1, "{flat:?} {smooth:?}");
}

/// Gaps and directions of the contacts of a flat block over a cylinder of tissue, of facets of 12 degrees, against those of the circle.
#[test]
fn contacts_with_the_smooth_surface_of_a_tissue_are_those_of_the_round_one() {
    let mut below = block_mesh([12, 2, 2], [2.0, 0.1, 0.02], Vec3::zeros());
    for p in &mut below.nodes {
        let (turn, radius) = (0.5 * std::f64::consts::PI * 0.8 * p.x, RADIUS + p.z - 0.01);
        *p = Vec3::new(radius * turn.sin(), p.y, radius * turn.cos());
    }
    let above = block_mesh([40, 1, 1], [0.1, 0.01, 0.01], Vec3::new(0.0, 0.0, RADIUS + 0.0052));
    let (mut detector, q) = pair_of([&below, &above], 0.02, 1e-5);
    let errors = [false, true].map(|is_smooth| {
        let searches = [PairSearch { is_smooth, ..PairSearch::default() }];
        let (mut found, travel) = (Vec::new(), Travel { searches: &searches, ..Travel::default() });
        detector.detect_ahead(&[], &q, travel, &mut found);
        // Vertices of the block.
        let over = found.iter().filter(|it| it.stencil.unwrap().weights[0] < 0.0 && it.gap < 1e-3);
        over.fold([0.0f64, 0.0, 0.0], |[gap, turn, count], it| {
            let p = it.point_b;
            let radial = Vec3::new(p.x, 0.0, p.z).normalize();
            let exact = p.xz().norm() - RADIUS;
            [gap.max((it.gap - exact).abs()), turn.max(it.normal.angle(&-radial)), count + 1.0]
        })
    });
    let [flat, smooth] = errors;
    assert!(flat[2] > 10.0 && smooth[2] > 10.0, "{flat:?} {smooth:?}");
    assert!(smooth[0] < 0.1 * flat[0] && smooth[1] < 0.1 * flat[1], "{flat:?} {smooth:?}");
}
