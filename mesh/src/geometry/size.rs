//! Guesses from the size and place of a mesh: the unit it was probably written in, and if single
//! precision holds it.

use crate::Vec3;

/// Longer than any person, so that a file of one is hardly in the unit that was taken [m].
const LONGEST: f64 = 3.0;
/// Shorter than any part that is simulated as a solid: a third of the smallest bone, the stapes [m].
const SHORTEST: f64 = 1e-3;
/// Longest part that a file in another unit is taken for: a whole body [m].
const BODY: f64 = 2.5;
/// Shortest part that a file in another unit is taken for: a larynx cartilage [m].
const PART: f64 = 5e-3;

/// A length that is implausible for anatomy, and the unit that would make it plausible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitGuess {
    /// Longest side of the bounding box [m], as it was read.
    pub extent: f64,
    /// Factor that would bring the coordinates to metres; `None` where no usual unit fits.
    pub factor: Option<f64>,
    /// The name of the unit that fits: `mm`, `cm`, `um`, `m`.
    pub unit: Option<&'static str>,
}

/// A guess for a mesh of this extent [m]; `None` when it is plausible as it is.
pub fn guess_unit(extent: f64) -> Option<UnitGuess> {
    if !extent.is_finite() || extent == 0.0 || (SHORTEST..=LONGEST).contains(&extent) {
        return None;
    }
    // Scanners and segmentation programs write millimetres: the first that fits is taken.
    let units: &[(f64, &str)] = if extent > LONGEST {
        &[(1e-3, "mm"), (1e-2, "cm"), (1e-6, "um")]
    } else {
        // Scaled down once too often.
        &[(1e3, "m"), (1e6, "m")]
    };
    let fits = |&&(factor, _): &&(f64, &str)| (PART..=BODY).contains(&(extent * factor));
    let found = units.iter().find(fits);
    Some(UnitGuess { extent, factor: found.map(|u| u.0), unit: found.map(|u| u.1) })
}

/// The centre to subtract [m] where coordinates of single precision would lose more than a millionth
/// of the extent, since the mesh lies far from the origin; `None` where they do not.
pub fn recentring(low: &Vec3, high: &Vec3) -> Option<Vec3> {
    /// Part of the extent that may be lost: a tenth of a micrometre of a bone.
    const LOSS: f64 = 1e-6;
    let farthest = low.amax().max(high.amax());
    let extent = (high - low).amax();
    // Half a unit in the last place of the largest coordinate.
    let lost = 0.5 * f64::from(f32::EPSILON) * farthest;
    (extent > 0.0 && lost > LOSS * extent).then(|| low + 0.5 * (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_femur_in_millimetres_is_told_from_one_in_metres() {
        assert_eq!(guess_unit(0.1638), None);
        let guess = guess_unit(163.8).unwrap();
        assert_eq!((guess.factor, guess.unit), (Some(1e-3), Some("mm")));
        assert_eq!(guess_unit(1.638e5).unwrap().unit, Some("um"));
        assert_eq!(guess_unit(1.638e-4).unwrap().factor, Some(1e3));
        assert_eq!(guess_unit(1e-30).unwrap().factor, None);
        assert_eq!(guess_unit(0.0), None);
    }

    #[test]
    fn a_mesh_is_to_be_moved_when_it_lies_many_times_its_size_away() {
        let [lo, hi] = [Vec3::zeros(), Vec3::repeat(0.1)];
        assert_eq!(recentring(&lo, &hi), None);
        let away = Vec3::new(0.0, 0.0, 100.0);
        let centre = recentring(&(lo + away), &(hi + away)).unwrap();
        assert_eq!(centre, Vec3::new(0.05, 0.05, 100.05));
    }
}
