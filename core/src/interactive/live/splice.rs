//! Edits of the lists of a description: in place of some parts, others. What is alike at both ends of a list is no part of
//! an edit, so that an edit is as small as what it changes.

use crate::interactive::{
    BehaviourDescription, BlockDescription, ConstraintDescription, ImageDescription,
    ObjectDescription, WorldDescription, WorldSettings,
};

/// State and velocities of an object.
pub(super) type ObjectMotion = [Vec<f64>; 2];

/// In place of `count` entries from `at` on, others.
#[derive(Clone, Debug, PartialEq)]
struct Splice<T> {
    at: usize,
    count: usize,
    entries: Vec<T>,
}

impl<T: Clone + PartialEq> Splice<T> {
    /// The edit that makes one list of another.
    fn between(from: &[T], to: &[T]) -> Self {
        let alike =
            |pairs: &mut dyn Iterator<Item = (&T, &T)>| pairs.take_while(|(a, b)| a == b).count();
        let at = alike(&mut from.iter().zip(to));
        let last = alike(&mut from[at..].iter().rev().zip(to[at..].iter().rev()));
        let entries = to[at..to.len() - last].to_vec();
        Self { at, count: from.len() - last - at, entries }
    }

    /// True if it changes nothing.
    fn is_empty(&self) -> bool {
        self.count == 0 && self.entries.is_empty()
    }

    /// Does it; the edit that undoes it.
    fn apply(&self, list: &mut Vec<T>) -> Self {
        let places = self.at..self.at + self.count;
        let entries = list.splice(places, self.entries.iter().cloned()).collect();
        Self { at: self.at, count: self.entries.len(), entries }
    }
}

/// An edit of all lists of a description, and of the motion at the start of its objects.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartsEdit {
    objects: Splice<ObjectDescription>,
    starts: Splice<ObjectMotion>,
    images: Splice<ImageDescription>,
    blocks: Splice<BlockDescription>,
    constraints: Splice<ConstraintDescription>,
    behaviours: Splice<BehaviourDescription>,
    /// Other settings.
    settings: Option<WorldSettings>,
}

impl PartsEdit {
    /// The edit that makes one description of another. `start` has the motion of the objects of the first one at the start:
    /// those that stay keep it, and those that are new begin where they are.
    pub(super) fn between(
        from: &WorldDescription,
        to: &WorldDescription,
        start: &[ObjectMotion],
    ) -> Self {
        let objects = Splice::between(&from.objects, &to.objects);
        let begin = |object: &ObjectDescription| {
            let before = from.objects.iter().position(|it| is_same(it, object));
            let kept = before.and_then(|at| start.get(at)).cloned();
            kept.unwrap_or_else(|| [object.state.clone(), object.velocity.clone()])
        };
        let entries = objects.entries.iter().map(begin).collect();
        Self {
            starts: Splice { at: objects.at, count: objects.count, entries },
            objects,
            images: Splice::between(&from.images, &to.images),
            blocks: Splice::between(&from.blocks, &to.blocks),
            constraints: Splice::between(&from.constraints, &to.constraints),
            behaviours: Splice::between(&from.behaviours, &to.behaviours),
            settings: Some(to.settings).filter(|it| *it != from.settings),
        }
    }

    /// True if it has other images.
    pub(super) fn has_images(&self) -> bool {
        !self.images.is_empty()
    }

    /// True if it changes nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
            && self.images.is_empty()
            && self.blocks.is_empty()
            && self.constraints.is_empty()
            && self.behaviours.is_empty()
            && self.settings.is_none()
    }

    /// Does it to a description in the state of now, and to the motion at the start; the edit that undoes it. Objects that
    /// are there before and after stay where they are.
    pub(super) fn apply(
        &self,
        description: &mut WorldDescription,
        start: &mut Vec<ObjectMotion>,
    ) -> Self {
        let objects = self.objects.apply(&mut description.objects);
        let new = &mut description.objects[self.objects.at..][..self.objects.entries.len()];
        for object in new {
            if let Some(before) = objects.entries.iter().find(|it| it.name == object.name) {
                keep_motion(before, object);
            }
        }
        Self {
            objects,
            starts: self.starts.apply(start),
            images: self.images.apply(&mut description.images),
            blocks: self.blocks.apply(&mut description.blocks),
            constraints: self.constraints.apply(&mut description.constraints),
            behaviours: self.behaviours.apply(&mut description.behaviours),
            settings: self.settings.map(|it| std::mem::replace(&mut description.settings, it)),
        }
    }
}

/// True if the states of two objects of one name mean the same.
fn is_same(a: &ObjectDescription, b: &ObjectDescription) -> bool {
    a.name == b.name
        && a.kind.name() == b.kind.name()
        && a.state.len() == b.state.len()
        && a.kind.state_names() == b.kind.state_names()
}

/// Takes the state over from an object of the same name, as far as its numbers mean the same.
pub(super) fn keep_motion(before: &ObjectDescription, object: &mut ObjectDescription) {
    if is_same(before, object) {
        (object.state, object.velocity) = (before.state.clone(), before.velocity.clone());
    } else if let (Some(old), Some(new)) = (before.kind.state_names(), object.kind.state_names()) {
        // A number that is new is 1 where it has no value of its own: radii and lengths are not 0.
        let own = std::mem::take(&mut object.state);
        let value = |(k, name): (usize, &String)| {
            let at = old.iter().position(|it| it == name);
            let kept = at.and_then(|at| before.state.get(at)).or(own.get(k));
            kept.copied().unwrap_or(1.0)
        };
        object.state = new.iter().enumerate().map(value).collect();
        object.velocity = Vec::new();
    }
}
