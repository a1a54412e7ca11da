//! Deformation of elements at rest from a shape without stress: growth and prestrain (RodriguezHogerMcCulloch1994). With
//! F_e = F G^-1 and G the map from rest to the stress-free shape, derivatives by stress-free positions are those by rest
//! positions times G^-1, volumes those at rest times det G, and F_e = I + H G^-1 + (G^-1 - I). The first two are folded into
//! the geometry of a batch; the offset G^-1 - I is what stands here.

use super::ElasticAtRest;
use super::geometry::PointGeometry;
use crate::Mat3;
use crate::material::Deformation;

/// Displacement gradients from the stress-free shape, at rest [-].
pub(super) struct Offsets<const P: usize> {
    /// At the points of each element; empty where all are free of stress.
    points: Vec<[Mat3; P]>,
    /// At their centres.
    centres: Vec<Mat3>,
}

impl<const P: usize> Offsets<P> {
    pub(super) fn new(at_rest: &[ElasticAtRest]) -> Self {
        let offset = |elastic: &Mat3| elastic - Mat3::identity();
        let of_points = |it: &ElasticAtRest| std::array::from_fn(|p| offset(&it.points[p]));
        Self {
            points: at_rest.iter().map(of_points).collect(),
            centres: at_rest.iter().map(|it| offset(&it.centre)).collect(),
        }
    }

    /// True where no element has any.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Those of all points, those of an element side by side.
    pub(super) fn of_points(&self) -> &[Mat3] {
        self.points.as_flattened()
    }

    /// Those of all centres.
    pub(super) fn of_centres(&self) -> &[Mat3] {
        &self.centres
    }

    /// Those of the points of element `e`; none where all are free of stress.
    pub(super) fn points_of(&self, e: usize) -> &[Mat3] {
        self.points.get(e).map_or(&[], |points| points)
    }

    /// That of point `p` of element `e`; `None` where all are free of stress.
    #[inline(always)]
    pub(super) fn point(&self, e: usize, p: usize) -> Option<&Mat3> {
        self.points.get(e).map(|points| &points[p])
    }

    /// The same at the centre of element `e`.
    #[inline(always)]
    pub(super) fn centre(&self, e: usize) -> Option<&Mat3> {
        self.centres.get(e)
    }

    /// Makes the geometry of the stress-free shape of that at rest.
    pub(super) fn fold_into(&self, points: &mut [[PointGeometry; P]], centres: &mut [Mat3]) {
        for (points, offsets) in points.iter_mut().zip(&self.points) {
            for (point, offset) in points.iter_mut().zip(offsets) {
                let elastic = offset + Mat3::identity();
                point.inverse_jacobian *= elastic;
                point.volume /= elastic.determinant();
            }
        }
        for (centre, offset) in centres.iter_mut().zip(&self.centres) {
            *centre *= offset + Mat3::identity();
        }
    }

    /// Volume at rest [m³] and deformation from there of point `p` of element `e`, of the volume [m³] and the deformation
    /// from the stress-free shape.
    pub(super) fn measured_from_rest(
        &self,
        (e, p): (usize, usize),
        volume: f64,
        elastic: &Deformation<f64>,
    ) -> (f64, Deformation<f64>) {
        let Some(offset) = self.point(e, p) else { return (volume, *elastic) };
        let at_rest = offset + Mat3::identity();
        let growth = at_rest.try_inverse().unwrap_or_else(Mat3::identity);
        let h = elastic.f * growth - Mat3::identity();
        (volume * at_rest.determinant(), Deformation::new(h).with_axes(elastic.axes))
    }
}
