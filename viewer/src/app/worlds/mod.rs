//! The pane of worlds: a world of a file runs in a thread of its own, and is pulled, edited and saved here. Snapshots come
//! in, commands go out; the plane is that of drawings of curves. `canvas` takes in the mouse, `paint` draws, `parts` lists.

mod bars;
mod canvas;
mod near;
mod paint;
mod parts;
mod plots;
mod projection;

use std::path::{Path, PathBuf};

use egui::{Rect, Ui, UiBuilder};
use sinew::interactive::{WorldCommand, WorldFiles, WorldSession, WorldSnapshot};

use crate::panels::Actions;
use crate::window::Repaint;

use bars::Bars;
use canvas::WorldCanvas;
use parts::Parts;
use plots::Plotted;

/// Ending of the names of files of worlds.
pub const WORLD_ENDING: &str = ".world.toml";

/// Share of the picture in the pane, and the width below which the list of parts is below it [point].
const PICTURE: f32 = 0.56;
const NARROW: f32 = 500.0;

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
    /// Number of the world that was shown last.
    shown: u64,
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
        let files = self.files.ok_or("no worlds are read here")?;
        let session = self.session.get_or_insert_with(|| WorldSession::start(files));
        if let Some(repaint) = self.repaint.clone() {
            session.on_news(move || repaint.ask());
        }
        session.send(WorldCommand::Open(path.to_owned()));
        self.bars.set_file(path);
        Ok(())
    }

    /// The newest snapshot, for what is tested.
    #[cfg(test)]
    pub(super) fn snapshot(&mut self) -> Option<&WorldSnapshot> {
        self.session.as_mut().map(|session| session.reader().front())
    }

    /// Draws the pane and takes in what is done in it.
    pub(super) fn ui(&mut self, ui: &mut Ui, actions: &mut Actions) {
        let mut commands = Vec::new();
        let Self { session, bars, canvas, parts, plotted, shown, .. } = self;
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
        }
        plotted.record(front);
        bars.ui(ui, front, canvas, (&mut commands, &mut opened));
        let [picture, list] = split(ui.available_rect_before_wrap());
        let [picture, plot] = plotted.split(picture);
        ui.scope_builder(UiBuilder::new().max_rect(picture), |ui| {
            canvas.ui(ui, front, &mut commands);
        });
        ui.scope_builder(UiBuilder::new().max_rect(plot), |ui| plotted.ui(ui));
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
            ui.set_clip_rect(list.intersect(ui.clip_rect()));
            parts.ui(ui, front, plotted, &mut commands);
        });
        if let Some(session) = session {
            commands.into_iter().for_each(|command| session.send(command));
        }
        let told = opened.map_or(Ok(()), |path: PathBuf| self.open(&path));
        actions.refusals.extend(told.err());
    }
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
