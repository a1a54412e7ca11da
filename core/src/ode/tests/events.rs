//! INT-bouncing-ball, INT-relay, and switching functions that meet, turn, and do not end.

use super::*;

const G: f64 = 9.81;

/// A ball that springs back at height 0 until its speed is below one.
struct Ball {
    restitution: f64,
    rest_below: f64,
    drag: f64,
    /// Times and speeds of impacts.
    impacts: Vec<(f64, f64)>,
}

impl OdeSystem for Ball {
    type Error = Infallible;

    fn size(&self) -> usize {
        2
    }

    fn rates(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), Infallible> {
        f.copy_from_slice(&[y[1], -G + self.drag * y[1] * y[1]]);
        Ok(())
    }
}

impl SwitchedSystem for Ball {
    fn switch_count(&self) -> usize {
        1
    }

    fn crossing(&self, _: usize) -> Crossing {
        Crossing::Falling
    }

    fn switches(&mut self, _: f64, y: &[f64], values: &mut [f64]) -> Result<(), Infallible> {
        values[0] = y[0];
        Ok(())
    }

    fn react(&mut self, time: f64, y: &mut [f64], _: &[usize]) -> Result<Reaction, Infallible> {
        self.impacts.push((time, -y[1]));
        y.copy_from_slice(&[0.0, -self.restitution * y[1]]);
        let rests = y[1] < self.rest_below;
        Ok(if rests { Reaction::Stop } else { Reaction::Restart })
    }
}

fn bounce(method: Method, ball: &mut Ball, end: f64) -> Result<(Ended, f64), OdeError<Infallible>> {
    let settings = OdeSettings::new(method, 1e-12, 1e-12);
    let mut solver = OdeSolver::new::<Infallible>(settings, 2).expect("settings");
    run_to(&mut solver, ball, [0.0, end], &mut [1.0, 0.0])
}

#[test]
fn a_ball_strikes_at_its_exact_times_until_its_impacts_accumulate() {
    for method in METHODS {
        let ball = || Ball { restitution: 0.8, rest_below: 1e-9, drag: 0.0, impacts: Vec::new() };
        let mut ball = ball();
        let ended = bounce(method, &mut ball, 10.0);
        assert!(matches!(ended, Ok((Ended::Stopped, _))), "{method:?}: {ended:?}");
        let fall = (2.0 / G).sqrt();
        let mut exact = fall;
        for (n, &(time, speed)) in ball.impacts.iter().enumerate() {
            let power = 0.8f64.powi(n as i32);
            assert!((time - exact).abs() < 1e-9, "{method:?}, {n}: {time}, {exact}");
            assert!((speed - G * fall * power).abs() < 1e-8, "{method:?}, {n}: {speed}");
            exact += 2.0 * fall * 0.8 * power;
        }
        let zeno = 4.063712768871579;
        assert!((ball.impacts.last().expect("struck").0 - zeno).abs() < 1e-9, "{method:?}");
        assert!(ball.impacts.len() > 95, "{method:?}: {}", ball.impacts.len());
    }
}

#[test]
fn impacts_without_end_are_an_error_that_names_them() {
    let mut ball = Ball { restitution: 0.8, rest_below: -1.0, drag: 0.0, impacts: Vec::new() };
    let error = bounce(Method::DormandPrince, &mut ball, 10.0).expect_err("never ends");
    assert!(
        matches!(error, OdeError::Chattering { switch: 0, time, .. } if (time - 4.0637).abs() < 1e-4),
        "{error}"
    );
}

#[test]
fn a_ball_with_drag_strikes_at_the_time_of_its_closed_form() {
    for method in METHODS {
        let mut ball = Ball { restitution: 0.0, rest_below: 1.0, drag: 0.1, impacts: Vec::new() };
        bounce(method, &mut ball, 10.0).expect("strikes");
        let (time, speed) = ball.impacts[0];
        assert!((time - 0.45908531099233707).abs() < 1e-10, "{method:?}: {time}");
        assert!((speed - 4.216931719040516).abs() < 1e-9, "{method:?}: {speed}");
    }
}

/// x'' = -sign(x), with events or without.
struct Relay {
    side: f64,
    crossings: Vec<f64>,
}

impl OdeSystem for Relay {
    type Error = Infallible;

    fn size(&self) -> usize {
        2
    }

    fn rates(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), Infallible> {
        f.copy_from_slice(&[y[1], -self.side]);
        Ok(())
    }
}

impl SwitchedSystem for Relay {
    fn switch_count(&self) -> usize {
        1
    }

    fn crossing(&self, _: usize) -> Crossing {
        Crossing::Either
    }

    fn switches(&mut self, _: f64, y: &[f64], values: &mut [f64]) -> Result<(), Infallible> {
        values[0] = y[0];
        Ok(())
    }

    fn react(&mut self, time: f64, _: &mut [f64], _: &[usize]) -> Result<Reaction, Infallible> {
        self.crossings.push(time);
        self.side = -self.side;
        Ok(Reaction::Restart)
    }
}

