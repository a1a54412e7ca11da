//! Contact of a system: shapes on bodies and sets of points, the pairs of them that are looked at,
//! and a behaviour for each pair. Their points of contact are found by `contact`.

use std::collections::BTreeMap;

use crate::contact::{
    Collider, ContactLaw, ContactLayer, ContactPoint, Member, NormalLaw, Pair, PointAreas,
    PointSet, PressureSurface, Shape, Surface,
};

/// Behaviour of a pair where it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBehavior {
    /// Friction, rebound and compliance.
    pub law: ContactLaw,
    /// Overlap that is left as it is [m].
    pub tolerance: f64,
    /// Overlap at which a step is made in parts [m].
    pub limit: f64,
}

/// Everything that may touch. The frame of a collider is the number of its body.
#[derive(Clone, Debug, Default)]
pub struct ContactSetup {
    /// Shapes.
    pub colliders: Vec<Collider>,
    /// Sets of points.
    pub points: Vec<PointSet>,
    /// Surfaces of tissues that touch surfaces.
    pub surfaces: Vec<Surface>,
    /// Pairs that are looked at.
    pub pairs: Vec<Pair>,
    /// Behaviour of each pair.
    pub behaviors: Vec<ContactBehavior>,
    /// Paths of both members of each pair, for messages.
    pub names: Vec<[String; 2]>,
    /// Places of the tissues of both members of each pair; `None` for other members.
    pub tissues: Vec<[Option<u32>; 2]>,
    /// Layers of the tissues of each pair whose compliance is automatic.
    pub layers: Vec<Option<ContactLayer>>,
    /// Surfaces of the tissues that touch anything, by their places: pressures are spread over them.
    pub pressure_surfaces: BTreeMap<u32, PressureSurface>,
    /// Areas of the clouds of vertices that elastic foundations act on, by the numbers of their colliders.
    pub point_areas: BTreeMap<u32, PointAreas>,
}

impl ContactSetup {
    /// The shape of a member that is a collider.
    pub fn shape(&self, member: Member) -> Option<&Shape> {
        match member {
            Member::Collider(number) => Some(&self.colliders[number as usize].shape),
            Member::Points(_) | Member::Surface(_) => None,
        }
    }

    /// True if a coefficient of friction depends on the speed.
    pub fn friction_varies(&self) -> bool {
        self.behaviors.iter().any(|behavior| behavior.law.friction_varies())
    }

    /// True if contacts of a pair pull.
    pub fn adheres(&self) -> bool {
        self.behaviors.iter().any(|behavior| behavior.law.adhesion.pulls())
    }

    /// True if the contacts of a pair push on areas of tissue, which change as it deforms.
    pub fn presses_on_areas(&self, pair: u32) -> bool {
        let by_area = match self.behaviors[pair as usize].law.normal {
            NormalLaw::Automatic
            | NormalLaw::ElasticFoundation
            | NormalLaw::LogarithmicFoundation => true,
            NormalLaw::Linear | NormalLaw::HuntCrossley => false,
        };
        by_area && self.tissues[pair as usize].iter().any(Option::is_some)
    }

    /// True if a contact lies between nodes of a tissue under a law by areas, all of which belongs to these nodes.
    pub(crate) fn is_without_area(&self, contact: &ContactPoint) -> bool {
        let Pair { a, b, .. } = self.pairs[contact.pair as usize];
        let has_nodes = [a, b].iter().any(|member| matches!(member, Member::Points(_)));
        has_nodes && contact.stencil.is_some() && self.presses_on_areas(contact.pair)
    }

    /// Sum of the curvatures of two sides \[1/m\]; 0 where both are flat.
    pub fn curvature(&self, sides: [Member; 2]) -> f64 {
        let [a, b] = sides.map(|member| self.shape(member).map_or(0.0, Shape::curvature));
        a + b
    }
}
