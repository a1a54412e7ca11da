//! Widgets for numbers: text with as many digits as it takes, speeds by magnitude, sliders where a
//! range has two ends.

use egui::{DragValue, Response, Slider, Ui};
use sinew::property::Range;

use super::merge::TURN;

/// Change of an angle by a point of dragging [deg].
const DEGREES: f64 = 0.5;
/// Digits that are shown.
pub(super) const DIGITS: i32 = 6;
/// Digits of each of several numbers beside each other.
pub(super) const FEWER: i32 = 4;

/// A number with up to six digits: `0.25`, `1.2e-9`, `inf`.
pub(super) fn number(x: f64) -> String {
    with_digits(x, DIGITS)
}

/// A number with up to so many digits.
pub(super) fn with_digits(x: f64, digits: i32) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { x.to_string() };
    }
    let magnitude = x.abs().log10().floor() as i32;
    if (-4..digits.max(DIGITS)).contains(&magnitude) {
        let text = format!("{:.*}", (digits - 1 - magnitude).max(0) as usize, x);
        return trimmed(&text).to_owned();
    }
    let text = format!("{x:.*e}", digits as usize - 1);
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits)),
        None => text,
    }
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// Two ends, both finite, with room between.
pub(super) fn ends(low: f64, high: f64) -> Option<[f64; 2]> {
    (low.is_finite() && high.is_finite() && low < high).then_some([low, high])
}

/// The nearest number to `x` in `range`: an end that is not part of it is kept off by a millionth of
/// its width, or by the least positive number.
pub(super) fn clamped(x: f64, range: &Range) -> f64 {
    let ((low, low_in), (high, high_in)) = (range.low(), range.high());
    let width = ends(low, high).map_or(f64::MIN_POSITIVE, |[low, high]| (high - low) * 1e-6);
    if x.is_nan() || range.contains(x) {
        x
    } else if x <= low {
        if low_in { low } else { low + width }
    } else if high_in {
        high
    } else if high.is_finite() {
        high - width
    } else {
        f64::MAX
    }
}

/// Form in which a number is edited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    /// Ends of a slider; without, a number that is dragged.
    pub(super) slider: Option<[f64; 2]>,
    /// True if it is a whole number.
    pub(super) whole: bool,
    /// True if there are several, which differ.
    pub(super) mixed: bool,
    /// True if it is an angle [deg].
    pub(super) angle: bool,
    /// True if there are others beside it.
    pub(super) narrow: bool,
}

/// Draws the widget for `x`; whether the user changed it.
pub(super) fn edit(ui: &mut Ui, x: &mut f64, entry: Entry) -> (Response, bool) {
    let before = *x;
    let digits = if entry.narrow { FEWER } else { DIGITS };
    let show = move |x: f64, _| match entry {
        Entry { mixed: true, .. } if x == before => "mixed".to_owned(),
        // What comes of turning a quaternion into angles.
        Entry { angle: true, .. } if x.abs() < TURN => "0".to_owned(),
        _ => with_digits(x, digits),
    };
    let response = match entry.slider {
        Some([low, high]) if !entry.mixed => {
            let slider = Slider::new(x, low..=high).custom_formatter(show);
            let slider = slider.clamping(egui::SliderClamping::Never).update_while_editing(false);
            ui.add(if entry.whole { slider.step_by(1.0) } else { slider })
        }
        _ => {
            let speed = match entry {
                Entry { angle: true, .. } => DEGREES,
                Entry { whole: true, .. } => 0.1,
                _ => speed(before),
            };
            let drag = DragValue::new(x).speed(speed).custom_formatter(show);
            // Half a number is none: what is typed counts when it is entered.
            let drag = drag.update_while_editing(false);
            ui.add(if entry.angle && !entry.mixed { drag.suffix("°") } else { drag })
        }
    };
    if entry.whole {
        *x = x.round();
    }
    // Leaving the text of a number as it is rounds it to the digits that are shown: no change.
    let changed = response.changed()
        && (entry.mixed || with_digits(*x, digits) != with_digits(before, digits));
    if !changed {
        *x = before;
    }
    (response, changed)
}

/// Change by a point of dragging: a hundredth of what is there.
fn speed(x: f64) -> f64 {
    let magnitude = x.abs() * 0.01;
    if magnitude > 0.0 && magnitude.is_finite() { magnitude } else { 0.01 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_more_zeros_than_needed() {
        let shown = [0.0, 0.25, -9.81, 1000.0, 123_456.7, 1.2e-9, 3e7, f64::INFINITY].map(number);
        assert_eq!(shown, ["0", "0.25", "-9.81", "1000", "123457", "1.2e-9", "3e7", "inf"]);
    }

    #[test]
    fn clamping_keeps_off_ends_that_are_excluded() {
        for range in [Range::POISSON, Range::UNIT, Range::POSITIVE, Range::below(0.0, 2.0)] {
            for x in [-5.0, 0.0, 0.3, 0.5, 2.0, 9.0] {
                let inside = clamped(x, &range);
                assert!(range.contains(inside), "{x} became {inside} in {range:?}");
                assert!(!range.contains(x) || inside == x, "{x} became {inside} in {range:?}");
            }
        }
    }
}
