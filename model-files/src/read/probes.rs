//! The sections of probes: inputs and outputs with absolute paths, in SI; each fault of them at its
//! place. Panels stand in the same tables: `panels.rs`.

use std::path::Path;
use std::rc::Rc;

use serde::de::DeserializeOwned;
use sinew::component::{Address, ComponentId};
use sinew::model::Component;
use sinew_run_files::expression;
use sinew_run_files::spec::{InputProbeSpec, OutputProbeSpec, ProbeSet, TracingProbeSpec};
use sinew_run_files::{ProbeError, RecordingError, check_files};

use super::Reader;
use super::group::{GroupContext, PROBE_KEYS};
use super::path_error::PathError;
use crate::decode::decode;
use crate::diagnostic::Diagnostic;
use crate::fields::DECLARED;
use crate::tree::{Entry, Node, Span, Table, Tree, get};

/// Keys that all components have, beside those of probes.
const SHARED_KEYS: [&str; 3] = ["number", "render", DECLARED];

/// The absolute path of what a path means.
type Resolve = fn(&Reader, &str, ComponentId) -> Result<String, PathError>;

/// A probe that is read: its table, where it is to be, and its description.
struct Found<T> {
    item: Node,
    place: GroupContext,
    spec: T,
}

impl Reader {
    /// Adds the probes of all tables to the model.
    pub(super) fn probes(&mut self) {
        let (mut set, mut spans) = (ProbeSet::default(), Vec::new());
        for (table, place) in std::mem::take(&mut self.probe_tables) {
            for (item, spec) in self.decoded_list(&table, PROBE_KEYS[0]) {
                if let Some(spec) = self.input_probe(&item, spec, place.start) {
                    let made = spec.component(self.draft.model());
                    self.add_probe(Found { item, place, spec: made });
                }
            }
            for (item, spec) in self.decoded_list(&table, PROBE_KEYS[1]) {
                if let Some(spec) = self.output_probe(&item, spec, place.start) {
                    spans.push(span_of(&item, "file"));
                    set.output_probes.push(spec.clone());
                    let made = spec.component(self.draft.model());
                    self.add_probe(Found { item, place, spec: made });
                }
            }
            for (item, spec) in self.decoded_list(&table, PROBE_KEYS[2]) {
                if let Some(spec) = self.tracing_probe(&item, spec, place.start) {
                    spans.push(span_of(&item, "file"));
                    let spec = spec.as_output();
                    set.output_probes.push(spec.clone());
                    let made = spec.component(self.draft.model());
                    self.add_probe(Found { item, place, spec: made });
                }
            }
            for (item, panel) in self.decoded_list(&table, PROBE_KEYS[3]) {
                if let Some(made) = self.panel(&item, panel, place.start) {
                    self.add_probe(Found { item, place, spec: Ok(made) });
                }
            }
        }
        for (at, error) in check_files(&set.output_probes) {
            self.findings.error(|| Diagnostic::error(spans[at], error.to_string()));
        }
        self.set_all();
    }

    /// Puts a probe where its table stands; what all components may have is set later.
    fn add_probe<T: Into<Component>>(&mut self, found: Found<Result<T, ProbeError>>) {
        let Found { item, place, spec } = found;
        let Some(table) = item.table().cloned() else { return };
        let number = self.number(&table);
        let refused = |error: String| Diagnostic::error(item.span, error);
        let component: Component = match spec {
            Ok(component) => component.into(),
            Err(error) => return self.findings.push(refused(error.to_string())),
        };
        let kind = component.kind();
        match self.draft.add(place.parent, component, number) {
            Ok(id) => {
                let shared = |entry: &&Entry| SHARED_KEYS.contains(&entry.key.as_str());
                let table = Rc::new(table.iter().filter(shared).cloned().collect());
                self.properties_of(kind, id, &table, item.span, place);
            }
            Err(error) => self.findings.push(refused(error.to_string())),
        }
    }

    fn decoded_list<T: DeserializeOwned>(&mut self, table: &Table, key: &str) -> Vec<(Node, T)> {
        let Some(node) = get(table, key) else { return Vec::new() };
        let items = self.list_of(node, key).into_iter();
        let own = |item: &Node| {
            let mut item = item.clone();
            if let Tree::Table(table) = &mut item.value {
                let own = table.iter().filter(|it| !SHARED_KEYS.contains(&it.key.as_str()));
                *table = Rc::new(own.cloned().collect());
            }
            item
        };
        items
            .filter_map(|item| Some((item.clone(), decode(&own(&item), &mut self.findings)?)))
            .collect()
    }

