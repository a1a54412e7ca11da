//! The picture in the window: drawn into a texture when something in it changed. What the pointer does
//! to it is in `interaction`.

use egui::{Color32, Rect, Sense, TextureId, Ui, pos2};
use sinew::component::ComponentId;
use sinew::schedule::Status;
use sinew::snapshot::Snapshot;

use super::detail::Detail;
use super::interaction::Pointer;
use super::pull::Pull;
use super::reach::Reach;
use super::tools::Tools;
use super::tracked::TrackedPoints;
use crate::geometry::bounds_of_component;
use crate::panels::{Actions, Selection};
use crate::render::{picture_texture, samples_of_window};
use crate::studio::{bar_rect, paint};
use crate::window::Gpu;
use crate::{Label, Renderer, View, exaggerated, fit_view};

/// Format of the texture: the values are sRGB, and are shown as they are.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A texture that the picture is drawn into.
struct Target {
    view: wgpu::TextureView,
    size: [u32; 2],
    id: TextureId,
}

/// Contents of the picture in the texture: model, scene and snapshot, and the view.
type Drawn = ([u64; 3], View);

/// The picture in the window.
#[derive(Default)]
pub(super) struct Canvas {
    renderer: Option<Renderer>,
    target: Option<Target>,
    pointer: Pointer,
    detail: Detail,
    size: [u32; 2],
    /// Its place in the window [point].
    pub(super) rect: Option<Rect>,
    drawn: Option<Drawn>,
    /// The texts of the picture in the texture, and what they are of.
    labels: Vec<Label>,
    labelled: Option<([u32; 2], Drawn)>,
}

impl Canvas {
    pub(super) fn attach(&mut self, gpu: &Gpu) {
        self.renderer = Some(Renderer::new(&gpu.device, FORMAT, samples_of_window(&gpu.adapter)));
        self.target = None;
    }

    /// Size of the picture [pixel]; a common one before the first.
    pub(super) fn size(&self) -> [u32; 2] {
        if self.size.contains(&0) { [1280, 800] } else { self.size }
    }

    /// True if it has its size.
    pub(super) fn is_placed(&self) -> bool {
        !self.size.contains(&0)
    }

    /// Shows the whole model.
    pub(super) fn fit(&self, view: &mut View, snapshot: &Snapshot) {
        fit_view(view, snapshot, self.size());
    }

    /// Shows one component.
    pub(super) fn look_at(&self, view: &mut View, snapshot: &Snapshot, id: ComponentId) {
        let drawn = exaggerated(snapshot, &view.options);
        if let Some(bounds) = bounds_of_component(&drawn, id) {
            view.camera.fit(bounds, self.size());
        }
    }

    /// The tool in the hand.
    #[cfg(test)]
    pub(super) fn tool(&self) -> super::tools::Tool {
        self.pointer.tools.tool()
    }

    /// The tools of the hand.
    pub(super) fn tools(&mut self) -> &mut Tools {
        &mut self.pointer.tools
    }

    /// Draws the picture and takes in what the pointer does; what is to be asked of the session.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        gpu: Option<&Gpu>,
        (snapshot, status): (&Snapshot, &Status),
        view: &mut View,
        selection: &mut Selection,
    ) -> Actions {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let scale = ui.pixels_per_point();
        let size = [rect.width(), rect.height()].map(|side| (side * scale).round().max(1.0) as u32);
        (self.size, self.rect) = (size, Some(rect));
        let below = ui.painter().add(egui::Shape::Noop);
        let mut reach = Reach { snapshot, view, selection, size, actions: Actions::default() };
        self.pointer.take_in(ui, &response, &mut reach);
        let Reach { view, actions, .. } = reach;
        let turning = self.pointer.moves_camera();
        if turning {
            // Frames follow each other, so that the time between two is that of one.
            ui.ctx().request_repaint();
        }
        let divisor = self.detail.begin(turning, ui.input(|input| input.time));
        if let Some(gpu) = gpu {
            self.draw(gpu, snapshot, view, divisor);
        }
        if let Some(target) = &self.target {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().set(below, egui::Shape::image(target.id, rect, whole, Color32::WHITE));
        }
        self.update_labels(snapshot, view);
        let kept = bar_rect(rect, view, snapshot, scale);
        paint(ui.painter(), rect, &self.labels, kept);
        TrackedPoints::of(snapshot, status, view, size).paint(ui.painter(), rect, scale);
        if let Some(pull) = Pull::of(snapshot, status, view, size) {
            pull.paint(ui.painter(), rect, scale);
        }
        actions
    }

    /// Texts are made anew for another picture: what lies before them takes time to be found.
    fn update_labels(&mut self, snapshot: &Snapshot, view: &View) {
        let shown = [snapshot.model, snapshot.scene.serial, snapshot.serial];
        let same = |(size, (of, seen)): &([u32; 2], Drawn)| {
            *size == self.size && *of == shown && seen == view
        };
        if self.labelled.as_ref().is_some_and(same) {
            return;
        }
        let Some(renderer) = &self.renderer else { return };
        self.labels = renderer.labels(snapshot, view, self.size);
        self.labelled = Some((self.size, (shown, view.clone())));
    }

    /// Draws into a texture whose pixels are `divisor` pixels of the window wide.
    fn draw(&mut self, gpu: &Gpu, snapshot: &Snapshot, view: &View, divisor: u32) {
        let size = self.size.map(|side| side.div_ceil(divisor));
        if self.target.as_ref().is_none_or(|target| target.size != size) {
            let old = self.target.take();
            self.target = Some(new_target(gpu, size, old));
            self.drawn = None;
        }
        let shown = [snapshot.model, snapshot.scene.serial, snapshot.serial];
        if self.drawn.as_ref().is_some_and(|(of, seen)| *of == shown && seen == view) {
            return;
        }
        let (Some(renderer), Some(target)) = (&mut self.renderer, &self.target) else { return };
        let mut coarse = view.clone();
        coarse.options.pixel_scale /= divisor as f32;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        renderer.draw(&gpu.device, &gpu.queue, &mut encoder, &target.view, size, snapshot, &coarse);
        gpu.queue.submit([encoder.finish()]);
        self.drawn = Some((shown, view.clone()));
    }
}

fn new_target(gpu: &Gpu, size: [u32; 2], old: Option<Target>) -> Target {
    let texture = picture_texture(&gpu.device, size, FORMAT, wgpu::TextureUsages::TEXTURE_BINDING);
    let view = texture.create_view(&Default::default());
    let (mut renderer, filter) = (gpu.renderer.write(), wgpu::FilterMode::Linear);
    let id = match old {
        Some(old) => {
            renderer.update_egui_texture_from_wgpu_texture(&gpu.device, &view, filter, old.id);
            old.id
        }
        None => renderer.register_native_texture(&gpu.device, &view, filter),
    };
    drop(renderer);
    Target { view, size, id }
}
