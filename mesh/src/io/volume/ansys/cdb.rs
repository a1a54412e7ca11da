//! ANSYS's archives (.cdb, CDWRITE): blocks of nodes and elements in columns whose widths the file
//! states, element types, and components as sets. Commands that are no mesh are passed over.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Columns, columns};
use super::elements::{Element, add, store_sets};
use super::shells;
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::lines::{Line, Lines};
use crate::io::text::number::{float, int};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// Numbers of the element types that fill space (Mechanical APDL Element Reference).
const SOLIDS: [i64; 24] = [
    45, 62, 64, 65, 69, 70, 87, 90, 92, 95, 96, 98, 122, 123, 185, 186, 187, 226, 227, 231, 232,
    278, 279, 285,
];
/// Columns before the nodes of an element: material, type, real constant, section, coordinate system,
/// death, model, shape, number of nodes, nothing, number.
const HEAD: usize = 11;

#[derive(Default)]
struct Archive {
    builder: Builder,
    tags: Vec<u64>,
    elements: Vec<Element>,
    /// Numbers of the types by those that the file gives them.
    types: BTreeMap<i64, i64>,
    components: Vec<Component>,
}

/// Numbers of nodes or of elements by name; a negative one ends a range.
struct Component {
    name: String,
    of_nodes: bool,
    numbers: Vec<i64>,
    place: Location,
}

/// Reads the whole file.
pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    let mut archive = Archive::default();
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        let mut words = line.text.split(|&b| b == b',').map(<[u8]>::trim_ascii);
        let command = words.next().unwrap_or_default();
        let words: [&[u8]; 3] = std::array::from_fn(|_| words.next().unwrap_or_default());
        let is = |name: &[u8]| command.eq_ignore_ascii_case(name);
        if is(b"NBLOCK") {
            archive.nodes(&mut lines)?;
        } else if is(b"EBLOCK") && words[1].eq_ignore_ascii_case(b"SOLID") {
            archive.elements(&mut lines)?;
        } else if is(b"EBLOCK") {
            let note = "a block of elements that are no solids was passed over";
            archive.builder.notes.push(note.to_owned());
        } else if is(b"ET") {
            archive.element_type(words[0], words[1]);
        } else if is(b"ETBLOCK") {
            archive.types(&mut lines)?;
        } else if is(b"CMBLOCK") {
            archive.component(words, line, &mut lines)?;
        }
    }
    archive.finish()
}

/// True if a line ends a block: `-1`, or `N,R5.3,LOC,-1,` behind nodes.
fn is_end(line: &Line<'_>) -> bool {
    let text = line.text.trim_ascii_start();
    text.starts_with(b"-1") || text.starts_with(b"N,")
}

/// The next line of a block; none at its end.
fn row<'a>(lines: &mut Lines<'a>, expected: &'static str) -> Parsed<Option<Line<'a>>> {
    let line = lines.find(|line| !line.is_done());
    let line = line.ok_or_else(|| Problem::EndOfFile { expected }.at(lines.place()))?;
    Ok((!is_end(&line)).then_some(line))
}

impl Archive {
    fn nodes(&mut self, lines: &mut Lines<'_>) -> Parsed<()> {
        let Columns { ints, int_width, float_width } = columns(lines)?;
        while let Some(line) = row(lines, "the end of the nodes")? {
            let text = line.text.trim_ascii_end();
            let column = &text[..int_width.min(text.len())];
            let number = int(column.trim_ascii()).and_then(|n| u64::try_from(n).ok());
            let tag = number.ok_or_else(|| line.unexpected("a node number", column))?;
            let rest = text.get(ints * int_width..).unwrap_or_default();
            let mut p = [0.0; 3];
            // Zeros at the end are left out.
            for (x, column) in p.iter_mut().zip(rest.chunks(float_width)) {
                let word = column.trim_ascii();
                let value = if word.is_empty() { Some(0.0) } else { float(word) };
                *x = value.ok_or_else(|| line.unexpected("a coordinate", word))?;
            }
            self.builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
            self.tags.push(tag);
        }
        Ok(())
    }