    fn input_probe(
        &mut self,
        item: &Node,
        mut spec: InputProbeSpec,
        start: ComponentId,
    ) -> Option<InputProbeSpec> {
        let list = ("properties", &mut spec.properties[..]);
        let found = self.make_absolute(item, list, start, Self::property_path);
        if let Some(name) = &spec.file {
            let (name, folder) = (name.to_string_lossy(), &self.scopes.first()?.folder);
            let path = self.folders.resolve(folder, &name, span_of(item, "file"));
            let path = self.findings.take(path)?;
            self.files.insert(path.clone());
            spec.file = Some(path);
        }
        if !found {
            return None;
        }
        self.seconds([spec.start.as_mut(), spec.stop.as_mut()]);
        self.convert_data(&mut spec);
        self.warn_of_span(item, (spec.start.unwrap_or(0.0), spec.stop));
        let set = ProbeSet { input_probes: vec![spec.clone()], ..ProbeSet::default() };
        self.checked(item, &set).then_some(spec)
    }

    fn output_probe(
        &mut self,
        item: &Node,
        mut spec: OutputProbeSpec,
        start: ComponentId,
    ) -> Option<OutputProbeSpec> {
        let list = ("properties", &mut spec.properties[..]);
        let mut sound = self.make_absolute(item, list, start, Self::property_path);
        for (name, text) in &mut spec.expressions {
            match self.formula(&spec.name, text, start) {
                Ok(formula) => *text = formula,
                Err(error) => {
                    let span = in_table(item, "expressions", name);
                    self.findings.error(|| Diagnostic::error(span, error.to_string()));
                    sound = false;
                }
            }
        }
        self.seconds([Some(&mut spec.every), Some(&mut spec.start)]);
        self.seconds([spec.stop.as_mut(), None]);
        self.warn_of_span(item, (spec.start, spec.stop));
        let set = ProbeSet { output_probes: vec![spec.clone()], ..ProbeSet::default() };
        (sound && self.checked(item, &set)).then_some(spec)
    }

    fn tracing_probe(
        &mut self,
        item: &Node,
        mut spec: TracingProbeSpec,
        start: ComponentId,
    ) -> Option<TracingProbeSpec> {
        let list = ("points", &mut spec.points[..]);
        let sound = self.make_absolute(item, list, start, Self::point_path);
        self.seconds([Some(&mut spec.every), Some(&mut spec.start)]);
        self.seconds([spec.stop.as_mut(), None]);
        self.warn_of_span(item, (spec.start, spec.stop));
        let set = ProbeSet { tracing_probes: vec![spec.clone()], ..ProbeSet::default() };
        (sound && self.checked(item, &set)).then_some(spec)
    }

    /// Makes the paths of a list absolute; false where one leads nowhere.
    fn make_absolute(
        &mut self,
        item: &Node,
        (key, paths): (&str, &mut [String]),
        start: ComponentId,
        resolve: Resolve,
    ) -> bool {
        let mut all = true;
        for (k, path) in paths.iter_mut().enumerate() {
            match resolve(self, path, start) {
                Ok(absolute) => *path = absolute,
                Err(error) => {
                    let span = in_list(item, key, k);
                    self.findings.error(|| Diagnostic::error(span, error.to_string()));
                    all = false;
                }
            }
        }
        all
    }

    /// Tells of a probe that stops before it starts.
    fn warn_of_span(&mut self, item: &Node, (start, stop): (f64, Option<f64>)) {
        if let Some(stop) = stop.filter(|stop| *stop < start) {
            let message = format!("it starts at {start} s, and stops before, at {stop} s");
            self.findings.warn(span_of(item, "stop"), message);
        }
    }

    /// The absolute path of something that has a position.
    fn point_path(&self, path: &str, start: ComponentId) -> Result<String, PathError> {
        let model = self.draft.model();
        let at: Address = model.find_from(start.into(), path)?;
        model.property_of(at, "position")?;
        Ok(model.path(at))
    }

