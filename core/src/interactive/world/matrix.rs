//! The constraint matrix J W Jᵀ of some rows, its factor, and multipliers: of equalities by least squares, with
//! inequalities by complementarity.

use super::WorldError;
use super::dense::LeastSquaresFactor;
use super::layout::Layout;
use super::parts::{ConstraintKind, Order};
use super::rows::Rows;
use crate::lcp::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel,
};

/// Rows that are solved for together.
#[derive(Default)]
pub(super) struct RowSet {
    /// Numbers of the rows, ascending.
    pub(super) rows: Vec<usize>,
    /// Place of each row of the layout in `rows`.
    places: Vec<usize>,
    matrix: Vec<f64>,
    factor: LeastSquaresFactor,
    is_factored: bool,
    /// Right side: the rates that the rows are to take without multipliers, and the multipliers.
    pub(super) excess: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    bounds: Vec<Bound>,
    statuses: Vec<ActiveSetStatus>,
    contact: ContactSolver,
}

const NOWHERE: usize = usize::MAX;

impl RowSet {
    /// Takes these rows; those of before keep their factor if they are the same ones.
    pub(super) fn set_rows(&mut self, rows: impl Iterator<Item = usize>, layout: &Layout) {
        let before = self.rows.len();
        let mut same = true;
        let mut count = 0;
        for row in rows {
            same &= self.rows.get(count) == Some(&row);
            if count < self.rows.len() {
                self.rows[count] = row;
            } else {
                self.rows.push(row);
            }
            count += 1;
        }
        self.rows.truncate(count);
        if same && count == before {
            return;
        }
        self.is_factored = false;
        self.places.clear();
        self.places.resize(layout.rows.len(), NOWHERE);
        self.rows.iter().enumerate().for_each(|(place, &row)| self.places[row] = place);
        self.excess.clear();
        self.excess.resize(count, 0.0);
        self.lambda.clear();
        self.lambda.resize(count, 0.0);
        self.bounds.clear();
        self.bounds.extend(self.rows.iter().map(|&row| match layout.rows[row].kind {
            ConstraintKind::Equal => Bound::Bilateral,
            ConstraintKind::NotNegative => Bound::Unilateral,
        }));
        self.statuses.clear();
        self.statuses.resize(count, ActiveSetStatus::default());
    }

    /// Forgets rows and factor: the layout is another one.
    pub(super) fn reset(&mut self) {
        self.rows.clear();
        self.places.clear();
        self.excess.clear();
        self.lambda.clear();
        self.bounds.clear();
        self.statuses.clear();
        self.is_factored = false;
    }

    /// The numbers of J or W have changed.
    pub(super) fn forget_factor(&mut self) {
        self.is_factored = false;
    }

    /// Sums J W Jᵀ over the objects of an order, or all, each pair of rows that meet there.
    fn assemble(&mut self, layout: &Layout, rows: &Rows, order: Option<Order>) {
        let n = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for (object, users) in layout.users.iter().enumerate() {
            if order.is_some_and(|order| layout.objects[object].order != order) {
                continue;
            }
            for (k, &a) in users.iter().enumerate() {
                let (a, i) = (&layout.segments[a], self.places[layout.segments[a].row]);
                for &b in &users[..=k] {
                    let (b, j) = (&layout.segments[b], self.places[layout.segments[b].row]);
                    if i == NOWHERE || j == NOWHERE {
                        continue;
                    }
                    let (x, y) =
                        (&rows.values[a.values.clone()], &rows.responses[b.values.clone()]);
                    let entry: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
                    self.matrix[i * n + j] += entry;
                    if i != j {
                        self.matrix[j * n + i] += entry;
                    }
                }
            }
        }
    }

    /// Finds multipliers with A λ + excess = 0, or complementary in rows of inequalities. After a factorization, the
    /// number of rows that follow from others.
    pub(super) fn solve(
        &mut self,
        layout: &Layout,
        rows: &Rows,
        order: Option<Order>,
    ) -> Result<Option<usize>, WorldError> {
        let n = self.rows.len();
        let fresh = !self.is_factored && n > 0;
        if fresh {
            self.assemble(layout, rows, order);
        }
        if self.bounds.contains(&Bound::Unilateral) {
            self.is_factored = n > 0;
            self.solve_inequalities()?;
            return Ok(fresh.then_some(0));
        }
        if fresh {
            self.factor.factor(&self.matrix, n);
            self.is_factored = true;
        }
        self.factor.solve(&self.excess, &mut self.lambda);
        self.lambda.iter_mut().for_each(|lambda| *lambda = -*lambda);
        Ok(fresh.then(|| self.factor.redundant()))
    }

    fn solve_inequalities(&mut self) -> Result<(), WorldError> {
        let Self { matrix, excess, bounds, statuses, contact, lambda, .. } = self;
        let model = FrictionModel::default();
        let problem = ContactProblem { matrix, q: excess, bounds, model };
        match contact.solve(&problem, statuses, lambda) {
            ContactOutcome::Failed(outcome) => Err(WorldError::Inequalities(outcome)),
            _ => Ok(()),
        }
    }
}
