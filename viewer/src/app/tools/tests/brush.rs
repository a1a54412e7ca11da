//! Faces that are painted with the brush, named, loaded, saved, opened again and undone.

use sinew::fem::{ElementKind, VolumeMesh, grid_mesh};
use sinew::material::MaterialSpec;
use sinew::model::{FemModel, SurfaceLoad};

use super::*;

/// A block of 0.4 m by 0.2 m by 0.3 m, of 8 by 2 by 6 cells, about the origin.
fn block() -> Model {
    let half = Vec3::new(0.2, 0.1, 0.15);
    let mesh = grid_mesh([8, 2, 6], ElementKind::Hex8, |x| x.component_mul(&half));
    let mut model = Model::new("block");
    let law = MaterialSpec::from_name("neohook").unwrap();
    model.add(FemModel::new("block", mesh.unwrap(), 1000.0, law));
    model.set_gravity(Vec3::zeros());
    model
}

fn mesh_of(model: &Model) -> VolumeMesh {
    model.iter::<FemModel>().next().expect("the block").1.mesh.clone()
}

/// A stroke along x on the side that is seen, at a height [m].
fn stroke(bench: &mut Bench, height: f64, keys: Modifiers) {
    bench.window.event(Event::ModifiersChanged(keys));
    bench.draw(Vec3::new(-0.18, -0.1, height), Vec3::new(0.18, -0.1, height));
    bench.window.event(Event::ModifiersChanged(Modifiers::NONE));
    bench.window.run_steps(2);
}

fn press(bench: &mut Bench, label: &str) {
    bench.window.get_by_label(label).click();
    bench.window.run_steps(3);
}

fn enter(bench: &mut Bench, label: &str, value: f64) {
    bench.window.get_by_label(label).set_value_accesskit(value);
    bench.window.run_steps(3);
}

/// A bench on the block with a brush that is thinner than a cell.
fn with_brush() -> Bench {
    let mut bench = Bench::on(block());
    bench.window.key_press(Key::B);
    bench.window.run_steps(3);
    enter(&mut bench, "radius of the brush", 8.0);
    bench
}

#[test]
fn painted_faces_carry_a_pressure_that_is_saved_and_undone() {
    let mut bench = with_brush();
    press(&mut bench, "Add load");
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains("no face is painted"));
    // Two rows of cells, of which Shift erases one again.
    stroke(&mut bench, 0.025, Modifiers::NONE);
    stroke(&mut bench, -0.025, Modifiers::NONE);
    assert!(bench.window.query_by_label("16 faces of block, 4.0000e-2 m²").is_some());
    let camera = bench.window.state().workspace.picture().view.camera.clone();
    stroke(&mut bench, -0.025, Modifiers::SHIFT);
    assert_eq!(bench.window.state().workspace.picture().view.camera, camera, "it is not turned");
    bench.window.get_by_label("8 faces of block, 2.0000e-2 m²");
    assert_eq!(bench.window.state().workspace.picture().view.options.marked.triangles.len(), 16);
    press(&mut bench, "Add load");
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains("the load is 0"));
    enter(&mut bench, "pressure of the load", 250.0);
    enter(&mut bench, "traction z of the load", 40.0);
    press(&mut bench, "Add load");
    bench.await_row("painted_load");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("block.toml");
    bench.model(&path);
    let file = sinew_model_files::load(&path, &LoadOptions::default()).unwrap();
    let (_, load) = file.model.iter::<SurfaceLoad>().next().expect("it is in the file");
    assert_eq!((load.surface.as_str(), load.pressure, load.traction.z), ("painted", 250.0, 40.0));
    let mesh = mesh_of(&file.model);
    let painted = &mesh.face_sets["painted"];
    assert_eq!(painted.len(), 8);
    // They lie on the side that is seen, in the row of cells above the middle.
    assert!(painted.iter().all(|face| mesh.face_sets["y_min"].contains(face)), "{painted:?}");
    scheduler(file.model).unwrap().run_until(0.02).unwrap();

    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    until(&mut bench.window, |app| !has_row(app, "painted_load"));
    let undone = bench.model(Path::new("block"));
    assert_eq!(mesh_of(&undone), mesh_of(&block()), "load and name are one edit");
}

#[test]
fn the_brush_goes_on_with_faces_that_have_a_name() {
    let mut bench = with_brush();
    press(&mut bench, "Named faces");
    press(&mut bench, "z_max of block");
    bench.window.get_by_label("16 faces of block, 8.0000e-2 m²");
}

#[test]
fn a_body_is_not_painted_and_the_window_says_what_it_takes() {
    let mut bench = Bench::on(bench());
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.take("Brush");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains("frame_load"));
}
