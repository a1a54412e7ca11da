//! Contacts near in a step, found once for a placement and a velocity, and the overlaps among them.

use crate::Vec3;
use crate::constraint::{Placement, Pose};
use crate::contact::{
    CandidateFinder, Collider, ContactError, ContactPoint, Detector, Member, Motion, PairSearch,
    Travel,
};
use crate::dynamics::advanced_by_cayley;
use crate::solve::constrained::tuning::{RANGE_TOLERANCE, TOUCH};
use crate::system::{ContactBehavior, Multibody};

/// Pairs in which crossings are looked for.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::solve) enum Looks {
    All,
    /// Surfaces of tissues among each other: of rules that look no further ahead than these.
    Surfaces,
}

/// Kinds of things among those that may touch.
struct Has {
    surfaces: bool,
    /// Nodes and particles, which solids may pass into.
    points: bool,
}

/// Placement and motions that contacts were found for last.
#[derive(Default)]
struct Seen {
    /// Positions [m].
    q: Vec<Vec3>,
    travel: Vec<f64>,
    steps: Vec<Vec3>,
    /// True if ways were foreseen.
    ahead: bool,
}

/// Detection of contacts, and what it found last.
pub(in crate::solve) struct NearContacts {
    detector: Option<Detector>,
    /// Shapes that it knows.
    colliders: Vec<Collider>,
    seen: Seen,
    has: Has,
    /// Of every pair.
    searches: Vec<PairSearch>,
    /// Greatest distances that bodies and rows may move in the step [m], and the sizes of bodies
    /// [m].
    travel: Vec<f64>,
    steps: Vec<Vec3>,
    sizes: Vec<f64>,
    /// True if what passes by on the ways that velocities of the start lead has contacts all the same.
    keeps_passing: bool,
    /// Distance that things are looked for in beyond what they may move at the velocities of the start [m].
    reach: f64,
    /// Poses of bodies at the start of the step, and at its end by the velocities of the start.
    poses: [Vec<Pose>; 2],
    pub(in crate::solve) found: Vec<ContactPoint>,
    /// Positions before overlaps are taken back [m].
    before: Vec<Vec3>,
    /// Mean velocities of a motion that was refused [m/s]: what they lead to is looked at in their place until one is
    /// taken.
    refused: Vec<Vec3>,
    /// True if the detector keeps features that would have crossed.
    has_crossings: bool,
}

impl NearContacts {
    pub(in crate::solve) fn new(multibody: &Multibody) -> Result<Self, ContactError> {
        let contacts = &multibody.contacts;
        let detector = match contacts.pairs.is_empty() {
            true => None,
            false => Some(Detector::with_surfaces(
                contacts.colliders.clone(),
                contacts.points.clone(),
                contacts.surfaces.clone(),
                contacts.pairs.clone(),
            )?),
        };
        Ok(Self {
            detector,
            colliders: contacts.colliders.clone(),
            seen: Seen::default(),
            travel: Vec::new(),
            steps: Vec::new(),
            before: Vec::new(),
            refused: Vec::new(),
            has_crossings: false,
            has: Has {
                surfaces: !contacts.surfaces.is_empty(),
                points: contacts.pairs.iter().any(|pair| {
                    [pair.a, pair.b].iter().any(|member| matches!(member, Member::Points(_)))
                }),
            },
            searches: Vec::new(),
            sizes: sizes(multibody),
            keeps_passing: false,
            reach: 0.0,
            poses: [(); 2].map(|()| vec![Pose::identity(); multibody.bodies.len()]),
            found: Vec::new(),
        })
    }

    /// True if the system has pairs that may touch.
    pub(in crate::solve) fn detects(&self) -> bool {
        self.detector.is_some()
    }

