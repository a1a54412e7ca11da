//! Load curves as time courses: broken lines, which FEBio's other curves are sampled by.

use std::collections::BTreeMap;

use sinew::formula::Formula;
use sinew::model::Schedule;

use super::units::Units;
use crate::diagnostic::{Diagnostic, Findings};
use crate::xml_tree::Element;

/// Pieces of a broken line in the place of a part of a curve: the error of a parabola is 1/4096 of its height.
const PIECES: u32 = 32;
/// Points of a formula of time over a run.
const SAMPLES: u32 = 1000;
/// Most times that a curve is repeated.
const MOST_REPEATS: usize = 10_000;

/// The curves of a document by their numbers, in seconds.
#[derive(Default)]
pub(super) struct Curves {
    tables: BTreeMap<String, Vec<[f64; 2]>>,
}

/// Interpolation between the points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Linear,
    Step,
    Smooth,
}

/// Extension beyond the points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Constant,
    Line,
    Repeat,
    RepeatOffset,
}

impl Curves {
    /// Reads the section LoadData; curves that go on beyond their points are drawn to the end of the run [s].
    pub(super) fn read(root: &Element, units: &Units, end: f64, findings: &mut Findings) -> Self {
        let mut curves = Self::default();
        let sections = root.all("LoadData").map(Element::mark);
        for at in sections.flat_map(|it| &it.children) {
            if !matches!(at.tag.as_str(), "loadcurve" | "load_controller") {
                continue;
            }
            let id = at.attribute("id").map_or("", |it| it.value.as_str()).to_owned();
            let table = of_controller(at.mark(), end / units.time, findings);
            if let Some(mut table) = findings.take(table) {
                table.iter_mut().for_each(|row| row[0] *= units.time);
                curves.tables.insert(id, table);
            }
        }
        curves
    }

    /// The time course of a curve.
    pub(super) fn schedule(&self, id: &str) -> Option<Schedule> {
        self.tables.get(id.trim()).map(|table| Schedule::Table(table.clone()))
    }
}

/// Times and values of a controller.
fn of_controller(
    at: &Element,
    end: f64,
    findings: &mut Findings,
) -> Result<Vec<[f64; 2]>, Diagnostic> {
    // In 2.5 the attribute `type` is the course.
    let word = at.attribute("type").map_or("", |it| it.value.as_str());
    if word == "math" {
        return of_formula(at, end);
    }
    let points = points(at)?;
    let course = at.child("interpolate").map_or(word, |it| it.text.as_str());
    let course = match course.to_ascii_lowercase().as_str() {
        "loadcurve" | "linear" | "" => Interpolation::Linear,
        "step" => Interpolation::Step,
        "smooth" => Interpolation::Smooth,
        other => {
            let message = format!("{} goes by straight lines, not by '{other}'", at.label());
            findings.warn(at.span, message);
            Interpolation::Linear
        }
    };
    let attribute = at.attribute("extend").map_or("", |it| it.value.as_str());
    let beyond = at.child("extend").map_or(attribute, |it| it.text.as_str());
    let beyond = match beyond.to_ascii_lowercase().as_str() {
        "extrapolate" => Extension::Line,
        "repeat" => Extension::Repeat,
        "repeat offset" | "repeat_offset" => Extension::RepeatOffset,
        "constant" | "" => Extension::Constant,
        other => {
            let known = "CONSTANT, EXTRAPOLATE, REPEAT, REPEAT OFFSET";
            let message =
                format!("{} stays at its last value: '{other}' is none of {known}", at.label());
            findings.warn(at.span, message);
            Extension::Constant
        }
    };
    Ok(extended(drawn(&points, course), beyond, end))
}

/// The points of a curve, by rising time.
fn points(at: &Element) -> Result<Vec<[f64; 2]>, Diagnostic> {
    let lists = at.children.iter().filter(|it| it.tag == "points").map(Element::mark);
    let within = lists.flat_map(|it| &it.children);
    let all = at
        .children
        .iter()
        .chain(within)
        .filter(|it| matches!(it.tag.as_str(), "point" | "pt" | "loadpoint"));
    let mut points: Vec<[f64; 2]> = Vec::new();
    for point in all.map(Element::mark) {
        let numbers: Vec<f64> = super::values::numbers(&point.text);
        let [time, value] = numbers[..] else {
            let message =
                format!("a point of {} is a time and a value, got '{}'", at.label(), point.text);
            return Err(point.refused(message));
        };
        if points.last().is_some_and(|last| last[0] >= time) {
            let message = format!("times of {} must rise, got {time}", at.label());
            return Err(point.refused(message));
        }
        points.push([time, value]);
    }
    if points.is_empty() {
        return Err(at.refused(format!("{} has no points", at.label())));
    }
    Ok(points)
}

