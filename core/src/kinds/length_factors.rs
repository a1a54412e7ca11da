//! Factors of the lengths of lines through points under a transformation.

use crate::Vec3;
use crate::component::TransformRefusal;
use crate::kinds::{FrameSite, PointRef};
use crate::property::Transformation;

impl Transformation<'_> {
    /// A point before and after [m]; `None` when it is not there.
    fn ends(&self, point: PointRef) -> Option<[Vec3; 2]> {
        let moves = match point {
            PointRef::Particle(particle) => self.moves(particle),
            PointRef::FemNode(fem, _) => self.moves(fem),
            PointRef::Marker(marker) => self.moves(self.model.get(marker)?.body),
        };
        let before = self.model.start_of(point)?;
        Some([before, if moves { self.map.point(&before) } else { before }])
    }

    /// Factor of the distance of a point from the origin of a frame [-].
    pub(super) fn length_factor_to(
        &self,
        point: PointRef,
        site: &FrameSite,
    ) -> Result<f64, TransformRefusal> {
        if let Some(scale) = self.similarity() {
            return Ok(scale);
        }
        let origin = site.world_pose(self.model).map(|pose| pose.translation.vector);
        let (Some([before, after]), Some(origin)) = (self.ends(point), origin) else {
            return Ok(1.0);
        };
        let moved = if self.moves_site(site) { self.map.point(&origin) } else { origin };
        let growth = (after - moved).norm() / (before - origin).norm();
        if growth.is_finite() { Ok(growth) } else { Err(TransformRefusal::NoLength) }
    }

    /// Factor of all lengths, where the map has one [-]; 1 to the bit where it only moves and turns.
    fn similarity(&self) -> Option<f64> {
        let map = self.map.affine()?;
        if map.is_rigid() { Some(1.0) } else { map.similarity() }
    }

    /// Factor of the length of a line through points [-]: that of the map where it is the same in all directions,
    /// otherwise that of the straight line between each two.
    pub(super) fn length_factor_of(&self, points: &[PointRef]) -> Result<f64, TransformRefusal> {
        if let Some(scale) = self.similarity() {
            return Ok(scale);
        }
        let ends: Vec<_> = points.iter().filter_map(|&point| self.ends(point)).collect();
        let length = |k: usize| ends.windows(2).map(|w| (w[1][k] - w[0][k]).norm()).sum::<f64>();
        let growth = length(1) / length(0);
        if growth.is_finite() { Ok(growth) } else { Err(TransformRefusal::NoLength) }
    }
}
