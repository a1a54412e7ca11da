//! 8-node hexahedron: trilinear shape functions, 2 x 2 x 2 Gauss points.

use super::{Element, ElementKind, QuadraturePoint};
use crate::{Real, lit};

/// 1 / √3: Gauss point of the rule of order 2.
const GAUSS: f64 = 0.577_350_269_189_625_8;

/// The 8-node hexahedron on [-1, 1]³: the face z = 1 first, counterclockwise seen from +z, then
/// z = -1 in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Hex8;

impl Element for Hex8 {
    const KIND: ElementKind = ElementKind::Hex8;
    const NAME: &'static str = "hex8";
    const LINEAR: ElementKind = ElementKind::Hex8;
    const QUADRATIC: ElementKind = ElementKind::Hex20;
    const NODES: &'static [[f64; 3]] = &[
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
    ];
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(-GAUSS, -GAUSS, GAUSS, 1.0),
        QuadraturePoint::new(GAUSS, -GAUSS, GAUSS, 1.0),
        QuadraturePoint::new(GAUSS, GAUSS, GAUSS, 1.0),
        QuadraturePoint::new(-GAUSS, GAUSS, GAUSS, 1.0),
        QuadraturePoint::new(-GAUSS, -GAUSS, -GAUSS, 1.0),
        QuadraturePoint::new(GAUSS, -GAUSS, -GAUSS, 1.0),
        QuadraturePoint::new(GAUSS, GAUSS, -GAUSS, 1.0),
        QuadraturePoint::new(-GAUSS, GAUSS, -GAUSS, 1.0),
    ];
    const FACES: &'static [&'static [u8]] =
        &[&[0, 1, 2, 3], &[4, 7, 6, 5], &[0, 4, 5, 1], &[1, 5, 6, 2], &[2, 6, 7, 3], &[3, 7, 4, 0]];
    const EDGES: &'static [[u8; 2]] = &[
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 4],
        [0, 4],
        [1, 5],
        [2, 6],
        [3, 7],
    ];

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        let (one, eighth) = (T::one(), lit::<T>(0.125));
        for (n, &node) in n[..8].iter_mut().zip(Self::NODES) {
            let [a, b, c] = node.map(lit::<T>);
            *n = eighth * (one + a * x) * (one + b * y) * (one + c * z);
        }
    }

    #[inline]
    fn gradient<T: Real>([x, y, z]: [T; 3], dn: &mut [[T; 3]]) {
        let (one, eighth) = (T::one(), lit::<T>(0.125));
        for (dn, &node) in dn[..8].iter_mut().zip(Self::NODES) {
            let [a, b, c] = node.map(lit::<T>);
            let (u, v, w) = (one + a * x, one + b * y, one + c * z);
            *dn = [a * v * w * eighth, u * b * w * eighth, u * v * c * eighth];
        }
    }
}
