//! Layers of cartilage on the bones of the knee: hexahedra along the normals of the bone, thinner towards their edges.

use sinew::Vec3;
use sinew::fem::{ElementKind, MeshError, VolumeMesh};

use super::shape::{self, ASIDE, FEMORAL, PATELLAR, TIBIAL};
use crate::bones::MM;
use crate::bones::sdf::{Point, Ray, Solid};

/// Thickness at the edge over that in the middle [-].
const EDGE: f64 = 0.45;
/// Hexahedra through the thickness.
const LAYERS: usize = 1;
/// Start of the rays that find the femur, and the angles between which they lie, downwards from the front [mm, degrees].
const CENTER: [f64; 2] = [8.0, 2.0];
const SWEEP: [f64; 2] = [-36.0, 204.0];
/// Angle from which on the notch parts both condyles [degrees], and half width of cartilage before and behind it [mm].
const NOTCH: f64 = 64.0;
const HALF_WIDTHS: [f64; 2] = [25.0, 36.5];
/// Part of the half width that the notch takes [-].
const NOTCH_PART: f64 = 0.375;
/// Rounding of the outlines of plateaus and patella: 0 is a square, 0.5 a disk [-].
const ROUND: f64 = 0.35;
/// Half axes of the cartilage of the medial and the lateral plateau, and of the patella [mm].
const PLATEAUS: [[f64; 2]; 2] = [[21.0, 12.0], [18.0, 12.5]];
const FACETS: [f64; 2] = [17.0, 13.5];

/// A layer of cartilage [m].
pub(super) struct Layer {
    pub(super) mesh: VolumeMesh,
    /// Nodes on the bone.
    pub(super) inner: Vec<u32>,
    /// Nodes at the joint.
    pub(super) outer: Vec<u32>,
}

/// A point of a bone, the normal there, and the thickness of the cartilage on it [mm].
struct Column {
    foot: Point,
    normal: Point,
    thickness: f64,
}

impl Column {
    /// The column where a ray comes out of a solid or goes into it; at its start where it meets nothing.
    fn new(solid: &Solid, ray: Ray, thickness: f64) -> Self {
        const REACH: f64 = 80.0;
        let inside = if solid.value(ray.from) < 0.0 { -1.0 } else { 1.0 };
        let way = ray.hit([0.0, REACH], |p| inside * solid.value(p)).unwrap_or(0.0);
        let foot = ray.at(way);
        Self { foot, normal: solid.normal(foot), thickness }
    }

    fn point(&self, level: usize) -> Vec3 {
        let up = self.thickness * level as f64 / LAYERS as f64;
        (Vec3::from(self.foot) + Vec3::from(self.normal) * up) * MM
    }
}

/// Share of the thickness at a place that is so far from the edge, in widths of the strip in which it grows.
fn share(depth: f64) -> f64 {
    EDGE + (1.0 - EDGE) * depth.clamp(0.0, 1.0)
}

/// Hexahedra over the cells of a grid of columns that are kept. The first axis of the grid, the second and the normal are a
/// right-handed frame.
fn layer(
    [rows, columns]: [usize; 2],
    keep: impl Fn(usize, usize) -> bool,
    column: impl Fn(usize, usize) -> Column,
) -> Result<Layer, MeshError> {
    let across = columns + 1;
    let mut node_of = vec![u32::MAX; (rows + 1) * across];
    let mut layer = Layer { mesh: VolumeMesh::default(), inner: Vec::new(), outer: Vec::new() };
    let mut place = |i: usize, j: usize, layer: &mut Layer| {
        let at = i * across + j;
        if node_of[at] == u32::MAX {
            let first = layer.mesh.nodes.len() as u32;
            node_of[at] = first;
            let column = column(i, j);
            layer.mesh.nodes.extend((0..=LAYERS).map(|level| column.point(level)));
            layer.inner.push(first);
            layer.outer.push(first + LAYERS as u32);
        }
        node_of[at]
    };
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        if !keep(i, j) {
            continue;
        }
        let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        let corners = corners.map(|(i, j)| place(i, j, &mut layer));
        for level in 0..LAYERS as u32 {
            let nodes: [u32; 8] =
                std::array::from_fn(|k| corners[k % 4] + level + u32::from(k < 4));
            layer.mesh.push_element(ElementKind::Hex8, &nodes)?;
        }
    }
    Ok(layer)
}

