//! VTK's cells of two dimensions and lower, and the tables of cells that its formats share.

use super::builder::SurfaceBuilder;
use crate::Field;
use crate::io::error::Problem;

/// Adds the cell `cell` of VTK's type `code` and these points; `base` is the first point of its
/// piece. Each cell that is no line is one cell of the builder, so that fields stay in step.
pub(super) fn add(
    builder: &mut SurfaceBuilder,
    cell: u64,
    code: i64,
    points: &[i64],
    base: usize,
) -> Result<(), Problem> {
    let base = base as i64;
    let index = |&p: &i64| builder.index(cell, if p < 0 { p } else { p.saturating_add(base) });
    let p = points.iter().map(index).collect::<Result<Vec<u32>, Problem>>()?;
    builder.begin_cell()?;
    match (code, p.as_slice()) {
        (0..=2, _) => builder.skip("cell of points"),
        (3 | 4, _) => builder.add_polyline(p)?,
        (21, &[a, b, middle]) => builder.add_polyline(vec![a, middle, b])?,
        (5, [_, _, _]) | (9, [_, _, _, _]) | (7, _) => builder.add_face(&p)?,
        (6, _) => builder.add_strip(&p)?,
        (8, &[a, b, c, d]) => builder.add_face(&[a, b, d, c])?,
        // The sides of quadratic faces are bent: each corner gives a triangle with its two middles.
        (22, &[a, b, c, ab, bc, ca]) => {
            let faces = [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]];
            faces.iter().try_for_each(|face| builder.add_face(face))?;
        }
        (23, &[a, b, c, d, ab, bc, cd, da]) => {
            let faces = [[a, ab, da], [b, bc, ab], [c, cd, bc], [d, da, cd]];
            faces.iter().try_for_each(|face| builder.add_face(face))?;
            builder.add_face(&[ab, bc, cd, da])?;
        }
        (5 | 8 | 9 | 21 | 22 | 23, _) => return Err(wrong_count(cell, code, p.len())),
        (10..=14 | 24..=27, _) => {
            let what = format!("cell {cell}, a solid (VTK type {code}), in a surface");
            return Err(Problem::Unsupported { what, remedy: "read the file as a volume" });
        }
        _ => return Err(Problem::UnknownType { element: cell, code }),
    }
    Ok(())
}

/// A cell of another number of nodes than its type has.
fn wrong_count(element: u64, code: i64, found: usize) -> Problem {
    let (expected, kind) = node_count(code);
    Problem::NodeCount { element, kind, expected, found: found as u64 }
}

fn node_count(code: i64) -> (usize, &'static str) {
    match code {
        5 => (3, "triangle"),
        21 => (3, "quadratic line"),
        22 => (6, "quadratic triangle"),
        23 => (8, "quadratic quadrilateral"),
        _ => (4, "quadrilateral"),
    }
}

/// The cells of a table: `connectivity` in parts that end at `ends`.
pub(super) fn parts<'c>(connectivity: &'c [i64], ends: &[i64]) -> Result<Vec<&'c [i64]>, Problem> {
    let mut start = 0;
    let mut parts = Vec::with_capacity(ends.len());
    for (cell, &end) in ends.iter().enumerate() {
        let part = usize::try_from(end).ok().and_then(|end| connectivity.get(start..end));
        parts.push(part.ok_or_else(|| {
            let found = format!("{end} of cell {cell}, in {} entries", connectivity.len());
            Problem::Expected { expected: "offsets that rise within the connectivity", found }
        })?);
        start = end as usize;
    }
    if start == connectivity.len() {
        return Ok(parts);
    }
    let (declared, found) = (start as u64, connectivity.len() as u64);
    Err(Problem::CountMismatch { what: "entries of the connectivity", declared, found })
}

/// Appends an array of a piece to the field `name`.
pub(super) fn extend(field: &mut Field, components: usize, values: Vec<f64>) {
    // Pieces that disagree leave a field of a wrong length, which is dropped with a note.
    field.components = components;
    field.values.extend(values);
}
