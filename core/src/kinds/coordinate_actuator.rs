//! Motors, springs and stops: a force or moment on a coordinate of a joint.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use crate::component::{Address, ComponentId, Invalidates, Reference, TransformRefusal};
use crate::force::{CoordinateSpring, CoordinateStops};
use crate::kinds::{JointCoordinate, Schedule};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Problem, Put, Refusal, Transformation,
    properties, put_schedule,
};

/// Drives a coordinate of a joint with a force (of a length) or a moment (of an angle): largest force
/// times excitation times schedule; exciters may add to the excitation, which then stays within -1 and 1. It acts on both bodies of the joint, oppositely. Taken at the begin
/// of a step, without derivatives. A spring, a damper and stops of the coordinate, with derivatives, may be beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoordinateActuator {
    /// Name in paths and reports; may be empty.
    #[serde(default)]
    pub name: String,
    /// Coordinate that it drives.
    pub of: JointCoordinate,
    /// Force at an excitation of 1 [N or N m].
    pub max_force: f64,
    /// Excitation at a schedule value of 1 [-], -1 to 1.
    pub excitation: f64,
    /// Its time course.
    #[serde(default)]
    pub schedule: Schedule,
    /// Spring, damper and stops of the coordinate.
    #[serde(default)]
    pub spring: CoordinateSpring,
    /// True if it drives.
    pub enabled: bool,
}

impl CoordinateActuator {
    /// An actuator at rest with a largest force [N or N m].
    pub fn new(of: JointCoordinate, max_force: f64) -> Self {
        let (name, schedule, spring) =
            (String::new(), Schedule::default(), CoordinateSpring::default());
        Self { name, of, max_force, excitation: 0.0, schedule, spring, enabled: true }
    }

    /// Force or moment at a schedule value of 1 [N or N m].
    pub fn force(&self) -> f64 {
        self.max_force * self.excitation
    }

    fn put_joint(&mut self, to: &[Address]) -> Put {
        let [joint] = to else { return Err(Refusal::Value("it must lead to a joint")) };
        self.of.put_joint(joint)
    }

    fn stop_ends(&self) -> Vec<f64> {
        self.spring.stops.map_or_else(Vec::new, |stops| stops.ends.to_vec())
    }

    fn put_stop_ends(&mut self, list: &[f64]) -> Put {
        let stops = self.spring.stops.take().unwrap_or_default();
        self.spring.stops = match *list {
            [] => None,
            [low, high] => Some(CoordinateStops { ends: [low, high], ..stops }),
            _ => return Err(Refusal::Value("it must be two numbers, or none")),
        };
        Ok(())
    }

    fn stop_stiffness(&self) -> Vec<f64> {
        self.spring.stops.map_or_else(Vec::new, |stops| stops.stiffness.to_vec())
    }

    fn put_stop_stiffness(&mut self, list: &[f64]) -> Put {
        match (&mut self.spring.stops, list) {
            (Some(stops), &[low, high]) => stops.stiffness = [low, high],
            (None, []) => {}
            (Some(_), _) => return Err(Refusal::Value("it must be two numbers")),
            (None, _) => return Err(Refusal::Value("it needs stop_ends first")),
        }
        Ok(())
    }

    fn put_stop_number(&mut self, put: fn(&mut CoordinateStops, f64), value: f64) -> Put {
        match &mut self.spring.stops {
            Some(stops) => put(stops, value),
            None if value == 0.0 => {}
            None => return Err(Refusal::Value("it needs stop_ends first")),
        }
        Ok(())
    }

    fn check_stops(&self, _: &dyn Components) -> Result<(), CheckError> {
        let Some(stops) = &self.spring.stops else { return Ok(()) };
        let [low, high] = stops.ends;
        if low > high {
            let (what, must) = ("lower end", "at most the upper one");
            return Err(Problem::Entry { what, value: low, must }.at("stop_ends"));
        }
        Ok(())
    }

