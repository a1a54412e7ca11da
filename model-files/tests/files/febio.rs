//! Documents of FEBio: laws against FEBio's own definitions, conditions, loads and curves against closed forms, the
//! versions against each other, what is told, what is refused.

use sinew::material::{Deformation, Material};
use sinew::model::{BodyLoad, FrameLoad, Shell};
use sinew::prelude::*;
use sinew_model_files::{
    IntegratorName, LoadOptions, ModelFile, Report, SaveOptions, Solver, load, to_json,
};

use super::febio_laws::{LAWS, Stretches, lateral};
use super::{errors, folder};

fn read_with(text: &str, parameters: &[(&str, &str)]) -> Result<ModelFile, Box<Report>> {
    let folder = folder(&[("model.feb", text)]);
    let parameters = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    load(&folder.path().join("model.feb"), &LoadOptions { parameters, ..LoadOptions::default() })
}

pub(super) fn good(text: &str) -> ModelFile {
    read_with(text, &[]).unwrap_or_else(|report| panic!("{}", report.render(false)))
}

/// Errors of a text: `line:column message`.
pub(super) fn refused(text: &str) -> String {
    let report = read_with(text, &[]).err().unwrap_or_else(|| panic!("it is read: {text}"));
    errors(&report).join("\n")
}

/// Warnings and notes: `line: message`.
pub(super) fn told(file: &ModelFile) -> Vec<String> {
    let list = file.report.diagnostics().iter();
    let line = |d| file.report.place(d).map_or(0, |(_, line, _)| line);
    list.map(|d| format!("{}: {}", line(d), d.message)).collect()
}

/// A cube of 1 at the origin as one hexahedron, with the sets of its sides; version 4.0.
const CUBE: &str = "<Nodes name=\"all\">
<node id=\"1\">0,0,0</node><node id=\"2\">1,0,0</node><node id=\"3\">1,1,0</node><node id=\"4\">0,1,0</node>
<node id=\"5\">0,0,1</node><node id=\"6\">1,0,1</node><node id=\"7\">1,1,1</node><node id=\"8\">0,1,1</node>
</Nodes>
<Elements type=\"hex8\" name=\"cube\"><elem id=\"1\">1,2,3,4,5,6,7,8</elem></Elements>
<NodeSet name=\"x0\">1,4,5,8</NodeSet><NodeSet name=\"x1\">2,3,6,7</NodeSet>
<NodeSet name=\"y0\">1,2,5,6</NodeSet><NodeSet name=\"z0\">1,2,3,4</NodeSet><NodeSet name=\"z1\">5,6,7,8</NodeSet>
<Surface name=\"top\"><quad4 id=\"1\">5,6,7,8</quad4></Surface>";

/// Sides on the planes of the axes that slide along them.
pub(super) const ROLLERS: &str =
    "<bc type=\"zero displacement\" node_set=\"x0\"><x_dof>1</x_dof></bc>
<bc type=\"zero displacement\" node_set=\"y0\"><y_dof>1</y_dof></bc>
<bc type=\"zero displacement\" node_set=\"z0\"><z_dof>1</z_dof></bc>";

/// Sides that let the cube move along z alone.
const CONFINED: &str =
    "<bc type=\"zero displacement\" node_set=\"all\"><x_dof>1</x_dof><y_dof>1</y_dof></bc>
<bc type=\"zero displacement\" node_set=\"z0\"><z_dof>1</z_dof></bc>";

const CURVE: &str = "<LoadData><load_controller id=\"1\" type=\"loadcurve\"><interpolate>LINEAR</interpolate>\
<points><pt>0,0</pt><pt>1,1</pt></points></load_controller></LoadData>";

pub(super) const NEO_HOOKEAN: &str = "<material id=\"1\" name=\"m\" type=\"neo-Hookean\"><density>1000</density><E>1000</E><v>0.3</v></material>";

