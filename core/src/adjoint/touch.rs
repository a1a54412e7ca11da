//! Parts that rows of contacts and ranges have in the derivatives of a step: by tissue and particles at its start, whose other
//! derivatives are those of forces. Those of bodies are differences of all equations.

use super::error::AdjointError;
use super::layout::{Layout, Scalar, StateScalar};
use crate::Vec3;
use crate::lcp::FrictionModel;
use crate::solve::{
    ActiveLaw, ActiveOrigin, ActiveRow, ActiveRows, MechSystemSolver, RowVectors, StepUnknowns,
};
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

/// Share of the largest velocity or impulse up to which rows are met [-], and the velocity of what is at rest [m/s].
const MET: f64 = 1e-5;
const SLOW: f64 = 1e-3;

/// Refuses a step whose contacts have other equations than those that are differentiated.
pub(super) fn check_met(
    (known, unknowns): (&ActiveRows, &StepUnknowns),
    friction: FrictionModel,
    time: f64,
) -> Result<(), AdjointError> {
    let fastest = unknowns.y.iter().fold(SLOW, |most, y| most.max(y.amax()));
    let strongest = unknowns.pushes.iter().fold(f64::MIN_POSITIVE, |most, z| most.max(z.abs()));
    let is_met = |(row, error): (&ActiveRow, &f64)| {
        let scale = if row.law == ActiveLaw::Active { fastest } else { strongest };
        error.abs() <= MET * scale
    };
    let unmet = unknowns.active.iter().zip(&known.errors).position(|it| !is_met(it));
    let fault =
        |row| AdjointError::Touching { time, fault: fault_of(row, (known, unknowns), friction) };
    unmet.map_or(Ok(()), |row| Err(fault(row)))
}

/// Reason for which a row that acts has another equation than that which is differentiated.
fn fault_of(
    row: usize,
    (known, unknowns): (&ActiveRows, &StepUnknowns),
    friction: FrictionModel,
) -> &'static str {
    let ActiveRow { law, origin } = unknowns.active[row];
    match (law, origin) {
        (_, ActiveOrigin::Across { .. }) if friction != FrictionModel::Box => {
            "rubs in a cone of friction with corners, in place of the box"
        }
        (ActiveLaw::Sliding { partner, .. }, _) => {
            let pushes = [row, partner].map(|k| unknowns.pushes[k]);
            // Errors are these and the limit along the slip.
            let limits = [row, partner].map(|k| known.errors[k] - unknowns.pushes[k]);
            let [push, limit] = [pushes, limits].map(|[a, b]| a.hypot(b));
            match (push - limit).abs() <= MET * limit {
                true => {
                    "slides, and its friction is not against the slip: contacts of one body that turns as it slides keep each other's \
                     directions"
                }
                false => {
                    "slides, and its friction is not at its limit, which lags behind the force along the normal"
                }
            }
        }
        (ActiveLaw::Active, ActiveOrigin::Across { .. }) => {
            "slips below the limit of its friction, which lags behind the force along the normal"
        }
        (ActiveLaw::Active, ActiveOrigin::Normal(_) | ActiveOrigin::Range(_)) => {
            "pushes and does not keep its gap, as where an impact changes its rule"
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Feature;

    /// A contact that pushes by 1 N s, and rubs by `push` with errors of its rows.
    fn fault(law: ActiveLaw, (push, errors): ([f64; 2], [f64; 3]), of: FrictionModel) -> String {
        let feature = Feature { pair: 0, a: 0, key: 0 };
        let across = ActiveOrigin::Across { feature, direction: Vec3::x(), rolls: false };
        let row = |origin, law| ActiveRow { origin, law };
        let normal = row(ActiveOrigin::Normal(feature), ActiveLaw::Active);
        let active = vec![normal, row(across, law), row(across, law)];
        let pushes = vec![1.0, push[0], push[1]];
        let unknowns = StepUnknowns { active, pushes, ..Default::default() };
        let known = ActiveRows { errors: errors.to_vec(), ..Default::default() };
        check_met((&known, &unknowns), of, 0.1).map_or_else(|it| it.to_string(), |()| String::new())
    }

    #[test]
    fn every_equation_that_a_contact_does_not_keep_has_words_of_its_own() {
        let sliding = ActiveLaw::Sliding { normal: 0, partner: 2 };
        // Limits of 0.5 N s along (-0.8, 0.6).
        let turned = ([-0.5, 0.0], [0.0, -0.5 + 0.4, -0.3]);
        let low = ([-0.2, 0.15], [0.0, -0.2 + 0.4, 0.15 - 0.3]);
        let box_of = FrictionModel::Box;
        for (law, of, friction, words) in [
            (sliding, ([-0.4, 0.3], [0.0; 3]), box_of, ""),
            (sliding, turned, box_of, "against the slip"),
            (sliding, low, box_of, "not at its limit"),
            (sliding, turned, FrictionModel::Cone8, "cone of friction"),
            (ActiveLaw::Active, ([0.1, 0.0], [0.0, 0.01, 0.0]), box_of, "slips below the limit"),
            (ActiveLaw::Active, ([0.1, 0.0], [0.01, 0.0, 0.0]), box_of, "keep its gap"),
        ] {
            let found = fault(law, of, friction);
            assert!(
                found.contains(words) && found.is_empty() == words.is_empty(),
                "{found}: {words}"
            );
        }
    }
}
