//! Bones and cartilages of head and throat as shapes and closed surfaces, drawn for this project around the muscles of
//! `jaw/muscles.rs` from the dimensions of docs/theory/anatomy.md, in the frame of that page. No body of a model is
//! made here.

mod face;
mod hyoid;
mod larynx;
mod mandible;
pub(crate) mod sdf;
mod skull;
mod teeth;
mod thorax;
mod vault;
mod vertebrae;

pub(crate) use teeth::Ball;

use rayon::prelude::*;
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
    /// Its mirror image about the midsagittal plane.
    pub(crate) fn mirrored(mut self) -> Self {
        self.vertices.iter_mut().for_each(|p| p[1] = -p[1]);
        self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self
    }

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
    #[error("'{body}' is a point of attachment without a surface")]
    NoSurface {
        /// Name of the body.
        body: &'static str,
    },
}

/// Smallest and largest cells over the default ones [-].
pub const CELL_SCALES: [f64; 2] = [0.6, 1.0];

/// A bone or a cartilage; what comes in pairs is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bone {
    /// Frontal, parietal, temporal, occipital, sphenoid and ethmoid bone.
    Cranium,
    /// Upper jaw with palate, teeth, nasal and cheek bones and the pterygoid plates.
    Maxilla,
    /// Lower jaw with its teeth.
    Mandible,
    /// Hyoid bone.
    Hyoid,
    /// Thyroid cartilage.
    Thyroid,
    /// Cricoid cartilage.
    Cricoid,
    /// Both arytenoid cartilages.
    Arytenoids,
    /// Upper end of the sternum.
    Manubrium,
    /// Fascial slings of the intermediate tendons of both omohyoids.
    OmohyoidSlings,
    /// First cervical vertebra.
    Atlas,
    /// Second cervical vertebra.
    Axis,
    /// Third cervical vertebra.
    C3,
    /// Fourth cervical vertebra.
    C4,
    /// Fifth cervical vertebra.
    C5,
    /// Sixth cervical vertebra.
    C6,
    /// Seventh cervical vertebra.
    C7,
}

impl Bone {
    /// Every one of them.
    pub const ALL: [Self; 16] = [
        Self::Cranium,
        Self::Maxilla,
        Self::Mandible,
        Self::Hyoid,
        Self::Thyroid,
        Self::Cricoid,
        Self::Arytenoids,
        Self::Manubrium,
        Self::OmohyoidSlings,
        Self::Atlas,
        Self::Axis,
        Self::C3,
        Self::C4,
        Self::C5,
        Self::C6,
        Self::C7,
    ];

    /// Name in models and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cranium => "cranium",
            Self::Maxilla => "maxilla",
            Self::Mandible => "mandible",
            Self::Hyoid => "hyoid",
            Self::Thyroid => "thyroid",
            Self::Cricoid => "cricoid",
            Self::Arytenoids => "arytenoids",
            Self::Manubrium => "manubrium",
            Self::OmohyoidSlings => "omohyoid_slings",
            Self::Atlas => "c1",
            Self::Axis => "c2",
            Self::C3 => "c3",
            Self::C4 => "c4",
            Self::C5 => "c5",
            Self::C6 => "c6",
            Self::C7 => "c7",
        }
    }

    /// Anatomical title, and in brackets other words for it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cranium => "cranium (skull)",
            Self::Maxilla => "maxilla (upper jaw)",
            Self::Mandible => "mandible (lower jaw)",
            Self::Hyoid => "hyoid bone",
            Self::Thyroid => "thyroid cartilage",
            Self::Cricoid => "cricoid cartilage",
            Self::Arytenoids => "arytenoid cartilages",
            Self::Manubrium => "manubrium (breastbone)",
            Self::OmohyoidSlings => "slings of the omohyoids",
            Self::Atlas => "atlas (first cervical vertebra)",
            Self::Axis => "axis (second cervical vertebra)",
            Self::C3 => "third cervical vertebra",
            Self::C4 => "fourth cervical vertebra",
            Self::C5 => "fifth cervical vertebra",
            Self::C6 => "sixth cervical vertebra",
            Self::C7 => "seventh cervical vertebra",
        }
    }

    /// True for cartilages and fasciae.
    pub const fn is_soft(self) -> bool {
        matches!(self, Self::Thyroid | Self::Cricoid | Self::Arytenoids | Self::OmohyoidSlings)
    }

    /// Default size of the grid cells of its surface [m]; about the length of an edge.
    pub const fn default_cell(self) -> f64 {
        match self {
            Self::Cranium => 3.5e-3,
            Self::Maxilla | Self::Mandible => 2e-3,
            Self::Hyoid => 1.5e-3,
            Self::Arytenoids | Self::OmohyoidSlings => 1.2e-3,
            Self::Thyroid | Self::Cricoid => 1.1e-3,
            Self::Manubrium => 2.5e-3,
            Self::Atlas | Self::Axis | Self::C3 | Self::C4 | Self::C5 | Self::C6 | Self::C7 => 2e-3,
        }
    }

    fn solid(self) -> sdf::Solid {
        match self {
            Self::Cranium => skull::cranium(),
            Self::Maxilla => skull::maxilla(),
            Self::Mandible => mandible::mandible(),
            Self::Hyoid => hyoid::hyoid(),
            Self::Thyroid => larynx::thyroid(),
            Self::Cricoid => larynx::cricoid(),
            Self::Arytenoids => larynx::arytenoids(),
            Self::Manubrium => thorax::manubrium(),
            Self::OmohyoidSlings => thorax::omohyoid_slings(),
            Self::Atlas => vertebrae::atlas(),
            Self::Axis => vertebrae::axis(),
            Self::C3 => vertebrae::lower(0),
            Self::C4 => vertebrae::lower(1),
            Self::C5 => vertebrae::lower(2),
            Self::C6 => vertebrae::lower(3),
            Self::C7 => vertebrae::lower(4),
        }
    }

    /// The surface, of edges about as long as `cell` [m].
    ///
    /// # Errors
    /// A cell size outside of [`CELL_SCALES`] times the default; one at which two sheets meet in a cell.
    pub fn surface(self, cell: f64) -> Result<Surface, SurfaceError> {
        let [least, most] = CELL_SCALES.map(|scale| scale * self.default_cell());
        if !(least..=most).contains(&cell) {
            return Err(SurfaceError::Cell { cell, least, most });
        }
        surface_of(&self.solid(), cell)
    }

    /// The shape behind the surface.
    pub fn shape(self) -> Shape {
        Shape { solid: self.solid() }
    }
}

