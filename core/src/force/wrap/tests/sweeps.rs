//! Paths along motions over their full ranges: no jumps of length, moment arms.

use super::{ALL, CYLINDER, SPHERE, TORUS, at_origin};
use crate::force::wrap::{Derivatives, Obstacle, Strand, Surface, Turn, Vec3};

/// Largest jump of the length, and of its derivative beyond what differences of the derivative explain, when the second
/// end moves from place to place in steps.
fn worst_jumps(
    first: Vec3,
    second: impl Fn(f64) -> Vec3,
    obstacles: &[Obstacle],
    steps: usize,
) -> [f64; 2] {
    let at = |k: usize| second(k as f64 / steps as f64);
    let sample = |k: usize| {
        let strand = Strand::between([first, at(k)], obstacles);
        (strand.length(), Derivatives::new(&strand, |_| Vec3::zeros()).gradient()[1])
    };
    let mut worst = [0.0f64; 2];
    let mut before = sample(0);
    for k in 1..=steps {
        let now = sample(k);
        let step = at(k) - at(k - 1);
        // The trapezoidal rule: third order in the step where the length is smooth, second where it lifts off.
        let expected = (before.1 + now.1).dot(&step) * 0.5;
        worst[0] = worst[0].max((now.0 - before.0 - expected).abs());
        worst[1] = worst[1].max((now.1 - before.1).norm());
        before = now;
    }
    worst
}

#[test]
fn lengths_and_directions_do_not_jump_as_strings_touch_and_lift_off() {
    const STEPS: usize = 2000;
    for surface in [SPHERE, CYLINDER, ALL[2]] {
        let first = Vec3::new(-1.9, 0.13, 0.21);
        let second = |s: f64| Vec3::new(1.7, 2.6 - 2.7 * s, 0.3 - 0.2 * s);
        let touched =
            |s: f64| Strand::between([first, second(s)], &[at_origin(surface)]).touched().count();
        assert!(touched(0.0) == 0 && touched(0.9) > 0, "{surface:?} is not touched");
        let [length, direction] = worst_jumps(first, second, &[at_origin(surface)], STEPS);
        // Steps of 8e-4; directions change by some such steps, and the rule is good to their square at the kink.
        assert!(length < 5e-7, "{surface:?}: {length:e}");
        assert!(direction < 5e-3, "{surface:?}: {direction:e}");
    }
}

/// A point on a lever about the axis of a cylinder, the other end on the ground, with the string on one side.
#[test]
fn the_moment_arm_about_a_cylinder_is_its_radius_over_the_whole_range() {
    let radius = 0.3;
    let surface = Surface::Cylinder { radius, half_length: f64::INFINITY, turn: Turn::Positive };
    let obstacle = [at_origin(surface)];
    let first = Vec3::new(0.8, 0.0, 0.1);
    let second = |angle: f64| Vec3::new(0.5 * angle.cos(), 0.5 * angle.sin(), 0.1);
    let touch = (radius / 0.8f64).acos() + (radius / 0.5f64).acos();
    let mut wrapped = 0;
    for k in 0..6000 {
        let angle = 1e-3 + k as f64 * 1e-3;
        let strand = Strand::between([first, second(angle)], &obstacle);
        let pull = Derivatives::new(&strand, |_| Vec3::zeros()).gradient()[1];
        let arm = second(angle).cross(&pull).z;
        if angle > touch {
            wrapped += 1;
            assert!((arm - radius).abs() < 1e-15, "{arm} at {angle}");
        }
    }
    assert!(wrapped > 3500);
    let [length, direction] = worst_jumps(first, |s| second(1e-3 + 6.25 * s), &obstacle, 6000);
    // The chord is below the arc by the cube of 5e-4 times its curvature, and kinks at touch-down by their square.
    assert!(length < 1e-6 && direction < 5e-3, "{length:e} {direction:e}");
}

/// By the shortest way the length turns back at half a turn; it does not jump.
#[test]
fn lengths_do_not_jump_over_a_full_revolution() {
    for surface in [SPHERE, CYLINDER] {
        let first = Vec3::new(1.2, 0.0, 0.3);
        let second = |s: f64| {
            let angle = s * std::f64::consts::TAU;
            Vec3::new(1.1 * angle.cos(), 1.1 * angle.sin(), -0.2)
        };
        let lengths: Vec<f64> = (0..=3000)
            .map(|k| {
                Strand::between([first, second(k as f64 / 3e3)], &[at_origin(surface)]).length()
            })
            .collect();
        let jump = lengths.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
        assert!(jump < 2.4e-3, "{surface:?}: {jump}");
        assert!((lengths[0] - lengths[3000]).abs() < 1e-12);
    }
}

/// A string through the hole of a torus whose end goes outward, over the tube.
#[test]
fn a_string_that_comes_to_lie_on_a_torus_does_not_jump() {
    let first = Vec3::new(0.2, 0.1, -1.5);
    let second = |s: f64| Vec3::new(0.1 + s, 0.2 * s, 1.2 - 0.7 * s);
    let [length, direction] = worst_jumps(first, second, &[at_origin(TORUS)], 2000);
    assert!(length < 1e-6 && direction < 5e-3, "{length:e} {direction:e}");
    let end = Strand::between([first, second(1.0)], &[at_origin(TORUS)]);
    assert_eq!(end.touched().count(), 1);
}

#[test]
fn several_obstacles_are_touched_one_after_another_without_jumps() {
    let mut obstacles = [at_origin(SPHERE), at_origin(ALL[2]), at_origin(SPHERE)];
    for (k, obstacle) in obstacles.iter_mut().enumerate() {
        obstacle.pose.translation.vector = Vec3::new(2.2 * k as f64, [-0.3, -0.3, -0.4][k], 0.1);
    }
    let first = Vec3::new(-2.0, 0.6, 0.0);
    let second = |s: f64| Vec3::new(6.5, 2.5 - 3.4 * s, 0.2 * s);
    let count = |s: f64| Strand::between([first, second(s)], &obstacles).touched().count();
    assert_eq!([count(0.0), count(1.0)], [0, 3]);
    let [length, direction] = worst_jumps(first, second, &obstacles, 2000);
    assert!(length < 3e-6 && direction < 1e-2, "{length:e} {direction:e}");
}