pub(super) fn cube(analysis: &str, material: &str, boundary: &str, rest: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<febio_spec version=\"4.0\">\n<Module type=\"solid\"/>\n\
         <Control><analysis>{analysis}</analysis><time_steps>10</time_steps><step_size>0.1</step_size></Control>\n\
         <Material>{material}</Material>\n<Mesh>\n{CUBE}\n</Mesh>\n\
         <MeshDomains><SolidDomain name=\"cube\" mat=\"m\"/></MeshDomains>\n\
         <Boundary>\n{boundary}\n</Boundary>\n{rest}\n{CURVE}\n</febio_spec>"
    )
}

/// Places of the nodes of the tissue at the end of a run as the file says.
pub(super) fn run(file: ModelFile) -> Vec<Vec3> {
    let Solver { time, step, integrator, .. } = file.solver;
    let time = time.unwrap();
    let (step, count) = match integrator {
        Some(IntegratorName::Static) => (time, 1),
        _ => (step.unwrap(), (time / step.unwrap()).round() as usize),
    };
    let settings = file.solver.settings(SolverSettings::default());
    let mut simulation = Simulation::new(file.model, settings).unwrap();
    for _ in 0..count {
        simulation.step(step).unwrap();
    }
    let (fem, nodes) =
        simulation.model().fems().map(|(h, fem)| (h, fem.mesh.nodes.len())).next().unwrap();
    let rows: Vec<usize> =
        (0..nodes).map(|n| simulation.compiled().block_of_node(fem, n)).collect();
    let state = simulation.state().unwrap();
    rows.into_iter().map(|row| state.q[row]).collect()
}

pub(super) fn tissue(model: &Model) -> &FemModel {
    model.fems().next().unwrap().1
}

#[test]
fn energies_are_those_of_febio_for_all_laws() {
    let turned = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.95, 0.15, -0.2, 0.1, 1.05);
    let stretched = Mat3::from_diagonal(&Vec3::new(1.2, 0.9, 1.01));
    for row in LAWS {
        let text = cube("STATIC", row.material, ROLLERS, "");
        let file = good(&text);
        let fem = tissue(&file.model);
        let bundles: Vec<MaterialSpec> =
            file.model.iter::<MuscleBundle>().map(|(_, it)| it.material).collect();
        for f in [turned, stretched] {
            let d = Deformation::new(f - Mat3::identity());
            let energy = |law: &MaterialSpec| law.law::<f64>().energy(&d);
            let own: f64 = std::iter::once(&fem.material).chain(&bundles).map(energy).sum();
            // Invariants of a general deformation where the law has no axes, its stretches elsewhere.
            if row.isotropic || f == stretched {
                let expected = (row.energy)(&Stretches::of(&f));
                let error = (own - expected).abs() / expected.abs();
                assert!(error < row.tolerance, "{}: {own} for {expected}", row.name);
            }
        }
    }
}

#[test]
fn a_stretched_cube_of_each_law_narrows_as_the_closed_form_says() {
    for row in LAWS {
        let pull = "<bc type=\"prescribed displacement\" node_set=\"x1\"><dof>x</dof><value lc=\"1\">0.15</value></bc>";
        let text = cube("STATIC", row.material, &format!("{ROLLERS}{pull}"), "");
        let corner = run(good(&text))[6];
        let [y, z] = lateral(&row.energy, 1.15);
        assert!((corner.x - 1.15).abs() < 1e-9, "{}: {corner}", row.name);
        let error = (corner.y - y).abs().max((corner.z - z).abs());
        assert!(error < row.cube_tolerance, "{}: {corner} for {y} {z}", row.name);
    }
}

/// Stretch of a confined neo-Hookean cube of the modulus 1000 and the ratio 0.3 under a stress along it.
fn confined_stretch(nominal: f64) -> f64 {
    let (lambda, mu) = (1000.0 * 0.3 / (1.3 * 0.4), 1000.0 / 2.6);
    let stress = |l: f64| mu * (l - 1.0 / l) + lambda * l.ln() / l;
    let (mut low, mut high) = (0.1, 3.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if stress(middle) < nominal { low = middle } else { high = middle }
    }
    low
}