    fn check_coordinate(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.of.check(model, ["joint", "coordinate"])
    }

    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }
}

impl ModelComponent for CoordinateActuator {
    const HOME: Option<&'static str> = Some("force_effectors");
    const DEFORMED: Invalidates = Invalidates::PARAMETER;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.of.visit(visit);
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.of.redirect(map);
    }

    /// It drives the same way where the coordinate has the other sign.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let factor = transformation.coordinate_factor(&self.of)?;
        self.max_force *= factor.signum();
        self.spring.scale(factor);
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_coordinate(model)?;
        self.check_stops(model)?;
        self.check_schedule(model)
    }

    properties! { CoordinateActuator {
        "enabled": bool = true, "", FINITE, PARAMETER, "True if it drives", own (enabled);
        "joint": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The joint; the name of the coordinate is kept",
            reference (|it| vec![it.of.joint.into()], |it, to| it.put_joint(to)), check CoordinateActuator::check_coordinate;
        "coordinate": String = String::new(), "", FINITE, PARAMETER, "The coordinate of the joint (docs/reference/joints.md)", own (of.coordinate), check CoordinateActuator::check_coordinate;
        "max_force": f64 = 0.0, "N, N m", FINITE, PARAMETER, "Force or moment at an excitation of 1", own (max_force);
        "excitation": f64 = 0.0, "-", SIGNED_UNIT, PARAMETER, "Excitation at a schedule value of 1", own (excitation);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|it: &CoordinateActuator| Some(it.schedule.to_list()), |it: &mut CoordinateActuator, list: Vec<f64>| put_schedule(&mut it.schedule, &list)), check CoordinateActuator::check_schedule;
        "stiffness": f64 = 0.0, "N/m, N m/rad", NOT_NEGATIVE, STRUCTURE, "Stiffness of a spring of the coordinate", own (spring.stiffness);
        "rest_value": f64 = 0.0, "m, rad", FINITE, STRUCTURE, "Value of the coordinate at which the spring has no force", own (spring.rest);
        "damping": f64 = 0.0, "N s/m, N m s/rad", NOT_NEGATIVE, STRUCTURE, "Damping of the coordinate", own (spring.damping);
        "stop_ends": Vec<f64> = Vec::new(), "m, rad", FINITE, STRUCTURE, "Ends of the range beyond which stops push back; empty for none",
            via (|it: &CoordinateActuator| Some(it.stop_ends()), |it: &mut CoordinateActuator, list: Vec<f64>| it.put_stop_ends(&list)), check CoordinateActuator::check_stops;
        "stop_stiffness": Vec<f64> = Vec::new(), "N/m, N m/rad", NOT_NEGATIVE, STRUCTURE, "Stiffness of the stops below and above the range",
            via (|it: &CoordinateActuator| Some(it.stop_stiffness()), |it: &mut CoordinateActuator, list: Vec<f64>| it.put_stop_stiffness(&list));
        "stop_transition": f64 = 0.0, "m, rad", NOT_NEGATIVE, STRUCTURE, "Way beyond an end of the range over which the stiffness sets in",
            via (|it: &CoordinateActuator| Some(it.spring.stops.map_or(0.0, |stops| stops.transition)), |it: &mut CoordinateActuator, value: f64| it.put_stop_number(|stops, value| stops.transition = value, value));
        "stop_damping": f64 = 0.0, "N s/m, N m s/rad", NOT_NEGATIVE, STRUCTURE, "Damping beyond the range, where the stiffness has set in",
            via (|it: &CoordinateActuator| Some(it.spring.stops.map_or(0.0, |stops| stops.damping)), |it: &mut CoordinateActuator, value: f64| it.put_stop_number(|stops, value| stops.damping = value, value));
        "force": f64 = 0.0, "N, N m", FINITE, NOTHING, "Force or moment on the coordinate, without that of springs and stops", simulated ();
    } }
}
