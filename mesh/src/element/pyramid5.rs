//! 5-node pyramid: a hexahedron whose face z = 1 is collapsed to the apex, 5 points (Felippa).

use super::{Element, ElementKind, QuadraturePoint};
use crate::{Real, lit};

/// 8/5 √(2/15): the four points near the base.
const SIDE: f64 = 0.584_237_394_672_177_2;

/// The 5-node pyramid in collapsed coordinates [-1, 1]³: the base is z = -1, all of the face z = 1
/// is the apex. The shape derivatives vanish there in x and y, so that the Jacobian is singular at
/// the apex only. With straight sides x and y are scaled by (1 - z) / 2 into space, and the volume
/// is 8/3; the weights times the Jacobian sum to that.
#[derive(Clone, Copy, Debug)]
pub struct Pyramid5;

impl Element for Pyramid5 {
    const KIND: ElementKind = ElementKind::Pyramid5;
    const NAME: &'static str = "pyramid5";
    const LINEAR: ElementKind = ElementKind::Pyramid5;
    const QUADRATIC: ElementKind = ElementKind::Pyramid13;
    const NODES: &'static [[f64; 3]] = &[
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
    ];
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(-SIDE, -SIDE, -2.0 / 3.0, 0.81),
        QuadraturePoint::new(SIDE, -SIDE, -2.0 / 3.0, 0.81),
        QuadraturePoint::new(SIDE, SIDE, -2.0 / 3.0, 0.81),
        QuadraturePoint::new(-SIDE, SIDE, -2.0 / 3.0, 0.81),
        QuadraturePoint::new(0.0, 0.0, 0.4, 125.0 / 27.0),
    ];
    const FACES: &'static [&'static [u8]] =
        &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]];
    const EDGES: &'static [[u8; 2]] =
        &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4]];

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        let n = &mut n[..5];
        let (one, eighth) = (T::one(), lit::<T>(0.125));
        for k in 0..4 {
            let [a, b, _] = Self::NODES[k].map(lit::<T>);
            n[k] = eighth * (one + a * x) * (one + b * y) * (one - z);
        }
        n[4] = lit::<T>(0.5) * (one + z);
    }

    #[inline]
    fn gradient<T: Real>([x, y, z]: [T; 3], dn: &mut [[T; 3]]) {
        let dn = &mut dn[..5];
        let (one, eighth) = (T::one(), lit::<T>(0.125));
        for k in 0..4 {
            let [a, b, _] = Self::NODES[k].map(lit::<T>);
            let (u, v, w) = (one + a * x, one + b * y, one - z);
            dn[k] = [a * v * w * eighth, u * b * w * eighth, -u * v * eighth];
        }
        dn[4] = [T::zero(), T::zero(), lit::<T>(0.5)];
    }
}
