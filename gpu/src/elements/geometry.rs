//! Data of a batch for the kernels over elements: its law, the derivatives of the shape functions,
//! and the rest geometry of its points.

use sinew::Mat3;
use sinew::Vec3;
use sinew::fem::PointGuard;
use sinew::force::TissueBatch;
use sinew::material::{MaterialSpec, PronyStress};
use sinew_shaders::source::{Axes, Constants, ElementVariant, Law, Relaxing, Rest};
use sinew_shaders::table::LAW_CONSTANTS;
use std::ops::Range;

/// The text of the kernels that a batch needs.
pub(super) fn variant_of(batch: &TissueBatch) -> ElementVariant {
    let law = kernel_law(batch.material);
    let turned = law.has_axes() && !batch.axes_at_points.is_empty();
    ElementVariant {
        node_count: batch.kind.node_count() as u32,
        point_count: batch.kind.points().len() as u32,
        law,
        constants: if batch.laws.is_empty() { Constants::OfBatch } else { Constants::OfElements },
        axes: if turned { Axes::OfPoints } else { Axes::OfElements },
        rest: if batch.offsets.is_empty() { Rest::Free } else { Rest::Strained },
        relaxing: match batch.relaxation.map(|it| it.stress) {
            None => Relaxing::Nothing,
            // A law that is linear in a frame relaxes in it.
            Some(PronyStress::Cauchy) if law.has_stress_in_tangent() => Relaxing::Rotated,
            Some(PronyStress::Cauchy | PronyStress::SecondPiolaKirchhoff) => Relaxing::PulledBack,
        },
        pressures: batch.pressures.map_or(0, |it| it.count as u32),
    }
}

/// The law of the kernels that compute a material.
fn kernel_law(material: &MaterialSpec) -> Law {
    let name = material.kind().kernel;
    let Some(law) = Law::named(name) else { panic!("no text of a kernel is called '{name}'") };
    law
}

/// The constants of a law as its text takes them.
fn constants_of(batch: &TissueBatch, law: &MaterialSpec) -> [f64; LAW_CONSTANTS] {
    let packed = if batch.without_bulk { law.packed_without_bulk() } else { law.packed() };
    let mut constants = [0.0; LAW_CONSTANTS];
    constants[..packed.len()].copy_from_slice(&packed);
    constants
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

/// The buffer `table` of a batch: constants, then derivatives (see `wgsl/lib/kinematics.wgsl`).
pub(super) fn table_of(batch: &TissueBatch) -> Vec<f64> {
    let slopes = Slopes::of(batch);
    let gradients = slopes.0.iter().flatten().flatten().copied();
    constants_of(batch, batch.material).into_iter().chain(gradients).collect()
}

/// The buffer `geometry` of the elements in `range` (see `wgsl/lib/kinematics.wgsl`): dr/dX \[1/m\] and volume [m³] of each
/// point, X being positions in the shape without stress, then what [`GeometryPlaces`](sinew_shaders::source::GeometryPlaces)
/// lists.
pub(super) fn geometry_of(batch: &TissueBatch, range: Range<usize>, rest: &[Vec3]) -> Vec<f64> {
    let (variant, count) = (variant_of(batch), range.len());
    let (places, p) = (variant.geometry_places(), variant.point_count as usize);
    let mut geometry = vec![0.0; places.end as usize * count];
    let part = |place: u32| place as usize * count;
    write_shapes(batch, range.clone(), rest, &mut geometry);
    write_columns(&axes_of(batch, &range, p), &mut geometry[part(places.axes)..]);
    let laws = batch.laws.get(range.clone()).unwrap_or_default();
    for (e, law) in laws.iter().enumerate() {
        let own = geometry[part(places.constants) + e..].iter_mut().step_by(count);
        own.zip(constants_of(batch, law)).for_each(|(place, constant)| *place = constant);
    }
    let offsets = batch.offsets.get(p * range.start..p * range.end).unwrap_or_default();
    write_columns(offsets, &mut geometry[part(places.offsets)..]);
    if p > 1 {
        let offsets = batch.centre_offsets.get(range.clone()).unwrap_or_default();
        write_columns(offsets, &mut geometry[part(places.centre_offset)..]);
    }
    write_volumes(batch, range, &mut geometry);
    geometry
}

/// Writes the energies of the volumes of the elements in `range`, and their modes at the points, into a geometry.
fn write_volumes(batch: &TissueBatch, range: Range<usize>, geometry: &mut [f64]) {
    let Some(pressures) = batch.pressures else { return };
    let (variant, count) = (variant_of(batch), range.len());
    let (places, points) = (variant.geometry_places(), variant.point_count as usize);
    for (k, e) in range.clone().enumerate() {
        let law = batch.laws.get(e).unwrap_or(batch.material);
        let of_law = law.bulk().map_or([0.0; 2], |bulk| bulk.packed());
        let of_points = PointGuard::of(law).map_or([0.0; 2], |guard| guard.packed());
        let first = places.bulk as usize * count + k;
        let own = geometry[first..].iter_mut().step_by(count);
        own.zip(of_law.into_iter().chain(of_points)).for_each(|(place, scalar)| *place = scalar);
    }
    let modes = &pressures.modes[points * range.start..points * range.end];
    let first = places.modes as usize * count;
    for k in 0..pressures.count {
        let own = &mut geometry[first + k * modes.len()..];
        own.iter_mut().zip(modes).for_each(|(place, modes)| *place = modes[k]);
    }
}

/// Writes dr/dX and volumes of the points of the elements in `range`, and dr/dX at their centres, into a geometry.
fn write_shapes(batch: &TissueBatch, range: Range<usize>, rest: &[Vec3], geometry: &mut [f64]) {
    let (slopes, rule) = (Slopes::of(batch), batch.kind.points_by(batch.quadrature));
    let (n, p, count) = (batch.kind.node_count(), rule.len(), range.len());
    let centres = variant_of(batch).geometry_places().centre as usize * count;
    let elements = range.clone().zip(batch.rows.chunks(n).skip(range.start));
    for (k, (e, rows)) in elements.enumerate() {
        let nodes: Vec<Vec3> = rows.iter().map(|&row| rest[row as usize]).collect();
        for (at, point) in rule.iter().enumerate() {
            let jacobian = slopes.jacobian(at + 1, &nodes);
            let (place, elastic) = (k * p + at, elastic(batch.offsets.get(e * p + at)));
            write_matrix(&(inverse(&jacobian) * elastic), &mut geometry[place..], count * p);
            geometry[9 * count * p + place] =
                point.weight * jacobian.determinant() / elastic.determinant();
        }
        if p > 1 {
            let centre =
                inverse(&slopes.jacobian(0, &nodes)) * elastic(batch.centre_offsets.get(e));
            write_matrix(&centre, &mut geometry[centres + k..], count);
        }
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
fn axes_of(batch: &TissueBatch, range: &Range<usize>, points: usize) -> Vec<Mat3> {
    let variant = variant_of(batch);
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

/// Rows of the nodes on the device, those of node a of element e at a * count + e.
pub(super) fn rows_of(batch: &TissueBatch, range: Range<usize>, device_row: &[u32]) -> Vec<u32> {
    let n = batch.kind.node_count();
    let elements = || batch.rows.chunks(n).skip(range.start).take(range.len());
    let node = |a: usize| elements().map(move |rows| device_row[rows[a] as usize]);
    (0..n).flat_map(node).collect()
}
