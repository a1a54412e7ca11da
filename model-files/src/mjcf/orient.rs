//! Orientations: quaternion, axis and angle, Euler's angles, two axes, or the z axis.

use nalgebra::{Isometry3, Quaternion, Rotation3, UnitQuaternion};
use sinew::constraint::Pose;
use sinew::constraint::spatial::turn;
use sinew::{Mat3, Vec3};

use super::compiler::Compiler;
use super::view::View;
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;

impl Compiler {
    /// The pose that `pos` and the attributes of orientation say [m].
    ///
    /// # Errors
    /// Two orientations, an axis without a length, values that are no numbers.
    pub(super) fn pose(&self, view: &View<'_>) -> Result<Pose, Diagnostic> {
        let place = view.vector("pos")?.unwrap_or_default();
        Ok(Isometry3::from_parts(place.into(), self.orientation(view)?))
    }

    /// The rotation that attributes say.
    ///
    /// # Errors
    /// As for [`Self::pose`].
    pub(super) fn orientation(&self, view: &View<'_>) -> Result<UnitQuaternion<f64>, Diagnostic> {
        let none = |form: &str| {
            let message = format!("{form} of {} has no length", view.at.label());
            view.blamed(form, message)
        };
        let unit = |v: Vec3, form: &str| v.try_normalize(1e-15).ok_or_else(|| none(form));
        match form(view)? {
            Some("quat") => {
                let [w, x, y, z] = view.array("quat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
                let quaternion = Quaternion::new(w, x, y, z);
                UnitQuaternion::try_new(quaternion, 1e-15).ok_or_else(|| none("quat"))
            }
            Some("axisangle") => {
                let [x, y, z, angle] = view.array("axisangle")?.unwrap_or_default();
                Ok(turn(&unit(Vec3::new(x, y, z), "axisangle")?, self.radians(angle)))
            }
            Some("euler") => {
                let angles = view.array("euler")?.unwrap_or_default();
                Ok(self.euler_turns(angles))
            }
            Some("xyaxes") => {
                let [a, b, c, d, e, f] = view.array("xyaxes")?.unwrap_or_default();
                let x = unit(Vec3::new(a, b, c), "xyaxes")?;
                let y = Vec3::new(d, e, f);
                let y = unit(y - x * x.dot(&y), "xyaxes")?;
                let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
                Ok(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)))
            }
            Some(_) => Ok(z_to(&unit(view.vector("zaxis")?.unwrap_or_default(), "zaxis")?)),
            None => Ok(UnitQuaternion::identity()),
        }
    }

    /// Turns after each other: about axes that turn along from the right, about fixed ones from the left.
    pub(super) fn euler_turns(&self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut all = UnitQuaternion::identity();
        for (axis, angle) in self.euler.iter().zip(angles) {
            let direction = match axis.to_ascii_lowercase() {
                'x' => Vec3::x(),
                'y' => Vec3::y(),
                _ => Vec3::z(),
            };
            let next = turn(&direction, self.radians(angle));
            all = if axis.is_ascii_lowercase() { all * next } else { next * all };
        }
        all
    }
}

/// The attribute that says a rotation, if one does.
fn form(view: &View<'_>) -> Result<Option<&'static str>, Diagnostic> {
    const FORMS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
    let own: Vec<&str> =
        FORMS.into_iter().filter(|form| view.at.attribute(form).is_some()).collect();
    if let [first, second, ..] = own[..] {
        let label = view.at.label();
        let message = format!("{label} has two orientations, {first} and {second}: keep one");
        return Err(view.blamed(second, message));
    }
    // The element's own form holds over that of its class.
    let form = own.first().copied();
    Ok(form.or_else(|| FORMS.into_iter().find(|form| view.attribute(form).is_some())))
}
