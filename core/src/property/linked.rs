//! Texts with paths in them that follow what they lead to: formulas of properties, and commands. Paths that lead nowhere
//! yet are text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::component::path::ParsedPath;
use crate::component::{Address, ComponentId, Reference};
use crate::editing::written;

/// Finds what is at a path.
pub(crate) type Find<'f> = &'f dyn Fn(&str) -> Option<Address>;
/// Reads a text of a sort.
pub(crate) type ReadLinked = fn(&str, Find<'_>) -> LinkedText;

/// A text in which components, and parts of tissues, stand by the paths that they have now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkedText {
    /// Text before each target, and behind the last one.
    around: Vec<String>,
    targets: Vec<Target>,
}

/// Target of a path in a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Target {
    at: Address,
    /// Rest of the path: the name of a property, or of what is not there yet.
    rest: String,
    style: Style,
}

/// Sign by which a path ends in a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Style {
    /// A brace.
    Braces,
    /// A blank, or a quote that the path gets where it needs one.
    Word,
    /// A double quote of the text, in which those of the path are escaped.
    Quoted,
}

impl<T: Into<String>> From<T> for LinkedText {
    fn from(text: T) -> Self {
        Self { around: vec![text.into()], targets: Vec::new() }
    }
}

impl LinkedText {
    /// A formula: paths stand in braces, `{PATH:NAME}`.
    pub(crate) fn formula(text: &str, find: Find<'_>) -> Self {
        let mut reader = Reader::new(text, find);
        reader.link_braces(0..text.len(), Style::Braces);
        reader.finish()
    }

    /// A command: words, and values behind `=`, that begin with a slash are paths, and what stands in braces.
    pub(crate) fn command(text: &str, find: Find<'_>) -> Self {
        let mut reader = Reader::new(text, find);
        let mut at = 0;
        while let Some(value) = next_value(text, at) {
            at = value.end;
            reader.link_value(value);
        }
        reader.finish()
    }

    /// Finds what its paths lead to, where nothing was found so far.
    pub(crate) fn link(&mut self, read: ReadLinked, find: Find<'_>) {
        if let ([text], true) = (&self.around[..], self.targets.is_empty()) {
            *self = read(text, find);
        }
    }

    /// The text, with the path that each target has.
    pub fn text(&self, path_of: impl Fn(Address) -> String) -> String {
        let mut text = String::new();
        for (before, target) in self.around.iter().zip(&self.targets) {
            let path = path_of(target.at) + &target.rest;
            text += before;
            text += &match target.style {
                Style::Braces => path,
                Style::Word => written(&path),
                Style::Quoted => path.replace('\\', "\\\\").replace('"', "\\\""),
            };
        }
        text + self.around.last().map_or("", String::as_str)
    }

    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Reference)) {
        self.targets.iter().for_each(|it| visit(Reference::hard(it.at.component())));
    }

    pub(crate) fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        self.targets.iter_mut().all(|it| keep(&mut it.at))
    }

    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        for target in &mut self.targets {
            if let Some(id) = map(target.at.component()) {
                target.at = target.at.on(id);
            }
        }
    }
}

/// A text on the way to a linked one.
struct Reader<'t> {
    text: &'t str,
    find: Find<'t>,
    around: Vec<String>,
    targets: Vec<Target>,
    /// End of the last target.
    end: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, find: Find<'t>) -> Self {
        Self { text, find, around: Vec::new(), targets: Vec::new(), end: 0 }
    }

    fn finish(mut self) -> LinkedText {
        self.around.push(self.text[self.end..].to_owned());
        LinkedText { around: self.around, targets: self.targets }
    }

    /// Links a path; false where neither it nor its parent is there.
    fn link(&mut self, span: Range<usize>, style: Style) -> bool {
        let path = &self.text[span.clone()];
        let Some((at, length)) = target(path, self.find) else { return false };
        self.around.push(self.text[self.end..span.start].to_owned());
        self.targets.push(Target { at, rest: path[length..].to_owned(), style });
        self.end = span.end;
        true
    }

    /// Links what stands in braces.
    fn link_braces(&mut self, span: Range<usize>, style: Style) {
        let (mut at, end) = (span.start, span.end);
        while let Some(open) = self.text[at..end].find('{') {
            let start = at + open + 1;
            let Some(length) = self.text[start..end].find('}') else { return };
            let inside = &self.text[start..start + length];
            let first = start + inside.len() - inside.trim_start().len();
            self.link(first..first + inside.trim().len(), style);
            at = start + length + 1;
        }
    }

    /// Links the paths of a value.
    fn link_value(&mut self, Word { span, quote, .. }: Word) {
        let value = &self.text[span.clone()];
        let style = match quote {
            None => Style::Word,
            Some('"') if !value.contains('\\') => Style::Quoted,
            Some(_) => return,
        };
        if !value.starts_with('/') {
            let style = if quote.is_some() { style } else { Style::Braces };
            return self.link_braces(span, style);
        }
        if self.link(span.clone(), style) || quote.is_none() {
            return;
        }
        // A list of paths.
        let mut at = span.start;
        for part in value.split_inclusive([' ', ',']) {
            let path = part.trim_end_matches([' ', ',']);
            if path.starts_with('/') {
                self.link(at..at + path.len(), style);
            }
            at += part.len();
        }
    }
}

