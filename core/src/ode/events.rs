//! Zeros of switching functions on the dense output of steps: found in order, localized, reacted to.

use super::error::OdeError;
use super::problem::{Reaction, SwitchedSystem};
use super::solver::OdeSolver;

/// Width to which the time of an event is localized [s], or rounding where that is wider: what it is late by sums up
/// from event to event.
const WIDTH: f64 = 1e-14;
/// Places of a step at which switching functions are looked at, beside where they come near to zero and turn.
const PARTS: usize = 8;
/// First place after an event at which the side of a function is asked for, over the step [-].
const BESIDE: f64 = 1e-6;
/// Values below this part of the largest of a step are on no side [-].
const NOISE: f64 = 1e-13;
/// Iterations of the search for a minimum.
const GOLDEN: usize = 40;
/// Iterations of the localization of an event.
const MOST_NARROWINGS: usize = 200;
/// Events in a row without time going on between them that are taken for no end.
const MOST: usize = 100;
/// Time between two events for which time goes on [s], over 1 s or the time: well above [`WIDTH`].
const STILL: f64 = 1e-11;

/// End of an advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The time asked for is reached.
    Reached,
    /// A reaction ended it.
    Stopped,
}

/// Integrates `system` from `start` to `end` [s] with its events; the time and the values at the end into `y`.
///
/// # Errors
/// [`OdeError`].
pub fn run_to<S: SwitchedSystem + ?Sized>(
    solver: &mut OdeSolver,
    system: &mut S,
    [start, end]: [f64; 2],
    y: &mut [f64],
) -> Result<(Ended, f64), OdeError<S::Error>> {
    solver.start(system, start, y)?;
    let mut finder = EventFinder::new(system.switch_count(), start);
    finder.begin(system, start, y)?;
    let limit = solver.settings().max_steps;
    for step in 0.. {
        if finder.time >= end {
            break;
        }
        if step >= limit {
            return Err(OdeError::TooManySteps { time: finder.time, limit });
        }
        if finder.time >= solver.time() {
            solver.step(system, end)?;
        }
        let until = solver.time().min(end);
        let Some(event) = finder.find(solver, system, until)? else { continue };
        solver.interpolate(system, event, y)?;
        let at = |source| OdeError::System { time: event, source };
        system.project(event, y).map_err(at)?;
        finder.count(event)?;
        let reaction = system.react(event, y, &finder.fired).map_err(at)?;
        match reaction {
            Reaction::Continue => {}
            Reaction::Restart => {
                solver.start(system, event, y)?;
                finder.begin_after(system, event, y)?;
            }
            Reaction::Stop => return Ok((Ended::Stopped, event)),
        }
    }
    solver.interpolate(system, end, y)?;
    Ok((Ended::Reached, end))
}

/// Sides of the switching functions and the search for their zeros.
#[derive(Debug, Default)]
pub(crate) struct EventFinder {
    /// Time up to which events were found [s].
    pub(crate) time: f64,
    /// Functions that were zero at the latest event.
    pub(crate) fired: Vec<usize>,
    /// Values just after `time`, of which the sign counts; 0 where it is not known.
    sides: Vec<f64>,
    values: Vec<f64>,
    /// Values at the places looked at, one row a place.
    places: Vec<(f64, Vec<f64>)>,
    y: Vec<f64>,
    still: (f64, usize),
}

impl EventFinder {
    pub(crate) fn new(count: usize, time: f64) -> Self {
        let zeros = vec![0.0; count];
        Self {
            time,
            fired: Vec::new(),
            sides: zeros.clone(),
            values: zeros,
            places: Vec::new(),
            y: Vec::new(),
            still: (f64::NEG_INFINITY, 0),
        }
    }

