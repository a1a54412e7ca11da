//! Errors, word by word.

use sinew::property::Value;

use crate::fixture::everything;

fn refusal(path: &str, value: impl Into<Value>) -> String {
    let mut model = everything();
    let property = model.property(path).unwrap();
    let before = model.setting(&property);
    let error = model.set_property(&property, value).unwrap_err().to_string();
    assert_eq!(model.setting(&property), before, "{path} was changed");
    error
}

#[test]
fn a_path_that_leads_nowhere_says_what_is_near() {
    let model = everything();
    let of = |path: &str| model.property(path).unwrap_err().to_string();
    assert_eq!(of("/models/outer"), "'/models/outer' names no property: add ':' and its name");
    assert_eq!(
        of("/models/outer/particles/bob:mas"),
        "/models/outer/particles/bob (Particle) has no property 'mas' (did you mean 'mass'?)"
    );
    assert_eq!(
        of("/models/outer/fem_models/soft/nodes/3:stress"),
        "/models/outer/fem_models/soft/nodes/3 (node) has no property 'stress'"
    );
    assert_eq!(
        of("/models/outer/fem_models/soft/regions/1:material"),
        "path '/models/outer/fem_models/soft/regions/1:material': '/models/outer/fem_models/soft/regions' has no '1'; it has 1, numbered from 0"
    );
}

