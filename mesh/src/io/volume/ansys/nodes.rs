//! The list of nodes: number in 8 columns, coordinates in 20 each (some programs write 19, or parted
//! by blanks only).

use crate::io::error::{Location, Parsed};
use crate::io::text::lines::{Line, Lines};
use crate::io::text::number::{float, int, run_together};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// Columns of a node number.
const NUMBER: usize = 8;
/// Columns of a coordinate.
const COORDINATE: usize = 20;

/// Nodes with the numbers that the elements use.
pub(in crate::io) struct Nodes {
    pub(super) builder: Builder,
    pub(super) numbers: Numbers,
}

/// Reads the list of nodes.
pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Nodes> {
    let mut builder = Builder::default();
    let mut tags = Vec::new();
    for line in Lines::new(bytes).filter(|line| !line.is_done()) {
        let (tag, p) = node(&line).ok_or_else(|| {
            line.unexpected("a node number and three coordinates", line.text.trim_ascii())
        })?;
        builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
    }
    let numbers = Numbers::of_nodes(&tags).map_err(|problem| problem.at(Location::File))?;
    Ok(Nodes { builder, numbers })
}

fn node(line: &Line<'_>) -> Option<(u64, [f64; 3])> {
    let (number, p) = by_words(line).or_else(|| by_columns(line.text.trim_ascii_end()))?;
    Some((u64::try_from(number).ok()?, p))
}

/// Number and coordinates, and three angles where they are given.
fn by_words(line: &Line<'_>) -> Option<(i64, [f64; 3])> {
    let mut words = line.words();
    let number = int(words.next()?)?;
    let mut values = [0.0; 6];
    let mut count = 0;
    for word in words {
        *values.get_mut(count)? = float(word)?;
        count += 1;
    }
    matches!(count, 3 | 6).then(|| (number, [values[0], values[1], values[2]]))
}

/// Node from a line by columns: numbers that run together are parted by signs, and omitted ones are
/// known by the columns of the rest.
fn by_columns(text: &[u8]) -> Option<(i64, [f64; 3])> {
    let (number, rest) = number_and_rest(text)?;
    let ranges: Vec<_> = run_together(&text[rest..]).take(7).collect();
    let mut p = [0.0; 3];
    let is_whole = matches!(ranges.len(), 3 | 6);
    if !is_whole && rest != NUMBER.min(text.len()) {
        return None;
    }
    for (i, range) in ranges.iter().enumerate() {
        let value = float(&text[rest..][range.clone()])?;
        let field = if is_whole { i } else { range.start / COORDINATE };
        if !is_whole && (range.end - 1) / COORDINATE != field {
            return None;
        }
        if let Some(x) = p.get_mut(field) {
            *x = value;
        }
    }
    Some((number, p))
}

/// The node number, in its columns or as the first word, and where the rest begins.
fn number_and_rest(text: &[u8]) -> Option<(i64, usize)> {
    let columns = NUMBER.min(text.len());
    if let Some(number) = int(text[..columns].trim_ascii()) {
        return Some((number, columns));
    }
    let word = run_together(text).next()?;
    Some((int(&text[word.clone()])?, word.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u64, [f64; 3])> {
        node(&Line { text: text.as_bytes(), place: Location::File })
    }

    #[test]
    fn every_layout_of_a_line_gives_its_node() {
        let text = "       2-1.100000000000E+00-1.000000000000E-01 3.000000000000E-01";
        assert_eq!(read(text), Some((2, [-1.1, -0.1, 0.3])));
        assert_eq!(
            read("1     0.13861   -0.022297    0.061957"),
            Some((1, [0.13861, -0.022297, 0.061957]))
        );
        assert_eq!(read("12 -0.1-0.2E-01-.3"), Some((12, [-0.1, -0.02, -0.3])));
        assert_eq!(
            read("12345678 1.000000000000      2.0   "),
            Some((12_345_678, [1.0, 2.0, 0.0]))
        );
        assert_eq!(read("       4"), Some((4, [0.0; 3])));
        assert_eq!(read("       4                       1.0"), Some((4, [0.0, 1.0, 0.0])));
        assert_eq!(read("7 1 2 3 90. 0. 45."), Some((7, [1.0, 2.0, 3.0])));
    }

    #[test]
    fn what_cannot_be_told_is_refused() {
        for text in
            ["1 0.5 0.5", "a b c", "-3 0 0 0", "       3               1.00000000", "1 0,5 1 2"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
