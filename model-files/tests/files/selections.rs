//! Nodes and elements by what they are, in place of their numbers.

use sinew::model::{
    Attachment, BodyLoad, FemModel, Model, MuscleBundle, PointLoad, PointRef, Shell, SurfaceLoad,
};

use crate::{errors_of, folder, loaded, read};

/// A bar of 4 x 2 x 2 cells, 40 mm long from x = 0 on, in a file in millimetres, with a body beside it.
const BAR: &str = r#"version = 1
[units]
length = "mm"
[[rigid_body]]
name = "bone"
mass = 1.0
mesh = { box = [10, 20, 20] }
pose = { position = [-5, 0, 0] }
[[fem_model]]
name = "bar"
mesh = { box = [40, 20, 20], cells = [4, 2, 2], centre = [20, 0, 0] }
density = 1e-6
"#;

fn model_of(more: &str) -> Model {
    read(&format!("{BAR}{more}")).unwrap_or_else(|report| panic!("{}", report.render(false))).model
}

fn fem(model: &Model) -> &FemModel {
    model.fems().next().unwrap().1
}

/// Nodes of the bar's only support.
fn supported(nodes: &str) -> Vec<u32> {
    let model = model_of(&format!("[[fem_model.support]]\nnodes = {nodes}\n"));
    fem(&model).dirichlet[0].nodes.clone()
}

/// Nodes of the bar where `holds`, at x, y, z in millimetres.
fn nodes_where(holds: impl Fn([f64; 3]) -> bool) -> Vec<u32> {
    let model = model_of("");
    let mm = |p: &sinew::Vec3| [p.x, p.y, p.z].map(|x| (1e3 * x).round());
    let nodes = fem(&model).mesh.nodes.iter().enumerate();
    nodes.filter(|(_, p)| holds(mm(p))).map(|(k, _)| k as u32).collect()
}

#[test]
fn nodes_are_selected_by_set_box_condition_and_distance() {
    let end = nodes_where(|[x, ..]| x == 0.0);
    assert_eq!(end.len(), 9);
    for selection in [
        "\"x_min\"",
        "{ set = \"x_min\" }",
        "{ box = [[-1, -10, -10], [0, 10, 10]] }",
        "{ box = [[0, 10, 10], [0, -10, -10]] }",
        "{ where = \"x < 1\" }",
        "{ where = \"x < 11\", set = \"x_min\" }",
        "{ near = \"rigid_bodies/bone\", within = 0 }",
        "{ near = \"rigid_bodies/bone\", within = 9.9 }",
        "[{ where = \"x < 1 and y > 1\" }, { where = \"x < 1 and y < 1\" }]",
    ] {
        assert_eq!(supported(selection), end, "{selection}");
    }
    let two = nodes_where(|[x, ..]| x <= 10.0);
    assert_eq!(supported("{ near = \"rigid_bodies/bone\", within = 10 }"), two);
    let pillar = nodes_where(|[_, y, z]| y * y + z * z < 50.0);
    assert_eq!(supported("{ where = \"y^2 + z^2 < 50\" }"), pillar);
    let corner = nodes_where(|p| p == [40.0, 10.0, -10.0]);
    assert_eq!(supported("{ near = [41, 11, -9] }"), corner);
    let within = nodes_where(|[x, y, z]| (x - 41.0).hypot(y - 10.0).hypot(z + 10.0) < 10.2);
    assert_eq!(supported("{ near = [41, 10, -10], within = 10.2 }"), within);
    let mut inside = supported("{ surface = true }");
    inside.sort_unstable();
    assert_eq!(inside, nodes_where(|[x, y, z]| x % 40.0 == 0.0 || y != 0.0 || z != 0.0));
    let mixed = supported("[\"x_max\", 7, { set = \"x_min\" }]");
    assert_eq!(mixed, [end, vec![7], nodes_where(|[x, ..]| x == 40.0)].concat().sorted());
}

trait Sorted {
    fn sorted(self) -> Self;
}

impl Sorted for Vec<u32> {
    fn sorted(mut self) -> Self {
        self.sort_unstable();
        self.dedup();
        self
    }
}

