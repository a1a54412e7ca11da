//! Tissues drawn farther from rest than they are, or nearer.

use std::borrow::Cow;

use sinew::Vec3;
use sinew::snapshot::{Scene, Snapshot};

use crate::ViewOptions;

/// The snapshot as it is drawn: points x of tissues, and those that follow tissues, at
/// x0 + k (x - x0), with x0 their places at rest and k the exaggeration. The same one for k = 1.
pub fn exaggerated<'s>(snapshot: &'s Snapshot, options: &ViewOptions) -> Cow<'s, Snapshot> {
    let k = options.exaggeration;
    if k == 1.0 {
        return Cow::Borrowed(snapshot);
    }
    let mut drawn = snapshot.clone();
    for (point, rest) in drawn.points.iter_mut().zip(snapshot.scene.rest.iter()) {
        if rest[0].is_finite() {
            *point = std::array::from_fn(|axis| rest[axis] + k * (point[axis] - rest[axis]));
        }
    }
    Cow::Owned(drawn)
}

/// Position of a point whose picture is at `drawn`, both world [m]; `None` where all positions have
/// the same picture.
pub(crate) fn placed_from(
    scene: &Scene,
    point: usize,
    drawn: Vec3,
    options: &ViewOptions,
) -> Option<Vec3> {
    let Some(rest) = scene.rest.get(point).filter(|rest| rest[0].is_finite()) else {
        return Some(drawn);
    };
    let rest = scene.origin + Vec3::from(rest.map(f64::from));
    let k = f64::from(options.exaggeration);
    (k > 0.0).then(|| rest + (drawn - rest) / k)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn snapshot() -> Snapshot {
        let rest = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [f32::NAN; 3]];
        let origin = Vec3::new(5.0, 0.0, 0.0);
        let scene = Scene { rest: Arc::new(rest), origin, ..Scene::default() };
        let points = vec![[0.0, 0.0, 0.0], [1.1, 0.2, -0.1], [3.0, 3.0, 3.0]];
        Snapshot { scene: Arc::new(scene), points, ..Snapshot::default() }
    }

    #[test]
    fn displacements_of_tissues_are_multiplied_and_others_are_not() {
        let snapshot = snapshot();
        let by = |exaggeration| ViewOptions { exaggeration, ..ViewOptions::default() };
        assert!(matches!(exaggerated(&snapshot, &by(1.0)), Cow::Borrowed(_)));
        let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-6);
        let twice = exaggerated(&snapshot, &by(2.0)).into_owned();
        assert!(near(twice.points[1], [1.2, 0.4, -0.2]), "{:?}", twice.points);
        assert_eq!((twice.points[0], twice.points[2]), ([0.0; 3], [3.0; 3]));
        let at_rest = exaggerated(&snapshot, &by(0.0)).into_owned();
        assert!(near(at_rest.points[1], [1.0, 0.0, 0.0]), "{:?}", at_rest.points);
    }

    #[test]
    fn what_is_pulled_is_pulled_from_where_it_is() {
        let snapshot = snapshot();
        let scene = &snapshot.scene;
        let options = ViewOptions { exaggeration: 4.0, ..ViewOptions::default() };
        let drawn = exaggerated(&snapshot, &options).points[1].map(f64::from);
        let found = placed_from(scene, 1, scene.origin + Vec3::from(drawn), &options).unwrap();
        let expected = scene.origin + Vec3::new(1.1, 0.2, -0.1);
        assert!((found - expected).norm() < 1e-6, "{found}");
        assert_eq!(placed_from(scene, 2, Vec3::x(), &options), Some(Vec3::x()));
        let flat = ViewOptions { exaggeration: 0.0, ..options };
        assert_eq!(placed_from(scene, 1, Vec3::x(), &flat), None);
    }
}
