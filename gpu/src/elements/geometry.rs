//! Data of a batch for the kernels over elements: its law, the derivatives of the shape functions,
//! and the rest geometry of its points.

use sinew::Mat3;
use sinew::Vec3;
use sinew::fem::{PointGuard, QuadraturePoint};
use sinew::force::{NodeVolume, Relaxation, TissueBatch, TissuePressures};
use sinew::material::{MaterialSpec, PronyStress};
use sinew_shaders::source::{Axes, Constants, ElementVariant, Law, Pressures, Relaxing, Rest};
use sinew_shaders::table::LAW_CONSTANTS;
use std::ops::Range;

/// Points of a batch that kernels compute together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// Those of the quadrature rule, with the law.
    OfRule,
    /// The centre of each element, with what the law has of the volume alone, at the volume of the whole element: as
    /// elements of one point, whose one mode leaves its volume as it is.
    Centres,
}

/// A batch as kernels compute it.
#[derive(Clone, Copy)]
pub(super) struct ElementBatch<'a> {
    pub(super) tissue: &'a TissueBatch<'a>,
    points: Points,
}

impl<'a> ElementBatch<'a> {
    /// Data that a batch of tissue asks for: its points, and the centres of its elements where these have pressures.
    pub(super) fn all_of(tissue: &'a TissueBatch<'a>) -> impl Iterator<Item = Self> {
        let centres = match tissue.pressures {
            Some(TissuePressures::Centres) => Some(Points::Centres),
            Some(TissuePressures::Elements(_) | TissuePressures::Nodes(_)) | None => None,
        };
        [Some(Points::OfRule), centres]
            .into_iter()
            .flatten()
            .map(move |points| Self { tissue, points })
    }

