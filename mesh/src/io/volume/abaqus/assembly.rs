//! Instances of parts, moved to their places and joined to one mesh.

use nalgebra::{Rotation3, Unit};

use super::keyword::{Keyword, Reader, values};
use super::part::Part;
use super::sets::{Resolved, SetLine};
use super::surfaces;
use crate::ElementKind;
use crate::Vec3;
use crate::io::element_codes;
use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::lines::Line;
use crate::io::text::number::float;
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;
use crate::io::volume::degenerate::collapse;
use crate::io::volume::numbers::Numbers;

/// Nodes of all instances together; some 500 MB, more than a model of one machine has.
const MOST_NODES: u64 = 20_000_000;

/// A part at its place: rotated about an axis after it was moved.
struct Instance {
    name: String,
    part: usize,
    translation: Vec3,
    /// A point of the axis and the rotation about it.
    rotation: Option<(Vec3, Rotation3<f64>)>,
}

#[derive(Default)]
pub(super) struct Assembly {
    instances: Vec<Instance>,
}

/// The numbers of a part, and its sets as indices from zero.
pub(super) struct Index {
    pub(super) nodes: Numbers,
    pub(super) elements: Numbers,
    pub(super) node_sets: Resolved,
    pub(super) element_sets: Resolved,
}

/// Placement of an instance: indices of its first node and element in the mesh.
pub(super) struct Placed {
    name: String,
    part: usize,
    pub(super) first_node: u32,
    pub(super) first_element: u32,
}

impl Assembly {
    /// *INSTANCE with its translation (3 numbers) and rotation (two points of the axis, an angle in
    /// degrees).
    pub(super) fn read_instance(
        &mut self,
        keyword: &Keyword,
        reader: &mut Reader<'_>,
        parts: &[Part],
    ) -> Parsed<()> {
        let wanted = keyword.text("PART");
        let part = parts.iter().skip(1).position(|part| part.name.eq_ignore_ascii_case(wanted));
        let part = part.ok_or_else(|| {
            let found = shorten(wanted.as_bytes());
            Problem::Expected { expected: "a part that stands before", found }.at(keyword.place)
        })?;
        let mut instance = Instance {
            name: keyword.text("NAME").to_owned(),
            part: part + 1,
            translation: Vec3::zeros(),
            rotation: None,
        };
        if let Some(line) = reader.data() {
            instance.translation = numbers::<3>(&line)?.into();
        }
        if let Some(line) = reader.data() {
            let [a, b, c, d, e, f, angle] = numbers::<7>(&line)?;
            let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
            let axis = Unit::try_new(to - from, 0.0);
            let axis = axis.ok_or_else(|| line.unexpected("two points of an axis", line.text))?;
            let rotation = Rotation3::from_axis_angle(&axis, angle.to_radians());
            instance.rotation = Some((from, rotation));
        }
        self.instances.push(instance);
        Ok(())
    }

    /// One mesh of all instances; parts without an instance only where nothing has one.
    pub(super) fn build(mut self, parts: &[Part]) -> Parsed<Builder> {
        let loose = |part: usize| Instance {
            name: parts[part].name.clone(),
            part,
            translation: Vec3::zeros(),
            rotation: None,
        };
        if self.instances.is_empty() {
            self.instances.extend((1..parts.len()).map(loose));
        }
        if !parts[0].tags.is_empty() {
            self.instances.push(loose(0));
        }
        let count: u64 = self.instances.iter().map(|i| parts[i.part].tags.len() as u64).sum();
        if count > MOST_NODES {
            let limit = MOST_NODES;
            return Err(Problem::InstancesTooLarge { count, limit }.at(Location::File));
        }
        let mut builder = Builder::default();
        let indices = parts.iter().map(|part| index(part, &mut builder.notes));
        let indices: Vec<Index> = indices.collect::<Parsed<_>>()?;
        let is_one = self.instances.len() <= 1;
        let mut placed = Vec::new();
        for instance in &self.instances {
            let prefix = if is_one || instance.name.is_empty() {
                String::new()
            } else {
                format!("{}.", instance.name)
            };
            let (part, index) = (&parts[instance.part], &indices[instance.part]);
            let place = place(&mut builder, instance, part, index)?;
            store_sets(&mut builder, &place, index, &prefix)?;
            surfaces::of_part(&mut builder, (part, index), &place, &prefix)?;
            placed.push(place);
        }
        assembly_sets(&mut builder, parts, (&indices, &placed))?;
        Ok(builder)
    }
}

fn numbers<const N: usize>(line: &Line<'_>) -> Parsed<[f64; N]> {
    let mut found = [0.0; N];
    let mut words = values(*line);
    for value in &mut found {
        let word = words.next().unwrap_or_default();
        let number = float(word).filter(|x| x.is_finite());
        *value =
            number.ok_or_else(|| line.unexpected("a number of a translation or rotation", word))?;
    }
    Ok(found)
}

