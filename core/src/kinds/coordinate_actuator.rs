//! Motors: a force or moment on a coordinate of a joint.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use crate::component::{Address, ComponentId, Invalidates, Reference, TransformRefusal};
use crate::kinds::{JointCoordinate, Schedule};
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Put, Refusal, Transformation, properties,
    put_schedule,
};

/// Drives a coordinate of a joint with a force (of a length) or a moment (of an angle): largest force
/// times excitation times schedule; exciters may add to the excitation, which then stays within -1 and 1. It acts on both bodies of the joint, oppositely. Taken at the begin
/// of a step, without derivatives.
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
    /// True if it drives.
    pub enabled: bool,
}

impl CoordinateActuator {
    /// An actuator at rest with a largest force [N or N m].
    pub fn new(of: JointCoordinate, max_force: f64) -> Self {
        let (name, schedule) = (String::new(), Schedule::default());
        Self { name, of, max_force, excitation: 0.0, schedule, enabled: true }
    }

    /// Force or moment at a schedule value of 1 [N or N m].
    pub fn force(&self) -> f64 {
        self.max_force * self.excitation
    }

    fn put_joint(&mut self, to: &[Address]) -> Put {
        let [joint] = to else { return Err(Refusal::Value("it must lead to a joint")) };
        self.of.put_joint(joint)
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
        self.max_force *= transformation.coordinate_factor(&self.of)?.signum();
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_coordinate(model)?;
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
        "force": f64 = 0.0, "N, N m", FINITE, NOTHING, "Force or moment on the coordinate", simulated ();
    } }
}
