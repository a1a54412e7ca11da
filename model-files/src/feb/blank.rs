//! The text of a document with blanks in the place of rows of nodes and elements, which the reader of the mesh reads: a
//! tree with a branch for each would take most of the time. Places stay.

use std::borrow::Cow;

/// Sections of rows.
const SECTIONS: [(&str, &str); 2] = [("<Nodes", "</Nodes>"), ("<Elements", "</Elements>")];

/// The text with the insides of these sections blank but for ends of lines.
pub(super) fn without_rows(text: &str) -> Cow<'_, str> {
    let mut left = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        let rest = &text[open..];
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(text.len(), |end| open + end);
            continue;
        }
        at = rest.find('>').map_or(text.len(), |end| open + end);
        let section = SECTIONS.iter().find(|(begin, _)| {
            let next = rest.strip_prefix(begin).and_then(|it| it.chars().next());
            next.is_some_and(|c| c == '>' || c.is_ascii_whitespace())
        });
        let Some((_, end)) = section else { continue };
        if text[..at].ends_with('/') {
            continue;
        }
        let Some(end) = text[at..].find(end).map(|end| at + end) else { break };
        left.push_str(&text[copied..at + 1]);
        left.extend(text[at + 1..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        (copied, at) = (end, end);
    }
    if copied == 0 {
        return text.into();
    }
    left.push_str(&text[copied..]);
    left.into()
}

#[cfg(test)]
mod tests {
    use super::without_rows;

    #[test]
    fn rows_are_blank_and_places_stay() {
        let text = "<a>\n<!-- <Nodes> -->\n<Nodes name=\"x\">\n<node id=\"7\">1é</node>\n</Nodes><Elements/><b>2</b></a>";
        let left = without_rows(text);
        assert_eq!(left.len(), text.len());
        assert!(!left.contains("node id") && left.contains("<b>2</b>"));
        assert_eq!(left.find("<b>"), text.find("<b>"));
        assert_eq!(left.lines().count(), text.lines().count());
        assert_eq!(without_rows("<a><Nodesets>1</Nodesets></a>"), "<a><Nodesets>1</Nodesets></a>");
    }
}
