//! Cases of nearly incompressible tissue with pressures of its elements, their centres or nodes: all kinds, laws of every frame and
//! both potentials, all rules, beside growth, relaxation and muscles.

use super::case::{Case, fixed, law, model_of, tissue};
use super::meshes::block;
use super::{muscles, relaxing};
use crate::fem::{ElementKind, Incompressible};
use crate::material::{Isotropic, MaterialSpec, PronyStress, Value};
use crate::model::RestState;
use crate::solve::Integrator;

/// Cells of a block of linear elements, and of quadratic ones; steps of a case [s].
const CELLS: [usize; 3] = [2, 2, 1];
const ONE_CELL: [usize; 3] = [1, 1, 1];
const STEPS: [f64; 8] = [0.01; 8];
/// Modulus of the volume over that of the shear [-]: Poisson's ratio is 0.4995.
const RATIO: f64 = 1e3;
/// The same of quadratic pyramids: gradients at their apex are so steep that a tenth resists as unevenly.
const PYRAMID_RATIO: f64 = 1e2;

/// The law of that name with this modulus of the volume over its shear modulus.
fn nearly(law_name: &str, ratio: f64) -> MaterialSpec {
    let mut law = law(law_name);
    if law.kind().constants == Isotropic::LIST {
        law.put("poissons_ratio", Value::Number(0.5 * ratio / (1.0 + ratio)));
    } else {
        law.put("bulk_modulus", Value::Number(ratio * law.shear_modulus()));
    }
    law
}

/// A beam that falls under its weight.
pub(super) fn beam(kind: ElementKind, law_name: &str) -> Case {
    let cells = if kind.is_quadratic() { ONE_CELL } else { CELLS };
    let ratio = if kind == ElementKind::Pyramid13 { PYRAMID_RATIO } else { RATIO };
    let mut fem = fixed(tissue("beam", block(kind, cells), nearly(law_name, ratio)));
    // Kinds that have pressures of nodes without being asked have those of elements too.
    fem.incompressible = Incompressible::Element;
    Case { steps: STEPS.to_vec(), ..Case::new(model_of([fem])) }
}

/// A beam whose volume is that at the centres of its elements.
pub(super) fn centred(kind: ElementKind, law_name: &str) -> Case {
    let mut case = beam(kind, law_name);
    case.model.fem_mut(0).incompressible = Incompressible::Fbar;
    case
}

/// A beam whose nodes have pressures.
pub(super) fn nodal(kind: ElementKind, law_name: &str) -> Case {
    let mut case = beam(kind, law_name);
    case.model.fem_mut(0).incompressible = Incompressible::Nodal;
    case
}

/// The same under another rule, with steps of these lengths [s].
pub(super) fn stepped(
    (mut case, law_name): (Case, &str),
    integrator: Integrator,
    steps: Vec<f64>,
) -> Case {
    if integrator.is_explicit() {
        // Neither damping by stiffness nor the speed of sound may make the stable step smaller.
        let fem = case.model.fem_mut(0);
        (fem.stiffness_damping, fem.material) = (0.0, nearly(law_name, 5.0));
    }
    case.stepped(integrator, steps)
}

/// A beam that has grown, with stress that relaxes.
pub(super) fn grown(mut case: Case, stress: PronyStress) -> Case {
    let fem = case.model.fem_mut(0);
    // Of another shape and hardly of another volume, which would press a thousand times as hard.
    let growth_along = [1.03, 0.98, 1.0 / (1.03 * 0.98)];
    fem.rest = RestState { growth: 1.0002, growth_along, ..RestState::default() };
    fem.prony = relaxing::series(stress);
    case
}

/// Bundles of every law in it.
pub(super) fn with_muscles(kind: ElementKind) -> Case {
    let mut case = muscles::every_law(kind);
    let fem = case.model.fem_mut(0);
    fem.material = nearly("mr", RATIO);
    fem.regions.iter_mut().for_each(|region| region.material = nearly("neohook", RATIO));
    case
}

/// Constants that vary from element to element.
pub(super) fn varied(mut case: Case) -> Case {
    let fem = case.model.fem_mut(0);
    fem.fields.insert("bulk_modulus".to_owned(), "8e7 * (1 + 5 * x)".to_owned());
    case
}
