//! Rest positions of tissues, for displacements that are drawn larger than they are.

use super::build::single;
use crate::Vec3;
use crate::model::{Attachment, Master, Model};
use crate::system::CompiledModel;

/// Place at rest of each row that is a node of a tissue or a point that follows one, relative to
/// `origin` [m]; NaN of others.
pub(super) fn of_tissues(model: &Model, compiled: &CompiledModel, origin: Vec3) -> Vec<[f32; 3]> {
    let rest = compiled.rest_positions();
    let mut places = vec![[f32::NAN; 3]; rest.len()];
    let mut put = |row: usize| places[row] = single(&(rest[row] - origin));
    for &fem in compiled.fems() {
        (0..model[fem].mesh.nodes.len()).for_each(|node| put(compiled.block_of_node(fem, node)));
    }
    for (_, Attachment { points, master, .. }) in model.iter::<Attachment>() {
        if matches!(master, Master::Tissue(_)) {
            points.iter().filter_map(|&point| compiled.find_row(point)).for_each(&mut put);
        }
    }
    places
}
