//! Muscles in tissue: the fibres of bundles, and the tissue that they stiffen.

use sinew::Vec3;
use sinew::fem::{ElementKind, Field};
use sinew::material::MaterialSpec;
use sinew::model::{FemModel, Model, MuscleBundle, Region};

use crate::fixture::{Setup, distorted_mesh, error, laws, model, noise, turned};
use crate::forces::{WHOLE, expected};
use crate::matrix::compare;

fn muscle_laws() -> impl Iterator<Item = MaterialSpec> {
    MaterialSpec::examples().into_iter().filter(|law| law.kind().muscle)
}

/// A tissue of two materials with three bundles of a law, one of which turns within its elements.
fn contracting(kind: ElementKind, law: MaterialSpec) -> Model {
    let mut model = model(distorted_mesh(kind, [2, 1, 1]), laws()[4]);
    let fem = model.fem_mut(0);
    let mut materials = laws().into_iter();
    let around = materials.find(|law| law.name() == "holzapfel_ogden").expect("a law of the list");
    fem.regions.push(Region { elements: vec![1], material: around });
    let flat = noise(fem.mesh.nodes.len(), 31).iter().flat_map(|v| [v.x + 2.0, v.y, v.z]).collect();
    fem.mesh.node_fields.insert("lines".to_owned(), Field { components: 3, values: flat });
    let count = fem.mesh.element_count();
    let tissue = model.nth::<FemModel>(0);
    let all = MuscleBundle::new(tissue, law);
    let bundle = |excitation, stiffening| MuscleBundle { excitation, stiffening, ..all.clone() };
    model.add(bundle(0.6, 0.5).in_elements((0..count as u32).rev().collect(), noise(count, 5)));
    model.add(bundle(0.3, 1.5).in_elements(vec![0], vec![Vec3::new(1.0, 2.0, -0.5)]));
    model.add(MuscleBundle { field: "lines".to_owned(), ..bundle(0.8, 0.2) });
    model
}

#[test]
fn forces_products_and_matrices_of_muscles_are_those_of_the_cpu() {
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Wedge15] {
        for law in muscle_laws() {
            let system = contracting(kind, law).compile().unwrap();
            let name = format!("{kind:?} {}", law.name());
            assert_eq!(system.device_view().other_effectors(), [""; 0], "{name}");
            let (q, v) = (turned(&system), noise(system.block_count(), 2));
            let expected = expected(&system, &q, &v);
            let double = error(&Setup::<f64>::new(&system, (&q, &v), WHOLE).forces(), &expected);
            // Some hundred roundings.
            assert!(double < 1e-12, "{name}: {double:e}");
            let single = error(&Setup::<f32>::new(&system, (&q, &v), WHOLE).forces(), &expected);
            // Displacements of a turn are twice the edge of an element: 40 times its strain.
            assert!(single < 2e-5, "{name}: {single:e}");
            compare::<f64>(&system, &name);
        }
    }
}

#[test]
fn bundles_in_pieces_change_nothing_but_the_order_of_sums() {
    let law = muscle_laws().last().expect("laws of muscles");
    let system = contracting(ElementKind::Hex8, law).compile().unwrap();
    let (q, v) = (turned(&system), noise(system.block_count(), 2));
    let [whole, cut] =
        [WHOLE, (32, 2_000)].map(|limits| Setup::<f64>::new(&system, (&q, &v), limits).forces());
    assert!(error(&whole, &cut) < 2e-14, "{:e}", error(&whole, &cut));
}