#[test]
fn pressures_tractions_and_forces_stretch_a_confined_cube_as_they_must() {
    let pressure = "<Loads><surface_load name=\"p\" type=\"pressure\" surface=\"top\">\
                    <pressure lc=\"1\">200</pressure><linear>0</linear></surface_load></Loads>";
    let traction = "<Loads><surface_load type=\"traction\" surface=\"top\">\
                    <scale lc=\"1\">2</scale><traction>0,0,150</traction></surface_load></Loads>";
    let force = "<Loads><nodal_load type=\"nodal_force\" node_set=\"z1\">\
                 <value lc=\"1\">0,0,75</value></nodal_load></Loads>";
    for (load, nominal) in [(pressure, -200.0), (traction, 300.0), (force, 300.0)] {
        let top = run(good(&cube("STATIC", NEO_HOOKEAN, CONFINED, load)))[6];
        let expected = confined_stretch(nominal);
        assert!((top.z - expected).abs() < 1e-7, "{nominal}: {top} for {expected}");
        assert_eq!([top.x, top.y], [1.0, 1.0]);
    }
}

#[test]
fn a_volume_that_is_kept_stays_under_a_pressure_and_an_open_surface_is_told() {
    let skin = "<Surface name=\"skin\"><quad4 id=\"2\">1,4,3,2</quad4><quad4 id=\"3\">5,6,7,8</quad4>\
                <quad4 id=\"4\">1,2,6,5</quad4><quad4 id=\"5\">2,3,7,6</quad4><quad4 id=\"6\">3,4,8,7</quad4>\
                <quad4 id=\"7\">4,1,5,8</quad4></Surface><Surface name=\"top\">";
    let rest = |surface: &str| {
        format!(
            "<Loads><surface_load name=\"p\" type=\"pressure\" surface=\"top\">\
             <pressure lc=\"1\">200</pressure></surface_load></Loads>\
             <Constraints><constraint name=\"water\" type=\"volume\" surface=\"{surface}\"><laugon>1</laugon>\
             </constraint></Constraints>"
        )
    };
    let text = |surface: &str| {
        let text = cube("STATIC", NEO_HOOKEAN, ROLLERS, &rest(surface));
        text.replace("<Surface name=\"top\">", skin)
    };
    let corner = run(good(&text("skin")))[6];
    assert!(corner.z < 0.99, "{corner}");
    assert!((corner.x * corner.y * corner.z - 1.0).abs() < 1e-8, "{corner}");
    let warned = told(&good(&text("top"))).join("\n");
    assert!(warned.contains("is not read: 'top' is no closed surface"), "{warned}");
}

#[test]
fn a_body_force_is_an_acceleration_of_the_frame() {
    // Of a cube that falls without a support, by the trapezoidal rule: exact.
    for load in [
        "<body_load type=\"const\"><z>9</z></body_load>",
        "<body_load type=\"body force\"><force>0,0,9</force></body_load>",
    ] {
        let file = good(&cube("DYNAMIC", NEO_HOOKEAN, "", &format!("<Loads>{load}</Loads>")));
        assert_eq!(
            file.model.iter::<BodyLoad>().next().unwrap().1.acceleration,
            Vec3::new(0.0, 0.0, -9.0)
        );
        assert_eq!(file.solver.integrator, Some(IntegratorName::Trapezoidal));
        let fallen = run(file)[0];
        assert!((fallen.z + 4.5).abs() < 1e-9, "{fallen}");
    }
}

