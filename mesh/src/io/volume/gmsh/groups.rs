//! Physical groups: of volumes they become element sets, of surfaces face sets, of curves and points
//! node sets. A group without a name is `physical_<number>`.

use std::collections::BTreeMap;

use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::scanner::Scanner;
use crate::io::volume::builder::Builder;

/// Members of the groups by their numbers, and names by dimension and number.
#[derive(Default)]
pub(super) struct Groups {
    solids: BTreeMap<i64, Vec<u32>>,
    /// Corners of faces; a fourth of `u32::MAX` for triangles.
    faces: BTreeMap<i64, Vec<[u32; 4]>>,
    curves: BTreeMap<i64, Vec<u32>>,
    points: BTreeMap<i64, Vec<u32>>,
    names: BTreeMap<(u64, i64), String>,
}

impl Groups {
    /// `$PhysicalNames`, text in both encodings.
    pub(super) fn read_names(&mut self, s: &mut Scanner<'_>) -> Parsed<()> {
        let count = s.text_u64("a number of names")?;
        for _ in 0..count {
            let dimension = s.text_u64("a dimension")?;
            let tag = s.text_i64("a physical number")?;
            let name = s.rest_of_line().unwrap_or_default();
            let name = String::from_utf8_lossy(name).trim().trim_matches('"').to_owned();
            self.names.insert((dimension, tag), name);
        }
        s.expect("$EndPhysicalNames")
    }

    /// A solid of these groups; zero is none.
    pub(super) fn add_solid(&mut self, physical: &[i64], element: u32) {
        for &group in physical.iter().filter(|&&group| group != 0) {
            self.solids.entry(group).or_default().push(element);
        }
    }

    /// The corners of a face, or the nodes of a line or point, of these groups.
    pub(super) fn add_lower(&mut self, name: &str, physical: &[i64], nodes: &[u32]) {
        for &group in physical.iter().filter(|&&group| group != 0) {
            match name {
                "triangles" | "quadrilaterals" => {
                    let mut face = [u32::MAX; 4];
                    face.iter_mut().zip(nodes).for_each(|(slot, &node)| *slot = node);
                    self.faces.entry(group).or_default().push(face);
                }
                "points" => self.points.entry(group).or_default().extend(nodes),
                _ => self.curves.entry(group).or_default().extend(nodes),
            }
        }
    }

    fn name(&self, dimension: u64, tag: i64) -> String {
        let name = self.names.get(&(dimension, tag)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| format!("physical_{tag}"))
    }

    /// Makes the groups sets of the mesh.
    pub(super) fn store(mut self, builder: &mut Builder) -> Parsed<()> {
        let at = |problem: Problem| problem.at(Location::File);
        for (tag, elements) in std::mem::take(&mut self.solids) {
            builder.add_to_set(&self.name(3, tag), elements).map_err(at)?;
        }
        for (tag, faces) in &self.faces {
            let name = self.name(2, *tag);
            for face in faces {
                builder.add_face(&name, face, None).map_err(at)?;
            }
        }
        for (dimension, groups) in [(1, &self.curves), (0, &self.points)] {
            for (&tag, nodes) in groups {
                let name = self.name(dimension, tag);
                builder.add_to_node_set(&name, nodes).map_err(at)?;
            }
        }
        Ok(())
    }
}
