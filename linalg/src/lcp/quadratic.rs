//! Convex quadratic programs with bounds and linear constraints, by their optimality conditions: a
//! complementarity problem with the matrix (H, -A^T; A, 0), which is positive semidefinite
//! (CottlePangStone1992, sec. 1.2).

use super::{ActiveSetStatus, Lcp, LcpSolver, Lemke, Outcome, Refusal};

/// Minimize x.(H x / 2 + c), with lower <= x <= upper and row_lower <= A x <= row_upper. Bounds may be
/// infinite; equal ones make an equation.
#[derive(Clone, Copy, Debug)]
pub struct QuadraticProgram<'a> {
    /// H, symmetric positive semidefinite, n x n, row by row.
    pub hessian: &'a [f64],
    /// c, of length n.
    pub gradient: &'a [f64],
    /// Lower bounds of x.
    pub lower: &'a [f64],
    /// Upper bounds of x.
    pub upper: &'a [f64],
    /// A, m x n, row by row.
    pub rows: &'a [f64],
    /// Lower bounds of A x, of length m.
    pub row_lower: &'a [f64],
    /// Upper bounds of A x.
    pub row_upper: &'a [f64],
}

/// Solves quadratic programs by Lemke's pivoting; owns its workspace.
#[derive(Clone, Debug, Default)]
pub struct QuadraticSolver {
    lemke: Lemke,
    matrix: Vec<f64>,
    q: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    z: Vec<f64>,
}

impl QuadraticSolver {
    /// Solves for x and the multipliers y of the rows: H x + c - A^T y is zero where x is between its
    /// bounds; y_i >= 0 at the lower bound of row i, <= 0 at its upper one, zero between. `statuses` are
    /// those of x and then of A x between their bounds, and are what the solution starts from. A ray
    /// says that constraints contradict each other, or that the minimum is nowhere.
    ///
    /// Panics where `statuses`, `x` or `y` do not have the lengths n + m, n and m.
    pub fn solve(
        &mut self,
        program: &QuadraticProgram,
        statuses: &mut [ActiveSetStatus],
        x: &mut [f64],
        y: &mut [f64],
    ) -> Outcome {
        let (n, m) = (program.gradient.len(), program.row_lower.len());
        if let Err(refusal) = check(program) {
            return Outcome::Refused(refusal);
        }
        assert!(statuses.len() == n + m && x.len() == n && y.len() == m, "arrays differ in length");
        self.fill(program, statuses);
        let Self { lemke, matrix, q, lower, upper, statuses: own, z } = self;
        let outcome = lemke.solve(&Lcp { matrix, q, lower, upper }, own, z);
        if !matches!(outcome, Outcome::Refused(_)) {
            x.copy_from_slice(&z[..n]);
            y.copy_from_slice(&z[n..n + m]);
            self.write_statuses(program, statuses);
        }
        outcome
    }

    /// Variables are x, y, and A x of the rows with two different bounds.
    fn fill(&mut self, program: &QuadraticProgram, statuses: &[ActiveSetStatus]) {
        let (n, m) = (program.gradient.len(), program.row_lower.len());
        let size = n + m + (0..m).filter(|&i| is_range(program, i)).count();
        for (values, of_x) in [
            (&mut self.q, program.gradient),
            (&mut self.lower, program.lower),
            (&mut self.upper, program.upper),
        ] {
            values.clear();
            values.extend_from_slice(of_x);
            values.resize(size, 0.0);
        }
        self.statuses.clear();
        self.statuses.extend_from_slice(statuses);
        self.statuses.resize(size, ActiveSetStatus::Lower);
        self.z.clear();
        self.z.resize(size, 0.0);
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for i in 0..n {
            self.matrix[size * i..size * i + n]
                .copy_from_slice(&program.hessian[n * i..n * (i + 1)]);
        }
        let mut range = n + m;
        for i in 0..m {
            for j in 0..n {
                self.matrix[size * (n + i) + j] = program.rows[n * i + j];
                self.matrix[size * j + n + i] = -program.rows[n * i + j];
            }
            range += usize::from(self.fill_row(program, i, range));
        }
    }

    /// Bounds of the multiplier of row i; whether the row needs the variable `range`.
    fn fill_row(&mut self, program: &QuadraticProgram, i: usize, range: usize) -> bool {
        let (size, own) = (self.q.len(), program.gradient.len() + i);
        let (lower, upper) = (program.row_lower[i], program.row_upper[i]);
        let unbounded = f64::INFINITY;
        let place = self.statuses[own];
        self.statuses[own] = if place == ActiveSetStatus::Basic {
            ActiveSetStatus::Lower
        } else {
            ActiveSetStatus::Basic
        };
        let (bounds, q) = match (lower.is_finite(), upper.is_finite()) {
            (true, true) => ((-unbounded, unbounded), if lower == upper { -lower } else { 0.0 }),
            (true, false) => ((0.0, unbounded), -lower),
            (false, true) => ((-unbounded, 0.0), -upper),
            (false, false) => ((0.0, 0.0), 0.0),
        };
        (self.lower[own], self.upper[own]) = bounds;
        self.q[own] = q;
        let needed = is_range(program, i);
        if needed {
            self.matrix[size * own + range] = -1.0;
            self.matrix[size * range + own] = 1.0;
            (self.lower[range], self.upper[range]) = (lower, upper);
            self.statuses[range] = place;
        }
        needed
    }

    fn write_statuses(&self, program: &QuadraticProgram, statuses: &mut [ActiveSetStatus]) {
        let (n, m) = (program.gradient.len(), program.row_lower.len());
        statuses[..n].copy_from_slice(&self.statuses[..n]);
        let mut range = n + m;
        for i in 0..m {
            let bound = if program.row_lower[i].is_finite() {
                ActiveSetStatus::Lower
            } else {
                ActiveSetStatus::Upper
            };
            statuses[n + i] = match self.statuses[n + i] {
                _ if is_range(program, i) => self.statuses[range],
                ActiveSetStatus::Basic => bound,
                _ => ActiveSetStatus::Basic,
            };
            range += usize::from(is_range(program, i));
        }
    }
}

/// True if a row has two bounds that differ.
fn is_range(program: &QuadraticProgram, i: usize) -> bool {
    let (lower, upper) = (program.row_lower[i], program.row_upper[i]);
    lower.is_finite() && upper.is_finite() && lower != upper
}

fn check(program: &QuadraticProgram) -> Result<(), Refusal> {
    let (n, m) = (program.gradient.len(), program.row_lower.len());
    let lengths = [
        (n, program.lower.len()),
        (n, program.upper.len()),
        (n * n, program.hessian.len()),
        (m, program.row_upper.len()),
        (m * n, program.rows.len()),
    ];
    for (expected, found) in lengths {
        if expected != found {
            return Err(Refusal::Length { variables: n, found });
        }
    }
    for i in 0..m {
        let (lower, upper) = (program.row_lower[i], program.row_upper[i]);
        if lower.is_nan() || upper.is_nan() {
            return Err(Refusal::NotFinite { variable: n + i });
        }
        if lower > upper || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
            return Err(Refusal::Bounds { variable: n + i });
        }
    }
    Ok(())
}
