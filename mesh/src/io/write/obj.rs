//! Wavefront OBJ: triangles and lines, sets as groups.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::notes::{counted, left_out};
use super::text;
use crate::io::SurfaceData;
use crate::io::write::vtu_write::{WriteError, replace_file};

pub(super) fn write(path: &Path, surface: &SurfaceData) -> Result<Vec<String>, WriteError> {
    let mut notes = Vec::new();
    left_out(&mut notes, surface.point_fields.len() + surface.triangle_fields.len(), "field");
    let sets = || surface.triangle_sets.iter().chain(&surface.polyline_sets);
    let renamed = sets().filter(|(name, _)| text::word(name) != **name).count();
    if renamed > 0 {
        notes.push(format!("blanks in {} became underscores", counted(renamed, "name of a set")));
    }
    left_out(&mut notes, sets().filter(|(_, set)| set.is_empty()).count(), "empty set");
    replace_file(path, |out| write_obj(out, surface))?;
    Ok(notes)
}

/// Writes a surface as Wavefront OBJ.
///
/// # Errors
/// Those of the writer.
pub fn write_obj(out: &mut impl Write, surface: &SurfaceData) -> io::Result<()> {
    let groups = groups(&surface.triangle_sets, surface.triangles.len());
    let line_groups = groups_of_lines(surface);
    for p in &surface.points {
        write!(out, "v ")?;
        text::point(out, p)?;
        writeln!(out)?;
    }
    let mut now = String::new();
    for (t, group) in surface.triangles.iter().zip(&groups) {
        change_group(out, &mut now, group)?;
        writeln!(out, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1)?;
    }
    for (line, group) in surface.polylines.iter().zip(&line_groups) {
        change_group(out, &mut now, group)?;
        write!(out, "l")?;
        line.iter().try_for_each(|point| write!(out, " {}", point + 1))?;
        writeln!(out)?;
    }
    Ok(())
}

fn groups_of_lines(surface: &SurfaceData) -> Vec<String> {
    groups(&surface.polyline_sets, surface.polylines.len())
}

/// For each triangle or line the names of its sets, as a `g` line has them.
fn groups(sets: &BTreeMap<String, Vec<u32>>, count: usize) -> Vec<String> {
    let mut groups = vec![String::new(); count];
    for (name, members) in sets {
        for &i in members {
            groups[i as usize] += " ";
            groups[i as usize] += &text::word(name);
        }
    }
    groups
}

fn change_group(out: &mut impl Write, now: &mut String, group: &str) -> io::Result<()> {
    if now != group {
        now.clear();
        now.push_str(group);
        writeln!(out, "g{group}")?;
    }
    Ok(())
}