    /// Sides at a start.
    pub(crate) fn begin<S: SwitchedSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
        y: &[f64],
    ) -> Result<(), OdeError<S::Error>> {
        self.time = time;
        self.y.resize(y.len(), 0.0);
        let at = |source| OdeError::System { time, source };
        system.switches(time, y, &mut self.sides).map_err(at)
    }

    /// Sides after an event that changed something: those that were zero are not known.
    pub(crate) fn begin_after<S: SwitchedSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
        y: &[f64],
    ) -> Result<(), OdeError<S::Error>> {
        self.begin(system, time, y)?;
        self.fired.iter().for_each(|&k| self.sides[k] = 0.0);
        Ok(())
    }

    /// Takes values within `room` of zero for on no side: theirs is that which they go to.
    pub(crate) fn leave_zeros(&mut self, room: f64) {
        self.sides.iter_mut().filter(|side| side.abs() <= room).for_each(|side| *side = 0.0);
    }

    /// Counts an event at a time; refuses those that do not end.
    pub(crate) fn count<E>(&mut self, time: f64) -> Result<(), OdeError<E>> {
        if time - self.still.0 > STILL * time.abs().max(1.0) {
            self.still.1 = 0;
        }
        self.still = (time, self.still.1 + 1);
        match self.still.1 > MOST {
            true => Err(OdeError::Chattering {
                time,
                switch: self.fired.first().copied().unwrap_or(0),
                count: MOST,
            }),
            false => Ok(()),
        }
    }

    fn look<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        time: f64,
    ) -> Result<(), OdeError<S::Error>> {
        solver.interpolate(system, time, &mut self.y)?;
        let at = |source| OdeError::System { time, source };
        system.switches(time, &self.y, &mut self.values).map_err(at)
    }

    /// The first event after `time` in the last step of `solver` and not after `until`, with what is zero there in
    /// `fired`. `time` is then that of the event, or `until`.
    pub(crate) fn find<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        until: f64,
    ) -> Result<Option<f64>, OdeError<S::Error>> {
        self.fired.clear();
        let (start, count) = (self.time, self.sides.len());
        if count == 0 || until <= start {
            self.time = until.max(start);
            return Ok(None);
        }
        self.sample(solver, system, [start, until])?;
        let places = std::mem::take(&mut self.places);
        let first = self.first_event(solver, system, &places, start);
        self.places = places;
        let Some((event, k)) = first? else {
            self.pass(until);
            return Ok(None);
        };
        self.look(solver, system, event)?;
        self.fire(system, k);
        self.time = event;
        Ok(Some(event))
    }

    /// Time of the first event after `start` at these places, with a function that is zero there.
    fn first_event<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        places: &[(f64, Vec<f64>)],
        start: f64,
    ) -> Result<Option<(f64, usize)>, OdeError<S::Error>> {
        let mut first: Option<(f64, usize)> = None;
        for k in 0..self.sides.len() {
            let found = self.bracket(solver, system, (places, k), start)?;
            if let Some([from, to]) = found
                && first.is_none_or(|(end, _)| from < end)
            {
                let event = self.localize(solver, system, k, [from, to])?;
                if first.is_none_or(|(end, _)| event < end) {
                    first = Some((event, k));
                }
            }
        }
        Ok(first)
    }

    /// Goes on to a time without an event: sides are those of the last place that was looked at.
    fn pass(&mut self, until: f64) {
        let (_, last) = self.places.last().expect("places were looked at");
        for (side, value) in self.sides.iter_mut().zip(last).filter(|(_, value)| **value != 0.0) {
            *side = *value;
        }
        self.time = until;
    }

    /// Collects the functions that are zero at an event, from the values there: `k`, and others that cross with it. Those
    /// are on no side then.
    fn fire<S: SwitchedSystem + ?Sized>(&mut self, system: &mut S, k: usize) {
        for other in 0..self.sides.len() {
            let (side, value) = (self.sides[other], self.values[other]);
            let zero =
                side != 0.0 && side * value <= 0.0 && system.crossing(other).is_met(side, value);
            if other == k || zero {
                self.fired.push(other);
            }
        }
        for other in 0..self.sides.len() {
            let fired = self.fired.contains(&other);
            self.sides[other] = if fired { 0.0 } else { self.values[other] };
        }
    }

    /// Values at places of an interval, and the sides just after its start that are not known.
    fn sample<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        [start, end]: [f64; 2],
    ) -> Result<(), OdeError<S::Error>> {
        let length = end - start;
        self.places.clear();
        for part in 1..=PARTS {
            let time =
                if part == PARTS { end } else { start + length * part as f64 / PARTS as f64 };
            self.look(solver, system, time)?;
            self.places.push((time, self.values.clone()));
        }
        let mut beside = BESIDE;
        while self.sides.contains(&0.0) && beside * (PARTS as f64) < 1.0 {
            let time = start + length * beside;
            self.look(solver, system, time)?;
            let mut known = false;
            for k in 0..self.sides.len() {
                let largest =
                    self.places.iter().fold(0.0, |most: f64, (_, v)| most.max(v[k].abs()));
                if self.sides[k] == 0.0 && self.values[k].abs() > NOISE * largest {
                    self.sides[k] = self.values[k];
                    known = true;
                }
            }
            if known {
                let place = self.places.iter().position(|(t, _)| *t > time).unwrap_or(0);
                self.places.insert(place, (time, self.values.clone()));
            }
            beside *= 10.0;
        }
        Ok(())
    }

    /// An interval at whose ends function `k` is on two sides, the first after `start` that is an event.
    fn bracket<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        (places, k): (&[(f64, Vec<f64>)], usize),
        start: f64,
    ) -> Result<Option<[f64; 2]>, OdeError<S::Error>> {
        let mut before = (start, self.sides[k]);
        for (place, (time, values)) in places.iter().enumerate() {
            let here = (*time, values[k]);
            let (side, crossing) = (before.1, system.crossing(k));
            if side != 0.0 && side * here.1 <= 0.0 {
                if crossing.is_met(side, here.1) {
                    return Ok(Some([before.0, here.0]));
                }
            } else if let Some((after, values)) = places.get(place + 1) {
                let comes_near = here.1.abs() < side.abs() && here.1.abs() < values[k].abs();
                if comes_near
                    && side * values[k] > 0.0
                    && let Some(turn) = self.turn(solver, system, k, ([before.0, *after], side))?
                {
                    let falls = crossing.is_met(side, -side);
                    return Ok(Some(if falls { [before.0, turn] } else { [turn, *after] }));
                }
            }
            before = here;
        }
        Ok(None)
    }

    /// A time between two at which function `k` is beyond zero, if it turns there before it comes back.
    fn turn<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        k: usize,
        ([mut a, mut b], side): ([f64; 2], f64),
    ) -> Result<Option<f64>, OdeError<S::Error>> {
        let ratio = 0.5 * (5f64.sqrt() - 1.0);
        let sign = side.signum();
        for _ in 0..GOLDEN {
            let [left, right] = [b - ratio * (b - a), a + ratio * (b - a)];
            let mut values = [0.0; 2];
            for (value, time) in values.iter_mut().zip([left, right]) {
                self.look(solver, system, time)?;
                *value = sign * self.values[k];
                if *value < 0.0 {
                    return Ok(Some(time));
                }
            }
            if values[0] < values[1] { b = right } else { a = left }
        }
        Ok(None)
    }

    /// The later end of an interval at whose ends function `k` is on two sides, after it is narrowed by the method of Anderson and Bjorck
    /// (AndersonBjorck1973) and halving.
    fn localize<S: SwitchedSystem + ?Sized>(
        &mut self,
        solver: &mut OdeSolver,
        system: &mut S,
        k: usize,
        [a, b]: [f64; 2],
    ) -> Result<f64, OdeError<S::Error>> {
        let width = WIDTH.max(4.0 * f64::EPSILON * b.abs());
        let mut values = [0.0; 2];
        for (value, time) in values.iter_mut().zip([a, b]) {
            self.look(solver, system, time)?;
            *value = self.values[k];
        }
        let mut interval = Interval::new([a, b], values, self.sides[k]);
        for iteration in 0..MOST_NARROWINGS {
            if interval.b - interval.a <= width || interval.fb == 0.0 {
                break;
            }
            let time = interval.place(width, iteration % 4 == 3);
            self.look(solver, system, time)?;
            interval.narrow(time, self.values[k]);
        }
        Ok(interval.b)
    }
}

