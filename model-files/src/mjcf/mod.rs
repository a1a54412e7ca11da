//! Models of MuJoCo: MJCF documents, and URDF, as models. docs/reference/mujoco.md says what is read, what it becomes and what is
//! not; each kind of element and attribute that is not read is told.

mod actuators;
mod build;
mod compiler;
mod contacts;
mod coordinates;
mod defaults;
mod equality;
mod geoms;
mod import;
mod include;
mod keys;
mod lengths;
mod lines;
mod meshes;
mod orient;
mod pose;
mod pyramids;
mod records;
mod tendons;
mod tree;
mod unread;
mod urdf;
mod view;

use std::path::{Path, PathBuf};

use sinew::model::Model;

use crate::diagnostic::Findings;
use crate::imported::{Imported, failed, plain_name};
use crate::read::{LoadOptions, ModelFile};
use crate::report::Report;
use crate::xml_tree as xml;
use import::Import;
use include::Files;
use lengths::Lengths;
use xml::Element;

/// Endings of documents of MuJoCo, and of the robots that it reads too.
const ENDINGS: [&str; 3] = ["xml", "mjcf", "urdf"];

/// True if a path is that of a document of MuJoCo, or a URDF.
pub(crate) fn is_mjcf(path: &Path) -> bool {
    let is = |ending: &std::ffi::OsStr| ENDINGS.iter().any(|it| ending.eq_ignore_ascii_case(it));
    path.extension().is_some_and(is)
}

/// Reads a document of MuJoCo, or a URDF.
///
/// # Errors
/// A [`Report`] with everything that is wrong with it.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<ModelFile, Report> {
    let Opened { document, mut files, findings, is_urdf } = opened(path, options)?;
    let sources = std::mem::take(&mut files.sources);
    let mut import = Import::new(files);
    import.findings = findings;
    let given = options.parameters.iter().filter(|it| !is_urdf || it.0 != urdf::BASE);
    import.document(&document, &given.cloned().collect::<Vec<_>>());
    let Import { model, places, findings, files, .. } = import;
    Imported { model, places, findings, sources, files: files.files }.finish()
}

/// The parameters of a document, each with its default as text: a keyframe, and coordinates.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn declared_parameters(path: &Path) -> Result<Vec<(String, String)>, Report> {
    let opened = opened(path, &LoadOptions::default())?;
    let Opened { document, mut files, findings, is_urdf } = opened;
    let sources = std::mem::take(&mut files.sources);
    let mut import = Import::new(files);
    import.findings = findings;
    import.read_settings(&document);
    document.all("worldbody").for_each(|at| import.read_world(at));
    if import.findings.error_count > 0 {
        return Err(Report { findings: import.findings, sources });
    }
    let joints = import.bodies.iter().flat_map(|body| &body.joints);
    let joints = joints.filter(|it| it.kind.is_scalar());
    let values = joints.map(|it| (it.name.clone(), format!("{}", it.value)));
    let own = match is_urdf {
        true => (urdf::BASE.to_owned(), "fixed".to_owned()),
        false => ("key".to_owned(), String::new()),
    };
    Ok(std::iter::once(own).chain(values).collect())
}

/// A document before its import.
struct Opened {
    /// Its root element with all that it includes.
    document: Element,
    files: Files,
    findings: Findings,
    /// True if it says what a URDF said.
    is_urdf: bool,
}

/// The document of a path.
fn opened(path: &Path, options: &LoadOptions) -> Result<Opened, Report> {
    let root = options.root.clone().unwrap_or_else(|| root_of(path));
    let mut files = Files::new(path, &root).map_err(failed)?;
    let mut findings = Findings::default();
    let document = files.document(path, &mut findings);
    let document = document.filter(|_| findings.error_count == 0);
    let is_urdf = document.as_ref().is_some_and(|it| it.tag == "robot");
    let document = document.and_then(|document| match is_urdf {
        false => Some(document),
        true => {
            let base = options.parameters.iter().rev().find(|it| it.0 == urdf::BASE);
            let base = base.map(|it| it.1.as_str());
            let made = urdf::translated(&document, &files, base, &mut findings);
            findings.take(made)
        }
    });
    match document {
        Some(document) => Ok(Opened { document, files, findings, is_urdf }),
        None => Err(Report { findings, sources: files.sources }),
    }
}

/// The folder that no file may lead out of: that around the folder of the document, as models have their meshes beside
/// it.
fn root_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.parent().map(Path::to_owned).unwrap_or(folder)
}

impl<'d> Import<'d> {
    fn document(&mut self, root: &'d Element, given: &[(String, String)]) {
        if root.mark().tag != "mujoco" {
            let message = format!("<{}> is no model of MuJoCo", root.tag);
            let help = match root.tag.as_str() {
                "mujocoinclude" => "this part is included by another file: name that",
                _ => "it begins with <mujoco>",
            };
            return self.findings.push(root.refused(message).help(help));
        }
        self.model = Model::new(plain_name(root.attribute("model").map_or("", |it| &it.value)));
        self.read_settings(root);
        for at in root.all("worldbody") {
            self.read_world(at);
        }
        if self.bodies.is_empty() {
            let message = "the document has no <worldbody>: it is a scene without bodies";
            self.findings.note(root.span, message.to_owned());
            return unread::tell(root, &mut self.findings);
        }
        self.number_coordinates();
        self.take_parameters(root, given);
        self.read_dependents(root);
        self.place_bodies();
        if self.findings.error_count > 0 {
            return;
        }
        self.build(root);
        unread::tell(root, &mut self.findings);
    }

    fn read_settings(&mut self, root: &'d Element) {
        for at in root.all("compiler") {
            let read = self.compiler.read(at);
            self.findings.take(read);
        }
        for at in root.all("option") {
            let read = self.compiler.read_option(at, &mut self.findings);
            self.findings.take(read);
        }
        self.model.set_gravity(self.compiler.gravity);
        for at in root.all("default") {
            self.defaults.learn(at, &mut self.findings);
        }
        for at in root.all("asset").flat_map(|list| list.mark().all("mesh")) {
            let view = self.defaults.view(at, &["mesh"], None);
            if let Some(view) = self.findings.take(view) {
                self.learn_mesh(view);
            }
        }
    }

    fn build(&mut self, root: &'d Element) {
        self.add_bodies();
        if self.findings.error_count > 0 {
            return;
        }
        self.read_tendons(root);
        self.read_actuators(root);
        self.add_markers();
        let mut lengths = Lengths::of(self);
        self.add_lines(&mut lengths);
        self.add_joints();
        self.add_joint_springs();
        self.add_fixed_tendons();
        self.add_joint_actuators();
        if !self.compiler.is_off("equality") {
            self.add_equalities(root);
        }
        match self.compiler.is_off("contact") {
            true => root.all("contact").for_each(Element::mark_all),
            false => self.add_contacts(root),
        }
    }
}
