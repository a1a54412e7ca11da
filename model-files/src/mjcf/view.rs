//! Attributes of elements with the defaults of their classes: words, numbers, lists, vectors.

use sinew::Vec3;

use super::xml::{Attribute, Element};
use crate::diagnostic::Diagnostic;

/// An element, with the elements of its class and of those around that, the outermost first.
#[derive(Clone, Debug)]
pub(super) struct View<'d> {
    pub(super) at: &'d Element,
    pub(super) defaults: Vec<&'d Element>,
}

impl<'d> View<'d> {
    /// One without defaults.
    pub(super) fn plain(at: &'d Element) -> Self {
        Self { at: at.mark(), defaults: Vec::new() }
    }

    /// The attribute: the element's own, or that of the nearest class that has it.
    pub(super) fn attribute(&self, name: &str) -> Option<&'d Attribute> {
        let nearest = || self.defaults.iter().rev().find_map(|it| it.attribute(name));
        self.at.attribute(name).or_else(nearest)
    }

    /// Its words.
    pub(super) fn text(&self, name: &str) -> Option<&'d str> {
        self.attribute(name).map(|it| it.value.as_str()).filter(|text| !text.is_empty())
    }

    /// An error at an attribute, or at the element where that is not there.
    pub(super) fn blamed(&self, name: &str, message: impl Into<String>) -> Diagnostic {
        let span = self.attribute(name).map_or(self.at.span, |it| it.span);
        Diagnostic::error(span, message)
    }

    /// An error at a type that is none of those that a `geom` or `joint` has.
    pub(super) fn unknown_type(&self, of: &str, word: &str, known: &[&str]) -> Diagnostic {
        let span = self.attribute("type").map_or(self.at.span, |it| it.span);
        let message = format!("{}: '{word}' is no type of {of}", self.at.label());
        Diagnostic::unknown(span, message, word, known.iter().copied())
    }

    /// A list of finite numbers.
    ///
    /// # Errors
    /// A word that is none.
    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Diagnostic> {
        self.attribute(name).map(|it| numbers_of(it, self.at)).transpose()
    }

    /// Puts numbers over those of a list: of the outermost class first, the element's own last, each as many
    /// as it has. The number that the longest has.
    ///
    /// # Errors
    /// Words that are no numbers, more numbers than there is room for.
    pub(super) fn put_numbers(&self, name: &str, list: &mut [f64]) -> Result<usize, Diagnostic> {
        let mut longest = 0;
        for attribute in self.defaults.iter().chain([&self.at]).filter_map(|it| it.attribute(name))
        {
            let found = numbers_of(attribute, self.at)?;
            if found.len() > list.len() {
                let (label, most) = (self.at.label(), list.len());
                let message = format!(
                    "{name} of {label} must have at most {most} numbers, got {}",
                    found.len()
                );
                return Err(Diagnostic::error(attribute.span, message));
            }
            list[..found.len()].copy_from_slice(&found);
            longest = longest.max(found.len());
        }
        Ok(longest)
    }

    /// A finite number.
    ///
    /// # Errors
    /// An attribute that is none.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Diagnostic> {
        match self.numbers(name)?.as_deref() {
            None => Ok(None),
            Some(&[number]) => Ok(Some(number)),
            Some(list) => {
                let label = self.at.label();
                let message = format!("{name} of {label} must be one number, got {}", list.len());
                Err(self.blamed(name, message))
            }
        }
    }

    /// So many numbers.
    ///
    /// # Errors
    /// More or fewer.
    pub(super) fn array<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, Diagnostic> {
        let Some(list) = self.numbers(name)? else { return Ok(None) };
        let count = list.len();
        list.try_into().map(Some).map_err(|_| {
            let label = self.at.label();
            self.blamed(name, format!("{name} of {label} must be {N} numbers, got {count}"))
        })
    }

    /// Three numbers.
    ///
    /// # Errors
    /// More or fewer.
    pub(super) fn vector(&self, name: &str) -> Result<Option<Vec3>, Diagnostic> {
        Ok(self.array::<3>(name)?.map(Vec3::from))
    }

    /// Yes or no; `None` for `auto` and where it is not there.
    ///
    /// # Errors
    /// Another word.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Diagnostic> {
        match self.text(name) {
            None | Some("auto") => Ok(None),
            Some("true" | "1" | "enable") => Ok(Some(true)),
            Some("false" | "0" | "disable") => Ok(Some(false)),
            Some(other) => {
                let message =
                    format!("{name} of {} must be true or false, got '{other}'", self.at.label());
                Err(self.blamed(name, message))
            }
        }
    }

    /// True for what is limited: as it says, or where that is left open, if it has a range.
    ///
    /// # Errors
    /// Another word than true, false and auto.
    pub(super) fn limited(
        &self,
        by: &str,
        range: &str,
        automatic: bool,
    ) -> Result<bool, Diagnostic> {
        let said = self.flag(by)?;
        Ok(said.unwrap_or(automatic && self.attribute(range).is_some()))
    }

    /// A range of two numbers that do not fall.
    ///
    /// # Errors
    /// Another list.
    pub(super) fn range(&self, name: &str) -> Result<Option<[f64; 2]>, Diagnostic> {
        let range = self.array::<2>(name)?;
        if let Some([low, high]) = range.filter(|[low, high]| low > high) {
            let label = self.at.label();
            let message = format!("{name} of {label} must rise, got {low} to {high}");
            return Err(self.blamed(name, message));
        }
        Ok(range)
    }

    /// Target of a reference by name.
    ///
    /// # Errors
    /// No such attribute.
    pub(super) fn target(&self, name: &str) -> Result<&'d str, Diagnostic> {
        self.text(name).ok_or_else(|| self.at.refused(format!("{} has no {name}", self.at.label())))
    }
}

fn numbers_of(attribute: &Attribute, at: &Element) -> Result<Vec<f64>, Diagnostic> {
    let number = |word: &str| match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => {
            let short: String = word.chars().take(40).collect();
            let message = format!(
                "{} of {} must hold finite numbers, got '{short}'",
                attribute.name,
                at.label()
            );
            Err(Diagnostic::error(attribute.span, message))
        }
    };
    attribute.value.split_whitespace().map(number).collect()
}
