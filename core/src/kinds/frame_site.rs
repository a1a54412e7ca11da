//! Frames that joints, constraints and springs take hold of: fixed to a body, or to the ground.

use serde::{Deserialize, Serialize};

use crate::component::{Address, ComponentId, Handle, Reference};
use crate::kinds::RigidBody;
use crate::property::{Components, Pose, Put, Refusal};

/// A frame that is fixed to a body, or to the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameSite {
    /// The body; `None` is the ground.
    pub body: Option<Handle<RigidBody>>,
    /// The frame, in that of the body or of the world [m].
    pub pose: Pose,
}

const NO_BODY: Refusal =
    Refusal::Value("it must lead to a rigid body, or be empty, which is the ground");

impl FrameSite {
    /// A frame on the ground.
    pub fn ground(pose: Pose) -> Self {
        Self { body: None, pose }
    }

    /// A frame on a body, in its axes.
    pub fn on(body: Handle<RigidBody>, pose: Pose) -> Self {
        Self { body: Some(body), pose }
    }

    /// The frame at the start, in the world [m]; `None` when its body is not there.
    pub fn world_pose(&self, model: &dyn Components) -> Option<Pose> {
        match self.body {
            None => Some(self.pose),
            Some(body) => Some(model.get(body)?.pose * self.pose),
        }
    }

    /// The body, for properties; nothing for the ground.
    pub(crate) fn addresses(&self) -> Vec<Address> {
        self.body.into_iter().map(Address::from).collect()
    }

    /// Takes the one body of a list, or the ground where it is empty; the numbers of the frame stay.
    pub(crate) fn put(&mut self, to: &[Address]) -> Put {
        self.body = match to {
            [] => None,
            [Address::Component(id)] => Some(id.typed().ok_or(NO_BODY)?),
            _ => return Err(NO_BODY),
        };
        Ok(())
    }

    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Reference)) {
        self.body.iter().for_each(|&body| visit(Reference::hard(body)));
    }

    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        if let Some(body) = &mut self.body {
            body.redirect(map);
        }
    }
}