    /// The largest overlap beyond its tolerance [m], [rad], and what it is of.
    pub(in crate::solve) fn worst(
        &self,
        multibody: &Multibody,
        at: Placement,
    ) -> Option<(f64, String)> {
        let ranges = &multibody.joints.unilateral;
        let allowed = |tolerance: f64, is_rigid: bool| {
            if is_rigid { tolerance } else { TOUCH.min(tolerance) }
        };
        let mut reader = ranges.at(at);
        let of_ranges = (0..ranges.count()).filter_map(|number| {
            let depth = -reader.value(number);
            let most = allowed(RANGE_TOLERANCE, ranges.compliance(number).compliance == 0.0);
            (depth > most).then(|| (depth, ranges.name(number).to_owned()))
        });
        let of_contacts = self.found.iter().filter_map(|contact| {
            let behavior = &multibody.contacts.behaviors[contact.pair as usize];
            let most = allowed(behavior.tolerance, behavior.law.is_rigid());
            let name = || multibody.contacts.names[contact.pair as usize].join(" against ");
            (-contact.gap > most).then(|| (-contact.gap, name()))
        });
        of_ranges.chain(of_contacts).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The deepest overlap at the placement `at` beyond its limit and beyond all of the start: its depth [m], and the
    /// number of its pair.
    pub(in crate::solve) fn beyond_limit(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
    ) -> Option<(f64, u32)> {
        let limited = |behavior: &ContactBehavior| behavior.limit.is_finite();
        if !multibody.contacts.behaviors.iter().any(limited) {
            return None;
        }
        let deepest = self.found.iter().fold(0.0, |most: f64, c| most.max(-c.gap));
        self.detect(multibody, at, (u, h));
        let depth = |contact: &ContactPoint| (-contact.gap, contact.pair);
        let over = |(depth, pair): &(f64, u32)| {
            *depth > multibody.contacts.behaviors[*pair as usize].limit.max(deepest)
        };
        self.found.iter().map(depth).filter(over).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Pair of the contact that is closest, of those that touch or are no further off than `reach` [m].
    pub(in crate::solve) fn touching(&self, multibody: &Multibody, reach: f64) -> Option<u32> {
        let behaviors = &multibody.contacts.behaviors;
        let within =
            |it: &&ContactPoint| it.gap <= behaviors[it.pair as usize].tolerance.max(reach);
        let touches = self.found.iter().filter(within);
        touches.min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|it| it.pair)
    }

    /// Finds contacts at the placement `at`, and those that may appear in a step of `h` at
    /// velocities `u`.
    pub(in crate::solve) fn detect(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
    ) {
        self.look(multibody, at, (u, h), false);
    }

    /// The same for a step after which [`Self::refuse_crossing`] is asked: what passes by on the ways at velocities `u` has no
    /// contact.
    pub(super) fn detect_ahead(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
    ) {
        // Where velocities are to change by much nobody knows the way.
        self.look(multibody, at, (u, h), self.reach == 0.0 && !self.keeps_passing);
    }

    /// Keeps contacts of what passes by, or leaves them out again: steps that are linearized are to know what other excitations would
    /// meet.
    pub(in crate::solve) fn keep_passing(&mut self, keeps: bool) {
        self.keeps_passing = keeps;
    }

    fn look(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
        is_ahead: bool,
    ) {
        if self.detector.is_none() {
            return;
        }
        self.foresee(multibody, (u, h));
        let is_seen = self.seen.q == at.q
            && self.seen.travel == self.travel
            && self.seen.ahead == is_ahead
            && (!is_ahead || self.seen.steps == self.steps);
        // Surfaces are looked at along the ways of their nodes.
        if is_seen && (!self.has.surfaces || self.seen.steps == self.steps) {
            return;
        }
        self.seen.travel.clone_from(&self.travel);
        self.seen.steps.clone_from(&self.steps);
        self.seen.ahead = is_ahead;
        self.place(multibody, at);
        self.searches.clear();
        self.searches.extend(multibody.contacts.behaviors.iter().map(search));
        let (frames, rows, searches) = (&self.travel[..], &self.steps[..], &self.searches[..]);
        let ends = is_ahead.then_some(&self.poses[1][..]);
        let travel = Travel { frames, rows, ends, searches };
        if let Some(detector) = &mut self.detector {
            detector.detect_ahead(&self.poses[0], at.q, travel, &mut self.found);
        }
        self.found.retain(|contact| !multibody.contacts.is_without_area(contact));
        self.seen.q.clear();
        self.seen.q.extend_from_slice(at.q);
    }

    /// Poses of bodies now and at the end.
    fn place(&mut self, multibody: &Multibody, at: Placement) {
        let [poses, ends] = &mut self.poses;
        for (pose, (body, turn)) in poses.iter_mut().zip(multibody.bodies.iter().zip(at.turns)) {
            let rotation = nalgebra::Rotation3::from_matrix_unchecked(*turn);
            *pose = Pose::from_parts(at.q[body.row as usize].into(), rotation.into());
        }
        for ((end, pose), body) in ends.iter_mut().zip(&*poses).zip(&multibody.bodies) {
            let row = body.row as usize;
            *end = moved(pose, [self.steps[row], self.steps[row + 1]]);
        }
    }

    /// Motions of bodies and rows in a step of `h` at velocities `u`.
    fn foresee(&mut self, multibody: &Multibody, (u, h): (&[Vec3], f64)) {
        self.steps.clear();
        let expected = if self.refused.is_empty() { u } else { &self.refused };
        self.steps.extend(expected.iter().map(|u| u * h));
        if self.reach > 0.0 && !self.has.surfaces {
            // Of points that touch shapes the distance counts, not the direction.
            self.steps.iter_mut().for_each(|step| *step = Vec3::x() * (step.norm() + self.reach));
        }
        self.travel.clear();
        self.travel.extend(multibody.bodies.iter().zip(&self.sizes).map(|(body, size)| {
            let row = body.row as usize;
            (u[row].norm() + u[row + 1].norm() * size) * h + self.reach
        }));
    }

    /// Looks no further than things may move at the velocities of the start.
    pub(in crate::solve) fn narrow(&mut self) {
        self.reach = 0.0;
    }

    /// Looks as far as bodies and points may come in a step of `h` [s] whose mean velocities change by columns of these
    /// changes [m/s], [rad/s], each times its amount; surfaces of tissues are looked for as before.
    pub(in crate::solve) fn widen(
        &mut self,
        multibody: &Multibody,
        (changes, amounts): (&[Vec3], &[f64]),
        h: f64,
    ) {
        let size = changes.len() / amounts.len().max(1);
        let way = |row: usize, length: f64| -> f64 {
            let columns = changes.chunks_exact(size.max(1)).zip(amounts);
            columns.map(|(column, amount)| column[row].norm() * length * amount).sum()
        };
        let mut way_of_points: Vec<f64> = (0..size).map(|row| way(row, 1.0)).collect();
        for (body, size) in multibody.bodies.iter().zip(&self.sizes) {
            let row = body.row as usize;
            way_of_points[row] += way(row + 1, *size);
            way_of_points[row + 1] = 0.0;
        }
        self.reach = h * way_of_points.into_iter().fold(0.0, f64::max);
    }

    /// The first pair that pass through each other in a substep of `h` on straight ways from one placement to another. The next
    /// substep looks at what this one would have met.
    pub(in crate::solve) fn refuse_crossing(
        &mut self,
        multibody: &Multibody,
        ([from, to], h): ([&[Vec3]; 2], f64),
        looks: Looks,
    ) -> Option<u32> {
        let pair = self.crossing(multibody, [from, to], looks);
        self.refused.clear();
        if pair.is_some() {
            self.refused.extend(to.iter().zip(from).map(|(to, from)| (to - from) / h));
        }
        pair
    }

    /// Forgets what was refused in the last step.
    pub(in crate::solve) fn begin_step(&mut self) {
        self.refused.clear();
        if std::mem::take(&mut self.has_crossings) {
            self.detector.iter_mut().for_each(Detector::forget_crossings);
            self.seen.q.clear();
        }
    }

    /// The first pair that passes through each other on straight ways. Where contacts are compliant they may.
    fn crossing(
        &mut self,
        multibody: &Multibody,
        [from, to]: [&[Vec3]; 2],
        looks: Looks,
    ) -> Option<u32> {
        let Self { detector, poses: [poses, ends], .. } = self;
        let detector = detector.as_mut()?;
        for (list, q) in [(&mut *poses, from), (&mut *ends, to)] {
            for (pose, body) in list.iter_mut().zip(&multibody.bodies) {
                *pose = Pose::from_parts(q[body.row as usize].into(), body.orientation(q));
            }
        }
        let motion = Motion { poses: [&poses[..], &ends[..]], q: [from, to] };
        let contacts = &multibody.contacts;
        let looked_at = |pair: u32| {
            let of = &contacts.pairs[pair as usize];
            let has_points = [of.a, of.b].iter().any(|it| matches!(it, Member::Points(_)));
            let law = &contacts.behaviors[pair as usize].law;
            let passes_facets = has_points && law.smooth;
            law.is_rigid() && !passes_facets && !(looks == Looks::Surfaces && has_points)
        };
        let pair = detector.crossing(motion, &looked_at);
        if pair.is_some() {
            // What is near at the same placement is more than before.
            self.seen.q.clear();
            self.has_crossings = true;
        }
        pair
    }

    /// Keeps positions that corrections begin at.
    pub(super) fn keep_positions(&mut self, q: &[Vec3]) {
        self.before.clear();
        if self.has.surfaces || self.has.points {
            self.before.extend_from_slice(q);
        }
    }

    /// Brings back the positions kept where corrections from them to `q` led surfaces through each other; true if so.
    pub(super) fn take_back_crossing(&mut self, multibody: &Multibody, q: &mut [Vec3]) -> bool {
        if !self.has.surfaces && !self.has.points {
            return false;
        }
        let before = std::mem::take(&mut self.before);
        let crosses = self.crossing(multibody, [&before, q], Looks::All).is_some();
        if crosses {
            q.copy_from_slice(&before);
        }
        self.before = before;
        crosses
    }

    /// Detects among the shapes of a system that differs by some numbers.
    pub(in crate::solve) fn keep_up(&mut self, multibody: &Multibody) {
        let known = self.colliders == multibody.contacts.colliders;
        if !known && let Ok(own) = Self::new(multibody) {
            let finder = self.detector.as_mut().and_then(Detector::take_finder);
            *self = own;
            self.set_finder(finder);
        }
    }

    /// Has `finder` list candidates between surfaces.
    pub(in crate::solve) fn set_finder(&mut self, finder: Option<Box<dyn CandidateFinder>>) {
        if let Some(detector) = &mut self.detector {
            detector.set_finder(finder);
        }
    }

    /// Forgets what persists from step to step.
    pub(in crate::solve) fn forget(&mut self) {
        self.seen.q.clear();
        self.detector.iter_mut().for_each(Detector::forget);
    }
}

/// Search for contacts of a behaviour. Compliant contacts of several faces would be as many times as stiff, and adhesion as strong.
fn search(behavior: &ContactBehavior) -> PairSearch {
    let (is_rigid, is_smooth) = (behavior.law.is_rigid(), behavior.law.smooth);
    let is_guarded = is_rigid && !is_smooth;
    let most = usize::try_from(behavior.law.most_contacts).ok();
    PairSearch {
        is_guarded,
        is_between: is_guarded && !behavior.law.adhesion.pulls(),
        is_smooth,
        most: most.filter(|most| is_rigid && *most > 0),
    }
}

/// A pose after a way [m] and a turn [rad].
fn moved(pose: &Pose, [way, turn]: [Vec3; 2]) -> Pose {
    let place = pose.translation.vector + way;
    Pose::from_parts(place.into(), advanced_by_cayley(&pose.rotation, &turn))
}

/// Distance of the furthest point of its shapes from the centre of mass of each body [m].
fn sizes(multibody: &Multibody) -> Vec<f64> {
    let mut sizes = vec![0.0f64; multibody.bodies.len()];
    for collider in &multibody.contacts.colliders {
        if let Some(size) = sizes.get_mut(collider.frame as usize) {
            let far = collider.pose.translation.vector.norm() + collider.shape.extent();
            *size = size.max(far);
        }
    }
    sizes
}