/// A formula of the time `t` at even times of the run.
fn of_formula(at: &Element, end: f64) -> Result<Vec<[f64; 2]>, Diagnostic> {
    let Some(math) = at.child("math") else {
        return Err(at.refused(format!("{} has no <math>", at.label())));
    };
    let formula = Formula::parse(&math.text, &["t"]);
    let formula = formula.map_err(|error| math.refused(format!("'{}': {error}", math.text)))?;
    let row = |k: u32| {
        let (t, mut value) = (end * f64::from(k) / f64::from(SAMPLES), [f64::NAN]);
        formula.eval(&[t], &mut value, &mut Vec::new());
        [t, value[0]]
    };
    let table: Vec<[f64; 2]> = (0..=SAMPLES).map(row).collect();
    match table.iter().find(|row| !row[1].is_finite()) {
        Some([t, _]) => Err(math.refused(format!("'{}' has no value at t = {t}", math.text))),
        None => Ok(table),
    }
}

/// The broken line of a curve.
fn drawn(points: &[[f64; 2]], course: Interpolation) -> Vec<[f64; 2]> {
    let mut line = vec![points[0]];
    for (n, pair) in points.windows(2).enumerate() {
        let [a, b] = [pair[0], pair[1]];
        match course {
            // After a point the value of the next one holds.
            Interpolation::Step => line.push([a[0], b[1]]),
            Interpolation::Smooth if points.len() > 2 => {
                line.extend((1..PIECES).map(|k| {
                    let t = a[0] + (b[0] - a[0]) * f64::from(k) / f64::from(PIECES);
                    [t, smooth(points, n + 1, t)]
                }));
            }
            Interpolation::Linear | Interpolation::Smooth => {}
        }
        line.push(b);
    }
    line
}

/// FEBio's smooth curve before point `n`: the mean of the parabolas through three points to either side.
fn smooth(points: &[[f64; 2]], n: usize, t: f64) -> f64 {
    let through = |k: usize| parabola([points[k - 1], points[k], points[k + 1]], t);
    match (n, points.len() - 1) {
        (1, _) => through(1),
        (n, last) if n == last => through(last - 1),
        (n, _) => 0.5 * (through(n - 1) + through(n)),
    }
}

/// The parabola through three points.
fn parabola([[t0, f0], [t1, f1], [t2, f2]]: [[f64; 2]; 3], t: f64) -> f64 {
    let q2 = (t - t0) * (t - t1) / ((t2 - t0) * (t2 - t1));
    let q1 = (t - t0) * (t - t2) / ((t1 - t0) * (t1 - t2));
    let q0 = (t - t1) * (t - t2) / ((t0 - t1) * (t0 - t2));
    q0 * f0 + q1 * f1 + q2 * f2
}

/// The line to the end of a run.
fn extended(mut line: Vec<[f64; 2]>, beyond: Extension, end: f64) -> Vec<[f64; 2]> {
    let (first, last) = (line[0], line[line.len() - 1]);
    if beyond == Extension::Constant || line.len() < 2 || last[0] >= end {
        return line;
    }
    if beyond == Extension::Line {
        let before = line[line.len() - 2];
        let slope = (last[1] - before[1]) / (last[0] - before[0]);
        if slope.is_finite() {
            line.push([end, last[1] + slope * (end - last[0])]);
        }
        return line;
    }
    let one = line.clone();
    let (period, rise) = (last[0] - first[0], last[1] - first[1]);
    for round in 1..MOST_REPEATS {
        let shift = period * round as f64;
        let offset = if beyond == Extension::RepeatOffset { rise * round as f64 } else { 0.0 };
        line.extend(one.iter().map(|row| [row[0] + shift, row[1] + offset]));
        if last[0] + shift >= end {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &[[f64; 2]], t: f64) -> f64 {
        Schedule::Table(line.to_vec()).at(t)
    }

    #[test]
    fn a_step_has_the_value_of_the_next_point() {
        let line = drawn(&[[0.0, 0.0], [1.0, 2.0], [2.0, 5.0]], Interpolation::Step);
        assert_eq!([at(&line, 0.5), at(&line, 1.5), at(&line, 3.0)], [2.0, 5.0, 5.0]);
    }

    #[test]
    fn a_smooth_curve_through_points_of_a_parabola_is_the_parabola() {
        let square = |t: f64| [t, t * t - 3.0 * t];
        let points = [0.0, 0.5, 1.5, 2.0, 4.0].map(square);
        let line = drawn(&points, Interpolation::Smooth);
        for t in [0.2, 0.7, 1.6, 3.1, 3.9] {
            assert!((at(&line, t) - square(t)[1]).abs() < 4.0 / 4096.0, "{t}");
        }
        assert_eq!(drawn(&points[..2], Interpolation::Smooth), points[..2]);
    }

    #[test]
    fn curves_go_on_beyond_their_points_as_they_say() {
        let line = || vec![[0.0, 1.0], [2.0, 3.0]];
        let value = |beyond, t| at(&extended(line(), beyond, 10.0), t);
        assert_eq!(value(Extension::Constant, 5.0), 3.0);
        assert_eq!(value(Extension::Line, 5.0), 6.0);
        assert_eq!(value(Extension::Repeat, 5.0), 2.0);
        assert_eq!(value(Extension::RepeatOffset, 5.0), 6.0);
    }
}
