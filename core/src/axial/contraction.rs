//! Fibre and tendon of a muscle at one moment, for readers of a state.

/// Fibre of a muscle and the tendon in series with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contraction {
    /// Length of the fibre [m].
    pub fibre_length: f64,
    /// Rate of that length [m/s], positive when it lengthens.
    pub fibre_velocity: f64,
    /// Activation [-].
    pub activation: f64,
    /// Force of the tendon [N].
    pub tendon_force: f64,
}
