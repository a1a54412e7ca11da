//! Tools of the hand: parts that are drawn, connections by two clicks, markers, gizmos. A tool takes the left button of the
//! picture; what it builds goes to the session as commands of edits.

mod brush;
mod brush_panel;
mod ghost;
mod gizmo;
mod gizmo_draw;
mod handles;
mod motion;
mod panel;
mod place;

use egui::{Pos2, Response, Stroke, Ui};
use sinew::schedule::{Build, Command, Connection, Part, Pick};

use super::reach::{Reach, pixel_of};
use crate::MarkedFaces;
use brush::Brush;
pub(super) use gizmo::Gizmo;
use gizmo_draw::LIT;
pub(super) use motion::Motion;

/// Connectors that are marked while a tool is in the hand; of more, those that come first.
const MOST_MARKS: usize = 400;

/// Use of the left button in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    /// It selects and turns.
    #[default]
    Select,
    /// It draws a part.
    Part(Part),
    /// It connects what two clicks meet.
    Connect(Connection),
    /// It sets a marker.
    Marker,
    /// It paints faces of a tissue.
    Brush,
    /// It moves, turns, scales or mirrors what is selected.
    Gizmo(Motion),
}

/// A line of the table of tools: its name and what to do with it.
pub(super) struct Line {
    pub(super) tool: Tool,
    pub(super) name: &'static str,
    pub(super) hint: &'static str,
}

const fn line(tool: Tool, name: &'static str, hint: &'static str) -> Line {
    Line { tool, name, hint }
}

const JOIN: &str = "Click one part, then the other, or the background for the ground. A part that is joined to nothing yet \
                    goes to the other one.";

/// All tools, group by group.
pub(super) const PARTS: [Line; 5] = [
    line(Tool::Part(Part::Ball), "Ball", "Draw from its centre outwards, or drag it in."),
    line(
        Tool::Part(Part::Rod),
        "Rod",
        "Draw from end to end, or drag it in. Ends snap to connectors.",
    ),
    line(
        Tool::Part(Part::Wheel),
        "Wheel",
        "Draw from its hub to its rim, or drag it in. Its axis is the line of sight.",
    ),
    line(Tool::Part(Part::Plate), "Plate", "Draw from corner to corner, or drag it in."),
    line(Tool::Part(Part::Block), "Block of tissue", "Draw from corner to corner, or drag it in."),
];

/// Connections and markers.
pub(super) const CONNECTIONS: [Line; 9] = [
    line(Tool::Connect(Connection::Hinge), "Hinge", JOIN),
    line(Tool::Connect(Connection::Nail), "Nail", JOIN),
    line(Tool::Connect(Connection::Weld), "Weld", JOIN),
    line(Tool::Connect(Connection::Slider), "Slider", JOIN),
    line(
        Tool::Connect(Connection::Motor),
        "Motor",
        "Click the axis of a joint (J shows it); or two parts, as for a hinge.",
    ),
    line(
        Tool::Connect(Connection::Spring),
        "Spring",
        "Click its two ends: points, surfaces or the background.",
    ),
    line(
        Tool::Connect(Connection::Muscle),
        "Muscle",
        "Click its two ends: points, surfaces or the background.",
    ),
    line(
        Tool::Connect(Connection::Attachment),
        "Attachment",
        "Click a particle or a node, then what it is to follow.",
    ),
    line(Tool::Marker, "Marker", "Click a surface."),
];

/// Tools for surfaces.
pub(super) const SURFACES: [Line; 1] = [line(
    Tool::Brush,
    "Brush",
    "Paint faces of a tissue, give them a name, and put a load on them. Shift erases.",
)];

/// Tools for what is selected.
pub(super) const GIZMOS: [Line; 4] = [
    line(
        Tool::Gizmo(Motion::Move),
        "Move",
        "Drag an arrow, a square or the middle, or enter numbers. Ctrl snaps.",
    ),
    line(Tool::Gizmo(Motion::Turn), "Turn", "Drag a ring, or enter angles. Ctrl snaps."),
    line(
        Tool::Gizmo(Motion::Scale),
        "Scale",
        "Drag a handle, or the middle for all axes; or enter factors.",
    ),
    line(
        Tool::Gizmo(Motion::Mirror),
        "Mirror",
        "Click a handle: the plane of the mirror is across it. Or choose plane and axis.",
    ),
];

/// The tool in the hand, and what it was doing before this frame.
#[derive(Default)]
pub(super) struct Tools {
    tool: Tool,
    pub(super) gizmo: Gizmo,
    brush: Brush,
    /// The first of two picks.
    first: Option<Pick>,
    /// Part that was let go of outside the palette, and where.
    dropped: Option<(Part, Pos2)>,
}

impl Tools {
    /// The tool in the hand.
    #[cfg(test)]
    pub(super) fn tool(&self) -> Tool {
        self.tool
    }

    /// Takes a tool, and puts away the one before; the same once more puts it away.
    pub(super) fn take(&mut self, tool: Tool) {
        let same = self.tool == tool;
        (self.tool, self.first) = (if same { Tool::Select } else { tool }, None);
        self.gizmo.let_go();
    }

