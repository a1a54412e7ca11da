//! The tree of elements of an .osim file, with their places.

use std::cell::Cell;

use roxmltree::{Document, ParsingOptions};

use crate::diagnostic::Diagnostic;
use crate::tree::Span;
use crate::xml_text::{mended, offset};

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
