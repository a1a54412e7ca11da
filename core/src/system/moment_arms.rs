//! Motions of a system along one coordinate of a joint at a time, the others at rest, and moment arms of lines that
//! follow: r = -dl/dq (An1984; Seth2018). A coordinate that a coupling makes dependent follows the others.

use nalgebra::{DMatrix, DVector};

use super::State;
use super::compiled::CompiledModel;
use super::multibody::Multibody;
use crate::Vec3;
use crate::component::Handle;
use crate::constraint::{JointNumber, JointTerm, Placement};
use crate::model::{AxialSpring, MultiPointSpring};

/// Share of the largest singular value below which rows depend on each other.
const DEPENDENT: f64 = 1e-10;

/// Rows as a matrix over the velocities of bodies.
struct Rows {
    /// Number of the first column of each block row; none for those that are fixed or attached.
    columns: Vec<Option<usize>>,
    width: usize,
    rows: Vec<Vec<(usize, Vec3)>>,
}

impl Rows {
    fn push(&mut self, entries: impl Iterator<Item = (u32, Vec3)>) {
        let known = entries.filter_map(|(row, by)| Some((self.columns[row as usize]?, by)));
        self.rows.push(known.collect());
    }

    fn matrix(&self) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(self.rows.len(), self.width);
        for (k, row) in self.rows.iter().enumerate() {
            for (column, by) in row {
                (0..3).for_each(|axis| matrix[(k, column + axis)] += by[axis]);
            }
        }
        matrix
    }
}

/// Velocities of all block rows for a rate of 1 of each coordinate of all joints, in the order of
/// [`State::coordinates`], where constraints hold and the other independent coordinates rest; none for those that a
/// coupling makes dependent.
pub fn coordinate_motions(compiled: &CompiledModel, state: &State) -> Vec<Option<Vec<Vec3>>> {
    let Some(multibody) = &compiled.parts.multibody else { return Vec::new() };
    let (rows, independent) = rows_of_motion(compiled, multibody, state);
    let (matrix, constraints) = (rows.matrix(), rows.rows.len() - independent.len());
    let svd = matrix.svd(true, true);
    let least = DEPENDENT * svd.singular_values.max();
    let mut motions = vec![None; multibody.joints.locked.len()];
    for (k, &coordinate) in independent.iter().enumerate() {
        let mut right = DVector::zeros(rows.rows.len());
        right[constraints + k] = 1.0;
        let Ok(found) = svd.solve(&right, least) else { continue };
        let mut moving = state.clone();
        for (u, column) in moving.u.iter_mut().zip(&rows.columns) {
            *u = column.map_or_else(Vec3::zeros, |at| Vec3::from_fn(|i, _| found[at + i]));
        }
        compiled.place_attached(&mut moving);
        motions[coordinate] = Some(moving.u);
    }
    motions
}

/// No rows yet, with columns for the motions of bodies that are free.
fn no_rows(compiled: &CompiledModel, multibody: &Multibody) -> Rows {
    let mut columns = vec![None; compiled.points.fixed.len()];
    let mut width = 0;
    for body in &multibody.bodies {
        for row in [body.row as usize, body.row as usize + 1] {
            let free = compiled.points.fixed[row] != [true; 3] && !compiled.is_attached(row);
            if free {
                columns[row] = Some(width);
                width += 3;
            }
        }
    }
    Rows { columns, width, rows: Vec::new() }
}

/// Constraint rows without locks, then one row for each independent coordinate; which these are.
fn rows_of_motion(
    compiled: &CompiledModel,
    multibody: &Multibody,
    state: &State,
) -> (Rows, Vec<usize>) {
    let joints = &multibody.joints;
    let mut rows = no_rows(compiled, multibody);
    let mut turns = vec![crate::Mat3::zeros(); multibody.bodies.len()];
    multibody.update_turns(&state.q, &mut turns);
    let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
    let mut reader = joints.rows.at(at);
    for (row, list) in joints.rows.lists().iter().enumerate() {
        if joints.lock_rows.get(row).copied().unwrap_or(false) {
            continue;
        }
        let mut values = vec![Vec3::zeros(); list.len()];
        reader.coefficients(row, &mut values);
        rows.push(list.iter().copied().zip(values));
    }
    let mut independent = Vec::new();
    for joint in &joints.placed {
        for k in 0..joint.start.len() {
            let coordinate = joint.first as usize + k;
            if joints.dependent.contains(&coordinate) {
                continue;
            }
            let term = JointTerm::of(joint, JointNumber::Coordinate(k as u8));
            let wrenches = term.wrenches_at(&state.q, &state.coordinates);
            let entries = term.rows().into_iter().zip(wrenches);
            rows.push(entries.filter_map(|(row, by)| Some((row?, by))));
            independent.push(coordinate);
        }
    }
    (rows, independent)
}

/// Moment arms -dl/dq [m, or - of a length] of a line by each coordinate of all joints, in the order of
/// [`State::coordinates`]; zero by dependent ones.
pub fn moment_arms_of_line(
    compiled: &CompiledModel,
    line: Handle<MultiPointSpring>,
    state: &State,
) -> Option<Vec<f64>> {
    moment_arms(compiled, state, &|state| compiled.stretch_of_line(line, state))
}

/// The same of a line between two points.
pub fn moment_arms_of(
    compiled: &CompiledModel,
    line: Handle<AxialSpring>,
    state: &State,
) -> Option<Vec<f64>> {
    moment_arms(compiled, state, &|state| compiled.stretch_of(line, state))
}

fn moment_arms(
    compiled: &CompiledModel,
    state: &State,
    stretch: &dyn Fn(&State) -> Option<[f64; 4]>,
) -> Option<Vec<f64>> {
    let mut moving = state.clone();
    let arm = |motion: Option<Vec<Vec3>>| match motion {
        None => Some(0.0),
        Some(u) => {
            moving.u = u;
            Some(-stretch(&moving)?[1])
        }
    };
    coordinate_motions(compiled, state).into_iter().map(arm).collect()
}
