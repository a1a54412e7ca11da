//! Shapes, two-body detectors, and the bound that a true gap meets: the separation along its own
//! normal, and no more along any other.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, ContactPoint, ConvexHull, Detector, Member, Pair, Shape};

/// A small generator of numbers in [0, 1): the tests' own, so that they are the same everywhere.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self, scale: f64) -> Vec3 {
        Vec3::from_fn(|_, _| scale * (2.0 * self.next() - 1.0))
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn pose(&mut self, scale: f64) -> Pose {
        let turn = self.direction() * (3.0 * self.next());
        Pose::new(self.vector(scale), turn)
    }
}

pub(crate) fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_extents: Vec3::new(x, y, z) }
}

pub(crate) fn hull(points: &[[f64; 3]]) -> Shape {
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from_row_slice(p)).collect();
    Shape::Convex(ConvexHull::new(&points).unwrap())
}

/// The hull of the corners of a box.
pub(crate) fn box_hull(x: f64, y: f64, z: f64) -> Shape {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let points: Vec<_> = (0..8).map(|i| [x * sign(i, 0), y * sign(i, 1), z * sign(i, 2)]).collect();
    hull(&points)
}

/// A hull of random points about the origin.
pub(crate) fn pebble(numbers: &mut Numbers, count: usize) -> Shape {
    let points: Vec<Vec3> =
        (0..count).map(|_| numbers.direction() * (0.7 + 0.3 * numbers.next())).collect();
    Shape::Convex(ConvexHull::new(&points).unwrap())
}

/// One of every kind that is solid and bounded.
pub(crate) fn solids() -> Vec<Shape> {
    vec![
        Shape::Sphere { radius: 0.6 },
        Shape::Capsule { radius: 0.3, half_length: 0.7 },
        Shape::Cylinder { radius: 0.5, half_length: 0.8 },
        cuboid(0.5, 0.7, 0.9),
        pebble(&mut Numbers(3), 20),
    ]
}

/// A detector of two bodies, A on frame 0 and B on frame 1.
pub(crate) fn two(a: &Shape, b: &Shape, margin: f64) -> Detector {
    let on =
        |shape: &Shape, frame| Collider { shape: shape.clone(), frame, pose: Pose::identity() };
    let pair = Pair { a: Member::Collider(0), b: Member::Collider(1), margin, thickness: 0.0 };
    Detector::new(vec![on(a, 0), on(b, 1)], vec![], vec![pair]).unwrap()
}

pub(crate) fn detect(detector: &mut Detector, a: &Pose, b: &Pose) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    detector.detect(&[*a, *b], &[], &mut out);
    out
}

/// Contacts of two bodies, without a past.
pub(crate) fn contacts(
    a: &Shape,
    at: &Pose,
    b: &Shape,
    bt: &Pose,
    margin: f64,
) -> Vec<ContactPoint> {
    detect(&mut two(a, b, margin), at, bt)
}

pub(crate) fn deepest(contacts: &[ContactPoint]) -> &ContactPoint {
    contacts.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).expect("a contact")
}

/// Farthest extent of a shape along a world direction [m].
pub(crate) fn extent(shape: &Shape, pose: &Pose, direction: &Vec3) -> f64 {
    let d = pose.rotation.inverse() * direction;
    let own = match shape {
        Shape::Sphere { radius } => radius * d.norm(),
        Shape::Capsule { radius, half_length } => radius * d.norm() + half_length * d.z.abs(),
        Shape::Cylinder { radius, half_length } => {
            radius * d.x.hypot(d.y) + half_length * d.z.abs()
        }
        Shape::Box { half_extents } => half_extents.dot(&d.abs()),
        Shape::Convex(hull) => {
            hull.corners().iter().map(|p| p.dot(&d)).fold(f64::NEG_INFINITY, f64::max)
        }
        Shape::HalfSpace | Shape::Points { .. } | Shape::Mesh(_) => panic!("no extent"),
    };
    own + direction.dot(&pose.translation.vector)
}

/// Width of the slab between A and B across a normal from B into A [m].
pub(crate) fn slab(a: &Shape, at: &Pose, b: &Shape, bt: &Pose, normal: &Vec3) -> f64 {
    -extent(a, at, &-normal) - extent(b, bt, normal)
}

/// The deepest contact is right: its gap is the slab along its normal, no direction of many has a
/// wider one, its points are on the surfaces. For any convex A and B the widest slab is the distance,
/// or minus the depth.
pub(crate) fn assert_exact(
    a: &Shape,
    at: &Pose,
    b: &Shape,
    bt: &Pose,
    found: &ContactPoint,
    tol: f64,
) {
    let n = found.normal;
    let place = || format!("{} at {at}, {} at {bt}: {found:?}", a.kind(), b.kind());
    assert!((n.norm() - 1.0).abs() < 1e-12, "{}", place());
    assert!(((found.point_a - found.point_b).dot(&n) - found.gap).abs() < 1e-12, "{}", place());
    let own = slab(a, at, b, bt, &n);
    assert!((own - found.gap).abs() < tol, "slab {own:e}, {}", place());
    let mut numbers = Numbers(17);
    for k in 0..600 {
        let scale = if k < 200 { 10.0 } else { 10f64.powf(-6.0 * numbers.next()) };
        let other = (n + numbers.direction() * scale).normalize();
        let wider = slab(a, at, b, bt, &other);
        assert!(wider <= found.gap + tol, "{wider:e} along {other}, {}", place());
    }
    let reach_a = -extent(a, at, &-n) - found.point_a.dot(&n);
    let reach_b = extent(b, bt, &n) - found.point_b.dot(&n);
    assert!(reach_a.abs() < tol && reach_b.abs() < tol, "{reach_a:e} {reach_b:e} {}", place());
}
