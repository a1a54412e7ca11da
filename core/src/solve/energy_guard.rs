//! Energy over a step: backward Euler damps, so that a step of a system on which nothing works never ends with more energy than it
//! began with. Linearized steps may, where forces change much within a step; those that gain too much are refused.

use super::failure::Failure;
use crate::Vec3;
use crate::system::{Energies, MechSystem, State};

/// Most energy that a step may gain, over the largest energy of a kind [-]. Of 150 undamped beams of any element and of steps of
/// 2 to 30 ms those that exploded gained more in a step; of those that went on well few gained 0.1 to 0.2.
const MOST_GAIN: f64 = 0.1;
/// Energy that is none [J], and rounding of that of the weight, which is the difference of large ones [-].
const NOTHING: f64 = 1e-12;
const ROUNDING: f64 = 1e-13;

/// The start of a step, and its energies.
#[derive(Default)]
pub(super) struct EnergyGuard {
    /// `None` where nothing is known of the positions and velocities beside it.
    energies: Option<Energies>,
    q: Vec<Vec3>,
    u: Vec<Vec3>,
}

impl EnergyGuard {
    /// Takes nothing from the steps before: numbers of the system have changed.
    pub(super) fn forget(&mut self) {
        self.energies = None;
    }

    /// At the start of a step.
    pub(super) fn begin(&mut self, system: &dyn MechSystem, state: &State) {
        if self.energies.is_none() || self.q != state.q || self.u != state.u {
            self.take(system.energies(state), state);
        }
    }

    fn take(&mut self, energies: Energies, state: &State) {
        self.energies = Some(energies);
        self.q.clone_from(&state.q);
        self.u.clone_from(&state.u);
    }

    /// Refuses the end of a step that gained too much; supports that moved may have worked.
    pub(super) fn check(&mut self, system: &dyn MechSystem, end: &State) -> Result<(), Failure> {
        let Some(before) = self.energies else { return Ok(()) };
        let after = system.energies(end);
        let (gain, largest) = gain(&before, &after);
        let least = NOTHING + ROUNDING * after.gravitational.abs();
        if gain > MOST_GAIN * largest + least && !self.moved(system.fixed(), &end.q) {
            let place = system.describe_gain((&self.q, &self.u), end);
            return Err(Failure::EnergyGained { place, gain, largest });
        }
        self.take(after, end);
        Ok(())
    }

    /// True if anything moved that forces do not move.
    fn moved(&self, fixed: &[[bool; 3]], q: &[Vec3]) -> bool {
        let mut rows = fixed.iter().zip(self.q.iter().zip(q));
        rows.any(|(fixed, (before, after))| (0..3).any(|k| fixed[k] && before[k] != after[k]))
    }
}

/// Energy gained, and the largest energy of a kind [J].
fn gain(before: &Energies, after: &Energies) -> (f64, f64) {
    let fallen = (after.gravitational - before.gravitational).abs();
    let kinds = [before.kinetic, after.kinetic, before.strain, after.strain, fallen];
    (after.total() - before.total(), kinds.into_iter().fold(0.0, f64::max))
}
