//! Attachments: block rows (attached points) whose velocity is a linear function of others (masters). They
//! reduce the system by P S P^T and have no multipliers. Positions of attached points are the caller's.
//! docs/theory/constraints.md has the equations.

mod chain;
mod reduction;
mod rows;
mod turning;

#[cfg(test)]
mod tests;

pub use reduction::Attachments;
pub use rows::RowReduction;
pub use turning::{TurnRates, Turning};

/// The attached points of a system and their masters: attached point k has the masters `masters(k)`, in the order of
/// its weights. u\[attached\] = sum of W_j u\[master_j\].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentList {
    attached_rows: Vec<u32>,
    offsets: Vec<u32>,
    masters: Vec<u32>,
}

impl Default for AttachmentList {
    fn default() -> Self {
        Self { attached_rows: Vec::new(), offsets: vec![0], masters: Vec::new() }
    }
}

impl AttachmentList {
    /// Adds block row `attached`, moved by block rows `masters`; returns the places of its weights among
    /// all weights.
    pub fn push(&mut self, attached: u32, masters: &[u32]) -> std::ops::Range<usize> {
        let start = self.masters.len();
        self.attached_rows.push(attached);
        self.masters.extend_from_slice(masters);
        self.offsets.push(self.masters.len() as u32);
        start..self.masters.len()
    }

    /// The attached points, in the order given.
    pub fn attached_rows(&self) -> &[u32] {
        &self.attached_rows
    }

    /// Masters of attached point number `k`.
    pub fn masters(&self, k: usize) -> &[u32] {
        &self.masters[self.weights(k)]
    }

    /// Weights of attached point number `k` among all.
    pub fn weights(&self, k: usize) -> std::ops::Range<usize> {
        self.offsets[k] as usize..self.offsets[k + 1] as usize
    }

    /// Number of weights, 3 x 3 each.
    pub fn weight_count(&self) -> usize {
        self.masters.len()
    }
}

/// Errors of the resolution of attachments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttachmentError {
    /// An attached point or master is not a block row.
    #[error("an attachment names block row {row} of a system of {size}")]
    BlockRow {
        /// The row named.
        row: u32,
        /// Block rows of the system.
        size: usize,
    },
    /// An attached point is listed twice.
    #[error("block row {row} is attached twice: list all of its masters in one attachment")]
    AttachedTwice {
        /// The attached row.
        row: u32,
    },
    /// An attached point without masters.
    #[error("block row {row} is attached to nothing: fix it, or name its masters")]
    NoMaster {
        /// The attached row.
        row: u32,
    },
    /// An attached point is fixed.
    #[error("block row {row} is attached, so it cannot be fixed: fix its masters instead")]
    AttachedFixed {
        /// The attached row.
        row: u32,
    },
    /// Attached points that are each other's masters.
    #[error("block rows {members:?} are attached to each other in a circle: free one of them")]
    Cycle {
        /// The members, each attached to the next and the last to the first.
        members: Vec<u32>,
    },
}
