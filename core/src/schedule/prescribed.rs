//! Parts that forces do not move, and whose motion probes prescribe: over each step they go from where they are to where
//! the probe has them at its end, so that dampers, friction and constraints see their velocity. The paths are keyframes of
//! the model: the two ends where the probe has no more, and six points of a polynomial where it is a curve.

use super::{Simulation, SimulationError};
use crate::Vec3;
use crate::component::{Address, ComponentId, FemPart, Handle, Invalidates};
use crate::constraint::Pose;
use crate::kinds::{CoordinateKeyframe, Keyframe, KeyframeInterpolation};
use crate::model::{FemModel, Model, Particle, PointKeyframe, RigidBody};
use crate::property::{PropertyRef, Setting, Value};
use crate::system::MechSystem;

/// A part whose motion a probe prescribes.
#[derive(Clone, Copy, Debug)]
enum PrescribedPart {
    Particle(Handle<Particle>),
    Body(Handle<RigidBody>),
    /// Number of the support.
    Nodes(Handle<FemModel>, usize),
    /// Joint and number of the coordinate, which is locked.
    Coordinate(ComponentId, usize),
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
            let (joint, at) = model.coordinate_of(property)?;
            let locked = model.joint(joint)?.coordinates.get(at)?.locked;
            locked.then_some(Self::Coordinate(joint, at))
        };
        particle().or_else(body).or_else(coordinate)
    }

    /// Beginning of the names of its properties.
    fn prefix(self, model: &Model) -> String {
        match self {
            Self::Particle(_) | Self::Body(_) | Self::Nodes(..) => String::new(),
            Self::Coordinate(joint, at) => {
                let joint = model.joint(joint);
                let spec = joint.as_ref().and_then(|it| it.law.coordinate_specs().get(at));
                spec.map_or_else(String::new, |spec| format!("coordinate.{}.", spec.name))
            }
        }
    }

    fn component(self) -> ComponentId {
        match self {
            Self::Particle(it) => it.id(),
            Self::Body(it) => it.id(),
            Self::Nodes(it, _) => it.id(),
            Self::Coordinate(it, _) => it,
        }
    }
}

/// Times within a step at which a curve is looked at.
pub(super) const INNER: usize = 4;

/// Share of a step that has gone by at inner time number `k`.
pub(super) fn inner_share(k: usize) -> f64 {
    (k + 1) as f64 / (INNER + 1) as f64
}

/// Values of a property over a step.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    /// At its start; `None` for those of now.
    pub(super) start: Option<&'a [f64]>,
    /// At its inner times; `None` where it is no curve.
    pub(super) inner: Option<[&'a [f64]; INNER]>,
    pub(super) end: &'a [f64],
}

/// The same as values of the property.
struct Values {
    /// Its start and end [s].
    step: [f64; 2],
    start: Option<Value>,
    inner: Option<[Value; INNER]>,
    end: Value,
}

impl Values {
    /// Those of the numbers of a property; `None` where they make none at the end.
    fn of(property: &PropertyRef, way: Way<'_>, step: [f64; 2]) -> Option<Self> {
        let value = |numbers| Value::from_numbers(property.info().value_type, numbers);
        let inner = match way.inner.map(|all| all.map(value)) {
            Some([Some(a), Some(b), Some(c), Some(d)]) => Some([a, b, c, d]),
            _ => None,
        };
        Some(Self { step, start: way.start.and_then(value), inner, end: value(way.end)? })
    }

    fn all(&self) -> impl Iterator<Item = &Value> {
        self.start.iter().chain(self.inner.iter().flatten()).chain([&self.end])
    }

    /// Places of these values; the first is that of now where they have none.
    fn path<P>(&self, now: P, place: impl Fn(&Value) -> P) -> Path<P> {
        let start = self.start.as_ref().map_or(now, &place);
        let inner = self.inner.as_ref().map(|all| all.each_ref().map(&place));
        Path { step: self.step, start, inner, end: place(&self.end) }
    }
}

/// Times [s] and places of a path over a step: its start, its inner points, none or all, its end.
struct Path<P> {
    step: [f64; 2],
    start: P,
    inner: Option<[P; INNER]>,
    end: P,
}

