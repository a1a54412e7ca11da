//! Sets of nodes and elements, and surfaces: their lines as they stand, and their members once all
//! numbers of a part are known. Names are the same in capitals and small letters.

use std::collections::BTreeMap;

use super::keyword::{Keyword, Reader, values};
use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::number::int;
use crate::io::text::scanner::shorten;
use crate::io::volume::numbers::Numbers;

/// Member on a line of a set.
pub(super) enum Member {
    Number(i64),
    /// First, last, step.
    Range([i64; 3]),
    Set(String),
}

/// One *NSET or *ELSET.
pub(super) struct SetLine {
    pub(super) name: String,
    pub(super) is_elements: bool,
    /// The instance whose numbers these are, for sets of the assembly.
    pub(super) instance: Option<String>,
    pub(super) members: Vec<Member>,
    pub(super) place: Location,
}

/// One line of a *SURFACE: a set or a number, and the label of a face (none for nodes).
pub(super) struct SurfaceLine {
    pub(super) surface: String,
    pub(super) of: Member,
    pub(super) face: Option<usize>,
    pub(super) place: Location,
}

/// The sets and surfaces of a part or of the assembly, in the order of the file.
#[derive(Default)]
pub(super) struct SetLines {
    pub(super) sets: Vec<SetLine>,
    pub(super) surfaces: Vec<SurfaceLine>,
    /// Notes on lines that could not be kept.
    pub(super) notes: Vec<String>,
}

impl SetLines {
    /// The set that a *NODE or *ELEMENT names for its lines.
    pub(super) fn add_numbers(&mut self, name: &str, is_elements: bool, numbers: &[u64]) {
        let members = numbers.iter().map(|&n| Member::Number(n as i64)).collect();
        let (name, instance) = (name.to_owned(), None);
        self.sets.push(SetLine { name, is_elements, instance, members, place: Location::File });
    }

    /// The lines behind *NSET or *ELSET.
    pub(super) fn read(&mut self, keyword: &Keyword, reader: &mut Reader<'_>) -> Parsed<()> {
        let is_elements = keyword.name == "ELSET";
        let name = keyword.text(if is_elements { "ELSET" } else { "NSET" }).to_owned();
        let instance = keyword.parameter("INSTANCE").map(str::to_owned);
        let is_range = keyword.parameter("GENERATE").is_some();
        let mut members = Vec::new();
        while let Some(line) = reader.data() {
            if is_range {
                members.push(Member::Range(range(values(line)).ok_or_else(|| {
                    line.unexpected("first, last and step of a range", line.text.trim_ascii())
                })?));
            } else {
                members.extend(values(line).filter(|word| !word.is_empty()).map(member));
            }
        }
        self.sets.push(SetLine { name, is_elements, instance, members, place: keyword.place });
        Ok(())
    }

    /// The lines behind *SURFACE.
    pub(super) fn read_surface(&mut self, keyword: &Keyword, reader: &mut Reader<'_>) {
        let surface = keyword.text("NAME");
        let of_nodes = keyword.text("TYPE").eq_ignore_ascii_case("NODE");
        let mut lost = 0;
        while let Some(line) = reader.data() {
            let mut words = values(line);
            let of = member(words.next().unwrap_or_default());
            let label = words.next().unwrap_or_default();
            let face = label.strip_prefix(b"S").or(label.strip_prefix(b"s")).and_then(int);
            let face = face.and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
            if face.is_none() && !of_nodes {
                lost += 1;
                continue;
            }
            let face = face.filter(|_| !of_nodes);
            let surface = surface.to_owned();
            self.surfaces.push(SurfaceLine { surface, of, face, place: line.place });
        }
        if lost > 0 {
            self.notes.push(format!(
                "{lost} lines of surface `{}` without a face S1 to S6 were passed over",
                shorten(surface.as_bytes())
            ));
        }
    }
}

fn range<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<[i64; 3]> {
    let first = int(words.next()?)?;
    let last = int(words.next()?)?;
    let step = words.next().map_or(Some(1), int)?;
    Some([first, last, step])
}

fn member(word: &[u8]) -> Member {
    match int(word) {
        Some(number) => Member::Number(number),
        None => Member::Set(String::from_utf8_lossy(word).trim_matches('"').to_owned()),
    }
}

/// Named lists of indices, found by their names in capitals.
#[derive(Default)]
pub(super) struct Resolved {
    lists: BTreeMap<String, (String, Vec<u32>)>,
    entries: usize,
}

/// Entries of all sets of a part together, for each of its nodes and elements.
const ENTRIES: usize = 64;

impl Resolved {
    pub(super) fn get(&self, name: &str) -> Option<&[u32]> {
        self.lists.get(&name.to_ascii_uppercase()).map(|(_, list)| &list[..])
    }

    /// The names as they were written first, and the lists.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.lists.values().map(|(name, list)| (name.as_str(), &list[..]))
    }

    /// Adds what a line names to its set.
    ///
    /// # Errors
    /// Sets that have far more entries than there are numbers.
    pub(super) fn add(&mut self, line: &SetLine, found: Vec<u32>, size: usize) -> Parsed<()> {
        self.entries += found.len();
        if self.entries > ENTRIES * (size + 1024) {
            let (set, entries) = (line.name.clone(), self.entries);
            return Err(Problem::SetsTooLarge { set, entries }.at(line.place));
        }
        let entry = self.lists.entry(line.name.to_ascii_uppercase());
        let (_, list) = entry.or_insert_with(|| (line.name.clone(), Vec::new()));
        list.extend(found);
        Ok(())
    }

    /// The indices of the members; numbers that do not exist are counted in `lost` (sets may name
    /// elements that are no solids).
    pub(super) fn members(
        &self,
        members: &[Member],
        numbers: &Numbers,
        place: Location,
        lost: &mut usize,
    ) -> Result<Vec<u32>, Fault> {
        let mut found = Vec::new();
        for member in members {
            match member {
                Member::Number(n) => match numbers.index(*n) {
                    Some(index) => found.push(index as u32),
                    None => *lost += 1,
                },
                Member::Range([first, last, step]) => {
                    found.extend(numbers.range(*first, *last, *step));
                }
                Member::Set(name) => match self.get(name) {
                    Some(list) => found.extend(list),
                    None => {
                        let found = shorten(name.as_bytes());
                        let expected = "a number, or a set that stands before";
                        return Err(Problem::Expected { expected, found }.at(place));
                    }
                },
            }
            if found.len() > MOST_MEMBERS {
                let (set, entries) = ("a set of sets".to_owned(), found.len());
                return Err(Problem::SetsTooLarge { set, entries }.at(place));
            }
        }
        Ok(found)
    }
}

/// More members than one set has, repetitions included.
const MOST_MEMBERS: usize = 50_000_000;
