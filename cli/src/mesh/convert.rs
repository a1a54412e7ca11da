//! `sinew convert`: a mesh in another format, unit, scale or form; a model of another program as a model file.

use sinew::fem::{ElementKind, FillError, VolumeMesh, fill};
use sinew::geometry::{GeometryError, boundary, quadratic, surface_of};
use sinew::io::{
    AnyMesh, LengthUnit, ReadOptions, SurfaceData, WriteFormat, read_mesh, write_mesh,
    write_surface,
};

use super::args::{ConvertArgs, ElementArg};
use crate::exit::{CliError, Exit, Failure};
use crate::files::SaveArgs;
use crate::load::{SourceError, is_febio, is_model_file};
use crate::options::EditArgs;
use crate::output::OutputError;
use crate::{console, files};

/// Options that do not go with the mesh.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConvertError {
    /// A whole model into a file of a mesh.
    #[error(
        "{path} is a model, not a mesh: name a .toml, .json or .osim to write, or take sinew save {path} NAME.toml"
    )]
    Model {
        /// The file.
        path: String,
    },
    /// Options of meshes with a model.
    #[error(
        "--unit, --scale, --to, --fill, --surface, --patches and --weld go with meshes, and a .toml, .json or .osim holds a model"
    )]
    OfMeshes,
    /// `--patches` with an angle that parts the surface everywhere.
    #[error(
        "--patches: the angle parts the surface into {found} patches: take a larger one, for at most {most}"
    )]
    TooManyPatches {
        /// Number found.
        found: usize,
        /// Number allowed.
        most: usize,
    },
    /// `--fill` with a volume.
    #[error("--fill goes with a surface, and the file holds a volume mesh")]
    FillOfVolume,
    /// A surface that is not filled.
    #[error("--fill: {0}")]
    Fill(#[from] FillError),
    /// A surface whose triangles are none.
    #[error("--fill: {0}")]
    FillOfNone(#[from] GeometryError),
    /// `--to` with a surface.
    #[error("--to goes with a volume mesh, and the file holds a surface: --fill makes one of it")]
    ToOfSurface,
    /// `--to tet10` with other elements.
    #[error("--to tet10 goes with a mesh of tetrahedra alone, and the file has {kind}")]
    ToTet10 {
        /// Kind of its elements.
        kind: &'static str,
    },
}

impl Failure for ConvertError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Reads the one file of `args` and writes the other.
///
/// # Errors
/// A file that cannot be read, options that do not fit the mesh, a format that does not hold it, a
/// file that cannot be written.
pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, CliError> {
    if files::is_written(&args.output) {
        return save(args);
    }
    refuse_model(args)?;
    convert_mesh(args)
}

/// # Errors
/// A model that holds no mesh of its own.
fn refuse_model(args: &ConvertArgs) -> Result<(), ConvertError> {
    // The mesh of a model of FEBio is one of the formats.
    let path = args.input.display().to_string();
    match is_model_file(&path) && !is_febio(&args.input) {
        true => Err(ConvertError::Model { path }),
        false => Ok(()),
    }
}

/// Writes a mesh in another format.
fn convert_mesh(args: &ConvertArgs) -> Result<Exit, CliError> {
    let format = WriteFormat::of(&args.output).map_err(OutputError::Frame)?;
    let [from, to] = args.unit.unwrap_or_default();
    // A file that stays in its unit keeps its digits.
    let unit = if from == to { LengthUnit::Metre } else { from };
    let mesh = read_mesh(&args.input, &ReadOptions { unit }).map_err(SourceError::Read)?;
    let factor = args.scale * if from == to { 1.0 } else { 1.0 / to.factor() };
    let (mut notes, written) = match mesh {
        AnyMesh::Volume(_) if args.fill.is_some() => return Err(ConvertError::FillOfVolume.into()),
        AnyMesh::Volume(file) => {
            let mut notes = file.notes;
            // What is told of the unit concerns a mesh in metres.
            notes.retain(|note| args.unit.is_some() || !note.contains("unit="));
            let (written, more) = finished(changed(file.mesh, factor), format, args)?;
            notes.extend(more);
            (notes, written)
        }
        AnyMesh::Surface(file) => {
            let (mut surface, mut notes) = (file.surface, file.notes);
            surface.points.iter_mut().for_each(|p| *p *= factor);
            let surface = welded(surface, args)?;
            let (written, more) = match args.fill {
                Some(size) => finished(filled(&surface, size)?, format, args)?,
                None => finished_surface(surface, args)?,
            };
            notes.extend(more);
            (notes, written)
        }
    };
    let (size, more) = written;
    notes.extend(more);
    notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    console::print(&format!("{}: {size}\n", args.output.display()))?;
    Ok(Exit::Done)
}

/// Writes a model, as `sinew save` does.
fn save(args: &ConvertArgs) -> Result<Exit, CliError> {
    let of_meshes = args.unit.is_some() || args.scale != 1.0 || args.to.is_some() || args.surface;
    let more = [args.patches, args.weld, args.fill].iter().any(Option::is_some);
    if of_meshes || more {
        return Err(ConvertError::OfMeshes.into());
    }
    let model = args.input.display().to_string();
    let edits = EditArgs { root: args.root.clone(), ..EditArgs::default() };
    files::save(&SaveArgs { model, file: args.output.clone(), edits })
}

/// More patches name nothing that a user would pick one of.
const MOST_PATCHES: usize = 1000;

/// # Errors
/// More patches than are of use.
fn checked(patches: usize) -> Result<(), CliError> {
    match patches {
        ..=MOST_PATCHES => Ok(()),
        found => Err(ConvertError::TooManyPatches { found, most: MOST_PATCHES }.into()),
    }
}

/// Adds the patches of a surface as sets where that is asked for; the note about it.
fn add_patches(surface: &mut SurfaceData, args: &ConvertArgs) -> Result<Option<String>, CliError> {
    let Some(angle) = args.patches else { return Ok(None) };
    let patches = surface.mesh().unwrap_or_default().patches(angle);
    checked(patches.count)?;
    for (i, triangles) in patches.triangles().into_iter().enumerate() {
        surface.triangle_sets.insert(format!("patch_{}", i + 1), triangles);
    }
    Ok(Some(format!("{} patches", patches.count)))
}

/// Description of the written file, and the notes about it.
type Written = (String, Vec<String>);

/// The mesh scaled.
fn changed(mut mesh: VolumeMesh, factor: f64) -> VolumeMesh {
    if factor != 1.0 {
        mesh.nodes.iter_mut().for_each(|p| *p *= factor);
    }
    mesh
}

/// The inside of a surface as tetrahedra of a size.
fn filled(surface: &SurfaceData, size: f64) -> Result<VolumeMesh, ConvertError> {
    Ok(fill(&surface.mesh()?, size)?)
}

/// Writes a volume, of another kind of element and with patches if that is asked for; the notes on these.
fn finished(
    mesh: VolumeMesh,
    format: WriteFormat,
    args: &ConvertArgs,
) -> Result<(Written, Vec<String>), CliError> {
    let (mut mesh, mut notes) = (of_kind(mesh, args)?, Vec::new());
    if let Some(angle) = args.patches {
        let found = boundary(&mesh).add_patches(&mut mesh, angle);
        checked(found)?;
        notes.push(format!("{found} patches"));
    }
    Ok((volume(mesh, format, args)?, notes))
}

/// Writes a surface, with its patches if they are asked for; the note on these.
fn finished_surface(
    mut surface: SurfaceData,
    args: &ConvertArgs,
) -> Result<(Written, Vec<String>), CliError> {
    if args.to.is_some() {
        return Err(ConvertError::ToOfSurface.into());
    }
    let notes = add_patches(&mut surface, args)?;
    Ok((write_as(args, &surface)?, notes.into_iter().collect()))
}

/// The mesh, if asked for of another kind of element.
fn of_kind(mesh: VolumeMesh, args: &ConvertArgs) -> Result<VolumeMesh, CliError> {
    match args.to {
        None => Ok(mesh),
        Some(ElementArg::Tet10) => {
            let other = mesh.elements().map(|(kind, _)| kind);
            let mut other = other.filter(|k| k.linear() != ElementKind::Tet4);
            match other.next() {
                Some(kind) => Err(ConvertError::ToTet10 { kind: kind.name() }.into()),
                None => Ok(quadratic(&mesh)),
            }
        }
    }
}

fn volume(mesh: VolumeMesh, format: WriteFormat, args: &ConvertArgs) -> Result<Written, CliError> {
    if !args.surface && format.holds_volumes() {
        let notes = write_mesh(&args.output, &mesh).map_err(OutputError::Frame)?;
        let (nodes, elements) = (mesh.nodes.len(), mesh.element_count());
        return Ok((format!("{nodes} nodes, {elements} elements"), notes));
    }
    let surface = welded(surface_of(&mesh), args)?;
    let (size, mut notes) = write_as(args, &surface)?;
    if !args.surface {
        let elements = mesh.element_count();
        notes.push(format!("the surface alone is written, without the {elements} elements inside"));
    }
    let inside = |name: &String| !surface.triangle_sets.contains_key(name);
    let lost = mesh.node_sets.len() + mesh.face_sets.keys().filter(|name| inside(name)).count();
    if lost > 0 {
        let sets = if lost == 1 { "set" } else { "sets" };
        notes.push(format!("{lost} {sets} of nodes or of faces inside: not part of a surface"));
    }
    Ok((size, notes))
}

fn write_as(args: &ConvertArgs, surface: &SurfaceData) -> Result<Written, CliError> {
    let notes = write_surface(&args.output, surface).map_err(OutputError::Frame)?;
    let (points, triangles) = (surface.points.len(), surface.triangles.len());
    let lines = match surface.polylines.len() {
        0 => String::new(),
        n => format!(", {n} lines"),
    };
    Ok((format!("{points} points, {triangles} triangles{lines}"), notes))
}

/// The surface with vertices made one where that is asked for.
fn welded(surface: SurfaceData, args: &ConvertArgs) -> Result<SurfaceData, CliError> {
    let Some(tolerance) = args.weld else { return Ok(surface) };
    let has_data = !surface.polylines.is_empty()
        || !surface.triangle_sets.is_empty()
        || !surface.point_fields.is_empty()
        || !surface.triangle_fields.is_empty();
    let mesh = surface.mesh().unwrap_or_default().welded(tolerance);
    let (before, after) = (surface.points.len(), mesh.vertices().len());
    console::complain(&format!("note: {before} points became {after} by welding"));
    if has_data {
        console::complain("note: lines, sets and fields are left out by welding");
    }
    Ok(SurfaceData::from_mesh(&mesh))
}
