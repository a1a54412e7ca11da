//! Springs that wrap over surfaces of bodies and of the ground.

use nalgebra::UnitQuaternion;

use super::*;
use crate::axial::{ActivationDynamics, AxialLaw, Constants, Value};
use crate::dynamics::advanced;
use crate::force::{LineRows, Pull, Spanned, Springs, Surface, Turn, WrapSite, Wraps};
use crate::property::Pose;

/// Rows: body A, body B, both with their rotations, and three points.
const ROWS: usize = 7;
const ELLIPSOID: Surface = Surface::Ellipsoid { radii: Vec3::new(0.5, 0.7, 0.4) };
const CYLINDER: Surface =
    Surface::Cylinder { radius: 0.4, half_length: f64::INFINITY, turn: Turn::Shortest };

fn positions() -> Vec<Vec3> {
    vec![
        Vec3::new(1.2, -0.2, 0.1),
        Vec3::new(0.3, -0.4, 0.2),
        Vec3::new(2.9, 0.1, 0.0),
        Vec3::new(-0.2, 0.5, 0.1),
        Vec3::zeros(),
        Vec3::new(4.0, -0.3, 0.1),
        Vec3::new(6.0, 0.1, -0.1),
    ]
}

/// Over a sphere on A and an ellipsoid on B, a via point, and a cylinder of the ground.
fn springs(damping: f64) -> Springs {
    let frame = |x: f64, y: f64| Pose::new(Vec3::new(x, y, 0.05), Vec3::new(0.2, 0.1, -0.3));
    let sphere = Surface::Sphere { radius: 0.5 };
    let on = |surface, row, frame, points| Spanned {
        site: WrapSite { surface, side: None, row, frame },
        points,
    };
    let sites = vec![
        on(sphere, Some(0), frame(-0.1, 0.0), [0, 1]),
        on(ELLIPSOID, Some(2), frame(0.05, -0.2), [0, 1]),
        on(CYLINDER, None, frame(5.0, 0.1), [1, 2]),
    ];
    let mut rows = vec![4, 5, 6];
    let wraps = Some(Wraps::new(sites, &mut rows));
    let mut law = AxialLaw::from_name("linear").unwrap();
    law.set("stiffness", Value::Number(40.0)).unwrap();
    law.set("damping", Value::Number(damping)).unwrap();
    let activation = ActivationDynamics::default();
    let pull = Pull { law, rest_length: 4.8, excitation: 0.0, activation, enabled: true };
    Springs::new([LineRows { rows, wraps }], vec![pull])
}

fn bench(damping: f64, parts: usize) -> Bench<Springs> {
    Bench::new(springs(damping), ROWS, parts)
}

/// `q` with scalar `k` moved: a turn about a world axis for rows of rotations.
fn turned(q: &[Vec3], k: usize, d: f64) -> Vec<Vec3> {
    let row = k / 3;
    if row != 1 && row != 3 {
        return moved(q, k, d);
    }
    let mut q = q.to_vec();
    let turn = Vec3::from_fn(|axis, _| if axis == k % 3 { d } else { 0.0 });
    q[row] = advanced(&UnitQuaternion::new(q[row]), &turn).scaled_axis();
    q
}

#[test]
fn forces_over_surfaces_are_the_slope_of_the_energy() {
    let (bench, q) = (bench(0.0, 1), positions());
    let rest = vec![Vec3::zeros(); ROWS];
    let forces = bench.forces(&kinematics(&q, &rest), VelocityTerms::Included);
    let all = forces.iter().map(Vec3::norm);
    assert!(all.clone().skip(1).step_by(2).any(|moment| moment > 0.1), "{forces:?}");
    assert!(forces[0].norm() > 1.0 && forces[2].norm() > 1.0, "both bodies are touched");
    for k in 0..3 * ROWS {
        let [low, high] = [-1e-5, 1e-5].map(|d| bench.effector.strain_energy(&turned(&q, k, d)));
        let (slope, force) = ((low - high) / 2e-5, forces[k / 3][k % 3]);
        assert!((slope - force).abs() < 1e-6, "scalar {k}: {slope} {force}");
    }
}

#[test]
fn stiffness_over_surfaces_is_the_derivative_of_the_forces() {
    let (bench, q) = (bench(0.0, 1), positions());
    let rest = vec![Vec3::zeros(); ROWS];
    let analytic = bench.jacobian(&kinematics(&q, &rest), BY_POSITION);
    let numeric = differences(3 * ROWS, 1e-5, |k, d| {
        bench.forces(&kinematics(&turned(&q, k, d), &rest), VelocityTerms::Included)
    });
    // The skew part is half the matrix of the moment on a body in its own turn, which is left out.
    let symmetric = (&numeric + numeric.transpose()) * 0.5;
    let off = (&analytic - &symmetric).amax();
    assert!(off < 2e-5 * analytic.amax(), "{off} of {}", analytic.amax());
    assert!((&analytic - analytic.transpose()).amax() < 1e-10 * analytic.amax());
}

#[test]
fn damping_over_surfaces_is_in_the_velocity_matrix() {
    let (bench, q, u) = (bench(3.0, 1), positions(), scattered(20..20 + ROWS));
    let analytic = bench.jacobian(&kinematics(&q, &u), BY_VELOCITY);
    let numeric = differences(3 * ROWS, 1e-3, |k, d| {
        bench.forces(&kinematics(&q, &moved(&u, k, d)), VelocityTerms::Included)
    });
    assert!((&analytic - &numeric).amax() < 1e-9, "{}", (analytic - numeric).amax());
}

#[test]
fn springs_over_surfaces_have_the_same_bits_on_three_parts() {
    let (q, u) = (positions(), scattered(20..20 + ROWS));
    let (one, three) = (bench(3.0, 1), bench(3.0, 3));
    assert_eq!(three.partition.parts().len(), 3);
    let (kin, velocity) = (kinematics(&q, &u), VelocityTerms::Included);
    assert_eq!(one.forces(&kin, velocity), three.forces(&kin, velocity));
    let scale = JacobianScale { position: 0.5, velocity: 2.0 };
    assert_eq!(one.jacobian(&kin, scale), three.jacobian(&kin, scale));
}

#[test]
fn polylines_over_surfaces_are_as_long_as_the_path() {
    let (springs, q) = (springs(0.0), positions());
    let points = |count| {
        let mut points = Vec::new();
        springs.polyline(0, &q, count, |point| points.push(point));
        points
    };
    let length: f64 = points(400).windows(2).map(|w| (w[1] - w[0]).norm()).sum();
    let state = State { q: q.clone(), u: vec![Vec3::zeros(); ROWS], ..State::default() };
    let exact = springs.stretch_in(0, &state).unwrap()[0];
    assert!(length < exact && exact - length < 1e-5, "{length} {exact}");
    // As many points where nothing is touched.
    let far = [q[0] + Vec3::z() * 9.0, q[1], q[2] + Vec3::z() * 9.0, q[3], q[4], q[5], q[6]];
    let mut count = 0;
    springs.polyline(0, &far, 16, |_| count += 1);
    assert_eq!(count, points(16).len());
}
