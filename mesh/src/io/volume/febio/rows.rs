//! Rows of nodes and elements, which are most of a file. Where they are plain they are cut out of the
//! text before a document is made of it: a tree with a branch for each took half of the time.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memmem};
use roxmltree::Node;

use super::xml::{at, children, words};
use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::number::int;
use crate::io::text::scanner::shorten;

/// `<node id="1">0,0,1</node>`: one node or element.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) id: &'a str,
    pub(super) text: &'a str,
    pub(super) place: Location,
}

impl<'a> Row<'a> {
    pub(super) fn unexpected(&self, expected: &'static str, found: &[u8]) -> Fault {
        Problem::Expected { expected, found: shorten(found) }.at(self.place)
    }

    pub(super) fn number(&self) -> Parsed<u64> {
        let id = self.id.trim().as_bytes();
        let number = int(id).and_then(|n| u64::try_from(n).ok());
        number.ok_or_else(|| self.unexpected("id", id))
    }

    /// Its numbers, as many as `values` has room for; how many there are.
    pub(super) fn read<T>(
        &self,
        values: &mut [T],
        expected: &'static str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Parsed<usize> {
        let mut count = 0;
        for word in words(self.text) {
            let value = read(word).ok_or_else(|| self.unexpected(expected, word))?;
            if let Some(slot) = values.get_mut(count) {
                *slot = value;
            }
            count += 1;
        }
        Ok(count)
    }
}

/// The rows that were cut out, by where the tag of their section begins in the text that is left.
#[derive(Default)]
pub(super) struct Cut<'a> {
    of_section: HashMap<usize, Vec<Row<'a>>>,
}

impl<'a> Cut<'a> {
    /// The rows of a section, from wherever they are.
    pub(super) fn rows(&self, section: Node<'a, 'a>) -> impl Iterator<Item = Row<'a>> {
        let cut = self.of_section.get(&section.range().start);
        let is_node = section.has_tag_name("Nodes");
        let left = children(section).filter(move |n| !is_node || n.has_tag_name("node"));
        let left = left.map(|n| Row {
            id: n.attribute("id").unwrap_or(""),
            text: n.text().unwrap_or(""),
            place: at(n),
        });
        cut.into_iter().flatten().copied().chain(left)
    }
}

/// The text with line ends alone in the place of plain rows, and those rows.
pub(super) fn cut(text: &str) -> (Cow<'_, str>, Cut<'_>) {
    let mut left = String::new();
    let mut cut = Cut::default();
    let [mut copied, mut at, mut line] = [0, 0, 1];
    while let Some(open) = memchr(b'<', &text.as_bytes()[at..]).map(|i| at + i) {
        let rest = &text[open..];
        let Some(end) = end_of_tag(rest).map(|end| open + end) else { break };
        let name = ["<Nodes", "<Elements"].into_iter().find(|name| rest.starts_with(name));
        let tag = &text[open..end];
        line += line_ends(&text[at..end]);
        at = end;
        let is_section = |name: &str| {
            let next = tag.as_bytes().get(name.len());
            next.is_some_and(|b| *b == b'>' || b.is_ascii_whitespace()) && !tag.ends_with("/>")
        };
        if !name.is_some_and(is_section) {
            continue;
        }
        if let Some((rows, body)) = plain(&text[end..], line) {
            left.push_str(&text[copied..open]);
            cut.of_section.insert(left.len(), rows);
            left.push_str(tag);
            let lines = line_ends(&text[end..end + body]);
            left.extend(std::iter::repeat_n('\n', lines));
            line += lines;
            at = end + body;
            copied = at;
        }
    }
    if copied == 0 {
        return (text.into(), cut);
    }
    left.push_str(&text[copied..]);
    (left.into(), cut)
}

fn line_ends(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}

/// Length of the tag, comment or other mark that a text begins with.
fn end_of_tag(text: &str) -> Option<usize> {
    let past = |end: &str| memmem::find(text.as_bytes(), end.as_bytes()).map(|i| i + end.len());
    if text.starts_with("<!--") {
        return past("-->");
    }
    if text.starts_with("<![CDATA[") {
        return past("]]>");
    }
    let mut quote = None;
    for (i, b) in text.bytes().enumerate() {
        match (quote, b) {
            (None, b'>') => return Some(i + 1),
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(open), b) if open == b => quote = None,
            _ => {}
        }
    }
    None
}

/// The rows up to the end of a section, if nothing else stands between, and their length.
fn plain(text: &str, mut line: usize) -> Option<(Vec<Row<'_>>, usize)> {
    let mut rows = Vec::new();
    let mut rest = text;
    loop {
        let row = rest.trim_ascii_start();
        line += line_ends(&rest[..rest.len() - row.len()]);
        if row.starts_with("</Nodes>") || row.starts_with("</Elements>") {
            return Some((rows, text.len() - row.len()));
        }
        let begins = |tag: &str| row.strip_prefix(tag);
        let (row, end) = begins("<node id=\"")
            .map(|row| (row, "</node>"))
            .or_else(|| Some((begins("<elem id=\"")?, "</elem>")))?;
        let (id, row) = row.split_at(memchr(b'"', row.as_bytes())?);
        let row = row.strip_prefix("\">")?;
        let (inside, row) = row.split_at(memchr(b'<', row.as_bytes())?);
        if !id.bytes().all(|b| b.is_ascii_digit()) || memchr(b'&', inside.as_bytes()).is_some() {
            return None;
        }
        rows.push(Row { id, text: inside, place: Location::Line(line) });
        line += line_ends(inside);
        rest = row.strip_prefix(end)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_rows_leave_their_line_ends_and_others_stay() {
        let plain = "<a>\n<!-- <Nodes> -->\n<Nodes name=\"x>y\">\n<node id=\"7\">1,\n2,3</node>\n\
                     </Nodes><Nodes>\n<node id=\"8\" tag=\"1\">4,5,6</node></Nodes></a>";
        let (left, cut) = cut(plain);
        let expected = "<a>\n<!-- <Nodes> -->\n<Nodes name=\"x>y\">\n\n\n</Nodes><Nodes>\n\
                        <node id=\"8\" tag=\"1\">4,5,6</node></Nodes></a>";
        assert_eq!(left, expected);
        let document = roxmltree::Document::parse(&left).unwrap();
        let sections = document.root_element().children().filter(Node::is_element);
        let found: Vec<_> = sections
            .flat_map(|section| cut.rows(section).map(|row| (row.id, row.text, row.place)))
            .collect();
        assert_eq!(found, [("7", "1,\n2,3", Location::Line(4)), ("8", "4,5,6", Location::Line(7))]);
    }

    #[test]
    fn references_comments_and_what_is_cut_off_are_left_to_the_document() {
        for inside in ["1,2,&#51;</node>", "1,<!-- -->2,3</node>", "1,2,3</elem>", "1,2"] {
            let text = format!("<Nodes><node id=\"1\">{inside}</Nodes>");
            assert_eq!(cut(&text).0, text);
        }
    }
}
