//! Parameters of the built-ins: what is refused, and with which words.

use sinew::model::Model;
use sinew_datasets::{BUILTINS, Params, Range, find};

fn message(name: &str, arguments: &[&str]) -> String {
    let build = find(name).expect("a built-in of this name").build;
    let built = Params::parse(arguments).and_then(|mut params| build(&mut params));
    built.expect_err("these parameters are wrong").to_string()
}

#[test]
fn an_unknown_key_is_answered_with_the_nearest_and_all_known_ones() {
    let text = message("beam", &["aplha=3"]);
    assert!(text.contains("'aplha'") && text.contains("'alpha'"), "{text}");
    for info in find("beam").unwrap().params.iter().filter(|info| info.key != "n") {
        assert!(text.contains(info.key), "{} is missing in: {text}", info.key);
    }
}

#[test]
fn a_bad_value_is_answered_with_key_value_and_range() {
    let table = [
        ("nx=0", "parameter nx=0: expected a whole number from 1 to 512"),
        ("nx=2.5", "parameter nx=2.5: expected a whole number from 1 to 512"),
        ("nu=0.6", "parameter nu=0.6: expected a number above -1 and at most 0.5"),
        ("E=-1", "parameter E=-1: expected a number above 0"),
        ("E=inf", "parameter E=inf: expected a number above 0"),
        ("alpha=-0.1", "parameter alpha=-0.1: expected a number at least 0"),
        ("g=nan", "parameter g=nan: expected a finite number"),
    ];
    for (argument, expected) in table {
        assert_eq!(message("beam", &[argument]), expected);
    }
    for word in ["rubber", "hill_muscle"] {
        let text = message("beam", &[&format!("mat={word}")]);
        let start =
            format!("parameter mat={word}: expected one of linear, corot, stvk, neohook, mr, ");
        assert!(text.starts_with(&start) && !text.contains("muscle,"), "{text}");
    }
    for word in ["neo_hookean", "Neo-Hookean", "neohook"] {
        let mut params = Params::parse([format!("mat={word}")]).unwrap();
        let model =
            (BUILTINS.iter().find(|b| b.name == "beam").unwrap().build)(&mut params).unwrap();
        assert_eq!(model.fem(0).material.name(), "neohook", "{word}");
    }
}

#[test]
fn arguments_that_are_no_pairs_and_keys_given_twice_are_refused() {
    assert_eq!(message("beam", &["hex"]), "'hex' is not a parameter; write key=value");
    assert_eq!(message("beam", &["=3"]), "'=3' is not a parameter; write key=value");
    let text = message("beam", &["nx=3", "nx=4"]);
    assert_eq!(text, "parameter 'nx' is given twice, as '3' and as '4'; keep one of them");
    let text = message("beam", &["E=3", "youngs_modulus=4"]);
    assert!(text.contains("'youngs_modulus' is given twice, as '3' and as '4'"), "{text}");
}

#[test]
fn parameters_are_taken_by_the_names_of_properties() {
    let fem = |arguments: [&str; 4]| {
        let mut params = Params::parse(arguments).unwrap();
        (find("beam").unwrap().build)(&mut params).unwrap().fem(0).clone()
    };
    let own = fem(["E=3e4", "nu=0.4", "rho=900", "mat=stvk"]);
    let others = fem(["youngs_modulus=3e4", "poissons_ratio=0.4", "density=900", "material=stvk"]);
    assert_eq!((own.material, own.density), (others.material, others.density));
    assert_eq!(own.material.get("youngs_modulus"), Some(sinew::material::Value::Number(3e4)));
}

#[test]
fn every_listed_parameter_is_read_and_its_default_changes_nothing() {
    for builtin in BUILTINS {
        // A model as a file has it: how it came to be is no part of it.
        let text = |model: &Model| serde_json::to_string(model).unwrap();
        let plain = (builtin.build)(&mut Params::default()).unwrap();
        for info in builtin.params {
            // A default that depends on other parameters is written in words; n belongs to kuhn6.
            if info.default.contains(' ') || info.key == "n" {
                continue;
            }
            let argument = format!("{}={}", info.key, info.default);
            let mut params = Params::parse([&argument]).unwrap();
            let model = (builtin.build)(&mut params)
                .unwrap_or_else(|error| panic!("{} {argument}: {error}", builtin.name));
            assert!(text(&model) == text(&plain), "{} {argument}", builtin.name);
        }
    }
}

#[test]
fn ranges_hold_their_ends_when_closed() {
    assert!(Range::Closed(0.0, 1.0).contains(1.0) && !Range::Open(0.0, 1.0).contains(1.0));
    assert!(!Range::ANY.contains(f64::INFINITY) && !Range::ANY.contains(f64::NAN));
}
