//! Cases of muscles in tissue: fibres of every law, activations that change from step to step, tissue that stiffens,
//! fibres that turn within elements.

use super::case::{Case, fixed, law, model_of, tissue};
use super::meshes::block;
use crate::Vec3;
use crate::axial::{ActivationDynamics, ActivationModel};
use crate::fem::{ElementKind, Field, VolumeMesh};
use crate::material::{MaterialSpec, Value};
use crate::model::{FemModel, Model, MuscleBundle, MuscleExciter, Schedule};
use crate::solve::Integrator;

/// Stress of fully active fibres [Pa]: bends the beams of the suite as much as their weight does.
const MAX_STRESS: f64 = 2e4;

/// Cells of a block of linear elements, and of quadratic ones; steps of a case [s].
const CELLS: [usize; 3] = [2, 2, 1];
const ONE_CELL: [usize; 3] = [1, 1, 1];
const STEPS: [f64; 8] = [0.01; 8];

/// The block of a case.
fn beam(kind: ElementKind) -> VolumeMesh {
    block(kind, if kind.is_quadratic() { ONE_CELL } else { CELLS })
}

/// A case of a model from its start.
fn case_of(model: Model) -> Case {
    Case { steps: STEPS.to_vec(), ..Case::new(model) }
}

/// The laws of muscles, as strong as that.
fn muscle_laws() -> impl Iterator<Item = MaterialSpec> {
    let muscles = MaterialSpec::examples().into_iter().filter(|law| law.kind().muscle);
    muscles.map(|mut law| {
        law.put("max_stress", Value::Number(MAX_STRESS));
        law
    })
}

/// Bundles of a beam that an exciter drives, the more the later in the list.
fn excite(model: &mut Model, bundles: impl IntoIterator<Item = MuscleBundle>) {
    let handles: Vec<_> = bundles.into_iter().map(|bundle| model.add(bundle)).collect();
    let mut exciter = MuscleExciter::new("all", handles.iter().copied());
    (exciter.excitation, exciter.schedule) =
        (0.9, Schedule::Table(vec![[0.0, 0.1], [0.04, 1.0], [0.07, 0.2]]));
    let shares = (1..=handles.len()).map(|k| k as f64 / handles.len() as f64);
    exciter.targets.iter_mut().zip(shares).for_each(|(target, share)| target.gain = share);
    model.add(exciter);
}

/// A beam of two materials with a bundle of every law, which share elements; every second one stiffens its tissue, and
/// one is switched off.
pub(super) fn every_law(kind: ElementKind) -> Case {
    let mut fem = fixed(tissue("beam", beam(kind), law("mr")));
    let count = fem.mesh.element_count() as u32;
    let elements = (0..count).step_by(3).collect();
    fem.regions.push(crate::model::Region { elements, material: law("neohook") });
    let mut model = model_of([fem]);
    let tissue = model.nth::<FemModel>(0);
    let models = [ActivationModel::Instant, ActivationModel::FirstOrder, ActivationModel::Bilinear];
    let bundle = |(k, law): (usize, MaterialSpec)| {
        let own: Vec<u32> = (k as u32 % 2..count).collect();
        let turn = |e: &u32| Vec3::new(2.0, f64::from(e % 3) - 1.0, 0.3 * k as f64);
        let directions = own.iter().map(turn).collect();
        let activation = ActivationDynamics { model: models[k % 3], ..Default::default() };
        let stiffening = if k % 2 == 0 { 0.4 } else { 0.0 };
        let bundle = MuscleBundle { activation, stiffening, ..MuscleBundle::new(tissue, law) };
        bundle.in_elements(own, directions)
    };
    let mut bundles: Vec<_> = muscle_laws().enumerate().map(bundle).collect();
    bundles.push(MuscleBundle { enabled: false, excitation: 1.0, ..bundles[0].clone() });
    excite(&mut model, bundles);
    case_of(model)
}

/// Fibres of tissue and muscle that fields of the nodes turn within elements.
pub(super) fn turning(kind: ElementKind) -> Case {
    let mut fem = fixed(tissue("beam", beam(kind), law("holzapfel_ogden")));
    let turned = |p: &Vec3| [1.0, (20.0 * p.y).sin(), (15.0 * p.x).cos()];
    let values = fem.mesh.nodes.iter().flat_map(turned).collect();
    fem.mesh.node_fields.insert("lines".to_owned(), Field { components: 3, values });
    fem.fields.insert("fibres".to_owned(), "lines".to_owned());
    let mut model = model_of([fem]);
    let tissue = model.nth::<FemModel>(0);
    let law = muscle_laws().last().expect("laws of muscles");
    let along = MuscleBundle { field: "lines".to_owned(), ..MuscleBundle::new(tissue, law) };
    excite(&mut model, [along, MuscleBundle { stiffening: 0.5, ..MuscleBundle::new(tissue, law) }]);
    case_of(model)
}

/// A muscle under another rule, with steps of these lengths [s].
pub(super) fn stepped(kind: ElementKind, integrator: Integrator, steps: Vec<f64>) -> Case {
    let mut fem = fixed(tissue("beam", beam(kind), law("mr")));
    if integrator.is_explicit() {
        // Damping by stiffness would make the stable step smaller.
        fem.stiffness_damping = 0.0;
    }
    let mut model = model_of([fem]);
    let tissue = model.nth::<FemModel>(0);
    let law = muscle_laws().next().expect("laws of muscles");
    let model_of_activation = ActivationModel::FirstOrder;
    let activation = ActivationDynamics { model: model_of_activation, ..Default::default() };
    let fibres = vec![Vec3::new(1.0, 0.2, -0.1)];
    let bundle = MuscleBundle { fibres, activation, ..MuscleBundle::new(tissue, law) };
    excite(&mut model, [MuscleBundle { stiffening: 0.5, ..bundle }]);
    Case::new(model).stepped(integrator, steps)
}
