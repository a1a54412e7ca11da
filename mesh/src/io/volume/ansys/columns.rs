//! The line that states the columns of a block, as Fortran does: `(3i9,6e21.13e3)`.

use crate::io::error::Parsed;
use crate::io::error::Problem;
use crate::io::text::lines::Lines;
use crate::io::text::number::int;

/// Columns of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Whole numbers at the start of a line.
    pub(super) ints: usize,
    /// Characters of each.
    pub(super) int_width: usize,
    /// Characters of each number behind them.
    pub(super) float_width: usize,
}

/// Wider columns hold no number; narrower ones no node of a mesh.
const WIDTHS: std::ops::RangeInclusive<i64> = 4..=64;

/// Takes the line that states the columns.
pub(super) fn columns(lines: &mut Lines<'_>) -> Parsed<Columns> {
    let expected = "columns such as (3i9,6e21.13e3)";
    let line = lines.next().ok_or_else(|| Problem::EndOfFile { expected }.at(lines.place()))?;
    stated(line.text).ok_or_else(|| line.unexpected(expected, line.text.trim_ascii()))
}

fn stated(text: &[u8]) -> Option<Columns> {
    let inside = text.trim_ascii().strip_prefix(b"(")?.strip_suffix(b")")?;
    let mut parts = inside.split(|&b| b == b',').map(|part| part.trim_ascii());
    let (ints, int_width) = part(parts.next()?, b'i')?;
    // The elements' columns are whole numbers alone; text may stand behind those of types.
    let float_width = parts.next().and_then(|text| part(text, b'e')).map_or(1, |(_, width)| width);
    Some(Columns { ints, int_width, float_width })
}

/// `3i9`: how many, and how wide; `6e21.13e3` has digits and an exponent behind.
fn part(text: &[u8], letter: u8) -> Option<(usize, usize)> {
    let at = text.iter().position(|b| b.eq_ignore_ascii_case(&letter))?;
    let width = text[at + 1..].split(|b| !b.is_ascii_digit()).next()?;
    let count = int(&text[..at]).filter(|count| WIDTHS.contains(&(count + 3)))?;
    let width = int(width).filter(|width| WIDTHS.contains(width))?;
    Some((count as usize, width as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_the_line_states() {
        let of = |ints, int_width, float_width| Some(Columns { ints, int_width, float_width });
        assert_eq!(stated(b"(3i9,6e21.13e3)"), of(3, 9, 21));
        assert_eq!(stated(b" (3I8,6E16.9) "), of(3, 8, 16));
        assert_eq!(stated(b"(19i10)"), of(19, 10, 1));
        for text in ["", "3i9", "(3i0,6e21)", "(0i9)", "(i9)", "(3i99999999999)", "(6e21.13)"] {
            assert_eq!(stated(text.as_bytes()), None, "{text}");
        }
    }
}
