//! The buffer `step`: the numbers that change from step to step, a few however large the model is.

use sinew::force::BundleDrive;
use sinew::system::BorderStep;
use sinew_shaders::layout::place;

use super::loads::Loads;
use crate::elements::{BUNDLE_FACTORS, Elements, FactorOffsets, Series, StiffnessScale};

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

impl Rule {
    /// Weight of the end of the step in stiffness and drag [-].
    fn end_weight(self) -> f64 {
        match self {
            Self::Implicit { end_weight } => end_weight,
            Self::Explicit => 1.0,
        }
    }

    /// Share of the step after which forces are taken [-].
    fn force_share(self) -> f64 {
        match self {
            Self::Implicit { end_weight } => end_weight,
            Self::Explicit => 0.0,
        }
    }

    /// Time of the loads in a step of `h` [s] from `time` [s].
    pub(crate) fn load_time(self, (time, h): (f64, f64)) -> f64 {
        time + self.force_share() * h
    }

    /// The same step at the border of tissue.
    pub(crate) fn border_step(self, h: f64) -> BorderStep {
        let end_weight = match self {
            Self::Implicit { end_weight } => Some(end_weight),
            Self::Explicit => None,
        };
        BorderStep { h, end_weight }
    }

    /// From the start of the step to where the memory of forces is advanced to [s].
    pub(crate) fn memory_step(self, h: f64) -> f64 {
        (self.force_share() * h).max(INSTANT)
    }
}

/// A step too short for activations to change [s].
const INSTANT: f64 = 1e-9;

/// Places in the buffer `step`.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// Factors of stiffness.
    scales: Vec<StiffnessScale>,
    bundle_count: usize,
    /// Series by which stresses relax.
    series: Vec<Series>,
    load_count: usize,
    support_count: usize,
}

/// Time of a step, and what muscles do in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive<'a> {
    /// Start and length of the step [s].
    pub(crate) time: (f64, f64),
    /// Activities of the bundles.
    pub(crate) bundles: &'a [BundleDrive],
}

impl Factors {
    pub(crate) fn new(elements: &Elements, bundle_count: usize, loads: &Loads) -> Self {
        let (scales, series) = (elements.scales().to_vec(), elements.series().to_vec());
        let (load_count, support_count) =
            (loads.load_schedules.len(), loads.support_schedules.len());
        Self { scales, bundle_count, series, load_count, support_count }
    }

    /// Places of the factors of elements: of stiffness, then of bundles, then of series.
    pub(crate) fn of_elements(&self) -> FactorOffsets {
        let bundles = place::FREE + self.scales.len() as u32;
        let series = bundles + BUNDLE_FACTORS * self.bundle_count as u32;
        let left = [place::FORCE, place::LEFT];
        FactorOffsets { force: place::FORCE, product: place::FREE, bundles, left, series }
    }

    /// Place of the first factor of a load field.
    pub(crate) fn first_load(&self) -> u32 {
        let of_series: usize = self.series.iter().map(Series::factor_count).sum();
        self.of_elements().series + of_series as u32
    }

    /// Place of the first factor of a schedule of supports.
    pub(crate) fn first_support(&self) -> u32 {
        self.first_load() + self.load_count as u32
    }

    /// Place of the first rate of a schedule of supports.
    pub(crate) fn first_rate(&self) -> u32 {
        self.first_support() + self.support_count as u32
    }

    /// All scalars for a step of `h` [s] from `time` [s], written into `values`.
    ///
    /// With S = M - w h df/du - w² h² df/dq the residual for the new velocity x is
    /// r = M (u - x) + h f - (w h C + (w² h² + w h beta) K) (x + s u), s = 1/w - 1: 0 for backward
    /// Euler, 1 for the trapezoidal rule (docs/theory/step.md). An explicit step takes damping
    /// forces as they are: x = u, factors h and h beta. The tissue around the fibres of a bundle has all
    /// of that times the bundle's share. Where stresses relax, f and K but for its damping are those of the law times the factor
    /// of its series, and those of what is left of earlier stresses.
    pub(crate) fn write(&self, rule: Rule, drive: Drive<'_>, loads: &Loads, values: &mut Vec<f64>) {
        let (time, h) = drive.time;
        let (w, at_load) = (rule.end_weight(), rule.load_time(drive.time));
        values.clear();
        values.resize(place::FREE as usize, 0.0);
        values[place::H as usize] = h;
        values[place::END_WEIGHT as usize] = w;
        values[place::FORCE as usize] = h;
        values[place::DRAG as usize] = w * h;
        values[place::SHIFT as usize] = 1.0 / w - 1.0;
        let (after, is_implicit) = (rule.memory_step(h), rule != Rule::Explicit);
        values[place::LEFT as usize] = if is_implicit { w * h * (w * h) } else { 0.0 };
        values.extend(self.scales.iter().map(|scale| {
            let share = scale.share_of.map_or(1.0, |bundle| drive.bundles[bundle].share);
            let law = scale.series.map_or(1.0, |series| self.series[series].law_factor(after));
            let whole = match rule {
                Rule::Implicit { .. } => w * h * (w * h * law + scale.damping),
                Rule::Explicit => h * scale.damping,
            };
            share * whole
        }));
        values.extend(drive.bundles.iter().flat_map(|own| [own.activation, h * own.share]));
        values.extend(self.series.iter().flat_map(|series| series.factors(after, h)));
        values.extend(loads.factors(at_load, time + h));
        values.extend(loads.rates([time, time + h]));
    }
}
