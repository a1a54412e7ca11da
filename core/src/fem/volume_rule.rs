//! Rules that keep elements from locking where their material hardly changes its volume: the
//! request of a tissue, and the rule for a kind of element and a law (docs/reference/elements.md,
//! "Volume").

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ElementKind;
use crate::material::MaterialSpec;

/// Ways to keep elements that hardly change their volume from locking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Incompressible {
    /// As fits each kind of element, where the law of the element is nearly incompressible; not at all elsewhere.
    #[default]
    Auto,
    /// Not at all: the volume counts at every quadrature point.
    Off,
    /// Pressures of each element.
    Element,
    /// Pressures of the nodes.
    Nodal,
    /// The volume at the centre of each element.
    Fbar,
}

/// Points at which elements of one kind look at their volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VolumeRule {
    /// At every quadrature point.
    Points,
    /// Projected on a constant (1), or on a constant and the three coordinates (4), in each element.
    Element {
        /// Pressures of an element.
        pressures: usize,
    },
    /// Averaged over the elements of one kind and one material around each node.
    Nodal,
    /// At the centre of each element.
    Centre,
}

/// Modulus of the volume over shear modulus from which on [`Incompressible::Auto`] acts: a Poisson's ratio of 0.495.
const NEARLY_INCOMPRESSIBLE: f64 = 98.0;

impl Incompressible {
    /// Rule of elements of a kind and a law.
    ///
    /// # Errors
    /// What the law or the kind would have to be.
    pub fn rule(self, kind: ElementKind, law: &MaterialSpec) -> Result<VolumeRule, &'static str> {
        let ratio = law.bulk_over_shear();
        let element = VolumeRule::Element { pressures: pressures_of(kind) };
        match (self, ratio) {
            (Self::Off, _) | (Self::Auto, None) => Ok(VolumeRule::Points),
            (Self::Auto, Some(ratio)) if ratio < NEARLY_INCOMPRESSIBLE => Ok(VolumeRule::Points),
            (Self::Auto, Some(_)) if locks_with_own_pressure(kind) => Ok(VolumeRule::Nodal),
            (Self::Auto, Some(_)) => Ok(element),
            (Self::Element | Self::Nodal | Self::Fbar, None) => {
                Err("auto or off: the law has no energy of the volume alone")
            }
            (Self::Element, Some(_)) => Ok(element),
            (Self::Nodal | Self::Fbar, Some(_)) if kind.is_quadratic() => {
                Err("auto, off or element: the tissue has quadratic elements")
            }
            (Self::Nodal, Some(_)) => Ok(VolumeRule::Nodal),
            (Self::Fbar, Some(_)) => Ok(VolumeRule::Centre),
        }
    }
}

/// True if elements of a kind lock with a pressure each: there are more of them than nodes can follow.
fn locks_with_own_pressure(kind: ElementKind) -> bool {
    matches!(kind, ElementKind::Tet4 | ElementKind::Wedge6 | ElementKind::Pyramid5)
}

/// Pressures of an element of a kind; docs/reference/elements.md has the inf-sup numbers that they were chosen by.
fn pressures_of(kind: ElementKind) -> usize {
    match kind {
        ElementKind::Tet4
        | ElementKind::Hex8
        | ElementKind::Wedge6
        | ElementKind::Pyramid5
        | ElementKind::Tet10
        | ElementKind::Pyramid13 => 1,
        ElementKind::Hex20 | ElementKind::Wedge15 => 4,
    }
}

impl fmt::Display for VolumeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Points => "volume at every quadrature point",
            Self::Element { pressures: 1 } => "one pressure an element",
            Self::Element { .. } => "four pressures an element",
            Self::Nodal => "pressures of nodes",
            Self::Centre => "volume at the centre of each element",
        })
    }
}
