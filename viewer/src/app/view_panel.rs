//! The pane of the view: colours, the cutting plane, items that are shown.

use egui::{ComboBox, DragValue, Response, Slider, Ui};
use sinew::Vec3;
use sinew::snapshot::Quantity;

use super::workspace::{PaneFrame, Workspace};
use crate::color::prefixed;
use crate::geometry::bounds_of_component;
use crate::panels::name;
use crate::{
    ColorMap, ColorRange, LineColors, MOST_PLANES, PictureStyle, Slice, SliceKind, ViewOptions,
    bounds_of, exaggerated,
};

impl Workspace {
    pub(super) fn view_panel(&mut self, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        self.color_controls(ui, frame);
        ui.separator();
        self.plane_controls(ui, frame);
        ui.separator();
        if let Some(request) = self.views.panel(ui) {
            frame.requests.view = Some(request);
        }
        ui.separator();
        let options = &mut self.viewports.active_mut().view.options;
        named_slider(ui, Slider::new(&mut options.opacity, 0.05..=1.0), "Opacity");
        named_slider(ui, Slider::new(&mut options.shrink, 0.0..=0.9), "Shrunk elements");
        let exaggeration = Slider::new(&mut options.exaggeration, 0.0..=1000.0).logarithmic(true);
        named_slider(ui, exaggeration.smallest_positive(0.1), "Displacements times")
            .on_hover_text("Factor of displacements from rest in the picture");
        let mut published = options.style == PictureStyle::Publication;
        let hint = "Soft shadows, light in tissue, bone and muscle by their substance; takes longer to draw";
        if ui.checkbox(&mut published, "Light of publications").on_hover_text(hint).changed() {
            options.style = if published { PictureStyle::Publication } else { PictureStyle::Plain };
        }
        shown_items(ui, options);
    }

    fn color_controls(&mut self, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        let mut quantity = self.quantity;
        ComboBox::from_label("Colour tissues by").selected_text(shown(quantity.name())).show_ui(
            ui,
            |ui| {
                for choice in Quantity::ALL {
                    ui.selectable_value(&mut quantity, choice, shown(choice.name()));
                }
            },
        );
        if quantity != self.quantity {
            frame.requests.color_by = Some(quantity);
        }
        let options = &mut self.viewports.active_mut().view.options;
        ComboBox::from_label("Colour map").selected_text(options.color_map.name()).show_ui(
            ui,
            |ui| {
                for map in ColorMap::ALL {
                    ui.selectable_value(&mut options.color_map, map, map.name());
                }
            },
        );
        let ends = options.color_scale(&frame.front.field).range;
        range_controls(ui, &mut options.range, ends, quantity);
        ui.checkbox(&mut options.log_colors, "Logarithmic").on_hover_text(
            "Equal factors have equal steps of colour; a value that is not above 0 has the least one",
        );
        line_color_control(ui, &mut options.line_colors);
    }

    /// The first plane, and those beside it.
    fn plane_controls(&mut self, ui: &mut Ui, frame: &mut PaneFrame<'_>) {
        let mut cut = self.picture().view.options.slice.is_some();
        if ui.checkbox(&mut cut, "Cutting plane").changed() {
            self.toggle_cut(frame.front);
        }
        let drawn = exaggerated(frame.front, &self.picture().view.options);
        let bounds = bounds_of(&drawn);
        let last = self.selection.last();
        let selected = last.and_then(|id| bounds_of_component(&drawn, id));
        let view = &mut self.viewports.active_mut().view;
        let eye = view.camera.back();
        let options = &mut view.options;
        if let Some(slice) = &mut options.slice {
            plane_control(ui, slice, (eye, bounds, selected));
        }
        let mut removed = None;
        for (k, plane) in options.further_planes.iter_mut().enumerate() {
            ui.push_id(("plane", k), |ui| {
                ui.separator();
                ui.horizontal(|ui| {
                    ui.label(format!("Plane {}", k + 2));
                    if ui.button("Remove").clicked() {
                        removed = Some(k);
                    }
                });
                plane_control(ui, plane, (eye, bounds, selected));
            });
        }
        removed.map(|k| options.further_planes.remove(k));
        let is_room = options.further_planes.len() + 1 < MOST_PLANES;
        let hint = "A grid in the middle, across the axis that is seen best; it can cut, too";
        let add = ui.add_enabled(is_room, egui::Button::new("Another plane")).on_hover_text(hint);
        if add.clicked() {
            let normal = Vec3::ith(eye.iamax(), eye[eye.iamax()].signum());
            let origin = (bounds[0] + bounds[1]) * 0.5;
            options.further_planes.push(Slice { origin, normal, kind: SliceKind::Grid });
        }
    }
}

/// Direction, place and kind of a plane. `eye` is the direction to the eye, `bounds` the box around the model, `selected` that
/// around what was selected last.
fn plane_control(
    ui: &mut Ui,
    plane: &mut Slice,
    (eye, [low, high], selected): (Vec3, [Vec3; 2], Option<[Vec3; 2]>),
) {
    ui.horizontal_wrapped(|ui| {
        for (name, axis) in [("x", Vec3::x()), ("y", Vec3::y()), ("z", Vec3::z())] {
            let along = plane.normal.cross(&axis).norm() < 1e-9;
            if ui.selectable_label(along, name).clicked() {
                plane.normal = axis;
            }
        }
        if ui.button("Turn over").clicked() {
            plane.normal = -plane.normal;
        }
        if ui.button("As seen").on_hover_text("Across the line of sight").clicked() {
            plane.normal = eye;
        }
        let through = ui.add_enabled(selected.is_some(), egui::Button::new("To selected"));
        let through = through.on_hover_text("Through the middle of what was selected last");
        if let (true, Some([low, high])) = (through.clicked(), selected) {
            plane.origin = (low + high) * 0.5;
        }
    });
    move_along(ui, plane, low, high);
    ui.horizontal_wrapped(|ui| {
        for (kind, name) in [
            (SliceKind::Clip, "Clip"),
            (SliceKind::Slice, "Section alone"),
            (SliceKind::Grid, "Grid"),
        ] {
            ui.selectable_value(&mut plane.kind, kind, name);
        }
    });
}

