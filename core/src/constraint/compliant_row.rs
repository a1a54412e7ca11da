//! A compliant row in a step (docs/theory/rigid.md): its error, and the factor of its end in that.

use super::Compliance;

/// Largest error of a row that a step leaves [m], [-].
pub(crate) const POSITION_TOLERANCE: f64 = 1e-10;

/// A row in a step by a rule whose end has some weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowStep {
    /// Length of the step [s].
    pub(crate) h: f64,
    /// Weight of its end [-].
    pub(crate) weight: f64,
    /// Inertia of the value of the row [kg or kg m²].
    pub(crate) inertia: f64,
}

/// Motion of a row in a step, and what acts along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowMotion {
    /// Values at the start and at the end [m], [rad], [-].
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// Rate at the start.
    pub(crate) rate: f64,
    /// Impulse times the weight of the end [N s].
    pub(crate) impulse: f64,
}

impl Compliance {
    /// Factor of the value at the end in the error of a row [-].
    pub(crate) fn scale(&self, RowStep { h, weight, inertia }: RowStep) -> f64 {
        match self.compliance == 0.0 {
            true => 1.0,
            false => {
                let inert = inertia / (weight * h);
                weight + self.compliance * (self.damping + inert) / h
            }
        }
    }

    /// Error of a row: of a rigid one its value at the end, of another one that of the rule.
    pub(crate) fn error(&self, step: RowStep, motion: RowMotion) -> f64 {
        let RowStep { h, weight: w, inertia } = step;
        let RowMotion { before, after, rate, impulse } = motion;
        if self.compliance == 0.0 {
            return after;
        }
        (1.0 - w) * before
            + w * after
            + self.compliance * self.damping * (after - before) / h
            + self.compliance * inertia / (w * h) * ((after - before) / h - rate)
            + self.compliance * impulse / (w * h)
    }

    /// Of a unilateral row with a gap and its rate at the start: the mean velocity that is not to be fallen short of [m/s], [rad/s], and the
    /// velocity per impulse times the weight that compliance adds [1/kg] (docs/theory/unilateral.md).
    pub(crate) fn target(&self, gap: f64, before: f64, (h, w): (f64, f64)) -> (f64, f64) {
        if self.compliance == 0.0 {
            return (w * -gap.max(0.0) / h + (1.0 - w) * before, 0.0);
        }
        let scale = w + self.compliance * self.damping / h;
        // Before it touches it exerts no force, whose share in the step is 1 - w.
        let overlap = if gap > 0.0 { w * gap } else { gap };
        (-overlap / (h * scale), self.compliance / (w * h * h * scale))
    }

    /// Size of an error: of a compliant row the displacement that would remove it, since rows of weak springs have large errors
    /// of small forces.
    pub(crate) fn size_of_error(&self, step: RowStep, error: f64) -> f64 {
        error.abs() / self.scale(step).max(1.0)
    }
}
