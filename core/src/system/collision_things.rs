//! Things that can be touched, and the bodies they are fixed to: pairs and shapes are chosen by
//! these.

use std::collections::BTreeMap;

use super::BodyRows;
use super::bodies::Attached;
use super::flat::Flat;
use super::numbering::Numbering;
use super::prescribed_body::PrescribedBody;
use crate::component::ComponentId;
use crate::contact::Surface;

/// The holder of rows that cannot move.
const STILL: u32 = Surface::FREE - 1;

/// Something that can be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Collider number ..
    Collider(usize),
    /// The surface of tissue number ..
    Tissue(usize),
    /// Particle number ..
    Particle(usize),
}

/// The object that a thing moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Nothing: the ground.
    Ground,
    /// The body of that number.
    Body(u32),
    /// Itself.
    Free,
}

/// Something that can be touched, with what decides what it touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub(super) what: What,
    pub(super) id: ComponentId,
    pub(super) holder: Holder,
    /// True if forces move it.
    pub(super) moves: bool,
}

impl Thing {
    /// The body that it moves with.
    pub(super) fn body(&self) -> Option<u32> {
        match self.holder {
            Holder::Body(body) => Some(body),
            Holder::Ground | Holder::Free => None,
        }
    }
}

/// Inputs of the compilation of contact.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) flat: &'a Flat<'a>,
    pub(super) points: &'a Numbering,
    pub(super) bodies: &'a [BodyRows],
    /// Fixation of each row.
    pub(super) fixation: &'a Fixation,
}

/// The body that each row moves with, and its freedom to move.
pub(super) struct Fixation {
    /// The body that it moves with.
    pub(super) body: Vec<Option<u32>>,
    /// True if it cannot move.
    pub(super) still: Vec<bool>,
    /// Rows that each attached row follows.
    masters: BTreeMap<u32, Vec<u32>>,
}

impl Fixation {
    /// `fixed` says which scalars supports fix or prescribe.
    pub(super) fn of(attached: &Attached, fixed: &[[bool; 3]]) -> Self {
        let Attached { bodies, attachments, prescribed, .. } = attached;
        let mut still: Vec<bool> = fixed.iter().map(|fixed| *fixed == [true; 3]).collect();
        for row in prescribed.iter().map(PrescribedBody::row) {
            still[row..row + 2].fill(true);
        }
        let mut body = vec![None; fixed.len()];
        let mut all_masters = BTreeMap::new();
        for (k, &point) in attachments.list.attached_rows().iter().enumerate() {
            let masters = attachments.resolved.resolved(k).0;
            all_masters.insert(point, masters.to_vec());
            let by = |row: u32| bodies.binary_search_by_key(&row, |body| body.row).ok();
            body[point as usize] = match *masters {
                [row, next] if next == row + 1 => by(row).map(|place| place as u32),
                _ => None,
            };
            still[point as usize] = masters.iter().all(|&master| still[master as usize]);
        }
        Self { body, still, masters: all_masters }
    }

    /// Holder of a row: the body that it is fixed to, nothing, or itself.
    pub(super) fn holder(&self, row: u32) -> u32 {
        match (self.still[row as usize], self.body[row as usize]) {
            (true, _) => STILL,
            (false, Some(body)) => body,
            (false, None) => Surface::FREE,
        }
    }

    /// The rows that a row follows; none where it moves by itself.
    pub(super) fn masters(&self, row: u32) -> &[u32] {
        self.masters.get(&row).map_or(&[], Vec::as_slice)
    }
}
