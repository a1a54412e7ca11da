//! Corners and edges of solids against the faces and edges of the surface of a tissue: nodes alone would leave through what
//! is smaller than a face (docs/theory/contact.md, "Tissue and solids").

use sinew_mesh::tree;

use super::bounds::Bounds;
use super::mesh_pair::{is_between, least};
use super::narrow::{Part, Placement};
use super::pair::END;
use super::segment::nearest;
use super::shape::Skeleton;
use super::solid_features::SolidFeatures;
use super::surface::Skin;
use super::surface_crossing::Two;
use super::surface_pair::{ALIKE, AWAY, DEEPEST, FLUSH, Near, PARALLEL, choose};
use super::tissue_crossing::TissueCrossing;
use super::way::SolidWay;
use super::{ContactPoint, Member, Pair, PointSet, Stencil};
use crate::Vec3;

/// Contacts of a face and of an edge at most: the deepest.
const MOST: [usize; 2] = [4, 2];
/// A node that touches holds what is beside it up to an overlap of this share of the side of its face: tissue hangs down between
/// nodes on what they lie on.
const SHALLOW: f64 = 0.05;
/// The same as a share of the deepest overlap that is seen: what is thin beside its faces is not to be passed.
const SHALLOW_BESIDE_DEEPEST: f64 = 0.5;

/// Surfaces of the point sets, features of the solids that they meet, and work space.
#[derive(Debug, Default)]
pub(super) struct TissueFaces {
    pub(super) skins: Vec<Option<PlacedSkin>>,
    pub(super) solids: Vec<Option<SolidFeatures>>,
    near: Vec<Near>,
    found: Vec<Found>,
    /// Signed distances of vertices from a solid [m]; not a number where not known yet.
    pub(super) depths: Vec<f64>,
}

/// A surface and the call of the detector that it was placed in.
#[derive(Debug)]
pub(super) struct PlacedSkin {
    pub(super) skin: Skin,
    pub(super) bounds: Bounds,
    /// Longest way of a vertex [m].
    longest: f64,
    call: u64,
    swept: u64,
}

/// A contact of a face (0) or an edge (1) of a surface, by its number.
#[derive(Debug, Clone, Copy)]
struct Found {
    feature: (usize, u32),
    contact: ContactPoint,
}

/// A solid beside the surface of a point set.
#[derive(Clone, Copy)]
pub(super) struct SolidBeside<'a> {
    /// Number of the pair, and itself.
    pub(super) index: u32,
    pub(super) pair: Pair,
    pub(super) part: &'a Part,
    /// In the world.
    pub(super) at: Placement,
    pub(super) bounds: Bounds,
    /// Distance that it may move [m].
    pub(super) travel: f64,
    /// Its way in the step; `None` where it is not known, or nothing looks for crossings after the step.
    pub(super) way: Option<SolidWay>,
}

impl TissueFaces {
    /// Takes the surfaces of the sets that meet solids.
    pub(super) fn new(sets: &mut [PointSet], parts: &[Part], pairs: &[Pair]) -> Self {
        let mut own = Self::default();
        own.skins.resize_with(sets.len(), || None);
        own.solids.resize_with(parts.len(), || None);
        for pair in pairs {
            let [set, solid] = match (pair.a, pair.b) {
                (Member::Points(set), Member::Collider(solid))
                | (Member::Collider(solid), Member::Points(set)) => {
                    [set, solid].map(|k| k as usize)
                }
                _ => continue,
            };
            let shape = &parts[solid].shape;
            if shape.is_plane() {
                continue;
            }
            let surface = std::mem::take(&mut sets[set].surface);
            if !surface.triangles.is_empty() {
                own.skins[set] = Some(PlacedSkin::new(Skin::new(surface)));
            }
            if own.skins[set].is_some() {
                own.solids[solid].get_or_insert_with(|| SolidFeatures::of(shape));
            }
        }
        own
    }

