//! Laws of tension along a line, for springs, ligaments, tendons and point-to-point muscles:
//! length, rate and excitation -> force and its derivatives, with a state where a law has a memory.
//! Nothing of the model tree or the solver; `docs/reference/muscles.md` has every equation and its source.

mod activation;
pub mod active;
mod constants;
mod contraction;
pub mod curve;
mod law;
pub mod passive;
#[cfg(test)]
mod tests;

pub use activation::{ActivationDynamics, ActivationModel};
pub(crate) use constants::choice;
pub use constants::{AxialError, Constant, Constants, LawKind, Range, Role, Value};
pub use contraction::Contraction;
pub use law::{AxialLaw, KINDS};

/// Input of a law. Lengthening is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxialInput {
    /// Length of the line [m].
    pub length: f64,
    /// Its rate [m/s].
    pub rate: f64,
    /// Length of the line at rest [m]; laws that have a length of their own do not look at it.
    pub rest_length: f64,
    /// Excitation of a muscle [-], 0 to 1; passive laws do not look at it.
    pub excitation: f64,
}

/// The force that a line pulls its ends together with, and its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tension {
    /// Force [N], positive when it pulls the ends together.
    pub force: f64,
    /// Derivative by the length [N/m].
    pub by_length: f64,
    /// Derivative by the rate [N s/m].
    pub by_rate: f64,
    /// Derivative by the excitation [N].
    pub by_excitation: f64,
}

impl Tension {
    /// The same, or nothing where the force would push: a fibre cannot.
    pub(crate) fn or_slack(self) -> Self {
        if self.force < 0.0 { Self::default() } else { self }
    }
}

/// Share of a step after which laws with a hidden length look at the line before its end [-]: 1 -
/// 1/sqrt(2), with which their rule of two stages damps motions faster than the step
/// (Alexander1977).
pub const EARLIER: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Steps over the time of relaxation of a state beyond which its mean rate over the step is taken for its rate
/// [-]: explicit rules of fourth order are stable up to 2.8.
pub(crate) const STIFF: f64 = 2.0;

/// Motion of the line in the step before the input. Its length is taken for linear in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Before {
    /// Length of the step [s]. Zero asks for the law at rest: the hidden lengths of a muscle at
    /// equilibrium, those of a dashpot as the state has them.
    pub step: f64,
    /// Length of the line at the begin of the step [m].
    pub length: f64,
    /// Excitation after the share [`EARLIER`] of the step [-].
    pub excitation: f64,
}

impl Before {
    /// A step [s] in which the line stayed as the input has it.
    pub fn unchanged(input: &AxialInput, step: f64) -> Self {
        Self { step, length: input.length, excitation: input.excitation }
    }

    /// Excitation in the middle of the step [-], on the line through that of the share [`EARLIER`] and that
    /// of the end.
    pub(crate) fn mean_excitation(&self, end: f64) -> f64 {
        self.excitation + (0.5 - EARLIER) / (1.0 - EARLIER) * (end - self.excitation)
    }
}

/// Past of a law with a memory: its state at the begin of a step, and the step.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// The step from the state to the input.
    pub before: Before,
    /// State at the begin of the step, as long as [`TensionLaw::state_len`] says.
    pub state: &'a [f64],
}

impl<'a> Past<'a> {
    /// A step [s] from a state, in which the line stayed as the input has it.
    pub fn unchanged(input: &AxialInput, step: f64, state: &'a [f64]) -> Self {
        Self { before: Before::unchanged(input, step), state }
    }
}

impl Past<'static> {
    /// No step and no state: for laws without a memory.
    pub const NONE: Self =
        Past { before: Before { step: 0.0, length: 0.0, excitation: 0.0 }, state: &[] };
}

/// Derivatives of one number by what a law with a state knows of a step, at the places that the constants say.
pub type StepSlope = nalgebra::SVector<f64, 6>;

