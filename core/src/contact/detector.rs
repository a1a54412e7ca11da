//! From poses and positions to contacts: broad phase, narrow phase pair by pair, memory of last
//! step's choice.

use super::bounds::Bounds;
use super::broad::{Broad, Listed};
use super::check::{check_members, check_pairs};
use super::narrow::{Part, Placement, Scratch};
use super::surface_pair::Search;
use super::surfaces::Surfaces;
use super::tissue_faces::{SolidBeside, TissueFaces};
use super::{
    CandidateFinder, Collider, ContactError, ContactPoint, Member, Pair, PointSet, PointsBeside,
    Surface,
};
use crate::Vec3;
use crate::constraint::Pose;

/// Surfaces keep this share of the distance at which they touch, whatever happens.
const LEAST: f64 = 0.125;

/// Finds contacts of listed pairs. Arrays are kept from call to call.
#[derive(Debug)]
pub struct Detector {
    parts: Vec<Part>,
    /// Frame and pose in it, of each collider.
    collider_frames: Vec<(u32, Pose)>,
    point_sets: Vec<PointSet>,
    /// Of the surfaces between the points of sets.
    tissue_faces: TissueFaces,
    surfaces: Surfaces,
    pairs: Vec<Pair>,
    broad: Broad,
    /// Pairs with a half-space or a point set, and of surfaces: looked at every time.
    direct: Vec<u32>,
    /// Features that each pair chose last, and the number of that call.
    chosen: Vec<Chosen>,
    call: u64,
    /// In the world, one a collider.
    placements: Vec<Placement>,
    bounds: Vec<Bounds>,
    /// Distance that each collider may move [m].
    travel: Vec<f64>,
    near: Vec<u32>,
    scratch: Scratch,
    /// Points that a finder is asked about, and those of them that may touch.
    beside: Beside,
    /// Motions of all positions while they are looked at for crossings [m].
    ways: Vec<Vec3>,
}

