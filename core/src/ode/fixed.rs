//! Single steps of fixed rules, for comparison: errors of a rule show here without any control.

use nalgebra::DMatrix;

use super::adams::Adams;
use super::lu::Lu;
use super::problem::OdeSystem;
use super::runge_kutta::combine;
use super::tableau::{DORMAND_PRINCE, FEHLBERG, FEHLBERG_4, FEHLBERG_5};

/// Rules of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedRule {
    /// Explicit Euler, order 1.
    ExplicitEuler,
    /// Backward Euler, order 1, L-stable.
    BackwardEuler,
    /// Trapezoidal rule, order 2, A-stable.
    Trapezoidal,
    /// The classical Runge-Kutta rule, order 4 (Kutta1901).
    RungeKutta4,
    /// The rule of order 4 of Fehlberg's pair.
    Fehlberg4,
    /// The rule of order 5 of Fehlberg's pair.
    Fehlberg5,
    /// The rule of order 5 of Dormand and Prince.
    DormandPrince5,
}

/// Most iterations of an implicit step.
const MAX_ITERATIONS: usize = 20;
/// Update over the size of a value at which the iteration ends [-].
const UPDATE: f64 = 1e-15;

/// Takes a step of `h` from `y`, in place.
///
/// # Errors
/// Those of the system.
pub fn fixed_step<S: OdeSystem + ?Sized>(
    system: &mut S,
    rule: FixedRule,
    (time, h): (f64, f64),
    y: &mut [f64],
) -> Result<(), S::Error> {
    const KUTTA: [&[f64]; 4] = [&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];
    let sixth = 1.0 / 6.0;
    let (c, a, b): (&[f64], &[&[f64]], &[f64]) = match rule {
        FixedRule::BackwardEuler => return implicit_step(system, (time, h), y, 1.0),
        FixedRule::Trapezoidal => return implicit_step(system, (time, h), y, 0.5),
        FixedRule::ExplicitEuler => (&[0.0], &[&[]], &[1.0]),
        FixedRule::RungeKutta4 => {
            (&[0.0, 0.5, 0.5, 1.0], &KUTTA, &[sixth, 2.0 * sixth, 2.0 * sixth, sixth])
        }
        FixedRule::Fehlberg4 => (FEHLBERG.c, FEHLBERG.a, &FEHLBERG_4),
        FixedRule::Fehlberg5 => (FEHLBERG.c, FEHLBERG.a, &FEHLBERG_5),
        FixedRule::DormandPrince5 => (DORMAND_PRINCE.c, DORMAND_PRINCE.a, DORMAND_PRINCE.b),
    };
    let mut rates: Vec<Vec<f64>> = Vec::with_capacity(c.len());
    let mut place = y.to_vec();
    for stage in 0..c.len() {
        combine(&mut place, y, h, a[stage], &rates);
        let mut rate = vec![0.0; y.len()];
        system.rates(time + c[stage] * h, &place, &mut rate)?;
        rates.push(rate);
    }
    combine(&mut place, y, h, b, &rates);
    y.copy_from_slice(&place);
    Ok(())
}

/// y1 = y0 + h ((1 - w) f0 + w f1) by Newton's method.
fn implicit_step<S: OdeSystem + ?Sized>(
    system: &mut S,
    (time, h): (f64, f64),
    y: &mut [f64],
    weight: f64,
) -> Result<(), S::Error> {
    let size = y.len();
    let (mut known, mut rates, mut moved) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    system.rates(time, y, &mut rates)?;
    known.iter_mut().zip(&*y).zip(&rates).for_each(|((k, y), f)| *k = y + h * (1.0 - weight) * f);
    let (mut jacobian, mut lu) = (DMatrix::zeros(size, size), Lu::new(size));
    for _ in 0..MAX_ITERATIONS {
        system.rates(time + h, y, &mut rates)?;
        if !system.jacobian(time + h, y, &mut jacobian)? {
            let mut after = vec![0.0; size];
            for k in 0..size {
                moved.copy_from_slice(y);
                moved[k] += (f64::EPSILON * y[k].abs().max(1e-5)).sqrt();
                system.rates(time + h, &moved, &mut after)?;
                let step = moved[k] - y[k];
                (0..size).for_each(|i| jacobian[(i, k)] = (after[i] - rates[i]) / step);
            }
        }
        lu.matrix.copy_from(&jacobian);
        lu.matrix *= -h * weight;
        (0..size).for_each(|k| lu.matrix[(k, k)] += 1.0);
        lu.factor();
        for i in 0..size {
            moved[i] = known[i] + h * weight * rates[i] - y[i];
        }
        lu.solve(&mut moved);
        y.iter_mut().zip(&moved).for_each(|(y, update)| *y += update);
        if moved.iter().zip(&*y).all(|(update, y)| update.abs() <= UPDATE * y.abs()) {
            break;
        }
    }
    Ok(())
}

/// Takes a step of `h` to y at `time` + h by Adams-Bashforth-Moulton (PECE), predictor and corrector of the order of the number
/// of `history`, the rates at `times`, the earliest first and the last those of `y`.
///
/// # Errors
/// Those of the system.
pub fn adams_step<S: OdeSystem + ?Sized>(
    system: &mut S,
    (times, history): (&[f64], &[Vec<f64>]),
    h: f64,
    y: &mut [f64],
) -> Result<(), S::Error> {
    let (mut end, mut work) = (vec![0.0; y.len()], vec![0.0; y.len()]);
    let mut rule = Adams::new(y.len());
    rule.seed(times, history);
    let time = times.last().copied().unwrap_or(0.0);
    rule.correct(system, (time, h), y, (&mut end, &mut work), false)?;
    y.copy_from_slice(&end);
    Ok(())
}
