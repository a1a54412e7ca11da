//! Pressure of what is inside of a closed surface by its volume, as a row: a value whose square over twice the compliance of the
//! row is the energy of the contents, so that the force of the row is the pressure times the derivative of the volume.

use serde::{Deserialize, Serialize};

/// Relation of pressure and volume of what is inside of a closed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeLaw {
    /// A fluid that keeps its volume.
    #[default]
    Incompressible,
    /// p = (V0 - V) / C.
    Linear,
    /// A gas, p = pa ((V0 / V)^n - 1) over the ambient pressure pa.
    Gas,
}

/// Contents of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contents {
    /// Their law.
    pub law: VolumeLaw,
    /// Volume V0 that they have without pressure [m³].
    pub volume: f64,
    /// Area that their row is scaled by [m²]: its value is a mean displacement of the surface.
    pub area: f64,
    /// Compliance C [m³/Pa] of a linear law.
    pub compliance: f64,
    /// Pressure pa around a gas [Pa].
    pub ambient: f64,
    /// Exponent n of a gas: 1 at constant temperature, 1.4 of air without exchange of heat.
    pub exponent: f64,
}

/// Least volume of a gas over that without pressure, where its pressure ends to grow: iterates may be anywhere.
const LEAST: f64 = 1e-6;
/// Change of a volume below which the energy of a gas is a series: to rounding, as the other formula has eps over the change.
const SMALL: f64 = 1e-3;

impl Contents {
    /// Compliance of the row [m/N]: the slope of the law at the volume without pressure; 0 where the volume is kept.
    pub fn row_compliance(&self) -> f64 {
        let compliance = match self.law {
            VolumeLaw::Incompressible => 0.0,
            VolumeLaw::Linear => self.compliance,
            VolumeLaw::Gas => self.volume / (self.exponent * self.ambient),
        };
        compliance / (self.area * self.area)
    }

    /// Value of the row at a volume [m³], and its derivative by that [m, 1/m²].
    pub fn row(&self, volume: f64) -> [f64; 2] {
        match self.law {
            VolumeLaw::Incompressible | VolumeLaw::Linear => {
                [(volume - self.volume) / self.area, 1.0 / self.area]
            }
            VolumeLaw::Gas => {
                let change = (volume / self.volume - 1.0).max(LEAST - 1.0);
                let [value, slope] = gas(change, self.exponent);
                [value * self.volume / self.area, slope / self.area]
            }
        }
    }

    /// Pressure over the ambient one at a volume [m³] and a force of the row [N]: [Pa].
    pub fn pressure(&self, volume: f64, multiplier: f64) -> f64 {
        match self.law {
            VolumeLaw::Incompressible => multiplier / self.area,
            VolumeLaw::Linear => (self.volume - volume) / self.compliance,
            VolumeLaw::Gas => {
                let change = (volume / self.volume - 1.0).max(LEAST - 1.0);
                self.ambient * (-self.exponent * change.ln_1p()).exp_m1()
            }
        }
    }
}

/// y and dy/de at V = V0 (1 + e), with n pa V0 y²/2 the energy of a gas over that at V0 and the sign of e: at n = 1 that is
/// pa V0 (e - ln(1 + e)).
fn gas(e: f64, n: f64) -> [f64; 2] {
    if e == 0.0 {
        return [0.0, 1.0];
    }
    let log = e.ln_1p();
    let value = if e.abs() < SMALL {
        let (a, b) = ((n + 1.0) / 3.0, (n + 1.0) * (n + 2.0) / 12.0);
        e * (1.0 - e * (a - e * (b - e * b * (n + 3.0) / 5.0))).sqrt()
    } else {
        let work = if n == 1.0 { -log } else { ((1.0 - n) * log).exp_m1() / (n - 1.0) };
        (2.0 * (e + work) / n).sqrt().copysign(e)
    };
    [value, -(-n * log).exp_m1() / (n * value)]
}
