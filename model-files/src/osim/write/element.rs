//! Elements of a document as it is written: tags, names, texts.

use std::fmt::{Display, Write};

use sinew::Vec3;

/// An element: a text, or elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    tag: &'static str,
    name: Option<String>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// One without a name, to put others into.
    pub(super) fn new(tag: &'static str) -> Self {
        Self { tag, name: None, text: String::new(), children: Vec::new() }
    }

    /// One with a name.
    pub(super) fn named(tag: &'static str, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::new(tag) }
    }

    /// One of a text.
    pub(super) fn text(tag: &'static str, text: impl Display) -> Self {
        Self { text: text.to_string(), ..Self::new(tag) }
    }

    /// One of numbers, parted by blanks.
    pub(super) fn numbers<'n>(
        tag: &'static str,
        numbers: impl IntoIterator<Item = &'n f64>,
    ) -> Self {
        let words: Vec<String> = numbers.into_iter().map(f64::to_string).collect();
        Self::text(tag, words.join(" "))
    }

    /// One of three numbers.
    pub(super) fn vector(tag: &'static str, vector: &Vec3) -> Self {
        Self::numbers(tag, vector)
    }

    /// The set `<tag name="name"><objects>..</objects></tag>`; `None` without members.
    pub(super) fn set(
        tag: &'static str,
        name: &'static str,
        members: Vec<Element>,
    ) -> Option<Element> {
        let list = Self { children: members, ..Self::new("objects") };
        (!list.children.is_empty()).then(|| Self::named(tag, name).with([list]))
    }

    /// The same with other elements in it.
    #[must_use]
    pub(super) fn with(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.children.extend(children);
        self
    }

    /// The document of which it is the one element below the root.
    pub(super) fn document(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n");
        text += "<OpenSimDocument Version=\"40000\">\n";
        self.write(1, &mut text);
        text + "</OpenSimDocument>\n"
    }

    fn write(&self, depth: usize, out: &mut String) {
        let Self { tag, name, text, children } = self;
        let indent = "\t".repeat(depth);
        let name = name.as_ref().map(|name| format!(" name=\"{}\"", escaped(name)));
        let name = name.unwrap_or_default();
        // Writing to a text does not fail.
        if children.is_empty() {
            let _ = writeln!(out, "{indent}<{tag}{name}>{}</{tag}>", escaped(text));
            return;
        }
        let _ = writeln!(out, "{indent}<{tag}{name}>");
        children.iter().for_each(|child| child.write(depth + 1, out));
        let _ = writeln!(out, "{indent}</{tag}>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
