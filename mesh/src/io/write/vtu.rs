//! VTU with all that a mesh has: fields in double precision, sets as arrays of marks.

use std::collections::BTreeMap;
use std::path::Path;

use super::notes::left_out;
use crate::io::SurfaceData;
use crate::io::vtk::marks::{FACES, SET, of_faces, of_members};
use crate::io::write::vtu_write::{Cells, FieldRef, Grid, WriteError, volume_cells, write_grid};
use crate::{Field, VolumeMesh};

/// VTK's numbers of a triangle and of a line through points.
const TRIANGLE: u8 = 5;
const POLYLINE: u8 = 4;

pub(super) fn write_volume(path: &Path, mesh: &VolumeMesh) -> Result<Vec<String>, WriteError> {
    let mut notes = Vec::new();
    left_out(
        &mut notes,
        mesh.face_sets.values().filter(|s| s.is_empty()).count(),
        "empty face set",
    );
    let nodes = Table::new(&mesh.node_fields, &mesh.node_sets, mesh.nodes.len());
    let mut elements = Table::new(&mesh.element_fields, &mesh.element_sets, mesh.element_count());
    for (name, faces) in mesh.face_sets.iter().filter(|(_, faces)| !faces.is_empty()) {
        elements.marks.push((format!("{FACES}{name}"), of_faces(faces, mesh)));
    }
    let (point_data, cell_data) = (nodes.columns(), elements.columns());
    let cells = volume_cells(mesh);
    let positions = &mesh.nodes;
    let (point_data, cell_data) = (&point_data[..], &cell_data[..]);
    write_grid(path, &Grid { cells, positions, point_data, cell_data, labels: &[] })?;
    Ok(notes)
}

pub(super) fn write_surface(path: &Path, surface: &SurfaceData) -> Result<Vec<String>, WriteError> {
    let mut notes = Vec::new();
    let (triangles, lines) = (surface.triangles.len(), surface.polylines.len());
    // Lines come behind the triangles, where fields of triangles have nothing to say.
    let padded = surface.triangle_fields.iter().map(|(name, field)| {
        let mut field = field.clone();
        field.values.resize(field.components * (triangles + lines), 0.0);
        (name.clone(), field)
    });
    let fields: BTreeMap<String, Field> = padded.collect();
    if lines > 0 && !fields.is_empty() {
        notes.push("fields of triangles are 0 on lines".to_owned());
    }
    let mut sets = surface.triangle_sets.clone();
    for (name, members) in &surface.polyline_sets {
        let shifted = members.iter().map(|&line| line + triangles as u32);
        sets.entry(name.clone()).or_default().extend(shifted);
    }
    let no_sets = BTreeMap::new();
    let points = Table::new(&surface.point_fields, &no_sets, surface.points.len());
    let cells = Table::new(&fields, &sets, triangles + lines);
    let (point_data, cell_data) = (points.columns(), cells.columns());
    let grid = Grid {
        cells: surface_cells(surface),
        positions: &surface.points,
        point_data: &point_data,
        cell_data: &cell_data,
        labels: &[],
    };
    write_grid(path, &grid)?;
    Ok(notes)
}

fn surface_cells(surface: &SurfaceData) -> Cells {
    let (mut connectivity, mut offsets, mut types) = (Vec::new(), Vec::new(), Vec::new());
    let mut end = 0_i64;
    let triangles = surface.triangles.iter().map(|t| (&t[..], TRIANGLE));
    let lines = surface.polylines.iter().map(|line| (&line[..], POLYLINE));
    for (points, code) in triangles.chain(lines) {
        connectivity.extend(points.iter().flat_map(|&p| i64::from(p).to_le_bytes()));
        end += points.len() as i64;
        offsets.extend(end.to_le_bytes());
        types.push(code);
    }
    Cells { count: types.len(), connectivity, offsets, types }
}

/// Columns of a file by name: fields, and sets as marks.
struct Table<'m> {
    fields: &'m BTreeMap<String, Field>,
    marks: Vec<(String, Vec<u8>)>,
}

impl<'m> Table<'m> {
    fn new(
        fields: &'m BTreeMap<String, Field>,
        sets: &'m BTreeMap<String, Vec<u32>>,
        count: usize,
    ) -> Self {
        let mark = |(name, members): (&String, &Vec<u32>)| {
            (format!("{SET}{name}"), of_members(members, count))
        };
        Self { fields, marks: sets.iter().map(mark).collect() }
    }

    fn columns(&self) -> Vec<(&str, FieldRef<'_>)> {
        let fields = self.fields.iter().map(|(name, field)| {
            let Field { components, values } = field;
            (name.as_str(), FieldRef::Table { components: *components, values })
        });
        let marks = self.marks.iter().map(|(name, marks)| (name.as_str(), FieldRef::Marks(marks)));
        fields.chain(marks).collect()
    }
}
