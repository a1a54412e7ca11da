//! Derivatives of positions at the middles of the sides of a sheet, as linear maps of the nodes around them that are exact for
//! whatever is quadratic over the sheet at rest.
//!
//! That along a side is the difference of its ends. That across it begins with the one of the two triangles there
//! (OnateFlores2005), which is exact where they mirror each other through the middle; elsewhere the least correction, by nodes of
//! the triangles around, makes it so. Since both triangles of a side see the same derivative, and it is right for every
//! constant bending, sheets are functions of Morley's space (Morley1968) and converge on any mesh.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector};

use crate::Vec3;

/// Moments that are matched: 1, s, n, s², s n, n².
const MOMENTS: usize = 6;
/// Rings of triangles around a side from which corrections are taken, at most.
const MOST_RINGS: usize = 2;
/// Moments of weights, over the side, that are off by rounding.
const EXACT: f64 = 1e-9;
/// Singular values of moments that are not told from none, over the largest: they would make large weights.
const VAGUE: f64 = 1e-3;
/// Cosine of the angle between the normals of a side and of a triangle around it up to which this belongs to the same smooth sheet.
const SMOOTH: f64 = 0.7;

/// Derivative of positions at the middle of a side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SideDerivative {
    /// Unit vectors in the sheet at rest: along the side, across it.
    pub(super) directions: [Vec3; 2],
    /// Derivatives in these directions by the position of a row [1/m].
    pub(super) weights: Vec<(u32, [f64; 2])>,
}

/// Triangles with the sides that they share.
pub(super) struct Sides<'t> {
    triangles: &'t [[u32; 3]],
    rest: &'t [Vec3],
    /// Triangles at each side, with the corner opposite to it.
    at: BTreeMap<[u32; 2], Vec<(usize, u32)>>,
}

/// Ends of the side opposite to corner `k`, the lower row first.
pub(super) fn side(triangle: &[u32; 3], k: usize) -> [u32; 2] {
    let (a, b) = (triangle[(k + 1) % 3], triangle[(k + 2) % 3]);
    [a.min(b), a.max(b)]
}

/// Coordinates of the sheet at rest around a side.
struct SideFrame {
    middle: Vec3,
    /// Length of the side [m].
    length: f64,
    /// Unit vectors along the side and across it.
    directions: [Vec3; 2],
}

impl SideFrame {
    /// Coordinates of a position, over the length of the side [-].
    fn place(&self, position: Vec3) -> [f64; 2] {
        let at = position - self.middle;
        self.directions.map(|direction| at.dot(&direction) / self.length)
    }

    /// 1, s, n, s², s n, n² of the coordinates of a position [-].
    fn moments(&self, position: Vec3) -> [f64; MOMENTS] {
        let [s, n] = self.place(position);
        [1.0, s, n, s * s, s * n, n * n]
    }
}

/// Weights that are added to those of rows, times the length of the side [-].
struct Correction {
    weights: Vec<(u32, f64)>,
    /// True if the moments are then met.
    is_exact: bool,
}

impl<'t> Sides<'t> {
    pub(super) fn new(triangles: &'t [[u32; 3]], rest: &'t [Vec3]) -> Self {
        let mut at: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (e, t) in triangles.iter().enumerate() {
            (0..3).for_each(|k| at.entry(side(t, k)).or_default().push((e, t[k])));
        }
        Self { triangles, rest, at }
    }

    /// Triangles at a side, with the corner opposite to it.
    pub(super) fn triangles_at(&self, ends: [u32; 2]) -> &[(usize, u32)] {
        self.at.get(&ends).map_or(&[], Vec::as_slice)
    }

    /// Derivatives at all sides of one or two triangles that have a length and an area there.
    pub(super) fn derivatives(&self) -> BTreeMap<[u32; 2], SideDerivative> {
        self.at
            .iter()
            .filter_map(|(&ends, own)| Some((ends, self.derivative(ends, own)?)))
            .collect()
    }

    fn position(&self, row: u32) -> Vec3 {
        self.rest[row as usize]
    }