#[test]
fn the_versions_say_the_same() {
    let old = |text: &str| {
        let list = |name: &str, numbers: &str| {
            let members: String = numbers.split(',').map(|n| format!("<n id=\"{n}\"/>")).collect();
            format!("<NodeSet name=\"{name}\">{members}</NodeSet>")
        };
        let sets = [
            ("x0", "1,4,5,8"),
            ("x1", "2,3,6,7"),
            ("y0", "1,2,5,6"),
            ("z0", "1,2,3,4"),
            ("z1", "5,6,7,8"),
        ];
        sets.into_iter().fold(text.to_owned(), |text, (name, numbers)| {
            text.replace(
                &format!("<NodeSet name=\"{name}\">{numbers}</NodeSet>"),
                &list(name, numbers),
            )
        })
    };
    let new = good(&cube(
        "STATIC",
        NEO_HOOKEAN,
        &format!(
            "{ROLLERS}<bc type=\"prescribed displacement\" node_set=\"x1\"><dof>x</dof><value lc=\"1\">0.1</value></bc>"
        ),
        "<Loads><nodal_load type=\"nodal_force\" node_set=\"z1\"><value lc=\"1\">0,0,2</value></nodal_load>\
         <surface_load name=\"p\" type=\"pressure\" surface=\"top\"><pressure lc=\"1\">5</pressure></surface_load></Loads>",
    ));
    let third = format!(
        "<febio_spec version=\"3.0\"><Module type=\"solid\"/>\
         <Control><analysis>STATIC</analysis><time_steps>10</time_steps><step_size>0.1</step_size></Control>\
         <Material>{NEO_HOOKEAN}</Material><Mesh>{}</Mesh>\
         <MeshDomains><SolidDomain name=\"cube\" mat=\"m\"/></MeshDomains>\
         <Boundary><bc type=\"fix\" node_set=\"x0\"><dofs>x</dofs></bc><bc type=\"fix\" node_set=\"y0\"><dofs>y</dofs></bc>\
         <bc type=\"fix\" node_set=\"z0\"><dofs>z</dofs></bc>\
         <bc type=\"prescribe\" node_set=\"x1\"><dof>x</dof><scale lc=\"1\">0.1</scale></bc></Boundary>\
         <Loads><nodal_load type=\"nodal_load\" node_set=\"z1\"><dof>z</dof><scale lc=\"1\">2</scale></nodal_load>\
         <surface_load name=\"p\" type=\"pressure\" surface=\"top\"><pressure lc=\"1\">5</pressure></surface_load></Loads>\
         <LoadData><load_controller id=\"1\" type=\"loadcurve\"><points><point>0,0</point><point>1,1</point></points>\
         </load_controller></LoadData></febio_spec>",
        old(CUBE)
    );
    let second = format!(
        "<febio_spec version=\"2.5\"><Module type=\"solid\"/>\
         <Control><analysis type=\"static\"/><time_steps>10</time_steps><step_size>0.1</step_size></Control>\
         <Material>{NEO_HOOKEAN}</Material><Geometry>{}</Geometry>\
         <Boundary><fix bc=\"x\" node_set=\"x0\"/><fix bc=\"y\" node_set=\"y0\"/><fix bc=\"z\" node_set=\"z0\"/>\
         <prescribe bc=\"x\" node_set=\"x1\"><scale lc=\"1\">0.1</scale></prescribe></Boundary>\
         <Loads><nodal_load bc=\"z\" node_set=\"z1\"><scale lc=\"1\">2</scale></nodal_load>\
         <surface_load name=\"p\" type=\"pressure\" surface=\"top\"><pressure lc=\"1\">5</pressure></surface_load></Loads>\
         <LoadData><loadcurve id=\"1\" type=\"linear\"><point>0,0</point><point>1,1</point></loadcurve></LoadData></febio_spec>",
        old(CUBE).replace("type=\"hex8\" name=\"cube\"", "type=\"hex8\" mat=\"1\" name=\"cube\"")
    );
    let saved = |file: &ModelFile| {
        let text = to_json(&file.model, &SaveOptions::default()).unwrap();
        // The name of the set of a domain: the number of its material in 2.5, its name later.
        text.replace("material_1", "material_m")
    };
    for text in [third, second] {
        let file = good(&text);
        assert_eq!(told(&file), Vec::<String>::new());
        assert_eq!(file.solver, new.solver);
        assert_eq!(saved(&file), saved(&new), "{text}");
    }
}

