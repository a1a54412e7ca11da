//! The unilateral rows that act in a step as equations of it, for derivatives of steps (`adjoint/`,
//! docs/theory/adjoint.md): rows that push keep their velocity, friction sticks, or is that of Coulomb's law along the slip.

use crate::Vec3;
use crate::constraint::RowReader;
use crate::contact::ContactPoint;
use crate::lcp::Bound;
use crate::solve::constrained::tuning::SLIPPING;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::laws::RowLaw;
use crate::solve::constrained::unilateral::near::NearContacts;
use crate::solve::constrained::unilateral::row::{Origin, Row};
use crate::solve::constrained::unilateral::row_set::RowSet;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::solve::derivative::{
    ActiveLaw, ActiveOrigin, ActiveRow, ActiveRows, Feature, RowVectors, Touch,
};
use crate::system::Multibody;

/// The rows that act in the step that was taken last, as their contacts are at `begin`, and their impulses.
///
/// # Errors
/// One of rolling friction at its limit, or one that presses on an area that changes.
pub(in crate::solve::constrained) fn acting(
    unilateral: &mut Unilateral,
    begin: &Begin,
) -> Result<(Vec<ActiveRow>, Vec<f64>), Touch> {
    unilateral.near.forget();
    unilateral.near.detect_ahead(begin.multibody, begin.at, (begin.u, begin.h));
    let Unilateral { set, near, .. } = unilateral;
    let (mut active, mut pushes) = (Vec::new(), Vec::new());
    let mut places = vec![None; set.rows.len()];
    for number in 0..set.rows.len() {
        let Some(origin) = origin_of((set, near), number, (&active, &places)) else { continue };
        let across = matches!(origin, ActiveOrigin::Across { .. });
        if set.impulses[number] == 0.0 && !across {
            continue;
        }
        if let Origin::Normal(contact) = set.rows[number].origin
            && begin.multibody.contacts.presses_on_areas(near.found[contact as usize].pair)
        {
            return Err(Touch::Areas);
        }
        places[number] = Some(active.len());
        active.push(ActiveRow { origin, law: ActiveLaw::Active });
        pushes.push(set.impulses[number]);
    }
    for number in 0..set.rows.len() {
        let Some(place) = places[number] else { continue };
        active[place].law = law(set, number, &places).ok_or(Touch::Rolls)?;
    }
    Ok((active, pushes))
}

/// Origin of a row of the step; `None` of friction whose normal does not act.
fn origin_of(
    (set, near): (&RowSet, &NearContacts),
    number: usize,
    (active, places): (&[ActiveRow], &[Option<usize>]),
) -> Option<ActiveOrigin> {
    let row = &set.rows[number];
    let feature = |contact: u32| Feature::of(&near.found[contact as usize]);
    match (row.origin, set.bounds[number]) {
        (Origin::Range(range), _) => Some(ActiveOrigin::Range(range)),
        (Origin::Normal(contact), _) => Some(ActiveOrigin::Normal(feature(contact))),
        (Origin::Tangent(_) | Origin::Rolling, Bound::Friction { normal, .. }) => {
            let ActiveOrigin::Normal(feature) = origin_at(active, places, normal)? else {
                return None;
            };
            let rolls = row.origin == Origin::Rolling;
            Some(ActiveOrigin::Across { feature, direction: row.direction, rolls })
        }
        (Origin::Tangent(_) | Origin::Rolling, _) => None,
    }
}

/// Makes these rows, and no others, for a step that begins so. A contact that is not there leaves a row that nothing
/// satisfies.
pub(in crate::solve::constrained) fn hold(
    unilateral: &mut Unilateral,
    begin: &Begin,
    active: &[ActiveRow],
    pushes: &[f64],
) {
    unilateral.clear();
    unilateral.near.forget();
    if active.iter().any(|row| !matches!(row.origin, ActiveOrigin::Range(_))) {
        unilateral.near.detect_ahead(begin.multibody, begin.at, (begin.u, begin.h));
    }
    let mut ranges = begin.multibody.joints.unilateral.at(begin.at);
    let Unilateral { set, near, .. } = unilateral;
    for (row, push) in active.iter().zip(pushes) {
        let made = match row.origin {
            ActiveOrigin::Range(number) => Some(hold_range(set, begin, (&mut ranges, number))),
            ActiveOrigin::Normal(feature) => {
                near.number_of(feature).map(|number| hold_normal(set, begin, near, number))
            }
            ActiveOrigin::Across { feature, direction, rolls } => {
                let number = near.number_of(feature);
                number.map(|it| hold_across(set, begin, near, (it, direction, rolls)))
            }
        };
        set.rows.push(made.unwrap_or_else(|| {
            set.pattern.end_row();
            Row { target: f64::NAN, ..Row::NOTHING }
        }));
        set.bounds.push(Bound::Bilateral);
        set.impulses.push(*push);
    }
    unilateral.resize();
}