    fn elements(&mut self, lines: &mut Lines<'_>) -> Parsed<()> {
        let Columns { int_width, .. } = columns(lines)?;
        while let Some(line) = row(lines, "the end of the elements")? {
            let head: Vec<i64> = whole(&line, int_width)?;
            let Some((&[material, kind, real, _, _, _, _, _, given, _, number], nodes)) =
                head.split_first_chunk::<HEAD>()
            else {
                return Err(line.unexpected("11 columns and nodes", line.text.trim_ascii()));
            };
            let number = u64::try_from(number)
                .map_err(|_| line.unexpected("an element number", line.text.trim_ascii()))?;
            let mut own = nodes.to_vec();
            while (own.len() as i64) < given.min(20) {
                let more = row(lines, "the other nodes of an element")?;
                let more = more.ok_or_else(|| line.unexpected("more nodes", b"the end"))?;
                own.extend(whole(&more, int_width)?);
            }
            let mut nodes = [0; 20];
            nodes.iter_mut().zip(&own).for_each(|(slot, &node)| *slot = node);
            let node_count = own.len().clamp(8, 20);
            let place = line.place;
            self.elements.push(Element { nodes, node_count, material, kind, real, number, place });
        }
        Ok(())
    }

    fn types(&mut self, lines: &mut Lines<'_>) -> Parsed<()> {
        let Columns { int_width, .. } = columns(lines)?;
        while let Some(line) = row(lines, "the end of the element types")? {
            let mut words = line.text.chunks(int_width).map(<[u8]>::trim_ascii);
            let [number, code] = [words.next(), words.next()].map(Option::unwrap_or_default);
            self.element_type(number, code);
        }
        Ok(())
    }

    /// `ET,1,187` or `ET,1,SOLID187`.
    fn element_type(&mut self, number: &[u8], code: &[u8]) {
        let digits = code.iter().position(u8::is_ascii_digit).unwrap_or(code.len());
        if let (Some(number), Some(code)) = (int(number), int(&code[digits..])) {
            self.types.insert(number, code);
        }
    }

    fn component(
        &mut self,
        words: [&[u8]; 3],
        line: Line<'_>,
        lines: &mut Lines<'_>,
    ) -> Parsed<()> {
        let [name, of, count] = words;
        let digits = count.iter().position(|b| !b.is_ascii_digit()).unwrap_or(count.len());
        let count = int(&count[..digits]).and_then(|n| u64::try_from(n).ok());
        let count = count.ok_or_else(|| line.unexpected("a number of members", words[2]))?;
        let Columns { int_width, .. } = columns(lines)?;
        let count = lines.fitting("members", count, 1)?;
        let mut numbers = Vec::with_capacity(count);
        while numbers.len() < count {
            let line = lines.next();
            let expected = "the members of a component";
            let line = line.ok_or_else(|| Problem::EndOfFile { expected }.at(lines.place()))?;
            numbers.extend(whole(&line, int_width)?);
        }
        let of_nodes = of.eq_ignore_ascii_case(b"NODE");
        if of_nodes || of.to_ascii_uppercase().starts_with(b"ELEM") {
            let name = String::from_utf8_lossy(name).trim_matches(['"', '\'', ' ']).to_owned();
            self.components.push(Component { name, of_nodes, numbers, place: line.place });
        }
        Ok(())
    }

    fn finish(self) -> Parsed<Builder> {
        let Self { mut builder, tags, elements, types, components } = self;
        let at_file = |problem: Problem| problem.at(Location::File);
        let numbers = Numbers::of_nodes(&tags).map_err(at_file)?;
        // Types that the file does not explain are judged by their shape.
        let shells: BTreeSet<i64> = shells::types(&elements, &builder.mesh.nodes, &numbers);
        for element in &elements {
            let is_other = types.get(&element.kind).is_some_and(|code| !SOLIDS.contains(code));
            if is_other {
                builder.skip("non-solids");
                continue;
            }
            let is_shell = !types.contains_key(&element.kind) && shells.contains(&element.kind);
            add(&mut builder, element, is_shell, |n| numbers.index(n))
                .map_err(|problem| problem.at(element.place))?;
        }
        store_sets(&mut builder, &elements);
        let tags: Vec<u64> = elements.iter().map(|element| element.number).collect();
        let cells = Numbers::of_elements(&tags).map_err(at_file)?;
        for component in components {
            let Component { name, of_nodes, numbers: list, place } = component;
            let index = if of_nodes { &numbers } else { &cells };
            let found = members(&list, index);
            if of_nodes {
                builder.add_to_node_set(&name, &found)
            } else {
                let element = |&cell: &u32| builder.element_of_cell[cell as usize];
                let solids = found.iter().filter_map(element).collect();
                builder.add_to_set(&name, solids)
            }
            .map_err(|problem| problem.at(place))?;
        }
        Ok(builder)
    }
}

