//! Random trees under random edits: nothing dangles, everything is found, and every way back leads
//! to what was.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sinew::component::{Address, ComponentId, ROOT};
use sinew::model::{ChangeSet, Edit, EditError, History, Model};

use crate::world::{Draw, check, compiled, draws, edit, grown, text, walk};

/// A model with everything that is known of its past.
struct Life {
    model: Model,
    history: History,
    /// Text of the model after so many edits in force, where it was taken.
    texts: BTreeMap<usize, String>,
    in_force: usize,
    /// Every id that ever was.
    seen: BTreeSet<ComponentId>,
    gone: Vec<ComponentId>,
    refused: usize,
    applied: usize,
}

impl Life {
    fn of(model: Model) -> Self {
        let seen = walk(&model).into_iter().collect();
        let texts = BTreeMap::from([(0, text(&model))]);
        let (history, gone) = (History::default(), Vec::new());
        Self { model, history, texts, in_force: 0, seen, gone, refused: 0, applied: 0 }
    }

    /// Takes a draw for an edit, or for some steps back or forth. Texts are compared every `often`.
    fn live(&mut self, draw: Draw, often: usize) {
        match draw[0] % 10 {
            0 if draw[1].is_multiple_of(4) => (0..draw[2] % 60).for_each(|_| self.back()),
            0 => (0..draw[2] % 8).for_each(|_| self.back()),
            1 => (0..draw[2] % 12).for_each(|_| self.forth()),
            _ => {
                let draw = [draw[0] / 10, draw[1], draw[2], draw[3]];
                if let Some(edit) = edit(&self.model, &self.gone, draw) {
                    self.edit(edit, often);
                }
            }
        }
        self.nothing_dangles();
    }

    fn back(&mut self) {
        if self.history.undo(&mut self.model).unwrap() {
            self.in_force -= 1;
            self.compare();
        }
    }

    fn forth(&mut self) {
        if self.history.redo(&mut self.model).unwrap() {
            self.in_force += 1;
            self.compare();
        }
    }

    /// The model is what it was when this many edits were in force before.
    fn compare(&self) {
        if let Some(known) = self.texts.get(&self.in_force) {
            assert_eq!(*known, text(&self.model), "after {} edits", self.in_force);
        }
    }

    fn edit(&mut self, edit: Edit, often: usize) {
        let planned = match self.model.plan(edit.clone()) {
            Ok(planned) => planned,
            Err(refusal) => return self.refuse(edit, &refusal, often),
        };
        let before: BTreeSet<ComponentId> = walk(&self.model).into_iter().collect();
        let lines = self.model.preview(&planned);
        let ways: Vec<String> = planned.deleted().iter().map(|&id| self.model.path(id)).collect();
        let change = self.history.apply(&mut self.model, edit).unwrap().clone();
        self.applied += 1;
        assert_eq!((planned.added(), planned.deleted()), (change.added(), change.deleted()));
        assert_eq!(planned.changed(), change.changed());
        preview_was_right(&self.model, &lines, &ways, &change, &before);
        let created = change.added();
        let all_new = created.iter().all(|&id| self.seen.insert(id));
        assert!(all_new, "an id means another component than before: {created:?}");
        self.gone.extend(change.deleted());
        self.in_force += 1;
        self.texts.split_off(&self.in_force);
        if self.applied.is_multiple_of(often) {
            self.texts.insert(self.in_force, text(&self.model));
            self.everything_is_found();
        }
    }

    fn refuse(&mut self, edit: Edit, refusal: &EditError, often: usize) {
        self.refused += 1;
        // A plan cannot change the model; a batch that is done runs before it is refused.
        let looks = matches!(edit, Edit::Batch(_)) || self.refused.is_multiple_of(often);
        let before = looks.then(|| text(&self.model));
        let again = self.history.apply(&mut self.model, edit).map(|_| ()).unwrap_err();
        // Numbers that are not a number differ from themselves.
        assert_eq!(refusal.to_string(), again.to_string());
        if let Some(before) = before {
            assert_eq!(before, text(&self.model), "refused with '{refusal}'");
        }
    }

    fn nothing_dangles(&self) {
        let all: BTreeSet<ComponentId> = walk(&self.model).into_iter().collect();
        assert_eq!(all.len(), self.model.component_count());
        for &id in &all {
            self.model.visit_refs(id, &mut |reference| {
                assert!(all.contains(&reference.target), "{}", self.model.path(id));
            });
        }
    }

    fn everything_is_found(&self) {
        let all: BTreeSet<ComponentId> = walk(&self.model).into_iter().collect();
        for &id in all.iter().filter(|&&id| id != ROOT) {
            let path = self.model.path(id);
            assert_eq!(self.model.find(&path), Ok(Address::Component(id)), "{path}");
            let (name, parent) = (own_name(&self.model, id), self.model.parent(id));
            let first = parent.and_then(|parent| {
                self.model.children(parent).find(|&it| own_name(&self.model, it) == name)
            });
            let number = self.model.number(id).unwrap();
            let by_number = path.ends_with(&format!("/{number}"));
            assert_eq!(by_number, name.is_empty() || first != Some(id), "{path} '{name}'");
            let numbers = numbers(&self.model, id);
            assert_eq!(self.model.find(&numbers), Ok(Address::Component(id)), "{numbers}");
        }
        for &id in &self.seen {
            assert_eq!(self.model.contains(id), all.contains(&id));
        }
    }

