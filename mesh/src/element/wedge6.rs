//! 6-node wedge: linear over the triangle, linear along z, 3 x 2 points.

use super::{Element, ElementKind, QuadraturePoint};
use crate::{Real, lit};

const NEAR: f64 = 1.0 / 6.0;
const FAR: f64 = 2.0 / 3.0;
/// 1 / √3: Gauss point of the rule of order 2.
const GAUSS: f64 = 0.577_350_269_189_625_8;

/// The 6-node wedge: the unit triangle in x, y, from z = -1 (nodes 0 to 2) to z = 1 (3 to 5).
#[derive(Clone, Copy, Debug)]
pub struct Wedge6;

impl Element for Wedge6 {
    const KIND: ElementKind = ElementKind::Wedge6;
    const NAME: &'static str = "wedge6";
    const LINEAR: ElementKind = ElementKind::Wedge6;
    const QUADRATIC: ElementKind = ElementKind::Wedge15;
    const NODES: &'static [[f64; 3]] = &[
        [0.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(NEAR, NEAR, -GAUSS, 1.0 / 6.0),
        QuadraturePoint::new(FAR, NEAR, -GAUSS, 1.0 / 6.0),
        QuadraturePoint::new(NEAR, FAR, -GAUSS, 1.0 / 6.0),
        QuadraturePoint::new(NEAR, NEAR, GAUSS, 1.0 / 6.0),
        QuadraturePoint::new(FAR, NEAR, GAUSS, 1.0 / 6.0),
        QuadraturePoint::new(NEAR, FAR, GAUSS, 1.0 / 6.0),
    ];
    const FACES: &'static [&'static [u8]] =
        &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
    const EDGES: &'static [[u8; 2]] =
        &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]];

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        let n = &mut n[..6];
        let (one, half) = (T::one(), lit::<T>(0.5));
        for (k, l) in [one - x - y, x, y].into_iter().enumerate() {
            n[k] = half * l * (one - z);
            n[k + 3] = half * l * (one + z);
        }
    }

    #[inline]
    fn gradient<T: Real>([x, y, z]: [T; 3], dn: &mut [[T; 3]]) {
        let dn = &mut dn[..6];
        let (one, half) = (T::one(), lit::<T>(0.5));
        let (bottom, top) = (half * (one - z), half * (one + z));
        let dl = [[-one, -one], [one, T::zero()], [T::zero(), one]];
        for (k, l) in [one - x - y, x, y].into_iter().enumerate() {
            dn[k] = [dl[k][0] * bottom, dl[k][1] * bottom, -half * l];
            dn[k + 3] = [dl[k][0] * top, dl[k][1] * top, half * l];
        }
    }
}
