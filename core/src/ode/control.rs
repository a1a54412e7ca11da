//! Control of the step: the norm of an error, the first step, and proportional-integral control (Gustafsson1991).

use super::problem::OdeSystem;
use super::settings::Tolerance;

/// Root mean square of an error over the tolerances of its values, of which the larger of `y` and `other` count [-].
pub(super) fn error_norm(error: &[f64], y: &[f64], other: &[f64], tolerance: &Tolerance) -> f64 {
    let mut sum = 0.0;
    for (k, e) in error.iter().enumerate() {
        let scale = tolerance.absolute(k) + tolerance.relative * y[k].abs().max(other[k].abs());
        sum += if *e == 0.0 { 0.0 } else { (e / scale).powi(2) };
    }
    (sum / error.len().max(1) as f64).sqrt()
}

/// Share of the predicted step that is taken [-].
const SAFETY: f64 = 0.9;
/// Weight of the error of the step before (HairerNorsettWanner1993, section IV.2).
const INTEGRAL: f64 = 0.04;
/// Least and largest ratio of a step to the one before.
const RATIO: [f64; 2] = [0.2, 10.0];

/// Proportional-integral control of the step of a rule whose error is of order h^`order`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepControl {
    order: f64,
    before: f64,
    refused: bool,
}

impl StepControl {
    pub(super) fn new(order: f64) -> Self {
        Self { order, before: 1e-4, refused: false }
    }

    /// Length of the next step over this one of an error [-], which is accepted if at most 1.
    pub(super) fn ratio(&mut self, error: f64) -> f64 {
        let power = 1.0 / self.order;
        if error > 1.0 {
            self.refused = true;
            return (SAFETY * error.powf(-power)).clamp(RATIO[0], 1.0);
        }
        let error = error.max(1e-10);
        let proportional = error.powf(-(power - 0.75 * INTEGRAL));
        let ratio = (SAFETY * proportional * self.before.powf(INTEGRAL)).clamp(RATIO[0], RATIO[1]);
        self.before = error.max(1e-4);
        // A step that follows a refused one does not grow.
        if std::mem::take(&mut self.refused) { ratio.min(1.0) } else { ratio }
    }

    /// After a step that could not be evaluated.
    pub(super) fn refuse(&mut self) {
        self.refused = true;
    }
}

/// First step of a rule of an order, at most `longest` (HairerNorsettWanner1993, section II.4). `work`: two vectors.
pub(super) fn first_step<S: OdeSystem + ?Sized>(
    system: &mut S,
    (time, y, rates): (f64, &[f64], &[f64]),
    tolerance: &Tolerance,
    (order, longest): (usize, f64),
    work: [&mut Vec<f64>; 2],
) -> Result<f64, S::Error> {
    let size = error_norm(y, y, y, tolerance);
    let speed = error_norm(rates, y, y, tolerance);
    let guess = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    let guess = guess.min(longest);
    let [moved, after] = work;
    moved.clear();
    moved.extend(y.iter().zip(rates).map(|(y, f)| y + guess * f));
    after.resize(y.len(), 0.0);
    match system.rates(time + guess, moved, after) {
        Ok(()) => {}
        Err(error) if system.may_pass(&error) => return Ok(guess),
        Err(error) => return Err(error),
    }
    after.iter_mut().zip(rates).for_each(|(after, f)| *after -= f);
    let bend = error_norm(after, y, y, tolerance) / guess;
    let largest = bend.max(speed);
    let step = match largest <= 1e-15 {
        true => (guess * 1e-3).max(1e-6),
        false => (0.01 / largest).powf(1.0 / order as f64),
    };
    let step = step.min(100.0 * guess).min(longest);
    Ok(if step.is_finite() && step > 0.0 { step } else { guess })
}
