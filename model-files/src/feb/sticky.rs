//! Sticky interfaces: what touched is held by springs in all directions until the tension along the normal passes
//! `max_traction` (FEBio's User Manual, "sticky"). Here it is an adhesion of that strength and of the work of these springs,
//! and friction that what it presses together is held sideways by.

use sinew::contact::ContactLaw;

use super::contact::{Action, Interface};
use super::import::Import;
use super::surfaces::Surface;
use super::units::Dimension;
use super::values::{self, numbers};
use crate::diagnostic::Diagnostic;
use crate::xml_tree::Element;

/// Coefficient of the friction in place of springs sideways [-]: a shear as large as the strength slips when tension has
/// come within a hundredth of that, where FEBio lets go anyway.
const FRICTION: f64 = 100.0;
/// Largest range of the tension over the size of the mesh [-]: beyond, the penalty says nothing of a contact.
const FARTHEST: f64 = 0.1;

/// True of an interface that lets go: one that does not would tie surfaces when they first touch, which nothing here does.
pub(super) fn lets_go(at: &Element) -> bool {
    let limit = at.children.iter().find(|it| it.tag == "max_traction");
    limit.is_some_and(|it| numbers(&it.text).first().is_some_and(|most| *most > 0.0))
}

impl<'d> Import<'d> {
    pub(super) fn sticky(&mut self, at: &'d Element) -> Result<Option<Interface<'d>>, Diagnostic> {
        let Some(pair) = self.pair_of(at)? else { return Ok(None) };
        let strength = match at.child("max_traction") {
            Some(limit) => self.scaled(limit, Dimension::Stress)?,
            None => 0.0,
        };
        let by_length = self.units.factor(Dimension::Stress) / self.units.length;
        let penalty = at.child("penalty").map_or(Ok(1.0), values::number)? * by_length;
        at.child("laugon");
        if penalty <= 0.0 {
            return Err(at.refused(format!("<penalty> of {} must be > 0", at.label())));
        }
        // The springs have the energy strength²/(2 penalty) by area when they let go.
        let range = 0.5 * strength / penalty;
        if let Some(fault) = self.fault_of_sticky(&pair, range) {
            self.findings.warn(at.span, format!("{} is not read: {fault}", at.label()));
            return Ok(None);
        }
        let message = format!(
            "{} is an adhesion of its max_traction, with friction of {FRICTION} in place of springs sideways",
            at.label()
        );
        self.findings.warn(at.span, message);
        let law = ContactLaw::rough(FRICTION).sticking(strength * range, range);
        Ok(Some(Interface { at, surfaces: pair.into(), action: Action::Touch(law) }))
    }

    /// Words for what keeps an interface whose tension has a range [m] from being read.
    fn fault_of_sticky(&self, pair: &[Surface; 2], range: f64) -> Option<String> {
        if pair.iter().all(|it| it.body.is_some()) {
            return Some("contacts of two rigid bodies stand for no area".to_owned());
        }
        let nodes = &self.mesh().nodes;
        let [low, high] = [|a: f64, b: f64| a.min(b), |a: f64, b: f64| a.max(b)]
            .map(|pick| nodes.iter().copied().reduce(|a, b| a.zip_map(&b, pick)));
        let size = low.zip(high).map_or(0.0, |(low, high)| (high - low).norm());
        (range > FARTHEST * size)
            .then(|| format!("with its penalty springs of max_traction are {} m long", 2.0 * range))
    }
}
