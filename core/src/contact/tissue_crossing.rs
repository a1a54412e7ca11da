//! Solids that pass into the surface of a tissue on straight ways: corners through faces, edges through edges; and nodes
//! through solids, for which `way.rs` looks (docs/theory/contact.md, "Never through").

use sinew_mesh::tree;

use super::ContactPoint;
use super::segment::nearest;
use super::solid_features::SolidFeatures;
use super::surface_pair::{FLUSH, Near};
use super::tissue_faces::{Gap, Search, SolidBeside, TissueFaces, edge_key};
use super::way::{Entry, SolidWay};
use crate::Vec3;

/// Share of twice the tolerance that features are to stay before the place at which they are through.
const LEAST: f64 = 0.25;

/// A feature of a tissue and one of a solid of a pair that would pass each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct TissueCrossing {
    pub(super) pair: u32,
    pub(super) features: Passing,
}

/// Features that would pass, by their numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Passing {
    /// A corner of the solid through a face.
    Corner { corner: u32, face: u32 },
    /// A line of the solid through an edge.
    Line { line: u32, edge: u32 },
    /// A node, and where it comes upon the solid.
    Node { node: u32, entry: Entry },
}

impl TissueFaces {
    /// Adds the features of a solid that pass into a surface on ways from `q` [m], by which rows go `steps` [m]; true if any does.
    pub(super) fn cross(
        &mut self,
        [set, solid]: [u32; 2],
        (beside, way): (&SolidBeside, &SolidWay),
        (q, steps): (&[Vec3], &[Vec3]),
        out: &mut Vec<TissueCrossing>,
    ) -> bool {
        let Self { skins, solids, depths, .. } = self;
        let (Some(placed), Some(features)) = (&mut skins[set as usize], &solids[solid as usize])
        else {
            return false;
        };
        placed.forget();
        let least = LEAST * beside.pair.thickness;
        placed.skin.place(q, steps);
        placed.skin.seen_from(&way.shift());
        let longest = placed.skin.steps.iter().map(|step| step.norm()).fold(0.0, f64::max);
        // What goes no farther than this passes nothing.
        if longest + way.sweep(beside.part.reach()) <= least {
            return false;
        }
        let around = tree::Bounds::of(
            [beside.bounds.low, beside.bounds.high].into_iter(),
            Vec3::repeat(way.sweep(beside.part.reach())),
        );
        let of_skin = placed.skin.way(least);
        if !of_skin.overlaps(&around) {
            return false;
        }
        placed.skin.set_border(least);
        placed.skin.sweep();
        let search = Search::new(beside, placed, steps, (0.0, depths));
        let before = out.len();
        let mut guard = Guard { search, of_skin, shift: way.shift(), least, out };
        guard.add_corners(features);
        guard.add_lines(features);
        out.len() > before
    }
}

/// A solid and a surface on their ways.
struct Guard<'a> {
    search: Search<'a>,
    /// The box around the way of the surface.
    of_skin: tree::Bounds,
    /// Way of the frame that boxes are seen from, that of the solid [m].
    shift: Vec3,
    /// Distance that what begins farther apart keeps [m].
    least: f64,
    out: &'a mut Vec<TissueCrossing>,
}

