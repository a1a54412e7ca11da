//! Warps by a field of displacements on a regular grid, as registrations of images make them.

use serde::{Deserialize, Serialize};

use super::Affine;
use crate::{Mat3, Vec3};

/// Most points of a grid: displacements of 400 MB.
const MOST: usize = 1 << 24;

/// x -> x + d(x), with displacements d at the points of a regular grid. Between them they are interpolated by cubic
/// splines of Catmull and Rom along each axis, which have a slope everywhere and keep linear fields (CatmullRom1974); outside
/// of the grid they are those of its border.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Grid", into = "Grid")]
pub struct FieldWarp(Grid);

/// Displacements on a regular grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// First point [m].
    pub origin: Vec3,
    /// Distances of points along x, y and z [m].
    pub spacing: Vec3,
    /// Numbers of points along x, y and z.
    pub counts: [usize; 3],
    /// Displacements [m], those along z first, then along y.
    pub displacements: Vec<Vec3>,
}

/// Errors of fields of displacements.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// A direction with one point or none, or more points than are held.
    #[error("a grid of {} x {} x {} points: give 2 at least along each axis, and {MOST} at most", .0[0], .0[1], .0[2])]
    Counts([usize; 3]),
    /// Distances that are not positive, or an origin that is not finite.
    #[error("the origin of a grid must be finite and its spacing > 0 along each axis")]
    Lattice,
    /// Displacements that do not fill the grid.
    #[error("{found} displacements: the grid has {expected} points")]
    Length {
        /// Number of points.
        expected: usize,
        /// Number of displacements.
        found: usize,
    },
    /// A displacement is not finite.
    #[error("displacement {0} (counted from 0) is not finite")]
    NotFinite(usize),
}

impl TryFrom<Grid> for FieldWarp {
    type Error = FieldError;

    fn try_from(grid: Grid) -> Result<Self, FieldError> {
        Self::new(grid)
    }
}

impl From<FieldWarp> for Grid {
    fn from(warp: FieldWarp) -> Self {
        warp.0
    }
}

/// Weights of four points in a row, and their slopes by the coordinate in cells.
struct Weights {
    /// Index of the first cell's point.
    first: usize,
    value: [f64; 4],
    slope: [f64; 4],
}

impl FieldWarp {
    /// The warp by the displacements of a grid.
    ///
    /// # Errors
    /// [`FieldError`]: a grid without an extent, or too large, displacements that do not fill it or are not finite.
    pub fn new(grid: Grid) -> Result<Self, FieldError> {
        let [nx, ny, nz] = grid.counts;
        let size = nx.checked_mul(ny).and_then(|size| size.checked_mul(nz));
        let expected = size.filter(|&size| nx.min(ny).min(nz) >= 2 && size <= MOST);
        let expected = expected.ok_or(FieldError::Counts(grid.counts))?;
        let placed = grid.origin.iter().all(|x| x.is_finite())
            && grid.spacing.iter().all(|h| h.is_finite() && *h > 0.0);
        if !placed {
            return Err(FieldError::Lattice);
        }
        let found = grid.displacements.len();
        if found != expected {
            return Err(FieldError::Length { expected, found });
        }
        let infinite = |d: &Vec3| d.iter().any(|x| !x.is_finite());
        match grid.displacements.iter().position(infinite) {
            Some(k) => Err(FieldError::NotFinite(k)),
            None => Ok(Self(grid)),
        }
    }

    /// Image of a point [m].
    pub fn point(&self, x: &Vec3) -> Vec3 {
        x + self.displacement(x).0
    }

    /// The affine map that agrees with it to first order at a point [m].
    pub fn local(&self, x: &Vec3) -> Affine {
        let (displacement, slope) = self.displacement(x);
        let linear = Mat3::identity() + slope;
        Affine { linear, translation: x + displacement - linear * x }
    }

    /// Displacement at a point [m], and its derivatives.
    fn displacement(&self, x: &Vec3) -> (Vec3, Mat3) {
        let grid = &self.0;
        let along: [Weights; 3] = std::array::from_fn(|axis| {
            weights((x[axis] - grid.origin[axis]) / grid.spacing[axis], grid.counts[axis])
        });
        let (mut value, mut slope) = (Vec3::zeros(), Mat3::zeros());
        for corner in 0..64 {
            let place = [corner >> 4, corner >> 2 & 3, corner & 3];
            let [a, b, c] = std::array::from_fn(|axis| along[axis].value[place[axis]]);
            let [da, db, dc] = std::array::from_fn(|axis| along[axis].slope[place[axis]]);
            let d = self.at(std::array::from_fn(|axis| along[axis].first + place[axis]));
            value += d * (a * b * c);
            slope += d * Vec3::new(da * b * c, a * db * c, a * b * dc).transpose();
        }
        (value, slope * Mat3::from_diagonal(&grid.spacing.map(|h| 1.0 / h)))
    }

    /// Displacement of a point of the grid, from one before the first along each axis, where weights are zero.
    fn at(&self, place: [usize; 3]) -> Vec3 {
        let counts = self.0.counts;
        let [i, j, k] = std::array::from_fn(|axis| place[axis].clamp(1, counts[axis]) - 1);
        self.0.displacements[(i * counts[1] + j) * counts[2] + k]
    }
}

