//! What the properties of a simulation are: a model, its compiled form and a state read together. The tables of
//! properties say which there are; here is how each is computed, by families of components.

mod bodies;
mod contacts;
mod joints;
mod springs;
mod tissues;
mod totals;

pub(crate) use joints::{coordinates, frames};

use crate::Vec3;
use crate::component::{Address, ComponentId, FemPart, Kind};
use crate::constraint::FrameMotion;
use crate::force::VelocityTerms;
use crate::model::{FrameSite, Model, PointRef};
use crate::property::{PropertyError, PropertyRef, PropertyType, Value};
use crate::state::{LoadCase, Motion, State};
use crate::system::{CompiledModel, MechSystem};

/// How a property of a component is computed.
struct Reader {
    name: &'static str,
    value_type: PropertyType,
    get: fn(&Simulated<'_>, ComponentId) -> Option<Value>,
}

/// How a property of a part of a tissue is computed.
struct PartReader {
    name: &'static str,
    value_type: PropertyType,
    get: fn(&Simulated<'_>, ComponentId, usize) -> Option<Value>,
}

/// Readers of the components of a type: `"property": Type = function;` of a [`Simulated`] and a handle. With
/// `ComponentId` in the place of a type they are of any kind.
macro_rules! readers {
    ($visible:vis $name:ident: ComponentId { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[super::Reader] = &[$(super::Reader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id| {
                let get: fn(&Simulated<'_>, ComponentId) -> Option<$V> = $get;
                get(s, id).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
    ($visible:vis $name:ident: $T:ty { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[super::Reader] = &[$(super::Reader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id| {
                let get: fn(&Simulated<'_>, crate::component::Handle<$T>) -> Option<$V> = $get;
                get(s, id.typed()?).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
}

/// The same of parts of a tissue: functions of a [`Simulated`], the tissue and the number of the part.
macro_rules! part_readers {
    ($visible:vis $name:ident { $($property:literal: $V:ty = $get:expr;)* }) => {
        $visible static $name: &[super::PartReader] = &[$(super::PartReader {
            name: $property,
            value_type: <$V as crate::property::PropertyValue>::TYPE,
            get: |s, id, k| {
                let get: fn(&Simulated<'_>, Handle<FemModel>, usize) -> Option<$V> = $get;
                get(s, id.typed()?, k).as_ref().map(crate::property::PropertyValue::to_value)
            },
        }),*];
    };
}

use {part_readers, readers};

/// Readers of a kind of component: its own, and those of totals.
fn readers_of(kind: Kind) -> [&'static [Reader]; 2] {
    let own = |readers: &'static [Reader]| [readers, &[]];
    match kind {
        Kind::RootModel => [totals::ROOT_MODEL, totals::TOTALS],
        Kind::MechModel | Kind::ComponentList => [totals::TOTALS, &[]],
        Kind::FemModel => [tissues::FEM_MODEL, totals::TOTALS],
        Kind::Particle => own(bodies::PARTICLE),
        Kind::RigidBody => own(bodies::RIGID_BODY),
        Kind::FrameMarker => own(bodies::FRAME_MARKER),
        Kind::AxialSpring => own(springs::AXIAL_SPRING),
        Kind::MultiPointSpring => own(springs::MULTI_POINT_SPRING),
        Kind::MuscleBundle => own(springs::MUSCLE_BUNDLE),
        Kind::FrameSpring => own(springs::FRAME_SPRING),
        Kind::Joint => own(joints::JOINT),
        Kind::CustomJoint => own(joints::CUSTOM_JOINT),
        Kind::PointConstrainer => own(joints::POINT_CONSTRAINER),
        Kind::CustomConstrainer => own(joints::CUSTOM_CONSTRAINER),
        Kind::JointCoordinateCoupling => own(joints::COUPLING),
        Kind::CoordinateActuator => own(joints::COORDINATE_ACTUATOR),
        Kind::SegmentedPlane => own(joints::SEGMENTED_PLANE),
        Kind::Collider => own(contacts::COLLIDER),
        Kind::CollisionBehavior => own(contacts::COLLISION_BEHAVIOR),
        Kind::Attachment
        | Kind::BodyLoad
        | Kind::CustomForce
        | Kind::FrameAttachment
        | Kind::FrameLoad
        | Kind::MuscleExciter
        | Kind::PointLoad
        | Kind::ReferenceList
        | Kind::RenderMesh
        | Kind::SurfaceLoad => [&[], &[]],
    }
}

/// Readers of the parts of a tissue.
fn readers_of_parts(part: FemPart) -> &'static [PartReader] {
    match part {
        FemPart::Nodes => tissues::NODE,
        FemPart::Elements => tissues::ELEMENT,
        FemPart::Regions | FemPart::Supports => &[],
    }
}

/// A model where it is now.
#[derive(Clone, Copy)]
pub struct Simulated<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its compiled form.
    pub compiled: &'a CompiledModel,
    /// State of the model.
    pub state: &'a State,
}

impl Simulated<'_> {
    /// The value of a property now: positions and velocities are those of the state.
    ///
    /// # Errors
    /// As [`Model::get_property`]; [`PropertyError::Absent`] for what was not compiled.
    pub fn get_property(&self, property: &PropertyRef) -> Result<Value, PropertyError> {
        if !self.model.has_property(property) {
            return Err(self.model.gone(property));
        }
        if let Some(value) = self.moving(property) {
            return Ok(value);
        }
        if !property.info().simulated {
            return self.model.get_property(property);
        }
        let name = property.info().name;
        let value = match (property.host(), property.host().part()) {
            (_, Some((fem, part, k))) => {
                let reader = readers_of_parts(part).iter().find(|reader| reader.name == name);
                reader.and_then(|reader| (reader.get)(self, fem, k as usize))
            }
            (Address::Component(id), None) => {
                let mut readers = readers_of(id.kind()).into_iter().flatten();
                let reader = readers.find(|reader| reader.name == name);
                reader.and_then(|reader| (reader.get)(self, id))
            }
            (_, None) => None,
        };
        let why = "it has none in this state, or is not part of the compiled model";
        value.ok_or_else(|| self.model.absent(property, why))
    }

    /// Writes the [numbers](Value::numbers) of a property now into `numbers`.
    ///
    /// # Errors
    /// As [`Self::get_property`]; [`PropertyError::Count`] where they are fewer or more than there is
    /// room for.
    pub fn get_numbers(
        &self,
        property: &PropertyRef,
        numbers: &mut [f64],
    ) -> Result<(), PropertyError> {
        let value = self.get_property(property)?;
        self.model.copy_numbers(property, &value, numbers)
    }

    /// What a model has of its start, and a simulation of now: places and velocities of particles,
    /// markers and bodies, coordinates and errors of joints.
    fn moving(&self, property: &PropertyRef) -> Option<Value> {
        let Address::Component(id) = property.host() else { return None };
        let name = property.info().name;
        let point = match id.kind() {
            Kind::Particle | Kind::FrameMarker => PointRef::at(id.into())?,
            Kind::RigidBody => return bodies::pose_now(self, id.typed()?, name),
            Kind::Joint => return joints::joint_now(self, id.typed()?, name),
            _ => return None,
        };
        let (position, velocity) = self.motion(point)?;
        match name {
            "position" => Some(Value::Vector(position)),
            "velocity" => Some(Value::Vector(velocity)),
            _ => None,
        }
    }

    /// Row of a point; `None` when it was not compiled.
    pub(crate) fn row(&self, point: PointRef) -> Option<usize> {
        self.compiled.find_row(point)
    }

    /// Position and velocity of a point.
    pub(crate) fn motion(&self, point: PointRef) -> Option<(Vec3, Vec3)> {
        let row = self.row(point)?;
        Some((*self.state.q.get(row)?, *self.state.u.get(row)?))
    }

    /// Mass of a row [kg], whatever that is attached to.
    pub(crate) fn mass(&self, row: usize) -> f64 {
        self.compiled.own_mass(row)
    }

    /// A frame with the motion of its body; `None` when that was not compiled.
    pub(crate) fn frame(&self, site: &FrameSite) -> Option<FrameMotion> {
        let Some(body) = site.body else { return Some(FrameMotion::ground(site.pose)) };
        let (pose, _, angular_velocity) = self.compiled.body_motion(body, self.state)?;
        let row = self.compiled.body_rows(body)?.row as usize;
        let (centre, velocity) = (self.state.q[row], self.state.u[row]);
        Some(FrameMotion { pose: pose * site.pose, centre, velocity, angular_velocity })
    }

    /// Position of a point minus that at rest [m].
    pub(crate) fn displacement(&self, point: PointRef) -> Option<Vec3> {
        Some(self.motion(point)?.0 - self.compiled.rest_positions()[self.row(point)?])
    }

    /// Linear momentum of a point [kg m/s].
    pub(crate) fn momentum(&self, point: PointRef) -> Option<Vec3> {
        Some(self.motion(point)?.1 * self.mass(self.row(point)?))
    }

    /// Energy of motion of a point [J].
    pub(crate) fn kinetic_energy(&self, point: PointRef) -> Option<f64> {
        Some(0.5 * self.mass(self.row(point)?) * self.motion(point)?.1.norm_squared())
    }

    /// All forces by row [N], [N m], without those of supports and constraints; those on attached points
    /// stand at these.
    fn forces(&self) -> Option<Vec<Vec3>> {
        let mut forces = vec![Vec3::zeros(); self.compiled.block_count()];
        let motion = Motion::now(self.state);
        let (load, terms) = (LoadCase::at(self.state.time), VelocityTerms::Included);
        self.compiled.forces(load, motion, terms, &mut forces).ok()?;
        Some(forces)
    }

    /// Sum of the forces on a row and on what follows it, without those of supports and constraints
    /// [N], [N m]; of an attached point, those on itself.
    pub(crate) fn force_at(&self, row: usize) -> Option<Vec3> {
        let mut forces = self.forces()?;
        if !self.compiled.is_attached(row) {
            self.compiled.reduce_forces(self.state, &mut forces);
        }
        Some(forces[row])
    }

    /// Force [N] or moment [N m] of the support of a row: it balances the other ones, those of
    /// constraints over the last step included, along the axes that are fixed.
    pub(crate) fn reaction_at(&self, row: usize) -> Option<Vec3> {
        let fixed = self.compiled.fixed()[row];
        if fixed == [false; 3] {
            return Some(Vec3::zeros());
        }
        let mut forces = self.forces()?;
        self.compiled.add_constraint_forces(0..self.compiled.row_count(), self.state, &mut forces);
        self.compiled.reduce_forces(self.state, &mut forces);
        Some(Vec3::from_fn(|axis, _| if fixed[axis] { -forces[row][axis] } else { 0.0 }))
    }

    /// Sum of the forces on a point but for those of its support and of constraints [N].
    pub(crate) fn force(&self, point: PointRef) -> Option<Vec3> {
        self.force_at(self.row(point)?)
    }

    /// Force of the support of a point [N].
    pub(crate) fn reaction(&self, point: PointRef) -> Option<Vec3> {
        self.reaction_at(self.row(point)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and types of the lines of a table that a simulation reads. Values of coordinates are those of the
    /// joint's kind (`joints::joint_now`).
    fn declared(
        infos: Vec<&'static crate::property::PropertyInfo>,
    ) -> Vec<(&'static str, PropertyType)> {
        let computed = infos.into_iter().filter(|it| it.simulated && it.read_only);
        computed.map(|it| (it.name, it.value_type)).collect()
    }

    #[test]
    fn every_property_of_a_simulation_has_a_reader_of_its_type_and_every_reader_a_property() {
        for kind in Kind::ALL {
            let readers = readers_of(kind).into_iter().flatten();
            let mut read: Vec<_> = readers.map(|it| (it.name, it.value_type)).collect();
            let mut declared = declared(kind.properties());
            read.sort_by_key(|it| it.0);
            declared.sort_by_key(|it| it.0);
            assert_eq!(read, declared, "{}", kind.name());
        }
        for part in FemPart::ALL {
            let readers = readers_of_parts(part).iter();
            let read: Vec<_> = readers.map(|it| (it.name, it.value_type)).collect();
            assert_eq!(read, declared(part.properties()), "{}", part.name());
        }
    }
}
