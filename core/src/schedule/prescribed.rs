//! Parts that forces do not move, and whose motion probes prescribe: over each step they go from where they are to where
//! the probe has them at its end, so that dampers, friction and constraints see their velocity. The paths are keyframes of
//! the model.

use super::{Simulation, SimulationError};
use crate::Vec3;
use crate::component::{Address, ComponentId, FemPart, Handle, Invalidates};
use crate::constraint::Pose;
use crate::kinds::{Keyframe, coordinate_index};
use crate::model::{FemModel, Joint, Model, Particle, PointKeyframe, RigidBody};
use crate::property::{PropertyRef, Setting, Value};

/// A part whose motion a probe prescribes.
#[derive(Clone, Copy, Debug)]
enum PrescribedPart {
    Particle(Handle<Particle>),
    Body(Handle<RigidBody>),
    /// Number of the support.
    Nodes(Handle<FemModel>, usize),
    /// Number of the coordinate, which is locked.
    Coordinate(Handle<Joint>, usize),
}

impl PrescribedPart {
    /// The part whose place a property is; `None` for other properties, and for what forces move.
    fn of(model: &Model, property: &PropertyRef) -> Option<Self> {
        let name = property.info().name;
        let id = match property.host() {
            Address::Component(id) => id,
            host => {
                let (fem, part, k) = host.part()?;
                let ours = part == FemPart::Supports && name == "offset";
                return ours.then(|| Some(Self::Nodes(fem.typed()?, k as usize))).flatten();
            }
        };
        let particle = || {
            let it = id.typed::<Particle>()?;
            (model.get(it)?.fixed && name == "position").then_some(Self::Particle(it))
        };
        let body = || {
            let it = id.typed::<RigidBody>()?;
            let ours = !model.get(it)?.dynamic && ["position", "pose"].contains(&name);
            ours.then_some(Self::Body(it))
        };
        let coordinate = || {
            let it = id.typed::<Joint>()?;
            let joint = model.get(it)?;
            let at = coordinate_index(&joint.settings.kind, name)?;
            joint.settings.coordinates[at].locked.then_some(Self::Coordinate(it, at))
        };
        particle().or_else(body).or_else(coordinate)
    }

    fn component(self) -> ComponentId {
        match self {
            Self::Particle(it) => it.id(),
            Self::Body(it) => it.id(),
            Self::Nodes(it, _) => it.id(),
            Self::Coordinate(it, _) => it.id(),
        }
    }
}

/// Means by which a probe prescribes a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// A path: what is on it starts where the path does.
    Path,
    /// The place of a lock.
    Lock,
}

impl Simulation {
    /// Means by which a probe prescribes the property; `None` for what is not prescribed.
    pub(super) fn means_for(&self, property: &PropertyRef) -> Option<Means> {
        PrescribedPart::of(&self.model, property).map(|part| match part {
            PrescribedPart::Particle(_) | PrescribedPart::Body(_) | PrescribedPart::Nodes(..) => {
                Means::Path
            }
            PrescribedPart::Coordinate(..) => Means::Lock,
        })
    }

