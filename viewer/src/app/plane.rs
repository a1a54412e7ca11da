//! A plane in the window, of a drawing or of a world: the part that is seen, moved by wheel and right button, and its grid.

use egui::{
    Color32, Painter, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2,
};

/// Distance within which the pointer meets something [point].
pub(super) const REACH: f32 = 12.0;
/// Width that is seen at first, in units of the plane.
pub(super) const WIDTH: f64 = 6.0;
/// Colour of nails.
pub(super) const NAIL: Color32 = Color32::from_rgb(194, 65, 12);
/// Part of the width or height that is left free around what is fitted.
const MARGIN: f64 = 0.12;

/// The part of the plane that is seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlaneView {
    center: [f64; 2],
    /// Points of the window a unit; `None` before the first frame.
    scale: Option<f64>,
}

/// The plane as it is seen in a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) rect: Rect,
    center: [f64; 2],
    pub(super) scale: f64,
}

impl PlaneView {
    /// Takes the room that is left, and moves the plane by wheel and right button.
    pub(super) fn show(&mut self, ui: &mut Ui, label: &str) -> (Plane, Response) {
        let size = ui.available_size().max(vec2(120.0, 80.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, label));
        let scale = *self.scale.get_or_insert(f64::from(rect.width()) / WIDTH);
        let plane = Plane { rect, center: self.center, scale };
        self.look(ui, &response, plane);
        (plane, response)
    }

    /// Shows a rectangle of the plane, by its lowest and highest corner, in one of the window.
    pub(super) fn fit(&mut self, rect: Rect, [low, high]: [[f64; 2]; 2]) {
        self.center = [0, 1].map(|k| 0.5 * (low[k] + high[k]));
        let room = [rect.width(), rect.height()].map(|side| f64::from(side) * (1.0 - 2.0 * MARGIN));
        let scales = [0, 1].map(|k| room[k] / (high[k] - low[k]).max(1e-9));
        self.scale = Some(scales[0].min(scales[1]).clamp(1e-3, 1e6));
    }

    /// Wheel and right button: what is seen.
    fn look(&mut self, ui: &Ui, response: &Response, plane: Plane) {
        if response.dragged_by(PointerButton::Secondary)
            || response.dragged_by(PointerButton::Middle)
        {
            let by = response.drag_delta();
            self.center[0] -= f64::from(by.x) / plane.scale;
            self.center[1] += f64::from(by.y) / plane.scale;
        }
        let Some(at) = response.hover_pos() else { return };
        let wheel = ui.input(|input| input.smooth_scroll_delta.y);
        if wheel != 0.0 {
            let (fixed, factor) = (plane.to_plane(at), f64::from(wheel * 0.004).exp());
            self.scale = Some((plane.scale * factor).clamp(1e-3, 1e6));
            // What is under the pointer stays there.
            for k in 0..2 {
                self.center[k] = fixed[k] + (self.center[k] - fixed[k]) / factor;
            }
        }
    }
}

impl Plane {
    pub(super) fn to_screen(self, [x, y]: [f64; 2]) -> Pos2 {
        let off = [x - self.center[0], self.center[1] - y].map(|d| (d * self.scale) as f32);
        self.rect.center() + vec2(off[0], off[1])
    }

    pub(super) fn to_plane(self, at: Pos2) -> [f64; 2] {
        let off = at - self.rect.center();
        [
            self.center[0] + f64::from(off.x) / self.scale,
            self.center[1] - f64::from(off.y) / self.scale,
        ]
    }

    /// Lines at round distances, some hundred points apart, and the axes.
    pub(super) fn paint_grid(self, ui: &Ui, painter: &Painter) {
        let power = 10_f64.powf((100.0 / self.scale).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| step * self.scale >= 60.0).unwrap_or(10.0 * power);
        let ink = ui.visuals().weak_text_color().gamma_multiply(0.25);
        let corners =
            [self.to_plane(self.rect.left_bottom()), self.to_plane(self.rect.right_top())];
        for axis in 0..2 {
            let [from, to] = corners.map(|corner| (corner[axis] / step).floor() as i64);
            // A view that is too far from the origin for its grid has none.
            for k in (from..=to).take(200) {
                let width = if k == 0 { 1.5 } else { 0.7 };
                let mut at = [0.0; 2];
                at[axis] = k as f64 * step;
                let place = self.to_screen(at);
                if axis == 0 {
                    painter.vline(place.x, self.rect.y_range(), (width, ink));
                } else {
                    painter.hline(self.rect.x_range(), place.y, (width, ink));
                }
            }
        }
    }
}
