//! Handles of gizmos under the pointer: the nearest one, and the numbers that it reads there.

use sinew::Vec3;

use super::super::reach::Reach;
use super::motion::{GizmoFrame, Handle, Motion};
use crate::camera::plane_crossing;

/// Distance within which the pointer meets a handle [point].
const REACH: f64 = 8.0;
/// Lines of sight along an arrow tell nothing of a place on it: sine of the least angle squared [-].
const ALONG: f64 = 1e-4;
/// A square is no handle where it is seen from its edge: cosine of the greatest angle to its normal [-].
const EDGE_ON: f64 = 0.15;
/// Points of the window by which the middle of a gizmo scales by one more.
const DOUBLING: f64 = 80.0;
/// Least factor of the middle [-]: nothing is made flat, or turned inside out.
const LEAST: f64 = 0.01;

/// True if a handle can be taken from where the camera is.
pub(super) fn is_seen(place: &GizmoFrame, handle: Handle, reach: &Reach<'_>) -> bool {
    match handle {
        Handle::Plane(k) => {
            let [x, y] = reach.seen(place.center).unwrap_or([0.0; 2]);
            let sight = reach.view.camera.ray([x, y], reach.size).direction;
            place.axis(k).dot(&sight).abs() > EDGE_ON
        }
        Handle::Axis(_) | Handle::Whole => true,
    }
}

/// The handle of a motion that is nearest to a pixel, within reach.
pub(super) fn nearest_handle(
    motion: Motion,
    place: &GizmoFrame,
    pixel: [f64; 2],
    reach: &Reach<'_>,
) -> Option<Handle> {
    let limit = REACH * f64::from(reach.view.options.pixel_scale);
    let apart = |handle: Handle| {
        let points = place.handle(motion, handle);
        let seen: Option<Vec<_>> = points.into_iter().map(|point| reach.seen(point)).collect();
        let seen = seen?;
        let parts = seen.windows(2).map(|ends| distance(pixel, ends[0], ends[1]));
        parts.min_by(f64::total_cmp)
    };
    let handles = motion.handles().iter().copied();
    let handles = handles.filter(|&handle| is_seen(place, handle, reach));
    let near = handles.filter_map(|it| Some((apart(it)?, it))).filter(|it| it.0 <= limit);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|it| it.1)
}

/// Distance of a pixel from a segment [pixel].
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let [p, a, b] = [p, a, b].map(nalgebra::Vector2::from);
    let along = b - a;
    let part = (p - a).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
    (p - a - along * part.clamp(0.0, 1.0)).norm()
}

/// The reading of a handle at a pixel, along the axes of the gizmo: a place [m], an angle [rad], or for the middle of a
/// scale a number of factors [-].
pub(super) fn reading(
    motion: Motion,
    handle: Handle,
    place: &GizmoFrame,
    pixel: [f64; 2],
    reach: &Reach<'_>,
) -> Option<Vec3> {
    let ray = reach.view.camera.ray(pixel, reach.size);
    let in_plane = |normal: Vec3| {
        let along = plane_crossing(&ray, place.center, normal)?;
        Some(place.numbers(ray.at(along) - place.center))
    };
    match (motion, handle) {
        (Motion::Scale, Handle::Whole) => {
            let scale = f64::from(reach.view.options.pixel_scale);
            Some(Vec3::repeat((pixel[0] - pixel[1]) / (DOUBLING * scale)))
        }
        (_, Handle::Whole) => in_plane(reach.view.camera.back()),
        (_, Handle::Plane(k)) => {
            let mut numbers = in_plane(place.axis(k))?;
            numbers[k] = 0.0;
            Some(numbers)
        }
        (Motion::Turn, Handle::Axis(k)) => {
            let arm = in_plane(place.axis(k))?;
            Some(only(k, arm[(k + 2) % 3].atan2(arm[(k + 1) % 3])))
        }
        (Motion::Move | Motion::Scale | Motion::Mirror, Handle::Axis(k)) => {
            let direction = place.axis(k);
            let from = ray.origin - place.center;
            let cosine = direction.dot(&ray.direction);
            let sine = 1.0 - cosine * cosine;
            let along = (from.dot(&direction) - cosine * from.dot(&ray.direction)) / sine;
            (sine > ALONG).then(|| only(k, along))
        }
    }
}

/// A vector along one axis.
fn only(k: usize, number: f64) -> Vec3 {
    let mut vector = Vec3::zeros();
    vector[k] = number;
    vector
}

/// The numbers of a motion from one reading to another: m, degrees or factors.
pub(super) fn moved_by(motion: Motion, handle: Handle, start: Vec3, now: Vec3) -> Vec3 {
    match (motion, handle) {
        (Motion::Move | Motion::Mirror, _) => now - start,
        (Motion::Turn, _) => (now - start).map(|angle| {
            let turn = std::f64::consts::TAU;
            (angle - turn * (angle / turn).round()).to_degrees()
        }),
        (Motion::Scale, Handle::Axis(k)) => {
            let mut factors = Vec3::repeat(1.0);
            factors[k] = now[k] / start[k];
            factors
        }
        (Motion::Scale, Handle::Plane(_) | Handle::Whole) => {
            (now - start).map(|more| (1.0 + more).max(LEAST))
        }
    }
}
