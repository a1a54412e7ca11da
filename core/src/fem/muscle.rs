//! Muscles in tissue: the bundles of a model as one effector. Each bundle has one activation; its
//! batches compute the stress of the fibres at the points of its elements. The laws stand in
//! `material/`, the stress of the tissue itself in its own batches.

use super::batch::FibreBatch;
use crate::Vec3;
use crate::axial::ActivationDynamics;
use crate::force::{
    Drives, EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition,
    VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::MaterialSpec;
use crate::state::{Motion, State};

/// What drives a bundle, and what it answers with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contraction {
    pub(crate) material: MaterialSpec,
    /// Its own excitation [-].
    pub(crate) excitation: f64,
    pub(crate) activation: ActivationDynamics,
    pub(crate) enabled: bool,
}

/// All bundles of a system.
pub(crate) struct Muscles {
    bundles: Vec<Contraction>,
    /// Number of the bundle, and elements of one kind.
    batches: Vec<(usize, Box<dyn FibreBatch>)>,
    drives: Drives,
    /// Where the activations begin in the memory of a state.
    offset: usize,
}

impl Muscles {
    /// Bundles with their batches, driven by exciters; `offset` numbers of the memory of a state belong
    /// to others.
    pub(crate) fn new(
        bundles: Vec<Contraction>,
        batches: Vec<(usize, Box<dyn FibreBatch>)>,
        drives: Drives,
        offset: usize,
    ) -> Self {
        Self { bundles, batches, drives, offset }
    }

    /// Puts other excitations in the place of those there are; `false`, and nothing done, where the law
    /// is another one.
    pub(crate) fn set(&mut self, bundle: usize, new: Contraction) -> bool {
        let fits = self.bundles[bundle].material == new.material;
        if fits {
            self.bundles[bundle] = new;
        }
        fits
    }

    /// Puts other drives in the place of those there are.
    pub(crate) fn set_drives(&mut self, drives: Drives) {
        self.drives = drives;
    }

    /// Excitation [-] at a time [s], that of exciters included.
    fn excitation(&self, bundle: usize, time: f64) -> f64 {
        self.drives.excitation(bundle, self.bundles[bundle].excitation, time)
    }

    /// Activation [-] `step` [s] after the memory of a state; that which lasts where there is no memory.
    fn activation(&self, bundle: usize, (memory, step): (&[f64], f64), time: f64) -> f64 {
        let Contraction { activation, enabled, .. } = &self.bundles[bundle];
        if !enabled {
            return 0.0;
        }
        let excitation = self.excitation(bundle, time);
        match memory.get(self.offset + bundle) {
            Some(&before) => activation.advance(before, excitation, step)[0],
            None => activation.steady(excitation)[0],
        }
    }

    /// Activation that a state has [-].
    fn activation_in(&self, bundle: usize, state: &State) -> f64 {
        let at_rest =
            || self.bundles[bundle].activation.steady(self.excitation(bundle, state.time))[0];
        let known = state.memory.get(self.offset + bundle).copied();
        if self.bundles[bundle].enabled { known.unwrap_or_else(at_rest) } else { 0.0 }
    }

    /// Activations that last at the excitations of a time [s].
    pub(crate) fn memory_at_rest(&self, time: f64) -> impl Iterator<Item = f64> {
        let steady = move |(k, bundle): (usize, &Contraction)| {
            bundle.activation.steady(self.excitation(k, time))[0]
        };
        self.bundles.iter().enumerate().map(steady)
    }

    /// Memory of a state after the step [s] that led to it, before its time is advanced.
    pub(crate) fn advance_memory(&self, step: f64, state: &mut State) {
        let end = state.time + step;
        if state.memory.len() != self.offset + self.bundles.len() {
            state.memory.resize(self.offset, 0.0);
            state.memory.extend(self.memory_at_rest(end));
            return;
        }
        for (k, bundle) in self.bundles.iter().enumerate() {
            let place = &mut state.memory[self.offset + k];
            *place = bundle.activation.advance(*place, self.excitation(k, end), step)[0];
        }
    }

    /// Rates of the activations \[1/s\] at a time [s], for rules that sum them over steps of the motion's length; none
    /// where the memory is not that of these bundles.
    pub(crate) fn memory_rates(&self, time: f64, motion: Motion<'_>, rates: &mut [f64]) {
        if motion.memory.len() != self.offset + self.bundles.len()
            || rates.len() != motion.memory.len()
        {
            return;
        }
        for (k, bundle) in self.bundles.iter().enumerate() {
            let (from, place) = (motion.memory[self.offset + k], &mut rates[self.offset + k]);
            *place = bundle.activation.rate(from, self.excitation(k, time), motion.step);
        }
    }

    /// Where the activation of a bundle lies in the memory of a state.
    pub(crate) fn memory_of(&self, bundle: usize) -> usize {
        self.offset + bundle
    }

    /// Energy of the fibres of a bundle that are not active [J].
    pub(crate) fn passive_energy(&self, bundle: usize, q: &[Vec3]) -> f64 {
        let own = self.batches.iter().filter(|(k, _)| *k == bundle && self.bundles[*k].enabled);
        own.map(|(_, batch)| batch.passive_energy(q)).sum()
    }

    /// Activation, mean stretch and mean stress [Pa] along the fibres of a bundle in a state.
    pub(crate) fn contraction_in(&self, bundle: usize, state: &State) -> [f64; 3] {
        let activation = self.activation_in(bundle, state);
        let own = self.batches.iter().filter(|(of, _)| *of == bundle);
        let sums = own.fold([0.0; 3], |sum, (_, batch)| {
            let new = batch.fibre_sums(&state.q, activation);
            [sum[0] + new[0], sum[1] + new[1], sum[2] + new[2]]
        });
        let stress = if self.bundles[bundle].enabled { sums[2] / sums[0] } else { 0.0 };
        [activation, sums[1] / sums[0], stress]
    }
}

impl ForceEffector for Muscles {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.batches.iter().for_each(|(_, batch)| batch.visit_cliques(visit));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.batches.iter_mut().for_each(|(_, batch)| batch.bind(pattern, partition));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        _velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for (bundle, batch) in self.batches.iter().filter(|(k, _)| self.bundles[*k].enabled) {
            let activation =
                self.activation(*bundle, (kin.motion.memory, kin.motion.step), kin.load.time);
            batch.add_fibre_forces(part, kin.motion.q, activation * kin.load.factor, forces)?;
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        for (bundle, batch) in self.batches.iter().filter(|(k, _)| self.bundles[*k].enabled) {
            let activation =
                self.activation(*bundle, (kin.motion.memory, kin.motion.step), kin.load.time);
            let at = (activation * kin.load.factor, scale.position);
            batch.add_fibre_jacobian(part, kin.motion.q, at, blocks)?;
        }
        Ok(())
    }

    /// That of fibres that are not active.
    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        (0..self.bundles.len()).map(|bundle| self.passive_energy(bundle, q)).sum()
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Other("muscles in tissue")
    }
}
