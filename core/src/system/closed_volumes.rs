//! Closed surfaces of tissues with their contents, in the order of their rows.

use super::flat::Flat;
use super::multibody::JointSet;
use crate::component::Handle;
use crate::kinds::ClosedVolume;

/// Those in force.
pub(super) fn all<'f>(
    flat: &'f Flat<'_>,
) -> impl Iterator<Item = (Handle<ClosedVolume>, &'f ClosedVolume)> + 'f {
    flat.closed_volumes.iter().filter(|(_, it)| it.enabled).map(|&(handle, it)| (handle, it))
}

/// Puts the contents that a model has into the rows, with their compliance.
pub(super) fn update(flat: &Flat<'_>, joints: &mut JointSet) {
    let mut contents = all(flat);
    let JointSet { rows, compliance, .. } = joints;
    rows.update_contents(compliance, |surface| {
        contents.next().expect("surfaces in force have a row each").1.contents(surface)
    });
}
