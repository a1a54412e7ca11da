//! Nastran's bulk data: GRID points and solid elements, in fields of 8 or 16 columns or parted by
//! commas. Elements are gathered into sets by their property, shells into face sets.

mod card;

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::number::{int, nastran_float};
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;
use card::{Card, Cards, without_tabs};

/// An element whose nodes may stand further down in the file.
struct Pending {
    number: u64,
    property: i64,
    shape: Shape,
    /// Index of its first node in the list of all, and their number.
    nodes: [usize; 2],
    place: Location,
}

#[derive(Clone, Copy)]
enum Shape {
    Solid(ElementKind),
    /// A shell: its name and its corners.
    Shell(&'static str, usize),
}

#[derive(Default)]
struct Bulk {
    builder: Builder,
    tags: Vec<u64>,
    elements: Vec<Pending>,
    nodes: Vec<i64>,
}

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    let mut bulk = Bulk::default();
    let text = without_tabs(bytes);
    let mut cards = Cards::new(&text);
    for card in cards.by_ref() {
        if let Some(kinds) = Codes::of_card(card.name()) {
            bulk.solid(&card, kinds)?;
            continue;
        }
        match card.name() {
            b"GRID" => bulk.grid(&card)?,
            b"CTRIA3" | b"CTRIA6" | b"CTRIAR" => bulk.shell(&card, "triangles", 3)?,
            b"CQUAD4" | b"CQUAD8" | b"CQUADR" => bulk.shell(&card, "quadrilaterals", 4)?,
            b"CBAR" | b"CBEAM" | b"CROD" | b"CONROD" | b"CTUBE" => bulk.builder.skip("lines"),
            b"INCLUDE" => return Err(include(&card)),
            _ => {}
        }
    }
    if !cards.ended() {
        let note = "the file ends without ENDDATA; it may be cut off";
        bulk.builder.notes.push(note.to_owned());
    }
    bulk.finish()
}

fn include(card: &Card<'_>) -> crate::io::error::Fault {
    let mut line = card.line;
    line.word();
    let remedy = "put its lines in the place of INCLUDE";
    Problem::Include { file: shorten(line.text.trim_ascii()), remedy }.at(line.place)
}

fn number(card: &Card<'_>, field: usize, expected: &'static str) -> Parsed<i64> {
    let text = card.field(field);
    int(text).ok_or_else(|| card.line.unexpected(expected, text))
}

fn id(card: &Card<'_>, field: usize, expected: &'static str) -> Parsed<u64> {
    let fault = |_| card.line.unexpected(expected, card.field(field));
    number(card, field, expected).and_then(|n| u64::try_from(n).map_err(fault))
}

impl Bulk {
    fn grid(&mut self, card: &Card<'_>) -> Parsed<()> {
        let tag = id(card, 1, "a number of a grid point")?;
        let system = card.field(2);
        if !matches!(system, b"" | b"0") {
            let what = format!("grid point {tag} in coordinate system {}", shorten(system));
            let remedy = "write all points in the basic system (field 3 blank)";
            return Err(Problem::Unsupported { what, remedy }.at(card.line.place));
        }
        let mut p = [0.0; 3];
        for (i, x) in p.iter_mut().enumerate() {
            let text = card.field(3 + i);
            // A blank field is zero.
            let value = if text.is_empty() { Some(0.0) } else { nastran_float(text) };
            *x = value.ok_or_else(|| card.line.unexpected("a coordinate", text))?;
        }
        self.builder.add_node(tag, p).map_err(|problem| problem.at(card.line.place))?;
        self.tags.push(tag);
        Ok(())
    }

    fn head(&mut self, card: &Card<'_>, shape: Shape, count: usize) -> Parsed<()> {
        let number = id(card, 1, "an element number")?;
        let property = self::number(card, 2, "a property number")?;
        let first = self.nodes.len();
        for field in 3..3 + count {
            self.nodes.push(self::number(card, field, "a number of a grid point")?);
        }
        let nodes = [first, count];
        self.elements.push(Pending { number, property, shape, nodes, place: card.line.place });
        Ok(())
    }

    /// The kinds are the linear and the quadratic one; how many nodes are given tells which it is.
    fn solid(&mut self, card: &Card<'_>, [corner, with_edges]: [ElementKind; 2]) -> Parsed<()> {
        let given =
            (3..3 + 20).rposition(|field| !card.field(field).is_empty()).map_or(0, |i| i + 1);
        let [linear, quadratic] = [corner, with_edges].map(ElementKind::node_count);
        if given != linear && given != quadratic {
            let element = id(card, 1, "an element number")?;
            let (kind, found) = (element_codes::name(corner), given as u64);
            return Err(
                Problem::NodeCount { element, kind, expected: linear, found }.at(card.line.place)
            );
        }
        let kind = if given == linear { corner } else { with_edges };
        self.head(card, Shape::Solid(kind), given)
    }

    fn shell(&mut self, card: &Card<'_>, name: &'static str, corners: usize) -> Parsed<()> {
        self.head(card, Shape::Shell(name, corners), corners)
    }

    fn finish(self) -> Parsed<Builder> {
        let Self { mut builder, tags, elements, nodes } = self;
        let numbers = Numbers::of_nodes(&tags).map_err(|problem| problem.at(Location::File))?;
        let index = |n| numbers.index(n);
        let first = builder.element_of_cell.len();
        for Pending { number, property, shape, nodes: [start, count], place } in &elements {
            let own = &nodes[*start..start + count];
            let added = match *shape {
                Shape::Solid(kind) => {
                    builder.add_element(*number, kind, element_codes::nastran(kind), own, index)
                }
                Shape::Shell(_, corners) => {
                    builder.element_of_cell.push(None);
                    let set = format!("property_{property}");
                    let nodes = builder.corners(*number, &own[..corners], index);
                    nodes.and_then(|nodes| builder.add_face(&set, &nodes, None))
                }
            };
            added.map_err(|problem| problem.at(*place))?;
        }
        let shells = |e: &&Pending| matches!(e.shape, Shape::Shell(..));
        if elements.iter().filter(shells).count() == elements.len() {
            // Shells alone are no solid: the message counts them.
            for Pending { shape, .. } in &elements {
                if let Shape::Shell(name, _) = shape {
                    *builder.skipped.entry(name).or_default() += 1;
                }
            }
        }
        let properties: Vec<i64> = elements.iter().map(|e| e.property).collect();
        builder.add_regions("property", first, &properties);
        Ok(builder)
    }
}
