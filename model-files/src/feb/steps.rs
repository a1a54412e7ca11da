//! Sections of a document, and those of its steps.

use crate::tree::Span;
use crate::xml_tree::Element;

/// Sections of a document and of its steps by a tag, with the place of the step that each is in.
pub(super) fn sections<'d>(
    root: &'d Element,
    tag: &'d str,
) -> impl Iterator<Item = (&'d Element, Option<Span>)> {
    let steps = root.children.iter().filter(|it| it.tag == "Step").map(Element::mark);
    // In 2.5 a <Step> is a step, from 3.0 on it holds them.
    let steps = steps.flat_map(|it| std::iter::once(it).chain(it.all("step").map(Element::mark)));
    let within = steps.flat_map(move |step| step.all(tag).map(move |it| (it, Some(step.span))));
    root.all(tag).map(|it| (it, None)).chain(within).map(|(it, step)| (it.mark(), step))
}

/// Elements in the sections of a tag, those of steps among them.
pub(super) fn elements<'d>(root: &'d Element, tag: &'d str) -> impl Iterator<Item = &'d Element> {
    sections(root, tag).flat_map(|(section, _)| &section.children)
}
