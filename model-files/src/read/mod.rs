//! From files to a model: trees first, then components without properties, then their properties,
//! so that every reference finds its target. Every error is kept, and reading goes on.

mod body;
mod check;
mod component;
mod declared;
mod defaults;
mod faults;
mod group;
mod include;
mod joint;
mod loads;
mod mesh;
mod mesh_table;
mod panels;
mod path_error;
mod probes;
mod properties;
mod section;
mod select;
mod shape;
mod solids;
mod spelling;
mod surface_file;
mod tissue;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use sinew::component::{Address, ComponentId, ROOT};
use sinew::model::{Affine, CodeRegistry, Draft, Model};

use crate::diagnostic::{Diagnostic, Findings};
use crate::fields::Field;
use crate::inverse::Inverse;
use crate::report::Report;
use crate::solver::Solver;
use crate::source::{Folders, Source, read_text};
use crate::tree::{Node, Span, Table, Tree};
use crate::units::Units;
use crate::{json_text, migrate, parameters, toml_text, tree};
pub(crate) use body::INERTIA_KEYS;
pub use check::check;
use group::GroupContext;
use mesh::MeshCache;
pub(crate) use mesh::{SURFACE_KEYS, VOLUME_KEYS};
pub(crate) use select::SELECTION_KEYS;
pub(crate) use shape::SHAPE_KEYS;
use shape::ShapeCollider;
pub(crate) use solids::SOLIDS;
pub(crate) use tissue::PARTS;

/// Options for reading a file.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The folder that no file which is named may lead out of; that of the model file without one.
    pub root: Option<PathBuf>,
    /// Values of parameters: names, and values as they would stand in TOML, or else text.
    pub parameters: Vec<(String, String)>,
    /// Registered code that components of the file may name.
    pub code: Arc<CodeRegistry>,
}

/// A model as read from a file, with all that the file says about its use.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// The model.
    pub model: Model,
    /// Settings of its runs.
    pub solver: Solver,
    /// Motions to follow, with absolute paths of what has one; the file of them is named as from the working directory.
    pub inverse: Inverse,
    /// All files that it was read from, each once: the file itself, those that it includes, meshes and
    /// tables.
    pub files: Vec<PathBuf>,
    /// Warnings and notes.
    pub report: Report,
    /// Places of components in the file, by path.
    pub(crate) places: BTreeMap<String, Span>,
}

/// Reads a model file: JSON if it ends in `.json` or begins with `{`, TOML otherwise.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Box<Report>> {
    Reader::new(path, options).and_then(|reader| reader.load(path, options)).map_err(Box::new)
}

/// Settings of runs in a model file; nothing where it cannot be read, which [`load`] tells.
pub(crate) fn load_solver(path: &Path, options: &LoadOptions) -> Solver {
    let found = Reader::new(path, options).ok().and_then(|mut reader| {
        let top = reader.parse(path, None)?;
        let given = reader.given(options);
        let table = reader.prepared(&top, &given)?.table()?.clone();
        let units = reader.units_of(&table);
        let (folder, defaults) = (folder_of(path), Rc::default());
        reader.scopes.push(Scope { folder, units, defaults, chain: Vec::new(), prefix: None });
        let solver = reader.solver(&table);
        solver.filter(|_| reader.findings.error_count == 0)
    });
    found.unwrap_or_default()
}

/// The parameters that a model file declares, each with its default as text.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    let mut reader = Reader::new(path, &LoadOptions::default())?;
    let top = reader.parse(path, None);
    match top.as_ref().and_then(Node::table) {
        Some(table) if reader.findings.error_count == 0 => Ok(parameters::declared(table)),
        _ => Err(reader.report()),
    }
}

/// Meaning of one file's numbers and names.
#[derive(Clone, Debug)]
struct Scope {
    folder: PathBuf,
    units: Units,
    /// Default values of components of each kind, by their keys.
    defaults: Rc<Table>,
    /// The file that includes this one's, the nearest first: the way back up.
    chain: Vec<PathBuf>,
    /// Of an included file: what absolute paths in it begin with, and what that is here.
    prefix: Option<[String; 2]>,
}

