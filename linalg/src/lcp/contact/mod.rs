//! Contacts with friction over one matrix: boxes and polygons in place of Coulomb's cone. Rows and
//! signs as in docs/theory/lcp.md; where the rows come from is known elsewhere.

mod boxes;
mod cone;
mod outcome;

use super::{ActiveSetStatus, Keller, Lcp, LcpSolver, Lemke, Outcome, Refusal};
pub use outcome::ContactOutcome;

/// Bounds of an impulse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// z >= 0: a contact normal, a limit.
    Unilateral,
    /// Any z: a joint.
    Bilateral,
    /// |z| <= coefficient z\[normal\]: a tangential row.
    Friction {
        /// The row of the contact normal, a unilateral one.
        normal: usize,
        /// Coefficient of friction [-].
        coefficient: f64,
        /// The other tangential row of the contact, which names this one; for cones.
        partner: Option<usize>,
    },
    /// lower <= z <= upper.
    Range {
        /// Least impulse.
        lower: f64,
        /// Greatest impulse.
        upper: f64,
    },
}

/// Models of friction, in place of Coulomb's cone |(z1, z2)| <= coefficient z\[normal\].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FrictionModel {
    /// Each tangential row has its limit: a square around the cone.
    #[default]
    Box,
    /// The square in the cone with corners on the two tangential directions.
    Cone4,
    /// The octagon in the cone with corners on these and between them.
    Cone8,
}

/// Velocities w = A z + q of n rows with impulses z.
#[derive(Clone, Copy, Debug)]
pub struct ContactProblem<'a> {
    /// A, symmetric positive semidefinite, n x n, row by row: inverse masses.
    pub matrix: &'a [f64],
    /// Velocities without impulses.
    pub q: &'a [f64],
    /// Bounds of each impulse.
    pub bounds: &'a [Bound],
    /// The model of friction.
    pub model: FrictionModel,
}

/// Solves contact problems; owns its workspace.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    keller: Keller,
    lemke: Lemke,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Impulses of the normals that the limits of friction were made with.
    limits: Vec<f64>,
    cone: cone::Cone,
}

impl ContactSolver {
    /// Solves for the impulses z from no guess of the normal ones. A cone that Lemke's method does not
    /// solve is solved as a box; the outcome says so. `statuses` is what the solution of a box starts
    /// from, and is left as that of the solution.
    ///
    /// Panics where `statuses` or `z` are not as long as q.
    pub fn solve(
        &mut self,
        problem: &ContactProblem,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
    ) -> ContactOutcome {
        if let Err(refusal) = check(problem) {
            return ContactOutcome::Failed(Outcome::Refused(refusal));
        }
        z.fill(0.0);
        if problem.model != FrictionModel::Box {
            let outcome = self.solve_cone(problem, statuses, z);
            if let ContactOutcome::Solved { .. } = outcome {
                return outcome;
            }
            z.fill(0.0);
        }
        self.solve_box(problem, statuses, z)
    }

    /// One iteration of the box: limits of friction from the normal impulses that z holds, then all
    /// impulses for these limits. The change in the outcome says how far the limits are from the normal
    /// impulses found: a step may go on with the next round, or the next step.
    ///
    /// Panics where `statuses` or `z` are not as long as q.
    pub fn iterate(
        &mut self,
        problem: &ContactProblem,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
    ) -> ContactOutcome {
        if let Err(refusal) = check(problem) {
            return ContactOutcome::Failed(Outcome::Refused(refusal));
        }
        self.start_limits(problem, z);
        self.solve_iteration(problem, statuses, z, 1)
    }
}

fn check(problem: &ContactProblem) -> Result<(), Refusal> {
    let variables = problem.q.len();
    if problem.bounds.len() != variables {
        return Err(Refusal::Length { variables, found: problem.bounds.len() });
    }
    if problem.matrix.len() != variables * variables {
        return Err(Refusal::Length { variables, found: problem.matrix.len() });
    }
    for (row, bound) in problem.bounds.iter().enumerate() {
        let Bound::Friction { normal, coefficient, partner } = *bound else { continue };
        let on_normal = problem.bounds.get(normal) == Some(&Bound::Unilateral);
        let same = Bound::Friction { normal, coefficient, partner: Some(row) };
        let mutual = partner.is_none_or(|p| p != row && problem.bounds.get(p) == Some(&same));
        if !(on_normal && mutual && coefficient >= 0.0 && coefficient.is_finite()) {
            return Err(Refusal::Friction { row });
        }
    }
    Ok(())
}
