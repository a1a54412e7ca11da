//! Moves of a camera by the mouse.

use nalgebra::UnitQuaternion;
use sinew::Vec3;

use super::lens::{aspect, plane_crossing};
use super::{Camera, Projection};

/// Least depth of what is fitted, in diagonals of its box [-].
const EYE_ROOM: f64 = 0.02;
/// Part of the picture that is left free around what is fitted into it.
const MARGIN: f64 = 0.06;

/// Least distance of the eye from what it looks at [m]: nearer, f32 no longer resolves a model.
const LEAST_DISTANCE: f64 = 1e-6;

/// Greatest one [m].
const GREATEST_DISTANCE: f64 = 1e6;

impl Camera {
    /// Turns about the target: by `yaw` about the vertical, by `pitch` about the horizontal of the picture
    /// [rad]. It stops straight above and below, where the vertical would turn over.
    pub fn orbit(&mut self, yaw: f64, pitch: f64) {
        let turned = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), yaw) * self.orientation;
        let tilt = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), pitch);
        let tilted = turned * tilt;
        let upright = |q: &UnitQuaternion<f64>| (q * Vec3::y()).z;
        let over = upright(&tilted) < 0.0 && upright(&tilted) < upright(&turned);
        self.orientation = UnitQuaternion::new_normalize(*if over { turned } else { tilted });
    }

    /// Turns about the line of sight [rad].
    pub fn roll(&mut self, angle: f64) {
        self.orientation *= UnitQuaternion::from_axis_angle(&Vec3::z_axis(), angle);
    }

    /// Moves so that what lies at the target's depth follows the pointer by as many pixels.
    pub fn pan(&mut self, pixels: [f64; 2], size: [u32; 2]) {
        let metres = 2.0 * self.half_height() / f64::from(size[1].max(1));
        self.target += metres * (pixels[1] * self.up() - pixels[0] * self.right());
    }

    /// Brings the target nearer (`factor` below 1) or farther; what lies at its depth below `pixel` stays
    /// there.
    pub fn zoom_to(&mut self, factor: f64, pixel: [f64; 2], size: [u32; 2]) {
        let wanted = (self.distance * factor).clamp(LEAST_DISTANCE, GREATEST_DISTANCE);
        if !wanted.is_finite() || self.distance <= 0.0 {
            return;
        }
        let factor = wanted / self.distance;
        let ray = self.ray(pixel, size);
        let Some(along) = plane_crossing(&ray, self.target, self.back()) else { return };
        let fixed = ray.at(along);
        self.target = fixed + factor * (self.target - fixed);
        self.distance = wanted;
    }

    /// Goes to where the whole of a box [m] is seen, in the direction it has now.
    pub fn fit(&mut self, bounds: [Vec3; 2], size: [u32; 2]) {
        let corner = |k: usize| Vec3::from_fn(|axis, _| bounds[k >> axis & 1][axis]);
        self.fit_points(&std::array::from_fn::<Vec3, 8, _>(corner), size);
    }

    /// Goes to where all of these points [m] are seen, in the direction it has now.
    pub fn fit_points(&mut self, points: &[Vec3], size: [u32; 2]) {
        let Some(&first) = points.first() else { return };
        if !points.iter().flatten().all(|x| x.is_finite()) {
            return;
        }
        let spread = |(low, high): (Vec3, Vec3), p: &Vec3| (low.inf(p), high.sup(p));
        let (low, high) = points.iter().fold((first, first), spread);
        self.target = 0.5 * (low + high);
        let tangent = (0.5 * self.fov).tan() * (1.0 - MARGIN);
        let slopes = [tangent * aspect(size), tangent];
        // An eye in the corner of a box sees little of it.
        let room = EYE_ROOM * (high - low).norm();
        let mut distance = 0.0f64;
        for point in points {
            let seen = self.orientation.inverse() * (point - self.target);
            let needed = (seen.x.abs() / slopes[0]).max(seen.y.abs() / slopes[1]);
            distance = distance.max(match self.projection {
                Projection::Perspective => needed.max(room) + seen.z,
                Projection::Orthographic => needed,
            });
        }
        if distance > 0.0 {
            self.distance = distance.clamp(LEAST_DISTANCE, GREATEST_DISTANCE);
        }
    }
}
