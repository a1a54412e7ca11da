//! `--watch [NAME=]A,B`: distances of two points that are reported; built-in models have their own.

use sinew::model::{Model, PointRef};
use sinew::property::PropertyError;
use sinew::system::{CompiledModel, State};
use sinew_datasets::jaw::gape::{LOWER_INCISOR, UPPER_INCISOR};

use crate::exit::{Exit, Failure};

/// Errors of `--watch`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WatchError {
    /// There are not two paths.
    #[error(
        "--watch '{0}': expected [NAME=]PATH,PATH, two points such as /models/chain/frame_markers/a"
    )]
    Form(String),
    /// A path leads nowhere.
    #[error("--watch '{path}': {source}")]
    Path {
        /// The path as given.
        path: String,
        /// Error of the property.
        source: Box<PropertyError>,
    },
    /// A path leads to something without a place of its own.
    #[error("--watch '{path}' is no point: expected a particle, a frame marker or a node")]
    NoPoint {
        /// The path as given.
        path: String,
    },
}

impl Failure for WatchError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// A distance of two points by their paths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Watch {
    /// Its name in results.
    name: String,
    paths: [String; 2],
    /// Length subtracted from the distance [m].
    less: f64,
}

impl Watch {
    /// Distances watched unasked in a built-in model: of the jaw its gape, the distance of the
    /// edges of the incisors less that at rest.
    pub(crate) fn of_builtin(name: &str) -> Vec<Self> {
        if name != "jaw-tongue-hyoid" {
            return Vec::new();
        }
        let marker = |end| format!("/models/{name}/frame_markers/{end}_incisor");
        let squares = LOWER_INCISOR.iter().zip(UPPER_INCISOR).map(|(a, b)| (a - b) * (a - b));
        vec![Self {
            name: "gape".to_owned(),
            paths: ["lower", "upper"].map(marker),
            less: squares.sum::<f64>().sqrt(),
        }]
    }

    /// # Errors
    /// [`WatchError::Form`].
    fn read(text: &str) -> Result<Self, WatchError> {
        let form = || WatchError::Form(text.to_owned());
        let (first, second) = split(text, ',').ok_or_else(form)?;
        // A path that begins with a slash has no name before it.
        let named = split(first, '=').filter(|_| !first.trim_start().starts_with('/'));
        let (name, first) = named.map_or((None, first), |(name, path)| (Some(name), path));
        let second = second.trim();
        let first = first.trim();
        if first.is_empty() || second.is_empty() || split(second, ',').is_some() {
            return Err(form());
        }
        let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let unnamed = || format!("{} to {}", last(first), last(second));
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        let name = name.map_or_else(unnamed, str::to_owned);
        Ok(Self { name, paths: [first.to_owned(), second.to_owned()], less: 0.0 })
    }
}

/// The parts before and after the first `separator` outside quotes.
fn split(text: &str, separator: char) -> Option<(&str, &str)> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            c if c == separator && !quoted => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// A distance, ready to be measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distance {
    /// Its name.
    pub(crate) name: String,
    /// Rows of its points in the state.
    rows: [usize; 2],
    less: f64,
}

impl Distance {
    /// The distances that `watches`, and `--watch` with `texts`, name.
    ///
    /// # Errors
    /// [`WatchError`].
    pub(crate) fn all(
        watches: &[Watch],
        texts: &[String],
        model: &Model,
        compiled: &CompiledModel,
    ) -> Result<Vec<Self>, WatchError> {
        let asked = texts.iter().map(|text| Watch::read(text));
        let all = watches.iter().cloned().map(Ok).chain(asked);
        all.map(|watch| Self::of(watch?, model, compiled)).collect()
    }

    fn of(watch: Watch, model: &Model, compiled: &CompiledModel) -> Result<Self, WatchError> {
        let row = |path: &String| {
            let address = model.find(path).map_err(|error| WatchError::Path {
                path: path.clone(),
                source: Box::new(PropertyError::from(error)),
            })?;
            let row = PointRef::at(address).and_then(|point| compiled.find_row(point));
            row.ok_or_else(|| WatchError::NoPoint { path: path.clone() })
        };
        let [a, b] = &watch.paths;
        Ok(Self { rows: [row(a)?, row(b)?], name: watch.name, less: watch.less })
    }

    /// In a state [m].
    pub(crate) fn in_state(&self, state: &State) -> f64 {
        let [a, b] = self.rows.map(|row| state.q[row]);
        (a - b).norm() - self.less
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_has_two_paths_and_may_have_a_name() {
        let read = Watch::read("/models/m/particles/a, /models/m/particles/b").unwrap();
        assert_eq!((read.name.as_str(), read.less), ("a to b", 0.0));
        assert_eq!(read.paths[1], "/models/m/particles/b");
        let read = Watch::read("reach=/a/\"x,=y\",/b").unwrap();
        assert_eq!((read.name.as_str(), read.paths[0].as_str()), ("reach", "/a/\"x,=y\""));
        assert_eq!(Watch::read("/a=b,/c").unwrap().paths[0], "/a=b");
        for wrong in ["", "/a", "/a,", ",/b", "x=,/b", "/a,/b,/c"] {
            assert!(matches!(Watch::read(wrong), Err(WatchError::Form(_))), "{wrong}");
        }
    }
}
