//! Numbers and names as text.

use std::io::{self, Write};

use crate::Vec3;

/// Writes the coordinates with the fewest digits that read back to the same numbers.
pub(super) fn point(out: &mut impl Write, p: &Vec3) -> io::Result<()> {
    write!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)
}

/// A name as one word, for formats that end names at blanks.
pub(super) fn word(name: &str) -> String {
    let part = |c: char| if c.is_whitespace() || c.is_control() || c == '#' { '_' } else { c };
    // A backslash at the end of a line would join the next one to it.
    name.chars().map(part).map(|c| if c == '\\' { '_' } else { c }).collect()
}
