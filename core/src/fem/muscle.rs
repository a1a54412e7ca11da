//! Muscles in tissue: the bundles of a model as one effector. Each bundle has one activation; batches compute
//! the stress of the fibres at the points of the elements. The laws stand in
//! `material/`, the stress of the tissue itself in its own batches.

use std::ops::Range;

use super::batch::{Activations, FibreBatch, OneBundle};
use crate::axial::{ActivationDynamics, ActivationModel};
use crate::force::{
    BundleBatch, BundleDrive, Drives, EffectorView, ExcitationSource, ExcitedStep, Fault,
    ForceEffector, ForceNumber, JacobianScale, Kinematics, MemorySlopes, Part, RowPartition,
    TissueMuscles, VelocityTerms,
};
use crate::linalg::BlockPattern;
use crate::material::MaterialSpec;
use crate::state::{Motion, State};
use crate::{Mat3, Vec3};

/// Drive and response of a bundle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contraction {
    pub(crate) material: MaterialSpec,
    /// Its own excitation [-].
    pub(crate) excitation: f64,
    pub(crate) activation: ActivationDynamics,
    pub(crate) enabled: bool,
    /// Share of the tissue's stiffness that full activation adds [-].
    pub(crate) stiffening: f64,
}

/// All bundles of a system.
pub(crate) struct Muscles {
    names: Vec<String>,
    bundles: Vec<Contraction>,
    batches: Vec<Box<dyn FibreBatch>>,
    /// Batches of each tissue.
    of_tissue: Vec<Range<usize>>,
    drives: Drives,
    /// Index of the first activation in the memory of a state.
    offset: usize,
}

impl Muscles {
    /// Bundles by name with the batches of each tissue, driven by exciters; `offset` numbers of the memory of a state belong
    /// to others.
    pub(crate) fn new(
        bundles: Vec<(String, Contraction)>,
        tissues: Vec<Vec<Box<dyn FibreBatch>>>,
        drives: Drives,
        offset: usize,
    ) -> Self {
        let (names, bundles) = bundles.into_iter().unzip();
        let (mut batches, mut of_tissue) = (Vec::new(), Vec::new());
        for own in tissues {
            let first = batches.len();
            batches.extend(own);
            of_tissue.push(first..batches.len());
        }
        Self { names, bundles, batches, of_tissue, drives, offset }
    }

