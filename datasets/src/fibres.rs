//! Muscle bundles from elements with their fibres: the stress that a force makes over the area across them, and exciters of both
//! sides.

use sinew::Vec3;
use sinew::axial::{ActivationDynamics, ActivationModel};
use sinew::component::{ComponentType, Handle};
use sinew::material::{BlemkerMuscleConstants, MaterialSpec};
use sinew::model::{FemModel, Model, MuscleBundle, MuscleExciter, Schedule};

/// Elements of one muscle with the direction of the fibres in each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fibres {
    pub(crate) elements: Vec<u32>,
    pub(crate) directions: Vec<Vec3>,
    /// Their volume [m³].
    pub(crate) volume: f64,
}

impl Fibres {
    /// A bundle of Blemker's law whose fibres, of a length [m], pull with a force [N] at full activation; activation is of first order.
    pub(crate) fn bundle(
        self,
        fem: Handle<FemModel>,
        [force, length]: [f64; 2],
        stiffening: f64,
    ) -> MuscleBundle {
        let law = MaterialSpec::BlemkerMuscle(BlemkerMuscleConstants {
            max_stress: force * length / self.volume,
            ..BlemkerMuscleConstants::default()
        });
        let mut bundle = MuscleBundle::new(fem, law).in_elements(self.elements, self.directions);
        bundle.activation = ActivationDynamics {
            model: ActivationModel::FirstOrder,
            least: 0.0,
            ..ActivationDynamics::default()
        };
        bundle.stiffening = stiffening;
        bundle
    }
}

/// Adds the bundles of a muscle, `left_NAME` and `right_NAME` or NAME, and an exciter of all under its name.
pub(crate) fn add_muscle(
    model: &mut Model,
    name: &str,
    bundles: Vec<(String, MuscleBundle)>,
    (excitation, schedule): (f64, Schedule),
) {
    let handles = bundles.into_iter().map(|(name, bundle)| model.add(bundle.named(name)));
    let handles: Vec<_> = handles.collect();
    let mut exciter = MuscleExciter::new(name, handles);
    (exciter.excitation, exciter.schedule) = (excitation, schedule);
    model.add(exciter);
}
