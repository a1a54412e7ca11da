//! Fields of tissues: constants that vary are those of regions with the same values, formulas mean what they say, what is
//! wrong with them is told, and they keep their values when the tissue moves.

use sinew::Vec3;
use sinew::component::{Affine, ComponentId};
use sinew::fem::{ElementKind, Field, Incompressible};
use sinew::force::VelocityTerms::Included;
use sinew::material::{MaterialSpec, Value};
use sinew::model::{Edit, FemModel, Model, MuscleBundle, Region};
use sinew::system::MechSystem;

use crate::fixture::{
    all_laws, dense, distorted_mesh, floating, forces, jacobian, largest, random_state,
};

/// The first modulus of a law, and its value.
fn modulus(law: &MaterialSpec) -> (&'static str, f64) {
    let moduli = law.kind().constants.iter().filter(|constant| constant.unit == "Pa");
    let mut found = moduli.filter_map(|constant| match law.get(constant.name) {
        Some(Value::Number(value)) if value > 0.0 => Some((constant.name, value)),
        _ => None,
    });
    found.next().expect("a modulus")
}

/// A tissue in which every element has its own factor on a modulus: by a region each, or by one field.
fn varied(kind: ElementKind, law: MaterialSpec, way: Incompressible, by_field: bool) -> Model {
    let mut model = floating(distorted_mesh(kind), law);
    let fem = model.fem_mut(0);
    (fem.incompressible, fem.stiffness_damping) = (way, 0.01);
    let (name, value) = modulus(&law);
    let count = fem.mesh.element_count();
    let factor = |e: usize| 1.0 + 0.5 * e as f64 / count as f64;
    if by_field {
        let values = (0..count).map(|e| value * factor(e)).collect();
        fem.mesh.element_fields.insert("the modulus".into(), Field { components: 1, values });
        fem.fields.insert(name.into(), "{the modulus}".into());
    } else {
        for e in 0..count {
            let mut material = law;
            material.put(name, Value::Number(value * factor(e)));
            fem.regions.push(Region { elements: vec![e as u32], material });
        }
    }
    model
}

#[test]
fn a_field_does_what_a_region_for_each_element_does() {
    for (kind, way) in [
        (ElementKind::Tet4, Incompressible::Off),
        (ElementKind::Hex8, Incompressible::Element),
        (ElementKind::Hex8, Incompressible::Fbar),
        (ElementKind::Wedge15, Incompressible::Off),
    ] {
        for law in all_laws() {
            if law.kind().volume.is_none() && way != Incompressible::Off {
                continue;
            }
            let [field, regions] = [true, false].map(|by_field| {
                let model = varied(kind, law, way, by_field);
                let compiled =
                    model.compile().unwrap_or_else(|error| panic!("{}: {error}", law.name()));
                let state = random_state(&compiled, 5);
                let matrix = dense(&jacobian(&compiled, &state, 1.0, 0.01));
                (forces(&compiled, &state, Included), matrix, compiled.energies(&state).strain)
            });
            let name = format!("{} {} {way:?}", kind.name(), law.name());
            let size = largest(&regions.0);
            for (a, b) in field.0.iter().zip(&regions.0) {
                assert!((a - b).norm() <= 1e-12 * size, "{name}: {a} instead of {b}");
            }
            let error = (&field.1 - &regions.1).amax() / regions.1.amax();
            assert!(error < 1e-12, "{name}: matrix off by {error:e}");
            assert!((field.2 / regions.2 - 1.0).abs() < 1e-12, "{name}: {} {}", field.2, regions.2);
        }
    }
}

fn neo_hookean() -> MaterialSpec {
    MaterialSpec::from_name("neohook").unwrap()
}

#[test]
fn a_density_of_a_formula_gives_the_masses_of_its_elements() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean());
    let mass = |model: &Model| model.compile().unwrap().masses().iter().sum::<f64>();
    let plain = mass(&model);
    model.fem_mut(0).fields.insert("density".into(), "2000".into());
    let density = model.fem(0).density;
    assert!((mass(&model) / plain - 2000.0 / density).abs() < 1e-12);
    // Two elements of nearly the same volume, left and right of 0.1 m.
    model.fem_mut(0).fields.insert("density".into(), "1000 + 2000 * (x > 0.1)".into());
    let refused = model.compile().err().unwrap().to_string();
    assert!(refused.contains("field.density"), "{refused}");
}

