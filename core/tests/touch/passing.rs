//! Solids that fly past the edge of another thing at speed feel nothing of it, and none that is not seen to come passes through.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::ColliderShape;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::{cuboid_mesh, icosphere_mesh};
use sinew::model::{
    Collider, CollisionBehavior, Dirichlet, FemModel, FrameSite, Inertia, Model, RigidBody,
};

use super::scenes::{EULER, Scene, TRAPEZOIDAL, add_box, add_sphere, model_under};
use super::soft::{block_mesh, places, tissue};

/// Length of a step [s], and how far it leads what flies [m/s].
const STEP: f64 = 0.01;
const SPEED: f64 = 10.0;
/// Half the size of what flies, of what stands still, and the height of the first over the second [m].
const SMALL: f64 = 0.01;
const LARGE: f64 = 0.05;
const CLEAR: f64 = 4e-3;

/// Start of something of half a height [m] that flies over the upper edge of a block about the origin.
fn before(half: f64) -> Vec3 {
    Vec3::new(-LARGE - 0.03, 0.0, LARGE + half + CLEAR)
}

fn add_fixed_box(model: &mut Model) {
    let body = add_box(model, "block", 1.0, Vec3::repeat(LARGE), Pose::identity());
    model[body].dynamic = false;
}

fn add_fixed_tissue(model: &mut Model) {
    let mesh = block_mesh([2, 2, 2], [2.0 * LARGE; 3], Vec3::zeros());
    let all = (0..mesh.nodes.len() as u32).collect();
    let fem = model.add(tissue("block", mesh, [5e4, 0.4]));
    model[fem].dirichlet.push(Dirichlet::fix(all));
}

/// Changes of the velocity of a body that flies over something fixed [m/s].
fn change_in_flight(model: &mut Model, body: Handle<RigidBody>) -> f64 {
    let start = Vec3::x() * SPEED;
    model[body].velocity = start;
    model.add(CollisionBehavior::everything(0.3));
    let mut scene = Scene::new(model, TRAPEZOIDAL);
    (0..4).fold(0.0, |most: f64, _| {
        scene.step(STEP);
        most.max((scene.velocity(body) - start).norm())
    })
}

#[test]
fn solids_that_fly_past_an_edge_are_not_pushed() {
    for add_fixed in [add_fixed_box, add_fixed_tissue] {
        for boxed in [false, true] {
            let mut model = model_under(0.0);
            add_fixed(&mut model);
            let at = before(SMALL);
            let body = match boxed {
                true => {
                    let pose = Pose::new(at, Vec3::zeros());
                    add_box(&mut model, "flies", 0.1, Vec3::repeat(SMALL), pose)
                }
                false => add_sphere(&mut model, "flies", 0.1, SMALL, at),
            };
            let change = change_in_flight(&mut model, body);
            assert!(change < 1e-12 * SPEED, "boxed {boxed}: {change} m/s");
        }
    }
}

#[test]
fn what_flies_at_an_edge_is_stopped() {
    // As above, but 5 mm lower than the upper face of the block.
    for add_fixed in [add_fixed_box, add_fixed_tissue] {
        let mut model = model_under(0.0);
        add_fixed(&mut model);
        let at = before(SMALL) - Vec3::z() * (CLEAR + SMALL + 5e-3);
        let pose = Pose::new(at, Vec3::zeros());
        let body = add_box(&mut model, "flies", 0.1, Vec3::repeat(SMALL), pose);
        model[body].velocity = Vec3::x() * SPEED;
        model.add(CollisionBehavior::everything(0.0));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(STEP, 2);
        assert!(scene.place(body).x < -LARGE, "{}", scene.place(body));
    }
}

#[test]
fn tissue_that_flies_past_an_edge_is_not_pushed() {
    for add_fixed in [add_fixed_box, add_fixed_tissue] {
        let mut model = model_under(0.0);
        add_fixed(&mut model);
        let mesh = block_mesh([1, 1, 1], [2.0 * SMALL; 3], before(SMALL));
        let fem = model.add(tissue("flies", mesh, [5e4, 0.4]));
        model.add(CollisionBehavior::everything(0.3));
        let mut scene = Scene::new(&model, TRAPEZOIDAL);
        let rows: Vec<usize> = (0..8).map(|k| scene.compiled.block_of_node(fem, k)).collect();
        rows.iter().for_each(|&row| scene.state.u[row] = Vec3::x() * SPEED);
        for _ in 0..4 {
            scene.step(STEP);
            for &row in &rows {
                let change = (scene.state.u[row] - Vec3::x() * SPEED).norm();
                assert!(change < 1e-9 * SPEED, "{change} m/s");
            }
        }
    }
}

