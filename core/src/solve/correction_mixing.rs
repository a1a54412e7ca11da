//! Anderson mixing of corrections of a state (`mixed/mixing.rs`), one vector a row.

use crate::Vec3;
use crate::mixed::AndersonMixing;

/// Mixing of corrections while the matrix stays.
pub(super) struct CorrectionMixing {
    mixing: AndersonMixing,
    /// Rows that are solved for: corrections of the others vanish.
    rows: Vec<u32>,
    /// Velocities and multipliers of a correction, one after the other, and the weights of the velocities.
    scalars: Vec<f64>,
    weights: Vec<f64>,
}

impl CorrectionMixing {
    /// Velocities that are not `fixed` count by `masses`.
    pub(super) fn new(masses: &[Vec3], fixed: &[[bool; 3]]) -> Self {
        let is_free = |row: &u32| fixed[*row as usize] != [true; 3];
        let rows: Vec<u32> = (0..masses.len() as u32).filter(is_free).collect();
        let weights = rows.iter().flat_map(|&row| masses[row as usize].iter().copied()).collect();
        Self { mixing: AndersonMixing::default(), rows, scalars: Vec::new(), weights }
    }

    /// Forgets what it learned: another fixed point begins.
    pub(super) fn begin(&mut self) {
        self.mixing.begin();
    }

    /// Turns a correction into the step to take.
    pub(super) fn mix(&mut self, step: &mut [Vec3], multipliers: &mut [f64]) {
        let Self { mixing, rows, scalars, weights } = self;
        scalars.clear();
        scalars.extend(rows.iter().flat_map(|&row| step[row as usize].iter().copied()));
        scalars.extend_from_slice(multipliers);
        mixing.mix(scalars, weights);
        let (velocities, rest) = scalars.split_at(weights.len());
        for (&row, mixed) in rows.iter().zip(velocities.as_chunks::<3>().0) {
            step[row as usize] = Vec3::from(*mixed);
        }
        multipliers.copy_from_slice(rest);
    }
}
