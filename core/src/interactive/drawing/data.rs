//! Drawings as data: curves with their parameters, and the nails between them.

use serde::{Deserialize, Serialize};

use super::CurveKind;
use crate::formula::FormulaError;
use crate::interactive::Curve;

/// Exponent of a superellipse where none is given.
const EXPONENT: f64 = 4.0;

/// Curves and nails of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drawing {
    /// The curves.
    #[serde(rename = "curve", skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<DrawnCurve>,
    /// The nails.
    #[serde(rename = "nail", skip_serializing_if = "Vec::is_empty")]
    pub nails: Vec<Nail>,
}

/// A curve of a drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnCurve {
    /// Its name, that of no other.
    pub name: String,
    /// Its type.
    pub kind: CurveKind,
    /// Its parameters, in the order of its type or of `names`.
    pub parameters: Vec<f64>,
    /// Exponent of a superellipse, from 1 to 20; 4 where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    /// Equation x(s); y(s) of a curve of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub equation: String,
    /// Names of the parameters of such an equation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Range of s of such an equation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

/// A point of a curve that is held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Name of the curve.
    pub curve: String,
    /// Parameter of the point.
    pub s: f64,
}

/// A nail: a point of a curve on that of another, or at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nail {
    /// The point.
    pub point: CurvePoint,
    /// The point of another curve that it is nailed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<CurvePoint>,
    /// The place that it is nailed to, where that is no curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
}

/// Faults of a drawing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DrawingError {
    /// The equation of a curve cannot be read.
    #[error("curve '{curve}': {fault}")]
    Equation {
        /// The curve.
        curve: String,
        /// The fault.
        fault: FormulaError,
    },
    /// Parameters that do not fit.
    #[error("curve '{curve}' takes {expected} finite parameters ({names}), got {found:?}")]
    Parameters {
        /// The curve.
        curve: String,
        /// Their number.
        expected: usize,
        /// Their names.
        names: String,
        /// The parameters that were given.
        found: Vec<f64>,
    },
    /// An exponent out of range.
    #[error("curve '{curve}': the exponent must be from 1 to 20, got {found}")]
    Exponent {
        /// The curve.
        curve: String,
        /// The exponent.
        found: f64,
    },
    /// A range that is none.
    #[error("curve '{curve}': the range of s must rise and be finite, got {range:?}")]
    Range {
        /// The curve.
        curve: String,
        /// The range.
        range: [f64; 2],
    },
    /// Two curves of one name.
    #[error("two curves are named '{0}': give each a name of its own")]
    Name(String),
    /// A nail in a curve that is not there.
    #[error("nail {nail}: there is no curve '{curve}'")]
    NoCurve {
        /// Number of the nail, from 1.
        nail: usize,
        /// Name of the curve.
        curve: String,
    },
    /// A nail that holds nothing, or two things.
    #[error("nail {0} is to have either `to`, a point of a curve, or `at`, a place")]
    Nail(usize),
}

impl DrawnCurve {
    /// A curve of a type, by its parameters.
    pub fn new(name: impl Into<String>, kind: CurveKind, parameters: Vec<f64>) -> Self {
        let (equation, names) = (String::new(), Vec::new());
        Self { name: name.into(), kind, parameters, exponent: None, equation, names, range: None }
    }

    /// Its equation.
    pub fn formula(&self) -> String {
        match (self.equation.is_empty(), self.kind) {
            (false, _) => self.equation.clone(),
            (true, CurveKind::Superellipse) => {
                let exponent = self.exponent.unwrap_or(EXPONENT);
                self.kind.equation().replace('N', &format!("{exponent:?}"))
            }
            (true, kind) => kind.equation().to_owned(),
        }
    }

    /// Names of its parameters.
    pub fn parameter_names(&self) -> Vec<&str> {
        match self.names.is_empty() {
            true => self.kind.parameters().to_vec(),
            false => self.names.iter().map(String::as_str).collect(),
        }
    }

    /// The range of s.
    pub fn s_range(&self) -> [f64; 2] {
        self.range.unwrap_or(self.kind.range())
    }

    /// As an object of a world.
    pub(super) fn object(&self) -> Result<Curve, DrawingError> {
        let (curve, names) = (self.name.clone(), self.parameter_names());
        let sound = self.parameters.iter().all(|x| x.is_finite());
        if names.len() != self.parameters.len() || !sound {
            let (expected, found) = (names.len(), self.parameters.clone());
            let names = names.join(", ");
            return Err(DrawingError::Parameters { curve, expected, names, found });
        }
        if let Some(found) = self.exponent.filter(|it| !(1.0..=20.0).contains(it)) {
            return Err(DrawingError::Exponent { curve, found });
        }
        let range = self.s_range();
        if !(range.iter().all(|s| s.is_finite()) && range[0] < range[1]) {
            return Err(DrawingError::Range { curve, range });
        }
        Curve::new(&self.formula(), &names, range)
            .map_err(|fault| DrawingError::Equation { curve, fault })
    }
}

impl Drawing {
    /// Faults of names, equations, parameters and nails: the first one.
    ///
    /// # Errors
    /// [`DrawingError`].
    pub fn check(&self) -> Result<(), DrawingError> {
        for (k, curve) in self.curves.iter().enumerate() {
            if self.curves[..k].iter().any(|it| it.name == curve.name) {
                return Err(DrawingError::Name(curve.name.clone()));
            }
            curve.object()?;
        }
        for (k, nail) in self.nails.iter().enumerate() {
            if nail.to.is_some() == nail.at.is_some() {
                return Err(DrawingError::Nail(k + 1));
            }
            for point in std::iter::once(&nail.point).chain(&nail.to) {
                if self.curves.iter().all(|it| it.name != point.curve) {
                    let curve = point.curve.clone();
                    return Err(DrawingError::NoCurve { nail: k + 1, curve });
                }
            }
        }
        Ok(())
    }

    /// A name that no curve has.
    pub fn free_name(&self, kind: CurveKind) -> String {
        let mut names = (1u64..).map(|k| format!("{}{k}", kind.name()));
        let is_free = |name: &String| self.curves.iter().all(|it| it.name != *name);
        names.find(is_free).unwrap_or_default()
    }
}
