//! Points of a probe that feeds: its rows in memory as they are edited, and the curve that a timeline draws.

use std::fmt::Write;
use std::path::Path;

use sinew::formula::part_names;
use sinew::model::Model;
use sinew::property::PropertyRef;
use sinew::schedule::ProbeCurve;

use crate::ProbeError;
use crate::input::{InputRows, input_rows};
use crate::spec::{Gaps, InputProbeSpec, Interpolation};
use crate::table::{Table, Use};
use crate::write::quoted;

/// Rows that are edited by hand at most; of a longer table these are drawn.
const MOST_ROWS: usize = 10_000;
/// Numbers of a table that are held for its curve at most: 8 MB.
const MOST_NUMBERS: usize = 1 << 20;
/// Parts of the line between two points of a bent curve, and parts of the whole at most.
const PARTS: [usize; 2] = [12, 6_000];
/// Part of the length of a curve that two points are apart at least.
const LEAST_GAP: f64 = 1e-6;

/// Rows of a probe in memory.
pub(super) struct Points {
    probe: String,
    /// Each a time of the data [s] and values.
    rows: Vec<Vec<f64>>,
    pub(super) how: Use,
    columns: Vec<String>,
    /// True if these are all rows.
    complete: bool,
}

impl Points {
    /// Those of `spec`; its file is relative to `root`.
    pub(super) fn of(
        spec: &InputProbeSpec,
        model: &Model,
        root: &Path,
    ) -> Result<Self, ProbeError> {
        let InputRows { properties, rows: mut source, how } = input_rows(spec, model, root)?;
        let named = |source| ProbeError::File { probe: spec.name.clone(), source };
        let most = MOST_ROWS.min(MOST_NUMBERS / (source.width() + 1));
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        let mut complete = false;
        while rows.len() < most {
            let Some(time) = source.next(&mut values).map_err(named)? else {
                complete = true;
                break;
            };
            rows.push(std::iter::once(time).chain(values.iter().copied()).collect());
        }
        let columns = columns_of(&properties, model);
        Ok(Self { probe: spec.name.clone(), rows, how, columns, complete })
    }

    /// Begin and end in the run [s].
    pub(super) fn span(&self) -> [f64; 2] {
        let ends = [self.rows.first(), self.rows.last()];
        ends.map(|row| row.map_or(0.0, |row| self.time(row[0])))
    }

    /// The same in the data [s].
    pub(super) fn data_span(&self) -> [f64; 2] {
        [self.rows.first(), self.rows.last()].map(|row| row.map_or(0.0, |row| row[0]))
    }

    fn time(&self, data: f64) -> f64 {
        self.how.start + data * self.how.stretch
    }

    fn data_time(&self, time: f64) -> f64 {
        (time - self.how.start) / self.how.stretch
    }

    fn fault(&self, what: String) -> ProbeError {
        ProbeError::Field { probe: self.probe.clone(), what }
    }

    /// The rows as the data of a probe that reads no file.
    pub(super) fn into_spec(self, spec: &InputProbeSpec) -> Result<InputProbeSpec, ProbeError> {
        if !self.complete {
            return Err(self.fault(format!(
                "its table has more than {} rows: edit its file, and import that",
                self.rows.len()
            )));
        }
        let Use { interpolation, start, stop, stretch, .. } = self.how;
        Ok(InputProbeSpec {
            file: None,
            columns: Vec::new(),
            data: self.rows,
            interpolation: Some(interpolation),
            gaps: Gaps::default(),
            scale: None,
            start: Some(start),
            stretch: (stretch != 1.0).then_some(stretch),
            stop: stop.is_finite().then_some(stop),
            ..spec.clone()
        })
    }

    /// Least distance of two points in the data [s].
    fn gap(&self) -> f64 {
        let [first, last] = self.data_span();
        LEAST_GAP * (last - first).max(LEAST_GAP)
    }

    /// Moves a point to a time of the run [s], as far as its neighbours let it, and gives it values.
    pub(super) fn set(
        &mut self,
        point: usize,
        time: f64,
        values: &[f64],
    ) -> Result<(), ProbeError> {
        self.check(point)?;
        if values.len() != self.columns.len() {
            let (want, got) = (self.columns.len(), values.len());
            return Err(self.fault(format!("a point has {want} values, got {got}")));
        }
        if !(time.is_finite() && values.iter().all(|x| x.is_finite())) {
            return Err(self.fault("a point is to have a finite time and finite values".to_owned()));
        }
        let gap = self.gap();
        let low = point.checked_sub(1).map_or(f64::NEG_INFINITY, |at| self.rows[at][0] + gap);
        let high = self.rows.get(point + 1).map_or(f64::INFINITY, |row| row[0] - gap);
        let data = self.data_time(time);
        let row = &mut self.rows[point];
        // Neighbours that are nearer than that leave it where it is.
        row[0] = if low <= high { data.clamp(low, high) } else { row[0] };
        row[1..].copy_from_slice(values);
        Ok(())
    }

