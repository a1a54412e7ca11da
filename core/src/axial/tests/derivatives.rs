//! Derivatives by differences, continuity, and energy -> force.

use super::*;

/// Differences are taken over 1e-6 m and 1e-6 m/s; compared are forces, to 3e-11 of about 1000 N:
/// the rounding of a balanced muscle, and the turn of the force-velocity curves at rest.
#[test]
fn derivatives_are_those_of_the_force() {
    let mut compared = 0;
    for law in laws() {
        for step in [0.0, 0.001, 0.02] {
            let mut state = [0.0; 2];
            let rest = AxialInput {
                length: 0.26,
                rest_length: 0.2531,
                excitation: 0.4,
                ..Default::default()
            };
            let past = past(law, step, &mut state, &rest);
            for input in grid() {
                let at = |i: AxialInput| law.tension(&i, &past).force;
                let found = law.tension(&input, &past);
                let scale = 1000.0 + found.force.abs();
                let triples = [
                    (found.by_length, input.length, 1e-6, 0),
                    (found.by_rate, input.rate, 1e-6, 1),
                    (found.by_excitation, input.excitation, 1e-5, 2),
                ];
                for (value, x, size, which) in triples {
                    let numeric = slope(
                        |x| {
                            let mut i = input;
                            *[&mut i.length, &mut i.rate, &mut i.excitation][which] = x;
                            at(i)
                        },
                        x,
                        size,
                    );
                    let kink = match which {
                        // This ligament is damped only while it lengthens; this fibre is stiffer then.
                        1 if ["blankevoort1991", "schutte1993"].contains(&law.kind().name) => {
                            x == 0.0
                        }
                        // A muscle at rest that pulls nothing does not push on the other side.
                        1 | 2 if found.force == 0.0 => x == 0.0,
                        // Activation ends where excitation does.
                        2 => (x == 0.0 || x == 1.0) && law.get("activation").is_some(),
                        _ => false,
                    };
                    let error = (numeric - value).abs() * size / scale;
                    assert!(
                        kink || error < 3e-11,
                        "{law:?} step {step} {input:?}: {which}: {value}, by differences {numeric}"
                    );
                    compared += usize::from(!kink);
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} derivatives were compared");
}

/// Two neighbours differ by no more than the steeper of their slopes says: no law jumps in length,
/// rate or excitation. (Two ligaments are damped only when taut: they jump when they move. A fibre
/// near a right angle to its tendon may have two balances; lengths where it is stand aside.)
#[test]
fn no_law_jumps() {
    const COUNT: usize = 8000;
    for law in laws() {
        let mut state = [0.0; 2];
        let rest = AxialInput { length: 0.26, rest_length: 0.25, excitation: 0.4, rate: 0.0 };
        let past = past(law, 0.01, &mut state, &rest);
        let ligament = ["blankevoort1991", "uw_ligament"].contains(&law.kind().name);
        let rate = if ligament { 0.0 } else { -0.3 };
        for which in 0..3 {
            let shortest = if law.get("tendon").is_some() { 0.2 } else { 0.0 };
            let (from, to) = [(shortest, 0.5), (-2.0, 2.0), (0.0, 1.0)][which];
            let width = (to - from) / COUNT as f64;
            let at = |k: usize| {
                let mut i = AxialInput { length: 0.29, rest_length: 0.25, excitation: 0.7, rate };
                *[&mut i.length, &mut i.rate, &mut i.excitation][which] = from + width * k as f64;
                let t = law.tension(&i, &past);
                (t.force, [t.by_length, t.by_rate, t.by_excitation][which].abs())
            };
            let mut before = at(0);
            for k in 1..=COUNT {
                let here = at(k);
                // A tenth for the curvature between the two.
                let allowed = 1.1 * width * before.1.max(here.1) + 1e-3 * width * 1e3;
                let jump = (here.0 - before.0).abs();
                assert!(
                    jump <= allowed,
                    "{law:?}: {jump} N at {which} {}",
                    from + width * k as f64
                );
                before = here;
            }
        }
    }
}

/// The force at rest of every passive law but the Maxwell element, which keeps no energy.
#[test]
fn the_force_of_a_passive_law_is_the_slope_of_its_energy() {
    let mut with_energy = 0;
    for law in laws() {
        for input in grid().iter().filter(|i| i.rate == 0.0 && i.excitation == 0.0) {
            let rest = input.rest_length;
            let Some(energy) = law.energy(input.length, rest) else {
                assert!(law.is_muscle() || law.kind().name == "maxwell");
                continue;
            };
            with_energy += 1;
            let force = law.tension(input, &Past::NONE).force;
            let numeric = slope(|l| law.energy(l, rest).unwrap(), input.length, 1e-4);
            let scale = 100.0 + force.abs() + energy.abs();
            assert!((numeric - force).abs() < 1e-7 * scale, "{law:?} {input:?}: {force} {numeric}");
        }
    }
    assert!(with_energy > 90, "{with_energy}");
}

/// Tension and state at the end of a step, by what a law knows of it in the order of [`StepSlope`].
fn end_of(law: &AxialLaw, known: [f64; 6], step: f64) -> [f64; 3] {
    let mut state = [known[BY_STATE], known[BY_STATE + 1]];
    let own = &mut state[..law.state_len()];
    let before =
        Before { step, length: known[BY_LENGTH_BEFORE], excitation: known[BY_EXCITATION_EARLIER] };
    let (length, excitation) = (known[BY_LENGTH], known[BY_EXCITATION]);
    let input = AxialInput { length, rate: 0.1, rest_length: 0.2531, excitation };
    let force = law.tension(&input, &Past { before, state: own }).force;
    law.advance(&input, &before, own);
    [force, state[0], state[1]]
}

/// Compares the slopes of a step that ends at a length and an excitation; their number that is not zero. To 3e-11 of about
/// 1000 N and to 1e-12 of numbers of the state, over changes of 1e-6.
fn compare_slopes(law: &AxialLaw, step: f64, (length, excitation): (f64, f64)) -> usize {
    let rest = AxialInput { length: 0.26, rate: 0.0, rest_length: 0.2531, excitation: 0.4 };
    let (mut state, count) = ([0.0; 2], law.state_len());
    law.start(&rest, &mut state[..count]);
    let known = [state[0], state[1], 0.2605, length, excitation + 0.02, excitation];
    let input = AxialInput { length, rate: 0.1, rest_length: 0.2531, excitation };
    let before = Before { step, length: 0.2605, excitation: excitation + 0.02 };
    let slopes = law.slopes(&input, &Past { before, state: &state[..count] });
    let mut compared = 0;
    // A Maxwell element has one number.
    for by in (0..known.len()).filter(|by| *by != BY_STATE + 1 || count > 1) {
        for (of, found) in
            [slopes.force, slopes.state[0], slopes.state[1]][..=count].iter().enumerate()
        {
            let moved = |x: f64| {
                let mut known = known;
                known[by] = x;
                end_of(law, known, step)[of]
            };
            let (numeric, found) = (slope(moved, known[by], 1e-6), found[by]);
            let error = (numeric - found).abs() * 1e-6;
            assert!(
                error < if of == 0 { 3e-8 } else { 1e-12 },
                "{law:?} step {step} {input:?}: {of} by {by}: {found}, by differences {numeric}"
            );
            compared += usize::from(found != 0.0);
        }
    }
    compared
}

#[test]
fn slopes_of_a_step_are_those_of_the_tension_and_of_the_state() {
    let inputs = [(0.2513, 0.2), (0.2619, 0.7), (0.2777, 0.7), (0.2903, 0.3)];
    let mut compared = 0;
    for law in laws().iter().filter(|law| law.state_len() > 0) {
        for step in [0.001, 0.02] {
            compared += inputs.iter().map(|input| compare_slopes(law, step, *input)).sum::<usize>();
        }
    }
    assert!(compared > 500, "only {compared} derivatives were compared");
}
