//! Residuals that are made small under a robust norm: fits of models to data with outliers.

use serde::{Deserialize, Serialize};

use super::{Behaviour, PortMotion};

/// A norm ρ of one residual r.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// r² / 2.
    Square,
    /// r² / 2 up to the scale, then straight (Huber1964).
    Huber(f64),
    /// The biweight, which beyond the scale pulls no more (BeatonTukey1974).
    Tukey(f64),
    /// r² / 2 / (1 + r² / scale²) (GemanMcClure1987).
    GemanMcClure(f64),
}

/// Residuals on this many ports: the energy is the stiffness times the sum of their norms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Number of ports.
    pub ports: usize,
    /// Stiffness.
    pub stiffness: f64,
    /// Norm.
    pub norm: Norm,
}

impl Norm {
    /// ρ(r).
    pub fn value(self, r: f64) -> f64 {
        let square = r * r;
        match self {
            Self::Square => 0.5 * square,
            Self::Huber(scale) if r.abs() <= scale => 0.5 * square,
            Self::Huber(scale) => scale * (r.abs() - 0.5 * scale),
            Self::Tukey(scale) => {
                let rest = (1.0 - square / (scale * scale)).max(0.0);
                scale * scale / 6.0 * (1.0 - rest * rest * rest)
            }
            Self::GemanMcClure(scale) => 0.5 * square / (1.0 + square / (scale * scale)),
        }
    }

    /// The weight ρ'(r) / r.
    pub fn weight(self, r: f64) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::Huber(scale) if r.abs() <= scale => 1.0,
            Self::Huber(scale) => scale / r.abs(),
            Self::Tukey(scale) => (1.0 - r * r / (scale * scale)).max(0.0).powi(2),
            Self::GemanMcClure(scale) => (1.0 + r * r / (scale * scale)).powi(-2),
        }
    }
}

impl Behaviour for Residuals {
    fn port_count(&self) -> usize {
        self.ports
    }
    fn add_forces(&self, at: PortMotion<'_>, forces: &mut [f64]) {
        for (force, &r) in forces.iter_mut().zip(at.x) {
            *force -= self.stiffness * self.norm.weight(r) * r;
        }
    }

    /// By the weights, as iteratively reweighted least squares take it: never negative.
    fn add_stiffness(&self, at: PortMotion<'_>, stiffness: &mut [f64]) {
        for (k, &r) in at.x.iter().enumerate() {
            stiffness[k * (self.ports + 1)] += self.stiffness * self.norm.weight(r);
        }
    }
    fn energy(&self, at: PortMotion<'_>) -> f64 {
        at.x.iter().map(|&r| self.stiffness * self.norm.value(r)).sum()
    }
}
