//! Lemke's method with a covering variable (Lemke1965; CottlePangStone1992, alg. 4.4.5), ties broken
//! lexicographically (ibid., sec. 4.9).

mod path;
mod start;

use super::scaled::Scaled;
use super::standard::Standard;
use super::tableau::Tableau;
use super::{ActiveSetStatus, Lcp, LcpSolver, Outcome};
use path::Path;

/// Covers that are tried where the path of the first leads nowhere.
const OTHER_COVERS: usize = 3;

/// Lemke's complementary pivoting. Takes any matrix; finds a solution, if there is one, where it is
/// positive semidefinite or copositive (as with friction cones), or has positive principal minors.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    scaled: Scaled,
    standard: Standard,
    tableau: Tableau,
    /// The variable of each row and column: y_i is i, x_i is n + i, the covering variable is 2n.
    row_variable: Vec<u32>,
    column_variable: Vec<u32>,
    /// Place of each variable: its column, or n + 1 + its row.
    place_of: Vec<u32>,
    /// Values of the basic variables, by row.
    value: Vec<f64>,
    row: Vec<f64>,
    column: Vec<f64>,
    /// True if x_i is basic at the start; then at the end.
    basic: Vec<bool>,
    tied: Vec<u32>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    certificate: Vec<f64>,
    tolerance: f64,
    pivots: usize,
    /// Number of the cover, and its coefficient in each row.
    cover_number: usize,
    covers: Vec<f64>,
}

impl LcpSolver for Lemke {
    fn name(&self) -> &'static str {
        "Lemke"
    }

    fn solve(&mut self, problem: &Lcp, statuses: &mut [ActiveSetStatus], z: &mut [f64]) -> Outcome {
        self.certificate.clear();
        if let Err(refusal) = self.scaled.update(problem) {
            return Outcome::Refused(refusal);
        }
        assert!(
            statuses.len() == z.len() && z.len() == self.scaled.len(),
            "arrays differ in length"
        );
        self.certificate.reserve(z.len());
        self.standard.update(&self.scaled);
        let outcome = self.attempt(statuses, z);
        if outcome.solved().is_some() {
            return outcome;
        }
        // The start may have been near a singular one, or a tie be broken wrongly by rounding: other covers lead
        // along other paths.
        for cover in 1..=OTHER_COVERS {
            self.cover_number = cover;
            statuses.fill(ActiveSetStatus::Lower);
            let outcome = self.attempt(statuses, z);
            if outcome.solved().is_some() {
                self.cover_number = 0;
                return outcome;
            }
        }
        self.cover_number = 0;
        statuses.fill(ActiveSetStatus::Lower);
        self.attempt(statuses, z)
    }

    fn certificate(&self) -> &[f64] {
        &self.certificate
    }
}

impl Lemke {
    fn attempt(&mut self, statuses: &mut [ActiveSetStatus], z: &mut [f64]) -> Outcome {
        self.certificate.clear();
        self.start(statuses);
        let end = self.follow();
        self.collect();
        self.standard.write_statuses(&self.basic, statuses);
        self.z.resize(self.scaled.len(), 0.0);
        self.standard.write_z(&self.scaled, &self.x, &mut self.z);
        self.y.resize(self.scaled.len(), 0.0);
        self.scaled.calc_w(&self.z, &mut self.y);
        let residual = self.scaled.residual(&self.z, &self.y);
        self.scaled.write(&self.z, z);
        match end {
            Path::End => Outcome::finished(residual, self.pivots).if_finite(z),
            Path::Ray(variable) => Outcome::Ray { variable, pivots: self.pivots },
            Path::Exhausted => Outcome::Limit { residual, pivots: self.pivots },
        }
    }

    fn len(&self) -> usize {
        self.standard.len()
    }

    /// Index of the x that the variable is, if it is one.
    fn x_of(&self, variable: u32) -> Option<usize> {
        let index = variable as usize;
        (index >= self.len() && index < 2 * self.len()).then(|| index - self.len())
    }

    /// The index of a variable that has no bounds, or whose complement is zero therefore.
    fn is_free(&self, variable: u32) -> bool {
        let n = self.len();
        (variable as usize) < 2 * n && self.standard.free[variable as usize % n]
    }

    fn complement(&self, variable: u32) -> u32 {
        let n = self.len() as u32;
        if variable < n { variable + n } else { variable - n }
    }

    /// Exchanges the variables of a row and a column.
    fn pivot_at(&mut self, row: usize, column: usize) {
        self.tableau.read_row(row, &mut self.row);
        self.tableau.read_column(column, &mut self.column);
        self.tableau.pivot((row, column), &self.row, &self.column);
        std::mem::swap(&mut self.row_variable[row], &mut self.column_variable[column]);
        let first_row = self.len() as u32 + 1;
        self.place_of[self.row_variable[row] as usize] = first_row + row as u32;
        self.place_of[self.column_variable[column] as usize] = column as u32;
    }
}
