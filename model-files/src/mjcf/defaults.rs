//! Default classes: each has the elements of the classes around it, then its own.

use std::collections::BTreeMap;

use super::view::View;
use super::xml::Element;
use crate::diagnostic::{Diagnostic, Findings};

/// Name of the class that all others are in.
const MAIN: &str = "main";

/// Default elements by class.
#[derive(Clone, Debug, Default)]
pub(super) struct Defaults<'d> {
    classes: BTreeMap<&'d str, Vec<&'d Element>>,
}

impl<'d> Defaults<'d> {
    /// Learns the classes of a top section `default`.
    pub(super) fn learn(&mut self, at: &'d Element, findings: &mut Findings) {
        let class = at.attribute("class").map_or(MAIN, |it| it.value.as_str());
        let known = self.classes.get(class).cloned().unwrap_or_default();
        self.learn_class((class, known), at, findings);
    }

    fn learn_class(
        &mut self,
        (class, mut list): (&'d str, Vec<&'d Element>),
        at: &'d Element,
        findings: &mut Findings,
    ) {
        list.extend(at.mark().children.iter().filter(|it| it.tag != "default").map(Element::mark));
        self.classes.insert(class, list.clone());
        for inner in at.all("default") {
            let Some(name) = inner.mark().attribute("class") else {
                findings.push(inner.refused("a default inside another has no class: name it"));
                continue;
            };
            if self.classes.contains_key(name.value.as_str()) {
                let message = format!("default class '{}' is there twice", name.value);
                findings.push(Diagnostic::error(name.span, message));
                continue;
            }
            self.learn_class((name.value.as_str(), list.clone()), inner, findings);
        }
    }

    /// An element with its defaults: those of its own class, or else of the class of what it is in.
    ///
    /// # Errors
    /// A class that is not there.
    pub(super) fn view(
        &self,
        at: &'d Element,
        tags: &[&str],
        childclass: Option<&'d str>,
    ) -> Result<View<'d>, Diagnostic> {
        let own = at.mark().attribute("class");
        let class = own.map(|it| it.value.as_str()).or(childclass).unwrap_or(MAIN);
        let list = self.of(class, own.map_or(at.span, |it| it.span))?;
        let defaults = list.iter().copied().filter(|it| tags.contains(&it.tag.as_str())).collect();
        Ok(View { at, defaults })
    }

    /// Elements of a class.
    ///
    /// # Errors
    /// A class that is not there.
    pub(super) fn of(
        &self,
        class: &str,
        span: crate::tree::Span,
    ) -> Result<&[&'d Element], Diagnostic> {
        match self.classes.get(class) {
            Some(list) => Ok(list),
            None if class == MAIN => Ok(&[]),
            None => {
                let message = format!("there is no default class '{class}'");
                Err(Diagnostic::unknown(span, message, class, self.classes.keys().copied()))
            }
        }
    }
}
