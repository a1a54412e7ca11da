//! Contact and connectors in documents of FEBio: pressures against loads, ties against one block, walls, joints; the
//! spellings of the versions; what is told and what is refused.

use std::fmt::Write as _;

use sinew::contact::NormalLaw;
use sinew::model::{AxialSpring, CollisionBehavior, FrameMarker, Shell};
use sinew::prelude::*;
use sinew::simulated::Simulated;
use sinew_model_files::{ModelFile, SaveOptions, to_json};

use super::febio::{self, good, refused};

const SOFT: &str = "<material id=\"1\" name=\"soft\" type=\"neo-Hookean\"><density>1</density><E>1000</E><v>0.3</v></material>";
const BONE: &str =
    "<material id=\"2\" name=\"bone\" type=\"rigid body\"><density>2</density></material>";

/// A block of cells from a corner, with edges of 1; surfaces of its lowest and highest sides along an axis.
pub(super) struct Block {
    name: &'static str,
    cells: [usize; 3],
    at: [f64; 3],
    axis: usize,
    material: &'static str,
}

impl Block {
    pub(super) const LOWER: Self =
        Self { name: "lower", cells: [2, 2, 2], at: [0.0; 3], axis: 2, material: "soft" };
    pub(super) const UPPER: Self =
        Self { name: "upper", cells: [3, 3, 2], at: [0.0, 0.0, 1.0], axis: 2, material: "soft" };

    fn node(&self, first: usize, [i, j, k]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.cells;
        first + i + (nx + 1) * (j + (ny + 1) * k)
    }

    fn grid(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let [nx, ny, nz] = self.cells;
        (0..=nz).flat_map(move |k| (0..=ny).flat_map(move |j| (0..=nx).map(move |i| [i, j, k])))
    }

    fn place(&self, grid: [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| self.at[k] + grid[k] as f64 / self.cells[k] as f64)
    }

    /// Nodes and elements, numbered from `first` on.
    fn sections(&self, first: usize) -> [String; 2] {
        let mut nodes = String::new();
        let mut elements = String::new();
        for grid in self.grid() {
            let [x, y, z] = self.place(grid);
            let number = self.node(first, grid);
            writeln!(nodes, "<node id=\"{number}\">{x},{y},{z}</node>").unwrap();
            if (0..3).all(|k| grid[k] < self.cells[k]) {
                let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
                let corners = corners.into_iter().chain(corners.map(|[i, j, _]| [i, j, 1]));
                let list: Vec<String> = corners
                    .map(|c| self.node(first, [0, 1, 2].map(|k| grid[k] + c[k])).to_string())
                    .collect();
                writeln!(elements, "<elem id=\"{number}\">{}</elem>", list.join(",")).unwrap();
            }
        }
        [nodes, elements]
    }

    /// The surface of one of its sides.
    fn surface(&self, first: usize, high: bool) -> String {
        let [u, v] = [(self.axis + 1) % 3, (self.axis + 2) % 3];
        let mut rows = String::new();
        for grid in self.grid() {
            let level = if high { self.cells[self.axis] } else { 0 };
            if grid[self.axis] != level || grid[u] == self.cells[u] || grid[v] == self.cells[v] {
                continue;
            }
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                let mut own = grid;
                (own[u], own[v]) = (own[u] + a, own[v] + b);
                self.node(first, own).to_string()
            });
            writeln!(rows, "<quad4 id=\"1\">{}</quad4>", corners.join(",")).unwrap();
        }
        let side = if high { "high" } else { "low" };
        format!("<Surface name=\"{}_{side}\">{rows}</Surface>\n", self.name)
    }

    /// Those of its nodes that are on the plane 0 of an axis.
    fn on_plane(&self, first: usize, axis: usize) -> Vec<String> {
        let grids = self.grid().filter(|&grid| self.place(grid)[axis].abs() < 1e-12);
        grids.map(|grid| self.node(first, grid).to_string()).collect()
    }
}