    /// True if a model that is written and read is the same, and computes the same; false if it
    /// cannot be compiled.
    fn is_written_and_read(&self) -> bool {
        let written = text(&self.model);
        let read: Model = serde_json::from_str(&written).unwrap();
        assert_eq!(written, text(&read));
        let (here, there) = (compiled(&self.model), compiled(&read));
        assert_eq!(here, there);
        here.is_ok()
    }
}

/// The path by numbers alone.
fn numbers(model: &Model, id: ComponentId) -> String {
    let mut steps = Vec::new();
    let mut at = id;
    while let Some(parent) = model.parent(at) {
        steps.push(model.number(at).unwrap().to_string());
        at = parent;
    }
    steps.reverse();
    format!("/{}", steps.join("/"))
}

/// `lines` said what came about, `ways` being the paths of those who went.
fn preview_was_right(
    model: &Model,
    lines: &[String],
    ways: &[String],
    change: &ChangeSet,
    before: &BTreeSet<ComponentId>,
) {
    let after: BTreeSet<ComponentId> = walk(model).into_iter().collect();
    let net = |ids: Vec<ComponentId>, there: &BTreeSet<ComponentId>| -> BTreeSet<ComponentId> {
        ids.into_iter().filter(|id| there.contains(id)).collect()
    };
    let (come, went) = (net(change.added(), &after), net(change.deleted(), before));
    assert_eq!(come, after.difference(before).copied().collect());
    assert_eq!(went, before.difference(&after).copied().collect());
    // A batch may rename what it deletes, or move what it adds.
    let one = lines.iter().all(|line| line.starts_with("add"));
    if one {
        for (line, id) in lines.iter().zip(change.added()) {
            let (name, parent) = (own_name(model, id), model.parent(id).unwrap());
            let (kind, number) = (id.kind().name(), model.number(id).unwrap());
            let parent = model.path(parent);
            assert_eq!(*line, format!("add {kind} '{name}' as number {number} of {parent}"));
        }
    }
    if lines.iter().all(|line| line.starts_with("delete")) {
        let said: Vec<String> = ways.iter().map(|way| format!("delete {way}")).collect();
        assert_eq!(lines, said);
    }
}

fn own_name(model: &Model, id: ComponentId) -> String {
    let name = model.property_of(id, "name").unwrap();
    model.get_property(&name).unwrap().to_string()
}

fn lives(seeds: &[Draw], draws: &[Draw], often: usize) -> Life {
    let mut life = Life::of(grown(seeds));
    let start = text(&life.model);
    draws.iter().for_each(|&draw| life.live(draw, often));
    life.everything_is_found();
    let end = text(&life.model);
    let count = life.in_force;
    while life.in_force > 0 {
        life.back();
    }
    assert_eq!(start, text(&life.model), "undone to the start");
    life.everything_is_found();
    while life.in_force < count {
        life.forth();
    }
    assert_eq!(end, text(&life.model), "done again to the end");
    life
}

#[test]
fn small_trees_live_through_many_edits() {
    check(40, (draws(30), draws(150)), |(seeds, draws)| {
        lives(&seeds, &draws, 3).is_written_and_read();
    });
}

#[test]
fn a_tree_of_a_thousand_lives_through_ten_thousand_edits() {
    check(1, (draws(3200), draws(10_000)), |(seeds, draws)| {
        let life = lives(&seeds, &draws, 500);
        assert!(grown(&seeds).component_count() > 900, "{}", grown(&seeds).component_count());
        assert!(life.applied > 2500 && life.refused > 1000, "{} {}", life.applied, life.refused);
        life.is_written_and_read();
    });
}

#[test]
fn what_is_written_is_read_as_the_same_and_compiles_to_the_same() {
    check(60, draws(80), |seeds| {
        let life = Life::of(grown(&seeds));
        assert!(life.is_written_and_read(), "{:?}", compiled(&life.model));
    });
}

#[test]
fn a_lent_component_is_found_by_the_name_that_it_was_given() {
    check(40, (draws(40), any::<[u32; 2]>()), |(seeds, [which, how])| {
        use sinew::model::Particle;
        let mut model = grown(&seeds);
        let there: Vec<_> = model.iter::<Particle>().map(|it| it.0).collect();
        let Some(&one) = there.get(which as usize % there.len().max(1)) else { return };
        let to = ["fresh", "n14", "n17", ""][how as usize % 4];
        model[one].name = to.into();
        let mut life = Life::of(model);
        life.everything_is_found();
        // The next edit takes it in.
        life.model.edit(Edit::rename(ROOT, "root")).unwrap();
        life.everything_is_found();
        life.nothing_dangles();
    });
}
