//! Two soft blocks with spherical or cylindrical faces pressed together, against Hertz.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::model::{CollisionBehavior, Dirichlet};

use crate::scene::{block_mesh, tissue};
use crate::scenes::{EULER, Scene, model_under};

const RADIUS: f64 = 0.2;
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
/// Both give way: 1 / E* is twice that of one [Pa]; the radius is half.
const MODULUS: f64 = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
/// Half the width of a block, and its height [m].
const HALF: f64 = 0.04;

/// Finer elements towards 0: 0.13 of the mean size there.
fn finer(x: f64) -> f64 {
    0.13 * x + 0.87 * x * x.abs()
}

/// Makes a block between -1 and 1, with depths from 0 to 1 below z = 1, one below (`side` 1) or above (-1) the plane that its curved
/// face touches; `width` is the place along y [m] of a share.
fn curve(mesh: &mut VolumeMesh, side: f64, width: fn(f64) -> f64, bends: [f64; 2]) {
    for p in &mut mesh.nodes {
        let (x, y, depth) = (HALF * finer(p.x), width(p.y), HALF * finer(1.0 - p.z));
        let far = bends[0] * x * x + bends[1] * y * y;
        let sunk = RADIUS - (RADIUS * RADIUS - far).sqrt();
        let height = -sunk * (1.0 - depth / HALF) - depth;
        *p = Vec3::new(x, side * y, side * height);
    }
}

/// A block with a spherical face.
fn capped_block(n: usize, side: f64) -> VolumeMesh {
    let mut mesh = block_mesh([2 * n, 2 * n, n], [2.0, 2.0, 1.0], Vec3::new(0.0, 0.0, 0.5));
    curve(&mut mesh, side, |y| HALF * finer(y), [1.0, 1.0]);
    mesh
}

/// A slab of one element along y, 1 mm, with a cylindrical face.
fn curved_slab(n: usize, side: f64) -> VolumeMesh {
    let mut mesh = block_mesh([2 * n, 1, n], [2.0, 2.0, 1.0], Vec3::new(0.0, 0.0, 0.5));
    curve(&mut mesh, side, |y| 0.5e-3 * y, [1.0, 0.0]);
    mesh
}

/// Two meshes, the lower one first, whose bases come nearer by this [m]; `plane` keeps nodes from moving along y.
fn pressed(meshes: [VolumeMesh; 2], (press, steps): (f64, usize), plane: bool) -> Scene {
    let mut model = model_under(0.0);
    let fems = meshes.into_iter().zip([1.0, -1.0]).map(|(mesh, side)| {
        let mut fem = tissue("", mesh, [YOUNG, POISSON]);
        fem.stiffness_damping = 0.02;
        let nodes = || (0..).zip(&fem.mesh.nodes);
        let base = nodes().filter(|(_, p)| p.z.abs() > HALF * (1.0 - 1e-9));
        let base: Vec<u32> = base.map(|(k, _)| k).collect();
        let others = nodes().map(|(k, _)| k).filter(|k| plane && !base.contains(k)).collect();
        let displacement = vec![Vec3::new(0.0, 0.0, 0.5 * side * press)];
        fem.dirichlet.push(Dirichlet { displacement, ..Dirichlet::fix(base) });
        let along_y = Dirichlet { axes: [false, true, false], ..Dirichlet::fix(others) };
        fem.dirichlet.extend(Some(along_y).filter(|it| !it.nodes.is_empty()));
        model.add(fem)
    });
    let fems: Vec<_> = fems.collect();
    model.add(CollisionBehavior {
        tolerance: Some(1e-7),
        ..CollisionBehavior::new(fems[0], fems[1], 0.0)
    });
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, steps);
    scene
}

/// Force [N], and the mean square of the distances of its parts from the middle [m²].
fn spread(scene: &Scene, distance: fn(&Vec3) -> f64) -> (f64, f64) {
    let contacts = &scene.state.contacts;
    let force = scene.force().z.abs();
    let squares: f64 =
        contacts.iter().map(|it| it.force.z.abs() * distance(&it.point).powi(2)).sum();
    (force, squares / force)
}

/// Of half an ellipse of pressure over the half width a the mean square is a²/4, and the greatest pressure 2 F/(π a) by the length:
/// 7.7, 1.6 and 0.6 % too narrow with 8, 16 and 24 elements along half of the slab.
#[test]
fn a_line_of_contact_has_the_width_and_the_pressure_of_hertz() {
    let scene = pressed([curved_slab(16, 1.0), curved_slab(15, -1.0)], (2e-4, 8), true);
    let (force, square) = spread(&scene, |p| p.x);
    let by_length = force / 1e-3;
    let found = [2.0 * square.sqrt(), by_length / (PI * square.sqrt())];
    let width = (4.0 * by_length * 0.5 * RADIUS / (PI * MODULUS)).sqrt();
    let pressure = (by_length * MODULUS / (PI * 0.5 * RADIUS)).sqrt();
    for (found, expected) in found.into_iter().zip([width, pressure]) {
        assert!((found / expected - 1.0).abs() < 0.02, "{found} of {expected}");
    }
}

#[test]
fn two_soft_spherical_faces_press_as_hertz_has_it() {
    let press = 2e-4;
    let scene = pressed([capped_block(8, 1.0), capped_block(7, -1.0)], (press, 25), false);
    let (force, square) = spread(&scene, |p| p.xy().norm());
    // Bases at nine radii of contact are stiffer than half-spaces: 12 % more force here. Their distance of contact adds to the approach.
    let hertz = 4.0 / 3.0 * MODULUS * (0.5 * RADIUS).sqrt() * (press + 2e-7f64).powf(1.5);
    assert!((force / hertz - 1.0).abs() < 0.15, "{force} N of {hertz} N");
    // The radius of contact by the force knows nothing of bases; of the pressure between spheres the mean square is 2 a²/5, and the
    // greatest 3 F/(2 π a²).
    let radius = (0.75 * force * 0.5 * RADIUS / MODULUS).cbrt();
    let found = (2.5 * square).sqrt();
    assert!((found / radius - 1.0).abs() < 0.01, "{found} m of {radius} m: twice that in pressure");
}
