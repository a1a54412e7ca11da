//! Overlap of two triangle surfaces: contours along which they pass through each other, the parts
//! of each inside the other, and the solid that these bound. Signs are exact and ties are broken by an
//! infinitesimal shift of the second surface (`exact.rs`), so that no placement is special.

mod arcs;
mod exact;
mod parts;
mod piercings;
mod prepared;
mod result;
mod stretch;

use std::ops::Range;

use arcs::{Arc, ArcWork, Network};
use parts::PartWork;
use piercings::{Pair, Piercing};

pub use prepared::OverlapSurface;
pub use result::{CommonSolid, Contour, ContourPoint, Operand, Region, SurfacePart};

use super::SurfaceMesh;

/// Contours, regions and common solid of two surfaces of any shape: closed, open, concave, of several
/// components, with edges of more than two triangles.
///
/// All is that of the placement in which the second surface is moved by (e, e², e³) with e going to zero.
/// Solids that touch without volume may or may not have contours; their volume is zero. Where a closed
/// surface passes through itself, what is inside twice counts twice.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    contours: Vec<Contour>,
    points: Vec<ContourPoint>,
    regions: Vec<Region>,
    is_closed: [bool; 2],
    piercings: Vec<Piercing>,
    arcs: Vec<Arc>,
    arc_work: ArcWork,
    part_work: PartWork,
}

impl Overlap {
    /// The overlap of two surfaces.
    pub fn of(first: &SurfaceMesh, second: &SurfaceMesh) -> Self {
        let mut overlap = Self::default();
        overlap.update(&OverlapSurface::new(first), &OverlapSurface::new(second));
        overlap
    }

    /// Renews all for two prepared surfaces; memory is used again. Nearly linear in the number of pairs of
    /// triangles near the contours, and linear in the number of triangles.
    pub fn update(&mut self, first: &OverlapSurface, second: &OverlapSurface) {
        let pair = Pair::new(first, second);
        self.is_closed = [first.is_closed(), second.is_closed()];
        pair.find_piercings(&mut self.piercings);
        self.arc_work.find_arcs(&pair, &self.piercings, &mut self.arcs);
        let network = Network { piercings: &self.piercings, arcs: &self.arcs };
        self.arc_work.trace(&pair, network, &mut self.contours, &mut self.points);
        self.part_work.find_regions(&pair, network, &mut self.regions);
        let begins = self.arc_work.begins();
        for (contour, &begin) in self.contours.iter_mut().zip(begins) {
            contour.region = self.part_work.region_of(begin as usize);
        }
    }

    /// Lines along which the surfaces pass through each other, open ones first. A contour goes so that the
    /// inside of the second surface is to its left, seen from outside of the first, where triangles wind alike.
    pub fn contours(&self) -> &[Contour] {
        &self.contours
    }

    /// Points of a contour, in order.
    pub fn points(&self, contour: &Contour) -> &[ContourPoint] {
        let Range { start, end } = contour.points;
        self.points.get(start..end).unwrap_or_default()
    }

    /// Connected inside parts of both surfaces; none unless a surface is closed. Solids
    /// without contours that are inside of the other are regions too.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The part of a surface that is inside the other; `None` if that other is open.
    pub fn part(&self, of: Operand) -> Option<SurfacePart> {
        self.is_closed[of.other().index()].then(|| {
            self.regions.iter().map(|region| region.parts[of.index()]).fold(
                SurfacePart::default(),
                |sum, part| SurfacePart {
                    area: sum.area + part.area,
                    area_vector: sum.area_vector + part.area_vector,
                    moment: sum.moment + part.moment,
                },
            )
        })
    }

    /// The solid that both have in common; `None` unless both surfaces are closed.
    pub fn solid(&self) -> Option<CommonSolid> {
        (self.is_closed == [true, true]).then(|| {
            self.regions.iter().map(|region| region.solid).fold(
                CommonSolid::default(),
                |sum, solid| CommonSolid {
                    volume: sum.volume + solid.volume,
                    moment: sum.moment + solid.moment,
                },
            )
        })
    }
}
