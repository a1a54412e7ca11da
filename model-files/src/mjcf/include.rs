//! The document with all that it includes: each included file stands where it is named, once in a document.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::xml::{DEEPEST, Element, parse};
use crate::diagnostic::{Diagnostic, Findings};
use crate::source::{Folders, MAX_BYTES, Source, SourceError, read_bytes};

/// Files of a document.
pub(super) struct Files {
    /// Folder of the main file.
    pub(super) folder: PathBuf,
    pub(super) folders: Folders,
    pub(super) sources: Vec<Source>,
    /// All files, each once.
    pub(super) files: BTreeSet<PathBuf>,
    /// Documents that were read, with their links followed.
    known: BTreeSet<PathBuf>,
}

impl Files {
    pub(super) fn new(path: &Path, root: &Path) -> Result<Self, SourceError> {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let (sources, files, known) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Ok(Self { folder, folders: Folders::new(root)?, sources, files, known })
    }

    /// The root element of the main file, included ones in place.
    pub(super) fn document(&mut self, path: &Path, findings: &mut Findings) -> Option<Element> {
        let root = self.read(path).map_err(|error| Diagnostic::error(None, error.to_string()));
        let root = findings.take(root.and_then(|it| it))?;
        Some(self.expanded(root, &self.folder.clone(), findings))
    }

    fn read(&mut self, path: &Path) -> Result<Result<Element, Diagnostic>, SourceError> {
        let bytes = read_bytes(path, MAX_BYTES)?;
        self.known.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        self.files.insert(path.to_owned());
        // Credits are not always UTF-8.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let parsed = parse(&text, self.sources.len() as u32, DEEPEST);
        self.sources.push(Source { path: path.to_owned(), text });
        Ok(parsed)
    }

    /// The element with what it includes; `beside` is the folder of its file.
    fn expanded(&mut self, mut at: Element, beside: &Path, findings: &mut Findings) -> Element {
        let mut children = Vec::with_capacity(at.children.len());
        for child in std::mem::take(&mut at.children) {
            if child.tag == "include" {
                let included = self.included(&child, beside, findings);
                let included = findings.take(included).unwrap_or_default();
                children.extend(included);
            } else {
                children.push(self.expanded(child, beside, findings));
            }
        }
        at.children = children;
        at
    }

    /// The elements of an included file.
    fn included(
        &mut self,
        at: &Element,
        beside: &Path,
        findings: &mut Findings,
    ) -> Result<Vec<Element>, Diagnostic> {
        let file = at.attribute("file").ok_or_else(|| at.refused("<include> has no file"))?;
        let name = file.value.clone();
        let found = self.folders.resolve(&self.folder, &name, file.span);
        let found = found
            .or_else(|error| self.folders.resolve(beside, &name, file.span).map_err(|_| error))?;
        let canonical = found.canonicalize().unwrap_or_else(|_| found.clone());
        if self.known.contains(&canonical) {
            let message = format!("'{name}' is included twice, or includes itself");
            let help = "a document takes each file once";
            return Err(Diagnostic::error(file.span, message).help(help));
        }
        let refused = |error: SourceError| Diagnostic::error(file.span, error.to_string());
        let root = self.read(&found).map_err(refused)??;
        let folder = found.parent().map(Path::to_owned).unwrap_or_default();
        Ok(self.expanded(root, &folder, findings).children)
    }
}
