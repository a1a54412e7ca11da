//! Maps of space as they are written: `scale 0.9`, `mirror 1 0 0`, `affine ..`, `landmarks ..`, with the choices that go
//! along.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::component::{
    Affine, FieldError, FieldWarp, Grid, LandmarkError, LandmarkWarp, LineLengths, MassRule,
    SpatialMap, TransformOptions,
};
use crate::{Mat3, Vec3};

/// A map of space in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MapDescription {
    /// Larger or smaller along the axes of the world; a negative factor mirrors.
    Scale {
        /// Factors along x, y and z [-].
        factors: [f64; 3],
        /// The point that stays where it is [m].
        #[serde(default)]
        about: [f64; 3],
    },
    /// Mirrored in a plane.
    Mirror {
        /// Direction across the plane, of any length.
        normal: [f64; 3],
        /// A point of the plane [m].
        #[serde(default)]
        through: [f64; 3],
    },
    /// x -> linear x + translation.
    Affine {
        /// Rows of the linear part [-].
        linear: [[f64; 3]; 3],
        /// Translation [m].
        #[serde(default)]
        translation: [f64; 3],
    },
    /// The thin-plate spline through pairs of landmarks.
    Landmarks {
        /// Landmarks [m].
        from: Vec<[f64; 3]>,
        /// Their images, in the same order [m].
        to: Vec<[f64; 3]>,
    },
    /// Displacements on a regular grid, interpolated smoothly.
    Field {
        /// First point [m].
        origin: [f64; 3],
        /// Distances of points along x, y and z [m].
        spacing: [f64; 3],
        /// Numbers of points along x, y and z.
        counts: [usize; 3],
        /// Displacements [m], those along z first, then along y.
        displacements: Vec<[f64; 3]>,
    },
}

/// Errors of a map in numbers.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// Landmarks that fix no map.
    #[error(transparent)]
    Landmarks(#[from] LandmarkError),
    /// A grid that makes no field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A plane without a direction.
    #[error("the normal of a mirror must have a length, got ({}, {}, {})", .0[0], .0[1], .0[2])]
    Normal([f64; 3]),
}

impl MapDescription {
    /// The map.
    ///
    /// # Errors
    /// [`MapError`] where the numbers make none.
    pub fn map(&self) -> Result<SpatialMap, MapError> {
        Ok(match self {
            Self::Scale { factors, about } => {
                let linear = Mat3::from_diagonal(&Vec3::from(*factors));
                Affine::about((*about).into(), linear).into()
            }
            Self::Mirror { normal, through } => {
                let length = Vec3::from(*normal).norm();
                if !(length.is_finite() && length > 0.0) {
                    return Err(MapError::Normal(*normal));
                }
                let n = Vec3::from(*normal) / length;
                let linear = Mat3::identity() - n * n.transpose() * 2.0;
                Affine::about((*through).into(), linear).into()
            }
            Self::Affine { linear, translation } => {
                let linear = Mat3::from_fn(|i, j| linear[i][j]);
                Affine { linear, translation: (*translation).into() }.into()
            }
            Self::Landmarks { from, to } => {
                let points = |list: &[[f64; 3]]| list.iter().map(|x| Vec3::from(*x)).collect();
                LandmarkWarp::new(points(from), points(to))?.into()
            }
            Self::Field { origin, spacing, counts, displacements } => {
                let displacements = displacements.iter().map(|d| Vec3::from(*d)).collect();
                let (origin, spacing) = ((*origin).into(), (*spacing).into());
                FieldWarp::new(Grid { origin, spacing, counts: *counts, displacements })?.into()
            }
        })
    }
}

/// The numbers of a list of words.
fn numbers(words: &[&str]) -> Option<Vec<f64>> {
    words.iter().map(|word| word.parse().ok()).collect()
}

/// Words to the first of `marks`, and the rest.
fn until<'w, 't>(words: &'w [&'t str], mark: &str) -> (&'w [&'t str], Option<&'w [&'t str]>) {
    match words.iter().position(|word| *word == mark) {
        Some(at) => (&words[..at], Some(&words[at + 1..])),
        None => (words, None),
    }
}

/// Three numbers; zeros where there are no words.
fn point(words: Option<&[&str]>) -> Option<[f64; 3]> {
    words.map_or(Some([0.0; 3]), |words| numbers(words)?.try_into().ok())
}

/// A map with its choices as one text: `scale 0.9 about 0 0 0.1, lengths rest, masses mass`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MapText(pub(super) MapDescription, pub(super) TransformOptions);

