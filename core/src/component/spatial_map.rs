//! Maps of space that components are transformed by, and the choices that go with them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Affine, FieldWarp, LandmarkWarp};
use crate::Vec3;

/// A map of space.
#[derive(Clone, Debug, PartialEq)]
pub enum SpatialMap {
    /// The same everywhere.
    Affine(Affine),
    /// One that takes landmarks to landmarks.
    Landmarks(Box<LandmarkWarp>),
    /// One by displacements on a grid.
    Field(Box<FieldWarp>),
}

impl From<Affine> for SpatialMap {
    fn from(map: Affine) -> Self {
        Self::Affine(map)
    }
}

impl From<LandmarkWarp> for SpatialMap {
    fn from(warp: LandmarkWarp) -> Self {
        Self::Landmarks(Box::new(warp))
    }
}

impl From<FieldWarp> for SpatialMap {
    fn from(warp: FieldWarp) -> Self {
        Self::Field(Box::new(warp))
    }
}

impl SpatialMap {
    /// Image of a point [m].
    pub fn point(&self, x: &Vec3) -> Vec3 {
        match self {
            Self::Affine(map) => map.point(x),
            Self::Landmarks(warp) => warp.point(x),
            Self::Field(warp) => warp.point(x),
        }
    }

    /// The affine map that agrees with it to first order at a point [m].
    pub fn local(&self, x: &Vec3) -> Cow<'_, Affine> {
        match self {
            Self::Affine(map) => Cow::Borrowed(map),
            Self::Landmarks(warp) => Cow::Owned(warp.local(x)),
            Self::Field(warp) => Cow::Owned(warp.local(x)),
        }
    }

    /// The map, where it is the same everywhere.
    pub fn affine(&self) -> Option<&Affine> {
        match self {
            Self::Affine(map) => Some(map),
            Self::Landmarks(_) | Self::Field(_) => None,
        }
    }

    /// The map, where it leaves lengths as they are and mirrors nothing.
    pub(crate) fn rigid(&self) -> Option<&Affine> {
        self.affine().filter(|map| map.is_rigid())
    }
}

/// Choices of a transformation that deforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransformOptions {
    /// Lengths of springs and muscles.
    pub lengths: LineLengths,
    /// Masses.
    pub masses: MassRule,
}

/// Lengths of springs and muscles that change in proportion to their lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineLengths {
    /// Rest lengths, and lengths in laws: optimal fibre lengths, slack lengths of tendons.
    #[default]
    All,
    /// Rest lengths alone.
    Rest,
    /// None.
    Keep,
}

/// Masses after a transformation that changes volumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MassRule {
    /// Densities stay: masses change with volumes.
    #[default]
    Density,
    /// Masses stay: densities change.
    Mass,
}
