//! Outcome of a query for an overlap: points, contours, parts, regions.

use std::ops::Range;

use crate::Vec3;

/// One of the two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operand {
    /// The first surface.
    First,
    /// The second surface.
    Second,
}

impl Operand {
    /// The other surface.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 or 1.
    pub fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }
}

/// A point where an edge of one surface goes through a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourPoint {
    /// Position [m].
    pub position: Vec3,
    /// The surface that the edge is of; the triangle is of the other.
    pub edge_of: Operand,
    /// Vertices of the edge, smaller number first.
    pub edge: [u32; 2],
    /// Share of the edge from its first vertex to the point [-], 0 to 1.
    pub along: f64,
    /// Number of the triangle that is pierced.
    pub triangle: u32,
    /// Triangles of the first and the second surface that share the segment to the next point; `None` at
    /// the end of an open contour.
    pub segment: Option<[u32; 2]>,
}

/// A line along which two surfaces pass through each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contour {
    /// Its points among those of the overlap; a closed contour does not repeat its first point.
    pub points: Range<usize>,
    /// True for a loop; else it ends at the rims of open surfaces.
    pub is_closed: bool,
    /// Number of the region that it bounds; `None` where no surface is closed.
    pub region: Option<u32>,
}

/// The part of a surface that is inside of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfacePart {
    /// Area [m²].
    pub area: f64,
    /// Integral of the outward unit normal over the area [m²].
    pub area_vector: Vec3,
    /// Integral of the position over the area [m³].
    pub moment: Vec3,
}

impl SurfacePart {
    /// Mean position [m]; `None` without area.
    pub fn centroid(&self) -> Option<Vec3> {
        (self.area > 0.0).then(|| self.moment / self.area)
    }
}

/// The solid that two closed surfaces have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommonSolid {
    /// Volume [m³].
    pub volume: f64,
    /// Integral of the position over the volume \[m⁴\].
    pub moment: Vec3,
}

impl CommonSolid {
    /// Mean position [m]; `None` without volume.
    pub fn centroid(&self) -> Option<Vec3> {
        (self.volume != 0.0).then(|| self.moment / self.volume)
    }
}

/// Parts of both surfaces that are inside of the other and hang together: one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Region {
    /// The part of the first surface inside the second, and of the second inside the first; zero where
    /// that other surface is open.
    pub parts: [SurfacePart; 2],
    /// The solid that they bound, zero unless both surfaces are closed. A region that is a cavity of
    /// another and has no contour has a negative volume.
    pub solid: CommonSolid,
}

impl Region {
    /// Unit normal from the second surface into the first: that of the area vectors, which for two closed
    /// surfaces are opposite. `None` where they cancel, as in a solid inside of another.
    pub fn normal(&self) -> Option<Vec3> {
        let [first, second] = self.parts;
        let across = second.area_vector - first.area_vector;
        let least = 1e-12 * (first.area + second.area);
        (across.norm() > least).then(|| across.normalize())
    }

    /// Mean depth along the normal [m]: the volume over the area that the region covers seen along it.
    /// `None` without a normal.
    pub fn mean_depth(&self) -> Option<f64> {
        self.normal().map(|normal| {
            let [first, second] = self.parts.map(|part| part.area_vector.dot(&normal).abs());
            self.solid.volume / first.max(second)
        })
    }
}
