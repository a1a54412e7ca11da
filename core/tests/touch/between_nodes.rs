//! Solids that meet a tissue between its nodes: smaller than its facets, or sharp.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::{
    Collider as Solid, ColliderShape, ContactPoint, Detector, Member, Pair, PointSet, Shape,
};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::{cuboid_mesh, icosphere_mesh};
use sinew::model::{
    Collider, CollisionBehavior, Dirichlet, FemModel, FrameSite, Inertia, Model, RigidBody,
};
use sinew::system::MechSystem;

use super::scenes::{EULER, Scene, add_box, add_sphere, model_under};
use super::soft::{block_mesh, nodes_at, places, surface, tissue};

const RADIUS: f64 = 0.012;
const MASS: f64 = 0.06;
const G: f64 = 9.81;

/// A slab of 20 x 20 x 5 cm whose upper face, in the plane z = 0, has facets of 5 cm.
fn slab(model: &mut Model) -> Handle<FemModel> {
    let mesh = block_mesh([4, 4, 2], [0.2, 0.2, 0.05], Vec3::new(0.0, 0.0, -0.025));
    let mut fem = tissue("slab", mesh, [5e4, 0.4]);
    (fem.mass_damping, fem.stiffness_damping) = (2.0, 0.01);
    model.add(fem)
}

#[test]
fn a_small_ball_on_a_fixed_slab_rests_at_its_radius() {
    // In a facet, and on the diagonal between two.
    for at in [[0.035, 0.02], [0.025, 0.025]] {
        let mut model = model_under(G);
        let fem = slab(&mut model);
        let all = (0..model[fem].mesh.nodes.len() as u32).collect();
        model[fem].dirichlet.push(Dirichlet::fix(all));
        let place = Vec3::new(at[0], at[1], RADIUS + 2e-3);
        let ball = add_sphere(&mut model, "ball", MASS, RADIUS, place);
        model.add(CollisionBehavior::everything(0.3));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(0.01, 20);
        // Overlaps up to the tolerance are left, 1e-4 of the radius of the slab.
        let height = scene.place(ball).z;
        assert!((height - RADIUS).abs() < 2e-5, "{height} m");
        let push = scene.force().z.abs();
        assert!((push / (MASS * G) - 1.0).abs() < 1e-6, "{push} N");
    }
}

/// Adds a solid of a shape with its lowest point 2 mm above the slab, between its nodes.
fn add_solid(model: &mut Model, shape: ColliderShape, turn: Vec3, low: f64) -> Handle<RigidBody> {
    let inertia = SpatialInertia::of_box(MASS, &Vec3::repeat(2.0 * RADIUS)).unwrap();
    let pose = Pose::new(Vec3::new(0.03, 0.022, low + 2e-3), turn);
    let mesh = match shape {
        ColliderShape::Mesh(_) => icosphere_mesh(RADIUS, 2).unwrap(),
        _ => cuboid_mesh(&Vec3::repeat(2.0 * RADIUS)).unwrap(),
    };
    let body =
        RigidBody { mesh: Some(mesh), ..RigidBody::new("solid", Inertia::Explicit(inertia)) };
    let body = model.add(body.at(pose));
    model.add(Collider::new(shape, FrameSite::on(body, Pose::identity())));
    body
}

#[test]
fn solids_smaller_than_a_facet_come_to_rest_on_it() {
    let (radius, half_length) = (RADIUS, RADIUS);
    let along = Vec3::y() * std::f64::consts::FRAC_PI_2;
    let shapes = [
        (ColliderShape::Sphere { radius }, Vec3::zeros(), RADIUS),
        (ColliderShape::Box { half_extents: Vec3::repeat(RADIUS) }, Vec3::zeros(), RADIUS),
        (ColliderShape::Box { half_extents: Vec3::repeat(RADIUS) }, Vec3::x() * 0.7, 1.42 * RADIUS),
        (ColliderShape::HULL, Vec3::zeros(), RADIUS),
        (ColliderShape::MESH, Vec3::zeros(), RADIUS),
        (ColliderShape::Capsule { radius, half_length }, along, RADIUS),
        (ColliderShape::Cylinder { radius, half_length }, Vec3::zeros(), RADIUS),
        (ColliderShape::Cylinder { radius, half_length }, along, RADIUS),
    ];
    for (shape, turn, low) in shapes {
        let mut model = model_under(G);
        let fem = slab(&mut model);
        let base = nodes_at(&model[fem].mesh, -0.05);
        model[fem].dirichlet.push(Dirichlet::fix(base));
        let solid = add_solid(&mut model, shape, turn, low);
        model.add(CollisionBehavior::everything(0.3));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(0.01, 60);
        let height = scene.place(solid).z;
        assert!(height > 0.8 * RADIUS && height < low + 2e-3, "{shape:?} is at {height} m");
        let still = scene.velocity(solid).norm();
        assert!(still < 0.02, "{shape:?} moves at {still} m/s");
        assert!(scene.state.contacts.iter().any(|it| it.a == u32::MAX), "{shape:?} meets nodes");
    }
}

