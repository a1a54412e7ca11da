//! Every pair of kinds moved through touching: gaps are exact all the way, and change no faster than
//! the motion.

use sinew::Vec3;
use sinew::constraint::Pose;

use crate::scenes::*;

#[test]
fn gaps_are_exact_from_apart_to_deep_for_every_pair_of_kinds() {
    let mut numbers = Numbers(89);
    let step = 0.04;
    for a in &solids() {
        for b in &solids() {
            for _ in 0..4 {
                let (at, bt) = (numbers.pose(0.2), numbers.pose(0.2));
                let way = numbers.direction();
                let mut detector = two(a, b, 5.0);
                let mut last: Option<f64> = None;
                for k in 0..60 {
                    let shift = way * (2.4 - step * f64::from(k));
                    let at = Pose::from_parts((at.translation.vector + shift).into(), at.rotation);
                    let found = detect(&mut detector, &at, &bt);
                    let best = deepest(&found);
                    // With a past, last step's contacts may miss the deepest by 1e-5 of the size.
                    let fresh = contacts(a, &at, b, &bt, 5.0);
                    assert_exact(a, &at, b, &bt, deepest(&fresh), 2e-9);
                    assert!((best.gap - deepest(&fresh).gap).abs() < 4e-5);
                    let change = last.map_or(0.0, |last| (last - deepest(&fresh).gap).abs());
                    assert!(change < step + 1e-8, "{} {} {change}", a.kind(), b.kind());
                    last = Some(deepest(&fresh).gap);
                }
                assert!(last.is_some_and(|gap| gap < -0.1), "{last:?}");
            }
        }
    }
}

#[test]
fn a_gap_closes_to_zero_without_a_jump_in_its_normal_across_faces() {
    // A box that comes down flat on each solid: the normal is that of its face throughout.
    for solid in solids() {
        let plate = cuboid(3.0, 3.0, 0.2);
        let top = extent(&solid, &Pose::identity(), &Vec3::z()) + 0.2;
        for gap in [1e-2, 1e-6, 1e-10, 1e-13, 0.0, -1e-13, -1e-10, -1e-6, -1e-2] {
            let at = shift(0.0, 0.0, top + gap);
            let found = contacts(&plate, &at, &solid, &Pose::identity(), 0.05);
            let best = deepest(&found);
            assert!((best.normal - Vec3::z()).norm() < 1e-14, "{} {best:?}", solid.kind());
            assert!((best.gap - gap).abs() < 1e-14, "{} {gap:e} {best:?}", solid.kind());
        }
    }
}
