//! What a user should know of a choice of settings before trusting the results.

use super::settings::{ImplicitMode, Integrator, SolverSettings};
use crate::material::MaterialSpec;
use crate::model::{FemModel, Model};

/// A sentence for each setting that does less for this model than its name says.
pub fn warnings(model: &Model, settings: &SolverSettings) -> Vec<String> {
    let turns = |law: &MaterialSpec| matches!(law, MaterialSpec::Corotated(_));
    let corotated = |fem: &FemModel| {
        turns(&fem.material) || fem.regions.iter().any(|region| turns(&region.material))
    };
    let linearized = settings.integrator == Integrator::Trapezoidal(ImplicitMode::Linearized);
    let found = model.fems().find(|(_, fem)| linearized && corotated(fem));
    let of_corotated = found.map(|(handle, _)| {
        format!(
            "linearized trapezoidal steps are of first order with corotated elements ({}) and may gain energy where these \
             turn fast: use Newton iteration, the midpoint rule or backward Euler",
            model.path(handle)
        )
    });
    of_corotated.into_iter().collect()
}