    /// Adds the contacts of a surface with a solid, by rising keys, where rows are at `q` and go so far [m].
    pub(super) fn add(
        &mut self,
        [set, solid]: [u32; 2],
        beside: &SolidBeside,
        (q, travel): (&[Vec3], &[Vec3]),
        (call, crossings): (u64, &[TissueCrossing]),
        out: &mut Vec<ContactPoint>,
    ) {
        let Self { skins, solids, near, found, depths } = self;
        let (Some(placed), Some(features)) = (&mut skins[set as usize], &solids[solid as usize])
        else {
            return;
        };
        placed.measure((q, travel), call);
        let reach = beside.pair.margin + beside.travel + placed.longest;
        let is_refused = crossings.iter().any(|it| it.pair == beside.index);
        if !is_refused && !beside.bounds.near(&placed.bounds, reach) {
            return;
        }
        placed.sweep(q, call);
        depths.clear();
        depths.resize(placed.skin.points.len(), f64::NAN);
        let mut search = Search::new(beside, placed, travel, (reach, depths));
        found.clear();
        search.add_corners(features, (near, found));
        search.add_edges(features, found);
        search.add_beside_cylinder(found);
        let start = out.len();
        found.sort_unstable_by(|a, b| {
            let by_gap = a.contact.gap.total_cmp(&b.contact.gap);
            a.feature.cmp(&b.feature).then(by_gap).then(a.contact.key.cmp(&b.contact.key))
        });
        for of_one in found.chunk_by(|a, b| a.feature == b.feature) {
            let most = MOST[of_one[0].feature.0];
            out.extend(of_one.iter().take(most).map(|it| it.contact));
        }
        search.add_refused(features, crossings, (start, out));
        out[start..].sort_unstable_by_key(|contact| contact.key);
    }
}

impl PlacedSkin {
    fn new(skin: Skin) -> Self {
        let bounds = Bounds::around(std::iter::empty());
        Self { skin, bounds, longest: 0.0, call: 0, swept: 0 }
    }

    /// Forgets where it is.
    pub(super) fn forget(&mut self) {
        (self.call, self.swept) = (0, 0);
    }

    /// The box around it, and how far it goes, once a call.
    fn measure(&mut self, (q, travel): (&[Vec3], &[Vec3]), call: u64) {
        if self.call == call {
            return;
        }
        self.call = call;
        let rows = &self.skin.surface.rows;
        self.bounds = Bounds::around(rows.iter().map(|&row| q[row as usize]));
        let way = |row: &u32| travel.get(*row as usize).map_or(0.0, |step| step.norm());
        self.longest = rows.iter().map(way).fold(0.0, f64::max);
    }

    /// Places its vertices and renews its trees, once a call.
    fn sweep(&mut self, q: &[Vec3], call: u64) {
        if self.swept != call {
            self.swept = call;
            self.skin.place(q, &[]);
            self.skin.set_border(0.0);
            self.skin.sweep();
        }
    }
}

/// The search for contacts of one pair.
pub(super) struct Search<'a> {
    pub(super) beside: &'a SolidBeside<'a>,
    pub(super) skin: &'a Skin,
    bounds: &'a Bounds,
    /// Motion of rows [m].
    travel: &'a [Vec3],
    /// Placement of the solid at the end; `None` where that is not known.
    pub(super) end: Option<Placement>,
    /// Distance from the solid within which is looked [m].
    reach: f64,
    /// Radius by which the solid is inflated [m].
    pub(super) radius: f64,
    /// Deepest place of a corner of the solid without its radius [m].
    deepest: f64,
    depths: &'a mut [f64],
}

/// A corner or an edge beside a face or an edge.
pub(super) struct Gap {
    pub(super) key: u64,
    /// Face or edge of the surface.
    pub(super) feature: (usize, u32),
    /// Vertices of the surface with their weights.
    pub(super) vertices: [(u32, f64); 3],
    /// The corner twice, or the ends of the edge, in the frame of the solid [m]; `None` of what is round.
    pub(super) solid: Option<[Vec3; 2]>,
    /// Unit vector out of the tissue.
    pub(super) normal: Vec3,
    /// Distance of the solid along it [m].
    pub(super) gap: f64,
    pub(super) on_tissue: Vec3,
    /// Longest side of the face, or length of the edge [m].
    pub(super) length: f64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        beside: &'a SolidBeside<'a>,
        placed: &'a PlacedSkin,
        travel: &'a [Vec3],
        (reach, depths): (f64, &'a mut [f64]),
    ) -> Self {
        let PlacedSkin { skin, bounds, .. } = placed;
        let radius = beside.part.shape.roundness();
        let deepest = DEEPEST * skin.thinness().min(beside.part.size());
        let end = beside.way.map(|way| way.at(1.0));
        Self { beside, skin, bounds, travel, end, reach, radius, deepest, depths }
    }