/// Distances that frames and rows may move until the next call [m]; those beyond the lists do not
/// move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Travel<'a> {
    /// Of every frame: that of its fastest point.
    pub frames: &'a [f64],
    /// Of every position: how far, and where to [m].
    pub rows: &'a [Vec3],
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
        self.place(poses, travel.frames);
        self.near.clear();
        self.near.extend_from_slice(&self.direct);
        self.broad.add_near(&self.bounds, &mut self.near);
        self.near.sort_unstable();
        for k in 0..self.near.len() {
            let index = self.near[k];
            let Pair { a, b, .. } = self.pairs[index as usize];
            match (a, b) {
                (Member::Collider(a), Member::Collider(b)) => self.collide(index, [a, b], out),
                (Member::Points(set), Member::Collider(solid))
                | (Member::Collider(solid), Member::Points(set)) => {
                    self.collide_points(index, [set, solid], (q, travel.rows), out);
                }
                (Member::Surface(a), Member::Surface(b)) => {
                    let Pair { margin, thickness, .. } = self.pairs[index as usize];
                    let search = Search { pair: index, is_self: a == b, thickness, margin };
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

    /// The first pair of surfaces that pass through each other, or come nearer than an eighth of the distance at
    /// which they touch, on straight ways from one placement of all positions to another [m]; of those pairs that are
    /// `guarded`. What begins nearer does not count. Features that would pass each other have contacts in the calls that
    /// follow, whether near or not, until [`Self::forget_crossings`].
    ///
    /// # Panics
    /// If there are fewer positions than surfaces name.
    pub fn crossing(
        &mut self,
        [from, to]: [&[Vec3]; 2],
        guarded: &dyn Fn(u32) -> bool,
    ) -> Option<u32> {
        let Self { surfaces, pairs, direct, ways, .. } = self;
        ways.clear();
        let mut first = None;
        for &index in direct.iter() {
            let Pair { a, b, thickness, .. } = pairs[index as usize];
            let (Member::Surface(a), Member::Surface(b)) = (a, b) else { continue };
            if ways.is_empty() {
                ways.extend(to.iter().zip(from).map(|(to, from)| to - from));
            }
            let least = LEAST * thickness;
            if guarded(index) && surfaces.cross((index, [a, b]), (from, ways), least) {
                first = first.or(Some(index));
            }
        }
        first
    }

    /// Has `finder` list candidates between surfaces, or the hierarchies of the detector find them. Contacts are the same.
    pub fn set_finder(&mut self, finder: Option<Box<dyn CandidateFinder>>) {
        self.surfaces.finder = finder;
    }

    /// Takes back the finder.
    pub fn take_finder(&mut self) -> Option<Box<dyn CandidateFinder>> {
        self.surfaces.finder.take()
    }

    /// Forgets the crossings that [`Self::crossing`] found.
    pub fn forget_crossings(&mut self) {
        self.surfaces.forget_crossings();
    }

    /// Forgets the contacts that were chosen before, so that the next call depends on its arguments alone.
    pub fn forget(&mut self) {
        self.call += 1;
    }

    fn place(&mut self, poses: &[Pose], travel: &[f64]) {
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
            self.bounds.push(bounds.grown(far));
            self.travel.push(far);
            self.placements.push(at);
        }
    }

    /// Two colliders. The narrow phase has them in an order of its own, so that keys and ties do not
    /// depend on which is A.
    fn collide(&mut self, index: u32, members: [u32; 2], out: &mut Vec<ContactPoint>) {
        let order = |c: u32| (self.parts[c as usize].shape.rank(), c);
        let swapped = order(members[0]) > order(members[1]);
        let [first, second] = if swapped { [members[1], members[0]] } else { members };
        let at = self.placements[second as usize];
        let seen = self.placements[first as usize].seen_from(&at);
        let travel = members.map(|c| self.travel[c as usize]);
        let margin = self.pairs[index as usize].margin + travel[0] + travel[1];
        let chosen = &mut self.chosen[index as usize];
        // What was chosen before the pair came apart says nothing.
        if chosen.call + 1 != self.call {
            chosen.keys.clear();
        }
        let [a, b] = [first, second].map(|c| &self.parts[c as usize]);
        self.scratch.collide(a, b, &seen, margin, &chosen.keys);
        chosen.call = self.call;
        chosen.keys.clear();
        chosen.keys.extend(self.scratch.touches.iter().map(|touch| touch.key));
        self.emit(index, &at, swapped, out);
    }

    /// A point set against a solid.
    fn collide_points(
        &mut self,
        index: u32,
        members: [u32; 2],
        (q, travel): (&[Vec3], &[Vec3]),
        out: &mut Vec<ContactPoint>,
    ) {
        let [set, solid] = members;
        let is_listed = self.list_points(index, [set, solid], (q, travel));
        let margin = self.pairs[index as usize].margin + self.travel[solid as usize];
        let (set, part) = (&self.point_sets[set as usize], &self.parts[solid as usize]);
        let (at, bounds) = (self.placements[solid as usize], &self.bounds[solid as usize]);
        self.scratch.touches.clear();
        for (i, &row) in set.rows.iter().enumerate() {
            if is_listed && !self.beside.may_touch[i] {
                continue;
            }
            let p = &q[row as usize];
            let margin = margin + travel.get(row as usize).map_or(0.0, |step| step.norm());
            if part.bounds.is_none() || bounds.near_point(p, margin + set.radius) {
                self.scratch.add_point(i as u32, &at.inverse(p), set.radius, part, margin);
            }
        }
        let swapped = matches!(self.pairs[index as usize].b, Member::Points(_));
        self.emit(index, &at, swapped, out);
        self.collide_faces(index, members, (q, travel), out);
    }

    /// The surface between the points of a set against a solid.
    fn collide_faces(
        &mut self,
        index: u32,
        [set, solid]: [u32; 2],
        ways: (&[Vec3], &[Vec3]),
        out: &mut Vec<ContactPoint>,
    ) {
        let number = solid as usize;
        let beside = SolidBeside {
            index,
            pair: self.pairs[index as usize],
            part: &self.parts[number],
            at: self.placements[number],
            bounds: self.bounds[number],
            travel: self.travel[number],
        };
        self.tissue_faces.add([set, solid], &beside, ways, self.call, out);
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