/// The surfaces of some bones, with cells of the default size times a scale; made on all threads of the pool, the
/// same ones on any number.
///
/// # Errors
/// As [`Bone::surface`], of the first bone that has one.
pub fn surfaces(bones: &[Bone], scale: f64) -> Result<Vec<Surface>, SurfaceError> {
    let made: Vec<_> =
        bones.par_iter().map(|bone| bone.surface(scale * bone.default_cell())).collect();
    made.into_iter().collect()
}

/// Enamel over the crowns of a row of teeth [mm].
const ENAMEL: f64 = 0.25;
/// Default size of the grid cells of the crowns [m].
const TOOTH_CELL: f64 = 0.9e-3;
/// Default size of the grid cells of the skull in one piece, which is drawn and looked at [m].
const SKULL_CELL: f64 = 2.4e-3;

/// The upper jaw with the mucosa of its palate; `scale` is that of the cells.
///
/// # Errors
/// As [`surfaces`].
pub(crate) fn covered_maxilla(scale: f64) -> Result<Surface, SurfaceError> {
    surface_of(&skull::covered_maxilla(), scale * Bone::Maxilla.default_cell())
}

/// The crowns of the upper or the lower teeth, which lie on those of the jaw; `scale` is that of the cells.
///
/// # Errors
/// As [`surfaces`].
pub fn teeth(upper: bool, scale: f64) -> Result<Surface, SurfaceError> {
    teeth_of(&teeth_solid(upper), scale)
}

/// Middles of the biting ends of the first and the second molar of the left side [mm].
pub(crate) fn molar_tops(upper: bool) -> [sdf::Point; 2] {
    let [.., first, second] = if upper { face::CROWNS } else { mandible::CROWNS };
    [first.top, second.top]
}

/// Balls in the biting ends of the lower teeth of the left side [mm].
pub(crate) fn lower_tips() -> Vec<Ball> {
    let crowns = teeth_solid(false);
    mandible::CROWNS.iter().flat_map(|crown| crown.tips(&crowns)).collect()
}

/// The surface of crowns.
pub(crate) fn teeth_of(solid: &sdf::Solid, scale: f64) -> Result<Surface, SurfaceError> {
    surface_of(solid, scale * TOOTH_CELL)
}

/// The crowns as a solid.
pub(crate) fn teeth_solid(upper: bool) -> sdf::Solid {
    let crowns = if upper { face::CROWNS } else { mandible::CROWNS };
    let enamel = crowns.iter().flat_map(|crown| crown.enamel(ENAMEL));
    sdf::Solid::new().add([0.0, 0.3], enamel)
}

/// Cranium and upper jaw in one piece, without the seam between them; `scale` is that of the cells.
///
/// # Errors
/// As [`surfaces`].
pub fn skull(scale: f64) -> Result<Surface, SurfaceError> {
    surface_of(&whole_skull(), scale * SKULL_CELL)
}

/// The space of the brain inside of the cranium.
///
/// # Errors
/// As [`Bone::surface`].
pub fn cranial_cavity() -> Result<Surface, SurfaceError> {
    surface_of(&vault::cavity(), Bone::Cranium.default_cell())
}

/// The surface of a solid, from cells of a size [m].
pub(crate) fn surface_of(solid: &sdf::Solid, cell: f64) -> Result<Surface, SurfaceError> {
    let found = sdf::extract(solid, cell / MM);
    let (points, triangles) = found
        .map_err(|sdf::TooCoarse(at)| SurfaceError::TooCoarse { cell, at: at.map(|x| x * MM) })?;
    let vertices = points.into_iter().map(|p| p.map(|x| x * MM)).collect();
    Ok(Surface { vertices, triangles })
}

/// Skull and face as one solid, without their division.
pub(crate) fn whole_skull() -> sdf::Solid {
    skull::skull()
}

/// The left arytenoid cartilage as a solid.
pub(crate) fn left_arytenoid() -> sdf::Solid {
    larynx::arytenoids().one_sided()
}

/// The mandible as a solid.
pub(crate) fn mandible_solid() -> sdf::Solid {
    mandible::mandible()
}

/// The ellipsoids whose blend is the vault, grown [mm].
pub(crate) fn vault_ellipsoids(grown: f64) -> Vec<sdf::Segment> {
    vault::outer(grown)
}

/// Millimetres, in which the shapes are written, to metres.
pub(crate) const MM: f64 = 1e-3;

/// The smooth shape of which a [`Surface`] is an approximation.
#[derive(Clone, Debug)]
pub struct Shape {
    solid: sdf::Solid,
}

impl Shape {
    /// Approximate distance of a point [m] from the surface [m], negative inside; close to the
    /// distance only near the surface.
    pub fn signed_value(&self, point: [f64; 3]) -> f64 {
        self.solid.value(point.map(|x| x / MM)) * MM
    }
}
