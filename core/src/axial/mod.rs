//! Laws of tension along a line, for springs, ligaments, tendons and point-to-point muscles:
//! length, rate and excitation -> force and its derivatives, with a state where a law has a memory.
//! Nothing of the model tree or the solver; `docs/muscles.md` has every equation and its source.

mod activation;
pub mod active;
mod constants;
pub mod curve;
mod law;
pub mod passive;
#[cfg(test)]
mod tests;

pub use activation::{ActivationDynamics, ActivationModel};
pub(crate) use constants::choice;
pub use constants::{AxialError, Constant, Constants, LawKind, Range, Role, Value};
pub use law::{AxialLaw, KINDS};

/// What a law is evaluated at. Lengthening is positive.
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

/// What a law with a memory knows: its state at the begin of a step and the length of the step.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// Step [s] from the state to the input. Zero asks for the law at rest: the hidden lengths of a
    /// muscle at equilibrium, those of a dashpot as the state has them.
    pub step: f64,
    /// State at the begin of the step, as long as [`TensionLaw::state_len`] says.
    pub state: &'a [f64],
}

impl Past<'static> {
    /// No step and no state: for laws without a memory.
    pub const NONE: Self = Past { step: 0.0, state: &[] };
}

/// How the hidden length of a law was found.
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

    /// How many numbers its state has.
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

    /// Replaces the state at the begin of a step [s] by that at its end, where the input holds.
    ///
    /// # Panics
    /// When the state is shorter than [`Self::state_len`].
    fn advance(&self, input: &AxialInput, step: f64, state: &mut [f64]) -> Settling {
        let _ = (input, step, state);
        Settling::Memoryless
    }

    /// Checks what no single constant can be blamed for.
    ///
    /// # Errors
    /// [`AxialError`] names the constant and what it must exceed.
    fn check_together(&self) -> Result<(), AxialError> {
        Ok(())
    }
}
