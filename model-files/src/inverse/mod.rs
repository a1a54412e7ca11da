//! Search for excitations: the section `[inverse]`, which `sinew inverse` follows. Options of the command line come before
//! it. What its words mean for the library: `meaning.rs`.

mod meaning;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use meaning::InverseFault;

/// Motions that a model is to follow, what is excited for that, and by which weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Inverse {
    /// File of the motions and forces to follow (.csv, .trc, .mot, .sto), from the folder of the model file on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<PathBuf>,
    /// Components that are excited: `muscles` (all muscles and actuators) where none is named, `exciters` (all of these), or
    /// paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excite: Vec<String>,
    /// Time in which a target is to make up for its distance [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub chase_time: Option<f64>,
    /// Gain of distances [1/s²], in place of a chase time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub kp: Option<f64>,
    /// Gain of differences of velocities [1/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub kd: Option<f64>,
    /// Weight of squared excitations, over the response of the targets to the strongest [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub regularization: Option<f64>,
    /// Weight of squared changes of excitations in a step, over the same [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub damping: Option<f64>,
    /// Weight of amounts of excitations, over the same [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub sparsity: Option<f64>,
    /// Linearizations of a step, at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub iterations: Option<u32>,
    /// Change of an excitation above which a step is linearized again [-].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub tolerance: Option<f64>,
    /// Weights of targets other than 1, along directions and over time:
    /// `{ target = "frame_markers/wrist:position", weight = 2.0, directions = [1, 1, 0] }`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<TargetWeight>,
    /// Bounds and weights of excitations: `{ of = "axial_springs/biceps", upper = 0.5 }`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<ExcitationBounds>,
    /// Excitations that stay multiples of others: `{ of = "axial_springs/lip", ratio = 1.0, to = "axial_springs/rip" }`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<ExcitationRatio>,
    /// Patterns that excitations are made of, in amounts of 0 or more: a list of shares each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synergies: Vec<Vec<ExcitationShare>>,
    /// Sums of excitations that are asked for, or kept within bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<ExcitationSum>,
}

/// Weight of a target, along directions and over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetWeight {
    /// Path of the property that its columns are named by.
    pub target: String,
    /// Weight of its squared error [-]; 1 without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Factors of the weight along x, y and z of the world [-], 1 each without them; of a target that is one number the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<[f64; 3]>,
    /// Factor of the weight over time: pairs of a time [s] and a factor [-], on lines between them and held outside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<[f64; 2]>,
}

impl TargetWeight {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let factors = self.factors.iter().map(|[_, factor]| *factor);
        self.weight.into_iter().chain(self.directions.into_iter().flatten()).chain(factors)
    }

    fn times_rise(&self) -> bool {
        let finite = self.factors.iter().all(|[time, _]| time.is_finite());
        finite && self.factors.is_sorted_by(|a, b| a[0] < b[0])
    }
}

/// Bounds and weight of an excitation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcitationBounds {
    /// Path of the component that is excited.
    pub of: String,
    /// Least value [-]; 0, or -1 for an actuator, without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Greatest value [-]; 1 without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// Factor of its square in the regularization [-]; 1 without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// An excitation that is a multiple of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcitationRatio {
    /// Path of the component that is excited.
    pub of: String,
    /// Its excitation over that of the other [-].
    pub ratio: f64,
    /// Path of the other.
    pub to: String,
}

/// Share of an excitation in a pattern or a sum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcitationShare {
    /// Path of the component that is excited.
    pub of: String,
    /// Factor of its excitation [-].
    pub factor: f64,
}

/// A sum of excitations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcitationSum {
    /// Its terms.
    pub shares: Vec<ExcitationShare>,
    /// Value that is asked for, by `weight` [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// Weight of the squared difference from `target`, over the response of the targets to the strongest excitation [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Value that it does not fall below [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Value that it does not exceed [-].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
}