/// Target of a path of a component, a part or a property, and the length of the part of the text that leads to it. Where
/// it leads nowhere, its parent is the target.
fn target(path: &str, find: Find<'_>) -> Option<(Address, usize)> {
    let parsed = ParsedPath::parse(path).ok()?;
    let host = &path[..path.len() - parsed.property.map_or(0, |name| name.len() + 1)];
    let found = |host: &str| {
        let whole = host == "/" || !(host.is_empty() || host.ends_with('/'));
        Some((find(host).filter(|_| whole)?, host.len()))
    };
    let parent = || {
        let parent = &host[..host.rfind('/').filter(|&at| at > 0 && !host.ends_with('"'))?];
        found(parent)
    };
    found(host).or_else(parent)
}

/// A word of a command.
struct Word {
    /// The value: behind `=` where there is one, without quotes.
    span: Range<usize>,
    quote: Option<char>,
    /// End of the word.
    end: usize,
}

/// The next word of a text from a place on, as words of commands are parted.
fn next_value(text: &str, from: usize) -> Option<Word> {
    let is_separator = |letter: char| letter.is_whitespace() || letter == ',';
    let start = from + text[from..].find(|letter| !is_separator(letter))?;
    let (mut value, mut inside, mut before) = (start, false, ' ');
    for (at, letter) in text[start..].char_indices().map(|(at, letter)| (start + at, letter)) {
        if at == value && matches!(letter, '"' | '\'') {
            return Some(quoted_value(text, at + 1, letter));
        }
        if letter == '"' && !(inside && before == '\\') {
            inside = !inside;
        } else if letter == '=' && value == start && !text[start..].starts_with('/') {
            value = at + 1;
        } else if is_separator(letter) && !inside {
            return Some(Word { span: value..at, quote: None, end: at });
        }
        before = letter;
    }
    Some(Word { span: value..text.len(), quote: None, end: text.len() })
}

/// The value behind an opening quote.
fn quoted_value(text: &str, start: usize, quote: char) -> Word {
    let mut escaped = false;
    let closing = text[start..].find(|letter| {
        let closes = letter == quote && !escaped;
        escaped = letter == '\\' && !escaped && quote == '"';
        closes
    });
    let end = closing.map_or(text.len(), |at| start + at);
    Word { span: start..end, quote: Some(quote), end: text.len().min(end + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{Kind, ROOT};

    fn number(index: u32) -> Address {
        ComponentId { kind: Kind::Particle, index, generation: 0 }.into()
    }

    fn find(path: &str) -> Option<Address> {
        match path {
            "/" => Some(ROOT.into()),
            "/m" => Some(number(0)),
            "/m/p" => Some(number(1)),
            "/m/a b" => Some(number(2)),
            _ => None,
        }
    }

    fn renamed(at: Address) -> String {
        let names = ["/n", "/n/q r", "/n/\"c:d\""];
        match at {
            Address::Component(id) if id.kind == Kind::Particle => names[id.index as usize].into(),
            _ => "/".to_owned(),
        }
    }

    #[test]
    fn paths_of_formulas_follow_and_all_else_stays() {
        for (text, after) in [
            ("2 * { /m/p:x.y } - {/:t}", "2 * { /n/q r:x.y } - {/:t}"),
            ("{/m/a b:x} + {/gone:x} + /m/p", "{/n/\"c:d\":x} + {/gone:x} + /m/p"),
            ("{/m/new:x", "{/m/new:x"),
            ("{/m/new:x}", "{/n/new:x}"),
            ("t", "t"),
        ] {
            assert_eq!(LinkedText::formula(text, &find).text(renamed), after);
        }
    }

    #[test]
    fn paths_of_commands_follow_in_words_values_and_quotes() {
        for (text, after) in [
            ("set /m/p:mass 2", "set \"/n/q r:mass\" 2"),
            ("set \"/m/a b:mass\" 2", "set \"/n/\\\"c:d\\\":mass\" 2"),
            ("delete /m/p, /m", "delete \"/n/q r\", /n"),
            ("add spring s first=/m/p", "add spring s first=\"/n/q r\""),
            ("set /m:of \"/m /m/p\" ", "set /n:of \"/n /n/q r\" "),
            ("add particle /m/new", "add particle /n/new"),
            ("set '/m/a b:x' 1/m \"\"", "set '/m/a b:x' 1/m \"\""),
            ("set /m:input \"{/m:x} + 1\"", "set /n:input \"{/n:x} + 1\""),
            ("rename /m m/p", "rename /n m/p"),
            ("stop", "stop"),
            ("set \"/m", "set \"/n"),
        ] {
            assert_eq!(LinkedText::command(text, &find).text(renamed), after);
        }
    }

    #[test]
    fn copies_lead_to_copies_and_a_text_is_linked_once() {
        let mut text: LinkedText = "{/m/p:x}".into();
        text.visit(&mut |_| panic!("nothing was found yet"));
        text.link(LinkedText::formula, &find);
        text.redirect(&mut |_| Some(number(2).component()));
        text.link(LinkedText::formula, &find);
        assert_eq!(text.text(renamed), "{/n/\"c:d\":x}");
    }
}