/// A table whose properties are still to be set.
#[derive(Clone, Debug)]
struct Job {
    host: Address,
    /// The mechanical model that relative paths begin at.
    start: ComponentId,
    table: Rc<Table>,
    scope: usize,
    fields: Rc<Vec<Field>>,
}

/// Origin of a component.
#[derive(Clone, Debug)]
struct Origin {
    span: Span,
    table: Rc<Table>,
}

struct Reader {
    findings: Findings,
    sources: Vec<Source>,
    folders: Folders,
    draft: Draft,
    scopes: Vec<Scope>,
    jobs: Vec<Job>,
    /// Tables that probes and panels may stand in, and where these are to be.
    probe_tables: Vec<(Rc<Table>, GroupContext)>,
    origins: BTreeMap<ComponentId, Origin>,
    faulty: BTreeSet<ComponentId>,
    placements: Vec<(ComponentId, Affine, Span)>,
    /// Of bodies with a shape.
    colliders: Vec<ShapeCollider>,
    meshes: MeshCache,
    trees: HashMap<PathBuf, (u32, Node)>,
    fields: HashMap<String, Rc<Vec<Field>>>,
    /// Text of all instances of included files [byte].
    included_bytes: u64,
    instances: usize,
    files: BTreeSet<PathBuf>,
}

impl Reader {
    fn new(path: &Path, options: &LoadOptions) -> Result<Self, Report> {
        let folder = options.root.clone().unwrap_or_else(|| folder_of(path));
        let folders = Folders::new(&folder).map_err(|error| {
            let mut findings = Findings::default();
            findings.push(Diagnostic::error(None, error.to_string()));
            Report { findings, sources: Vec::new() }
        })?;
        let mut draft = Draft::new("");
        draft.set_code(options.code.clone());
        Ok(Self {
            findings: Findings::default(),
            sources: Vec::new(),
            folders,
            draft,
            scopes: Vec::new(),
            jobs: Vec::new(),
            probe_tables: Vec::new(),
            origins: BTreeMap::new(),
            faulty: BTreeSet::new(),
            placements: Vec::new(),
            colliders: Vec::new(),
            meshes: MeshCache::default(),
            trees: HashMap::new(),
            fields: HashMap::new(),
            included_bytes: 0,
            instances: 0,
            files: BTreeSet::new(),
        })
    }

    fn load(mut self, path: &Path, options: &LoadOptions) -> Result<ModelFile, Report> {
        if let Some(result) = self.version_0(path) {
            return result;
        }
        let Some(top) = self.parse(path, None) else { return Err(self.report()) };
        let given = self.given(options);
        let Some(top) = self.prepared(&top, &given) else { return Err(self.report()) };
        let table = top.table().cloned().unwrap_or_default();
        let main = self.main(path, &table, top.span);
        self.add_colliders();
        self.set_all();
        self.place_all();
        self.find_faults();
        let solver = self.solver(&table).unwrap_or_default();
        let inverse = self.inverse(&table, main.unwrap_or(ROOT));
        self.panels_of_root(main, &table);
        self.probes();
        if self.findings.error_count > 0 {
            return Err(self.report());
        }
        self.finish(solver, inverse)
    }

    fn finish(mut self, solver: Solver, inverse: Inverse) -> Result<ModelFile, Report> {
        let draft = std::mem::replace(&mut self.draft, Draft::new(""));
        let place = |(id, origin): (&ComponentId, &Origin)| (draft.model().path(*id), origin.span);
        let files = std::mem::take(&mut self.files).into_iter().collect();
        let places = self.origins.iter().map(place).collect();
        match draft.finish() {
            Ok(model) => {
                let report = self.report();
                Ok(ModelFile { model, solver, inverse, files, report, places })
            }
            Err(error) => {
                self.findings.push(Diagnostic::error(None, error.to_string()));
                Err(self.report())
            }
        }
    }

