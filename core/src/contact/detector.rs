//! From poses and positions to contacts: broad phase, narrow phase pair by pair, memory of last
//! step's choice.

use super::bounds::Bounds;
use super::broad::{Broad, Listed};
use super::check::{check_members, check_pairs};
use super::guard::{Guarded, in_order, solid_ways};
use super::narrow::{Part, Placement, Scratch};
use super::surface_pair::Search;
use super::surfaces::Surfaces;
use super::tissue_faces::{SolidBeside, TissueFaces};
use super::way::{PairWay, PointWay, SolidWay};
use super::{
    CandidateFinder, Collider, ContactError, ContactPoint, Member, Pair, PairSearch, PointSet,
    PointsBeside, Shape, Surface,
};
use crate::Vec3;
use crate::constraint::Pose;

/// Finds contacts of listed pairs. Arrays are kept from call to call.
#[derive(Debug)]
pub struct Detector {
    pub(super) parts: Vec<Part>,
    /// Frame and pose in it, of each collider.
    pub(super) collider_frames: Vec<(u32, Pose)>,
    pub(super) point_sets: Vec<PointSet>,
    /// Of the surfaces between the points of sets.
    pub(super) tissue_faces: TissueFaces,
    pub(super) surfaces: Surfaces,
    pub(super) pairs: Vec<Pair>,
    broad: Broad,
    /// Pairs with a half-space or a point set, and of surfaces: looked at every time.
    pub(super) direct: Vec<u32>,
    /// Features that each pair chose last, and the number of that call.
    chosen: Vec<Chosen>,
    call: u64,
    /// In the world, one a collider.
    pub(super) placements: Vec<Placement>,
    bounds: Vec<Bounds>,
    /// Distance that each collider may move [m].
    travel: Vec<f64>,
    near: Vec<u32>,
    pub(super) scratch: Scratch,
    /// Points that a finder is asked about, and those of them that may touch.
    beside: Beside,
    /// Ways of colliders, where they are foreseen.
    ways: Vec<SolidWay>,
    foresees: bool,
    /// Pairs while their ways are looked at.
    ahead: Scratch,
    pub(super) guard: Guarded,
}

/// Distances that frames and rows may move until the next call [m]; those beyond the lists do not
/// move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Travel<'a> {
    /// Of every frame: that of its fastest point.
    pub frames: &'a [f64],
    /// Of every position: how far, and where to [m].
    pub rows: &'a [Vec3],
    /// Poses where every frame comes to, where that is known.
    pub ends: Option<&'a [Pose]>,
    /// Settings of each pair.
    pub searches: &'a [PairSearch],
}

impl Travel<'_> {
    fn step(&self, row: u32) -> Vec3 {
        self.rows.get(row as usize).copied().unwrap_or_default()
    }

    fn search(&self, pair: u32) -> PairSearch {
        self.searches.get(pair as usize).copied().unwrap_or_default()
    }
}

/// Points of a set in the frame of a mesh [m], their limits [m], and flags of those that may touch.
#[derive(Debug, Default)]
struct Beside {
    points: Vec<Vec3>,
    limits: Vec<f64>,
    may_touch: Vec<bool>,
}

/// Keys of a pair's contacts.
#[derive(Debug, Clone, Default)]
struct Chosen {
    keys: Vec<u64>,
    call: u64,
}

/// Pairs of bounded colliders, for the broad phase, and the numbers of the others, which are looked at every time.
fn split(pairs: &[Pair], parts: &[Part]) -> (Vec<Listed>, Vec<u32>) {
    let (mut listed, mut direct) = (Vec::new(), Vec::new());
    for (index, pair) in pairs.iter().enumerate() {
        match (pair.a, pair.b) {
            (Member::Collider(a), Member::Collider(b))
                if [a, b].iter().all(|&c| parts[c as usize].bounds.is_some()) =>
            {
                let members = [a.min(b), a.max(b)];
                listed.push(Listed { members, pair: index as u32, margin: pair.margin });
            }
            _ => direct.push(index as u32),
        }
    }
    (listed, direct)
}

/// True if it is worth looking whether two solids meet on their ways: a half-space has everything in front of it, and pairs of
/// a mesh take long, but for balls.
fn can_pass_by(a: &Part, b: &Part) -> bool {
    let is_mesh = matches!(b.shape, Shape::Mesh(_)) && !matches!(a.shape, Shape::Sphere { .. });
    !b.shape.is_plane() && !is_mesh
}

