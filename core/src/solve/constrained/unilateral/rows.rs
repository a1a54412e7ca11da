//! The rows of a step: which contacts and ranges are near, along which vectors they act, and what is asked of
//! their velocities.

use crate::Vec3;
use crate::attachment::Attachments;
use crate::constraint::{Carrier, Placement};
use crate::contact::{ContactError, ContactPoint, Member};
use crate::lcp::{Bound, Place};
use crate::solve::constrained::tuning::{RANGE_NEAR, STEPS_AHEAD};
use crate::solve::constrained::unilateral::choices::Choices;
use crate::solve::constrained::unilateral::friction::known_force;
use crate::solve::constrained::unilateral::sparse::Sparse;
use crate::solve::constrained::unilateral::{
    ActiveSetStatus, DenseResponse, NearContacts, Origin, Row, RowSet, StepRows, Unilateral,
};
use crate::solve::settings::SolverSettings;
use crate::system::{ContactBehavior, Multibody, State};

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
        Ok(Some(Self {
            near: NearContacts::new(multibody)?,
            step: StepRows {
                set: RowSet::new(multibody.bodies.len()),
                status: ActiveSetStatus::default(),
                choices: Choices::new(settings),
            },
            dense: DenseResponse::default(),
            sparse: Sparse::default(),
        }))
    }

    /// Rows of the step that begins: ranges, and normals of contacts; directions of friction follow when the motion
    /// without them is known. Impulses of the last step are the first guess.
    pub(in super::super) fn begin(&mut self, begin: &Begin, state: &State) {
        self.clear();
        self.near.detect(begin.multibody, begin.at, (begin.u, begin.h));
        self.step.set.add_ranges(begin, &state.range_forces);
        for number in 0..self.near.found.len() {
            let contact = self.near.found[number];
            let normal = contact.normal;
            self.step.set.add_row(begin, &contact, normal);
            let behavior = begin.multibody.contacts.behaviors[contact.pair as usize];
            let before = self.step.set.pattern.velocity(
                self.step.set.rows.len(),
                &self.step.set.values,
                begin.u,
            );
            let (target, compliance) = target(&behavior, contact.gap, before, (begin.h, begin.w));
            let origin = Origin::Normal(number as u32);
            self.step.set.rows.push(Row { origin, target, compliance, before, direction: normal });
            self.step.set.bounds.push(Bound::Unilateral);
            let last = known_force(&state.contacts, &contact);
            let push = last.map_or(0.0, |force| force.dot(&normal).max(0.0));
            let hits = push > 0.0 || contact.gap + begin.h * before < 0.0;
            self.step.set.places.push(if hits { Place::Basic } else { Place::Lower });
            self.step.set.impulses.push(push * begin.h * begin.w);
        }
        let across = |contact: &ContactPoint| {
            let behavior = &begin.multibody.contacts.behaviors[contact.pair as usize];
            let [rubs, rolls] = [behavior.friction, behavior.rolling_friction].map(|c| c != 0.0);
            2 * usize::from(rubs) + 2 * usize::from(rolls)
        };
        let across: usize = self.near.found.iter().map(across).sum();
        self.step.status.many = self.step.set.rows.len() + across > self.step.choices.many;
        self.resize();
    }

    pub(super) fn clear(&mut self) {
        self.step.set.rows.clear();
        self.step.set.bounds.clear();
        self.step.set.pattern.clear();
        self.step.set.values.clear();
        self.step.set.impulses.clear();
        self.step.set.places.clear();
        self.step.set.touched.fill(false);
        self.step.set.own.clear();
        (self.step.status.iteration, self.step.status.pivoting_failed) = (0, false);
        self.step.status.matrices += 1;
        self.step.choices.clear();
        self.sparse.friction.limits.clear();
        (self.step.status.directed, self.dense.current, self.step.status.error) =
            (false, false, 0.0);
    }

    pub(super) fn resize(&mut self) {
        let count = self.step.set.rows.len();
        self.step.set.before.resize(count, 0.0);
        self.dense.constant.resize(count, 0.0);
        self.step.set.places.resize(count, Default::default());
        self.step.set.half.resize(self.step.set.values.len(), Vec3::zeros());
    }
}

impl RowSet {
    pub(in crate::solve) fn add_displacement(&mut self, origin: Origin, room: f64) {
        self.rows.push(Row {
            origin,
            target: -room,
            compliance: 0.0,
            before: 0.0,
            direction: Vec3::zeros(),
        });
        self.bounds.push(Bound::Unilateral);
        self.impulses.push(0.0);
        self.places.push(if room < 0.0 { Place::Basic } else { Place::Lower });
    }

    pub(in crate::solve) fn add_ranges(&mut self, begin: &Begin, forces: &[f64]) {
        let ranges = &begin.multibody.unilateral;
        for number in 0..ranges.count() {
            let gap = ranges.gap(number, begin.at);
            let start = self.values.len();
            self.add_range_vectors(begin, number as u32);
            let before = self.pattern.velocity(self.rows.len(), &self.values, begin.u);
            if gap > RANGE_NEAR.max(STEPS_AHEAD * begin.h * before.abs()) {
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
    pub(in crate::solve) fn add_range_vectors(&mut self, begin: &Begin, number: u32) {
        let ranges = &begin.multibody.unilateral;
        let list = &ranges.lists()[number as usize];
        self.vectors.resize(list.len(), Vec3::zeros());
        ranges.coefficients(number as usize, begin.at, &mut self.vectors);
        for (place, &block) in list.iter().enumerate() {
            let vector = self.vectors[place];
            self.add_entry(begin, block, vector);
        }
        self.pattern.end_row();
    }

    /// The vectors of a moment along `axis` on A of a contact, and against it on B, among those of its normal.
    pub(in crate::solve) fn add_moment_row(
        &mut self,
        begin: &Begin,
        contact: &ContactPoint,
        axis: Vec3,
    ) {
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
    pub(in crate::solve) fn add_row(
        &mut self,
        begin: &Begin,
        contact: &ContactPoint,
        direction: Vec3,
    ) {
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
    pub(in crate::solve) fn add_entry(&mut self, begin: &Begin, block: u32, vector: Vec3) {
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

    pub(in crate::solve) fn touch(&mut self, multibody: &Multibody, block: u32) {
        if let Some(body) = multibody.body_of_spin(block) {
            self.touched[body] = true;
        }
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
