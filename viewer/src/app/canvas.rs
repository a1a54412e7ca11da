//! The picture in the window: drawn into a texture, turned, moved and pulled at by the pointer.

use egui::{Color32, PointerButton, Pos2, Rect, Sense, TextureId, Ui, pos2, vec2};
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::schedule::{Command, Grip};
use sinew::snapshot::Snapshot;

use crate::camera::plane_crossing;
use crate::geometry::bounds_of_component;
use crate::panels::Selection;
use crate::render::picture_texture;
use crate::window::Gpu;
use crate::{Anchor, Hit, Renderer, View, bounds_of, pick, pick_box};

/// Format of the texture: the values are sRGB, and are shown as they are.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Radians of a turn for a pointer that moves by one point.
const TURN: f64 = 0.008;
/// Speed of a push, in extents of the model [1/s].
const PUSH: f64 = 1.0;

/// A texture of the size of the picture.
struct Target {
    view: wgpu::TextureView,
    size: [u32; 2],
    id: TextureId,
}

/// What the pointer does while a button is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Drag {
    #[default]
    None,
    Orbit,
    Pan,
    /// A rectangle from here.
    Box(Pos2),
    /// What is pulled, and how far it was from the eye.
    Pull {
        grip: Grip,
        start: Vec3,
    },
}

/// The picture in the window.
#[derive(Default)]
pub(super) struct Canvas {
    renderer: Option<Renderer>,
    target: Option<Target>,
    drag: Drag,
    size: [u32; 2],
    menu_hit: Option<Hit>,
    /// Snapshot and view of the picture that is in the texture.
    drawn: Option<(u64, u64, View)>,
}

impl Canvas {
    pub(super) fn attach(&mut self, gpu: &Gpu) {
        self.renderer = Some(Renderer::new(&gpu.device, &gpu.queue, FORMAT));
        self.target = None;
    }

    /// Size of the picture [pixel]; a common one before the first.
    pub(super) fn size(&self) -> [u32; 2] {
        if self.size.contains(&0) { [1280, 800] } else { self.size }
    }

    /// Whether it has its size.
    pub(super) fn is_placed(&self) -> bool {
        !self.size.contains(&0)
    }

    /// Shows the whole model.
    pub(super) fn fit(&self, view: &mut View, snapshot: &Snapshot) {
        view.camera.fit(bounds_of(snapshot), self.size());
    }

    /// Shows one component.
    pub(super) fn look_at(&self, view: &mut View, snapshot: &Snapshot, id: ComponentId) {
        if let Some(bounds) = bounds_of_component(snapshot, id) {
            view.camera.fit(bounds, self.size());
        }
    }

