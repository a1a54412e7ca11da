//! Outlines of objects: where their points are, and where they are in the object. Bodies are drawn as the disc or box that
//! has their inertia.

use super::snapshot::{ObjectOutline, ObjectPoint};
use crate::formula::Formula;
use crate::interactive::{ObjectDescription, ObjectKind};
use crate::{Mat3, Vec3};

/// Points along a curve, and around a disc.
const CURVE_POINTS: usize = 128;
const DISC_POINTS: usize = 32;

/// Place of an object's origin, and the matrix that takes its coordinates to the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectFrame {
    origin: Vec3,
    axes: Mat3,
}

impl ObjectFrame {
    /// The frame of an object; `None` where it has none, or a state that does not fit.
    pub(super) fn of(kind: &ObjectKind, state: &[f64]) -> Option<Self> {
        let at = |k: usize| state.get(k).copied().unwrap_or_default();
        let (plane, space) = (Vec3::new(at(0), at(1), 0.0), Vec3::new(at(0), at(1), at(2)));
        let (origin, axes) = match kind {
            ObjectKind::Particle { dimensions: 2, .. } => (plane, Mat3::identity()),
            ObjectKind::Particle { .. } => (space, Mat3::identity()),
            ObjectKind::PlanarBody { .. } => {
                let (s, c) = at(2).sin_cos();
                (plane, Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))
            }
            ObjectKind::RigidBody { .. } => (space, rotation([at(3), at(4), at(5), at(6)])),
            ObjectKind::Troid { sides, .. } if sides.len() == 2 => {
                (plane, Mat3::new(at(2), at(3), 0.0, at(4), at(5), 0.0, 0.0, 0.0, 1.0))
            }
            ObjectKind::Troid { .. } => (space, Mat3::from_row_slice(state.get(3..12)?)),
            ObjectKind::Curve { .. } | ObjectKind::Variables { .. } => return None,
        };
        Some(Self { origin, axes })
    }

    /// Place of the origin.
    pub(super) fn origin(&self) -> [f64; 3] {
        self.origin.into()
    }

    fn point(&self, coordinates: [f64; 3]) -> ObjectPoint {
        let place = self.origin + self.axes * Vec3::from(coordinates);
        ObjectPoint { place: place.into(), coordinates }
    }

    fn line(&self, corners: &[[f64; 3]]) -> Vec<ObjectPoint> {
        corners.iter().map(|&corner| self.point(corner)).collect()
    }
}

/// The rotation of a quaternion of any length but zero.
fn rotation([w, x, y, z]: [f64; 4]) -> Mat3 {
    let quaternion = nalgebra::Quaternion::new(w, x, y, z);
    nalgebra::UnitQuaternion::new_normalize(quaternion).to_rotation_matrix().into_inner()
}

/// The outline of an object in a state; `points` are coordinates of points of it that other parts use.
pub(super) fn outline(
    object: &ObjectDescription,
    state: &[f64],
    points: &[[f64; 3]],
) -> ObjectOutline {
    let mut lines = Vec::new();
    let frame = ObjectFrame::of(&object.kind, state);
    if let Some(frame) = &frame {
        lines = shape(&object.kind).iter().map(|line| frame.line(line)).collect();
        let is_body =
            matches!(object.kind, ObjectKind::PlanarBody { .. } | ObjectKind::RigidBody { .. });
        let arms = points.iter().filter(|_| is_body);
        lines.extend(arms.map(|&point| frame.line(&[[0.0; 3], point])));
    }
    let (is_planar, is_filled) = match &object.kind {
        ObjectKind::Particle { dimensions, .. } => (*dimensions == 2, false),
        ObjectKind::PlanarBody { .. } => (true, true),
        ObjectKind::RigidBody { .. } | ObjectKind::Variables { .. } => (false, false),
        ObjectKind::Troid { sides, .. } => (sides.len() == 2, sides.len() == 2),
        ObjectKind::Curve { formula, parameters, range, .. } => {
            let names: Vec<&str> =
                std::iter::once("s").chain(parameters.iter().map(String::as_str)).collect();
            let curve = Formula::parse(formula, &names).ok();
            lines.extend(curve.as_ref().map(|curve| curve_line(curve, *range, state)));
            (curve.is_none_or(|curve| curve.outputs().len() == 2), false)
        }
    };
    ObjectOutline { object: object.name.clone(), is_planar, is_filled, lines }
}

/// Lines of an object in its own coordinates.
fn shape(kind: &ObjectKind) -> Vec<Vec<[f64; 3]>> {
    match kind {
        ObjectKind::Particle { .. } => vec![vec![[0.0; 3]]],
        ObjectKind::PlanarBody { mass, inertia } => disc((2.0 * inertia / mass).sqrt()),
        ObjectKind::RigidBody { mass, inertia: [x, y, z] } => {
            // I of a box about x is m (b² + c²) / 12.
            let half = |square: f64| 0.5 * (6.0 * square / mass).max(0.0).sqrt();
            frame_of_box([half(y + z - x), half(z + x - y), half(x + y - z)])
        }
        ObjectKind::Troid { sides, .. } => match sides[..] {
            [a, b] => sheet([0.5 * a, 0.5 * b]),
            [a, b, c] => frame_of_box([0.5 * a, 0.5 * b, 0.5 * c]),
            _ => Vec::new(),
        },
        ObjectKind::Curve { .. } | ObjectKind::Variables { .. } => Vec::new(),
    }
}

/// A circle, and a radius that shows how it is turned.
fn disc(radius: f64) -> Vec<Vec<[f64; 3]>> {
    let angle = |k: usize| k as f64 * std::f64::consts::TAU / DISC_POINTS as f64;
    let circle = (0..=DISC_POINTS).map(|k| [radius * angle(k).cos(), radius * angle(k).sin(), 0.0]);
    vec![circle.collect(), vec![[0.0; 3], [radius, 0.0, 0.0]]]
}

/// A rectangle with a net, by its half sides: the net shows how it is deformed.
fn sheet([a, b]: [f64; 2]) -> Vec<Vec<[f64; 3]>> {
    let rectangle = vec![[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0], [-a, -b, 0.0]];
    let mut lines = vec![rectangle];
    for part in [-0.5, 0.0, 0.5] {
        lines.push(vec![[part * a, -b, 0.0], [part * a, b, 0.0]]);
        lines.push(vec![[-a, part * b, 0.0], [a, part * b, 0.0]]);
    }
    lines
}

/// Edges of a box by its half sides.
fn frame_of_box([a, b, c]: [f64; 3]) -> Vec<Vec<[f64; 3]>> {
    let corners = [[-a, -b], [a, -b], [a, b], [-a, b], [-a, -b]];
    let ring = |z: f64| corners.map(|[x, y]| [x, y, z]).to_vec();
    let upright = corners[..4].iter().map(|&[x, y]| vec![[x, y, -c], [x, y, c]]);
    [ring(-c), ring(c)].into_iter().chain(upright).collect()
}

fn curve_line(curve: &Formula, [from, to]: [f64; 2], state: &[f64]) -> Vec<ObjectPoint> {
    let mut work = Vec::new();
    let mut inputs: Vec<f64> = std::iter::once(from).chain(state.iter().copied()).collect();
    let point = |k: usize| {
        let s = from + (to - from) * k as f64 / CURVE_POINTS as f64;
        inputs[0] = s;
        let mut place = [0.0; 3];
        curve.eval(&inputs, &mut place[..curve.outputs().len()], &mut work);
        ObjectPoint { place, coordinates: [s, 0.0, 0.0] }
    };
    (0..=CURVE_POINTS).map(point).collect()
}
