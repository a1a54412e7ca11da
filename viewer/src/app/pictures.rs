//! Files that the window writes, in threads of their own: it is not held up by a disk or a driver.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use sinew::schedule::NoteKind;
use sinew::snapshot::Snapshot;

use crate::window::Repaint;
use crate::{View, picture};

use super::App;

/// Files under way, and what became of them.
pub(super) struct Pictures {
    sender: Sender<(NoteKind, String)>,
    receiver: Receiver<(NoteKind, String)>,
    repaint: Option<Repaint>,
}

impl Default for Pictures {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver, repaint: None }
    }
}

impl Pictures {
    pub(super) fn attach(&mut self, repaint: Repaint) {
        self.repaint = Some(repaint);
    }

    /// Notes on files finished since the last call.
    pub(super) fn take_finished(&self) -> Vec<(NoteKind, String)> {
        self.receiver.try_iter().collect()
    }

    /// Writes a file.
    pub(super) fn write(&self, path: PathBuf, bytes: Vec<u8>) {
        self.work(path, move || Ok(bytes));
    }

    /// Draws a picture and writes it.
    fn draw(&self, path: PathBuf, snapshot: Snapshot, view: View, size: [u32; 2]) {
        let encode = move || {
            let image = picture(&snapshot, &view, size).map_err(|error| error.to_string())?;
            image.to_png().map_err(|error| error.to_string())
        };
        self.work(path, encode);
    }

    fn work(&self, path: PathBuf, make: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static) {
        self.spawn(move || match make().and_then(|bytes| whole(&path, &bytes)) {
            Ok(()) => Ok(format!("wrote {}", path.display())),
            Err(why) => Err(format!("{}: {why}", path.display())),
        });
    }

    /// Does something in a thread of its own; its end is told in a note.
    pub(super) fn spawn(
        &self,
        work: impl FnOnce() -> Result<String, String> + Send + 'static,
    ) -> JoinHandle<()> {
        let (sender, repaint) = (self.sender.clone(), self.repaint.clone());
        std::thread::spawn(move || {
            let note = match work() {
                Ok(text) => (NoteKind::Done, text),
                Err(text) => (NoteKind::Failed, text),
            };
            // A window that was closed meanwhile reads no notes.
            let _ = sender.send(note);
            if let Some(repaint) = repaint {
                repaint.ask();
            }
        })
    }
}

/// Writes aside, then renames: a file is whole or not there.
pub(super) fn whole(path: &std::path::Path, bytes: &[u8]) -> Result<(), String> {
    let write = || {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let aside = path.with_extension("part");
        std::fs::write(&aside, bytes)?;
        std::fs::rename(&aside, path)
    };
    write().map_err(|error: std::io::Error| error.to_string())
}

impl App {
    /// Path of a picture without a name: it is named after the time.
    pub(super) fn picture_path(&mut self) -> PathBuf {
        let time = self.session.reader().front().time;
        self.files.folder().join(format!("t{time:.4}.png"))
    }

    /// The picture as it is seen, of this size [pixel], with letters that fit it.
    pub(super) fn save_picture(&mut self, path: PathBuf, size: [u32; 2], transparent: bool) {
        let snapshot = self.session.reader().front().clone();
        let mut view = self.workspace.picture().view.clone();
        view.options.pixel_scale = crate::letter_scale(size);
        if transparent {
            view.options.background = crate::Background::Transparent;
        }
        self.pictures.draw(path, snapshot, view, size);
    }
}
