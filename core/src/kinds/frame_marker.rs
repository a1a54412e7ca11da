//! Points fixed to rigid bodies: where muscles, loads and constraints take hold.

use serde::{Deserialize, Serialize};

use super::rigid_body::put_body;
use crate::Vec3;
use crate::component::{ComponentId, Handle, Invalidates, Reference, TransformRefusal};
use crate::kinds::RigidBody;
use crate::property::{
    CheckError, Components, ModelComponent, OnePath, Transformation, properties,
};

/// A point fixed to a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameMarker {
    /// Name in paths and reports; may be empty.
    pub name: String,
    /// The body.
    pub body: Handle<RigidBody>,
    /// Position in the frame of the body [m].
    pub location: Vec3,
}

impl FrameMarker {
    /// A point of a body, in its frame [m].
    pub fn new(body: Handle<RigidBody>, location: Vec3) -> Self {
        Self { name: String::new(), body, location }
    }

    /// Position at the start, in the world [m]; `None` when its body is not there.
    pub fn position(&self, model: &dyn Components) -> Option<Vec3> {
        Some(model.get(self.body)?.pose.transform_point(&self.location.into()).coords)
    }
}

impl ModelComponent for FrameMarker {
    const HOME: Option<&'static str> = Some("frame_markers");
    const DEFORMED: Invalidates = Invalidates::GEOMETRY;

    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        visit(Reference::hard(self.body));
    }

    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        self.body.redirect(map);
    }

    /// It keeps its place in a body that is deformed.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        self.location = transformation.place_on(self.body, &self.location)?;
        Ok(())
    }

    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        model.check_body("body", Some(self.body))
    }

    properties! { FrameMarker {
        "body": OnePath = OnePath::default(), "", FINITE, STRUCTURE, "The rigid body that it is fixed to",
            reference (|marker| vec![marker.body.into()], |marker, to| put_body(&mut marker.body, to));
        "location": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "Position in the frame of its body", own (location);
        "position": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position; of a model, that at the start", derived (|model: &dyn Components, marker| model.get(marker)?.position(model));
        "velocity": Vec3 = Vec3::zeros(), "m/s", FINITE, NOTHING, "Velocity", simulated ();
        "displacement": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position now minus that at the start", simulated ();
    } }
}
