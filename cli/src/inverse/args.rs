//! The options of `sinew inverse`.

use std::path::PathBuf;

use clap::Args;
use sinew_model_files::{ExcitationRatio, Inverse, TargetWeight};

use super::error::InverseArgError;
use crate::options::values::{factor, not_negative, positive};
use crate::options::{LiveArgs, ModelArgs, headings};

/// Printed below the help of `sinew inverse`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
  sinew inverse arm.toml --out found
  sinew inverse arm.toml --targets reach.csv --out found
  sinew inverse jaw-tongue-hyoid --param task=rest --targets incisor.csv --excite /models/jaw-tongue-hyoid/axial_springs/lip,/models/jaw-tongue-hyoid/axial_springs/rip --out found
  sinew run arm.toml --input found/excitations.csv
  sinew inverse arm.osim --kinematics markers.trc --out posed
  sinew inverse arm.osim --dynamics posed/motion.sto --static-optimization --out shared

Exit codes: 0 done, 1 out of memory or threads, 2 wrong command line, 3 model, file or parameter refused,
4 a step failed, 5 results could not be written.";

/// Options of `sinew inverse`.
#[derive(Clone, Debug, Args)]
pub(crate) struct InverseArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Motions and forces to follow (.csv, .trc, .mot, .sto): columns PATH:position.x, .y, .z, PATH:orientation.x, .y, .z,
    /// PATH:coordinate.NAME.value, PATH:force.x, .y, .z, PATH:value of a sensor, or those of a marker by its name
    /// [default: that of the section `[inverse]` of the model file, as all settings]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kinematics", "dynamics"], help_heading = headings::INVERSE)]
    pub(crate) targets: Option<PathBuf>,

    /// Rigid models at the instants of a file
    #[command(flatten)]
    pub(crate) rigid: RigidArgs,

    /// Muscles to be excited: `muscles`, `exciters`, or paths between commas [default: muscles]
    #[arg(long, value_name = "WHAT|PATH,..", value_delimiter = ',', help_heading = headings::INVERSE)]
    pub(crate) excite: Vec<String>,

    /// Weight of a target: the path that its columns are named by, with `.x`, `.y` or `.z` for a factor along an axis, and a
    /// number, or factors at times [s] with lines between them: `PATH=0:1,0.5:0`; may be repeated
    #[arg(long = "weight", value_name = "PATH=W", help_heading = headings::INVERSE)]
    pub(crate) weights: Vec<String>,

    /// Time in which a target is to make up for its distance [s] [default: 0.01]
    #[arg(long, value_name = "S", value_parser = positive, conflicts_with_all = ["kp", "kd"], help_heading = headings::INVERSE)]
    pub(crate) chase_time: Option<f64>,

    /// Gain of distances [1/s²], in place of a chase time
    #[arg(long, value_name = "X", value_parser = not_negative, requires = "kd", help_heading = headings::INVERSE)]
    pub(crate) kp: Option<f64>,

    /// Gain of differences of velocities [1/s]
    #[arg(long, value_name = "X", value_parser = not_negative, requires = "kp", help_heading = headings::INVERSE)]
    pub(crate) kd: Option<f64>,

    /// Weight of squared excitations, over the response of the targets to the strongest [default: 1e-4]
    #[arg(long, value_name = "X", value_parser = not_negative, help_heading = headings::INVERSE)]
    pub(crate) regularization: Option<f64>,

    /// Weight of squared changes of excitations in a step, over the same [default: 1e-5]
    #[arg(long, value_name = "X", value_parser = not_negative, help_heading = headings::INVERSE)]
    pub(crate) damping: Option<f64>,

    /// Weight of amounts of excitations, over the same: few are then above none [default: 0]
    #[arg(long, value_name = "X", value_parser = not_negative, help_heading = headings::INVERSE)]
    pub(crate) sparsity: Option<f64>,

    /// Linearizations of a step at most, each about the excitations that the one before found [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = headings::INVERSE)]
    pub(crate) iterations: Option<u32>,

    /// Change of an excitation above which a step is linearized again [default: 0.02]
    #[arg(long, value_name = "X", value_parser = not_negative, help_heading = headings::INVERSE)]
    pub(crate) excitation_tolerance: Option<f64>,

    /// Keeps one excitation a multiple of another; may be repeated
    #[arg(long = "ratio", value_name = "PATH=K*PATH", help_heading = headings::INVERSE)]
    pub(crate) ratios: Vec<String>,

    /// Simulated time [s] [default: the last time of the targets]
    #[arg(long, value_name = "S", value_parser = positive, help_heading = headings::STEPS)]
    pub(crate) time: Option<f64>,

    /// Options for the steps of the model
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Folder of the results: excitations.csv, targets.csv and inverse.json, or tables of joints and muscles
    #[arg(short, long, alias = "output", value_name = "DIR", help_heading = headings::RESULTS)]
    pub(crate) out: PathBuf,

    /// Print nothing but errors
    #[arg(long, help_heading = headings::RESULTS)]
    pub(crate) quiet: bool,
}

