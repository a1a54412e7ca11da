//! Data of every batch of N nodes and P points, whatever its material: rows, slots, the reference
//! geometry of each point, and the kinematics of a point.

use std::sync::Arc;

use super::laws::Each;
use super::offsets::Offsets;
use super::parallel;
use super::volume::Sample;
use super::{BatchInput, ElementReport};
use crate::fem::element::{Element, ElementKind, QuadratureRule};
use crate::force::{EffectorView, Part, Relaxation, RowPartition, TissueBatch, TissuePressures};
use crate::linalg::{BlockPattern, add_block};
use crate::material::{Deformation, LawKind, MaterialSpec};
use crate::state::Motion;
use crate::{Mat3, Vec3};

impl ElementReport {
    /// Adds a stress [Pa] and an energy per rest volume [J/m³] that others have in the element.
    pub(crate) fn add(&mut self, stress: &Mat3, energy_density: f64) {
        self.stress += stress;
        self.energy_density += energy_density;
        self.von_mises = von_mises(&self.stress);
    }
}

/// Volume that is inside out at rest, over that which is not, of an element without a shape [-]: where that is
/// rounding, both are alike.
const INSIDE_OUT: f64 = 0.5;

/// One quadrature point of one element at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointGeometry {
    /// Inverse of dX/dr, row = reference coordinate, column = direction [1/m]; X are positions in the stress-free shape.
    pub(super) inverse_jacobian: Mat3,
    /// Weight times det dX/dr [m³]: that of the stress-free shape.
    pub(super) volume: f64,
}

impl PointGeometry {
    /// The point with a weight and derivatives of the shape functions, `slopes`, of an element with nodes at `x` [m].
    fn at_rest<const N: usize>(x: &[Vec3; N], slopes: &[Vec3; N], weight: f64) -> Self {
        let jacobian = outer_sum(x, slopes);
        Self {
            inverse_jacobian: inverse_or_zero(&jacobian),
            volume: weight * jacobian.determinant(),
        }
    }
}

/// Inverse of dX/dr; zero where an element has no volume.
fn inverse_or_zero(jacobian: &Mat3) -> Mat3 {
    jacobian.try_inverse().unwrap_or_else(Mat3::zeros)
}

/// Element matrix: upper triangle of blocks.
pub(super) type ElementMatrix<const N: usize> = [[Mat3; N]; N];

/// Values of the law of a batch at the points of an element.
pub(super) trait PointLaw<const N: usize, const P: usize> {
    /// Stress [Pa] and energy density [J/m³] of the points of element `e`, whose nodes are displaced by `d` in a motion of
    /// all rows.
    fn values(
        &self,
        e: usize,
        d: &[Vec3; N],
        at: &[Deformation<f64>; P],
        motion: &Motion<'_>,
    ) -> [(Mat3, f64); P];
}

/// One point in space.
pub(super) struct SpatialPoint {
    /// Takes derivatives by reference coordinates to spatial gradients [1/m].
    pub(super) to_space: Mat3,
    /// Volume [m³].
    pub(super) volume: f64,
}

/// Rows, slots and rest geometry of a batch.
pub(super) struct Geometry<const N: usize, const P: usize> {
    pub(super) fem: Arc<str>,
    /// Index of each element in its mesh.
    pub(super) elements: Vec<u32>,
    /// Rows of the nodes of each element.
    pub(super) rows: Vec<[u32; N]>,
    pub(super) points: Vec<[PointGeometry; P]>,
    /// Derivatives of the shape functions by reference coordinates at each point.
    pub(super) gradients: [[Vec3; N]; P],
    /// The same at the centre of the element.
    pub(super) centre_gradients: [Vec3; N],
    /// Inverse of dX/dr at the centre.
    pub(super) centre_inverse_jacobians: Vec<Mat3>,
    /// Deformation at rest from the stress-free shape.
    pub(super) offsets: Offsets<P>,
    /// Rest positions of all rows [m].
    pub(super) rest: Arc<Vec<Vec3>>,
    slots: Vec<[[u32; N]; N]>,
    parts: Vec<Vec<u32>>,
    pub(super) kind: ElementKind,
    pub(super) quadrature: QuadratureRule,
    laws: Each<MaterialSpec>,
    stiffness_damping: f64,
    /// Axes of the material of each element; empty where they are those of space.
    axes: Vec<Mat3>,
    /// The same at each point; empty where elements have one each.
    axes_at_points: Vec<[Mat3; P]>,
}

