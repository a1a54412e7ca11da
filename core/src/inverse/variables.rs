//! Variables of a program whose excitations are no variables themselves: amounts of synergies, or the two sides of
//! excitations of either sign, e = S x.

use super::terms::ExcitationTerms;

/// A program in the variables x of e = S x; the fields are those of a
/// [`QuadraticProgram`](crate::lcp::QuadraticProgram).
#[derive(Default)]
pub(super) struct Variables {
    /// Columns of S.
    columns: Vec<Vec<f64>>,
    /// Cost of a unit of each variable.
    costs: Vec<f64>,
    pub(super) hessian: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) rows: Vec<f64>,
    pub(super) row_lower: Vec<f64>,
    pub(super) row_upper: Vec<f64>,
}

impl Variables {
    /// Number of variables.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// Neither variables nor conditions.
    fn clear(&mut self) {
        self.columns.clear();
        self.costs.clear();
        self.lower.clear();
        self.upper.clear();
        self.rows.clear();
        self.row_lower.clear();
        self.row_upper.clear();
    }

    /// The variables for excitations within bounds whose amounts cost `amounts`, and their conditions.
    pub(super) fn choose(
        &mut self,
        terms: &ExcitationTerms,
        (lower, upper): (&[f64], &[f64]),
        amounts: &[f64],
    ) {
        self.clear();
        for synergy in &terms.synergies {
            let cost = synergy.iter().zip(amounts).map(|(share, amount)| share.abs() * amount);
            self.add(synergy.clone(), cost.sum(), [0.0, f64::INFINITY]);
        }
        for i in (0..lower.len()).filter(|_| terms.synergies.is_empty()) {
            let unit = |sign: f64| {
                let mut column = vec![0.0; lower.len()];
                column[i] = sign;
                column
            };
            match amounts[i] > 0.0 && lower[i] < 0.0 {
                true => {
                    self.add(unit(1.0), amounts[i], [lower[i].max(0.0), upper[i].max(0.0)]);
                    self.add(unit(-1.0), amounts[i], [(-upper[i]).max(0.0), -lower[i]]);
                }
                false => self.add(unit(1.0), amounts[i], [lower[i], upper[i]]),
            }
        }
        if !terms.synergies.is_empty() {
            for i in 0..lower.len() {
                let mut row = vec![0.0; lower.len()];
                row[i] = 1.0;
                self.add_condition(&row, [lower[i], upper[i]]);
            }
        }
        for condition in &terms.constraints {
            self.add_condition(&condition.coefficients, [condition.lower, condition.upper]);
        }
    }

    fn add(&mut self, column: Vec<f64>, cost: f64, [lower, upper]: [f64; 2]) {
        self.columns.push(column);
        self.costs.push(cost);
        self.lower.push(lower);
        self.upper.push(upper);
    }

    /// Bounds of a sum of excitations; sums of no variable are left out.
    fn add_condition(&mut self, coefficients: &[f64], [lower, upper]: [f64; 2]) {
        let of = |column: &Vec<f64>| column.iter().zip(coefficients).map(|(s, c)| s * c).sum();
        let row: Vec<f64> = self.columns.iter().map(of).collect();
        if row.iter().all(|it| *it == 0.0) && lower <= 0.0 && upper >= 0.0 {
            return;
        }
        self.rows.extend(row);
        self.row_lower.push(lower);
        self.row_upper.push(upper);
    }

    /// S^T H S and S^T c, with the costs of amounts.
    pub(super) fn project(&mut self, hessian: &[f64], gradient: &[f64]) {
        let (count, size) = (gradient.len(), self.columns.len());
        self.hessian.clear();
        self.gradient.clear();
        for column in &self.columns {
            let product: Vec<f64> = (0..count)
                .map(|i| (0..count).map(|j| column[j] * hessian[j * count + i]).sum())
                .collect();
            let dot = |other: &Vec<f64>| product.iter().zip(other).map(|(p, s)| p * s).sum::<f64>();
            self.hessian.extend(self.columns.iter().map(dot));
        }
        for k in 0..size {
            let dot: f64 = self.columns[k].iter().zip(gradient).map(|(s, c)| s * c).sum();
            self.gradient.push(dot + self.costs[k]);
        }
    }

    /// Excitations of the variables `x`.
    pub(super) fn excitations(&self, x: &[f64], excitations: &mut [f64]) {
        excitations.fill(0.0);
        for (column, x) in self.columns.iter().zip(x) {
            excitations.iter_mut().zip(column).for_each(|(a, s)| *a += s * x);
        }
    }
}
