//! Cases of tissue whose stress relaxes: both stresses, laws of every frame, all rules, beside growth and muscles.

use super::case::{Case, fixed, law, model_of, tissue};
use super::meshes::block;
use super::muscles;
use crate::fem::ElementKind;
use crate::material::{PronyLaw, PronySeries, PronyStress};
use crate::model::RestState;
use crate::solve::Integrator;

/// Cells of a block of linear elements, and of quadratic ones.
const CELLS: [usize; 3] = [2, 2, 1];
const ONE_CELL: [usize; 3] = [1, 1, 1];

/// Terms shorter and longer than the steps.
pub(super) fn series(stress: PronyStress) -> PronySeries {
    PronySeries { stress, ..PronySeries::new([[0.004, 0.5], [0.05, 0.8]]) }
}

/// A beam that falls under its weight, and whose stress relaxes.
pub(super) fn beam(kind: ElementKind, law_name: &str, stress: PronyStress) -> Case {
    let cells = if kind.is_quadratic() { ONE_CELL } else { CELLS };
    let mut fem = fixed(tissue("beam", block(kind, cells), law(law_name)));
    fem.prony = series(stress);
    Case { steps: vec![0.01; 12], ..Case::new(model_of([fem])) }
}

/// The same under another rule, with steps of these lengths [s].
pub(super) fn stepped(
    (kind, law_name): (ElementKind, &str),
    integrator: Integrator,
    steps: Vec<f64>,
) -> Case {
    let mut case = beam(kind, law_name, PronyStress::SecondPiolaKirchhoff);
    if integrator.is_explicit() {
        // Damping by stiffness would make the stable step smaller.
        case.model.fem_mut(0).stiffness_damping = 0.0;
    }
    case.stepped(integrator, steps)
}

/// Two tissues with series of their own, one of the response at once, the other grown, and with an elastic third.
pub(super) fn several_series() -> Case {
    let beside = |name: &str, law_name: &str, place: f64| {
        let mut mesh = block(ElementKind::Hex8, CELLS);
        mesh.nodes.iter_mut().for_each(|p| p.y += place);
        fixed(tissue(name, mesh, law(law_name)))
    };
    let [mut first, mut second, third] =
        [("first", "mr", 0.0), ("second", "corot", 0.5), ("third", "neohook", 1.0)]
            .map(|(name, law_name, place)| beside(name, law_name, place));
    let terms = PronySeries::new([[0.02, 0.3], [0.1, 0.2], [1.0, 0.2]]);
    first.prony = PronySeries { law: PronyLaw::Instantaneous, ..terms };
    second.prony = series(PronyStress::Cauchy);
    second.rest = RestState { growth: 1.2, ..RestState::default() };
    Case { steps: vec![0.01; 8], ..Case::new(model_of([first, second, third])) }
}

/// Bundles of every law in a tissue that relaxes.
pub(super) fn with_muscles(kind: ElementKind) -> Case {
    let mut case = muscles::every_law(kind);
    case.model.fem_mut(0).prony = series(PronyStress::SecondPiolaKirchhoff);
    case
}