    /// Puts the tool away; true if there was one.
    pub(super) fn put_away(&mut self) -> bool {
        let picked = self.first.take().is_some() || self.gizmo.let_go();
        picked || std::mem::take(&mut self.tool) != Tool::Select
    }

    /// Takes in what the left button does with the tool; true if the picture is not to be turned by it.
    pub(super) fn take_in(&mut self, ui: &Ui, response: &Response, reach: &mut Reach<'_>) -> bool {
        self.take_dropped(response, reach);
        self.mark_painted(reach);
        // With a modifier the button pulls and selects as it does without a tool.
        let modified = ui.input(|input| input.modifiers.any());
        let primary = ui.input(|input| {
            let pointer = &input.pointer;
            pointer.primary_down() || pointer.primary_released() || !pointer.any_down()
        });
        match self.tool {
            Tool::Select => return false,
            Tool::Gizmo(motion) => return self.gizmo.take_in(motion, ui, response, reach),
            Tool::Brush => {
                let taken = self.brush.take_in(ui, response, reach);
                self.mark_painted(reach);
                return taken;
            }
            Tool::Part(_) | Tool::Connect(_) | Tool::Marker if modified || !primary => {
                return false;
            }
            Tool::Part(part) => self.draw(part, ui, response, reach),
            Tool::Connect(connection) => self.connect(connection, response, reach),
            Tool::Marker => {
                if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
                    let pick = reach.place(pixel_of(response, at), None);
                    reach.actions.commands.push(Command::Build(Build::Marker(pick)));
                }
            }
        }
        self.light_up(ui, response, reach);
        true
    }

    /// The picture shows what is painted while the brush is in the hand.
    fn mark_painted(&self, reach: &mut Reach<'_>) {
        let marked = &mut reach.view.options.marked;
        match self.tool {
            Tool::Brush => marked.clone_from(self.brush.marked()),
            _ if **marked == MarkedFaces::default() => {}
            _ => *marked = Default::default(),
        }
    }

    /// A part that was dragged in from the palette, in its usual size.
    fn take_dropped(&mut self, response: &Response, reach: &mut Reach<'_>) {
        let Some((part, at)) = self.dropped.take() else { return };
        if response.rect.contains(at) {
            let from = reach.place(pixel_of(response, at), None);
            build_part(part, [from, reach.usual_end(from)], reach);
        }
    }

    /// A drag draws a part from end to end, a click one of its usual size.
    fn draw(&mut self, part: Part, ui: &Ui, response: &Response, reach: &mut Reach<'_>) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started()) {
            self.first = Some(reach.place(pixel_of(response, at), None));
        }
        let latest = ui.input(|input| input.pointer.latest_pos());
        let at = response.interact_pointer_pos().or(latest);
        if let (true, Some(from), Some(at)) = (response.drag_stopped(), self.first, at) {
            self.first = None;
            let to = reach.place(pixel_of(response, at), Some(from));
            build_part(part, [from, to], reach);
        } else if let Some(at) = at.filter(|_| response.clicked()) {
            let from = reach.place(pixel_of(response, at), None);
            build_part(part, [from, reach.usual_end(from)], reach);
        }
    }

    /// Two clicks connect what they meet; for a motor, one on a joint is enough.
    fn connect(&mut self, connection: Connection, response: &Response, reach: &mut Reach<'_>) {
        let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) else {
            return;
        };
        let pixel = pixel_of(response, at);
        if connection == Connection::Motor
            && self.first.is_none()
            && let Some(joint) = reach.joint_at(pixel)
        {
            return reach.actions.commands.push(Command::Build(Build::Motor(joint)));
        }
        let pick = reach.place(pixel, self.first);
        match self.first.take() {
            None => self.first = Some(pick),
            Some(first) => {
                let axis = reach.axis(connection);
                let build = Build::Connection { connection, ends: [first, pick], axis };
                reach.actions.commands.push(Command::Build(build));
            }
        }
    }

    /// Marks connectors, the one that a click would meet, and the first pick.
    fn light_up(&self, ui: &Ui, response: &Response, reach: &Reach<'_>) {
        let painter = ui.painter().with_clip_rect(response.rect);
        let scale = ui.pixels_per_point();
        let at = |[x, y]: [f64; 2]| response.rect.min + egui::vec2(x as f32, y as f32) / scale;
        for (pixel, _) in reach.connectors().take(MOST_MARKS) {
            painter.circle_stroke(at(pixel), 3.5, Stroke::new(1.0, LIT));
        }
        let begun = self.first.and_then(|pick| reach.seen(pick.place)).map(at);
        let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) else {
            return;
        };
        let pick = reach.place(pixel_of(response, pointer), self.first);
        let Some(near) = reach.seen(pick.place).map(at) else { return };
        if let Some(begun) = begun {
            painter.circle_filled(begun, 4.0, LIT);
            painter.line_segment([begun, near], Stroke::new(2.0, LIT));
        }
        match pick.grabbed {
            Some(_) => painter.circle_stroke(near, 7.0, Stroke::new(2.5, LIT)),
            None => painter.circle_filled(near, 2.0, LIT),
        };
    }
}

fn build_part(part: Part, ends: [Pick; 2], reach: &mut Reach<'_>) {
    let axes = reach.axes();
    reach.actions.commands.push(Command::Build(Build::Part { part, ends, axes }));
}

#[cfg(test)]
mod tests;