    /// A file of version 0, if it is one: it comes with a note.
    fn version_0(&mut self, path: &Path) -> Option<Result<ModelFile, Report>> {
        let text = read_text(path).ok()?;
        let read = migrate::version_0(&text, 0)?;
        self.sources.push(Source { path: path.to_owned(), text });
        let report = |reader: &mut Self| Report {
            findings: std::mem::take(&mut reader.findings),
            sources: std::mem::take(&mut reader.sources),
        };
        let model = match read {
            Ok(model) => model,
            Err(error) => {
                self.findings.push(error);
                return Some(Err(report(self)));
            }
        };
        let message = "the file is a document of version 0; 'sinew save' writes it as a model file";
        self.findings.note(tree::Span::default(), message);
        let (solver, inverse) = (Solver::default(), Inverse::default());
        let (report, places) = (report(self), BTreeMap::new());
        let files = vec![path.to_owned()];
        Some(Ok(ModelFile { model, solver, inverse, files, report, places }))
    }

    /// Report of all findings, in the order of the lines; those about no line come last.
    fn report(mut self) -> Report {
        let place = |found: &Diagnostic| found.span.map_or((u32::MAX, 0), |at| (at.file, at.start));
        self.findings.list.sort_by_key(place);
        Report { findings: self.findings, sources: self.sources }
    }

    /// The top table of a file, read once however often it is included.
    fn parse(&mut self, path: &Path, named_at: Option<Span>) -> Option<Node> {
        if let Some((file, tree)) = self.trees.get(path) {
            self.included_bytes += self.sources[*file as usize].text.len() as u64;
            return Some(tree.clone());
        }
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) => {
                self.findings.push(Diagnostic::error(named_at, error.to_string()));
                return None;
            }
        };
        self.files.insert(path.to_owned());
        let file = self.sources.len() as u32;
        let named_json = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
        let json = named_json || text.trim_start().starts_with('{');
        let parse = if json { json_text::parse } else { toml_text::parse };
        let tree = parse(&text, file, &mut self.findings);
        self.included_bytes += text.len() as u64;
        self.sources.push(Source { path: path.to_owned(), text });
        let Tree::Table(_) = tree.value else {
            self.findings.error(|| Diagnostic::error(tree.span, "a model file is a table of keys"));
            return None;
        };
        let tree = migrate::current(tree, &mut self.findings)?;
        self.trees.insert(path.to_owned(), (file, tree.clone()));
        Some(tree)
    }

    /// The tree with its parameters in place.
    fn prepared(&mut self, top: &Node, given: &Table) -> Option<Node> {
        let table = top.table()?;
        let declared = crate::tree::get(table, "parameters");
        let values = parameters::values(declared, given, &mut self.findings);
        let rest: Table = table.iter().filter(|e| e.key != "parameters").cloned().collect();
        let rest = Node { span: top.span, value: Tree::Table(Rc::new(rest)) };
        Some(parameters::substitute(&rest, &values, &mut self.findings))
    }

    /// Parameters of the command line, as a file of their own.
    fn given(&mut self, options: &LoadOptions) -> Table {
        let mut table = Table::new();
        for (name, value) in &options.parameters {
            let file = self.sources.len() as u32;
            let text = format!("{name} = {value}\n");
            let mut trial = Findings::default();
            let mut tree = toml_text::parse(&text, file, &mut trial);
            let mut path = PathBuf::from("parameter");
            if trial.error_count > 0 {
                let quoted = toml::Value::String(value.clone()).to_string();
                tree = toml_text::parse(&format!("{name} = {quoted}\n"), file, &mut self.findings);
                path = PathBuf::from(format!("parameter {name}"));
            }
            self.sources.push(Source { path, text });
            table.extend(tree.table().iter().flat_map(|table| table.iter().cloned()));
        }
        table
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
