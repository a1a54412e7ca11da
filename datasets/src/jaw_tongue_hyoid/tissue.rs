//! The parametric tongue as a part of the model.

use sinew::model::{FemModel, Model};

use super::JawParams;
use crate::ParamError;
use crate::law::isotropic_of;
use crate::tongue::{self, MUSCULAR_TISSUE, PASSIVE_TISSUE, TongueParams};

/// Gives the parametric tongue of a model its muscles.
pub(super) fn add_tongue_muscles(model: &mut Model, params: &JawParams) {
    if let Some(task) = params.tongue {
        let fem = model.nth::<FemModel>(0);
        tongue::add_muscles(model, fem, &tongue_params(params, FILLED), task);
    }
}

/// A tongue that fills the vault of the palate.
pub(super) const FILLED: f64 = 1.0;

/// The tongue, fixed nowhere, and the part of the vault that it fills [-].
pub(super) fn tissue(params: &JawParams, vault: f64) -> Result<FemModel, ParamError> {
    Ok(tongue::tissue(&tongue_params(params, vault))?.0)
}

fn tongue_params(params: &JawParams, vault: f64) -> TongueParams {
    let own = if params.tongue.is_some() { MUSCULAR_TISSUE } else { PASSIVE_TISSUE };
    TongueParams {
        resolution: params.resolution,
        vault,
        law: params.law,
        isotropic: isotropic_of(own),
        mooney: own,
        ..TongueParams::default()
    }
}
