//! The joint of a shoulder blade on a thorax (Seth2016): on an ellipsoid, and about an axis in the plane of the blade.
//! It is two joints with a body without mass between them.

use std::f64::consts::FRAC_PI_2;

use nalgebra::UnitQuaternion;
use sinew::constraint::{EllipsoidShape, Pose};
use sinew::{Mat3, Vec3};

use super::fields::refused;
use super::import::Import;
use super::joints::class_transform;
use super::records::{Base, Body, Frame, JointRecord};
use super::xml::Element;
use crate::diagnostic::Diagnostic;
use crate::imported::z_to;

/// Coordinates on the ellipsoid; one more is of the winging.
const ON_ELLIPSOID: usize = 3;

impl<'d> Import<'d> {
    /// The joints that stand for one of the file: itself, or two for that of a shoulder blade.
    pub(super) fn parts(
        &mut self,
        joint: JointRecord<'d>,
    ) -> Result<Vec<JointRecord<'d>>, Diagnostic> {
        if joint.at.tag != "ScapulothoracicJoint" {
            return Ok(vec![joint]);
        }
        if joint.reversed {
            return Err(refused(joint.at, format!("{} cannot be reversed", joint.at.label())));
        }
        let shape = self.ellipsoid(joint.at, "thoracic_ellipsoid_radii_x_y_z")?;
        let winging = self.winging(&joint)?;
        let name = format!("{}_winging", joint.name);
        let between = self.massless(&name, joint.at);
        Ok(blade(joint, shape, winging, between))
    }

    /// The frame of a new body without mass.
    fn massless(&mut self, name: &str, at: &'d Element) -> Frame {
        self.bodies.push(Body {
            name: name.to_owned(),
            at,
            mass: 0.0,
            centre: Vec3::zeros(),
            rotational: Mat3::zeros(),
            placed: None,
            part_of: None,
        });
        Frame::of(Base::Body(self.bodies.len() - 1))
    }

    /// The axis of the winging as z of a frame in that of the blade; its direction is an angle from y.
    fn winging(&self, joint: &JointRecord<'_>) -> Result<Pose, Diagnostic> {
        let (at, origin) = (joint.at, "scapula_winging_axis_origin");
        let [x, y] = match self.numbers(at, origin)?.as_deref() {
            None | Some([]) => [0.0; 2],
            Some(&[x, y]) => [x, y],
            Some(_) => {
                let message = format!("<{origin}> of {} must be two numbers", at.label());
                return Err(self.blamed(at, origin, message));
            }
        };
        let angle = self.number(at, "scapula_winging_axis_direction")?.unwrap_or(0.0);
        let axis = Vec3::new(-angle.sin(), angle.cos(), 0.0);
        Ok(Pose::from_parts(Vec3::new(x, y, 0.0).into(), z_to(&axis)))
    }
}

/// The joint on the ellipsoid of a frame between, and that about the winging axis.
fn blade(
    joint: JointRecord<'_>,
    shape: EllipsoidShape,
    winging: Pose,
    between: Frame,
) -> Vec<JointRecord<'_>> {
    // The ellipsoid is turned, so that coordinates grow with abduction and elevation; its axes are of the thorax.
    let turn = UnitQuaternion::new(Vec3::z() * FRAC_PI_2);
    let quarter = Pose::from_parts(Vec3::zeros().into(), turn);
    let [x, y, z] = shape.semi_axes;
    let (mut coordinates, scapula) = (joint.coordinates, joint.c);
    let last = coordinates.split_off(ON_ELLIPSOID);
    let on_ellipsoid = JointRecord {
        d: joint.d.with(&quarter),
        c: between.with(&quarter),
        transform: class_transform("EllipsoidJoint"),
        ellipsoid: Some(EllipsoidShape { semi_axes: [y, x, z], ..shape }),
        coordinates,
        ..joint
    };
    let about_axis = JointRecord {
        name: format!("{}_winging", on_ellipsoid.name),
        at: on_ellipsoid.at,
        d: between.with(&winging),
        c: scapula.with(&winging),
        reversed: false,
        transform: class_transform("PinJoint"),
        ellipsoid: None,
        coordinates: last,
    };
    vec![on_ellipsoid, about_axis]
}
