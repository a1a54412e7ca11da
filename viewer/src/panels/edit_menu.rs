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

/// Draws the menu for what is selected.
pub(crate) fn edit_menu(
    ui: &mut Ui,
    outline: &Outline,
    selected: &[ComponentId],
    actions: &mut Actions,
) {
    let paths = paths(outline, selected);
    let mut edit = |ui: &mut Ui, enabled: bool, name: &str, hint: &str, command: EditCommand| {
        if ui.add_enabled(enabled, Button::new(name)).on_hover_text(hint).clicked() {
            actions.commands.push(Command::Edit(vec![command]));
            ui.close();
        }
    };
    let some = !paths.is_empty() && !selected.contains(&sinew::component::ROOT);
    let all = || paths.clone();
    edit(
        ui,
        some,
        "Delete",
        "With all that cannot be without it",
        EditCommand::Delete { paths: all() },
    );
    let duplicate = |scope| EditCommand::Duplicate { paths: all(), scope };
    edit(ui, some, "Duplicate", "A copy of it", duplicate(DuplicateScope::Alone));
    let hint = "A copied muscle has ends of its own";
    edit(ui, some, "Duplicate with ends", hint, duplicate(DuplicateScope::WithReferences));
    let points: Vec<String> = selected
        .iter()
        .zip(&paths)
        .filter(|(id, _)| is_point(id.kind()))
        .map(|(_, path)| path.clone())
        .collect();
    if let (true, Some(to)) = (paths.len() > 1, paths.last()) {
        let before = paths[..paths.len() - 1].to_vec();
        let attach = EditCommand::Attach { points: before, to: to.clone() };
        let name = format!("Attach to {}", to.rsplit('/').next().unwrap_or_default());
        let hint = "What was selected before follows what was selected last";
        edit(ui, is_point(selected[0].kind()), &name, hint, attach);
    }
    if !points.is_empty() {
        edit(ui, true, "Detach", "It follows nobody", EditCommand::Detach { points });
    }
    forms(ui, selected, &paths, actions);
}

/// Edits that ask for an entry.
fn forms(ui: &mut Ui, selected: &[ComponentId], paths: &[String], actions: &mut Actions) {
    let some = !paths.is_empty() && !selected.contains(&sinew::component::ROOT);
    let mut ask = |ui: &mut Ui, enabled: bool, name: &str, form: EditForm| {
        if ui.add_enabled(enabled, Button::new(name)).clicked() {
            actions.form = Some(form);
            ui.close();
        }
    };
    let only = if let [only] = paths { only.clone() } else { String::new() };
    let single = some && !only.is_empty();
    let name = only.rsplit('/').next().unwrap_or_default().to_owned();
    ask(ui, single, "Rename...", EditForm::Rename { path: only.clone(), name });
    ask(ui, single, "Move to...", EditForm::Move { path: only.clone() });
    ask(ui, some, "Transform...", EditForm::Transform { paths: paths.to_vec() });
    ui.menu_button("Add", |ui| {
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            let holds = selected.first().is_some_and(|id| is_container(id.kind()));
            let parent = if holds { only.clone() } else { String::new() };
            let parent = if parent == "/" { String::new() } else { parent };
            for kind in kinds() {
                let selected = if holds { Vec::new() } else { paths.to_vec() };
                let form = EditForm::Add { kind, parent: parent.clone(), selected };
                ask(ui, true, kind.name(), form);
            }
        });
    });
}
