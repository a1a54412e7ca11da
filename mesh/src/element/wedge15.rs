//! 15-node serendipity wedge: quadratic over the triangle and along z, 3 x 3 points.

use super::{Element, ElementKind, QuadraturePoint, Wedge6};
use crate::{Real, lit};

const NEAR: f64 = 1.0 / 6.0;
const FAR: f64 = 2.0 / 3.0;
/// √(3/5): Gauss point of the rule of order 3.
const GAUSS: f64 = 0.774_596_669_241_483_4;
/// 1/6 * 5/9.
const END_WEIGHT: f64 = 5.0 / 54.0;
/// 1/6 * 8/9.
const MID_WEIGHT: f64 = 8.0 / 54.0;

/// The 15-node wedge: the corners of [`Wedge6`], then the middles of the edges of the triangle at
/// z = -1 (6 to 8), at z = 1 (9 to 11) and of those along z (12 to 14).
#[derive(Clone, Copy, Debug)]
pub struct Wedge15;

impl Element for Wedge15 {
    const KIND: ElementKind = ElementKind::Wedge15;
    const NAME: &'static str = "wedge15";
    const LINEAR: ElementKind = ElementKind::Wedge6;
    const QUADRATIC: ElementKind = ElementKind::Wedge15;
    const NODES: &'static [[f64; 3]] = &[
        [0.0, 0.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [0.5, 0.0, -1.0],
        [0.5, 0.5, -1.0],
        [0.0, 0.5, -1.0],
        [0.5, 0.0, 1.0],
        [0.5, 0.5, 1.0],
        [0.0, 0.5, 1.0],
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(NEAR, NEAR, -GAUSS, END_WEIGHT),
        QuadraturePoint::new(FAR, NEAR, -GAUSS, END_WEIGHT),
        QuadraturePoint::new(NEAR, FAR, -GAUSS, END_WEIGHT),
        QuadraturePoint::new(NEAR, NEAR, GAUSS, END_WEIGHT),
        QuadraturePoint::new(FAR, NEAR, GAUSS, END_WEIGHT),
        QuadraturePoint::new(NEAR, FAR, GAUSS, END_WEIGHT),
        QuadraturePoint::new(NEAR, NEAR, 0.0, MID_WEIGHT),
        QuadraturePoint::new(FAR, NEAR, 0.0, MID_WEIGHT),
        QuadraturePoint::new(NEAR, FAR, 0.0, MID_WEIGHT),
    ];
    const FACES: &'static [&'static [u8]] = &[
        &[0, 2, 1, 8, 7, 6],
        &[3, 4, 5, 9, 10, 11],
        &[0, 1, 4, 3, 6, 13, 9, 12],
        &[1, 2, 5, 4, 7, 14, 10, 13],
        &[2, 0, 3, 5, 8, 12, 11, 14],
    ];
    const EDGES: &'static [[u8; 2]] = Wedge6::EDGES;

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        let n = &mut n[..15];
        let (one, two, half) = (T::one(), lit::<T>(2.0), lit::<T>(0.5));
        let l = [one - x - y, x, y];
        for k in 0..3 {
            let next = l[(k + 1) % 3];
            for (end, side) in [one - z, one + z].into_iter().enumerate() {
                // L (2 L - 1) (1 ± z) / 2 - L (1 - z²) / 2 with 1 - z² = (1 ± z) (2 - (1 ± z)).
                n[k + 3 * end] = half * l[k] * side * (two * l[k] - lit::<T>(3.0) + side);
                n[k + 6 + 3 * end] = two * l[k] * next * side;
            }
            n[k + 12] = l[k] * (one - z * z);
        }
    }

    #[inline]
    fn gradient<T: Real>([x, y, z]: [T; 3], dn: &mut [[T; 3]]) {
        let dn = &mut dn[..15];
        let (one, two, three) = (T::one(), lit::<T>(2.0), lit::<T>(3.0));
        let half = lit::<T>(0.5);
        let l = [one - x - y, x, y];
        let dl = [[-one, -one], [one, T::zero()], [T::zero(), one]];
        for k in 0..3 {
            let j = (k + 1) % 3;
            for (end, (side, sign)) in [(one - z, -one), (one + z, one)].into_iter().enumerate() {
                let by_l = half * side * (lit::<T>(4.0) * l[k] - three + side);
                let by_z = half * sign * l[k] * (two * l[k] - three + two * side);
                dn[k + 3 * end] = [dl[k][0] * by_l, dl[k][1] * by_l, by_z];
                let edge = [0, 1].map(|i| two * side * (l[k] * dl[j][i] + l[j] * dl[k][i]));
                dn[k + 6 + 3 * end] = [edge[0], edge[1], two * sign * l[k] * l[j]];
            }
            let bubble = one - z * z;
            dn[k + 12] = [dl[k][0] * bubble, dl[k][1] * bubble, -two * z * l[k]];
        }
    }
}
