//! The mechanisms of the tests.

use nalgebra::UnitQuaternion;

use super::rows::{MovingVector, Row, Vec3};
use super::system::{Pose, State, System};
use sinew::dynamics::SpatialInertia;

pub(crate) const GRAVITY: f64 = 9.81;

fn empty(gravity: Vec3) -> (System, State) {
    (System::new(gravity), State { poses: Vec::new(), twists: Vec::new() })
}

fn at(center: Vec3) -> Pose {
    Pose { center, orientation: UnitQuaternion::identity() }
}

/// `count` links of 0.2 x 0.04 x 0.04 m, density 1000, hinged about y, horizontal along x.
pub(crate) fn chain(count: usize) -> (System, State) {
    let (mut system, mut state) = empty(Vec3::new(0.0, 0.0, -GRAVITY));
    let link = SpatialInertia::of_box(0.32, &Vec3::new(0.2, 0.04, 0.04)).unwrap();
    for i in 0..count {
        let center = Vec3::new(0.1 + 0.2 * i as f64, 0.0, 0.0);
        let body = system.add_body(link, at(center), &mut state);
        let before = body.checked_sub(1);
        let pivot = center - Vec3::new(0.1, 0.0, 0.0);
        system.add_hinge(&state, [Some(body), before], pivot, Vec3::y());
    }
    (system, state)
}

/// One free body with principal moments 1, 2, 3 and this angular velocity.
pub(crate) fn free_body(angular: Vec3) -> (System, State) {
    let (mut system, mut state) = empty(Vec3::zeros());
    let moments = nalgebra::Matrix3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0));
    let inertia = SpatialInertia::new(1.0, Vec3::zeros(), moments).unwrap();
    system.add_body(inertia, at(Vec3::zeros()), &mut state);
    state.twists[0].angular = angular;
    (system, state)
}

fn bead(system: &mut System, state: &mut State, center: Vec3) -> usize {
    let inertia = SpatialInertia::of_sphere(1.0, 0.1).unwrap();
    system.add_body(inertia, at(center), state)
}

/// Point masses of 1 kg on massless rods of 1 m, in the plane z = 0, gravity along -y: the squared
/// lengths are the rows, over twice the length.
pub(crate) fn point_pendulum(positions: &[Vec3]) -> (System, State) {
    let (mut system, mut state) = empty(Vec3::new(0.0, -GRAVITY, 0.0));
    for &p in positions {
        let body = bead(&mut system, &mut state, p);
        let points =
            [Some(body), body.checked_sub(1)].map(|b| MovingVector::point(b, Vec3::zeros()));
        let [a, b] = points;
        let rod = a.minus(b);
        system.rows.push(Row { terms: vec![(0.5, rod.clone(), rod)], constant: 0.5 });
        let z = MovingVector::fixed(Vec3::z());
        system.rows.push(Row::dot(z, MovingVector::point(Some(body), Vec3::zeros()), 0.0));
    }
    (system, state)
}

/// A bead of 1 kg on the wire y = x², from x = 1 at rest.
pub(crate) fn bead_on_parabola() -> (System, State) {
    let (mut system, mut state) = empty(Vec3::new(0.0, -GRAVITY, 0.0));
    let body = bead(&mut system, &mut state, Vec3::new(1.0, 1.0, 0.0));
    let p = MovingVector::point(Some(body), Vec3::zeros());
    let (x, y) = (MovingVector::abscissa(body), MovingVector::fixed(Vec3::y()));
    let terms = vec![(1.0, y, p.clone()), (-1.0, x.clone(), x)];
    system.rows.push(Row { terms, constant: 0.0 });
    system.rows.push(Row::dot(MovingVector::fixed(Vec3::z()), p, 0.0));
    (system, state)
}

