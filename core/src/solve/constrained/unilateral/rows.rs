//! The rows of a step: contacts and ranges that are near, the vectors along which they act, and the
//! targets of their velocities.

use crate::Vec3;
use crate::attachment::Attachments;
use crate::constraint::{Placement, RowReader, SiteBase, UnilateralRows};
use crate::contact::{ContactError, ContactLaw, ContactPoint, Member, Stencil};
use crate::lcp::{ActiveSetStatus, Bound};
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::contact_settings::ContactSettings;
use crate::solve::constrained::unilateral::friction::known_force;
use crate::solve::constrained::unilateral::impacts::Impacts;
use crate::solve::constrained::unilateral::laws::RowLaw;
use crate::solve::constrained::unilateral::near::NearContacts;
use crate::solve::constrained::unilateral::row::{Origin, Row, RowStatus};
use crate::solve::constrained::unilateral::row_set::RowSet;
use crate::solve::settings::SolverSettings;
use crate::system::{Multibody, State};

/// Placement and velocities for which the rows of a step are made.
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

/// Target velocity and compliance of a row by its behaviour, law, room and velocity; none where it makes
/// no row.
type Ask<'a> = dyn Fn((&ContactLaw, &RowLaw), f64, f64) -> Option<(f64, f64)> + 'a;

impl Unilateral {
    pub(in super::super) fn new(
        multibody: &Multibody,
        settings: &SolverSettings,
    ) -> Result<Option<Self>, ContactError> {
        let contacts = &multibody.contacts;
        if contacts.pairs.is_empty() && multibody.joints.unilateral.count() == 0 {
            return Ok(None);
        }
        Ok(Some(Self {
            near: NearContacts::new(multibody)?,
            set: RowSet::new(multibody.bodies.len()),
            status: RowStatus::default(),
            settings: ContactSettings::new(settings),
            impacts: Impacts::default(),
        }))
    }

    /// Rows of the step that begins: ranges, and normals of contacts; directions of friction follow when the motion
    /// without them is known. Impulses of the last step are the first guess.
    pub(in super::super) fn begin(&mut self, begin: &Begin, state: &State) {
        let ask = |(_, law): (&ContactLaw, &RowLaw), gap: f64, before: f64| {
            Some(law.target(gap, before, (begin.h, begin.w)))
        };
        self.begin_with(begin, state, &ask);
    }

    /// Rows of what is struck within the step, which are asked for their restitution. Whether any springs back.
    pub(super) fn begin_struck(&mut self, begin: &Begin, state: &State) -> bool {
        let ask = |(law, row): (&ContactLaw, &RowLaw), gap: f64, before: f64| {
            let struck = *row == RowLaw::Rigid && gap + begin.h * before <= 0.0;
            let springs = before < -law.restitution_threshold;
            let after = if springs { -law.restitution * before } else { 0.0 };
            struck.then_some((after, 0.0))
        };
        self.begin_with(begin, state, &ask);
        self.set.rows.iter().any(|row| row.target > 0.0)
    }

    fn begin_with(&mut self, begin: &Begin, state: &State, ask: &Ask) {
        self.clear();
        self.near.detect_ahead(begin.multibody, begin.at, (begin.u, begin.h));
        self.set.add_ranges(begin, &state.range_forces, ask);
        for number in 0..self.near.found.len() {
            let contact = self.near.found[number];
            let normal = contact.normal;
            let Some(row_law) = RowLaw::of_contact(begin, &contact) else { continue };
            let set = &mut self.set;
            let start = set.values.len();
            set.add_row(begin, &contact, normal);
            let behavior = begin.multibody.contacts.behaviors[contact.pair as usize];
            let before = set.pattern.velocity(set.rows.len(), &set.values, begin.u);
            let Some((target, compliance)) = ask((&behavior.law, &row_law), contact.gap, before)
            else {
                set.drop_last(start);
                continue;
            };
            let origin = Origin::Normal(number as u32);
            let force = row_law.force(contact.gap);
            let row = Row { origin, target, compliance, before, ..Row::NOTHING };
            set.rows.push(Row { direction: normal, force, ..row });
            set.bounds.push(Bound::Unilateral);
            let last = known_force(&state.contacts, &contact);
            let push = last.map_or(0.0, |force| force.dot(&normal).max(0.0));
            let hits = push > 0.0 || contact.gap + begin.h * before < 0.0;
            set.statuses.push(if hits { ActiveSetStatus::Basic } else { ActiveSetStatus::Lower });
            set.impulses.push(push * begin.h * begin.w);
        }
        let across = |contact: &ContactPoint| {
            let behavior = &begin.multibody.contacts.behaviors[contact.pair as usize];
            let rolls = behavior.law.rolling_friction != 0.0;
            2 * usize::from(behavior.law.has_friction()) + 2 * usize::from(rolls)
        };
        let across: usize = self.near.found.iter().map(across).sum();
        self.status.many = self.set.rows.len() + across > self.settings.many;
        self.resize();
    }

    pub(super) fn clear(&mut self) {
        self.set.rows.clear();
        self.set.bounds.clear();
        self.set.pattern.clear();
        self.set.values.clear();
        self.set.impulses.clear();
        self.set.statuses.clear();
        self.set.touched.fill(false);
        self.settings.clear();
        (self.status.directed, self.status.error) = (false, 0.0);
    }

