//! Volumes of the reference elements and integrals of their shape functions, by their own rules.

use sinew::Mat3;
use sinew::Vec3;
use sinew::fem::ElementKind;

use super::problem::shape;
use super::table::{Group, Row};

/// FEM-integrals.
const ALLOWED: f64 = 1e-12;

/// Integral of f(N) over the reference element, its third coordinate stretched by `stretch`.
fn integrate(kind: ElementKind, stretch: f64, f: impl Fn(&[f64]) -> f64) -> f64 {
    let stretched = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, stretch));
    kind.points()
        .iter()
        .map(|point| {
            let (n, dn) = shape(kind, point.at);
            let nodes = kind.nodes().iter().map(|&r| stretched * Vec3::from(r));
            let jacobian: Mat3 = nodes.zip(&dn).map(|(x, d)| x * d.transpose()).sum();
            point.weight * jacobian.determinant() * f(&n)
        })
        .sum()
}

pub(crate) fn groups() -> Vec<Group> {
    use ElementKind::{Hex8, Hex20, Pyramid5, Tet4, Tet10, Wedge6};
    // Wedge and pyramid of the entry are 1 high, half of the reference elements.
    let volumes = [
        (Tet4, 1.0, 1.0 / 6.0, "volume"),
        (Wedge6, 0.5, 0.5, "volume (height 1)"),
        (Pyramid5, 0.5, 4.0 / 3.0, "volume (height 1)"),
        (Hex8, 1.0, 8.0, "volume"),
    ];
    let shapes = [
        (Tet4, 0, 1.0 / 24.0, "integral of a corner's N"),
        (Tet10, 0, -1.0 / 120.0, "integral of a corner's N"),
        (Tet10, 4, 1.0 / 30.0, "integral of an edge's N"),
        (Hex20, 0, -1.0, "integral of a corner's N"),
        (Hex20, 8, 4.0 / 3.0, "integral of an edge's N"),
    ];
    let mut rows: Vec<Row> = volumes
        .into_iter()
        .map(|(kind, stretch, reference, metric)| {
            let ours = integrate(kind, stretch, |_| 1.0);
            Row::new(kind.name(), metric, (reference, ours), ALLOWED)
        })
        .collect();
    rows.extend(shapes.into_iter().map(|(kind, node, reference, metric)| {
        let ours = integrate(kind, 1.0, |n| n[node]);
        Row::new(kind.name(), metric, (reference, ours), ALLOWED)
    }));
    vec![Group {
        title: "Reference elements",
        text: "FEM-integrals: by the quadrature rule of each element.",
        rows,
    }]
}

#[test]
fn rules_integrate_volumes_and_shape_functions() {
    groups().iter().for_each(Group::check);
}