/// Cartilage of the femur: trochlea and both condyles; from the trochlea backwards, and from the medial side to the lateral one.
pub(super) fn femoral(refined: usize) -> Result<Layer, MeshError> {
    let solid = shape::femoral_joint(0.0);
    let [rows, columns] = [12, 8].map(|count| count * refined);
    let angle = |i: usize| SWEEP[0] + (SWEEP[1] - SWEEP[0]) * i as f64 / rows as f64;
    let part = |j: usize| 2.0 * j as f64 / columns as f64 - 1.0;
    let in_notch = |i: usize, j: usize| {
        let middle = 0.5 * (part(j) + part(j + 1));
        angle(i) > NOTCH - 1e-9 && middle.abs() < NOTCH_PART
    };
    let column = |i: usize, j: usize| {
        let (angle, part) = (angle(i), part(j));
        let widening = crate::interpolation::smooth_step((angle + 5.0) / (NOTCH + 5.0));
        let half = HALF_WIDTHS[0] + (HALF_WIDTHS[1] - HALF_WIDTHS[0]) * widening;
        let (sin, cos) = angle.to_radians().sin_cos();
        let from = [CENTER[0], half * part, CENTER[1]];
        let ends = (angle - SWEEP[0]).min(SWEEP[1] - angle) / 20.0;
        let sides = (1.0 - part.abs()) / 0.25;
        let notch = (NOTCH - angle).max(0.0) / 20.0 + (part.abs() - NOTCH_PART).max(0.0) / 0.125;
        let depth = ends.min(sides).min(notch);
        Column::new(&solid, Ray { from, inward: [cos, 0.0, -sin] }, FEMORAL * share(depth))
    };
    layer([rows, columns], |i, j| !in_notch(i, j), column)
}

/// A rounded square of columns, half way between a square and the disk that it is mapped to (key Nowell2005), whose corners are flat.
fn pad(
    refined: usize,
    solid: &Solid,
    thickness: f64,
    at: impl Fn([f64; 2]) -> Ray,
) -> Result<Layer, MeshError> {
    let count = 4 * refined;
    let place = |i: usize| 2.0 * i as f64 / count as f64 - 1.0;
    let column = |i: usize, j: usize| {
        let [u, v] = [place(i), place(j)];
        let round = [u * (1.0 - ROUND * v * v).sqrt(), v * (1.0 - ROUND * u * u).sqrt()];
        let depth = (1.0 - u.abs().max(v.abs())) / 0.5;
        Column::new(solid, at(round), thickness * share(depth))
    };
    layer([count; 2], |_, _| true, column)
}

/// Cartilage of a plateau, the medial one (0) or the lateral one (1).
pub(super) fn tibial(refined: usize, side: usize) -> Result<Layer, MeshError> {
    let [long, wide] = PLATEAUS[side];
    let y = [-ASIDE, ASIDE][side];
    let from = |[u, v]: [f64; 2]| [long * u - 1.0, y + wide * v, -10.0];
    let at = |place| Ray { from: from(place), inward: [0.0, 0.0, -1.0] };
    pad(refined, &shape::plateaus(), TIBIAL, at)
}

/// Cartilage of the patella, about the centre of the bone.
pub(super) fn patellar(refined: usize) -> Result<Layer, MeshError> {
    let [wide, high] = FACETS;
    // Right-handed with the normal, which shows to the rear.
    let from = |[u, v]: [f64; 2]| [-30.0, wide * v, high * u + 1.0];
    let at = |place| Ray { from: from(place), inward: [1.0, 0.0, 0.0] };
    pad(refined, &shape::patella(0.0), PATELLAR, at)
}