#[test]
fn units_of_a_document_are_taken_to_si() {
    let text = cube("STATIC", NEO_HOOKEAN, ROLLERS, "");
    let text = text.replace(
        "<Module type=\"solid\"/>",
        "<Module type=\"solid\"><units>mm-N-s</units></Module>",
    );
    let by_word = good(&text).model;
    let by_parameter =
        read_with(&cube("STATIC", NEO_HOOKEAN, ROLLERS, ""), &[("units", "mm-N-s")]).unwrap().model;
    for model in [&by_word, &by_parameter] {
        let fem = tissue(model);
        assert_eq!(fem.mesh.nodes[6], Vec3::repeat(1e-3));
        let MaterialSpec::NeoHookean(law) = fem.material else { panic!("{:?}", fem.material) };
        assert!((law.youngs_modulus / 1e9 - 1.0).abs() < 1e-14, "{law:?}");
        // Tonnes in a cubic millimetre.
        assert!((fem.density / 1e15 - 1.0).abs() < 1e-14, "{}", fem.density);
    }
    let report = read_with(&text, &[("units", "furlong")]).unwrap_err();
    assert!(errors(&report)[0].contains("'furlong'"), "{:?}", errors(&report));
}

#[test]
fn an_error_brings_no_warnings_of_what_follows_from_it() {
    let glue = "<Contact><contact type=\"glue\" surface_pair=\"both\"/></Contact>";
    let foreign = NEO_HOOKEAN.replace("neo-Hookean", "foam");
    for (material, rest, error) in
        [(NEO_HOOKEAN, glue, "no contact of the type 'glue'"), (&foreign, "", "'foam'")]
    {
        let report = read_with(&cube("STATIC", material, ROLLERS, rest), &[]).unwrap_err();
        let found = report.diagnostics();
        assert!(found.len() == 1 && found[0].message.contains(error), "{}", report.render(false));
    }
}

#[test]
fn all_that_is_not_read_is_a_warning_with_its_line_once_a_kind() {
    let contact = "<Contact><contact type=\"sticky\"><penalty>1</penalty></contact></Contact>\n\
                   <Loads>\n<surface_load type=\"fluidflux\" surface=\"top\"/>\n<surface_load type=\"fluidflux\" surface=\"top\"/>\n\
                   <surface_load type=\"pressure\" surface=\"top\"><pressure>1</pressure>\n<linear>1</linear></surface_load></Loads>\n\
                   <Output><plotfile type=\"febio\"><var type=\"stress\"/></plotfile></Output>";
    let material = NEO_HOOKEAN.replace("<E>", "<E lc=\"1\">");
    let file = good(&cube("STATIC", &material, ROLLERS, contact));
    let told = told(&file);
    let count = |what: &str| told.iter().filter(|line| line.contains(what)).count();
    assert_eq!(count("<contact> of type 'sticky' in <Contact> is not read"), 1, "{told:?}");
    assert_eq!(
        count("of type 'fluidflux' in <Loads> is not read, 2 times, first here"),
        1,
        "{told:?}"
    );
    assert_eq!(count("<linear> in <surface_load> is not read"), 1, "{told:?}");
    assert_eq!(count("lc of <E> is not read"), 1, "{told:?}");
    assert_eq!(count("settings in <Output> are not read: plotfile"), 1, "{told:?}");
    assert_eq!(told.len(), 5, "{told:?}");
    let text = cube("STATIC", &material, ROLLERS, contact);
    let line = 1 + text.lines().position(|line| line.contains("<linear>1")).unwrap();
    assert!(told.iter().any(|it| it.starts_with(&format!("{line}: <linear>"))), "{told:?}");
    assert!(
        file.report
            .diagnostics()
            .iter()
            .all(|d| d.severity == sinew_model_files::Severity::Warning)
    );
}

