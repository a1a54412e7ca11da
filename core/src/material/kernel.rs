//! A law as kernels over elements take it: the name of its text and its numbers; and what such a
//! kernel computes at a point, for the kernels' twins on the CPU.

use nalgebra::{Matrix3, Matrix6};

use super::{AnyLaw, Deformation, LawFrame, Material, MaterialSpec, polar_rotation};
use crate::{Real, lit};

/// Data of a point in a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelPoint<T: Real> {
    /// Takes gradients in the rest shape to gradients in the frame of the stress.
    pub frame: Matrix3<T>,
    /// Stress [Pa].
    pub stress: Matrix3<T>,
    /// Tangent [Pa].
    pub tangent: Matrix6<T>,
    /// Volume over that at rest, as the stress is to be weighted with.
    pub volume_ratio: T,
    /// True if the stress is part of the stiffness.
    pub geometric: bool,
}

impl MaterialSpec {
    /// The numbers that the kernels of [`LawKind::kernel`](super::LawKind::kernel) take.
    pub fn packed(&self) -> Vec<f64> {
        self.set().pack()
    }

    /// The same of the law without its part of the volume alone.
    pub fn packed_without_bulk(&self) -> Vec<f64> {
        let mut packed = self.packed();
        if let Some(volume) = self.kind().volume {
            packed[volume.place()] = 0.0;
        }
        packed
    }
}

impl<T: Real> AnyLaw<T> {
    /// The law at a point, where the displacement gradient at the centre of its element is `centre`.
    pub fn at_point(&self, d: &Deformation<T>, centre: &Matrix3<T>) -> KernelPoint<T> {
        match self.frame() {
            LawFrame::Rest => self.linear_point(d, &Matrix3::identity()),
            LawFrame::Element => {
                self.linear_point(d, &polar_rotation(&(centre + Matrix3::identity())))
            }
            LawFrame::Point => {
                let (stress, tangent) = self.stress_and_tangent(d);
                let frame = d.f.try_inverse().unwrap_or_else(Matrix3::zeros).transpose();
                KernelPoint { frame, stress, tangent, volume_ratio: d.j, geometric: true }
            }
        }
    }

    /// Of a linear law in the frame `r`. Strain is e = sym(RᵀF) - I; with w = skew(RᵀF),
    /// FᵀF = I + 2E gives e = E - (ee + ew - we - ww)/2, where errors of e and w count only times
    /// strain.
    fn linear_point(&self, d: &Deformation<T>, r: &Matrix3<T>) -> KernelPoint<T> {
        let half = lit::<T>(0.5);
        let strain = if self.frame() == LawFrame::Rest {
            (d.h + d.h.transpose()) * half
        } else {
            let turned = r.transpose() * d.f;
            let e = (turned + turned.transpose()) * half - Matrix3::identity();
            let w = (turned - turned.transpose()) * half;
            d.green_strain() - (e * e + e * w - w * e - w * w) * half
        };
        // Seen from space, where the axes have turned too.
        let strain = r * strain * r.transpose();
        let (stress, tangent) = self.unturned(&Deformation::new(strain).with_axes(r * d.axes));
        KernelPoint { frame: *r, stress, tangent, volume_ratio: T::one(), geometric: false }
    }
}
