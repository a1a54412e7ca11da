//! Drives of springs, bundles of tissues and actuators by exciters.

use std::collections::BTreeMap;

use super::flat::Flat;
use crate::component::ComponentId;
use crate::force::Drives;
use crate::model::{CoordinateActuator, MuscleExciter};

/// Drives of the bundles of tissues by exciters.
pub(super) fn bundle_drives_of(model: &Flat<'_>) -> Drives {
    let place = |target: ComponentId| target.typed().and_then(|h| model.places.bundles.place(h));
    drives_onto(model, model.bundles.len(), &place)
}

/// Drives of the springs by exciters.
pub(super) fn drives_of(model: &Flat<'_>) -> Drives {
    let count = model.springs.len() + model.multi_point_springs.len();
    drives_onto(model, count, &|target| {
        let axial = target.typed().and_then(|h| model.places.springs.place(h));
        let multi = target.typed().and_then(|h| model.places.multi_point_springs.place(h));
        axial.or(multi.map(|k| model.springs.len() + k))
    })
}

/// Drives of the actuators by exciters, in the order of the tree.
pub(super) fn actuator_drives_of(model: &Flat<'_>) -> Drives {
    let all = model.model.iter::<CoordinateActuator>().map(|(handle, _)| handle.id());
    let places: BTreeMap<ComponentId, usize> = all.zip(0..).collect();
    drives_onto(model, places.len(), &|target| places.get(&target).copied())
}

/// Drives of `count` components that `place` numbers, by exciters directly and through other
/// exciters.
fn drives_onto(
    model: &Flat<'_>,
    count: usize,
    place: &dyn Fn(ComponentId) -> Option<usize>,
) -> Drives {
    let mut of_place = vec![Vec::new(); count];
    let mut exciters = Vec::new();
    for (k, exciter) in (0..).zip(&model.exciters) {
        exciters.push((exciter.excitation, exciter.schedule.clone()));
        // Exciters were checked to drive each other in no circle.
        let mut driven: Vec<(ComponentId, f64)> =
            exciter.targets.iter().map(|to| (to.target, to.gain)).collect();
        while let Some((target, gain)) = driven.pop() {
            let further = target.typed::<MuscleExciter>().and_then(|h| model.model.get(h));
            match (place(target), further) {
                (Some(place), _) => of_place[place].push((k, gain)),
                (None, Some(other)) => {
                    driven.extend(other.targets.iter().map(|to| (to.target, gain * to.gain)));
                }
                (None, None) => {}
            }
        }
    }
    Drives::new(exciters, &of_place)
}
