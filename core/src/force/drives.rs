//! Excitations over time for groups of muscles and actuators. What exciters do to other exciters is already worked
//! into the gains.

use crate::state::Schedule;

/// Exciters, and what each spring gets of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Drives {
    /// Excitation at a schedule value of 1 [-], and time course.
    exciters: Vec<(f64, Schedule)>,
    /// Index of the first gain of each spring, and the end of all; empty when nothing is driven.
    starts: Vec<u32>,
    /// Exciter and factor [-].
    gains: Vec<(u32, f64)>,
}

impl Drives {
    /// `of_spring` lists exciters and factors of every spring.
    pub(crate) fn new(exciters: Vec<(f64, Schedule)>, of_spring: &[Vec<(u32, f64)>]) -> Self {
        let (mut starts, mut gains) = (vec![0], Vec::new());
        for list in of_spring {
            gains.extend_from_slice(list);
            starts.push(gains.len() as u32);
        }
        Self { exciters, starts, gains }
    }

    /// Number of springs it was made for; `None` for any number.
    pub(super) fn spring_count(&self) -> Option<usize> {
        self.starts.len().checked_sub(1)
    }

    /// Sum of factor times excitation that exciters give spring or actuator number `place` at a time [s]; `None`
    /// where nothing drives it.
    pub(super) fn given(&self, place: usize, time: f64) -> Option<f64> {
        let bounds = self.starts.get(place).zip(self.starts.get(place + 1));
        let gains = bounds.map_or(&[][..], |(&a, &b)| &self.gains[a as usize..b as usize]);
        let given = |&(exciter, gain): &(u32, f64)| {
            let (excitation, schedule) = &self.exciters[exciter as usize];
            gain * (excitation * schedule.at(time))
        };
        (!gains.is_empty()).then(|| gains.iter().map(given).sum())
    }

    /// Excitation of a spring [-] that has `own` and is driven: own + sum of factor times excitation
    /// at a time [s], kept within 0 and 1. Just `own` where nothing drives it.
    pub(crate) fn excitation(&self, spring: usize, own: f64, time: f64) -> f64 {
        self.given(spring, time).map_or(own, |given| (own + given).clamp(0.0, 1.0))
    }

    /// Derivative of the excitation of spring or actuator number `place` at a time [s] by its `own`, or by that of an
    /// exciter; zero beyond the `bounds` that what is driven is kept in.
    pub(crate) fn share(
        &self,
        (place, exciter): (usize, Option<usize>),
        (own, time): (f64, f64),
        bounds: [f64; 2],
    ) -> f64 {
        let Some(given) = self.given(place, time) else {
            return if exciter.is_none() { 1.0 } else { 0.0 };
        };
        if !(bounds[0]..=bounds[1]).contains(&(own + given)) {
            return 0.0;
        }
        let Some(exciter) = exciter else { return 1.0 };
        let gains = &self.gains[self.starts[place] as usize..self.starts[place + 1] as usize];
        let gain: f64 =
            gains.iter().filter(|(k, _)| *k as usize == exciter).map(|(_, gain)| gain).sum();
        gain * self.exciters[exciter].1.at(time)
    }
}
