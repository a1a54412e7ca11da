//! Behaviours of what was clicked. Their numbers suit masses of a kilogram and lengths of a metre, and steps of some
//! milliseconds; a hand changes them afterwards.

use super::sites::{Made, PaletteError, Pick, Site};
use crate::interactive::{BehaviourKind, Norm, ObjectKind};

/// Stiffness \[N/m\] and damping \[N s/m\] of a new spring: a kilogram swings with 1.6 Hz, a tenth of critically damped.
const STIFFNESS: f64 = 100.0;
const DAMPING: f64 = 2.0;

pub(super) fn spring(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let ((a, from), (b, to)) = (site.block(&picks[0])?, site.block(&picks[1])?);
    let rest_length = from.iter().zip(&to).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let kind = BehaviourKind::Spring { stiffness: STIFFNESS, damping: DAMPING, rest_length };
    site.add_behaviour(kind, vec![a, b]);
    Ok(())
}

pub(super) fn pull(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (block, target) = site.block(&picks[0])?;
    let kind = BehaviourKind::Pull { target, stiffness: STIFFNESS, damping: DAMPING };
    site.add_behaviour(kind, vec![block]);
    Ok(())
}

/// A turn in two seconds.
pub(super) fn motor(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let angle = site.output(&picks[0])?;
    let speed = std::f64::consts::PI;
    let kind = BehaviourKind::Motor { speed, gain: 10.0, max_torque: 20.0 };
    site.add_behaviour(kind, vec![angle]);
    Ok(())
}

pub(super) fn force(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (block, from) = site.block(&picks[0])?;
    let to = site.free(&picks[1])?;
    let force = from.iter().zip(to).map(|(from, to)| to - from).collect();
    site.add_behaviour(BehaviourKind::Force(force), vec![block]);
    Ok(())
}

pub(super) fn damper(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (block, _) = site.block(&picks[0])?;
    site.add_behaviour(BehaviourKind::Damper(DAMPING), vec![block]);
    Ok(())
}

pub(super) fn objective(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let output = site.output(&picks[0])?;
    site.add_behaviour(BehaviourKind::Objective(1.0), vec![output]);
    Ok(())
}

pub(super) fn residuals(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let on: Result<Vec<String>, _> = picks.iter().map(|pick| site.output(pick)).collect();
    let kind = BehaviourKind::Residuals { stiffness: STIFFNESS, norm: Norm::Square };
    site.add_behaviour(kind, on?);
    Ok(())
}

/// On the numbers of the deformation gradient, which follow those of the centre.
pub(super) fn troid_elasticity(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let (object, _) = site.object_point(&picks[0])?;
    let kind = site.object(&object).map(|it| &it.kind);
    let Some(ObjectKind::Troid { sides, .. }) = kind else {
        return Err(PaletteError::Pick(object, "a troid"));
    };
    let (count, measure) = (sides.len(), sides.iter().product());
    let on = site.outputs_of(&object)?.split_off(count);
    let kind =
        BehaviourKind::TroidElasticity { measure, shape: STIFFNESS, dilation: 2.0 * STIFFNESS };
    site.add_behaviour(kind, on);
    Ok(())
}

pub(super) fn bending(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let on = site.blocks::<3>(picks)?.to_vec();
    site.add_behaviour(BehaviourKind::Bending(STIFFNESS), on);
    Ok(())
}

/// On an image of pixels: edges attract from some pixels away.
pub(super) fn edges(site: &mut Site<'_>, picks: &[Pick]) -> Made {
    let mut on = Vec::new();
    for pick in picks {
        on.push(site.block(pick)?.0);
    }
    let kind = BehaviourKind::Edges { image: site.image(), deviation: 2.0, gain: 4000.0 };
    site.add_behaviour(kind, on);
    Ok(())
}
