//! Excitations of a model at a time, for those who look for what ended a run.

use std::fmt;

use crate::component::ComponentId;
use crate::model::{
    AxialSpring, CoordinateActuator, Model, MultiPointSpring, MuscleBundle, MuscleExciter, Stored,
};

/// Excitations that are named.
const NAMED: usize = 3;

/// The components of a model that are excited most, with their excitations [-], the largest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MostExcited(pub Vec<(String, f64)>);

impl MostExcited {
    /// Those of `model` at `time` [s], three at most: exciters, and muscles that have an excitation of their own.
    pub fn of(model: &Model, time: f64) -> Self {
        let mut found: Vec<(ComponentId, f64)> = Vec::new();
        found.extend(own::<AxialSpring>(model, |it| it.excitation));
        found.extend(own::<MultiPointSpring>(model, |it| it.excitation));
        found.extend(own::<MuscleBundle>(model, |it| it.excitation));
        found.extend(own::<MuscleExciter>(model, |it| it.excitation * it.schedule.at(time)));
        found.extend(own::<CoordinateActuator>(model, |it| it.excitation * it.schedule.at(time)));
        found.retain(|(_, excitation)| *excitation != 0.0);
        found.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        found.truncate(NAMED);
        Self(found.into_iter().map(|(id, excitation)| (model.path(id), excitation)).collect())
    }
}

fn own<T: Stored>(
    model: &Model,
    excitation: impl Fn(&T) -> f64,
) -> impl Iterator<Item = (ComponentId, f64)> {
    model.iter::<T>().map(move |(handle, it)| (handle.id(), excitation(it)))
}

impl MostExcited {
    /// The same behind a reason: `; excited most: ..`; nothing where nothing is excited.
    pub fn behind_reason(&self) -> String {
        if self.0.is_empty() { String::new() } else { format!("; {self}") }
    }
}

impl fmt::Display for MostExcited {
    /// `excited most: /models/jaw/exciters/left_masseter 0.4, ..`; nothing where nothing is excited.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (path, excitation)) in self.0.iter().enumerate() {
            let before = if k == 0 { "excited most:" } else { "," };
            write!(f, "{before} {path} {excitation:.2}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Schedule;

    #[test]
    fn the_largest_excitations_of_the_moment_are_named_and_no_more_than_three() {
        let mut model = Model::new("limb");
        assert_eq!(MostExcited::of(&model, 0.0).to_string(), "");
        for (name, excitation) in [("a", 0.2), ("b", 0.0), ("c", 0.9), ("d", 0.5), ("e", 0.3)] {
            let mut exciter = MuscleExciter::new(name, [] as [ComponentId; 0]);
            exciter.excitation = excitation;
            // The strongest begins later.
            if name == "c" {
                exciter.schedule = Schedule::Table(vec![[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]]);
            }
            model.add(exciter);
        }
        let named = |time: f64| MostExcited::of(&model, time).to_string();
        let path = "/models/limb/exciters/";
        assert_eq!(named(0.5), format!("excited most: {path}d 0.50, {path}e 0.30, {path}a 0.20"));
        assert_eq!(named(2.0), format!("excited most: {path}c 0.90, {path}d 0.50, {path}e 0.30"));
    }
}
