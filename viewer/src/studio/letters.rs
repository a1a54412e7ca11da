//! Texts over a picture without a window, with the letters of egui.

use egui::{Align2, Color32, FontId, Pos2, Rect, Stroke, Vec2};
use egui_wgpu::{RendererOptions, ScreenDescriptor};

use sinew::snapshot::{Quantity, Snapshot};

use super::margins::{HEIGHT, Placed};
use crate::View;
use crate::render::{Anchor, Label, bar_area};

/// Texts over a picture.
pub(super) struct Texts<'a> {
    pub(super) labels: &'a [Label],
    /// Part of the picture that no number of the grid lies on.
    pub(super) kept: Option<Rect>,
    /// Titles of parts.
    pub(super) titles: &'a [Placed],
    /// Height of their letters [pixel].
    pub(super) height: f32,
    /// Colour of these, sRGB.
    pub(super) ink: [f32; 3],
}

/// Renderer of texts.
pub(super) struct Letters {
    context: egui::Context,
    renderer: egui_wgpu::Renderer,
}

impl Letters {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let renderer = egui_wgpu::Renderer::new(device, format, RendererOptions::default());
        Self { context: egui::Context::default(), renderer }
    }

    /// Records the texts over what was drawn into a target of this size [pixel].
    pub(super) fn write(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        texts: &Texts<'_>,
    ) {
        let extent = egui::vec2(size[0] as f32, size[1] as f32);
        let screen_rect = Rect::from_min_size(Pos2::ZERO, extent);
        let input = egui::RawInput { screen_rect: Some(screen_rect), ..Default::default() };
        let mut output = self.context.run_ui(input, |ui| {
            paint(ui.painter(), screen_rect, texts.labels, texts.kept);
            paint_titles(ui.painter(), texts);
        });
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.renderer.update_texture(device, queue, *id, delta);
            }
        }
        let primitives = self.context.tessellate(std::mem::take(&mut output.shapes), 1.0);
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: 1.0 };
        self.renderer.update_buffers(device, queue, encoder, &primitives, &screen);
        self.renderer.render(&mut pass_over(encoder, target), &primitives, &screen);
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        // What is dropped with something in it was forgotten, egui holds.
        output.textures_delta.clear();
    }
}

/// A pass that keeps what was drawn into a target.
fn pass_over(
    encoder: &mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
) -> wgpu::RenderPass<'static> {
    let load = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("letters"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: load,
        })],
        ..Default::default()
    });
    pass.forget_lifetime()
}

/// Writes texts over a picture that fills `rect`, each on its plate. One that would stick out of it is moved
/// inside, where there is room; one whose place lies farther outside than its own size is left out, and so is
/// one that would cover another before it or lies in `kept` [point].
pub(crate) fn paint(painter: &egui::Painter, rect: Rect, labels: &[Label], kept: Option<Rect>) {
    let scale = painter.pixels_per_point();
    let mut taken: Vec<Rect> = Vec::new();
    for label in labels {
        let anchor = match label.anchor {
            Anchor::Center => Align2::CENTER_CENTER,
            Anchor::Left => Align2::LEFT_CENTER,
            Anchor::Right => Align2::RIGHT_CENTER,
        };
        let color = color_of(label.color);
        let font = FontId::proportional(label.height / scale);
        let galley = painter.layout_no_wrap(label.text.clone(), font, color);
        let place = rect.min + Vec2::from(label.pixel) / scale;
        let Some(text) = kept_inside(anchor.anchor_size(place, galley.size()), rect) else {
            continue;
        };
        let in_the_way = label.depth.is_some() && kept.is_some_and(|kept| kept.intersects(text));
        if in_the_way || taken.iter().any(|other| other.intersects(text)) {
            continue;
        }
        if let Some(plate) = label.plate {
            painter.rect_filled(text.expand2(Vec2::new(3.0, 1.0)), 2.0, color_of(plate));
        }
        taken.push(text);
        painter.galley(text.min, galley, color);
    }
}

