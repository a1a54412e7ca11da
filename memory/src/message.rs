//! The line about a lack of memory, made without memory.

use std::fmt::{self, Write};

/// Bytes that a line may have.
const LENGTH: usize = 512;

/// A text in a place of its own; what does not fit is cut off.
pub(crate) struct Line {
    bytes: [u8; LENGTH],
    length: usize,
}

impl Line {
    /// The text as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = (LENGTH - self.length).min(text.len());
        self.bytes[self.length..self.length + room].copy_from_slice(&text.as_bytes()[..room]);
        self.length += room;
        Ok(())
    }
}

/// The line about `asked` bytes that were refused to a process of `peak` bytes at most so far.
pub(crate) fn lack_of(asked: usize, peak: Option<u64>) -> Line {
    let mut line = Line { bytes: [0; LENGTH], length: 0 };
    // Writing into a line does not fail.
    let _ = write!(line, "error: out of memory: {asked} bytes more were asked for");
    if let Some(peak) = peak {
        let _ = write!(line, ", {} MB were held at most", peak / 1_000_000);
    }
    let _ = line.write_str(
        "; use a coarser mesh or a larger `--every`, or `--solver cg`, which needs no sparse factor\n",
    );
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_both_numbers_and_a_remedy_whatever_they_are() {
        for (asked, peak) in [(1, 0), (usize::MAX, u64::MAX)] {
            let line = lack_of(asked, Some(peak));
            let text = str::from_utf8(line.bytes()).unwrap();
            assert!(text.contains(&format!(" {asked} bytes")), "{text}");
            assert!(text.contains(&format!(" {} MB", peak / 1_000_000)), "{text}");
            assert!(text.ends_with("needs no sparse factor\n"), "{text}");
        }
    }
}