#[test]
fn a_relay_switches_at_its_exact_times() {
    for method in METHODS {
        let mut relay = Relay { side: 1.0, crossings: Vec::new() };
        let settings = OdeSettings::new(method, 1e-10, 1e-10);
        let mut solver = OdeSolver::new::<Infallible>(settings, 2).expect("settings");
        let mut y = [1.0, 0.0];
        run_to(&mut solver, &mut relay, [0.0, 100.0], &mut y).expect("runs");
        assert_eq!(relay.crossings.len(), 35, "{method:?}");
        // Rounding of long steps, and the cubic polynomial of Radau.
        let allowed = if method == Method::Radau { 1e-7 } else { 1e-10 };
        for (k, time) in relay.crossings.iter().enumerate() {
            let exact = 2f64.sqrt() * (1 + 2 * k) as f64;
            assert!((time - exact).abs() < allowed, "{method:?}, {k}: {time}, {exact}");
        }
        assert!((y[0] + 0.4949366116653484).abs() < 10.0 * allowed, "{method:?}: {y:?}");
    }
}

/// A circle run through, with straight lines as switching functions: value = n . y - distance.
struct Lines {
    lines: Vec<([f64; 2], f64, Crossing)>,
    seen: Vec<(f64, Vec<usize>)>,
}

impl OdeSystem for Lines {
    type Error = Infallible;

    fn size(&self) -> usize {
        2
    }

    fn rates(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), Infallible> {
        f.copy_from_slice(&[-y[1], y[0]]);
        Ok(())
    }
}

impl SwitchedSystem for Lines {
    fn switch_count(&self) -> usize {
        self.lines.len()
    }

    fn crossing(&self, switch: usize) -> Crossing {
        self.lines[switch].2
    }

    fn switches(&mut self, _: f64, y: &[f64], values: &mut [f64]) -> Result<(), Infallible> {
        for (value, (n, distance, _)) in values.iter_mut().zip(&self.lines) {
            *value = n[0] * y[0] + n[1] * y[1] - distance;
        }
        Ok(())
    }

    fn react(&mut self, time: f64, _: &mut [f64], fired: &[usize]) -> Result<Reaction, Infallible> {
        self.seen.push((time, fired.to_vec()));
        Ok(Reaction::Continue)
    }
}

/// Events of one revolution but a little, at steps as long as `max_step`.
fn events_on_circle(
    method: Method,
    lines: Vec<([f64; 2], f64, Crossing)>,
) -> Vec<(f64, Vec<usize>)> {
    let mut system = Lines { lines, seen: Vec::new() };
    let settings = OdeSettings::new(method, 1e-11, 1e-11);
    let mut solver = OdeSolver::new::<Infallible>(settings, 2).expect("settings");
    run_to(&mut solver, &mut system, [0.0, 6.0], &mut [1.0, 0.0]).expect("runs");
    system.seen
}

#[test]
fn many_events_come_in_order_each_once_and_those_of_one_time_together() {
    for method in METHODS {
        let lines = (1..40).map(|k| ([1.0, 0.0], 1.0 - 0.05 * f64::from(k), Crossing::Either));
        let both = ([0.0, 1.0], 1.0 - 1e-6, Crossing::Either);
        let twice = [([1.0, 0.0], 0.5, Crossing::Falling), both];
        let seen = events_on_circle(method, lines.chain(twice).collect());
        let times: Vec<f64> = seen.iter().map(|it| it.0).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{method:?}: {times:?}");
        let count: usize = seen.iter().map(|it| it.1.len()).sum();
        // All lines on the way down; on the way up those below cos 6 = 0.960; the arc above twice; the one at 0.5.
        assert_eq!(count, 39 + 39 + 2 + 1, "{method:?}");
        let half = seen.iter().find(|it| it.1.contains(&39)).expect("the falling one");
        let allowed = if method == Method::Radau { 1e-7 } else { 1e-9 };
        assert!((half.0 - 0.5f64.acos()).abs() < allowed, "{method:?}: {half:?}");
        assert!(half.1.contains(&9), "{method:?}: {half:?}");
    }
}

/// The value is beyond zero for an arc of 0.09 within steps that are longer.
#[test]
fn a_function_that_dips_below_zero_within_a_step_is_found() {
    for method in METHODS {
        let distance = 0.045f64.cos();
        let seen = events_on_circle(method, vec![([-1.0, 0.0], distance, Crossing::Either)]);
        let pi = std::f64::consts::PI;
        let times: Vec<f64> = seen.iter().map(|it| it.0).collect();
        assert_eq!(times.len(), 2, "{method:?}: {times:?}");
        for (time, exact) in times.iter().zip([pi - 0.045, pi + 0.045]) {
            // The polynomial of Radau is of order three.
            assert!((time - exact).abs() < 1e-7, "{method:?}: {time}, {exact}");
        }
    }
}

#[test]
fn a_sense_that_is_not_asked_for_is_no_event() {
    for (sense, expected) in [
        (Crossing::Falling, 0.5f64.acos()),
        (Crossing::Rising, 2.0 * std::f64::consts::PI - 0.5f64.acos()),
    ] {
        let seen = events_on_circle(Method::DormandPrince, vec![([1.0, 0.0], 0.5, sense)]);
        assert_eq!(seen.len(), 1, "{sense:?}: {seen:?}");
        assert!((seen[0].0 - expected).abs() < 1e-9, "{sense:?}: {seen:?}");
    }
}
