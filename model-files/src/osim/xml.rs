//! The tree of elements of an .osim file, with their places.

use std::cell::Cell;

use crate::diagnostic::Diagnostic;
use crate::tree::Span;
use crate::xml_text::Mended;

/// Most elements around an element. Models need a dozen.
const DEEPEST: usize = 60;

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
    let mended = Mended::of(text, file);
    let document = mended.document()?;
    let root = document.root_element();
    let version = root.attribute("Version").unwrap_or("").to_owned();
    Ok((element(root, &mended, 0)?, version))
}

fn element(
    node: roxmltree::Node<'_, '_>,
    text: &Mended,
    depth: usize,
) -> Result<Element, Diagnostic> {
    let (tag, span) = text.opening(node, depth, DEEPEST)?;
    let content: String =
        node.children().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
    let elements = node.children().filter(roxmltree::Node::is_element);
    let children = elements.map(|n| element(n, text, depth + 1)).collect::<Result<_, _>>()?;
    let name = node.attribute("name").unwrap_or("").trim().to_owned();
    let content = content.trim().to_owned();
    Ok(Element { tag, name, text: content, children, span, read: Cell::new(false) })
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
    fn attributes_that_nothing_parts_are_read_and_places_stay() {
        let text = "<a Version=\"3\"q=\"'x'y\"z='\"'><b name=\"c\"/>\n<d/></a>";
        let (root, version) = parse(text, 0).unwrap();
        assert_eq!((version.as_str(), root.children.len()), ("3", 2));
        let places =
            root.children.iter().map(|it| &text[it.span.start as usize..it.span.end as usize]);
        assert_eq!(places.collect::<Vec<_>>(), ["<b", "<d"]);
        assert!(parse("<a b=\"1\"c=\"2\"><d</a>", 0).is_err());
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