    pub(super) fn resize(&mut self) {
        let count = self.set.rows.len();
        self.set.statuses.resize(count, Default::default());
        self.set.half.resize(self.set.values.len(), Vec3::zeros());
    }
}

impl RowSet {
    pub(in crate::solve) fn add_displacement(&mut self, origin: Origin, room: f64) {
        self.rows.push(Row { origin, target: -room, ..Row::NOTHING });
        self.bounds.push(Bound::Unilateral);
        self.impulses.push(0.0);
        self.statuses.push(if room < 0.0 {
            ActiveSetStatus::Basic
        } else {
            ActiveSetStatus::Lower
        });
    }

    fn add_ranges(&mut self, begin: &Begin, forces: &[f64], ask: &Ask) {
        let ranges = &begin.multibody.joints.unilateral;
        let mut reader = ranges.at(begin.at);
        for number in 0..ranges.count() {
            let gap = reader.value(number);
            let start = self.values.len();
            self.add_range_vectors(begin, (&mut reader, number as u32));
            let before = self.pattern.velocity(self.rows.len(), &self.values, begin.u);
            let law =
                ContactLaw { restitution: ranges.restitution(number), ..ContactLaw::default() };
            let row_law = RowLaw::of_compliance(ranges.compliance(number));
            let near = UnilateralRows::is_near(gap, before, begin.h);
            let asked = ask((&law, &row_law), gap, before);
            let Some((target, compliance)) = asked.filter(|_| near) else {
                self.drop_last(start);
                continue;
            };
            let origin = Origin::Range(number as u32);
            self.rows.push(Row { origin, target, compliance, before, ..Row::NOTHING });
            self.bounds.push(Bound::Unilateral);
            self.statuses.push(if gap + begin.h * before < 0.0 {
                ActiveSetStatus::Basic
            } else {
                ActiveSetStatus::Lower
            });
            let last = forces.get(number).copied().unwrap_or(0.0);
            self.impulses.push(last * begin.h * begin.w);
        }
    }

    /// Takes back the row whose vectors were added last, from that entry on.
    fn drop_last(&mut self, start: usize) {
        self.pattern.pop_row();
        self.values.truncate(start);
    }

    /// The vectors of the rate of the room of a range.
    pub(in crate::solve) fn add_range_vectors(
        &mut self,
        begin: &Begin,
        (reader, number): (&mut RowReader, u32),
    ) {
        let ranges = &begin.multibody.joints.unilateral;
        let list = &ranges.lists()[number as usize];
        self.vectors.resize(list.len(), Vec3::zeros());
        reader.coefficients(number as usize, &mut self.vectors);
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
        // Points have no rotation.
        for (row, _) in points_of(contact) {
            self.add_entry(begin, row, Vec3::zeros());
        }
        let pair = begin.multibody.contacts.pairs[contact.pair as usize];
        for (member, sign) in [(pair.a, 1.0), (pair.b, -1.0)] {
            match base(begin.multibody, member, contact) {
                None | Some(SiteBase::Ground) => {}
                Some(SiteBase::Point(row)) => self.add_entry(begin, row, Vec3::zeros()),
                Some(SiteBase::Body(_, row)) => {
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
        for (row, weight) in points_of(contact) {
            self.add_entry(begin, row, direction * weight);
        }
        let point = (contact.point_a + contact.point_b) * 0.5;
        let pair = begin.multibody.contacts.pairs[contact.pair as usize];
        for (member, sign) in [(pair.a, 1.0), (pair.b, -1.0)] {
            match base(begin.multibody, member, contact) {
                None | Some(SiteBase::Ground) => {}
                Some(SiteBase::Point(row)) => self.add_entry(begin, row, direction * sign),
                Some(SiteBase::Body(_, row)) => {
                    let arm = point - begin.at.q[row as usize];
                    self.add_entry(begin, row, direction * sign);
                    self.add_entry(begin, row + 1, arm.cross(&direction) * sign);
                }
            }
        }
        self.pattern.end_row();
    }

    /// An entry of the row under way: of a attached point, those of its masters.
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
        if let Some(body) = multibody.body_of_rotation(block) {
            self.touched[body] = true;
        }
    }
}

/// Rows of the points of a contact of surfaces, with their weights; none of other contacts.
pub(super) fn points_of(contact: &ContactPoint) -> impl Iterator<Item = (u32, f64)> + use<> {
    let of_stencil = |Stencil { rows, weights }| rows.into_iter().zip(weights);
    contact.stencil.into_iter().flat_map(of_stencil).filter(|it| it.1 != 0.0)
}

/// The point or body that stands for a member in a contact; `None` where [`points_of`] does.
pub(super) fn base(
    multibody: &Multibody,
    member: Member,
    contact: &ContactPoint,
) -> Option<SiteBase> {
    let contacts = &multibody.contacts;
    match member {
        Member::Points(set) if contact.stencil.is_none() => {
            Some(SiteBase::Point(contacts.points[set as usize].rows[contact.a as usize]))
        }
        Member::Points(_) | Member::Surface(_) => None,
        Member::Collider(collider) => match contacts.colliders[collider as usize].frame {
            crate::contact::Collider::GROUND => Some(SiteBase::Ground),
            body => Some(SiteBase::Body(body, multibody.bodies[body as usize].row)),
        },
    }
}