#[test]
fn what_has_no_meaning_is_refused_with_its_place() {
    let bad = |material: &str, boundary: &str, rest: &str| {
        refused(&cube("STATIC", material, boundary, rest))
    };
    let unknown = bad(&NEO_HOOKEAN.replace("neo-Hookean", "porous jelly"), ROLLERS, "");
    assert!(unknown.contains("'porous jelly'") && unknown.contains("Mooney-Rivlin"), "{unknown}");
    let negative = bad(&NEO_HOOKEAN.replace("<E>1000", "<E>-1"), ROLLERS, "");
    assert!(negative.contains("-1"), "{negative}");
    let map = bad(&NEO_HOOKEAN.replace("<E>1000", "<E>soft"), ROLLERS, "");
    assert!(map.contains("<E> must be a number, got 'soft'"), "{map}");
    let set = bad(NEO_HOOKEAN, &ROLLERS.replace("y0", "q0"), "");
    assert!(set.contains("'q0'"), "{set}");
    let load = "<Loads><body_load type=\"const\"><x lc=\"7\">1</x></body_load></Loads>";
    assert!(bad(NEO_HOOKEAN, ROLLERS, load).contains("no load curve '7'"));
    let text = cube("STATIC", NEO_HOOKEAN, ROLLERS, "").replace("<time_steps>10", "<time_steps>0");
    assert!(refused(&text).contains("<time_steps> must be > 0, got 0"), "{}", refused(&text));
    let text = cube("STATIC", NEO_HOOKEAN, ROLLERS, "").replace("mat=\"m\"", "");
    assert!(refused(&text).contains("1 elements have no material"), "{}", refused(&text));
}

/// Two cubes on each other, the upper one rigid.
pub(super) fn rigid(motion: &str, loads: &str) -> String {
    let rigid =
        "<material id=\"2\" name=\"bone\" type=\"rigid body\"><density>2000</density></material>";
    let text = cube(
        "STATIC",
        &format!("{NEO_HOOKEAN}{rigid}"),
        ROLLERS,
        &format!("<Rigid>{motion}</Rigid>{loads}"),
    );
    let text = text.replace(
        "</Nodes>",
        "<node id=\"9\">0,0,2</node><node id=\"10\">1,0,2</node><node id=\"11\">1,1,2</node><node id=\"12\">0,1,2</node></Nodes>",
    );
    let text = text.replace(
        "<NodeSet name=\"x0\">",
        "<Elements type=\"hex8\" name=\"lid\"><elem id=\"2\">5,6,7,8,9,10,11,12</elem></Elements><NodeSet name=\"x0\">",
    );
    // The sides of the soft cube alone: nodes of a body cannot be fixed.
    let text = text.replace(">1,4,5,8<", ">1,4<").replace(">1,2,5,6<", ">1,2<");
    text.replace("</MeshDomains>", "<SolidDomain name=\"lid\" mat=\"bone\"/></MeshDomains>")
}

#[test]
fn solids_of_a_rigid_material_are_a_body_that_moves_what_it_touches() {
    let fixed = "<rigid_bc type=\"rigid_fixed\"><rb>bone</rb><Rx_dof>1</Rx_dof><Ry_dof>1</Ry_dof><Ru_dof>1</Ru_dof>\
                 <Rv_dof>1</Rv_dof><Rw_dof>1</Rw_dof></rigid_bc>";
    let moved = "<rigid_bc type=\"rigid_displacement\"><rb>bone</rb><dof>z</dof><value lc=\"1\">-0.2</value></rigid_bc>";
    let file = good(&rigid(&format!("{fixed}{moved}"), ""));
    let (_, body) = file.model.iter::<RigidBody>().next().unwrap();
    let inertia = body.spatial_inertia().unwrap();
    assert!((inertia.mass() - 2000.0).abs() < 1e-9);
    assert!((inertia.rotational()[(0, 0)] - 2000.0 / 6.0).abs() < 1e-9);
    assert!((body.pose.translation.vector - Vec3::new(0.5, 0.5, 1.5)).norm() < 1e-12);
    let places = run(file);
    assert!((places[6] - Vec3::new(1.0, 1.0, 0.8)).norm() < 1e-9, "{}", places[6]);
    assert!((places[10] - Vec3::new(1.0, 1.0, 1.8)).norm() < 1e-9, "{}", places[10]);
    // What is fixed and follows the body as well follows it.
    let both = rigid(&format!("{fixed}{moved}"), "").replace(">1,4<", ">1,4,5,8<");
    let file = good(&both);
    let told = told(&file);
    assert!(
        told.iter().any(|it| it.contains("2 nodes of conditions follow rigid bodies")),
        "{told:?}"
    );
    assert!((run(file)[6].z - 0.8).abs() < 1e-9);
    // A slider under a force.
    let push = "<rigid_load type=\"rigid_force\"><rb>bone</rb><dof>Rz</dof><value lc=\"1\">-5</value></rigid_load>";
    let file = good(&rigid(&format!("{fixed}{push}"), ""));
    assert_eq!(file.model.iter::<FrameLoad>().next().unwrap().1.force, Vec3::new(0.0, 0.0, -5.0));
    let (_, joint) = file.model.iter::<Joint>().next().unwrap();
    assert_eq!(joint.settings.kind, JointKind::Slider);
}

