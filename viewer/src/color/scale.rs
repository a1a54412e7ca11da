//! From values of a field to numbers on a colour map: the ends of the range, linear or by factors.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use sinew::snapshot::{Field, Quantity};

use super::bar::{Tick, round_step, ticks};

/// Decades that a logarithmic range has at most, where its least value is taken from the field.
const MOST_DECADES: f32 = 1e6;

/// Ends of the colour map. In files `null`, `[low, high]` or
/// `{ "percentiles": [low, high] }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ColorRange {
    /// The least and the greatest value.
    #[default]
    Full,
    /// These values.
    Fixed([f32; 2]),
    /// The values that this many of a hundred points are below [%].
    Percentiles {
        /// At the lower and at the upper end [%].
        percentiles: [f32; 2],
    },
}

impl ColorRange {
    /// True if its numbers rise; percentiles within 0 and 100.
    pub fn is_valid(&self) -> bool {
        match *self {
            Self::Full => true,
            Self::Fixed([low, high]) => low < high && low.is_finite() && high.is_finite(),
            Self::Percentiles { percentiles: [low, high] } => {
                low < high && (0.0..=100.0).contains(&low) && (0.0..=100.0).contains(&high)
            }
        }
    }
}

/// Written form of the ends of a colour map.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenRange {
    Ends([f32; 2]),
    Percentiles { percentiles: [f32; 2] },
}

/// Two numbers, the smaller one first; two percentiles; or none.
pub(crate) fn rising<'d, D: Deserializer<'d>>(from: D) -> Result<ColorRange, D::Error> {
    let range = match Option::<WrittenRange>::deserialize(from)? {
        None => ColorRange::Full,
        Some(WrittenRange::Ends(ends)) => ColorRange::Fixed(ends),
        Some(WrittenRange::Percentiles { percentiles }) => ColorRange::Percentiles { percentiles },
    };
    let why = || D::Error::custom(format!("the range {range:?} does not rise, or is none"));
    range.is_valid().then_some(range).ok_or_else(why)
}

/// Numbers on a colour map for the values of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorScale {
    /// Values at the ends; equal for a field that is the same everywhere.
    pub range: [f32; 2],
    /// True if equal factors, rather than equal differences, have equal steps of colour.
    pub log: bool,
}

impl ColorScale {
    /// The scale of a field between these ends; `log` asks for equal steps of colour for equal factors.
    pub fn of(field: &Field, ends: ColorRange, log: bool) -> Self {
        let range = match ends {
            ColorRange::Fixed(given) if ends.is_valid() => given,
            ColorRange::Percentiles { percentiles } if ends.is_valid() => {
                percentile_range(field, percentiles)
            }
            ColorRange::Full | ColorRange::Fixed(_) | ColorRange::Percentiles { .. } => field.range,
        };
        let range = without_noise(ordered(range), ends);
        match log.then(|| positive_range(range, field)).flatten() {
            Some(range) => Self { range, log: true },
            None => Self { range, log: false },
        }
    }

    /// The one value of a field that is the same everywhere.
    pub fn constant(&self) -> Option<f32> {
        let [low, high] = self.range;
        // A span whose inverse is no number in f32 has no colours.
        (!(high - low).recip().is_finite()).then_some(low)
    }

    /// Number on the map of a value: 0 and 1 at the ends, beyond them outside; 0.5 of a constant.
    pub fn number(&self, value: f32) -> f32 {
        let [low, high] = self.range;
        if self.constant().is_some() {
            return 0.5;
        }
        if !self.log {
            return (value - low) / (high - low);
        }
        if value > 0.0 { (value / low).ln() / (high / low).ln() } else { f32::MIN }
    }

    /// Numbers beside the bar, in a unit of which one is `unit`: round ones, one for a constant field.
    pub fn ticks(&self, unit: f64) -> Vec<Tick> {
        let [low, high] = self.range.map(f64::from);
        if self.constant().is_some() {
            return vec![Tick { value: low, text: significant(low / unit) }];
        }
        if !self.log {
            return ticks([low, high], 5, unit);
        }
        let [first, last] = [low.log10().ceil() as i32, high.log10().floor() as i32];
        if first >= last {
            // Less than two powers of ten: the ends.
            return [low, high]
                .map(|value| Tick { value, text: significant(value / unit) })
                .to_vec();
        }
        let step = round_step(f64::from(last - first) / 6.0).max(1.0) as usize;
        let tick = |power: i32| {
            let value = 10f64.powi(power);
            Tick { value, text: significant(value / unit) }
        };
        (first..=last).step_by(step).map(tick).collect()
    }
}

