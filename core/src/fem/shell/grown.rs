//! Sheets whose shape without stress is not that at rest: growth and prestrain (RodriguezHogerMcCulloch1994). With A = F_0 F_g^-1 in
//! the plane of a triangle and a across it, strains from the shape without stress are A^T E A + (A^T A - I) / 2, and bending
//! A^T (chi + b) A - (A^T b + b A) / 2, b being that at rest: a sheet that grows alike in all directions is free of stress as its image,
//! whatever its shape, and one that is flat stays flat. It is 1 / a as thick, of 1 / det A the area.

use nalgebra::{Matrix2, Vector3};

use super::strained::Resultants;
use crate::Mat3;

/// Maps of a triangle from its rest shape to that without stress.
pub(super) struct Grown {
    /// Strains (11, 22, twice 12) from those in the axes at rest.
    map: Mat3,
    /// Strain of the middle surface, and its bending [1/m], at rest.
    membrane: Vector3<f64>,
    bending: Vector3<f64>,
    /// Area without stress over that at rest [-].
    area: f64,
    /// Thickness without stress over that at rest [-].
    thickness: f64,
}

/// A symmetric tensor of the plane as 11, 22, twice 12.
fn components(tensor: &Matrix2<f64>) -> Vector3<f64> {
    Vector3::new(tensor[(0, 0)], tensor[(1, 1)], tensor[(0, 1)] + tensor[(1, 0)])
}

/// The tensor with these components.
fn tensor([first, second, twice_shear]: [f64; 3]) -> Matrix2<f64> {
    Matrix2::new(first, 0.5 * twice_shear, 0.5 * twice_shear, second)
}

impl Grown {
    /// Of a triangle with this deformation from the shape without stress, in its axes, and this bending at rest [1/m].
    pub(super) fn new(elastic: &Mat3, bending: [f64; 3]) -> Self {
        let a: Matrix2<f64> = elastic.fixed_view::<2, 2>(0, 0).into_owned();
        let change = a - Matrix2::identity();
        let b = tensor(bending);
        let unit = |k: usize| {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            components(&(a.transpose() * tensor(unit) * a))
        };
        Self {
            map: Mat3::from_columns(&[0, 1, 2].map(unit)),
            membrane: components(&(change + change.transpose() + change.tr_mul(&change))) * 0.5,
            bending: components(&(a.transpose() * b * a - (a.tr_mul(&b) + b * a) * 0.5)),
            area: 1.0 / a.determinant(),
            thickness: 1.0 / elastic[(2, 2)],
        }
    }

    /// Thickness without stress of a sheet with this one at rest [m].
    pub(super) fn thickness(&self, at_rest: f64) -> f64 {
        self.thickness * at_rest
    }

    /// Strains and bending from the shape without stress, of those from the rest shape.
    pub(super) fn strains(&self, [membrane, bending]: [Vector3<f64>; 2]) -> [Vector3<f64>; 2] {
        [self.map * membrane + self.membrane, self.map * bending + self.bending]
    }

    /// Sums per area at rest, by strains from the rest shape, of those of the shape without stress.
    pub(super) fn at_rest(&self, sums: Resultants) -> Resultants {
        let vector = |it: Vector3<f64>| self.map.tr_mul(&it) * self.area;
        let matrix = |it: Mat3| self.map.transpose() * it * self.map * self.area;
        Resultants {
            energy: sums.energy * self.area,
            force: vector(sums.force),
            moment: vector(sums.moment),
            stretching: matrix(sums.stretching),
            coupling: matrix(sums.coupling),
            bending: matrix(sums.bending),
        }
    }
}
