//! The lines of an Abaqus file: keywords with parameters, and the data lines behind them.

use crate::io::error::Location;
use crate::io::text::lines::{Line, Lines};

/// A keyword line, continued over lines that end with a comma.
pub(super) struct Keyword {
    /// In capitals, without the star, one blank between words.
    pub(super) name: String,
    parameters: Vec<(String, String)>,
    pub(super) place: Location,
}

impl Keyword {
    /// The value of a parameter, `""` where it stands alone.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The same, or an empty text.
    pub(super) fn text(&self, name: &str) -> &str {
        self.parameter(name).unwrap_or("")
    }
}

/// The keywords and data lines of a file, in order.
pub(super) struct Reader<'a> {
    lines: Lines<'a>,
    /// A keyword line that ended the data before it.
    next: Option<Line<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { lines: Lines::new(bytes), next: None }
    }

    fn line(&mut self) -> Option<Line<'a>> {
        self.next.take().or_else(|| {
            let is_blank = |line: &Line<'_>| line.is_done() || line.text.starts_with(b"**");
            self.lines.find(|line| !is_blank(line))
        })
    }

    /// The next data line; `None` at a keyword.
    pub(super) fn data(&mut self) -> Option<Line<'a>> {
        let line = self.line()?;
        if line.text.trim_ascii_start().starts_with(b"*") {
            self.next = Some(line);
            return None;
        }
        Some(line)
    }

    /// The next keyword; data lines before it are passed over.
    pub(super) fn keyword(&mut self) -> Option<Keyword> {
        while self.data().is_some() {}
        let first = self.line()?;
        let mut text = String::from_utf8_lossy(first.text).trim().to_owned();
        while text.ends_with(',') {
            // A keyword line may end with a comma by mistake.
            let Some(more) = self.data() else { break };
            text.push_str(&String::from_utf8_lossy(more.text));
        }
        let mut words = text.trim_start_matches('*').split(',');
        let name = one_blank(words.next().unwrap_or("")).to_ascii_uppercase();
        let parameters = words.map(|word| {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            (one_blank(name).to_ascii_uppercase(), value.trim().trim_matches('"').to_owned())
        });
        Some(Keyword { name, parameters: parameters.collect(), place: first.place })
    }
}

fn one_blank(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The values of a data line, without the empty one behind a comma at its end.
pub(super) fn values<'a>(line: Line<'a>) -> impl Iterator<Item = &'a [u8]> {
    let text = line.text.trim_ascii();
    let text = text.strip_suffix(b",").unwrap_or(text);
    text.split(|&b| b == b',').map(<[u8]>::trim_ascii)
}
