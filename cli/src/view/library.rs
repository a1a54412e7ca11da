//! Library of the window: built-in models, meshes with their parameters and a preview.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::interactive::Drawing;
use sinew::material::Law;
use sinew::model::FemModel;
use sinew::snapshot::still;
use sinew_datasets::BUILTINS;
use sinew_model_files::world_files;
use sinew_viewer::app::{Library, Parameter, Preview};

use crate::load::{MESH_PARAMS, ModelSource};
use crate::options::EditArgs;

/// Units that meshes of bodies are written in.
const UNITS: [&str; 5] = ["m", "cm", "mm", "um", "in"];

/// Library of the window.
pub(super) fn library() -> Library {
    let builtins = BUILTINS.iter().map(|it| (it.name.to_owned(), it.summary.to_owned()));
    let parameter = |info: &sinew_datasets::ParamInfo| Parameter {
        key: info.key.to_owned(),
        default: info.default.to_owned(),
        unit: info.unit.to_owned(),
        doc: info.doc.to_owned(),
        choices: choices_of(info.key),
    };
    Library {
        builtins: builtins.collect(),
        parameters: MESH_PARAMS.iter().map(parameter).collect(),
        preview: Some(Arc::new(preview)),
        recent: state_folder().map(|folder| folder.join("recent")),
        preferences: state_folder().map(|folder| folder.join("preferences.json")),
        drawings: Some((read_drawing, write_drawing)),
        worlds: Some(world_files()),
    }
}

fn choices_of(key: &str) -> Vec<String> {
    let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
    match key {
        "unit" => words(&UNITS),
        "material" => {
            let short: Vec<String> = words(&["corot", "linear", "stvk", "neohook", "mr"]);
            let alone = Law::ALL.iter().filter(|law| !law.spec().kind().muscle);
            let long = alone.map(|law| law.spec().name().to_owned());
            let long = long.filter(|name| !short.contains(name)).collect::<Vec<_>>();
            short.into_iter().chain(long).collect()
        }
        _ => Vec::new(),
    }
}

fn read_drawing(path: &Path) -> Result<Drawing, String> {
    sinew_model_files::read_drawing(path).map_err(|error| error.to_string())
}

fn write_drawing(drawing: &Drawing, path: &Path) -> Result<(), String> {
    sinew_model_files::write_drawing(drawing, path).map_err(|error| error.to_string())
}

/// Folder for the state of programs of the user between sessions.
fn state_folder() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".local").join("state"));
    let state = given("XDG_STATE_HOME").or_else(|| given("LOCALAPPDATA")).or_else(home);
    state.map(|folder| folder.join("sinew"))
}

/// Reads a mesh as it would be opened, and tells what is in it.
fn preview(path: &Path, params: &[String]) -> Result<Preview, String> {
    let name = path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))?;
    let edits = EditArgs { params: params.to_vec(), ..EditArgs::default() };
    let source = ModelSource::load(name, &edits).map_err(|error| error.to_string())?;
    let mut facts = vec![source.origin.clone()];
    for (_, fem) in source.model.iter::<FemModel>() {
        facts.extend(facts_of(fem));
    }
    facts.extend(source.notes.iter().cloned());
    Ok(Preview { snapshot: still(&source.model), facts })
}

fn facts_of(fem: &FemModel) -> Vec<String> {
    let mesh = &fem.mesh;
    let counts = format!("{} nodes, {} elements", mesh.nodes.len(), mesh.element_count());
    let size = mesh.bounding_box().map(|[low, high]| {
        let [x, y, z]: [f64; 3] = (high - low).into();
        format!("{x:.4} x {y:.4} x {z:.4} m")
    });
    let fixed: usize = fem.dirichlet.iter().map(|support| support.nodes.len()).sum();
    [Some(counts), size, Some(format!("{fixed} nodes are fixed"))].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_that_is_offered_can_be_imported() {
        let file = tempfile::Builder::new().suffix(".vtk").tempfile().unwrap();
        let text = "# vtk DataFile Version 3.0\none\nASCII\nDATASET UNSTRUCTURED_GRID\n\
                    POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
        std::fs::write(file.path(), text).unwrap();
        for material in choices_of("material") {
            let params =
                ["unit=cm".to_owned(), "clamp=none".to_owned(), format!("material={material}")];
            let made = preview(file.path(), &params).unwrap_or_else(|why| panic!("{why}"));
            assert!(made.facts.contains(&"4 nodes, 1 elements".to_owned()), "{:?}", made.facts);
            assert!(made.facts.iter().any(|it| it.contains("0.0100 x")), "{:?}", made.facts);
            assert_eq!(made.snapshot.points.len(), 4);
        }
        let refused = preview(Path::new("/nowhere/a.vtk"), &[]).unwrap_err();
        assert!(refused.contains("/nowhere/a.vtk"), "{refused}");
    }
}
