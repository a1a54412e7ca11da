//! Looks of the generated head: the skull in one piece in the place of cranium and upper jaw, whose division is not
//! seen, and crowns on the teeth.

use rayon::prelude::*;
use sinew::component::Handle;
use sinew::model::{Model, RenderMesh, RigidBody};

use super::Mandible;
use super::resection::crowns_left;
use crate::ParamError;
use crate::bones::{self, Surface, SurfaceError};
use crate::skeleton::{dress, dress_as_teeth, hide, mesh_of};

/// Surface of a part of a head with this mandible, by a size of cells [m].
type Make = fn(Mandible, f64) -> Result<Surface, SurfaceError>;

/// Draws skull and crowns, and leaves the bodies of the cranium and of the upper jaw out of pictures.
///
/// # Errors
/// A cell size out of range.
pub(super) fn dress_head(
    model: &mut Model,
    mandible: Mandible,
    cell: f64,
) -> Result<(), ParamError> {
    let make: [Make; 3] = [
        |_, cell| bones::skull(cell),
        |_, cell| bones::teeth(true, cell),
        |mandible, cell| crowns_left(mandible, cell),
    ];
    let made: Vec<_> = make.par_iter().map(|make| make(mandible, cell)).collect();
    let names = ["skull", "upper_teeth", "lower_teeth"];
    let bodies = ["cranium", "maxilla", "mandible"].map(|name| body(model, name));
    for ((name, body), surface) in names.into_iter().zip(bodies).zip(made) {
        let drawn = RenderMesh::new(name, mesh_of(surface?)?).on(body);
        let drawn = model.add(drawn);
        if name == "skull" {
            dress(model, drawn.id(), false);
        } else {
            dress_as_teeth(model, drawn.id());
        }
    }
    bodies[..2].iter().for_each(|hidden| hide(model, hidden.id()));
    Ok(())
}

/// The body of a name.
pub(super) fn body(model: &Model, name: &str) -> Handle<RigidBody> {
    let found = model.iter::<RigidBody>().find(|(_, body)| body.name == name);
    found.expect("the assembled model has it").0
}
