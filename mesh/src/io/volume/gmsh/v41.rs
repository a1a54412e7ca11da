//! Gmsh 4.1: nodes and elements in blocks, one an entity; the entities carry the physical groups.

use std::collections::BTreeMap;

use super::data;
use super::entries::{Entry, add_element, element_numbers, node_count, skip_section};
use super::groups::Groups;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Scalar, Scanner};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

const INT: Scalar = Scalar::I32;
const SIZE: Scalar = Scalar::U64;

/// Each element is listed in all groups of its volume: without a limit a small file could ask for a
/// huge list. Real models have a handful.
const MAX_GROUPS: usize = 256;

/// Physical groups of the entities, by dimension and number.
type Entities = BTreeMap<(i64, i64), Vec<i64>>;

pub(super) fn parse(s: &mut Scanner<'_>) -> Parsed<Builder> {
    let mut builder = Builder::default();
    let mut groups = Groups::default();
    let mut entities = Entities::new();
    let mut numbers = None;
    let mut element_numbers = None;
    while let Some(section) = s.token() {
        // Binary data begins behind the line of the section name.
        match section {
            b"$PhysicalNames" => groups.read_names(s)?,
            b"$Entities" => entities = self::entities(s)?,
            b"$PartitionedEntities" => {
                builder
                    .notes
                    .push("a partitioned mesh: its physical groups are not read".to_owned());
                skip_section(s, section)?;
            }
            b"$Nodes" => numbers = Some(nodes(s, &mut builder)?),
            b"$Elements" => {
                let numbers =
                    numbers.as_ref().ok_or_else(|| s.fault(Problem::Missing("$Nodes")))?;
                let read = elements(s, (numbers, &entities), &mut builder, &mut groups)?;
                element_numbers = Some(read);
            }
            b"$NodeData" | b"$ElementData" => {
                let of_nodes = section == b"$NodeData";
                let owners = if of_nodes { &numbers } else { &element_numbers };
                let missing = || s.fault(Problem::Missing("what its data belong to"));
                data::read(s, section, owners.as_ref().ok_or_else(missing)?, &mut builder)?;
            }
            other => skip_section(s, other)?,
        }
    }
    if element_numbers.is_none() {
        return Err(s.fault(Problem::EndOfFile { expected: "$Elements" }));
    }
    groups.store(&mut builder)?;
    Ok(builder)
}

fn tags(s: &mut Scanner<'_>, what: &'static str) -> Parsed<Vec<i64>> {
    let declared = s.uint(SIZE, what)?;
    let n = s.count("tags", declared, 1, INT)?;
    (0..n).map(|_| s.int(INT, "a tag")).collect()
}

/// Points have a position, all others a bounding box and the entities that bound them.
fn entities(s: &mut Scanner<'_>) -> Parsed<Entities> {
    s.rest_of_line();
    let mut counts = [0; 4];
    for count in &mut counts {
        let declared = s.uint(SIZE, "a number of entities")?;
        *count = s.count("entities", declared, 1, INT)?;
    }
    let mut entities = Entities::new();
    for (dimension, &count) in counts.iter().enumerate() {
        for _ in 0..count {
            let tag = s.int(INT, "an entity number")?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                s.float(Scalar::F64, "a coordinate")?;
            }
            let physical = tags(s, "a number of physical groups")?;
            if dimension > 0 {
                tags(s, "a number of bounding entities")?;
            }
            if physical.len() > MAX_GROUPS {
                let what = format!("entity {tag} in {} physical groups", physical.len());
                let remedy = "give it fewer";
                return Err(s.fault(Problem::Unsupported { what, remedy }));
            }
            entities.insert((dimension as i64, tag), physical);
        }
    }
    s.expect("$EndEntities")?;
    Ok(entities)
}

fn nodes(s: &mut Scanner<'_>, builder: &mut Builder) -> Parsed<Numbers> {
    s.rest_of_line();
    let blocks = s.uint(SIZE, "a number of blocks")?;
    let declared = s.uint(SIZE, "a number of nodes")?;
    s.count("nodes", declared, 4, SIZE)?;
    s.uint(SIZE, "the least node number")?;
    s.uint(SIZE, "the largest node number")?;
    let mut all = Vec::with_capacity(declared as usize);
    for _ in 0..blocks {
        let dimension = s.int(INT, "a dimension")?;
        s.int(INT, "an entity number")?;
        let parametric = s.int(INT, "0 or 1 for parametric")?;
        if !(0..=3).contains(&dimension) || !(0..=1).contains(&parametric) {
            let found = format!("dimension {dimension}, parametric {parametric}");
            return Err(s.fault(Problem::Expected { expected: "a block of nodes", found }));
        }
        let in_block = s.uint(SIZE, "a number of nodes")?;
        let in_block = s.count("nodes", in_block, 4, SIZE)?;
        let first = all.len();
        for _ in 0..in_block {
            all.push(s.uint(SIZE, "a node number")?);
        }
        for i in 0..in_block {
            let mut p = [0.0; 3];
            for x in &mut p {
                *x = s.float(Scalar::F64, "a coordinate")?;
            }
            for _ in 0..parametric * dimension {
                s.float(Scalar::F64, "a parameter")?;
            }
            builder.add_node(all[first + i], p).map_err(|problem| s.fault(problem))?;
        }
    }
    total(s, "nodes", declared, all.len())?;
    let numbers = Numbers::of_nodes(&all).map_err(|problem| s.fault(problem))?;
    s.expect("$EndNodes")?;
    Ok(numbers)
}

fn total(s: &Scanner<'_>, what: &'static str, declared: u64, found: usize) -> Parsed<()> {
    let found = found as u64;
    if declared == found {
        return Ok(());
    }
    Err(s.fault(Problem::CountMismatch { what, declared, found }))
}

fn elements(
    s: &mut Scanner<'_>,
    (numbers, entities): (&Numbers, &Entities),
    builder: &mut Builder,
    groups: &mut Groups,
) -> Parsed<Numbers> {
    s.rest_of_line();
    let blocks = s.uint(SIZE, "a number of blocks")?;
    let declared = s.uint(SIZE, "a number of elements")?;
    s.count("elements", declared, 2, SIZE)?;
    s.uint(SIZE, "the least element number")?;
    s.uint(SIZE, "the largest element number")?;
    let mut all = Vec::with_capacity(declared as usize);
    for _ in 0..blocks {
        let dimension = s.int(INT, "a dimension")?;
        let entity = s.int(INT, "an entity number")?;
        let code = s.int(INT, "an element type")?;
        let in_block = s.uint(SIZE, "a number of elements")?;
        let per_element = node_count(s, all.len() as u64 + 1, code)?;
        let in_block = s.count("elements", in_block, per_element as u64 + 1, SIZE)?;
        let physical = entities.get(&(dimension, entity)).map_or(&[][..], |p| &p[..]);
        for _ in 0..in_block {
            let number = s.uint(SIZE, "an element number")?;
            let mut nodes = [0; 32];
            let nodes = &mut nodes[..per_element];
            for node in nodes.iter_mut() {
                *node = s.int(SIZE, "a node number")?;
            }
            all.push(number);
            let entry = Entry { number, code, nodes, physical };
            add_element(s, builder, numbers, groups, entry)?;
        }
    }
    total(s, "elements", declared, all.len())?;
    s.expect("$EndElements")?;
    Ok(element_numbers(&all))
}
