//! The tree of elements of an .osim file, with their places. What is not strict XML in files that users
//! have is mended first, byte for byte, so that places stay: colons in names, dashes in comments, blanks
//! ahead of the declaration.

use std::cell::Cell;

use roxmltree::{Document, ParsingOptions};

use crate::diagnostic::Diagnostic;
use crate::tree::Span;

/// Most elements around an element. Models need a dozen.
const DEEPEST: usize = 60;
/// Most elements of a file: some 100 bytes each, ten times the largest models that are published.
const MOST_ELEMENTS: u32 = 4_000_000;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Its tag: class or property.
    pub(super) tag: String,
    /// Attribute `name`; empty without one.
    pub(super) name: String,
    /// Text without blanks around it.
    pub(super) text: String,
    /// Elements in it.
    pub(super) children: Vec<Element>,
    /// Its opening tag.
    pub(super) span: Span,
    /// True if something was made of it.
    read: Cell<bool>,
}

impl Element {
    /// Marks it as read, and returns it.
    pub(super) fn mark(&self) -> &Self {
        self.read.set(true);
        self
    }

    /// Marks it and all in it as read.
    pub(super) fn mark_all(&self) -> &Self {
        self.children.iter().for_each(|child| {
            child.mark_all();
        });
        self.mark()
    }

    /// True if something was made of it.
    pub(super) fn is_read(&self) -> bool {
        self.read.get()
    }

    /// The first child of a tag, marked as read.
    pub(super) fn child(&self, tag: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.tag == tag).map(Element::mark)
    }

    /// The members of a set `<tag><objects>..</objects></tag>`.
    pub(super) fn members(&self, tag: &str) -> &[Element] {
        let set = self.child(tag).and_then(|set| set.child("objects"));
        set.map_or(&[], |objects| &objects.children)
    }

    /// True if it says nothing: no text, no element that says anything.
    pub(super) fn is_void(&self) -> bool {
        self.text.is_empty() && self.children.iter().all(Element::is_void)
    }

    /// Tag and name, for messages.
    pub(super) fn label(&self) -> String {
        match self.name.is_empty() {
            true => format!("<{}>", self.tag),
            false => format!("{} '{}'", self.tag, self.name),
        }
    }
}

/// The root element of a text and its attribute `Version`.
///
/// # Errors
/// What is no XML, with its place.
pub(super) fn parse(text: &str, file: u32) -> Result<(Element, String), Diagnostic> {
    let mended = mended(text);
    let options = ParsingOptions { nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&mended, options).map_err(|error| {
        let at = offset(text, error.pos().row, error.pos().col);
        let span = Span { file, start: at, end: at + 1 };
        Diagnostic::error(span, format!("the file is no XML: {error}"))
    })?;
    let root = document.root_element();
    let version = root.attribute("Version").unwrap_or("").to_owned();
    Ok((element(root, file, 0)?, version))
}

fn element(node: roxmltree::Node<'_, '_>, file: u32, depth: usize) -> Result<Element, Diagnostic> {
    let range = node.range();
    let tag = node.tag_name().name().to_owned();
    let start = range.start as u32;
    let span = Span { file, start, end: start + tag.len() as u32 + 1 };
    if depth > DEEPEST {
        let message = format!("<{tag}> has more than {DEEPEST} elements around it");
        return Err(Diagnostic::error(span, message));
    }
    let text: String = node.children().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
    let elements = node.children().filter(roxmltree::Node::is_element);
    let children = elements.map(|n| element(n, file, depth + 1)).collect::<Result<_, _>>()?;
    let name = node.attribute("name").unwrap_or("").trim().to_owned();
    let text = text.trim().to_owned();
    Ok(Element { tag, name, text, children, span, read: Cell::new(false) })
}

/// Byte of a row and column of characters, both from 1.
fn offset(text: &str, row: u32, column: u32) -> u32 {
    let before: usize = text.split_inclusive('\n').take(row as usize - 1).map(str::len).sum();
    let line = text.get(before..).unwrap_or("");
    let within = line.char_indices().nth(column as usize - 1).map_or(line.len(), |(at, _)| at);
    (before + within) as u32
}

/// The text with the same length, as strict XML says it.
fn mended(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while let Some(open) = find(&bytes, b"<", at) {
        let rest = &bytes[open..];
        at = if rest.starts_with(b"<!--") {
            let end = find(&bytes, b"-->", open + 4).unwrap_or(bytes.len());
            bytes[open + 4..end].iter_mut().filter(|b| **b == b'-').for_each(|b| *b = b' ');
            end
        } else if rest.starts_with(b"<?xml") {
            let end = find(&bytes, b"?>", open).map_or(bytes.len(), |end| end + 2);
            bytes[open..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            end
        } else if rest.starts_with(b"<![CDATA[") {
            find(&bytes, b"]]>", open).unwrap_or(bytes.len())
        } else {
            let name = |b: &u8| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>');
            let end = open + 1 + bytes[open + 1..].iter().take_while(|b| name(b)).count();
            bytes[open..end].iter_mut().filter(|b| **b == b':').for_each(|b| *b = b'_');
            end
        };
    }
    // Bytes of ASCII stood for bytes of ASCII.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(pattern.len()).position(|window| window == pattern).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_in_names_and_dashes_in_comments_are_mended_in_place() {
        let text = "\n<?xml version=\"1.0\"?>\n<a Version=\"3\"><!-- x -- y --><B::C name=\"q\">1:2</B::C></a>";
        let (root, version) = parse(text, 0).unwrap();
        assert_eq!((root.tag.as_str(), version.as_str()), ("a", "3"));
        let inner = &root.children[0];
        assert_eq!((inner.tag.as_str(), inner.text.as_str()), ("B__C", "1:2"));
        assert_eq!(&text[inner.span.start as usize..inner.span.end as usize], "<B::C");
    }

    #[test]
    fn a_truncated_text_is_refused_where_it_ends() {
        let error = parse("<a>\n  <b>1</b>\n", 0).unwrap_err();
        assert!(error.message.starts_with("the file is no XML"), "{}", error.message);
    }

    #[test]
    fn too_deep_a_nesting_is_refused() {
        let text = "<a>".repeat(70) + &"</a>".repeat(70);
        assert!(parse(&text, 0).unwrap_err().message.contains("elements around it"));
    }
}
