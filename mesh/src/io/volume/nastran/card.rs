//! Cards of the bulk data: a name and its fields, gathered over continuation lines.

use std::borrow::Cow;

use crate::io::text::lines::{Line, Lines};

/// No card that is read has more fields (CHEXA with 20 nodes has 22); of longer ones these are kept.
const MOST_FIELDS: usize = 64;
/// Columns of the name, and of a field in the small format.
const SMALL: usize = 8;
/// Columns of a field in the large format.
const LARGE: usize = 16;

/// A name and the fields behind it, all without blanks around them.
pub(super) struct Card<'a> {
    /// In capitals, without the star of the large format; blanks at the end.
    name: [u8; SMALL],
    fields: Vec<&'a [u8]>,
    /// The first line of the card.
    pub(super) line: Line<'a>,
}

impl<'a> Card<'a> {
    pub(super) fn name(&self) -> &[u8] {
        self.name.trim_ascii_end()
    }

    /// Field `i`, from 1 behind the name; empty where nothing is given.
    pub(super) fn field(&self, i: usize) -> &'a [u8] {
        i.checked_sub(1).and_then(|i| self.fields.get(i)).copied().unwrap_or_default()
    }
}

/// The same text with blanks up to the next field in the place of tabs.
pub(super) fn without_tabs(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'\t') {
        return bytes.into();
    }
    let mut out = Vec::with_capacity(2 * bytes.len());
    let mut column = 0;
    for &b in bytes {
        let width = if b == b'\t' { SMALL - column % SMALL } else { 1 };
        out.extend(std::iter::repeat_n(if b == b'\t' { b' ' } else { b }, width));
        column = if b == b'\n' { 0 } else { column + width };
    }
    out.into()
}

/// The cards of a text without tabs, up to ENDDATA.
pub(super) struct Cards<'a> {
    lines: Lines<'a>,
    /// The first line of the next card.
    head: Option<Line<'a>>,
    ended: bool,
}

impl<'a> Cards<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { lines: Lines::new(bytes), head: None, ended: false }
    }

    /// True if ENDDATA was passed.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// The next line that is no comment.
    fn line(&mut self) -> Option<Line<'a>> {
        self.lines.find_map(|line| {
            let text = line.text.split(|&b| b == b'$').next().unwrap_or_default();
            let text = text.trim_ascii_end();
            (!text.is_empty()).then_some(Line { text, ..line })
        })
    }
}

impl<'a> Iterator for Cards<'a> {
    type Item = Card<'a>;

    fn next(&mut self) -> Option<Card<'a>> {
        if self.ended {
            return None;
        }
        let line = self.head.take().or_else(|| self.line())?;
        let mut card = Card { name: [b' '; SMALL], fields: Vec::with_capacity(16), line };
        let word = split(line.text, &mut card.fields);
        let word = word.strip_suffix(b"*").unwrap_or(word);
        card.name.iter_mut().zip(word).for_each(|(slot, b)| *slot = b.to_ascii_uppercase());
        self.ended = card.name() == b"ENDDATA";
        while let Some(line) = self.line() {
            if !continues(line.text) {
                self.head = Some(line);
                break;
            }
            if card.fields.len() < MOST_FIELDS {
                split(line.text, &mut card.fields);
            }
        }
        Some(card)
    }
}

/// True if a line goes on with the card before it: its first field is empty, or a mark.
fn continues(text: &[u8]) -> bool {
    matches!(text[0], b'+' | b'*' | b',')
        || text[..SMALL.min(text.len())].iter().all(|&b| b == b' ')
}

/// Appends the fields of a line, eight (small and free) or four (large); the first is returned.
fn split<'a>(text: &'a [u8], fields: &mut Vec<&'a [u8]>) -> &'a [u8] {
    if text.contains(&b',') {
        return split_free(text, fields);
    }
    let (name, rest) = text.split_at(SMALL.min(text.len()));
    let (width, count) = if name.contains(&b'*') { (LARGE, 4) } else { (SMALL, 8) };
    for i in 0..count {
        let columns = (i * width).min(rest.len())..((i + 1) * width).min(rest.len());
        fields.push(rest[columns].trim_ascii());
    }
    let name = name.trim_ascii();
    &name[..name.iter().position(|&b| b == b' ').unwrap_or(name.len())]
}

/// Fields between commas; those that are left out at the end of a line count as blank ones.
fn split_free<'a>(text: &'a [u8], fields: &mut Vec<&'a [u8]>) -> &'a [u8] {
    let mut words = text.split(|&b| b == b',').map(<[u8]>::trim_ascii);
    let name = words.next().unwrap_or_default();
    let width = if name.ends_with(b"*") { 4 } else { 8 };
    let before = fields.len();
    // What comes behind the last field names the continuation.
    fields.extend(words.take(width));
    fields.resize(before + width, b"");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name and fields of each card, blanks at the end left out.
    fn fields(text: &str) -> Vec<String> {
        let text = without_tabs(text.as_bytes());
        let words = |card: Card<'_>| {
            let words = [&[card.name()], &card.fields[..]].concat();
            let words: Vec<_> = words.iter().map(|w| String::from_utf8_lossy(w)).collect();
            words.join("|").trim_end_matches('|').to_owned()
        };
        Cards::new(&text).map(words).collect()
    }

    #[test]
    fn the_three_layouts_give_the_same_fields() {
        let small = [
            "CTETRA         1       7       1       2       4       5       6       7+A",
            "+A             8       9      10      11",
        ];
        let large = [
            "CTETRA*                1               7               1               2*A",
            "*A                     4               5               6               7",
            "*                      8               9              10              11",
        ];
        let free = ["ctetra,1,7,1,2,4,5,6,7,+", "+,8,9,10,11"];
        for lines in [&small[..], &large, &free] {
            assert_eq!(fields(&lines.join("\n")), ["CTETRA|1|7|1|2|4|5|6|7|8|9|10|11"]);
        }
    }

    #[test]
    fn comments_tabs_and_blank_continuations_are_understood() {
        let text = "$ comment\nGRID\t1\t\t1.0\t2.0\t3.0 $ at the end\n\
                    CHEXA          1       1       1       2       3       4       5       6\n\
                    \x20              7       8\nENDDATA\nGRID,9\n";
        assert_eq!(fields(text), ["GRID|1||1.0|2.0|3.0", "CHEXA|1|1|1|2|3|4|5|6|7|8", "ENDDATA"]);
    }
}
