//! The one table of how far a backend may be from the reference, the CPU with a direct solver in
//! 64 bits: a row a quantity, with its reason; a column a [`Precision`].

use crate::backend::Precision;

/// Quantity that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Largest distance of a point from where the reference has it, over the largest displacement
    /// of the reference in the run.
    Position,
    /// Largest difference of a velocity, over the largest speed of the reference in the run.
    Velocity,
    /// Difference of the kinetic, strain or gravitational energy, over the largest energy that the
    /// reference exchanges in the run.
    Energy,
    /// Largest difference of a number that a state remembers, an activation or a stress, over the largest of the reference
    /// in the run.
    Memory,
    /// Change of the momentum of a free body over the sum of the sizes of its parts' momenta.
    Momentum,
    /// Largest difference of a component of a state that was written and read back, over the largest
    /// component of its kind.
    RoundTrip,
    /// Difference of the volume ratio of the element that is named as inverted, over that ratio.
    VolumeRatio,
}

/// One quantity: how far a backend may be off, and why that far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The quantity.
    pub quantity: Quantity,
    /// For [`Precision::F64`] [-].
    pub f64: f64,
    /// For [`Precision::F32`] [-].
    pub f32: f64,
    /// Reason for these tolerances.
    pub reason: &'static str,
}

/// Relative residual that every solve of the suite is asked for [-], the least that a backend must
/// be able to reach. What is left in the solution is below what the table allows.
pub const RESIDUAL: f64 = 1e-9;

/// The table. Every row is below a thousandth, so that a constant that is wrong by so much is seen.
pub const TABLE: [Row; 7] = [
    Row {
        quantity: Quantity::Position,
        f64: 2e-8,
        f32: 1e-4,
        reason: "64 bits: conjugate gradients to the residual asked for are off by 2e-9. 32 bits: a \
                 force is a sum of stresses some 100 times as large, each rounded by 6e-8, and 20 \
                 steps add up",
    },
    Row {
        quantity: Quantity::Velocity,
        f64: 6e-8,
        f32: 3e-4,
        reason: "three times that of positions, as conjugate gradients have it: errors are in the \
                 fast modes first",
    },
    Row {
        quantity: Quantity::Energy,
        f64: 3e-8,
        f32: 4e-4,
        reason: "quadratic in positions and velocities",
    },
    Row {
        quantity: Quantity::Memory,
        f64: 6e-8,
        f32: 5e-4,
        reason: "a stress is a modulus times a strain, of which positions have the error over a length",
    },
    Row {
        quantity: Quantity::Momentum,
        f64: 3e-8,
        f32: 2e-5,
        reason: "internal forces cancel but for the residual of the solve (64 bits) and for the \
                 rounding of their sums (32 bits), 20 times over; of the parts' momenta",
    },
    Row {
        quantity: Quantity::RoundTrip,
        f64: 4.5e-16,
        f32: 1.2e-7,
        reason: "a displacement from rest is rounded, by 2^-53 or 2^-24 of it at most, and so is its \
                 sum with the rest position",
    },
    Row {
        quantity: Quantity::VolumeRatio,
        f64: 1e-9,
        f32: 1e-4,
        reason: "a determinant of gradients of order 1, from one position apiece; it is only printed",
    },
];

/// Factor on the tolerances of a model with nu = 0.49 in 32 bits: 1 / (1 - 2 nu) is 50, where the
/// other models of the suite have 2.5, and so are the stresses that cancel.
pub const NEARLY_INCOMPRESSIBLE: f64 = 5.0;

/// The row of a quantity.
pub fn row(quantity: Quantity) -> &'static Row {
    TABLE.iter().find(|row| row.quantity == quantity).expect("every quantity has a row")
}

impl Row {
    /// Difference that a backend of that precision is allowed [-].
    pub fn of(&self, precision: Precision) -> f64 {
        match precision {
            Precision::F64 => self.f64,
            Precision::F32 => self.f32,
        }
    }
}