/// A document of blocks, with the sides of all of them on the planes of the axes as sets `x0`, `y0`, `z0`.
pub(super) fn document(blocks: &[Block], pair: &str, boundary: &str, rest: &str) -> String {
    let [mut nodes, mut elements, mut surfaces, mut domains] = [const { String::new() }; 4];
    let mut planes = [const { Vec::new() }; 3];
    for (k, block) in blocks.iter().enumerate() {
        let first = 1 + 1000 * k;
        let [own_nodes, own] = block.sections(first);
        nodes += &own_nodes;
        write!(elements, "<Elements type=\"hex8\" name=\"{}\">{own}</Elements>", block.name)
            .unwrap();
        surfaces += &(block.surface(first, false) + &block.surface(first, true));
        write!(domains, "<SolidDomain name=\"{}\" mat=\"{}\"/>", block.name, block.material)
            .unwrap();
        for (axis, plane) in planes.iter_mut().enumerate() {
            plane.extend(block.on_plane(first, axis));
        }
    }
    let sets = ["x0", "y0", "z0"].into_iter().zip(planes);
    let sets = sets.filter(|(_, list)| !list.is_empty());
    let sets: String = sets
        .map(|(name, list)| format!("<NodeSet name=\"{name}\">{}</NodeSet>\n", list.join(",")))
        .collect();
    let curve = "<LoadData><load_controller id=\"1\" type=\"loadcurve\"><points><pt>0,0</pt><pt>1,1</pt></points>\
                 </load_controller></LoadData>";
    format!(
        "<febio_spec version=\"4.0\">\n<Module type=\"solid\"/>\n\
         <Control><analysis>STATIC</analysis><time_steps>10</time_steps><step_size>0.1</step_size></Control>\n\
         <Material>{SOFT}{BONE}</Material>\n<Mesh>\n<Nodes name=\"all\">{nodes}</Nodes>\n{elements}\n{sets}{surfaces}{pair}\n\
         </Mesh>\n<MeshDomains>{domains}</MeshDomains>\n<Boundary>{boundary}</Boundary>\n{rest}\n{curve}\n</febio_spec>"
    )
}

pub(super) const PAIR: &str = "<SurfacePair name=\"both\">\n<primary>upper_low</primary>\n<secondary>lower_high</secondary>\n</SurfacePair>";
/// Sides on the planes of the axes slide along them.
const ROLLERS: &str = "<bc type=\"zero displacement\" node_set=\"x0\"><x_dof>1</x_dof></bc>\
                       <bc type=\"zero displacement\" node_set=\"y0\"><y_dof>1</y_dof></bc>\
                       <bc type=\"zero displacement\" node_set=\"z0\"><z_dof>1</z_dof></bc>";

pub(super) fn load(surface: &str, traction: &str) -> String {
    format!(
        "<Loads><surface_load type=\"traction\" surface=\"{surface}\"><scale lc=\"1\">1</scale>\
         <traction>{traction}</traction></surface_load></Loads>"
    )
}

/// Warnings of a document, without notes on its mesh: parts that touch share no nodes.
pub(super) fn told(file: &ModelFile) -> Vec<String> {
    febio::told(file).into_iter().filter(|it| !it.starts_with("1: ")).collect()
}

/// Statics as a document says.
pub(super) fn run(file: ModelFile) -> Simulation {
    let settings = file.solver.settings(SolverSettings::default());
    let mut simulation = Simulation::new(file.model, settings).unwrap();
    simulation.step(1.0).unwrap();
    simulation
}

/// Places at rest and now of the nodes of a tissue.
pub(super) fn places(simulation: &mut Simulation, name: &str) -> Vec<[Vec3; 2]> {
    let (fem, rest) = simulation
        .model()
        .fems()
        .find(|(_, fem)| fem.name == name)
        .map(|(handle, fem)| (handle, fem.mesh.nodes.clone()))
        .unwrap();
    let rows: Vec<usize> =
        (0..rest.len()).map(|n| simulation.compiled().block_of_node(fem, n)).collect();
    let state = simulation.state().unwrap();
    rest.into_iter().zip(rows).map(|(rest, row)| [rest, state.q[row]]).collect()
}

/// A property of the one behaviour after a run, as numbers.
fn reading(simulation: &mut Simulation, name: &str) -> Vec<f64> {
    let state = simulation.state().unwrap().clone();
    let (model, compiled) = (simulation.model(), simulation.compiled());
    let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
    let s = Simulated { model, compiled, state: &state };
    s.get_property(&model.property_of(behavior, name).unwrap()).unwrap().numbers().collect()
}

/// Stretch along an axis of a block between rollers under a traction along it.
fn stretch(traction: f64) -> f64 {
    let text =
        document(&[Block::LOWER], "", ROLLERS, &load("lower_high", &format!("0,0,{traction}")));
    let mut simulation = run(good(&text));
    places(&mut simulation, "tissue").into_iter().map(|[_, now]| now.z).fold(0.0, f64::max)
}

