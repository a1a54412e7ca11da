//! Binary STL: triangles by their corners in single precision, with unit normals.

use std::io::Write;
use std::path::Path;

use super::notes::{counted, left_out, refused};
use crate::Vec3;
use crate::io::SurfaceData;
use crate::io::write::vtu_write::{WriteError, replace_file};

pub(super) fn write(path: &Path, surface: &SurfaceData) -> Result<Vec<String>, WriteError> {
    let count = u32::try_from(surface.triangles.len());
    let count = count.map_err(|_| refused(path, "it has 2^32 triangles or more".to_owned()))?;
    let notes = notes(surface);
    let narrow = |p: Vec3| [p.x, p.y, p.z].map(|x| x as f32);
    replace_file(path, |out| {
        // Not `solid`, by which others would take it for text.
        let mut header = [b' '; 80];
        header[..16].copy_from_slice(b"binary STL, f32 ");
        out.write_all(&header)?;
        out.write_all(&count.to_le_bytes())?;
        for t in &surface.triangles {
            let [a, b, c] = t.map(|v| surface.points[v as usize]);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
            for corner in [normal, a, b, c] {
                narrow(corner).iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
            }
            out.write_all(&[0, 0])?;
        }
        Ok(())
    })?;
    Ok(notes)
}

fn notes(surface: &SurfaceData) -> Vec<String> {
    let mut notes = Vec::new();
    left_out(&mut notes, surface.polylines.len(), "line");
    left_out(&mut notes, surface.triangle_sets.len() + surface.polyline_sets.len(), "set");
    left_out(&mut notes, surface.point_fields.len() + surface.triangle_fields.len(), "field");
    let mut used = vec![false; surface.points.len()];
    surface.triangles.as_flattened().iter().for_each(|&v| used[v as usize] = true);
    left_out(&mut notes, used.iter().filter(|&&u| !u).count(), "unused point");
    let loss = |p: &Vec3| p.iter().map(|&x| (x - f64::from(x as f32)).abs()).fold(0.0, f64::max);
    let rounded = surface.points.iter().filter(|p| loss(p) > 0.0).count();
    if rounded > 0 {
        let most = surface.points.iter().map(loss).fold(0.0, f64::max);
        let points = counted(rounded, "point");
        notes.push(format!("{points} rounded to single precision, by {most:.1e} at most"));
    }
    notes
}
