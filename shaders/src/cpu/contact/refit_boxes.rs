//! Twin of wgsl/contact/refit_boxes.wgsl.

use crate::cpu::boxes::Bounds;
use crate::cpu::{Buffer, Call, Real};
use crate::layout::BRANCHES;
use crate::params::TreeParams;

/// Boxes of one level around their children.
///
/// # Panics
/// When the buffers are not those of the table, or too short.
pub fn refit_boxes<T: Real>(call: Call<'_, '_, T>) {
    let params: TreeParams = call.params();
    let [Buffer::FloatsMut(boxes)] = call.buffers else {
        panic!("refit_boxes takes boxes");
    };
    for k in 0..params.count {
        let children = (0..BRANCHES).map(|child| params.below + BRANCHES * k + child);
        let bounds = children
            .map(|child| Bounds::load(boxes, child as usize))
            .fold(Bounds::EMPTY, Bounds::joined);
        bounds.store(boxes, (params.first + k) as usize);
    }
}
