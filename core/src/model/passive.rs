//! Models on which nothing works: their energy never grows, and growth of it is an error of the steps.

use super::{AxialSpring, Model, MultiPointSpring};
use crate::axial::{AxialLaw, TensionLaw};
use crate::component::{ComponentId, Kind, ROOT};

/// Kinds whose components never work on a model, or not unless a muscle or keyframes do.
const PASSIVE: [Kind; 19] = [
    Kind::RootModel,
    Kind::ComponentList,
    Kind::MechModel,
    Kind::ReferenceList,
    Kind::Particle,
    Kind::RigidBody,
    Kind::FrameMarker,
    Kind::AxialSpring,
    Kind::MultiPointSpring,
    Kind::FrameSpring,
    Kind::FemModel,
    Kind::Attachment,
    Kind::FrameAttachment,
    Kind::WrapSurface,
    Kind::RenderMesh,
    Kind::Sensor,
    Kind::OutputProbe,
    Kind::Waypoint,
    Kind::ControlPanel,
];

impl Model {
    /// True if nothing in it can work but supports that move: neither muscles nor loads nor commands; and if all that is
    /// stored counts as its energy, which is not so of contact, of constraints, and of springs whose force has no potential.
    pub fn is_passive(&self) -> bool {
        let springs = self.iter::<AxialSpring>().map(|(_, it)| &it.material);
        let mut lines = springs.chain(self.iter::<MultiPointSpring>().map(|(_, it)| &it.material));
        // At any length, as all laws have it, or none.
        let stores = |law: &AxialLaw| !law.is_muscle() && law.energy(1.0, 1.0).is_some();
        lines.all(stores) && has_passive_kinds(self, ROOT)
    }
}

/// True if a component and all below it are of passive kinds.
fn has_passive_kinds(model: &Model, id: ComponentId) -> bool {
    PASSIVE.contains(&id.kind()) && model.children(id).all(|child| has_passive_kinds(model, child))
}
