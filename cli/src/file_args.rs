//! Options of the commands on files: `info`, `convert`, `check`, `save`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sinew::io::LengthUnit;

use crate::args::{EditArgs, not_negative};

/// Options of `sinew info`.
#[derive(Clone, Debug, Args)]
pub(crate) struct InfoArgs {
    /// A mesh: a volume or a surface, in any format that is read; of a pair either file
    pub(crate) file: PathBuf,

    /// Unit of length of the file; everything is shown in metres
    #[arg(long, value_name = "UNIT", default_value = "m", value_parser = length_unit)]
    pub(crate) unit: LengthUnit,

    /// Count the patches of the surface that edges bent by more than so many degrees part
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) patches: Option<f64>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `sinew convert`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A mesh: a volume or a surface, in any format that is read; of a pair either file
    pub(crate) input: PathBuf,

    /// The new file: .vtu, .msh (Gmsh 4.1), .node or .ele (TetGen), .mesh (Medit), .obj, .stl, .ply
    pub(crate) output: PathBuf,

    /// Units of length of the old and of the new file, such as mm:m
    #[arg(long, value_name = "FROM:TO", value_parser = unit_pair)]
    pub(crate) unit: Option<[LengthUnit; 2]>,

    /// Multiply the coordinates
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = factor)]
    pub(crate) scale: f64,

    /// Make tetrahedra of four nodes ones of ten
    #[arg(long, value_enum)]
    pub(crate) to: Option<ElementArg>,

    /// Write the surface of a volume alone
    #[arg(long)]
    pub(crate) surface: bool,

    /// Add the patches of the surface, which edges bent by more than so many degrees part, as sets
    /// patch_1, patch_2, .. by falling area
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) patches: Option<f64>,

    /// Make points of a surface one that lie at most so far apart, in the unit of the new file; 0: at
    /// the same place
    #[arg(long, value_name = "LENGTH", num_args = 0..=1, default_missing_value = "0", value_parser = not_negative)]
    pub(crate) weld: Option<f64>,
}

/// Values of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ElementArg {
    /// Quadratic tetrahedra
    Tet10,
}

/// Options of `sinew check`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// The model file
    pub(crate) file: PathBuf,

    /// Parameter of the file; several may be separated by commas, and the option repeated
    #[arg(long = "param", value_name = "KEY=VALUE,..", value_delimiter = ',')]
    pub(crate) params: Vec<String>,

    /// The folder that no file which it names may lead out of [default: that of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `sinew save`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SaveArgs {
    /// Name of a built-in model (see `sinew models`), or the path of a model file or a volume mesh
    pub(crate) model: String,

    /// The model file to write
    pub(crate) file: PathBuf,

    /// What is changed of it first
    #[command(flatten)]
    pub(crate) edits: EditArgs,
}

/// A unit of length by its symbol or name.
fn length_unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_name(text).ok_or_else(|| "expected m, cm, mm or um".to_owned())
}

/// Two units of length.
fn unit_pair(text: &str) -> Result<[LengthUnit; 2], String> {
    let (from, to) = text.split_once(':').ok_or("expected two units, such as mm:m")?;
    Ok([length_unit(from)?, length_unit(to)?])
}

/// A finite number above 0, without unit.
fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// An angle from 0 to 180 degrees, in radians.
fn angle(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if (0.0..=180.0).contains(&x) => Ok(x.to_radians()),
        _ => Err("expected an angle from 0 to 180 degrees".to_owned()),
    }
}
