//! The rows of a step: which contacts and ranges are near, along which vectors they act, and what is asked of
//! their velocities.

use super::choices::Choices;
use super::friction::known_force;
use super::sparse::Sparse;
use super::{Origin, Row, Unilateral};
use crate::Vec3;
use crate::attachment::Attachments;
use crate::constraint::{Carrier, Placement, Pose};
use crate::contact::{ContactError, ContactPoint, Detector, Member, Travel};
use crate::lcp::{Bound, ContactSolver, Place};
use crate::linalg::kkt::ConstraintPattern;
use crate::solve::settings::SolverSettings;
use crate::system::{ContactBehavior, Multibody, State};

/// A range is looked at when it may be reached in this many steps at the velocity of now, or is nearer than
/// [`NEAR`].
const STEPS_AHEAD: f64 = 3.0;
/// Approach in one step that counts as an impact [m], [rad].
const IMPACT: f64 = 1e-5;
/// Room within which a range is always looked at [m], [rad].
pub(super) const NEAR: f64 = 0.01;

/// Where a step stands when its rows are made.
pub(in super::super) struct Begin<'a> {
    pub(in super::super) multibody: &'a Multibody,
    pub(in super::super) attachments: &'a Attachments,
    /// Placement and velocities at the start.
    pub(in super::super) at: Placement<'a>,
    pub(in super::super) u: &'a [Vec3],
    /// Length of the step [s] and weight of its end.
    pub(in super::super) h: f64,
    pub(in super::super) w: f64,
}

impl Unilateral {
    pub(in super::super) fn new(
        multibody: &Multibody,
        settings: &SolverSettings,
    ) -> Result<Option<Self>, ContactError> {
        let contacts = &multibody.contacts;
        if contacts.pairs.is_empty() && multibody.unilateral.count() == 0 {
            return Ok(None);
        }
        let detector = match contacts.pairs.is_empty() {
            true => None,
            false => Some(Detector::new(
                contacts.colliders.clone(),
                contacts.points.clone(),
                contacts.pairs.clone(),
            )?),
        };
        Ok(Some(Self {
            detector,
            seen: Vec::new(),
            seen_travel: Vec::new(),
            travel: Vec::new(),
            row_travel: Vec::new(),
            sizes: sizes(multibody),
            poses: vec![Pose::identity(); multibody.bodies.len()],
            found: Vec::new(),
            rows: Vec::new(),
            bounds: Vec::new(),
            pattern: ConstraintPattern::default(),
            values: Vec::new(),
            half: Vec::new(),
            vectors: Vec::new(),
            impulses: Vec::new(),
            before: Vec::new(),
            before_pass: Vec::new(),
            places: Vec::new(),
            own: Vec::new(),
            response: Vec::new(),
            constant: Vec::new(),
            velocities: Vec::new(),
            multipliers: Vec::new(),
            solver: ContactSolver::default(),
            sparse: Sparse::default(),
            choices: Choices::new(settings),
            directed: false,
            current: false,
            iteration: 0,
            pivoting_failed: false,
            failed_since: 0,
            reached: None,
            stuck: 0,
            kept: false,
            motion: 0.0,
            matrices: 0,
            many: false,
            touched: vec![false; multibody.bodies.len()],
            error: 0.0,
        }))
    }

    /// What is near at the placement `at`, with what may come near in a step of `h` at velocities `u`.
    pub(in super::super) fn detect(
        &mut self,
        multibody: &Multibody,
        at: Placement,
        (u, h): (&[Vec3], f64),
    ) {
        let Some(detector) = &mut self.detector else { return };
        self.row_travel.clear();
        self.row_travel.extend(u.iter().map(|u| u.norm() * h));
        self.travel.clear();
        self.travel.extend(multibody.bodies.iter().zip(&self.sizes).map(|(body, size)| {
            let row = body.row as usize;
            (u[row].norm() + u[row + 1].norm() * size) * h
        }));
        if self.seen == at.q && self.seen_travel == self.travel {
            return;
        }
        self.seen_travel.clone_from(&self.travel);
        for (pose, (body, turn)) in self.poses.iter_mut().zip(multibody.bodies.iter().zip(at.turns))
        {
            let rotation = nalgebra::Rotation3::from_matrix_unchecked(*turn);
            *pose = Pose::from_parts(at.q[body.row as usize].into(), rotation.into());
        }
        let travel = Travel { frames: &self.travel, rows: &self.row_travel };
        detector.detect_ahead(&self.poses, at.q, travel, &mut self.found);
        self.seen.clear();
        self.seen.extend_from_slice(at.q);
    }

