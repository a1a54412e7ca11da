//! Paths over ellipsoids in planes against lengths of OpenSim 4.6, spheres and shortest paths.

use super::{Dice, Vec3, at_origin};
use crate::force::wrap::{Derivatives, Obstacle, Sections, Side, Strand, Surface, Top};

fn over(radii: Vec3, top: Top, side: Option<Side>) -> Obstacle {
    Obstacle { side, ..at_origin(Surface::Sections(Sections { radii, top })) }
}

/// `PathActuator::getLength` of OpenSim 4.6: method, ends, half axes, side, length.
#[test]
fn lengths_are_those_of_opensim() {
    for &(top, from, to, radii, side, expected) in LENGTHS {
        let points = [from, to].map(Vec3::from);
        let found = Strand::between(points, &[over(radii.into(), top, side)]).length();
        // OpenSim's arcs are polylines of parts of 1 mm.
        assert!((found - expected).abs() < 3e-5, "{top:?} {from:?} {to:?}: {found} {expected}");
    }
}

/// The plane of a sphere's centre.
#[test]
fn sections_of_spheres_are_shortest() {
    let mut dice = Dice(11);
    let mut touched = 0;
    for k in 0..200 {
        let points = [-1.0, 1.0].map(|sign| {
            Vec3::new(
                sign * dice.between(1.0, 2.0),
                dice.between(-0.8, 0.8),
                dice.between(-0.8, 0.8),
            )
        });
        let top = [Top::Midpoint, Top::Hybrid][k % 2];
        let section = Strand::between(points, &[over(Vec3::repeat(0.7), top, None)]);
        let shortest = Strand::between(points, &[at_origin(Surface::Sphere { radius: 0.7 })]);
        touched += section.touched().count();
        let off = (section.length() - shortest.length()).abs();
        assert!(off < 1e-7, "{points:?}: {off:e}");
        let pulls =
            [&section, &shortest].map(|it| Derivatives::new(it, |_| Vec3::zeros()).gradient());
        let apart = (0..4).map(|i| (pulls[0][i] - pulls[1][i]).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-4, "{points:?}: {apart:e}");
    }
    assert!(touched > 60, "{touched}");
}

#[test]
fn sections_are_no_shorter_than_geodesics_and_end_where_they_leave() {
    let mut dice = Dice(12);
    let radii = Vec3::new(0.5, 1.1, 0.8);
    let mut touched = 0;
    for k in 0..300 {
        let points = [-1.0, 1.0].map(|sign| dice.direction() * 0.3 + Vec3::x() * (2.0 * sign));
        let top = [Top::Midpoint, Top::Hybrid, Top::Axial][k % 3];
        let obstacle = [over(radii, top, None)];
        let section = Strand::between(points, &obstacle);
        let shortest = Strand::between(points, &[at_origin(Surface::Ellipsoid { radii })]);
        assert!(section.length() > shortest.length() - 1e-7, "{points:?}");
        let curve: Vec<Vec3> = section.curve(&obstacle, 400).collect();
        let (Some(first), Some(last)) = (curve.first(), curve.last()) else { continue };
        touched += 1;
        let along: f64 = curve.windows(2).map(|w| (w[1] - w[0]).norm()).sum();
        let whole = (first - points[0]).norm() + along + (points[1] - last).norm();
        assert!((whole - section.length()).abs() < 1e-4, "{whole} {}", section.length());
        let on =
            curve.iter().map(|p| (p.component_div(&radii).norm() - 1.0).abs()).fold(0.0, f64::max);
        assert!(on < 1e-12, "{on}");
        // Straight parts are tangents: no force is lost.
        let by = Derivatives::new(&section, |_| Vec3::zeros()).gradient();
        let (sum, moment) =
            (by[0] + by[1] + by[2], points[0].cross(&by[0]) + points[1].cross(&by[1]) + by[3]);
        assert!(sum.norm() < 1e-14 && moment.norm() < 1e-12, "{sum} {moment}");
        let ends = section.ends().next().unwrap();
        let kink = by[0].dot(&ends.a.normal).abs().max(by[1].dot(&ends.b.normal).abs());
        assert!(kink < 1e-7, "{kink:e}");
    }
    assert!(touched > 250, "{touched}");
}

type Case = (Top, [f64; 3], [f64; 3], [f64; 3], Option<Side>, f64);