#[test]
fn a_slab_stays_on_a_knife_and_on_a_spike_between_its_nodes() {
    for half in [Vec3::new(0.15, 0.002, 0.05), Vec3::new(0.006, 0.006, 0.05)] {
        let mut model = model_under(G);
        let mesh = block_mesh([5, 5, 2], [0.1, 0.1, 0.02], Vec3::z() * 0.011);
        let mut fem = tissue("slab", mesh, [5e4, 0.4]);
        (fem.mass_damping, fem.stiffness_damping) = (2.0, 0.01);
        let fem = model.add(fem);
        let blade = add_box(&mut model, "blade", 1.0, half, Pose::translation(0.0, 0.0, -0.05));
        model[blade].dynamic = false;
        model.add(CollisionBehavior::everything(1.0));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(0.01, 30);
        let nodes = places(&model, &scene, fem);
        let middle = nodes.iter().map(|p| p.z).sum::<f64>() / nodes.len() as f64;
        // It falls by 0.44 m in that time; its ends hang down.
        assert!(middle > 1e-3, "the slab is at {middle} m on {half}");
        assert!(scene.state.contacts.iter().all(|it| it.a == u32::MAX && it.normal.z.abs() > 0.5));
    }
}

#[test]
fn a_ball_between_nodes_changes_no_momentum() {
    let mut model = model_under(0.0);
    let fem = slab(&mut model);
    model[fem].mass_damping = 0.0;
    let ball = add_sphere(&mut model, "ball", MASS, RADIUS, Vec3::new(0.03, 0.02, 0.014));
    model[ball].velocity = Vec3::new(0.2, -0.1, -1.0);
    model.add(CollisionBehavior::everything(0.3));
    let mut scene = Scene::new(&model, EULER);
    let momentum = |scene: &Scene| {
        let of_node = |k: usize| {
            let row = scene.compiled.block_of_node(fem, k);
            scene.state.u[row] * scene.compiled.masses()[row]
        };
        let nodes = 0..model[fem].mesh.nodes.len();
        nodes.map(of_node).sum::<Vec3>() + scene.velocity(ball) * MASS
    };
    let (before, mut touched) = (momentum(&scene), false);
    for _ in 0..10 {
        scene.step(0.005);
        touched |= !scene.state.contacts.is_empty();
        assert!(scene.depth() < 1e-3, "{} m", scene.depth());
        let change = (momentum(&scene) - before).norm();
        assert!(change < 1e-8 * before.norm(), "{change} N s");
    }
    assert!(touched && scene.velocity(ball).z > -0.9, "{}", scene.velocity(ball));
}

/// A detector of a block whose upper face is in the plane z = 0, of cells of 5 cm, and a solid on frame 0.
fn beside(shape: Shape, thickness: f64, swapped: bool) -> (Detector, Vec<Vec3>) {
    let mesh = block_mesh([4, 4, 2], [0.2, 0.2, 0.05], Vec3::new(0.0, 0.0, -0.025));
    let surface = surface(&mesh, 0);
    let set = PointSet { rows: surface.rows.clone(), radius: 0.0, surface };
    let solid = Solid { shape, frame: 0, pose: Pose::identity() };
    let (points, body) = (Member::Points(0), Member::Collider(0));
    let (a, b) = if swapped { (body, points) } else { (points, body) };
    let pair = Pair { a, b, margin: 0.01, thickness };
    (Detector::new(vec![solid], vec![set], vec![pair]).unwrap(), mesh.nodes)
}

/// A direction for number k, the same in every run.
fn direction(k: usize) -> Vec3 {
    let k = k as f64 + 0.5;
    Vec3::new((12.9 * k).sin(), (78.2 * k).sin(), (37.7 * k).sin())
}

/// Contacts between nodes of a solid that moves on while nodes do, at a time, and their rates by their rows.
struct Moving {
    detector: Detector,
    q: Vec<Vec3>,
    pose: Pose,
    /// Of the solid [m/s], [rad/s].
    speed: Vec3,
    turn: Vec3,
    swapped: bool,
}

