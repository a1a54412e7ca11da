//! Anatomical titles of components, and other words that they are searched by.

use std::collections::HashMap;

/// Titles of components by their names: `lsm` is the left superficial masseter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles(HashMap<String, String>);

impl Titles {
    /// The title of components of this name; `None` where there is none.
    pub fn of(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl FromIterator<(String, String)> for Titles {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
