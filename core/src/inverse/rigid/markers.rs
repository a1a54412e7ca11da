//! Inverse kinematics: bodies under their joints and within the ranges of these, nearest to recorded markers by weighted
//! least squares (LuOConnor1999).

use nalgebra::{DMatrix, DVector};

use super::rows::{DenseRows, least_squares};
use crate::Vec3;
use crate::constraint::Placement;
use crate::inverse::{InverseError, MotionTarget, TargetKind};
use crate::lcp::{ActiveSetStatus, QuadraticProgram, QuadraticSolver};
use crate::model::{JointCoordinate, Model, PointRef};
use crate::system::{CompiledModel, MechSystem, Multibody, State};
use crate::{Mat3, linalg::norm};

/// A point of a model that was recorded, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// The point: a frame marker, a particle.
    pub point: PointRef,
    /// Weight of its squared distance [-].
    pub weight: f64,
}

impl Marker {
    /// The marker of a target that is a point, with the weight of it; `None` for another.
    pub fn of(target: &MotionTarget) -> Option<Self> {
        match target.kind {
            TargetKind::Point(point) => Some(Self { point, weight: target.weight }),
            TargetKind::Surface(..)
            | TargetKind::Origin(_)
            | TargetKind::Orientation(_)
            | TargetKind::Coordinate(_)
            | TargetKind::JointForce(_)
            | TargetKind::JointMoment(_)
            | TargetKind::PointForce(_)
            | TargetKind::PairForce(_)
            | TargetKind::ColliderForce(_)
            | TargetKind::Sensor(_) => None,
        }
    }
}

/// Finds the places of the bodies of a model from markers.
pub struct InverseKinematics {
    compiled: CompiledModel,
    rows: DenseRows,
    markers: Vec<(usize, f64)>,
}

/// Change of positions and turns at which a place is settled [m], [rad].
const SETTLED: f64 = 1e-11;
/// Most iterations.
const ITERATIONS: usize = 100;
/// Largest way of a scalar in one of them [m], [rad].
const FARTHEST: f64 = 0.3;
/// Weight of the way of an iteration that no marker sees, over the largest of the markers [-].
const UNSEEN: f64 = 1e-9;
/// Error of joints that is none [m], [-].
const MET: f64 = 1e-8;

impl InverseKinematics {
    /// For markers of a model.
    ///
    /// # Errors
    /// [`InverseError::Model`] where it does not compile; [`InverseError::NotSimulated`] for a marker that takes no part;
    /// [`InverseError::Number`] for a weight out of range.
    pub fn new(model: &Model, markers: &[Marker]) -> Result<Self, InverseError> {
        let compiled = model.compile().map_err(|error| InverseError::Model(error.to_string()))?;
        let Some(multibody) = compiled.multibody() else {
            return Err(InverseError::Nothing("bodies"));
        };
        let mut found = Vec::new();
        for Marker { point, weight } in markers {
            if !(weight.is_finite() && *weight >= 0.0) {
                let (name, must) = ("weight", "finite and >= 0");
                return Err(InverseError::Number { name, must, value: *weight });
            }
            let absent = || InverseError::NotSimulated(format!("{point:?}"));
            found.push((compiled.find_row(*point).ok_or_else(absent)?, *weight));
        }
        let rows = DenseRows::new(&compiled, multibody, (Vec::new(), Vec::new()));
        Ok(Self { rows, markers: found, compiled })
    }

    fn multibody(&self) -> &Multibody {
        self.compiled.multibody().expect("checked when it was made")
    }

    /// The start of the model.
    pub fn start(&self) -> State {
        let mut state = self.compiled.initial_state();
        self.multibody().update_coordinates(&state.q, &mut state.coordinates);
        state
    }

    /// Value of a coordinate in a state [m], [rad]; `None` where its joint takes no part.
    pub fn coordinate(&self, model: &Model, of: &JointCoordinate, state: &State) -> Option<f64> {
        let first = self.compiled.coordinates_of(of.joint)?.start;
        state.coordinates.get(first + of.index(model)?).copied()
    }

