//! The options of `sinew render`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use sinew::Vec3;
use sinew::snapshot::Quantity;
use sinew_viewer::{Background, ColorMap, ColorRange, PictureStyle, Slice, SliceKind};

use crate::options::values::{self, not_negative, positive};
use crate::options::{LiveArgs, ModelArgs};

/// Options of `sinew render`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  sinew render --time 0.46 --size 1200x900 -o jaw.png
  sinew render --style publication --labels -o figure.png
  sinew render elbow.toml --frames 25 --every 0.04 -o frame_%04d.png
  sinew render --param task=chew --frames 50 --every 0.02 --size 640x400 -o chew.png")]
pub(crate) struct RenderArgs {
    /// The model
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Options of the steps
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// The file: .png, .glb or .gltf (glTF 2.0), or .pov (POV-Ray); with --frames a name with %d or
    /// %04d where the number of the frame goes, or a .png that holds the whole film
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Time of the picture [s]: the model is run until then
    #[arg(long, value_name = "S", default_value = "0", value_parser = not_negative)]
    pub(crate) time: f64,

    /// Number of pictures, each --every later than the one before
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,

    /// Simulated time between pictures [s]
    #[arg(long, value_name = "S", default_value = "0.04", value_parser = positive)]
    pub(crate) every: f64,

    /// Times longer that a film shows a picture than the model takes to the next one
    #[arg(long, value_name = "K", default_value = "1", value_parser = values::factor)]
    pub(crate) slow: f64,

    /// A view that was kept as a file, by the window or by hand; other options go before it
    #[arg(long, value_name = "FILE")]
    pub(crate) view: Option<PathBuf>,

    /// The camera: iso, +x, -x, +y, -y, +z or -z (all of the model is in the picture), the eye and
    /// the point that it looks at as x,y,z:x,y,z [m], or a file with a camera as JSON [default:
    /// that of --view, or iso]
    #[arg(long, value_name = "CAMERA", allow_hyphen_values = true)]
    pub(crate) camera: Option<String>,

    /// Parallel lines stay parallel
    #[arg(long)]
    pub(crate) orthographic: bool,

    /// Width and height [pixel]
    #[arg(long, value_name = "WxH", default_value = "1600x1000")]
    pub(crate) size: Size,

    /// Quantity that colours the tissues [default: none]
    #[arg(long, value_enum, value_name = "QUANTITY")]
    pub(crate) color_by: Option<QuantityArg>,

    /// Colours of that [default: viridis]
    #[arg(long, value_enum, value_name = "MAP")]
    pub(crate) color_map: Option<ColorMapArg>,

    /// Values at the ends of the colours, or percentiles of those that there are, 2%:98% [default: least
    /// and greatest of each picture]
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub(crate) range: Option<Range>,

    /// Equal factors, rather than equal differences, have equal steps of colour
    #[arg(long)]
    pub(crate) log: bool,

    /// Cut away what lies beyond a plane, x=0.01 [m], or nx,ny,nz,d for n . p > d |n|
    #[arg(long, value_name = "PLANE", allow_hyphen_values = true)]
    pub(crate) cut: Option<Cut>,

    /// With --cut: sections of tissues alone
    #[arg(long, requires = "cut")]
    pub(crate) section: bool,

    /// Draw elements smaller by this part, apart from each other [default: 0]
    #[arg(long, value_name = "PART", value_parser = part)]
    pub(crate) shrink: Option<f32>,

    /// Draw tissues as many times farther from rest than they are [default: 1]
    #[arg(long, value_name = "K", value_parser = factor, allow_hyphen_values = true)]
    pub(crate) exaggerate: Option<f32>,

    /// Opacity of surfaces [default: 1]
    #[arg(long, value_name = "PART", value_parser = part)]
    pub(crate) opacity: Option<f32>,

    /// Edges of faces alone
    #[arg(long)]
    pub(crate) wireframe: bool,

    /// Edges of faces too
    #[arg(long)]
    pub(crate) edges: bool,

    /// Nodes of tissues too
    #[arg(long)]
    pub(crate) nodes: bool,

    /// Directions of fibres of tissues too, where their meshes have some; their surfaces are translucent
    #[arg(long)]
    pub(crate) fibres: bool,

    /// Frames of bodies too
    #[arg(long)]
    pub(crate) frame_axes: bool,

    /// Axes of joints too
    #[arg(long)]
    pub(crate) joints: bool,

    /// Contacts and their forces too
    #[arg(long)]
    pub(crate) contacts: bool,

    /// No grid
    #[arg(long)]
    pub(crate) no_grid: bool,

    /// No directions in the corner
    #[arg(long)]
    pub(crate) no_axes: bool,

    /// Light and surfaces [default: plain]; publication has soft shadows, light in tissue and surfaces by their
    /// substance, on white, without grid and directions
    #[arg(long, value_enum)]
    pub(crate) style: Option<StyleArg>,

    /// Lines where depth jumps or a surface folds
    #[arg(long)]
    pub(crate) outlines: bool,

    /// Titles of the parts that are seen, beside the model
    #[arg(long)]
    pub(crate) labels: bool,

    /// Background behind the model [default: light]
    #[arg(long, value_enum)]
    pub(crate) background: Option<BackgroundArg>,
}

/// Width and height [pixel].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) [u32; 2]);

/// Most pixels along a side.
const MOST_PIXELS: u32 = 32_768;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|n| (1..=MOST_PIXELS).contains(n));
        let sides = text.split_once('x').and_then(|(w, h)| Some([side(w)?, side(h)?]));
        let expected = || {
            format!(
                "expected WIDTHxHEIGHT in pixels, such as 1920x1080, each from 1 to {MOST_PIXELS}"
            )
        };
        sides.map(Self).ok_or_else(expected)
    }
}

