//! View of a scene: plain data, kept in files and set by panels.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::snapshot::Field;

use crate::color::rising;
use crate::{Camera, ColorMap, ColorRange, ColorScale, Titles, checked};

/// View of a scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// Camera of the view.
    pub camera: Camera,
    /// Options of what is shown.
    pub options: ViewOptions,
}

/// Options of what is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViewOptions {
    /// Light and surfaces.
    pub style: PictureStyle,
    /// True if lines are drawn where depth jumps or a surface folds.
    pub outlines: bool,
    /// True if parts have their titles beside the model, with lines that lead to them.
    pub labels: bool,
    /// Background.
    pub background: Background,
    /// True if there is a grid with numbers behind or below the model.
    pub grid: bool,
    /// True if the directions of the world are shown in a corner.
    pub axes: bool,
    /// True if the bar of the colour map is shown, where something is coloured by it.
    pub color_bar: bool,
    /// True if hollows are darker.
    pub ambient_occlusion: bool,
    /// A plane that cuts the model, or has a grid.
    pub slice: Option<Slice>,
    /// Further planes; there are [`MOST_PLANES`] at most.
    #[serde(deserialize_with = "further_planes", skip_serializing_if = "Vec::is_empty")]
    pub further_planes: Vec<Slice>,
    /// Shrinking of elements of tissues about their centres in the picture [-]; 0 for their
    /// surface as it is.
    #[serde(deserialize_with = "checked::part")]
    pub shrink: f32,
    /// Factor of displacements from rest in the picture [-]; 1 for where tissues are.
    #[serde(deserialize_with = "checked::factor")]
    pub exaggeration: f32,
    /// True if surfaces are drawn by the edges of their faces alone.
    pub wireframe: bool,
    /// True if edges are drawn on all surfaces, rather than on those whose style asks for it.
    pub edges: bool,
    /// Opacity of all surfaces, times their own [-].
    #[serde(deserialize_with = "checked::part")]
    pub opacity: f32,
    /// True if light falls smoothly on all surfaces but over sharp edges; `None` by their style.
    pub smooth: Option<bool>,
    /// True if nodes of tissues are shown.
    pub nodes: bool,
    /// True if directions of fibres of tissues are shown, where they have some; their surfaces are
    /// translucent then.
    pub fibres: bool,
    /// True if springs and muscles are shown.
    pub lines: bool,
    /// True if those whose style is a width in pixels are solid all the same: muscles as spindles, springs
    /// as cylinders, of a radius that fits the model.
    pub solid_lines: bool,
    /// True if particles and markers are shown.
    pub points: bool,
    /// True if frames of bodies are shown.
    pub frames: bool,
    /// True if axes of joints are shown.
    pub joints: bool,
    /// True if contacts are shown.
    pub contacts: bool,
    /// Length of the arrow of the largest contact force, in parts of the extent of the model [-].
    #[serde(deserialize_with = "checked::factor")]
    pub contact_length: f32,
    /// Quantity that colours springs and muscles.
    pub line_colors: LineColors,
    /// Colours of fields.
    pub color_map: ColorMap,
    /// Ends of the colour map.
    #[serde(deserialize_with = "rising")]
    pub range: ColorRange,
    /// True if equal factors of values have equal steps of colour.
    pub log_colors: bool,
    /// Components that are highlighted, with all below them. Not kept in files: other models have others.
    #[serde(skip)]
    pub selection: Vec<ComponentId>,
    /// Faces that are marked by a colour, as those that are painted. Not kept in files: other models have others.
    #[serde(skip)]
    pub marked: Arc<MarkedFaces>,
    /// Titles of components for labels. Not kept in files: they are those of models.
    #[serde(skip)]
    pub titles: Arc<Titles>,
    /// Size of lines, dots and letters over that of a common display [-].
    /// Not kept in files: it is that of a display.
    #[serde(skip, default = "one")]
    pub pixel_scale: f32,
}

fn one() -> f32 {
    1.0
}

/// Faces of a tissue that are marked by a colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedFaces {
    /// The tissue.
    pub owner: Option<ComponentId>,
    /// Triangles of its shape.
    pub triangles: Vec<u32>,
}

