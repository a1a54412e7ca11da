//! The tree of elements of an XML file: tags, attributes, texts and their places, and what was read of them.

use std::cell::Cell;

use crate::diagnostic::Diagnostic;
use crate::tree::Span;
use crate::xml_text::Mended;

/// Most elements around an element. Models need a few for each joint of their longest chain.
pub(crate) const DEEPEST: usize = 200;

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// Its value without blanks around it.
    pub(crate) value: String,
    pub(crate) span: Span,
    /// True if something was made of it.
    read: Cell<bool>,
}

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) tag: String,
    pub(crate) attributes: Vec<Attribute>,
    /// Text without blanks around it.
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
    /// Its opening tag.
    pub(crate) span: Span,
    /// True if something was made of it.
    read: Cell<bool>,
}

impl Attribute {
    /// True if something was made of it.
    pub(crate) fn is_read(&self) -> bool {
        self.read.get()
    }
}

impl Element {
    /// One that stands for an element of another document, at the place of that.
    pub(crate) fn made(tag: &str, span: Span) -> Self {
        let (attributes, children) = (Vec::new(), Vec::new());
        let (tag, text, read) = (tag.to_owned(), String::new(), Cell::new(false));
        Self { tag, attributes, text, children, span, read }
    }

    /// The same with an attribute.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>, span: Span) -> Self {
        let (name, value) = (name.to_owned(), value.into());
        self.attributes.push(Attribute { name, value, span, read: Cell::new(false) });
        self
    }

    /// An attribute, marked as read.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let found = self.attributes.iter().find(|it| it.name == name)?;
        found.read.set(true);
        self.read.set(true);
        Some(found)
    }

    /// Its attribute `name`; empty without one.
    pub(crate) fn name(&self) -> &str {
        self.attribute("name").map_or("", |it| it.value.as_str())
    }

    /// Its attribute `name`, which is not marked as read; empty without one.
    pub(crate) fn title(&self) -> &str {
        self.written("name")
    }

    /// The same of its attribute `type`.
    pub(crate) fn kind(&self) -> &str {
        self.written("type")
    }

    fn written(&self, name: &str) -> &str {
        self.attributes.iter().find(|it| it.name == name).map_or("", |it| it.value.as_str())
    }

    /// Marks it as read, and returns it; its attributes are on their own.
    pub(crate) fn mark(&self) -> &Self {
        self.read.set(true);
        self
    }

    /// Marks it and all in it as read.
    pub(crate) fn mark_all(&self) {
        self.mark().attributes.iter().for_each(|it| it.read.set(true));
        self.children.iter().for_each(Element::mark_all);
    }

    /// True if something was made of it.
    pub(crate) fn is_read(&self) -> bool {
        self.read.get()
    }

    /// Children of a tag.
    pub(crate) fn all<'e>(&'e self, tag: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |it| it.tag == tag)
    }

    /// The first child of a tag, marked as read.
    pub(crate) fn child(&self, tag: &str) -> Option<&Element> {
        self.children.iter().find(|it| it.tag == tag).map(Element::mark)
    }

    /// Tag and name, for messages.
    pub(crate) fn label(&self) -> String {
        match self.title() {
            "" => format!("<{}>", self.tag),
            name => format!("{} '{name}'", self.tag),
        }
    }

    /// An error at it.
    pub(crate) fn refused(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span, message)
    }
}

/// The root element of a text; `deepest` is the most elements around an element.
///
/// # Errors
/// What is no XML, with its place.
pub(crate) fn parse(text: &str, file: u32, deepest: usize) -> Result<Element, Diagnostic> {
    let mended = Mended::of(text, file);
    let document = mended.document()?;
    element(document.root_element(), &mended, [0, deepest])
}

fn element(
    node: roxmltree::Node<'_, '_>,
    text: &Mended,
    [depth, deepest]: [usize; 2],
) -> Result<Element, Diagnostic> {
    let (tag, span) = text.opening(node, depth, deepest)?;
    let attribute = |it: roxmltree::Attribute<'_, '_>| Attribute {
        name: it.name().to_owned(),
        value: it.value().trim().to_owned(),
        span: text.span(it.range()),
        read: Cell::new(false),
    };
    let texts = node.children().filter(|n| n.is_text()).filter_map(|n| n.text());
    let content = texts.collect::<String>().trim().to_owned();
    let attributes = node.attributes().map(attribute).collect();
    let elements = node.children().filter(roxmltree::Node::is_element);
    let children =
        elements.map(|n| element(n, text, [depth + 1, deepest])).collect::<Result<_, _>>()?;
    Ok(Element { tag, attributes, text: content, children, span, read: Cell::new(false) })
}
