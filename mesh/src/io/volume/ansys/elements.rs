//! The list of elements: 14 columns (8 nodes, MAT, TYPE, REAL, SECNUM, ESYS, number), and nodes 9 to
//! 20 on a second line.

use super::{Nodes, shells};
use crate::ElementKind;
use crate::io::element_codes;
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::lines::{Line, Lines};
use crate::io::text::number::int;
use crate::io::volume::builder::Builder;
use crate::io::volume::degenerate::collapse;

/// Columns of the first line of an element.
const COLUMNS: usize = 14;
/// Most nodes on the second line.
const MORE_NODES: usize = 12;
/// Characters a column that programs write: the usual one, and two for large numbers.
const WIDTHS: [usize; 3] = [6, 8, 10];

/// One element as it stands in the file.
pub(super) struct Element {
    pub(super) nodes: [i64; 20],
    /// Nodes on both lines, zeros at the end of the second left out.
    pub(super) node_count: usize,
    pub(super) material: i64,
    pub(super) kind: i64,
    pub(super) real: i64,
    pub(super) number: u64,
    pub(super) place: Location,
}

/// Reads the list of elements over these nodes.
pub(in crate::io) fn parse(bytes: &[u8], nodes: Nodes) -> Parsed<Builder> {
    let mut elements = Vec::new();
    for line in Lines::new(bytes).filter(|line| !line.is_done()) {
        let (values, count) = columns(&line)?;
        match (count, elements.last_mut()) {
            (COLUMNS, _) => elements.push(element(&line, &values)?),
            (1..=MORE_NODES, Some(last)) => more_nodes(&line, &values[..count], last)?,
            (1..=MORE_NODES, None) => {
                return Err(line.unexpected("an element before its second line", line.text));
            }
            _ => {
                let expected = "14 columns (8 nodes, MAT, TYPE, REAL, SECNUM, ESYS, number)";
                let found = format!("{count} columns");
                return Err(Problem::Expected { expected, found }.at(line.place));
            }
        }
    }
    let Nodes { mut builder, numbers } = nodes;
    let shells = shells::types(&elements, &builder.mesh.nodes, &numbers);
    for kind in &shells {
        builder.notes.push(format!(
            "elements of type {kind} with four corners are nearly flat and were taken for shells"
        ));
    }
    for element in &elements {
        let index = |n| numbers.index(n);
        add(&mut builder, element, shells.contains(&element.kind), index)
            .map_err(|problem| problem.at(element.place))?;
    }
    store_sets(&mut builder, &elements);
    Ok(builder)
}

/// The numbers of a line: words, or columns of a fixed width where they run together.
fn columns(line: &Line<'_>) -> Parsed<([i64; COLUMNS], usize)> {
    let mut values = [0; COLUMNS];
    let text = line.text.trim_ascii_end();
    let widths = || WIDTHS.into_iter().filter(|&width| are_columns(text, width));
    let width = if line.words().count() == COLUMNS {
        None
    } else if let Some(width) = widths().find(|&width| text.len().div_ceil(width) == COLUMNS) {
        Some(width)
    } else {
        // No number of the second line fills more than the wider columns.
        widths().find(|_| line.words().any(|word| word.len() > WIDTHS[1]))
    };
    let mut count = 0;
    let mut take = |word: &[u8]| {
        let value =
            int(word.trim_ascii()).ok_or_else(|| line.unexpected("a whole number", word))?;
        if let Some(slot) = values.get_mut(count) {
            *slot = value;
        }
        count += 1;
        Ok(())
    };
    match width {
        Some(width) => text.chunks(width).try_for_each(&mut take)?,
        None => line.words().try_for_each(&mut take)?,
    }
    Ok((values, count))
}

/// True if columns of this width hold one number each, which ends where the column ends.
fn are_columns(text: &[u8], width: usize) -> bool {
    text.chunks(width).all(|column| int(column.trim_ascii_start()).is_some())
}

fn element(line: &Line<'_>, values: &[i64; COLUMNS]) -> Parsed<Element> {
    let mut nodes = [0; 20];
    nodes[..8].copy_from_slice(&values[..8]);
    let number = u64::try_from(values[13])
        .map_err(|_| line.unexpected("an element number", values[13].to_string().as_bytes()))?;
    let [material, kind, real] = [values[8], values[9], values[10]];
    Ok(Element { nodes, node_count: 8, material, kind, real, number, place: line.place })
}

