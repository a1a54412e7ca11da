//! Render properties of a component: a composite whose every part can be inherited from above.

use serde::{Deserialize, Serialize};

use super::value::choices;
use crate::property::{Property, properties};

/// Colours, styles and sizes; `None` is inherited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderProps {
    /// False for a component that is not drawn at all.
    pub visible: Option<bool>,
    /// Opacity [-].
    pub alpha: Option<f64>,
    /// Substance that it looks like in pictures for publication.
    pub substance: Option<Substance>,
    /// Shading.
    pub shading: Option<Shading>,
    /// Exponent of highlights [-].
    pub shininess: Option<f64>,
    /// Colour of highlights.
    pub specular: Option<[f32; 3]>,
    /// Sides of faces that are drawn.
    pub face_style: Option<FaceStyle>,
    /// Colour of faces.
    pub face_color: Option<[f32; 3]>,
    /// Colour of the back of faces.
    pub back_color: Option<[f32; 3]>,
    /// True if edges of faces are drawn.
    pub draw_edges: Option<bool>,
    /// Colour of edges.
    pub edge_color: Option<[f32; 3]>,
    /// Width of edges [pixel].
    pub edge_width: Option<f64>,
    /// Style of springs and the like.
    pub line_style: Option<LineStyle>,
    /// Their colour.
    pub line_color: Option<[f32; 3]>,
    /// Width of lines [pixel].
    pub line_width: Option<f64>,
    /// Radius of solid lines [m].
    pub line_radius: Option<f64>,
    /// Style of points.
    pub point_style: Option<PointStyle>,
    /// Their colour.
    pub point_color: Option<[f32; 3]>,
    /// Size of points [pixel].
    pub point_size: Option<f64>,
    /// Radius of solid points [m].
    pub point_radius: Option<f64>,
}

/// Substance that a surface or a line looks like: how light goes into it and comes out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Substance {
    /// None in particular.
    Plain,
    /// Bone.
    Bone,
    /// Cartilage.
    Cartilage,
    /// Enamel.
    Tooth,
    /// Muscle, pale at its ends where it is a line.
    Muscle,
    /// Ligament or tendon.
    Ligament,
    /// Other soft tissue.
    Tissue,
}

/// Shading of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shading {
    /// One normal a face.
    Flat,
    /// Normals of the vertices.
    Smooth,
    /// No light: the colour as it is.
    None,
}

/// Sides of faces that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaceStyle {
    /// The outside.
    Front,
    /// The inside.
    Back,
    /// Both.
    FrontAndBack,
    /// None.
    None,
}

/// Style of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineStyle {
    /// Lines of a width in pixels.
    Line,
    /// Cylinders.
    Cylinder,
    /// Spindles, thick in the middle.
    Spindle,
}

/// Style of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointStyle {
    /// Dots of a size in pixels.
    Point,
    /// Spheres.
    Sphere,
}

choices!(Substance {
    Plain => "plain", Bone => "bone", Cartilage => "cartilage", Tooth => "tooth",
    Muscle => "muscle", Ligament => "ligament", Tissue => "tissue",
});
choices!(Shading { Flat => "flat", Smooth => "smooth", None => "none" });
choices!(FaceStyle {
    Front => "front", Back => "back", FrontAndBack => "front_and_back", None => "none",
});
choices!(LineStyle { Line => "line", Cylinder => "cylinder", Spindle => "spindle" });
choices!(PointStyle { Point => "point", Sphere => "sphere" });

const GREY: [f32; 3] = [0.5; 3];

impl RenderProps {
    properties! { RenderProps {
        "render.visible": bool = true, "", FINITE, RENDER, "True if it is drawn", inheritable (visible);
        "render.alpha": f64 = 1.0, "-", UNIT, RENDER, "Opacity", inheritable (alpha);
        "render.substance": Substance = Substance::Plain, "", FINITE, RENDER, "Substance that it looks like in pictures for publication; by its kind where none is given", inheritable (substance);
        "render.shading": Shading = Shading::Flat, "", FINITE, RENDER, "Shading of surfaces", inheritable (shading);
        "render.shininess": f64 = 32.0, "-", NOT_NEGATIVE, RENDER, "Exponent of highlights", inheritable (shininess);
        "render.specular": [f32; 3] = [0.1; 3], "", UNIT, RENDER, "Colour of highlights", inheritable (specular);
        "render.face_style": FaceStyle = FaceStyle::Front, "", FINITE, RENDER, "Which sides of faces are drawn", inheritable (face_style);
        "render.face_color": [f32; 3] = GREY, "", UNIT, RENDER, "Colour of faces", inheritable (face_color);
        "render.back_color": [f32; 3] = GREY, "", UNIT, RENDER, "Colour of the back of faces", inheritable (back_color);
        "render.draw_edges": bool = false, "", FINITE, RENDER, "True if edges of faces are drawn", inheritable (draw_edges);
        "render.edge_color": [f32; 3] = GREY, "", UNIT, RENDER, "Colour of edges", inheritable (edge_color);
        "render.edge_width": f64 = 1.0, "pixel", POSITIVE, RENDER, "Width of edges", inheritable (edge_width);
        "render.line_style": LineStyle = LineStyle::Line, "", FINITE, RENDER, "Style of springs and the like", inheritable (line_style);
        "render.line_color": [f32; 3] = GREY, "", UNIT, RENDER, "Colour of lines", inheritable (line_color);
        "render.line_width": f64 = 1.0, "pixel", POSITIVE, RENDER, "Width of lines", inheritable (line_width);
        "render.line_radius": f64 = 1e-3, "m", POSITIVE, RENDER, "Radius of cylinders and spindles", inheritable (line_radius);
        "render.point_style": PointStyle = PointStyle::Point, "", FINITE, RENDER, "Style of points", inheritable (point_style);
        "render.point_color": [f32; 3] = GREY, "", UNIT, RENDER, "Colour of points", inheritable (point_color);
        "render.point_size": f64 = 1.0, "pixel", POSITIVE, RENDER, "Size of points", inheritable (point_size);
        "render.point_radius": f64 = 1e-3, "m", POSITIVE, RENDER, "Radius of spheres", inheritable (point_radius);
    } }

    /// The lines of the table that every component has.
    pub(crate) fn table() -> &'static [Property<Self>] {
        Self::properties()
    }
}