/// Numbers and sets of a part. Sets that belong to an instance are those of the assembly.
fn index(part: &Part, notes: &mut Vec<String>) -> Parsed<Index> {
    let at = |problem: Problem| problem.at(Location::File);
    let nodes = Numbers::of_nodes(&part.tags).map_err(at)?;
    let tags: Vec<u64> = part.elements.iter().map(|e| e.number).collect();
    let elements = Numbers::of_elements(&tags).map_err(at)?;
    let (node_sets, element_sets) = (Resolved::default(), Resolved::default());
    let mut index = Index { nodes, elements, node_sets, element_sets };
    for line in part.sets.sets.iter().filter(|line| line.instance.is_none()) {
        let (sets, numbers, size) = if line.is_elements {
            (&mut index.element_sets, &index.elements, tags.len())
        } else {
            (&mut index.node_sets, &index.nodes, part.tags.len())
        };
        let mut lost = 0;
        let found = match sets.members(&line.members, numbers, line.place, &mut lost) {
            Ok(found) => found,
            // The assembly's sets of sets are looked at when its instances are known.
            Err(_) if part.name.is_empty() => continue,
            Err(fault) => return Err(fault),
        };
        if lost > 0 {
            notes.push(format!(
                "set `{}` names {lost} numbers that belong to no solid or node read here",
                shorten(line.name.as_bytes())
            ));
        }
        sets.add(line, found, size)?;
    }
    notes.extend(part.sets.notes.iter().cloned());
    Ok(index)
}

/// Adds the nodes and elements of an instance.
fn place(builder: &mut Builder, instance: &Instance, part: &Part, index: &Index) -> Parsed<Placed> {
    let first_node = builder.mesh.nodes.len();
    let first_element = builder.mesh.element_count() as u32;
    for (&tag, &point) in part.tags.iter().zip(&part.points) {
        let mut p = Vec3::from(point) + instance.translation;
        if let Some((from, rotation)) = &instance.rotation {
            p = from + rotation * (p - from);
        }
        builder.add_node(tag, p.into()).map_err(|problem| problem.at(Location::File))?;
    }
    for element in &part.elements {
        let nodes = &part.element_nodes[element.first..element.first + element.kind.node_count()];
        let repeats =
            element.kind == ElementKind::Hex8 && (1..8).any(|i| nodes[..i].contains(&nodes[i]));
        let shape = repeats.then(|| collapse(nodes.try_into().expect("eight nodes"))).flatten();
        let (kind, nodes) = match &shape {
            Some((kind, nodes)) => (*kind, &nodes[..]),
            None => (element.kind, nodes),
        };
        let order = element_codes::vtk(kind);
        let find = |n| index.nodes.index(n).map(|i| i + first_node);
        builder
            .add_element(element.number, kind, order, nodes, find)
            .map_err(|problem| problem.at(element.place))?;
    }
    for (&what, &count) in &part.skipped {
        *builder.skipped.entry(what).or_default() += count;
    }
    let first_node = first_node as u32;
    Ok(Placed { name: instance.name.clone(), part: instance.part, first_node, first_element })
}

/// The sets of a part for one of its instances.
fn store_sets(builder: &mut Builder, at: &Placed, index: &Index, prefix: &str) -> Parsed<()> {
    let whole = |problem: Problem| problem.at(Location::File);
    for (name, list) in index.node_sets.iter() {
        let nodes: Vec<u32> = list.iter().map(|n| n + at.first_node).collect();
        builder.add_to_node_set(&format!("{prefix}{name}"), &nodes).map_err(whole)?;
    }
    for (name, list) in index.element_sets.iter() {
        let elements: Vec<u32> = list.iter().map(|e| e + at.first_element).collect();
        builder.add_to_set(&format!("{prefix}{name}"), elements).map_err(whole)?;
    }
    if !prefix.is_empty() {
        let elements = (at.first_element..builder.mesh.element_count() as u32).collect();
        builder.add_to_set(&at.name, elements).map_err(whole)?;
    }
    Ok(())
}

/// Sets and surfaces of the assembly, which name numbers of instances.
fn assembly_sets(
    builder: &mut Builder,
    parts: &[Part],
    (indices, placed): (&[Index], &[Placed]),
) -> Parsed<()> {
    let lines = &parts[0].sets;
    let mut known: [Resolved; 2] = Default::default();
    let size = builder.mesh.nodes.len() + builder.mesh.element_count();
    for line in lines.sets.iter().filter(|line| line.instance.is_some()) {
        let found = of_instance(line, (indices, placed))?;
        known[usize::from(line.is_elements)].add(line, found, size)?;
    }
    for (name, list) in known[0].iter() {
        builder.add_to_node_set(name, list).map_err(|problem| problem.at(Location::File))?;
    }
    for (name, list) in known[1].iter() {
        builder.add_to_set(name, list.to_vec()).map_err(|problem| problem.at(Location::File))?;
    }
    surfaces::of_assembly(builder, &lines.surfaces, &known)
}

/// Indices in the mesh of the members of a set of one instance.
fn of_instance(
    line: &SetLine,
    (indices, placed): (&[Index], &[Placed]),
) -> Result<Vec<u32>, Fault> {
    let wanted = line.instance.as_deref().unwrap_or("");
    let at = placed.iter().find(|at| at.name.eq_ignore_ascii_case(wanted)).ok_or_else(|| {
        let found = shorten(wanted.as_bytes());
        Problem::Expected { expected: "an instance that exists", found }.at(line.place)
    })?;
    let index = &indices[at.part];
    let (sets, numbers, first) = if line.is_elements {
        (&index.element_sets, &index.elements, at.first_element)
    } else {
        (&index.node_sets, &index.nodes, at.first_node)
    };
    let found = sets.members(&line.members, numbers, line.place, &mut 0)?;
    Ok(found.into_iter().map(|i| i + first).collect())
}