    /// Puts other excitations in the place of those there are; `false`, and nothing done, where the law
    /// is another one, or the tissue becomes stiffer that did not.
    pub(crate) fn set(&mut self, bundle: usize, new: Contraction) -> bool {
        let old = &self.bundles[bundle];
        let stiffens = [old, &new].map(|it| it.stiffening > 0.0);
        let fits = old.material == new.material && stiffens[0] == stiffens[1];
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

    /// Derivative of the activation of a bundle at the end of a step by that at its start [-].
    fn memory_slope(&self, bundle: usize, kin: &Kinematics) -> f64 {
        let excitation = self.excitation(bundle, kin.load.time);
        let before = kin.motion.memory.get(self.offset + bundle);
        let activation = &self.bundles[bundle].activation;
        let slope = |&before: &f64| activation.advance_slopes(before, excitation, kin.motion.step);
        before.map_or(0.0, |before| slope(before)[2])
    }

    /// Activation that forces are evaluated with [-], as much of it as the loads are applied.
    fn applied(&self, bundle: usize, kin: &Kinematics) -> f64 {
        let after = (kin.motion.memory, kin.motion.step);
        self.activation(bundle, after, kin.load.time) * kin.load.factor
    }

    /// Appends what the forces of the bundles depend on beside the motion: the activation that each is evaluated with [-] and
    /// what it stiffens by [-]; of one that is off a number that no activation is.
    pub(crate) fn add_drives(&self, kin: &Kinematics, drives: &mut Vec<f64>) {
        let now = self.driven_by(|bundle| self.applied(bundle, kin));
        for bundle in 0..self.bundles.len() {
            drives.extend([now.activation(bundle).unwrap_or(-1.0), now.share(bundle)]);
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
        let (memory, end) = (&mut state.memory, state.time + step);
        // Stresses of tissues follow.
        if memory.len() < self.memory_end() {
            memory.resize(self.offset, 0.0);
            memory.extend(self.memory_at_rest(end));
            return;
        }
        for (k, bundle) in self.bundles.iter().enumerate() {
            let place = &mut memory[self.offset + k];
            *place = bundle.activation.advance(*place, self.excitation(k, end), step)[0];
        }
    }

    /// Rates of the activations \[1/s\] at a time [s], for rules that sum them over steps of the motion's length; none
    /// where the memory is not that of these bundles.
    pub(crate) fn memory_rates(&self, time: f64, motion: Motion<'_>, rates: &mut [f64]) {
        if motion.memory.len() < self.memory_end() || rates.len() != motion.memory.len() {
            return;
        }
        for (k, bundle) in self.bundles.iter().enumerate() {
            let (from, place) = (motion.memory[self.offset + k], &mut rates[self.offset + k]);
            *place = bundle.activation.rate(from, self.excitation(k, time), motion.step);
        }
    }

    /// Numbers of the memory of a state up to the end of these.
    pub(crate) fn memory_end(&self) -> usize {
        self.offset + self.bundles.len()
    }

    /// Index of the activation of a bundle in the memory of a state.
    pub(crate) fn memory_of(&self, bundle: usize) -> usize {
        self.offset + bundle
    }

    /// Energy of the fibres of a bundle that are not active [J].
    pub(crate) fn passive_energy(&self, bundle: usize, q: &[Vec3]) -> f64 {
        if !self.bundles[bundle].enabled {
            return 0.0;
        }
        self.batches.iter().map(|batch| batch.passive_energy(bundle, q)).sum()
    }

    /// Activation, mean stretch and mean stress [Pa] along the fibres of a bundle in a state.
    pub(crate) fn contraction_in(&self, bundle: usize, state: &State) -> [f64; 3] {
        let activation = self.activation_in(bundle, state);
        let sums = self.batches.iter().fold([0.0; 3], |sum, batch| {
            let new = batch.fibre_sums(bundle, &state.q, activation);
            [sum[0] + new[0], sum[1] + new[1], sum[2] + new[2]]
        });
        let stress = if self.bundles[bundle].enabled { sums[2] / sums[0] } else { 0.0 };
        [activation, sums[1] / sums[0], stress]
    }

    /// Mean Cauchy stress [Pa] and energy of passive fibres per rest volume [J/m³] that bundles add to an element of a tissue in a
    /// state; `None` where it has none.
    pub(crate) fn report_of(
        &self,
        tissue: usize,
        element: u32,
        state: &State,
    ) -> Option<(Mat3, f64)> {
        let now = self.driven_by(|bundle| self.activation_in(bundle, state));
        let mut own = self.batches[self.of_tissue[tissue].clone()].iter();
        own.find_map(|batch| batch.report_of(element, &state.q, &now))
    }

    /// Name of the bundle with the largest active stress in an element of a tissue, in the shape of a state and at the activations
    /// a step [s] later; `None` where none is active.
    pub(crate) fn strongest_in(
        &self,
        tissue: usize,
        element: u32,
        (state, step): (&State, f64),
    ) -> Option<&str> {
        let (after, time) = ((&state.memory[..], step), state.time + step);
        let later = self.driven_by(|bundle| self.activation(bundle, after, time));
        let mut own = self.batches[self.of_tissue[tissue].clone()].iter();
        let strongest = own.find_map(|batch| batch.strongest_in(element, &state.q, &later))?;
        Some(&self.names[strongest])
    }

    /// Bundles at these activations [-].
    fn driven_by<F: Fn(usize) -> f64>(&self, activation: F) -> Driven<'_, F> {
        Driven { muscles: self, activation }
    }
}

impl Muscles {
    /// Derivative of the activation of a bundle at the end of a step by what `source` excites [-].
    fn activation_share(&self, bundle: usize, source: ExcitationSource, kin: &Kinematics) -> f64 {
        let known = matches!(source, ExcitationSource::Exciter(_))
            || source == ExcitationSource::Bundle(bundle);
        let Contraction { activation, excitation: own, enabled, .. } = self.bundles[bundle];
        if !known || !enabled {
            return 0.0;
        }
        let (time, motion) = (kin.load.time, kin.motion);
        let at = (own, time);
        let share = self.drives.share((bundle, source.exciter()), at, [0.0, 1.0]);
        let low = match activation.model {
            ActivationModel::Instant => 0.0,
            ActivationModel::FirstOrder
            | ActivationModel::Bilinear
            | ActivationModel::ByExcitation => activation.least,
        };
        let excitation = self.excitation(bundle, time).clamp(low, 1.0);
        let slope = match motion.memory.get(self.offset + bundle) {
            Some(&before) => activation.advance(before, excitation, motion.step)[1],
            None => activation.steady(excitation)[1],
        };
        share * slope
    }
}

/// Muscles at the activation [-] of each bundle.
struct Driven<'m, F> {
    muscles: &'m Muscles,
    activation: F,
}

impl<F: Fn(usize) -> f64> Activations for Driven<'_, F> {
    fn activation(&self, bundle: usize) -> Option<f64> {
        let enabled = self.muscles.bundles[bundle].enabled;
        enabled.then(|| (self.activation)(bundle))
    }

    fn share(&self, bundle: usize) -> f64 {
        let Contraction { enabled, stiffening, .. } = self.muscles.bundles[bundle];
        let stiffens = enabled && stiffening > 0.0;
        if stiffens { stiffening * (self.activation)(bundle) } else { 0.0 }
    }
}

