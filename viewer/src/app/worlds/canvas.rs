//! The picture of a world, and the mouse that pulls on it, selects parts and clicks what is to be added.

use egui::{PointerButton, Pos2, Rect, Response, Ui};
use sinew::interactive::{Pick, Slot, WorldCommand, WorldSnapshot};

use super::build::Builder;
use super::meet::{Listed, selected};
use super::near::{Near, Seen, near};
use super::paint::{self, Images};
use super::projection::Projection;
use crate::app::plane::PlaneView;

/// Least size of what is fitted, and what is seen of an empty world, in units of the plane.
const LEAST: f64 = 0.5;
const EMPTY: f64 = 4.0;

/// The picture.
#[derive(Default)]
pub(super) struct WorldCanvas {
    view: PlaneView,
    pub(super) projection: Projection,
    /// The point that is pulled.
    pulled: Option<Near>,
    /// True until a new world is seen along the direction that suits it.
    is_new: bool,
    /// True until all of it is fitted into the picture.
    fit: bool,
    images: Images,
    /// The plane of the last frame, for what is tested.
    #[cfg(test)]
    pub(super) seen: Option<Seen>,
}

impl WorldCanvas {
    /// Another world is there.
    pub(super) fn show_anew(&mut self) {
        (self.is_new, self.fit, self.pulled) = (true, true, None);
        self.images = Images::default();
    }

    /// Shows all of it.
    pub(super) fn fit(&mut self) {
        self.fit = true;
    }

    /// Draws the picture and takes in what the mouse does.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        snapshot: &WorldSnapshot,
        builder: &mut Builder,
        commands: &mut Vec<WorldCommand>,
    ) {
        if std::mem::take(&mut self.is_new) {
            self.projection = Projection::of(snapshot);
        }
        if std::mem::take(&mut self.fit) {
            self.fit_in(ui.available_rect_before_wrap(), snapshot);
        }
        let (plane, response) = self.view.show(ui, "picture of the world");
        let seen = Seen { plane, projection: self.projection };
        #[cfg(test)]
        self.seen.replace(seen);
        let hovered = response.hover_pos().filter(|_| self.pulled.is_none());
        paint::world(ui, seen, snapshot, &mut self.images);
        if let Some(slot) = builder.slot() {
            let met = build(ui, &response, (snapshot, seen), (slot, builder));
            if let Some((pick, place)) = met {
                builder.pick(pick, Some(place), commands);
            }
            return;
        }
        self.pull(ui, &response, (snapshot, seen), commands);
        if let Some(at) = clicked(&response) {
            builder.select(selected(snapshot, seen, at), commands);
        }
        paint::selected(ui, seen, snapshot, builder.selected());
        if let Some(near) = hovered.and_then(|at| near(snapshot, seen, at)) {
            paint::near(ui, seen, &near);
        }
    }

    fn fit_in(&mut self, room: Rect, snapshot: &WorldSnapshot) {
        let lines = snapshot.outlines.iter().flat_map(|it| &it.lines).flatten();
        let marks = snapshot.marks.iter().flat_map(|it| &it.points).copied();
        let corners = snapshot.images.iter().filter_map(|it| it.frames.first()).flat_map(|image| {
            let [width, height] = image.size().map(|side| side as f64 - 0.5);
            [[-0.5, -0.5, 0.0], [width, height, 0.0]]
        });
        let places = lines.map(|it| it.place).chain(marks).chain(corners);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for at in places.map(|it| self.projection.seen(it)).filter(|it| it[0] + it[1] < f64::MAX) {
            for k in 0..2 {
                (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
            }
        }
        for k in 0..2 {
            let (middle, half) = match low[k] <= high[k] {
                true => (0.5 * (low[k] + high[k]), (0.5 * (high[k] - low[k])).max(0.5 * LEAST)),
                false => (0.0, 0.5 * EMPTY),
            };
            (low[k], high[k]) = (middle - half, middle + half);
        }
        self.view.fit(room, [low, high]);
    }

    fn pull(
        &mut self,
        ui: &Ui,
        response: &Response,
        (snapshot, seen): (&WorldSnapshot, Seen),
        commands: &mut Vec<WorldCommand>,
    ) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        let latest = ui.input(|input| input.pointer.latest_pos());
        let begun = pressed.filter(|_| response.drag_started_by(PointerButton::Primary));
        if let Some(near) = begun.and_then(|at| near(snapshot, seen, at)) {
            commands.push(WorldCommand::Drag(near.point.clone(), near.place));
            self.pulled = Some(near);
        }
        if let (Some(near), Some(at)) = (&self.pulled, latest) {
            let place = seen.projection.moved(near.place, seen.plane.to_plane(at));
            commands.push(WorldCommand::MoveDrag(place));
        }
        if self.pulled.is_some() && response.drag_stopped() {
            self.pulled = None;
            commands.push(WorldCommand::Release);
        }
    }
}

/// Place of a click with the left button.
fn clicked(response: &Response) -> Option<Pos2> {
    response.interact_pointer_pos().filter(|_| response.clicked_by(PointerButton::Primary))
}

/// Lights up what a click may be taken for; the thing that was clicked, with its place.
fn build(
    ui: &Ui,
    response: &Response,
    (snapshot, seen): (&WorldSnapshot, Seen),
    (slot, builder): (Slot, &Builder),
) -> Option<(Pick, [f64; 3])> {
    let listed = Listed::of(snapshot);
    paint::lit(ui, seen, snapshot, (slot, &listed));
    paint::clicks(ui, seen, builder.places(), response.hover_pos());
    let hovered = response.hover_pos();
    if let Some(near) = hovered.and_then(|at| listed.near(slot, (snapshot, seen), at)) {
        paint::near(ui, seen, &near);
    }
    clicked(response).and_then(|at| listed.pick(slot, (snapshot, seen), at))
}
