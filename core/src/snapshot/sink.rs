//! Sinks of snapshots.

use super::Snapshot;

/// Takes snapshots.
pub trait SnapshotSink: Send {
    /// The one to be filled; it holds an older one.
    fn back(&mut self) -> &mut Snapshot;

    /// The one that was filled is whole.
    fn publish(&mut self);
}

/// Takes none of them further.
#[derive(Debug, Default)]
pub struct NullSink(Snapshot);

impl SnapshotSink for NullSink {
    fn back(&mut self) -> &mut Snapshot {
        &mut self.0
    }

    fn publish(&mut self) {}
}

/// Keeps them all, for tests and short films.
#[derive(Debug, Default)]
pub struct RecordSink {
    back: Snapshot,
    /// In the order of their capture.
    pub snapshots: Vec<Snapshot>,
}

impl SnapshotSink for RecordSink {
    fn back(&mut self) -> &mut Snapshot {
        &mut self.back
    }

    fn publish(&mut self) {
        self.snapshots.push(self.back.clone());
    }
}