#[test]
fn blocks_that_are_pressed_have_the_pressure_of_their_load_between_them() {
    let one = stretch(-100.0);
    for (analysis, numbers, law, depth) in [
        ("STATIC", "<laugon>1</laugon><penalty>1</penalty>", NormalLaw::Linear, 0.0),
        ("STATIC", "<laugon>0</laugon><penalty>4000</penalty>", NormalLaw::Linear, 0.0),
        // 1000 Pa/m are 0.1 m at 100 Pa; automatic ones are twice E / (1/2 m).
        (
            "DYNAMIC",
            "<laugon>0</laugon><penalty>4000</penalty>",
            NormalLaw::ElasticFoundation,
            0.025,
        ),
        (
            "DYNAMIC",
            "<auto_penalty>1</auto_penalty><penalty>2</penalty>",
            NormalLaw::ElasticFoundation,
            0.025,
        ),
    ] {
        let contact = format!(
            "<Contact><contact type=\"sliding-elastic\" name=\"press\" surface_pair=\"both\">{numbers}\
             <fric_coeff>0</fric_coeff></contact></Contact>{}",
            load("upper_high", "0,0,-100")
        );
        let text = document(&[Block::LOWER, Block::UPPER], PAIR, ROLLERS, &contact);
        let file = good(&text.replace("STATIC", analysis));
        let stiff = analysis == "STATIC" && numbers.contains("4000");
        let told = told(&file);
        assert_eq!(told.len(), usize::from(stiff), "{told:?}");
        assert!(told.iter().all(|it| it.contains("in statics contact is rigid")), "{told:?}");
        let (_, behavior) = file.model.iter::<CollisionBehavior>().next().unwrap();
        assert_eq!((behavior.law.normal, behavior.name.as_str()), (law, "press"));
        let foundation = behavior.law.foundation;
        if depth > 0.0 {
            let found = 100.0 * foundation.thickness / foundation.youngs_modulus;
            assert!((found - depth).abs() < 1e-9, "{numbers}: {found} m at 100 Pa");
            continue;
        }
        let mut simulation = run(file);
        let force = reading(&mut simulation, "force")[2].abs();
        assert!((force / 100.0 - 1.0).abs() < 1e-4, "{numbers}: {force} N");
        let bottom =
            places(&mut simulation, "upper").into_iter().filter(|[rest, _]| rest.z < 1.001);
        let wide = bottom.map(|[_, now]| now.x).fold(0.0, f64::max);
        let most = reading(&mut simulation, "max_pressure")[0];
        // Not quite uniform between grids that do not match.
        let pressure = 100.0 / (wide * wide);
        assert!((most / pressure - 1.0).abs() < 0.1, "{numbers}: {most} Pa of {pressure} Pa");
        let top =
            places(&mut simulation, "upper").into_iter().map(|[_, now]| now.z).fold(0.0, f64::max);
        assert!((top - (2.0 * one - depth)).abs() < 5e-3, "{numbers}: {top} for {one}");
    }
}

#[test]
fn a_tied_bar_of_blocks_that_do_not_match_stretches_like_one() {
    let one = stretch(200.0);
    for kind in ["tied-elastic", "tied-node-on-facet", "tied-facet-on-facet"] {
        let contact = format!(
            "<Contact><contact type=\"{kind}\" surface_pair=\"both\"><laugon>0</laugon>\n<penalty>5</penalty></contact></Contact>{}",
            load("upper_high", "0,0,200")
        );
        let file = good(&document(&[Block::LOWER, Block::UPPER], PAIR, ROLLERS, &contact));
        let told = told(&file);
        assert!(told.iter().any(|it| it.contains("8 nodes of conditions follow")), "{told:?}");
        assert!(
            told.iter().any(|it| it.contains("settings in <contact> are not read: penalty")),
            "{told:?}"
        );
        assert_eq!(told.len(), 2, "{told:?}");
        let mut simulation = run(file);
        for name in ["lower", "upper"] {
            for [rest, now] in places(&mut simulation, name) {
                let error = (now.z - rest.z * one).abs();
                assert!(error < 1e-5, "{kind}: {now} from {rest} at {one}");
            }
        }
    }
}

