//! Models in other files: a hand, twice, each with its parameters, its name and its place; and documents of other programs.

use std::path::{Path, PathBuf};

use sinew::component::ComponentId;
use sinew::model::{Affine, MechModel};
use sinew::property::{PropertyInfo, Value};

use super::group::{GroupContext, TOP_KEYS};
use super::value::value;
use super::{LoadOptions, Reader, Scope, folder_of};
use crate::diagnostic::Diagnostic;
use crate::report::Report;
use crate::source::Source;
use crate::tree::{Entry, Node, Span, Table, Tree, get};
use crate::write::{SaveOptions, to_json};
use crate::{json_text, open};

/// Files that include each other deeper than this go round in circles, or could as well.
const DEEPEST: usize = 16;

/// Most included files of a model, each time that it is included counted.
const MOST: usize = 1000;

/// Most text of all included files, each time counted [byte]: what is said ten times in ten files is ten
/// times as large in each.
const MOST_BYTES: u64 = 128 << 20;

/// Keys of an include.
pub(crate) const INCLUDE_KEYS: [&str; 4] = ["file", "name", "parameters", "placement"];

impl Reader {
    pub(super) fn includes(&mut self, node: &Node, place: GroupContext) {
        for item in self.list_of(node, "include") {
            let Some(table) = self.table_of(&item, "include") else { continue };
            if let Err(error) = self.include(&table, item.span, place) {
                self.findings.push(error);
            }
        }
    }

    fn include(
        &mut self,
        table: &Table,
        span: Span,
        place: GroupContext,
    ) -> Result<(), Diagnostic> {
        if let Some(entry) = table.iter().find(|e| !INCLUDE_KEYS.contains(&e.key.as_str())) {
            let message = format!("an include has no '{}'", entry.key);
            let known = INCLUDE_KEYS.into_iter();
            return Err(Diagnostic::unknown(entry.key_span, message, &entry.key, known));
        }
        let Some(file) = get(table, "file") else {
            return Err(Diagnostic::error(span, "an include needs a 'file'"));
        };
        let Some(name) = file.text() else {
            return Err(Diagnostic::error(file.span, "the path of a file is asked for"));
        };
        let scope = self.scopes[place.scope].clone();
        let path = self.folders.resolve(&scope.folder, name, file.span)?;
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        self.limits(&scope, &canonical, file.span)?;
        let given = get(table, "parameters").and_then(|node| self.table_of(node, "parameters"));
        let given: Vec<Entry> = given.map(|table| table.to_vec()).unwrap_or_default();
        let Some(top) = self.tree(&path, &given, file.span)? else { return Ok(()) };
        let own = self.text(table, "name");
        let id = self.instance(&top, own, (path, canonical), place, span)?;
        if let (Some(node), Some(id)) = (get(table, "placement"), id) {
            let map = placement(node, self.scopes[place.scope].units)?;
            self.placements.push((id, map, node.span));
        }
        Ok(())
    }

    /// The tree of an included file, with its parameters in place.
    fn tree(&mut self, path: &Path, given: &Table, span: Span) -> Result<Option<Node>, Diagnostic> {
        if open::is_of_another_program(path) {
            return self.imported(path, given, span);
        }
        let top = self.parse(path, Some(span));
        Ok(top.and_then(|top| self.prepared(&top, given)))
    }

    /// A document of another program as the tree of the model file that it would be saved as, with what is told of it.
    fn imported(
        &mut self,
        path: &Path,
        given: &[Entry],
        span: Span,
    ) -> Result<Option<Node>, Diagnostic> {
        let text = |entry: &Entry| match &entry.value.value {
            Tree::Text(text) => text.clone(),
            other => other.describe(),
        };
        let parameters = given.iter().map(|entry| (entry.key.clone(), text(entry))).collect();
        let root = Some(self.folders.root().to_owned());
        let options = LoadOptions { root, parameters, ..LoadOptions::default() };
        let file = match open::load(path, &options) {
            Ok(file) => file,
            Err(report) => {
                self.take_report(*report);
                return Ok(None);
            }
        };
        self.take_report(file.report);
        self.files.extend(file.files);
        let text = to_json(&file.model, &SaveOptions::default());
        let text = text.map_err(|error| Diagnostic::error(span, error.to_string()))?;
        self.included_bytes += text.len() as u64;
        let number = self.sources.len() as u32;
        let tree = json_text::parse(&text, number, &mut self.findings);
        let path = PathBuf::from(format!("{} as a model file", path.display()));
        self.sources.push(Source { path, text });
        Ok(Some(tree))
    }