    /// Adds a point on the curve of `spec` at a time of the run [s].
    pub(super) fn add(
        &mut self,
        time: f64,
        (spec, model, root): (&InputProbeSpec, &Model, &Path),
    ) -> Result<(), ProbeError> {
        let (data, gap) = (self.data_time(time), self.gap());
        if !data.is_finite() || self.rows.iter().any(|row| (row[0] - data).abs() < gap) {
            return Err(self.fault(format!("there is a point at t = {time} s already")));
        }
        let mut row = vec![0.0; self.columns.len() + 1];
        row[0] = data;
        let named = |source| ProbeError::File { probe: spec.name.clone(), source };
        let mut table = Table::new(input_rows(spec, model, root)?.rows, self.how).map_err(named)?;
        let [first, last] = self.data_span();
        table.at(data.clamp(first, last), &mut row[1..]).map_err(named)?;
        let at = self.rows.partition_point(|row| row[0] < data);
        self.rows.insert(at, row);
        Ok(())
    }

    /// Removes a point.
    pub(super) fn remove(&mut self, point: usize) -> Result<(), ProbeError> {
        self.check(point)?;
        if self.rows.len() == 1 {
            return Err(self.fault("it has one point only: delete the probe".to_owned()));
        }
        self.rows.remove(point);
        Ok(())
    }

    fn check(&self, point: usize) -> Result<(), ProbeError> {
        let count = self.rows.len();
        let wrong = || self.fault(format!("it has {count} points, there is none at {point}"));
        (point < count).then_some(()).ok_or_else(wrong)
    }

    /// The table as CSV, times of the data first.
    pub(super) fn csv(&self) -> String {
        let mut text = "time".to_owned();
        self.columns.iter().for_each(|it| text += &format!(",{}", quoted(it)));
        text.push('\n');
        for row in &self.rows {
            let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
            // Writing into a text does not fail.
            let _ = writeln!(text, "{}", numbers.join(","));
        }
        text
    }

    /// The curve of `spec` over the time of the run.
    pub(super) fn curve(
        &self,
        (spec, model, root): (&InputProbeSpec, &Model, &Path),
    ) -> Result<ProbeCurve, ProbeError> {
        let mut curve = ProbeCurve {
            columns: self.columns.clone(),
            times: self.rows.iter().map(|row| self.time(row[0])).collect(),
            values: self.rows.iter().flat_map(|row| &row[1..]).copied().collect(),
            editable: self.complete,
            ..ProbeCurve::default()
        };
        match self.how.interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => self.stairs(&mut curve),
            Interpolation::Cubic | Interpolation::Spline => {
                let named = |source| ProbeError::File { probe: spec.name.clone(), source };
                let rows = input_rows(spec, model, root)?.rows;
                let mut table = Table::new(rows, self.how).map_err(named)?;
                self.bend(&mut table, &mut curve).map_err(named)?;
            }
        }
        Ok(curve)
    }

    fn stairs(&self, curve: &mut ProbeCurve) {
        for (k, row) in self.rows.iter().enumerate() {
            let before = k.checked_sub(1).map(|at| &self.rows[at]);
            for values in before.into_iter().chain([row]) {
                curve.line_times.push(self.time(row[0]));
                curve.line_values.extend_from_slice(&values[1..]);
            }
        }
    }

    fn bend(&self, table: &mut Table, curve: &mut ProbeCurve) -> Result<(), crate::RecordingError> {
        let parts = PARTS[0].min(PARTS[1] / self.rows.len().max(1)).max(1);
        let mut values = vec![0.0; self.columns.len()];
        let mut put = |data: f64| {
            table.at(data, &mut values)?;
            curve.line_times.push(self.time(data));
            curve.line_values.extend_from_slice(&values);
            Ok(())
        };
        for pair in self.rows.windows(2) {
            let [from, to] = [pair[0][0], pair[1][0]];
            (0..parts).try_for_each(|k| put(from + (to - from) * k as f64 / parts as f64))?;
        }
        self.rows.last().map_or(Ok(()), |row| put(row[0]))
    }
}

/// Names of the numbers of properties.
pub(super) fn columns_of(properties: &[PropertyRef], model: &Model) -> Vec<String> {
    let names = |property: &PropertyRef| {
        let path = model.property_path(property);
        match part_names(property.info().value_type) {
            [] => vec![path],
            parts => parts.iter().map(|part| format!("{path}.{part}")).collect(),
        }
    };
    properties.iter().flat_map(names).collect()
}
