//! The options of `sinew inverse`.

use std::path::PathBuf;

use clap::Args;
use sinew_model_files::{ExcitationRatio, Inverse, TargetWeight};

use super::error::InverseArgError;
use crate::options::values::{not_negative, positive};
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

Exit codes: 0 done, 2 wrong command line, 3 model, file or parameter refused, 4 a step failed,
5 results could not be written.";

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

    /// Weight of a target: the path that its columns are named by, and a number; may be repeated
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
    #[arg(long, value_name = "DIR", help_heading = headings::RESULTS)]
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

    /// Power of the activations in that sum, 2 or more
    #[arg(long, value_name = "P", value_parser = positive, default_value = "2")]
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

    /// Weights of targets, `PATH=W` each.
    ///
    /// # Errors
    /// A weight that is none.
    pub(super) fn weights(&self) -> Result<Vec<TargetWeight>, InverseArgError> {
        self.weights.iter().map(|text| weight(text)).collect()
    }
}

fn weight(text: &str) -> Result<TargetWeight, InverseArgError> {
    let wrong = || InverseArgError::Weight(text.to_owned());
    let (path, weight) = text.rsplit_once('=').ok_or_else(wrong)?;
    let weight: f64 = weight.trim().parse().map_err(|_| wrong())?;
    match weight.is_finite() && weight >= 0.0 {
        true => Ok(TargetWeight { target: path.trim().to_owned(), weight }),
        false => Err(wrong()),
    }
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