impl Guard<'_> {
    fn add_corners(&mut self, features: &SolidFeatures) {
        let skin = self.search.skin;
        for (number, corner) in (0..).zip(&features.corners) {
            let around = self.around(&[corner.at; 2]);
            if !around.overlaps(&self.of_skin) {
                continue;
            }
            skin.visit_faces(&around, &mut |face| {
                let (ends, face) = ([corner.at; 2], face as u32);
                let corners = skin.surface.triangles[face as usize];
                let length = self.search.longest_side(face);
                let it = self.gap((0, face), corners, (skin.face_normals[face as usize], length));
                if self.passes(&it, &ends) {
                    self.push(Passing::Corner { corner: number, face });
                }
            });
        }
    }

    fn add_lines(&mut self, features: &SolidFeatures) {
        let skin = self.search.skin;
        for (number, ends) in (0..).zip(features.lines()) {
            let around = self.around(&ends);
            if !around.overlaps(&self.of_skin) {
                continue;
            }
            skin.visit_edges(&around, &mut |edge| {
                let [a, b] = skin.edges[edge].ends;
                let outward: Vec3 = self.search.normals(edge).iter().sum();
                let length = (skin.points[b as usize] - skin.points[a as usize]).norm();
                let outward = outward.try_normalize(0.0).unwrap_or_default();
                let it = self.gap((1, edge as u32), [a, b, a], (outward, length));
                if self.passes(&it, &ends) {
                    self.push(Passing::Line { line: number, edge: edge as u32 });
                }
            });
        }
    }

    /// A face or an edge without a place in it.
    fn gap(&self, feature: (usize, u32), vertices: [u32; 3], (normal, length): (Vec3, f64)) -> Gap {
        let vertices = vertices.map(|v| (v, 0.0));
        let (key, gap, on_tissue) = (0, 0.0, Vec3::zeros());
        Gap { key, feature, vertices, solid: None, normal, gap, on_tissue, length }
    }

    /// The box around the way of points of the solid, seen from its frame.
    fn around(&self, solid: &[Vec3; 2]) -> tree::Bounds {
        let Search { beside, end, .. } = &self.search;
        let from = solid.map(|p| beside.at.apply(&p));
        let to = end.map_or(from, |end| solid.map(|p| end.apply(&p) - self.shift));
        tree::Bounds::of(from.into_iter().chain(to), Vec3::repeat(self.least))
    }

    /// True if a part of the solid goes into the tissue there, deeper than contacts leave it: the face or edge is moved inwards by
    /// so much, and what begins before it may not come behind it.
    fn passes(&self, it: &Gap, solid: &[Vec3; 2]) -> bool {
        let (search, vertex) = (&self.search, it.vertices[0].0);
        let Some(end) = search.end else { return false };
        let allowed = search.beside.pair.thickness.max(search.shallow(vertex, it.length));
        // The middle of what is round goes through nothing.
        let inset = if search.radius > 0.0 { 0.0 } else { allowed };
        let ways = search.ways(it, solid, &end).moved(&(it.normal * -inset));
        ways.arm(0.0).dot(&it.normal) > 0.0 && ways.crosses(self.least)
    }

    fn push(&mut self, features: Passing) {
        self.out.push(TissueCrossing { pair: self.search.beside.index, features });
    }
}

impl Search<'_> {
    /// Adds contacts of features that would have passed, but for those that are there from `start` on.
    pub(super) fn add_refused(
        &self,
        features: &SolidFeatures,
        crossings: &[TissueCrossing],
        (start, out): (usize, &mut Vec<ContactPoint>),
    ) {
        let own = crossings.iter().filter(|it| it.pair == self.beside.index);
        for it in own {
            let gap = match it.features {
                Passing::Corner { corner, face } => self.refused_corner(features, [corner, face]),
                Passing::Line { line, edge } => self.refused_line(features, [line, edge]),
                Passing::Node { .. } => None,
            };
            let Some(gap) = gap else { continue };
            if out[start..].iter().all(|known| known.key != gap.key) {
                out.push(self.made(&gap));
            }
        }
    }

    fn refused_corner(&self, features: &SolidFeatures, [corner, face]: [u32; 2]) -> Option<Gap> {
        let corner_at = features.corners.get(corner as usize)?.at;
        let p = self.beside.at.apply(&corner_at);
        let near = Near::of(&p, self.skin, face as usize, FLUSH * self.beside.pair.thickness);
        let key = 1 << 62 | 1 << 61 | u64::from(corner) << 31 | u64::from(face);
        Some(self.over_face(key, (&corner_at, &near)))
    }

    fn refused_line(&self, features: &SolidFeatures, [line, edge]: [u32; 2]) -> Option<Gap> {
        let ends = features.lines().nth(line as usize)?.map(|end| self.beside.at.apply(&end));
        let on = self.skin.ends(edge as usize);
        let at = nearest(&on, &ends);
        let outward: Vec3 = self.normals(edge as usize).iter().sum();
        let arm = at.b - at.a;
        let normal = arm.try_normalize(FLUSH * self.beside.pair.thickness);
        let normal = normal.or_else(|| outward.try_normalize(0.0))?;
        let normal = if normal.dot(&outward) < 0.0 { -normal } else { normal };
        let gap = arm.dot(&normal) - self.radius;
        let key = edge_key(edge as usize, u64::from(line));
        Some(self.on_edge(key, edge as usize, (at.at[0], at.a), (normal, gap)))
    }
}
