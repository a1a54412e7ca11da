//! Detecting contacts takes no memory once sizes are reached.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{
    Collider, ConvexHull, Detector, Member, Motion, Pair, PointSet, Shape, Surface, Travel,
};
use sinew::geometry::icosphere_mesh;

use crate::counting::taken_here;

fn shapes(with_cylinder: bool) -> Vec<Shape> {
    let points: Vec<Vec3> = (0..40)
        .map(f64::from)
        .map(|k| Vec3::new(k.sin(), (2.3 * k).cos(), (1.7 * k).sin()).normalize())
        .collect();
    let mut shapes = vec![
        Shape::Sphere { radius: 0.8 },
        Shape::Capsule { radius: 0.4, half_length: 0.7 },
        Shape::Box { half_extents: Vec3::new(0.6, 0.7, 0.8) },
        Shape::Convex(ConvexHull::new(&points).unwrap()),
        Shape::Points { points, radius: 0.01 },
    ];
    if with_cylinder {
        shapes.push(Shape::Cylinder { radius: 0.6, half_length: 0.7 });
    }
    shapes
}

/// A crowd of bodies of all kinds on a plane, with free points among them.
fn crowd(with_cylinder: bool) -> Detector {
    let shapes = shapes(with_cylinder);
    let mut colliders =
        vec![Collider { shape: Shape::HalfSpace, frame: Collider::GROUND, pose: Pose::identity() }];
    for frame in 0..24 {
        let shape = shapes[frame as usize % shapes.len()].clone();
        colliders.push(Collider { shape, frame, pose: Pose::identity() });
    }
    let cloud = |c: usize| matches!(colliders[c].shape, Shape::Points { .. });
    let pair = |a, b| Pair {
        a: Member::Collider(a as u32),
        b: Member::Collider(b as u32),
        margin: 0.1,
        thickness: 0.0,
    };
    let mut pairs = Vec::new();
    for a in 0..colliders.len() {
        pairs.extend((0..a).filter(|&b| !(cloud(a) && cloud(b))).map(|b| pair(a, b)));
        if !cloud(a) {
            pairs.push(Pair {
                a: Member::Points(0),
                b: Member::Collider(a as u32),
                margin: 0.1,
                thickness: 0.0,
            });
        }
    }
    let set = PointSet::new((0..200).collect(), 0.02);
    Detector::new(colliders, vec![set], pairs).unwrap()
}

/// Contacts, and takings, of fifty calls along a motion that was gone through before.
fn takings(with_cylinder: bool) -> (usize, usize) {
    let mut detector = crowd(with_cylinder);
    let q: Vec<Vec3> = (0..200)
        .map(f64::from)
        .map(|k| 3.0 * Vec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin().abs()))
        .collect();
    let mut poses = vec![Pose::identity(); 24];
    let mut out = Vec::new();
    let (mut contacts, mut before) = (0, 0);
    for round in 0..2 {
        if round == 1 {
            before = taken_here();
            contacts = 0;
        }
        for step in 0..50 {
            for (k, pose) in poses.iter_mut().enumerate() {
                let (k, t) = (k as f64, 0.02 * f64::from(step));
                let place = Vec3::new((k + t).sin(), (2.0 * k - t).cos(), 0.3 + (0.3 * k).sin());
                *pose = Pose::new(2.0 * place, Vec3::new(k, t, 1.0));
            }
            detector.detect(&poses, &q, &mut out);
            contacts += out.len();
        }
    }
    (contacts, taken_here() - before)
}

#[test]
fn detecting_contacts_takes_no_memory() {
    let (contacts, taken) = takings(false);
    assert!(contacts > 5000, "{contacts}");
    assert_eq!(taken, 0);
}

#[test]
fn cylinders_that_stand_lie_and_hover_take_no_memory() {
    let tin = || Shape::Cylinder { radius: 0.5, half_length: 0.8 };
    let table = Shape::Box { half_extents: Vec3::new(9.0, 9.0, 0.5) };
    let mut colliders =
        vec![Collider { shape: table, frame: Collider::GROUND, pose: Pose::identity() }];
    colliders.extend((0..3).map(|frame| Collider { shape: tin(), frame, pose: Pose::identity() }));
    let pair =
        |a| Pair { a: Member::Collider(a), b: Member::Collider(0), margin: 0.05, thickness: 0.0 };
    let mut detector = Detector::new(colliders, vec![], (1..4).map(pair).collect()).unwrap();
    let mut out = Vec::new();
    let mut before = 0;
    for round in 0..2 {
        if round == 1 {
            before = taken_here();
        }
        for step in 0..50 {
            let gap = 1e-3 * (f64::from(step).sin() - 0.5);
            let standing = Pose::translation(-3.0, 0.0, 1.3 + gap);
            let lying = Pose::new(Vec3::new(0.0, 0.0, 1.0 + gap), 0.5 * PI * Vec3::x());
            let tilted = Pose::new(Vec3::new(3.0, 0.0, 1.3 + gap), 1e-4 * Vec3::x());
            detector.detect(&[standing, lying, tilted], &[], &mut out);
            assert_eq!(out.len(), 10);
        }
    }
    assert_eq!(taken_here() - before, 0);
}