    /// Draws the picture and takes in what the pointer does; what is to be asked of the session.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        gpu: &Gpu,
        snapshot: &Snapshot,
        view: &mut View,
        selection: &mut Selection,
    ) -> Vec<Command> {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        let scale = ui.pixels_per_point();
        self.size =
            [rect.width(), rect.height()].map(|side| (side * scale).round().max(1.0) as u32);
        let mut commands = Vec::new();
        self.interact(ui, &response, snapshot, view, selection, &mut commands);
        self.draw(gpu, snapshot, view);
        if let Some(target) = &self.target {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(target.id, rect, whole, Color32::WHITE);
        }
        self.write(ui, rect, snapshot, view);
        if let (Drag::Box(from), Some(to)) = (self.drag, response.interact_pointer_pos()) {
            let color = ui.visuals().selection.bg_fill;
            let frame = Rect::from_two_pos(from, to);
            ui.painter().rect_filled(frame, 0.0, color.gamma_multiply(0.2));
        }
        self.context_menu(&response, (snapshot, view), selection, &mut commands);
        commands
    }

    fn draw(&mut self, gpu: &Gpu, snapshot: &Snapshot, view: &View) {
        let size = self.size;
        if self.target.as_ref().is_none_or(|target| target.size != size) {
            let old = self.target.take();
            self.target = Some(new_target(gpu, size, old));
            self.drawn = None;
        }
        let key = (snapshot.scene.serial, snapshot.serial);
        if self.drawn.as_ref().is_some_and(|(scene, at, of)| (*scene, *at) == key && of == view) {
            return;
        }
        let (Some(renderer), Some(target)) = (&mut self.renderer, &self.target) else { return };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        renderer.draw(&gpu.device, &gpu.queue, &mut encoder, &target.view, size, snapshot, view);
        gpu.queue.submit([encoder.finish()]);
        self.drawn = Some((key.0, key.1, view.clone()));
    }

    fn write(&self, ui: &Ui, rect: Rect, snapshot: &Snapshot, view: &View) {
        let Some(renderer) = &self.renderer else { return };
        let scale = ui.pixels_per_point();
        for label in renderer.labels(snapshot, view, self.size) {
            let [x, y] = label.pixel;
            let at = rect.min + vec2(x, y) / scale;
            let anchor = match label.anchor {
                Anchor::Center => egui::Align2::CENTER_CENTER,
                Anchor::Left => egui::Align2::LEFT_CENTER,
                Anchor::Right => egui::Align2::RIGHT_CENTER,
            };
            let [r, g, b] = label.color.map(|c| (c * 255.0).round() as u8);
            let font = egui::FontId::proportional(label.height / scale);
            ui.painter().text(at, anchor, label.text, font, Color32::from_rgb(r, g, b));
        }
    }

    fn interact(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        snapshot: &Snapshot,
        view: &mut View,
        selection: &mut Selection,
        commands: &mut Vec<Command>,
    ) {
        let (scale, rect) = (ui.pixels_per_point(), response.rect);
        let pixel = |at: Pos2| {
            let off = (at - rect.min) * scale;
            [f64::from(off.x), f64::from(off.y)]
        };
        if let Some(at) = response.hover_pos() {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            let factor = (-0.002 * f64::from(scroll.y)).exp() / f64::from(pinch);
            if factor != 1.0 {
                view.camera.zoom_to(factor, pixel(at), self.size);
            }
        }
        if response.drag_started()
            && let Some(at) = ui.input(|input| input.pointer.press_origin())
        {
            self.drag = self.begin(ui, snapshot, view, at, pixel(at));
        }
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            self.go_on(response.drag_delta() * scale, pixel(at), view, commands);
        }
        if response.drag_stopped() {
            self.end(ui, snapshot, view, selection, commands, response, &pixel);
        }
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
            let hit = pick(snapshot, view, self.size, pixel(at));
            let add = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            match (hit, add) {
                (Some(hit), true) => selection.toggle(hit.owner),
                (Some(hit), false) => selection.set(vec![hit.owner]),
                (None, false) => selection.clear(),
                (None, true) => {}
            }
        }
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
            self.menu_hit = pick(snapshot, view, self.size, pixel(at));
        }
    }

    /// What a drag from here does: with Ctrl it pulls what lies there, with Shift it draws a rectangle, with
    /// the right or middle button it moves the picture, else it turns it.
    fn begin(&self, ui: &Ui, snapshot: &Snapshot, view: &View, at: Pos2, pixel: [f64; 2]) -> Drag {
        let (modifiers, turns) =
            ui.input(|input| (input.modifiers, input.pointer.button_down(PointerButton::Primary)));
        if !turns {
            return Drag::Pan;
        }
        if modifiers.shift {
            return Drag::Box(at);
        }
        if modifiers.command
            && let Some(hit) = pick(snapshot, view, self.size, pixel)
        {
            return Drag::Pull { grip: hit.grip, start: hit.point };
        }
        Drag::Orbit
    }

    fn go_on(
        &mut self,
        moved: egui::Vec2,
        pixel: [f64; 2],
        view: &mut View,
        commands: &mut Vec<Command>,
    ) {
        let [dx, dy] = [f64::from(moved.x), f64::from(moved.y)];
        match self.drag {
            Drag::Orbit => view.camera.orbit(-TURN * dx, -TURN * dy),
            Drag::Pan => view.camera.pan([dx, dy], self.size),
            Drag::Pull { grip, start } => {
                let target = in_plane(view, self.size, start, pixel);
                commands.push(Command::Grab { grip, target });
            }
            Drag::Box(_) | Drag::None => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a frame")]
    fn end(
        &mut self,
        ui: &Ui,
        snapshot: &Snapshot,
        view: &View,
        selection: &mut Selection,
        commands: &mut Vec<Command>,
        response: &egui::Response,
        pixel: &dyn Fn(Pos2) -> [f64; 2],
    ) {
        match std::mem::take(&mut self.drag) {
            Drag::Pull { .. } => commands.push(Command::Release),
            Drag::Box(from) => {
                let latest = ui.input(|input| input.pointer.latest_pos());
                let to = response.interact_pointer_pos().or(latest).unwrap_or(from);
                let frame = Rect::from_two_pos(from, to);
                let (low, high) = (pixel(frame.min), pixel(frame.max));
                selection.set(pick_box(snapshot, view, self.size, [low, high]));
            }
            Drag::Orbit | Drag::Pan | Drag::None => {}
        }
    }

    fn context_menu(
        &self,
        response: &egui::Response,
        (snapshot, view): (&Snapshot, &View),
        selection: &mut Selection,
        commands: &mut Vec<Command>,
    ) {
        let Some(hit) = self.menu_hit else { return };
        response.context_menu(|ui| {
            if ui.button("Select").clicked() {
                selection.set(vec![hit.owner]);
                ui.close();
            }
            if ui.button("Push away").on_hover_text("Hit it along the line of sight").clicked() {
                let velocity = away(view, snapshot);
                commands.push(Command::Push { grip: hit.grip, velocity });
                ui.close();
            }
            for (name, held) in [("Pin", true), ("Let go", false)] {
                if ui.button(name).clicked() {
                    commands.push(Command::Pin { grip: hit.grip, held });
                    ui.close();
                }
            }
        });
    }
}

/// A velocity into the picture.
fn away(view: &View, snapshot: &Snapshot) -> Vec3 {
    let [low, high] = bounds_of(snapshot);
    view.camera.back() * (-PUSH * (high - low).norm())
}

/// The point below a pixel in the plane across the line of sight through `start`.
fn in_plane(view: &View, size: [u32; 2], start: Vec3, pixel: [f64; 2]) -> Vec3 {
    let ray = view.camera.ray(pixel, size);
    let along = plane_crossing(&ray, start, view.camera.back());
    along.map_or(start, |along| ray.at(along))
}

fn new_target(gpu: &Gpu, size: [u32; 2], old: Option<Target>) -> Target {
    let texture = picture_texture(&gpu.device, size, FORMAT, wgpu::TextureUsages::TEXTURE_BINDING);
    let view = texture.create_view(&Default::default());
    let (mut renderer, filter) = (gpu.renderer.write(), wgpu::FilterMode::Nearest);
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
