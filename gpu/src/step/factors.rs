//! The buffer `step`: the numbers that change from step to step, a few however large the model is.

use sinew_shaders::table::place;

use super::loads::Loads;

/// The rule by which a step is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// An implicit rule whose end has this weight: 1 backward Euler, 1/2 trapezoidal.
    Implicit {
        /// Weight of the end of the step [-].
        end_weight: f64,
    },
    /// Symplectic Euler.
    Explicit,
}

/// Places in the buffer `step`.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// Stiffness damping of each factor of stiffness [s].
    betas: Vec<f64>,
    load_count: usize,
}

impl Factors {
    pub(crate) fn new(dampings: &[f64], loads: &Loads) -> Self {
        Self { betas: dampings.to_vec(), load_count: loads.load_schedules.len() }
    }

    /// Place of the factor of stiffness for the first damping; the others follow.
    pub(crate) fn first_stiffness(&self) -> u32 {
        place::FREE
    }

    /// Place of the first factor of a load field.
    pub(crate) fn first_load(&self) -> u32 {
        place::FREE + self.betas.len() as u32
    }

    /// Place of the first factor of a schedule of supports.
    pub(crate) fn first_support(&self) -> u32 {
        self.first_load() + self.load_count as u32
    }

    /// All scalars for a step of `h` [s] from `time` [s], written into `values`.
    ///
    /// With S = M - w h df/du - w² h² df/dq the residual for the new velocity x is
    /// r = M (u - x) + h f - (w h C + (w² h² + w h beta) K) (x + s u), s = 1/w - 1: 0 for backward
    /// Euler, 1 for the trapezoidal rule (docs/theory/step.md). An explicit step takes damping
    /// forces as they are: x = u, factors h and h beta.
    pub(crate) fn write(
        &self,
        rule: Rule,
        (time, h): (f64, f64),
        loads: &Loads,
        values: &mut Vec<f64>,
    ) {
        let (w, at_load) = match rule {
            Rule::Implicit { end_weight } => (end_weight, time + end_weight * h),
            Rule::Explicit => (1.0, time),
        };
        values.clear();
        values.resize(place::FREE as usize, 0.0);
        values[place::H as usize] = h;
        values[place::END_WEIGHT as usize] = w;
        values[place::FORCE as usize] = h;
        values[place::DRAG as usize] = w * h;
        values[place::SHIFT as usize] = 1.0 / w - 1.0;
        values.extend(self.betas.iter().map(|&beta| match rule {
            Rule::Implicit { .. } => w * h * (w * h + beta),
            Rule::Explicit => h * beta,
        }));
        values.extend(loads.factors(at_load, time + h));
    }
}
