//! Rules and events on problems of known solution: the entries of integrators.json (ids in the tests), and end values
//! published in HairerNorsettWanner1993 and HairerWanner1996.

use std::convert::Infallible;

use nalgebra::DMatrix;

use super::*;

mod events;
mod fixed;
mod published;

/// A system by its rates, and its Jacobian if there is one.
struct Function<F> {
    size: usize,
    rates: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> OdeSystem for Function<F> {
    type Error = Infallible;

    fn size(&self) -> usize {
        self.size
    }

    fn rates(&mut self, time: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        (self.rates)(time, y, rates);
        Ok(())
    }
}

const METHODS: [Method; 4] =
    [Method::RungeKuttaFehlberg, Method::DormandPrince, Method::Adams, Method::Radau];

fn kepler(_: f64, y: &[f64], f: &mut [f64]) {
    let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
    f.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
}

fn orbit(e: f64) -> [f64; 4] {
    [1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()]
}

/// Values at `end`, and the work.
fn solve(
    system: &mut impl OdeSystem<Error = Infallible>,
    settings: OdeSettings,
    y: &[f64],
    [start, end]: [f64; 2],
) -> (Vec<f64>, OdeStatistics) {
    let mut solver = OdeSolver::new::<Infallible>(settings, y.len()).expect("settings");
    solver.start(system, start, y).expect("starts");
    solver.integrate(system, end).expect("reaches the end");
    (solver.y().to_vec(), solver.statistics())
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}
