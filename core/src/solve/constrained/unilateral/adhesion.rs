//! Adhesion in a step: a pull along the normal of each contact that begins within its range, a number of the step beside the
//! unknown push (docs/theory/unilateral.md, "Adhesion"). Energies of adhesion are concave in the gap, so that the force of the
//! start brings no energy, whatever the length of the step.

use crate::contact::{ContactPoint, Shape};
use crate::lcp::ActiveSetStatus;
use crate::solve::constrained::unilateral::Unilateral;
use crate::solve::constrained::unilateral::friction::known_force;
use crate::solve::constrained::unilateral::laws::area_of;
use crate::solve::constrained::unilateral::near::NearContacts;
use crate::solve::constrained::unilateral::row::Origin;
use crate::solve::constrained::unilateral::rows::Begin;
use crate::system::{ContactSetup, Multibody, State};

/// Gives the rows of contacts their pulls; pushes begin as what these and the force of the last step leave.
pub(in crate::solve::constrained) fn add_pulls(
    unilateral: &mut Unilateral,
    begin: &Begin,
    state: &State,
) {
    if !begin.multibody.contacts.adheres() {
        return;
    }
    let Unilateral { set, near, .. } = unilateral;
    for number in 0..set.rows.len() {
        let Origin::Normal(contact) = set.rows[number].origin else { continue };
        let contact = near.found[contact as usize];
        let pull = pull(begin, &contact) * begin.h * begin.w;
        set.rows[number].pull = pull;
        let last = known_force(&state.contacts, &contact).filter(|_| pull > 0.0);
        if let Some(last) = last {
            let push = last.dot(&contact.normal) * begin.h * begin.w + pull;
            set.impulses[number] = push.max(0.0);
            if push > 0.0 {
                set.statuses[number] = ActiveSetStatus::Basic;
            }
        }
    }
}

/// Pull at a contact by its gap and its area at the start of the step [N].
fn pull(begin: &Begin, contact: &ContactPoint) -> f64 {
    let setup = &begin.multibody.contacts;
    let adhesion = &setup.behaviors[contact.pair as usize].law.adhesion;
    if contact.gap >= adhesion.reach() {
        return 0.0;
    }
    let area = match (adhesion.work > 0.0, radius_between(setup, contact)) {
        (false, _) => 0.0,
        (true, Some(radius)) => adhesion.area_around(radius, contact.gap),
        (true, None) => area_of(begin, contact),
    };
    adhesion.pull(contact.gap, area)
}

/// Effective radius of two balls, and of a ball and a half-space [m]; `None` of others.
fn radius_between(setup: &ContactSetup, contact: &ContactPoint) -> Option<f64> {
    let pair = setup.pairs[contact.pair as usize];
    let sides = [pair.a, pair.b];
    let is_round =
        |shape: Option<&Shape>| matches!(shape, Some(Shape::Sphere { .. } | Shape::HalfSpace));
    let are_round = sides.iter().all(|&side| is_round(setup.shape(side)));
    are_round.then(|| 1.0 / setup.curvature(sides))
}

impl NearContacts {
    /// True if a contact among those found pulls.
    pub(in crate::solve) fn pulls(&self, multibody: &Multibody) -> bool {
        let behaviors = &multibody.contacts.behaviors;
        self.found.iter().any(|it| it.gap < behaviors[it.pair as usize].law.adhesion.reach())
    }
}
