//! Mistakes in documents of other programs: each is refused, or told of, at its line, with what to do.

use sinew_model_files::Report;

use super::{errors, febio, folder, mjcf, osim};

/// Checks that each text is refused with what is given beside it.
fn assert_refused(read: impl Fn(&str) -> Option<Box<Report>>, cases: &[(String, &str)]) {
    let wrong = cases.iter().filter_map(|(text, wanted)| {
        let errors = read(text).map(|report| errors(&report)).unwrap_or_default();
        let has_place = errors.iter().all(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        let is_it = has_place && errors.len() == 1 && errors[0].contains(wanted);
        (!is_it).then(|| format!("wanted {wanted}\ngot    {errors:#?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn refusal_of(name: &str, text: &str) -> Option<Box<Report>> {
    let folder = folder(&[(name, text)]);
    sinew_model_files::load(&folder.path().join(name), &Default::default()).err()
}

#[test]
fn documents_of_febio_are_refused() {
    let of = |material: &str, boundary: &str, rest: &str| {
        febio::cube("STATIC", material, boundary, rest)
    };
    let plain = || of(febio::NEO_HOOKEAN, febio::ROLLERS, "");
    let loaded =
        |load: &str| of(febio::NEO_HOOKEAN, febio::ROLLERS, &format!("<Loads>{load}</Loads>"));
    let bound = |condition: &str| of(febio::NEO_HOOKEAN, condition, "");
    let lawful = |kind: &str, rest: &str| {
        let law = format!(
            "<material id=\"1\" name=\"m\" type=\"{kind}\"><density>1</density>{rest}</material>"
        );
        of(&law, febio::ROLLERS, "")
    };
    let moved = |motion: &str| febio::rigid(motion, "");
    let points = "<points><pt>0,0</pt><pt>1,1</pt></points>";
    let math = |formula: &str| {
        plain().replace("type=\"loadcurve\"", "type=\"math\"").replace(points, formula)
    };
    let fibred = |fibre: &str| {
        lawful(
            "trans iso Mooney-Rivlin",
            &format!(
                "<c1>1</c1><c2>0</c2><c3>1</c3><c4>1</c4><c5>1</c5><lam_max>1.1</lam_max><k>10</k>{fibre}"
            ),
        )
    };
    let cases = [
        (plain().replace("<pt>1,1</pt>", "<pt>1</pt>"), "is a time and a value, got '1'"),
        (plain().replace("<pt>1,1</pt>", "<pt>0,1</pt>"), "must rise, got 0"),
        (plain().replace(points, "<points/>"), "has no points"),
        (math(""), "has no <math>"),
        (math("<math>t +</math>"), "'t +': "),
        (math("<math>1/t</math>"), "'1/t' has no value at t = 0"),
        (plain().replace("STATIC", "EIGEN"), "an analysis is STATIC or DYNAMIC, got 'eigen'"),
        (
            plain().replace("version=\"4.0\"", "version=\"1.2\""),
            "documents <febio_spec> of version 2.0, 2.5, 3.0 and 4.0 are read",
        ),
        (plain().replace("<E>1000</E>", ""), "material 'm' has no <E>"),
        (bound("<bc type=\"zero displacement\"><x_dof>1</x_dof></bc>"), "names no node_set"),
        (
            bound("<bc type=\"prescribed displacement\" node_set=\"z1\"><value>1</value></bc>"),
            "names no dof",
        ),
        (
            bound("<bc type=\"prescribed displacement\" node_set=\"@surface:q\"><dof>z</dof></bc>"),
            "means '@surface:q', and no set of the mesh is called so",
        ),
        (loaded("<surface_load type=\"pressure\" surface=\"top\"/>"), "has no <pressure>"),
        (loaded("<surface_load type=\"traction\" surface=\"top\"/>"), "has no <traction>"),
        (
            loaded(
                "<surface_load type=\"traction\" surface=\"top\"><traction>1,2</traction></surface_load>",
            ),
            "<traction> must be three numbers, got '1,2' / maps and formulas",
        ),
        (loaded("<body_load type=\"body force\"/>"), "has no <force>"),
        (loaded("<nodal_load type=\"nodal_load\" node_set=\"z1\"/>"), "names no dof"),
        (
            lawful("coupled Mooney-Rivlin", "<c1>1</c1><c2>1</c2><k>10</k>"),
            "with a c2 other than 0 / take Mooney-Rivlin",
        ),
        (lawful("Mooney-Rivlin", "<c1>1</c1><c2>1</c2>"), "has no <k>"),
        (fibred("<fiber type=\"vector\">0,0,0</fiber>"), "fibres need a direction, got 0, 0, 0"),
        (
            fibred("<fiber type=\"cylindrical\"/>"),
            "fibres by 'cylindrical' are not read / give a vector, angles, or ElementData",
        ),
        (
            fibred("<mat_axis type=\"local\">1,2,3</mat_axis>"),
            "axes by 'local' are not read: give <a> and <d>",
        ),
        (
            fibred("<mat_axis type=\"vector\"><a>1,0,0</a><d>2,0,0</d></mat_axis>"),
            "<a> and <d> must have different directions",
        ),
        (
            moved("<rigid_bc type=\"rigid_fixed\"><rb>bone</rb><dofs>Rx,Rq</dofs></rigid_bc>"),
            "'Rq' of <rigid_bc> is none of Rx, Ry, Rz, Ru, Rv, Rw",
        ),
        (
            moved("<rigid_bc type=\"rigid_displacement\"><rb>bone</rb><dof>z</dof></rigid_bc>"),
            "has no <value>",
        ),
        (
            moved(
                "<rigid_load type=\"rigid_force\"><rb>bone</rb><dof>up</dof><value>1</value></rigid_load>",
            ),
            "'up' of <rigid_load>",
        ),
    ];
    assert_refused(|text| refusal_of("model.feb", text), &cases);
}

/// Checks that each text is read with a warning as it stands beside it.
fn assert_told(told: impl Fn(&str) -> Vec<String>, cases: &[(String, &str)]) {
    let wrong = cases.iter().filter_map(|(text, wanted)| {
        let told = told(text);
        let is_it = told.iter().any(|it| it.contains(wanted) && !it.starts_with('0'));
        (!is_it).then(|| format!("wanted {wanted}\ngot    {told:#?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn parts_of_documents_of_febio_that_are_not_read_are_told() {
    let of = |boundary: &str, rest: &str| febio::cube("STATIC", febio::NEO_HOOKEAN, boundary, rest);
    let plain = || of(febio::ROLLERS, "");
    let with = |condition: &str| of(&format!("{}\n{condition}", febio::ROLLERS), "");
    let loaded = |load: &str| of(febio::ROLLERS, &format!("<Loads>{load}</Loads>"));
    let curved = |word: &str| plain().replace("<interpolate>LINEAR</interpolate>", word);
    let cases = [
        (
            plain().replace("type=\"solid\"", "type=\"fluid\""),
            "of the module 'fluid' the solid alone is read",
        ),
        (
            curved("<interpolate>CUBIC SPLINE</interpolate>"),
            "goes by straight lines, not by 'cubic spline'",
        ),
        (
            curved("<extend>MIRROR</extend>"),
            "'mirror' is none of CONSTANT, EXTRAPOLATE, REPEAT, REPEAT OFFSET",
        ),
        (
            with("<bc type=\"fix\" node_set=\"z1\"><dofs>x,q</dofs></bc>"),
            "'q' of <bc> is not fixed: displacements alone are",
        ),
        (
            with("<bc type=\"prescribe\" node_set=\"z1\"><dof>q</dof></bc>"),
            "is not read: 'q' is none of x, y, z",
        ),
        (
            with("<bc type=\"rigid\" node_set=\"z1\"><rb>bone</rb></bc>"),
            "is not read: no solid is of the rigid body 'bone'",
        ),
        (
            loaded(
                "<surface_load type=\"pressure\" surface=\"side\"><pressure>1</pressure></surface_load>",
            ),
            "is not read: the surface 'side' has no faces of solids",
        ),
        (
            febio::rigid(
                "<rigid_bc type=\"rigid_fixed\"><rb>bone</rb><dofs>Rx,Ru</dofs></rigid_bc>",
                "",
            ),
            "is not read: of the six freedoms of a body all are fixed or displaced",
        ),
        (
            febio::rigid(
                "<rigid_load type=\"rigid_force\"><rb>bone</rb><dof>Rz</dof><value>1</value><load_type>FOLLOW</load_type></rigid_load>",
                "",
            ),
            "a load of type 'FOLLOW' acts in the axes of space",
        ),
    ];
    assert_told(|text| febio::told(&febio::good(text)), &cases);
}

/// Corners and faces of a mesh of MuJoCo.
const TETRAHEDRON: &str = "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 2 1 0 1 3 0 3 2 1 2 3\"";

#[test]
fn documents_of_mujoco_are_refused() {
    let ball = "<body name=\"a\"><joint name=\"j\"/><geom name=\"g\" size=\".1\"/><site name=\"s\"/><site name=\"e\" pos=\"0 0 1\"/></body>";
    let with = |rest: &str| mjcf::world(ball, rest);
    let body = |inner: &str| mjcf::world(&format!("<body name=\"a\"><joint/>{inner}</body>"), "");
    let geom = |geom: &str| body(&format!("<geom size=\".1\" {geom}/>"));
    let mesh = |mesh: &str| {
        let used = "<body><joint/><geom type=\"mesh\" mesh=\"m\"/></body>";
        mjcf::world(used, &format!("<asset><mesh name=\"m\" {mesh}/></asset>"))
    };
    let tendon =
        "<tendon><spatial name=\"t\"><site site=\"s\"/><site site=\"e\"/></spatial></tendon>";
    let muscle = |rest: &str| with(&format!("{tendon}<actuator>{rest}</actuator>"));
    let cases = [
        (with("<compiler angle=\"gon\"/>"), "angle must be degree or radian, got 'gon'"),
        (
            with("<compiler autolimits=\"maybe\"/>"),
            "autolimits of <compiler> must be true or false, got 'maybe'",
        ),
        (with("<default><default/></default>"), "a default inside another has no class: name it"),
        (
            with("<default><default class=\"b\"/><default class=\"b\"/></default>"),
            "default class 'b' is there twice",
        ),
        (with("<option gravity=\"0 0\"/>"), "gravity of <option> must be 3 numbers, got 2"),
        (with("<option timestep=\"1 2\"/>"), "timestep of <option> must be one number, got 2"),
        (
            "<mujocoinclude/>".to_owned(),
            "is no model of MuJoCo / this part is included by another file",
        ),
        ("<foo/>".to_owned(), "<foo> is no model of MuJoCo / it begins with <mujoco>"),
        (geom("type=\"box\""), "size of <geom> must be 3 positive numbers for a box"),
        (
            mesh(TETRAHEDRON).replace("type=\"mesh\"", "type=\"box\""),
            "a box fitted to a mesh is not read: <geom> has no solid / give it a size",
        ),
        (
            with(&tendon.replace("<spatial ", "<spatial stiffness=\"-1\" ")),
            "stiffness must be >= 0, got -1",
        ),
        (with("<include/>"), "<include> has no file"),
        (
            with("<equality><connect site1=\"q\" site2=\"s\"/></equality>"),
            "there is no site 'q' / known here: e, s",
        ),
        (with("<tendon><fixed name=\"f\"/></tendon>"), "has no joints"),
        (
            with(
                "<tendon><spatial name=\"t\"><site site=\"s\"/><geom geom=\"q\"/><site site=\"e\"/></spatial></tendon>",
            ),
            "there is no geom 'q' / known here: g",
        ),
        (geom("fluidcoef=\"1\" quat=\"0 0 0 0\""), "quat of <geom> has no length"),
        (geom("axisangle=\"0 0 0 1\""), "axisangle of <geom> has no length"),
        (geom("zaxis=\"0 0 0\""), "zaxis of <geom> has no length"),
        (geom("xyaxes=\"1 0 0 2 0 0\""), "xyaxes of <geom> has no length"),
        (geom("fromto=\"0 0 0 0 0 0\" type=\"capsule\""), "fromto of <geom> has no length"),
        (geom("pos=\"0 0 0 0\""), "pos of <geom> must be 3 numbers, got 4"),
        (mesh(""), "has neither a file nor vertices with faces"),
        (mesh("vertex=\"0 0 0 1\" face=\"0 1 2\""), "vertices and faces are three numbers each"),
        (mesh("vertex=\"0 0 0 1 0 0 0 1 0\" face=\"0 1 7\""), "there is no vertex 7"),
        (mesh("vertex=\"0 0 0 1 0 0 0 1 0\" face=\"0 1 0.5\""), "there is no vertex 0.5"),
        (mesh("file=\"no.stl\""), "no.stl is not there: No such file"),
        (muscle("<muscle tendon=\"t\" gear=\"0\"/>"), "must be > 0, got 0"),
        (
            muscle(
                "<general tendon=\"t\" gaintype=\"muscle\" biastype=\"muscle\" dyntype=\"user\" lengthrange=\"0.1 2\"/>",
            ),
            "dynamics 'user' is not read",
        ),
    ];
    assert_refused(|text| refusal_of("model.xml", text), &cases);
    // A binary mesh whose counts are not those of its length.
    for (bytes, wanted) in [
        (vec![1u8; 7], "no counts of vertices and faces at its begin"),
        (
            [3i32, 0, 0, 1].iter().flat_map(|n| n.to_le_bytes()).collect(),
            "its counts make 64 bytes, it has 16",
        ),
    ] {
        let text = mesh("file=\"m.msh\"");
        let folder = folder(&[("model.xml", text.as_str())]);
        std::fs::write(folder.path().join("m.msh"), bytes).unwrap();
        let report = sinew_model_files::load(&folder.path().join("model.xml"), &Default::default());
        let errors = errors(&report.err().unwrap());
        assert!(errors[0].starts_with("5:") && errors[0].contains("m.msh: "), "{errors:?}");
        assert!(errors[0].contains(wanted), "{errors:?}");
    }
}

#[test]
fn parts_of_documents_of_mujoco_that_are_not_read_are_told() {
    let ball = "<body name=\"a\"><joint name=\"j\"/><geom name=\"g\" size=\".1\"/><site name=\"s\"/><site name=\"e\" pos=\"0 0 1\"/></body>";
    let with = |rest: &str| mjcf::world(ball, rest);
    let tendon =
        "<tendon><spatial name=\"t\"><site site=\"s\"/><site site=\"e\"/></spatial></tendon>";
    let driven = |rest: &str| with(&format!("{tendon}\n<actuator>{rest}</actuator>"));
    let cases = [
        (
            with(
                "<tendon>\n<spatial name=\"t\"><site site=\"s\"/><pulley divisor=\"2\"/><site site=\"e\"/></spatial></tendon>",
            ),
            "6: tendon 't' has pulleys, which are not read: nothing pulls along it",
        ),
        (
            driven("<motor name=\"m\" tendon=\"t\" gear=\"1\"/>"),
            "motor 'm' is not read: along a tendon there are muscles, and motors that pull",
        ),
        (
            with(
                &tendon.replace("<spatial ", "<spatial stiffness=\"1\" springlength=\"0.1 0.2\" "),
            ),
            "is slack from 0.1 to 0.2 m: here below 0.2 m, it does not push",
        ),
    ];
    let cases: Vec<(String, &str)> = cases.into_iter().chain([
        (
            with("<equality><weld body1=\"a\" body2=\"a\"/></equality>"),
            "holds a body to itself",
        ),
        (
            driven("<muscle name=\"m\" tendon=\"t\" tausmooth=\"0.1\" lengthrange=\"0.1 2\" force=\"10\"/>"),
            "muscle 'm': smoothing of its time constants is not here: they change at once",
        ),
        (
            with("<tendon><fixed name=\"f\" stiffness=\"1\" springlength=\"0.1 0.2\"><joint joint=\"j\" coef=\"1\"/></fixed></tendon>"),
            "tendon 'f' is slack nowhere here",
        ),
    ]).collect();
    assert_told(|text| mjcf::told(&mjcf::good(text)), &cases);
}

#[test]
fn documents_of_opensim_are_refused() {
    let pin = |rest: &str| osim::joint("PinJoint", "hip", ["/ground", "/bodyset/thigh"], rest);
    let one = |joints: &str| osim::document(&osim::body("thigh"), joints, "");
    let listed = |inner: &str| one(&pin(&format!("<coordinates>{inner}</coordinates>")));
    let custom = |function: &str| {
        let axis = osim::axis("rotation1", "knee", "0 0 1", function);
        let coordinates = osim::coordinate("knee", 0.0, "");
        let rest = format!(
            "<coordinates>{coordinates}</coordinates><SpatialTransform>{axis}</SpatialTransform>"
        );
        one(&osim::joint("CustomJoint", "hip", ["ground", "thigh"], &rest))
    };
    let force =
        |force: &str| osim::forced(&format!("<ForceSet><objects>{force}</objects></ForceSet>"));
    let nested = |depth: usize| {
        let (open, close) = ("<MultiplierFunction><function>", "</function></MultiplierFunction>");
        format!("{}<Constant/>{}", open.repeat(depth), close.repeat(depth))
    };
    let of_many = |names: &[&str], axis: &str| {
        let coordinates: String = names.iter().map(|it| osim::coordinate(it, 0.0, "")).collect();
        let rest = format!(
            "<coordinates>{coordinates}</coordinates><SpatialTransform>{axis}</SpatialTransform>"
        );
        one(&osim::joint("CustomJoint", "hip", ["ground", "thigh"], &rest))
    };
    let straight = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>";
    let spline = "<SimmSpline><x>0 1</x><y>0 1</y></SimmSpline>";
    let routed = |point: &str| {
        osim::forced(&osim::muscle("Thelen2003Muscle", &(point.to_owned() + &osim::points()), ""))
    };
    let constrained = |inner: &str| {
        osim::forced(&format!("<ConstraintSet><objects>{inner}</objects></ConstraintSet>"))
    };
    let ends = "<socket_body1>/ground</socket_body1><socket_body2>/ground</socket_body2>";
    let cases = [
        (
            one(&pin("")).replace("<Model name", "<Tool name").replace("</Model>", "</Tool>"),
            "the document has no <Model>: tools and data of OpenSim are not read",
        ),
        (osim::document(&osim::body(""), "", ""), "a body has no name: give it one"),
        (
            one(&pin("")).replace("0.02 0.01 0.02 0.001 0 0", "0.02 0.01"),
            "<inertia> of body 'thigh' must be six numbers, got 2",
        ),
        (
            one(&pin("")).replace("<mass>2<", "<mass>2 3<"),
            "<mass> of Body 'thigh' must be one number, got 2",
        ),
        (
            one(&pin("")).replace("<socket_child_frame>/bodyset/thigh</socket_child_frame>", ""),
            "has no <socket_child_frame>",
        ),
        (
            listed(&(osim::coordinate("a", 0.0, "") + &osim::coordinate("b", 0.0, ""))),
            "has 2 coordinates, its class has 1",
        ),
        (listed(&osim::coordinate("a", 0.0, "<range>1 0</range>")), "must be two rising numbers"),
        (
            listed(&osim::coordinate("a", 0.0, "<locked>maybe</locked>")),
            "<locked> of Coordinate 'a' must be true or false, got 'maybe'",
        ),
        (
            one(&osim::joint("CustomJoint", "hip", ["ground", "thigh"], "")),
            "has no <SpatialTransform>",
        ),
        (
            custom("<LinearFunction><coefficients></coefficients></LinearFunction>"),
            "it has no coefficients",
        ),
        (custom("<PolynomialFunction/>"), "it has no coefficients"),
        (
            custom("<PiecewiseLinearFunction><x>1 0</x><y>0 1</y></PiecewiseLinearFunction>"),
            "its x must rise, one at least",
        ),
        (
            custom("<StepFunction><start_time>1</start_time><end_time>0</end_time></StepFunction>"),
            "<end_time> must be after <start_time>",
        ),
        (custom("<MagicFunction/>"), "function <MagicFunction> is not known / known here"),
        (custom(&nested(20)), "functions in each other"),
        (custom("<SimmSpline><x>0</x><y>0</y></SimmSpline>"), "SimmSpline"),
        (
            force(&format!(
                "<BushingForce name=\"b\">{}</BushingForce>",
                ends.replace("body", "frame")
            )),
            "is between a body and itself",
        ),
        (
            of_many(&["x", "x"], &osim::axis("rotation1", "x", "0 0 1", "")),
            "coordinate 'x' is there twice",
        ),
        (
            of_many(
                &["a", "b", "c", "d", "e", "f", "g"],
                &osim::axis("rotation1", "a", "0 0 1", ""),
            ),
            "CustomJoint 'hip' has more than six coordinates",
        ),
        (
            of_many(&["a"], &osim::axis("rotation1", "", "0 0 1", straight)),
            "TransformAxis 'rotation1' has a function and no coordinate",
        ),
        (
            of_many(&["a", "b"], &osim::axis("rotation1", "a b", "0 0 1", spline)),
            "TransformAxis 'rotation1': its function does not take 2 coordinates",
        ),
        (
            routed("<MagicPoint name=\"m\"/>"),
            "MagicPoint 'm' is no kind of path point / known here: PathPoint",
        ),
        (
            routed("<PathPoint name=\"m\"><location>0 0 0</location></PathPoint>"),
            "PathPoint 'm' is on no body",
        ),
        (constrained("<WeldConstraint name=\"w\"/>"), "WeldConstraint 'w' has no body 1"),
        (force("<PointToPointSpring name=\"p\"/>"), "has no body 1"),
        (
            force(
                "<SpringGeneralizedForce name=\"s\"><coordinate>elbow</coordinate></SpringGeneralizedForce>",
            ),
            "'elbow'",
        ),
        (
            force(
                "<CoordinateLimitForce name=\"l\"><coordinate>hip_coord_0</coordinate><lower_limit>9</lower_limit></CoordinateLimitForce>",
            ),
            "<lower_limit> of CoordinateLimitForce 'l' must be at most <upper_limit>",
        ),
        (force("<Thelen2003Muscle name=\"m\"/>"), "has no <GeometryPath>"),
    ];
    assert_refused(|text| refusal_of("model.osim", text), &cases);
}

#[test]
fn parts_of_documents_of_opensim_that_are_otherwise_here_are_told() {
    let ends =
        "<socket_frame1>/ground</socket_frame1><socket_frame2>/bodyset/thigh</socket_frame2>";
    let bushing = format!(
        "<ForceSet><objects><BushingForce name=\"b\">{ends}<rotational_stiffness>1 2 3</rotational_stiffness>\
         </BushingForce></objects></ForceSet>"
    );
    let cases = [
        (
            osim::forced("<length_units>millimeters</length_units>"),
            "6: <length_units> is 'millimeters': numbers are taken in SI units, as OpenSim does",
        ),
        (osim::forced(&bushing), "6: BushingForce 'b' turns by three angles after each other"),
    ];
    assert_told(|text| osim::told(&osim::good(text)), &cases);
}