#[test]
fn tissue_that_is_tied_to_a_body_is_pressed_by_it() {
    let lid = || Block { material: "bone", ..Block::UPPER };
    let fixed = "<Rigid><rigid_bc type=\"rigid_fixed\"><rb>bone</rb><Rx_dof>1</Rx_dof><Ry_dof>1</Ry_dof><Ru_dof>1</Ru_dof>\
                 <Rv_dof>1</Rv_dof><Rw_dof>1</Rw_dof></rigid_bc>\
                 <rigid_load type=\"rigid_force\"><rb>bone</rb><dof>Rz</dof><value lc=\"1\">-50</value></rigid_load></Rigid>";
    let base = "<bc type=\"zero displacement\" node_set=\"z0\"><x_dof>1</x_dof><y_dof>1</y_dof><z_dof>1</z_dof></bc>";
    // Without a Poisson's ratio it is l - 1/l = -50 / 500.
    let expected = (4.01_f64.sqrt() - 0.1) / 2.0;
    for kind in ["tied-elastic", "tied-facet-on-facet"] {
        let contact = format!(
            "{fixed}<Contact><contact type=\"{kind}\" surface_pair=\"both\"><laugon>1</laugon></contact></Contact>"
        );
        let text = document(&[Block::LOWER, lid()], PAIR, base, &contact);
        let file = good(&text.replace("<v>0.3</v>", "<v>0</v>"));
        assert_eq!(told(&file), Vec::<String>::new());
        let mut simulation = run(file);
        let top: Vec<f64> = places(&mut simulation, "lower")
            .into_iter()
            .filter(|[rest, _]| rest.z > 0.99)
            .map(|[_, now]| now.z)
            .collect();
        let error = top.iter().map(|z| (z - expected).abs()).fold(0.0, f64::max);
        assert!(error < 1e-3, "{kind}: {top:?} for {expected}");
    }
}

#[test]
fn a_wall_bears_the_load_of_a_block_and_pushes_it_as_it_moves() {
    let sides = "<bc type=\"zero displacement\" node_set=\"x0\"><x_dof>1</x_dof></bc>\
                 <bc type=\"zero displacement\" node_set=\"y0\"><y_dof>1</y_dof></bc>";
    let wall = |offset: &str| {
        format!(
            "<Constraints><constraint type=\"rigid_wall\" name=\"floor\" surface=\"lower_low\"><plane>0,0,2,0</plane>{offset}\
             <laugon>1</laugon></constraint></Constraints>"
        )
    };
    let rest = wall("") + &load("lower_high", "0,0,-100");
    let mut simulation = run(good(&document(&[Block::LOWER], "", sides, &rest)));
    let force = reading(&mut simulation, "force")[2].abs();
    assert!((force / 100.0 - 1.0).abs() < 1e-4, "{force} N");
    let top =
        places(&mut simulation, "tissue").into_iter().map(|[_, now]| now.z).fold(0.0, f64::max);
    assert!((top - stretch(-100.0)).abs() < 1e-3, "{top}");
    // The wall comes down on a block that stands.
    let lid = "<Contact><contact type=\"rigid_wall\" surface=\"lower_high\"><plane>0,0,-1,-1</plane>\
               <offset lc=\"1\">0.1</offset></contact></Contact>";
    let mut simulation = run(good(&document(&[Block::LOWER], "", ROLLERS, lid)));
    let top =
        places(&mut simulation, "tissue").into_iter().map(|[_, now]| now.z).fold(0.0, f64::max);
    assert!((top - 0.9).abs() < 1e-3, "{top}");
}