/// Place of the derivative by the first number of the state at the begin of the step; that by the second follows.
pub const BY_STATE: usize = 0;
/// That by the length of the line at the begin of the step \[1/m\].
pub const BY_LENGTH_BEFORE: usize = 2;
/// That by the length of the line at the end of the step \[1/m\].
pub const BY_LENGTH: usize = 3;
/// That by the excitation after the share [`EARLIER`] of the step.
pub const BY_EXCITATION_EARLIER: usize = 4;
/// That by the excitation at the end of the step.
pub const BY_EXCITATION: usize = 5;

/// Derivatives of a law with a state at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StateSlopes {
    /// Of the tension [N], its rate aside.
    pub force: StepSlope,
    /// Of each number of the state.
    pub state: [StepSlope; 2],
}

/// The way in which the hidden length of a law was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settling {
    /// The law has no hidden length.
    Memoryless,
    /// Its parts carry the same force.
    Balanced,
    /// The tendon is slack and the fibre unloaded; the muscle pulls nothing.
    Slack,
    /// The fibre is as short as it can be and would be shorter; the tendon's force is the muscle's.
    Shortest,
}

/// A law of tension along a line. All functions are pure but for the state they are given, allocate
/// nothing, and return finite values for finite input whenever [`AxialLaw::check`] accepts the law.
pub trait TensionLaw: Constants {
    /// Tension at the input, which is the end of the step of `past` when the law has a state; the
    /// derivatives are those of the returned force with `past` held, so that an implicit step
    /// converges as Newton's method does. At a kink, one of the two one-sided derivatives.
    ///
    /// # Panics
    /// When the state of `past` is shorter than [`Self::state_len`].
    fn tension(&self, input: &AxialInput, past: &Past<'_>) -> Tension;

    /// Strain energy [J] at a length and a rest length [m], zero where the law is slack or at rest;
    /// none for laws whose force has no potential.
    fn energy(&self, length: f64, rest_length: f64) -> Option<f64> {
        let _ = (length, rest_length);
        None
    }

    /// Numbers in its state.
    fn state_len(&self) -> usize {
        0
    }

    /// Writes the state at rest with the input held.
    ///
    /// # Panics
    /// When the state is shorter than [`Self::state_len`].
    fn start(&self, input: &AxialInput, state: &mut [f64]) -> Settling {
        let _ = (input, state);
        Settling::Memoryless
    }

    /// Replaces the state at the begin of a step by that at its end, where the input holds: of second order
    /// in the step, and stable for any.
    ///
    /// # Panics
    /// When the state is shorter than [`Self::state_len`].
    fn advance(&self, input: &AxialInput, before: &Before, state: &mut [f64]) -> Settling {
        let _ = (input, before, state);
        Settling::Memoryless
    }

    /// Writes the rates of a state at the input \[1/s\], for rules that sum rates. What would come to rest
    /// within the step [s] that they are meant for has its mean rate over such a step, so that no sum
    /// overshoots.
    ///
    /// # Panics
    /// When the state or the rates are shorter than [`Self::state_len`].
    fn rates(&self, input: &AxialInput, (state, step): (&[f64], f64), rates: &mut [f64]) {
        let _ = (input, state, step, rates);
    }

    /// Sets the parts of a state made by rates that follow the input at once.
    ///
    /// # Panics
    /// When the state is shorter than [`Self::state_len`].
    fn close(&self, input: &AxialInput, state: &mut [f64]) {
        let _ = (input, state);
    }

    /// Derivatives of the tension and of the state at the end of the step of `past`: zeros of a law without a state. At a
    /// kink, one of the two one-sided derivatives.
    ///
    /// # Panics
    /// When the state of `past` is shorter than [`Self::state_len`].
    fn slopes(&self, input: &AxialInput, past: &Past<'_>) -> StateSlopes {
        let _ = (input, past);
        StateSlopes::default()
    }

    /// Fibre and tendon in a state at the input; none for laws without a fibre.
    ///
    /// # Panics
    /// When the state is shorter than [`Self::state_len`].
    fn contraction(&self, input: &AxialInput, state: &[f64]) -> Option<Contraction> {
        let _ = (input, state);
        None
    }

    /// Checks of constants together.
    ///
    /// # Errors
    /// [`AxialError`] names the constant and what it must exceed.
    fn check_together(&self) -> Result<(), AxialError> {
        Ok(())
    }
}
