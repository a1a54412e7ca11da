//! Volumes of elements that are looked at elsewhere than at their points, for materials that hardly change them:
//! E = sum W_hat(F) dV + sum U(theta) dV, with U what the law's energy has of the volume alone, W_hat the rest, and
//! theta a projection of J. Pressures p, the projections of U'(theta), are eliminated: forces are the derivative of E
//! by positions (SimoTaylorPister1985; BonetBurton1998 for nodes).

pub(super) mod centre;
mod nodal;
mod projection;

use super::geometry::Geometry;
use crate::Vec3;
use crate::fem::VolumeRule;
use crate::fem::element::Element;
use crate::material::{Bulk, MaterialSpec};

pub(super) use nodal::{NodalTerms, Patches};
pub(super) use projection::{MODES, PointPressures, Projection};

/// Volume of one point of an element that is deformed.
pub(super) struct Sample<const N: usize> {
    /// J - 1 [-]; the trace of the strain of a linear law.
    pub(super) change: f64,
    /// Volume at rest [m³].
    pub(super) rest_volume: f64,
    /// What derivatives of `change` times the volume at rest are measured in [m³]: they are this times `gradients`.
    pub(super) volume: f64,
    /// Derivatives of the shape functions in space [1/m].
    pub(super) gradients: [Vec3; N],
}

/// Where the volume of the elements of a batch is looked at, where that is not at their points.
pub(super) enum Volume<const N: usize, const P: usize> {
    /// Projected in each element.
    Projected(Projection<P>),
    /// At the centres.
    Centre(Bulk<f64>),
    /// Averaged around nodes.
    Nodal(Patches<N, P>),
}

impl<const N: usize, const P: usize> Volume<N, P> {
    /// By a rule; `None` where the points do it.
    pub(super) fn new<E: Element>(
        rule: VolumeRule,
        material: &MaterialSpec,
        geometry: &Geometry<N, P>,
    ) -> Option<Self> {
        let bulk = material.bulk()?;
        match rule {
            // One point is the centre and all of the element.
            VolumeRule::Element { .. } | VolumeRule::Centre if P == 1 => None,
            VolumeRule::Points => None,
            VolumeRule::Element { pressures } => {
                Some(Self::Projected(Projection::new::<E, N>(bulk, pressures, geometry)))
            }
            VolumeRule::Nodal => Some(Self::Nodal(Patches::new::<E>(bulk, geometry))),
            VolumeRule::Centre => Some(Self::Centre(bulk)),
        }
    }
}
