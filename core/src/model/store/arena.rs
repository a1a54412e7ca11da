//! One list of components of one kind, in flat memory, with slots that are used again.

use std::collections::BTreeSet;

use crate::component::ComponentId;
use crate::model::Meta;

/// A component in its arena, and its place in the tree.
#[derive(Clone, Debug)]
pub struct Row<T> {
    pub(crate) meta: Meta,
    pub(crate) data: T,
}

/// Components of one kind. Generations of a slot only grow, also when an edit is undone, so that a
/// handle never comes to mean another component.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    vacant: BTreeSet<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    next_generation: u32,
    row: Option<(u32, Row<T>)>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), vacant: BTreeSet::new() }
    }
}

impl<T> Arena<T> {
    /// Number of components.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.vacant.len()
    }

    /// Indices and generations that the components get which are added from now on, in order.
    pub(crate) fn upcoming(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let vacant = self.vacant.iter().map(|&k| (k, self.slots[k as usize].next_generation));
        vacant.chain((self.slots.len() as u32..).map(|index| (index, 0)))
    }

    /// True if nobody is in a slot.
    pub(crate) fn is_vacant(&self, index: u32) -> bool {
        self.slots.get(index as usize).is_none_or(|slot| slot.row.is_none())
    }

    /// Puts a component into its slot; `false` when somebody is there.
    pub(crate) fn put(&mut self, id: ComponentId, row: Row<T>) -> bool {
        let index = id.index as usize;
        while self.slots.len() <= index {
            self.vacant.insert(self.slots.len() as u32);
            self.slots.push(Slot { next_generation: 0, row: None });
        }
        let slot = &mut self.slots[index];
        if slot.row.is_some() {
            return false;
        }
        slot.next_generation = slot.next_generation.max(id.generation + 1);
        slot.row = Some((id.generation, row));
        self.vacant.remove(&id.index);
        true
    }

    /// Takes a component out of its slot.
    pub(crate) fn take(&mut self, id: ComponentId) -> Option<Row<T>> {
        self.get(id.index, id.generation)?;
        self.vacant.insert(id.index);
        self.slots[id.index as usize].row.take().map(|(_, row)| row)
    }

    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<&Row<T>> {
        match self.slots.get(index as usize)?.row.as_ref() {
            Some((there, row)) if *there == generation => Some(row),
            _ => None,
        }
    }

    pub(crate) fn get_mut(&mut self, index: u32, generation: u32) -> Option<&mut Row<T>> {
        match self.slots.get_mut(index as usize)?.row.as_mut() {
            Some((there, row)) if *there == generation => Some(row),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Kind;

    fn row(data: u8) -> Row<u8> {
        Row { meta: Meta::default(), data }
    }

    fn id(index: u32, generation: u32) -> ComponentId {
        ComponentId { kind: Kind::Particle, index, generation }
    }

    #[test]
    fn a_slot_that_was_left_is_used_again_under_another_generation() {
        let mut arena = Arena::default();
        assert!(arena.put(id(0, 0), row(7)) && arena.put(id(1, 0), row(8)));
        arena.take(id(0, 0)).unwrap();
        assert_eq!(arena.upcoming().take(3).collect::<Vec<_>>(), [(0, 1), (2, 0), (3, 0)]);
        assert!(arena.put(id(0, 1), row(9)));
        assert!(arena.get(0, 0).is_none(), "the old handle means nobody");
        assert_eq!((arena.get(0, 1).unwrap().data, arena.len()), (9, 2));
    }

    #[test]
    fn a_component_that_was_never_seen_again_does_not_lend_its_generation() {
        let mut arena = Arena::default();
        arena.put(id(0, 0), row(1));
        arena.take(id(0, 0)).unwrap();
        let (index, generation) = arena.upcoming().next().unwrap();
        arena.put(id(index, generation), row(2));
        arena.take(id(index, generation)).unwrap();
        arena.put(id(0, 0), row(1)); // an undone deletion
        arena.take(id(0, 0)).unwrap();
        assert_eq!(arena.upcoming().next(), Some((0, 2)));
    }
}
