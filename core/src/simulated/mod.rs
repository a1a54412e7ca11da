//! Properties of a simulation: a model, its compiled form and a state read together. The tables of
//! properties say which there are; here is how each is computed, by families of components.

mod bodies;
mod contacts;
mod joints;
pub(crate) mod receptors;
pub(crate) mod sensors;
mod springs;
mod tissues;
mod totals;
mod view;

#[cfg(test)]
pub(crate) use joints::excitation_given_to;
pub(crate) use joints::{coordinates, frames};
pub use view::Simulated;
use view::{PartReader, Reader};

use crate::component::{Address, FemPart, Kind};
use crate::model::PointRef;
use crate::property::{PropertyError, PropertyRef, Value};

/// Readers of a component that counts in no totals.
const fn own(readers: &'static [Reader]) -> [&'static [Reader]; 2] {
    [readers, &[]]
}

/// Readers of a kind of component: its own, and those of totals.
fn readers_of(kind: Kind) -> [&'static [Reader]; 2] {
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
        Kind::Shell => own(springs::SHELL),
        Kind::Joint => own(joints::JOINT),
        Kind::CustomJoint => own(joints::CUSTOM_JOINT),
        Kind::PointConstrainer => own(joints::POINT_CONSTRAINER),
        Kind::CustomConstrainer => own(joints::CUSTOM_CONSTRAINER),
        Kind::JointCoordinateCoupling => own(joints::COUPLING),
        Kind::CoordinateActuator => own(joints::COORDINATE_ACTUATOR),
        Kind::SegmentedPlane => own(joints::SEGMENTED_PLANE),
        Kind::ClosedVolume => own(joints::CLOSED_VOLUME),
        Kind::Sensor => own(sensors::SENSOR),
        Kind::Collider => own(contacts::COLLIDER),
        Kind::CollisionBehavior => own(contacts::COLLISION_BEHAVIOR),
        Kind::Attachment
        | Kind::BodyLoad
        | Kind::CustomForce
        | Kind::Event
        | Kind::FrameAttachment
        | Kind::FrameLoad
        | Kind::InputProbe
        | Kind::OutputProbe
        | Kind::Waypoint
        | Kind::ControlPanel
        | Kind::MuscleExciter
        | Kind::PointLoad
        | Kind::PropertyController
        | Kind::ReferenceList
        | Kind::RenderMesh
        | Kind::SurfaceLoad
        | Kind::WrapSurface => [&[], &[]],
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

impl Simulated<'_> {
    /// The value of a property now: positions and velocities are those of the state.
    ///
    /// # Errors
    /// As [`Model::get_property`](crate::model::Model::get_property); [`PropertyError::Absent`] for what was not compiled.
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

    /// Present value of a property that the model has of its start: positions and velocities of
    /// particles, markers and bodies, coordinates and errors of joints.
    fn moving(&self, property: &PropertyRef) -> Option<Value> {
        let Address::Component(id) = property.host() else { return None };
        let name = property.info().name;
        let point = match id.kind() {
            Kind::Particle | Kind::FrameMarker => PointRef::at(id.into())?,
            Kind::RigidBody => return bodies::pose_now(self, id.typed()?, name),
            Kind::Joint | Kind::CustomJoint => return joints::joint_now(self, property),
            _ => return None,
        };
        let (position, velocity) = self.motion(point)?;
        match name {
            "position" => Some(Value::Vector(position)),
            "velocity" => Some(Value::Vector(velocity)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{PropertyInfo, PropertyType};

    /// Names and types of the lines of a table that a simulation reads. Values of coordinates are those of the
    /// joint's kind (`joints::joint_now`).
    fn declared(infos: Vec<&'static PropertyInfo>) -> Vec<(&'static str, PropertyType)> {
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