impl<P> Path<P> {
    /// Puts the path in the place of keyframes; true where there were as many, in the same interpolation.
    fn put<K>(
        self,
        (keyframes, interpolation): (&mut Vec<K>, &mut KeyframeInterpolation),
        keyframe: impl Fn(f64, P) -> K,
    ) -> bool {
        let [start, end] = self.step;
        let kind = match self.inner {
            Some(_) => KeyframeInterpolation::Polynomial,
            None => KeyframeInterpolation::Linear,
        };
        let before = (keyframes.len(), *interpolation);
        keyframes.clear();
        keyframes.push(keyframe(start, self.start));
        for (k, place) in self.inner.into_iter().flatten().enumerate() {
            keyframes.push(keyframe(start + (end - start) * inner_share(k), place));
        }
        keyframes.push(keyframe(end, self.end));
        *interpolation = kind;
        before == (keyframes.len(), kind)
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

    /// Prescribes the property, the place of a part, over a step between two times [s], from where it is, or where the values
    /// have it at the start, to where they have it at its end; `false` for other properties, which are left as they are.
    ///
    /// # Errors
    /// Numbers that make no place; [`SimulationError::Step`] when the device is lost.
    pub(super) fn prescribe(
        &mut self,
        property: &PropertyRef,
        way: Way<'_>,
        step: [f64; 2],
    ) -> Result<bool, SimulationError> {
        let Some(part) = PrescribedPart::of(&self.model, property) else { return Ok(false) };
        let Some(values) = Values::of(property, way, step) else { return Ok(false) };
        for value in values.all() {
            self.model.plan_setting(property, &Setting::Explicit(value.clone()))?;
        }
        match part {
            PrescribedPart::Particle(it) => {
                let now = self.position(it)?;
                self.prescribe_particle(it, values.path(now, vector_of))?;
            }
            PrescribedPart::Body(it) => {
                let now = self.pose(it)?;
                self.prescribe_body(it, values.path(now, |value| pose_of(value, &now)))?;
            }
            PrescribedPart::Nodes(fem, k) => {
                let support = self.model.get(fem).and_then(|it| it.dirichlet.get(k));
                let now = support.and_then(|it| it.offset_at(step[0]));
                let path = values.path(now.unwrap_or_else(Vec3::zeros), vector_of);
                self.prescribe_nodes(fem, k, path)?;
            }
            PrescribedPart::Coordinate(joint, at) => {
                let known = self.compiled().coordinates_of(joint).map(|range| range.start + at);
                let now = known.and_then(|k| self.state().ok()?.coordinates.get(k).copied());
                let path = values.path(now.unwrap_or(number_of(&values.end)), number_of);
                self.prescribe_coordinate(joint, at, path)?;
            }
        }
        Ok(true)
    }

    fn prescribe_particle(
        &mut self,
        particle: Handle<Particle>,
        path: Path<Vec3>,
    ) -> Result<(), SimulationError> {
        self.put_path(PrescribedPart::Particle(particle), |model| {
            let it = model.data_mut(particle)?;
            let into = (&mut it.keyframes, &mut it.keyframe_interpolation);
            Some(path.put(into, |time, position| PointKeyframe { time, position }))
        })
    }

    fn prescribe_body(
        &mut self,
        body: Handle<RigidBody>,
        path: Path<Pose>,
    ) -> Result<(), SimulationError> {
        self.put_path(PrescribedPart::Body(body), |model| {
            let it = model.data_mut(body)?;
            let into = (&mut it.keyframes, &mut it.keyframe_interpolation);
            Some(path.put(into, |time, pose| Keyframe { time, pose }))
        })
    }

    fn prescribe_nodes(
        &mut self,
        fem: Handle<FemModel>,
        k: usize,
        path: Path<Vec3>,
    ) -> Result<(), SimulationError> {
        self.put_path(PrescribedPart::Nodes(fem, k), |model| {
            let it = model.data_mut(fem)?.dirichlet.get_mut(k)?;
            let into = (&mut it.keyframes, &mut it.keyframe_interpolation);
            Some(path.put(into, |time, position| PointKeyframe { time, position }))
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
        let prefix = part.prefix(&self.model);
        for name in ["keyframes", "keyframe_interpolation"] {
            let property = self.model.property_of(host, &format!("{prefix}{name}"))?;
            self.written.remember(&self.model, &property)?;
        }
        let as_many = put(&mut self.model).unwrap_or(false);
        // The first path changes what is compiled; others are numbers in it.
        let stale = if as_many { Invalidates::MOTION } else { Invalidates::STRUCTURE };
        self.model.log.push(part.component(), stale);
        Ok(())
    }

    fn prescribe_coordinate(
        &mut self,
        joint: ComponentId,
        at: usize,
        path: Path<f64>,
    ) -> Result<(), SimulationError> {
        self.put_path(PrescribedPart::Coordinate(joint, at), |model| {
            let it = model.coordinate_mut((joint, at))?;
            let into = (&mut it.keyframes, &mut it.keyframe_interpolation);
            Some(path.put(into, |time, value| CoordinateKeyframe { time, value }))
        })
    }

    /// Moves what hangs on joints whose locks go along paths to where these are now, before the first step.
    pub(super) fn place_coordinates(&mut self) -> Result<(), SimulationError> {
        self.synchronize()?;
        let time = self.time();
        let Some(multibody) = self.compiled().multibody() else { return Ok(()) };
        let mut places = Vec::new();
        for path in &multibody.joints.paths {
            let owner = multibody.joints.places.iter().find_map(|(id, &place)| {
                let joint = &multibody.joints.placed[place];
                let at = path.coordinate.checked_sub(joint.first as usize)?;
                (at < joint.start.len()).then_some((*id, at))
            });
            places.extend(owner.map(|(joint, at)| (joint, at, path.course.at(time))));
        }
        for (joint, at, value) in places {
            let name = PrescribedPart::Coordinate(joint, at).prefix(&self.model);
            let property = self.model.property_of(joint, &format!("{name}value"))?;
            self.feed(&property, &[value])?;
        }
        Ok(())
    }
}

fn vector_of(value: &Value) -> Vec3 {
    match value {
        Value::Vector(it) => *it,
        _ => Vec3::zeros(),
    }
}

fn number_of(value: &Value) -> f64 {
    match value {
        Value::Real(it) => *it,
        _ => 0.0,
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