    /// Prescribes the property, the place of a part, over a step between two times [s], from where it is, or where the first
    /// numbers have it, to where the others have it at its end; `false` for other properties, which are left as they are.
    ///
    /// # Errors
    /// Numbers that make no place; [`SimulationError::Step`] when the device is lost.
    pub(super) fn prescribe(
        &mut self,
        property: &PropertyRef,
        (from, to): (Option<&[f64]>, &[f64]),
        step: [f64; 2],
    ) -> Result<bool, SimulationError> {
        let Some(part) = PrescribedPart::of(&self.model, property) else { return Ok(false) };
        let value = |numbers| Value::from_numbers(property.info().value_type, numbers);
        let (from, Some(to)) = (from.and_then(value), value(to)) else { return Ok(false) };
        for value in from.iter().chain([&to]) {
            self.model.plan_setting(property, &Setting::Explicit(value.clone()))?;
        }
        match (part, to) {
            (PrescribedPart::Particle(it), Value::Vector(to)) => {
                let from = vector_of(from).map_or_else(|| self.position(it), Ok)?;
                self.prescribe_particle(it, [from, to], step)?;
            }
            (PrescribedPart::Body(it), to) => {
                let now = self.pose(it)?;
                let path = [from.unwrap_or(Value::Pose(now)), to].map(|it| pose_of(&it, &now));
                self.prescribe_body(it, path, step)?;
            }
            (PrescribedPart::Nodes(fem, k), Value::Vector(to)) => {
                let support = self.model.get(fem).and_then(|it| it.dirichlet.get(k));
                let now = support.and_then(|it| it.offset_at(step[0]));
                let from = vector_of(from).or(now).unwrap_or_else(Vec3::zeros);
                self.prescribe_nodes(fem, k, [from, to], step)?;
            }
            (PrescribedPart::Coordinate(joint, at), Value::Real(to)) => {
                self.prescribe_coordinate(joint, at, to)?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn prescribe_particle(
        &mut self,
        particle: Handle<Particle>,
        [from, to]: [Vec3; 2],
        [start, end]: [f64; 2],
    ) -> Result<(), SimulationError> {
        let path =
            [(start, from), (end, to)].map(|(time, position)| PointKeyframe { time, position });
        self.put_path(PrescribedPart::Particle(particle), |model| {
            model.data_mut(particle).map(|it| replace(&mut it.keyframes, path))
        })
    }

    fn prescribe_body(
        &mut self,
        body: Handle<RigidBody>,
        [from, to]: [Pose; 2],
        [start, end]: [f64; 2],
    ) -> Result<(), SimulationError> {
        let path = [(start, from), (end, to)].map(|(time, pose)| Keyframe { time, pose });
        self.put_path(PrescribedPart::Body(body), |model| {
            model.data_mut(body).map(|it| replace(&mut it.keyframes, path))
        })
    }

    fn prescribe_nodes(
        &mut self,
        fem: Handle<FemModel>,
        k: usize,
        [from, to]: [Vec3; 2],
        [start, end]: [f64; 2],
    ) -> Result<(), SimulationError> {
        let path =
            [(start, from), (end, to)].map(|(time, position)| PointKeyframe { time, position });
        self.put_path(PrescribedPart::Nodes(fem, k), |model| {
            let support = model.data_mut(fem).and_then(|it| it.dirichlet.get_mut(k));
            support.map(|it| replace(&mut it.keyframes, path))
        })
    }

    /// Puts keyframes into the model. Those that there were are put back on the way to a waypoint before it.
    fn put_path(
        &mut self,
        part: PrescribedPart,
        put: impl FnOnce(&mut Model) -> Option<bool>,
    ) -> Result<(), SimulationError> {
        let host = match part {
            PrescribedPart::Nodes(fem, k) => FemPart::Supports.address(fem.id(), k as u32),
            _ => part.component().into(),
        };
        let keyframes = self.model.property_of(host, "keyframes")?;
        self.written.remember(&self.model, &keyframes)?;
        let as_many = put(&mut self.model).unwrap_or(false);
        // The first path changes what is compiled; others are numbers in it.
        let stale = if as_many { Invalidates::MOTION } else { Invalidates::STRUCTURE };
        self.model.log.push(part.component(), stale);
        Ok(())
    }

    /// Moves the place at which a coordinate is locked; the joint takes what hangs on it along in the step.
    fn prescribe_coordinate(
        &mut self,
        joint: Handle<Joint>,
        at: usize,
        to: f64,
    ) -> Result<(), SimulationError> {
        self.synchronize()?;
        let mut state = self.state()?.clone();
        let known = self.compiled().coordinates_of(joint);
        let place = known.and_then(|range| state.coordinates.get_mut(range)?.get_mut(at));
        let Some(place) = place else { return Ok(()) };
        if *place == to {
            return Ok(());
        }
        *place = to;
        // A state without forces of rows would be put there before the step, without a velocity.
        if state.multipliers.is_empty() {
            state.multipliers = vec![0.0; self.compiled().row_count()];
        }
        self.set_state(&state)
    }
}

fn vector_of(value: Option<Value>) -> Option<Vec3> {
    match value {
        Some(Value::Vector(it)) => Some(it),
        _ => None,
    }
}

/// A pose, or a position with the orientation of now.
fn pose_of(value: &Value, now: &Pose) -> Pose {
    match value {
        Value::Pose(pose) => *pose,
        Value::Vector(origin) => Pose::from_parts((*origin).into(), now.rotation),
        _ => *now,
    }
}

/// Puts a path of two keyframes in the place of another; true where that had as many.
fn replace<T: Clone>(keyframes: &mut Vec<T>, path: [T; 2]) -> bool {
    let as_many = keyframes.len() == path.len();
    keyframes.clear();
    keyframes.extend(path);
    as_many
}
