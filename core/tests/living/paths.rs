//! Paths: names, numbers, quotes, relative ones, and what is said of wrong ones.

use proptest::prelude::*;
use sinew::Vec3;
use sinew::component::{Address, ComponentType, FemPart, ROOT};
use sinew::model::{ComponentList, Edit, MechModel, Model, Particle};

use crate::world::{check, tissue};

fn at(x: f64) -> Particle {
    Particle::new(1.0, Vec3::x() * x)
}

#[test]
fn names_and_numbers_lead_to_the_same() {
    let mut model = Model::new("head");
    let jaw = model.add(MechModel::new("jaw"));
    let [_, chin] = ["", "chin"].map(|name| model.add_to(jaw, at(0.0).named(name)).unwrap());
    let particles = model.parent(chin).unwrap();
    for path in [
        "/models/jaw/particles/chin",
        "/0/0/particles/1",
        "models/jaw/particles/chin",
        "/models/./jaw/particles/../particles/chin",
        "/models/jaw/particles/chin/",
    ] {
        assert_eq!(model.find(path), Ok(chin.id().into()), "{path}");
    }
    assert_eq!(model.path(chin), "/models/jaw/particles/chin");
    let start = Address::from(particles);
    for (path, to) in [("chin", chin.id()), (".", particles), ("..", jaw.id()), ("../..", ROOT)] {
        let to = if path == "../.." { model.parent(jaw).unwrap() } else { to };
        assert_eq!(model.find_from(start, path), Ok(to.into()), "{path}");
    }
    assert_eq!(model.find_from(start, "/"), Ok(ROOT.into()));
}

#[test]
fn nodes_and_elements_have_paths_without_being_components() {
    let mut model = Model::new("block");
    let fem = model.add(tissue("muscle", 2, Vec3::zeros()));
    let node = model.find("/models/block/fem_models/muscle/nodes/11").unwrap();
    assert_eq!(node, Address::Node(fem.id(), 11));
    assert_eq!(model.path(node), "/models/block/fem_models/muscle/nodes/11");
    assert_eq!(model.find_from(node, ".."), Ok(Address::Part(fem.id(), FemPart::Nodes)));
    assert_eq!(model.find_from(node, "../../1/1"), Ok(Address::Element(fem.id(), 1)));
    assert_eq!(model.find_from(node, "../.."), Ok(fem.id().into()));
    let error = model.find("/models/block/fem_models/muscle/nodes/12").unwrap_err();
    assert!(error.to_string().ends_with("has no '12'; it has 12, numbered from 0"), "{error}");
}

#[test]
fn a_number_stays_when_others_go_and_is_not_given_again() {
    let mut model = Model::new("row");
    let all = [0.0, 1.0, 2.0].map(|x| model.add(at(x)));
    model.edit(Edit::delete(all[1])).unwrap();
    assert_eq!(all.map(|it| model.number(it)), [Some(0), None, Some(2)]);
    assert_eq!(model.path(all[2]), "/models/row/particles/2");
    let next = model.add(at(3.0));
    assert_eq!(model.number(next), Some(3));
}

#[test]
fn a_wrong_path_says_how_far_it_matched_and_what_was_near() {
    let mut model = Model::new("head");
    let jaw = model.add(MechModel::new("jaw"));
    for name in ["chin", "condyle", ""] {
        model.add_to(jaw, at(0.0).named(name)).unwrap();
    }
    for (path, said) in [
        (
            "/models/jaw/particles/chim",
            "path '/models/jaw/particles/chim': '/models/jaw/particles' has no 'chim' (did you mean \
             'chin'?); it has 3 with numbers 0 to 2",
        ),
        (
            "/models/jaw/particles/7",
            "path '/models/jaw/particles/7': '/models/jaw/particles' has no '7'; it has 3 with \
             numbers 0 to 2",
        ),
        (
            "/models/jow/particles",
            "path '/models/jow/particles': '/models' has no 'jow' (did you mean 'jaw'?); it has one, \
             number 0",
        ),
        (
            "/models/jaw/axial_springs/lad",
            "path '/models/jaw/axial_springs/lad': '/models/jaw/axial_springs' has no 'lad'; it is \
             empty",
        ),
        ("..", "path '..': '/' has no '..'; it has one, number 0"),
        ("/models//jaw", "path '/models//jaw': a step is empty"),
        ("/models/\"jaw", "path '/models/\"jaw': a quote is not closed"),
    ] {
        assert_eq!(model.find(path).unwrap_err().to_string(), said);
    }
}

#[test]
fn odd_names_stand_in_quotes() {
    let mut model = Model::new("odd");
    let group = model.main();
    for odd in ["12", ".", "..", "a/b", "a:b", "say \"a\"", "back\\slash", " a ", "größe", "\n"] {
        let list = model.add_to(group, ComponentList::new(odd)).unwrap();
        assert_eq!(model.find(&model.path(list)), Ok(list.id().into()), "{odd}");
    }
    let twelve = model.find("/models/odd/\"12\"").unwrap();
    assert_ne!(model.find("/models/odd/12").ok(), Some(twelve), "a number is no name");
}

#[test]
fn of_two_of_one_name_the_later_goes_by_its_number() {
    let mut model = Model::new("twins");
    let [first, second] = [0.0, 1.0].map(|x| model.add(at(x).named("twin")));
    assert_eq!(model.path(first), "/models/twins/particles/twin");
    assert_eq!(model.path(second), "/models/twins/particles/1");
    model.edit(Edit::delete(first)).unwrap();
    assert_eq!(model.path(second), "/models/twins/particles/twin");
}

#[test]
fn any_name_is_found_under_its_path() {
    check(400, any::<String>(), |name| {
        let mut model = Model::new("any");
        let list = model.add(ComponentList::new(name.clone()));
        let path = model.path(list);
        assert_eq!(model.find(&path), Ok(list.id().into()), "{path}");
        let property = model.property(&format!("{path}:name")).unwrap();
        assert_eq!(model.get_property(&property).unwrap().to_string(), name);
    });
}

#[test]
fn no_text_makes_a_path_panic() {
    let mut model = Model::new("m");
    model.add(at(0.0).named("p"));
    model.add(tissue("f", 1, Vec3::zeros()));
    // Pieces that mean something, and anything.
    let pieces = prop::sample::select(vec![
        "/",
        ":",
        "\"",
        "\\",
        ".",
        "..",
        "0",
        "4294967295",
        "4294967296",
        "models",
        "m",
        "f",
        "nodes",
        "fem_models",
        "particles",
        "p",
        "mass",
        " ",
        "ö",
    ]);
    let made = prop::collection::vec(pieces.prop_map(String::from), 0..12)
        .prop_map(|pieces| pieces.concat());
    check(3000, prop_oneof![made, any::<String>()], |text| {
        let found = model.find(&text);
        if let Ok(there) = found {
            assert_eq!(model.find(&model.path(there)), Ok(there));
        }
        let _ = model.property(&text).map(|property| model.get_property(&property));
    });
}
