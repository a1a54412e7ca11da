//! How things are drawn: colours, the cutting plane, what is shown.

use egui::{ComboBox, DragValue, Slider, Ui};
use sinew::Vec3;
use sinew::snapshot::Quantity;

use super::App;
use crate::{ColorMap, LineColors, Slice, SliceKind, bounds_of, exaggerated};

impl App {
    pub(super) fn view_panel(&mut self, ui: &mut Ui) {
        ui.heading("View");
        self.color_controls(ui);
        ui.separator();
        self.cut_controls(ui);
        ui.separator();
        self.saved_views_panel(ui);
        ui.separator();
        let options = &mut self.view.options;
        ui.add(Slider::new(&mut options.opacity, 0.05..=1.0).text("Opacity"));
        ui.add(Slider::new(&mut options.shrink, 0.0..=0.9).text("Shrunk elements"));
        let exaggeration = Slider::new(&mut options.exaggeration, 0.0..=1000.0).logarithmic(true);
        ui.add(exaggeration.smallest_positive(0.1).text("Displacements times"))
            .on_hover_text("How many times farther from rest than they are tissues are drawn");
        ui.horizontal_wrapped(|ui| {
            for (flag, name) in [
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

    fn color_controls(&mut self, ui: &mut Ui) {
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
            self.color_by(quantity);
        }
        let field = self.session.reader().front().field.range;
        let options = &mut self.view.options;
        ComboBox::from_label("Colour map").selected_text(options.color_map.name()).show_ui(
            ui,
            |ui| {
                for map in ColorMap::ALL {
                    ui.selectable_value(&mut options.color_map, map, map.name());
                }
            },
        );
        let mut fixed = options.range.is_some();
        if ui.checkbox(&mut fixed, "Fixed range").changed() {
            options.range = fixed.then_some(field);
        }
        if let Some([low, high]) = &mut options.range {
            ui.horizontal(|ui| {
                let speed = f64::from((field[1] - field[0]).abs()).max(1e-9) * 0.01;
                ui.add(DragValue::new(low).speed(speed));
                ui.label("to");
                ui.add(DragValue::new(high).speed(speed));
                ui.label(quantity.unit());
            });
        }
        line_color_control(ui, &mut options.line_colors);
    }

    fn cut_controls(&mut self, ui: &mut Ui) {
        let mut cut = self.view.options.slice.is_some();
        if ui.checkbox(&mut cut, "Cutting plane").changed() {
            self.toggle_cut();
        }
        let Some(mut slice) = self.view.options.slice else { return };
        let front = self.session.reader().front();
        let [low, high] = bounds_of(&exaggerated(front, &self.view.options));
        ui.horizontal(|ui| {
            for (name, axis) in [("x", Vec3::x()), ("y", Vec3::y()), ("z", Vec3::z())] {
                let along = slice.normal.cross(&axis).norm() < 1e-9;
                if ui.selectable_label(along, name).clicked() {
                    slice.normal = axis;
                }
            }
            if ui.button("Turn over").clicked() {
                slice.normal = -slice.normal;
            }
            if ui.button("As seen").on_hover_text("Across the line of sight").clicked() {
                slice.normal = self.view.camera.back();
            }
        });
        move_along(ui, &mut slice, low, high);
        ui.horizontal(|ui| {
            ui.selectable_value(&mut slice.kind, SliceKind::Clip, "Clip");
            ui.selectable_value(&mut slice.kind, SliceKind::Slice, "Section alone");
        });
        self.view.options.slice = Some(slice);
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
    let mut place = normal.dot(&(slice.origin - middle)).clamp(-reach, reach);
    let slider =
        Slider::new(&mut place, -reach..=reach).suffix(" m").text("Place").fixed_decimals(4);
    if ui.add(slider).changed() {
        slice.origin = middle + normal * place;
    }
}

/// A name without underscores.
fn shown(name: &str) -> String {
    name.replace('_', " ")
}
