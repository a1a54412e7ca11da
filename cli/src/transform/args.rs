//! The options of `sinew transform`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use sinew::model::{LineLengths, MassRule, TransformOptions};

use crate::options::EditArgs;
use crate::options::values::length_unit;

/// Options of `sinew transform`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew transform jaw-tongue-hyoid --scale 0.9 -o child.toml
  sinew transform elbow.toml --mirror 0,1,0 -o left.toml
  sinew transform knee.toml --landmarks atlas.csv person.csv --unit mm -o person.toml
  sinew transform elbow.toml /models/elbow/rigid_bodies/ulna --scale 1,1,1.1 --lengths rest -o long.toml")]
#[command(group(ArgGroup::new("map").required(true).args(["scale", "mirror", "affine", "landmarks"])))]
pub(crate) struct TransformArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file or a volume mesh
    pub(crate) model: String,

    /// Paths of the components, with all below them and what is on them [default: the whole model]
    pub(crate) paths: Vec<String>,

    /// The model file to write
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Factor of all lengths, or factors along x, y and z; negative ones mirror
    #[arg(long, value_name = "F[,F,F]", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) scale: Vec<f64>,

    /// Mirror in the plane across this direction
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) mirror: Vec<f64>,

    /// Rows of the linear part, each with a component of the translation [m] behind it
    #[arg(long, value_name = "12 NUMBERS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) affine: Vec<f64>,

    /// Two files of points (.csv: x, y, z, or a name before them), the landmarks and their images: bend space so that
    /// they meet, by a thin-plate spline
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub(crate) landmarks: Vec<PathBuf>,

    /// Unit of the landmarks
    #[arg(long, value_name = "UNIT", value_parser = length_unit, default_value = "m")]
    pub(crate) unit: sinew::io::LengthUnit,

    /// The point that stays where it is, for --scale and --mirror [m]
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "0,0,0"
    )]
    pub(crate) about: Vec<f64>,

    /// Lengths that change with lines: rest lengths and those in laws of muscles, rest lengths, or none
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) lengths: LengthsArg,

    /// Quantity that stays: densities, or masses
    #[arg(long, value_enum, default_value = "density")]
    pub(crate) masses: MassesArg,

    /// Changes of the model before
    #[command(flatten)]
    pub(crate) edits: EditArgs,
}

/// Choices of `--lengths`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LengthsArg {
    All,
    Rest,
    Keep,
}

/// Choices of `--masses`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MassesArg {
    Density,
    Mass,
}

impl TransformArgs {
    /// Its choices, as the library takes them.
    pub(super) fn options(&self) -> TransformOptions {
        TransformOptions {
            lengths: match self.lengths {
                LengthsArg::All => LineLengths::All,
                LengthsArg::Rest => LineLengths::Rest,
                LengthsArg::Keep => LineLengths::Keep,
            },
            masses: match self.masses {
                MassesArg::Density => MassRule::Density,
                MassesArg::Mass => MassRule::Mass,
            },
        }
    }
}
