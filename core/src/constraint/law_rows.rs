//! Rows of constraints by the user's own code, in a system.

use std::sync::Arc;

use super::half_way::HalfWay;
use super::{ConstraintInput, ConstraintLaw, Placement, Pose, RowSheet};
use crate::Vec3;

/// Points, bodies and rows that a law may have without taking memory in a step.
const FEW: usize = 8;

/// A body that a law sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenBody {
    /// Its number.
    pub body: u32,
    /// The block row of its centre of mass.
    pub row: u32,
    /// Its centre of mass in its frame [m].
    pub center: Vec3,
}

/// A law, and the points and bodies that it depends on.
#[derive(Clone)]
pub struct PlacedLaw {
    /// The law.
    pub law: Arc<ConstraintLaw>,
    /// Block rows of its points.
    pub points: Vec<u32>,
    /// Its bodies.
    pub bodies: Vec<SeenBody>,
    /// Number of its rows.
    pub rows: usize,
}

/// Rows of laws, flat.
#[derive(Clone, Default)]
pub struct LawRows {
    laws: Vec<PlacedLaw>,
    /// Law and row in it.
    places: Vec<[u32; 2]>,
    lists: Vec<Vec<u32>>,
}

/// Places where a law is evaluated and what it writes.
struct Sheet<'w> {
    positions: &'w mut [Vec3],
    poses: &'w mut [Pose],
    values: &'w mut [f64],
    slopes: &'w mut [Vec3],
}

impl PlacedLaw {
    fn width(&self) -> usize {
        self.points.len() + 2 * self.bodies.len()
    }

    /// Positions of its points and poses of its bodies; bodies half way, where the placement is the mean of two.
    pub fn place(&self, at: Placement) -> (Vec<Vec3>, Vec<Pose>) {
        let mut positions = vec![Vec3::zeros(); self.points.len()];
        let mut poses = vec![Pose::identity(); self.bodies.len()];
        self.find(at, &mut positions, &mut poses);
        (positions, poses)
    }

    fn find(&self, at: Placement, positions: &mut [Vec3], poses: &mut [Pose]) {
        for (position, &row) in positions.iter_mut().zip(&self.points) {
            *position = at.q[row as usize];
        }
        for (pose, seen) in poses.iter_mut().zip(&self.bodies) {
            let turn = &at.turns[seen.body as usize];
            let origin = at.q[seen.row as usize] - turn * seen.center;
            *pose = Pose::from_parts(origin.into(), HalfWay::of(turn).rotation);
        }
    }

    fn write(&self, at: Placement, sheet: &mut Sheet<'_>) {
        self.find(at, sheet.positions, sheet.poses);
        let place = ConstraintInput { positions: sheet.positions, poses: sheet.poses };
        let points = self.points.len();
        (self.law)(place, &mut RowSheet { values: sheet.values, slopes: sheet.slopes, points });
    }

    /// Evaluates the law, and hands over what it wrote.
    fn with_sheet<R>(&self, at: Placement, take: impl FnOnce(&Sheet<'_>) -> R) -> R {
        let (points, bodies, rows) = (self.points.len(), self.bodies.len(), self.rows);
        let size = rows * self.width();
        if points <= FEW && bodies <= FEW && size <= FEW * FEW {
            let mut positions = [Vec3::zeros(); FEW];
            let mut poses = [Pose::identity(); FEW];
            let mut values = [0.0; FEW * FEW];
            let mut slopes = [Vec3::zeros(); FEW * FEW];
            let mut sheet = Sheet {
                positions: &mut positions[..points],
                poses: &mut poses[..bodies],
                values: &mut values[..rows],
                slopes: &mut slopes[..size],
            };
            self.write(at, &mut sheet);
            return take(&sheet);
        }
        let (mut positions, mut poses) = self.place(at);
        let (mut values, mut slopes) = (vec![0.0; rows], vec![Vec3::zeros(); size]);
        let mut sheet = Sheet {
            positions: &mut positions,
            poses: &mut poses,
            values: &mut values,
            slopes: &mut slopes,
        };
        self.write(at, &mut sheet);
        take(&sheet)
    }
}

impl LawRows {
    /// Number of rows.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// The block rows of every row, each once.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// The rows of a law.
    pub fn push(&mut self, law: PlacedLaw) {
        let number = self.laws.len() as u32;
        let of_bodies = law.bodies.iter().flat_map(|seen| [seen.row, seen.row + 1]);
        let list: Vec<u32> = law.points.iter().copied().chain(of_bodies).collect();
        for row in 0..law.rows {
            self.places.push([number, row as u32]);
            self.lists.push(list.clone());
        }
        self.laws.push(law);
    }

    /// Value of a row.
    pub fn value(&self, row: usize, at: Placement) -> f64 {
        let [law, own] = self.places[row].map(|k| k as usize);
        self.laws[law].with_sheet(at, |sheet| sheet.values[own])
    }

    /// Vectors of the entries of a row, in the order of its list, into `values`.
    pub fn coefficients(&self, row: usize, at: Placement, values: &mut [Vec3]) {
        let [law, own] = self.places[row].map(|k| k as usize);
        let law = &self.laws[law];
        let width = law.width();
        law.with_sheet(at, |sheet| {
            values.copy_from_slice(&sheet.slopes[own * width..(own + 1) * width]);
        });
        for (k, seen) in law.bodies.iter().enumerate() {
            let at_body = law.points.len() + 2 * k;
            // The law has moments about the origin of the frame, the row about the centre of mass.
            let arm = at.turns[seen.body as usize] * -seen.center;
            let moment = arm.cross(&values[at_body]);
            values[at_body + 1] += moment;
        }
    }
}
