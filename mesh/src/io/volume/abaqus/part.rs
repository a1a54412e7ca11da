//! The nodes, elements and sets of one part, or of a file without parts.

use std::collections::BTreeMap;

use super::keyword::{Keyword, Reader, values};
use super::sets::SetLines;
use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::lines::Line;
use crate::io::text::number::{float, int};
use crate::io::text::scanner::shorten;

/// An element as it stands in the file.
pub(super) struct Element {
    pub(super) number: u64,
    pub(super) kind: ElementKind,
    pub(super) place: Location,
    /// Index of its first node in the list of all.
    pub(super) first: usize,
}

#[derive(Default)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) tags: Vec<u64>,
    pub(super) points: Vec<[f64; 3]>,
    pub(super) elements: Vec<Element>,
    pub(super) element_nodes: Vec<i64>,
    /// Elements that are no solids, by what they are.
    pub(super) skipped: BTreeMap<&'static str, usize>,
    pub(super) sets: SetLines,
}

/// Shape of a type of element.
enum Shape {
    Solid(ElementKind),
    Lower(&'static str),
    Unsupported,
}

/// By the name of the type: C3D8R is a hexahedron as C3D8 is, DC3D8 is one for heat.
fn shape(name: &str) -> Shape {
    let solid = name.strip_prefix(['D', 'A', 'Q']).unwrap_or(name).strip_prefix("C3D");
    if let Some(rest) = solid {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let known = Codes::find(|row| row.abaqus == &rest[..digits]);
        return known.map_or(Shape::Unsupported, Shape::Solid);
    }
    let begins = |list: &[&str]| list.iter().any(|prefix| name.starts_with(prefix));
    if begins(&["SC", "COH3D", "CCL", "CSS", "GK3D", "EC3D"]) {
        Shape::Unsupported
    } else if begins(&["S", "M3D", "R3D", "CP", "CAX", "CGAX", "DS"]) && !begins(&["SPRING"]) {
        Shape::Lower("shells")
    } else {
        Shape::Lower("other elements")
    }
}

impl Part {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The lines behind *NODE.
    pub(super) fn read_nodes(&mut self, keyword: &Keyword, reader: &mut Reader<'_>) -> Parsed<()> {
        if !matches!(keyword.text("SYSTEM").to_ascii_uppercase().as_str(), "" | "R") {
            let what = "*NODE in cylindrical or spherical coordinates".to_owned();
            let remedy = "write rectangular coordinates (SYSTEM=R)";
            return Err(Problem::Unsupported { what, remedy }.at(keyword.place));
        }
        let first = self.tags.len();
        while let Some(line) = reader.data() {
            let mut words = values(line);
            let tag = unsigned(&line, words.next(), "a node number")?;
            let mut p = [0.0; 3];
            for (x, word) in p.iter_mut().zip(words) {
                // A coordinate that is left out is zero.
                let value = if word.is_empty() { Some(0.0) } else { float(word) };
                *x = value.ok_or_else(|| line.unexpected("a coordinate", word))?;
            }
            if !p.iter().all(|x| x.is_finite()) {
                return Err(Problem::NonFinite { node: tag, at: p }.at(line.place));
            }
            self.tags.push(tag);
            self.points.push(p);
        }
        if let Some(set) = keyword.parameter("NSET") {
            self.sets.add_numbers(set, false, &self.tags[first..]);
        }
        Ok(())
    }

    /// The lines behind *ELEMENT.
    pub(super) fn read_elements(
        &mut self,
        keyword: &Keyword,
        reader: &mut Reader<'_>,
    ) -> Parsed<()> {
        let name = keyword.text("TYPE").to_ascii_uppercase();
        let kind = match shape(&name) {
            Shape::Solid(kind) => kind,
            Shape::Lower(what) => {
                self.skip(what, reader);
                return Ok(());
            }
            Shape::Unsupported => {
                let what = format!("the element type {}", shorten(name.as_bytes()));
                let remedy = "use C3D4, C3D5, C3D6, C3D8, C3D10, C3D15, C3D20 or one of their kin";
                return Err(Problem::Unsupported { what, remedy }.at(keyword.place));
            }
        };
        let first = self.elements.len();
        while let Some(line) = reader.data() {
            self.element(line, kind, reader)?;
        }
        if let Some(set) = keyword.parameter("ELSET") {
            let numbers: Vec<u64> = self.elements[first..].iter().map(|e| e.number).collect();
            self.sets.add_numbers(set, true, &numbers);
        }
        Ok(())
    }

    /// One element, on as many lines as its nodes take.
    fn element(
        &mut self,
        line: Line<'_>,
        kind: ElementKind,
        reader: &mut Reader<'_>,
    ) -> Parsed<()> {
        let mut words = values(line);
        let number = unsigned(&line, words.next(), "an element number")?;
        let first = self.element_nodes.len();
        let node = |line: &Line<'_>, word: &[u8]| {
            int(word).ok_or_else(|| line.unexpected("a node number", word))
        };
        for word in words {
            self.element_nodes.push(node(&line, word)?);
        }
        let expected = kind.node_count();
        while self.element_nodes.len() - first < expected {
            let Some(more) = reader.data() else { break };
            for word in values(more) {
                self.element_nodes.push(node(&more, word)?);
            }
        }
        let found = (self.element_nodes.len() - first) as u64;
        if found != expected as u64 {
            let kind = element_codes::name(kind);
            return Err(
                Problem::NodeCount { element: number, kind, expected, found }.at(line.place)
            );
        }
        self.elements.push(Element { number, kind, place: line.place, first });
        Ok(())
    }

    /// Counts elements that are no solids: one a line, unless the line before ends with a comma.
    fn skip(&mut self, what: &'static str, reader: &mut Reader<'_>) {
        let mut goes_on = false;
        while let Some(line) = reader.data() {
            if !goes_on {
                *self.skipped.entry(what).or_default() += 1;
            }
            goes_on = line.text.trim_ascii_end().ends_with(b",");
        }
    }
}

/// A number of a node or element.
pub(super) fn unsigned(line: &Line<'_>, word: Option<&[u8]>, what: &'static str) -> Parsed<u64> {
    let word = word.unwrap_or_default();
    let value = int(word).and_then(|n| u64::try_from(n).ok());
    value.ok_or_else(|| line.unexpected(what, word))
}
