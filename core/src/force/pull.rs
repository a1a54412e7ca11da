//! What pulls along one line: a law of tension, its excitation and how activation follows. The laws
//! stand in `axial/`.

use crate::axial::{
    ActivationDynamics, ActivationModel, AxialInput, AxialLaw, Constants, Past, Tension, TensionLaw,
};

/// Most numbers that one pull remembers: two of its law, and its activation.
const MOST_MEMORY: usize = 3;

/// What pulls along one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    pub(crate) law: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub(crate) rest_length: f64,
    /// Excitation [-], 0 to 1.
    pub(crate) excitation: f64,
    /// How activation follows excitation.
    pub(crate) activation: ActivationDynamics,
    /// Whether it pulls at all.
    pub(crate) enabled: bool,
}

/// What a line does at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Its length [m].
    pub(super) length: f64,
    /// Rate of its length [m/s].
    pub(super) rate: f64,
    /// Excitation, that of exciters included [-].
    pub(super) excitation: f64,
}

impl Pull {
    /// Numbers that it remembers: its activation, and what its law does.
    pub(super) fn memory_len(&self) -> usize {
        self.law.state_len() + usize::from(self.delays())
    }

    /// Whether it remembers the same quantities as another.
    pub(super) fn remembers_like(&self, other: &Self) -> bool {
        self.law.kind().name == other.law.kind().name && self.delays() == other.delays()
    }

    /// Whether activation takes its time.
    fn delays(&self) -> bool {
        self.activation.model != ActivationModel::Instant
    }

    /// Memory at rest, with the length and the excitation held.
    pub(super) fn start(&self, at: Stretch, memory: &mut [f64]) {
        let activation = self.activation.steady(at.excitation)[0];
        let state = self.keep_activation(activation, memory);
        self.law.start(&self.input(Stretch { rate: 0.0, ..at }, activation), state);
    }

    /// Memory at the end of a step [s] that led to `at`.
    pub(super) fn advance(&self, at: Stretch, step: f64, memory: &mut [f64]) {
        let activation = self.activation_after(at.excitation, step, memory).0;
        let state = self.keep_activation(activation, memory);
        self.law.advance(&self.input(at, activation), step, state);
    }

    /// Tension `step` [s] after `memory`; that at rest where there is no memory.
    pub(super) fn tension(&self, at: Stretch, step: f64, memory: &[f64]) -> Tension {
        if !self.enabled {
            return Tension::default();
        }
        let (mut rest, len) = ([0.0; MOST_MEMORY], self.memory_len());
        let (memory, step) = if memory.len() < len {
            self.start(at, &mut rest[..len]);
            (&rest[..len], 0.0)
        } else {
            (memory, step)
        };
        let (activation, state) = self.activation_after(at.excitation, step, memory);
        self.law.tension(&self.input(at, activation), &Past { step, state })
    }

    /// Activation [-] `step` [s] after `memory`, and the state of the law in it.
    fn activation_after<'m>(
        &self,
        excitation: f64,
        step: f64,
        memory: &'m [f64],
    ) -> (f64, &'m [f64]) {
        match memory {
            [before, state @ ..] if self.delays() => {
                (self.activation.advance(*before, excitation, step)[0], state)
            }
            state => (self.activation.steady(excitation)[0], state),
        }
    }

    /// Notes the activation where it takes its time; the state of the law.
    fn keep_activation<'m>(&self, activation: f64, memory: &'m mut [f64]) -> &'m mut [f64] {
        let (kept, state) = memory.split_at_mut(usize::from(self.delays()));
        kept.fill(activation);
        state
    }

    /// Energy stored at a length [m], where the force has a potential [J].
    pub(super) fn strain_energy(&self, length: f64) -> f64 {
        let stored = || self.law.energy(length, self.rest_length).unwrap_or(0.0);
        if self.enabled { stored() } else { 0.0 }
    }

    fn input(&self, Stretch { length, rate, .. }: Stretch, activation: f64) -> AxialInput {
        AxialInput { length, rate, rest_length: self.rest_length, excitation: activation }
    }
}
