//! Ends of steps that are refused: those that no step can go on from.

use sinew::fem::ElementKind;
use sinew::force::Fault;
use sinew::material::MaterialSpec;
use sinew::system::MechSystem;
use sinew::{Mat3, Vec3};

use crate::fixture::{distorted_mesh, floating, laws};

/// Fault of a step from one homogeneous deformation to another, diagonal in the axes of space.
fn refused(kind: ElementKind, law: MaterialSpec, [before, after]: [[f64; 3]; 2]) -> Option<Fault> {
    let compiled = floating(distorted_mesh(kind), law).compile().unwrap();
    let rest = compiled.initial_state().q;
    let deformed = |stretches: [f64; 3]| {
        let f = Mat3::from_diagonal(&Vec3::from(stretches));
        rest.iter().map(|x| f * x).collect::<Vec<_>>()
    };
    compiled.check_step(&deformed(before), &deformed(after)).err()
}

const REST: [f64; 3] = [1.0; 3];

#[test]
fn corotated_elements_that_lose_their_rotation_are_refused_by_name() {
    let corotated = laws()[1];
    for kind in ElementKind::ALL {
        let lost =
            |steps| matches!(refused(kind, corotated, steps), Some(Fault::Unoriented { .. }));
        // A tetrahedron has an energy of its stretches alone, whatever its rotation.
        let turns = kind != ElementKind::Tet4;
        assert_eq!(lost([REST, [1.0, 1.0, -0.95]]), turns, "{}: no rotation left", kind.name());
        assert_eq!(lost([[1.0, 0.3, 0.6], [1.0, 0.3, -0.6]]), turns, "{}: jumps", kind.name());
        assert!(!lost([REST, [1.0, 1.0, -0.5]]), "{}: inverted, with a rotation", kind.name());
        assert!(!lost([REST, [1.2, 0.1, 0.1]]), "{}: not inverted", kind.name());
    }
}

#[test]
fn points_of_laws_that_need_volume_are_not_stretched_to_half_again_their_length_in_a_step() {
    let mooney = laws()[4];
    for kind in ElementKind::ALL {
        let refused = |steps| matches!(refused(kind, mooney, steps), Some(Fault::Inverted { .. }));
        let stretched = |l: f64| [l, l.powf(-0.5), l.powf(-0.5)];
        assert!(refused([REST, stretched(1.6)]), "{}", kind.name());
        assert!(!refused([REST, stretched(1.4)]), "{}", kind.name());
        assert!(!refused([stretched(1.4), stretched(2.0)]), "{}: by parts", kind.name());
        assert!(refused([REST, [1.0, 1.0, -0.1]]) && refused([REST, [1.0, 1.0, 0.5]]));
        assert!(!refused([REST, [1.0, 1.0, 0.7]]), "{}: pressed", kind.name());
    }
}
