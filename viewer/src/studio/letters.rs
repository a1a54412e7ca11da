//! Texts over a picture without a window, with the letters of egui.

use egui::{Align2, Color32, FontId, Pos2, Rect, Vec2};
use egui_wgpu::{RendererOptions, ScreenDescriptor};

use crate::render::{Anchor, Label};

/// What writes.
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
        labels: &[Label],
    ) {
        let extent = egui::vec2(size[0] as f32, size[1] as f32);
        let screen_rect = Rect::from_min_size(Pos2::ZERO, extent);
        let input = egui::RawInput { screen_rect: Some(screen_rect), ..Default::default() };
        let mut output = self.context.run_ui(input, |ui| {
            paint(ui.painter(), screen_rect, labels);
        });
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.renderer.update_texture(device, queue, *id, delta);
            }
        }
        let primitives = self.context.tessellate(std::mem::take(&mut output.shapes), 1.0);
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: 1.0 };
        self.renderer.update_buffers(device, queue, encoder, &primitives, &screen);
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
        self.renderer.render(&mut pass.forget_lifetime(), &primitives, &screen);
        for id in &output.textures_delta.free {
            self.renderer.free_texture(id);
        }
        // What is dropped with something in it was forgotten, egui holds.
        output.textures_delta.clear();
    }
}

/// Writes texts over a picture that fills `rect`. One that would stick out of it is moved inside, where
/// there is room; one whose place lies farther outside than its own size is left out.
pub(crate) fn paint(painter: &egui::Painter, rect: Rect, labels: &[Label]) {
    let scale = painter.pixels_per_point();
    let mut taken: Vec<Rect> = Vec::new();
    let mut moved = Vec::new();
    for label in labels {
        let anchor = match label.anchor {
            Anchor::Center => Align2::CENTER_CENTER,
            Anchor::Left => Align2::LEFT_CENTER,
            Anchor::Right => Align2::RIGHT_CENTER,
        };
        let [r, g, b] = label.color.map(|c| (255.0 * c).round() as u8);
        let color = Color32::from_rgb(r, g, b);
        let font = FontId::proportional(label.height / scale);
        let galley = painter.layout_no_wrap(label.text.clone(), font, color);
        let place = rect.min + Vec2::from(label.pixel) / scale;
        let text = anchor.anchor_size(place, galley.size());
        match kept_inside(text, rect) {
            Some(inside) if inside == text => {
                taken.push(text);
                painter.galley(text.min, galley, color);
            }
            Some(inside) => moved.push((inside, galley, color)),
            None => {}
        }
    }
    for (text, galley, color) in moved {
        if taken.iter().all(|other| !other.intersects(text)) {
            taken.push(text);
            painter.galley(text.min, galley, color);
        }
    }
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