#[test]
fn shells_are_sheets_of_their_thickness() {
    let text = format!(
        "<febio_spec version=\"4.0\"><Module type=\"solid\"/><Material>{NEO_HOOKEAN}</Material><Mesh><Nodes name=\"all\">\
         <node id=\"1\">0,0,0</node><node id=\"2\">1,0,0</node><node id=\"3\">1,1,0</node><node id=\"4\">0,1,0</node></Nodes>\
         <Elements type=\"quad4\" name=\"plate\"><elem id=\"1\">1,2,3,4</elem></Elements>\
         <ElementSet name=\"some\">1</ElementSet></Mesh>\
         <MeshDomains><ShellDomain name=\"plate\" mat=\"m\"><shell_thickness>0</shell_thickness></ShellDomain></MeshDomains>\
         <MeshData><ElementData type=\"shell thickness\" elem_set=\"plate\"><e lid=\"1\">0.02,0.02,0.02,0.02</e></ElementData></MeshData>\
         </febio_spec>"
    );
    let file = good(&text);
    let (_, shell) = file.model.iter::<Shell>().next().unwrap();
    assert_eq!((shell.surface.as_str(), shell.thickness.as_str()), ("plate", "0.02"));
    assert_eq!(shell.density, 1000.0);
    assert_eq!(tissue(&file.model).mesh.triangle_sets["plate"].len(), 2);
    file.model.compile().unwrap();
    let rigid = text.replace("type=\"neo-Hookean\"", "type=\"rigid body\"");
    let file = good(&rigid);
    assert!(told(&file).iter().any(|it| it.contains("the rigid shells 'plate' are not read")));
    assert_eq!(tissue(&file.model).dirichlet[0].nodes, [0, 1, 2, 3]);
    let thin = text.replace("<MeshData>", "<Meshless>").replace("</MeshData>", "</Meshless>");
    assert!(refused(&thin).contains("no thickness above 0"), "{}", refused(&thin));
}

#[test]
fn regions_densities_and_fibres_follow_the_parts() {
    let two = "<material id=\"2\" name=\"n\" type=\"Holzapfel-Gasser-Ogden\"><density>1200</density><k>1e5</k>\
               <pressure_model>Abaqus</pressure_model><c>10</c><k1>5</k1><k2>1</k2><gamma>30</gamma>\
               <mat_axis type=\"vector\"><a>0,0,2</a><d>1,0,0</d></mat_axis></material>";
    let text = rigid("", "").replace(
        "<SolidDomain name=\"lid\" mat=\"bone\"/>",
        "<SolidDomain name=\"lid\" mat=\"n\"/>",
    );
    let text =
        text.replace("<Material>", &format!("<Material>{two}")).replace("<Rigid></Rigid>", "");
    let file = good(&text);
    let fem = tissue(&file.model);
    // The material that is first in the document is that of the whole.
    assert_eq!((fem.material.name(), fem.regions[0].material.name()), ("hgo", "neohook"));
    assert_eq!(fem.regions[0].elements, [0]);
    assert_eq!(fem.fibres[1], Vec3::z());
    assert_eq!(fem.sheets[1], Vec3::x());
    assert_eq!(fem.fields["density"], "{density of materials}");
    assert_eq!(fem.mesh.element_fields["density of materials"].values, [1000.0, 1200.0]);
}
