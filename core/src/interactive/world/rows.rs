//! Numbers of the constraint rows: J, W Jᵀ, values and rates.

use super::WorldError;
use super::layout::{Layout, Segment};
use super::masses::Masses;
use super::parts::ObjectPart;
use crate::interactive::graph::Graph;

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// J, segment by segment.
    pub(super) values: Vec<f64>,
    /// W Jᵀ in the same places.
    pub(super) responses: Vec<f64>,
    /// Value, rate and second rate of every row.
    pub(super) motion: Vec<[f64; 3]>,
    by_state: Vec<f64>,
}

impl Rows {
    pub(super) fn reset(&mut self, layout: &Layout) {
        self.values.clear();
        self.values.resize(layout.values, 0.0);
        self.responses.clear();
        self.responses.resize(layout.values, 0.0);
        self.motion.clear();
        self.motion.resize(layout.rows.len(), [0.0; 3]);
    }

    /// Writes J from the rows of the graph, which are up to date.
    pub(super) fn update_values(
        &mut self,
        graph: &Graph,
        parts: &[ObjectPart],
        layout: &Layout,
        q: &[f64],
    ) -> Result<(), WorldError> {
        for row in &layout.rows {
            if row.segments.is_empty() {
                continue;
            }
            let (_, slopes) = graph.kept_row(row.port)?;
            for segment in &layout.segments[row.segments.clone()] {
                let places = &layout.objects[segment.object];
                self.by_state.clear();
                self.by_state.resize(places.states, 0.0);
                let own = &slopes[segment.in_row.clone()];
                self.by_state[segment.first_state..][..own.len()].copy_from_slice(own);
                let state = &q[places.state()];
                let values = &mut self.values[segment.values.clone()];
                parts[segment.object].object.write_velocity_row(state, &self.by_state, values);
            }
        }
        Ok(())
    }

    /// Writes W Jᵀ.
    pub(super) fn update_responses(&mut self, layout: &Layout, masses: &Masses) {
        self.responses.copy_from_slice(&self.values);
        for segment in &layout.segments {
            let response = &mut self.responses[segment.values.clone()];
            masses.solve(segment.object, &layout.objects[segment.object], response);
        }
    }

    /// Reads values and rates, which the graph has brought up to date.
    pub(super) fn update_motion(
        &mut self,
        graph: &Graph,
        layout: &Layout,
    ) -> Result<(), WorldError> {
        for (motion, row) in self.motion.iter_mut().zip(&layout.rows) {
            *motion = graph.kept_motion(row.port)?;
        }
        Ok(())
    }

    /// Product of a row of J and a vector of velocities or accelerations, over the segments that are wanted.
    pub(super) fn product(
        &self,
        layout: &Layout,
        row: usize,
        x: &[f64],
        wanted: impl Fn(&Segment) -> bool,
    ) -> f64 {
        let segments = &layout.segments[layout.rows[row].segments.clone()];
        let dot = |segment: &Segment| {
            let x = &x[layout.objects[segment.object].velocity()];
            self.values[segment.values.clone()].iter().zip(x).map(|(j, x)| j * x).sum::<f64>()
        };
        segments.iter().filter(|segment| wanted(segment)).map(dot).sum()
    }

    /// Adds Jᵀ λ of a row to forces, or W Jᵀ λ to accelerations.
    pub(super) fn add(
        &self,
        layout: &Layout,
        (row, lambda): (usize, f64),
        from: &[f64],
        sum: &mut [f64],
        wanted: impl Fn(&Segment) -> bool,
    ) {
        let segments = &layout.segments[layout.rows[row].segments.clone()];
        for segment in segments.iter().filter(|segment| wanted(segment)) {
            let sum = &mut sum[layout.objects[segment.object].velocity()];
            let values = &from[segment.values.clone()];
            sum.iter_mut().zip(values).for_each(|(sum, j)| *sum += lambda * j);
        }
    }
}
