//! Point masses, on which springs and loads act.

use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::component::{
    Address, ComponentId, Handle, Invalidates, MassRule, Reference, TransformRefusal,
};
use crate::kinds::{FemModel, FrameMarker, KeyframeInterpolation};
use crate::property::{
    CheckError, Components, ModelComponent, Problem, Put, Refusal, Transformation, properties,
};

/// A place that a particle which forces do not move has at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointKeyframe {
    /// Time [s].
    pub time: f64,
    /// Position [m].
    pub position: Vec3,
}

/// A point mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Particle {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Position at the start [m].
    pub position: Vec3,
    /// Velocity at the start [m/s].
    pub velocity: Vec3,
    /// Mass [kg], positive.
    pub mass: f64,
    /// True if forces do not move it: it goes through its keyframes, or keeps its velocity.
    pub fixed: bool,
    /// Places of a particle that forces do not move, by rising time; it rests before the first and after the last.
    /// None: it keeps its velocity.
    #[serde(default)]
    pub keyframes: Vec<PointKeyframe>,
    /// Motion between two keyframes.
    #[serde(default, skip_serializing_if = "KeyframeInterpolation::is_usual")]
    pub keyframe_interpolation: KeyframeInterpolation,
    /// Viscous drag: force = -point_damping * velocity [N s/m]; `None` is that of the mechanical
    /// model.
    #[serde(default)]
    pub point_damping: Option<f64>,
}

impl Default for Particle {
    /// 1 kg at rest at the origin.
    fn default() -> Self {
        Self::new(1.0, Vec3::zeros())
    }
}

impl Particle {
    /// A free particle at rest: mass [kg], position [m].
    pub fn new(mass: f64, position: Vec3) -> Self {
        Self {
            name: String::new(),
            position,
            velocity: Vec3::zeros(),
            mass,
            fixed: false,
            keyframes: Vec::new(),
            keyframe_interpolation: KeyframeInterpolation::Linear,
            point_damping: None,
        }
    }

    /// The same, fixed where it is (or prescribed by keyframes, or moving at its velocity).
    pub fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// The same with this velocity at the start [m/s].
    pub fn velocity(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    /// The same, prescribed by keyframes.
    pub fn prescribed(self, keyframes: Vec<PointKeyframe>) -> Self {
        Self { fixed: true, keyframes, ..self }
    }

    /// Its keyframes as a list for a property.
    fn keyframe_list(&self) -> Vec<f64> {
        PointKeyframe::list(&self.keyframes)
    }

    /// Takes what such a list says.
    fn put_keyframes(&mut self, list: Vec<f64>) -> Put {
        self.keyframes = PointKeyframe::of_list(&list)?;
        Ok(())
    }

    fn check_keyframes(&self, _: &dyn Components) -> Result<(), CheckError> {
        check_keyframes(&self.keyframes).map_err(|problem| problem.at("keyframes"))
    }
}

/// Rising times, and finite places.
pub(crate) fn check_keyframes(keyframes: &[PointKeyframe]) -> Result<(), Problem> {
    let refused = |what, value, must| Err(Problem::Entry { what, value, must });
    let mut before = f64::NEG_INFINITY;
    for PointKeyframe { time, position } in keyframes {
        if !time.is_finite() || *time <= before {
            return refused("time", *time, "finite and above the one before it");
        }
        if let Some(&x) = position.iter().find(|x| !x.is_finite()) {
            return refused("coordinate", x, "finite");
        }
        before = *time;
    }
    Ok(())
}

impl PointKeyframe {
    /// Keyframes as a list for a property.
    pub(crate) fn list(keyframes: &[Self]) -> Vec<f64> {
        let numbers = |k: &Self| [k.time, k.position.x, k.position.y, k.position.z];
        keyframes.iter().flat_map(numbers).collect()
    }

    /// Keyframes of such a list.
    pub(crate) fn of_list(list: &[f64]) -> Result<Vec<Self>, Refusal> {
        let (rows, rest) = list.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(Refusal::Value("it must be a time and x y z for every keyframe"));
        }
        let keyframe = |&[time, x, y, z]: &[f64; 4]| Self { time, position: Vec3::new(x, y, z) };
        Ok(rows.iter().map(keyframe).collect())
    }

    /// The place at a time [s]: on the path between keyframes, constant outside of them.
    pub(crate) fn at(keyframes: &[Self], interpolation: KeyframeInterpolation, time: f64) -> Vec3 {
        let curve = |axis: usize| {
            interpolation.curve(keyframes.iter().map(move |it| [it.time, it.position[axis]]))
        };
        if let (Some(x), Some(y), Some(z)) = (curve(0), curve(1), curve(2)) {
            return Vec3::new(x.at(time), y.at(time), z.at(time));
        }
        let after = keyframes.partition_point(|frame| frame.time <= time);
        match (after.checked_sub(1).map(|k| &keyframes[k]), keyframes.get(after)) {
            (Some(from), Some(to)) => {
                let share = (time - from.time) / (to.time - from.time);
                from.position.lerp(&to.position, share)
            }
            (Some(frame), None) | (None, Some(frame)) => frame.position,
            (None, None) => Vec3::zeros(),
        }
    }
}

impl ModelComponent for Particle {
    const HOME: Option<&'static str> = Some("particles");
    const MOVED: Invalidates = Invalidates::GEOMETRY.and(Invalidates::RENDER);
    const DEFORMED: Invalidates = Self::MOVED.and(Invalidates::MASS);

