//! Parts of a batch that do not depend on its law.

use super::geometry::Geometry;
use super::relaxation::StressMemory;
use super::volume::Volume;

/// Elements, with their volumes and the stresses that they remember where they have any.
pub(super) type BatchParts<const N: usize, const P: usize> =
    (Geometry<N, P>, Option<Volume<N, P>>, Option<StressMemory>);
