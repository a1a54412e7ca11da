//! Geodesics and their Jacobi fields.

use super::{ALL, Dice, ELLIPSOID, SPHERE, TORUS};
use crate::force::wrap::Vec3;
use crate::force::wrap::geodesic::Arc;
use crate::force::wrap::surface::Surface;

fn random_arc(dice: &mut Dice, surface: &Surface, [least, most]: [f64; 2]) -> Arc {
    let start = surface.project(&(dice.direction() * 1.1));
    let direction = surface.darboux(start, &dice.direction()).tangent;
    Arc { start, direction, length: dice.between(least, most), end: None }
}

#[test]
fn shapes_are_the_derivatives_of_normals() {
    let mut dice = Dice(1);
    for surface in ALL {
        for _ in 0..20 {
            let at = random_arc(&mut dice, &surface, [0.0; 2]);
            let frame = surface.darboux(at.start, &at.direction);
            let normal = |s: f64| {
                let end = Arc { length: s, ..at }.end(&surface);
                end.frame.normal
            };
            let rate = (normal(1e-5) - normal(-1e-5)) / 2e-5;
            let expected = frame.tangent * frame.curvature + frame.binormal * frame.torsion;
            assert!((rate - expected).norm() < 1e-8, "{surface:?}: {rate} {expected}");
        }
    }
}

#[test]
fn geodesics_stay_on_their_surface_and_do_not_turn_in_it() {
    let mut dice = Dice(2);
    for surface in ALL {
        for _ in 0..20 {
            let arc = random_arc(&mut dice, &surface, [0.1, 2.5]);
            let end = arc.end(&surface).frame;
            let off = surface.project(&end.point) - end.point;
            assert!(off.norm() < 1e-11, "{surface:?} is left by {}", off.norm());
            // The change of the unit tangent has no component across: the geodesic curvature is zero.
            let tangent =
                |s: f64| Arc { length: arc.length + s, ..arc }.end(&surface).frame.tangent;
            let turn = (tangent(1e-4) - tangent(-1e-4)) / 2e-4;
            assert!(
                turn.dot(&end.binormal).abs() < 1e-7,
                "{surface:?}: {}",
                turn.dot(&end.binormal)
            );
            let point = |s: f64| Arc { length: arc.length + s, ..arc }.end(&surface).frame.point;
            let speed = ((point(1e-5) - point(-1e-5)) / 2e-5).norm();
            assert!((speed - 1.0).abs() < 1e-9, "{surface:?}: {speed}");
        }
    }
}

#[test]
fn an_ellipsoid_with_equal_axes_has_great_circles() {
    let Surface::Sphere { radius } = SPHERE else { return };
    let round = Surface::Ellipsoid { radii: Vec3::repeat(radius) };
    let mut dice = Dice(3);
    for _ in 0..50 {
        let arc = random_arc(&mut dice, &SPHERE, [0.0, 4.0]);
        let (exact, found) = (arc.end(&SPHERE), arc.end(&round));
        assert!((exact.frame.point - found.frame.point).norm() < 1e-12);
        assert!((exact.frame.tangent - found.frame.tangent).norm() < 1e-12);
        for (a, b) in [
            (exact.jacobi.shifted, found.jacobi.shifted),
            (exact.jacobi.turned, found.jacobi.turned),
        ] {
            assert!((a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < 1e-11, "{a:?} {b:?}");
        }
    }
}

/// Clairaut: the distance from the axis times the sine of the angle to the meridian is the same all along.
#[test]
fn geodesics_of_surfaces_of_revolution_keep_their_moment() {
    let spheroid = Surface::Ellipsoid { radii: Vec3::new(0.6, 0.6, 1.3) };
    let mut dice = Dice(4);
    for surface in [TORUS, spheroid] {
        for _ in 0..30 {
            let arc = random_arc(&mut dice, &surface, [0.5, 5.0]);
            let end = arc.end(&surface).frame;
            let moment = |p: &Vec3, t: &Vec3| p.cross(t).z;
            let [first, last] =
                [moment(&arc.start, &arc.direction), moment(&end.point, &end.tangent)];
            assert!((first - last).abs() < 1e-11, "{surface:?}: {first} {last}");
        }
    }
}

/// Joachimsthal: on an ellipsoid the square of A p times t·A t is the same all along, with A the inverse squares of the
/// half axes.
#[test]
fn geodesics_of_ellipsoids_keep_the_product_of_joachimsthal() {
    let Surface::Ellipsoid { radii } = ELLIPSOID else { return };
    let weights = radii.map(|a| 1.0 / (a * a));
    let kept = |p: &Vec3, t: &Vec3| {
        weights.component_mul(p).norm_squared() * weights.component_mul(t).dot(t)
    };
    let mut dice = Dice(5);
    for _ in 0..50 {
        let arc = random_arc(&mut dice, &ELLIPSOID, [0.5, 4.0]);
        let end = arc.end(&ELLIPSOID).frame;
        let [first, last] = [kept(&arc.start, &arc.direction), kept(&end.point, &end.tangent)];
        assert!((first - last).abs() < 1e-10 * first, "{first} {last}");
    }
}

#[test]
fn jacobi_fields_are_the_differences_of_neighbouring_geodesics() {
    let mut dice = Dice(6);
    const STEP: f64 = 1e-5;
    for surface in ALL {
        for _ in 0..20 {
            let arc = random_arc(&mut dice, &surface, [0.2, 2.0]);
            let (at, end) = (surface.darboux(arc.start, &arc.direction), arc.end(&surface));
            // Shifted along the geodesic across, the tangent of which stays its binormal.
            let shifted = |s: f64| {
                let across = Arc { start: at.point, direction: at.binormal, length: s, end: None }
                    .end(&surface);
                let direction = across.frame.tangent.cross(&across.frame.normal);
                Arc { start: across.frame.point, direction, ..arc }.end(&surface).frame.point
            };
            let turned = |s: f64| {
                let direction = at.tangent * s.cos() + at.binormal * s.sin();
                Arc { direction, ..arc }.end(&surface).frame.point
            };
            let by = |f: &dyn Fn(f64) -> Vec3| (f(STEP) - f(-STEP)) / (2.0 * STEP);
            let [a, r] = [by(&shifted), by(&turned)];
            let [expected_a, expected_r] = [end.jacobi.shifted[0], end.jacobi.turned[0]];
            assert!((a - end.frame.binormal * expected_a).norm() < 1e-7, "{surface:?} {a}");
            assert!((r - end.frame.binormal * expected_r).norm() < 1e-7, "{surface:?} {r}");
        }
    }
}
