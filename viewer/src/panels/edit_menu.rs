//! The menu of edits: all that can be done to what is selected. What needs an entry asks for it in a form.

use egui::{Button, ScrollArea, Ui};
use sinew::component::{ComponentId, Kind};
use sinew::editing::{DuplicateScope, EditCommand};
use sinew::schedule::Command;
use sinew::snapshot::Outline;

use super::Actions;

/// An edit that asks for an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditForm {
    /// Another name.
    Rename {
        /// Path of the component.
        path: String,
        /// Its name now.
        name: String,
    },
    /// Another parent.
    Move {
        /// Path of the component.
        path: String,
    },
    /// A new component.
    Add {
        /// Its kind.
        kind: Kind,
        /// Path of the container that it goes to; empty for the first mechanical model.
        parent: String,
        /// Paths of what is selected, for its references.
        selected: Vec<String>,
    },
    /// Nodes of a tissue that are to be fixed.
    AddSupport {
        /// Path of the tissue.
        path: String,
    },
    /// A support of a tissue that is to go.
    RemoveSupport {
        /// Path of the tissue.
        path: String,
    },
    /// A map of space.
    Transform {
        /// Paths of the components.
        paths: Vec<String>,
    },
}

/// Kinds that hold others.
fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::RootModel | Kind::MechModel | Kind::ComponentList | Kind::ReferenceList)
}

/// True if components of a kind can be points that follow others.
fn is_point(kind: Kind) -> bool {
    matches!(kind, Kind::Particle)
}

/// Kinds that a component can be added of, by name.
fn kinds() -> Vec<Kind> {
    let code = [Kind::RootModel, Kind::CustomForce, Kind::CustomConstrainer, Kind::CustomJoint];
    let mut kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|it| !code.contains(it)).collect();
    kinds.sort_by_key(|kind| kind.name());
    kinds
}

/// Paths of components, in their order.
pub(crate) fn paths(outline: &Outline, ids: &[ComponentId]) -> Vec<String> {
    ids.iter().filter_map(|&id| Some(outline.path(outline.row(id)?))).collect()
}

/// Draws the menu for what is selected. Paths are made for what is clicked alone: very many components can be selected.
pub(crate) fn edit_menu(
    ui: &mut Ui,
    outline: &Outline,
    selected: &[ComponentId],
    actions: &mut Actions,
) {
    let mut edit =
        |ui: &mut Ui, enabled: bool, name: &str, hint: &str, command: &dyn Fn() -> EditCommand| {
            if ui.add_enabled(enabled, Button::new(name)).on_hover_text(hint).clicked() {
                actions.commands.push(Command::Edit(vec![command()]));
                ui.close();
            }
        };
    let some = !selected.is_empty() && !selected.contains(&sinew::component::ROOT);
    let all = || paths(outline, selected);
    let hint = "With all that cannot be without it";
    edit(ui, some, "Delete", hint, &|| EditCommand::Delete { paths: all() });
    let duplicate = |scope| EditCommand::Duplicate { paths: all(), scope };
    edit(ui, some, "Duplicate", "A copy of it", &|| duplicate(DuplicateScope::Alone));
    let hint = "A copied muscle has ends of its own";
    let with_ends = || duplicate(DuplicateScope::WithReferences);
    edit(ui, some, "Duplicate with ends", hint, &with_ends);
    if let [before @ .., last] = selected
        && let Some(to) = paths(outline, &[*last]).pop().filter(|_| !before.is_empty())
    {
        let name = format!("Attach to {}", to.rsplit('/').next().unwrap_or_default());
        let hint = "What was selected before follows what was selected last";
        let attach = || EditCommand::Attach { points: paths(outline, before), to: to.clone() };
        edit(ui, is_point(selected[0].kind()), &name, hint, &attach);
    }
    let is_point = |id: &&ComponentId| is_point(id.kind());
    if selected.iter().any(|id| is_point(&id)) {
        let points = || selected.iter().filter(is_point).copied().collect::<Vec<_>>();
        let detach = || EditCommand::Detach { points: paths(outline, &points()) };
        edit(ui, true, "Detach", "It follows nobody", &detach);
    }
    forms(ui, outline, selected, actions);
}

/// Edits that ask for an entry.
fn forms(ui: &mut Ui, outline: &Outline, selected: &[ComponentId], actions: &mut Actions) {
    let some = !selected.is_empty() && !selected.contains(&sinew::component::ROOT);
    let mut ask = |ui: &mut Ui, enabled: bool, name: &str, form: &dyn Fn() -> EditForm| {
        if ui.add_enabled(enabled, Button::new(name)).clicked() {
            actions.form = Some(form());
            ui.close();
        }
    };
    let all = || paths(outline, selected);
    let only = if selected.len() == 1 { all().pop().unwrap_or_default() } else { String::new() };
    let single = some && !only.is_empty();
    let rename = || {
        let name = only.rsplit('/').next().unwrap_or_default().to_owned();
        EditForm::Rename { path: only.clone(), name }
    };
    ask(ui, single, "Rename...", &rename);
    ask(ui, single, "Move to...", &|| EditForm::Move { path: only.clone() });
    ask(ui, some, "Transform...", &|| EditForm::Transform { paths: all() });
    if single && selected.first().is_some_and(|id| id.kind() == Kind::FemModel) {
        ask(ui, true, "Fix nodes...", &|| EditForm::AddSupport { path: only.clone() });
        ask(ui, true, "Remove a support...", &|| EditForm::RemoveSupport { path: only.clone() });
    }
    ui.menu_button("Add", |ui| {
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            let holds = selected.first().is_some_and(|id| is_container(id.kind()));
            let parent = if holds && only != "/" { only.clone() } else { String::new() };
            for kind in kinds() {
                let add = || {
                    let selected = if holds { Vec::new() } else { all() };
                    EditForm::Add { kind, parent: parent.clone(), selected }
                };
                ask(ui, true, kind.name(), &add);
            }
        });
    });
}