    /// Relaxation of its stresses; pressures do not relax.
    pub(super) fn relaxation(&self) -> Option<Relaxation<'a>> {
        self.tissue.relaxation.filter(|_| self.points == Points::OfRule)
    }

    /// Volumes around its nodes, where those have pressures.
    pub(super) fn volumes(&self) -> Option<&'a [NodeVolume]> {
        match self.tissue.pressures {
            Some(TissuePressures::Nodes(volumes)) => Some(volumes),
            Some(TissuePressures::Elements(_) | TissuePressures::Centres) | None => None,
        }
    }

    /// The text of the kernels that it needs.
    pub(super) fn variant(&self) -> ElementVariant {
        let batch = self.tissue;
        let law = kernel_law(batch.material);
        let rest = if batch.offsets.is_empty() { Rest::Free } else { Rest::Strained };
        let nodes = batch.kind.node_count() as u32;
        if self.points == Points::Centres {
            let plain = ElementVariant::new((nodes, 1), stress_free(law));
            return ElementVariant { rest, pressures: Pressures::Modes(1), ..plain };
        }
        let turned = law.has_axes() && !batch.axes_at_points.is_empty();
        ElementVariant {
            node_count: nodes,
            point_count: batch.kind.points().len() as u32,
            law,
            constants: if batch.laws.is_empty() {
                Constants::OfBatch
            } else {
                Constants::OfElements
            },
            axes: if turned { Axes::OfPoints } else { Axes::OfElements },
            rest,
            relaxing: relaxing_of(batch, law),
            pressures: match batch.pressures {
                None => Pressures::Nothing,
                Some(TissuePressures::Elements(it)) => Pressures::Modes(it.count as u32),
                // One that is nothing, beside which points resist that are squeezed flat.
                Some(TissuePressures::Centres) if PointGuard::of(batch.material).is_some() => {
                    Pressures::Modes(1)
                }
                Some(TissuePressures::Centres) => Pressures::Nothing,
                Some(TissuePressures::Nodes(_)) => Pressures::Nodes,
            },
        }
    }

    /// Constants of one of its laws as its text takes them.
    fn constants(&self, law: &MaterialSpec) -> [f64; LAW_CONSTANTS] {
        let mut constants = [0.0; LAW_CONSTANTS];
        if self.points == Points::Centres {
            return constants;
        }
        let batch = self.tissue;
        let packed = if batch.without_bulk { law.packed_without_bulk() } else { law.packed() };
        constants[..packed.len()].copy_from_slice(&packed);
        constants
    }

    /// The buffer `table`: constants, then derivatives (see `wgsl/lib/kinematics.wgsl`), then shape functions where nodes have
    /// pressures.
    pub(super) fn table(&self) -> Vec<f64> {
        let slopes = Slopes::of(self.tissue).0;
        let at_centres = [slopes[0].clone(), slopes[0].clone()];
        let slopes = match self.points {
            Points::OfRule => &slopes[..],
            Points::Centres => &at_centres,
        };
        let gradients = slopes.iter().flatten().flatten().copied();
        let constants = self.constants(self.tissue.material).into_iter();
        constants.chain(gradients).chain(self.shapes()).collect()
    }

    /// Shape functions at the points, where nodes have pressures.
    fn shapes(&self) -> Vec<f64> {
        if self.volumes().is_none() {
            return Vec::new();
        }
        let kind = self.tissue.kind;
        let mut shapes = vec![0.0; kind.node_count()];
        let at = |point: QuadraturePoint| {
            kind.shape(point.at, &mut shapes);
            shapes.clone()
        };
        kind.points_by(self.tissue.quadrature).into_iter().flat_map(at).collect()
    }

    /// The buffer `geometry` of the elements in `range` (see `wgsl/lib/kinematics.wgsl`): dr/dX \[1/m\] and volume [m³] of
    /// each point, X being positions in the shape without stress, then what
    /// [`GeometryPlaces`](sinew_shaders::source::GeometryPlaces) lists.
    pub(super) fn geometry(&self, range: Range<usize>, rest: &[Vec3]) -> Vec<f64> {
        let (batch, variant, count) = (self.tissue, self.variant(), range.len());
        let (places, p) = (variant.geometry_places(), variant.point_count as usize);
        let mut geometry = vec![0.0; places.end as usize * count];
        let part = |place: u32| place as usize * count;
        self.write_shapes(range.clone(), rest, &mut geometry);
        write_columns(&axes_of(batch, (&variant, &range)), &mut geometry[part(places.axes)..]);
        if variant.constants == Constants::OfElements {
            for (e, law) in batch.laws[range.clone()].iter().enumerate() {
                let own = geometry[part(places.constants) + e..].iter_mut().step_by(count);
                own.zip(self.constants(law)).for_each(|(place, constant)| *place = constant);
            }
        }
        let (of_points, of_centres) = match self.points {
            Points::OfRule => (batch.offsets, batch.centre_offsets),
            Points::Centres => (batch.centre_offsets, &[][..]),
        };
        let offsets = of_points.get(p * range.start..p * range.end).unwrap_or_default();
        write_columns(offsets, &mut geometry[part(places.offsets)..]);
        if p > 1 {
            let offsets = of_centres.get(range.clone()).unwrap_or_default();
            write_columns(offsets, &mut geometry[part(places.centre_offset)..]);
        }
        self.write_volumes(range, &mut geometry);
        geometry
    }

    /// Writes the energies of the volumes of the elements in `range`, and their modes at the points, into a geometry.
    fn write_volumes(&self, range: Range<usize>, geometry: &mut [f64]) {
        let (batch, variant, count) = (self.tissue, self.variant(), range.len());
        let (places, points) = (variant.geometry_places(), variant.point_count as usize);
        if variant.pressures.is_nothing() {
            return;
        }
        let of_centres = self.points == Points::Centres;
        let has_own = of_centres || matches!(batch.pressures, Some(TissuePressures::Elements(_)));
        for (k, e) in range.clone().enumerate() {
            let law = batch.laws.get(e).unwrap_or(batch.material);
            let bulk = law.bulk().filter(|_| has_own);
            let guard = PointGuard::of(law).filter(|_| !of_centres);
            let energies = [bulk.map(|it| it.packed()), guard.map(|it| it.packed())];
            let first = places.bulk as usize * count + k;
            let own = geometry[first..].iter_mut().step_by(count);
            let scalars = energies.into_iter().flat_map(Option::unwrap_or_default);
            own.zip(scalars).for_each(|(place, scalar)| *place = scalar);
        }
        let first = places.modes as usize * count;
        match batch.pressures {
            Some(TissuePressures::Elements(it)) => {
                let modes = &it.modes[points * range.start..points * range.end];
                for k in 0..it.count {
                    let own = &mut geometry[first + k * modes.len()..];
                    own.iter_mut().zip(modes).for_each(|(place, modes)| *place = modes[k]);
                }
            }
            Some(TissuePressures::Centres) if of_centres => {
                for k in 0..count {
                    geometry[first + k] = 1.0 / geometry[9 * count + k].sqrt();
                }
            }
            Some(TissuePressures::Centres | TissuePressures::Nodes(_)) | None => {}
        }
    }

    /// Writes dr/dX and volumes of the points of the elements in `range`, and dr/dX at their centres, into a geometry.
    fn write_shapes(&self, range: Range<usize>, rest: &[Vec3], geometry: &mut [f64]) {
        let batch = self.tissue;
        let (slopes, rule) = (Slopes::of(batch), batch.kind.points_by(batch.quadrature));
        let (n, p, count) = (batch.kind.node_count(), rule.len(), range.len());
        let centres = self.variant().geometry_places().centre as usize * count;
        let elements = range.clone().zip(batch.rows.chunks(n).skip(range.start));
        for (k, (e, rows)) in elements.enumerate() {
            let nodes: Vec<Vec3> = rows.iter().map(|&row| rest[row as usize]).collect();
            let of_rule = rule.iter().enumerate().map(|(at, point)| {
                let (jacobian, elastic) =
                    (slopes.jacobian(at + 1, &nodes), elastic(batch.offsets.get(e * p + at)));
                let volume = point.weight * jacobian.determinant() / elastic.determinant();
                (inverse(&jacobian) * elastic, volume)
            });
            let centre =
                inverse(&slopes.jacobian(0, &nodes)) * elastic(batch.centre_offsets.get(e));
            if self.points == Points::Centres {
                write_matrix(&centre, &mut geometry[k..], count);
                geometry[9 * count + k] = of_rule.map(|(_, volume)| volume).sum();
                continue;
            }
            for (at, (to_reference, volume)) in of_rule.enumerate() {
                write_matrix(&to_reference, &mut geometry[k * p + at..], count * p);
                geometry[9 * count * p + k * p + at] = volume;
            }
            if p > 1 {
                write_matrix(&centre, &mut geometry[centres + k..], count);
            }
        }
    }

    /// Rows of the nodes on the device, those of node a of element e at a * count + e.
    pub(super) fn rows(&self, range: Range<usize>, device_row: &[u32]) -> Vec<u32> {
        let n = self.tissue.kind.node_count();
        let elements = || self.tissue.rows.chunks(n).skip(range.start).take(range.len());
        let node = |a: usize| elements().map(move |rows| device_row[rows[a] as usize]);
        (0..n).flat_map(node).collect()
    }
}