/// Light and surfaces of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureStyle {
    /// Even light, drawn fast.
    #[default]
    Plain,
    /// Soft shadows, light that goes into tissue, surfaces by their substance.
    Publication,
}

/// Background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    /// Light grey, rising to white.
    #[default]
    Light,
    /// Dark grey.
    Dark,
    /// White throughout, for print.
    White,
    /// None: the picture has an alpha channel.
    Transparent,
}

/// Quantity that colours springs and muscles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineColors {
    /// Their style; what can be excited goes to red as it is.
    #[default]
    Excitation,
    /// Their style alone.
    Style,
    /// Tension over the largest one, by the colour map.
    Tension,
}

/// Planes that a view can have.
pub const MOST_PLANES: usize = 6;

/// A plane that cuts the model, or has a grid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    /// A point of it, world [m].
    pub origin: Vec3,
    /// Its normal, of any length but 0; what lies on the side it points to is cut away.
    #[serde(deserialize_with = "checked::direction")]
    pub normal: Vec3,
    /// Part that is left.
    #[serde(default)]
    pub kind: SliceKind,
}

/// Part of a model that a plane leaves; of several planes that cut, each takes its part away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SliceKind {
    /// The part behind it, tissues closed by their section.
    #[default]
    Clip,
    /// Sections of tissues alone, those of several such planes whole; bodies are clipped.
    Slice,
    /// All of it: a grid with numbers lies in the plane.
    Grid,
}

/// Planes beside a first one.
fn further_planes<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<Slice>, D::Error> {
    let planes = Vec::<Slice>::deserialize(from)?;
    let count = planes.len();
    let refused = || {
        let most = MOST_PLANES - 1;
        D::Error::custom(format!("there must be at most {most} further planes, got {count}"))
    };
    (count < MOST_PLANES).then_some(planes).ok_or_else(refused)
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            style: PictureStyle::Plain,
            outlines: false,
            labels: false,
            background: Background::Light,
            grid: true,
            axes: true,
            color_bar: true,
            ambient_occlusion: true,
            slice: None,
            further_planes: Vec::new(),
            shrink: 0.0,
            exaggeration: 1.0,
            wireframe: false,
            edges: false,
            opacity: 1.0,
            smooth: Some(true),
            nodes: false,
            fibres: false,
            lines: true,
            solid_lines: true,
            points: true,
            frames: false,
            joints: false,
            contacts: false,
            contact_length: 0.15,
            line_colors: LineColors::Excitation,
            color_map: ColorMap::Viridis,
            range: ColorRange::Full,
            log_colors: false,
            selection: Vec::new(),
            marked: Arc::default(),
            titles: Arc::default(),
            pixel_scale: 1.0,
        }
    }
}

impl ViewOptions {
    /// All planes, the first one first.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        self.slice.iter().chain(&self.further_planes)
    }

    /// True if of tissues only sections are drawn.
    pub fn sections_alone(&self) -> bool {
        self.slices().any(|slice| slice.kind == SliceKind::Slice)
    }

    /// Numbers on the colour map for the values of a field.
    pub fn color_scale(&self, field: &Field) -> ColorScale {
        ColorScale::of(field, self.range, self.log_colors)
    }

    /// Options in the style of publications: on white, without grid and directions.
    pub fn for_publication(self) -> Self {
        Self {
            style: PictureStyle::Publication,
            background: Background::White,
            grid: false,
            axes: false,
            ..self
        }
    }
}

impl Slice {
    /// The plane as points p relative to `origin` with n . p = d, n of unit length; `None` where the
    /// normal has no direction.
    pub(crate) fn plane(&self, origin: Vec3) -> Option<(Vec3, f64)> {
        let normal = self.normal.try_normalize(1e-300)?;
        Some((normal, normal.dot(&(self.origin - origin))))
    }
}

/// Size of lines, dots and letters for a picture of this size [pixel] over that of 1440 x 900, which a common
/// display shows; not so small that they cannot be read.
pub fn letter_scale([width, height]: [u32; 2]) -> f32 {
    (width as f32 / 1440.0).min(height as f32 / 900.0).max(0.5)
}