impl Moving {
    fn at(&mut self, time: f64) -> Vec<ContactPoint> {
        let way = |(k, p): (usize, &Vec3)| p + direction(k + 99) * time;
        let moved: Vec<Vec3> = self.q.iter().enumerate().map(way).collect();
        let place = self.pose.translation.vector + self.speed * time;
        let turned = Pose::rotation(self.turn * time).rotation * self.pose.rotation;
        let mut found = Vec::new();
        self.detector.detect(&[Pose::from_parts(place.into(), turned)], &moved, &mut found);
        found.retain(|it| it.stencil.is_some());
        found
    }

    fn rate(&self, it: &ContactPoint) -> f64 {
        let stencil = it.stencil.unwrap();
        let terms = stencil.rows.iter().zip(stencil.weights);
        let tissue: Vec3 = terms.map(|(&row, w)| direction(row as usize + 99) * w).sum();
        let arm = (it.point_a + it.point_b) * 0.5 - self.pose.translation.vector;
        let sign = if self.swapped { 1.0 } else { -1.0 };
        (tissue + (self.speed + self.turn.cross(&arm)) * sign).dot(&it.normal)
    }
}

#[test]
fn rows_between_nodes_are_the_derivatives_of_their_gaps() {
    let boxed = Shape::Box { half_extents: Vec3::new(0.06, 0.003, 0.02) };
    let capsule = Shape::Capsule { radius: 0.005, half_length: 0.06 };
    let lying = Vec3::new(0.0, std::f64::consts::FRAC_PI_2 + 0.02, 0.1);
    let shapes = [
        (boxed, Pose::new(Vec3::new(0.01, 0.022, 0.021), Vec3::new(0.05, 0.02, 0.1))),
        (Shape::Sphere { radius: RADIUS }, Pose::translation(0.03, 0.02, RADIUS + 1e-3)),
        (capsule, Pose::new(Vec3::new(0.01, 0.022, 0.006), lying)),
    ];
    let mut kinds = std::collections::BTreeSet::new();
    for (k, swapped) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
        let (shape, pose) = shapes[k].clone();
        let (detector, q) = beside(shape, 1e-5, swapped);
        let (speed, turn) = (direction(k), direction(k + 7));
        let mut moving = Moving { detector, q, pose, speed, turn, swapped };
        let step = 1e-6;
        let [now, after, before] = [0.0, step, -step].map(|time| moving.at(time));
        let gap = |list: &[ContactPoint], key| list.iter().find(|c| c.key == key).map(|c| c.gap);
        for it in now {
            let ends = [&after, &before].map(|list| {
                gap(list, it.key).unwrap_or_else(|| panic!("{k} {swapped} goes: {it:?}"))
            });
            let (rate, found) = (moving.rate(&it), (ends[0] - ends[1]) / (2.0 * step));
            assert!((rate - found).abs() < 1e-5, "{rate} {found} of {it:?}");
            let between = (it.point_a - it.point_b).dot(&it.normal);
            assert!((between - it.gap).abs() < 1e-12, "{it:?}");
            kinds.insert((k, it.key >> 62));
        }
    }
    assert!([(0, 1), (0, 2), (1, 1), (2, 2)].iter().all(|it| kinds.contains(it)), "{kinds:?}");
}

#[test]
fn nodes_that_touch_hold_a_flat_solid_alone() {
    let plate = Shape::Box { half_extents: Vec3::new(0.06, 0.07, 0.01) };
    let (mut detector, q) = beside(plate, 1e-5, false);
    let mut found = Vec::new();
    // At rest, where nodes are as near as corners and edges are, and where these are a little deeper.
    for (height, expected) in [(0.01, 9), (0.01 + 5e-3, 9), (0.01 - 1e-3, 9)] {
        detector.detect(&[Pose::translation(0.0, 0.0, height)], &q, &mut found);
        let between = found.iter().filter(|it| it.stencil.is_some()).count();
        assert_eq!((found.len() - between, between), (expected, 0), "{found:?}");
    }
    // Balls that facets are small for rest on nodes.
    let (mut detector, q) = beside(Shape::Sphere { radius: 0.08 }, 1e-5, false);
    detector.detect(&[Pose::translation(0.03, 0.02, 0.075)], &q, &mut found);
    assert!(!found.is_empty() && found.iter().all(|it| it.stencil.is_none()), "{found:?}");
}
