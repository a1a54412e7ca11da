//! Pull along one line: a law of tension, its excitation and the dynamics of its activation. The
//! laws stand in `axial/`.

use crate::axial::{
    ActivationDynamics, ActivationModel, AxialInput, AxialLaw, BY_EXCITATION,
    BY_EXCITATION_EARLIER, BY_LENGTH, BY_LENGTH_BEFORE, BY_STATE, Before, Constants, Contraction,
    EARLIER, Past, StepSlope, Tension, TensionLaw,
};
use crate::state::INSTANT;

/// Most numbers that one pull remembers: its activation, two of its law, and a length.
const MOST_MEMORY: usize = 4;

/// Change of an excitation that second derivatives of a tension are taken over [-]: most laws are linear in it, and of
/// the others it leaves 1e-8.
const PROBE: f64 = 1e-4;

/// Pull along one line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    pub(crate) law: AxialLaw,
    /// Length without tension [m], for laws that have none of their own.
    pub(crate) rest_length: f64,
    /// Excitation [-], 0 to 1.
    pub(crate) excitation: f64,
    /// Dynamics of its activation.
    pub(crate) activation: ActivationDynamics,
    /// True if it pulls at all.
    pub(crate) enabled: bool,
}

/// Derivatives of one number at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PullSlope {
    /// By the numbers of the memory at its begin.
    pub(super) by_memory: [f64; MOST_MEMORY],
    /// By the length of the line at its end \[1/m\].
    pub(super) by_length: f64,
    /// Along a change of the excitation.
    pub(super) by_excitation: f64,
}

impl PullSlope {
    /// Of a law with `hidden` numbers that stand behind `first` others, and before the length, if that is `remembered`; with the
    /// derivatives of activations that it gets after the share [`EARLIER`] of the step and at its end.
    fn of(
        slope: &StepSlope,
        (first, hidden, remembered): (usize, usize, bool),
        [earlier, end]: [[f64; 2]; 2],
    ) -> Self {
        let by =
            |k: usize| slope[BY_EXCITATION_EARLIER] * earlier[k] + slope[BY_EXCITATION] * end[k];
        let mut own = Self { by_length: slope[BY_LENGTH], by_excitation: by(0), ..Self::default() };
        if first > 0 {
            own.by_memory[0] = by(1);
        }
        for k in 0..hidden {
            own.by_memory[first + k] = slope[BY_STATE + k];
        }
        match remembered {
            true => own.by_memory[first + hidden] = slope[BY_LENGTH_BEFORE],
            false => own.by_length += slope[BY_LENGTH_BEFORE],
        }
        own
    }
}

/// Derivatives of a pull with a memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PullSlopes {
    /// Of the force [N], its dependence on the rate of the line aside.
    pub(super) force: PullSlope,
    /// Of the memory.
    pub(super) memory: [PullSlope; MOST_MEMORY],
}

/// State of a line: length, rate, excitation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Its length [m].
    pub(super) length: f64,
    /// Rate of its length [m/s].
    pub(super) rate: f64,
    /// Excitation, that of exciters included [-].
    pub(super) excitation: f64,
    /// The same after the share [`EARLIER`] of the step that leads here [-].
    pub(super) earlier: f64,
}

impl Pull {
    /// Numbers that it remembers: its activation where that takes its time, what its law does, and with these the
    /// length at which they were.
    pub(super) fn memory_len(&self) -> usize {
        let hidden = self.law.state_len();
        hidden + usize::from(hidden > 0) + usize::from(self.delays())
    }

    /// True if it remembers the same quantities as another.
    pub(super) fn remembers_like(&self, other: &Self) -> bool {
        self.law.kind().name == other.law.kind().name && self.delays() == other.delays()
    }

    /// True if activation takes its time.
    fn delays(&self) -> bool {
        self.activation.model != ActivationModel::Instant
    }

    /// Memory at rest, with the length and the excitation held.
    pub(super) fn start(&self, at: Stretch, memory: &mut [f64]) {
        let activation = self.activation.steady(at.excitation)[0];
        let state = self.keep(activation, at.length, memory);
        self.law.start(&self.input(Stretch { rate: 0.0, ..at }, activation), state);
    }

