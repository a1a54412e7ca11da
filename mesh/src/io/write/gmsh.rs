//! Gmsh 4.1 as text: element sets are physical groups of dimension 3, each combination of them a
//! volume of its own. Blocks follow the order of the elements.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::notes::{left_out, left_out_of_volume, refused};
use super::text;
use crate::io::element_codes::{self, Codes};
use crate::io::write::vtu_write::{WriteError, replace_file};
use crate::{ElementKind, VolumeMesh};

/// Groups of one volume at most that the reader takes.
const MAX_GROUPS: usize = 64;

pub(super) fn write(path: &Path, mesh: &VolumeMesh) -> Result<Vec<String>, WriteError> {
    let mut notes = Vec::new();
    let (volume_of_element, groups) = volumes(mesh);
    if groups.iter().any(|g| g.len() > MAX_GROUPS) {
        let reason = format!("an element is in more than {MAX_GROUPS} sets");
        return Err(refused(path, reason));
    }
    left_out_of_volume(mesh, &mut notes);
    let empty = mesh.element_sets.values().filter(|set| set.is_empty()).count();
    left_out(&mut notes, empty, "empty element set");
    replace_file(path, |out| {
        writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
        names(out, mesh)?;
        entities(out, mesh, &groups)?;
        nodes(out, mesh)?;
        elements(out, mesh, &volume_of_element)
    })?;
    Ok(notes)
}

/// The volume of each element, and the physical groups of each volume; all from 0.
fn volumes(mesh: &VolumeMesh) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut groups_of_element = vec![Vec::new(); mesh.element_count()];
    for (group, elements) in mesh.element_sets.values().enumerate() {
        for &e in elements {
            groups_of_element[e as usize].push(group);
        }
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut groups = Vec::new();
    let volume = |of_element: Vec<usize>| {
        *known.entry(of_element).or_insert_with_key(|key| {
            groups.push(key.clone());
            groups.len() - 1
        })
    };
    let volume_of_element = groups_of_element.into_iter().map(volume).collect();
    (volume_of_element, groups)
}

fn names(out: &mut impl Write, mesh: &VolumeMesh) -> io::Result<()> {
    if mesh.element_sets.is_empty() {
        return Ok(());
    }
    writeln!(out, "$PhysicalNames\n{}", mesh.element_sets.len())?;
    for (i, name) in mesh.element_sets.keys().enumerate() {
        let name: String =
            name.chars().map(|c| if c == '"' || c.is_control() { '_' } else { c }).collect();
        writeln!(out, "3 {} \"{name}\"", i + 1)?;
    }
    writeln!(out, "$EndPhysicalNames")
}

fn entities(out: &mut impl Write, mesh: &VolumeMesh, groups: &[Vec<usize>]) -> io::Result<()> {
    writeln!(out, "$Entities\n0 0 0 {}", groups.len())?;
    // The box of the whole mesh bounds each volume too.
    let [lo, hi] = mesh.bounding_box().unwrap_or_default();
    for (volume, groups) in groups.iter().enumerate() {
        write!(out, "{} ", volume + 1)?;
        text::point(out, &lo)?;
        write!(out, " ")?;
        text::point(out, &hi)?;
        write!(out, " {}", groups.len())?;
        groups.iter().try_for_each(|group| write!(out, " {}", group + 1))?;
        writeln!(out, " 0")?;
    }
    writeln!(out, "$EndEntities")
}

fn nodes(out: &mut impl Write, mesh: &VolumeMesh) -> io::Result<()> {
    let n = mesh.nodes.len();
    writeln!(out, "$Nodes\n1 {n} {} {n}\n3 1 0 {n}", n.min(1))?;
    (1..=n).try_for_each(|i| writeln!(out, "{i}"))?;
    for p in &mesh.nodes {
        text::point(out, p)?;
        writeln!(out)?;
    }
    writeln!(out, "$EndNodes")
}

fn elements(out: &mut impl Write, mesh: &VolumeMesh, volumes: &[usize]) -> io::Result<()> {
    let all: Vec<(ElementKind, usize)> =
        mesh.elements().zip(volumes).map(|((kind, _), &volume)| (kind, volume)).collect();
    let blocks = || all.chunk_by(|a, b| a == b);
    let n = all.len();
    writeln!(out, "$Elements\n{} {n} {} {n}", blocks().count(), n.min(1))?;
    let mut e = 0;
    for block in blocks() {
        let (kind, volume) = block[0];
        writeln!(out, "3 {} {} {}", volume + 1, Codes::of(kind).gmsh, block.len())?;
        for _ in block {
            let (_, nodes) = mesh.element(e);
            e += 1;
            let mut in_file = [0; ElementKind::MAX_NODE_COUNT];
            for (&place, &node) in element_codes::gmsh(kind).iter().zip(nodes) {
                in_file[place as usize] = node;
            }
            write!(out, "{e}")?;
            in_file[..nodes.len()].iter().try_for_each(|node| write!(out, " {}", node + 1))?;
            writeln!(out)?;
        }
    }
    writeln!(out, "$EndElements")
}