/// The form in which the stress of a batch with that law relaxes.
fn relaxing_of(batch: &TissueBatch, law: Law) -> Relaxing {
    match batch.relaxation.map(|it| it.stress) {
        None => Relaxing::Nothing,
        // A law that is linear in a frame relaxes in it.
        Some(PronyStress::Cauchy) if law.has_stress_in_tangent() => Relaxing::Rotated,
        Some(PronyStress::Cauchy | PronyStress::SecondPiolaKirchhoff) => Relaxing::PulledBack,
    }
}

/// A law of the same measure of volume that has no stress where its constants are zero.
fn stress_free(law: Law) -> Law {
    match (law.has_stress_in_tangent(), law.needs_volume(), law.has_centre()) {
        (true, true, _) => Law::NeoHookean,
        (true, false, _) => Law::StVenantKirchhoff,
        (false, _, true) => Law::Corotated,
        (false, _, false) => Law::Linear,
    }
}

/// The law of the kernels that compute a material.
fn kernel_law(material: &MaterialSpec) -> Law {
    let name = material.kind().kernel;
    let Some(law) = Law::named(name) else { panic!("no text of a kernel is called '{name}'") };
    law
}

/// Derivatives of the shape functions of a kind, at the centre and then at each point.
struct Slopes(Vec<Vec<[f64; 3]>>);

impl Slopes {
    fn of(batch: &TissueBatch) -> Self {
        let kind = batch.kind;
        let at = |r: [f64; 3]| {
            let mut slopes = vec![[0.0; 3]; kind.node_count()];
            kind.gradient(r, &mut slopes);
            slopes
        };
        let points = kind.points_by(batch.quadrature);
        Self(std::iter::once(kind.centre()).chain(points.iter().map(|p| p.at)).map(at).collect())
    }

    /// dX/dr of an element, `slot` 0 at the centre and p + 1 at point p.
    fn jacobian(&self, slot: usize, nodes: &[Vec3]) -> Mat3 {
        let mut sum = Mat3::zeros();
        for (x, dn) in nodes.iter().zip(&self.0[slot]) {
            sum += x * Vec3::from(*dn).transpose();
        }
        sum
    }
}

/// Deformation at rest from the shape without stress.
fn elastic(offset: Option<&Mat3>) -> Mat3 {
    offset.map_or_else(Mat3::identity, |offset| offset + Mat3::identity())
}

/// The inverse; zeros where there is none.
fn inverse(jacobian: &Mat3) -> Mat3 {
    jacobian.try_inverse().unwrap_or_else(Mat3::zeros)
}

/// Axes of the elements in `range`, or of their points; none where the law does not look at them.
fn axes_of(batch: &TissueBatch, (variant, range): (&ElementVariant, &Range<usize>)) -> Vec<Mat3> {
    let points = variant.point_count as usize;
    if !variant.law.has_axes() {
        return Vec::new();
    }
    if variant.axes == Axes::OfPoints {
        return batch.axes_at_points[points * range.start..points * range.end].to_vec();
    }
    let of_space = Mat3::identity();
    range.clone().map(|e| batch.axes.get(e).copied().unwrap_or(of_space)).collect()
}

/// Writes a matrix column by column, its scalars `stride` apart.
fn write_matrix(matrix: &Mat3, geometry: &mut [f64], stride: usize) {
    for (k, &scalar) in matrix.as_slice().iter().enumerate() {
        geometry[k * stride] = scalar;
    }
}

/// Writes matrices side by side, scalar by scalar.
fn write_columns(matrices: &[Mat3], geometry: &mut [f64]) {
    for (place, matrix) in matrices.iter().enumerate() {
        write_matrix(matrix, &mut geometry[place..], matrices.len());
    }
}
