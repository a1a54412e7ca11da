//! ArtiSynth's text files of numeric probes. First line: begin and end of the probe and the length of a
//! second of the data; times are seconds, or whole nanoseconds in older files. Second line: interpolation,
//! number of values, and `explicit` (a time in each row) or the interval between rows.

use super::lines::Lines;
use super::rows::Heading;
use super::words::Layout;
use crate::RecordingError;
use crate::spec::Interpolation;

/// A whole number of at least this is nanoseconds: a million seconds is more than any run.
const NANOSECONDS_FROM: f64 = 1e6;
/// Most values in a row.
const MOST: usize = 1_000_000;

pub(super) fn heading(lines: &mut Lines) -> Result<Layout, RecordingError> {
    let interval = times(lines)?;
    const SECOND: &str = "interpolation, number of values, 'explicit' or an interval";
    let words: Vec<_> = lines.expect(SECOND)?.split_whitespace().map(str::to_owned).collect();
    let [name, count, timing] = &words[..] else {
        return Err(lines.error(format!("{SECOND} are expected")));
    };
    let interpolation = match name.to_ascii_lowercase().as_str() {
        "step" => Interpolation::Step,
        "linear" => Interpolation::Linear,
        "cubic" | "parabolic" | "cubicstep" => Interpolation::Cubic,
        _ => return Err(lines.error(format!("'{name}' is none of Step, Linear, Parabolic, Cubic"))),
    };
    let count = count.parse::<usize>().ok().filter(|count| (1..=MOST).contains(count));
    let Some(count) = count else {
        return Err(lines.error(format!("the number of values must be 1 to {MOST}")));
    };
    let explicit = timing.eq_ignore_ascii_case("explicit");
    let even = timing.parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite());
    let place = match (explicit, even) {
        (true, _) => Ok(0),
        (false, Some(even)) => Err(even),
        (false, None) => {
            return Err(lines.error(format!("'{timing}' is neither 'explicit' nor an interval")));
        }
    };
    let columns = (0..count).map(|k| k.to_string()).collect();
    let heading = Heading {
        columns,
        degrees: false,
        interval: Some(interval),
        interpolation: Some(interpolation),
    };
    let skipped = usize::from(explicit);
    Ok(Layout { heading, time: place, skipped, count: Some(count), scale: 1.0, tabs: false })
}

/// Begin and end of the probe, and the length of a second of the data [s].
fn times(lines: &mut Lines) -> Result<[f64; 3], RecordingError> {
    const FIRST: &str = "begin, end and scale of time";
    let text = lines.expect(FIRST)?;
    let times: Option<Vec<f64>> = text.split_whitespace().map(time).collect();
    let Some(&[begin, end, scale]) = times.as_deref() else {
        return Err(lines.error(format!("{FIRST} are expected, three numbers")));
    };
    if !(scale > 0.0 && end >= begin) {
        return Err(lines.error("the end must not lie before the begin, the scale above 0"));
    }
    Ok([begin, end, scale])
}

/// In seconds.
fn time(word: &str) -> Option<f64> {
    let number = word.parse::<f64>().ok().filter(|x| x.is_finite())?;
    let whole = word.bytes().all(|byte| byte.is_ascii_digit());
    Some(if whole && number >= NANOSECONDS_FROM { number * 1e-9 } else { number })
}