/// Errors of the rows that [`hold`] made at mean velocities `y`, their vectors, and their derivatives by `y`, in a step of
/// `h`; `w` is the weight of its end.
pub(in crate::solve::constrained) fn active_rows(
    unilateral: &mut Unilateral,
    multibody: &Multibody,
    active: &[ActiveRow],
    (y, h, w): (&[Vec3], f64, f64),
) -> ActiveRows {
    unilateral.set.follow_laws(y, (h, w));
    let set = &unilateral.set;
    let vectors: Vec<RowVectors> = (0..active.len()).map(|k| vectors_of(set, k)).collect();
    let (mut errors, mut by_y) = (Vec::new(), Vec::new());
    for (k, row) in active.iter().enumerate() {
        let z = set.impulses[k];
        let above = |k: usize| {
            set.pattern.velocity(k, &set.values, y) - set.rows[k].target
                + set.rows[k].compliance * set.impulses[k]
        };
        let (ActiveLaw::Sliding { normal, partner }, ActiveOrigin::Across { feature, .. }) =
            (row.law, row.origin)
        else {
            errors.push(above(k));
            by_y.push(vectors[k].clone());
            continue;
        };
        let law = &multibody.contacts.behaviors[feature.pair as usize].law;
        let speed = set.rows[k].before.hypot(set.rows[partner].before);
        let most = law.friction_at(speed) * set.impulses[normal];
        // The velocity at the end, along both directions.
        let (u, v) = (above(k) / w, above(partner) / w);
        let slip = u.hypot(v);
        errors.push(z + most * u / slip);
        let [own, other] = [v * v, -u * v].map(|it| most * it / (slip * slip * slip * w));
        let of = |vectors: &[(u32, Vec3)], factor: f64| -> RowVectors {
            vectors.iter().map(|(block, vector)| (*block, vector * factor)).collect()
        };
        by_y.push([of(&vectors[k], own), of(&vectors[partner], other)].concat());
    }
    ActiveRows { errors, vectors, by_y }
}

/// True if contacts pulled in the step.
pub(in crate::solve::constrained) fn pulled(unilateral: &Unilateral) -> bool {
    unilateral.set.rows.iter().any(|row| row.pull > 0.0)
}

/// True if something sprang back in the step.
pub(in crate::solve::constrained) fn sprang_back(unilateral: &Unilateral) -> bool {
    !unilateral.impacts.contacts.is_empty() || unilateral.impacts.ranges.iter().any(|it| *it != 0.0)
}

/// Origin of the row that a row of the step became.
fn origin_at(active: &[ActiveRow], places: &[Option<usize>], row: usize) -> Option<ActiveOrigin> {
    places[row].map(|place| active[place].origin)
}

impl Feature {
    fn of(contact: &ContactPoint) -> Self {
        Self { pair: contact.pair, a: contact.a, key: contact.key }
    }
}

impl NearContacts {
    /// Number of the contact of a feature among those found.
    fn number_of(&self, feature: Feature) -> Option<u32> {
        let place = self.found.iter().position(|contact| Feature::of(contact) == feature);
        place.map(|number| number as u32)
    }
}

/// Law of a row of the step; `None` of rolling friction at its limit.
fn law(set: &RowSet, number: usize, places: &[Option<usize>]) -> Option<ActiveLaw> {
    let Bound::Friction { normal, coefficient, partner } = set.bounds[number] else {
        return Some(ActiveLaw::Active);
    };
    let partner = partner.or_else(|| set.partner(number)).unwrap_or(number);
    let most = coefficient * set.impulses[normal] * (1.0 - SLIPPING);
    let push = set.impulses[number].hypot(set.impulses[partner]);
    let law = match (places[normal], places[partner]) {
        (Some(normal), Some(partner)) => ActiveLaw::Sliding { normal, partner },
        _ => ActiveLaw::Active,
    };
    match (push < most, set.rows[number].origin) {
        (true, _) => Some(ActiveLaw::Active),
        (false, Origin::Rolling) => None,
        (false, Origin::Range(_) | Origin::Normal(_) | Origin::Tangent(_)) => Some(law),
    }
}

/// Blocks and vectors of a row.
fn vectors_of(set: &RowSet, row: usize) -> RowVectors {
    let entry = |entry: usize| (set.pattern.blocks()[entry], set.values[entry]);
    set.pattern.entries(row).map(entry).collect()
}

fn hold_range(set: &mut RowSet, begin: &Begin, (reader, number): (&mut RowReader, u32)) -> Row {
    let ranges = &begin.multibody.joints.unilateral;
    let gap = reader.value(number as usize);
    set.add_range_vectors(begin, (reader, number));
    let before = set.pattern.velocity(set.rows.len(), &set.values, begin.u);
    let law = RowLaw::of_compliance(ranges.compliance(number as usize));
    let (target, compliance) = law.target(gap, before, (begin.h, begin.w));
    Row { origin: Origin::Range(number), target, compliance, before, ..Row::NOTHING }
}

fn hold_normal(set: &mut RowSet, begin: &Begin, near: &NearContacts, number: u32) -> Row {
    let contact = near.found[number as usize];
    set.add_row(begin, &contact, contact.normal);
    let before = set.pattern.velocity(set.rows.len(), &set.values, begin.u);
    let (origin, direction) = (Origin::Normal(number), contact.normal);
    let Some(law) = RowLaw::of_contact(begin, &contact) else {
        return Row { origin, target: f64::NAN, before, direction, ..Row::NOTHING };
    };
    let (target, compliance) = law.target(contact.gap, before, (begin.h, begin.w));
    let force = law.force(contact.gap);
    Row { origin, target, compliance, before, direction, force, ..Row::NOTHING }
}

/// A row across the normal, along what is left of its direction there.
fn hold_across(
    set: &mut RowSet,
    begin: &Begin,
    near: &NearContacts,
    (number, direction, rolls): (u32, Vec3, bool),
) -> Row {
    let contact = near.found[number as usize];
    let n = contact.normal;
    let direction = (direction - n * n.dot(&direction)).normalize();
    match rolls {
        true => set.add_moment_row(begin, &contact, direction),
        false => set.add_row(begin, &contact, direction),
    }
    let before = set.pattern.velocity(set.rows.len(), &set.values, begin.u);
    let origin = if rolls { Origin::Rolling } else { Origin::Tangent(number) };
    Row { origin, target: (1.0 - begin.w) * before, before, direction, ..Row::NOTHING }
}