/// Displacement gradient of nodes that are displaced by `d` [m], at a point with this inverse Jacobian and these derivatives
/// of shape functions, added to the one that growth and prestrain leave at rest.
#[inline(always)]
fn gradient_from<const N: usize>(
    offset: Option<&Mat3>,
    (inverse_jacobian, slopes): (&Mat3, &[Vec3; N]),
    d: &[Vec3; N],
) -> Mat3 {
    let h = outer_sum(d, slopes) * inverse_jacobian;
    offset.map_or(h, |offset| h + offset)
}

impl<const N: usize, const P: usize> Geometry<N, P> {
    pub(super) fn new<E: Element>(input: BatchInput) -> Self {
        assert_eq!((E::NODES.len(), E::POINTS.len()), (N, P), "batch built for another element");
        let rule = E::KIND.points_by(input.quadrature);
        let gradients = std::array::from_fn(|p| gradients_at::<E, N>(rule[p].at));
        let centre_gradients = gradients_at::<E, N>(E::KIND.centre());
        let rows: Vec<[u32; N]> = input.rows.as_chunks::<N>().0.to_vec();
        let shapes = rows.iter().map(|rows| rows.map(|row| input.rest[row as usize]));
        let points_of = |x: [Vec3; N]| {
            std::array::from_fn(|p| PointGeometry::at_rest(&x, &gradients[p], rule[p].weight))
        };
        let mut points: Vec<[PointGeometry; P]> = shapes.clone().map(points_of).collect();
        let inverse_of = |x: [Vec3; N]| inverse_or_zero(&outer_sum(&x, &centre_gradients));
        let mut centre_inverse_jacobians: Vec<Mat3> = shapes.map(inverse_of).collect();
        let offsets = Offsets::new(&input.at_rest);
        offsets.fold_into(&mut points, &mut centre_inverse_jacobians);
        let axes_at_points = input.axes_at_points.iter();
        Self {
            fem: input.fem,
            elements: input.elements,
            rows,
            points,
            gradients,
            centre_gradients,
            centre_inverse_jacobians,
            offsets,
            rest: input.rest,
            slots: Vec::new(),
            parts: Vec::new(),
            kind: input.kind,
            quadrature: input.quadrature,
            laws: Each::new(input.material, input.laws),
            stiffness_damping: input.stiffness_damping,
            axes: input.axes,
            axes_at_points: axes_at_points.map(|axes| std::array::from_fn(|p| axes[p])).collect(),
        }
    }