    /// Moves the bodies of a state to where the markers are nearest to their places `recorded` [m], in the order of the markers;
    /// those that were not seen have none. Begins where the bodies are: the frame before is a good start. Returns the root
    /// of the mean weighted squared distance [m].
    ///
    /// # Errors
    /// [`InverseError::Coefficients`] for another number of places; [`InverseError::Placement`] where joints do not hold at the
    /// end, or nothing settles.
    pub fn place(&self, state: &mut State, recorded: &[Option<Vec3>]) -> Result<f64, InverseError> {
        let (found, expected) = (recorded.len(), self.markers.len());
        if found != expected {
            return Err(InverseError::Coefficients { found, expected });
        }
        let failed =
            |error: f64, state: &State| InverseError::Placement { time: state.time, error };
        let mut damping = 0.0;
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let way = self.way(state, recorded, damping).ok_or_else(|| failed(f64::NAN, state))?;
            let mut moved = state.clone();
            self.rows.move_by(self.multibody(), &mut moved, &way);
            let errors = self.rows.errors(self.multibody(), &mut moved, &[]);
            let cost = self.distance(&moved, recorded);
            let met = errors.is_empty() || errors.amax() < MET;
            // Once joints hold, a step that leads away was too long.
            if met && cost > before * (1.0 + 1e-9) && damping < 1.0 {
                damping = f64::max(10.0 * damping, 1e-6);
                continue;
            }
            (*state, damping) = (moved, 0.1 * damping);
            before = if met { cost } else { f64::INFINITY };
            if norm(&way) < SETTLED {
                return match met {
                    true => Ok(cost),
                    false => Err(failed(errors.amax(), state)),
                };
            }
        }
        let errors = self.rows.errors(self.multibody(), state, &[]);
        match errors.is_empty() || errors.amax() < MET {
            true => Ok(self.distance(state, recorded)),
            false => Err(failed(errors.amax(), state)),
        }
    }

    /// Root of the mean weighted squared distance of the markers [m].
    fn distance(&self, state: &State, recorded: &[Option<Vec3>]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for ((row, weight), place) in self.markers.iter().zip(recorded) {
            if let Some(place) = place {
                sum += weight * (state.q[*row] - place).norm_squared();
                weights += weight;
            }
        }
        if weights > 0.0 { f64::sqrt(sum / weights) } else { 0.0 }
    }

    /// The way of an iteration: least squares of the markers under the rows of joints and ranges, linear about the state. What
    /// brings joints back comes first, and the markers move what these leave free.
    fn way(&self, state: &mut State, recorded: &[Option<Vec3>], damping: f64) -> Option<Vec<Vec3>> {
        let multibody = self.multibody();
        let errors = self.rows.errors(multibody, state, &[]);
        let joints = self.rows.matrix(multibody, state);
        let free = null_space(&joints, self.rows.scalars.len());
        let back = least_squares(joints, &-errors)?;
        let (hessian, gradient) = self.squares(state, recorded);
        let gradient = free.tr_mul(&(gradient + &hessian * &back));
        let mut hessian = free.tr_mul(&(hessian * &free));
        let largest = if hessian.is_empty() { 0.0 } else { hessian.diagonal().amax() };
        for k in 0..free.ncols() {
            hessian[(k, k)] += largest.max(f64::MIN_POSITIVE) * (UNSEEN + damping);
        }
        let (ranges, rooms) = self.ranges(state);
        let rooms = DVector::from_vec(rooms) + &ranges * &back;
        let moved = least_within(&hessian, &gradient, (&(ranges * &free), &rooms))?;
        let mut way = back + free * moved;
        let farthest = way.amax();
        if !farthest.is_finite() {
            return None;
        }
        if farthest > FARTHEST {
            way *= FARTHEST / farthest;
        }
        Some(self.rows.scatter(&way, state.q.len()))
    }

    /// Hessian and gradient of half the weighted squares of the markers.
    fn squares(&self, state: &State, recorded: &[Option<Vec3>]) -> (DMatrix<f64>, DVector<f64>) {
        let count = self.rows.scalars.len();
        let attachments = DenseRows::attachments(self.multibody(), state);
        let (mut hessian, mut gradient) = (DMatrix::zeros(count, count), DVector::zeros(count));
        let mut pushes = vec![Vec3::zeros(); state.q.len()];
        for ((row, weight), place) in self.markers.iter().zip(recorded) {
            let Some(place) = place else { continue };
            for axis in 0..3 {
                pushes.fill(Vec3::zeros());
                pushes[*row][axis] = 1.0;
                attachments.reduce_force(&mut pushes);
                let slope = self.rows.gather(&pushes);
                gradient.axpy(weight * (state.q[*row][axis] - place[axis]), &slope, 1.0);
                hessian.ger(*weight, &slope, &slope, 1.0);
            }
        }
        (hessian, gradient)
    }

    /// Rates of the rooms within ranges, and these rooms.
    fn ranges(&self, state: &State) -> (DMatrix<f64>, Vec<f64>) {
        let multibody = self.multibody();
        let ranges = &multibody.joints.unilateral;
        let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
        multibody.update_turns(&state.q, &mut turns);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let attachments = DenseRows::attachments(multibody, state);
        let mut matrix = DMatrix::zeros(ranges.count(), self.rows.scalars.len());
        let mut reader = ranges.at(at);
        for number in 0..ranges.count() {
            let list = &ranges.lists()[number];
            let mut coefficients = vec![Vec3::zeros(); list.len()];
            reader.coefficients(number, &mut coefficients);
            let mut pushes = vec![Vec3::zeros(); state.q.len()];
            for (&block, coefficient) in list.iter().zip(&coefficients) {
                pushes[block as usize] += coefficient;
            }
            attachments.reduce_force(&mut pushes);
            matrix.row_mut(number).tr_copy_from(&self.rows.gather(&pushes));
        }
        (matrix, (0..ranges.count()).map(|number| reader.value(number)).collect())
    }
}