    /// Memory at the end of a step [s] that led to `at`.
    pub(super) fn advance(&self, at: Stretch, step: f64, memory: &mut [f64]) {
        let (activation, Past { before, .. }) = self.past(at, step, memory);
        let state = self.keep(activation, at.length, memory);
        self.law.advance(&self.input(at, activation), &before, state);
    }

    /// Rates of the memory at `at` \[1/s\], meant for steps of `step` [s].
    pub(super) fn rates(&self, at: Stretch, step: f64, memory: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
        let mut activation = self.activation.steady(at.excitation)[0];
        let (mut state, mut of_state) = (memory, rates);
        if self.delays() {
            of_state[0] = self.activation.rate(memory[0], at.excitation, step);
            (activation, state, of_state) = (memory[0], &memory[1..], &mut of_state[1..]);
        }
        if self.law.state_len() > 0 {
            self.law.rates(&self.input(at, activation), (state, step), of_state);
        }
    }

    /// Sets what follows the line at once in a memory that was made by rates.
    pub(super) fn close(&self, at: Stretch, memory: &mut [f64]) {
        let instant = self.activation.steady(at.excitation)[0];
        let activation = if self.delays() { memory[0] } else { instant };
        let state = self.keep(activation, at.length, memory);
        if !state.is_empty() {
            self.law.close(&self.input(at, activation), state);
        }
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
        let (activation, past) = self.past(at, step, memory);
        self.law.tension(&self.input(at, activation), &past)
    }

    /// Derivatives of the tension by an excitation that is held over the `step` [s]: of the force [N], and of its
    /// derivatives by length [N/m] and rate [N s/m]. At an end of the range they are those towards its inside.
    pub(super) fn by_excitation(&self, at: Stretch, step: f64, memory: &[f64]) -> Tension {
        if !self.enabled {
            return Tension::default();
        }
        let low = if self.delays() { self.activation.least } else { self.law.least_excitation() };
        let steady = |e: f64| Stretch { excitation: e, earlier: e, ..at };
        let middle = at.excitation.max(low + PROBE).min(1.0 - PROBE);
        let [below, above] =
            [-PROBE, PROBE].map(|d| self.tension(steady(middle + d), step, memory));
        let slope = |a: f64, b: f64| (b - a) / (2.0 * PROBE);
        // Laws with a hidden length depend on the excitation within the step too.
        let force = match self.law.state_len() {
            0 => {
                let e = at.excitation.clamp(low, 1.0);
                let by_activation = self.tension(steady(e), step, memory).by_excitation;
                by_activation * self.activation_slope(e, step, memory)
            }
            _ => slope(below.force, above.force),
        };
        Tension {
            force,
            by_length: slope(below.by_length, above.by_length),
            by_rate: slope(below.by_rate, above.by_rate),
            by_excitation: 0.0,
        }
    }

    /// Derivatives `step` [s] after `memory`, which has all of its numbers; along a change of the excitation after the share
    /// [`EARLIER`] of the step and at its end.
    pub(super) fn slopes(
        &self,
        at: Stretch,
        (step, change): (f64, [f64; 2]),
        memory: &[f64],
    ) -> PullSlopes {
        let (activation, past) = self.past(at, step, memory);
        let input = self.input(at, activation);
        let first = usize::from(self.delays());
        let [earlier, end] = self.activation_slopes(at, (step, change), memory);
        let mut own = PullSlopes::default();
        if first > 0 {
            own.memory[0].by_memory[0] = end[1];
            own.memory[0].by_excitation = end[0];
        }
        let hidden = self.law.state_len();
        if hidden == 0 {
            let by_activation = self.law.tension(&input, &past).by_excitation;
            own.force.by_memory[0] = by_activation * end[1];
            own.force.by_excitation = by_activation * end[0];
        } else {
            let slopes = self.law.slopes(&input, &past);
            let known = (first, hidden, step > INSTANT);
            own.force = PullSlope::of(&slopes.force, known, [earlier, end]);
            for (k, slope) in slopes.state.iter().enumerate().take(hidden) {
                own.memory[first + k] = PullSlope::of(slope, known, [earlier, end]);
            }
            own.memory[first + hidden].by_length = 1.0;
        }
        if !self.enabled {
            own.force = PullSlope::default();
        }
        own
    }

