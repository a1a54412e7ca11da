//! Bodies that joints connect, and those that nothing connects with the ground.

use std::collections::BTreeMap;

use sinew::component::{ComponentId, Handle};
use sinew::model::{Model, RigidBody};

/// Sets of connected bodies.
#[derive(Debug)]
pub(super) struct Islands {
    /// Number of each body; 0 is the ground.
    numbers: BTreeMap<ComponentId, (usize, Handle<RigidBody>)>,
    /// A member of the same set, for each number; itself for one.
    above: Vec<usize>,
}

impl Islands {
    /// Each moving body for itself, and those that rest with the ground.
    pub(super) fn of(model: &Model) -> Self {
        let moving = model.iter::<RigidBody>().filter(|it| it.1.dynamic);
        let numbered = moving.zip(1..).map(|((body, _), number)| (body.id(), (number, body)));
        let numbers: BTreeMap<_, _> = numbered.collect();
        let above = (0..=numbers.len()).collect();
        Self { numbers, above }
    }

    /// Connects two bodies, or one with the ground.
    pub(super) fn join(&mut self, a: Option<Handle<RigidBody>>, b: Option<Handle<RigidBody>>) {
        let number = |it: Handle<RigidBody>| Some(self.numbers.get(&it.id())?.0);
        let [a, b] = [a, b].map(|it| it.and_then(number).unwrap_or(0));
        let [a, b] = [self.root(a), self.root(b)];
        self.above[a.max(b)] = a.min(b);
    }

    fn root(&self, mut at: usize) -> usize {
        while self.above[at] != at {
            at = self.above[at];
        }
        at
    }

    /// The first body of each set without the ground.
    pub(super) fn loose(&self) -> Vec<Handle<RigidBody>> {
        let mut bodies: Vec<_> = self.numbers.values().copied().collect();
        bodies.sort_unstable_by_key(|it| it.0);
        // The least number of a set is its root.
        bodies.into_iter().filter(|it| self.root(it.0) == it.0).map(|it| it.1).collect()
    }
}
