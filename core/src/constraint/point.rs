//! Constraints of a point against a frame or a point: on a plane, on a line, at a point, at a
//! distance. Rows are forces at points; the caller maps them through bodies and attachments.

use super::FrameMotion;
use crate::Vec3;

/// Constraints of a point x to frame D of a body, a particle or the ground.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PointConstraint {
    /// In the plane z = 0 of D: one row, the height over it.
    OnPlane,
    /// On the z axis of D: two rows, x and y in D.
    OnLine,
    /// At the origin of D: three rows, x, y and z in D.
    AtPoint,
    /// At a distance from the origin of D, a rod between two balls: one row. Where the points
    /// coincide the rod has no direction, and its row takes z of D.
    AtDistance {
        /// Length of the rod [m].
        length: f64,
    },
}

/// A point with its motion in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMotion {
    /// Position [m].
    pub position: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Acceleration at constant velocities of the system [m/s²]: zero for a particle or a node,
    /// centripetal on a body.
    pub acceleration: Vec3,
}

impl PointMotion {
    /// A particle or node, or a point fixed to weighted nodes.
    pub fn particle(position: Vec3, velocity: Vec3) -> Self {
        Self { position, velocity, acceleration: Vec3::zeros() }
    }

    /// The origin of a frame on a body.
    pub fn on_body(frame: &FrameMotion) -> Self {
        frame.material_point(&frame.pose.translation.vector)
    }
}

impl FrameMotion {
    /// A particle as the other side of a point constraint: a frame with the axes of the world.
    pub fn particle(position: Vec3, velocity: Vec3) -> Self {
        let pose = super::Pose::translation(position.x, position.y, position.z);
        Self { pose, centre: position, velocity, angular_velocity: Vec3::zeros() }
    }

    /// The point of the body that is at `position` [m] now.
    pub fn material_point(&self, position: &Vec3) -> PointMotion {
        let sweep = self.angular_velocity.cross(&(position - self.centre));
        PointMotion {
            position: *position,
            velocity: self.velocity + sweep,
            acceleration: self.angular_velocity.cross(&sweep),
        }
    }
}

/// A row of a point constraint: d(value)/dt = `coefficient` · (velocity of the point - velocity of
/// the point of the other side that is at `support` now).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointRow {
    /// Force on the point a unit of the multiplier [-], world axes, of length 1. Its opposite acts
    /// on the other side at `support`.
    pub coefficient: Vec3,
    /// Point at which the opposite force acts [m], in the world.
    pub support: Vec3,
    /// Error of the constraint [m].
    pub value: f64,
    /// (dG/dt) u [m/s²]: d²(value)/dt² at constant velocities of the system.
    pub velocity_term: f64,
}

impl PointRow {
    /// A row without coefficients, to fill.
    pub const ZERO: Self = Self {
        coefficient: Vec3::new(0.0, 0.0, 0.0),
        support: Vec3::new(0.0, 0.0, 0.0),
        value: 0.0,
        velocity_term: 0.0,
    };

    /// G u, the rate of the value [m/s].
    pub fn rate(&self, point: &PointMotion, d: &FrameMotion) -> f64 {
        self.coefficient.dot(&(point.velocity - d.material_point(&self.support).velocity))
    }
}

impl PointConstraint {
    /// Number of rows, 1 to 3; all of them are lengths.
    pub fn row_count(&self) -> usize {
        match self {
            Self::OnPlane | Self::AtDistance { .. } => 1,
            Self::OnLine => 2,
            Self::AtPoint => 3,
        }
    }

    /// The rows of a point against frame D. G is the exact derivative of the values.
    ///
    /// # Panics
    /// When `rows` does not have [`row_count`](Self::row_count) entries.
    pub fn calc_rows(&self, point: &PointMotion, d: &FrameMotion, rows: &mut [PointRow]) {
        assert_eq!(rows.len(), self.row_count(), "rows of a point constraint");
        let axis = |k: usize| d.pose.rotation * Vec3::ith(k, 1.0);
        match self {
            Self::OnPlane => rows[0] = axis_row(axis(2), point, d),
            Self::OnLine | Self::AtPoint => {
                for (k, row) in rows.iter_mut().enumerate() {
                    *row = axis_row(axis(k), point, d);
                }
            }
            Self::AtDistance { length } => rows[0] = distance_row(*length, point, d),
        }
    }
}

/// e · (x - origin of D) for an axis e of D.
fn axis_row(axis: Vec3, point: &PointMotion, d: &FrameMotion) -> PointRow {
    let material = d.material_point(&point.position);
    let velocity = point.velocity - material.velocity;
    // Acceleration seen from D, which turns: the Coriolis part is what the turning axis adds.
    let acceleration =
        point.acceleration - material.acceleration - d.angular_velocity.cross(&velocity) * 2.0;
    PointRow {
        coefficient: axis,
        support: point.position,
        value: axis.dot(&(point.position - d.pose.translation.vector)),
        velocity_term: axis.dot(&acceleration),
    }
}

/// |x - origin of D| - length.
fn distance_row(length: f64, point: &PointMotion, d: &FrameMotion) -> PointRow {
    let end = PointMotion::on_body(d);
    let velocity = point.velocity - end.velocity;
    let (direction, distance) =
        match nalgebra::Unit::try_new_and_get(point.position - end.position, 0.0) {
            Some((direction, distance)) => (direction.into_inner(), distance),
            None => (d.pose.rotation * Vec3::z(), 0.0),
        };
    let across = (velocity - direction * direction.dot(&velocity)).norm_squared();
    let bend = if distance > 0.0 { across / distance } else { 0.0 };
    PointRow {
        coefficient: direction,
        support: end.position,
        value: distance - length,
        velocity_term: bend + direction.dot(&(point.acceleration - end.acceleration)),
    }
}
