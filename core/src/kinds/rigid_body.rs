//! Rigid bodies: bones, and other parts that do not deform.

use serde::{Deserialize, Serialize};

use super::inertia_properties::inertia_table;
use super::rigid_body_state::state_table;
use crate::Vec3;
use crate::component::{Address, Handle, Invalidates, TransformRefusal};
use crate::dynamics::{InertiaError, SpatialInertia};
use crate::geometry::SurfaceMesh;
use crate::kinds::KeyframeInterpolation;
use crate::property::{
    CheckError, Components, ModelComponent, Pose, Problem, PropertyType, Put, Refusal,
    Transformation, Value, properties,
};

/// Source of the inertia of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inertia {
    /// Of the solid inside its surface, at this uniform density [kg/m³].
    Density(f64),
    /// Of the solid inside its surface, at the uniform density that gives this mass [kg].
    Mass(f64),
    /// Given, in the frame of the body.
    Explicit(SpatialInertia),
}

/// A pose that a body which forces do not move has at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Time [s].
    pub time: f64,
    /// Pose of the body, body to world [m].
    pub pose: Pose,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidBody {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// Its frame at the start, body to world [m].
    pub pose: Pose,
    /// Velocity of the origin of its frame at the start, world axes [m/s].
    #[serde(default)]
    pub velocity: Vec3,
    /// Angular velocity at the start, world axes [rad/s].
    #[serde(default)]
    pub angular_velocity: Vec3,
    /// Source of its inertia.
    pub inertia: Inertia,
    /// Its surface, in its frame [m]: for the inertia, and to be drawn.
    #[serde(default)]
    pub mesh: Option<SurfaceMesh>,
    /// True if forces move it; otherwise it goes through its keyframes, or keeps its velocities.
    pub dynamic: bool,
    /// Poses of a body that forces do not move, by rising time; it rests before the first and after the last. None: it
    /// keeps its velocities.
    #[serde(default)]
    pub keyframes: Vec<Keyframe>,
    /// Motion between two keyframes.
    #[serde(default, skip_serializing_if = "KeyframeInterpolation::is_usual")]
    pub keyframe_interpolation: KeyframeInterpolation,
    /// Viscous drag on the velocity of its centre of mass [N s/m]; `None` is that of the mechanical model.
    #[serde(default)]
    pub frame_damping: Option<f64>,
    /// Viscous drag on its angular velocity [N m s/rad]; `None` is that of the mechanical model.
    #[serde(default)]
    pub rotary_damping: Option<f64>,
    /// Drag in proportion to momentum and angular momentum [1/s]; `None` is that of the mechanical model.
    #[serde(default)]
    pub inertial_damping: Option<f64>,
}

impl RigidBody {
    /// A body at rest with its frame on that of the world.
    pub fn new(name: impl Into<String>, inertia: Inertia) -> Self {
        Self {
            name: name.into(),
            pose: Pose::identity(),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            inertia,
            mesh: None,
            dynamic: true,
            keyframes: Vec::new(),
            keyframe_interpolation: KeyframeInterpolation::Linear,
            frame_damping: None,
            rotary_damping: None,
            inertial_damping: None,
        }
    }

    /// The solid inside a closed surface at a density [kg/m³].
    pub fn from_mesh(name: impl Into<String>, mesh: SurfaceMesh, density: f64) -> Self {
        Self { mesh: Some(mesh), ..Self::new(name, Inertia::Density(density)) }
    }

    /// The same somewhere else.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The same, fixed where it is (or prescribed by keyframes, or moving at its velocities).
    pub fn fixed(self) -> Self {
        Self { dynamic: false, ..self }
    }

    /// Its inertia in its frame.
    ///
    /// # Errors
    /// [`InertiaError`] where surface and numbers make none.
    pub fn spatial_inertia(&self) -> Result<SpatialInertia, InertiaError> {
        match (&self.inertia, &self.mesh) {
            (Inertia::Explicit(inertia), _) => Ok(*inertia),
            (Inertia::Density(density), Some(mesh)) => {
                SpatialInertia::from_mesh_density(mesh, *density)
            }
            (Inertia::Mass(mass), Some(mesh)) => SpatialInertia::from_mesh_mass(mesh, *mass),
            (_, None) => Err(InertiaError::NoSurface),
        }
    }
}

/// Rounding of positions over the radius of gyration from which on nothing can be said of contacts and joints [-].
const COARSE: f64 = 1e-3;
/// Numbers of a keyframe in a list: time, position, quaternion i j k w.
const KEYFRAME_SIZE: usize = 8;

impl RigidBody {
    /// Its keyframes as a list for a property.
    fn keyframe_list(&self) -> Vec<f64> {
        let numbers = |k: &Keyframe| {
            let (place, turn) = (k.pose.translation.vector, k.pose.rotation.coords);
            [k.time, place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w]
        };
        self.keyframes.iter().flat_map(numbers).collect()
    }

    /// Takes what such a list says; quaternions are normalized as those of poses are.
    fn put_keyframes(&mut self, list: Vec<f64>) -> Put {
        let (rows, rest) = list.as_chunks::<KEYFRAME_SIZE>();
        let keyframe = |row: &[f64; KEYFRAME_SIZE]| match Value::from_numbers(
            PropertyType::Pose,
            &row[1..],
        )? {
            Value::Pose(pose) => Some(Keyframe { time: row[0], pose }),
            _ => None,
        };
        let keyframes = rows.iter().map(keyframe).collect::<Option<_>>();
        self.keyframes = keyframes.filter(|_| rest.is_empty()).ok_or(Refusal::Value(
            "it must be a time, x y z and a quaternion i j k w for every keyframe",
        ))?;
        Ok(())
    }

