//! Invariants: rigid motion strains nothing, internal forces have no resultant, masses add up.

use nalgebra::Rotation3;
use proptest::prelude::*;
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::force::VelocityTerms::Excluded;
use sinew::material::MaterialSpec;
use sinew::system::{CompiledModel, MechSystem, State};

use crate::fixture::{
    DENSITY, all_laws, distorted_mesh, floating, forces, has_energy, largest, laws, random_state,
};

fn turned(state: &State, rotation: &Rotation3<f64>, shift: Vec3) -> State {
    let mut state = state.clone();
    state.q.iter_mut().for_each(|q| *q = rotation * *q + shift);
    state
}

/// Forces that a strain of 1 would make, to compare with.
fn force_scale(model: &CompiledModel) -> f64 {
    largest(&forces(model, &random_state(model, 1), Excluded)) / 0.05
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn rigid_motions_make_no_force_and_no_energy(
        angles in [-3.1f64..3.1, -1.5..1.5, -3.1..3.1],
        shift in [-2.0f64..2.0, -2.0..2.0, -2.0..2.0],
    ) {
        let rotation = Rotation3::from_euler_angles(angles[0], angles[1], angles[2]);
        for kind in ElementKind::ALL {
            for law in all_laws() {
                let model = floating(distorted_mesh(kind), law).compile().unwrap();
                let linear = matches!(law, MaterialSpec::Linear(_));
                let rotation = if linear { Rotation3::identity() } else { rotation };
                let state = turned(&model.initial_state(), &rotation, shift.into());
                // Positions of up to 3 m round at 4e-16 m, strains of 0.05 m elements at 1e-14.
                let error = largest(&forces(&model, &state, Excluded)) / force_scale(&model);
                prop_assert!(error < 1e-12, "{} {}: {error:.1e}", kind.name(), law.name());
                // E V is the energy of a strain of some 1; that of 1e-14 is far below rounding of W.
                let energy = model.energies(&state).strain / (5e4 * 2e-3);
                prop_assert!(energy.abs() < 1e-13, "{} {}: {energy:.1e}", kind.name(), law.name());
            }
        }
    }
}

#[test]
fn turning_a_strained_tissue_turns_its_forces() {
    let rotation = Rotation3::from_euler_angles(2.0, -0.7, 1.1);
    let shift = Vec3::new(0.3, -0.2, 0.5);
    for kind in ElementKind::ALL {
        for law in all_laws().into_iter().filter(|law| !matches!(law, MaterialSpec::Linear(_))) {
            let model = floating(distorted_mesh(kind), law).compile().unwrap();
            let state = random_state(&model, 2);
            let before = forces(&model, &state, Excluded);
            let after = forces(&model, &turned(&state, &rotation, shift), Excluded);
            let error = before.iter().zip(&after).map(|(a, b)| (rotation * a - b).norm());
            let error = error.fold(0.0, f64::max) / largest(&before);
            assert!(error < 1e-12, "{} {}: {error:.1e}", kind.name(), law.name());
        }
    }
}

#[test]
fn internal_forces_have_neither_resultant_nor_moment() {
    for kind in ElementKind::ALL {
        for law in all_laws() {
            let model = floating(distorted_mesh(kind), law).compile().unwrap();
            let name = format!("{} {}", kind.name(), law.name());
            let state = random_state(&model, 3);
            let force = forces(&model, &state, Excluded);
            let size: f64 = force.iter().map(|f| f.norm()).sum();
            let resultant = force.iter().sum::<Vec3>().norm() / size;
            assert!(resultant < 1e-13, "{name}: resultant {resultant:.1e}");
            // The linear law is in balance about the rest positions, where its stress lives.
            let linear = matches!(law, MaterialSpec::Linear(_));
            let arms = if linear { model.rest_positions() } else { &state.q };
            let moment: Vec3 = arms.iter().zip(&force).map(|(x, f)| x.cross(f)).sum();
            let moment = moment.norm() / (size * 0.1);
            if has_energy(kind, &law) {
                assert!(moment < 1e-13, "{name}: moment {moment:.1e}");
            } else {
                // One rotation for several points leaves a moment of second order in the strain.
                assert!(moment < 0.05, "{name}: moment {moment:.1e}");
            }
        }
    }
}

/// Volume of a mesh by the divergence theorem over its corner-node faces would miss curved edges,
/// so the quadrature of the elements is asked, as the sum of weights times det dX/dr.
fn volume(mesh: &VolumeMesh) -> f64 {
    let of_element = |(kind, nodes): (ElementKind, &[u32])| -> f64 {
        let of_point = |r: [f64; 3]| {
            let mut gradients = vec![[0.0; 3]; kind.node_count()];
            kind.gradient(r, &mut gradients);
            let mut jacobian = sinew::Mat3::zeros();
            for (&node, dn) in nodes.iter().zip(&gradients) {
                jacobian += mesh.nodes[node as usize] * Vec3::from(*dn).transpose();
            }
            jacobian.determinant()
        };
        kind.points().iter().map(|p| p.weight * of_point(p.at)).sum()
    };
    mesh.elements().map(of_element).sum()
}

#[test]
fn masses_are_positive_and_sum_to_density_times_volume() {
    for kind in ElementKind::ALL {
        let mesh = distorted_mesh(kind);
        let expected = DENSITY * volume(&mesh);
        let model = floating(mesh, laws()[0]).compile().unwrap();
        assert!(model.masses().iter().all(|&m| m > 0.0), "{}: {:?}", kind.name(), model.masses());
        let error = model.masses().iter().sum::<f64>() / expected - 1.0;
        assert!(error.abs() < 1e-13, "{}: {error:.1e}", kind.name());
    }
}

#[test]
fn a_box_of_every_kind_weighs_what_a_box_weighs() {
    use sinew_datasets::beam::beam_mesh;
    for kind in ElementKind::ALL {
        let mesh =
            beam_mesh(crate::fixture::beam_element(kind), [2, 1, 1], [0.2, 0.1, 0.1]).unwrap();
        let model = floating(mesh, laws()[0]).compile().unwrap();
        let error = model.masses().iter().sum::<f64>() / (DENSITY * 2e-3) - 1.0;
        // The 14 points of hex20 and the 4 of tet10 are published to some 15 digits.
        assert!(error.abs() < 1e-12, "{}: {error:.1e}", kind.name());
        let volume = model.at(&model.initial_state()).volume() / 2e-3 - 1.0;
        assert!(volume.abs() < 1e-12, "{}: volume {volume:.1e}", kind.name());
    }
}
