//! Approximate inverses of S that precondition conjugate gradients.

use crate::linalg::{
    BlockMatrix, Corrector, CorrectorError, Definiteness, Multigrid, Preconditioner,
};
use crate::{Mat3, Vec3};

/// Tolerance with a solver elsewhere [-]. A cycle of multigrid leaves a fall exact, a correction in single precision does
/// not, and what falls flat would slip along rounding errors. Each correction gains four digits, and so does the last, which
/// is taken without a look at what it leaves: 1e-11.
const ELSEWHERE_TOLERANCE: f64 = 1e-7;

/// Share of a residual that a solver elsewhere leaves [-].
const ELSEWHERE_ACCURACY: f64 = 1e-4;

/// An approximate inverse of S.
pub(super) enum ApproximateInverse {
    /// One cycle of multigrid.
    Multigrid(Box<Multigrid>),
    /// A solution by someone else, such as a device.
    Elsewhere(Elsewhere),
}

/// A solver elsewhere, and how it failed.
pub(super) struct Elsewhere {
    corrector: Box<dyn Corrector>,
    /// Iterations since they were asked for.
    iterations: usize,
    /// The error of a solver that does not answer.
    lost: Option<String>,
}

impl ApproximateInverse {
    pub(super) fn elsewhere(corrector: Box<dyn Corrector>) -> Self {
        Self::Elsewhere(Elsewhere { corrector, iterations: 0, lost: None })
    }

    /// Takes `matrix` and the positions of its rows [m], with what each may move along, as
    /// [`Multigrid::update_projected`] does. False where it is found not to be positive definite, or has no solver.
    pub(super) fn update(
        &mut self,
        matrix: &BlockMatrix,
        positions: &[Vec3],
        projections: &[Mat3],
    ) -> bool {
        let definiteness = match self {
            Self::Multigrid(multigrid) => {
                multigrid.update_projected(matrix, positions, projections).ok()
            }
            Self::Elsewhere(own) => own.keep(|corrector| corrector.prepare(matrix, positions)),
        };
        definiteness == Some(Definiteness::Positive)
    }

    /// Tolerance to solve to where `tolerance` is asked for [-].
    pub(super) fn tolerance(&self, tolerance: f64) -> f64 {
        match self {
            Self::Multigrid(_) => tolerance,
            Self::Elsewhere(_) => tolerance.min(ELSEWHERE_TOLERANCE),
        }
    }

    /// Iterations made for a solve of `own` iterations: those of a solver elsewhere where there is one, since they were
    /// last asked for.
    pub(super) fn iterations_for(&mut self, own: usize) -> usize {
        match self {
            Self::Multigrid(_) => own,
            Self::Elsewhere(elsewhere) => std::mem::take(&mut elsewhere.iterations),
        }
    }

    /// The error of a solver elsewhere that does not answer any more.
    pub(super) fn lost(&self) -> Option<&str> {
        match self {
            Self::Multigrid(_) => None,
            Self::Elsewhere(own) => own.lost.as_deref(),
        }
    }
}

impl Preconditioner for ApproximateInverse {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        self.apply_to(r, z, ELSEWHERE_ACCURACY);
    }

    fn accuracy(&self) -> Option<f64> {
        match self {
            Self::Multigrid(_) => None,
            Self::Elsewhere(_) => Some(ELSEWHERE_ACCURACY),
        }
    }

    fn apply_to(&mut self, r: &[Vec3], z: &mut [Vec3], share: f64) {
        match self {
            Self::Multigrid(multigrid) => multigrid.apply(r, z),
            Self::Elsewhere(own) => {
                let zero = r.iter().all(|r| *r == Vec3::zeros());
                z.fill(Vec3::zeros());
                // No number ends an iteration, as an indefinite matrix does.
                if zero {
                    return;
                }
                match own.keep(|corrector| corrector.correct(r, z, share)) {
                    Some(iterations) => own.iterations += iterations,
                    None => z.fill(Vec3::repeat(f64::NAN)),
                }
            }
        }
    }
}

impl Elsewhere {
    fn keep<R>(
        &mut self,
        work: impl FnOnce(&mut dyn Corrector) -> Result<R, CorrectorError>,
    ) -> Option<R> {
        match work(&mut *self.corrector) {
            Ok(result) => Some(result),
            Err(CorrectorError::Indefinite(_)) => None,
            Err(CorrectorError::Device(detail)) => {
                self.lost = Some(detail);
                None
            }
        }
    }
}
