//! Cases of tissue whose shape without stress is not that at rest: growth and prestrain, alike and by fields, of laws with
//! and without axes, and muscles in it.

use super::case::{Case, fixed, law, model_of, tissue};
use super::meshes::block;
use super::muscles;
use crate::Mat3;
use crate::fem::ElementKind;
use crate::model::{FemModel, RestState};

/// Cells of a block of linear elements, and of quadratic ones; steps of a case [s].
const CELLS: [usize; 3] = [2, 2, 1];
const ONE_CELL: [usize; 3] = [1, 1, 1];
const STEPS: [f64; 8] = [0.01; 8];

/// A shape at rest that no rotation makes free of stress.
fn strained() -> RestState {
    RestState {
        growth: 1.15,
        growth_along: [1.0, 0.95, 1.08],
        prestretch: 1.06,
        prestrain: Mat3::new(1.0, 0.04, 0.0, 0.02, 0.97, -0.03, 0.0, 0.05, 1.0),
        ramp: 0.9,
    }
}

/// A beam fixed at one end, grown alike or, with `field`, more at one side of each element's tissue than at the other.
fn grown(kind: ElementKind, law_name: &str, field: bool) -> FemModel {
    let cells = if kind.is_quadratic() { ONE_CELL } else { CELLS };
    let mut fem = fixed(tissue("beam", block(kind, cells), law(law_name)));
    fem.rest = strained();
    if field {
        let formulas =
            [("growth", "1.1 + 2 * z"), ("fibres", "1; 3 * x; z"), ("prestretch", "1 + x / 4")];
        for (name, formula) in formulas {
            fem.fields.insert(name.to_owned(), formula.to_owned());
        }
    }
    fem
}

/// A beam that is strained alike.
pub(super) fn alike(kind: ElementKind, law_name: &str) -> Case {
    Case { steps: STEPS.to_vec(), ..Case::new(model_of([grown(kind, law_name, false)])) }
}

/// A beam that has shrunk between its supports, and so pulls.
pub(super) fn shrunk(kind: ElementKind, law_name: &str) -> Case {
    let mut case = alike(kind, law_name);
    case.model.fem_mut(0).rest.growth = 0.85;
    case
}

/// A beam whose growth varies in space.
pub(super) fn varied(kind: ElementKind, law_name: &str) -> Case {
    Case { steps: STEPS.to_vec(), ..Case::new(model_of([grown(kind, law_name, true)])) }
}

/// Bundles of every law in a tissue that has grown.
pub(super) fn with_muscles(kind: ElementKind) -> Case {
    let mut case = muscles::every_law(kind);
    case.model.fem_mut(0).rest = strained();
    case
}
