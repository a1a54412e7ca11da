//! Contracts that every law of the list keeps, and properties of single ones: common helpers.

mod activation;
mod catalogue;
mod curves;
mod derivatives;
mod equilibrium;
mod properties;
mod values;

use std::sync::LazyLock;

use super::{
    AxialInput, AxialLaw, BY_EXCITATION, BY_EXCITATION_EARLIER, BY_LENGTH, BY_LENGTH_BEFORE,
    BY_STATE, Before, Constants, KINDS, Past, Range, TensionLaw, Value,
};

/// Every kind of law with constants that make every term of it work, at the size of a muscle, and
/// variants of those with choices.
fn laws() -> &'static [AxialLaw] {
    static LAWS: LazyLock<Vec<AxialLaw>> = LazyLock::new(sized_laws);
    &LAWS
}

fn sized_laws() -> Vec<AxialLaw> {
    let mut laws: Vec<AxialLaw> = KINDS
        .iter()
        .map(|kind| {
            let mut law = AxialLaw::from_name(kind.name).unwrap();
            for (constant, value) in SIZES {
                if kind.constants.iter().any(|c| c.name == *constant) {
                    law.set(constant, Value::Number(*value)).unwrap();
                }
            }
            law
        })
        .collect();
    let choices = |law: &AxialLaw| -> Vec<AxialLaw> {
        let mut variants = Vec::new();
        for constant in law.kind().constants {
            if let Range::OneOf(names) = constant.range {
                for name in names {
                    let mut variant = *law;
                    variant.set(constant.name, Value::Choice(name)).unwrap();
                    variants.push(variant);
                }
            }
        }
        variants
    };
    let variants: Vec<AxialLaw> = laws.iter().flat_map(choices).collect();
    laws.extend(variants);
    laws
}

const SIZES: &[(&str, f64)] = &[
    ("force", 3.0),
    ("stiffness", 700.0),
    ("elongation_stiffness", 900.0),
    ("compression_stiffness", 200.0),
    ("blend", 0.1),
    ("damping", 5.0),
    ("max_force", 100.0),
    ("optimal_length", 0.25),
    ("max_length", 0.35),
    ("tendon_ratio", 0.3),
    ("passive_fraction", 0.2),
    ("slack_length", 0.24),
    ("reference_strain", 0.05),
    ("tendon_slack_length", 0.15),
    ("pennation", 0.3),
    ("fibre_damping", 0.1),
    ("blend_interval", 0.02),
    ("fibre_ratio", 0.5),
    ("sarcomere_length", 2.5),
];

fn past<'a>(law: &AxialLaw, step: f64, state: &'a mut [f64; 2], rest: &AxialInput) -> Past<'a> {
    law.start(rest, state);
    Past::unchanged(rest, step, &state[..law.state_len()])
}

/// Inputs off every kink of [`laws`], from no length to a long one.
fn grid() -> Vec<AxialInput> {
    let mut inputs = Vec::new();
    for length in [0.0, 0.013, 0.091, 0.1987, 0.2331, 0.2513, 0.2619, 0.2777, 0.3203, 0.3907] {
        for rate in [-0.9, -0.1303, 0.0, 0.0702, 0.3909, 1.307] {
            for excitation in [0.0, 0.33, 1.0] {
                inputs.push(AxialInput { length, rate, rest_length: 0.2531, excitation });
            }
        }
    }
    inputs
}

/// Slope of f at x by central differences of fourth order: the error is that of rounding.
fn slope(f: impl Fn(f64) -> f64, x: f64, size: f64) -> f64 {
    let d = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    (4.0 * d(0.5 * size) - d(size)) / 3.0
}