    /// Takes over what was told of a file on its own.
    fn take_report(&mut self, report: Report) {
        let first = self.sources.len() as u32;
        self.sources.extend(report.sources);
        for mut found in report.findings.list {
            if let Some(span) = &mut found.span {
                span.file += first;
            }
            self.findings.push(found);
        }
    }

    /// Neither circles nor explosions.
    fn limits(&mut self, scope: &Scope, path: &PathBuf, span: Span) -> Result<(), Diagnostic> {
        self.instances += 1;
        let message = if scope.chain.contains(path) {
            format!("{} includes itself, by way of {} files", path.display(), scope.chain.len())
        } else if scope.chain.len() >= DEEPEST {
            format!("files include each other more than {DEEPEST} deep")
        } else if self.instances > MOST {
            format!("more than {MOST} files are included")
        } else if self.included_bytes > MOST_BYTES {
            format!("all included files have more than {MOST_BYTES} bytes together")
        } else {
            return Ok(());
        };
        Err(Diagnostic::error(span, message))
    }

    /// The components of an included file, in a mechanical model of their own.
    fn instance(
        &mut self,
        top: &Node,
        name: Option<String>,
        (path, canonical): (PathBuf, PathBuf),
        place: GroupContext,
        span: Span,
    ) -> Result<Option<ComponentId>, Diagnostic> {
        let Some(table) = top.table().cloned() else { return Ok(None) };
        if let Some(root) = table.iter().find(|entry| entry.key == "root") {
            let message = "a file with a [root] cannot be included: take [[mech_model]]";
            return Err(Diagnostic::error(root.key_span, message));
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let own = self.text(&table, "name").or(stem).unwrap_or_default();
        let name = name.unwrap_or_else(|| own.clone());
        let units = self.units_of(&table);
        let model = MechModel::new(name);
        let id = self.draft.add(place.parent, model, None);
        let id = id.map_err(|error| Diagnostic::error(span, error.to_string()))?;
        let from = sinew::model::Model::new(own.clone());
        let from = mech_path(from, own);
        let prefix = Some([from, self.draft.model().path(id)]);
        let mut chain = self.scopes[place.scope].chain.clone();
        chain.push(canonical);
        let defaults = self.defaults(&table);
        self.scopes.push(Scope { folder: folder_of(&path), units, defaults, chain, prefix });
        let scope = self.scopes.len() - 1;
        self.mech(&table, top.span, GroupContext { parent: id, start: id, scope }, &TOP_KEYS);
        Ok(Some(id))
    }
}

/// The path of the mechanical model of a file on its own.
fn mech_path(mut model: sinew::model::Model, name: String) -> String {
    let main = model.add(MechModel::new(name));
    model.path(main)
}

/// A rigid motion, from a pose.
fn placement(node: &Node, units: crate::units::Units) -> Result<Affine, Diagnostic> {
    let info: &PropertyInfo = sinew::component::Kind::RigidBody
        .properties()
        .into_iter()
        .find(|info| info.name == "pose")
        .ok_or_else(|| Diagnostic::error(node.span, "there are no poses"))?;
    let factors = units.cycle("m, -", 7);
    match value(node, info, units, &factors)? {
        Some(Value::Pose(pose)) => Ok(Affine {
            linear: pose.rotation.to_rotation_matrix().into_inner(),
            translation: pose.translation.vector,
        }),
        _ => Ok(Affine::translation(sinew::Vec3::zeros())),
    }
}
