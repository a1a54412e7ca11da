//! Two soft blocks with spherical faces pressed together, against Hertz.

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::model::{CollisionBehavior, Dirichlet};

use crate::scene::{block_mesh, tissue};
use crate::scenes::{EULER, Scene, model_under};

const RADIUS: f64 = 0.2;
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
/// Half the width of a block, and its height [m].
const HALF: f64 = 0.04;

/// A block below (`side` 1) or above (-1) the plane that the pole of its spherical face touches, of elements that are
/// finer towards the pole: 0.13 of the mean size there.
fn capped_block(n: usize, side: f64) -> VolumeMesh {
    let mut mesh = block_mesh([2 * n, 2 * n, n], [2.0, 2.0, 1.0], Vec3::new(0.0, 0.0, 0.5));
    for p in &mut mesh.nodes {
        let finer = |x: f64| 0.13 * x + 0.87 * x * x.abs();
        let (x, y, depth) = (HALF * finer(p.x), HALF * finer(p.y), HALF * finer(1.0 - p.z));
        let sunk = RADIUS - (RADIUS * RADIUS - x * x - y * y).sqrt();
        let height = -sunk * (1.0 - depth / HALF) - depth;
        *p = Vec3::new(x, side * y, side * height);
    }
    mesh
}

#[test]
fn two_soft_spherical_faces_press_as_hertz_has_it() {
    let mut model = model_under(0.0);
    let press = 2e-4;
    let fems = [(8, 1.0), (7, -1.0)].map(|(n, side)| {
        let mut fem = tissue("", capped_block(n, side), [YOUNG, POISSON]);
        fem.stiffness_damping = 0.02;
        let base = (0..).zip(&fem.mesh.nodes).filter(|(_, p)| p.z.abs() > HALF * (1.0 - 1e-9));
        let base: Vec<u32> = base.map(|(k, _)| k).collect();
        let displacement = vec![Vec3::new(0.0, 0.0, 0.5 * side * press)];
        fem.dirichlet.push(Dirichlet { displacement, ..Dirichlet::fix(base) });
        model.add(fem)
    });
    let behavior = CollisionBehavior {
        tolerance: Some(1e-7),
        ..CollisionBehavior::new(fems[0], fems[1], 0.0)
    };
    model.add(behavior);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 25);
    let force = scene.force().z.abs();
    // Bases at nine radii of contact are stiffer than half-spaces: 12 % more force here. Their distance of contact adds to the approach. Both give way: 1 / E* is twice that of one; the radius is half.
    let modulus = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    let hertz = 4.0 / 3.0 * modulus * (0.5 * RADIUS).sqrt() * (press + 2e-7f64).powf(1.5);
    println!("{force} N of {hertz} N with {} contacts", scene.state.contacts.len());
    assert!((force / hertz - 1.0).abs() < 0.15, "{force} N of {hertz} N");
}
