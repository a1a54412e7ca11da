//! Growth and prestrain: forces stay the derivatives of energies, a free block that grew is without stress, one at rest has
//! the stress of the law, masses stay, and what is wrong with a rest state is told.

use sinew::fem::{ElementKind, Incompressible};
use sinew::force::VelocityTerms::Excluded;
use sinew::material::{Deformation, Isotropic, Material, MaterialSpec};
use sinew::model::{Model, RestState};
use sinew::system::MechSystem;
use sinew::{Mat3, Vec3};

use crate::fixture::{
    ISOTROPIC, distorted_mesh, floating, forces, is_corotated, largest, laws, random_state,
};

const GROWN: RestState = RestState {
    growth: 1.3,
    growth_along: [1.1, 0.95, 1.05],
    prestretch: 1.0,
    prestrain: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    ramp: 1.0,
};

fn model(kind: ElementKind, law: MaterialSpec, way: Incompressible, rest: RestState) -> Model {
    let mut model = floating(distorted_mesh(kind), law);
    let fem = model.fem_mut(0);
    (fem.incompressible, fem.rest) = (way, rest);
    fem.fibres = vec![Vec3::new(1.0, 0.4, -0.3)];
    fem.sheets.clear();
    model
}

fn ways(kind: ElementKind, law: &MaterialSpec) -> Vec<Incompressible> {
    let mut ways = vec![Incompressible::Off];
    if law.kind().volume.is_some() && kind == ElementKind::Hex8 {
        ways.extend([Incompressible::Element, Incompressible::Fbar, Incompressible::Nodal]);
    }
    ways
}

#[test]
fn a_free_block_is_without_force_and_energy_where_it_has_grown_to() {
    for kind in ElementKind::ALL {
        for law in laws() {
            for way in ways(kind, &law) {
                let compiled = model(kind, law, way, GROWN).compile().unwrap();
                let mut state = compiled.initial_state();
                let axes = axes();
                let grown = axes * GROWN.elastic() * axes.transpose();
                let grown = grown.try_inverse().unwrap();
                let at_rest = largest(&forces(&compiled, &state, Excluded));
                let energy = compiled.energies(&state).strain;
                state.q.iter_mut().for_each(|x| *x = grown * *x);
                let name = format!("{} {} {way:?}", kind.name(), law.name());
                let left = largest(&forces(&compiled, &state, Excluded));
                assert!(at_rest > 0.0 && left < 1e-9 * at_rest, "{name}: {left} of {at_rest}");
                let left = compiled.energies(&state).strain;
                assert!(left.abs() < 1e-9 * energy, "{name}: energy {left} of {energy}");
            }
        }
    }
}

/// Axes of the tissue of [`model`]: its fibres, and the axis of space that is farthest from them.
fn axes() -> Mat3 {
    let fibre = Vec3::new(1.0, 0.4, -0.3).normalize();
    let sheet = Vec3::z() - fibre * fibre.z;
    let sheet = sheet.normalize();
    Mat3::from_columns(&[fibre, sheet, fibre.cross(&sheet)])
}

#[test]
fn forces_are_derivatives_of_the_energy_where_growth_varies() {
    for kind in [ElementKind::Tet4, ElementKind::Hex8, ElementKind::Tet10, ElementKind::Wedge6] {
        for law in laws() {
            for way in ways(kind, &law) {
                if is_corotated(&law) {
                    // The rotation is that of the centre, which forces take as fixed.
                    continue;
                }
                let rest = RestState { prestretch: 1.1, ..GROWN };
                let mut model = model(kind, law, way, rest);
                let fem = model.fem_mut(0);
                fem.fields.insert("growth".into(), "1.2 + 0.5 * x".into());
                let compiled = model.compile().unwrap();
                let state = random_state(&compiled, 3);
                let exact = forces(&compiled, &state, Excluded);
                let scale = largest(&exact);
                for row in 0..exact.len().min(6) {
                    for axis in 0..3 {
                        let energy = |shift: f64| {
                            let mut moved = state.clone();
                            moved.q[row][axis] += shift;
                            compiled.energies(&moved).strain
                        };
                        let step = 1e-7;
                        let slope = (energy(-step) - energy(step)) / (2.0 * step);
                        let error = (slope - exact[row][axis]).abs();
                        let name = format!("{} {} {way:?}", kind.name(), law.name());
                        assert!(error < 1e-4 * scale, "{name}: {slope} {}", exact[row][axis]);
                    }
                }
            }
        }
    }
}

#[test]
fn a_block_at_rest_has_the_stress_of_its_law_and_keeps_its_mass() {
    let law = MaterialSpec::NeoHookean(ISOTROPIC);
    let rest = RestState { prestretch: 1.2, growth: 1.1, ..RestState::default() };
    let free = model(ElementKind::Hex8, law, Incompressible::Off, RestState::default());
    let stressed = model(ElementKind::Hex8, law, Incompressible::Off, rest.clone());
    let masses = |model: &Model| model.compile().unwrap().masses().iter().sum::<f64>();
    assert!((masses(&free) / masses(&stressed) - 1.0).abs() < 1e-12, "mass is that at rest");
    let compiled = stressed.compile().unwrap();
    let elastic = axes() * rest.elastic() * axes().transpose();
    let at = Deformation::new(elastic - Mat3::identity());
    let expected = law.law::<f64>().stress(&at);
    let fem = stressed.iter::<sinew::model::FemModel>().next().unwrap().0;
    let state = compiled.initial_state();
    let element = compiled.at(&state).element_state(fem, 0).unwrap();
    let error = (element.stress - expected).norm() / expected.norm();
    assert!(error < 1e-10, "{} instead of {expected}", element.stress);
    assert!((element.volume_ratio - 1.0).abs() < 1e-12 && element.strain.norm() < 1e-12);
}

#[test]
fn what_is_wrong_with_a_rest_state_is_told() {
    let law = MaterialSpec::NeoHookean(Isotropic { ..ISOTROPIC });
    let flat = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -0.5));
    for (rest, named) in [
        (RestState { growth: 0.0, ..RestState::default() }, "rest.growth"),
        (RestState { prestretch: f64::NAN, ..RestState::default() }, "rest.prestretch"),
        (RestState { ramp: 1.5, ..RestState::default() }, "rest.ramp"),
        (RestState { prestrain: flat, ..RestState::default() }, "rest.prestrain"),
    ] {
        let error = model(ElementKind::Hex8, law, Incompressible::Off, rest).compile();
        let text = error.err().expect("it is refused").to_string();
        assert!(text.contains(named), "{text}");
    }
}