    fn derivative(&self, ends: [u32; 2], own: &[(usize, u32)]) -> Option<SideDerivative> {
        let [a, b] = ends.map(|row| self.position(row));
        let (middle, length) = ((a + b) * 0.5, (b - a).norm());
        let along = (b - a).try_normalize(0.0)?;
        // Weights of the vector across the side that the two triangles make, or the only one.
        let (mut weights, across): (BTreeMap<u32, f64>, Vec3) = match own {
            [(_, c)] => {
                let weights = [(*c, 1.0), (ends[0], -0.5), (ends[1], -0.5)];
                (weights.into(), self.position(*c) - middle)
            }
            [(_, c), (_, d)] => {
                let vector = (self.position(*c) - self.position(*d)) * 0.5;
                ([(*c, 0.5), (*d, -0.5)].into(), vector)
            }
            _ => return None,
        };
        let normal = along.cross(&across).try_normalize(1e-12 * length * length)?;
        let directions = [along, normal.cross(&along)];
        let [skew, width] = directions.map(|direction| across.dot(&direction));
        for (row, weight) in ends.into_iter().zip([skew / length, -skew / length]) {
            *weights.entry(row).or_default() += weight;
        }
        weights.values_mut().for_each(|weight| *weight /= width);
        let frame = SideFrame { middle, length, directions };
        self.correct((own, normal), &frame, &mut weights);
        let by_ends = [-1.0 / length, 1.0 / length];
        let mut both: BTreeMap<u32, [f64; 2]> =
            weights.into_iter().map(|(row, weight)| (row, [0.0, weight])).collect();
        for (row, weight) in ends.into_iter().zip(by_ends) {
            both.entry(row).or_default()[0] += weight;
        }
        Some(SideDerivative { directions, weights: both.into_iter().collect() })
    }

    /// Makes weights of the derivative across a side exact for quadratic functions of the coordinates along and across it.
    fn correct(
        &self,
        (own, normal): (&[(usize, u32)], Vec3),
        frame: &SideFrame,
        weights: &mut BTreeMap<u32, f64>,
    ) {
        let missing = self.missing_moments(frame, weights);
        if missing.amax() <= EXACT {
            return;
        }
        let mut around: BTreeSet<usize> = own.iter().map(|(e, _)| *e).collect();
        for ring in 1..=MOST_RINGS {
            self.widen(&mut around, &normal);
            let Some(found) = self.least_correction(frame, &around, &missing) else { return };
            if found.is_exact || ring == MOST_RINGS {
                for (row, weight) in found.weights {
                    *weights.entry(row).or_default() += weight / frame.length;
                }
                return;
            }
        }
    }

    /// Moments of the derivative across a side less those of weights, times the length of the side [-].
    fn missing_moments(&self, frame: &SideFrame, weights: &BTreeMap<u32, f64>) -> DVector<f64> {
        let mut missing = DVector::from_fn(MOMENTS, |m, _| if m == 2 { 1.0 } else { 0.0 });
        for (&row, weight) in weights {
            let moments = frame.moments(self.position(row));
            (0..MOMENTS).for_each(|m| missing[m] -= moments[m] * weight * frame.length);
        }
        missing
    }

    /// The least correction with the missing moments, by the nodes of some triangles; `None` where there is none.
    fn least_correction(
        &self,
        frame: &SideFrame,
        around: &BTreeSet<usize>,
        missing: &DVector<f64>,
    ) -> Option<Correction> {
        let rows: BTreeSet<u32> = around.iter().flat_map(|&e| self.triangles[e]).collect();
        let rows: Vec<u32> = rows.into_iter().collect();
        // Far nodes count less, by the square of their distance.
        let share = |row: u32| {
            let squares = frame.place(self.position(row)).map(|x| x * x);
            1.0 / squares.iter().sum::<f64>().max(1e-2)
        };
        let shares: Vec<f64> = rows.iter().map(|&row| share(row)).collect();
        let matrix = DMatrix::from_fn(MOMENTS, rows.len(), |m, k| {
            frame.moments(self.position(rows[k]))[m] * shares[k]
        });
        let svd = matrix.clone().svd(true, true);
        let tolerance = VAGUE * svd.singular_values.max();
        let scaled = svd.solve(missing, tolerance).ok()?;
        let is_exact = (&matrix * &scaled - missing).amax() <= 1e-6;
        let weights = shares.iter().zip(scaled.iter()).map(|(share, scaled)| share * scaled);
        Some(Correction { weights: rows.into_iter().zip(weights).collect(), is_exact })
    }

    /// Adds the triangles that share a side with those of a set and lie in the same smooth sheet.
    fn widen(&self, around: &mut BTreeSet<usize>, normal: &Vec3) {
        let own: Vec<usize> = around.iter().copied().collect();
        for e in own {
            for k in 0..3 {
                // Sides of more than two triangles are hinges.
                let neighbours = self.triangles_at(side(&self.triangles[e], k));
                let neighbours = neighbours.iter().filter(|_| neighbours.len() <= 2);
                let smooth = neighbours.filter(|(other, _)| {
                    let [a, b, c] = self.triangles[*other].map(|row| self.position(row));
                    let area = (b - a).cross(&(c - a));
                    // Triangles of a sheet may be wound either way.
                    area.dot(normal).abs() > SMOOTH * area.norm()
                });
                around.extend(smooth.map(|(other, _)| *other));
            }
        }
    }
}
