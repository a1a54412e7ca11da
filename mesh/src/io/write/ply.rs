//! Binary little-endian PLY: positions and fields in double precision.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::notes::{counted, left_out};
use super::text;
use crate::Field;
use crate::io::SurfaceData;
use crate::io::write::vtu_write::{WriteError, replace_file};

pub(super) fn write(path: &Path, surface: &SurfaceData) -> Result<Vec<String>, WriteError> {
    let mut notes = Vec::new();
    left_out(&mut notes, surface.polylines.len(), "line");
    left_out(&mut notes, surface.triangle_sets.len() + surface.polyline_sets.len(), "set");
    let fields = || surface.point_fields.iter().chain(&surface.triangle_fields);
    let split = fields().filter(|(_, f)| f.components != 1).count();
    if split > 0 {
        let what = counted(split, "field");
        notes.push(format!("{what} written as a property for each component"));
    }
    replace_file(path, |out| {
        writeln!(out, "ply\nformat binary_little_endian 1.0")?;
        writeln!(out, "element vertex {}", surface.points.len())?;
        ["x", "y", "z"].iter().try_for_each(|name| writeln!(out, "property double {name}"))?;
        properties(out, &surface.point_fields)?;
        writeln!(out, "element face {}", surface.triangles.len())?;
        writeln!(out, "property list uchar uint vertex_indices")?;
        properties(out, &surface.triangle_fields)?;
        writeln!(out, "end_header")?;
        for (i, p) in surface.points.iter().enumerate() {
            p.iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
            row(out, &surface.point_fields, i)?;
        }
        for (i, triangle) in surface.triangles.iter().enumerate() {
            out.write_all(&[3])?;
            triangle.iter().try_for_each(|v| out.write_all(&v.to_le_bytes()))?;
            row(out, &surface.triangle_fields, i)?;
        }
        Ok(())
    })?;
    Ok(notes)
}

fn properties(out: &mut impl Write, fields: &BTreeMap<String, Field>) -> io::Result<()> {
    for (name, field) in fields {
        let name = text::word(name);
        match field.components {
            1 => writeln!(out, "property double {name}")?,
            n => (0..n).try_for_each(|i| writeln!(out, "property double {name}_{i}"))?,
        }
    }
    Ok(())
}

fn row(out: &mut impl Write, fields: &BTreeMap<String, Field>, i: usize) -> io::Result<()> {
    for field in fields.values() {
        let values = &field.values[i * field.components..][..field.components];
        values.iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
    }
    Ok(())
}
