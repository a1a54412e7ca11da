//! Names chosen by patterns: regular expressions that match whole names.

use regex::Regex;

use super::BodyError;

/// Regular expressions; a name is chosen that one of them matches as a whole.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Vec<(String, Regex)>);

impl Patterns {
    /// Every name.
    pub fn all() -> Self {
        Self::parse([".*"]).unwrap_or_default()
    }

    /// No name.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// From their texts; the word `none` stands for no name.
    ///
    /// # Errors
    /// [`BodyError::Pattern`].
    pub fn parse<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, BodyError> {
        let mut patterns = Vec::new();
        for text in texts {
            let text = text.as_ref().trim();
            if text == "none" {
                continue;
            }
            let read = Regex::new(&format!("^(?:{text})$"));
            let why = |error: regex::Error| {
                let text = error.to_string();
                text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            };
            let refused = |error| BodyError::Pattern { pattern: text.to_owned(), why: why(error) };
            patterns.push((text.to_owned(), read.map_err(refused)?));
        }
        Ok(Self(patterns))
    }

    /// True if it chooses no name whatever it is.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a name is chosen.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|(_, pattern)| pattern.is_match(name))
    }

    /// Checks that every pattern matches a name of a table.
    ///
    /// # Errors
    /// [`BodyError::NoMatch`] with the first that does not.
    pub fn check(&self, table: &'static str, names: &[&str]) -> Result<(), BodyError> {
        let idle = |it: &&(String, Regex)| !names.iter().any(|name| it.1.is_match(name));
        match self.0.iter().find(idle) {
            None => Ok(()),
            Some((pattern, _)) => {
                Err(BodyError::NoMatch { table, pattern: pattern.clone(), names: names.join(", ") })
            }
        }
    }
}
