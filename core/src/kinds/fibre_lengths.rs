//! Lengths of the fibres of muscles along lines, as spindles measure them.

use crate::axial::AxialLaw;
use crate::component::ComponentId;
use crate::kinds::{AxialSpring, MultiPointSpring};
use crate::property::Components;

/// Length of a line at which its fibres have their optimal length, and that length [m]; of a law without fibres its
/// length without tension, twice. `None` where there is no such length.
pub(crate) fn fibre_lengths(model: &dyn Components, id: ComponentId) -> Option<[f64; 2]> {
    let (law, rest) = match (id.typed::<AxialSpring>(), id.typed::<MultiPointSpring>()) {
        (Some(spring), _) => {
            let spring = model.get(spring)?;
            (&spring.material, spring.rest_length)
        }
        (None, Some(line)) => {
            let line = model.get(line)?;
            (&line.material, line.rest_length)
        }
        (None, None) => return None,
    };
    let of_fibre = |optimal: f64, slack: f64, pennation: f64| {
        Some([slack + optimal * pennation.cos(), optimal])
    };
    match law {
        AxialLaw::Millard2012(it) => {
            of_fibre(it.optimal_fibre_length, it.tendon_slack_length, it.pennation)
        }
        AxialLaw::DeGrooteFregly2016(it) => {
            of_fibre(it.optimal_fibre_length, it.tendon_slack_length, it.pennation)
        }
        AxialLaw::Schutte1993(it) => {
            of_fibre(it.optimal_fibre_length, it.tendon_slack_length, it.pennation)
        }
        AxialLaw::Thelen2003(it) => {
            of_fibre(it.optimal_fibre_length, it.tendon_slack_length, it.pennation)
        }
        _ => (rest > 0.0).then_some([rest; 2]),
    }
}
