//! `sinew body`: a model file of a human body, or of some of its segments and muscles.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sinew::model::{MultiPointSpring, RigidBody};
use sinew_datasets::body::{Base, BodyError, BodyParams, MassRule, Patterns, Person, Sex, body};
use sinew_model_files::{SaveOptions, Solver};

use crate::exit::{CliError, Exit, Failure};
use crate::options::values::factor;
use crate::{console, files};

/// Options of `sinew body`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew body -o body.toml
  sinew body --stature 1.78 --mass 74 --segments 'pelvis,thigh.*,shank.*,foot.*' --muscles '.*soleus.*' -o legs.toml
  sinew body --sex female --stature 1.65 --mass 60 --muscles '.*' --no-bones -o woman.toml

Patterns are regular expressions that match whole names; `.*_l` are those of the left. Names, sources and how far the
tables go: docs/reference/body.md.")]
pub(crate) struct BodyArgs {
    /// The model file to write (.toml or .json)
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Stature [m]
    #[arg(long, value_name = "M", value_parser = factor, default_value = "1.78")]
    pub(crate) stature: f64,

    /// Mass [kg]
    #[arg(long, value_name = "KG", value_parser = factor, default_value = "74")]
    pub(crate) mass: f64,

    /// Proportions
    #[arg(long, value_enum, default_value = "male")]
    pub(crate) sex: SexArg,

    /// Masses of segments: fractions of the mass, or a regression of stature and mass
    #[arg(long, value_enum, default_value = "fractions")]
    pub(crate) masses: MassesArg,

    /// Segments: patterns of names, between commas
    #[arg(long, value_name = "PATTERN,..", value_delimiter = ',', default_value = ".*")]
    pub(crate) segments: Vec<String>,

    /// Muscles: patterns of names, between commas
    #[arg(long, value_name = "PATTERN,..", value_delimiter = ',')]
    pub(crate) muscles: Vec<String>,

    /// Let it move freely; otherwise the pelvis is fixed
    #[arg(long)]
    pub(crate) free: bool,

    /// Leave out the surfaces of bones
    #[arg(long)]
    pub(crate) no_bones: bool,
}

/// Choices of `--sex`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SexArg {
    Male,
    Female,
}

/// Choices of `--masses`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MassesArg {
    Fractions,
    Regression,
}

impl Failure for BodyError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Makes a body and writes it.
///
/// # Errors
/// Patterns that name nothing, sizes of nobody, a file that cannot be written.
pub(crate) fn run(args: &BodyArgs) -> Result<Exit, CliError> {
    let params = BodyParams {
        person: Person {
            stature: args.stature,
            mass: args.mass,
            sex: match args.sex {
                SexArg::Male => Sex::Male,
                SexArg::Female => Sex::Female,
            },
            masses: match args.masses {
                MassesArg::Fractions => MassRule::Fractions,
                MassesArg::Regression => MassRule::Regression,
            },
        },
        segments: Patterns::parse(&args.segments)?,
        muscles: Patterns::parse(&args.muscles)?,
        base: if args.free { Base::Free } else { Base::Fixed },
        bones: !args.no_bones,
        ..BodyParams::default()
    };
    let made = body(&params)?;
    let options = SaveOptions { solver: Some(Solver::default()), ..SaveOptions::default() };
    let files = files::write(&made.model, &args.output, &options)?;
    let bodies = made.model.iter::<RigidBody>().count();
    let muscles = made.model.iter::<MultiPointSpring>().count();
    let mut told = format!("{bodies} segments, {muscles} muscles\n");
    if !made.left_out.is_empty() {
        let (count, names) = (made.left_out.len(), made.left_out.join(", "));
        told += &format!("{count} muscles left out, as some of their segments are: {names}\n");
    }
    files.iter().for_each(|file| told.push_str(&format!("{}\n", file.display())));
    console::print(&told)?;
    Ok(Exit::Done)
}
