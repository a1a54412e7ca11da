//! Constraint rows that touch attached points, rewritten in terms of masters: the pattern once, the vectors
//! whenever they change.

use super::Attachments;
use super::chain::NONE;
use crate::Vec3;
use crate::linalg::kkt::ConstraintPattern;

/// The constraint rows G P of a reduced system.
pub struct RowReduction {
    reduced: ConstraintPattern,
    /// For every entry given, in order: the entries it is added to, with the weight or [`NONE`].
    offsets: Vec<u32>,
    targets: Vec<(u32, u32)>,
}

impl RowReduction {
    /// For constraint rows of pattern `rows`, whose block rows may be attached points of `attachments`. A reduced
    /// row lists every master once, in rising order.
    pub fn new(rows: &ConstraintPattern, attachments: &Attachments) -> Self {
        let chains = attachments.chains();
        let (mut lists, mut offsets, mut targets) = (Vec::new(), vec![0], Vec::new());
        let mut start = 0;
        for row in 0..rows.count() {
            let entries = &rows.blocks()[rows.entries(row)];
            let mut list: Vec<u32> = Vec::new();
            for &block in entries {
                match chains.number[block as usize] {
                    NONE => list.push(block),
                    k => list.extend_from_slice(&chains.masters[chains.resolved(k as usize)]),
                }
            }
            list.sort_unstable();
            list.dedup();
            let place = |block: u32| {
                let found = list.binary_search(&block);
                (start + found.expect("it was collected before")) as u32
            };
            for &block in entries {
                match chains.number[block as usize] {
                    NONE => targets.push((place(block), NONE)),
                    k => targets.extend(
                        chains
                            .resolved(k as usize)
                            .map(|weight| (place(chains.masters[weight]), weight as u32)),
                    ),
                }
                offsets.push(targets.len() as u32);
            }
            start += list.len();
            lists.push(list);
        }
        let size = chains.number.len();
        let reduced = ConstraintPattern::from_lists(&lists, size);
        Self { reduced: reduced.expect("masters are block rows"), offsets, targets }
    }

    /// Pattern of the reduced rows.
    pub fn pattern(&self) -> &ConstraintPattern {
        &self.reduced
    }

    /// The vectors of the reduced rows, from those of the rows given and the weights of now: c for a
    /// master itself, W^T c from an attached point.
    ///
    /// # Panics
    /// When an array does not have the length of its pattern.
    pub fn reduce(&self, attachments: &Attachments, values: &[Vec3], reduced: &mut [Vec3]) {
        assert_eq!(values.len() + 1, self.offsets.len());
        reduced.fill(Vec3::zeros());
        for (value, range) in values.iter().zip(self.offsets.windows(2)) {
            for &(target, weight) in &self.targets[range[0] as usize..range[1] as usize] {
                reduced[target as usize] += match weight {
                    NONE => *value,
                    weight => attachments.weights()[weight as usize].tr_mul(value),
                };
            }
        }
    }
}
