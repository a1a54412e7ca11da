//! Volumes of elements that are looked at elsewhere than at their points, for materials that hardly change them:
//! E = sum W_hat(F) dV + sum U(theta) dV, with U what the law's energy has of the volume alone, W_hat the rest, and
//! theta a projection of J. Pressures p, the projections of U'(theta), are eliminated: forces are the derivative of E
//! by positions (SimoTaylorPister1985; BonetBurton1998 for nodes).

pub(super) mod centre;
mod guard;
mod nodal;
mod projection;
mod sample;

use super::geometry::Geometry;
use super::laws::Each;
use crate::fem::VolumeRule;
use crate::fem::element::Element;
use crate::force::{ElementPressures, TissuePressures};
use crate::material::Bulk;

pub use guard::PointGuard;
pub(super) use nodal::{NodalTerms, Patches};
pub(super) use projection::{MODES, PointPressures, Projection};
pub(super) use sample::Sample;

/// Form of the volume of the elements of a batch, where it is not computed at their points.
pub(super) enum Volume<const N: usize, const P: usize> {
    /// Projected in each element.
    Projected(Projection<P>),
    /// At the centres.
    Centre(Each<Bulk<f64>>),
    /// Averaged around nodes.
    Nodal(Patches<N, P>),
}

impl<const N: usize, const P: usize> Volume<N, P> {
    /// By a rule; `None` where the points do it.
    pub(super) fn new<E: Element>(rule: VolumeRule, geometry: &Geometry<N, P>) -> Option<Self> {
        let all = geometry.laws().all().bulk()?;
        let bulk = geometry.laws().map(|law| law.bulk().unwrap_or(all));
        match rule {
            // One point is the centre and all of the element.
            VolumeRule::Element { .. } | VolumeRule::Centre if P == 1 => None,
            VolumeRule::Points => None,
            VolumeRule::Element { pressures } => {
                Some(Self::Projected(Projection::new::<E, N>(bulk, pressures, geometry)))
            }
            VolumeRule::Nodal => Some(Self::Nodal(Patches::new::<E>(&bulk, geometry))),
            VolumeRule::Centre => Some(Self::Centre(bulk)),
        }
    }

    /// As data for a backend that computes it.
    pub(super) fn view(&self) -> TissuePressures<'_> {
        match self {
            Self::Projected(it) => {
                let modes = it.modes.as_flattened();
                TissuePressures::Elements(ElementPressures { count: it.count, modes })
            }
            Self::Centre(_) => TissuePressures::Centres,
            Self::Nodal(patches) => TissuePressures::Nodes(patches.volumes()),
        }
    }
}