#[test]
fn crowded_cylinders_take_memory_in_less_than_a_tenth_of_their_contacts() {
    // Where round pieces overlap, parry's EPA takes some.
    let (contacts, taken) = takings(true);
    assert!(contacts > 5000 && taken * 10 < contacts, "{taken} takings, {contacts} contacts");
}

#[test]
fn surfaces_that_touch_each_other_and_themselves_take_no_memory() {
    let ball = icosphere_mesh(0.1, 2).unwrap();
    let count = ball.vertices().len() as u32;
    let surface = |first: u32| Surface {
        rows: (first..first + count).collect(),
        triangles: ball.triangles().to_vec(),
        holders: vec![Surface::FREE; count as usize],
        sheet_vertices: 0,
    };
    let pair =
        |a, b| Pair { a: Member::Surface(a), b: Member::Surface(b), margin: 5e-3, thickness: 1e-3 };
    let pairs = vec![pair(0, 1), pair(0, 0)];
    let surfaces = vec![surface(0), surface(count)];
    let mut detector = Detector::with_surfaces(vec![], vec![], surfaces, pairs).unwrap();
    let (mut out, mut contacts, mut before) = (Vec::new(), 0, 0);
    let rows = vec![Vec3::x() * 1e-3; 2 * count as usize];
    for round in 0..2 {
        if round == 1 {
            before = taken_here();
        }
        for step in 0..50 {
            let shift = |k: f64| Vec3::new(0.2 * k, 0.01 * k * f64::from(step).sin(), 0.0);
            let places = [0.0, 1.0].map(shift);
            let mut q = [Vec3::zeros(); 400];
            let all = places.iter().flat_map(|at| ball.vertices().iter().map(move |v| v + at));
            q.iter_mut().zip(all).for_each(|(q, p)| *q = p);
            let travel = Travel { rows: &rows, ..Travel::default() };
            detector.detect_ahead(&[], &q[..rows.len()], travel, &mut out);
            contacts += out.len();
            let motion = Motion { poses: [&[]; 2], q: [&q[..rows.len()]; 2] };
            assert_eq!(detector.crossing(motion, &|_| true), None);
        }
    }
    assert!(contacts > 200, "{contacts}");
    assert_eq!(taken_here() - before, 0);
}

#[test]
fn solids_between_the_points_of_a_surface_take_no_memory() {
    let ball = icosphere_mesh(0.1, 1).unwrap();
    let rows: Vec<u32> = (0..ball.vertices().len() as u32).collect();
    let (triangles, holders) = (ball.triangles().to_vec(), vec![Surface::FREE; rows.len()]);
    let surface = Surface { rows: rows.clone(), triangles, holders, sheet_vertices: 0 };
    let set = PointSet { rows, radius: 0.0, surface };
    let shapes = [
        Shape::Sphere { radius: 0.02 },
        Shape::Capsule { radius: 0.02, half_length: 0.03 },
        Shape::Box { half_extents: Vec3::repeat(0.02) },
        Shape::Cylinder { radius: 0.02, half_length: 0.03 },
    ];
    let collider = |(shape, frame)| Collider { shape, frame, pose: Pose::identity() };
    let colliders = shapes.into_iter().zip(0..).map(collider).collect();
    let beside = |k| (Member::Points(0), Member::Collider(k));
    let pair = |(a, b)| Pair { a, b, margin: 5e-3, thickness: 1e-4 };
    let pairs = (0..4).map(beside).map(pair).collect();
    let mut detector = Detector::new(colliders, vec![set], pairs).unwrap();
    let (mut out, mut contacts, mut before) = (Vec::new(), 0, 0);
    for round in 0..2 {
        if round == 1 {
            before = taken_here();
        }
        for step in 0..50 {
            let place = |k: f64| {
                let t = 0.1 * f64::from(step) + k;
                Vec3::new((2.1 * t).cos(), (2.1 * t).sin(), t.cos()).normalize() * 0.114
            };
            let poses = [0.0, 1.0, 2.0, 3.0].map(|k| Pose::new(place(k), Vec3::x() * k));
            detector.detect(&poses, ball.vertices(), &mut out);
            contacts += out.iter().filter(|it| it.stencil.is_some()).count();
        }
    }
    assert!(contacts > 400, "{contacts}");
    assert_eq!(taken_here() - before, 0);
}
