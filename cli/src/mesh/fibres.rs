//! `sinew fibres`: directions of fibres in the elements of a mesh, from lines along them, or along the streamlines of a
//! harmonic field between two of its surfaces.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::fem::{Field, HarmonicError, VolumeMesh, directions_along, directions_between};
use sinew::io::{
    AnyMesh, ReadOptions, SurfaceData, WriteFormat, read_mesh, read_volume, write_mesh,
};

use super::args::FibresArgs;
use super::ends::Ends;
use crate::console;
use crate::exit::{CliError, Exit, Failure};
use crate::load::SourceError;
use crate::output::OutputError;

/// Files that do not go with the command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FibresError {
    /// A file that has no lines.
    #[error("{}: it holds no lines: give a file of polylines, such as .obj with l records", .0.display())]
    NoLines(PathBuf),
    /// A file that holds no fields.
    #[error("{}: only .vtu holds fields of elements: name the output so", .0.display())]
    NoFields(PathBuf),
    /// Ends that no harmonic field runs between.
    #[error(transparent)]
    Harmonic(HarmonicError),
}

impl Failure for FibresError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Reads mesh and lines, and writes the mesh with a field for each set of lines; or with one between two surfaces.
///
/// # Errors
/// A file that cannot be read or written, lines that are none, sets that no fibres run between, a format that holds no
/// fields.
pub(crate) fn run(args: &FibresArgs) -> Result<Exit, CliError> {
    let format = WriteFormat::of(&args.output).map_err(OutputError::Frame)?;
    if format != WriteFormat::Vtu {
        return Err(FibresError::NoFields(args.output.clone()).into());
    }
    let options = ReadOptions { unit: args.unit };
    let mut mesh = read_volume(&args.mesh, &options).map_err(SourceError::Read)?.mesh;
    match (&args.lines, &args.from, &args.to) {
        (Some(lines), ..) => add_along_lines(&mut mesh, lines, args)?,
        (None, Some(from), Some(to)) => add_between(&mut mesh, [from, to], args)?,
        (None, ..) => unreachable!("the parser asks for lines or for both ends"),
    }
    let notes = write_mesh(&args.output, &mesh).map_err(OutputError::Frame)?;
    notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    Ok(Exit::Done)
}

fn add_along_lines(mesh: &mut VolumeMesh, lines: &Path, args: &FibresArgs) -> Result<(), CliError> {
    let options = ReadOptions { unit: args.unit };
    let lines = match read_mesh(lines, &options).map_err(SourceError::Read)? {
        AnyMesh::Surface(file) if !file.surface.polylines.is_empty() => file.surface,
        _ => return Err(FibresError::NoLines(lines.to_owned()).into()),
    };
    let reach = args.reach * args.unit.factor();
    for (name, lines) in sets_of(&lines) {
        let directions = directions_along(mesh, &lines, reach);
        let found = directions.iter().flatten().count();
        console::print(&format!("{name}: {} lines, {found} elements\n", lines.len()))?;
        add_field(mesh, name, directions);
    }
    Ok(())
}

fn add_between(mesh: &mut VolumeMesh, ends: [&Ends; 2], args: &FibresArgs) -> Result<(), CliError> {
    let unit = args.unit.factor();
    let (from, to) = (ends[0].nodes(mesh, unit)?, ends[1].nodes(mesh, unit)?);
    let directions = directions_between(mesh, [&from, &to]).map_err(FibresError::Harmonic)?;
    let (name, found) = (args.name.clone(), directions.iter().flatten().count());
    console::print(&format!(
        "{name}: from {} nodes to {}, {found} elements\n",
        from.len(),
        to.len()
    ))?;
    add_field(mesh, name, directions);
    Ok(())
}

/// Adds directions as a field, zero in elements that have none.
fn add_field(mesh: &mut VolumeMesh, name: String, directions: Vec<Option<Vec3>>) {
    let values =
        directions.into_iter().flat_map(|d| <[f64; 3]>::from(d.unwrap_or_else(Vec3::zeros)));
    mesh.element_fields.insert(name, Field { components: 3, values: values.collect() });
}

/// The lines of each set by its name; all as `fibres` where there are no sets.
fn sets_of(data: &SurfaceData) -> Vec<(String, Vec<Vec<Vec3>>)> {
    let line = |k: &u32| {
        data.polylines[*k as usize].iter().map(|&point| data.points[point as usize]).collect()
    };
    if data.polyline_sets.is_empty() {
        let all = (0..data.polylines.len() as u32).map(|k| line(&k)).collect();
        return vec![("fibres".to_owned(), all)];
    }
    let sets = data.polyline_sets.iter();
    sets.map(|(name, lines)| (name.clone(), lines.iter().map(line).collect())).collect()
}
