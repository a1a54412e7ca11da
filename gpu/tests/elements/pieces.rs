//! Several batches, dampings, segments and pieces.

use sinew::fem::ElementKind;
use sinew::model::{FemModel, Model, Region};

use crate::fixture::{FACTORS, Setup, distorted_mesh, error, laws, model, noise, turned};

/// Two tissues with different damping, the first of two materials, as one of four kinds each.
fn mixed(kind: ElementKind) -> Model {
    let mut mixed = model(distorted_mesh(kind, [4, 2, 2]), laws()[1]);
    let region = Region { elements: vec![1, 5, 6], material: laws()[3] };
    mixed.fem_mut(0).regions.push(region);
    let mut second =
        FemModel::new("second", distorted_mesh(ElementKind::Tet4, [2, 2, 1]), 900.0, laws()[4]);
    second.stiffness_damping = 0.01;
    mixed.add(second);
    mixed
}

#[test]
fn pieces_and_segments_change_nothing_but_the_order_of_sums() {
    for kind in [ElementKind::Hex8, ElementKind::Tet10] {
        let system = mixed(kind).compile().unwrap();
        let q = turned(&system);
        let v = noise(q.len(), 5);
        let whole = &mut Setup::<f64>::new(&system, (&q, &v), (1 << 20, 1 << 30));
        // A hexahedron has 8 points of 80 bytes and 72 bytes of its centre.
        let cut = &mut Setup::<f64>::new(&system, (&q, &v), (32, 2_000));
        assert_eq!(whole.elements.gathers().len(), 1);
        assert!(cut.elements.gathers().len() > 1, "{}", cut.elements.gathers().len());
        assert!(cut.segments.len() > 1);
        let (a, b) = (whole.forces(), cut.forces());
        // Rows at the border of two nodal buffers are summed in another order.
        assert!(error(&a, &b) < 1e-15 * 20.0, "{:e}", error(&a, &b));
        let (mut a, mut b) = (whole.matrix(), cut.matrix());
        a.sort_by_key(|(place, _)| *place);
        b.sort_by_key(|(place, _)| *place);
        assert_eq!(a.len(), b.len());
        let largest = a.iter().map(|(_, k)| k.amax()).fold(0.0, f32::max);
        for ((at, k), (place, l)) in a.iter().zip(&b) {
            assert_eq!(at, place);
            // Pieces are added one after another to what stands in f32.
            assert!((k - l).amax() <= 1e-6 * largest, "{at:?}");
        }
    }
}

#[test]
fn each_damping_has_a_factor_of_its_own() {
    let mut tissue = mixed(ElementKind::Wedge6);
    let system = tissue.compile().unwrap();
    let q = turned(&system);
    let v = noise(q.len(), 6);
    let mut damped = Setup::<f64>::new(&system, (&q, &v), (1 << 20, 1 << 30));
    let dampings = |setup: &Setup<f64>| {
        setup.elements.scales().iter().map(|scale| scale.damping).collect::<Vec<_>>()
    };
    assert_eq!(dampings(&damped), [0.0, 0.01]);
    let both = damped.forces();
    tissue.fem_mut(1).stiffness_damping = 0.0;
    let system = tissue.compile().unwrap();
    let mut same = Setup::<f64>::new(&system, (&q, &v), (1 << 20, 1 << 30));
    assert_eq!(dampings(&same), [0.0]);
    let one = same.forces();
    // The factor of the second tissue, the damped one, was twice that of the first: without the
    // product they agree.
    let still = vec![sinew::Vec3::zeros(); q.len()];
    let mut still = Setup::<f64>::new(&system, (&q, &still), (1 << 20, 1 << 30));
    let forces = still.forces();
    let second = system.block_of_node(system.fems()[1], 0);
    let (twice, once) = (both[second] - forces[second], one[second] - forces[second]);
    assert!(once.norm() > 0.0 && (twice - once * 2.0).norm() < 1e-10 * once.norm());
    let first = system.block_of_node(system.fems()[0], 0);
    assert_eq!(both[first], one[first], "factor {}", FACTORS[1]);
}