    /// A formula with absolute paths in its braces, if it can be read.
    fn formula(&self, probe: &str, text: &str, start: ComponentId) -> Result<String, PathError> {
        let (mut formula, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inner, behind)) = after.split_once('}') else { break };
            let Some((host, name)) = inner.trim().rsplit_once(':') else {
                return Err(PathError::NoProperty(inner.to_owned()));
            };
            let (host, model) = (if host.is_empty() { "." } else { host }, self.draft.model());
            let at = model.find_from(start.into(), host)?;
            formula += &format!("{before}{{{}:{name}}}", model.path(at));
            rest = behind;
        }
        formula += rest;
        expression::formula(probe, &formula, self.draft.model())?;
        Ok(formula)
    }

    /// Times from the unit of the file.
    fn seconds<const N: usize>(&self, times: [Option<&mut f64>; N]) {
        let Some(scope) = self.scopes.first() else { return };
        let factor = scope.units.factor("s");
        times.into_iter().flatten().for_each(|time| *time = factor.apply(*time));
    }

    /// Times and values of rows from the units of the file.
    fn convert_data(&self, spec: &mut InputProbeSpec) {
        let (Some(scope), model) = (self.scopes.first(), self.draft.model()) else { return };
        let mut factors = vec![scope.units.factor("s")];
        for property in spec.properties.iter().filter_map(|path| model.property(path).ok()) {
            let info = property.info();
            let count = info.value_type.numeric_size().unwrap_or(0);
            let cycle = scope.units.cycle(info.unit, count);
            factors.extend(cycle.into_iter().cycle().take(count));
        }
        for row in &mut spec.data {
            row.iter_mut().zip(&factors).for_each(|(x, factor)| *x = factor.apply(*x));
        }
    }

    /// True if the model takes a probe; what is wrong with it is kept.
    fn checked(&mut self, item: &Node, set: &ProbeSet) -> bool {
        let errors = set.check(self.draft.model(), Path::new(""));
        for error in &errors {
            let span = place_of(item, set, error);
            self.findings.error(|| Diagnostic::error(span, error.to_string()));
        }
        errors.is_empty()
    }
}

/// Place in the table of a probe that an error is about.
fn place_of(item: &Node, set: &ProbeSet, error: &ProbeError) -> Span {
    let key = match error {
        ProbeError::File {
            source: RecordingError::Column { column, .. } | RecordingError::Twice { column, .. },
            ..
        } => {
            let columns = set.input_probes.first().map_or(&[][..], |probe| &probe.columns);
            return in_list(
                item,
                "columns",
                columns.iter().position(|it| it == column).unwrap_or(0),
            );
        }
        ProbeError::Unfit { property, .. } => {
            let inputs = set.input_probes.iter().flat_map(|probe| &probe.properties);
            let outputs = set.output_probes.iter().flat_map(|probe| &probe.properties);
            let at = inputs.chain(outputs).position(|path| path == property);
            return in_list(item, "properties", at.unwrap_or(0));
        }
        ProbeError::File { .. } | ProbeError::SameFile { .. } | ProbeError::NoPlainName { .. } => {
            "file"
        }
        ProbeError::Width { .. } => "columns",
        ProbeError::Property { .. } | ProbeError::Formula { .. } | ProbeError::Field { .. } => {
            return item.span;
        }
    };
    let of_key = |key: &str| item.table().and_then(|table| get(table, key));
    let node = of_key(key).or_else(|| of_key("file")).or_else(|| of_key("data"));
    node.map_or(item.span, |node| node.span)
}

/// The place of the value of a key, or else of its table.
pub(super) fn span_of(item: &Node, key: &str) -> Span {
    item.table().and_then(|table| get(table, key)).map_or(item.span, |node| node.span)
}

/// The place of item `k` of the list of a key.
fn in_list(item: &Node, key: &str, k: usize) -> Span {
    let list = item.table().and_then(|table| get(table, key)).map(|node| &node.value);
    match list {
        Some(Tree::List(list)) => list.get(k).map_or(item.span, |node| node.span),
        _ => item.span,
    }
}

/// The place of the value of `name` in the table of a key.
fn in_table(item: &Node, key: &str, name: &str) -> Span {
    let table = item.table().and_then(|table| get(table, key)).and_then(Node::table);
    table.and_then(|table| get(table, name)).map_or(item.span, |node| node.span)
}
