//! Joints as data: files, defaults, refusals.

use super::*;
use crate::constraint::{Compliance, CoordinateSettings, JointError, JointSettings, Range};

#[test]
fn every_kind_has_its_own_name_and_is_found_by_it() {
    let names: std::collections::BTreeSet<_> = JointKind::ALL.iter().map(JointKind::name).collect();
    assert_eq!(names.len(), JointKind::ALL.len());
    for kind in JointKind::ALL {
        assert_eq!(JointKind::from_name(kind.name()), Some(kind));
        let json = serde_json::to_value(kind).unwrap();
        assert_eq!(json["kind"], kind.name());
    }
    assert_eq!(JointKind::from_name("ball"), None);
}

#[test]
fn settings_survive_a_file() {
    for kind in kinds() {
        let settings = JointSettings::new(kind);
        settings.check().unwrap();
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<JointSettings>(&json).unwrap(), settings, "{json}");
    }
    let short = r#"{"kind": "ellipsoid", "semi_axes": [1, 2, 3]}"#;
    let shape = EllipsoidShape { semi_axes: [1.0, 2.0, 3.0], ..sphere() };
    assert_eq!(serde_json::from_str::<JointKind>(short).unwrap(), JointKind::Ellipsoid(shape));
    let limit: CoordinateSettings = serde_json::from_str(r#"{"range": {"upper": 1.0}}"#).unwrap();
    assert_eq!(limit.range, Range { lower: None, upper: Some(1.0) });
    assert!(!limit.locked && limit.compliance == Compliance::default());
}

#[test]
fn bad_settings_are_refused_by_name() {
    let refusal = |change: &dyn Fn(&mut JointSettings)| {
        let mut settings = JointSettings::new(JointKind::Cylindrical);
        change(&mut settings);
        settings.check().unwrap_err().to_string()
    };
    let message = refusal(&|s| s.rows[2].compliance = -1.0);
    assert!(message.starts_with("row 2: compliance -1"), "{message}");
    let message = refusal(&|s| s.coordinates[1].compliance.damping = f64::NAN);
    assert!(message.starts_with("coordinate theta: ") && message.contains("NaN"), "{message}");
    let message = refusal(&|s| s.coordinates[0].range = Range::new(2.0, 1.0));
    assert!(message.contains("range of z is"), "{message}");
    let message = refusal(&|s| s.coordinates[0].range = Range::new(0.0, f64::INFINITY));
    assert!(message.contains("range of z is"), "{message}");
    let message = refusal(&|s| s.rows.truncate(1));
    assert_eq!(message, "cylindrical joint: 1 rows are given, the kind has 4");
    let message = refusal(&|s| s.coordinates.clear());
    assert_eq!(message, "cylindrical joint: 0 coordinates are given, the kind has 2");
}

#[test]
fn axes_that_are_parallel_and_surfaces_that_are_none_are_refused() {
    let skewed = |skew_angle| JointKind::SkewedUniversal(Skew { skew_angle }).check();
    assert_eq!(skewed(1.5), Ok(()));
    for angle in [2.0, -2.0, std::f64::consts::FRAC_PI_2] {
        assert_eq!(skewed(angle), Err(JointError::Skew { angle }));
    }
    assert!(skewed(f64::NAN).is_err());
    for a in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let shape = EllipsoidShape { semi_axes: [1.0, a, 1.0], ..sphere() };
        assert!(matches!(JointKind::Ellipsoid(shape).check(), Err(JointError::Ellipsoid { .. })));
        assert!(matches!(JointKind::Ellipsoid3d(shape).check(), Err(JointError::Ellipsoid { .. })));
    }
}

#[test]
fn a_range_has_gaps_that_are_negative_outside() {
    let range = Range { lower: Some(-1.0), upper: None };
    assert_eq!(range.gaps(-1.5), [-0.5, f64::INFINITY]);
    assert_eq!(range.clamp(-1.5), -1.0);
    assert_eq!(range.clamp(7.0), 7.0);
    assert_eq!(Range::new(0.0, 2.0).gaps(3.0), [3.0, -1.0]);
}