impl Detector {
    /// A detector of contacts between the members of pairs.
    ///
    /// # Errors
    /// Sizes that are not positive, numbers that are not finite, sets without points, pairs of
    /// members that are not there, that are two clouds or two half-spaces, that are fixed to the
    /// same frame, or that are listed twice.
    pub fn new(
        colliders: Vec<Collider>,
        point_sets: Vec<PointSet>,
        pairs: Vec<Pair>,
    ) -> Result<Self, ContactError> {
        Self::with_surfaces(colliders, point_sets, Vec::new(), pairs)
    }

    /// The same with surfaces of tissues among the members.
    ///
    /// # Errors
    /// As [`Self::new`]; surfaces whose lists do not fit each other, pairs of a surface and something else, pairs of
    /// surfaces without a distance at which they touch.
    pub fn with_surfaces(
        colliders: Vec<Collider>,
        mut point_sets: Vec<PointSet>,
        surfaces: Vec<Surface>,
        pairs: Vec<Pair>,
    ) -> Result<Self, ContactError> {
        let surfaces = Surfaces::new(surfaces);
        check_members(&colliders, &point_sets, &surfaces)?;
        check_pairs(&colliders, &point_sets, &surfaces, &pairs)?;
        let collider_frames = colliders.iter().map(|c| (c.frame, c.pose)).collect();
        let parts: Vec<Part> = colliders.into_iter().map(|c| Part::new(c.shape)).collect();
        let (listed, direct) = split(&pairs, &parts);
        let tissue_faces = TissueFaces::new(&mut point_sets, &parts, &pairs);
        Ok(Detector {
            broad: Broad::new(listed, parts.len()),
            chosen: vec![Chosen::default(); pairs.len()],
            parts,
            collider_frames,
            point_sets,
            tissue_faces,
            surfaces,
            pairs,
            direct,
            call: 1,
            placements: Vec::new(),
            bounds: Vec::new(),
            travel: Vec::new(),
            near: Vec::new(),
            scratch: Scratch::default(),
            beside: Beside::default(),
            ways: Vec::new(),
            foresees: false,
            ahead: Scratch::default(),
            guard: Guarded::default(),
        })
    }

    /// Replaces `out` by the contacts at the poses of the frames and the positions of free points
    /// [m], by pair, then by key. What is not finite touches nothing.
    ///
    /// # Panics
    /// If there are fewer poses or positions than colliders and point sets name.
    pub fn detect(&mut self, poses: &[Pose], q: &[Vec3], out: &mut Vec<ContactPoint>) {
        self.detect_ahead(poses, q, Travel::default(), out);
    }

    /// The same with margins widened by the distance that things may move until the next call, so
    /// that fast ones do not pass through unseen.
    ///
    /// # Panics
    /// As [`Self::detect`].
    pub fn detect_ahead(
        &mut self,
        poses: &[Pose],
        q: &[Vec3],
        travel: Travel,
        out: &mut Vec<ContactPoint>,
    ) {
        out.clear();
        self.call += 1;
        self.place(poses, &travel);
        self.near.clear();
        self.near.extend_from_slice(&self.direct);
        self.broad.add_near(&self.bounds, &mut self.near);
        self.near.sort_unstable();
        for k in 0..self.near.len() {
            let index = self.near[k];
            let Pair { a, b, .. } = self.pairs[index as usize];
            match (a, b) {
                (Member::Collider(a), Member::Collider(b)) => {
                    self.collide(index, [a, b], &travel, out);
                }
                (Member::Points(set), Member::Collider(solid))
                | (Member::Collider(solid), Member::Points(set)) => {
                    self.collide_points(index, [set, solid], (q, travel), out);
                }
                (Member::Surface(a), Member::Surface(b)) => {
                    let search = self.search(index, a == b, &travel);
                    self.surfaces.add_contacts([a, b], (q, travel.rows), &search, out);
                }
                (Member::Points(_) | Member::Surface(_), Member::Points(_))
                | (Member::Surface(_), Member::Collider(_))
                | (Member::Points(_) | Member::Collider(_), Member::Surface(_)) => {
                    unreachable!("refused when made")
                }
            }
        }
    }

    /// Has `finder` list candidates between surfaces, or the hierarchies of the detector find them. Contacts are the same.
    pub fn set_finder(&mut self, finder: Option<Box<dyn CandidateFinder>>) {
        self.surfaces.finder = finder;
    }

