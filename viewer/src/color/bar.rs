//! Numbers beside the bar of a colour map, and along a grid.

use sinew::snapshot::Quantity;

/// A number on a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The number.
    pub value: f64,
    /// As it is written.
    pub text: String,
}

/// Prefixes of units by powers of a thousand.
const PREFIXES: [(f64, &str); 8] = [
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
];

/// Text in place of a prefix where there is no unit.
const FACTORS: [(f64, &str); 4] = [(1e-3, "-"), (1e-6, "10⁻³"), (1e-9, "10⁻⁶"), (0.0, "10⁻⁹")];

/// Round numbers (1, 2 or 5 times a power of ten) in a range, some `count` of them.
pub fn ticks([low, high]: [f64; 2], count: usize, scale: f64) -> Vec<Tick> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite() && scale > 0.0) {
        return Vec::new();
    }
    let step = round_step(span / count.max(1) as f64);
    // A step far below the last digit of its numbers would never come to an end.
    if low + 0.5 * step == low && low != 0.0 {
        return Vec::new();
    }
    let first = (low / step - 1e-6).ceil() as i64;
    let last = (high / step + 1e-6).floor() as i64;
    let digits = (-(step / scale).log10().floor()).clamp(0.0, 9.0) as usize;
    let tick = |k: i64| {
        let value = k as f64 * step;
        // No minus before nothing.
        let shown = if k == 0 { 0.0 } else { value / scale };
        Tick { value, text: format!("{shown:.digits$}") }
    };
    (first..=last).take(4 * count.max(1) + 4).map(tick).collect()
}

/// The least of 1, 2, 5 times a power of ten that is `least` or more.
pub(crate) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let found = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    found.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// Number of units in the prefixed unit in which the numbers of a range have few digits, and that
/// unit.
pub(crate) fn prefixed(greatest: f64, unit: &str) -> (f64, String) {
    if unit.is_empty() || greatest <= 0.0 || !greatest.is_finite() {
        return (1.0, unit.to_owned());
    }
    if unit == "-" {
        let place = FACTORS.iter().position(|(least, _)| greatest >= *least).unwrap_or(0);
        return (1e-3f64.powi(place as i32), FACTORS[place].1.to_owned());
    }
    let fits = PREFIXES.iter().find(|(scale, _)| greatest >= *scale * (1.0 - 1e-9));
    let (scale, prefix) = fits.unwrap_or(&PREFIXES[PREFIXES.len() - 1]);
    (*scale, format!("{prefix}{unit}"))
}

/// The title of a bar, and how many of the unit make one of the unit that the title names.
pub fn bar_title(quantity: Quantity, range: [f32; 2]) -> (String, f64) {
    let name = match quantity {
        Quantity::None => "",
        Quantity::VonMises => "von Mises stress",
        Quantity::EnergyDensity => "strain energy density",
        Quantity::Strain => "largest principal strain",
        Quantity::Displacement => "displacement",
        Quantity::Speed => "speed",
        Quantity::Pressure => "pressure",
        Quantity::ContactPressure => "contact pressure",
        Quantity::ShearModulus => "shear modulus at rest",
        Quantity::Density => "density",
    };
    let greatest = f64::from(range[0].abs().max(range[1].abs()));
    let (scale, unit) = prefixed(greatest, quantity.unit());
    (format!("{name} [{unit}]"), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: [f64; 2], count: usize, scale: f64) -> Vec<String> {
        ticks(range, count, scale).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn numbers_on_a_scale_are_round_and_within_its_ends() {
        assert_eq!(texts([0.0, 1.0], 5, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts([-3.0, 7.0], 4, 1.0), ["0", "5"]);
        assert_eq!(texts([0.0, 1234.0], 4, 1e3), ["0.0", "0.5", "1.0"]);
        assert_eq!(texts([-0.0121, 0.013], 3, 1e-3), ["-10", "0", "10"]);
    }

    #[test]
    fn a_range_without_a_span_has_no_numbers_and_one_far_from_zero_ends() {
        assert!(ticks([1.0, 1.0], 5, 1.0).is_empty());
        assert!(ticks([0.0, f64::NAN], 5, 1.0).is_empty());
        assert!(ticks([1e20, 1e20 + 1e5], 5, 1.0).len() <= 24);
    }

    #[test]
    fn the_unit_of_a_bar_fits_its_numbers() {
        let title = |range| bar_title(Quantity::VonMises, range);
        assert_eq!(title([0.0, 800.0]), ("von Mises stress [Pa]".to_owned(), 1.0));
        assert_eq!(title([0.0, 2.5e6]), ("von Mises stress [MPa]".to_owned(), 1e6));
        assert_eq!(bar_title(Quantity::Displacement, [0.0, 4e-3]).0, "displacement [mm]");
        assert_eq!(bar_title(Quantity::Strain, [0.0, 0.3]).0, "largest principal strain [-]");
        let small = bar_title(Quantity::Strain, [0.0, 4e-5]);
        assert_eq!(small.0, "largest principal strain [10⁻³]");
        assert!((small.1 - 1e-3).abs() < 1e-15, "{}", small.1);
    }
}
