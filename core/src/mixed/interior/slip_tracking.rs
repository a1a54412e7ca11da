//! Rule by which velocities along normals follow the slip in the iterations of the interior point
//! method: until these gain no more.

use crate::mixed::tuning::{
    ENOUGH, INTERIOR_TOLERANCE, SLIP_GAIN, SLIP_ITERATIONS, SLIP_NEAR, SLIP_PATIENCE,
};

/// Progress of the iterations in which velocities follow the slip.
pub(super) struct SlipTracking {
    /// True if velocities along normals follow the slip.
    pub(super) follows: bool,
    /// Least difference of velocities from their multipliers so far, as a share of that at the start [-], and
    /// iterations since.
    best: f64,
    since: usize,
}

impl Default for SlipTracking {
    fn default() -> Self {
        Self { follows: true, best: f64::INFINITY, since: 0 }
    }
}

impl SlipTracking {
    /// Takes products and balance after an iteration.
    pub(super) fn go_on(&mut self, [gap, balance]: [f64; 2], iterations: usize) {
        self.since += 1;
        if balance < SLIP_GAIN * self.best || gap > SLIP_NEAR {
            (self.best, self.since) = (balance, 0);
        }
        // Velocities change with the products, and the slip with them, however well they are balanced.
        let changes = balance > ENOUGH || gap > INTERIOR_TOLERANCE;
        self.follows = changes && self.since < SLIP_PATIENCE && iterations < SLIP_ITERATIONS;
    }
}
