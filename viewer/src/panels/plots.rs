//! Curves of followed properties, several in a plot where they have one unit; saved as CSV and SVG.
//! How they are drawn is in `plot_panel`.

use std::fmt::Write;

use sinew::schedule::Samples;

use super::history::{History, curves};
use super::numbers_at;
use super::svg::document;

/// Size of a plot that is saved [pixel].
pub(super) const SAVED: [f64; 2] = [800.0, 320.0];

/// Plots of properties over time.
#[derive(Clone, Debug, Default)]
pub struct Plots {
    pub(super) plots: Vec<Joined>,
    made: u64,
    /// Time under the pointer in one of them [s].
    pub(super) cursor: Option<f64>,
}

/// Properties that share a plot.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// Never that of another plot.
    pub(super) number: u64,
    /// Unit of all; empty where it is not known.
    pub(super) unit: String,
    pub(super) histories: Vec<History>,
}

impl Plots {
    /// Follows properties from now on, given with their units; those of one unit that are asked for
    /// together share a plot.
    pub fn follow<'p>(&mut self, properties: impl IntoIterator<Item = (&'p str, &'p str)>) {
        let before = self.plots.len();
        for (path, unit) in properties {
            if self.histories().any(|it| it.path == path) {
                continue;
            }
            let history = History::new(path.to_owned());
            let mut fresh = self.plots[before..].iter_mut();
            match fresh.find(|plot| plot.unit == unit && !unit.is_empty()) {
                Some(plot) => plot.histories.push(history),
                None => self.open(unit, history),
            }
        }
    }

    fn open(&mut self, unit: &str, history: History) {
        self.made += 1;
        let (number, unit) = (self.made, unit.to_owned());
        self.plots.push(Joined { number, unit, histories: vec![history] });
    }

    /// Paths of what is followed.
    pub fn paths(&self) -> Vec<String> {
        self.histories().map(|it| it.path.clone()).collect()
    }

    fn histories(&self) -> impl Iterator<Item = &History> {
        self.plots.iter().flat_map(|plot| &plot.histories)
    }

    /// Takes in samples, one a step. What is at the time of one or later goes: the run was taken back.
    pub fn record(&mut self, samples: &Samples) {
        let width = samples.width();
        for (k, &time) in samples.times.iter().enumerate() {
            for history in self.plots.iter_mut().flat_map(|plot| &mut plot.histories) {
                if let Some(numbers) = numbers_at(&samples.readings, &history.path, k * width) {
                    history.record(time, numbers);
                }
            }
        }
    }

    /// Closes all.
    pub fn clear(&mut self) {
        self.plots.clear();
    }

    /// The plot before this one that has its unit: where its curves can be drawn too.
    pub(super) fn partner(&self, place: usize) -> Option<usize> {
        let unit = &self.plots[place].unit;
        self.plots[..place].iter().rposition(|it| it.unit == *unit && !unit.is_empty())
    }

    /// Draws the curves of a plot in the one before it of the same unit.
    pub(super) fn join(&mut self, place: usize) {
        if let Some(partner) = self.partner(place) {
            let moved = self.plots.remove(place).histories;
            self.plots[partner].histories.extend(moved);
        }
    }

    /// Follows a property no more.
    pub(super) fn remove(&mut self, place: usize, history: usize) {
        self.plots[place].histories.remove(history);
        if self.plots[place].histories.is_empty() {
            self.plots.remove(place);
        }
    }

    /// All curves as a table: a row a time [s], a column a number; empty where there is no sample.
    pub fn to_csv(&self) -> String {
        let mut csv = "time".to_owned();
        let all = || self.plots.iter().flat_map(|plot| curves(&plot.histories));
        for (history, component) in all() {
            let _ = write!(csv, ",\"{}\"", history.name(component).replace('"', "\"\""));
        }
        csv.push('\n');
        let all_curves = self.histories().flat_map(|it| &it.curves);
        let mut times: Vec<f64> = all_curves.flat_map(|it| &it.times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        for time in times {
            let _ = write!(csv, "{time}");
            for (history, component) in all() {
                let value = history.curves[component].at(time);
                let _ = write!(csv, ",{}", value.map_or_else(String::new, |x| x.to_string()));
            }
            csv.push('\n');
        }
        csv
    }

    /// All plots as a drawing, one below the other, each of this size [pixel].
    pub fn to_svg(&self, size: [f64; 2]) -> String {
        let plots = self.plots.iter();
        document(plots.map(|plot| (plot.histories.as_slice(), plot.unit.as_str())), size)
    }
}

#[cfg(test)]
mod tests;
