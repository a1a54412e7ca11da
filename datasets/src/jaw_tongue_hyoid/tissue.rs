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
        tongue::add_muscles(model, fem, params.resolution, (task, tongue::STIFFENING));
    }
}

/// The tongue, fixed nowhere.
pub(super) fn tissue(params: &JawParams) -> Result<FemModel, ParamError> {
    let own = if params.tongue.is_some() { MUSCULAR_TISSUE } else { PASSIVE_TISSUE };
    let tissue = TongueParams {
        resolution: params.resolution,
        law: params.law,
        isotropic: isotropic_of(own),
        mooney: own,
        ..TongueParams::default()
    };
    Ok(tongue::tissue(&tissue)?.0)
}
