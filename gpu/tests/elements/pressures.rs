//! Tissue with pressures of its elements.

use sinew::Vec3;
use sinew::fem::{ElementKind, Incompressible};
use sinew::material::{MaterialSpec, PronySeries, PronyStress};
use sinew::model::{FemModel, RestState};
use sinew::system::{CompiledModel, Motion, State};
use sinew_gpu::elements::Twins;
use sinew_shaders::cpu::Real;
use sinew_shaders::machine::ElementTwins;

use crate::fixture::{STEP, Setup, distorted_mesh, error, laws, model, noise, turned};
use crate::forces::{WHOLE, expected, expected_in};
use crate::matrix::{compare, compare_in};
use crate::relaxing::remembering;

/// Every kind with more than one point.
const KINDS: [ElementKind; 7] = [
    ElementKind::Hex8,
    ElementKind::Wedge6,
    ElementKind::Pyramid5,
    ElementKind::Tet10,
    ElementKind::Hex20,
    ElementKind::Wedge15,
    ElementKind::Pyramid13,
];

/// Laws with a part of the volume alone.
fn laws_of_volume() -> impl Iterator<Item = MaterialSpec> {
    laws().into_iter().filter(|law| law.bulk().is_some())
}

/// Kinds whose volume may be that at the centre, where that is not their one point.
const CENTRED: [ElementKind; 3] = [ElementKind::Hex8, ElementKind::Wedge6, ElementKind::Pyramid5];

/// Kinds with forms of their volume that a device computes.
fn kinds_and_forms() -> impl Iterator<Item = (ElementKind, Incompressible)> {
    let of = |form| move |kind| (kind, form);
    let own = KINDS.into_iter().map(of(Incompressible::Element));
    let centred = CENTRED.into_iter().map(of(Incompressible::Fbar));
    let nodal = CENTRED.into_iter().chain([ElementKind::Tet4]).map(of(Incompressible::Nodal));
    own.chain(centred).chain(nodal)
}

/// Two cells of a kind with pressures.
fn pressed(
    (kind, form): (ElementKind, Incompressible),
    law: MaterialSpec,
    change: fn(&mut FemModel),
) -> CompiledModel {
    let mut model = model(distorted_mesh(kind, [2, 1, 1]), law);
    let fem = model.fem_mut(0);
    fem.incompressible = form;
    change(fem);
    let system = model.compile().unwrap();
    assert_eq!(system.device_view().other_effectors(), [""; 0], "{kind:?} {}", law.name());
    system
}

fn found<T: Real>(system: &CompiledModel, q: &[Vec3], v: &[Vec3]) -> Vec<Vec3>
where
    Twins: ElementTwins<T>,
{
    Setup::<T>::new(system, (q, v), WHOLE).forces()
}

#[test]
fn forces_products_and_matrices_with_pressures_are_those_of_the_cpu() {
    assert!(laws_of_volume().count() > 8);
    for (kind, law) in
        kinds_and_forms().flat_map(|kind| laws_of_volume().map(move |law| (kind, law)))
    {
        let (system, name) = (pressed(kind, law, |_| ()), format!("{kind:?} {}", law.name()));
        let q = turned(&system);
        let v = noise(q.len(), 2);
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
fn points_that_are_squeezed_flat_resist_as_on_the_cpu() {
    let law = MaterialSpec::from_name("mr").unwrap();
    for kind in kinds_and_forms() {
        let system = pressed(kind, law, |_| ());
        let squeezed = |(x, d): (&Vec3, Vec3)| Vec3::new(0.45 * x.x, x.y, x.z) + d * 2e-3;
        let rest = system.rest_positions();
        let q: Vec<Vec3> = rest.iter().zip(noise(rest.len(), 5)).map(squeezed).collect();
        let v = noise(q.len(), 2);
        let double = error(&found::<f64>(&system, &q, &v), &expected(&system, &q, &v));
        assert!(double < 1e-12, "{kind:?}: {double:e}");
        compare_in::<f64>(&system, Motion::at(&q, &q), &format!("squeezed {kind:?}"));
    }
}

#[test]
fn pressures_keep_the_digits_of_small_strains_in_f32_and_translations_make_none() {
    for (law, form) in laws_of_volume().flat_map(|law| {
        [Incompressible::Element, Incompressible::Fbar, Incompressible::Nodal]
            .map(|form| (law, form))
    }) {
        let system = pressed((ElementKind::Hex8, form), law, |_| ());
        let zero = vec![Vec3::zeros(); system.block_count()];
        let moved = noise(zero.len(), 3);
        let rest = system.rest_positions();
        let q: Vec<Vec3> = rest.iter().zip(&moved).map(|(x, d)| x + d * 1e-7).collect();
        let single = error(&found::<f32>(&system, &q, &zero), &expected(&system, &q, &zero));
        assert!(single < 1e-3, "{}: {single:e}", law.name());
        let shift = vec![Vec3::new(0.3, -0.7, 0.11); zero.len()];
        let mut setup = Setup::<f32>::new(&system, (&shift, &shift), WHOLE);
        setup.displace(&[0.3, -0.7, 0.11].repeat(zero.len()));
        assert!(setup.forces().iter().all(|f| *f == Vec3::zeros()), "{}", law.name());
    }
}

#[test]
fn pressures_beside_growth_and_stresses_that_relax_are_those_of_the_cpu() {
    fn grow(fem: &mut FemModel) {
        fem.rest = RestState { growth: 1.05, ..RestState::default() };
        fem.prony = PronySeries::new([[0.004, 0.5], [0.02, 0.3]]);
    }
    fn turn(fem: &mut FemModel) {
        grow(fem);
        fem.prony.stress = PronyStress::Cauchy;
    }
    for (law, change) in laws_of_volume().flat_map(|law| [(law, grow as fn(&mut _)), (law, turn)]) {
        for kind in [
            (ElementKind::Hex8, Incompressible::Element),
            (ElementKind::Wedge15, Incompressible::Element),
            (ElementKind::Wedge6, Incompressible::Fbar),
            (ElementKind::Tet4, Incompressible::Nodal),
        ] {
            let (system, name) = (pressed(kind, law, change), format!("{kind:?} {}", law.name()));
            let state: State = remembering(&system);
            let v = noise(state.q.len(), 2);
            let motion = Motion { u: &v, ..Motion::of(&state, STEP[0]) };
            let mut setup = Setup::<f64>::new(&system, (&state.q, &v), WHOLE);
            setup.give_memory(&state.memory);
            let double = error(&setup.forces(), &expected_in(&system, motion, &v));
            assert!(double < 1e-12, "{name}: {double:e}");
            compare_in::<f64>(&system, motion, &name);
        }
    }
}
