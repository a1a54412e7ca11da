//! Springs between frames and points, springs and stops of coordinates.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::constraint::spatial::{Function, SpatialAxis, SpatialTransform};
use sinew::force::{CoordinateSpring, CoordinateStops};
use sinew::model::{AxialSpring, CoordinateActuator, FrameSpring, PointRef};

use super::constraints::is_on;
use super::fields::refused;
use super::import::{Import, name};
use super::xml::Element;
use crate::diagnostic::Diagnostic;

impl<'d> Import<'d> {
    /// Adds a force of these classes; `false` for others.
    pub(super) fn add_spring(&mut self, at: &'d Element) -> Result<bool, Diagnostic> {
        match at.tag.as_str() {
            "BushingForce" | "LinearBushingForce" => self.add_bushing(at.mark())?,
            "PointToPointSpring" => self.add_point_spring(at.mark())?,
            "SpringGeneralizedForce" => self.add_coordinate_spring(at.mark())?,
            "CoordinateLimitForce" => self.add_stops(at.mark())?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add_bushing(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let [d, c] = [self.tied(at, 1)?, self.tied(at, 2)?].map(|frame| self.site(&frame));
        at.child("frames").iter().for_each(|frames| {
            frames.children.iter().for_each(|frame| {
                frame.mark();
            });
        });
        let vector = |tag: &str| self.vector(at, tag).map(Option::unwrap_or_default);
        let made = FrameSpring {
            name: name(at.title()),
            stiffness: vector("translational_stiffness")?,
            rotary_stiffness: vector("rotational_stiffness")?,
            damping: vector("translational_damping")?,
            rotary_damping: vector("rotational_damping")?,
            enabled,
            ..FrameSpring::new(c, d)
        };
        let equal = |v: Vec3| v.x == v.y && v.y == v.z;
        if !equal(made.rotary_stiffness) {
            let message = format!(
                "{} turns by three angles after each other; here it is by one rotation vector, which is the same for small turns",
                at.label()
            );
            self.findings.warn(at.span, message);
        }
        if c.body == d.body {
            return Err(refused(at, format!("{} is between a body and itself", at.label())));
        }
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        Ok(())
    }

    fn add_point_spring(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let mut ends = Vec::new();
        for side in [1, 2] {
            let socket = format!("body{side}");
            let on = self.socket(at, &socket).or_else(|| self.text(at, &socket));
            let on = on
                .ok_or_else(|| refused(at, format!("{} has no body {side}", at.label())))?
                .to_owned();
            let frame = self.frame(&on, at.title(), at)?;
            let place = self.vector(at, &format!("point{side}"))?.unwrap_or_default();
            let called = format!("{} {side}", at.title());
            ends.extend(self.marker(&frame, place, &called, at.span));
        }
        let stiffness = self.number(at, "stiffness")?.unwrap_or(1.0);
        let rest_length = self.number(at, "rest_length")?.unwrap_or_default();
        let [a, b] = ends[..] else { return Ok(()) };
        let law = AxialLaw::Linear(LinearSpring { stiffness, damping: 0.0 });
        let made = AxialSpring::with_law([a, b].map(PointRef::Marker), law);
        let made = AxialSpring { name: name(at.title()), rest_length, enabled, ..made };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        Ok(())
    }

    fn add_coordinate_spring(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let number = |tag: &str| self.number(at, tag).map(Option::unwrap_or_default);
        let spring = CoordinateSpring {
            stiffness: number("stiffness")?,
            rest: number("rest_length")?,
            damping: number("viscosity")?,
            stops: None,
        };
        self.add_passive(at, spring)
    }

    /// Stops, whose numbers are in degrees where the coordinate is an angle.
    fn add_stops(&mut self, at: &'d Element) -> Result<(), Diagnostic> {
        let coordinate = self.actuated(at)?;
        let unit = if self.is_angle(&coordinate) { PI / 180.0 } else { 1.0 };
        let number = |tag: &str, default: f64| self.number(at, tag).map(|it| it.unwrap_or(default));
        let stops = CoordinateStops {
            ends: [number("lower_limit", 0.0)? * unit, number("upper_limit", 0.0)? * unit],
            stiffness: [
                number("lower_stiffness", 1.0)? / unit,
                number("upper_stiffness", 1.0)? / unit,
            ],
            transition: number("transition", 0.1)? * unit,
            damping: number("damping", 0.001)? / unit,
        };
        self.flag(at, "compute_dissipation_energy")?;
        let [low, high] = stops.ends;
        if low > high {
            let message = format!("<lower_limit> of {} must be at most <upper_limit>", at.label());
            return Err(self.blamed(at, "lower_limit", message));
        }
        self.add_passive(at, CoordinateSpring { stops: Some(stops), ..CoordinateSpring::default() })
    }

    fn add_passive(&mut self, at: &'d Element, spring: CoordinateSpring) -> Result<(), Diagnostic> {
        let enabled = is_on(self, at)?;
        let coordinate = self.actuated(at)?;
        let Some(of) = self.coordinates.get(&coordinate).cloned() else {
            return Err(refused(at, format!("{}: its joint is not there", at.label())));
        };
        let made = CoordinateActuator::new(of, 0.0);
        let made = CoordinateActuator { name: name(at.title()), spring, enabled, ..made };
        let handle = self.model.add(made);
        self.put(handle.id(), at.span);
        Ok(())
    }

    /// Name of the coordinate that a force is on.
    pub(super) fn actuated(&self, at: &Element) -> Result<String, Diagnostic> {
        let named = self.text(at, "coordinate").or_else(|| self.socket(at, "coordinate"));
        let named = named.unwrap_or("").rsplit('/').next().unwrap_or("").to_owned();
        self.known_coordinate(&named, at)?;
        Ok(named)
    }

    /// True if limits of a coordinate are in degrees.
    fn is_angle(&self, coordinate: &str) -> bool {
        let Some(&[joint, k]) = self.coordinate_places.get(coordinate) else { return false };
        self.joints.get(joint).is_some_and(|joint| is_turn(&joint.transform, k))
    }
}

/// True if a coordinate is the angle of a turn, by a factor of 1 or -1, and of no way. Of its limits OpenSim has degrees.
pub(super) fn is_turn(transform: &SpatialTransform, k: usize) -> bool {
    let plain = |axis: &SpatialAxis| {
        axis.of.contains(&k)
            && matches!(&axis.function, Function::Linear(factors, _) if factors[0].abs() == 1.0)
    };
    !transform.ways.iter().any(plain) && transform.turns.iter().any(plain)
}