/// Crank of 0.1 m at 10 rad/s, so heavy that the rod of 0.4 m and the slider do not slow it; the
/// slider (the last body) moves along x.
pub(crate) fn slider_crank() -> (System, State) {
    let (mut system, mut state) = empty(Vec3::zeros());
    let wheel = SpatialInertia::of_sphere(1e8, 1.0).unwrap();
    let crank = system.add_body(wheel, at(Vec3::zeros()), &mut state);
    state.twists[crank].angular = Vec3::new(0.0, 0.0, 10.0);
    system.add_hinge(&state, [Some(crank), None], Vec3::zeros(), Vec3::z());
    let rod = SpatialInertia::of_box(1.0, &Vec3::new(0.4, 0.02, 0.02)).unwrap();
    let rod = system.add_body(rod, at(Vec3::new(0.3, 0.0, 0.0)), &mut state);
    state.twists[rod].linear = Vec3::new(0.0, 0.5, 0.0);
    state.twists[rod].angular = Vec3::new(0.0, 0.0, -2.5);
    system.add_hinge(&state, [Some(rod), Some(crank)], Vec3::new(0.1, 0.0, 0.0), Vec3::z());
    let slider = bead(&mut system, &mut state, Vec3::new(0.5, 0.0, 0.0));
    system.add_hinge(&state, [Some(slider), Some(rod)], Vec3::new(0.5, 0.0, 0.0), Vec3::z());
    let p = MovingVector::point(Some(slider), Vec3::zeros());
    for axis in [Vec3::y(), Vec3::z()] {
        system.rows.push(Row::dot(MovingVector::fixed(axis), p.clone(), 0.0));
    }
    (system, state)
}

/// `windows` square windows of rods of 1 m and 1 kg in the plane z = 0; tips move at 1 m/s.
pub(crate) fn four_bar(windows: usize) -> (System, State) {
    let (mut system, mut state) = empty(Vec3::new(0.0, -GRAVITY, 0.0));
    let rod = slender_rod();
    let upright = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    let mut left = None;
    for i in 0..=windows {
        let x = i as f64;
        let pose = Pose { center: Vec3::new(x, 0.5, 0.0), orientation: upright };
        let post = system.add_body(rod, pose, &mut state);
        state.twists[post].linear = Vec3::new(0.5, 0.0, 0.0);
        state.twists[post].angular = Vec3::new(0.0, 0.0, -1.0);
        system.add_hinge(&state, [Some(post), None], Vec3::new(x, 0.0, 0.0), Vec3::z());
        if let Some(coupler) = left {
            let tip = Vec3::new(x, 1.0, 0.0);
            system.add_hinge(&state, [Some(post), Some(coupler)], tip, Vec3::z());
        }
        if i < windows {
            let coupler = system.add_body(rod, at(Vec3::new(x + 0.5, 1.0, 0.0)), &mut state);
            state.twists[coupler].linear = Vec3::new(1.0, 0.0, 0.0);
            let tip = Vec3::new(x, 1.0, 0.0);
            system.add_hinge(&state, [Some(coupler), Some(post)], tip, Vec3::z());
            left = Some(coupler);
        }
    }
    (system, state)
}

/// Slender along x: 1 kg, 1 m.
fn slender_rod() -> SpatialInertia {
    let moments = Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0);
    SpatialInertia::new(1.0, Vec3::zeros(), nalgebra::Matrix3::from_diagonal(&moments)).unwrap()
}

/// Bricard's six-bar: five rods of 1 x 0.1 x 0.1 m and 1 kg, six hinges.
pub(crate) fn bricard() -> (System, State) {
    let (mut system, mut state) = empty(Vec3::new(0.0, -GRAVITY, 0.0));
    let points = [
        Vec3::zeros(),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(1.0, -1.0, 0.0),
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::new(0.0, -1.0, 1.0),
        Vec3::new(0.0, 0.0, 1.0),
    ];
    let axes = [Vec3::y(), Vec3::z(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x()];
    let rod = SpatialInertia::of_box(1.0, &Vec3::new(1.0, 0.1, 0.1)).unwrap();
    for i in 0..5 {
        let along = points[i + 1] - points[i];
        let orientation =
            UnitQuaternion::rotation_between(&Vec3::x(), &along).unwrap_or_else(|| {
                UnitQuaternion::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI)
            });
        let pose = Pose { center: (points[i] + points[i + 1]) * 0.5, orientation };
        let body = system.add_body(rod, pose, &mut state);
        system.add_hinge(&state, [Some(body), body.checked_sub(1)], points[i], axes[i]);
    }
    system.add_hinge(&state, [None, Some(4)], points[5], axes[5]);
    (system, state)
}
