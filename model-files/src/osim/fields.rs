//! Properties of elements: numbers, lists, vectors, words. What an element does not say is taken from the
//! defaults of its class in the file, if there are some.

use sinew::Vec3;

use super::import::Import;
use super::xml::Element;
use crate::diagnostic::Diagnostic;

/// An error at an element.
pub(super) fn refused(at: &Element, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(at.span, message)
}

impl<'d> Import<'d> {
    /// The child of a tag: the element's own, or that of the defaults of its class.
    pub(super) fn property<'e>(&'e self, at: &'e Element, tag: &str) -> Option<&'e Element> {
        let default = || self.defaults.get(at.tag.as_str()).and_then(|class| class.child(tag));
        at.child(tag).or_else(default)
    }

    /// The text of a property; `None` where it is not there or empty.
    pub(super) fn text<'e>(&'e self, at: &'e Element, tag: &str) -> Option<&'e str> {
        self.property(at, tag).map(|it| it.text.as_str()).filter(|text| !text.is_empty())
    }

    /// A finite number.
    ///
    /// # Errors
    /// A property that is none.
    pub(super) fn number(&self, at: &Element, tag: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(list) = self.numbers(at, tag)? else { return Ok(None) };
        match list[..] {
            [number] => Ok(Some(number)),
            [] => Ok(None),
            _ => {
                let message =
                    format!("<{tag}> of {} must be one number, got {}", at.label(), list.len());
                Err(self.blamed(at, tag, message))
            }
        }
    }

    /// A list of finite numbers.
    ///
    /// # Errors
    /// A word that is none.
    pub(super) fn numbers(&self, at: &Element, tag: &str) -> Result<Option<Vec<f64>>, Diagnostic> {
        let Some(property) = self.property(at, tag) else { return Ok(None) };
        let words = property.text.split([' ', '\t', '\r', '\n', ',', '(', ')']);
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                let short: String = word.chars().take(40).collect();
                let message =
                    format!("<{tag}> of {} must hold finite numbers, got '{short}'", at.label());
                Err(refused(property, message))
            }
        };
        words.filter(|word| !word.is_empty()).map(number).collect::<Result<_, _>>().map(Some)
    }

    /// Three numbers.
    ///
    /// # Errors
    /// More or fewer.
    pub(super) fn vector(&self, at: &Element, tag: &str) -> Result<Option<Vec3>, Diagnostic> {
        match self.numbers(at, tag)?.as_deref() {
            None | Some([]) => Ok(None),
            Some(&[x, y, z]) => Ok(Some(Vec3::new(x, y, z))),
            Some(list) => {
                let message =
                    format!("<{tag}> of {} must be three numbers, got {}", at.label(), list.len());
                Err(self.blamed(at, tag, message))
            }
        }
    }

    /// Yes or no.
    ///
    /// # Errors
    /// Another word.
    pub(super) fn flag(&self, at: &Element, tag: &str) -> Result<Option<bool>, Diagnostic> {
        match self.text(at, tag).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(other) => {
                let message =
                    format!("<{tag}> of {} must be true or false, got '{other}'", at.label());
                Err(self.blamed(at, tag, message))
            }
        }
    }

    /// The words of a property.
    pub(super) fn words(&self, at: &Element, tag: &str) -> Vec<String> {
        let words = self.text(at, tag).unwrap_or("").split_whitespace();
        words.filter(|word| *word != "Unassigned").map(str::to_owned).collect()
    }

    /// Target of a socket, in the spellings of all versions.
    pub(super) fn socket<'e>(&'e self, at: &'e Element, name: &str) -> Option<&'e str> {
        let long = [
            format!("socket_{name}"),
            format!("socket_{name}_connectee_name"),
            format!("connector_{name}_connectee_name"),
        ];
        if let Some(text) = long.iter().find_map(|tag| self.text(at, tag)) {
            return Some(text);
        }
        let connectors = at.child("connectors")?;
        let found = connectors.children.iter().find(|child| child.title() == name)?;
        let text = &found.mark().child("connectee_name")?.text;
        (!text.is_empty()).then_some(text.as_str())
    }

    /// An error at a property, or at its element where that is not its own.
    pub(super) fn blamed(&self, at: &Element, tag: &str, message: impl Into<String>) -> Diagnostic {
        refused(self.property(at, tag).unwrap_or(at), message)
    }
}
