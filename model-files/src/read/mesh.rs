//! Meshes: in files of their own, in a file of meshes beside the model; `mesh_table` has those in the model file itself.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::geometry::SurfaceMesh;
use sinew::io::{LARGEST_BODY, LARGEST_PART, LengthUnit, ReadOptions, read_volume};

use super::group::GroupContext;
use super::value::numbers;
use super::{Reader, mesh_table, solids, surface_file};
use crate::diagnostic::{Diagnostic, Findings, Severity};
use crate::source::{Source, read_text};
use crate::tree::{Entry, Node, Span, Table, Tree, get};
use crate::units::Length;
use crate::{decode, json_text};

/// Keys of a mesh in a file.
pub(crate) const FILE_KEYS: [&str; 4] = ["file", "unit", "sha256", "name"];
/// Keys of a surface that stands in the model file, by its triangles or as a solid.
pub(crate) const SURFACE_KEYS: [&str; 8] =
    ["vertices", "triangles", "box", "sphere", "cylinder", "capsule", "centre", "facets"];
/// Keys of a volume mesh that stands in the model file, by its elements or as a solid.
pub(crate) const VOLUME_KEYS: [&str; 15] = [
    "nodes",
    "elements",
    "node_sets",
    "element_sets",
    "face_sets",
    "triangle_sets",
    "node_fields",
    "element_fields",
    "box",
    "sphere",
    "cylinder",
    "centre",
    "cells",
    "element",
    FILL,
];
/// Keys of solids beside their dimensions.
const SOLID_KEYS: [&str; 4] = ["centre", "facets", "cells", "element"];
/// Key of a surface in a file that is filled with tetrahedra.
const FILL: &str = "fill";

