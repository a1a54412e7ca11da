//! Rules and their settings.

use super::error::OdeError;

/// Rules of variable step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Runge-Kutta-Fehlberg 4(5) (Fehlberg1969), continued with the result of order five; dense output of order four.
    RungeKuttaFehlberg,
    /// Dormand-Prince 5(4) with its continuous extension of order four (DormandPrince1980).
    #[default]
    DormandPrince,
    /// Adams-Bashforth-Moulton of orders 1 to 12 by modified divided differences (ShampineGordon1975): few evaluations, for
    /// smooth functions that are dear to evaluate.
    Adams,
    /// Radau IIA of order five, implicit and L-stable, by a dense Jacobian (HairerWanner1996): for stiff functions.
    Radau,
}

/// Tolerance of a value: absolute + relative |y|.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative to the size of a value [-].
    pub relative: f64,
    /// Absolute, one for all values or one each, in their units.
    pub absolute: Vec<f64>,
}

impl Tolerance {
    /// The same absolute tolerance for all values.
    pub fn new(relative: f64, absolute: f64) -> Self {
        Self { relative, absolute: vec![absolute] }
    }

    /// Absolute tolerance of a value.
    pub(super) fn absolute(&self, k: usize) -> f64 {
        if self.absolute.len() == 1 { self.absolute[0] } else { self.absolute[k] }
    }
}

/// Settings of an integration.
#[derive(Clone, Debug, PartialEq)]
pub struct OdeSettings {
    /// The rule.
    pub method: Method,
    /// Tolerance of the error of a step.
    pub tolerance: Tolerance,
    /// Longest step [s].
    pub max_step: f64,
    /// First step [s]; `None` to choose it.
    pub first_step: Option<f64>,
    /// Most steps of one call, accepted and refused.
    pub max_steps: usize,
}

impl OdeSettings {
    /// A rule at a relative and an absolute tolerance.
    pub fn new(method: Method, relative: f64, absolute: f64) -> Self {
        Self {
            method,
            tolerance: Tolerance::new(relative, absolute),
            max_step: f64::INFINITY,
            first_step: None,
            max_steps: 1_000_000,
        }
    }

    /// Refuses numbers that have no meaning, for a system of `size` values.
    ///
    /// # Errors
    /// [`OdeError::Setting`], [`OdeError::Size`].
    pub(super) fn check<E>(&self, size: usize) -> Result<(), OdeError<E>> {
        let Self { tolerance, max_step, first_step, .. } = self;
        let refuse = |name, wanted, got| Err(OdeError::Setting { name, wanted, got });
        if !(tolerance.relative >= 0.0 && tolerance.relative < 1.0) {
            return refuse("relative tolerance", ">= 0 and < 1", tolerance.relative);
        }
        if tolerance.absolute.len() != 1 && tolerance.absolute.len() != size {
            return Err(OdeError::Size { got: tolerance.absolute.len(), wanted: size });
        }
        let none = |&a: &f64| !(a > 0.0 && a.is_finite() || a == 0.0 && tolerance.relative > 0.0);
        if let Some(&got) = tolerance.absolute.iter().find(|a| none(a)) {
            return refuse("absolute tolerance", "> 0", got);
        }
        if max_step.is_nan() || *max_step <= 0.0 {
            return refuse("max_step", "> 0", *max_step);
        }
        match first_step {
            Some(step) if !(*step > 0.0 && step.is_finite()) => refuse("first_step", "> 0", *step),
            _ => Ok(()),
        }
    }
}