    /// A place where positions are finer than the body: they have 53 bits.
    fn check_position(&self) -> Result<(), CheckError> {
        let Ok(inertia) = self.spatial_inertia() else { return Ok(()) };
        let size = (inertia.rotational().trace() / (2.0 * inertia.mass())).sqrt();
        let farthest = self.pose.translation.vector.amax();
        let rounding = f64::EPSILON * farthest;
        match rounding > COARSE * size {
            true => Err(Problem::Remote { farthest, rounding, size }.at("position")),
            false => Ok(()),
        }
    }

    /// Rising times, and poses that are proper.
    fn check_keyframes(&self, _: &dyn Components) -> Result<(), CheckError> {
        let refused = |what, value, must| Err(Problem::Entry { what, value, must }.at("keyframes"));
        let mut before = f64::NEG_INFINITY;
        for Keyframe { time, pose } in &self.keyframes {
            if !time.is_finite() || *time <= before {
                return refused("time", *time, "finite and above the one before it");
            }
            if let Some(&x) = pose.translation.vector.iter().find(|x| !x.is_finite()) {
                return refused("coordinate", x, "finite");
            }
            if !Value::Pose(*pose).is_proper() {
                return Err(Problem::Quaternion.at("keyframes"));
            }
            before = *time;
        }
        Ok(())
    }
}

/// Puts the one body of a list in the place of another, for properties.
pub(super) fn put_body(body: &mut Handle<RigidBody>, to: &[Address]) -> Put {
    let refusal = Refusal::Value("it must lead to a rigid body");
    let [Address::Component(id)] = to else { return Err(refusal) };
    *body = id.typed().ok_or(refusal)?;
    Ok(())
}

/// The surface of a body, if it has one.
fn mesh(model: &dyn Components, body: Handle<RigidBody>) -> Option<&SurfaceMesh> {
    model.get(body)?.mesh.as_ref()
}

fn count(n: usize) -> Option<i64> {
    i64::try_from(n).ok()
}

impl ModelComponent for RigidBody {
    const HOME: Option<&'static str> = Some("rigid_bodies");
    const MOVED: Invalidates = Invalidates::GEOMETRY.and(Invalidates::RENDER);
    const DEFORMED: Invalidates = Self::MOVED.and(Invalidates::STRUCTURE);

    /// It moves and turns with its velocities and keyframes; other maps change its surface and inertia too.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let Some(map) = transformation.map.rigid() else { return self.deform(transformation) };
        let moved = |pose: &Pose| map.pose(pose).ok_or(TransformRefusal::Flattens);
        self.pose = moved(&self.pose)?;
        for keyframe in &mut self.keyframes {
            keyframe.pose = moved(&keyframe.pose)?;
        }
        self.velocity = map.linear * self.velocity;
        self.angular_velocity = map.linear * self.angular_velocity;
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        self.check_inertia(model)?;
        self.check_position()?;
        self.check_keyframes(model)
    }

    properties! { RigidBody {
        "pose": Pose = Pose::identity(), "m, -", FINITE, GEOMETRY, "Its frame: position, then the quaternion i j k w; of a model, that at the start", own (pose);
        "position": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "Origin of its frame; of a model, that at the start", own (pose.translation.vector);
        "orientation": Vec3 = Vec3::zeros(), "rad", FINITE, NOTHING, "Turn of its frame, direction times angle, set by its pose; of a model, that at the start", derived (|model: &dyn Components, b| Some(model.get(b)?.pose.rotation.scaled_axis()));
        "velocity": Vec3 = Vec3::zeros(), "m/s", FINITE, GEOMETRY, "Velocity of the origin of its frame; of a model, that at the start", own (velocity);
        "angular_velocity": Vec3 = Vec3::zeros(), "rad/s", FINITE, GEOMETRY, "Angular velocity, world axes; of a model, that at the start", own (angular_velocity);
        "dynamic": bool = true, "", FINITE, STRUCTURE, "True if forces move it; otherwise it goes through its keyframes, or keeps its velocities", own (dynamic);
        "keyframes": Vec<f64> = Vec::new(), "s, m, -", FINITE, STRUCTURE, "Path of a body that forces do not move: time, position and quaternion i j k w of each keyframe in turn",
            via (|b: &RigidBody| Some(b.keyframe_list()), RigidBody::put_keyframes), check RigidBody::check_keyframes;
        "keyframe_interpolation": KeyframeInterpolation = KeyframeInterpolation::Linear, "", FINITE, STRUCTURE, "Motion between two keyframes: even, or by a cubic spline, with continuous velocities and accelerations", own (keyframe_interpolation);
        ..inertia_table();
        "frame_damping": f64 = 0.0, "N s/m", NOT_NEGATIVE, PARAMETER, "Viscous drag on the velocity of its centre of mass", inheritable (frame_damping);
        "rotary_damping": f64 = 0.0, "N m s/rad", NOT_NEGATIVE, PARAMETER, "Viscous drag on its angular velocity", inheritable (rotary_damping);
        "inertial_damping": f64 = 0.0, "1/s", NOT_NEGATIVE, PARAMETER, "Drag in proportion to its momentum and angular momentum", inheritable (inertial_damping);
        "vertex_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of vertices of its surface", derived (|m: &dyn Components, b| count(mesh(m, b)?.vertices().len()));
        "triangle_count": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of triangles of its surface", derived (|m: &dyn Components, b| count(mesh(m, b)?.triangles().len()));
        "closed": bool = true, "", FINITE, NOTHING, "True if its surface has no open edge", derived (|m: &dyn Components, b| Some(mesh(m, b)?.topology().is_closed()));
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume inside its surface; negative when that is turned inside out", derived (|m: &dyn Components, b| Some(mesh(m, b)?.signed_volume()));
        ..state_table();
    } }
}