/// Meshes that were read, so that a file which two bodies name is read once.
#[derive(Debug, Default)]
pub(super) struct MeshCache {
    volumes: HashMap<(PathBuf, &'static str), VolumeMesh>,
    surfaces: HashMap<(PathBuf, &'static str), SurfaceMesh>,
    collections: HashMap<PathBuf, Option<Node>>,
}

/// A mesh that is named, not written out.
struct InFile {
    path: PathBuf,
    unit: Length,
    /// True if the unit is one that somebody has written: metres are what is not said.
    is_said: bool,
    /// The name in a collection.
    name: Option<(String, Span)>,
    /// Size of the tetrahedra that a surface is filled with [m].
    fill: Option<(f64, Span)>,
    span: Span,
}

impl Reader {
    /// A surface [m].
    pub(super) fn surface(&mut self, node: &Node, place: GroupContext) -> Option<SurfaceMesh> {
        let (node, unit) = match self.in_file(node, place, &SURFACE_KEYS)? {
            Err(inline) => (inline, self.scopes[place.scope].units.length),
            Ok(file) if file.name.is_some() => (self.collected(&file)?, Length::Metre),
            Ok(file) => return self.surface_file(&file),
        };
        let made = mesh_table::surface(&node, unit);
        self.findings.take(made)
    }

    /// A volume mesh [m].
    pub(super) fn volume(&mut self, node: &Node, place: GroupContext) -> Option<VolumeMesh> {
        let (node, unit) = match self.in_file(node, place, &VOLUME_KEYS)? {
            Err(inline) => (inline, self.scopes[place.scope].units.length),
            Ok(file) if file.name.is_some() => (self.collected(&file)?, Length::Metre),
            Ok(file) => {
                return match file.fill {
                    Some(fill) => self.filled(&file, fill),
                    None => self.volume_file(&file),
                };
            }
        };
        let made = mesh_table::volume(&node, unit);
        self.findings.take(made)
    }

    /// The file that a mesh is in, or itself where it is written out.
    fn in_file(
        &mut self,
        node: &Node,
        place: GroupContext,
        inline: &[&str],
    ) -> Option<Result<InFile, Node>> {
        match &node.value {
            Tree::Null => None,
            Tree::Text(file) => {
                let path = self.mesh_path(file, place, node.span)?;
                let unit = self.scopes[place.scope].units.length;
                let is_said = unit != Length::Metre;
                Some(Ok(InFile { path, unit, is_said, name: None, fill: None, span: node.span }))
            }
            Tree::Table(table) => {
                let Some(file) = self.file_of(table, inline)? else {
                    return Some(Err(node.clone()));
                };
                self.in_file_of_table(table, file.span, place).map(Ok)
            }
            other => {
                let message = format!("a mesh is a file or a table, not {}", other.describe());
                self.findings.error(|| Diagnostic::error(node.span, message));
                None
            }
        }
    }

    /// The file that a table of a mesh names, if it names one; its keys are known, and those of a file where it does.
    fn file_of<'t>(&mut self, table: &'t Table, inline: &[&str]) -> Option<Option<&'t Node>> {
        let known: Vec<&str> = FILE_KEYS.iter().chain(inline).copied().collect();
        if let Some(entry) = table.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            self.findings.error(|| {
                let message = format!("there is no key '{}' in such a mesh", entry.key);
                Diagnostic::unknown(entry.key_span, message, &entry.key, known.iter().copied())
            });
            return None;
        }
        let Some(file) = get(table, "file") else {
            // A solid looks at its keys itself.
            let odd = table.iter().find(|entry| is_beside_numbers(&entry.key));
            if let Some(entry) = odd.filter(|_| solids::solid(table).is_none()) {
                let message = format!("a mesh without a 'file' or a solid has no '{}'", entry.key);
                self.findings.error(|| Diagnostic::error(entry.key_span, message));
                return None;
            }
            return Some(None);
        };
        let is_of_file =
            |entry: &&Entry| entry.key != FILL && !FILE_KEYS.contains(&entry.key.as_str());
        if let Some(entry) = table.iter().find(is_of_file) {
            let message = format!("a mesh with a 'file' has no '{}'", entry.key);
            self.findings.error(|| Diagnostic::error(entry.key_span, message));
            return None;
        }
        Some(Some(file))
    }

    fn in_file_of_table(
        &mut self,
        table: &Table,
        span: Span,
        place: GroupContext,
    ) -> Option<InFile> {
        let file = self.text(table, "file")?;
        let path = self.mesh_path(&file, place, span)?;
        let said = self.unit(table)?;
        let unit = said.unwrap_or(self.scopes[place.scope].units.length);
        let is_said = said.is_some() || unit != Length::Metre;
        self.checksum(table, &path)?;
        let name = self.text(table, "name").zip(get(table, "name").map(|node| node.span));
        let fill = self.fill_size(table, unit)?;
        if let (Some(_), Some((_, span))) = (&name, &fill) {
            let message = "a mesh of a collection is not filled: name a file of a surface";
            self.findings.error(|| Diagnostic::error(*span, message));
            return None;
        }
        Some(InFile { path, unit, is_said, name, fill, span })
    }

    /// Path of a file that is named, which counts among those of the model.
    fn mesh_path(&mut self, file: &str, place: GroupContext, span: Span) -> Option<PathBuf> {
        let path = self.folders.resolve(&self.scopes[place.scope].folder, file, span);
        let path = self.findings.take(path)?;
        self.files.insert(path.clone());
        Some(path)
    }

    /// The size of the tetrahedra that a surface is filled with [m].
    fn fill_size(&mut self, table: &Table, unit: Length) -> Option<Option<(f64, Span)>> {
        let Some(node) = get(table, FILL) else { return Some(None) };
        let given = numbers(node).filter(|list| list.len() == 1 && list[0] > 0.0);
        if let Some(list) = given {
            return Some(Some((unit.factor().apply(list[0]), node.span)));
        }
        let message = "'fill' is the size of elements, one number above 0";
        self.findings.error(|| Diagnostic::error(node.span, message));
        None
    }

    /// The surface of a file, filled with tetrahedra of a size [m].
    fn filled(&mut self, file: &InFile, (size, span): (f64, Span)) -> Option<VolumeMesh> {
        let surface = self.surface_file(file)?;
        let made = sinew::fem::fill(&surface, size);
        self.findings.take(made.map_err(|error| Diagnostic::error(span, error.to_string())))
    }

    fn unit(&mut self, table: &Table) -> Option<Option<Length>> {
        match get(table, "unit") {
            None => Some(None),
            Some(node) => decode::decode(node, &mut self.findings).map(Some),
        }
    }

    /// Checks that the file is the one that was meant.
    fn checksum(&mut self, table: &Table, path: &Path) -> Option<()> {
        let Some(node) = get(table, "sha256") else { return Some(()) };
        let wanted = self.text(table, "sha256")?;
        let found = match sha256(path) {
            Ok(found) => found,
            Err(error) => {
                let message = format!("{}: {error}", path.display());
                self.findings.error(|| Diagnostic::error(node.span, message));
                return None;
            }
        };
        if found.eq_ignore_ascii_case(&wanted) {
            return Some(());
        }
        self.findings.error(|| {
            let message = format!("{} is another file: its sha256 is {found}", path.display());
            Diagnostic::error(node.span, message)
                .help("take the file that was meant, or this checksum")
        });
        None
    }

    fn volume_file(&mut self, file: &InFile) -> Option<VolumeMesh> {
        let key = (file.path.clone(), word(file.unit));
        if let Some(mesh) = self.meshes.volumes.get(&key) {
            return Some(mesh.clone());
        }
        if is_surface(&file.path) {
            return self.surface_file(file).map(|surface| sheet_of(&surface));
        }
        match read_volume(&file.path, &ReadOptions { unit: length_unit(file.unit) }) {
            Ok(read) if self.is_out_of_size(file, read.mesh.bounding_box()) => None,
            Ok(read) => {
                for note in read.notes {
                    self.findings.note(file.span, format!("{}: {note}", file.path.display()));
                }
                self.meshes.volumes.insert(key, read.mesh.clone());
                Some(read.mesh)
            }
            Err(error) => {
                self.findings.error(|| Diagnostic::error(file.span, error.to_string()));
                None
            }
        }
    }

    /// Refuses what is far too large in metres, and notes what is larger than a person, where nobody has said that it is in metres.
    fn is_out_of_size(&mut self, file: &InFile, bounds: Option<[Vec3; 2]>) -> bool {
        let extent = bounds.map_or(0.0, |[low, high]| (high - low).amax());
        if file.is_said || extent <= LARGEST_PART {
            return false;
        }
        if extent <= LARGEST_BODY {
            let path = file.path.display();
            let message = format!(
                "{path} is {extent:.4} m long if its unit is the metre: unit = \"mm\" beside the file makes it {:.4} m, unit = \"m\" ends this note",
                extent * 1e-3
            );
            self.findings.note(file.span, message);
            return false;
        }
        self.findings.error(|| {
            let path = file.path.display();
            let message = format!("{path} is {extent:.4} m long if its unit is the metre");
            let name = path.to_string();
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            Diagnostic::error(file.span, message).help(format!(
                "say its unit: {{ file = \"{name}\", unit = \"mm\" }} for {:.4} m, or unit = \"m\" if that is right",
                extent * 1e-3
            ))
        });
        true
    }

    fn surface_file(&mut self, file: &InFile) -> Option<SurfaceMesh> {
        let key = (file.path.clone(), word(file.unit));
        if let Some(mesh) = self.meshes.surfaces.get(&key) {
            return Some(mesh.clone());
        }
        match surface_file::read(&file.path, file.unit) {
            Ok(mesh) if self.is_out_of_size(file, box_around(mesh.vertices())) => None,
            Ok(mesh) => {
                self.meshes.surfaces.insert(key, mesh.clone());
                Some(mesh)
            }
            Err(error) => {
                self.findings.error(|| Diagnostic::error(file.span, error.to_string()));
                None
            }
        }
    }

    /// A mesh of a collection: JSON, `{"meshes": {"name": {..}}}`, in metres.
    fn collected(&mut self, file: &InFile) -> Option<Node> {
        let (name, span) = file.name.clone()?;
        if !self.meshes.collections.contains_key(&file.path) {
            let collection = self.collection(file);
            self.meshes.collections.insert(file.path.clone(), collection);
        }
        let meshes = self.meshes.collections.get(&file.path)?.clone()?;
        let table = meshes.table()?;
        let found = get(table, &name).cloned();
        if found.is_none() {
            self.findings.error(|| {
                let message = format!("{} has no mesh '{name}'", file.path.display());
                Diagnostic::unknown(span, message, &name, table.iter().map(|e| e.key.as_str()))
            });
        }
        found
    }

    fn collection(&mut self, file: &InFile) -> Option<Node> {
        let text = match read_text(&file.path) {
            Ok(text) => text,
            Err(error) => {
                self.findings.push(Diagnostic::error(file.span, error.to_string()));
                return None;
            }
        };
        let mut findings = Findings::default();
        let top = json_text::parse(&text, self.sources.len() as u32, &mut findings);
        self.sources.push(Source { path: file.path.clone(), text });
        let is_refused = findings.list.iter().any(|it| it.severity == Severity::Error);
        findings.list.into_iter().for_each(|finding| self.findings.push(finding));
        if is_refused {
            return None;
        }
        let meshes = top.table().and_then(|table| get(table, "meshes")).cloned();
        if meshes.as_ref().is_none_or(|meshes| meshes.table().is_none()) {
            let message = format!("{} is no collection of meshes", file.path.display());
            self.findings.error(|| {
                Diagnostic::error(file.span, message).help("without 'name', a file is one mesh")
            });
            return None;
        }
        meshes
    }
}