    /// Corners over faces.
    fn add_corners(
        &mut self,
        features: &SolidFeatures,
        (near, found): (&mut Vec<Near>, &mut Vec<Found>),
    ) {
        let (at, skin) = (&self.beside.at, self.skin);
        let reach = self.reach + self.radius;
        for (number, corner) in (0u64..).zip(&features.corners) {
            let p = at.apply(&corner.at);
            if !self.bounds.near_point(&p, reach) {
                continue;
            }
            let away = at.turn * corner.away;
            let around = tree::Bounds::of(std::iter::once(p), Vec3::repeat(self.sight()));
            near.clear();
            skin.visit_faces(&around, &mut |face| {
                near.push(Near::of(&p, skin, face, FLUSH * self.beside.pair.thickness));
            });
            // The nearest face tells on which side a corner is, whether it can be touched or not.
            for (rank, it) in (0..).zip(choose(near)) {
                // Where a vertex is nearest it touches by itself.
                let is_between = it.on.weights.iter().all(|weight| *weight < 1.0 - END);
                if is_between && self.fits(&away, it) {
                    let key = 1 << 62 | number << 2 | rank;
                    let gap = self.over_face(key, (&corner.at, it));
                    found.extend(self.contact(&gap));
                }
            }
        }
    }

    /// Distance in which features are looked at [m]: overlaps count that nodes which held them left behind.
    fn sight(&self) -> f64 {
        self.reach.max(self.deepest) + self.radius
    }

    /// True if a corner can touch a face by the way that leads out of its solid there.
    fn fits(&self, away: &Vec3, it: &Near) -> bool {
        let facing = away.dot(&it.normal);
        let vertex = self.skin.surface.triangles[it.face as usize][0];
        match it.distance < 0.0 {
            true => facing <= 0.0 && it.distance > -self.deepest_at(vertex),
            false => facing < AWAY,
        }
    }

    /// Overlap up to which the side of a face tells where a solid belongs [m]; sheets have no inside.
    pub(super) fn deepest_at(&self, vertex: u32) -> f64 {
        let least = self.beside.pair.thickness.max(self.beside.pair.margin);
        if self.skin.is_thin(vertex) { least } else { self.deepest.max(least) }
    }

    /// Overlap beside a vertex or an edge that touches which is left to it, in a face or an edge of this length [m].
    pub(super) fn shallow(&self, vertex: u32, length: f64) -> f64 {
        (SHALLOW * length).min(SHALLOW_BESIDE_DEEPEST * self.deepest_at(vertex))
    }

    /// Longest side of a face [m].
    pub(super) fn longest_side(&self, face: u32) -> f64 {
        let [a, b, c] = self.skin.corners(face as usize);
        (b - a).norm().max((c - b).norm()).max((a - c).norm())
    }

    /// A corner over a face.
    pub(super) fn over_face(&self, key: u64, (corner, it): (&Vec3, &Near)) -> Gap {
        let corners = self.skin.surface.triangles[it.face as usize];
        Gap {
            key,
            feature: (0, it.face),
            vertices: std::array::from_fn(|k| (corners[k], it.on.weights[k])),
            solid: Some([*corner; 2]),
            normal: it.normal,
            gap: it.distance - self.radius,
            on_tissue: it.on.point,
            length: self.longest_side(it.face),
        }
    }

    /// Edges across edges.
    fn add_edges(&mut self, features: &SolidFeatures, found: &mut Vec<Found>) {
        let (at, skin) = (&self.beside.at, self.skin);
        let reach = self.reach + self.radius;
        for (number, edge) in (0..).zip(&features.edges) {
            let ends = edge.ends.map(|end| at.apply(&end));
            if !self.bounds.near(&Bounds::around(ends.into_iter()), reach) {
                continue;
            }
            let normals = edge.normals.map(|normals| normals.map(|normal| at.turn * normal));
            let around = tree::Bounds::of(ends.into_iter(), Vec3::repeat(self.sight()));
            skin.visit_edges(&around, &mut |own| {
                let gap = self.across(own, (number, &ends, normals.as_ref()));
                let gap = gap.map(|it| Gap { solid: Some(edge.ends), ..it });
                found.extend(gap.and_then(|it| self.contact(&it)));
            });
        }
    }

