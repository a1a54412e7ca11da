//! The list of the laws as data: names, defaults, ranges, files.

use super::super::AxialError;
use super::*;

#[test]
fn every_kind_has_a_name_a_doc_and_documented_constants() {
    for (k, kind) in KINDS.iter().enumerate() {
        assert!(KINDS[..k].iter().all(|other| other.name != kind.name), "{} twice", kind.name);
        assert!(kind.doc.contains(':') && !kind.source.is_empty(), "{}", kind.name);
        for constant in kind.constants {
            assert!(!constant.doc.trim().is_empty() && !constant.unit.is_empty(), "{constant:?}");
            assert!(constant.range.contains(&constant.default), "{}: {constant:?}", kind.name);
        }
    }
    assert_eq!(AxialLaw::from_name("sinew"), None);
}

#[test]
fn defaults_are_those_of_the_table_and_pass_the_check() {
    for kind in KINDS {
        let law = AxialLaw::from_name(kind.name).unwrap();
        assert_eq!(law.kind().name, kind.name);
        law.check().unwrap();
        for constant in kind.constants {
            assert_eq!(law.get(constant.name), Some(constant.default), "{}", constant.name);
        }
        assert_eq!(law.get("sinew"), None);
    }
}

#[test]
fn a_law_survives_a_file_and_names_what_a_file_misspells() {
    for law in laws() {
        let text = serde_json::to_string(law).unwrap();
        assert!(text.contains(&format!("\"kind\":\"{}\"", law.kind().name)), "{text}");
        assert_eq!(serde_json::from_str::<AxialLaw>(&text).unwrap(), *law);
    }
    let sparse: AxialLaw = serde_json::from_str(r#"{"kind":"peck","max_force":40}"#).unwrap();
    assert_eq!(sparse.get("max_force"), Some(Value::Number(40.0)));
    assert_eq!(sparse.get("max_length"), Some(Value::Number(1.0)));
    let wrong = serde_json::from_str::<AxialLaw>(r#"{"kind":"peck","maxforce":40}"#).unwrap_err();
    assert!(wrong.to_string().contains("maxforce"), "{wrong}");
}

/// A value beyond each end of a range.
fn beyond(range: Range) -> Vec<Value> {
    let numbers = match range {
        Range::Finite => vec![],
        Range::Positive => vec![0.0, -1.0],
        Range::NonNegative => vec![-1e-9],
        Range::Within(low, high) => vec![low - 1e-9, high + 1e-9],
        Range::Below(low, high) => vec![low - 1e-9, high],
        Range::OneOf(_) => return vec![Value::Choice("sinew"), Value::Number(0.0)],
    };
    let special = [f64::NAN, f64::INFINITY];
    numbers.into_iter().chain(special).map(Value::Number).chain([Value::Choice("sinew")]).collect()
}

#[test]
fn a_constant_out_of_its_range_is_refused_by_name() {
    for law in laws() {
        for constant in law.kind().constants {
            for value in beyond(constant.range) {
                let mut changed = *law;
                let error = changed.set(constant.name, value).unwrap_err();
                let text = error.to_string();
                assert!(text.contains(constant.name) && text.contains(law.kind().name), "{text}");
                assert_eq!(changed, *law);
            }
        }
        let missing = law.clone().set("sinew", Value::Number(1.0)).unwrap_err();
        assert!(matches!(missing, AxialError::NoConstant { .. }), "{missing}");
    }
}

#[test]
fn the_check_finds_what_a_file_got_wrong() {
    let law: AxialLaw = serde_json::from_str(r#"{"kind":"linear","damping":-1}"#).unwrap();
    let text = law.check().unwrap_err().to_string();
    assert_eq!(text, "axial law linear: damping is -1, it must be zero or more [N s/m]");
    let law: AxialLaw =
        serde_json::from_str(r#"{"kind":"pai","max_length":0.1,"optimal_length":0.2}"#).unwrap();
    let text = law.check().unwrap_err().to_string();
    let expected = "axial law pai: max_length is 0.1, it must exceed optimal_length, which is 0.2";
    assert_eq!(text, expected);
}