    /// The law without its constants.
    pub(super) fn law_kind(&self) -> &'static LawKind {
        self.laws.all().kind()
    }

    /// The law with its constants in each element.
    pub(super) fn laws(&self) -> &Each<MaterialSpec> {
        &self.laws
    }

    /// The batch as data, whose stresses relax so and whose volume, where it is looked at elsewhere than at its points, has
    /// such pressures.
    pub(super) fn view<'a>(
        &'a self,
        relaxation: Option<Relaxation<'a>>,
        pressures: Option<TissuePressures<'a>>,
    ) -> EffectorView<'a> {
        EffectorView::Tissue(TissueBatch {
            fem: &self.fem,
            kind: self.kind,
            quadrature: self.quadrature,
            material: self.laws.all(),
            laws: self.laws.own(),
            stiffness_damping: self.stiffness_damping,
            without_bulk: pressures.is_some(),
            axes: &self.axes,
            axes_at_points: self.axes_at_points.as_flattened(),
            offsets: self.offsets.of_points(),
            centre_offsets: self.offsets.of_centres(),
            relaxation,
            pressures,
            elements: &self.elements,
            rows: self.rows.as_flattened(),
        })
    }

    pub(super) fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.rows.iter().for_each(|rows| visit(rows));
    }

    pub(super) fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("elements are part of the pattern");
        self.slots = self.rows.iter().map(|rows| rows.map(|i| rows.map(|j| slot(i, j)))).collect();
        self.parts = partition.assign(self.rows.iter().map(|r| &r[..]));
    }

    /// Elements that touch the rows of a part.
    pub(super) fn elements_of(&self, part: &Part) -> impl Iterator<Item = usize> {
        self.parts[part.index].iter().map(|&e| e as usize)
    }

    /// Displacements of the nodes of element `e` [m].
    #[inline(always)]
    pub(super) fn displacements(&self, e: usize, q: &[Vec3]) -> [Vec3; N] {
        self.rows[e].map(|row| q[row as usize] - self.rest[row as usize])
    }

    /// Values of a field at the nodes of element `e`.
    #[inline(always)]
    pub(super) fn gather(&self, e: usize, field: &[Vec3]) -> [Vec3; N] {
        self.rows[e].map(|row| field[row as usize])
    }

    /// Displacement gradient of point `p` of element `e`, whose nodes are displaced by `d`, from its stress-free shape.
    #[inline(always)]
    pub(super) fn displacement_gradient(&self, e: usize, p: usize, d: &[Vec3; N]) -> Mat3 {
        let at = (&self.points[e][p].inverse_jacobian, &self.gradients[p]);
        gradient_from(self.offsets.point(e, p), at, d)
    }

    /// Deformation of point `p` of element `e`, whose nodes are displaced by `d`, from its stress-free shape.
    #[inline(always)]
    pub(super) fn deformation(&self, e: usize, p: usize, d: &[Vec3; N]) -> Deformation<f64> {
        let deformation = Deformation::new(self.displacement_gradient(e, p, d));
        match (self.axes_at_points.get(e), self.axes.get(e)) {
            (Some(axes), _) => deformation.with_axes(axes[p]),
            (None, Some(axes)) => deformation.with_axes(*axes),
            (None, None) => deformation,
        }
    }

    #[inline(always)]
    pub(super) fn spatial_point(&self, e: usize, p: usize, d: &Deformation<f64>) -> SpatialPoint {
        let point = &self.points[e][p];
        // A law that survives inversion may meet a singular F; its point then counts for nothing.
        let inverse = d.f.try_inverse().unwrap_or_else(Mat3::zeros);
        SpatialPoint {
            to_space: (point.inverse_jacobian * inverse).transpose(),
            volume: point.volume * d.j,
        }
    }

    /// Volume of point `p` of element `e` whose nodes are displaced by `d`.
    pub(super) fn sample(&self, e: usize, p: usize, d: &[Vec3; N]) -> Sample<N> {
        self.sample_of((&self.points[e][p], &self.gradients[p]), self.offsets.point(e, p), d)
    }

    /// Volume at the centre of element `e`, which stands for that of all of it.
    pub(super) fn centre_sample(&self, e: usize, d: &[Vec3; N]) -> Sample<N> {
        let volume = self.points[e].iter().map(|point| point.volume).sum();
        let inverse_jacobian = self.centre_inverse_jacobians[e];
        let centre = PointGeometry { inverse_jacobian, volume };
        self.sample_of((&centre, &self.centre_gradients), self.offsets.centre(e), d)
    }

    fn sample_of(
        &self,
        (at, slopes): (&PointGeometry, &[Vec3; N]),
        offset: Option<&Mat3>,
        d: &[Vec3; N],
    ) -> Sample<N> {
        let h = gradient_from(offset, (&at.inverse_jacobian, slopes), d);
        let deformation = Deformation::new(h);
        let inverse = deformation.f.try_inverse().unwrap_or_else(Mat3::zeros);
        let to_space = (at.inverse_jacobian * inverse).transpose();
        Sample {
            change: deformation.volume_change(),
            rest_volume: at.volume,
            volume: at.volume * deformation.j,
            gradients: slopes.map(|slope| to_space * slope),
        }
    }

    /// Shape functions at the points.
    pub(super) fn shapes<E: Element>(&self) -> [[f64; N]; P] {
        let rule = E::KIND.points_by(self.quadrature);
        std::array::from_fn(|p| {
            let mut n = [0.0; N];
            E::shape(rule[p].at, &mut n);
            n
        })
    }

    /// Axes of the material of element `e`.
    pub(super) fn axes_of(&self, e: usize) -> Mat3 {
        self.axes.get(e).copied().unwrap_or_else(Mat3::identity)
    }

    /// Deformation gradient at the centre of element `e`, from its stress-free shape.
    #[inline(always)]
    pub(super) fn centre_gradient(&self, e: usize, d: &[Vec3; N]) -> Mat3 {
        let at = (&self.centre_inverse_jacobians[e], &self.centre_gradients);
        gradient_from(self.offsets.centre(e), at, d) + Mat3::identity()
    }

    /// Adds `force` to the rows of element `e` that the part owns.
    #[inline(always)]
    pub(super) fn scatter(&self, e: usize, part: &Part, force: &[Vec3; N], forces: &mut [Vec3]) {
        for (&row, f) in self.rows[e].iter().zip(force) {
            if let Some(i) = part.local(row) {
                forces[i] += f;
            }
        }
    }

    /// Adds the symmetric element matrix `k` (upper blocks) to the rows that the part owns.
    #[inline(always)]
    pub(super) fn scatter_matrix(
        &self,
        e: usize,
        part: &Part,
        k: &ElementMatrix<N>,
        blocks: &mut [f64],
    ) {
        for (a, slots) in self.slots[e].iter().enumerate() {
            if !part.rows.contains(&self.rows[e][a]) {
                continue;
            }
            for (b, &slot) in slots.iter().enumerate() {
                let slot = slot as usize - part.first_slot;
                if a <= b {
                    add_block(blocks, slot, &k[a][b]);
                } else {
                    add_block(blocks, slot, &k[b][a].transpose());
                }
            }
        }
    }

    /// Number of points that have a weight, before those that fill a rule of fewer points.
    fn weighted_count(&self) -> usize {
        let rule = self.kind.points_by(self.quadrature);
        rule.iter().filter(|point| point.weight != 0.0).count()
    }

    /// First element with a point of non-positive volume at rest.
    pub(super) fn degenerate_at_rest(&self) -> Option<(u32, f64)> {
        let count = self.weighted_count();
        let worst = |points: &[PointGeometry; P]| {
            points[..count].iter().map(|p| p.volume).fold(f64::INFINITY, f64::min)
        };
        let volumes = self.points.iter().map(worst);
        volumes.zip(&self.elements).find(|(v, _)| v.is_nan() || *v <= 0.0).map(|(v, &e)| (e, v))
    }

    /// First element without a shape, where laws have a meaning for elements that are inside out at some points: one
    /// with a point of no volume, or with as little as half as much volume inside out as not.
    pub(super) fn flat_at_rest(&self) -> Option<(u32, f64)> {
        let count = self.weighted_count();
        let flat = |points: &[PointGeometry; P]| {
            let volumes = || points[..count].iter().map(|p| p.volume);
            let sum = |sign: f64| volumes().map(|v| (sign * v).max(0.0)).sum::<f64>();
            let largest = volumes().map(f64::abs).fold(0.0, f64::max);
            // Rounding of some fifty operations leaves less than this of a point without volume.
            let none = volumes().any(|v| v.is_nan() || v.abs() <= 1e-14 * largest);
            let flat = none || sum(1.0) == 0.0 || sum(-1.0) >= INSIDE_OUT * sum(1.0);
            flat.then(|| volumes().fold(f64::INFINITY, f64::min))
        };
        self.points.iter().zip(&self.elements).find_map(|(points, &e)| Some((e, flat(points)?)))
    }

    /// Mean stress, energy and volumes of every element, from stress [Pa] and energy density [J/m³] at its points.
    pub(super) fn reports(
        &self,
        motion: &Motion<'_>,
        law: &(dyn PointLaw<N, P> + Sync),
    ) -> Vec<ElementReport> {
        parallel::reports(self.rows.len(), &|e| self.report(e, motion, law))
    }

    /// The same of the element with this index in the mesh; `None` when it is in another batch.
    pub(super) fn report_of(
        &self,
        element: u32,
        motion: &Motion<'_>,
        law: &dyn PointLaw<N, P>,
    ) -> Option<ElementReport> {
        let place = self.elements.iter().position(|&e| e == element)?;
        Some(self.report(place, motion, law))
    }

    fn report(&self, e: usize, motion: &Motion<'_>, law: &dyn PointLaw<N, P>) -> ElementReport {
        let d = self.displacements(e, motion.q);
        let mut report = ElementReport {
            element: self.elements[e],
            volume_ratio: f64::INFINITY,
            ..Default::default()
        };
        let deformations = std::array::from_fn(|p| self.deformation(e, p, &d));
        let values = law.values(e, &d, &deformations, motion);
        for (p, (sigma, density)) in values.into_iter().enumerate() {
            let (elastic, free_volume) = (&deformations[p], self.points[e][p].volume);
            let (volume, deformation) =
                self.offsets.measured_from_rest((e, p), free_volume, elastic);
            report.stress += sigma * volume;
            report.strain += deformation.green_strain() * volume;
            report.energy_density += density * free_volume;
            report.rest_volume += volume;
            report.volume += volume * deformation.j;
            report.volume_ratio = report.volume_ratio.min(deformation.j);
        }
        report.stress /= report.rest_volume;
        report.strain /= report.rest_volume;
        report.energy_density /= report.rest_volume;
        report.von_mises = von_mises(&report.stress);
        report
    }
}

/// Derivatives of the shape functions of `E` at reference coordinates `r`.
fn gradients_at<E: Element, const N: usize>(r: [f64; 3]) -> [Vec3; N] {
    let mut gradients = [[0.0; 3]; N];
    E::gradient(r, &mut gradients);
    gradients.map(Vec3::from)
}

/// Sum of a_k b_k^T.
#[inline(always)]
pub(super) fn outer_sum<const N: usize>(a: &[Vec3; N], b: &[Vec3; N]) -> Mat3 {
    let mut sum = Mat3::zeros();
    for (a, b) in a.iter().zip(b) {
        sum += a * b.transpose();
    }
    sum
}

/// sqrt(3/2 s:s) of the deviator s of `stress`.
pub(super) fn von_mises(stress: &Mat3) -> f64 {
    let deviator = stress - Mat3::identity() * (stress.trace() / 3.0);
    (1.5 * deviator.dot(&deviator)).sqrt()
}
