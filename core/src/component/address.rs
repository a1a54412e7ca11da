//! Addresses: a component, or a node, element, region or support of a tissue, which are no components
//! of their own. From paths to addresses and back: `model/paths.rs`.

use serde::{Deserialize, Serialize};

use crate::component::ComponentId;

/// Target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Address {
    /// A component.
    Component(ComponentId),
    /// All nodes of a tissue, or all its elements, regions or supports.
    Part(ComponentId, FemPart),
    /// A node of a tissue, by its index in the mesh.
    Node(ComponentId, u32),
    /// An element of a tissue, by its index in the mesh.
    Element(ComponentId, u32),
    /// A region of a tissue, by its place in the list.
    Region(ComponentId, u32),
    /// A support of a tissue, by its place in the list.
    Support(ComponentId, u32),
}

/// Kinds of parts of a tissue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FemPart {
    /// Nodes.
    Nodes,
    /// Elements.
    Elements,
    /// Elements with a material of their own.
    Regions,
    /// Nodes that are fixed or prescribed.
    Supports,
}

impl FemPart {
    pub(crate) const NAMES: [(&'static str, Self); 4] = [
        ("nodes", Self::Nodes),
        ("elements", Self::Elements),
        ("regions", Self::Regions),
        ("supports", Self::Supports),
    ];

    /// All of them, in the order of their numbers in paths.
    pub const ALL: [Self; 4] = [Self::Nodes, Self::Elements, Self::Regions, Self::Supports];

    /// Name in paths.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Elements => "elements",
            Self::Regions => "regions",
            Self::Supports => "supports",
        }
    }

    /// Number `k` of these.
    pub fn address(self, fem: impl Into<ComponentId>, k: u32) -> Address {
        let fem = fem.into();
        match self {
            Self::Nodes => Address::Node(fem, k),
            Self::Elements => Address::Element(fem, k),
            Self::Regions => Address::Region(fem, k),
            Self::Supports => Address::Support(fem, k),
        }
    }
}

impl Address {
    /// The component: that of a part of a tissue is the tissue.
    pub fn component(self) -> ComponentId {
        match self {
            Self::Component(id) => id,
            Self::Part(fem, _)
            | Self::Node(fem, _)
            | Self::Element(fem, _)
            | Self::Region(fem, _)
            | Self::Support(fem, _) => fem,
        }
    }

    /// The same of another component of the kind.
    pub(crate) fn on(self, id: ComponentId) -> Self {
        match self {
            Self::Component(_) => Self::Component(id),
            Self::Part(_, part) => Self::Part(id, part),
            Self::Node(_, k) => Self::Node(id, k),
            Self::Element(_, k) => Self::Element(id, k),
            Self::Region(_, k) => Self::Region(id, k),
            Self::Support(_, k) => Self::Support(id, k),
        }
    }

    /// Of one of the many parts of a tissue: the tissue, which part, and its number.
    pub fn part(self) -> Option<(ComponentId, FemPart, u32)> {
        match self {
            Self::Component(_) | Self::Part(..) => None,
            Self::Node(fem, k) => Some((fem, FemPart::Nodes, k)),
            Self::Element(fem, k) => Some((fem, FemPart::Elements, k)),
            Self::Region(fem, k) => Some((fem, FemPart::Regions, k)),
            Self::Support(fem, k) => Some((fem, FemPart::Supports, k)),
        }
    }
}

impl<T: Into<ComponentId>> From<T> for Address {
    fn from(id: T) -> Self {
        Self::Component(id.into())
    }
}