/// Under this gravity [m/s²] a step leads what rests farther than all that is in its way: nothing is seen to come.
const PULL: f64 = 2000.0;

/// A sheet of 20 x 20 cm and 1 mm with facets of 5 cm, all of whose nodes are fixed.
fn add_sheet(model: &mut Model) -> Handle<FemModel> {
    let mesh = block_mesh([4, 4, 1], [0.2, 0.2, 1e-3], Vec3::z() * -5e-4);
    let all = (0..mesh.nodes.len() as u32).collect();
    let fem = model.add(tissue("sheet", mesh, [5e4, 0.4]));
    model[fem].dirichlet.push(Dirichlet::fix(all));
    fem
}

#[test]
fn no_small_solid_passes_a_coarse_sheet_that_it_is_not_seen_to_come_to() {
    let (radius, half_length) = (SMALL, SMALL);
    let along = Vec3::y() * std::f64::consts::FRAC_PI_2;
    let shapes = [
        (ColliderShape::Sphere { radius }, Vec3::zeros()),
        (ColliderShape::Box { half_extents: Vec3::repeat(SMALL) }, Vec3::new(0.3, 0.2, 0.1)),
        // Across the edge between two facets.
        (ColliderShape::Box { half_extents: Vec3::new(SMALL, 0.04, SMALL) }, Vec3::y() * 0.78),
        (ColliderShape::MESH, Vec3::zeros()),
        (ColliderShape::Capsule { radius, half_length }, along),
        (ColliderShape::Cylinder { radius, half_length }, along),
    ];
    for (shape, turn) in shapes {
        let mut model = model_under(PULL);
        add_sheet(&mut model);
        let inertia = SpatialInertia::of_box(0.06, &Vec3::repeat(2.0 * SMALL)).unwrap();
        let mesh = match shape {
            ColliderShape::Mesh(_) => icosphere_mesh(SMALL, 2).unwrap(),
            _ => cuboid_mesh(&Vec3::repeat(2.0 * SMALL)).unwrap(),
        };
        let body =
            RigidBody { mesh: Some(mesh), ..RigidBody::new("solid", Inertia::Explicit(inertia)) };
        let body = model.add(body.at(Pose::new(Vec3::new(0.032, 0.021, 0.08), turn)));
        model.add(Collider::new(shape, FrameSite::on(body, Pose::identity())));
        model.add(CollisionBehavior::everything(0.3));
        let mut scene = Scene::new(&model, EULER);
        let mut touched = false;
        for step in 0..6 {
            scene.step(STEP);
            touched |= !scene.state.contacts.is_empty();
            let height = scene.place(body).z;
            assert!(height > 0.0, "{shape:?} is at {height} m after step {step}");
        }
        assert!(touched, "{shape:?}");
    }
}

#[test]
fn no_tissue_passes_a_thin_plate_that_it_is_not_seen_to_come_to() {
    let mut model = model_under(PULL);
    let half = Vec3::new(0.2, 0.2, 5e-4);
    let plate = add_box(&mut model, "plate", 1.0, half, Pose::identity());
    model[plate].dynamic = false;
    let mesh = block_mesh([1, 1, 1], [0.04; 3], Vec3::z() * 0.08);
    // Stiff beside its weight, which is 200 times that on the ground.
    let fem = model.add(tissue("block", mesh, [5e6, 0.3]));
    model.add(CollisionBehavior::everything(0.3));
    let mut scene = Scene::new(&model, EULER);
    for step in 0..6 {
        scene.step(STEP);
        let lowest = places(&model, &scene, fem).iter().fold(1.0, |z: f64, p| z.min(p.z));
        assert!(lowest > 0.0, "{lowest} m after step {step}");
    }
    assert!(!scene.state.contacts.is_empty());
}