/// Weights at a coordinate in cells. The points beyond the ends of a row go on as its ends do: their weights are given to the
/// two points that they follow from.
fn weights(at: f64, count: usize) -> Weights {
    let last = (count - 1) as f64;
    let inside = at.clamp(0.0, last);
    let cell = inside.floor().min(last - 1.0);
    let t = inside - cell;
    let (t2, t3) = (t * t, t * t * t);
    let mut value = [
        -0.5 * t + t2 - 0.5 * t3,
        1.0 - 2.5 * t2 + 1.5 * t3,
        0.5 * t + 2.0 * t2 - 1.5 * t3,
        -0.5 * t2 + 0.5 * t3,
    ];
    let mut slope =
        [-0.5 + 2.0 * t - 1.5 * t2, -5.0 * t + 4.5 * t2, 0.5 + 4.0 * t - 4.5 * t2, -t + 1.5 * t2];
    for list in [&mut value, &mut slope] {
        if cell == 0.0 {
            // d(-1) = 2 d(0) - d(1).
            list[1] += 2.0 * list[0];
            list[2] -= list[0];
            list[0] = 0.0;
        }
        if cell == last - 1.0 {
            list[2] += 2.0 * list[3];
            list[1] -= list[3];
            list[3] = 0.0;
        }
    }
    if inside != at {
        slope = [0.0; 4];
    }
    Weights { first: cell as usize, value, slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: Vec3 = Vec3::new(0.1, 0.15, 0.2);
    const ORIGIN: Vec3 = Vec3::new(-0.3, 0.2, 1.0);

    fn grid(counts: [usize; 3], field: impl Fn(Vec3) -> Vec3) -> Grid {
        let [nx, ny, nz] = counts;
        let places = (0..nx * ny * nz).map(|k| [k / (ny * nz), k / nz % ny, k % nz]);
        let at = |place: [usize; 3]| {
            ORIGIN + SPACING.component_mul(&Vec3::from(place.map(|i| i as f64)))
        };
        let displacements = places.map(|place| field(at(place))).collect();
        Grid { origin: ORIGIN, spacing: SPACING, counts, displacements }
    }

    fn bent(x: Vec3) -> Vec3 {
        Vec3::new(0.02 * (5.0 * x.y).sin(), 0.03 * x.x * x.z, 0.01 * (4.0 * x.x).cos())
    }

    #[test]
    fn displacements_are_met_and_slopes_are_those_of_differences() {
        let warp = FieldWarp::new(grid([5, 4, 6], bent)).unwrap();
        let node = ORIGIN + SPACING.component_mul(&Vec3::new(3.0, 2.0, 5.0));
        assert!((warp.point(&node) - node - bent(node)).norm() < 1e-15);
        let step = 1e-6;
        // Between the nodes: slopes have kinks at them.
        for x in
            [Vec3::new(-0.29, 0.21, 1.01), Vec3::new(-0.12, 0.41, 1.33), Vec3::new(0.09, 0.6, 1.9)]
        {
            let local = warp.local(&x);
            for axis in 0..3 {
                let mut ahead = Vec3::zeros();
                ahead[axis] = step;
                let difference =
                    (warp.point(&(x + ahead)) - warp.point(&(x - ahead))) / (2.0 * step);
                // Roundings of 1e-16 m over the step, and its square.
                assert!((local.linear.column(axis) - difference).norm() < 1e-8, "{x}");
            }
            assert!((local.point(&x) - warp.point(&x)).norm() < 1e-15);
        }
    }

    #[test]
    fn linear_fields_are_kept_up_to_the_border_which_goes_on_beyond() {
        let linear = Mat3::new(0.1, 0.2, 0.0, -0.1, 0.05, 0.3, 0.0, 0.02, -0.2);
        let warp = FieldWarp::new(grid([3, 2, 4], |x| linear * x)).unwrap();
        let inside = Vec3::new(-0.28, 0.34, 1.55);
        assert!((warp.point(&inside) - inside - linear * inside).norm() < 1e-14);
        assert!((warp.local(&inside).linear - Mat3::identity() - linear).norm() < 1e-13);
        let beyond = Vec3::new(-9.0, 0.3, 1.2);
        let border = Vec3::new(ORIGIN.x, 0.3, 1.2);
        assert!((warp.point(&beyond) - beyond - linear * border).norm() < 1e-14);
        assert_eq!(warp.local(&beyond).linear.column(0), Vec3::x());
    }

    #[test]
    fn grids_that_make_no_field_are_refused_with_what_is_wrong() {
        let good = grid([2, 2, 2], bent);
        let with = |change: &dyn Fn(&mut Grid)| {
            let mut grid = good.clone();
            change(&mut grid);
            FieldWarp::new(grid).unwrap_err()
        };
        assert_eq!(with(&|it| it.counts = [1, 4, 2]), FieldError::Counts([1, 4, 2]));
        let huge = [usize::MAX, 2, 2];
        assert_eq!(with(&|it| it.counts = huge), FieldError::Counts(huge));
        assert_eq!(with(&|it| it.spacing.y = 0.0), FieldError::Lattice);
        let length = FieldError::Length { expected: 8, found: 7 };
        assert_eq!(with(&|it| it.displacements.truncate(7)), length);
        assert_eq!(with(&|it| it.displacements[3].z = f64::NAN), FieldError::NotFinite(3));
    }
}
