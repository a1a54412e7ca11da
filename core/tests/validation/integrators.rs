//! Rules of variable step on any function: INT-* of the reference data, and end values published in HairerNorsettWanner1993
//! and HairerWanner1996.

use std::convert::Infallible;

use sinew::ode::{
    Crossing, Method, OdeError, OdeSettings, OdeSolver, OdeSystem, Reaction, SwitchedSystem, run_to,
};

use super::table::{Group, Row};

const METHODS: [(Method, &str); 4] = [
    (Method::RungeKuttaFehlberg, "Runge-Kutta-Fehlberg"),
    (Method::DormandPrince, "Dormand-Prince"),
    (Method::Adams, "Adams-Bashforth-Moulton"),
    (Method::Radau, "Radau IIA"),
];
/// INT-kepler, eccentricity 0.9, t = 63.8318530718: x.
const KEPLER: f64 = -1.1871884663458625;
/// Mass of the moon, and the period of the orbit of Arenstorf.
const MOON: f64 = 0.012277471;
const PERIOD: f64 = 17.065_216_560_157_963;
/// Values of van der Pol's oscillator at t = 2, and of Robertson's first reactant at t = 1e11.
const VAN_DER_POL: f64 = 0.1706167732170483e1;
const ROBERTSON: f64 = 0.2083340149701255e-7;
/// INT-relay, x at t = 100.
const RELAY: f64 = -0.4949366116653484;

/// A system by its rates; those of a relay change their sign where x is zero.
struct Function<F> {
    size: usize,
    side: f64,
    rates: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> OdeSystem for Function<F> {
    type Error = Infallible;

    fn size(&self) -> usize {
        self.size
    }

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        (self.rates)(self.side, y, rates);
        Ok(())
    }
}

impl<F: FnMut(f64, &[f64], &mut [f64])> SwitchedSystem for Function<F> {
    fn switch_count(&self) -> usize {
        usize::from(self.side != 0.0)
    }

    fn crossing(&self, _: usize) -> Crossing {
        Crossing::Either
    }

    fn switches(&mut self, _: f64, y: &[f64], values: &mut [f64]) -> Result<(), Infallible> {
        values.iter_mut().for_each(|value| *value = y[0]);
        Ok(())
    }

    fn react(&mut self, _: f64, _: &mut [f64], _: &[usize]) -> Result<Reaction, Infallible> {
        self.side = -self.side;
        Ok(Reaction::Restart)
    }
}

/// The first value at `end`, at this tolerance.
fn first_at(
    rates: impl FnMut(f64, &[f64], &mut [f64]),
    (start, side): (&[f64], f64),
    end: f64,
    settings: OdeSettings,
) -> f64 {
    let mut system = Function { size: start.len(), side, rates };
    let mut y = start.to_vec();
    let solver: Result<OdeSolver, OdeError<Infallible>> = OdeSolver::new(settings, y.len());
    let mut solver = solver.expect("settings have a meaning");
    run_to(&mut solver, &mut system, [0.0, end], &mut y).expect("reaches the end");
    y[0]
}

fn kepler(_: f64, y: &[f64], f: &mut [f64]) {
    let cube = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
    f.copy_from_slice(&[y[2], y[3], -y[0] / cube, -y[1] / cube]);
}

fn arenstorf(_: f64, y: &[f64], f: &mut [f64]) {
    let earth = 1.0 - MOON;
    let d1 = ((y[0] + MOON).powi(2) + y[1] * y[1]).powf(1.5);
    let d2 = ((y[0] - earth).powi(2) + y[1] * y[1]).powf(1.5);
    (f[0], f[1]) = (y[2], y[3]);
    f[2] = y[0] + 2.0 * y[3] - earth * (y[0] + MOON) / d1 - MOON * (y[0] - earth) / d2;
    f[3] = y[1] - 2.0 * y[2] - earth * y[1] / d1 - MOON * y[1] / d2;
}

fn van_der_pol(_: f64, y: &[f64], f: &mut [f64]) {
    f.copy_from_slice(&[y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6]);
}

fn robertson(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
}

pub(crate) fn groups() -> Vec<Group> {
    let mut rows = Vec::new();
    for (method, name) in METHODS {
        let fine = || OdeSettings::new(method, 1e-12, 1e-12);
        let orbit = [0.1, 0.0, 0.0, 19f64.sqrt()];
        let x = first_at(kepler, (&orbit, 0.0), 63.8318530718, fine());
        rows.push(Row::new(
            format!("INT-kepler, e = 0.9, {name}"),
            "x after ten revolutions",
            (KEPLER, x),
            1e-6,
        ));
        let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
        let x = first_at(arenstorf, (&start, 0.0), PERIOD, fine());
        rows.push(Row::new(format!("Arenstorf, {name}"), "x after a period", (0.994, x), 1e-4));
        let relay = |side: f64, y: &[f64], f: &mut [f64]| f.copy_from_slice(&[y[1], -side]);
        let x = first_at(relay, (&[1.0, 0.0], 1.0), 100.0, fine());
        rows.push(Row::new(
            format!("INT-relay, {name}"),
            "x at 100 s, after 35 events",
            (RELAY, x),
            1e-8,
        ));
    }
    let stiff = OdeSettings::new(Method::Radau, 1e-9, 1e-9);
    let x = first_at(van_der_pol, (&[2.0, -0.66], 0.0), 2.0, stiff.clone());
    rows.push(Row::new("van der Pol, 1e-6, Radau IIA", "x at 2 s", (VAN_DER_POL, x), 1e-6));
    let mut settings = stiff;
    settings.tolerance.absolute = vec![1e-14, 1e-20, 1e-14];
    let x = first_at(robertson, (&[1.0, 0.0, 0.0], 0.0), 1e11, settings);
    rows.push(Row::new("Robertson, Radau IIA", "first reactant at 1e11 s", (ROBERTSON, x), 1e-5));
    vec![Group {
        title: "Rules of variable step",
        text: "Functions by the rules of [integrators.md](integrators.md) at tolerances of 1e-12, stiff ones of 1e-9. The end values of van der Pol and Robertson are those of HairerWanner1996.",
        rows,
    }]
}

#[test]
fn rules_of_variable_step_meet_published_values() {
    groups().iter().for_each(Group::check);
}
