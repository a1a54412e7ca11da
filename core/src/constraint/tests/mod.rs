//! Contracts over the list of kinds: every kind of joint in [`kinds`] is enrolled in all of them.

use proptest::prelude::*;

use super::{
    EllipsoidNormal, EllipsoidShape, FrameMotion, JointKind, JointRow, Pose, Quantity, Skew,
};
use crate::Vec3;

mod assembly;
mod coordinates;
mod joint_functions;
mod joint_rows;
mod point;
mod rows;
mod settings;
mod singular;
mod stiffness;

/// Every kind, those with parameters at several of them.
fn kinds() -> Vec<JointKind> {
    let shape = EllipsoidShape { semi_axes: [0.3, 0.4, 0.5], wing_angle: 0.3, ..sphere() };
    let scaled = EllipsoidShape { normal: EllipsoidNormal::Scaled, ..shape };
    let mut kinds = JointKind::ALL.to_vec();
    kinds.extend([
        JointKind::SkewedUniversal(Skew { skew_angle: 0.4 }),
        JointKind::SkewedUniversal(Skew { skew_angle: -0.8 }),
        JointKind::Ellipsoid(shape),
        JointKind::Ellipsoid(scaled),
        JointKind::Ellipsoid3d(shape),
        JointKind::Ellipsoid3d(scaled),
    ]);
    kinds
}

fn sphere() -> EllipsoidShape {
    EllipsoidShape::default()
}

/// Coordinates in front of the singularities: latitude and pitch within 60 degrees, other angles
/// within a turn, lengths within 0.5 m. `random` has six numbers in [-1, 1].
fn regular_coordinates(kind: &JointKind, random: &[f64; 6]) -> Vec<f64> {
    let scaled = |(spec, x): (&super::CoordinateSpec, &f64)| match (&*spec.name, spec.quantity) {
        ("latitude" | "pitch", _) => x * std::f64::consts::FRAC_PI_3,
        (_, Quantity::Angle) => x * std::f64::consts::PI,
        (_, Quantity::Length) => 0.5 * x,
    };
    kind.coordinate_specs().iter().zip(random).map(scaled).collect()
}

/// Six numbers in [-1, 1].
fn six() -> impl Strategy<Value = [f64; 6]> {
    prop::array::uniform6(-1.0..1.0_f64)
}

/// The pose of a displacement: translation [m], rotation vector [rad].
fn displacement(d: &[f64; 6], length: f64, angle: f64) -> Pose {
    Pose::new(Vec3::from_row_slice(&d[..3]) * length, Vec3::from_row_slice(&d[3..]) * angle)
}

/// A frame D somewhere, its body moving, and C at `t_cd` from it, its body moving too.
#[derive(Clone, Debug)]
struct Scene {
    place: [f64; 6],
    centres: [f64; 6],
    motion_a: [f64; 6],
    motion_b: [f64; 6],
}

fn scene() -> impl Strategy<Value = Scene> {
    (six(), six(), six(), six()).prop_map(|(place, centres, motion_a, motion_b)| Scene {
        place,
        centres,
        motion_a,
        motion_b,
    })
}

impl Scene {
    /// Frames C and D at `t_cd`, the bodies with velocities of 1 m/s and 2 rad/s at most.
    fn frames(&self, t_cd: &Pose) -> [FrameMotion; 2] {
        let d = displacement(&self.place, 1.0, 2.0);
        let frame = |pose: Pose, offset: &[f64], motion: &[f64; 6]| FrameMotion {
            pose,
            centre: pose.translation.vector + Vec3::from_row_slice(offset),
            velocity: Vec3::from_row_slice(&motion[..3]),
            angular_velocity: Vec3::from_row_slice(&motion[3..]) * 2.0,
        };
        [
            frame(d * t_cd, &self.centres[..3], &self.motion_a),
            frame(d, &self.centres[3..], &self.motion_b),
        ]
    }
}

/// The frame after its body moved at constant velocities for a time [s], exactly.
fn advanced(frame: &FrameMotion, time: f64) -> FrameMotion {
    displaced(frame, &(frame.velocity * time), &(frame.angular_velocity * time))
}

/// The frame after a displacement of the centre of mass [m] and a turn of its body about it [rad].
fn displaced(frame: &FrameMotion, shift: &Vec3, turn: &Vec3) -> FrameMotion {
    let rotation = nalgebra::UnitQuaternion::new(*turn);
    let arm = frame.pose.translation.vector - frame.centre;
    let centre = frame.centre + shift;
    let origin = centre + rotation * arm;
    let pose = Pose::from_parts(origin.into(), rotation * frame.pose.rotation);
    FrameMotion { pose, centre, ..*frame }
}

fn rows_of(kind: &JointKind, [c, d]: &[FrameMotion; 2]) -> Vec<JointRow> {
    let mut rows = vec![JointRow::ZERO; kind.row_count()];
    kind.calc_rows(c, d, &mut rows);
    rows
}

fn coordinate_rows_of(
    kind: &JointKind,
    [c, d]: &[FrameMotion; 2],
    previous: &[f64],
) -> Vec<JointRow> {
    let mut rows = vec![JointRow::ZERO; kind.coordinate_count()];
    kind.calc_coordinate_rows(c, d, previous, &mut rows);
    rows
}

fn errors_of(kind: &JointKind, t_cd: &Pose) -> Vec<f64> {
    let mut g = vec![0.0; kind.row_count()];
    kind.calc_errors(t_cd, &mut g);
    g
}

fn coordinates_of(kind: &JointKind, t_cd: &Pose, previous: &[f64]) -> Vec<f64> {
    let mut q = vec![0.0; kind.coordinate_count()];
    kind.calc_coordinates(t_cd, previous, &mut q);
    q
}

/// Distance of two poses: metres plus radians.
fn distance(a: &Pose, b: &Pose) -> f64 {
    (a.translation.vector - b.translation.vector).norm() + a.rotation.angle_to(&b.rotation)
}