/// Three digits that count.
fn significant(x: f64) -> String {
    let magnitude = if x == 0.0 { 0.0 } else { x.abs().log10().floor() };
    if !(-4.0..6.0).contains(&magnitude) {
        return format!("{x:.2e}");
    }
    let text = format!("{x:.*}", (2.0 - magnitude).max(0.0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Greatest value that is what rounding leaves of nothing, in any of the units of quantities.
const NOISE: f32 = 1e-9;

/// A range that holds nothing but rounding errors as a constant of 0, unless its ends were given.
fn without_noise(range: [f32; 2], given: ColorRange) -> [f32; 2] {
    let is_given = matches!(given, ColorRange::Fixed(_));
    let noise = range.iter().all(|end| end.abs() < NOISE);
    if noise && !is_given { [0.0; 2] } else { range }
}

/// The same range with ends that are numbers, the smaller one first.
fn ordered([low, high]: [f32; 2]) -> [f32; 2] {
    let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
    let [low, high] = [finite(low), finite(high)];
    [low, high.max(low)]
}

/// Values that so many of a hundred finite values are below [%].
fn percentile_range(field: &Field, percentiles: [f32; 2]) -> [f32; 2] {
    let mut values: Vec<f32> = field.values.iter().copied().filter(|x| x.is_finite()).collect();
    if values.is_empty() || field.quantity == Quantity::None {
        return field.range;
    }
    let last = values.len() - 1;
    percentiles.map(|percent| {
        let place = (last as f32 * percent / 100.0).round() as usize;
        *values.select_nth_unstable_by(place.min(last), f32::total_cmp).1
    })
}

/// Ends above 0 for a logarithmic range, the lower one that of the field where none was given; `None` where no
/// value is above 0.
fn positive_range([low, high]: [f32; 2], field: &Field) -> Option<[f32; 2]> {
    if high <= 0.0 {
        return None;
    }
    let positive = field.values.iter().copied().filter(|x| *x > 0.0);
    let least =
        if low > 0.0 { low } else { positive.fold(high, f32::min).max(high / MOST_DECADES) };
    (least > 0.0).then_some([least, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(values: &[f32]) -> Field {
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Field { quantity: Quantity::VonMises, values: values.to_vec(), range: [low, high] }
    }

    fn scale(range: ColorRange, log_colors: bool, values: &[f32]) -> ColorScale {
        ColorScale::of(&field(values), range, log_colors)
    }

    fn texts(scale: ColorScale) -> Vec<String> {
        scale.ticks(1.0).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn a_field_that_is_the_same_everywhere_has_one_number_and_the_colour_in_the_middle() {
        for (value, text) in [(0.0, "0"), (9.81, "9.81"), (-2.5e7, "-2.50e7")] {
            let constant = scale(ColorRange::Full, false, &[value; 4]);
            assert_eq!((constant.constant(), constant.number(value)), (Some(value), 0.5));
            assert_eq!(texts(constant), [text]);
        }
        assert_eq!(scale(ColorRange::Full, false, &[1.0, 2.0]).constant(), None);
        // What is left of the stress of a tissue at rest.
        assert_eq!(texts(scale(ColorRange::Full, false, &[1e-12, 3e-14])), ["0"]);
    }

    #[test]
    fn percentiles_leave_out_the_few_values_that_are_far_from_all_others() {
        let mut values: Vec<f32> = (0..=100).map(|k| k as f32).collect();
        values[100] = 1e6;
        values.push(f32::NAN);
        let range = ColorRange::Percentiles { percentiles: [5.0, 95.0] };
        assert_eq!(scale(range, false, &values).range, [5.0, 95.0]);
        let wrong = ColorRange::Percentiles { percentiles: [95.0, 5.0] };
        assert_eq!(scale(wrong, false, &values[..101]).range, [0.0, 1e6]);
    }

    #[test]
    fn equal_factors_have_equal_steps_on_a_logarithmic_scale() {
        let log = scale(ColorRange::Fixed([1.0, 1e4]), true, &[1.0]);
        assert!(log.log);
        for (value, number) in [(1.0, 0.0), (10.0, 0.25), (100.0, 0.5), (1e4, 1.0)] {
            assert!((log.number(value) - number).abs() < 1e-6, "{value}: {}", log.number(value));
        }
        assert!(log.number(0.0) < 0.0 && log.number(-3.0) < 0.0);
        assert_eq!(texts(log), ["1", "10", "100", "1000", "10000"]);
        // The least value above 0; none at all is no reason to show nothing.
        assert_eq!(scale(ColorRange::Full, true, &[-1.0, 0.5, 50.0]).range, [0.5, 50.0]);
        let below = scale(ColorRange::Full, true, &[-3.0, -1.0]);
        assert!(!below.log && below.range == [-3.0, -1.0]);
    }

    #[test]
    fn values_that_are_no_numbers_leave_a_range_that_is_one() {
        let broken = Field { range: [f32::NAN, f32::INFINITY], ..field(&[1.0]) };
        let scale = ColorScale::of(&broken, ColorRange::Full, false);
        assert_eq!((scale.range, scale.number(3.0)), ([0.0, 0.0], 0.5));
    }
}