    /// An edge of the solid across one of the surface, nearest within both.
    fn across(
        &self,
        own: usize,
        (number, ends, normals): (u64, &[Vec3; 2], Option<&[Vec3; 2]>),
    ) -> Option<Gap> {
        let on = self.skin.ends(own);
        let (along, other) = (on[1] - on[0], ends[1] - ends[0]);
        let across = along.cross(&other);
        if across.norm() <= PARALLEL * along.norm() * other.norm() {
            return None;
        }
        let at = nearest(&on, ends);
        let outward: Vec3 = self.normals(own).iter().sum();
        let normal = across.normalize() * across.dot(&outward).signum();
        let distance = (at.b - at.a).dot(&normal);
        let fits = at.at.iter().all(|x| (END..=1.0 - END).contains(x))
            && self.is_outward(own, &normal)
            && normals.is_none_or(|normals| is_between(&-normal, normals))
            && distance > -self.deepest_at(self.skin.edges[own].ends[0]);
        let gap = distance - self.radius;
        let meets = || gap > 0.0 || self.depth_at(&at.a) <= self.tolerance();
        let key = edge_key(own, number);
        (fits && meets()).then(|| self.on_edge(key, own, (at.at[0], at.a), (normal, gap)))
    }

    /// Edges of the surface beside the round side of a cylinder, whose signed distance is convex along them.
    fn add_beside_cylinder(&mut self, found: &mut Vec<Found>) {
        let SolidBeside { part, at, bounds, .. } = self.beside;
        let skin = self.skin;
        if !matches!(part.shape.skeleton(), Skeleton::Disk(..)) {
            return;
        }
        let corners = [bounds.low, bounds.high].into_iter();
        let around = tree::Bounds::of(corners, Vec3::repeat(self.reach));
        skin.visit_edges(&around, &mut |own| {
            let [start, end] = skin.ends(own).map(|end| at.inverse(&end));
            let foot = |t: f64| part.shape.foot(&start.lerp(&end, t), part.size());
            let t = least(|t| foot(t).gap);
            let (foot, normal) = (foot(t), at.turn * -foot(t).normal);
            let fits = (END..=1.0 - END).contains(&t)
                && self.is_outward(own, &normal)
                && foot.gap > -self.deepest_at(self.skin.edges[own].ends[0]);
            if fits {
                let on_tissue = at.apply(&start.lerp(&end, t));
                let key = 3 << 62 | own as u64;
                let gap = self.on_edge(key, own, (t, on_tissue), (normal, foot.gap));
                found.extend(self.contact(&gap));
            }
        });
    }

    pub(super) fn on_edge(
        &self,
        key: u64,
        own: usize,
        (t, on_tissue): (f64, Vec3),
        (normal, gap): (Vec3, f64),
    ) -> Gap {
        let [start, end] = self.skin.edges[own].ends;
        let vertices = [(start, 1.0 - t), (end, t), (start, 0.0)];
        let [a, b] = self.skin.ends(own);
        let (feature, length) = ((1, own as u32), (b - a).norm());
        Gap { key, feature, vertices, solid: None, normal, gap, on_tissue, length }
    }

    /// Normals of the faces of an edge.
    pub(super) fn normals(&self, edge: usize) -> [Vec3; 2] {
        self.skin.edges[edge].faces.map(|face| self.skin.face_normals[face as usize])
    }

    /// True if a direction lies between the normals of the faces of an edge; where these are alike, if it is near to both.
    fn is_outward(&self, edge: usize, direction: &Vec3) -> bool {
        let normals = self.normals(edge);
        match normals[0].dot(&normals[1]) > ALIKE {
            true => normals.iter().all(|normal| normal.dot(direction) > ALIKE),
            false => self.skin.is_between(edge, direction),
        }
    }

