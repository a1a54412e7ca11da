//! Elements of samples: any numbers serve as shape functions and Jacobians, but displacements are such
//! that laws have values, and some elements are turned inside out.

use super::sample::noise;
use crate::source::{Axes, Constants, ElementVariant, Law, Pressures, Rest};
use crate::table::LAW_CONSTANTS;

/// Elements: with three points each, a workgroup and a part of another.
pub(super) const ELEMENTS: usize = 90;
/// Index of the first element that is turned inside out, where its kind can be.
const INVERTED_FROM: usize = 61;
/// Size of displacement gradients at rest.
const OFFSET: f64 = 0.1;
/// Size of the modes of volumes; modulus with which a point resists below a share of its volume, and that share.
const MODE: f64 = 0.15;
const GUARD: f64 = 0.8;
const FLAT: f64 = 0.9;
/// Activation of fibres.
pub(super) const ACTIVATION: f64 = 0.6;

type Matrix = [[f64; 3]; 3];

/// Rest geometry and motion of the elements of a sample.
pub(super) struct Shape {
    pub(super) variant: ElementVariant,
    pub(super) table: Vec<f64>,
    pub(super) geometry: Vec<f64>,
    pub(super) rows: Vec<u32>,
    pub(super) displacement: Vec<f64>,
}

/// All that a geometry holds.
fn geometry_of(variant: &ElementVariant) -> Vec<f64> {
    let (places, p) = (variant.geometry_places(), variant.point_count as usize);
    let mut geometry = noise(places.axes as usize * ELEMENTS, 2);
    // Jacobians near the identity, and positive volumes.
    let points = 10 * p * ELEMENTS;
    for (k, scalar) in geometry.iter_mut().enumerate() {
        let component = if k < points { k / (p * ELEMENTS) } else { (k - points) / ELEMENTS };
        let middle = if component % 4 == 0 || component == 9 { 1.0 } else { 0.0 };
        *scalar = middle + 0.2 * *scalar;
    }
    if variant.law.has_axes() {
        let of_points = variant.axes == Axes::OfPoints;
        let axes: Vec<_> =
            (0..if of_points { p * ELEMENTS } else { ELEMENTS }).map(axes_of).collect();
        geometry.extend((0..9).flat_map(|k| axes.iter().map(move |axes| axes[k % 3][k / 3])));
    }
    if variant.constants == Constants::OfElements {
        let of_batch = constants(variant.law);
        let factor = |e: usize| 1.0 + 0.3 * (e as f64).sin();
        let own = |k: usize| (0..ELEMENTS).map(move |e| of_batch[k] * factor(e));
        geometry.extend((0..LAW_CONSTANTS).flat_map(own));
    }
    let offsets = (places.bulk - places.offsets) as usize * ELEMENTS;
    geometry.extend(noise(offsets, 12).into_iter().map(|x| OFFSET * x));
    geometry.extend(volumes_of(variant));
    assert_eq!(geometry.len(), places.end as usize * ELEMENTS, "geometry of a sample");
    geometry
}

/// Energies of volumes of both kinds, and modes so small that a projected volume stays positive.
fn volumes_of(variant: &ElementVariant) -> Vec<f64> {
    let places = variant.geometry_places();
    let guarded = if variant.law.needs_volume() { GUARD } else { 0.0 };
    let bulk = |k: u32, e: usize| match k {
        0 => 1.5 + 0.4 * (e as f64).cos(),
        1 => f64::from(u8::from(e.is_multiple_of(2))),
        2 => guarded,
        _ => FLAT,
    };
    let of_elements =
        (0..places.modes - places.bulk).flat_map(|k| (0..ELEMENTS).map(move |e| bulk(k, e)));
    let of_points = (places.end - places.modes) as usize * ELEMENTS;
    of_elements.chain(noise(of_points, 13).into_iter().map(|x| MODE * x)).collect()
}

impl Shape {
    /// Elements of a variant.
    pub(super) fn new(variant: ElementVariant) -> Self {
        let (n, p) = (variant.node_count as usize, variant.point_count as usize);
        let slopes = noise(3 * n * (p + 1), 1).into_iter().map(|x| 0.5 * x);
        // Shape functions, of those that look at them.
        let shapes = match variant.pressures {
            Pressures::Nothing | Pressures::Modes(_) => 0,
            Pressures::Nodes => n * p,
        };
        let shapes = noise(shapes, 14).into_iter().map(|x| 0.2 + 0.15 * x);
        let row_count = ELEMENTS * n;
        let mut shape = Self {
            variant,
            table: constants(variant.law).into_iter().chain(slopes).chain(shapes).collect(),
            geometry: geometry_of(&variant),
            rows: (0..row_count).map(|k| (7 * k % row_count) as u32).collect(),
            displacement: noise(3 * row_count, 3),
        };
        let mut inverted = 0;
        for e in 0..ELEMENTS {
            let volumes = shape.volumes(e);
            let inside_out = inside_out(&volumes).filter(|_| e >= INVERTED_FROM);
            inverted += usize::from(inside_out.is_some());
            shape.scale(e, inside_out.unwrap_or_else(|| moderate(&volumes, e)));
        }
        assert!(inverted > 2, "{inverted} elements of a sample are inside out");
        shape
    }

