//! Change sets: edits worked out in full, which can be looked at. How an edit becomes one stands in
//! `plan.rs`, how one is applied and undone in `run.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::component::path::quoted;
use crate::component::{Affine, ComponentId, Invalidates};
use crate::model::{Component, Meta, Model};
use crate::property::{DeclaredProperty, PropertyRef, Setting};

/// A parent and a number under it.
pub(crate) type ChildPosition = (ComponentId, u32);

/// A component that is added or removed.
#[derive(Clone, Debug)]
pub(crate) struct Existence {
    pub(crate) id: ComponentId,
    pub(crate) place: ChildPosition,
    /// The component with its appearance and declared properties, while it is not in the model.
    pub(crate) content: Option<Box<(Component, Meta)>>,
}

impl Existence {
    /// The child, its parent, and its step in paths; `None` while it is there.
    fn step(&self) -> Option<(ComponentId, ComponentId, String)> {
        let content = self.content.as_ref()?;
        let (parent, number) = self.place;
        let step = match content.0.name() {
            "" => number.to_string(),
            name => quoted(name),
        };
        Some((self.id, parent, step))
    }
}

/// The smallest change; each one can be turned back.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Insert(Existence),
    Remove(Existence),
    /// Exchanges a component for `other`, which then holds what was there.
    Swap {
        id: ComponentId,
        other: Box<Component>,
        invalidates: Invalidates,
        map: Option<Arc<Affine>>,
    },
    Move {
        id: ComponentId,
        from: ChildPosition,
        to: ChildPosition,
    },
    /// Exchanges the name for `other`.
    Rename {
        id: ComponentId,
        other: String,
    },
    /// Exchanges the setting for `other`.
    Set {
        property: PropertyRef,
        other: Setting,
        /// Settings of other properties that setting this one replaced.
        along: Vec<(PropertyRef, Setting)>,
    },
    /// Puts a declared property at a place among those of its component, or takes it from there.
    Declare {
        id: ComponentId,
        at: usize,
        /// The property, while the component does not have it.
        other: Option<DeclaredProperty>,
    },
}

impl Op {
    pub(super) fn id(&self) -> ComponentId {
        match self {
            Self::Insert(it) | Self::Remove(it) => it.id,
            Self::Swap { id, .. }
            | Self::Move { id, .. }
            | Self::Rename { id, .. }
            | Self::Declare { id, .. } => *id,
            Self::Set { property, .. } => property.host().component(),
        }
    }

    /// The component that it adds.
    pub(super) fn added(&self) -> Option<ComponentId> {
        matches!(self, Self::Insert(_)).then(|| self.id())
    }
}

/// Edits worked out for a model in one state of its tree: applied there, undone where they led to.
#[derive(Clone, Debug)]
pub struct ChangeSet {
    pub(crate) ops: Vec<Op>,
    /// The tree that it applies to, and the one that it leads to.
    pub(crate) before: u64,
    pub(crate) after: Option<u64>,
    pub(crate) applied: bool,
}

impl ChangeSet {
    /// Components that it adds, in order.
    pub fn added(&self) -> Vec<ComponentId> {
        self.ops.iter().filter_map(Op::added).collect()
    }

    /// Components that it deletes, descendants before their ancestors.
    pub fn deleted(&self) -> Vec<ComponentId> {
        self.filtered(|op| matches!(op, Op::Remove(_)))
    }

    /// Components that stay and are changed.
    pub fn changed(&self) -> Vec<ComponentId> {
        self.filtered(|op| !matches!(op, Op::Insert(_) | Op::Remove(_)))
    }

    /// Components that it deleted, with their parents and their steps in paths, while they are not there.
    pub(crate) fn removed_places(&self) -> Vec<(ComponentId, ComponentId, String)> {
        let gone = |op: &Op| match op {
            Op::Remove(it) => it.step(),
            _ => None,
        };
        self.ops.iter().filter_map(gone).collect()
    }

    /// The same of those that it added, while it is undone.
    pub(crate) fn inserted_places(&self) -> Vec<(ComponentId, ComponentId, String)> {
        let gone = |op: &Op| match op {
            Op::Insert(it) => it.step(),
            _ => None,
        };
        self.ops.iter().filter_map(gone).collect()
    }

    /// True if it is in force.
    pub fn is_applied(&self) -> bool {
        self.applied
    }

    fn filtered(&self, keep: impl Fn(&Op) -> bool) -> Vec<ComponentId> {
        self.ops.iter().filter(|op| keep(op)).map(Op::id).collect()
    }

    /// True if it does more than set properties.
    pub(super) fn is_structural(&self) -> bool {
        self.ops.iter().any(|op| !matches!(op, Op::Set { .. }))
    }
}

impl Model {
    /// Steps of `change`, a line each, with the paths of before it is applied; a new component goes
    /// by the path that it gets.
    pub fn preview(&self, change: &ChangeSet) -> Vec<String> {
        let mut added: BTreeMap<ComponentId, String> = BTreeMap::new();
        let mut lines = Vec::with_capacity(change.ops.len());
        for op in &change.ops {
            if let Op::Insert(it) = op {
                let path = path_among(self, &added, it.place.0);
                let step = match self.name_in(it) {
                    "" => it.place.1.to_string(),
                    name => quoted(name),
                };
                added.insert(it.id, format!("{}/{step}", path.trim_end_matches('/')));
            }
            lines.push(self.line(op, &added));
        }
        lines
    }

    fn name_in<'a>(&'a self, it: &'a Existence) -> &'a str {
        it.content.as_ref().map_or_else(|| self.store.name(it.id), |content| content.0.name())
    }

    fn line(&self, op: &Op, added: &BTreeMap<ComponentId, String>) -> String {
        let path = |id: ComponentId| path_among(self, added, id);
        match op {
            Op::Insert(it) => {
                let ((parent, number), name) = (it.place, self.name_in(it));
                let kind = it.id.kind.name();
                format!("add {kind} '{name}' as number {number} of {}", path(parent))
            }
            Op::Remove(it) => format!("delete {}", path(it.id)),
            Op::Swap { id, map: Some(_), .. } => format!("transform {}", path(*id)),
            Op::Swap { id, .. } => format!("change {}", path(*id)),
            Op::Move { id, to, .. } => format!("move {} to {}", path(*id), path(to.0)),
            Op::Rename { id, other } => format!("rename {} to '{other}'", path(*id)),
            Op::Declare { id, other: Some(it), .. } => {
                format!("declare {}:{}", path(*id), it.info.name)
            }
            Op::Declare { id, at, other: None } => {
                let known = self.store.meta(*id).and_then(|meta| meta.declared.get(*at));
                format!("undeclare {}:{}", path(*id), known.map_or("", |it| it.info.name))
            }
            Op::Set { property, other, .. } => {
                let host = match added.get(&property.host().component()) {
                    Some(path) => format!("{path}:{}", property.info().name),
                    None => self.property_path(property),
                };
                format!("set {host} to {other}")
            }
        }
    }
}

fn path_among(model: &Model, added: &BTreeMap<ComponentId, String>, id: ComponentId) -> String {
    added.get(&id).cloned().unwrap_or_else(|| model.path(id))
}