#[test]
fn a_value_of_another_type_is_refused_with_both_types() {
    assert_eq!(
        refusal("/models/outer/particles/bob:mass", "heavy"),
        "/models/outer/particles/bob:mass takes a number, not 'heavy' (text)"
    );
    let text = refusal("/models/outer/fem_models/soft:material", "jelly");
    let start = "/models/outer/fem_models/soft:material takes a choice of linear, corot, stvk, neohook, mr, ";
    assert!(text.starts_with(start) && text.ends_with(", not 'jelly' (text)"), "{text}");
    let mut model = everything();
    let error = model.set_text("/models/outer:gravity", "0 0").unwrap_err().to_string();
    assert_eq!(error, "/models/outer:gravity takes a vector, not '0 0' (text)");
    let gravity = model.property("/models/outer:gravity").unwrap();
    let error = model.set_numbers(&gravity, &[1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(error, "/models/outer:gravity is 3 numbers, not 2");
}

#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    let soft = "/models/outer/fem_models/soft";
    assert_eq!(
        refusal(&format!("{soft}:density"), -1.0),
        format!("{soft}:density must be > 0, got -1")
    );
    assert_eq!(
        refusal(&format!("{soft}:material.poissons_ratio"), 0.6),
        format!("{soft}:material.poissons_ratio must be in (-1, 0.5], got 0.6")
    );
    assert_eq!(
        refusal(&format!("{soft}:render.alpha"), 2.0),
        format!("{soft}:render.alpha must be in [0, 1], got 2")
    );
}

#[test]
fn what_cannot_be_set_or_inherited_is_refused() {
    let soft = "/models/outer/fem_models/soft";
    assert_eq!(refusal(&format!("{soft}:mass"), 1.0), format!("{soft}:mass can only be read"));
    assert_eq!(
        refusal(&format!("{soft}:material.c10"), 1.0),
        format!("{soft}:material.c10 has no value: there is none of that name now")
    );
    let mut model = everything();
    let density = model.property(&format!("{soft}:density")).unwrap();
    assert_eq!(
        model.inherit_property(&density).unwrap_err().to_string(),
        format!("{soft}:density cannot be inherited: set it to a value")
    );
    let mass = model.property(&format!("{soft}:mass")).unwrap();
    assert_eq!(
        model.get_property(&mass).unwrap_err().to_string(),
        format!("{soft}:mass has no value: it belongs to a state of a simulation")
    );
}

#[test]
fn what_compiling_would_refuse_is_refused_when_it_is_set() {
    let loads = "/models/outer/force_effectors";
    assert_eq!(
        refusal(&format!("{loads}/1:weights"), vec![1.0; 5]),
        format!("{loads}/1:weights cannot be '1 1 1 1 1': weights has 5 entries; it needs 12")
    );
    assert_eq!(
        refusal(&format!("{loads}/0:schedule"), vec![1.0, 0.0, 0.5, 0.0]),
        format!(
            "{loads}/0:schedule cannot be '1 0 0.5 0': schedule has a time of 0.5; it must be finite and not below the one before it"
        )
    );
    assert_eq!(
        refusal(&format!("{loads}/0:schedule"), vec![1.0, 0.0, 0.5]),
        format!(
            "{loads}/0:schedule cannot be '1 0 0.5': it must be one factor, or times and factors in turn"
        )
    );
    let soft = "/models/outer/fem_models/soft";
    let series = format!("{soft}:prony_series");
    assert_eq!(
        refusal(&series, vec![0.5, 0.6, 5.0]),
        format!("{series} cannot be '0.5 0.6 5': it must be a relaxation time and a share a term")
    );
    assert_eq!(
        refusal(&series, vec![0.5, 0.6, 0.0, 0.3]),
        format!(
            "{series} cannot be '0.5 0.6 0 0.3': prony_series has a relaxation time of 0; it must be finite and above 0"
        )
    );
    assert_eq!(
        refusal(&format!("{soft}/regions/0:material.c10"), -1.0),
        format!(
            "{soft}/regions/0:material.c10 cannot be '-1': regions/0:material is refused: material mr: c10 + c01 is -1, it must be positive [Pa]: twice it is the shear modulus at rest"
        )
    );
    assert_eq!(
        refusal(&format!("{soft}/regions/0:elements"), vec![0.0, 2.0]),
        format!(
            "{soft}/regions/0:elements cannot be '0 2': regions/0:elements refers to number 2 of 2, which is not there"
        )
    );
    assert_eq!(
        refusal(&format!("{soft}/supports/0:displacement"), vec![0.0; 9]),
        format!(
            "{soft}/supports/0:displacement cannot be '0 0 0 0 0 0 0 0 0': supports/0:displacement has 3 entries; it needs 2"
        )
    );
    assert_eq!(
        refusal(&format!("{soft}/supports/0:nodes"), vec![0.5]),
        format!("{soft}/supports/0:nodes cannot be '0.5': it must be whole numbers from 0 on")
    );
}

#[test]
fn a_reference_to_what_is_not_there_or_not_fit_is_refused() {
    let rope = "/models/outer/axial_springs/rope";
    assert_eq!(
        refusal(&format!("{rope}:first"), "/models/outer/particles/bib"),
        "path '/models/outer/particles/bib': '/models/outer/particles' has no 'bib' (did you mean 'bob'?); it has 2 with numbers 0 to 1"
    );
    assert_eq!(
        refusal(&format!("{rope}:first"), "/models/outer"),
        format!(
            "{rope}:first cannot be '/models/outer': it must lead to a particle, a frame marker, or a node of a tissue"
        )
    );
    assert_eq!(
        refusal("/models/outer/force_effectors/1:target", "/models/outer/particles/bob"),
        "/models/outer/force_effectors/1:target cannot be '/models/outer/particles/bob': it must lead to a tissue"
    );
}

#[test]
fn names_of_siblings_differ_and_lists_keep_theirs() {
    let mut model = everything();
    let other = sinew::model::Particle { name: "bib".into(), ..Default::default() };
    model.add(other);
    let name = model.property("/models/outer/particles/bib:name").unwrap();
    assert_eq!(
        model.set_property(&name, "bob").unwrap_err().to_string(),
        "/models/outer/particles/bib:name cannot be 'bob': a sibling has that name"
    );
    model.set_property(&name, "bib").unwrap();
    assert_eq!(
        refusal("/models/outer/particles:name", "points"),
        "/models/outer/particles:name can only be read"
    );
}
