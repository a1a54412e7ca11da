//! Keyframes and schedules of what is selected, as points over time: which there are, and their edits.

use sinew::component::Kind;
use sinew::editing::EditCommand;
use sinew::property::Value;
use sinew::schedule::{Command, ProbeCurve};
use sinew::snapshot::Sheet;

use crate::panels::Actions;

/// Tracks of keyframes at most: of very much that is selected the first ones.
const MOST: usize = 12;

/// Keyframes, or a schedule, of a component.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyTrack {
    /// Name of the component and of the property.
    pub(super) label: String,
    /// Path of the property.
    property: String,
    pub(super) curve: ProbeCurve,
    /// Numbers of a point from which on it is a quaternion.
    turn: Option<usize>,
}

impl KeyTrack {
    /// Those of components whose properties are shown, where there are points.
    pub(super) fn all(sheets: &[Sheet]) -> Vec<Self> {
        let rows = sheets.iter().flat_map(|sheet| sheet.rows.iter().map(move |row| (sheet, row)));
        let tracks = rows.filter_map(|(sheet, row)| {
            let Value::List(list) = &row.value else { return None };
            Self::of(sheet, row.info.name, list)
        });
        tracks.take(MOST).collect()
    }

    fn of(sheet: &Sheet, property: &str, list: &[f64]) -> Option<Self> {
        let last = property.rsplit('.').next().unwrap_or(property);
        let (width, turn) = match (last, sheet.owner.kind()) {
            ("keyframes", Kind::Particle) => (3, None),
            ("keyframes", Kind::RigidBody) => (7, Some(3)),
            ("keyframes" | "schedule", _) => (1, None),
            _ => return None,
        };
        // One factor alone is no time course.
        if list.len() <= width || !list.len().is_multiple_of(width + 1) {
            return None;
        }
        let points = || list.chunks_exact(width + 1);
        let curve = ProbeCurve {
            columns: (0..width).map(|k| k.to_string()).collect(),
            times: points().map(|point| point[0]).collect(),
            values: points().flat_map(|point| &point[1..]).copied().collect(),
            ..ProbeCurve::default()
        };
        let name = sheet.path.rsplit('/').next().unwrap_or_default();
        let label = format!("{name} {property}");
        Some(Self { label, property: format!("{}:{property}", sheet.path), curve, turn })
    }

    /// Times of the points [s].
    pub(super) fn times(&self) -> &[f64] {
        &self.curve.times
    }

    /// The time nearest to one that a point can have between its neighbours, `room` [s] away from them.
    pub(super) fn between(&self, point: usize, time: f64, room: f64) -> f64 {
        let times = self.times();
        let low = point.checked_sub(1).map_or(f64::NEG_INFINITY, |before| times[before] + room);
        let high = times.get(point + 1).map_or(f64::INFINITY, |after| after - room);
        // Between neighbours that are nearer than this it stays.
        if low > high { times[point] } else { time.clamp(low, high) }
    }

    /// Asks for a point at another time.
    pub(super) fn retime(&self, point: usize, time: f64, actions: &mut Actions) {
        let mut times = self.curve.times.clone();
        times[point] = time;
        self.put(&times, &self.curve.values, actions);
    }

    /// Asks for a point less; the last one stays.
    pub(super) fn remove(&self, point: usize, actions: &mut Actions) {
        let (mut times, mut values) = (self.curve.times.clone(), self.curve.values.clone());
        if times.len() < 2 {
            return actions.refusals.push("the last point stays: delete the list".to_owned());
        }
        times.remove(point);
        let width = self.curve.width();
        values.drain(point * width..(point + 1) * width);
        self.put(&times, &values, actions);
    }

    /// Asks for a point more, on the straight line between its neighbours.
    pub(super) fn add(&self, time: f64, actions: &mut Actions) {
        let (mut times, mut values) = (self.curve.times.clone(), self.curve.values.clone());
        let at = times.partition_point(|before| *before < time);
        if times.get(at) == Some(&time) {
            return actions.refusals.push(format!("there is a point at t = {time:.4} s"));
        }
        let (width, between) = (self.curve.width(), self.value_at(at, time));
        times.insert(at, time);
        values.splice(at * width..at * width, between);
        self.put(&times, &values, actions);
    }

    /// The value at a time [s] before point `at` and after the one before it.
    fn value_at(&self, at: usize, time: f64) -> Vec<f64> {
        let (times, last) = (self.times(), self.times().len() - 1);
        let [before, after] = [at.saturating_sub(1), at.min(last)];
        let gap = times[after] - times[before];
        let part = if gap > 0.0 { (time - times[before]) / gap } else { 0.0 };
        let [a, b] = [before, after].map(|point| self.curve.point(point));
        // A turn and its negative are one; those of the two that are nearer are mixed.
        let turned =
            self.turn.map(|from| a[from..].iter().zip(&b[from..]).map(|(x, y)| x * y).sum());
        let sign = |k: usize| match (self.turn, turned) {
            (Some(from), Some(dot)) if k >= from && f64::is_sign_negative(dot) => -1.0,
            _ => 1.0,
        };
        let mix = |k: usize| a[k] + part * (sign(k) * b[k] - a[k]);
        let mut value: Vec<f64> = (0..a.len()).map(mix).collect();
        if let Some(from) = self.turn {
            let norm = value[from..].iter().map(|x| x * x).sum::<f64>().sqrt();
            value[from..].iter_mut().for_each(|x| *x /= norm.max(f64::MIN_POSITIVE));
        }
        value
    }

    fn put(&self, times: &[f64], values: &[f64], actions: &mut Actions) {
        let points = times.iter().zip(values.chunks_exact(self.curve.width()));
        let numbers = points.flat_map(|(time, value)| std::iter::once(time).chain(value));
        let value = Value::List(numbers.copied().collect()).to_string();
        let property = self.property.clone();
        actions.commands.push(Command::Edit(vec![EditCommand::Set { property, value }]));
    }
}
