//! Interaction of the pointer with the picture: it turns, moves, selects, pulls, and opens a menu.

use egui::{Align2, PointerButton, Pos2, Rect, Response, TextStyle, Ui};
use sinew::Vec3;
use sinew::component::{ComponentId, Kind};
use sinew::schedule::{Command, DragPoint};
use sinew::snapshot::Snapshot;

use super::reach::{Reach, pixel_of};
use super::tools::Tools;
use crate::panels::{Selection, edit_menu};
use crate::pick::Solids;
use crate::{Hit, PickClasses, pick_box};

/// Radians of a turn for a pointer that moves by one point.
const TURN: f64 = 0.008;

/// Action of the pointer while a button is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Drag {
    #[default]
    None,
    Orbit,
    Pan,
    /// A rectangle from here.
    Box(Pos2),
    /// A point that is pulled, and where its picture was.
    Pull {
        point: DragPoint,
        start: Vec3,
    },
}

/// The pointer, and what it was doing before this frame.
#[derive(Default)]
pub(super) struct Pointer {
    pub(super) tools: Tools,
    drag: Drag,
    menu_hit: Option<Hit>,
}

impl Pointer {
    /// Takes in what it did since the last frame.
    pub(super) fn take_in(&mut self, ui: &Ui, response: &Response, reach: &mut Reach<'_>) {
        zoom(ui, response, reach);
        if self.drag == Drag::None && self.tools.take_in(ui, response, reach) {
            return;
        }
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started()) {
            self.drag = begin(ui, reach, at, pixel_of(response, at));
        }
        let at = response.interact_pointer_pos();
        if let Some(at) = at.filter(|_| response.dragged()) {
            let moved = response.drag_delta() * ui.pixels_per_point();
            self.go_on(moved, pixel_of(response, at), reach);
        }
        if response.drag_stopped() {
            self.end(ui, response, reach);
        }
        if let Some(at) = at.filter(|_| response.clicked()) {
            select(ui, reach, pixel_of(response, at));
        }
        if let Some(at) = at.filter(|_| response.secondary_clicked()) {
            self.menu_hit = reach.pick(pixel_of(response, at));
            if let Some(owner) = self.menu_hit.map(|hit| solid_of(reach.snapshot, hit.owner))
                && !reach.selection.is_selected(owner)
            {
                reach.selection.set(vec![owner]);
            }
        }
        self.paint_box(ui, response, reach.selection);
        self.context_menu(response, reach);
    }

    /// True if it turns or moves the picture.
    pub(super) fn moves_camera(&self) -> bool {
        matches!(self.drag, Drag::Orbit | Drag::Pan)
    }

    fn go_on(&mut self, moved: egui::Vec2, pixel: [f64; 2], reach: &mut Reach<'_>) {
        let [dx, dy] = [f64::from(moved.x), f64::from(moved.y)];
        match self.drag {
            Drag::Orbit => reach.view.camera.orbit(-TURN * dx, -TURN * dy),
            Drag::Pan => reach.view.camera.pan([dx, dy], reach.size),
            Drag::Pull { point, start } => reach.pull(point, start, pixel),
            Drag::Box(_) | Drag::None => {}
        }
    }

    fn end(&mut self, ui: &Ui, response: &Response, reach: &mut Reach<'_>) {
        match std::mem::take(&mut self.drag) {
            Drag::Pull { .. } => reach.actions.commands.push(Command::Release),
            Drag::Box(from) => {
                let latest = ui.input(|input| input.pointer.latest_pos());
                let to = response.interact_pointer_pos().or(latest).unwrap_or(from);
                let frame = Rect::from_two_pos(from, to);
                let corners = [frame.min, frame.max].map(|at| pixel_of(response, at));
                let classes = reach.selection.classes;
                let found = pick_box(reach.snapshot, reach.view, reach.size, corners, classes);
                reach.selection.set(found);
            }
            Drag::Orbit | Drag::Pan | Drag::None => {}
        }
    }

    /// The rectangle, and what it selects where that is not everything.
    fn paint_box(&self, ui: &Ui, response: &Response, selection: &Selection) {
        if let (Drag::Box(from), Some(to)) = (self.drag, response.interact_pointer_pos()) {
            let color = ui.visuals().selection.bg_fill;
            let frame = Rect::from_two_pos(from, to);
            let painter = ui.painter().with_clip_rect(response.rect);
            painter.rect_filled(frame, 0.0, color.gamma_multiply(0.2));
            if selection.classes != PickClasses::ALL {
                let font = TextStyle::Body.resolve(ui.style());
                let (at, ink) = (frame.left_top(), ui.visuals().strong_text_color());
                painter.text(at, Align2::LEFT_BOTTOM, selection.classes.describe(), font, ink);
            }
        }
    }

    fn context_menu(&self, response: &Response, reach: &mut Reach<'_>) {
        let Some(hit) = self.menu_hit else { return };
        response.context_menu(|ui| {
            if ui.button("Push away").on_hover_text("Hit it along the line of sight").clicked() {
                let velocity = reach.away();
                reach.actions.commands.push(Command::Push { point: hit.grabbed, velocity });
                ui.close();
            }
            for (name, fixed) in [("Pin", true), ("Unpin", false)] {
                if ui.button(name).clicked() {
                    reach.actions.commands.push(Command::Pin { point: hit.grabbed, fixed });
                    ui.close();
                }
            }
            ui.separator();
            let outline = &reach.snapshot.scene.outline;
            edit_menu(ui, outline, reach.selection.ids(), &mut reach.actions);
        });
    }
}

/// The body that a shape is of, where that has the frame of the body; else the component itself.
pub(super) fn solid_of(snapshot: &Snapshot, id: ComponentId) -> ComponentId {
    if id.kind() != Kind::Collider {
        return id;
    }
    Solids::of(&snapshot.scene).of_component(&snapshot.scene, id)
}

/// The wheel, and two fingers.
fn zoom(ui: &Ui, response: &Response, reach: &mut Reach<'_>) {
    let Some(at) = response.hover_pos() else { return };
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    let factor = (-0.002 * f64::from(scroll.y)).exp() / f64::from(pinch);
    if factor != 1.0 {
        reach.view.camera.zoom_to(factor, pixel_of(response, at), reach.size);
    }
}

/// Action of a drag from here: with Ctrl it pulls what lies there, with Shift it draws a rectangle,
/// with the right or middle button it moves the picture, else it turns it.
fn begin(ui: &Ui, reach: &Reach<'_>, at: Pos2, pixel: [f64; 2]) -> Drag {
    let (modifiers, turns) =
        ui.input(|input| (input.modifiers, input.pointer.button_down(PointerButton::Primary)));
    if !turns {
        return Drag::Pan;
    }
    if modifiers.shift {
        return Drag::Box(at);
    }
    match modifiers.command.then(|| reach.pick(pixel)).flatten() {
        Some(hit) => Drag::Pull { point: hit.grabbed, start: hit.point },
        None => Drag::Orbit,
    }
}

/// A click: what is there, one more with Ctrl or Shift, nothing beside everything.
fn select(ui: &Ui, reach: &mut Reach<'_>, pixel: [f64; 2]) {
    let add = ui.input(|input| input.modifiers.command || input.modifiers.shift);
    match (reach.pick(pixel), add) {
        (Some(hit), true) => reach.selection.toggle(solid_of(reach.snapshot, hit.owner)),
        (Some(hit), false) => reach.selection.set(vec![solid_of(reach.snapshot, hit.owner)]),
        (None, false) => reach.selection.clear(),
        (None, true) => {}
    }
}
