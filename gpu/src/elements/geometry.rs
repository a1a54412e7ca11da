//! Data of a batch for the kernels over elements: its law, the derivatives of the shape functions,
//! and the rest geometry of its points.

use sinew::Mat3;
use sinew::Vec3;
use sinew::force::TissueBatch;
use sinew::material::MaterialSpec;
use sinew_shaders::source::{Axes, Constants, ElementVariant, Law};
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

/// The buffer `geometry` of the elements in `range`: dr/dX [1/m] and volume [m³] of each point, then
/// dr/dX at the centres where there are several points, then the axes of the elements or points where the law
/// looks at them, then their constants where these vary (see `wgsl/lib/kinematics.wgsl`).
pub(super) fn geometry_of(batch: &TissueBatch, range: Range<usize>, rest: &[Vec3]) -> Vec<f64> {
    let (slopes, rule) = (Slopes::of(batch), batch.kind.points_by(batch.quadrature));
    let (n, p, count) = (batch.kind.node_count(), rule.len(), range.len());
    let centres = if p > 1 { 9 * count } else { 0 };
    let own_axes = axes_of(batch, &range, p);
    let axes = 9 * own_axes.len();
    let laws = batch.laws.get(range.clone()).unwrap_or_default();
    let constants = LAW_CONSTANTS * laws.len();
    let mut geometry = vec![0.0; 10 * count * p + centres + axes + constants];
    for (e, law) in laws.iter().enumerate() {
        let own = geometry[10 * count * p + centres + axes + e..].iter_mut().step_by(count);
        own.zip(constants_of(batch, law)).for_each(|(place, constant)| *place = constant);
    }
    let start = 10 * count * p + centres;
    for (place, axes) in own_axes.iter().enumerate() {
        for (k, &scalar) in axes.as_slice().iter().enumerate() {
            geometry[start + k * own_axes.len() + place] = scalar;
        }
    }
    for (e, rows) in batch.rows.chunks(n).skip(range.start).take(count).enumerate() {
        let nodes: Vec<Vec3> = rows.iter().map(|&row| rest[row as usize]).collect();
        for (k, point) in rule.iter().enumerate() {
            let jacobian = slopes.jacobian(k + 1, &nodes);
            let place = e * p + k;
            write_inverse(&jacobian, &mut geometry[place..], count * p);
            geometry[9 * count * p + place] = point.weight * jacobian.determinant();
        }
        if p > 1 {
            write_inverse(&slopes.jacobian(0, &nodes), &mut geometry[10 * count * p + e..], count);
        }
    }
    geometry
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

/// Writes the inverse column by column, `stride` apart; zeros where there is none.
fn write_inverse(jacobian: &Mat3, geometry: &mut [f64], stride: usize) {
    let inverse = jacobian.try_inverse().unwrap_or_else(Mat3::zeros);
    for (k, &scalar) in inverse.as_slice().iter().enumerate() {
        geometry[k * stride] = scalar;
    }
}

/// Rows of the nodes on the device, those of node a of element e at a * count + e.
pub(super) fn rows_of(batch: &TissueBatch, range: Range<usize>, device_row: &[u32]) -> Vec<u32> {
    let n = batch.kind.node_count();
    let elements = || batch.rows.chunks(n).skip(range.start).take(range.len());
    let node = |a: usize| elements().map(move |rows| device_row[rows[a] as usize]);
    (0..n).flat_map(node).collect()
}