/// Options of rigid models at the instants of a file.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = headings::RIGID)]
pub(crate) struct RigidArgs {
    /// Find the coordinates of joints from markers (.trc, .csv, .mot, .sto), in place of excitations
    #[arg(long, value_name = "FILE", conflicts_with = "dynamics")]
    pub(crate) kinematics: Option<PathBuf>,

    /// Find the moments of joints from their motion (.mot, .sto, .csv): columns PATH:coordinate.NAME.value, or named as a
    /// coordinate or its joint
    #[arg(long, value_name = "FILE")]
    pub(crate) dynamics: Option<PathBuf>,

    /// Forces on bodies beside (.mot, .sto, .csv): columns BODY:force.x, .y, .z, BODY:point.x, .., BODY:moment.x, ..
    #[arg(long, value_name = "FILE", requires = "dynamics")]
    pub(crate) loads: Option<PathBuf>,

    /// Share the moments among the muscles: activations with the least sum of powers
    #[arg(long, requires = "dynamics")]
    pub(crate) static_optimization: bool,

    /// Power of the activations in that sum, 2 to 10
    #[arg(long, value_name = "P", value_parser = factor, default_value = "2")]
    pub(crate) power: f64,
}

impl InverseArgs {
    /// The options as a section `[inverse]`.
    ///
    /// # Errors
    /// A weight or a ratio that is none.
    pub(super) fn section(&self) -> Result<Inverse, InverseArgError> {
        let excite = self.excite.iter().map(|it| it.trim().to_owned());
        Ok(Inverse {
            targets: self.targets.clone(),
            excite: excite.filter(|it| !it.is_empty()).collect(),
            chase_time: self.chase_time,
            kp: self.kp,
            kd: self.kd,
            regularization: self.regularization,
            damping: self.damping,
            sparsity: self.sparsity,
            iterations: self.iterations,
            tolerance: self.excitation_tolerance,
            weights: self.weights()?,
            ratios: self.ratios.iter().map(|text| ratio(text)).collect::<Result<_, _>>()?,
            ..Inverse::default()
        })
    }

    /// Weights of targets, `PATH=W`, `PATH.x=W` or `PATH=T:W,..` each; those of a path are one.
    ///
    /// # Errors
    /// A weight that is none.
    pub(super) fn weights(&self) -> Result<Vec<TargetWeight>, InverseArgError> {
        let mut weights: Vec<TargetWeight> = Vec::new();
        for text in &self.weights {
            let (path, given) =
                weight(text).ok_or_else(|| InverseArgError::Weight(text.clone()))?;
            let at = weights.iter().position(|it| it.target == path).unwrap_or_else(|| {
                weights.push(TargetWeight { target: path.to_owned(), ..TargetWeight::default() });
                weights.len() - 1
            });
            let own = &mut weights[at];
            match given {
                GivenWeight::Whole(weight) => own.weight = Some(weight),
                GivenWeight::Along(axis, factor) => {
                    own.directions.get_or_insert([1.0; 3])[axis] = factor;
                }
                GivenWeight::OverTime(factors) => own.factors = factors,
            }
        }
        Ok(weights)
    }
}

/// Weight that an option gives a target.
enum GivenWeight {
    Whole(f64),
    /// A factor along an axis, 0 for x.
    Along(usize, f64),
    /// Times [s] and factors.
    OverTime(Vec<[f64; 2]>),
}

/// The path of a target, and what it is given; `None` for another text.
fn weight(text: &str) -> Option<(&str, GivenWeight)> {
    let (path, given) = text.rsplit_once('=')?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
    let factor = |text: &str| number(text).filter(|it| *it >= 0.0);
    let path = path.trim();
    if given.contains(':') {
        let pair = |pair: &str| {
            let (time, value) = pair.split_once(':')?;
            Some([number(time)?, factor(value)?])
        };
        let factors = given.split(',').map(pair).collect::<Option<Vec<_>>>()?;
        let rising = factors.is_sorted_by(|a, b| a[0] < b[0]);
        return rising.then_some((path, GivenWeight::OverTime(factors)));
    }
    let value = factor(given)?;
    let axis = [".x", ".y", ".z"].iter().position(|axis| path.ends_with(axis));
    Some(match axis {
        Some(axis) => (&path[..path.len() - 2], GivenWeight::Along(axis, value)),
        None => (path, GivenWeight::Whole(value)),
    })
}

/// `PATH=K*PATH`.
fn ratio(text: &str) -> Result<ExcitationRatio, InverseArgError> {
    let wrong = || InverseArgError::Ratio(text.to_owned());
    let (of, rest) = text.split_once('=').ok_or_else(wrong)?;
    let (ratio, to) = rest.split_once('*').ok_or_else(wrong)?;
    let ratio: f64 = ratio.trim().parse().map_err(|_| wrong())?;
    match ratio.is_finite() {
        true => Ok(ExcitationRatio { of: of.trim().to_owned(), ratio, to: to.trim().to_owned() }),
        false => Err(wrong()),
    }
}
