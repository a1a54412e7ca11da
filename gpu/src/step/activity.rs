//! Muscles of a model that steps on a device: their memory, which is a number or a few a bundle, stays on the host.

use sinew::force::BundleDrive;
use sinew::system::{CompiledModel, State};

use super::factors::Rule;

/// Memory and activity of the muscles of a model.
#[derive(Clone)]
pub(super) struct Activity {
    /// As in [`State::memory`], at the latest state.
    memory: Vec<f64>,
    drives: Vec<BundleDrive>,
}

impl Activity {
    /// At the start of a model.
    pub(super) fn of(state: &State) -> Self {
        Self { memory: state.memory.clone(), drives: Vec::new() }
    }

    /// Activity of the bundles in a step of `time.1` [s] from `time.0` [s].
    pub(super) fn drives(
        &mut self,
        system: &CompiledModel,
        (rule, time): (Rule, (f64, f64)),
    ) -> &[BundleDrive] {
        self.drives.clear();
        if let Some(muscles) = system.device_view().muscles() {
            let after = (&self.memory[..], rule.memory_step(time.1));
            let of = |bundle| muscles.drive(bundle, after, rule.load_time(time));
            self.drives.extend((0..muscles.bundle_count()).map(of));
        }
        &self.drives
    }

    /// Takes the memory through a step of `h` [s] that ends at `end` [s].
    pub(super) fn advance(&mut self, system: &CompiledModel, h: f64, end: f64) {
        if let Some(muscles) = system.device_view().muscles() {
            muscles.advance(&mut self.memory, h, end);
        }
    }

    /// Memory of the latest state.
    pub(super) fn memory(&self) -> &[f64] {
        &self.memory
    }

    /// Goes on from that of a state.
    pub(super) fn go_on_from(&mut self, state: &State) {
        self.memory.clone_from(&state.memory);
    }
}