    /// Takes back the finder.
    pub fn take_finder(&mut self) -> Option<Box<dyn CandidateFinder>> {
        self.surfaces.finder.take()
    }

    /// Forgets the contacts that were chosen before, so that the next call depends on its arguments alone.
    pub fn forget(&mut self) {
        self.call += 1;
    }

    fn place(&mut self, poses: &[Pose], travel: &Travel) {
        self.guard.left_out.clear();
        self.foresees = travel.ends.is_some();
        let ends = travel.ends.unwrap_or(poses);
        solid_ways(&self.collider_frames, [poses, ends], &mut self.ways);
        let is_smooth = travel.searches.iter().any(|search| search.is_smooth);
        let travel = travel.frames;
        self.placements.clear();
        self.travel.clear();
        self.bounds.clear();
        for ((frame, own), part) in self.collider_frames.iter().zip(&self.parts) {
            let moved = *frame != Collider::GROUND;
            let pose = if moved { poses[*frame as usize] * own } else { *own };
            let turn = pose.rotation.to_rotation_matrix().into_inner();
            let at = Placement { turn, shift: pose.translation.vector };
            let nothing = Bounds { low: at.shift, high: at.shift };
            let far = if moved { travel.get(*frame as usize).copied().unwrap_or(0.0) } else { 0.0 };
            let bounds = part.bounds.map_or(nothing, |own| own.placed(&turn, &at.shift));
            let sag = if is_smooth { part.sag() } else { 0.0 };
            self.bounds.push(bounds.grown(far + sag));
            self.travel.push(far);
            self.placements.push(at);
        }
    }

    fn search(&self, pair: u32, is_self: bool, travel: &Travel) -> Search {
        let Pair { margin, thickness, .. } = self.pairs[pair as usize];
        let (is_guarded, is_smooth) =
            (self.is_foreseen(pair, travel), travel.search(pair).is_smooth);
        Search { pair, is_self, thickness, margin, is_guarded, is_smooth }
    }

    /// True if crossings of a pair are looked for after a step whose ways are known.
    fn is_foreseen(&self, index: u32, travel: &Travel) -> bool {
        self.foresees && travel.search(index).is_guarded && !self.guard.met.contains(&index)
    }

    /// Two colliders.
    fn collide(
        &mut self,
        index: u32,
        members: [u32; 2],
        travel: &Travel,
        out: &mut Vec<ContactPoint>,
    ) {
        let [first, second] = in_order(&self.parts, members);
        let swapped = first != members[0];
        let at = self.placements[second as usize];
        let seen = self.placements[first as usize].seen_from(&at);
        let is_foreseen = self.is_foreseen(index, travel);
        let far = members.map(|c| self.travel[c as usize]);
        let own_margin = self.pairs[index as usize].margin;
        let margin = own_margin + far[0] + far[1];
        let chosen = &mut self.chosen[index as usize];
        // What was chosen before the pair came apart says nothing.
        if chosen.call + 1 != self.call {
            chosen.keys.clear();
        }
        let [a, b] = [first, second].map(|c| &self.parts[c as usize]);
        self.scratch.collide(a, b, &seen, margin, &chosen.keys);
        let (last, margins) = (&chosen.keys[..], [margin, own_margin]);
        self.scratch.finish([a, b], (&seen.shift, last), margins, travel.search(index));
        let touches = &mut self.scratch.touches;
        let is_ahead = touches.iter().all(|touch| touch.gap > own_margin);
        if is_foreseen && is_ahead && !touches.is_empty() && can_pass_by(a, b) {
            let ways = [first, second].map(|c| self.ways[c as usize]);
            if !(PairWay { parts: [a, b], ways }).meets(own_margin, &mut self.ahead) {
                touches.clear();
                self.guard.left_out.push(index);
            }
        }
        chosen.call = self.call;
        chosen.keys.clear();
        chosen.keys.extend(self.scratch.touches.iter().map(|touch| touch.key));
        self.emit(index, &at, swapped, out);
    }

