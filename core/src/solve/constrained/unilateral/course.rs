//! How long velocities along normals follow the slip in the iterations of the interior point method.

/// Balance, as a share of that at the start, from which the slip is as good as known [-].
const ENOUGH: f64 = 1e-9;
/// Iterations that bring the balance below this share of the best so far count as nearer [-]; so many that do not are
/// the last: rounding errors turn the slip of what sticks. They are counted once products have come down to a share of
/// those at the start [-], since balance waits for them before.
const GAIN: f64 = 0.7;
const PATIENCE: usize = 5;
const NEAR: f64 = 1e-4;
/// The last iteration, so that there are some to end with.
const FOLLOWING: usize = 45;

/// How iterations go.
pub(super) struct Course {
    /// Whether velocities along normals follow the slip.
    pub(super) follows: bool,
    /// Least difference of velocities from their multipliers so far, as a share of that at the start [-], and
    /// iterations since.
    best: f64,
    since: usize,
}

impl Default for Course {
    fn default() -> Self {
        Self { follows: true, best: f64::INFINITY, since: 0 }
    }
}

impl Course {
    /// Takes products and balance after an iteration.
    pub(super) fn go_on(&mut self, [gap, balance]: [f64; 2], iterations: usize) {
        self.since += 1;
        if balance < GAIN * self.best || gap > NEAR {
            (self.best, self.since) = (balance, 0);
        }
        self.follows = balance > ENOUGH && self.since < PATIENCE && iterations < FOLLOWING;
    }
}