#[test]
fn a_field_of_the_mesh_hides_the_constant_of_its_name() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean());
    let mass = |model: &Model| model.compile().unwrap().masses().iter().sum::<f64>();
    let volume = mass(&model) / model.fem(0).density;
    let mesh = &mut model.fem_mut(0).mesh;
    let field = |components: usize, value: f64, count: usize| Field {
        components,
        values: vec![value; components * count],
    };
    let (elements, nodes) = (mesh.element_count(), mesh.nodes.len());
    mesh.element_fields.insert("E".into(), field(1, 500.0, elements));
    mesh.node_fields.insert("PI".into(), field(1, 300.0, nodes));
    mesh.node_fields.insert("tau".into(), field(3, 1.0, nodes));
    for (formula, density) in [
        ("E", 500.0),
        ("{E}", 500.0),
        ("2 * E + PI", 1300.0),
        ("100 * {tau.x}", 100.0),
        ("100 * e", 100.0 * std::f64::consts::E),
    ] {
        model.fem_mut(0).fields.insert("density".into(), formula.into());
        let found = mass(&model) / volume;
        assert!((found / density - 1.0).abs() < 1e-12, "{formula}: {found}, not {density}");
    }
    model.fem_mut(0).fields.insert("density".into(), "100 * tau".into());
    let refused = model.compile().err().unwrap().to_string();
    assert!(refused.contains("{tau.x}"), "{refused}");
}

#[test]
fn sheets_along_the_fibres_of_a_field_are_refused_by_element() {
    let refused = |of_field: [Option<&str>; 2], fibres: Vec3, sheets: Vec3| {
        let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean());
        let fem = model.fem_mut(0);
        (fem.fibres, fem.sheets) = (vec![fibres], vec![sheets]);
        for (name, text) in ["fibres", "sheets"].into_iter().zip(of_field) {
            text.map(|text| fem.fields.insert(name.into(), text.into()));
        }
        model.compile().err().map(|error| error.to_string())
    };
    let (x, y) = (Vec3::x(), Vec3::y());
    assert_eq!(refused([None, None], x, y), None);
    // Fields stand in place of lists, and turn where they cross.
    assert_eq!(refused([Some("0; 1; 0"), None], y, x), None);
    assert_eq!(refused([Some("1; x; 0"), Some("-x; 1; 0")], x, y), None);
    for (fields, at) in [
        ([Some("1 + x; 0; 0"), Some("-2; 0; 0")], "tissue:field.sheets"),
        ([Some("0; -1; 0"), None], "tissue:field.fibres"),
        ([None, Some("1; 0; 1e-8")], "tissue:field.sheets"),
        // Along each other in the second element.
        ([Some("1; 0; 0"), Some("1; max(0, -x); 0")], "tissue:field.sheets"),
    ] {
        let said = refused(fields, x, y).unwrap_or_default();
        let in_element = said.contains("lies along the fibres in element ");
        assert!(said.contains(at) && in_element, "{fields:?}: {said}");
    }
}

#[test]
fn a_direction_without_a_value_at_a_point_is_refused() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean());
    // A number at the mean of each element, none at points of the second one.
    model.fem_mut(0).fields.insert("fibres".into(), "sqrt(0.065 - x); 0; 0".into());
    let refused = model.compile().err().unwrap().to_string();
    assert!(refused.contains("field.fibres") && refused.contains("in element 1"), "{refused}");
}

/// The shape functions of a hexahedron reproduce a linear function: its formula turns directions as the field of its values
/// at the nodes does, and otherwise than its means over the elements.
#[test]
fn a_formula_turns_directions_within_elements() {
    let guccione = MaterialSpec::from_name("guccione").unwrap();
    let muscle = MaterialSpec::from_name("simple_muscle").unwrap();
    let linear = |x: &Vec3| [1.0, 8.0 * x.x, -3.0 * x.z];
    for (law, with_bundle) in [(guccione, false), (neo_hookean(), true)] {
        let forces_along = |fibres: &str| {
            let mut model = floating(distorted_mesh(ElementKind::Hex8), law);
            let fem = model.fem_mut(0);
            fem.fields.insert("fibres".into(), fibres.into());
            let mesh = &mut fem.mesh;
            let values = mesh.nodes.iter().flat_map(linear).collect();
            let mean = |nodes: &[u32]| -> Vec3 {
                nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
            };
            let means = mesh.elements().flat_map(|(_, nodes)| linear(&mean(nodes))).collect();
            mesh.node_fields.insert("lines".into(), Field { components: 3, values });
            mesh.element_fields.insert("means".into(), Field { components: 3, values: means });
            let tissue = model.nth::<FemModel>(0);
            if with_bundle {
                model.add(MuscleBundle { excitation: 0.7, ..MuscleBundle::new(tissue, muscle) });
            }
            let compiled = model.compile().unwrap();
            forces(&compiled, &random_state(&compiled, 4), Included)
        };
        let formula = forces_along("1; 8 * x; -3 * z");
        let apart = |other: &str| {
            let other = forces_along(other);
            let errors = formula.iter().zip(&other).map(|(a, b)| (a - b).norm());
            errors.fold(0.0, f64::max) / largest(&formula)
        };
        assert!(apart("lines") < 1e-10, "{}: {:.1e}", law.name(), apart("lines"));
        assert!(apart("means") > 1e-3, "{}: {:.1e}", law.name(), apart("means"));
    }
}