    /// A point set against a solid.
    fn collide_points(
        &mut self,
        index: u32,
        members @ [set, solid]: [u32; 2],
        (q, travel): (&[Vec3], Travel),
        out: &mut Vec<ContactPoint>,
    ) {
        let (start, number) = (out.len(), solid as usize);
        let (search, own_margin) = (travel.search(index), self.pairs[index as usize].margin);
        let is_listed = !search.is_smooth && self.list_points(index, members, (q, travel.rows));
        let is_foreseen = self.is_foreseen(index, &travel);
        let (set, part) = (&self.point_sets[set as usize], &self.parts[number]);
        let (at, bounds) = (self.placements[number], part.bounds.map(|_| &self.bounds[number]));
        let way = self.ways.get(number).filter(|_| is_foreseen && bounds.is_some());
        self.scratch.touches.clear();
        for (i, &row) in set.rows.iter().enumerate() {
            if is_listed && !self.beside.may_touch[i] {
                continue;
            }
            let (p, step, radius) = (q[row as usize], travel.step(row), set.radius);
            let margin = own_margin + self.travel[number] + step.norm();
            if bounds.is_some_and(|bounds| !bounds.near_point(&p, margin + radius)) {
                continue;
            }
            let (count, local) = (self.scratch.touches.len(), at.inverse(&p));
            self.scratch.add_point(i as u32, &local, radius, part, margin);
            let point = ((i as u32, &local, radius), count);
            self.scratch.finish_point(point, part, [margin, own_margin], search);
            let is_ahead = self.scratch.touches.get(count).is_some_and(|it| it.gap > own_margin);
            let passes_by = |way| !PointWay { part, way, point: p, step, radius }.meets(own_margin);
            if is_ahead && way.is_some_and(passes_by) {
                self.scratch.touches.truncate(count);
            }
        }
        let swapped = matches!(self.pairs[index as usize].b, Member::Points(_));
        self.emit(index, &at, swapped, out);
        self.add_refused_nodes(index, members, (q, start), out);
        self.collide_faces(index, members, (q, travel), out);
    }

    /// The surface between the points of a set against a solid.
    fn collide_faces(
        &mut self,
        index: u32,
        [set, solid]: [u32; 2],
        (q, travel): (&[Vec3], Travel),
        out: &mut Vec<ContactPoint>,
    ) {
        let number = solid as usize;
        let way = self.ways.get(number).filter(|_| self.is_foreseen(index, &travel));
        let beside = SolidBeside {
            index,
            pair: self.pairs[index as usize],
            part: &self.parts[number],
            at: self.placements[number],
            bounds: self.bounds[number],
            travel: self.travel[number],
            way: way.copied(),
        };
        let call = (self.call, &self.guard.of_tissues[..]);
        self.tissue_faces.add([set, solid], &beside, (q, travel.rows), call, out);
    }

    /// Asks the finder which points of a set may touch a mesh; true if it told.
    fn list_points(
        &mut self,
        pair: u32,
        [set, solid]: [u32; 2],
        (q, travel): (&[Vec3], &[Vec3]),
    ) -> bool {
        let finder = self.surfaces.finder.as_mut();
        let Some(finder) = finder.filter(|finder| finder.takes_points(pair)) else { return false };
        let margin = self.pairs[pair as usize].margin + self.travel[solid as usize];
        let (at, bounds) = (self.placements[solid as usize], &self.bounds[solid as usize]);
        let (set, Beside { points, limits, may_touch }) =
            (&self.point_sets[set as usize], &mut self.beside);
        points.clear();
        limits.clear();
        let mut is_near = false;
        for &row in &set.rows {
            let step = travel.get(row as usize).map_or(0.0, |step| step.norm());
            let (p, limit) = (&q[row as usize], margin + step + set.radius);
            is_near |= bounds.near_point(p, limit);
            points.push(at.inverse(p));
            limits.push(limit);
        }
        is_near && finder.find_points(&PointsBeside { pair, points, limits }, may_touch)
    }

    /// To the world, and with the normal from B into A; `swapped` if the narrow phase has B first.
    fn emit(&self, pair: u32, at: &Placement, swapped: bool, out: &mut Vec<ContactPoint>) {
        let Pair { a, b, .. } = self.pairs[pair as usize];
        let has_set = [a, b].iter().any(|member| matches!(member, Member::Points(_)));
        out.extend(self.scratch.touches.iter().map(|touch| {
            let (first, second) = (at.apply(&touch.a), at.apply(&touch.b));
            let normal = at.turn * touch.normal;
            let (point_a, point_b, normal) =
                if swapped { (second, first, -normal) } else { (first, second, normal) };
            // The key of a point is its number.
            let a = if has_set { touch.key as u32 } else { u32::MAX };
            ContactPoint {
                pair,
                key: touch.key,
                a,
                point_a,
                point_b,
                normal,
                gap: touch.gap,
                stencil: None,
            }
        }));
    }
}
