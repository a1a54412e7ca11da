//! Models of OpenSim: .osim documents of the versions 2 to 4 as models. docs/reference/opensim.md says what is
//! read, what it becomes and what is not; each kind of element that is not read is told.

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
mod paths;
mod place;
mod read_function;
mod records;
mod springs;
mod unread;
mod wraps;
mod xml;

use std::path::Path;

use sinew::model::Model;

use crate::diagnostic::{Diagnostic, Findings};
use crate::imported::{Imported, failed};
use crate::read::{LoadOptions, ModelFile};
use crate::report::Report;
use crate::source::{Folders, MAX_BYTES, Source, read_bytes};
use import::Import;
use xml::Element;

/// The least version of a document that is read; older ones have sets of other elements.
const LEAST_VERSION: u32 = 20000;

/// True if a path is that of a document of OpenSim.
pub(crate) fn is_osim(path: &Path) -> bool {
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
    let bytes = read_bytes(path, MAX_BYTES).map_err(failed)?;
    // Credits of old files are not always UTF-8.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let parsed = xml::parse(&text, 0);
    let sources = vec![Source { path: path.to_owned(), text }];
    let (document, version) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let mut findings = Findings::default();
            findings.push(error);
            return Err(Report { findings, sources });
        }
    };
    let mut import = Import::new(folder, folders);
    if let Some((name, _)) = options.parameters.first() {
        import.findings.push(Diagnostic::error(
            None,
            format!("a document of OpenSim has no parameter '{name}'"),
        ));
    }
    import.files.insert(path.to_owned());
    import.document(&document, &version);
    import.finish(sources)
}

impl<'d> Import<'d> {
    fn document(&mut self, document: &'d Element, version: &str) {
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
        self.model(model);
        unread::tell(document, &mut self.findings);
    }

    fn learn_defaults(&mut self, at: &'d Element) {
        let lists = at.children.iter().filter(|it| it.tag == "defaults");
        for class in lists.flat_map(|list| &list.mark().children) {
            self.defaults.entry(&class.tag).or_insert(class.mark());
        }
    }

    fn model(&mut self, model: &'d Element) {
        self.model = Model::new(import::name(&model.name));
        self.check_units(model);
        let gravity = self.vector(model, "gravity");
        if let Some(gravity) = self.findings.take(gravity) {
            self.model.set_gravity(gravity.unwrap_or(sinew::Vec3::new(0.0, -9.80665, 0.0)));
        }
        self.read_bodies(model);
        self.learn_frames(model, "");
        self.read_joints(model);
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
