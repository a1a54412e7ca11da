//! Tasks of the larynx: greatest excitations of its muscles.

/// Tasks of the larynx within one second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The folds come together and touch.
    Adduct,
    /// They go apart, as for a breath.
    Abduct,
    /// The cricothyroid muscles lengthen the folds, which touch.
    Pitch,
    /// Nothing.
    Rest,
}

/// Muscles that posture the folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Muscle {
    Cricothyroid,
    Thyroarytenoid,
    LateralCricoarytenoid,
    PosteriorCricoarytenoid,
    Interarytenoid,
}

impl Task {
    /// The names of `task=`.
    pub(super) const NAMED: [(&'static str, Self); 4] = [
        ("adduct", Self::Adduct),
        ("abduct", Self::Abduct),
        ("pitch", Self::Pitch),
        ("rest", Self::Rest),
    ];

    /// Greatest excitation of a muscle [-].
    pub(super) const fn excitation(self, muscle: Muscle) -> f64 {
        match (self, muscle) {
            (Self::Adduct, Muscle::LateralCricoarytenoid) => 0.8,
            (Self::Adduct, Muscle::Interarytenoid) => 0.5,
            (Self::Adduct, Muscle::Thyroarytenoid) => 0.1,
            (Self::Abduct, Muscle::PosteriorCricoarytenoid) => 0.2,
            (Self::Pitch, Muscle::Cricothyroid) => 0.3,
            (Self::Pitch, Muscle::LateralCricoarytenoid) => 0.8,
            (Self::Pitch, Muscle::Interarytenoid) => 0.5,
            _ => 0.0,
        }
    }
}
