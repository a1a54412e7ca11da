//! Rule of the renewal of the preconditioner's hierarchy: coarse matrices, bounds of eigenvalues, the inverse of the
//! coarsest level. A rule of counts, so that runs repeat bit for bit; what is remembered goes with every waypoint.

/// Cost of a renewal in iterations: 3.6 ms against 0.35 ms on femur_253k on an H200, most of it on the coarser levels,
/// whose few aggregates leave the device idle.
const COST: u32 = 10;

/// Iterations since the last renewal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renewal {
    due: bool,
    /// Length of the steps since then [s].
    h: f64,
    /// Iterations of the first step after it.
    fresh: u32,
    /// Steps with it.
    steps: u32,
    /// Iterations beyond those of the first, summed over its steps.
    extra: u32,
    /// Renewals since the start.
    count: u64,
}

impl Renewal {
    pub(super) fn new() -> Self {
        Self { due: true, h: 0.0, fresh: 0, steps: 0, extra: 0, count: 0 }
    }

    /// True if a step of `h` [s] renews.
    pub(super) fn is_due(&self, h: f64) -> bool {
        self.due || self.h.to_bits() != h.to_bits()
    }

    /// The next step renews.
    pub(super) fn request(&mut self) {
        self.due = true;
    }

    /// Takes the iterations of a step of `h` [s] that has renewed, or has not. The next one renews when one more step
    /// like this would cost more than the mean so far, the renewal's own cost shared among its steps.
    pub(super) fn learn(&mut self, (h, renewed): (f64, bool), iterations: u32) {
        if renewed {
            *self = Self {
                due: false,
                h,
                fresh: iterations,
                steps: 1,
                extra: 0,
                count: self.count + 1,
            };
            return;
        }
        let beyond = iterations.saturating_sub(self.fresh);
        self.steps += 1;
        self.extra = self.extra.saturating_add(beyond);
        self.due = beyond.saturating_mul(self.steps) > self.extra.saturating_add(COST);
    }

    /// Renewals since the start.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps until a renewal is due, of which step k after it takes `iterations(k)`.
    fn kept(iterations: impl Fn(u32) -> u32) -> u32 {
        let mut renewal = Renewal::new();
        assert!(renewal.is_due(0.01));
        renewal.learn((0.01, true), iterations(0));
        let mut steps = 1;
        while !renewal.is_due(0.01) && steps < 1000 {
            renewal.learn((0.01, false), iterations(steps));
            steps += 1;
        }
        steps
    }

    #[test]
    fn a_hierarchy_is_kept_while_iterations_do_not_grow_and_renewed_the_sooner_the_faster_they_do()
    {
        assert_eq!(kept(|k| 20 - k % 2), 1000);
        // Of extra iterations a k the mean a step is least near k = sqrt(2 COST / a).
        assert_eq!(kept(|k| 20 + k / 4), 9);
        assert_eq!(kept(|k| 20 + k), 6);
        assert_eq!(kept(|k| 20 + 6 * k), 3);
    }

    #[test]
    fn another_length_of_the_step_or_a_waypoint_renews() {
        let mut renewal = Renewal::new();
        renewal.learn((0.01, true), 20);
        assert!(!renewal.is_due(0.01) && renewal.is_due(0.005));
        renewal.request();
        assert!(renewal.is_due(0.01));
        assert_eq!(renewal.count(), 1);
    }
}