    /// It moves with its velocity and keyframes; its mass changes with the volume of what it stands for.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let map = transformation.map;
        let near = transformation.near(&self.position)?;
        if map.rigid().is_none() && transformation.options.masses == MassRule::Density {
            self.mass *= near.linear.determinant().abs();
        }
        self.position = map.point(&self.position);
        for keyframe in &mut self.keyframes {
            keyframe.position = map.point(&keyframe.position);
        }
        self.velocity = near.linear * self.velocity;
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_keyframes(model)
    }

    properties! { Particle {
        "position": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "Position; of a model, that at the start", own (position);
        "velocity": Vec3 = Vec3::zeros(), "m/s", FINITE, GEOMETRY, "Velocity; of a model, that at the start", own (velocity);
        "mass": f64 = 1.0, "kg", POSITIVE, MASS, "Mass", own (mass);
        "dynamic": bool = true, "", FINITE, STRUCTURE, "True if forces move it; otherwise it goes through its keyframes, or keeps its velocity",
            via (|p: &Particle| Some(!p.fixed), |p: &mut Particle, dynamic: bool| -> Put { p.fixed = !dynamic; Ok(()) });
        "keyframes": Vec<f64> = Vec::new(), "s, m", FINITE, STRUCTURE, "Path of a particle that forces do not move: time and position of each keyframe in turn",
            via (|p: &Particle| Some(p.keyframe_list()), Particle::put_keyframes), check Particle::check_keyframes;
        "keyframe_interpolation": KeyframeInterpolation = KeyframeInterpolation::Linear, "", FINITE, STRUCTURE, "Motion between two keyframes: even, or by a cubic spline, with continuous velocities and accelerations", own (keyframe_interpolation);
        "point_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag", inheritable (point_damping);
        "displacement": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position now minus that at the start", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of all forces on it, support left out; computes all forces of the model", simulated ();
        "reaction": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force of its support over the last step, with that which changes the momentum of what is prescribed; computes all forces of the model", simulated ();
        "momentum": Vec3 = Vec3::zeros(), "kg m/s", FINITE, NOTHING, "Linear momentum", simulated ();
        "kinetic_energy": f64 = 0.0, "J", FINITE, NOTHING, "Energy of motion", simulated ();
    } }
}

const NO_POINT: Refusal =
    Refusal::Value("it must lead to a particle, a frame marker, or a node of a tissue");

const NO_POINTS: Refusal =
    Refusal::Value("they must lead to particles, frame markers, or nodes of a tissue");

/// A point that springs and loads act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointRef {
    /// A particle.
    Particle(Handle<Particle>),
    /// A node of a soft tissue: which one, and the node's index in its mesh.
    FemNode(Handle<FemModel>, u32),
    /// A point fixed to a rigid body.
    Marker(Handle<FrameMarker>),
}

impl PointRef {
    /// The component that the point is, or belongs to.
    pub fn component(self) -> ComponentId {
        match self {
            Self::Particle(particle) => particle.id(),
            Self::FemNode(fem, _) => fem.id(),
            Self::Marker(marker) => marker.id(),
        }
    }

    /// The same as an address.
    pub fn address(self) -> Address {
        match self {
            Self::Particle(particle) => particle.into(),
            Self::FemNode(fem, node) => Address::Node(fem.id(), node),
            Self::Marker(marker) => marker.into(),
        }
    }

    /// The point at an address; `None` when there is something else.
    pub fn at(address: Address) -> Option<Self> {
        match address {
            Address::Component(id) => {
                id.typed().map(Self::Particle).or_else(|| id.typed().map(Self::Marker))
            }
            Address::Node(fem, node) => Some(Self::FemNode(fem.typed()?, node)),
            Address::Part(..)
            | Address::Element(..)
            | Address::Region(..)
            | Address::Support(..) => None,
        }
    }

    /// Puts the one point of a list in the place of this one, for properties.
    pub(crate) fn put(&mut self, to: &[Address]) -> Put {
        match to {
            [only] => *self = Self::at(*only).ok_or(NO_POINT)?,
            _ => return Err(NO_POINT),
        }
        Ok(())
    }

    /// Puts the points of a list in the place of these.
    pub(crate) fn put_all(points: &mut Vec<Self>, to: &[Address]) -> Put {
        *points = to.iter().map(|&at| Self::at(at)).collect::<Option<_>>().ok_or(NO_POINTS)?;
        Ok(())
    }

    pub(crate) fn reference(self) -> Reference {
        Reference::hard(self.component())
    }

    /// Follows the component to where `map` says.
    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        let Some(id) = map(self.component()) else { return };
        match self {
            Self::Particle(particle) => *particle = id.typed().unwrap_or(*particle),
            Self::FemNode(fem, _) => *fem = id.typed().unwrap_or(*fem),
            Self::Marker(marker) => *marker = id.typed().unwrap_or(*marker),
        }
    }
}

impl From<Handle<Particle>> for PointRef {
    fn from(particle: Handle<Particle>) -> Self {
        Self::Particle(particle)
    }
}

impl From<(Handle<FemModel>, u32)> for PointRef {
    fn from((fem, node): (Handle<FemModel>, u32)) -> Self {
        Self::FemNode(fem, node)
    }
}

impl From<Handle<FrameMarker>> for PointRef {
    fn from(marker: Handle<FrameMarker>) -> Self {
        Self::Marker(marker)
    }
}
