//! Code of users in model files: by the names that it is registered under.

use std::sync::Arc;

use sinew::Vec3;
use sinew::model::CodeRegistry;
use sinew_model_files::{LoadOptions, SaveOptions, load, save};

use crate::round_trip::document;
use crate::{errors, errors_of, folder};

const TEXT: &str = "version = 1\nname = \"m\"\n\
    [[particle]]\nname = \"kite\"\nmass = 0.1\n\
    [[custom_force]]\nname = \"gust\"\ncode = \"wind\"\npoints = [\"particles/kite\"]\n\
    declared = { push = { type = \"vector\", unit = \"N\", value = [0, 3, 0] } }\n\
    [[custom_constrainer]]\nname = \"rod\"\ncode = \"rod\"\nrows = 1\ncompliance = [0.001]\n\
    points = [\"particles/kite\"]\n\
    [[property_controller]]\nname = \"sum\"\nlaw = \"code\"\ncode = \"sum\"\n\
    input = \"t\"\ntarget = \"particles/kite\"\nproperty = \"mass\"\n";

fn registry() -> Arc<CodeRegistry> {
    let mut code = CodeRegistry::default();
    code.add_force("wind", |parameters| {
        let push = parameters.vector("push")?;
        Ok(Box::new(move |_, forces: &mut [Vec3]| forces.iter_mut().for_each(|it| *it += push)))
    });
    code.add_constraint("rod", |_| {
        Ok(Box::new(|input, sheet| {
            sheet.set_value(0, input.positions[0].z);
            sheet.set_point(0, 0, Vec3::z());
        }))
    });
    code.add_controller("sum", |_| Err("is never made here".into()));
    Arc::new(code)
}

#[test]
fn registered_code_is_read_by_name_and_saved_to_the_bit() {
    let folder = folder(&[("model.toml", TEXT)]);
    let options = LoadOptions { code: registry(), ..LoadOptions::default() };
    let read = |file: &str| {
        let file = load(&folder.path().join(file), &options);
        file.unwrap_or_else(|report| panic!("{}", report.render(false))).model
    };
    let model = read("model.toml");
    let push = model.property("/models/m/force_effectors/gust:push").unwrap();
    assert_eq!(model.get_property(&push).unwrap().to_string(), "0 3 0");
    let rows = model.property("/models/m/constrainers/rod:compliance").unwrap();
    assert_eq!(model.get_property(&rows).unwrap().to_string(), "0.001");
    model.compile().unwrap();
    for file in ["again.toml", "again.json"] {
        save(&model, &folder.path().join(file), &SaveOptions::default()).unwrap();
        assert!(document(&read(file)) == document(&model), "{file}");
    }
}

#[test]
fn code_that_is_not_registered_is_told_at_its_component() {
    let told = errors_of(TEXT);
    assert_eq!(told.len(), 3, "{told:?}");
    for (error, (line, part)) in told.iter().zip([
        ("8:", "code is 'wind', and no force of that name is registered"),
        ("13:", "code is 'rod', and no constraint of that name is registered"),
        ("20:", "code is 'sum', and no controller of that name is registered"),
    ]) {
        assert!(error.contains(part), "{error}");
        assert!(error.starts_with(line), "{error}");
    }
    let folder = folder(&[("model.toml", TEXT)]);
    let mut code = CodeRegistry::default();
    code.add_force("wind", |_| Ok(Box::new(|_, _: &mut [Vec3]| {})));
    let options = LoadOptions { code: Arc::new(code), ..LoadOptions::default() };
    let told = errors(&load(&folder.path().join("model.toml"), &options).unwrap_err());
    assert_eq!(told.len(), 2, "{told:?}");
}
