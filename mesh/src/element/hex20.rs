//! 20-node serendipity hexahedron, 14 points.

use super::{Element, ElementKind, Hex8, QuadraturePoint};
use crate::{Real, lit};

/// √(19/33): the eight points on the diagonals. ArtiSynth 3.9 has 0.758686910639328 here, a wrong
/// digit with which x² integrates 1.5e-4 low.
const CORNER: f64 = 0.758_786_910_639_328_1;
const CORNER_WEIGHT: f64 = 121.0 / 361.0;
/// √(19/30): the six points on the axes.
const AXIS: f64 = 0.795_822_425_754_221_5;
const AXIS_WEIGHT: f64 = 320.0 / 361.0;

/// The 20-node hexahedron: the corners of [`Hex8`], then one node in the middle of each edge.
#[derive(Clone, Copy, Debug)]
pub struct Hex20;

impl Element for Hex20 {
    const KIND: ElementKind = ElementKind::Hex20;
    const NAME: &'static str = "hex20";
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
        [0.0, -1.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [-1.0, 0.0, 1.0],
        [0.0, -1.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 1.0, -1.0],
        [-1.0, 0.0, -1.0],
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    /// Irons' rule, exact for polynomials of degree 5.
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(-CORNER, -CORNER, CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(CORNER, -CORNER, CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(CORNER, CORNER, CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(-CORNER, CORNER, CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(-CORNER, -CORNER, -CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(CORNER, -CORNER, -CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(CORNER, CORNER, -CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(-CORNER, CORNER, -CORNER, CORNER_WEIGHT),
        QuadraturePoint::new(-AXIS, 0.0, 0.0, AXIS_WEIGHT),
        QuadraturePoint::new(AXIS, 0.0, 0.0, AXIS_WEIGHT),
        QuadraturePoint::new(0.0, -AXIS, 0.0, AXIS_WEIGHT),
        QuadraturePoint::new(0.0, AXIS, 0.0, AXIS_WEIGHT),
        QuadraturePoint::new(0.0, 0.0, -AXIS, AXIS_WEIGHT),
        QuadraturePoint::new(0.0, 0.0, AXIS, AXIS_WEIGHT),
    ];
    const FACES: &'static [&'static [u8]] = &[
        &[0, 1, 2, 3, 8, 9, 10, 11],
        &[4, 7, 6, 5, 15, 14, 13, 12],
        &[0, 4, 5, 1, 16, 12, 17, 8],
        &[1, 5, 6, 2, 17, 13, 18, 9],
        &[2, 6, 7, 3, 18, 14, 19, 10],
        &[3, 7, 4, 0, 19, 15, 16, 11],
    ];
    const EDGES: &'static [[u8; 2]] = Hex8::EDGES;

    #[inline]
    fn shape<T: Real>(r: [T; 3], n: &mut [T]) {
        let (one, two) = (T::one(), lit::<T>(2.0));
        for (k, (n, node)) in n[..20].iter_mut().zip(Self::NODES).enumerate() {
            let [s, f] = factors(r, node);
            *n = if k < 8 {
                lit::<T>(0.125) * f[0] * f[1] * f[2] * (s[0] + s[1] + s[2] - two)
            } else {
                let across = across(k);
                let bubble = one - r[across] * r[across];
                lit::<T>(0.25) * bubble * f[(across + 1) % 3] * f[(across + 2) % 3]
            };
        }
    }

    #[inline]
    fn gradient<T: Real>(r: [T; 3], dn: &mut [[T; 3]]) {
        let one = T::one();
        for (k, (dn, node)) in dn[..20].iter_mut().zip(Self::NODES).enumerate() {
            let [s, f] = factors(r, node);
            if k < 8 {
                let sum = s[0] + s[1] + s[2] - one;
                for i in 0..3 {
                    let others = f[(i + 1) % 3] * f[(i + 2) % 3];
                    dn[i] = lit::<T>(0.125 * node[i]) * others * (sum + s[i]);
                }
            } else {
                let i = across(k);
                let (j, l) = ((i + 1) % 3, (i + 2) % 3);
                let bubble = one - r[i] * r[i];
                dn[i] = lit::<T>(-0.5) * r[i] * f[j] * f[l];
                dn[j] = lit::<T>(0.25 * node[j]) * bubble * f[l];
                dn[l] = lit::<T>(0.25 * node[l]) * bubble * f[j];
            }
        }
    }
}

/// The axis along which the edge of mid-edge node `k` runs.
#[inline(always)]
fn across(k: usize) -> usize {
    if k >= 16 { 2 } else { k % 2 }
}

/// `s = node * r` and `1 + s`, component by component.
#[inline(always)]
fn factors<T: Real>(r: [T; 3], node: &[f64; 3]) -> [[T; 3]; 2] {
    let s = [0, 1, 2].map(|i| lit::<T>(node[i]) * r[i]);
    [s, s.map(|s| T::one() + s)]
}