impl Inverse {
    /// These settings, and those of `base` where these have none. A rule of targets, a chase time or gains, is taken as a
    /// whole; weights, bounds and terms come behind those of `base`, and the last of a target or an excitation holds.
    #[must_use]
    pub fn or(self, base: &Self) -> Self {
        let ruled = self.chase_time.is_some() || self.kp.is_some() || self.kd.is_some();
        let theirs = if ruled { &Self::default() } else { base };
        Self {
            targets: self.targets.or_else(|| base.targets.clone()),
            excite: if self.excite.is_empty() { base.excite.clone() } else { self.excite },
            chase_time: self.chase_time.or(theirs.chase_time),
            kp: self.kp.or(theirs.kp),
            kd: self.kd.or(theirs.kd),
            regularization: self.regularization.or(base.regularization),
            damping: self.damping.or(base.damping),
            sparsity: self.sparsity.or(base.sparsity),
            iterations: self.iterations.or(base.iterations),
            tolerance: self.tolerance.or(base.tolerance),
            weights: [&base.weights[..], &self.weights].concat(),
            bounds: [&base.bounds[..], &self.bounds].concat(),
            ratios: [&base.ratios[..], &self.ratios].concat(),
            synergies: if self.synergies.is_empty() {
                base.synergies.clone()
            } else {
                self.synergies
            },
            sums: [&base.sums[..], &self.sums].concat(),
        }
    }

    /// First key that is out of range or does not go with the others, and the rule that it breaks.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        self.negative().map(|key| (key, "must be 0 or more")).or_else(|| self.without_meaning())
    }

    /// A key with a number below 0.
    fn negative(&self) -> Option<&'static str> {
        let one = |key, number: Option<f64>| (key, number.into_iter().collect::<Vec<f64>>());
        let numbers = [
            one("kp", self.kp),
            one("kd", self.kd),
            one("regularization", self.regularization),
            one("damping", self.damping),
            one("sparsity", self.sparsity),
            one("tolerance", self.tolerance),
            ("weights", self.weights.iter().flat_map(TargetWeight::numbers).collect()),
            ("bounds", self.bounds.iter().filter_map(|it| it.weight).collect()),
            ("sums", self.sums.iter().filter_map(|it| it.weight).collect()),
        ];
        let bad = |x: &f64| !(x.is_finite() && *x >= 0.0);
        numbers.into_iter().find(|(_, numbers)| numbers.iter().any(bad)).map(|(key, _)| key)
    }

    /// A key that says nothing, or contradicts another.
    fn without_meaning(&self) -> Option<(&'static str, &'static str)> {
        let no_time = self.chase_time.is_some_and(|x| !(x.is_finite() && x > 0.0));
        let half = |it: &ExcitationSum| it.target.is_some() != it.weight.is_some();
        let rising = self.weights.iter().all(TargetWeight::times_rise);
        let reversed = |ends: [Option<f64>; 2]| matches!(ends, [Some(a), Some(b)] if a > b);
        let twice = |k: usize| self.excite[..k].contains(&self.excite[k]);
        let wrong = [
            (no_time, "chase_time", "must be positive"),
            (self.iterations == Some(0), "iterations", "must be 1 or more"),
            (self.kp.is_some() && self.kd.is_none(), "kp", "goes with kd: give both"),
            (self.kd.is_some() && self.kp.is_none(), "kd", "goes with kp: give both"),
            (
                self.kp.is_some() && self.chase_time.is_some(),
                "kp",
                "takes the place of chase_time: give one of them",
            ),
            (!rising, "weights", "have factors at rising times"),
            ((0..self.excite.len()).any(twice), "excite", "names something twice"),
            (
                self.bounds.iter().any(|it| reversed([it.lower, it.upper])),
                "bounds",
                "have a lower value above the upper one",
            ),
            (
                self.sums.iter().any(|it| reversed([it.lower, it.upper])),
                "sums",
                "have a lower value above the upper one",
            ),
            (self.ratios.iter().any(|it| it.of == it.to), "ratios", "are of two excitations"),
            (self.sums.iter().any(half), "sums", "have a target and its weight, or neither"),
        ];
        wrong.into_iter().find(|(wrong, ..)| *wrong).map(|(_, key, rule)| (key, rule))
    }

    /// All paths of components that are excited.
    pub(crate) fn excited_paths_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let named = |path: &&mut String| !matches!(path.as_str(), "muscles" | "exciters");
        let shares = self.sums.iter_mut().flat_map(|sum| &mut sum.shares);
        let shares = shares.chain(self.synergies.iter_mut().flatten()).map(|share| &mut share.of);
        let ratios = self.ratios.iter_mut().flat_map(|it| [&mut it.of, &mut it.to]);
        let bounds = self.bounds.iter_mut().map(|it| &mut it.of);
        self.excite.iter_mut().filter(named).chain(bounds).chain(ratios).chain(shares)
    }
}
