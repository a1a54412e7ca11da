//! The options of `sinew info`, `sinew convert` and `sinew fibres`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sinew::io::LengthUnit;

use super::ends::Ends;
use crate::options::values::{angle, factor, length, length_unit, unit_pair};

/// Options of `sinew info`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew info femur.stl --unit mm
  sinew info liver.vtu --unit mm --patches 30 --json")]
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
#[command(after_help = "\
Examples:
  sinew convert femur.msh femur.vtu --unit mm:m --to tet10
  sinew convert liver.vtu liver.stl --surface
  sinew convert liver.stl liver.vtu --unit mm:m --fill 0.01
  sinew convert gait.osim gait.toml")]
pub(crate) struct ConvertArgs {
    /// A mesh: a volume or a surface, in any format that is read; of a pair either file. A model
    /// (.osim, .xml of MuJoCo, .urdf, .feb) for a .toml or .json
    pub(crate) input: PathBuf,

    /// The new file: .vtu, .msh (Gmsh 4.1), .node or .ele (TetGen), .mesh (Medit), .obj, .stl, .ply;
    /// .toml or .json of a model, as `sinew save` writes it
    pub(crate) output: PathBuf,

    /// The folder that no file which a model names may lead out of [default: that of the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Units of length of the old and of the new file, such as mm:m
    #[arg(long, value_name = "FROM:TO", value_parser = unit_pair)]
    pub(crate) unit: Option<[LengthUnit; 2]>,

    /// Multiply the coordinates
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = factor)]
    pub(crate) scale: f64,

    /// Make tetrahedra of four nodes ones of ten
    #[arg(long, value_enum)]
    pub(crate) to: Option<ElementArg>,

    /// Fill a surface with tetrahedra whose edges are about so long, in the unit of the new file
    #[arg(long, value_name = "SIZE", value_parser = factor, conflicts_with = "surface")]
    pub(crate) fill: Option<f64>,

    /// Write the surface of a volume alone
    #[arg(long)]
    pub(crate) surface: bool,

    /// Add the patches of the surface, which edges bent by more than so many degrees part, as sets
    /// patch_1, patch_2, .. by falling area
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) patches: Option<f64>,

    /// Make points of a surface one that lie at most so far apart, in the unit of the new file; 0: at
    /// the same place
    #[arg(long, value_name = "LENGTH", num_args = 0..=1, default_missing_value = "0", value_parser = length)]
    pub(crate) weld: Option<f64>,
}

/// Options of `sinew fibres`.
#[derive(Clone, Debug, Args)]
#[command(
    allow_missing_positional = true,
    after_help = "\
Examples:
  sinew fibres tongue.vtu muscles.obj fibres.vtu --unit mm --reach 2
  sinew fibres biceps.vtu fibres.vtu --from tendon --to aponeurosis --name biceps
  sinew fibres calf.msh fibres.vtu --unit mm --from 'z < 5' --to 'z > 180'"
)]
pub(crate) struct FibresArgs {
    /// A volume mesh, in any format that is read
    pub(crate) mesh: PathBuf,

    /// A file of lines along the fibres, such as .obj: each set (group) makes a field of its name
    #[arg(required_unless_present_all = ["from", "to"])]
    pub(crate) lines: Option<PathBuf>,

    /// The new file: .vtu
    #[arg(required = true)]
    pub(crate) output: PathBuf,

    /// Unit of length of both files: m, cm, mm or um
    #[arg(long, value_name = "UNIT", default_value = "m", value_parser = length_unit)]
    pub(crate) unit: LengthUnit,

    /// An element that no line runs through takes the nearest line within so far of its centre, in the unit of the files
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = length)]
    pub(crate) reach: f64,

    /// Begin of the fibres, in place of lines: the name of a set of nodes or of a surface, or a
    /// condition on x, y and z; they run as the streamlines of a harmonic field
    #[arg(long, value_name = "WHERE", requires = "to", conflicts_with_all = ["lines", "reach"])]
    pub(crate) from: Option<Ends>,

    /// End of the fibres
    #[arg(long, value_name = "WHERE", requires = "from")]
    pub(crate) to: Option<Ends>,

    /// Name of the field between --from and --to
    #[arg(long, value_name = "NAME", default_value = "fibres", conflicts_with = "lines")]
    pub(crate) name: String,
}

/// Values of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ElementArg {
    /// Quadratic tetrahedra
    Tet10,
}
