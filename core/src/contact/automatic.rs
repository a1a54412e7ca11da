//! Compliance of contacts by material and size of the tissues that touch: a layer of each, one behind the other
//! (docs/theory/unilateral.md, "Automatic compliance").

use serde::{Deserialize, Serialize};

use crate::constraint::Compliance;

/// Numbers of an automatic compliance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutomaticCompliance {
    /// Thickness of the layer of a tissue that gives way, over its volume by its surface [-], > 0.
    pub layer_share: f64,
    /// Damping over the critical damping of the mass of the tissues on their layers [-].
    pub damping_ratio: f64,
}

impl Default for AutomaticCompliance {
    /// A tenth of the volume by the surface: of a cube 1/60 of its edge.
    fn default() -> Self {
        Self { layer_share: 0.1, damping_ratio: 1.0 }
    }
}

/// Depth, stiffness and mass of the tissues of a pair by area, for an automatic compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLayer {
    /// Volume by surface over Young's modulus, summed over both sides [m/Pa].
    pub compliance: f64,
    /// Mass by surface [kg/m²]: that of one side, of two sides the reduced mass.
    pub mass: f64,
}

impl ContactLayer {
    /// Layer of a tissue by its volume [m³], surface [m²], Young's modulus [Pa] and density [kg/m³].
    pub fn new([volume, surface]: [f64; 2], youngs_modulus: f64, density: f64) -> Self {
        let depth = volume / surface;
        Self { compliance: depth / youngs_modulus, mass: depth * density }
    }

    /// Both layers, one behind the other.
    #[must_use]
    pub fn behind(self, other: Self) -> Self {
        Self {
            compliance: self.compliance + other.compliance,
            mass: 1.0 / (1.0 / self.mass + 1.0 / other.mass),
        }
    }

    /// Compliance [m/N] and damping [N s/m] of a contact that stands for an area [m²].
    pub fn over(&self, numbers: &AutomaticCompliance, area: f64) -> Compliance {
        let AutomaticCompliance { layer_share, damping_ratio } = *numbers;
        let compliance = layer_share * self.compliance / area;
        let damping = 2.0 * damping_ratio * (self.mass * area / compliance).sqrt();
        Compliance { compliance, damping }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_act_in_series_and_their_damping_is_critical() {
        let numbers = AutomaticCompliance { layer_share: 0.2, damping_ratio: 1.0 };
        // Cubes of 60 mm: volume by surface 10 mm, layers of 2 mm.
        let cube = ContactLayer::new([0.06f64.powi(3), 6.0 * 0.06f64.powi(2)], 1e5, 1000.0);
        let one = cube.over(&numbers, 0.0036);
        assert!((one.compliance * 1e5 * 0.0036 / 0.002 - 1.0).abs() < 1e-12, "{one:?}");
        let critical = 2.0 * (0.01 * 1000.0 * 0.0036 / one.compliance).sqrt();
        assert!((one.damping / critical - 1.0).abs() < 1e-12, "{one:?}");
        let both = cube.behind(cube).over(&numbers, 0.0036);
        assert!((both.compliance / one.compliance - 2.0).abs() < 1e-12);
        assert!((both.damping / one.damping - 0.5).abs() < 1e-12);
    }
}