/// Rule for the ends of the colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range(pub(crate) ColorRange);

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || "expected two numbers A:B, A below B, or two percentiles such as 2%:98%";
        let (a, b) = text.split_once(':').ok_or_else(refused)?;
        let pair = |a: &str, b: &str| Some([a.parse().ok()?, b.parse().ok()?]);
        let range = match (a.strip_suffix('%'), b.strip_suffix('%')) {
            (Some(a), Some(b)) => {
                pair(a, b).map(|percentiles| ColorRange::Percentiles { percentiles })
            }
            _ => pair(a, b).map(ColorRange::Fixed),
        };
        Ok(Self(range.filter(ColorRange::is_valid).ok_or_else(refused)?))
    }
}

/// A plane: unit normal, and its product with the points of the plane [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    normal: Vec3,
    d: f64,
}

impl Cut {
    pub(crate) fn slice(self, section: bool) -> Slice {
        let kind = if section { SliceKind::Slice } else { SliceKind::Clip };
        Slice { origin: self.d * self.normal, normal: self.normal, kind }
    }
}

impl FromStr for Cut {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || "expected x=0.01, y=.. or z=.. [m], or nx,ny,nz,d".to_owned();
        if let Some((axis, place)) = text.split_once('=') {
            let axis = ["x", "y", "z"].iter().position(|name| *name == axis).ok_or_else(refused)?;
            let mut normal = Vec3::zeros();
            normal[axis] = 1.0;
            let d = place.parse().ok().filter(|d: &f64| d.is_finite());
            return Ok(Self { normal, d: d.ok_or_else(refused)? });
        }
        let numbers = numbers::<4>(text).ok_or_else(refused)?;
        let normal = Vec3::new(numbers[0], numbers[1], numbers[2]);
        let unit = normal.try_normalize(1e-300).ok_or_else(refused)?;
        Ok(Self { normal: unit, d: numbers[3] })
    }
}

/// Finite numbers with commas between them; `None` for any other count than N.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let parsed: Option<Vec<f64>> =
        text.split(',').map(|x| x.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
    parsed?.try_into().ok()
}

fn factor(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| *x >= 0.0 && x.is_finite());
    number.ok_or("expected a number of 0 or more".to_owned())
}

fn part(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x| (0.0..=1.0).contains(x));
    number.ok_or("expected a number from 0 to 1".to_owned())
}

/// Values of an option that are named as they are elsewhere.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $of:ty, $get:ident, $($variant:ident),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
        #[value(rename_all = "snake_case")]
        pub(crate) enum $name { #[default] $($variant),+ }

        impl $name {
            pub(crate) fn $get(self) -> $of {
                match self { $(Self::$variant => <$of>::$variant),+ }
            }
        }
    };
}

named!(
    /// Values of `--color-by`.
    QuantityArg, Quantity, quantity,
    None, VonMises, EnergyDensity, Strain, Displacement, Speed, Pressure, ContactPressure, ShearModulus, Density
);
named!(
    /// Values of `--color-map`.
    ColorMapArg, ColorMap, color_map,
    Viridis, Magma, Inferno, Cividis, Coolwarm, Turbo, Greys
);
named!(
    /// Values of `--style`.
    StyleArg, PictureStyle, style,
    Plain, Publication
);
named!(
    /// Values of `--background`.
    BackgroundArg, Background, background,
    Light, Dark, White, Transparent
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_read_by_axis_and_by_normal() {
        let slice = "z=0.02".parse::<Cut>().unwrap().slice(false);
        assert_eq!((slice.origin, slice.normal), (Vec3::new(0.0, 0.0, 0.02), Vec3::z()));
        let slice = "0,-2,0,0.5".parse::<Cut>().unwrap().slice(true);
        assert_eq!((slice.origin, slice.normal), (Vec3::new(0.0, -0.5, 0.0), -Vec3::y()));
        assert_eq!(slice.kind, SliceKind::Slice);
        for text in ["w=1", "x=", "x=inf", "0,0,0,1", "1,2,3", ""] {
            assert!(text.parse::<Cut>().is_err(), "'{text}' was accepted");
        }
    }

    #[test]
    fn sizes_and_ranges_out_of_reason_are_refused() {
        assert_eq!("640x480".parse(), Ok(Size([640, 480])));
        for text in ["640", "0x480", "640x-1", "99999x1", "x"] {
            assert!(text.parse::<Size>().is_err(), "'{text}' was accepted");
        }
        assert_eq!("-1:2.5".parse(), Ok(Range(ColorRange::Fixed([-1.0, 2.5]))));
        let percentiles = [2.0, 98.5];
        let percent = ColorRange::Percentiles { percentiles };
        assert_eq!("2%:98.5%".parse(), Ok(Range(percent)));
        for text in ["1", "2:1", "1:1", "0:inf", ":", "98%:2%", "-1%:50%", "2%:101%", "2%:5"] {
            assert!(text.parse::<Range>().is_err(), "'{text}' was accepted");
        }
    }

    #[test]
    fn names_are_those_of_the_library() {
        for value in QuantityArg::value_variants() {
            let name = value.to_possible_value().unwrap();
            assert_eq!(name.get_name(), value.quantity().name());
        }
        assert_eq!(QuantityArg::value_variants().len(), Quantity::ALL.len());
        for value in ColorMapArg::value_variants() {
            assert_eq!(value.to_possible_value().unwrap().get_name(), value.color_map().name());
        }
        assert_eq!(ColorMapArg::value_variants().len(), ColorMap::ALL.len());
    }
}
