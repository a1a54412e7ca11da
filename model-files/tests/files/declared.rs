//! Declared properties in model files: read with their units, refused at their places, written again to the bit.

use sinew::component::Kind;
use sinew::model::{Edit, Model};
use sinew::property::{Declaration, Value};

use crate::everything::everything;
use crate::round_trip::{back, document};
use crate::{errors_of, read};

const STONE: &str = "/models/m/particles/stone";

fn value(model: &Model, path: &str) -> Value {
    model.get_property(&model.property(path).unwrap()).unwrap()
}

#[test]
fn declared_properties_are_read_in_units_of_the_file_and_seen_by_formulas() {
    let file = read(
        "version = 1\nname = \"m\"\nunits = { length = \"mm\" }\n\
         declared = { subject = { type = \"text\", value = \"S 07\" } }\n\
         [defaults.particle.declared.side]\ntype = \"text\"\ndefault = \"left\"\n\
         [[particle]]\nname = \"stone\"\nmass = 1\n\
         [particle.declared]\n\
         reach = { type = \"number\", unit = \"m\", default = 10, value = 25, doc = \"Of the arm\" }\n\
         at = { type = \"pose\", value = { position = [1, 2, 3] } }\n\
         side = { value = \"right\" }\n\
         [[particle]]\nname = \"other\"\nmass = 1\n\
         [[property_controller]]\ntarget = \"particles/stone\"\nproperty = \"reach\"\n\
         input = \"2 * {/models/m/particles/stone:reach}\"\n",
    )
    .unwrap_or_else(|report| panic!("{}", report.render(false)));
    let model = &file.model;
    assert_eq!(value(model, "/models/m:subject"), Value::Text("S 07".to_owned()));
    assert_eq!(value(model, &format!("{STONE}:reach")), Value::Real(0.025));
    let reach = model.property(&format!("{STONE}:reach")).unwrap();
    assert_eq!((&reach.info().default, reach.info().doc), (&Value::Real(0.01), "Of the arm"));
    let Value::Pose(at) = value(model, &format!("{STONE}:at")) else { panic!("a pose") };
    assert_eq!(at.translation.vector.as_slice(), [0.001, 0.002, 0.003]);
    assert_eq!(value(model, &format!("{STONE}:side")), Value::Text("right".to_owned()));
    assert_eq!(value(model, "/models/m/particles/other:side"), Value::Text("left".to_owned()));
}

#[test]
fn what_is_wrong_with_a_declaration_is_told_at_its_place() {
    for (line, expected) in [
        ("age = 3", "'age' is a table, not 3"),
        ("age = { unit = \"year\" }", "needs a 'type'"),
        ("age = { type = \"real\" }", "there are bool, int, number"),
        ("age = { type = \"number\", value = \"old\" }", "value is a number"),
        ("age = { type = \"number\", valu = 3 }", "has no 'valu'"),
        ("age = { type = \"number\", unit = 3 }", "'unit' is a text"),
        ("age = { type = \"colour\", value = [2, 0, 0] }", "must be in [0, 1]"),
        ("mass = { type = \"number\" }", "has a property 'mass' already"),
        ("\"2nd\" = { type = \"number\" }", "letters, digits and '_'"),
    ] {
        let text = format!("version = 1\n[[particle]]\nmass = 1\ndeclared = {{ {line} }}\n");
        let errors = errors_of(&text);
        assert!(errors.len() == 1 && errors[0].contains(expected), "{line}: {errors:?}");
        assert!(errors[0].starts_with("4:"), "{errors:?}");
    }
}

#[test]
fn every_kind_of_component_and_of_value_comes_back_to_the_bit() {
    let mut model = everything();
    let ids: Vec<_> = Kind::ALL
        .into_iter()
        .filter_map(|kind| {
            let mut all = vec![sinew::component::ROOT];
            let mut next = 0;
            while let Some(&id) = all.get(next) {
                all.extend(model.children(id));
                next += 1;
            }
            all.into_iter().find(|id| id.kind() == kind)
        })
        .collect();
    assert!(ids.len() >= 30, "{}", ids.len());
    let values = [
        ("bool", "true", "false"),
        ("int", "-7", "3"),
        ("number", "0.1", "-0"),
        ("vector", "1 -0 3e-7", "0 0 1"),
        ("matrix", "1 2 3 4 5 6 7 8 9.5", "0 0 0 0 0 0 0 0 -0"),
        ("pose", "1 2 3 0 0 0.6 0.8", "0 0 0 0 0 0 1"),
        ("text", "two \"words\"", ""),
        ("colour", "0.1 0.2 1", "0.7 0 0"),
        ("list", "1.5 2.5", "0.5"),
    ];
    for (k, id) in ids.into_iter().enumerate() {
        for turn in [0, 1] {
            let (ty, text, default) = values[(k + turn) % values.len()];
            let ty = Declaration::type_of(ty).unwrap();
            let read = |text: &str| match ty {
                sinew::property::PropertyType::Text => Value::Text(text.to_owned()),
                ty => Value::parse(ty, text).unwrap(),
            };
            let declaration = Declaration::new(format!("own_{turn}"), ty)
                .default_value(read(default))
                .unit(if ty.name() == "number" { "N/m" } else { "" })
                .doc("One of its own");
            model.edit(Edit::declare(id, declaration)).unwrap();
            let property = model.property_of(id, &format!("own_{turn}")).unwrap();
            model.set_property(&property, read(text)).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.toml", "model.json"] {
        assert!(document(&back(&model, folder.path(), file)) == document(&model), "{file} differs");
    }
}
