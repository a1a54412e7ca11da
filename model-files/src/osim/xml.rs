//! Elements of an .osim file beside tags, attributes and texts.

use crate::diagnostic::Diagnostic;
use crate::xml_tree;

pub(super) use crate::xml_tree::Element;

/// Most elements around an element. Models need a dozen.
const DEEPEST: usize = 60;

/// Sets that old versions call otherwise.
const OLD_SETS: [(&str, &str); 3] = [
    ("ForceSet", "ActuatorSet"),
    ("PathPointSet", "MusclePointSet"),
    ("PathWrapSet", "MuscleWrapSet"),
];

impl Element {
    /// The child that is a property of one object: that of a tag, or as later versions write it the object of that name.
    pub(super) fn object(&self, name: &str) -> Option<&Element> {
        let named = || self.children.iter().find(|it| it.title() == name).map(Element::mark);
        self.child(name).or_else(named)
    }

    /// The members of a set `<tag><objects>..</objects></tag>`, in the spellings of all versions.
    pub(super) fn members(&self, tag: &str) -> &[Element] {
        let old = OLD_SETS.iter().find(|it| it.0 == tag);
        let set = self.child(tag).or_else(|| self.child(old?.1));
        let set = set.and_then(|set| set.child("objects"));
        set.map_or(&[], |objects| &objects.children)
    }

    /// True if it says nothing: no text, no element that says anything.
    pub(super) fn is_void(&self) -> bool {
        self.text.is_empty() && self.children.iter().all(Element::is_void)
    }
}

/// The root element of a text.
///
/// # Errors
/// What is no XML, with its place.
pub(super) fn parse(text: &str, file: u32) -> Result<Element, Diagnostic> {
    xml_tree::parse(text, file, DEEPEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_in_names_and_dashes_in_comments_are_mended_in_place() {
        let text = "\n<?xml version=\"1.0\"?>\n<a Version=\"3\"><!-- x -- y --><B::C name=\"q\">1:2</B::C></a>";
        let root = parse(text, 0).unwrap();
        assert_eq!(
            (root.tag.as_str(), root.attribute("Version").unwrap().value.as_str()),
            ("a", "3")
        );
        let inner = &root.children[0];
        assert_eq!((inner.tag.as_str(), inner.text.as_str()), ("B__C", "1:2"));
        assert_eq!(&text[inner.span.start as usize..inner.span.end as usize], "<B::C");
    }

    #[test]
    fn attributes_that_nothing_parts_are_read_and_places_stay() {
        let text = "<a Version=\"3\"q=\"'x'y\"z='\"'><b name=\"c\"/>\n<d/></a>";
        let root = parse(text, 0).unwrap();
        assert_eq!(
            (root.attribute("Version").unwrap().value.as_str(), root.children.len()),
            ("3", 2)
        );
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
