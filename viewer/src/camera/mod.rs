//! Camera: a point that it looks at, a distance, an orientation. All in world, f64; a renderer
//! takes what is left after the origin of its scene is subtracted.

mod lens;
mod moves;
#[cfg(test)]
mod tests;

use nalgebra::{Rotation3, UnitQuaternion};
use serde::{Deserialize, Serialize};
use sinew::Vec3;

use crate::checked;

pub use lens::Ray;
pub(crate) use lens::{Lens, aspect, plane_crossing};

/// Projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// Perspective: what is farther is smaller.
    #[default]
    Perspective,
    /// Parallel lines stay parallel.
    Orthographic,
}

/// Camera. Its axes: x to the right, y up, it looks along -z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Point that is looked at, and turned about [m].
    pub target: Vec3,
    /// From there to the eye [m].
    #[serde(deserialize_with = "checked::positive")]
    pub distance: f64,
    /// From the axes of the camera to those of the world, i j k w.
    #[serde(deserialize_with = "checked::orientation")]
    pub orientation: UnitQuaternion<f64>,
    /// Angle between the upper and the lower edge of the picture [rad]. An orthographic picture shows at
    /// any depth what a perspective one shows at the target.
    #[serde(default = "field_of_view", deserialize_with = "checked::angle")]
    pub fov: f64,
    /// Projection.
    #[serde(default)]
    pub projection: Projection,
}

/// 30 degrees: a long lens, as anatomy is photographed.
fn field_of_view() -> f64 {
    std::f64::consts::FRAC_PI_6
}

/// Names of the directions that one can look from, and these.
pub const DIRECTIONS: [(&str, [f64; 3]); 7] = [
    ("iso", [1.0, -1.0, 0.7]),
    ("+x", [1.0, 0.0, 0.0]),
    ("-x", [-1.0, 0.0, 0.0]),
    ("+y", [0.0, 1.0, 0.0]),
    ("-y", [0.0, -1.0, 0.0]),
    ("+z", [0.0, 0.0, 1.0]),
    ("-z", [0.0, 0.0, -1.0]),
];

impl Default for Camera {
    /// From x, -y and above, 1 m away from the origin.
    fn default() -> Self {
        Self::seen_from(Vec3::from(DIRECTIONS[0].1))
    }
}

impl Camera {
    /// A camera 1 m away from the origin in this direction, z up in the picture.
    pub fn seen_from(direction: Vec3) -> Self {
        let mut camera = Self {
            target: Vec3::zeros(),
            distance: 1.0,
            orientation: UnitQuaternion::identity(),
            fov: field_of_view(),
            projection: Projection::Perspective,
        };
        camera.look_along(-direction);
        camera
    }

    /// A camera at `eye` that looks at `target`, z up in the picture; two equal points give one from above.
    pub fn between(eye: Vec3, target: Vec3) -> Self {
        let away = eye - target;
        let distance = away.norm();
        let direction = if distance > 0.0 { away } else { Vec3::z() };
        let distance = if distance > 0.0 { distance } else { 1.0 };
        Self { target, distance, ..Self::seen_from(direction) }
    }

    /// The direction of a [name](DIRECTIONS).
    pub fn direction(name: &str) -> Option<Vec3> {
        let found = DIRECTIONS.iter().find(|(known, _)| *known == name);
        found.map(|(_, direction)| Vec3::from(*direction))
    }

    /// Turns to look along a direction, z up in the picture; straight down and up, y.
    pub fn look_along(&mut self, direction: Vec3) {
        let Some(back) = (-direction).try_normalize(0.0) else { return };
        // Nearer to the vertical than this, z leads to no certain direction in the picture.
        let up = if back.z.abs() > 1.0 - 1e-9 { Vec3::y() } else { Vec3::z() };
        let right = up.cross(&back).normalize();
        let rotation = Rotation3::from_basis_unchecked(&[right, back.cross(&right), back]);
        self.orientation = UnitQuaternion::from_rotation_matrix(&rotation);
    }

    /// Place of the eye [m].
    pub fn eye(&self) -> Vec3 {
        self.target + self.distance * self.back()
    }

    /// Unit vector to the right in the picture.
    pub fn right(&self) -> Vec3 {
        self.orientation * Vec3::x()
    }

    /// Unit vector up in the picture.
    pub fn up(&self) -> Vec3 {
        self.orientation * Vec3::y()
    }

    /// Unit vector from the target to the eye.
    pub fn back(&self) -> Vec3 {
        self.orientation * Vec3::z()
    }

    /// Half the height of what is shown at the target [m].
    pub fn half_height(&self) -> f64 {
        self.distance * (0.5 * self.fov).tan()
    }
}