/// Writes titles of parts, each with a line to a dot on its part, on a halo that is seen before dark parts.
fn paint_titles(painter: &egui::Painter, texts: &Texts<'_>) {
    let scale = texts.height / HEIGHT;
    let ink = color_of(texts.ink);
    let is_dark = texts.ink.iter().sum::<f32>() < 1.5;
    let halo =
        if is_dark { Color32::from_white_alpha(150) } else { Color32::from_black_alpha(160) };
    for (width, color) in [(2.6 * scale, halo), (1.0 * scale, ink)] {
        for title in texts.titles {
            let points = [title.at, title.line[0], title.line[1]].map(Pos2::from);
            painter.line(points.to_vec(), Stroke::new(width, color));
            painter.circle_filled(points[2], 1.0 * scale + 0.6 * width, color);
        }
    }
    for title in texts.titles {
        let anchor = if title.left { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
        let away = if title.left { -4.0 } else { 4.0 } * scale;
        let place = Pos2::from(title.at) + Vec2::new(away, 0.0);
        painter.text(place, anchor, &title.title, FontId::proportional(texts.height), ink);
    }
}

fn color_of(color: [f32; 3]) -> Color32 {
    let [r, g, b] = color.map(|c| (255.0 * c).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// The part of a picture that the bar of the colours takes [point].
pub(crate) fn bar_rect(rect: Rect, view: &View, snapshot: &Snapshot, scale: f32) -> Option<Rect> {
    let shown = view.options.color_bar && snapshot.field.quantity != Quantity::None;
    let size = rect.size() * scale;
    let [l, t, r, b] = bar_area(size.into(), view.options.pixel_scale).map(|x| x / scale);
    let area = Rect::from_min_max(Pos2::new(l, t), Pos2::new(r, b));
    shown.then(|| area.translate(rect.min.to_vec2()))
}

/// A text moved into a picture with a margin; `None` where the two have nothing in common even with
/// as much room around it as it takes.
fn kept_inside(text: Rect, picture: Rect) -> Option<Rect> {
    const MARGIN: f32 = 2.0;
    if !text.expand2(text.size()).intersects(picture) {
        return None;
    }
    let room = picture.shrink(MARGIN);
    let low = (room.min - text.min).max(Vec2::ZERO);
    let high = (room.max - text.max).min(Vec2::ZERO);
    // Of a text wider than the picture, the beginning is seen.
    let shift = |low: f32, high: f32| if low > 0.0 { low } else { high };
    Some(text.translate(Vec2::new(shift(low.x, high.x), shift(low.y, high.y))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_grid_give_way_to_each_other_and_to_the_bar() {
        let label = |x: f32, depth| Label {
            text: "123".to_owned(),
            pixel: [x, 50.0],
            anchor: Anchor::Center,
            height: 12.0,
            color: [0.0; 3],
            plate: Some([1.0; 3]),
            depth,
        };
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::new(400.0, 100.0));
        let bar = Rect::from_min_max(Pos2::new(300.0, 0.0), Pos2::new(400.0, 100.0));
        let written = |labels: &[Label]| {
            let context = egui::Context::default();
            let input = egui::RawInput { screen_rect: Some(rect), ..Default::default() };
            let mut output =
                context.run_ui(input, |ui| paint(ui.painter(), rect, labels, Some(bar)));
            let is_text =
                |it: &&egui::epaint::ClippedShape| matches!(it.shape, egui::Shape::Text(_));
            output.textures_delta.clear();
            output.shapes.iter().filter(is_text).count()
        };
        let grid = Some(1.0);
        assert_eq!(written(&[label(50.0, grid), label(150.0, grid)]), 2);
        assert_eq!(written(&[label(50.0, grid), label(55.0, grid)]), 1, "one covers the other");
        assert_eq!(written(&[label(350.0, grid)]), 0, "it lies on the bar");
        assert_eq!(written(&[label(350.0, None)]), 1, "a number of the bar");
    }

    #[test]
    fn texts_stay_in_the_picture_and_those_far_outside_are_left_out() {
        let picture = Rect::from_min_size(Pos2::ZERO, Vec2::new(100.0, 50.0));
        let text = |x: f32, y: f32| Rect::from_center_size(Pos2::new(x, y), Vec2::new(20.0, 10.0));
        let whole = picture.shrink(1.0);
        for (x, y) in [(0.0, 25.0), (100.0, 50.0), (108.0, 3.0), (50.0, -6.0), (-12.0, 61.0)] {
            let moved = kept_inside(text(x, y), picture).unwrap();
            assert!(whole.contains_rect(moved), "{moved:?} of {x} {y}");
            assert_eq!(moved.size(), text(x, y).size());
        }
        assert_eq!(kept_inside(text(50.0, 25.0), picture), Some(text(50.0, 25.0)));
        for (x, y) in [(-40.0, 25.0), (50.0, 70.0), (140.0, -30.0)] {
            assert_eq!(kept_inside(text(x, y), picture), None, "{x} {y}");
        }
    }
}