#[test]
fn elements_are_selected_by_their_middle() {
    let model = model_of(
        "[[fem_model.region]]\nelements = { where = \"x < 20\" }\nmaterial = \"neohook\"\n\
         [[muscle_bundle]]\ntissue = \"fem_models/bar\"\nelements = { box = [[30, 0, 0], [40, 10, 10]] }\n",
    );
    assert_eq!(fem(&model).regions[0].elements, [0, 1, 4, 5, 8, 9, 12, 13]);
    let (_, bundle) = model.iter::<MuscleBundle>().next().unwrap();
    assert_eq!(bundle.elements, [15]);
}

#[test]
fn materials_and_sets_of_elements_stand_for_their_nodes() {
    let mesh = r#"{ nodes = [[0,0,0], [1,0,0], [0,1,0], [0,0,1], [1,1,1]],
        elements = { tet4 = [[0, 1, 2, 3], [1, 2, 3, 4]] },
        element_sets = { material_2 = [1], lower = [0] } }"#;
    let nodes = |selection: &str| {
        let text = format!(
            "version = 1\n[[fem_model]]\nmesh = {mesh}\n[[fem_model.support]]\nnodes = {selection}\n"
        );
        let file = read(&text).unwrap_or_else(|report| panic!("{}", report.render(false)));
        fem(&file.model).dirichlet[0].nodes.clone()
    };
    assert_eq!(nodes("{ material = 2 }"), [1, 2, 3, 4]);
    assert_eq!(nodes("{ material = \"2\", set = \"lower\" }"), [1, 2, 3]);
}

#[test]
fn points_of_attachments_and_loads_are_selected() {
    let model = model_of(
        "[[particle]]\nname = \"p\"\n[[attachment]]\nmaster = \"rigid_bodies/bone\"\n\
         points = [\"particles/p\", { of = \"fem_models/bar\", near = \"rigid_bodies/bone\", within = 0.1 }]\n\
         [[point_load]]\nname = \"push\"\nforce = [0, 0, -18]\ntargets = { of = \"fem_models/bar\", set = \"x_max\" }\n",
    );
    let (_, attachment) = model.iter::<Attachment>().next().unwrap();
    assert_eq!(attachment.points.len(), 10);
    let loads: Vec<&PointLoad> = model.iter::<PointLoad>().map(|(_, load)| load).collect();
    let end = nodes_where(|[x, ..]| x == 40.0);
    assert_eq!(loads.len(), end.len());
    let mut total = sinew::Vec3::zeros();
    for (k, (load, node)) in loads.iter().zip(&end).enumerate() {
        let name = if k == 0 { "push".to_owned() } else { format!("push_{k}") };
        assert_eq!(load.name, name);
        assert!(matches!(load.target, PointRef::FemNode(_, at) if at == *node), "{load:?}");
        total += load.force;
    }
    // 18 kg mm/s² are 0.018 N.
    assert!((total - sinew::Vec3::new(0.0, 0.0, -0.018)).norm() < 1e-17, "{total}");
}

#[test]
fn surfaces_of_loads_and_shells_and_weights_are_selected() {
    let model = model_of(
        "[[surface_load]]\nname = \"push\"\ntarget = \"fem_models/bar\"\nsurface = { where = \"x > 39\" }\n\
         pressure = 1000.0\n\
         [[surface_load]]\ntarget = \"fem_models/bar\"\nsurface = { box = [[40, 10, 10], [40, -10, -10]] }\n\
         [[shell]]\ntissue = \"fem_models/bar\"\nsurface = [{ where = \"x < 1\" }, { where = \"y > 9\" }]\n\
         clamped = { where = \"x < 1 and y > 9\" }\n\
         [[body_load]]\ntarget = \"fem_models/bar\"\nacceleration = [0, 0, 1]\nweights = { where = \"x < 11\" }\n",
    );
    let mesh = &fem(&model).mesh;
    let faces = |name: &str| {
        let mut faces = mesh.face_sets[name].clone();
        faces.sort();
        faces
    };
    for (_, load) in model.iter::<SurfaceLoad>() {
        assert_eq!(load.surface, "selection_0");
        assert_eq!(faces(&load.surface), faces("x_max"));
    }
    let (_, shell) = model.iter::<Shell>().next().unwrap();
    let mut both = [faces("x_min"), faces("y_max")].concat();
    both.sort();
    assert_eq!(faces(&shell.surface), both);
    let edge = nodes_where(|[x, y, _]| x == 0.0 && y == 10.0);
    assert_eq!(mesh.node_sets[&shell.clamped], edge);
    let (_, load) = model.iter::<BodyLoad>().next().unwrap();
    let half = nodes_where(|[x, ..]| x <= 10.0);
    let expected = |k: u32| f64::from(u8::from(half.contains(&k)));
    assert_eq!(load.weights, (0..45).map(expected).collect::<Vec<_>>());
}

