//! Text of XML files as users have them. What is not strict is mended: colons in names, dashes in comments and blanks
//! ahead of the declaration byte for byte, ampersands that begin no entity, control characters; attributes that nothing
//! parts by blanks between them. Places stay those of the text as it was.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};

use crate::diagnostic::Diagnostic;
use crate::tree::Span;

/// Most elements of a file: some 100 bytes each, ten times the largest models that are published.
const MOST_ELEMENTS: u32 = 4_000_000;

/// A text as strict XML says it.
pub(crate) struct Mended {
    text: String,
    /// Blanks of it that are not in the text as it was.
    added: Vec<usize>,
    file: u32,
}

impl Mended {
    /// Of a text, which is that of a file of this number.
    pub(crate) fn of(text: &str, file: u32) -> Self {
        let mut mending = Mending { bytes: text.as_bytes().to_vec(), added: Vec::new() };
        mending.mend();
        let Mending { bytes, added } = mending;
        match String::from_utf8(bytes) {
            Ok(text) => Self { text, added, file },
            // Not so: bytes of ASCII stood for bytes of ASCII, and blanks were added beside such.
            Err(_) => Self { text: text.to_owned(), added: Vec::new(), file },
        }
    }

    /// Its document.
    ///
    /// # Errors
    /// What is no XML, with its place.
    pub(crate) fn document(&self) -> Result<Document<'_>, Diagnostic> {
        let options = ParsingOptions { nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
        Document::parse_with_options(&self.text, options).map_err(|error| {
            let at = offset(&self.text, error.pos().row, error.pos().col);
            let span = self.span(at..at + 1);
            Diagnostic::error(span, format!("the file is no XML: {error}"))
        })
    }

    /// Tag of an element with `depth` elements around it, and the place of its opening.
    ///
    /// # Errors
    /// More than `deepest` elements around it.
    pub(crate) fn opening(
        &self,
        element: Node<'_, '_>,
        depth: usize,
        deepest: usize,
    ) -> Result<(String, Span), Diagnostic> {
        let tag = element.tag_name().name().to_owned();
        let start = element.range().start;
        let span = self.span(start..start + tag.len() + 1);
        if depth > deepest {
            let message = format!("<{tag}> has more than {deepest} elements around it");
            return Err(Diagnostic::error(span, message));
        }
        Ok((tag, span))
    }

    /// The place in the text as it was of a part of this one.
    pub(crate) fn span(&self, part: Range<usize>) -> Span {
        let before = |at: usize| (at - self.added.partition_point(|&blank| blank < at)) as u32;
        Span { file: self.file, start: before(part.start), end: before(part.end) }
    }
}

/// Byte of a row and column of characters, both from 1.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let before: usize = text.split_inclusive('\n').take(row as usize - 1).map(str::len).sum();
    let line = text.get(before..).unwrap_or("");
    let within = line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at);
    before + within
}

struct Mending {
    bytes: Vec<u8>,
    added: Vec<usize>,
}

impl Mending {
    /// Ampersands that begin no entity become underscores, and control characters blanks. Texts that declare entities
    /// or have sections of raw characters keep theirs.
    fn clean(&mut self) {
        let keeps = [&b"<!DOCTYPE"[..], b"<![CDATA["];
        let keeps = keeps.iter().any(|it| find(&self.bytes, it, 0).is_some());
        for at in 0..self.bytes.len() {
            match self.bytes[at] {
                b'&' if !keeps && !is_entity(&self.bytes[at + 1..]) => self.bytes[at] = b'_',
                0..=8 | 11 | 12 | 14..=31 => self.bytes[at] = b' ',
                _ => {}
            }
        }
    }

    fn mend(&mut self) {
        self.clean();
        let mut at = 0;
        let mut parted = Vec::new();
        while let Some(open) = find(&self.bytes, b"<", at) {
            let bytes = &mut self.bytes;
            let rest = &bytes[open..];
            at = if rest.starts_with(b"<!--") {
                let end = find(bytes, b"-->", open + 4).unwrap_or(bytes.len());
                let dashes = bytes[open + 4..end].iter_mut().filter(|b| **b == b'-');
                dashes.for_each(|b| *b = b' ');
                end
            } else if rest.starts_with(b"<?xml") {
                let end = find(bytes, b"?>", open).map_or(bytes.len(), |end| end + 2);
                bytes[open..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
                end
            } else if rest.starts_with(b"<![CDATA[") {
                find(bytes, b"]]>", open).unwrap_or(bytes.len())
            } else {
                let name = |b: &u8| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>');
                let end = open + 1 + bytes[open + 1..].iter().take_while(|b| name(b)).count();
                bytes[open..end].iter_mut().filter(|b| **b == b':').for_each(|b| *b = b'_');
                attributes_end(bytes, end, &mut parted)
            };
        }
        self.part(&parted);
    }

    /// Adds a blank ahead of each of these places, which rise.
    fn part(&mut self, places: &[usize]) {
        if places.is_empty() {
            return;
        }
        let mut whole = Vec::with_capacity(self.bytes.len() + places.len());
        let mut from = 0;
        for &place in places {
            whole.extend_from_slice(&self.bytes[from..place]);
            self.added.push(whole.len());
            whole.push(b' ');
            from = place;
        }
        whole.extend_from_slice(&self.bytes[from..]);
        self.bytes = whole;
    }
}

/// The end of a tag whose attributes begin at a place, or the next tag where it has none; where an attribute follows
/// another one at once joins `parted`.
fn attributes_end(bytes: &[u8], from: usize, parted: &mut Vec<usize>) -> usize {
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'<') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => {
                quote = None;
                if bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic() || *next == b'_')
                {
                    parted.push(at + 1);
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

/// True if bytes after an ampersand make an entity that every document has.
fn is_entity(rest: &[u8]) -> bool {
    let name = rest.iter().take(10).position(|byte| *byte == b';').map(|end| &rest[..end]);
    name.is_some_and(|name| {
        matches!(name, b"amp" | b"lt" | b"gt" | b"quot" | b"apos") || name.starts_with(b"#")
    })
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(pattern.len()).position(|window| window == pattern).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ampersands_and_control_characters_are_mended_in_place() {
        let text = "<a b=\"x & y\">R&D &lt; &#65; &nbsp;\u{b}<c/></a>\u{0}";
        let mended = Mended::of(text, 0);
        assert_eq!(mended.text.len(), text.len());
        let document = mended.document().unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("b"), Some("x _ y"));
        assert_eq!(root.text(), Some("R_D < A _nbsp; "));
    }
}