    /// Volumes over those at rest at the centre and the points of an element, by what its
    /// displacements are multiplied with.
    fn volumes(&self, e: usize) -> Volumes {
        let slots = 0..=self.variant.point_count as usize;
        Volumes(slots.map(|k| [self.offset(k, e), self.gradient(k, e)]).collect())
    }

    /// Displacement gradient at rest at the centre (slot 0) or a point of an element.
    fn offset(&self, slot: usize, e: usize) -> Matrix {
        let (places, p) = (self.variant.geometry_places(), self.variant.point_count as usize);
        let (place, first, stride) = match slot {
            0 if p > 1 => (places.centre_offset, e, ELEMENTS),
            _ => (places.offsets, e * p + slot.max(1) - 1, p * ELEMENTS),
        };
        if self.variant.rest == Rest::Free {
            return [[0.0; 3]; 3];
        }
        let first = place as usize * ELEMENTS + first;
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| self.geometry[first + (3 * j + i) * stride]))
    }

    fn scale(&mut self, e: usize, factor: f64) {
        for a in 0..self.variant.node_count as usize {
            let row = 3 * self.rows[a * ELEMENTS + e] as usize;
            self.displacement[row..row + 3].iter_mut().for_each(|d| *d *= factor);
        }
    }

    /// Displacement gradient at the centre (slot 0) or a point of an element.
    fn gradient(&self, slot: usize, e: usize) -> Matrix {
        let (n, p) = (self.variant.node_count as usize, self.variant.point_count as usize);
        let at = |a: usize| {
            let row = 3 * self.rows[a * ELEMENTS + e] as usize;
            [0, 1, 2].map(|k| self.displacement[row + k])
        };
        let (first, stride) = match slot {
            0 if p > 1 => (10 * p * ELEMENTS + e, ELEMENTS),
            _ => (e * p + slot.max(1) - 1, p * ELEMENTS),
        };
        let mut h = [[0.0; 3]; 3];
        for (a, (i, j, k)) in (1..n).flat_map(|a| triples().map(move |t| (a, t))) {
            let slope = self.table[LAW_CONSTANTS + 3 * (slot * n + a) + k];
            let inverse = self.geometry[first + (3 * j + k) * stride];
            h[i][j] += (at(a)[i] - at(0)[i]) * slope * inverse;
        }
        h
    }
}

/// Constants of a sample.
fn constants(law: Law) -> [f64; LAW_CONSTANTS] {
    let mut constants = [0.0; LAW_CONSTANTS];
    constants[..law.sample().len()].copy_from_slice(law.sample());
    constants
}

/// A rotation, row by row: that of a quaternion that is another one for each element.
fn axes_of(e: usize) -> Matrix {
    let [w, x, y, z] = {
        let q: Vec<f64> = noise(4, 100 + e as u64);
        let size = q.iter().map(|a| a * a).sum::<f64>().sqrt();
        [q[0] / size, q[1] / size, q[2] / size, q[3] / size]
    };
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Displacement gradients of an element at rest, and by its displacements.
struct Volumes(Vec<[Matrix; 2]>);

impl Volumes {
    fn at(&self, factor: f64) -> impl Iterator<Item = f64> {
        self.0.iter().map(move |h| det(&deformation(h, factor)))
    }
}

/// The factor that gives all points clear volumes, centre and first point negative ones.
fn inside_out(volumes: &Volumes) -> Option<f64> {
    let fits = |t: &f64| {
        let clear = volumes.at(*t).all(|j| !(-0.1..0.3).contains(&j));
        clear && volumes.at(*t).take(2).all(|j| j < 0.0)
    };
    (1..400).flat_map(|k| [0.01, -0.01].map(|s| s * f64::from(k))).find(fits)
}

/// A factor that leaves all volumes well positive. Some elements are hardly strained, so that the
/// series of small numbers count.
fn moderate(volumes: &Volumes, e: usize) -> f64 {
    let fits = |t: &f64| volumes.at(*t).all(|j| (0.3..3.0).contains(&j));
    let start = [0.02, 0.2, 1.0, 2.0][e % 4];
    (0..100).map(|k| start * 0.9f64.powi(k)).find(fits).unwrap_or(0.0)
}

fn triples() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..27).map(|k| (k / 9, k / 3 % 3, k % 3))
}

/// I + offset + t h.
fn deformation([offset, h]: &[Matrix; 2], t: f64) -> Matrix {
    let unit = |i, j| if i == j { 1.0 } else { 0.0 };
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| unit(i, j) + offset[i][j] + t * h[i][j]))
}

fn det(m: &Matrix) -> f64 {
    let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}
