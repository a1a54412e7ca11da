//! Nodes of the document: children, attributes and numbers, with faults that name their line.

use roxmltree::Node;

use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::number::int;
use crate::io::text::scanner::shorten;
use crate::io::vtk::vtu_array::line;

pub(super) fn at(node: Node<'_, '_>) -> Location {
    Location::Line(line(node))
}

pub(super) fn children<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The sections of a mesh, those within a part too.
pub(super) fn sections<'a, 'i>(mesh: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    children(mesh).flat_map(|node| {
        let is_part = node.has_tag_name("Part");
        let inner = children(node).filter(move |_| is_part);
        std::iter::once(node).filter(move |_| !is_part).chain(inner)
    })
}

pub(super) fn attribute<T: TryFrom<i64>>(node: Node<'_, '_>, name: &'static str) -> Parsed<T> {
    let text = node.attribute(name).unwrap_or("");
    let value = int(text.trim().as_bytes()).and_then(|n| T::try_from(n).ok());
    value.ok_or_else(|| unexpected(node, name, text))
}

pub(super) fn unexpected(node: Node<'_, '_>, expected: &'static str, found: &str) -> Fault {
    Problem::Expected { expected, found: shorten(found.as_bytes()) }.at(at(node))
}

/// The numbers of the text of a node, between commas or blanks.
pub(super) fn numbers<'a, T>(
    node: Node<'a, '_>,
    expected: &'static str,
    read: impl Fn(&[u8]) -> Option<T>,
) -> impl Iterator<Item = Parsed<T>> {
    words(node.text().unwrap_or("")).map(move |word| {
        read(word).ok_or_else(|| unexpected(node, expected, &String::from_utf8_lossy(word)))
    })
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let parted = text.as_bytes().split(|&b| b == b',' || b.is_ascii_whitespace());
    parted.filter(|word| !word.is_empty())
}
