//! Films that a window records: numbered pictures at even times of the model, drawn in a thread of their own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sinew::snapshot::Snapshot;

use super::pictures::Pictures;
use super::whole_file::whole;
use crate::{Studio, View};

/// Pictures a second of simulated time.
pub(super) const RATE: f64 = 25.0;
/// Time after which a film whose model stands still looks whether it has ended.
const LOOK: Duration = Duration::from_millis(100);

/// A film under way.
pub(super) struct Film {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

/// Data that the window and the thread of the film share.
struct Shared {
    /// View of the window, which films follow.
    view: Mutex<View>,
    has_ended: AtomicBool,
    pictures: AtomicU32,
}

impl Shared {
    fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Film {
    /// Begins a film of snapshots, which ends with them, in a folder of its own within this one; `what` says in words
    /// how many there are.
    pub(super) fn begin(
        pictures: &Pictures,
        snapshots: Receiver<Snapshot>,
        (view, size): (View, [u32; 2]),
        within: &Path,
        what: &str,
    ) -> Self {
        let shared = Arc::new(Shared {
            view: Mutex::new(view),
            has_ended: AtomicBool::new(false),
            pictures: AtomicU32::new(0),
        });
        let folder = free_folder(within);
        // Videos want even numbers of pixels.
        let size = size.map(|side| (side & !1).max(2));
        let seen = shared.clone();
        let what = what.to_owned();
        let thread = pictures.spawn(move || record(&snapshots, &seen, (&folder, size), &what));
        Self { shared, thread }
    }

    /// Asks it to end.
    pub(super) fn end(&self) {
        self.shared.has_ended.store(true, Ordering::Relaxed);
    }

    /// True once its last picture is written.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Tells it what is looked at.
    pub(super) fn show(&self, view: &View) {
        self.shared.view().clone_from(view);
    }

    /// Number of its pictures so far.
    pub(super) fn picture_count(&self) -> u32 {
        self.shared.pictures.load(Ordering::Relaxed)
    }
}

/// A folder that is not there yet: `film-1`, or the next number.
fn free_folder(within: &Path) -> PathBuf {
    let name = |k: u32| within.join(format!("film-{k}"));
    (1..).map(name).find(|folder| !folder.exists()).unwrap_or_else(|| name(0))
}

/// Draws and writes pictures until the film or the session ends; the note about it, good or bad.
fn record(
    snapshots: &Receiver<Snapshot>,
    shared: &Shared,
    (folder, size): (&Path, [u32; 2]),
    what: &str,
) -> Result<String, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", folder.display());
    let mut studio = Studio::open().map_err(|why| failed(&why))?;
    let mut count = 0;
    while !shared.has_ended.load(Ordering::Relaxed) {
        let snapshot = match snapshots.recv_timeout(LOOK) {
            Ok(snapshot) => snapshot,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let view = shared.view().clone();
        let picture = studio.picture(&snapshot, &view, size);
        let bytes = picture.and_then(|it| it.to_png()).map_err(|why| failed(&why))?;
        count += 1;
        whole(&folder.join(format!("frame_{count:05}.png")), &bytes).map_err(|why| failed(&why))?;
        shared.pictures.store(count, Ordering::Relaxed);
    }
    let shown = folder.display();
    Ok(match count {
        0 => "the film has no pictures: nothing ran meanwhile".to_owned(),
        _ => format!("wrote {count} pictures to {shown}, {what}"),
    })
}
