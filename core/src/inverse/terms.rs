//! Terms and constraints of excitations beside their bounds, squares and changes: synergies, sums that are asked for, ratios
//! that must be kept.

use super::InverseError;

/// Terms and conditions that tie the excitations of a controller to each other. Lists of coefficients have one number an excitation, in
/// the order of the controller.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExcitationTerms {
    /// Patterns that excitations are made of: e = sum of x_j times pattern j, x_j >= 0; every excitation for itself where
    /// there are none.
    pub synergies: Vec<Vec<f64>>,
    /// Sums that are asked for beside the motion.
    pub sums: Vec<LinearTerm>,
    /// Sums that must stay within bounds.
    pub constraints: Vec<LinearConstraint>,
}

/// The cost w (c . e - target)² / 2 of a sum of excitations.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearTerm {
    /// Factor c of each excitation [-].
    pub coefficients: Vec<f64>,
    /// Value that is asked for [-].
    pub target: f64,
    /// Weight w [-], over the squared response of the targets to the strongest excitation.
    pub weight: f64,
}

/// The condition lower <= c . e <= upper on a sum of excitations.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearConstraint {
    /// Factor c of each excitation [-].
    pub coefficients: Vec<f64>,
    /// Least value [-]; may be infinite.
    pub lower: f64,
    /// Greatest value [-]; may be infinite.
    pub upper: f64,
}

impl LinearConstraint {
    /// Excitation number `of` of `count` is `ratio` times number `to`.
    ///
    /// # Panics
    /// Where a number is not below `count`.
    pub fn proportional(count: usize, of: usize, (ratio, to): (f64, usize)) -> Self {
        let mut coefficients = vec![0.0; count];
        coefficients[of] += 1.0;
        coefficients[to] -= ratio;
        Self { coefficients, lower: 0.0, upper: 0.0 }
    }
}

impl ExcitationTerms {
    /// Checks that lists are as long as there are excitations, and their numbers.
    pub(super) fn check(&self, count: usize) -> Result<(), InverseError> {
        let sums = self.sums.iter().map(|it| &it.coefficients);
        let lists = self.synergies.iter().chain(sums);
        let lists = lists.chain(self.constraints.iter().map(|it| &it.coefficients));
        for list in lists {
            if list.len() != count {
                return Err(InverseError::Coefficients { found: list.len(), expected: count });
            }
            finite("coefficient", list)?;
        }
        for LinearTerm { target, weight, .. } in &self.sums {
            finite("target of a sum", &[*target])?;
            if !(weight.is_finite() && *weight >= 0.0) {
                let (name, must) = ("weight of a sum", "finite and >= 0");
                return Err(InverseError::Number { name, must, value: *weight });
            }
        }
        for LinearConstraint { lower, upper, .. } in &self.constraints {
            let possible = lower <= upper && *lower < f64::INFINITY && *upper > f64::NEG_INFINITY;
            if !possible {
                let (name, must) = ("lower bound of a sum", "at most the upper one");
                return Err(InverseError::Number { name, must, value: *lower });
            }
        }
        Ok(())
    }
}

fn finite(name: &'static str, numbers: &[f64]) -> Result<(), InverseError> {
    match numbers.iter().find(|it| !it.is_finite()) {
        Some(&value) => Err(InverseError::Number { name, must: "finite", value }),
        None => Ok(()),
    }
}
