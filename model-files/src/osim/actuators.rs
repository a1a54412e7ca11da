//! Actuators of coordinates, points and bodies, where their force is one that models here have.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::{CoordinateActuator, FrameLoad, PointLoad, PointRef, RigidBody};

use super::constraints::is_on;
use super::fields::refused;
use super::import::{Import, name};
use super::records::{Base, Frame};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

impl<'d> Import<'d> {
    /// Adds an actuator of these classes; `false` for others, and where its axes turn with a body.
    pub(super) fn add_actuator(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        match at.tag.as_str() {
            "CoordinateActuator" | "GeneralizedForce" => self.add_motor(at.mark()).map(|()| true),
            "ActivationCoordinateActuator" => {
                self.add_motor(at.mark())?;
                for tag in ["activation_time_constant", "default_activation"] {
                    self.number(at, tag)?;
                }
                let message = format!("{} acts at once: it has no activation here", at.label());
                self.findings.warn(at.span, message);
                Ok(true)
            }
            "TorqueActuator" => self.add_torque(at),
            "PointActuator" => self.add_point_force(at),
            _ => Ok(false),
        }
    }

    fn add_motor(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let coordinate = self.actuated(at)?;
        let max_force = self.number(at, "optimal_force")?.unwrap_or(1.0);
        let Some(of) = self.coordinates.get(&coordinate).cloned() else {
            return Err(refused(at, format!("{}: its joint is not there", at.label())));
        };
        let made = CoordinateActuator {
            name: name(at.title()),
            enabled,
            ..CoordinateActuator::new(of, max_force)
        };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        Ok(())
    }

    /// A torque about an axis of the ground between a body and the ground: a moment with an excitation.
    fn add_torque(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        let is_global = self.flag(at, "torque_is_global")?.unwrap_or(true);
        let mut ends = [None, None];
        for (end, tag) in ends.iter_mut().zip(["bodyA", "bodyB"]) {
            *end = self.moved(at, tag)?;
        }
        let (body, sign) = match ends {
            [Some(body), None] => (body, 1.0),
            [None, Some(body)] => (body, -1.0),
            _ => return Ok(false),
        };
        if !is_global {
            return Ok(false);
        }
        let enabled = is_on(self, at.mark())?;
        let moment = self.strength(at, "axis")? * sign;
        if enabled {
            let load = FrameLoad::new(body, Vec3::zeros(), moment);
            let made = FrameLoad { name: name(at.title()), excitation: 0.0, ..load };
            let handle = self.model.add(made);
            self.put(handle.id(), at.span);
        }
        Ok(true)
    }

    /// A force along an axis of the ground on a point of a body: a load with an excitation.
    fn add_point_force(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        let global = |tag: &str| self.flag(at, tag).map(|it| it.unwrap_or(false));
        if global("point_is_global")? || !global("force_is_global")? {
            return Ok(false);
        }
        let Some(frame) = self.end(at, "body")? else { return Ok(false) };
        let enabled = is_on(self, at.mark())?;
        let force = self.strength(at, "direction")?;
        let place = self.vector(at, "point")?.unwrap_or_default();
        if enabled {
            let called = format!("{} point", at.title());
            let Some(point) = self.marker(&frame, place, &called, at.span) else {
                return Ok(false);
            };
            let load = PointLoad::new(PointRef::Marker(point), force);
            let made = PointLoad { name: name(at.title()), excitation: 0.0, ..load };
            let handle = self.model.add(made);
            self.put(handle.id(), at.span);
        }
        Ok(true)
    }

    /// The force or moment at a control of 1 along the axis of a property.
    fn strength(&self, at: &Element, axis: &str) -> Result<Vec3, Diagnostic> {
        let direction = self.vector(at, axis)?.and_then(|axis| axis.try_normalize(1e-9));
        let direction = direction
            .ok_or_else(|| self.blamed(at, axis, format!("{} has no <{axis}>", at.label())))?;
        Ok(direction * self.number(at, "optimal_force")?.unwrap_or(1.0))
    }

    /// The frame that a property names, if it does.
    fn end(&self, at: &Element, tag: &str) -> Result<Option<Frame>, Diagnostic> {
        let named = self.text(at, tag).map(str::to_owned);
        named.map(|named| self.frame(&named, at.title(), at)).transpose()
    }

    /// The body that a property names; none for the ground and what is fixed to it.
    fn moved(&self, at: &Element, tag: &str) -> Result<Option<Handle<RigidBody>>, Diagnostic> {
        let Some(frame) = self.end(at, tag)? else { return Ok(None) };
        let Base::Body(number) = self.solid_frame(&frame).base else { return Ok(None) };
        let fixed = self.bodies[number].placed.is_some_and(|it| it.fixed);
        Ok(self.handles[number].filter(|_| !fixed))
    }
}
