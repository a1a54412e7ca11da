//! The reduction of a system by the rows that follow others: its data that stay the same from step
//! to step.

use crate::Vec3;
use crate::attachment::{Attachments, RowReduction};
use crate::solve::constrained::context::StepContext;

/// Attached points replaced by their masters, and the scales of the rows that are left.
pub(in crate::solve) struct Reduction {
    pub(super) attachments: Attachments,
    /// The constraint rows.
    pub(super) rows: RowReduction,
    /// Index of the first entry of each constraint row and end of all, before attached points are
    /// replaced.
    pub(super) offsets: Vec<u32>,
    /// Fixed and prescribed scalars, and all of those that follow.
    pub(super) fixed: Vec<[bool; 3]>,
    /// A length for each row that makes momenta comparable [m]; 1 but for rotations.
    pub(super) lengths: Vec<f64>,
    /// Inertia of each row for mixing [kg], [kg m²].
    pub(super) masses: Vec<Vec3>,
    /// True if a constraint row touches an attached point.
    pub(super) rows_on_attached: bool,
}

impl Reduction {
    pub(super) fn new(context: StepContext) -> Self {
        let StepContext { system, multibody } = context;
        let size = system.pattern().size();
        let attachments = multibody.attachments.resolved.clone();
        let full = multibody.joints.rows.pattern(size);
        let rows = RowReduction::new(&full, &attachments);
        let fixed = multibody.reduced_fixed(system.fixed());
        let mut lengths = vec![1.0; size];
        let mut masses: Vec<Vec3> =
            system.masses().iter().map(|&mass| Vec3::repeat(mass)).collect();
        for body in &multibody.bodies {
            let rotation = body.row as usize + 1;
            lengths[rotation] = body.length();
            masses[rotation] = Vec3::repeat(body.inertia.rotational().trace() / 3.0);
        }
        let rows_on_attached = full.blocks().iter().any(|&block| attachments.is_attached(block));
        let offsets = full.offsets().to_vec();
        Self { attachments, rows, offsets, fixed, lengths, masses, rows_on_attached }
    }

    /// Entries of a constraint row before attached points are replaced.
    pub(super) fn entries(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }
}
