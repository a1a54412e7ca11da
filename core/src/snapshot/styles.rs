//! Style of an item: render properties with every inherited part filled in.

use std::collections::HashMap;

use crate::component::ComponentId;
use crate::model::Model;
use crate::property::{FaceStyle, LineStyle, PointStyle, Shading, Substance};

/// Appearance of an item; units as in [`RenderProps`](crate::property::RenderProps).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// True if it is drawn at all.
    pub visible: bool,
    /// Opacity [-].
    pub alpha: f32,
    /// Substance that it looks like; `None` where neither the component nor an ancestor says one.
    pub substance: Option<Substance>,
    /// Shading.
    pub shading: Shading,
    /// Exponent of highlights [-].
    pub shininess: f32,
    /// Colour of highlights.
    pub specular: [f32; 3],
    /// Sides of faces that are drawn.
    pub face_style: FaceStyle,
    /// Colour of faces; `None` where neither the component nor an ancestor has one of its own.
    pub face_color: Option<[f32; 3]>,
    /// Colour of the back of faces.
    pub back_color: [f32; 3],
    /// True if edges of faces are drawn.
    pub draw_edges: bool,
    /// Colour of edges.
    pub edge_color: [f32; 3],
    /// Width of edges [pixel].
    pub edge_width: f32,
    /// Style of springs and the like.
    pub line_style: LineStyle,
    /// Their colour; `None` where neither the component nor an ancestor has one of its own.
    pub line_color: Option<[f32; 3]>,
    /// Width of lines [pixel].
    pub line_width: f32,
    /// Radius of solid lines [m].
    pub line_radius: f32,
    /// Style of points.
    pub point_style: PointStyle,
    /// Their colour.
    pub point_color: [f32; 3],
    /// Size of points [pixel].
    pub point_size: f32,
    /// Radius of solid points [m].
    pub point_radius: f32,
}

impl Style {
    /// The style of a component of `model`.
    pub fn of(model: &Model, id: ComponentId) -> Self {
        let given = model.given_render_props(id);
        let props = Model::with_defaults(given.clone());
        let number = |x: Option<f64>, default: f64| x.unwrap_or(default) as f32;
        Self {
            visible: props.visible.unwrap_or(true),
            alpha: number(props.alpha, 1.0),
            substance: given.substance,
            shading: props.shading.unwrap_or(Shading::Flat),
            shininess: number(props.shininess, 32.0),
            specular: props.specular.unwrap_or([0.1; 3]),
            face_style: props.face_style.unwrap_or(FaceStyle::Front),
            face_color: given.face_color,
            back_color: props.back_color.unwrap_or([0.5; 3]),
            draw_edges: props.draw_edges.unwrap_or(false),
            edge_color: props.edge_color.unwrap_or([0.5; 3]),
            edge_width: number(props.edge_width, 1.0),
            line_style: props.line_style.unwrap_or(LineStyle::Line),
            line_color: given.line_color,
            line_width: number(props.line_width, 1.0),
            line_radius: number(props.line_radius, 1e-3),
            point_style: props.point_style.unwrap_or(PointStyle::Point),
            point_color: props.point_color.unwrap_or([0.5; 3]),
            point_size: number(props.point_size, 1.0),
            point_radius: number(props.point_radius, 1e-3),
        }
    }
}

/// Styles of the components of a model, each made once for all that inherit it from the same component.
pub(super) struct Styles<'m> {
    model: &'m Model,
    /// By the nearest component with a look of its own.
    known: HashMap<Option<ComponentId>, Style>,
}

impl<'m> Styles<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self { model, known: HashMap::new() }
    }

    pub(super) fn of(&mut self, id: ComponentId) -> Style {
        let source = self.model.source_of_look(id);
        *self.known.entry(source).or_insert_with(|| Style::of(self.model, id))
    }
}
