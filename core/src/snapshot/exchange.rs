//! Snapshots from the thread that simulates to the one that draws, of models and of other things that run. There are
//! three: one is written, one is read, one waits. Neither side waits for the other: what is exchanged is which is which,
//! under a lock held for that alone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Snapshot, SnapshotSink};

/// The snapshot that waits, and whether it is newer than the one that is read.
#[derive(Default)]
struct Between<T> {
    snapshot: Box<T>,
    fresh: bool,
}

/// The side of the simulation.
pub struct Writer<T = Snapshot> {
    between: Arc<Mutex<Between<T>>>,
    back: Box<T>,
}

/// The side of the window.
pub struct Reader<T = Snapshot> {
    between: Arc<Mutex<Between<T>>>,
    front: Box<T>,
}

/// Both sides of a new exchange.
pub fn exchange() -> (Writer, Reader) {
    exchange_of()
}

/// Both sides of an exchange of snapshots of another kind.
pub(crate) fn exchange_of<T: Default>() -> (Writer<T>, Reader<T>) {
    let between = Arc::new(Mutex::new(Between::default()));
    let writer = Writer { between: between.clone(), back: Box::default() };
    (writer, Reader { between, front: Box::default() })
}

fn locked<T>(between: &Mutex<Between<T>>) -> MutexGuard<'_, Between<T>> {
    // What is behind the lock is whole at any time: a swap of two boxes.
    between.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Writer<T> {
    /// True if the last snapshot that was put there was taken.
    pub fn was_read(&self) -> bool {
        !locked(&self.between).fresh
    }

    /// Puts the snapshot there that `write` writes.
    pub(crate) fn put(&mut self, write: impl FnOnce(&mut T)) {
        write(&mut self.back);
        let mut between = locked(&self.between);
        std::mem::swap(&mut between.snapshot, &mut self.back);
        between.fresh = true;
    }
}

impl SnapshotSink for Writer {
    fn back(&mut self) -> &mut Snapshot {
        &mut self.back
    }

    fn publish(&mut self) {
        self.put(|_| {});
    }
}

impl<T> Reader<T> {
    /// Takes the newest snapshot to the front, if there is one since the last call; whether there was.
    pub fn update(&mut self) -> bool {
        let mut between = locked(&self.between);
        let fresh = std::mem::take(&mut between.fresh);
        if fresh {
            std::mem::swap(&mut between.snapshot, &mut self.front);
        }
        fresh
    }

    /// The snapshot at the front; it does not change but by [`Self::update`].
    pub fn front(&self) -> &T {
        &self.front
    }
}
