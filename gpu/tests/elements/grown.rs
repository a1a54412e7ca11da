//! Tissue whose shape without stress is not that at rest: growth and prestrain.

use sinew::fem::ElementKind;
use sinew::material::MaterialSpec;
use sinew::model::{Model, RestState};
use sinew::system::CompiledModel;
use sinew::{Mat3, Vec3};
use sinew_gpu::elements::Twins;
use sinew_shaders::cpu::Real;
use sinew_shaders::machine::ElementTwins;

use crate::fixture::{Setup, distorted_mesh, error, kinds_and_laws, model, noise, turned};
use crate::forces::{WHOLE, expected};
use crate::matrix::compare;

/// Two cells of a kind that are strained at rest, the more the further along x, times `size`.
fn grown(kind: ElementKind, law: MaterialSpec, size: f64) -> CompiledModel {
    let mut model: Model = model(distorted_mesh(kind, [2, 1, 1]), law);
    let fem = model.fem_mut(0);
    fem.rest = RestState {
        growth: 1.2,
        growth_along: [1.1, 0.94, 1.05],
        prestretch: 1.08,
        prestrain: Mat3::new(1.0, 0.05, 0.0, 0.02, 0.96, -0.04, 0.0, 0.06, 1.0),
        ramp: size,
    };
    fem.fields.insert("growth".to_owned(), "1 + 2 * x".to_owned());
    model.compile().unwrap()
}

fn found<T: Real>(system: &CompiledModel, q: &[Vec3], v: &[Vec3]) -> Vec<Vec3>
where
    Twins: ElementTwins<T>,
{
    Setup::<T>::new(system, (q, v), WHOLE).forces()
}

#[test]
fn forces_products_and_matrices_of_grown_tissue_are_those_of_the_cpu() {
    for (kind, law) in kinds_and_laws() {
        let system = grown(kind, law, 1.0);
        let name = format!("{kind:?} {}", law.name());
        assert_eq!(system.device_view().other_effectors(), [""; 0], "{name}");
        let (q, v) = (turned(&system), noise(system.block_count(), 2));
        let expected = expected(&system, &q, &v);
        let double = error(&found::<f64>(&system, &q, &v), &expected);
        // Some hundred roundings.
        assert!(double < 1e-12, "{name}: {double:e}");
        let single = error(&found::<f32>(&system, &q, &v), &expected);
        // Displacements of a turn are twice the edge of an element: 40 times its strain.
        assert!(single < 2e-5, "{name}: {single:e}");
        compare::<f64>(&system, &name);
    }
}

#[test]
fn growth_by_a_millionth_keeps_three_digits_in_f32() {
    for (kind, law) in kinds_and_laws() {
        let system = grown(kind, law, 1e-5);
        let zero = vec![Vec3::zeros(); system.block_count()];
        let moved = noise(zero.len(), 3);
        let rest = system.rest_positions();
        let q: Vec<Vec3> = rest.iter().zip(&moved).map(|(x, d)| x + d * 1e-7).collect();
        let single = error(&found::<f32>(&system, &q, &zero), &expected(&system, &q, &zero));
        assert!(single < 1e-3, "{kind:?} {}: {single:e}", law.name());
    }
}
