//! 13-node pyramid in the collapsed coordinates of [`Pyramid5`], 13 points; ArtiSynth's rule has the 5 of [`Pyramid5`] (FelippaAFEM).

use super::{Element, ElementKind, Pyramid5, QuadraturePoint};
use crate::{Real, lit};

/// 1/√3 and √(3/5): points of Gauss's rules of two and three points.
const TWO: f64 = 0.577_350_269_189_625_8;
const THREE: f64 = 0.774_596_669_241_483_4;
/// 2t - 1 of the points t = 1/3 ∓ √(2/45) of Jacobi's rule of two points for the weight (1 - t)².
const LOW: f64 = -0.754_970_354_689_117_3;
const HIGH: f64 = 0.088_303_688_022_450_6;
/// 2 w / (1 - t)² with the weights w of that rule, times those of Gauss's: 25/81, 40/81, 64/81 below, 1 above.
const CORNER: f64 = 0.186_430_511_613_933_5;
const SIDE: f64 = 0.298_288_818_582_293_7;
const MIDDLE: f64 = 0.477_262_109_731_669_9;
const UPPER: f64 = 0.970_039_216_444_929_2;

/// The 13-node pyramid: the corners of [`Pyramid5`], then the middles of the base edges (5 to 8)
/// and of the edges to the apex (9 to 12).
#[derive(Clone, Copy, Debug)]
pub struct Pyramid13;

impl Element for Pyramid13 {
    const KIND: ElementKind = ElementKind::Pyramid13;
    const NAME: &'static str = "pyramid13";
    const LINEAR: ElementKind = ElementKind::Pyramid5;
    const QUADRATIC: ElementKind = ElementKind::Pyramid13;
    const NODES: &'static [[f64; 3]] = &[
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
        [0.0, -1.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [-1.0, 0.0, -1.0],
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    /// Conical products: 3 x 3 points in the lower layer, 2 x 2 in the upper one. With straight edges gradients of shape functions
    /// and the volume are integrated exactly, and the stiffness has rank 33: with 2 x 2 points below it has 32.
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(-THREE, -THREE, LOW, CORNER),
        QuadraturePoint::new(THREE, -THREE, LOW, CORNER),
        QuadraturePoint::new(THREE, THREE, LOW, CORNER),
        QuadraturePoint::new(-THREE, THREE, LOW, CORNER),
        QuadraturePoint::new(0.0, -THREE, LOW, SIDE),
        QuadraturePoint::new(THREE, 0.0, LOW, SIDE),
        QuadraturePoint::new(0.0, THREE, LOW, SIDE),
        QuadraturePoint::new(-THREE, 0.0, LOW, SIDE),
        QuadraturePoint::new(0.0, 0.0, LOW, MIDDLE),
        QuadraturePoint::new(-TWO, -TWO, HIGH, UPPER),
        QuadraturePoint::new(TWO, -TWO, HIGH, UPPER),
        QuadraturePoint::new(TWO, TWO, HIGH, UPPER),
        QuadraturePoint::new(-TWO, TWO, HIGH, UPPER),
    ];
    const FACES: &'static [&'static [u8]] = &[
        &[0, 3, 2, 1, 8, 7, 6, 5],
        &[0, 1, 4, 5, 10, 9],
        &[1, 2, 4, 6, 11, 10],
        &[2, 3, 4, 7, 12, 11],
        &[3, 0, 4, 8, 9, 12],
    ];
    const EDGES: &'static [[u8; 2]] = Pyramid5::EDGES;

    #[inline]
    fn shape<T: Real>(r: [T; 3], n: &mut [T]) {
        let n = &mut n[..13];
        let (one, two, z) = (T::one(), lit::<T>(2.0), r[2]);
        for k in 0..4 {
            let (u, v) = (lit::<T>(Self::NODES[k][0]) * r[0], lit::<T>(Self::NODES[k][1]) * r[1]);
            let base = (one + u) * (one + v);
            n[k] = lit::<T>(-1.0 / 16.0) * base * (one - z) * corner_factor(u, v, z);
            n[k + 9] = lit::<T>(0.25) * base * (one - z * z);
            let (along, side) = base_edge(k);
            let v = lit::<T>(Self::NODES[k + 5][side]) * r[side];
            n[k + 5] = lit::<T>(0.125)
                * (one - r[along] * r[along])
                * (one + v)
                * (one - z)
                * (two - v - v * z);
        }
        n[4] = lit::<T>(0.5) * z * (one + z);
    }

    #[inline]
    fn gradient<T: Real>(r: [T; 3], dn: &mut [[T; 3]]) {
        let dn = &mut dn[..13];
        for k in 0..4 {
            let [a, b, _] = Self::NODES[k].map(lit::<T>);
            [dn[k], dn[k + 9]] = corner_gradients(r, a, b);
            let (along, side) = base_edge(k);
            let [by_along, by_side, by_z] =
                base_edge_gradient(r[along], r[side], r[2], lit::<T>(Self::NODES[k + 5][side]));
            dn[k + 5][along] = by_along;
            dn[k + 5][side] = by_side;
            dn[k + 5][2] = by_z;
        }
        dn[4] = [T::zero(), T::zero(), r[2] + lit::<T>(0.5)];
    }
}

/// Axes along and across the base edge of mid-edge node `5 + k`.
#[inline(always)]
fn base_edge(k: usize) -> (usize, usize) {
    (k % 2, 1 - k % 2)
}

/// The factor of a base corner's shape function that makes it vanish at the mid-edge nodes.
#[inline(always)]
fn corner_factor<T: Real>(u: T, v: T, z: T) -> T {
    let (two, three) = (lit::<T>(2.0), lit::<T>(3.0));
    lit::<T>(4.0) + two * z - (u + v) * (three + z) + two * u * v * (T::one() + z)
}

/// Gradients of the shape functions of base corner `(a, b)` and of the mid-edge node above it.
#[inline(always)]
fn corner_gradients<T: Real>([x, y, z]: [T; 3], a: T, b: T) -> [[T; 3]; 2] {
    let (one, two, three) = (T::one(), lit::<T>(2.0), lit::<T>(3.0));
    let (u, v) = (a * x, b * y);
    let (pu, pv, below) = (one + u, one + v, one - z);
    let p = corner_factor(u, v, z);
    let p_by_u = -three - z + two * v * (one + z);
    let p_by_v = -three - z + two * u * (one + z);
    let p_by_z = two - u - v + two * u * v;
    let c = lit::<T>(-1.0 / 16.0);
    let (q, bubble) = (lit::<T>(0.25), one - z * z);
    [
        [
            c * a * pv * below * (p + pu * p_by_u),
            c * b * pu * below * (p + pv * p_by_v),
            c * pu * pv * (below * p_by_z - p),
        ],
        [q * a * pv * bubble, q * b * pu * bubble, lit::<T>(-0.5) * z * pu * pv],
    ]
}

/// Gradient of the shape function of the middle of a base edge: by the coordinate `t` along the
/// edge, by the coordinate `s` across it (the edge lies at `s = sign`) and by `z`.
#[inline(always)]
fn base_edge_gradient<T: Real>(t: T, s: T, z: T, sign: T) -> [T; 3] {
    let (one, two, eighth) = (T::one(), lit::<T>(2.0), lit::<T>(0.125));
    let v = sign * s;
    let q = two - v - v * z;
    let (bubble, pv, below) = (one - t * t, one + v, one - z);
    [
        lit::<T>(-0.25) * t * pv * below * q,
        eighth * sign * bubble * below * (q - pv * (one + z)),
        -eighth * bubble * pv * (q + below * v),
    ]
}
