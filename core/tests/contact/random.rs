//! Random convex pairs: moved by its gap along its normal, A just touches B.

use proptest::prelude::*;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{ConvexHull, Shape};

use crate::scenes::*;

fn vector(scale: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-scale..scale).prop_map(Vec3::from)
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(1.2), vector(2.0)).prop_map(|(shift, turn)| Pose::new(shift, turn))
}

fn polytope() -> impl Strategy<Value = Shape> {
    let hull = prop::collection::vec(vector(1.0), 4..30)
        .prop_filter_map("flat", |points| ConvexHull::new(&points).ok().map(Shape::Convex));
    let cuboid = prop::array::uniform3(0.05..1.5f64)
        .prop_map(|half| Shape::Box { half_extents: Vec3::from(half) });
    prop_oneof![hull, cuboid]
}

fn round() -> impl Strategy<Value = Shape> {
    let sizes = || (0.05..1.0f64, 0.05..1.0f64);
    prop_oneof![
        sizes().prop_map(|(radius, half_length)| Shape::Capsule { radius, half_length }),
        sizes().prop_map(|(radius, half_length)| Shape::Cylinder { radius, half_length }),
        sizes().prop_map(|(radius, _)| Shape::Sphere { radius }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn polytopes_just_touch_after_moving_by_their_gap(
        a in polytope(), at in pose(), b in polytope(), bt in pose(),
    ) {
        let found = contacts(&a, &at, &b, &bt, 10.0);
        assert_exact(&a, &at, &b, &bt, deepest(&found), 2e-9);
        let best = deepest(&found);
        let moved = Pose::from_parts(
            (at.translation.vector - best.normal * best.gap).into(), at.rotation);
        let touching = contacts(&a, &moved, &b, &bt, 1e-6);
        prop_assert!(deepest(&touching).gap.abs() < 5e-9, "{:?}", deepest(&touching));
    }

    #[test]
    fn round_shapes_just_touch_after_moving_by_their_gap(
        a in round(), at in pose(), b in prop_oneof![round(), polytope()], bt in pose(),
    ) {
        let found = contacts(&a, &at, &b, &bt, 10.0);
        assert_exact(&a, &at, &b, &bt, deepest(&found), 2e-9);
    }
}
