//! Files that the window writes, in threads of their own: it is not held up by a disk or a driver.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use sinew::schedule::NoteKind;
use sinew::snapshot::Snapshot;

use crate::window::Repaint;
use crate::{View, picture};

use super::whole_file::whole;

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
    pub(super) fn draw(&self, path: PathBuf, snapshot: Snapshot, view: View, size: [u32; 2]) {
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
