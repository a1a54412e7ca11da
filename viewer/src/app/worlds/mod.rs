//! The pane of worlds: a world runs in a thread of its own, and is built, pulled, edited and saved here. Snapshots come in,
//! commands go out; the plane is that of drawings of curves. `canvas` takes in the mouse, `paint` draws, `parts` lists, `build`
//! adds and removes, `sheet` shows a part as text.

mod bars;
mod build;
mod canvas;
mod meet;
mod near;
mod paint;
mod parts;
mod plots;
mod projection;
mod sheet;

use std::path::Path;

use egui::{Rect, Ui, UiBuilder};
use sinew::interactive::{WorldCommand, WorldFiles, WorldSession, WorldSnapshot};

use crate::panels::Actions;
use crate::window::Repaint;

use bars::{Bars, Opening};
use build::Builder;
use canvas::WorldCanvas;
use parts::Parts;
use plots::Plotted;
use sheet::Sheet;

/// Ending of the names of files of worlds.
pub const WORLD_ENDING: &str = ".world.toml";

/// Share of the picture in the pane, and the width below which the list of parts is below it [point].
const PICTURE: f32 = 0.56;
const NARROW: f32 = 500.0;

/// A key of edits, which is for the world where the last click was in its pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorldKey {
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Takes away what is selected.
    Delete,
    /// Puts away the kind that is added, or selects nothing.
    PutAway,
}

/// The pane of worlds.
#[derive(Default)]
pub(super) struct Worlds {
    files: Option<WorldFiles>,
    repaint: Option<Repaint>,
    session: Option<WorldSession>,
    bars: Bars,
    canvas: WorldCanvas,
    parts: Parts,
    plotted: Plotted,
    builder: Builder,
    sheet: Sheet,
    /// Number of the world that was shown last.
    shown: u64,
    /// Number of the frame in which the pane was drawn last, and true if the last click was in it.
    drawn: u64,
    is_in_hand: bool,
}

impl Worlds {
    /// Takes readers and writers of files.
    pub(super) fn set_files(&mut self, files: Option<WorldFiles>) {
        self.files = files;
    }

    /// The window stands: new snapshots have it drawn again.
    pub(super) fn attach(&mut self, repaint: Repaint) {
        if let Some(session) = &self.session {
            let repaint = repaint.clone();
            session.on_news(move || repaint.ask());
        }
        self.repaint = Some(repaint);
    }

    /// Opens a world, which runs at once; the reason in words where no worlds are read.
    pub(super) fn open(&mut self, path: &Path) -> Result<(), String> {
        self.send(WorldCommand::Open(path.to_owned()))?;
        self.bars.set_file(path);
        Ok(())
    }

    /// Begins a new world.
    fn begin(&mut self) -> Result<(), String> {
        self.send(WorldCommand::New)?;
        self.bars.set_file(Path::new(""));
        Ok(())
    }

    /// Asks for a world, whose thread is started where there is none.
    fn send(&mut self, command: WorldCommand) -> Result<(), String> {
        let files = self.files.ok_or("no worlds are read here")?;
        let session = self.session.get_or_insert_with(|| WorldSession::start(files));
        if let Some(repaint) = self.repaint.clone() {
            session.on_news(move || repaint.ask());
        }
        session.send(command);
        Ok(())
    }

    /// True if the keys of edits are for the world: the pane is shown, and the last click was in it.
    fn is_in_hand(&self, context: &egui::Context) -> bool {
        self.is_in_hand && self.session.is_some() && self.drawn + 1 >= context.cumulative_frame_nr()
    }

    /// Does what a key of edits asks for; false where it is not for the world.
    pub(super) fn take_key(&mut self, key: WorldKey, context: &egui::Context) -> bool {
        if !self.is_in_hand(context) {
            return false;
        }
        let mut commands = Vec::new();
        let is_taken = match key {
            WorldKey::Undo => {
                commands.push(WorldCommand::Undo);
                true
            }
            WorldKey::Redo => {
                commands.push(WorldCommand::Redo);
                true
            }
            WorldKey::Delete => self.builder.delete(&mut commands),
            WorldKey::PutAway => self.builder.put_away(&mut commands),
        };
        if let Some(session) = &self.session {
            commands.into_iter().for_each(|command| session.send(command));
        }
        is_taken
    }

    /// The newest snapshot, for what is tested.
    #[cfg(test)]
    pub(super) fn snapshot(&mut self) -> Option<&WorldSnapshot> {
        self.session.as_mut().map(|session| session.reader().front())
    }

    /// Draws the pane and takes in what is done in it.
    pub(super) fn ui(&mut self, ui: &mut Ui, actions: &mut Actions) {
        self.follow_hand(ui);
        let mut commands = Vec::new();
        let Self { session, bars, canvas, parts, plotted, builder, sheet, shown, .. } = self;
        let none = WorldSnapshot::default();
        let mut opened = None;
        if let Some(session) = session {
            session.reader().update();
            actions.refusals.extend(session.take_notes());
        }
        let front = session.as_mut().map_or(&none, |session| session.reader().front());
        if *shown != front.world {
            *shown = front.world;
            canvas.show_anew();
            parts.forget();
            plotted.forget();
            builder.forget(front.blocks.is_empty());
        }
        plotted.record(front);
        builder.keys(ui, &mut commands);
        bars.ui(ui, front, canvas, (&mut commands, &mut opened));
        let [picture, list] = split(ui.available_rect_before_wrap());
        let [picture, plot] = plotted.split(picture);
        let [list, below] = Sheet::split(list, builder);
        within(ui, picture, |ui| canvas.ui(ui, front, builder, &mut commands));
        within(ui, plot, |ui| plotted.ui(ui));
        within(ui, list, |ui| parts.ui(ui, front, (plotted, builder), &mut commands));
        within(ui, below, |ui| sheet.ui(ui, front, builder, &mut commands));
        if let Some(session) = session {
            commands.into_iter().for_each(|command| session.send(command));
        }
        let told = match opened {
            None => Ok(()),
            Some(Opening::New) => self.begin(),
            Some(Opening::File(path)) => self.open(&path),
        };
        actions.refusals.extend(told.err());
    }

    /// Notes where the last click was.
    fn follow_hand(&mut self, ui: &Ui) {
        self.drawn = ui.ctx().cumulative_frame_nr();
        let pressed = ui.input(|input| {
            input.pointer.any_pressed().then(|| input.pointer.press_origin()).flatten()
        });
        if let Some(at) = pressed {
            self.is_in_hand = ui.max_rect().contains(at);
        }
    }
}

/// Draws in a room of the pane, and not beyond it.
fn within(ui: &mut Ui, room: Rect, draw: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        ui.set_clip_rect(room.intersect(ui.clip_rect()));
        draw(ui);
    });
}

/// Room for the picture and for the list of parts: beside it, or below it where there is little room.
fn split(room: Rect) -> [Rect; 2] {
    let (mut picture, mut list) = (room, room);
    if room.width() < NARROW {
        picture.set_bottom(room.top() + PICTURE * room.height());
        list.set_top(picture.bottom() + 6.0);
    } else {
        picture.set_right(room.left() + PICTURE * room.width());
        list.set_left(picture.right() + 8.0);
    }
    [picture, list]
}

#[cfg(test)]
mod tests;
