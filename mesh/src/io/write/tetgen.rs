//! TetGen's pair of files, counted from 1: tetrahedra of four nodes, element sets as the region
//! attribute.

use std::io::Write;
use std::path::Path;

use super::notes::{left_out_of_volume, refused};
use super::{regions, text};
use crate::io::write::vtu_write::{WriteError, replace_file};
use crate::{ElementKind, Vec3, VolumeMesh};

pub(super) fn write(path: &Path, mesh: &VolumeMesh) -> Result<Vec<String>, WriteError> {
    if let Some((kind, _)) = mesh.elements().find(|(kind, _)| *kind != ElementKind::Tet4) {
        let kind = kind.name();
        let reason = format!(
            "TetGen files are written of tetrahedra of four nodes, and the mesh has {kind}: write \
             .vtu or .msh"
        );
        return Err(refused(path, reason));
    }
    let mut notes = Vec::new();
    left_out_of_volume(mesh, &mut notes);
    let regions = regions::numbers(mesh, "region", &mut notes);
    write_nodes(&path.with_extension("node"), &mesh.nodes)?;
    replace_file(&path.with_extension("ele"), |out| {
        writeln!(out, "{} 4 {}", mesh.element_count(), u8::from(regions.is_some()))?;
        for (e, (_, nodes)) in mesh.elements().enumerate() {
            write!(out, "{}", e + 1)?;
            nodes.iter().try_for_each(|node| write!(out, " {}", node + 1))?;
            if let Some(regions) = &regions {
                write!(out, " {}", regions[e])?;
            }
            writeln!(out)?;
        }
        Ok(())
    })?;
    let faces = path.with_extension("face");
    if faces.is_file() {
        let name = faces.display();
        notes.push(format!(
            "{name} was there before and would be read with this mesh: take it away"
        ));
    }
    Ok(notes)
}

fn write_nodes(path: &Path, nodes: &[Vec3]) -> Result<(), WriteError> {
    replace_file(path, |out| {
        writeln!(out, "{} 3 0 0", nodes.len())?;
        for (i, p) in nodes.iter().enumerate() {
            write!(out, "{} ", i + 1)?;
            text::point(out, p)?;
            writeln!(out)?;
        }
        Ok(())
    })
}
