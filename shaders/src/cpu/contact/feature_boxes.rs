//! Twin of wgsl/contact/feature_boxes.wgsl.

use crate::cpu::boxes::Bounds;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::reach;
use crate::params::TreeParams;

/// Boxes around the ways of faces and edges, wider by the border.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn feature_boxes<T: Real>(call: Call<'_, '_, T>) {
    let params: TreeParams = call.params();
    let [
        Buffer::Floats(reach),
        Buffer::Floats(ways),
        Buffer::Words(corners),
        Buffer::FloatsMut(boxes),
    ] = call.buffers
    else {
        panic!("feature_boxes takes reach, ways, corners, boxes");
    };
    for leaf in 0..params.count as usize {
        let own = &corners[3 * leaf..3 * leaf + 3];
        let mut bounds = Bounds::EMPTY;
        if own[0] != u32::MAX {
            bounds = own.iter().fold(bounds, |bounds, &corner| bounds.with_way(ways, corner));
            bounds = bounds.widened(reach[reach::BORDER as usize]);
        }
        bounds.store(boxes, leaf);
    }
}