impl ForceEffector for Muscles {
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.batches.iter().for_each(|batch| batch.visit_cliques(visit));
    }

    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        self.batches.iter_mut().for_each(|batch| batch.bind(pattern, partition));
    }

    fn add_forces(
        &self,
        part: &Part,
        kin: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let now = self.driven_by(|bundle| self.applied(bundle, kin));
        self.batches
            .iter()
            .try_for_each(|batch| batch.add_forces(part, (kin, velocity), &now, forces))
    }

    fn add_jacobian(
        &self,
        part: &Part,
        kin: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let now = self.driven_by(|bundle| self.applied(bundle, kin));
        self.batches
            .iter()
            .try_for_each(|batch| batch.add_jacobian(part, (kin, scale), &now, blocks))
    }

    /// h times active forces f and their change over the displacement of the step, linear in it.
    fn add_excitation_impulses(
        &self,
        part: &Part,
        source: ExcitationSource,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) -> Result<(), Fault> {
        let (kin, h) = (step.kinematics, step.length());
        let at = |q, u| Kinematics { motion: Motion { q, u, ..kin.motion }, ..kin };
        for bundle in 0..self.bundles.len() {
            let whole = self.activation_share(bundle, source, &kin) * h * kin.load.factor;
            if whole == 0.0 {
                continue;
            }
            let (slope, stiffening) =
                (0.5 * whole / ExcitedStep::LOOK, self.bundles[bundle].stiffening);
            let activation = self.applied(bundle, &kin);
            let terms = [
                (at(kin.motion.q, step.velocities), VelocityTerms::Included, whole),
                (at(step.ahead, kin.motion.u), VelocityTerms::Excluded, slope),
                (at(step.behind, kin.motion.u), VelocityTerms::Excluded, -slope),
            ];
            for (kin, velocity, factor) in terms {
                let own = OneBundle { bundle, stiffening, activation, factor };
                self.batches.iter().try_for_each(|it| {
                    it.add_active_forces(part, (&kin, velocity), own, impulses)
                })?;
            }
        }
        Ok(())
    }

    fn add_forces_by(
        &self,
        part: &Part,
        kin: &Kinematics,
        number: ForceNumber,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        for bundle in 0..self.bundles.len() {
            let slope = match number {
                ForceNumber::Memory(place) if place == self.memory_of(bundle) => {
                    self.memory_slope(bundle, kin)
                }
                ForceNumber::Memory(_) => 0.0,
                ForceNumber::Excitation(source) => self.activation_share(bundle, source, kin),
            };
            let Contraction { enabled, stiffening, .. } = self.bundles[bundle];
            let (factor, activation) = (slope * kin.load.factor, self.applied(bundle, kin));
            if enabled && factor != 0.0 {
                let own = OneBundle { bundle, stiffening, activation, factor };
                let at = (kin, VelocityTerms::Included);
                self.batches
                    .iter()
                    .try_for_each(|it| it.add_active_forces(part, at, own, forces))?;
            }
        }
        Ok(())
    }

    fn add_memory_slopes(&self, kin: &Kinematics, slopes: &mut MemorySlopes) {
        for bundle in 0..self.bundles.len() {
            let place = self.memory_of(bundle);
            slopes.by_memory.push((place, place, self.memory_slope(bundle, kin)));
        }
    }

    fn add_memory_by_excitation(
        &self,
        kin: &Kinematics,
        source: ExcitationSource,
        memory: &mut [f64],
    ) {
        for bundle in 0..self.bundles.len() {
            memory[self.memory_of(bundle)] += self.activation_share(bundle, source, kin);
        }
    }

    /// That of fibres that are not active.
    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        (0..self.bundles.len()).map(|bundle| self.passive_energy(bundle, q)).sum()
    }

    fn view(&self) -> EffectorView<'_> {
        EffectorView::Muscles(self)
    }
}

impl TissueMuscles for Muscles {
    fn bundle_count(&self) -> usize {
        self.bundles.len()
    }

    fn batches(&self) -> Vec<BundleBatch> {
        let on = self.bundles.iter().enumerate().filter(|(_, bundle)| bundle.enabled);
        let data = |(k, it): (usize, &Contraction)| {
            let (law, stiffens) = (it.material, it.stiffening > 0.0);
            self.batches.iter().flat_map(move |batch| batch.data_of(k, &law, stiffens))
        };
        on.flat_map(data).collect()
    }

    fn drive(&self, bundle: usize, after: (&[f64], f64), time: f64) -> BundleDrive {
        let activation = self.activation(bundle, after, time);
        BundleDrive { activation, share: self.bundles[bundle].stiffening * activation }
    }
}
