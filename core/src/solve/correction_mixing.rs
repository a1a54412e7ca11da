//! Anderson mixing of corrections of a state (`mixed/mixing.rs`), one vector a row.

use crate::Vec3;
use crate::mixed::AndersonMixing;

/// Mixing of corrections while the matrix stays.
pub(super) struct CorrectionMixing {
    mixing: AndersonMixing,
    /// Velocities and multipliers of a correction, one after the other, and the weights of the velocities.
    scalars: Vec<f64>,
    weights: Vec<f64>,
}

impl CorrectionMixing {
    /// Velocities count by `masses`.
    pub(super) fn new(masses: &[Vec3]) -> Self {
        let weights = masses.iter().flat_map(|mass| mass.iter().copied()).collect();
        Self { mixing: AndersonMixing::default(), scalars: Vec::new(), weights }
    }

    /// Forgets what it learned: another fixed point begins.
    pub(super) fn begin(&mut self) {
        self.mixing.begin();
    }

    /// Turns a correction into the step to take.
    pub(super) fn mix(&mut self, step: &mut [Vec3], multipliers: &mut [f64]) {
        let Self { mixing, scalars, weights } = self;
        scalars.clear();
        scalars.extend(step.iter().flat_map(|v| v.iter().copied()));
        scalars.extend_from_slice(multipliers);
        mixing.mix(scalars, weights);
        let (velocities, rest) = scalars.split_at(weights.len());
        for (step, mixed) in step.iter_mut().zip(velocities.as_chunks::<3>().0) {
            *step = Vec3::from(*mixed);
        }
        multipliers.copy_from_slice(rest);
    }
}