#[test]
fn a_selection_without_faces_is_no_surface() {
    for (surface, what) in [
        ("{ where = \"x > 39 and y > 9\" }", "no face of the surface has all of its nodes"),
        ("{ were = 1 }", "did you mean 'where'"),
        ("3", "surface is a text, not"),
    ] {
        let load = "[[surface_load]]\ntarget = \"fem_models/bar\"\nsurface =";
        let errors = errors_of(&format!("{BAR}{load} {surface}\n"));
        assert!(errors.iter().any(|error| error.contains(what)), "{surface}: {errors:?}");
    }
}

#[test]
fn a_field_of_a_constant_that_no_law_has_is_noted() {
    let warned = |law: &str| {
        let text =
            format!("{BAR}material = \"{law}\"\nfield = {{ c10 = \"1e3\", density = \"1e-6\" }}\n");
        let file = read(&text).unwrap_or_else(|report| panic!("{}", report.render(false)));
        let told = file.report.diagnostics().iter().map(|it| it.message.clone());
        told.filter(|message| message.contains("the field does nothing")).collect::<Vec<_>>()
    };
    assert_eq!(warned("mr"), [""; 0]);
    assert_eq!(warned("neohook"), ["no law of the tissue has 'c10': the field does nothing"]);
}

#[test]
fn what_a_selection_means_is_what_is_saved() {
    let text = format!(
        "{BAR}[[fem_model.support]]\nnodes = {{ where = \"x < 11 and y > 1\" }}\n\
         [[attachment]]\nmaster = \"rigid_bodies/bone\"\npoints = {{ of = \"fem_models/bar\", where = \"x < 1 and y < 1\" }}\n"
    );
    let folder = folder(&[("model.toml", &text)]);
    let first = loaded(&folder.path().join("model.toml")).model;
    let saved = folder.path().join("saved.toml");
    sinew_model_files::save(&first, &saved, &sinew_model_files::SaveOptions::default()).unwrap();
    let second = loaded(&saved).model;
    let [first, second] = [first, second].map(|model| serde_json::to_string(&model).unwrap());
    assert_eq!(first, second);
}

#[test]
fn what_is_wrong_with_a_selection_is_told_at_its_place() {
    for (nodes, what) in [
        (
            "{ where = \"x < -1\" }",
            "this selects none of the 45 nodes / in the unit of the file they lie from [0, -10, -10] to [40, 10, 10]",
        ),
        ("{ where = \"0 < x < 1\" }", "joined by 'and'"),
        ("{ were = \"x < 1\" }", "a selection has no 'were' / did you mean 'where'"),
        ("{ set = \"x_mn\" }", "the mesh has no set of nodes 'x_mn' / did you mean 'x_min'"),
        ("{ material = 3 }", "no set of nodes 'material_3'"),
        ("{ near = \"rigid_bodies/bone\" }", "'within' beside it"),
        ("{ near = \"rigid_bodies/bon\", within = 1 }", "rigid_bodies/bon"),
        ("{ within = 3, set = \"x_min\" }", "'near', which is missing"),
        ("{ box = [1, 2, 3] }", "[[x, y, z], [x, y, z]] is expected"),
        ("{ of = \"fem_models/bar\", set = \"x_min\" }", "leave out 'of'"),
        ("{}", "a selection needs"),
        ("[\"x_min\", \"y_mix\"]", "no set of nodes 'y_mix' / did you mean"),
    ] {
        let errors = errors_of(&format!("{BAR}[[fem_model.support]]\nnodes = {nodes}\n"));
        assert!(errors.len() == 1 && errors[0].contains(what), "{nodes}: {errors:?}");
        assert!(errors[0].starts_with("14:"), "{nodes}: {errors:?}");
    }
    for (targets, what) in [
        ("{ set = \"x_max\" }", "'of', the path of a tissue"),
        ("{ of = \"rigid_bodies/bone\", set = \"x_max\" }", "the path of a tissue is expected"),
        ("\"x_max\"", "'targets' is a selection"),
    ] {
        let errors =
            errors_of(&format!("{BAR}[[point_load]]\nforce = [0, 0, 1]\ntargets = {targets}\n"));
        assert!(errors.iter().any(|error| error.contains(what)), "{targets}: {errors:?}");
    }
}
