//! Sheets: membranes and thin shells of triangles, by the positions of nodes alone. Strains of a membrane are those of
//! its triangles; a shell also has those of the patch of a triangle and its neighbours (OnateFlores2005).

mod batch;
mod grown;
mod patch;
mod plane_stress;
mod sides;
mod strained;

pub(crate) use batch::{SheetInput, SheetLaw, Sheets};
pub(crate) use patch::{Layer, Stencil, stencils};
pub(crate) use plane_stress::PlaneLaw;