/// The whole numbers of a line in columns; blank ones at the end are left out.
fn whole(line: &Line<'_>, width: usize) -> Parsed<Vec<i64>> {
    let columns = line.text.trim_ascii_end().chunks(width).map(<[u8]>::trim_ascii);
    let read = |word: &[u8]| int(word).ok_or_else(|| line.unexpected("a whole number", word));
    columns.map(read).collect()
}

/// Those of the numbers, and of the ranges up to negative ones, that exist.
fn members(numbers: &[i64], index: &Numbers) -> Vec<u32> {
    let mut found = Vec::new();
    let mut last = 0;
    for &number in numbers {
        if number < 0 {
            found.extend(index.range(last + 1, number.saturating_neg(), 1));
        } else {
            found.extend(index.index(number).map(|i| i as u32));
        }
        last = number.saturating_abs().min(i64::MAX - 1);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::ElementKind;
    use crate::io::{MeshFile, ReadOptions, read_volume_bytes};

    fn read(types: &str, elements: &str, after: &str) -> MeshFile {
        let node = |n: usize, p: [f64; 3]| {
            let column = |x: f64| format!("{:>21}", format!("{x:.13E}").replace("E0", "E+000"));
            let [x, y, z] = p.map(column);
            format!("{n:9}{:9}{:9}{x}{y}{z}\n", 0, 0)
        };
        let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]];
        let corners = corners.map(|p| p.map(f64::from));
        let nodes: String = corners.iter().enumerate().map(|(i, &p)| node(i + 1, p)).collect();
        let text = format!(
            "/COM,ANSYS RELEASE\n/PREP7\n{types}NBLOCK,6,SOLID,        5,        5\n(3i9,6e21.13e3)\n\
             {nodes}N,R5.3,LOC,       -1,\nEBLOCK,19,SOLID,         3,        3\n(19i9)\n\
             {elements}       -1\n{after}"
        );
        let read = read_volume_bytes(
            &[text.replace("\\\n", "\n").as_bytes()],
            None,
            &ReadOptions::default(),
        );
        read.unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    /// A row of material 2 and the type `kind`.
    fn element(kind: i64, number: i64, nodes: &[i64]) -> String {
        let head = [2, kind, 1, 1, 0, 0, 0, 0, nodes.len() as i64, 0, number];
        let columns = head.iter().chain(nodes).map(|n| format!("{n:9}"));
        columns.collect::<String>() + "\n"
    }

    #[test]
    fn blocks_types_and_components_are_read_in_their_columns() {
        let elements = element(1, 11, &[1, 2, 3, 3, 4, 4, 4, 4])
            + &element(2, 12, &[2, 3, 4, 5])
            + &element(3, 13, &[1, 2, 3, 4]);
        let components = "CMBLOCK,HELD    ,NODE,       3  ! users node component\n(8i10)\n\
                          \x20        1         2        -4\n\
                          CMBLOCK,ALL,ELEM,       2\n(8i10)\n        11       -13\n";
        let file = read("ET,1,185\nET,2,SOLID285\nET,3,181\n", &elements, components);
        assert_eq!(file.format, "ANSYS archive");
        let kinds: Vec<_> = file.mesh.elements().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [ElementKind::Tet4, ElementKind::Tet4]);
        assert_eq!(file.mesh.nodes[4].x, 1.0);
        assert_eq!(file.mesh.node_sets["HELD"], [0, 1, 2, 3]);
        assert_eq!(file.mesh.element_sets["ALL"], [0, 1]);
        assert_eq!(file.mesh.element_sets["material_2"], [0, 1]);
        assert!(
            file.notes.iter().any(|n| n.contains("passed over: 1 non-solid")),
            "{:?}",
            file.notes
        );
    }

    #[test]
    fn a_block_that_is_cut_off_is_refused() {
        let text = b"/PREP7\nNBLOCK,6,SOLID,9,9\n(3i9,6e21.13e3)\n        1        0        0\n";
        let error = read_volume_bytes(&[text], None, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("end of the nodes"), "{error}");
    }
}
