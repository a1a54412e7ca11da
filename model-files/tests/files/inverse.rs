//! The section `[inverse]`: paths made absolute, each fault at its place, saved as it was.

use sinew::inverse::{MotionTarget, TrackedExcitation, TrackingRule};
use sinew_model_files::{ExcitationShare, SaveOptions, save};

use crate::{errors_of, folder, loaded};

const ARM: &str = r#"version = 1
name = "m"
units = { time = "ms" }
[[particle]]
name = "wall"
dynamic = false
[[particle]]
name = "bob"
position = [0.3, 0, 0]
[defaults.axial_spring]
first = "particles/wall"
second = "particles/bob"
material = { type = "simple_muscle", max_force = 2.0 }
[[axial_spring]]
name = "one"
[[axial_spring]]
name = "two"
"#;

const FOLLOWED: &str = r#"[inverse]
targets = "signals/reach.csv"
excite = ["muscles"]
chase_time = 20
damping = 0.5
iterations = 2
weights = [{ target = "particles/bob:position", weight = 2.0, directions = [1, 0, 0.5], factors = [[0, 1], [500, 0.25]] }]
bounds = [{ of = "axial_springs/two", upper = 0.5, weight = 3.0 }]
ratios = [{ of = "axial_springs/one", ratio = 2.0, to = "axial_springs/two" }]
synergies = [[{ of = "axial_springs/one", factor = 1.0 }]]
sums = [{ shares = [{ of = "axial_springs/two", factor = 4.0 }], target = 0.25, weight = 1.5, upper = 1.0 }]
"#;

#[test]
fn what_is_followed_is_read_for_the_library_and_saved_again() {
    let text = format!("{ARM}{FOLLOWED}");
    let folder = folder(&[("m.toml", &text), ("signals/reach.csv", "time,a\n0,1\n")]);
    let file = loaded(&folder.path().join("m.toml"));
    let inverse = &file.inverse;
    assert_eq!(inverse.targets, Some(folder.path().join("signals/reach.csv")));
    assert_eq!(inverse.weights[0].target, "/models/m/particles/bob:position");
    assert_eq!(inverse.weights[0].factors, [[0.0, 1.0], [0.5, 0.25]], "times in s");
    let target = MotionTarget::at(&file.model, "/models/m/particles/bob:position").unwrap();
    let mut targets = vec![target];
    inverse.set_weights(&mut targets, &file.model).unwrap();
    assert_eq!((targets[0].weight, targets[0].directions), (2.0, [1.0, 0.0, 0.5]));
    let settings = inverse.settings();
    assert_eq!(settings.rule, TrackingRule::Chase { time: 0.02 });
    assert_eq!((settings.damping, settings.iterations), (0.5, 2));
    let excitations = inverse.excitations(&file.model).unwrap();
    let [one, two] = TrackedExcitation::muscles(&file.model)[..] else { panic!("two muscles") };
    assert_eq!(excitations, [one, TrackedExcitation { upper: 0.5, weight: 3.0, ..two }]);
    let terms = inverse.terms(&file.model, &excitations).unwrap();
    assert_eq!(terms.constraints[0].coefficients, [1.0, -2.0]);
    assert_eq!(
        (&terms.constraints[1].coefficients[..], terms.constraints[1].upper),
        (&[0.0, 4.0][..], 1.0)
    );
    assert_eq!(terms.synergies, [[1.0, 0.0]]);
    assert_eq!((terms.sums[0].target, terms.sums[0].weight), (0.25, 1.5));
    let options = SaveOptions { inverse: inverse.clone(), ..SaveOptions::default() };
    for name in ["again.toml", "again.json"] {
        let path = folder.path().join(name);
        save(&file.model, &path, &options).unwrap();
        let mut again = loaded(&path).inverse;
        // The same file, by way of the folder without its links.
        again.targets.clone_from(&inverse.targets);
        assert_eq!(&again, inverse, "{name}");
    }
}

/// The errors of a model whose section has these lines, the first of them line 19.
fn errors_with(lines: &str) -> Vec<String> {
    errors_of(&format!("{ARM}[inverse]\n{lines}\n"))
}

#[test]
fn faults_of_the_section_are_told_at_their_lines() {
    for (lines, wanted) in [
        ("exite = [\"muscles\"]", "19:1 there is no key 'exite'"),
        ("targets = \"/etc/reach.csv\"", "19:11 '/etc/reach.csv' is no relative path"),
        ("damping = 1\nkp = 3.0", "20:6 kp goes with kd"),
        ("chase_time = -1", "19:14 chase_time must be positive"),
        ("iterations = 0", "19:14 iterations must be 1 or more"),
        ("excite = [\"axial_springs/three\"]", "three"),
        (
            "weights = [{ target = \"particles/bob\", weight = 1 }]",
            "19:11 'particles/bob' names no property",
        ),
        (
            "weights = [{ target = \"particles/bob:position\", factors = [[1, 1], [1, 2]] }]",
            "19:11 weights have factors at rising times",
        ),
        (
            "weights = [{ target = \"particles/bob:position\", directions = [1, -1, 0] }]",
            "19:11 weights must be 0 or more",
        ),
        ("sums = [{ shares = [], target = 1 }]", "sums have a target and its weight"),
    ] {
        let errors = errors_with(lines);
        assert!(errors.len() == 1 && errors[0].contains(wanted), "{lines}: {errors:?}");
    }
    let folder =
        folder(&[("m.toml", &format!("{ARM}[inverse]\nexcite = [\"axial_springs/one\"]\n"))]);
    let file = loaded(&folder.path().join("m.toml"));
    let mut asked = file.inverse.clone();
    let share = ExcitationShare { of: "/models/m/axial_springs/two".to_owned(), factor: 1.0 };
    asked.synergies = vec![vec![share]];
    let excitations = asked.excitations(&file.model).unwrap();
    let error = asked.terms(&file.model, &excitations).unwrap_err();
    assert!(error.to_string().contains("two' is not excited"), "{error}");
}
