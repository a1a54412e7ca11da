//! Parts that rows of contacts and ranges have in the derivatives of a step: by tissue and particles at its start, whose other
//! derivatives are those of forces. Those of bodies are differences of all equations.

use super::error::AdjointError;
use super::layout::{Layout, Scalar, StateScalar};
use crate::Vec3;
use crate::solve::{ActiveRows, MechSystemSolver, RowVectors, StepUnknowns};
use crate::system::{MechSystem, State};

/// Change of positions for differences [m]; and of velocities [m/s].
const SHIFT: f64 = 1e-6;
const RATE: f64 = 1e-4;

/// Derivatives of the equations by a number of the start, through the rows of contacts alone.
#[derive(Clone, Debug)]
pub(super) struct TouchColumn {
    pub(super) scalar: StateScalar,
    /// Of momenta, by block row.
    pub(super) momenta: Vec<(u32, Vec3)>,
    /// Of unilateral rows, by their number among all rows.
    pub(super) rows: Vec<(usize, f64)>,
}

/// A step whose rows of contacts are differenced.
pub(super) struct Touching<'a> {
    pub(super) solver: &'a mut MechSystemSolver,
    pub(super) system: &'a dyn MechSystem,
    pub(super) start: &'a State,
    pub(super) unknowns: &'a StepUnknowns,
    pub(super) h: f64,
    /// True if velocities at the start have a part in the rows.
    pub(super) by_velocities: bool,
}

impl Touching<'_> {
    /// The columns of inner scalars that rows act on, those of `known` that no row shares at once.
    pub(super) fn columns(
        &mut self,
        layout: &Layout,
        known: &ActiveRows,
    ) -> Result<Vec<TouchColumn>, AdjointError> {
        let mut columns = Vec::new();
        for group in groups(layout, known) {
            for axis in 0..3 {
                let scalars: Vec<Scalar> = group.iter().map(|&row| Scalar { row, axis }).collect();
                self.add(layout, known, (&scalars, StateScalar::Position), &mut columns)?;
                if self.by_velocities {
                    self.add(layout, known, (&scalars, StateScalar::Velocity), &mut columns)?;
                }
            }
        }
        Ok(columns)
    }

    /// Columns of scalars that share no row.
    fn add(
        &mut self,
        layout: &Layout,
        known: &ActiveRows,
        (scalars, of): (&[Scalar], fn(Scalar) -> StateScalar),
        columns: &mut Vec<TouchColumn>,
    ) -> Result<(), AdjointError> {
        let free = |it: &&Scalar| layout.inner[it.row][it.axis];
        let scalars: Vec<Scalar> = scalars.iter().filter(free).copied().collect();
        let position =
            scalars.first().is_some_and(|it| matches!(of(*it), StateScalar::Position(_)));
        let by = if position { SHIFT } else { RATE };
        let [low, high] = [-by, by].map(|by| {
            let mut moved = self.start.clone();
            scalars.iter().for_each(|it| layout.move_scalar(&mut moved, of(*it), by));
            self.solver.place_attached(self.system, &mut moved);
            self.solver.active_rows(self.system, (&moved, self.unknowns), self.h)
        });
        let width = 2.0 * by;
        for scalar in scalars {
            let mut column =
                TouchColumn { scalar: of(scalar), momenta: Vec::new(), rows: Vec::new() };
            let acts = |row: &RowVectors| row.iter().any(|it| it.0 as usize == scalar.row);
            for k in (0..known.vectors.len()).filter(|&k| acts(&known.vectors[k])) {
                let error = (high.errors[k] - low.errors[k]) / width;
                if !error.is_finite() {
                    return Err(changed(self.start.time + self.h));
                }
                column.rows.push((layout.joints + k, error));
                let push = self.unknowns.pushes[k];
                for ((block, b), (_, a)) in high.vectors[k].iter().zip(&low.vectors[k]) {
                    column.momenta.push((*block, (a - b) * (push / width)));
                }
            }
            columns.push(column);
        }
        Ok(())
    }
}

/// A contact that comes or goes where a start moves a little.
pub(super) fn changed(time: f64) -> AdjointError {
    AdjointError::Touching { time, fault: "touches at an edge, so that the contact changes" }
}

/// Block rows of inner scalars that rows act on, parted so that no row acts on two of a part.
fn groups(layout: &Layout, known: &ActiveRows) -> Vec<Vec<usize>> {
    let mut rows: Vec<usize> = known.vectors.iter().flatten().map(|it| it.0 as usize).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.retain(|&row| layout.inner[row].contains(&true));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for row in rows {
        let shared = |other: &usize| {
            let has = |vectors: &RowVectors, block: usize| {
                vectors.iter().any(|it| it.0 as usize == block)
            };
            known.vectors.iter().any(|vectors| has(vectors, row) && has(vectors, *other))
        };
        match groups.iter_mut().find(|group| !group.iter().any(shared)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}