const LENGTHS: &[Case] = &[
    (
        Top::Axial,
        [0.006, 0.082, -0.017],
        [0.008, -0.06, 0.032],
        [0.043, 0.021, 0.026],
        None,
        0.153061751,
    ),
    (
        Top::Hybrid,
        [-0.075, -0.033, -0.045],
        [0.083, 0.065, 0.015],
        [0.054, 0.023, 0.038],
        None,
        0.196775273,
    ),
    (
        Top::Hybrid,
        [-0.099, 0.083, -0.048],
        [0.115, -0.069, 0.05],
        [0.018, 0.037, 0.014],
        None,
        0.281203387,
    ),
    (
        Top::Hybrid,
        [-0.12, -0.05, -0.017],
        [0.105, 0.04, -0.021],
        [0.016, 0.032, 0.027],
        Some(Side { axis: 2, negative: true }),
        0.242869229,
    ),
    (
        Top::Hybrid,
        [-0.1, -0.07, 0.012],
        [0.091, 0.044, -0.026],
        [0.02, 0.033, 0.017],
        None,
        0.226250120,
    ),
    (
        Top::Hybrid,
        [-0.003, 0.024, 0.116],
        [0.01, -0.077, -0.074],
        [0.033, 0.06, 0.024],
        None,
        0.218689143,
    ),
    (
        Top::Hybrid,
        [0.057, 0.1, 0.038],
        [-0.098, -0.103, -0.017],
        [0.065, 0.063, 0.054],
        None,
        0.272820314,
    ),
    (
        Top::Axial,
        [0.032, -0.014, -0.134],
        [-0.034, 0.041, 0.066],
        [0.047, 0.034, 0.048],
        None,
        0.219212909,
    ),
    (
        Top::Hybrid,
        [0.043, 0.001, 0.116],
        [-0.038, -0.041, -0.105],
        [0.039, 0.025, 0.036],
        Some(Side { axis: 0, negative: false }),
        0.239278221,
    ),
    (
        Top::Hybrid,
        [-0.112, -0.019, -0.062],
        [0.065, 0.038, 0.09],
        [0.024, 0.036, 0.047],
        Some(Side { axis: 0, negative: false }),
        0.241165690,
    ),
    (
        Top::Midpoint,
        [-0.003, -0.066, -0.051],
        [0.013, 0.071, 0.07],
        [0.032, 0.035, 0.031],
        None,
        0.190939547,
    ),
    (
        Top::Hybrid,
        [-0.01, 0.086, -0.069],
        [-0.019, -0.099, 0.082],
        [0.02, 0.026, 0.024],
        Some(Side { axis: 1, negative: true }),
        0.239265723,
    ),
    (
        Top::Hybrid,
        [-0.002, 0.004, 0.061],
        [0.038, -0.001, -0.09],
        [0.033, 0.058, 0.029],
        None,
        0.161231355,
    ),
    (
        Top::Hybrid,
        [-0.116, 0.038, 0.004],
        [0.099, -0.062, 0.017],
        [0.038, 0.03, 0.04],
        Some(Side { axis: 2, negative: true }),
        0.246686032,
    ),
    (
        Top::Axial,
        [-0.013, -0.105, -0.069],
        [0.016, 0.082, 0.022],
        [0.028, 0.031, 0.038],
        None,
        0.213409116,
    ),
    (
        Top::Hybrid,
        [0.098, -0.065, 0.019],
        [-0.059, 0.036, -0.011],
        [0.039, 0.037, 0.065],
        None,
        0.204340338,
    ),
    (
        Top::Hybrid,
        [-0.107, -0.04, 0.045],
        [0.121, 0.024, -0.076],
        [0.024, 0.033, 0.044],
        None,
        0.269300219,
    ),
    (
        Top::Hybrid,
        [-0.038, 0.141, 0.013],
        [0.04, -0.089, 0.003],
        [0.062, 0.026, 0.067],
        Some(Side { axis: 1, negative: false }),
        0.264456157,
    ),
    (
        Top::Hybrid,
        [-0.034, 0.119, 0.014],
        [0.013, -0.108, -0.009],
        [0.015, 0.021, 0.02],
        Some(Side { axis: 2, negative: false }),
        0.233272774,
    ),
    (
        Top::Hybrid,
        [0.043, 0.076, 0.038],
        [-0.053, -0.026, -0.097],
        [0.05, 0.046, 0.042],
        None,
        0.195031260,
    ),
    (
        Top::Hybrid,
        [0.023, -0.008, 0.104],
        [-0.009, 0.028, -0.111],
        [0.048, 0.056, 0.028],
        Some(Side { axis: 0, negative: true }),
        0.244462025,
    ),
    (
        Top::Axial,
        [0.051, -0.031, -0.058],
        [-0.12, 0.067, 0.038],
        [0.033, 0.032, 0.041],
        None,
        0.221115388,
    ),
    (
        Top::Hybrid,
        [-0.111, 0.028, -0.015],
        [0.173, -0.01, -0.014],
        [0.052, 0.047, 0.021],
        None,
        0.286758148,
    ),
    (
        Top::Midpoint,
        [-0.066, 0.015, -0.075],
        [0.053, -0.014, 0.072],
        [0.024, 0.032, 0.02],
        None,
        0.194903124,
    ),
    (
        Top::Hybrid,
        [-0.05, -0.06, -0.058],
        [0.07, 0.078, 0.043],
        [0.024, 0.049, 0.027],
        Some(Side { axis: 1, negative: true }),
        0.210782205,
    ),
    (
        Top::Hybrid,
        [-0.034, 0.023, -0.041],
        [0.055, -0.06, 0.102],
        [0.018, 0.033, 0.02],
        None,
        0.189329723,
    ),
];
