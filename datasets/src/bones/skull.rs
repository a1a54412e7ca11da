//! The skull as one solid [mm], and its division along the sutures into the cranium and the upper jaw with what is
//! fused to it.

use super::face;
use super::sdf::{HalfSpace, Solid};
use super::vault;

/// Braincase and face.
pub(super) fn skull() -> Solid {
    let skull = vault::shell().add([4.0, 2.5], vault::temporal());
    face::with_face(skull).cut([2.5, 0.0], vault::hollows())
}

/// Space of the maxillae, nasal and cheek bones, palate and pterygoid plates, grown by some millimetres.
fn facial(grown: f64) -> Solid {
    let front = Solid::new()
        .add([0.0; 2], [HalfSpace::behind([3.0 - grown, 0.0, 0.0], [-1.0, 0.0, 0.0])])
        .keep([0.0; 2], [HalfSpace::behind([44.0, 0.0, 114.5 + grown], [-0.4, 0.1, 1.0])]);
    let plates = Solid::new()
        .add([0.0; 2], [HalfSpace::behind([0.0, 0.0, 74.5 + grown], [0.0, 0.0, 1.0])])
        .keep([0.0; 2], [HalfSpace::behind([-24.0 - grown, 0.0, 0.0], [-1.0, 0.0, 0.0])])
        .keep([0.0; 2], [HalfSpace::behind([0.0, 41.0 + grown, 0.0], [0.0, 1.0, 0.0])]);
    let arch = Solid::new()
        .add([0.0; 2], [HalfSpace::behind([-15.4 - grown, 0.0, 0.0], [-1.0, 0.0, 0.0])])
        .keep([0.0; 2], [HalfSpace::behind([3.0, 50.8 - grown, 0.0], [-0.36, -1.0, 0.0])])
        .keep([0.0; 2], [HalfSpace::behind([0.0, 0.0, 92.0 + grown], [0.0, 0.0, 1.0])]);
    Solid::new().add([0.0; 2], [front, plates, arch])
}

/// Half the width of the seam in which cranium and upper jaw overlap [mm]: the rounding of the edges of each begins
/// where the other one begins, so that their surfaces are the same there, and neither gap nor edge shows.
const SEAM: f64 = 2.4;
/// Width of the rounding of these edges [mm].
const ROUNDING: f64 = SEAM;

/// The cranium: frontal, parietal, temporal, occipital, sphenoid and ethmoid bone.
pub(super) fn cranium() -> Solid {
    skull().cut([ROUNDING, 0.0], [facial(-SEAM)])
}

/// The upper jaw with nasal and cheek bones, palate and pterygoid plates.
pub(super) fn maxilla() -> Solid {
    skull().keep([ROUNDING, 0.0], [facial(SEAM)])
}

/// The upper jaw with the mucosa of its palate.
pub(super) fn covered_maxilla() -> Solid {
    maxilla().add([3.0, 1.0], face::mucosa())
}
