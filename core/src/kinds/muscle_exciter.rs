//! One excitation for a group of muscles and actuators, each with a gain.

use serde::{Deserialize, Serialize};

use super::checks::check_schedule;
use crate::component::{Address, ComponentId, Kind, Reference};
use crate::kinds::Schedule;
use crate::property::{
    CheckError, Components, ModelComponent, Paths, Problem, Put, Refusal, properties, put_schedule,
};

/// A muscle, an actuator or another exciter, and how much of the excitation it gets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excited {
    /// An axial spring, a multi-point spring, a bundle of a tissue, an actuator of a coordinate or another
    /// exciter.
    pub target: ComponentId,
    /// Factor [-].
    pub gain: f64,
}

/// Adds its excitation of the moment, times a gain each, to that of the muscles of a group. What a
/// muscle gets in the end, its own excitation included, is kept within 0 and 1, what an actuator gets within -1
/// and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MuscleExciter {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Excitation at a schedule value of 1 [-], 0 to 1.
    pub excitation: f64,
    /// Its time course.
    #[serde(default)]
    pub schedule: Schedule,
    /// Springs, muscles, actuators and exciters that it drives.
    pub targets: Vec<Excited>,
}

impl MuscleExciter {
    /// An exciter at rest that drives these with a gain of 1.
    pub fn new(
        name: impl Into<String>,
        targets: impl IntoIterator<Item = impl Into<ComponentId>>,
    ) -> Self {
        let whole = |target: ComponentId| Excited { target, gain: 1.0 };
        let targets = targets.into_iter().map(|target| whole(target.into())).collect();
        Self { name: name.into(), excitation: 0.0, schedule: Schedule::default(), targets }
    }
}

const NOT_EXCITED: Refusal =
    Refusal::Value("they must lead to springs, muscles, actuators or exciters");

/// True if components of a kind can be excited.
fn is_excited(kind: Kind) -> bool {
    let muscle = matches!(kind, Kind::AxialSpring | Kind::MultiPointSpring | Kind::MuscleBundle);
    muscle || matches!(kind, Kind::CoordinateActuator | Kind::MuscleExciter)
}

impl MuscleExciter {
    /// Drives those of a list; those that it drives already keep their gains, others get a gain of 1.
    fn put(&mut self, to: &[Address]) -> Put {
        let target = |at: &Address| match at {
            Address::Component(id) if is_excited(id.kind()) => Ok(*id),
            _ => Err(NOT_EXCITED),
        };
        let targets: Vec<ComponentId> = to.iter().map(target).collect::<Result<_, _>>()?;
        let mut before = std::mem::take(&mut self.targets);
        let excited = |target| match before.iter().position(|it| it.target == target) {
            // One that is named twice has two gains.
            Some(known) => before.remove(known),
            None => Excited { target, gain: 1.0 },
        };
        self.targets = targets.into_iter().map(excited).collect();
        Ok(())
    }

    fn put_gains(&mut self, gains: &[f64]) -> Put {
        if gains.len() != self.targets.len() {
            return Err(Refusal::Value("it must be one gain for each of its targets"));
        }
        self.targets.iter_mut().zip(gains).for_each(|(excited, &gain)| excited.gain = gain);
        Ok(())
    }

    /// Targets are there and can be excited, gains are finite. That no exciter drives itself is looked
    /// at by the model.
    fn check_targets(&self, model: &dyn Components) -> Result<(), CheckError> {
        for &Excited { target, gain } in &self.targets {
            let path = || model.path(target);
            if !model.contains(target) {
                return Err(Problem::Missing(path()).at("targets"));
            }
            if !is_excited(target.kind()) {
                let must = "a spring, a muscle, an actuator or an exciter";
                return Err(Problem::Unfit { target: path(), must }.at("targets"));
            }
            if !gain.is_finite() {
                let (what, must) = ("gain", "finite");
                return Err(Problem::Entry { what, value: gain, must }.at("gains"));
            }
        }
        Ok(())
    }

    fn check_schedule(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_schedule(&self.schedule).map_err(|problem| problem.at("schedule"))
    }
}

impl ModelComponent for MuscleExciter {
    const HOME: Option<&'static str> = Some("exciters");

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        self.targets.iter().for_each(|excited| visit(Reference::soft(excited.target)));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        let follow = |excited: &Excited| Some(Excited { target: map(excited.target)?, ..*excited });
        self.targets = self.targets.iter().filter_map(follow).collect();
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_targets(model)?;
        self.check_schedule(model)
    }

    properties! { MuscleExciter {
        "excitation": f64 = 0.0, "-", UNIT, PARAMETER, "Excitation at a schedule value of 1", own (excitation);
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, PARAMETER, "Time course: one factor, or times and factors in turn",
            via (|it: &MuscleExciter| Some(it.schedule.to_list()), |it: &mut MuscleExciter, list: Vec<f64>| put_schedule(&mut it.schedule, &list)), check MuscleExciter::check_schedule;
        "targets": Paths = Paths::default(), "", FINITE, STRUCTURE, "Targets: springs, multi-point springs, muscle bundles, actuators of coordinates or other exciters; new ones get a gain of 1",
            reference (|it| it.targets.iter().map(|excited| excited.target.into()).collect(), |it, to| it.put(to)), check MuscleExciter::check_targets;
        "gains": Vec<f64> = Vec::new(), "-", FINITE, PARAMETER, "Share of the excitation that each of its targets gets",
            via (|it: &MuscleExciter| Some(it.targets.iter().map(|excited| excited.gain).collect()), |it: &mut MuscleExciter, gains: Vec<f64>| it.put_gains(&gains)), check MuscleExciter::check_targets;
        "size": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of targets", derived (|model: &dyn Components, it| i64::try_from(model.get(it)?.targets.len()).ok());
    } }
}
