//! Check that a model has fibres to be shown.

use sinew::snapshot::{Shape, Snapshot};

/// Message where fibres are asked for and there are none.
pub const NO_FIBRES: &str = "no tissue of this model has fibres: give its mesh a field of vectors named `fiber`, \
     its material `fibres`, or add a muscle bundle";

/// True if a tissue has fibres, its own or those of muscle bundles.
pub fn has_fibres(snapshot: &Snapshot) -> bool {
    let mut items = snapshot.scene.items.iter();
    items.any(|item| matches!(item.shape, Shape::Tissue { threaded: true, .. }))
}
