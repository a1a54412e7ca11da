//! Anatomy of the jaw, tongue and hyoid model as plain data: bones as closed surfaces, muscles, the
//! temporomandibular joint, excitations. Nothing here steps a model. Frame and sources: docs/theory/anatomy.md.

mod cell;
pub mod excitation;
pub mod gape;
mod implicit;
pub mod joint;
mod larynx;
mod mandible;
pub mod muscles;
mod skull;
mod surface_nets;

use sinew::Vec3;
use sinew::geometry::{GeometryError, SolidIntegrals, SurfaceMesh};

/// A closed, outward-oriented triangle surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Points [m].
    pub vertices: Vec<[f64; 3]>,
    /// Vertices of each triangle, counterclockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Volume, centroid and second moment of the solid inside.
    ///
    /// # Errors
    /// As [`SurfaceMesh::new`] and [`SurfaceMesh::solid_integrals`]: a surface that is none, is open, or
    /// encloses no positive volume.
    pub fn solid(&self) -> Result<SolidIntegrals, GeometryError> {
        let vertices = self.vertices.iter().map(|&p| Vec3::from(p)).collect();
        SurfaceMesh::new(vertices, self.triangles.clone())?.solid_integrals()
    }
}

/// Errors of a surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// A cell size outside the range of the bone.
    #[error("cell size {cell} m: expected {least} to {most} m for this bone")]
    Cell {
        /// The size as given [m].
        cell: f64,
        /// Smallest allowed one [m].
        least: f64,
        /// Largest allowed one [m].
        most: f64,
    },
    /// Two sheets of the surface meet in one cell.
    #[error(
        "cells of {cell} m are too coarse for the bone near {at:?} m; give a smaller cell size"
    )]
    TooCoarse {
        /// The size [m].
        cell: f64,
        /// Position [m].
        at: [f64; 3],
    },
    /// The body has no surface.
    #[error("{body:?} is a point of attachment without a surface")]
    NoSurface {
        /// The body.
        body: Body,
    },
}

/// Bodies that muscles and joints name. All but the mandible and the hyoid bone are fixed in the
/// published model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Braincase with the mastoid and styloid processes.
    Cranium,
    /// Upper jaw with the zygomatic arch and the pterygoid plates.
    Maxilla,
    /// Lower jaw.
    Mandible,
    /// Hyoid bone.
    Hyoid,
    /// Thyroid cartilage.
    Thyroid,
    /// Sternum, for the muscles that descend to it; it has no surface.
    Sternum,
}

/// Size of the grid cells of the drawn sternum [m].
const MANUBRIUM_CELL: f64 = 3e-3;

impl Body {
    /// Bodies with a surface.
    pub const SOLID: [Self; 5] =
        [Self::Cranium, Self::Maxilla, Self::Mandible, Self::Hyoid, Self::Thyroid];

    /// Name in models and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cranium => "cranium",
            Self::Maxilla => "maxilla",
            Self::Mandible => "mandible",
            Self::Hyoid => "hyoid",
            Self::Thyroid => "thyroid",
            Self::Sternum => "sternum",
        }
    }

    /// Title in words that people search for.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cranium => "skull (braincase, temporal bone)",
            Self::Maxilla => "upper jaw (skull, palate, zygomatic arch)",
            Self::Mandible => "lower jaw (jawbone)",
            Self::Hyoid => "hyoid bone",
            Self::Thyroid => "thyroid cartilage (larynx)",
            Self::Sternum => "breastbone",
        }
    }

    /// Default size of the grid cells of its surface [m]; about the length of an edge.
    pub const fn default_cell(self) -> f64 {
        match self {
            Self::Cranium => 5e-3,
            Self::Maxilla | Self::Mandible => 3e-3,
            Self::Hyoid | Self::Thyroid | Self::Sternum => 1.5e-3,
        }
    }

    fn bone(self) -> Option<implicit::Bone> {
        match self {
            Self::Cranium => Some(skull::cranium()),
            Self::Maxilla => Some(skull::maxilla()),
            Self::Mandible => Some(mandible::mandible()),
            Self::Hyoid => Some(larynx::hyoid()),
            Self::Thyroid => Some(larynx::thyroid()),
            Self::Sternum => None,
        }
    }

    /// The surface, of edges about as long as `cell` [m].
    ///
    /// # Errors
    /// A cell size above the default or below 0.6 of it; a body without a surface.
    pub fn surface(self, cell: f64) -> Result<Surface, SurfaceError> {
        let [least, most] = [0.6, 1.0].map(|scale| scale * self.default_cell());
        if !(least..=most).contains(&cell) {
            return Err(SurfaceError::Cell { cell, least, most });
        }
        let bone = self.bone().ok_or(SurfaceError::NoSurface { body: self })?;
        surface_nets::extract(&bone, cell * 1e3)
    }

    /// The surface of the upper end of the sternum, which is only drawn.
    ///
    /// # Errors
    /// As [`Self::surface`].
    pub fn manubrium() -> Result<Surface, SurfaceError> {
        surface_nets::extract(&larynx::manubrium(), MANUBRIUM_CELL * 1e3)
    }

    /// The implicit shape behind the surface; `None` for a body without one.
    pub fn shape(self) -> Option<Shape> {
        self.bone().map(|bone| Shape { bone })
    }
}

/// The smooth shape of which a [`Surface`] is an approximation.
#[derive(Clone, Debug)]
pub struct Shape {
    bone: implicit::Bone,
}

impl Shape {
    /// Approximate distance of a point [m] from the surface [m], negative inside; close to the
    /// distance only near the surface.
    pub fn signed_value(&self, point: [f64; 3]) -> f64 {
        self.bone.value(Vec3::from(point) * 1e3) * 1e-3
    }
}