#[test]
fn the_versions_spell_the_same_pairs() {
    let contact = "<Contact><contact type=\"sliding-elastic\" surface_pair=\"both\"><fric_coeff>0.2</fric_coeff>\
                   <penalty>3</penalty><auto_penalty>1</auto_penalty></contact></Contact>";
    let text =
        document(&[Block::LOWER, Block::UPPER], PAIR, "", contact).replace("STATIC", "DYNAMIC");
    // Lists of nodes are spelt otherwise.
    let cut = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("<NodeSet"));
        lines.collect::<Vec<_>>().join("\n").replace("<pt>", "<point>").replace("</pt>", "</point>")
    };
    let new =
        good(&text.lines().filter(|it| !it.starts_with("<NodeSet")).collect::<Vec<_>>().join("\n"));
    let third = cut(&text).replace("version=\"4.0\"", "version=\"3.0\"");
    let old = concat!(
        "<SurfacePair name=\"both\"><master surface=\"lower_high\"/><",
        "sl",
        "ave surface=\"upper_low\"/></SurfacePair>"
    );
    let second = cut(&text)
        .replace(PAIR, old)
        .replace("version=\"4.0\"", "version=\"2.5\"")
        .replace("<analysis>DYNAMIC</analysis>", "<analysis type=\"dynamic\"/>")
        .replace(
            "<load_controller id=\"1\" type=\"loadcurve\">",
            "<loadcurve id=\"1\" type=\"linear\">",
        )
        .replace("</load_controller>", "</loadcurve>")
        .replace("<points>", "")
        .replace("</points>", "")
        .replace("Mesh>", "Geometry>")
        .replace("type=\"hex8\"", "type=\"hex8\" mat=\"1\"");
    let domains = second.find("<MeshDomains>").unwrap()..second.find("<Boundary>").unwrap();
    let second = second.replace(&second[domains], "");
    let saved = |file: &ModelFile| {
        let text = to_json(&file.model, &SaveOptions::default()).unwrap();
        text.replace("material_1", "material_soft")
    };
    let law = new.model.iter::<CollisionBehavior>().next().unwrap().1.law;
    assert_eq!((law.friction, law.normal), (0.2, NormalLaw::ElasticFoundation));
    for text in [third, second] {
        assert_eq!(saved(&good(&text)), saved(&new), "{text}");
    }
}

#[test]
fn parts_keep_their_sets_loads_and_names() {
    let contact = "<Contact><contact type=\"sliding-elastic\" surface_pair=\"both\"/></Contact>\
                   <Loads><body_load type=\"const\"><z>9</z></body_load>\
                   <nodal_load type=\"nodal_force\" node_set=\"x0\"><value>1,0,0</value></nodal_load></Loads>";
    let text = document(&[Block::LOWER, Block::UPPER], PAIR, ROLLERS, contact);
    let model = good(&text).model;
    let names: Vec<_> = model.fems().map(|(_, fem)| fem.name.as_str()).collect();
    assert_eq!(names, ["lower", "upper"]);
    let count =
        |name: &str| model.fems().map(|(_, fem)| fem.mesh.node_sets[name].len()).sum::<usize>();
    assert_eq!([count("x0"), count("y0")], [21, 21]);
    let faces: Vec<_> = model.fems().map(|(_, fem)| fem.mesh.face_sets.len()).collect();
    assert_eq!(faces, [2, 2]);
    assert_eq!(model.iter::<sinew::model::BodyLoad>().count(), 2);
    assert_eq!(model.iter::<sinew::model::PointLoad>().count(), 21);
    assert_eq!(model.iter::<Shell>().count(), 0);
    model.compile().unwrap();
}

#[test]
fn contact_that_has_no_meaning_is_refused_with_its_place() {
    let bad = |pair: &str, contact: &str, expected: &str| {
        let rest = format!("<Contact>\n{contact}\n</Contact>");
        let text = document(&[Block::LOWER, Block::UPPER], pair, ROLLERS, &rest);
        let found = refused(&text);
        assert!(found.contains(expected), "{found}");
        let line: usize = found.split(':').next().unwrap().parse().unwrap();
        text.lines().nth(line - 1).unwrap().to_owned()
    };
    let slide = "<contact type=\"sliding-elastic\" surface_pair=\"both\"/>";
    let line = bad(PAIR, "<contact type=\"sliding-elastic\"/>", "names no surface_pair");
    assert!(line.contains("<contact"), "{line}");
    let line = bad("", slide, "no <SurfacePair> 'both'");
    assert!(line.contains("<contact"), "{line}");
    let half = PAIR.replace("<secondary>lower_high</secondary>\n", "");
    let line = bad(&half, slide, "has no <secondary> surface");
    assert!(line.contains("<SurfacePair"), "{line}");
    let other = PAIR.replace("lower_high", "nowhere");
    let line = bad(&other, slide, "no <Surface> 'nowhere'");
    assert!(line.contains("<secondary>"), "{line}");
    let line = bad(
        PAIR,
        "<contact type=\"glue\" surface_pair=\"both\"/>",
        "no contact of the type 'glue'",
    );
    assert!(line.contains("glue"), "{line}");
    let negative =
        "<contact type=\"sliding-elastic\" surface_pair=\"both\"><penalty>-1</penalty></contact>";
    bad(PAIR, negative, "<penalty> must be > 0, got -1");
    bad(PAIR, "<contact type=\"rigid_wall\" surface=\"lower_low\"/>", "has no <plane>");
    let flat =
        "<contact type=\"rigid_wall\" surface=\"lower_low\"><plane>0,0,0,1</plane></contact>";
    bad(PAIR, flat, "<plane> needs a direction");
}