    /// Derivatives of the activation after the share [`EARLIER`] of a step and at its end, each along a change of the
    /// excitation there and then and by the activation at its begin.
    fn activation_slopes(
        &self,
        at: Stretch,
        (step, change): (f64, [f64; 2]),
        memory: &[f64],
    ) -> [[f64; 2]; 2] {
        let Stretch { excitation, earlier, length, .. } = at;
        let (&[from, ..], true) = (memory, self.delays()) else {
            let slope =
                |(excitation, change): (f64, f64)| self.activation.steady(excitation)[1] * change;
            return [(earlier, change[0]), (excitation, change[1])].map(|it| [slope(it), 0.0]);
        };
        let mean = |[earlier, end]: [f64; 2]| {
            Before { step, length, excitation: earlier }.mean_excitation(end)
        };
        let stages = [
            (earlier, change[0], EARLIER * step),
            (mean([earlier, excitation]), mean(change), step),
        ];
        stages.map(|(excitation, change, step)| {
            let [_, by_excitation, by_start] =
                self.activation.advance_slopes(from, excitation, step);
            [by_excitation * change, by_start]
        })
    }

    /// Derivative of the activation at the end of a step [s] by an excitation held over it [-].
    fn activation_slope(&self, excitation: f64, step: f64, memory: &[f64]) -> f64 {
        match (memory.first(), self.delays()) {
            (Some(&from), true) => self.activation.advance(from, excitation, step)[1],
            _ => self.activation.steady(excitation)[1],
        }
    }

    /// True if its tension depends on the rate of its length, as that of the law excited and slack.
    pub(super) fn depends_on_rate(&self) -> bool {
        let length = self.rest_length.max(f64::MIN_POSITIVE);
        let excited = Stretch { length, rate: 0.0, excitation: 1.0, earlier: 1.0 };
        self.tension(excited, INSTANT, &[]).by_rate != 0.0
    }

    /// Activation [-] `step` [s] after `memory`, and what the law knows of the step.
    fn past<'m>(&self, at: Stretch, step: f64, memory: &'m [f64]) -> (f64, Past<'m>) {
        let Stretch { excitation, earlier, length, .. } = at;
        let mut before = Before { step, length, excitation: earlier };
        let (mut activation, mut state) = (self.activation.steady(excitation)[0], memory);
        if let ([from, kept @ ..], true) = (memory, self.delays()) {
            let mean = before.mean_excitation(excitation);
            activation = self.activation.advance(*from, mean, step)[0];
            before.excitation = self.activation.advance(*from, earlier, EARLIER * step)[0];
            state = kept;
        } else {
            before.excitation = self.activation.steady(earlier)[0];
        }
        if let Some(&length) = state.last().filter(|_| step > INSTANT) {
            before.length = length;
        }
        (activation, Past { before, state })
    }

    /// Notes the activation where it takes its time, and the length beside the state of a law; that state.
    fn keep<'m>(&self, activation: f64, length: f64, memory: &'m mut [f64]) -> &'m mut [f64] {
        let (kept, state) = memory.split_at_mut(usize::from(self.delays()));
        kept.fill(activation);
        match state.split_last_mut() {
            None => &mut [],
            Some((last, state)) => {
                *last = length;
                state
            }
        }
    }

    /// Activation [-] in a memory, and fibre and tendon where the law has a fibre.
    pub(super) fn contraction(&self, at: Stretch, memory: &[f64]) -> (f64, Option<Contraction>) {
        let (activation, state) = match (memory, self.delays()) {
            ([activation, state @ ..], true) => (*activation, state),
            _ => (self.activation.steady(at.excitation)[0], memory),
        };
        let found = self.law.contraction(&self.input(at, activation), state);
        let pulls = f64::from(u8::from(self.enabled));
        let found = found.map(|it| Contraction { tendon_force: pulls * it.tendon_force, ..it });
        (found.map_or(activation, |it| it.activation), found)
    }

    /// True if its force has a potential.
    pub(super) fn has_potential(&self) -> bool {
        let length = self.rest_length.max(f64::MIN_POSITIVE);
        self.enabled && self.law.energy(length, self.rest_length).is_some()
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
