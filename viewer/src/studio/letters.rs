//! Texts over a picture without a window, with the letters of egui.

use egui::{Align2, Color32, FontId, Pos2, Rect};
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
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, extent)),
            ..Default::default()
        };
        let mut output = self.context.run_ui(input, |ui| paint(ui.painter(), labels));
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

fn paint(painter: &egui::Painter, labels: &[Label]) {
    for label in labels {
        let anchor = match label.anchor {
            Anchor::Center => Align2::CENTER_CENTER,
            Anchor::Left => Align2::LEFT_CENTER,
            Anchor::Right => Align2::RIGHT_CENTER,
        };
        let [r, g, b] = label.color.map(|c| (255.0 * c).round() as u8);
        let place = Pos2::new(label.pixel[0], label.pixel[1]);
        let font = FontId::proportional(label.height);
        painter.text(place, anchor, &label.text, font, Color32::from_rgb(r, g, b));
    }
}