    /// Forgets what persists from step to step.
    pub(in super::super) fn forget(&mut self) {
        self.seen.clear();
        self.detector.iter_mut().for_each(Detector::forget);
    }

    /// Number of rows.
    pub(in super::super) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Rows of the step that begins: ranges, and normals of contacts; directions of friction follow when the motion
    /// without them is known. Impulses of the last step are the first guess.
    pub(in super::super) fn begin(&mut self, begin: &Begin, state: &State) {
        self.clear();
        self.detect(begin.multibody, begin.at, (begin.u, begin.h));
        self.add_ranges(begin, &state.range_forces);
        for number in 0..self.found.len() {
            let contact = self.found[number];
            let normal = contact.normal;
            self.add_row(begin, &contact, normal);
            let behavior = begin.multibody.contacts.behaviors[contact.pair as usize];
            let before = self.pattern.velocity(self.rows.len(), &self.values, begin.u);
            let (target, compliance) = target(&behavior, contact.gap, before, (begin.h, begin.w));
            let origin = Origin::Normal(number as u32);
            self.rows.push(Row { origin, target, compliance, before, direction: normal });
            self.bounds.push(Bound::Unilateral);
            let last = known_force(&state.contacts, &contact);
            let push = last.map_or(0.0, |force| force.dot(&normal).max(0.0));
            let hits = push > 0.0 || contact.gap + begin.h * before < 0.0;
            self.places.push(if hits { Place::Basic } else { Place::Lower });
            self.impulses.push(push * begin.h * begin.w);
        }
        let across = |contact: &ContactPoint| {
            let behavior = &begin.multibody.contacts.behaviors[contact.pair as usize];
            let [rubs, rolls] = [behavior.friction, behavior.rolling_friction].map(|c| c != 0.0);
            2 * usize::from(rubs) + 2 * usize::from(rolls)
        };
        let across: usize = self.found.iter().map(across).sum();
        self.many = self.rows.len() + across > self.choices.many;
        self.resize();
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bounds.clear();
        self.pattern.clear();
        self.values.clear();
        self.impulses.clear();
        self.places.clear();
        self.touched.fill(false);
        self.own.clear();
        (self.iteration, self.pivoting_failed) = (0, false);
        self.matrices += 1;
        self.choices.clear();
        self.sparse.limits.clear();
        (self.directed, self.current, self.error) = (false, false, 0.0);
    }

    pub(super) fn resize(&mut self) {
        let count = self.rows.len();
        self.before.resize(count, 0.0);
        self.constant.resize(count, 0.0);
        self.places.resize(count, Default::default());
        self.half.resize(self.values.len(), Vec3::zeros());
    }

    fn add_ranges(&mut self, begin: &Begin, forces: &[f64]) {
        let ranges = &begin.multibody.unilateral;
        for number in 0..ranges.count() {
            let gap = ranges.gap(number, begin.at);
            let start = self.values.len();
            self.add_range_vectors(begin, number as u32);
            let before = self.pattern.velocity(self.rows.len(), &self.values, begin.u);
            if gap > NEAR.max(STEPS_AHEAD * begin.h * before.abs()) {
                self.pattern.pop_row();
                self.values.truncate(start);
                continue;
            }
            let behavior = ContactBehavior {
                restitution: ranges.restitution(number),
                softness: ranges.softness(number),
                ..ContactBehavior::default()
            };
            let (target, compliance) = target(&behavior, gap, before, (begin.h, begin.w));
            self.rows.push(Row {
                origin: Origin::Range(number as u32),
                target,
                compliance,
                before,
                direction: Vec3::zeros(),
            });
            self.bounds.push(Bound::Unilateral);
            self.places.push(if gap + begin.h * before < 0.0 {
                Place::Basic
            } else {
                Place::Lower
            });
            let last = forces.get(number).copied().unwrap_or(0.0);
            self.impulses.push(last * begin.h * begin.w);
        }
    }

    /// The vectors of the rate of the room of a range.
    pub(super) fn add_range_vectors(&mut self, begin: &Begin, number: u32) {
        let ranges = &begin.multibody.unilateral;
        let list = &ranges.lists()[number as usize];
        self.vectors.resize(list.len(), Vec3::zeros());
        let mut vectors = std::mem::take(&mut self.vectors);
        ranges.coefficients(number as usize, begin.at, &mut vectors);
        for (&block, vector) in list.iter().zip(&vectors) {
            self.add_entry(begin, block, *vector);
        }
        self.vectors = vectors;
        self.pattern.end_row();
    }

