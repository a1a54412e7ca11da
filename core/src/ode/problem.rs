//! The functions that are integrated: rates, and what switches them.

use nalgebra::DMatrix;

/// A first-order system y' = f(t, y).
pub trait OdeSystem {
    /// Error of an evaluation. A step in which one occurs is tried again with a shorter one.
    type Error;

    /// Number of values of y.
    fn size(&self) -> usize;

    /// Writes f(t, y) into `rates`.
    ///
    /// # Errors
    /// What cannot be evaluated.
    fn rates(&mut self, time: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error>;

    /// Writes df/dy into `jacobian` (rows: rates); false, and nothing written, where it is to be taken by differences.
    ///
    /// # Errors
    /// What cannot be evaluated.
    fn jacobian(
        &mut self,
        time: f64,
        y: &[f64],
        jacobian: &mut DMatrix<f64>,
    ) -> Result<bool, Self::Error> {
        let _ = (time, y, jacobian);
        Ok(false)
    }

    /// Brings `y` onto the manifold of what the exact solution keeps; true if it changed. Called after every
    /// accepted step (Eich1993).
    ///
    /// # Errors
    /// What cannot be projected.
    fn project(&mut self, time: f64, y: &mut [f64]) -> Result<bool, Self::Error> {
        let _ = (time, y);
        Ok(false)
    }

    /// True if a step that met this error may succeed when it is shorter.
    fn may_pass(&self, error: &Self::Error) -> bool {
        let _ = error;
        true
    }
}

/// Sense in which a switching function goes through zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// Either.
    #[default]
    Either,
    /// From below.
    Rising,
    /// From above.
    Falling,
}

impl Crossing {
    /// True if going from one side to the other is looked for.
    pub(super) fn is_met(self, before: f64, after: f64) -> bool {
        match self {
            Self::Either => before * after <= 0.0,
            Self::Rising => before <= 0.0 && after >= 0.0,
            Self::Falling => before >= 0.0 && after <= 0.0,
        }
    }
}

/// Consequence of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Nothing changed: the step under way goes on.
    Continue,
    /// Values or the function changed: the integration starts anew.
    Restart,
    /// The integration ends here.
    Stop,
}

/// A system with switching functions: its rates are smooth between their zeros.
pub trait SwitchedSystem: OdeSystem {
    /// Number of switching functions.
    fn switch_count(&self) -> usize;

    /// Sense in which zeros of a switching function are events now.
    fn crossing(&self, switch: usize) -> Crossing;

    /// Writes the values of all switching functions.
    ///
    /// # Errors
    /// What cannot be evaluated.
    fn switches(&mut self, time: f64, y: &[f64], values: &mut [f64]) -> Result<(), Self::Error>;

    /// Called at an event with the switching functions that are zero there; may change `y` and the function.
    ///
    /// # Errors
    /// What the reaction fails in.
    fn react(&mut self, time: f64, y: &mut [f64], fired: &[usize])
    -> Result<Reaction, Self::Error>;
}
