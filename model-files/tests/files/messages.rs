//! Mistakes of every sort that a model file can have: one message each, at its line and column, that says what to do.

use crate::{errors, errors_of, folder};

/// Checks that each text, behind a head, has the one error that is given with it.
pub(super) fn assert_each(head: &str, mistakes: &[(&str, &str)]) {
    let wrong: Vec<String> = mistakes
        .iter()
        .filter_map(|(text, wanted)| {
            let errors = errors_of(&format!("version = 1\n{head}{text}\n"));
            let is_it = matches!(&errors[..], [one] if one.starts_with(wanted));
            (!is_it).then(|| format!("{text}\n  wanted {wanted}\n  got    {errors:#?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), mistakes.len(), wrong.join("\n"));
}

const BODY: &str = "[[rigid_body]]\nname = \"ulna\"\n";

#[test]
fn bodies() {
    let moments = "inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
    assert_each(
        BODY,
        &[
            ("shape = 3", "4:9 a shape is a table such as { sphere = 0.02 }, not 3"),
            ("shape = { cube = 1.0 }", "4:9 a shape is one of box, sphere, cylinder, capsule"),
            ("shape = { sphere = 1.0, collide = 1 }", "4:35 'collide' is true or false, not 1"),
            ("shape = { sphere = 0 }", "4:20 a sphere has one radius, each above 0"),
            ("shape = { box = [1, 1] }", "4:17 a box has three edges [x, y, z], each above 0"),
            (
                "shape = { capsule = [1, 0] }",
                "4:21 a capsule has a radius and a length, each above 0",
            ),
            (
                "shape = { sphere = 1, axis = [0, 0, 0] }",
                "4:30 an axis is [x, y, z], of a length above 0",
            ),
            ("shape = { sphere = 1, centre = 1 }", "4:32 the centre is a point [x, y, z]"),
            ("shape = { sphere = 1, facets = [8, 9] }", "4:32 facets is one whole number"),
            (
                "shape = { sphere = 1, facets = -1 }",
                "4:32 a whole number from 0 on is asked for, not -1",
            ),
            ("shape = { cylinder = [1, 1], facets = 4000000000 }", "4:22 "),
            ("shape = { sphere = 1, cells = 3 }", "4:23 'cells' does not go with 'sphere'"),
            (
                "shape = { sphere = 1 }\nmesh = \"a.obj\"",
                "5:8 'mesh' does not go with 'shape', which tells it",
            ),
            (
                "shape = { sphere = 1 }\nmass = 1\ndensity = 2",
                "6:11 give 'mass' or 'density', not both",
            ),
            ("shape = { sphere = 1 }\nmass = -2", "5:8 mass must be > 0, got -2"),
            (
                "mass = 1\ninertia_method = \"guess\"",
                "5:18 inertia_method is density, mass or explicit",
            ),
            ("mass = 1\ninertia_method = \"explicit\"", "2:1 the body needs its 'inertia'"),
            ("mass = [1, 2]", "4:8 mass is 1 number"),
            (&format!("{moments}mass = -1"), "5:8 mass must be > 0, got -1"),
            (moments, "2:1 the body needs a 'mass'"),
            ("mass = 1\ninertia = [1, 2, 3]", "5:11 inertia is 9 numbers"),
            ("mass = 1\ncenter_of_mass = [1, 2]", "5:18 center_of_mass is 3 numbers"),
            ("mesh = 3", "4:8 a mesh is a file or a table, not 3"),
            (
                "mesh = { vertices = [[0, 0, 0]] }",
                "4:8 a mesh needs a 'file', a 'box', 'sphere' or 'cylinder', or 'triangles'",
            ),
            (
                "mesh = { vertices = [[0, 0, 0]], triangles = [0, 1] }",
                "4:8 a triangle has three corners",
            ),
            ("mesh = { vertices = [[0, 0, 0]], triangles = [0, 1, 2] }", "4:8 "),
            (
                "mesh = { vertices = [[0, 0, 0]], triangles = [], unit = \"mm\" }",
                "4:50 a mesh without a 'file' or a solid has no 'unit'",
            ),
            (
                "mesh = { file = \"a.obj\", box = [1, 1, 1] }",
                "4:26 a mesh with a 'file' has no 'box'",
            ),
            (
                "mesh = { fil = \"a.obj\" }",
                "4:10 there is no key 'fil' in such a mesh / did you mean 'file'?",
            ),
        ],
    );
}

pub(super) const CUBE: &str = "[[fem_model]]\nname = \"cube\"\n";

#[test]
fn meshes_of_tissues() {
    let nodes = "nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    let mesh = |rest: &str| format!("[fem_model.mesh]\n{nodes}\n{rest}");
    let good = "elements = { tet4 = [0, 1, 2, 3] }\n";
    let cases = [
        (
            "elements = 3".to_owned(),
            "6:12 elements are lists of nodes by their kind, not 3 / elements = { tet4 = [..] }",
        ),
        (
            "elements = [[0, 1, 2, 3]]".to_owned(),
            "6:13 elements are lists of nodes by their kind, not a list of 4",
        ),
        (
            "elements = { tet5 = [0, 1, 2, 3] }".to_owned(),
            "6:14 there is no kind of element 'tet5' / did you mean 'tet4' or 'tet10'?",
        ),
        ("elements = { tet4 = [0, 1, 2] }".to_owned(), "6:21 each tet4 has 4 nodes"),
        (
            "elements = { tet4 = [0, 1, 2, -3] }".to_owned(),
            "6:31 a whole number from 0 on is asked for, not -3",
        ),
        ("elements = { tet4 = [0, 1, 2, 9] }".to_owned(), "6:21 "),
        (
            format!("{good}cells = [1, 1, 1]"),
            "7:1 a mesh without a 'file' or a solid has no 'cells'",
        ),
        (format!("{good}unit = \"mm\""), "7:1 a mesh without a 'file' or a solid has no 'unit'"),
        (format!("{good}node_sets = 3"), "7:13 'node_sets' is a table"),
        (
            format!("{good}node_sets = {{ a = [0, 7] }}"),
            "7:19 the mesh has no number 7: it has 4, from 0 on",
        ),
        (
            format!("{good}element_sets = {{ a = [0, 7] }}"),
            "7:22 the mesh has no number 7: it has 1, from 0 on",
        ),
        (
            format!("{good}face_sets = {{ a = [0, 9] }}"),
            "7:19 faces are pairs of the number of an element and that of its face",
        ),
        (
            format!("{good}triangle_sets = {{ a = [0, 1] }}"),
            "7:23 each triangle has three nodes from 0 to 3",
        ),
        (
            format!("{good}triangle_sets = {{ a = [0, 1, 9] }}"),
            "7:23 each triangle has three nodes from 0 to 3",
        ),
        (
            format!("{good}node_fields = {{ a = {{ components = 2, values = [1] }} }}"),
            "7:21 a field has 'components' and 4 times as many 'values'",
        ),
        (
            format!("{good}element_fields = {{ a = {{ values = [1] }} }}"),
            "7:24 a field has 'components' and 1 times as many 'values'",
        ),
    ];
    let cases: Vec<(String, &str)> =
        cases.into_iter().map(|(text, it)| (mesh(&text), it)).collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, it)| (text.as_str(), *it)).collect();
    assert_each(CUBE, &cases);
    assert_each(
        CUBE,
        &[
            ("", "2:1 it needs a 'mesh'"),
            ("mesh = { box = [1, 1, 1] }", "4:8 'cells' is missing: 3 numbers, along x, y and z"),
            (
                "mesh = { box = [1, 1, 1], cells = [1, 0, 1] }",
                "4:35 cells is 3 whole numbers from 1 on, along x, y and z",
            ),
            (
                "mesh = { sphere = 1, cells = 1000 }",
                "4:30 a grid has 1000000 cells at most: keep finer meshes in files",
            ),
            (
                "mesh = { sphere = 1, cells = [4, 4] }",
                "4:30 cells is 1 whole numbers from 1 on, across",
            ),
            (
                "mesh = { cylinder = [1, 1], cells = 3 }",
                "4:37 cells is 2 whole numbers from 1 on, across and along",
            ),
            (
                "mesh = { capsule = [1, 1], cells = 3 }",
                "4:10 there is no key 'capsule' in such a mesh",
            ),
            (
                "mesh = { box = [1, 1, 1], cells = [1, 1, 1], element = \"hex9\" }",
                "4:56 a grid has no elements of kind 'hex9' / did you mean 'hex8' or 'hex20'?",
            ),
            (
                "mesh = { box = [1, 1, 1], cells = [1, 1, 1], element = \"pyramid5\" }",
                "4:56 a grid has no elements of kind 'pyramid5'",
            ),
            (
                "mesh = { file = \"model.toml\", fill = -1 }",
                "4:38 'fill' is the size of elements, one number above 0",
            ),
            (
                "mesh = { file = \"model.toml\", name = \"b\", fill = 1 }",
                "4:50 a mesh of a collection is not filled: name a file of a surface",
            ),
        ],
    );
}

#[test]
fn selections() {
    let cube =
        format!("{CUBE}mesh = {{ box = [1, 1, 1], cells = [1, 1, 1] }}\n[[fem_model.support]]\n");
    assert_each(
        &cube,
        &[
            ("nodes = \"lid\"", "6:9 the mesh has no set of nodes 'lid'"),
            (
                "nodes = {}",
                "6:9 a selection needs 'set', 'material', 'box', 'where', 'near' or 'surface'",
            ),
            (
                "nodes = { of = \"fem_models/cube\", surface = true }",
                "6:16 which tissue is meant is told already: leave out 'of'",
            ),
            ("nodes = { boxx = 3 }", "6:11 a selection has no 'boxx' / did you mean 'box'?"),
            ("nodes = { set = 3 }", "6:17 the name of a set is expected, not 3"),
            ("nodes = { material = true }", "6:22 the number of a material is expected, not true"),
            ("nodes = { material = 7 }", "6:22 the mesh has no set of nodes 'material_7'"),
            ("nodes = { surface = 1 }", "6:21 true or false is expected, not 1"),
            (
                "nodes = { box = [0, 1] }",
                "6:17 [[x, y, z], [x, y, z]] is expected, not a list of 2",
            ),
            (
                "nodes = { box = [[8, 8, 8], [9, 9, 9]] }",
                "6:9 this selects none of the 8 nodes / in the unit of the file they lie from [-0.5, -0.5, -0.5] to [0.5, 0.5, 0.5]",
            ),
            ("nodes = { where = 3 }", "6:19 a condition in quotes is expected, not 3"),
            ("nodes = { where = \"z <\" }", "6:19 "),
            ("nodes = { where = \"w < 0\" }", "6:19 "),
            ("nodes = { within = 1 }", "6:20 'within' is a distance from 'near', which is missing"),
            (
                "nodes = { near = [0, 0] }",
                "6:18 a path, or a point [x, y, z] is expected, not a list of 2",
            ),
            (
                "nodes = { near = \"fem_models/cube\" }",
                "6:18 'within' beside it, a distance is expected, not 'fem_models/cube'",
            ),
            (
                "nodes = { near = [0, 0, 0], within = -1 }",
                "6:38 a distance >= 0 is expected, not -1",
            ),
            ("nodes = { near = \"fem_models/cub\", within = 1 }", "6:18 path 'fem_models/cub'"),
            ("nodes = [0, 99]", "6:9 "),
            (
                "nodes = [0, 1.5]",
                "6:9 /models/model/fem_models/cube/supports/0:nodes cannot be '0 1.5': it must be whole numbers from 0 on",
            ),
            ("nodes = { set = \"left\", near = \".\", within = 1 }", "6:"),
        ],
    );
    let loaded = format!("{cube}nodes = [0]\n[[point_load]]\nforce = [0, 0, 1]\n");
    assert_each(
        &loaded,
        &[
            ("targets = 3", "9:11 'targets' is a selection such as { of = .., set = .. }, not 3"),
            (
                "targets = { surface = true }",
                "9:11 a selection with 'of', the path of a tissue, is expected, not a table",
            ),
            (
                "targets = { of = 3, surface = true }",
                "9:18 the path of a tissue is expected, not 3",
            ),
            (
                "targets = { of = \".\", surface = true }",
                "9:18 the path of a tissue is expected, not '.'",
            ),
            (
                "target = \"fem_models/cube/nodes/0\"\ntargets = { of = \"fem_models/cube\", surface = true }",
                "9:10 give 'target' or 'targets', not both",
            ),
        ],
    );
}

#[test]
fn components_and_values() {
    assert_each(
        "",
        &[
            (
                "particle = 3",
                "2:12 'particle' is a list of tables, not 3 / each begins with [[particle]]",
            ),
            ("particle = [3]", "2:13 'particle' is a table, not 3"),
            ("[[particle]]\nname = 3", "3:8 'name' is a text, not 3"),
            (
                "[[particle]]\nnumber = -1",
                "3:10 a number among siblings is a whole number from 0 on",
            ),
            ("[[particle]]\nmass = \"much\"", "3:8 mass is a number, not 'much'"),
            (
                "[[particle]]\nposition = [1, 2]",
                "3:12 position is three numbers [x, y, z], not a list of 2",
            ),
            ("[[render_mesh]]\nname = \"r\"", "2:1 it needs a 'mesh'"),
            (
                "[lists.particls]\nrender = {}",
                "2:8 a model has no list 'particls' / did you mean 'particles'?",
            ),
            (
                "[[particle]]\ndeclared = { age = 3 }",
                "3:20 'age' is a table, not 3 / it has a 'type'",
            ),
            (
                "[[particle]]\ndeclared = { age = { unit = \"m\" } }",
                "3:14 the declared property 'age' needs a 'type'",
            ),
            (
                "[[particle]]\ndeclared = { age = { type = \"number\", valeu = 3 } }",
                "3:39 a declared property has no 'valeu' / did you mean 'value'?",
            ),
            ("[[particle]]\ndeclared = { age = { type = 3 } }", "3:29 'type' is a text, not 3"),
            ("[[particle]]\ndeclared = { age = { type = \"nmber\" } }", "3:14 "),
            (
                "[[particle]]\ndeclared = { age = { type = \"number\", value = \"old\" } }",
                "3:47 value is a number, not 'old'",
            ),
            (
                "[[particle]]\n[[axial_spring]]\nfirst = 3\nsecond = \"particles/0\"",
                "4:9 first is a path, not 3",
            ),
            ("[[reference_list]]\nmembers = [3]", "3:12 members is a path, not 3"),
        ],
    );
    assert_each(
        &format!("{BODY}shape = {{ sphere = 1 }}\n"),
        &[
            ("pose = { place = [0, 0, 0] }", "5:10 a pose has no 'place'"),
            ("pose = { position = [0, 0] }", "5:21 position is 3 numbers"),
            (
                "pose = { axis = [0, 0, 1] }",
                "5:8 a pose turns by a quaternion, or by an axis and an angle",
            ),
            ("pose = { axis = [0, 0, 0], angle = 1 }", "5:8 an axis has a length above 0"),
            (
                "pose = { quaternion = [0, 0, 0, 0] }",
                "5:8 a quaternion i j k w has a length above 0",
            ),
            (
                "[[joint]]\nbody_c = \"rigid_bodies/ulna\"\nposition = [1, 2]",
                "7:12 the position of a joint is [x, y, z], not a list of 2",
            ),
            (
                "[[joint]]\nbody_c = \"rigid_bodies/ulna\"\naxis = [0, 0, 0]",
                "7:8 an axis has a length above 0",
            ),
            (
                "[[joint]]\nbody_c = \"rigid_bodies/ulna\"\naxis = [0, 0, 1]\nframe_c = { position = [0, 0, 0] }",
                "8:11 give 'position' and 'axis', or 'frame_c', not both",
            ),
        ],
    );
}

#[test]
fn sections() {
    assert_each(
        "",
        &[
            ("parameters = 3", "2:14 parameters are a table of defaults"),
            ("[parameters]\n\"a-b\" = 3", "3:1 names of parameters are letters, digits and '_'"),
            ("name = \"${\"", "2:8 '${' is not closed; '$${' stands for it as text"),
            (
                "name = \"a${b}\"\n[parameters]\nbb = 3",
                "2:8 there is no parameter 'b' / did you mean 'bb'?",
            ),
            (
                "name = \"a${b}\"\n[parameters]\nb = [3]",
                "2:8 parameter 'b' is a list of 1, no part of a text",
            ),
            (
                "[solver]\nsolver = \"jacobi\"",
                "3:10 'jacobi' is not one of the words for this / did you mean 'conjugate_gradients'?",
            ),
            ("gravity = [0, 0, nan]", "2:18 a number is asked for, and nan is none"),
            ("solver = 3", "2:10 a table is asked for, not 3"),
            ("[solver]\nstep = true", "3:8 a number is asked for, not true"),
            (
                "[solver]\nincrements = -1\nintegrator = \"static\"",
                "3:14 a whole number from 0 on is asked for, not -1",
            ),
            (
                "[solver]\nincrements = 0\nintegrator = \"static\"",
                "3:14 increments must be 1 or more",
            ),
            ("[solver]\nincrements = 3", "3:14 increments goes with the integrator static"),
            (
                "[solver]\ntolerance = 2.0\nintegrator = \"radau\"",
                "3:13 tolerance must be positive and less than 1",
            ),
            (
                "[solver]\ntolerance = 0.1",
                "3:13 tolerance goes with the integrators of variable step",
            ),
            (
                "[solver]\nnewton = true\nintegrator = \"midpoint\"",
                "3:10 newton goes with the integrators backward_euler and trapezoidal",
            ),
            (
                "[solver]\nnewton_tolerance = 0.1",
                "3:20 newton_tolerance goes with newton and with the integrators midpoint and static",
            ),
            ("[solver]\nnewton = 1", "3:10 true or false is asked for, not 1"),
            ("[inverse]\nkp = 3.0", "3:6 kp goes with kd: give both"),
            ("[inverse]\nkd = 3.0", "3:6 kd goes with kp: give both"),
            (
                "[inverse]\nkd = 3.0\nkp = 3.0\nchase_time = 1.0",
                "4:6 kp takes the place of chase_time: give one of them",
            ),
            ("[inverse]\niterations = 0", "3:14 iterations must be 1 or more"),
            ("[inverse]\nexcite = 3", "3:10 a list is asked for, not 3"),
            ("[[include]]\nname = \"a\"", "2:1 an include needs a 'file'"),
            ("[[include]]\nfile = 3", "3:8 the path of a file is asked for"),
            (
                "[[include]]\nfile = \"a.toml\"\nplacment = 3",
                "4:1 an include has no 'placment' / did you mean 'placement'?",
            ),
            ("[[include]]\nfile = \"model.toml\"", "3:8 "),
            (
                "[[panels]]\nitems = [{ property = \":gravity\", low = 1, high = 0 }]",
                "2:1 a slider from 1 to 0 has no way to go",
            ),
            ("[[panels]]\nitems = [{ property = 3 }]", "3:23 a text is asked for, not 3"),
        ],
    );
}

#[test]
fn included_files() {
    for (inner, place, wanted) in [
        ("version = 1\n[root]\n", "2:2", "a file with a [root] cannot be included"),
        ("version = 1\n[[particle]]\nmas = 1\n", "3:1", "there is no key 'mas' in a Particle"),
        ("version = 1\n[[include]]\nfile = \"model.toml\"\n", "3:8", "model.toml includes itself"),
        ("version = 2\n", "1:11", "the file has version 2, and this program reads 1"),
    ] {
        let outer = "version = 1\n[[include]]\nfile = \"inner.toml\"\n";
        let folder = folder(&[("model.toml", outer), ("inner.toml", inner)]);
        let options = sinew_model_files::LoadOptions::default();
        let report = sinew_model_files::check(&folder.path().join("model.toml"), &options);
        assert_eq!(errors(&report).len(), 1, "{:?}", errors(&report));
        let text = report.render(false);
        let place = format!("inner.toml:{place} ]");
        assert!(text.contains(&place) && text.contains(wanted), "{text}");
    }
}