#[test]
fn contact_that_is_not_read_is_told_with_its_line() {
    let contact = "<Contact>\n<contact type=\"sticky\" surface_pair=\"both\"><penalty>1</penalty></contact>\n\
                   <contact type=\"tied-elastic\" name=\"self\" surface_pair=\"both\"/>\n</Contact>";
    let own = PAIR.replace("upper_low", "lower_low");
    let text = document(&[Block::LOWER, Block::UPPER], &own, ROLLERS, contact);
    let found = told(&good(&text));
    let line = |what: &str| 1 + text.lines().position(|line| line.contains(what)).unwrap();
    let [sticky, own] = [line("\"sticky\""), line("\"self\"")];
    let has = |line: usize, what: &str| {
        found.iter().any(|it| it.starts_with(&format!("{line}: ")) && it.contains(what))
    };
    assert!(has(sticky, "of type 'sticky' in <Contact> is not read"), "{found:?}");
    assert!(has(own, "both of its surfaces are of one part"), "{found:?}");
}

#[test]
fn connectors_of_bodies_are_joints_and_springs() {
    let bones = [
        Block { material: "bone", ..Block::LOWER },
        Block { material: "skull", at: [2.0, 0.0, 0.0], ..Block::UPPER },
    ];
    let skull = "<material id=\"3\" name=\"skull\" type=\"rigid body\"><density>1</density></material></Material>";
    let both = "<body_a>bone</body_a><body_b>skull</body_b>";
    let joint = |kind: &str, rest: &str| {
        let connector =
            format!("<rigid_connector type=\"{kind}\" name=\"own\">{both}{rest}</rigid_connector>");
        let text = document(&bones, "", "", &format!("<Rigid>{connector}</Rigid>"));
        good(&text.replace("</Material>", skull))
    };
    let places = "<joint_origin>1.5,0.5,0.5</joint_origin><tolerance>0</tolerance>";
    for (kind, axis, ours) in [
        ("rigid revolute joint", "rotation_axis", JointKind::Hinge),
        ("rigid prismatic joint", "translation_axis", JointKind::Slider),
        ("rigid cylindrical joint", "joint_axis", JointKind::Cylindrical),
        ("rigid planar joint", "rotation_axis", JointKind::Planar),
        ("rigid spherical joint", "none", JointKind::Spherical),
        ("rigid lock", "none", JointKind::Solid),
    ] {
        let axis = if axis == "none" { String::new() } else { format!("<{axis}>0,3,0</{axis}>") };
        let file = joint(kind, &format!("{places}{axis}"));
        assert_eq!(told(&file), Vec::<String>::new());
        let (_, joint) = file.model.iter::<Joint>().next().unwrap();
        assert_eq!((joint.settings.kind, joint.name.as_str()), (ours, "own"));
        for site in [&joint.c, &joint.d] {
            let pose = site.world_pose(&file.model).unwrap();
            let origin = pose.translation.vector - Vec3::new(1.5, 0.5, 0.5);
            assert!(origin.norm() < 1e-12, "{kind}: {origin}");
            let turned = if axis.is_empty() { Vec3::z() } else { Vec3::y() };
            assert!((pose.rotation * Vec3::z() - turned).norm() < 1e-12, "{kind}");
        }
        file.model.compile().unwrap();
    }
    let ends = "<insertion_a>1,0,0</insertion_a><insertion_b>2,0,0</insertion_b>";
    let file = joint("rigid spring", &format!("<k>7</k>{ends}"));
    let (_, spring) = file.model.iter::<AxialSpring>().next().unwrap();
    assert_eq!(spring.rest_length, 1.0);
    assert_eq!(file.model.iter::<FrameMarker>().count(), 2);
    let hinge = joint("rigid revolute joint", "<prescribed_rotation>1</prescribed_rotation>");
    let found = told(&hinge);
    assert!(found.iter().any(|it| it.contains("prescribed_rotation")), "{found:?}");
}
