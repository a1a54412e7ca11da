//! `sinew fibres`: directions of fibres in the elements of a mesh, from lines along them.

use std::path::PathBuf;

use sinew::Vec3;
use sinew::fem::{Field, directions_along};
use sinew::io::{
    AnyMesh, ReadOptions, SurfaceData, WriteFormat, read_mesh, read_volume, write_mesh,
};

use super::args::FibresArgs;
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
}

impl Failure for FibresError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Reads mesh and lines, and writes the mesh with a field for each set of lines.
///
/// # Errors
/// A file that cannot be read or written, lines that are none, a format that holds no fields.
pub(crate) fn run(args: &FibresArgs) -> Result<Exit, CliError> {
    let format = WriteFormat::of(&args.output).map_err(OutputError::Frame)?;
    let options = ReadOptions { unit: args.unit };
    let mut mesh = read_volume(&args.mesh, &options).map_err(SourceError::Read)?.mesh;
    let lines = match read_mesh(&args.lines, &options).map_err(SourceError::Read)? {
        AnyMesh::Surface(file) if !file.surface.polylines.is_empty() => file.surface,
        _ => return Err(FibresError::NoLines(args.lines.clone()).into()),
    };
    if format != WriteFormat::Vtu {
        return Err(FibresError::NoFields(args.output.clone()).into());
    }
    let reach = args.reach * args.unit.factor();
    for (name, lines) in sets_of(&lines) {
        let directions = directions_along(&mesh, &lines, reach);
        let found = directions.iter().flatten().count();
        console::print(&format!("{name}: {} lines, {found} elements\n", lines.len()))?;
        let values =
            directions.into_iter().flat_map(|d| <[f64; 3]>::from(d.unwrap_or_else(Vec3::zeros)));
        mesh.element_fields.insert(name, Field { components: 3, values: values.collect() });
    }
    let notes = write_mesh(&args.output, &mesh).map_err(OutputError::Frame)?;
    notes.iter().for_each(|note| console::complain(&format!("note: {note}")));
    Ok(Exit::Done)
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
