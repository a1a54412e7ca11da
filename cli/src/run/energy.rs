//! Energy that grows though nothing works on a model.

use sinew::model::{FemModel, Model, Particle, RigidBody};
use sinew::system::Energies;

/// Growth over the largest energy of a kind, from which on it is told [-].
const TOLD: f64 = 0.1;
/// Energy that is none [J].
const NOTHING: f64 = 1e-9;

/// Energies of a run on which nothing works.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Growth {
    start: Option<f64>,
    /// Most of all together, and of one kind.
    highest: f64,
    largest: f64,
}

impl Growth {
    /// Takes the energies of a state [J].
    pub(super) fn take(&mut self, energies: &Energies) {
        let total = energies.total();
        let start = *self.start.get_or_insert(total);
        self.highest = self.highest.max(total - start);
        self.largest = self.largest.max(energies.kinetic).max(energies.strain).max(start - total);
    }

    /// A note where energy has come from nothing.
    pub(super) fn note(&self) -> Option<String> {
        let gain = self.highest;
        let told = gain > TOLD * self.largest && gain > NOTHING;
        told.then(|| {
            format!(
                "energy grew by {gain:.2e} J, {:.0} % of the largest in the run, though nothing works on the model: take smaller steps, --newton, or a material that stands what its elements go through",
                100.0 * gain / self.largest
            )
        })
    }
}

/// True if nothing works on a model: neither muscles nor loads, motions or commands, nor contact and constraints, whose springs
/// have energies of their own.
pub(super) fn nothing_works(model: &Model) -> bool {
    let still = model.iter::<RigidBody>().all(|(_, it)| it.keyframes.is_empty())
        && model.iter::<Particle>().all(|(_, it)| it.keyframes.is_empty());
    let supports = model.iter::<FemModel>().flat_map(|(_, fem)| &fem.dirichlet);
    let mut moved = supports.filter(|it| !it.displacement.is_empty() || !it.keyframes.is_empty());
    model.is_passive() && still && moved.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(totals: &[[f64; 2]]) -> Option<String> {
        let mut growth = Growth::default();
        for &[kinetic, strain] in totals {
            growth.take(&Energies { kinetic, gravitational: 0.0, strain });
        }
        growth.note()
    }

    #[test]
    fn energy_from_nothing_is_told_and_what_is_exchanged_is_not() {
        assert_eq!(growth(&[[1.0, 0.0], [0.0, 1.0], [0.9, 0.0]]), None);
        assert!(growth(&[[1.0, 0.0], [2.0, 1.0]]).unwrap().contains("by 2.00e0 J, 100 %"));
        assert_eq!(growth(&[[0.0, 0.0], [1e-12, 0.0]]), None);
        assert_eq!(growth(&[]), None);
    }
}
