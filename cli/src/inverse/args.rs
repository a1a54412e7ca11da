//! The options of `sinew inverse`.

use std::path::PathBuf;

use clap::Args;
use sinew::inverse::{TrackingRule, TrackingSettings};

use crate::options::values::{not_negative, positive};
use crate::options::{LiveArgs, ModelArgs, headings};

/// Printed below the help of `sinew inverse`.
pub(crate) const AFTER_HELP: &str = "\
Examples:
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
    /// PATH:coordinate.NAME.value, PATH:force.x, .y, .z, or those of a marker by its name
    #[arg(long, value_name = "FILE", required_unless_present_any = ["kinematics", "dynamics"], conflicts_with_all = ["kinematics", "dynamics"], help_heading = headings::INVERSE)]
    pub(crate) targets: Option<PathBuf>,

    /// Rigid models at the instants of a file
    #[command(flatten)]
    pub(crate) rigid: RigidArgs,

    /// Muscles to be excited: `muscles`, `exciters`, or paths between commas
    #[arg(long, value_name = "WHAT|PATH,..", default_value = "muscles", help_heading = headings::INVERSE)]
    pub(crate) excite: String,

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

    /// Weight of squared excitations, over the response of the targets to the strongest
    #[arg(long, value_name = "X", value_parser = not_negative, default_value = "1e-4", help_heading = headings::INVERSE)]
    pub(crate) regularization: f64,

    /// Weight of squared changes of excitations in a step, over the same
    #[arg(long, value_name = "X", value_parser = not_negative, default_value = "1e-5", help_heading = headings::INVERSE)]
    pub(crate) damping: f64,

    /// Weight of amounts of excitations, over the same: few are then above none
    #[arg(long, value_name = "X", value_parser = not_negative, default_value = "0", help_heading = headings::INVERSE)]
    pub(crate) sparsity: f64,

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
    /// The rule and the weights.
    pub(super) fn settings(&self) -> TrackingSettings {
        let default = TrackingSettings::default();
        let rule = match (self.chase_time, self.kp, self.kd) {
            (Some(time), ..) => TrackingRule::Chase { time },
            (None, Some(kp), Some(kd)) => TrackingRule::ProportionalDerivative { kp, kd },
            _ => default.rule,
        };
        TrackingSettings {
            rule,
            regularization: self.regularization,
            damping: self.damping,
            sparsity: self.sparsity,
            ..default
        }
    }
}
