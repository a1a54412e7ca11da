//! Models of FEBio: .feb documents of the versions 2.0 to 4.0 as models. docs/reference/febio.md says what is read, what
//! it becomes and what is not; each kind of element and attribute that is not read is told. The mesh is read by
//! `sinew::io`.

mod blank;
mod boundary;
mod connectors;
mod contact;
mod control;
mod curves;
mod domains;
mod import;
mod laws;
mod loads;
mod materials;
mod parts;
mod prestrain;
mod rigid;
mod shells;
mod steps;
mod sticky;
mod surfaces;
mod ties;
mod units;
mod unread;
mod values;
mod walls;

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use sinew::io::{ReadOptions, open_file, read_febio_mesh};

use crate::diagnostic::{Diagnostic, Findings};
use crate::imported::{Imported, failed, plain_name, refused};
use crate::read::{LoadOptions, ModelFile};
use crate::report::Report;
use crate::solver::Solver;
use crate::source::{Source, read_bytes};
use crate::xml_tree::{self, Element};
use import::Import;
use units::Units;

/// Largest document \[byte\]: a mesh of some ten million elements.
const MAX_BYTES: u64 = 1 << 30;

/// Versions that are read.
const VERSIONS: [&str; 4] = ["2.0", "2.5", "3.0", "4.0"];

/// True if a path is that of a model of FEBio: a document with materials. One without is a mesh.
pub(crate) fn is_feb(path: &Path) -> bool {
    has_ending(path) && has_material(path).unwrap_or(false)
}

/// True if a path has the ending of documents of FEBio, models or meshes alone.
fn has_ending(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("feb"))
}

/// True if a document has a material. Those stand before the mesh, so that little of a model is read.
fn has_material(path: &Path) -> io::Result<bool> {
    let mut document = BufReader::new(open_file(path)?.take(MAX_BYTES));
    document.skip_until(b'<')?;
    let mut tag = Vec::new();
    while document.read_until(b'<', &mut tag)? > 0 {
        if tag.starts_with(b"material ") {
            return Ok(true);
        }
        tag.clear();
    }
    Ok(false)
}

/// Reads a document of FEBio.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Report> {
    let Document { root, source, bytes } = Document::open(path)?;
    let mut findings = Findings::default();
    let units = units_of(&root, &options.parameters, &mut findings);
    let options = ReadOptions::default();
    let file = read_febio_mesh(&bytes, path, &options);
    let file =
        file.map_err(|error| refused(Diagnostic::error(None, error.to_string()), &source))?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = plain_name(&stem.unwrap_or_default());
    let mut import = Import::new(&root, file.mesh, (units, name));
    import.findings = findings;
    file.notes.into_iter().for_each(|note| import.findings.note(root.span, note));
    import.document();
    let Import { model, places, findings, solver, .. } = import;
    let files = [path.to_owned()].into();
    let read = Imported { model, places, findings, sources: vec![source], files }.finish()?;
    Ok(ModelFile { solver, ..read })
}

/// Settings of the runs of a document.
pub(crate) fn load_solver(path: &Path, options: &LoadOptions) -> Solver {
    let Ok(Document { root, .. }) = Document::open(path) else { return Solver::default() };
    let mut findings = Findings::default();
    let units = units_of(&root, &options.parameters, &mut findings);
    control::read(&root, &units, &mut findings).solver
}

/// The parameters of a document, each with its default as text.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    let Document { root, .. } = Document::open(path)?;
    let name = units::named(&root).map_or("SI", |it| it.text.as_str()).to_owned();
    Ok(vec![("units".to_owned(), name)])
}

/// The units of a document, by the parameter `units` or by its own word.
fn units_of(root: &Element, given: &[(String, String)], findings: &mut Findings) -> Units {
    for (name, _) in given.iter().filter(|(name, _)| name != "units") {
        let message = format!("a document of FEBio has no parameter '{name}'");
        let help = "its parameter is units, such as units=mm-N-s; to give the mesh another material, name it in a \
                    model file: mesh = \"NAME.feb\"";
        findings.push(Diagnostic::error(None, message).help(help));
    }
    let own = units::named(root).map(|at| (at.text.as_str(), Some(at.span)));
    let given = given.iter().find(|(name, _)| name == "units");
    let given = given.map(|(_, value)| (value.as_str(), None));
    let Some((word, span)) = given.or(own) else { return Units::SI };
    Units::named(word).unwrap_or_else(|| {
        let message = format!("'{word}' is no system of units that is read");
        let error = Diagnostic::error(span, message);
        findings.push(error.help(format!("those are {}", units::NAMES.join(", "))));
        Units::SI
    })
}

/// A document, and what it was read from.
struct Document {
    root: Element,
    source: Source,
    bytes: Vec<u8>,
}

impl Document {
    fn open(path: &Path) -> Result<Self, Report> {
        let bytes = read_bytes(path, MAX_BYTES).map_err(failed)?;
        let text = decoded(&bytes).trim_start_matches('\u{feff}').to_owned();
        let parsed = xml_tree::parse(&blank::without_rows(&text), 0, xml_tree::DEEPEST);
        let source = Source { path: path.to_owned(), text };
        let root = parsed.map_err(|error| refused(error, &source))?;
        let version = root.attribute("version").map_or("", |it| it.value.as_str());
        if root.tag != "febio_spec" || !VERSIONS.contains(&version) {
            let message = format!("<{}> of version '{version}' is no model of FEBio", root.tag);
            let help = "documents <febio_spec> of version 2.0, 2.5, 3.0 and 4.0 are read (save it anew with FEBio Studio)";
            return Err(refused(root.refused(message).help(help), &source));
        }
        Ok(Self { root, source, bytes })
    }
}

/// FEBio writes ISO-8859-1, whose bytes are the first 256 characters.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect::<String>().into(),
    }
}
