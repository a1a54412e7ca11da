//! Forms of edits: a name, a parent, a new component, a map of space. What is refused is told, and the form stays.

use egui::{Grid, Key, TextEdit, Ui};
use sinew::component::Kind;
use sinew::editing::{EditCommand, EditTextError};
use sinew::property::PropertyType;

use super::request::Request;
use crate::panels::EditForm;

/// A field of a form.
struct Field {
    label: &'static str,
    hint: String,
    text: String,
}

/// A form, and what was wrong with its last entry.
pub(super) struct Form {
    form: EditForm,
    fields: Vec<Field>,
    refusal: Option<String>,
    /// True until its first field has the keyboard.
    fresh: bool,
}

fn field(label: &'static str, hint: impl Into<String>, text: impl Into<String>) -> Field {
    Field { label, hint: hint.into(), text: text.into() }
}

impl Form {
    pub(super) fn new(form: EditForm) -> Self {
        let fields = match &form {
            EditForm::Rename { name, .. } => vec![field("name", "its new name", name)],
            EditForm::Move { .. } => vec![field("parent", "path of a container or a model", "")],
            EditForm::AddSupport { .. } => vec![field("nodes", "their indices, from 0", "")],
            EditForm::RemoveSupport { .. } => vec![field("support", "its number, from 0", "0")],
            EditForm::Transform { .. } => vec![field(
                "map",
                "rotate 0 0 1.57 about 0 0 0, scale, mirror, affine or landmarks",
                "translate 0 0 0",
            )],
            EditForm::Add { kind, selected, .. } => fields_of(*kind, selected),
        };
        Self { form, fields, refusal: None, fresh: true }
    }

    fn title(&self) -> String {
        match &self.form {
            EditForm::Rename { path, .. } => format!("Rename {path}"),
            EditForm::Move { path } => format!("Move {path}"),
            EditForm::AddSupport { path } => format!("Fix nodes of {path}"),
            EditForm::RemoveSupport { path } => format!("Remove a support of {path}"),
            EditForm::Transform { paths } => match paths.as_slice() {
                [one] => format!("Transform {one}"),
                several => format!("Transform {} components", several.len()),
            },
            EditForm::Add { kind, .. } => format!("Add: {}", kind.name()),
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui) -> Option<Request> {
        ui.heading(self.title());
        Grid::new("fields of an edit").num_columns(2).show(ui, |ui| {
            for Field { label, hint, text } in &mut self.fields {
                ui.label(*label);
                let entry = TextEdit::singleline(text).hint_text(hint.as_str());
                let entry = ui.add(entry.desired_width(320.0));
                crate::panels::name(&entry, label);
                if std::mem::take(&mut self.fresh) {
                    entry.request_focus();
                }
                ui.end_row();
            }
        });
        if let Some(why) = &self.refusal {
            ui.colored_label(ui.visuals().warn_fg_color, why);
        }
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        if !(ui.button("Do it").clicked() || entered) {
            return None;
        }
        match self.command() {
            Ok(command) => Some(Request::Edit(command)),
            Err(why) => {
                self.refusal = Some(why.to_string());
                None
            }
        }
    }

    /// The edit that the entries ask for.
    fn command(&self) -> Result<EditCommand, EditTextError> {
        let first = self.fields.first().map(|field| field.text.trim().to_owned());
        let first = first.unwrap_or_default();
        Ok(match &self.form {
            EditForm::Rename { path, .. } => {
                EditCommand::Rename { path: path.clone(), name: first }
            }
            EditForm::Move { path } => EditCommand::Move { path: path.clone(), parent: first },
            EditForm::AddSupport { path } => match format!("add_support x {first}").parse()? {
                EditCommand::AddSupport { nodes, .. } => {
                    EditCommand::AddSupport { path: path.clone(), nodes }
                }
                other => other,
            },
            EditForm::RemoveSupport { path } => {
                EditCommand::RemoveSupport { path: format!("{path}/supports/{first}") }
            }
            EditForm::Transform { paths } => {
                let line = format!("transform \"{first}\" x");
                match line.parse()? {
                    EditCommand::Transform { map, options, .. } => {
                        EditCommand::Transform { paths: paths.clone(), map, options }
                    }
                    other => other,
                }
            }
            EditForm::Add { kind, parent, .. } => self.added(*kind, parent, &first)?,
        })
    }

    fn added(&self, kind: Kind, parent: &str, name: &str) -> Result<EditCommand, EditTextError> {
        let others = self.fields.last().map_or("", |field| field.text.as_str());
        let EditCommand::Add { properties: others, .. } =
            format!("add {} x {others}", kind.name()).parse()?
        else {
            return Err(EditTextError::Empty);
        };
        let references = &self.fields[1..self.fields.len() - 1];
        let given = references.iter().filter(|field| !field.text.trim().is_empty());
        let mut properties: Vec<(String, String)> =
            given.map(|field| (field.label.to_owned(), field.text.trim().to_owned())).collect();
        properties.extend(others);
        let path = if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") };
        Ok(EditCommand::Add { kind: kind.name().to_owned(), path, properties })
    }
}

/// A name, the references of a kind, of which the first take what is selected, and other properties.
fn fields_of(kind: Kind, selected: &[String]) -> Vec<Field> {
    let mut fields = vec![field("name", "a name", "")];
    let mut free = selected.iter();
    for info in kind.properties().into_iter().filter(|info| !info.read_only) {
        let text = match info.value_type {
            PropertyType::Path => free.next().cloned().unwrap_or_default(),
            PropertyType::Paths => free.by_ref().cloned().collect::<Vec<_>>().join(" "),
            _ => continue,
        };
        fields.push(field(info.name, info.doc, text));
    }
    fields.push(field("others", "NAME=VALUE ..", ""));
    fields
}