/// Words of the ways in which lengths and masses go along.
const LENGTHS: [(&str, LineLengths); 3] =
    [("all", LineLengths::All), ("rest", LineLengths::Rest), ("keep", LineLengths::Keep)];
const MASSES: [(&str, MassRule); 2] = [("density", MassRule::Density), ("mass", MassRule::Mass)];

impl FromStr for MapText {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        read(text).ok_or(())
    }
}

/// The words before the options of a map, and these.
fn split_options<'w, 't>(words: &'w [&'t str]) -> Option<(&'w [&'t str], TransformOptions)> {
    let (words, masses) = until(words, "masses");
    let (words, lengths) = until(words, "lengths");
    let mut options = TransformOptions::default();
    if let Some(words) = lengths {
        options.lengths = LENGTHS.iter().find(|(word, _)| words == [*word])?.1;
    }
    if let Some(words) = masses {
        options.masses = MASSES.iter().find(|(word, _)| words == [*word])?.1;
    }
    Some((words, options))
}

fn read(text: &str) -> Option<MapText> {
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let (words, options) = split_options(&words)?;
    let (kind, words) = words.split_first()?;
    let map = match *kind {
        "scale" => {
            let (factors, about) = until(words, "about");
            let factors = match numbers(factors)?.as_slice() {
                [one] => [*one; 3],
                all => all.try_into().ok()?,
            };
            MapDescription::Scale { factors, about: point(about)? }
        }
        "mirror" => {
            let (normal, through) = until(words, "through");
            MapDescription::Mirror { normal: point(Some(normal))?, through: point(through)? }
        }
        "affine" => {
            let rows: [f64; 12] = numbers(words)?.try_into().ok()?;
            let linear = [0, 4, 8].map(|k| [rows[k], rows[k + 1], rows[k + 2]]);
            MapDescription::Affine { linear, translation: [rows[3], rows[7], rows[11]] }
        }
        "landmarks" => {
            let numbers = numbers(words)?;
            let (pairs, rest) = numbers.as_chunks::<6>();
            let half = |k: usize| pairs.iter().map(|x| [x[k], x[k + 1], x[k + 2]]).collect();
            rest.is_empty().then(|| MapDescription::Landmarks { from: half(0), to: half(3) })?
        }
        "field" => field(words)?,
        _ => return None,
    };
    Some(MapText(map, options))
}

/// Origin, spacing, counts and displacements.
fn field(words: &[&str]) -> Option<MapDescription> {
    let (place, rest) = words.split_at_checked(6)?;
    let (counts, rest) = rest.split_at_checked(3)?;
    let counts: Option<Vec<usize>> = counts.iter().map(|word| word.parse().ok()).collect();
    let numbers = numbers(rest)?;
    let (displacements, rest) = numbers.as_chunks::<3>();
    rest.is_empty().then_some(MapDescription::Field {
        origin: point(Some(&place[..3]))?,
        spacing: point(Some(&place[3..]))?,
        counts: counts?.try_into().ok()?,
        displacements: displacements.to_vec(),
    })
}

impl fmt::Display for MapText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let three = |[x, y, z]: &[f64; 3]| format!("{x} {y} {z}");
        let Self(map, options) = self;
        match map {
            MapDescription::Scale { factors, about } => {
                write!(f, "scale {} about {}", three(factors), three(about))?;
            }
            MapDescription::Mirror { normal, through } => {
                write!(f, "mirror {} through {}", three(normal), three(through))?;
            }
            MapDescription::Affine { linear, translation } => {
                f.write_str("affine")?;
                for (row, shift) in linear.iter().zip(translation) {
                    write!(f, " {} {shift}", three(row))?;
                }
            }
            MapDescription::Landmarks { from, to } => {
                f.write_str("landmarks")?;
                for (x, y) in from.iter().zip(to) {
                    write!(f, " {} {}", three(x), three(y))?;
                }
            }
            MapDescription::Field { origin, spacing, counts: [nx, ny, nz], displacements } => {
                write!(f, "field {} {} {nx} {ny} {nz}", three(origin), three(spacing))?;
                displacements.iter().try_for_each(|d| write!(f, " {}", three(d)))?;
            }
        }
        let word = LENGTHS.iter().find(|(_, known)| *known == options.lengths);
        word.filter(|it| it.1 != LineLengths::default())
            .map_or(Ok(()), |(word, _)| write!(f, ", lengths {word}"))?;
        let word = MASSES.iter().find(|(_, known)| *known == options.masses);
        word.filter(|it| it.1 != MassRule::default())
            .map_or(Ok(()), |(word, _)| write!(f, ", masses {word}"))
    }
}
