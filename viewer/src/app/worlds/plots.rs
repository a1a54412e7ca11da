//! Outputs of a world over time.

use std::collections::VecDeque;

use egui::{Rect, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};
use sinew::interactive::WorldSnapshot;

use crate::panels::curve_color;

/// Samples that are kept of an output: a minute of frames.
const MOST_SAMPLES: usize = 3600;
/// Height of the plot [point], and its largest share of the picture.
const HEIGHT: f32 = 130.0;
const SHARE: f32 = 0.4;
/// Room between picture and plot [point].
const GAP: f32 = 6.0;

/// Outputs that are plotted, with time [s] and value of their samples.
#[derive(Default)]
pub(super) struct Plotted {
    curves: Vec<(String, VecDeque<[f64; 2]>)>,
}

impl Plotted {
    /// Another world is there.
    pub(super) fn forget(&mut self) {
        self.curves.clear();
    }

    /// True if an output is plotted.
    pub(super) fn has(&self, output: &str) -> bool {
        self.curves.iter().any(|(name, _)| name == output)
    }

    /// Plots an output, or does so no more.
    pub(super) fn toggle(&mut self, output: &str) {
        match self.curves.iter().position(|(name, _)| name == output) {
            Some(at) => drop(self.curves.remove(at)),
            None => self.curves.push((output.to_owned(), VecDeque::new())),
        }
    }

    /// Takes in a snapshot. Where the time went back, what was after it goes.
    pub(super) fn record(&mut self, snapshot: &WorldSnapshot) {
        if self.curves.is_empty() {
            return;
        }
        let time = snapshot.status.time;
        let outputs = || snapshot.blocks.iter().flat_map(|block| &block.outputs);
        for (name, samples) in &mut self.curves {
            let Some(output) = outputs().find(|it| it.name == *name) else { continue };
            while samples.back().is_some_and(|[last, _]| *last >= time) {
                samples.pop_back();
            }
            samples.push_back([time, output.value]);
            if samples.len() > MOST_SAMPLES {
                samples.pop_front();
            }
        }
    }

    /// The room of the picture, and that of the curves below it, which is empty where there are none.
    pub(super) fn split(&self, room: Rect) -> [Rect; 2] {
        let height = match self.curves.is_empty() {
            true => 0.0,
            false => HEIGHT.min(SHARE * room.height()),
        };
        let (picture, mut plot) = room.split_top_bottom_at_y(room.bottom() - height);
        plot.set_top(plot.top() + GAP.min(height));
        [picture, plot]
    }

    /// Draws the curves.
    pub(super) fn ui(&self, ui: &mut Ui) {
        if self.curves.is_empty() {
            return;
        }
        let plot = Plot::new("outputs of the world").height(ui.available_height());
        plot.legend(Legend::default()).show(ui, |plot| {
            for (nth, (name, samples)) in self.curves.iter().enumerate() {
                let points: PlotPoints<'_> = samples.iter().copied().collect();
                plot.line(Line::new(name.as_str(), points).color(curve_color(nth)));
            }
        });
    }
}