/// Share of the largest singular value of rows below which a direction is free [-]; eigenvalues are squares.
const FREE: f64 = 1e-14;

/// Directions of `count` scalars that rows leave free, as orthonormal columns.
fn null_space(rows: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    if rows.is_empty() {
        return DMatrix::identity(count, count);
    }
    let eigen = rows.tr_mul(rows).symmetric_eigen();
    let least = FREE * eigen.eigenvalues.max();
    let free: Vec<usize> = (0..count).filter(|&k| eigen.eigenvalues[k] <= least).collect();
    eigen.eigenvectors.select_columns(&free)
}

/// The least of x.(H x / 2 + c) with A x + rooms >= 0.
fn least_within(
    hessian: &DMatrix<f64>,
    gradient: &DVector<f64>,
    (rows, rooms): (&DMatrix<f64>, &DVector<f64>),
) -> Option<DVector<f64>> {
    let count = gradient.len();
    let alone = match count {
        0 => return Some(DVector::zeros(0)),
        _ => hessian.clone().cholesky()?.solve(&-gradient),
    };
    if (rows * &alone + rooms).iter().all(|room| *room >= 0.0) {
        return Some(alone);
    }
    let lower: Vec<f64> = rooms.iter().map(|room| -room).collect();
    let (least, most) = (vec![f64::NEG_INFINITY; count], vec![f64::INFINITY; count]);
    let (transposed, open) = (rows.transpose(), vec![f64::INFINITY; lower.len()]);
    let mut statuses = vec![ActiveSetStatus::Basic; count + lower.len()];
    let (mut x, mut y) = (vec![0.0; count], vec![0.0; lower.len()]);
    let program = QuadraticProgram {
        hessian: hessian.as_slice(),
        gradient: gradient.as_slice(),
        lower: &least,
        upper: &most,
        rows: transposed.as_slice(),
        row_lower: &lower,
        row_upper: &open,
    };
    QuadraticSolver::default().solve(&program, &mut statuses, &mut x, &mut y).solved()?;
    Some(DVector::from_vec(x))
}
