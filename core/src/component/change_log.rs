//! Log of changes, and of the caches that they make stale. A cache remembers how far it has read;
//! many caches read the same log, and each looks at its own kind of change only.

use std::collections::VecDeque;
use std::ops::BitOr;
use std::sync::Arc;

use crate::component::{Affine, ComponentId};

/// Parts of a model that a change makes stale: a set of six flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invalidates(u8);

impl Invalidates {
    /// Nothing: names.
    pub const NOTHING: Self = Self(0);
    /// Numbers that forces are computed from: stiffness, gravity.
    pub const PARAMETER: Self = Self(1);
    /// Masses.
    pub const MASS: Self = Self(2);
    /// Existence, references and supports of components.
    pub const STRUCTURE: Self = Self(4);
    /// Positions, and shapes at rest.
    pub const GEOMETRY: Self = Self(8);
    /// Appearance.
    pub const RENDER: Self = Self(16);
    /// Paths of what is prescribed, whatever has them: rows and forces stay.
    pub const MOTION: Self = Self(32);

    /// Names of the flags, in reports and in the documentation.
    const NAMES: [(Self, &'static str); 6] = [
        (Self::PARAMETER, "parameter"),
        (Self::MASS, "mass"),
        (Self::STRUCTURE, "structure"),
        (Self::GEOMETRY, "geometry"),
        (Self::RENDER, "render"),
        (Self::MOTION, "motion"),
    ];

    /// True if any flag of `other` is among these.
    pub const fn touches(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// These and those of `other`; `|` for constants.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The flags by name, e.g. "mass, geometry"; "nothing" without any.
    pub fn describe(self) -> String {
        let set = Self::NAMES.iter().filter(|(flag, _)| self.touches(*flag));
        let names: Vec<&str> = set.map(|(_, name)| *name).collect();
        if names.is_empty() { "nothing".into() } else { names.join(", ") }
    }
}

impl BitOr for Invalidates {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.and(other)
    }
}

/// One change.
#[derive(Clone, Debug)]
pub struct Change {
    /// The component.
    pub id: ComponentId,
    /// Parts that it makes stale.
    pub invalidates: Invalidates,
    /// The map, where the component was transformed.
    pub(crate) map: Option<Arc<Affine>>,
}

/// Place in the log that a reader has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen(u64);

/// Changes that are kept beside those of the largest edit: a reader that missed more takes everything
/// as changed. 1,000 properties may be set a step, and some steps missed.
const KEPT: usize = 8192;

/// The last changes, numbered.
#[derive(Clone, Debug)]
pub struct ChangeLog {
    first: u64,
    changes: VecDeque<Change>,
    kept: usize,
}

impl Default for ChangeLog {
    fn default() -> Self {
        Self { first: 0, changes: VecDeque::with_capacity(KEPT), kept: KEPT }
    }
}

impl ChangeLog {
    pub(crate) fn push(&mut self, id: ComponentId, invalidates: Invalidates) {
        self.push_change(Change { id, invalidates, map: None });
    }

    /// An edit of `count` changes comes, none of which a reader is to miss.
    pub(crate) fn make_room(&mut self, count: usize) {
        self.kept = self.kept.max(count + KEPT);
        self.changes.reserve(self.kept - self.changes.len());
    }

    pub(crate) fn push_change(&mut self, change: Change) {
        if self.changes.len() == self.kept {
            self.changes.pop_front();
            self.first += 1;
        }
        self.changes.push_back(change);
    }

    /// Forgets what came since then, which was turned back before anybody read it.
    pub(crate) fn forget_since(&mut self, seen: Seen) {
        self.changes.truncate(seen.0.saturating_sub(self.first) as usize);
    }

    /// A reader that has read everything.
    pub fn now(&self) -> Seen {
        Seen(self.first + self.changes.len() as u64)
    }

    /// Changes since then; `None` when there were more than are kept.
    pub fn since(&self, seen: Seen) -> Option<impl Iterator<Item = &Change> + Clone> {
        let skip = seen.0.checked_sub(self.first)?;
        Some(self.changes.iter().skip(skip as usize))
    }

    /// All flags of the changes since then; every flag when more changes came than are kept.
    pub fn invalidated_since(&self, seen: Seen) -> Invalidates {
        match self.since(seen) {
            None => Invalidates(u8::MAX),
            Some(changes) => {
                changes.fold(Invalidates::NOTHING, |all, change| all | change.invalidates)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::ROOT;

    #[test]
    fn a_reader_sees_what_came_since_and_everything_when_it_slept_too_long() {
        let mut log = ChangeLog::default();
        log.push(ROOT, Invalidates::MASS);
        let seen = log.now();
        log.push(ROOT, Invalidates::RENDER);
        assert_eq!(log.invalidated_since(seen), Invalidates::RENDER);
        assert!(!log.invalidated_since(log.now()).touches(Invalidates::RENDER));
        (0..KEPT).for_each(|_| log.push(ROOT, Invalidates::NOTHING));
        assert!(log.since(seen).is_none());
        assert!(log.invalidated_since(seen).touches(Invalidates::STRUCTURE));
    }
}