fn more_nodes(line: &Line<'_>, values: &[i64], last: &mut Element) -> Parsed<()> {
    if last.node_count > 8 {
        return Err(line.unexpected("an element, not a third line of one", line.text.trim_ascii()));
    }
    last.nodes[8..8 + values.len()].copy_from_slice(values);
    last.node_count = 8 + values.iter().rposition(|&n| n != 0).map_or(0, |i| i + 1);
    Ok(())
}

pub(super) fn add(
    builder: &mut Builder,
    element: &Element,
    is_shell: bool,
    index: impl Fn(i64) -> Option<usize>,
) -> Result<(), Problem> {
    let Element { nodes, node_count, number, .. } = element;
    let lower = match (node_count, nodes[..8].iter().position(|&n| n == 0)) {
        (8, Some(0..=2)) => Some("lines"),
        (8, Some(3)) => Some("triangles"),
        (8, Some(4)) if nodes[2] == nodes[3] => Some("triangles"),
        (8, Some(4)) if is_shell => Some("quadrilaterals"),
        _ => None,
    };
    if let Some(lower) = lower {
        builder.skip(lower);
        return Ok(());
    }
    let solid = match (node_count, nodes[..8].iter().position(|&n| n == 0)) {
        (8, Some(4)) => Some((ElementKind::Tet4, nodes[..4].to_vec())),
        (8, None) => collapse(nodes[..8].try_into().expect("eight nodes")),
        (10, None) => Some((ElementKind::Tet10, nodes[..10].to_vec())),
        (20, None) => quadratic(nodes),
        _ => None,
    };
    let degenerate =
        || Problem::Degenerate { element: *number, nodes: nodes[..*node_count].to_vec() };
    let (kind, own) = solid.ok_or_else(degenerate)?;
    builder.add_element(*number, kind, element_codes::vtk(kind), &own, index)
}

/// The 20-node hexahedron and what it becomes by repeated nodes, in VTK's order.
fn quadratic(n: &[i64; 20]) -> Option<(ElementKind, Vec<i64>)> {
    let (linear, _) = collapse(n[..8].try_into().expect("eight nodes"))?;
    let places: &[usize] = match linear {
        ElementKind::Tet4 => &[0, 1, 2, 4, 8, 9, 11, 16, 17, 18],
        ElementKind::Pyramid5 => &[0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18, 19],
        ElementKind::Wedge6 => &[0, 1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 17, 18],
        _ => return Some((linear.quadratic(), n.to_vec())),
    };
    let kind = linear.quadratic();
    let distinct = |i: usize| places[..i].iter().all(|&j| n[j] != n[places[i]]);
    let found = || (kind, places.iter().map(|&i| n[i]).collect());
    (0..places.len()).all(distinct).then(found)
}

/// Materials become element sets; types and real constants too where they differ from materials.
pub(super) fn store_sets(builder: &mut Builder, elements: &[Element]) {
    let column = |of: fn(&Element) -> i64| elements.iter().map(of).collect::<Vec<_>>();
    let materials = column(|e| e.material);
    builder.add_regions("material", 0, &materials);
    for (stem, values) in [("type", column(|e| e.kind)), ("real", column(|e| e.real))] {
        let several = values.iter().any(|&value| value != values[0]);
        if several && values != materials {
            builder.add_regions(stem, 0, &values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_told_by_their_widths_where_numbers_fill_them() {
        let read = |text: &str| {
            let (values, count) =
                columns(&Line { text: text.as_bytes(), place: Location::File }).unwrap();
            values[..count.min(COLUMNS)].to_vec()
        };
        let rest = "     3     4     5     6     7     8     1     1     1     1     0";
        let expected = [100_001, 100_002, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1, 0, 100_000];
        assert_eq!(read(&format!("100001100002{rest}100000")), expected);
        // The number of the element alone runs into the column before it.
        assert_eq!(read(&format!("     1     2{rest}100000"))[12..], [0, 100_000]);
        assert_eq!(read(" 1 2 3 4 5 6 7 8 1 1 1 1 0  100000")[13], 100_000);
        // Ten numbers of eight columns are as long as fourteen of six.
        let second: String = (1..=10).map(|n| format!("{:8}", 1000 * n)).collect();
        assert_eq!(read(&second), (1..=10).map(|n| 1000 * n).collect::<Vec<i64>>());
        let second: String = (1..=12).map(|n| format!("{}", 100_000 + n)).collect();
        assert_eq!(read(&second)[11], 100_012);
    }
}
