//! Surfaces with sides against lengths of MuJoCo 4.0, against differences, and at the point where a path lifts off.

use super::{Dice, Vec3, at_origin};
use crate::force::wrap::{Derivatives, Round, Sided, Strand, Surface};

const RADIUS: f64 = 0.4;

fn strand(round: Round, points: [Vec3; 2], side: Vec3) -> Strand {
    let surface = Surface::Sided(Sided { round, radius: RADIUS, side });
    Strand::between(points, &[at_origin(surface)])
}

/// Ends, side site, and `ten_length` of a spatial tendon over a geom of size 0.4 at the origin (`mujoco.mj_forward`,
/// MuJoCo 4.0): outside with wraps of less and of more than half a turn, and inside.
#[test]
fn lengths_are_those_of_mujoco() {
    let mut wrapped = 0;
    for &(round, from, to, side, expected) in LENGTHS {
        let [from, to, side] = [from, to, side].map(Vec3::from);
        let found = strand(round, [from, to], side);
        let off = (found.length() - expected).abs();
        // Printed digits.
        assert!(off < 2e-12, "{round:?} {from} {to} {side}: {} {expected}", found.length());
        wrapped += found.touched().count();
    }
    assert!(wrapped > 20, "{wrapped}");
}

#[test]
fn pulls_on_the_ends_are_the_slopes_of_the_length() {
    let mut dice = Dice(5);
    let mut compared = 0;
    for k in 0..400 {
        let round = if k % 2 == 0 { Round::Sphere } else { Round::Cylinder };
        let points = [0; 2].map(|_| dice.direction() * dice.between(0.8, 1.6));
        let size = if k % 3 == 0 { 0.1 } else { 0.7 };
        let side = dice.direction() * size;
        let path = strand(round, points, side);
        if path.touched().count() == 0 {
            continue;
        }
        let gradient = Derivatives::new(&path, |_| Vec3::zeros()).gradient();
        for (end, axis) in [(0, 0), (0, 2), (1, 1)] {
            let length = |by: f64| {
                let mut points = points;
                points[end][axis] += by;
                strand(round, points, side).length()
            };
            let slope = (length(1e-6) - length(-1e-6)) / 2e-6;
            let off = (gradient[end][axis] - slope).abs();
            // Differences lose digits where a path is about to lift off.
            assert!(off < 1e-6, "{round:?} {points:?} {side}: {} {slope}", gradient[end][axis]);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The sum of forces and moments on both ends and on the body of the surface vanishes, inside and outside.
#[test]
fn a_string_through_a_ring_pulls_on_it_as_on_its_ends() {
    let ends = [Vec3::new(-1.0, 0.6, 0.2), Vec3::new(0.9, 0.7, -0.1)];
    for side in [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, -0.7, 0.0)] {
        let path = strand(Round::Cylinder, ends, side);
        assert_eq!(path.touched().count(), 1);
        let by = Derivatives::new(&path, |_| Vec3::zeros()).gradient();
        let moment = ends[0].cross(&by[0]) + ends[1].cross(&by[1]) + by[3];
        let (sum, moment) = ((by[0] + by[1] + by[2]).norm(), moment.norm());
        assert!(sum < 1e-14 && moment < 1e-12, "{sum} {moment}");
    }
}

#[test]
fn lengths_do_not_jump_where_a_path_lifts_off() {
    let length = |y: f64| {
        let points = [Vec3::new(-1.0, y, 0.0), Vec3::new(1.0, y, 0.3)];
        strand(Round::Cylinder, points, Vec3::new(0.0, 0.7, 0.0)).length()
    };
    let straight = 2f64.hypot(0.3);
    assert!(length(0.41) - straight < 1e-14);
    let [near, far] = [1e-4, 1e-2].map(|below| length(RADIUS - below) - straight);
    assert!(near > 0.0 && near < 1e-5 && far > near && far < 1e-2, "{near} {far}");
    // The other side: the long way.
    assert!(length(-0.41) > straight + 0.5);
}

type Case = (Round, [f64; 3], [f64; 3], [f64; 3], f64);

const LENGTHS: &[Case] = &[
    (
        Round::Sphere,
        [-0.828702, -0.526379, 0.602549],
        [0.164324, -0.811743, -0.133746],
        [-0.030374, -0.493352, 0.340119],
        1.268725177569,
    ),
    (
        Round::Sphere,
        [-0.772656, -0.217544, 0.033480],
        [-0.138744, 0.173597, 0.475676],
        [0.520326, -0.246096, 0.169403],
        0.866240733307,
    ),
    (
        Round::Sphere,
        [0.742278, -0.449251, 0.123619],
        [-0.200688, 0.225819, -0.606722],
        [-0.402824, 0.311034, 0.317791],
        2.165451833799,
    ),
    (
        Round::Sphere,
        [-0.406484, -0.014306, 0.698921],
        [0.930463, 0.416290, -0.572626],
        [0.054499, 0.249532, -0.542921],
        2.384985896936,
    ),
    (
        Round::Sphere,
        [0.359768, -0.263436, 0.179401],
        [0.339067, 0.338255, 0.046100],
        [0.107045, -0.590299, -0.009412],
        0.619873251639,
    ),
    (
        Round::Sphere,
        [-0.749181, -0.038506, 0.072490],
        [0.548210, -0.212670, -0.960799],
        [0.043595, -0.463082, 0.379018],
        2.453206874959,
    ),
    (
        Round::Sphere,
        [-0.222606, -0.239054, 0.818909],
        [-0.214059, -0.302297, -0.303961],
        [-0.028159, -0.595419, 0.068438],
        1.128774078033,
    ),
    (
        Round::Sphere,
        [-0.036074, -0.314566, -0.476533],
        [0.143103, -0.364228, 0.237313],
        [0.121148, -0.581514, -0.084643],
        0.743782881587,
    ),
    (
        Round::Sphere,
        [-0.220290, 0.413305, -0.823734],
        [-0.662084, 0.025195, -0.190813],
        [0.050000, 0.020000, 0.030000],
        1.036540269151,
    ),
    (
        Round::Sphere,
        [0.330693, -0.334287, -0.605562],
        [0.863691, -0.512207, -0.705871],
        [0.050000, 0.020000, 0.030000],
        1.215012890171,
    ),
    (
        Round::Sphere,
        [-0.440212, -0.320551, -0.549768],
        [0.072633, 0.873868, -0.747962],
        [0.050000, 0.020000, 0.030000],
        1.438890886217,
    ),
    (
        Round::Sphere,
        [-0.169671, 0.336315, 0.769430],
        [0.999606, -0.712726, 0.074595],
        [0.050000, 0.020000, 0.030000],
        1.756621354340,
    ),
    (
        Round::Sphere,
        [0.762401, -0.893941, 0.176586],
        [-0.652177, 0.535661, 0.875262],
        [0.050000, 0.020000, 0.030000],
        2.152428131718,
    ),
    (
        Round::Sphere,
        [0.076576, -0.982067, -0.871499],
        [-0.168596, 0.694608, -0.526466],
        [0.050000, 0.020000, 0.030000],
        1.812965771815,
    ),
    (
        Round::Sphere,
        [0.124937, 0.332754, -0.352176],
        [0.338870, 0.230017, 0.571822],
        [0.050000, 0.020000, 0.030000],
        0.953988743991,
    ),
    (
        Round::Sphere,
        [-0.235571, 0.319008, -0.677013],
        [-0.025672, 0.320101, 0.441544],
        [0.050000, 0.020000, 0.030000],
        1.138081081074,
    ),
    (
        Round::Cylinder,
        [-0.663917, 0.232233, 0.803813],
        [0.765273, -0.730640, 0.249737],
        [0.469935, -0.358809, -0.102066],
        1.868843673988,
    ),
    (
        Round::Cylinder,
        [0.817797, -0.956991, 0.326712],
        [-0.346457, -0.728123, -0.721120],
        [0.324063, 0.504469, 0.022238],
        1.582978154670,
    ),
    (
        Round::Cylinder,
        [0.555045, 0.273195, 0.467790],
        [0.091284, -0.541345, -0.625811],
        [0.410795, -0.407427, 0.158905],
        1.444360260194,
    ),
    (
        Round::Cylinder,
        [0.888049, -0.908509, 0.876477],
        [-0.333999, 0.454173, -0.993813],
        [-0.140291, 0.472999, 0.341453],
        2.731519317489,
    ),
    (
        Round::Cylinder,
        [0.612738, -0.693153, -0.197599],
        [0.227381, -0.942541, 0.671318],
        [-0.130409, -0.395329, -0.432097],
        0.982706031772,
    ),
    (
        Round::Cylinder,
        [0.301839, -0.904323, -0.511092],
        [-0.392165, -0.483016, 0.461213],
        [0.120422, 0.526259, 0.261821],
        2.822216314583,
    ),
    (
        Round::Cylinder,
        [0.923621, 0.916134, -0.166694],
        [-0.060873, -0.455400, 0.174969],
        [-0.352680, 0.041395, 0.483635],
        2.299678467447,
    ),
    (
        Round::Cylinder,
        [0.012365, 0.654178, -0.641614],
        [0.767035, -0.753617, -0.574277],
        [0.273792, -0.246161, -0.473754],
        1.607650108455,
    ),
    (
        Round::Cylinder,
        [-0.826408, 0.586597, -0.960468],
        [-0.887313, 0.891042, 0.564300],
        [0.050000, 0.020000, 0.030000],
        2.121736339456,
    ),
    (
        Round::Cylinder,
        [-0.259130, -0.615250, 0.734358],
        [0.575291, 0.337039, 0.060768],
        [0.050000, 0.020000, 0.030000],
        1.434167435435,
    ),
    (
        Round::Cylinder,
        [0.050536, 0.955877, 0.044581],
        [-0.831938, -0.850410, 0.191108],
        [0.050000, 0.020000, 0.030000],
        2.015664468302,
    ),
    (
        Round::Cylinder,
        [-0.254806, -0.466742, 0.668277],
        [-0.704344, -0.584220, 0.428151],
        [0.050000, 0.020000, 0.030000],
        0.722207817376,
    ),
    (
        Round::Cylinder,
        [-0.515663, 0.290222, -0.883808],
        [-0.870387, -0.889291, -0.767252],
        [0.050000, 0.020000, 0.030000],
        1.323235900845,
    ),
    (
        Round::Cylinder,
        [0.563512, -0.258260, -0.014359],
        [-0.098201, -0.585858, -0.908447],
        [0.050000, 0.020000, 0.030000],
        1.170980017799,
    ),
    (
        Round::Cylinder,
        [0.154897, 0.803161, 0.900495],
        [-0.897202, -0.240505, -0.919305],
        [0.050000, 0.020000, 0.030000],
        2.350079610973,
    ),
    (
        Round::Cylinder,
        [0.224879, -0.394733, 0.570664],
        [-0.921875, -0.624911, 0.578243],
        [0.050000, 0.020000, 0.030000],
        1.173187871260,
    ),
];
