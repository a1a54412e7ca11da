//! Quality of elements at rest.

use super::{QuadratureRule, VolumeMesh};
use crate::{Mat3, Vec3};

impl VolumeMesh {
    /// Smallest over largest (in absolute value) det dX/dr of the quadrature points of element `e`
    /// [-]: 1 for a parallelepiped and for every tetrahedron of four nodes, less the more it is bent
    /// or tapered, not above 0 for what is flat or inside out.
    ///
    /// # Panics
    /// When `e` is not below [`Self::element_count`].
    pub fn jacobian_ratio(&self, e: usize, rule: QuadratureRule) -> f64 {
        let (kind, nodes) = self.element(e);
        let mut gradients = [[0.0; 3]; super::ElementKind::MAX_NODE_COUNT];
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for point in kind.points_by(rule) {
            kind.gradient(point.at, &mut gradients);
            let mut jacobian = Mat3::zeros();
            for (&node, gradient) in nodes.iter().zip(gradients) {
                jacobian += self.nodes[node as usize] * Vec3::from(gradient).transpose();
            }
            let determinant = jacobian.determinant();
            (least, most) = (least.min(determinant), most.max(determinant.abs()));
        }
        if most > 0.0 { least / most } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementKind;

    /// One element of a kind, its nodes taken through `map`.
    fn ratio(kind: ElementKind, map: impl Fn(Vec3) -> Vec3) -> f64 {
        let nodes: Vec<Vec3> = kind.nodes().iter().map(|&r| map(r.into())).collect();
        let all: Vec<u32> = (0..nodes.len() as u32).collect();
        let mut mesh = VolumeMesh::new(nodes);
        mesh.push_element(kind, &all).unwrap();
        mesh.jacobian_ratio(0, QuadratureRule::Standard)
    }

    #[test]
    fn a_stretched_cube_is_whole_a_tapered_one_is_not_and_a_mirrored_one_is_below_zero() {
        let hex = ElementKind::Hex8;
        let stretched = ratio(hex, |r| Vec3::new(3.0 * r.x + r.y, r.y, 0.1 * r.z));
        // A dozen roundings.
        assert!((stretched - 1.0).abs() < 1e-14, "{stretched}");
        // x y stretched by 1 + z/2: det = (1 + z/2)² at the points z = ±1/sqrt 3, with a share of
        // the taper in the other directions that does not change the determinant.
        let tapered =
            ratio(hex, |r| Vec3::new(r.x * (1.0 + r.z / 2.0), r.y * (1.0 + r.z / 2.0), r.z));
        let at = |z: f64| (1.0 + z / 2.0) * (1.0 + z / 2.0);
        let expected = at(-1.0 / 3f64.sqrt()) / at(1.0 / 3f64.sqrt());
        assert!((tapered - expected).abs() < 1e-12, "{tapered} {expected}");
        let mirrored = ratio(hex, |r| Vec3::new(r.x, r.y, -r.z));
        assert!((mirrored + 1.0).abs() < 1e-14, "{mirrored}");
        assert_eq!(ratio(hex, |r| Vec3::new(r.x, r.y, 0.0)), 0.0);
    }
}