/// An interval at whose ends a function is on two sides, with its values there; one of them may be scaled down, which
/// draws the next place to it.
struct Interval {
    a: f64,
    b: f64,
    fa: f64,
    fb: f64,
}

impl Interval {
    /// With times and values of both ends, where the function was on `side` before.
    fn new([a, b]: [f64; 2], [mut fa, fb]: [f64; 2], side: f64) -> Self {
        if fa * fb > 0.0 || fa == 0.0 {
            // On its threshold within the rounding of the start: the side is that of before.
            fa = side.signum() * f64::MIN_POSITIVE.max(fb.abs() * 1e-16);
            if fa * fb > 0.0 {
                fa = -fa;
            }
        }
        Self { a, b, fa, fb }
    }

    /// Time to look at next: where the secant has its zero, or in the middle.
    fn place(&self, width: f64, halve: bool) -> f64 {
        let Self { a, b, fa, fb } = *self;
        let secant = b - fb * (b - a) / (fb - fa);
        let half = 0.25 * width;
        match secant > a && secant < b && !halve {
            true => secant.clamp(a + half, b - half),
            false => 0.5 * (a + b),
        }
    }

    /// Takes a place inside, with the value there, for the end on its side; the value of the other end is scaled down.
    fn narrow(&mut self, time: f64, value: f64) {
        if value * self.fb > 0.0 || value == 0.0 {
            let share = 1.0 - value / self.fb;
            self.fa *= if share > 0.0 { share } else { 0.5 };
            (self.b, self.fb) = (time, value);
        } else {
            let share = 1.0 - value / self.fa;
            self.fb *= if share > 0.0 { share } else { 0.5 };
            (self.a, self.fa) = (time, value);
        }
    }
}