    fn tolerance(&self) -> f64 {
        0.5 * self.beside.pair.thickness
    }

    /// Signed distance of a point from the solid [m].
    fn depth_at(&self, p: &Vec3) -> f64 {
        let SolidBeside { part, at, .. } = self.beside;
        part.shape.foot(&at.inverse(p), part.size()).gap
    }

    /// Signed distance of a vertex from the solid [m].
    fn depth_of(&mut self, v: u32) -> f64 {
        if self.depths[v as usize].is_nan() {
            self.depths[v as usize] = self.depth_at(&self.skin.points[v as usize]);
        }
        self.depths[v as usize]
    }

    /// True where nodes hold the solid: a round one is no smaller than the face, or a node touches, or is as near, and it is
    /// little deeper beside it.
    fn rests_on_nodes(&mut self, it: &Gap) -> bool {
        let level = self.tolerance() + it.gap.max(0.0);
        self.radius > it.length
            || it.gap > -self.shallow(it.vertices[0].0, it.length)
                && it.vertices.iter().any(|&(v, weight)| weight != 0.0 && self.depth_of(v) <= level)
    }

    /// The contact, if it can be reached and nodes do not hold it.
    fn contact(&mut self, it: &Gap) -> Option<Found> {
        let longest = it.vertices.iter().map(|&(v, _)| self.way_of(v).norm()).fold(0.0, f64::max);
        let margin = self.beside.pair.margin;
        let is_near = (it.gap - longest - self.beside.travel).le(&margin);
        if !is_near || self.rests_on_nodes(it) || it.gap > margin && self.passes_by(it) {
            return None;
        }
        Some(Found { feature: it.feature, contact: self.made(it) })
    }

    /// True if the two do not touch on ways that are known, after which crossings are looked for.
    fn passes_by(&self, it: &Gap) -> bool {
        let ways = self.end.zip(it.solid).map(|(end, solid)| self.ways(it, &solid, &end));
        ways.is_some_and(|two| two.passes_by(self.beside.pair.margin + self.radius))
    }

    /// Ways of a corner and a face, or of two edges.
    pub(super) fn ways(&self, it: &Gap, solid: &[Vec3; 2], end: &Placement) -> Two {
        let from = solid.map(|p| self.beside.at.apply(&p));
        let step = [0, 1].map(|k| end.apply(&solid[k]) - from[k]);
        let [a, b, c] = it.vertices.map(|(v, _)| (self.skin.points[v as usize], self.way_of(v)));
        let ([p, q, r, s], split) = match it.feature.0 {
            0 => ([(from[0], step[0]), a, b, c], 1),
            _ => ([(from[0], step[0]), (from[1], step[1]), a, b], 2),
        };
        Two { split, points: [p.0, q.0, r.0, s.0], steps: [p.1, q.1, r.1, s.1] }
    }

    /// Motion of a vertex [m].
    fn way_of(&self, v: u32) -> Vec3 {
        let row = self.skin.surface.rows[v as usize];
        self.travel.get(row as usize).copied().unwrap_or_default()
    }

    pub(super) fn made(&self, it: &Gap) -> ContactPoint {
        let SolidBeside { index, pair, .. } = *self.beside;
        let row = |v: u32| self.skin.surface.rows[v as usize];
        let is_a = matches!(pair.a, Member::Points(_));
        let sign = if is_a { 1.0 } else { -1.0 };
        let (normal, on_solid) = (it.normal * -sign, it.on_tissue + it.normal * it.gap);
        let (point_a, point_b) =
            if is_a { (it.on_tissue, on_solid) } else { (on_solid, it.on_tissue) };
        let [i, j, k] = it.vertices.map(|(v, _)| row(v));
        let [x, y, z] = it.vertices.map(|(_, weight)| sign * weight);
        let stencil = Some(Stencil { rows: [i, j, k, i], weights: [x, y, z, 0.0] });
        let (key, gap, a) = (it.key, it.gap, u32::MAX);
        ContactPoint { pair: index, key, a, point_a, point_b, normal, gap, stencil }
    }
}

/// Key of an edge of a surface and a line of a solid, by their numbers.
pub(super) fn edge_key(own: usize, number: u64) -> u64 {
    2 << 62 | (own as u64) << 31 | number
}
