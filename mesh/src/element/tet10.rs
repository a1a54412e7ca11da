//! 10-node tetrahedron: quadratic shape functions, 4 points.

use super::{Element, ElementKind, QuadraturePoint, Tet4};
use crate::{Real, lit};

/// (5 - √5) / 20: distance of a point from the three faces it is near.
const NEAR: f64 = 0.138_196_601_125_010_5;
/// (5 + 3 √5) / 20: distance of a point from the face it is far from.
const FAR: f64 = 0.585_410_196_624_968_5;
const WEIGHT: f64 = 1.0 / 24.0;

/// The 10-node tetrahedron: the corners of [`Tet4`], then one node in the middle of each edge.
#[derive(Clone, Copy, Debug)]
pub struct Tet10;

impl Element for Tet10 {
    const KIND: ElementKind = ElementKind::Tet10;
    const NAME: &'static str = "tet10";
    const LINEAR: ElementKind = ElementKind::Tet4;
    const QUADRATIC: ElementKind = ElementKind::Tet10;
    const NODES: &'static [[f64; 3]] = &[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
        [0.0, 0.0, 0.5],
        [0.5, 0.0, 0.5],
        [0.0, 0.5, 0.5],
    ];
    const POINTS: &'static [QuadraturePoint] = &[
        QuadraturePoint::new(NEAR, NEAR, NEAR, WEIGHT),
        QuadraturePoint::new(FAR, NEAR, NEAR, WEIGHT),
        QuadraturePoint::new(NEAR, FAR, NEAR, WEIGHT),
        QuadraturePoint::new(NEAR, NEAR, FAR, WEIGHT),
    ];
    const FACES: &'static [&'static [u8]] =
        &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 8, 7], &[1, 2, 3, 5, 9, 8], &[2, 0, 3, 6, 7, 9]];
    const EDGES: &'static [[u8; 2]] = Tet4::EDGES;

    #[inline]
    fn shape<T: Real>([x, y, z]: [T; 3], n: &mut [T]) {
        let n = &mut n[..10];
        let l = [T::one() - x - y - z, x, y, z];
        for k in 0..4 {
            n[k] = l[k] * (l[k] + l[k] - T::one());
        }
        for (k, &[a, b]) in Self::EDGES.iter().enumerate() {
            n[4 + k] = lit::<T>(4.0) * l[a as usize] * l[b as usize];
        }
    }

    #[inline]
    fn gradient<T: Real>([x, y, z]: [T; 3], dn: &mut [[T; 3]]) {
        let dn = &mut dn[..10];
        let four = lit::<T>(4.0);
        let l = [T::one() - x - y - z, x, y, z];
        let mut dl = [[T::zero(); 3]; 4];
        Tet4::gradient([x, y, z], &mut dl);
        for k in 0..4 {
            dn[k] = dl[k].map(|d| (four * l[k] - T::one()) * d);
        }
        for (k, &[a, b]) in Self::EDGES.iter().enumerate() {
            let (a, b) = (a as usize, b as usize);
            for i in 0..3 {
                dn[4 + k][i] = four * (l[a] * dl[b][i] + l[b] * dl[a][i]);
            }
        }
    }
}
