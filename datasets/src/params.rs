//! The `key=value` parameters of a built-in model: typed reading with the key, the value and the
//! allowed range in every refusal. What a key means stands with the generator that reads it.

use std::collections::BTreeMap;

use sinew::component::{did_you_mean, same_meaning, similar};

/// Errors of the parameters of a built-in model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// An argument without `=`, or with nothing before it.
    #[error("'{argument}' is not a parameter; write key=value")]
    NotAPair {
        /// The argument as given.
        argument: String,
    },
    /// A key was given twice.
    #[error("parameter '{key}' is given twice, as '{first}' and as '{second}'; keep one of them")]
    Twice {
        /// The key.
        key: String,
        /// Its first value.
        first: String,
        /// Its second value.
        second: String,
    },
    /// A value cannot be read, or lies outside its range.
    #[error("parameter {key}={value}: expected {allowed}")]
    Value {
        /// The key.
        key: String,
        /// The value as given.
        value: String,
        /// Permitted values, in words.
        allowed: String,
    },
    /// A key that the model does not have.
    #[error("unknown parameter '{key}'{}; known: {known}", did_you_mean(near))]
    UnknownKey {
        /// The key as given.
        key: String,
        /// Known keys that are spelled like it.
        near: Vec<String>,
        /// All known keys, separated by commas.
        known: String,
    },
    /// A key was given to a model that takes none.
    #[error("unknown parameter '{key}': this model takes no parameters")]
    NoneTaken {
        /// The key as given.
        key: String,
    },
    /// A folder of published data, or a file in it.
    #[error("{path}: {problem}")]
    Data {
        /// The folder or the file.
        path: String,
        /// The fault in it, and what is wanted.
        problem: String,
    },
    /// The generator made an element that the mesh refuses.
    #[error(transparent)]
    Mesh(#[from] sinew::fem::MeshError),
    /// The generator made a surface that is none.
    #[error(transparent)]
    Geometry(#[from] sinew::geometry::GeometryError),
    /// The generator made a body that no solid is.
    #[error(transparent)]
    Inertia(#[from] sinew::dynamics::InertiaError),
    /// The surface of a bone cannot be made.
    #[error(transparent)]
    Surface(#[from] crate::jaw::SurfaceError),
    /// The body of the tables.
    #[error(transparent)]
    Body(#[from] crate::body::BodyError),
}

/// Range of a number; both ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// low <= x <= high.
    Closed(f64, f64),
    /// low < x < high.
    Open(f64, f64),
    /// low < x <= high.
    AtMost(f64, f64),
}

impl Range {
    /// x > 0.
    pub const POSITIVE: Self = Self::Open(0.0, f64::INFINITY);
    /// x >= 0.
    pub const NOT_NEGATIVE: Self = Self::Closed(0.0, f64::INFINITY);
    /// Any finite number.
    pub const ANY: Self = Self::Open(f64::NEG_INFINITY, f64::INFINITY);
    /// Poisson's ratio of an isotropic solid, -1 < nu <= 0.5: 0.5 of one that keeps its volume.
    pub const POISSON: Self = Self::AtMost(-1.0, 0.5);

    /// True if the finite number `x` lies in the range.
    pub fn contains(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Self::Closed(low, high) => low <= x && x <= high,
                Self::Open(low, high) => low < x && x < high,
                Self::AtMost(low, high) => low < x && x <= high,
            }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (less, more, low, high) = match *self {
            Self::Closed(low, high) => ("at most", "at least", low, high),
            Self::Open(low, high) => ("below", "above", low, high),
            Self::AtMost(low, high) => ("at most", "above", low, high),
        };
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(f, "a number {more} {low} and {less} {high}"),
            (true, false) => write!(f, "a number {more} {low}"),
            (false, true) => write!(f, "a number {less} {high}"),
            (false, false) => write!(f, "a finite number"),
        }
    }
}

/// The parameters given to a built-in model. A generator reads the keys it knows with the typed
/// getters and ends with [`Params::finish`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {
    given: BTreeMap<String, String>,
    known: Vec<&'static str>,
}

impl Params {
    /// From arguments of the form `key=value`; blanks around both are dropped.
    ///
    /// # Errors
    /// An argument that is not a pair, a key that comes twice.
    pub fn parse<I, S>(arguments: I) -> Result<Self, ParamError>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let mut params = Self::default();
        for argument in arguments {
            let argument = argument.as_ref();
            let pair = argument.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match pair {
                Some((key, value)) if !key.is_empty() => params.insert(key, value)?,
                _ => return Err(ParamError::NotAPair { argument: argument.to_owned() }),
            }
        }
        Ok(params)
    }

    /// Adds one parameter.
    ///
    /// # Errors
    /// A key that is there already, by this or another of its names.
    pub fn insert(&mut self, key: &str, value: &str) -> Result<(), ParamError> {
        if let Some(first) = self.given(key) {
            let (first, second) = (first.to_owned(), value.to_owned());
            return Err(ParamError::Twice { key: key.to_owned(), first, second });
        }
        self.given.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    /// The value of `key` as given, by whichever of its names; also makes the key known.
    pub fn get(&mut self, key: &'static str) -> Option<&str> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.given(key)
    }

    fn given(&self, key: &str) -> Option<&str> {
        self.given
            .iter()
            .find(|(given, _)| same_meaning(given, key))
            .map(|(_, value)| value.as_str())
    }

    /// The number `key`, or `default` when it is not given.
    ///
    /// # Errors
    /// A value that is not a number, or lies outside `range`.
    pub fn f64(
        &mut self,
        key: &'static str,
        default: f64,
        range: Range,
    ) -> Result<f64, ParamError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        match value.parse() {
            Ok(x) if range.contains(x) => Ok(x),
            _ => Err(refused(key, value, range.to_string())),
        }
    }

    /// The count `key`, or `default` when it is not given.
    ///
    /// # Errors
    /// A value that is not a whole number, or lies outside `least..=most`.
    pub fn usize(
        &mut self,
        key: &'static str,
        default: usize,
        [least, most]: [usize; 2],
    ) -> Result<usize, ParamError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        match value.parse() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            _ => Err(refused(key, value, format!("a whole number from {least} to {most}"))),
        }
    }

    /// The choice `key` among the names of `choices`, or `default` when it is not given.
    ///
    /// # Errors
    /// A name that is not among them.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, ParamError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == value) {
            return Ok(*choice);
        }
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        Err(refused(key, value, format!("one of {}", names.join(", "))))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// A given key that no getter asked for: it names the nearest known key and the known ones.
    pub fn finish(&self) -> Result<(), ParamError> {
        let is_known = |key: &String| self.known.iter().any(|known| same_meaning(known, key));
        let Some(key) = self.given.keys().find(|key| !is_known(key)).cloned() else {
            return Ok(());
        };
        if self.known.is_empty() {
            return Err(ParamError::NoneTaken { key });
        }
        let near = similar(&key, self.known.iter().copied());
        Err(ParamError::UnknownKey { key, near, known: self.known.join(", ") })
    }
}

/// The refusal of a value.
pub(crate) fn refused(key: &str, value: impl ToString, allowed: impl Into<String>) -> ParamError {
    ParamError::Value { key: key.to_owned(), value: value.to_string(), allowed: allowed.into() }
}
