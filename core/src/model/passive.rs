//! Models on which nothing works: their energy never grows, and growth of it is an error of the steps.

use super::{AxialSpring, Model, MultiPointSpring};
use crate::axial::{AxialLaw, TensionLaw};
use crate::component::Kind;
use crate::fem::ElementKind;
use crate::kinds::FemModel;
use crate::material::MaterialSpec;

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
        let has_none = |kind: &Kind| PASSIVE.contains(kind) || self.store.count(*kind) == 0;
        Kind::ALL.iter().all(has_none) && lines.all(stores)
    }

    /// True if energy that its linearized steps create is to be looked for: where it [is passive](Self::is_passive), and not all of it
    /// is tissue that creates none.
    pub(crate) fn may_create_energy(&self) -> bool {
        let mut tissues = self.iter::<FemModel>();
        !tissues.all(|(_, fem)| fem.keeps_energy()) && self.is_passive()
    }
}

impl FemModel {
    /// True if a linearized step of backward Euler cannot create energy worth the name: of tetrahedra of constant strain whose law is
    /// linear but for a rotation the matrix has no negative eigenvalue, and its forces have a potential.
    fn keeps_energy(&self) -> bool {
        let is_linear = |law: &MaterialSpec| {
            matches!(law, MaterialSpec::Linear(_) | MaterialSpec::Corotated(_))
        };
        let mut elements = (0..self.mesh.element_count()).map(|e| self.mesh.element(e).0);
        is_linear(&self.material)
            && self.regions.iter().all(|region| is_linear(&region.material))
            && elements.all(|kind| kind == ElementKind::Tet4)
    }
}
