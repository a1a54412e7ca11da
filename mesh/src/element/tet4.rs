//! 4-node tetrahedron: linear shape functions, one point at the centroid.

use super::{Element, ElementKind, QuadraturePoint};
use crate::Real;

/// The 4-node tetrahedron, corners at the origin and the unit axes.
#[derive(Clone, Copy, Debug)]
pub struct Tet4;

impl Element for Tet4 {
    const KIND: ElementKind = ElementKind::Tet4;
    const NAME: &'static str = "tet4";
    const LINEAR: ElementKind = ElementKind::Tet4;
    const QUADRATIC: ElementKind = ElementKind::Tet10;
    const NODES: &'static [[f64; 3]] =
        &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const POINTS: &'static [QuadraturePoint] = &[QuadraturePoint::new(0.25, 0.25, 0.25, 1.0 / 6.0)];
    const FACES: &'static [&'static [u8]] = &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
    const EDGES: &'static [[u8; 2]] = &[[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        n[..4].copy_from_slice(&[T::one() - x - y - z, x, y, z]);
    }

    #[inline]
    fn gradient<T: Real>(_: [T; 3], dn: &mut [[T; 3]]) {
        let (o, l) = (T::zero(), T::one());
        dn[..4].copy_from_slice(&[[-l, -l, -l], [l, o, o], [o, l, o], [o, o, l]]);
    }
}