/// True for keys that a mesh written out in numbers does not have.
fn is_beside_numbers(key: &str) -> bool {
    FILE_KEYS.contains(&key) || SOLID_KEYS.contains(&key) || key == FILL
}

/// True for files of formats that have surfaces alone.
fn is_surface(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["stl", "ply", "obj", "off", "vtp"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// A mesh without elements, whose nodes are the vertices of a surface and whose triangle set `surface` are its triangles.
fn sheet_of(surface: &SurfaceMesh) -> VolumeMesh {
    let mut mesh = VolumeMesh::new(surface.vertices().to_vec());
    mesh.triangle_sets.insert("surface".to_owned(), surface.triangles().to_vec());
    mesh
}

/// The box around points.
pub(super) fn box_around(points: &[Vec3]) -> Option<[Vec3; 2]> {
    let first = *points.first()?;
    Some(points.iter().fold([first; 2], |[low, high], p| [low.inf(p), high.sup(p)]))
}

/// The checksum of a file, in hexadecimal digits.
///
/// # Errors
/// It cannot be read.
fn sha256(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = io::BufReader::new(sinew::io::open_file(path)?);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        hasher.update(bytes);
        let count = bytes.len();
        file.consume(count);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn length_unit(unit: Length) -> LengthUnit {
    match unit {
        Length::Metre => LengthUnit::Metre,
        Length::Centimetre => LengthUnit::Centimetre,
        Length::Millimetre => LengthUnit::Millimetre,
        Length::Micrometre => LengthUnit::Micrometre,
    }
}

fn word(unit: Length) -> &'static str {
    match unit {
        Length::Metre => "m",
        Length::Centimetre => "cm",
        Length::Millimetre => "mm",
        Length::Micrometre => "um",
    }
}