    /// The vectors of a moment along `axis` on A of a contact, and against it on B, among those of its normal.
    pub(super) fn add_moment_row(&mut self, begin: &Begin, contact: &ContactPoint, axis: Vec3) {
        let pair = begin.multibody.contacts.pairs[contact.pair as usize];
        for (member, sign) in [(pair.a, 1.0), (pair.b, -1.0)] {
            match carrier(begin.multibody, member, contact) {
                Carrier::Ground => {}
                Carrier::Point(row) => self.add_entry(begin, row, Vec3::zeros()),
                Carrier::Body(_, row) => {
                    self.add_entry(begin, row, Vec3::zeros());
                    self.add_entry(begin, row + 1, axis * sign);
                }
            }
        }
        self.pattern.end_row();
    }

    /// The vectors of a force along `direction` on A of a contact, and against it on B.
    pub(super) fn add_row(&mut self, begin: &Begin, contact: &ContactPoint, direction: Vec3) {
        let point = (contact.point_a + contact.point_b) * 0.5;
        let pair = begin.multibody.contacts.pairs[contact.pair as usize];
        for (member, sign) in [(pair.a, 1.0), (pair.b, -1.0)] {
            match carrier(begin.multibody, member, contact) {
                Carrier::Ground => {}
                Carrier::Point(row) => self.add_entry(begin, row, direction * sign),
                Carrier::Body(_, row) => {
                    let arm = point - begin.at.q[row as usize];
                    self.add_entry(begin, row, direction * sign);
                    self.add_entry(begin, row + 1, arm.cross(&direction) * sign);
                }
            }
        }
        self.pattern.end_row();
    }

    /// An entry of the row under way: of a follower, those of its masters.
    fn add_entry(&mut self, begin: &Begin, block: u32, vector: Vec3) {
        match begin.attachments.masters_of(block) {
            None => {
                self.pattern.push_entry(block);
                self.values.push(vector);
                self.touch(begin.multibody, block);
            }
            Some((masters, weights)) => {
                for (&master, weight) in masters.iter().zip(weights) {
                    self.pattern.push_entry(master);
                    self.values.push(weight.tr_mul(&vector));
                    self.touch(begin.multibody, master);
                }
            }
        }
    }

    fn touch(&mut self, multibody: &Multibody, block: u32) {
        if let Some(body) = multibody.body_of_spin(block) {
            self.touched[body] = true;
        }
    }

    /// Whether a row of this step acts on the rotation of a body.
    pub(in super::super) fn touches(&self, body: usize) -> bool {
        self.touched[body]
    }
}

impl Unilateral {
    /// Whether a active row was approached by more than [`IMPACT`] in a step of `h`.
    pub(in super::super) fn impact(&self, h: f64) -> bool {
        let carries = |(row, z): (&Row, &f64)| {
            let struck = *z > 0.0 && row.before * h < -IMPACT;
            // A soft row gives back what it takes.
            struck
                && row.compliance == 0.0
                && !matches!(row.origin, Origin::Tangent(_) | Origin::Rolling)
        };
        self.rows.iter().zip(&self.impulses).any(carries)
    }
}

/// Mean velocity that is not to be fallen short of, and the velocity per impulse that softness adds
/// (docs/theory/contact.md).
fn target(behavior: &ContactBehavior, gap: f64, before: f64, (h, w): (f64, f64)) -> (f64, f64) {
    let soft = behavior.softness;
    if soft.compliance > 0.0 {
        let scale = w + soft.compliance * soft.damping / h;
        return (-gap / (h * scale), soft.compliance / (w * h * h * scale));
    }
    let hits = gap + h * before <= 0.0 && before < -behavior.restitution_threshold;
    let end = match hits && behavior.restitution > 0.0 {
        true => -behavior.restitution * before,
        false => -gap.max(0.0) / h,
    };
    (w * end + (1.0 - w) * before, 0.0)
}

/// Distance of the furthest point of its shapes from the centre of mass of each body [m].
fn sizes(multibody: &Multibody) -> Vec<f64> {
    let mut sizes = vec![0.0f64; multibody.bodies.len()];
    for collider in &multibody.contacts.colliders {
        if let Some(size) = sizes.get_mut(collider.frame as usize) {
            let far = collider.pose.translation.vector.norm() + collider.shape.radius();
            *size = size.max(far);
        }
    }
    sizes
}

pub(super) fn carrier(multibody: &Multibody, member: Member, contact: &ContactPoint) -> Carrier {
    let contacts = &multibody.contacts;
    match member {
        Member::Points(set) => {
            Carrier::Point(contacts.points[set as usize].rows[contact.a as usize])
        }
        Member::Collider(collider) => match contacts.colliders[collider as usize].frame {
            crate::contact::Collider::GROUND => Carrier::Ground,
            body => Carrier::Body(body, multibody.bodies[body as usize].row),
        },
    }
}
