//! Excitations of the muscles of a scene by exciters, in one pass over all of them.

use std::collections::HashMap;

use crate::component::ComponentId;
use crate::model::{Model, MuscleExciter};

/// Sums up what all exciters give each of their targets at a time [s], by way of others too [-]. It is
/// done for every snapshot: excitations and gains change without a new scene.
pub(super) fn update(given: &mut HashMap<ComponentId, f64>, model: &Model, time: f64) {
    given.clear();
    for (_, exciter) in model.iter::<MuscleExciter>() {
        pass_on(given, model, exciter, exciter.excitation * exciter.schedule.at(time));
    }
}

/// Hands an excitation to the targets of an exciter. Exciters were checked to drive each other in no circle.
fn pass_on(
    given: &mut HashMap<ComponentId, f64>,
    model: &Model,
    exciter: &MuscleExciter,
    amount: f64,
) {
    for excited in &exciter.targets {
        let part = excited.gain * amount;
        *given.entry(excited.target).or_default() += part;
        let driven = excited.target.typed::<MuscleExciter>();
        if let Some(driven) = driven.and_then(|driven| model.get(driven)) {
            pass_on(given, model, driven, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::axial::AxialLaw;
    use crate::axial::passive::LinearSpring;
    use crate::model::{AxialSpring, Excited, Particle, Schedule};
    use crate::simulated::excitation_given_to;

    #[test]
    fn muscles_get_what_their_exciters_and_those_above_give_them() {
        let mut model = Model::new("m");
        let ends = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::new(x, 0.0, 0.0))));
        let law = LinearSpring { stiffness: 1.0, damping: 0.0 };
        let spring = || AxialSpring::with_law(ends, AxialLaw::Linear(law));
        let muscles = [model.add(spring()), model.add(spring()), model.add(spring())];
        let schedule = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
        let mut low = MuscleExciter::new("low", [muscles[0], muscles[1]]);
        (low.excitation, low.targets[1].gain) = (0.5, 0.25);
        let low = model.add(low);
        let mut high = MuscleExciter::new("high", [muscles[1]]);
        high.targets.push(Excited { target: low.into(), gain: 0.5 });
        (high.excitation, high.schedule) = (0.8, schedule);
        model.add(high);
        let mut given = HashMap::new();
        update(&mut given, &model, 0.5);
        // high gives 0.4; low its own 0.5 and half of that.
        let expected = [0.5 + 0.2, 0.4 + 0.25 * 0.7];
        for (muscle, expected) in muscles.iter().zip(expected) {
            let sum = given[&muscle.id()];
            assert!((sum - expected).abs() < 1e-12, "{sum} of {expected}");
            let alone = excitation_given_to(&model, muscle.id(), 0.5).unwrap();
            assert!((sum - alone).abs() < 1e-12, "{sum} of {alone}");
        }
        assert!(!given.contains_key(&muscles[2].id()));
    }
}
