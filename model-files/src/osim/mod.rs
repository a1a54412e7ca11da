//! Models of OpenSim: .osim documents of the versions 2 to 4 as models, and models as such documents (`write`).
//! docs/reference/opensim.md says what is read, what it becomes and what is not; each kind of element that is not read
//! is told.

mod actuators;
mod bodies;
mod build;
mod constraints;
mod contacts;
mod degenerate;
mod fields;
mod forces;
mod frames;
mod geometry;
mod import;
mod joints;
mod muscles;
mod parameters;
mod paths;
mod place;
mod read_function;
mod records;
mod scapula;
mod springs;
mod unread;
mod wraps;
pub(crate) mod write;
mod xml;

use std::path::Path;

use sinew::model::Model;

use crate::imported::{Imported, failed, refused};
use crate::read::{LoadOptions, ModelFile};
use crate::report::Report;
use crate::source::{Folders, MAX_BYTES, Source, read_bytes};
use import::Import;
use xml::Element;

/// The least version of a document that is read; older ones have sets of other elements.
const LEAST_VERSION: u32 = 20000;

/// True if a path is that of a document of OpenSim.
pub fn is_osim(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("osim"))
}

/// Reads a document of OpenSim.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Report> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let root = options.root.clone().unwrap_or_else(|| folder.clone());
    let folders = Folders::new(&root).map_err(failed)?;
    let Document { root, version, source } = Document::open(path)?;
    let mut import = Import::new(folder, folders);
    import.files.insert(path.to_owned());
    import.document(&root, &version, &options.parameters);
    import.finish(vec![source])
}

/// The coordinates of a document, each with its default as text.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let folders = Folders::new(&folder).map_err(failed)?;
    let Document { root, source, .. } = Document::open(path)?;
    let mut import = Import::new(folder, folders);
    if let Some(model) = root.child("Model") {
        import.learn_defaults(&root);
        import.learn_defaults(model);
        import.joints(model);
    }
    match import.findings.error_count {
        0 => Ok(import.parameters()),
        _ => Err(Report { findings: import.findings, sources: vec![source] }),
    }
}

/// A document, and the text that it was read from.
struct Document {
    root: Element,
    version: String,
    source: Source,
}

impl Document {
    fn open(path: &Path) -> Result<Self, Report> {
        let bytes = read_bytes(path, MAX_BYTES).map_err(failed)?;
        // Credits of old files are not always UTF-8.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let parsed = xml::parse(&text, 0);
        let source = Source { path: path.to_owned(), text };
        let root = parsed.map_err(|error| refused(error, &source))?;
        let version = root.attribute("Version").map_or("", |it| it.value.as_str()).to_owned();
        Ok(Self { root, version, source })
    }
}

impl<'d> Import<'d> {
    fn document(&mut self, document: &'d Element, version: &str, given: &[(String, String)]) {
        document.mark();
        let number = version.trim().parse::<u32>();
        if document.tag != "OpenSimDocument" || number.is_err() {
            let message = format!("<{}> is no OpenSimDocument with a version", document.tag);
            return self.findings.push(fields::refused(document, message));
        }
        if number.is_ok_and(|it| it < LEAST_VERSION) {
            let message =
                format!("version {version} is older than {LEAST_VERSION}, the first that is read");
            let help = "load and save it with OpenSim 4";
            return self.findings.push(fields::refused(document, message).help(help));
        }
        let Some(model) = document.child("Model") else {
            let message = "the document has no <Model>: tools and data of OpenSim are not read";
            return self.findings.push(fields::refused(document, message));
        };
        self.learn_defaults(document);
        self.learn_defaults(model);
        self.model(model, given);
        unread::tell(document, &mut self.findings);
    }

    fn learn_defaults(&mut self, at: &'d Element) {
        let lists = at.children.iter().filter(|it| it.tag == "defaults");
        for class in lists.flat_map(|list| &list.mark().children) {
            self.defaults.entry(&class.tag).or_insert(class.mark());
        }
    }

    /// Reads bodies, frames and joints.
    fn joints(&mut self, model: &'d Element) {
        self.read_bodies(model);
        self.learn_frames(model, "");
        self.read_joints(model);
    }

    fn model(&mut self, model: &'d Element, given: &[(String, String)]) {
        self.model = Model::new(import::name(model.title()));
        self.check_units(model);
        let gravity = self.vector(model, "gravity");
        if let Some(gravity) = self.findings.take(gravity) {
            self.model.set_gravity(gravity.unwrap_or(sinew::Vec3::new(0.0, -9.80665, 0.0)));
        }
        self.joints(model);
        self.take_parameters(given);
        self.read_couplers(model);
        self.place_bodies();
        if self.findings.error_count > 0 {
            return;
        }
        self.add_bodies();
        self.add_joints();
        self.add_constraints(model);
        self.add_wrap_objects(model);
        self.add_contact_geometry(model);
        self.add_forces(model);
        self.add_markers(model);
        self.add_geometry();
    }

    /// Units are words that OpenSim does not look at: numbers are in m and N whatever they say.
    fn check_units(&mut self, model: &'d Element) {
        for (tag, usual) in [("length_units", "meters"), ("force_units", "N")] {
            let Some(unit) = model.child(tag) else { continue };
            if !unit.text.is_empty() && unit.text != usual {
                let message = format!(
                    "<{tag}> is '{}': numbers are taken in SI units, as OpenSim does",
                    unit.text
                );
                self.findings.warn(unit.span, message);
            }
        }
    }

    fn finish(self, sources: Vec<Source>) -> Result<ModelFile, Report> {
        let Self { model, places, findings, files, .. } = self;
        Imported { model, places, findings, sources, files }.finish()
    }
}
