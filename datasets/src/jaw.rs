//! Anatomy of the jaw, tongue and hyoid model as plain data: bodies, muscles, the
//! temporomandibular joint, excitations. Nothing here steps a model. Frame and sources: docs/theory/anatomy.md.

pub mod excitation;
pub mod gape;
pub mod joint;
pub mod muscles;

use crate::bones::Bone;
pub use crate::bones::{Shape, Surface, SurfaceError};

/// Bodies that muscles and joints name. All but the mandible and the hyoid bone are fixed in the
/// published model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Braincase with brow, temporal bones, mastoid and styloid processes.
    Cranium,
    /// Upper jaw with nasal and cheek bones and the pterygoid plates.
    Maxilla,
    /// Lower jaw.
    Mandible,
    /// Hyoid bone.
    Hyoid,
    /// Thyroid cartilage.
    Thyroid,
    /// Sternum, for the muscles that descend to it; it has no surface of its own.
    Sternum,
}

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
            Self::Cranium => "cranium (skull, braincase, temporal bone)",
            Self::Maxilla => "maxilla (upper jaw, skull, palate, zygomatic arch)",
            Self::Mandible => "mandible (lower jaw, jawbone)",
            Self::Hyoid => "hyoid bone",
            Self::Thyroid => "thyroid cartilage (larynx)",
            Self::Sternum => "sternum (breastbone)",
        }
    }

    /// Default size of the grid cells of its surface [m]; about the length of an edge.
    pub const fn default_cell(self) -> f64 {
        match self.bone() {
            Some(bone) => bone.default_cell(),
            None => Bone::Manubrium.default_cell(),
        }
    }

    /// The bone or cartilage that it is; `None` for the sternum, which is a name for points.
    pub const fn bone(self) -> Option<Bone> {
        match self {
            Self::Cranium => Some(Bone::Cranium),
            Self::Maxilla => Some(Bone::Maxilla),
            Self::Mandible => Some(Bone::Mandible),
            Self::Hyoid => Some(Bone::Hyoid),
            Self::Thyroid => Some(Bone::Thyroid),
            Self::Sternum => None,
        }
    }

    /// The surface, of edges about as long as `cell` [m].
    ///
    /// # Errors
    /// As [`Bone::surface`]; a body without a surface.
    pub fn surface(self, cell: f64) -> Result<Surface, SurfaceError> {
        self.bone().ok_or(SurfaceError::NoSurface { body: self.name() })?.surface(cell)
    }

    /// The implicit shape behind the surface; `None` for a body without one.
    pub fn shape(self) -> Option<Shape> {
        self.bone().map(Bone::shape)
    }
}