/// Controls for the ends of the colours.
fn range_controls(ui: &mut Ui, range: &mut ColorRange, ends: [f32; 2], quantity: Quantity) {
    let kinds = [
        (ColorRange::Full, "least to greatest"),
        (ColorRange::Percentiles { percentiles: [2.0, 98.0] }, "2 % to 98 %"),
        (ColorRange::Percentiles { percentiles: [5.0, 95.0] }, "5 % to 95 %"),
        (ColorRange::Fixed(ends), "fixed"),
    ];
    let name_of = |kind: &ColorRange| match kind {
        ColorRange::Full => "least to greatest".to_owned(),
        ColorRange::Percentiles { percentiles: [low, high] } => format!("{low} % to {high} %"),
        ColorRange::Fixed(_) => "fixed".to_owned(),
    };
    let list = ComboBox::from_label("Range").selected_text(name_of(range));
    list.show_ui(ui, |ui| {
        for (kind, name) in kinds {
            if ui.selectable_label(name == name_of(range), name).clicked() {
                *range = kind;
            }
        }
    });
    if let ColorRange::Fixed([low, high]) = range {
        let most = f64::from(low.abs().max(high.abs()));
        let (scale, unit) = prefixed(most, quantity.unit());
        ui.horizontal(|ui| {
            range_end(ui, low, scale, "least value of the colours");
            ui.label("to");
            range_end(ui, high, scale, "greatest value of the colours");
            ui.label(unit);
        });
        if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) {
            let why = "the range does not rise: the least value must be below the greatest";
            ui.colored_label(ui.visuals().error_fg_color, why);
        }
    }
}

/// One end of a range, in a unit of which one is `scale`.
fn range_end(ui: &mut Ui, end: &mut f32, scale: f64, label: &str) {
    let mut x = f64::from(*end) / scale;
    let speed = (x.abs() * 0.01).max(1e-3);
    let field = ui.add(DragValue::new(&mut x).speed(speed).max_decimals(6));
    name(&field, label);
    if field.changed() && x.is_finite() {
        *end = (x * scale) as f32;
    }
}

fn line_color_control(ui: &mut Ui, colors: &mut LineColors) {
    let list = ComboBox::from_label("Colour springs by").selected_text(format!("{colors:?}"));
    list.show_ui(ui, |ui| {
        for choice in [LineColors::Excitation, LineColors::Tension, LineColors::Style] {
            ui.selectable_value(colors, choice, format!("{choice:?}"));
        }
    });
}

/// A slider that moves a plane along its normal through a box.
fn move_along(ui: &mut Ui, slice: &mut Slice, low: Vec3, high: Vec3) {
    let Some(normal) = slice.normal.try_normalize(1e-12) else { return };
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let reach = half.dot(&normal.abs());
    let (scale, unit) = prefixed((high - low).amax(), "m");
    let mut place = normal.dot(&(slice.origin - middle)).clamp(-reach, reach) / scale;
    // No minus before nothing.
    place = (place * 100.0).round() / 100.0 + 0.0;
    let ends = -reach / scale..=reach / scale;
    let slider = Slider::new(&mut place, ends).suffix(format!(" {unit}"));
    if named_slider(ui, slider.max_decimals(2), "Place").changed() {
        slice.origin = middle + normal * (place * scale);
    }
}

/// Width of a pane in which a slider has its name behind it [points].
const WIDE: f32 = 300.0;

/// A slider with its name behind it, or below it where the pane is narrow.
fn named_slider(ui: &mut Ui, slider: Slider<'_>, text: &str) -> Response {
    if ui.available_width() >= WIDE {
        return ui.add(slider.text(text));
    }
    let response = ui.add(slider);
    name(&response, text);
    ui.label(text);
    response
}

/// A name without underscores.
fn shown(name: &str) -> String {
    name.replace('_', " ")
}

/// A box for each kind of item that a picture may show.
fn shown_items(ui: &mut Ui, options: &mut ViewOptions) {
    ui.horizontal_wrapped(|ui| {
        for (flag, name) in [
            (&mut options.outlines, "Outlines"),
            (&mut options.wireframe, "Wireframe"),
            (&mut options.edges, "Edges"),
            (&mut options.nodes, "Nodes"),
            (&mut options.fibres, "Fibres"),
            (&mut options.lines, "Springs and muscles"),
            (&mut options.points, "Points"),
            (&mut options.frames, "Frames"),
            (&mut options.joints, "Joints"),
            (&mut options.contacts, "Contacts"),
            (&mut options.grid, "Grid"),
            (&mut options.axes, "Directions"),
            (&mut options.ambient_occlusion, "Shaded hollows"),
        ] {
            ui.checkbox(flag, name);
        }
    });
}
