//! Text taken line by line, for the formats whose lines or columns carry meaning.

use memchr::memchr;

use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::number;
use crate::io::text::scanner::shorten;

/// The lines of a file.
#[derive(Clone)]
pub(in crate::io) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

/// A line without its end, and where it stands.
#[derive(Clone, Copy)]
pub(in crate::io) struct Line<'a> {
    pub(in crate::io) text: &'a [u8],
    pub(in crate::io) place: Location,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let length = memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let text = &self.rest[..length];
        self.rest = &self.rest[(length + 1).min(self.rest.len())..];
        self.line += 1;
        Some(Line { text: text.strip_suffix(b"\r").unwrap_or(text), place: self.place() })
    }
}

impl<'a> Lines<'a> {
    pub(in crate::io) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: without_mark(bytes), line: 0 }
    }

    /// Line that was taken last, as a place.
    pub(in crate::io) fn place(&self) -> Location {
        Location::Line(self.line)
    }

    /// The next line that holds more than blanks and a comment behind `#`, without both.
    pub(in crate::io) fn next_data(&mut self) -> Option<Line<'a>> {
        self.find_map(|line| {
            let end = memchr(b'#', line.text).unwrap_or(line.text.len());
            let text = line.text[..end].trim_ascii();
            (!text.is_empty()).then_some(Line { text, ..line })
        })
    }

    /// The same, or a fault that the file ends where `expected` should stand.
    pub(in crate::io) fn data(&mut self, expected: &'static str) -> Parsed<Line<'a>> {
        self.next_data().ok_or_else(|| Problem::EndOfFile { expected }.at(self.place()))
    }

    /// Checks that `declared` items of `words` words each can follow.
    pub(in crate::io) fn fitting(
        &self,
        what: &'static str,
        declared: u64,
        words: u64,
    ) -> Parsed<usize> {
        self.fitting_with(0, what, declared, words)
    }

    /// The same where `more` bytes of the current line are left as well.
    pub(in crate::io) fn fitting_with(
        &self,
        more: usize,
        what: &'static str,
        declared: u64,
        words: u64,
    ) -> Parsed<usize> {
        let bytes_left = self.rest.len() + more;
        // A digit and a separator a word; the last may lack the separator.
        let needed = declared.checked_mul(words).and_then(|n| n.checked_mul(2));
        match needed {
            Some(n) if n <= bytes_left as u64 + 1 => Ok(declared as usize),
            _ => Err(Problem::CountTooLarge { what, declared, bytes_left }.at(self.place())),
        }
    }
}

impl<'a> Line<'a> {
    /// The words between blanks.
    pub(in crate::io) fn words(&self) -> impl Iterator<Item = &'a [u8]> {
        self.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    /// Takes the next word; empty at the end of the line.
    pub(in crate::io) fn word(&mut self) -> &'a [u8] {
        let rest = self.text.trim_ascii_start();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(length);
        self.text = rest;
        word
    }

    pub(in crate::io) fn int(&mut self, expected: &'static str) -> Parsed<i64> {
        let word = self.word();
        number::int(word).ok_or_else(|| self.unexpected(expected, word))
    }

    pub(in crate::io) fn uint(&mut self, expected: &'static str) -> Parsed<u64> {
        let word = self.word();
        number::uint(word).ok_or_else(|| self.unexpected(expected, word))
    }

    pub(in crate::io) fn float(&mut self, expected: &'static str) -> Parsed<f64> {
        let word = self.word();
        number::float(word).ok_or_else(|| self.unexpected(expected, word))
    }

    pub(in crate::io) fn unexpected(
        &self,
        expected: &'static str,
        word: &[u8],
    ) -> crate::io::error::Fault {
        let found = if word.is_empty() { "the end of the line".into() } else { shorten(word) };
        Problem::Expected { expected, found }.at(self.place)
    }

    /// True if nothing but blanks is left.
    pub(in crate::io) fn is_done(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }
}

/// The bytes behind UTF-8's byte order mark, which some editors put first.
pub(in crate::io) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