#[test]
fn what_is_wrong_with_a_field_is_told() {
    let error = |name: &str, formula: &str| {
        let mut model = floating(distorted_mesh(ElementKind::Tet4), neo_hookean());
        model.fem_mut(0).fields.insert(name.into(), formula.into());
        model.compile().err().unwrap().to_string()
    };
    for (name, formula, said) in [
        ("youngs_modulus", "1e4 * (x - 0.1)", "element"),
        ("youngs_modulus", "1e4 *", "no formula"),
        ("youngs_modulus", "1e4 * bone", "'bone'"),
        ("poissons_ratio", "0.5", "0.5)"),
        ("youngs_modlus", "1e4", "a constant of a law"),
        ("density", "0 * x", "> 0"),
        ("fibres", "1; 0", "semicolons"),
        ("fibres", "0; 0; 0", "> 0"),
    ] {
        let error = error(name, formula);
        assert!(error.contains(&format!("field.{name}")) && error.contains(said), "{error}");
    }
}

#[test]
fn a_tissue_that_moves_keeps_the_values_of_its_formulas() {
    let law = MaterialSpec::examples()
        .into_iter()
        .find(|law| law.name() == "transverse_linear")
        .expect("a law with fibres");
    let mut model = floating(distorted_mesh(ElementKind::Hex8), law);
    let fem = model.fem_mut(0);
    fem.fibres.clear();
    fem.sheets.clear();
    fem.fields.insert("fibres".into(), "1; 10 * x; y".into());
    fem.fields.insert(modulus(&law).0.into(), format!("{} * (1 + 10 * x)", modulus(&law).1));
    let energy = |model: &Model| {
        let compiled = model.compile().unwrap();
        let mut state = compiled.initial_state();
        let stretch = compiled.rest_positions().to_vec();
        let middle = stretch.iter().sum::<Vec3>() / stretch.len() as f64;
        state.q.iter_mut().zip(&stretch).for_each(|(q, x)| *q = middle + (x - middle) * 1.01);
        compiled.energies(&state).strain
    };
    let before = energy(&model);
    let fem: ComponentId = model.nth::<FemModel>(0).id();
    let turn = Affine::rotation(Vec3::new(3.0, 1.0, -2.0), Vec3::new(0.3, -0.7, 0.4));
    model.edit(Edit::transform(fem, turn)).unwrap();
    let after = energy(&model);
    assert!((after / before - 1.0).abs() < 1e-9, "{before} {after}");
}

#[test]
fn directions_of_nodes_turn_the_fibres_of_a_bundle_within_an_element() {
    let mut model = floating(distorted_mesh(ElementKind::Hex8), neo_hookean());
    let fem = model.nth::<FemModel>(0);
    let mesh = &mut model.fem_mut(0).mesh;
    let turned = |x: &Vec3| [1.0, 4.0 * x.x, 0.0];
    let of_nodes: Vec<f64> = mesh.nodes.iter().flat_map(turned).collect();
    mesh.node_fields.insert("lines".into(), Field { components: 3, values: of_nodes });
    let law = MaterialSpec::from_name("simple_muscle").unwrap();
    let bundle =
        MuscleBundle { field: "lines".into(), excitation: 0.7, ..MuscleBundle::new(fem, law) };
    let bundle = model.add(bundle);
    let pull = |model: &Model| {
        let compiled = model.compile().unwrap();
        forces(&compiled, &compiled.initial_state(), Included)
    };
    let inside = pull(&model);
    // The same vectors once an element: other forces, and the same resultant of zero.
    let mesh = &mut model.fem_mut(0).mesh;
    let mean = |nodes: &[u32]| -> Vec3 {
        nodes.iter().map(|&n| Vec3::from(turned(&mesh.nodes[n as usize]))).sum::<Vec3>() / 8.0
    };
    let of_elements =
        mesh.elements().flat_map(|(_, nodes)| <[f64; 3]>::from(mean(nodes))).collect();
    mesh.element_fields.insert("means".into(), Field { components: 3, values: of_elements });
    model[bundle].field = "means".into();
    let whole = pull(&model);
    let apart = inside.iter().zip(&whole).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    let size = largest(&whole);
    assert!(apart > 1e-3 * size && apart < 0.5 * size, "{apart:e} of {size:e}");
    let sum: Vec3 = inside.iter().sum();
    assert!(sum.norm() < 1e-12 * size, "{sum}");
}
