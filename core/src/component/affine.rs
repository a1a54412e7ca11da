//! Affine maps of components.

use nalgebra::Isometry3;
use serde::{Deserialize, Serialize};

use crate::{Mat3, Vec3};

/// x -> linear x + translation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Affine {
    /// Linear part [-].
    pub linear: Mat3,
    /// Translation [m].
    pub translation: Vec3,
}

/// Parts of a map that are taken for rounding: products of a few rotations are this close to one.
const ROUNDING: f64 = 1e-12;

impl Affine {
    /// A shift [m].
    pub fn translation(translation: Vec3) -> Self {
        Self { linear: Mat3::identity(), translation }
    }

    /// A turn about a line through `centre` [m]: direction times angle [rad].
    pub fn rotation(centre: Vec3, turn: Vec3) -> Self {
        Self::about(centre, nalgebra::Rotation3::from_scaled_axis(turn).into_inner())
    }

    /// Larger by `factor` [-], about `centre` [m].
    pub fn scaling(centre: Vec3, factor: f64) -> Self {
        Self::about(centre, Mat3::identity() * factor)
    }

    /// A linear map that leaves `centre` [m] where it is.
    pub fn about(centre: Vec3, linear: Mat3) -> Self {
        Self { linear, translation: centre - linear * centre }
    }

    /// Image of a point [m].
    pub fn point(&self, x: &Vec3) -> Vec3 {
        self.linear * x + self.translation
    }

    /// True if all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.linear.iter().chain(self.translation.iter()).all(|x| x.is_finite())
    }

    /// The way back; `None` for a map that flattens.
    pub fn inverse(&self) -> Option<Self> {
        let linear = self.linear.try_inverse()?;
        Some(Self { linear, translation: -(linear * self.translation) })
    }

    /// Factor of all lengths, when that is the same in all directions and nothing is
    /// mirrored.
    pub fn scale(&self) -> Option<f64> {
        let scale = self.linear.determinant().cbrt();
        let off = self.linear.transpose() * self.linear - Mat3::identity() * (scale * scale);
        (scale > 0.0 && off.amax() <= ROUNDING * scale * scale).then_some(scale)
    }

    /// Factor of all lengths, when that is the same in all directions, mirrored or not.
    pub fn similarity(&self) -> Option<f64> {
        self.scale().or_else(|| Self { linear: -self.linear, ..*self }.scale())
    }

    /// True if lengths stay as they are.
    pub fn is_rigid(&self) -> bool {
        self.scale().is_some_and(|scale| (scale - 1.0).abs() <= ROUNDING)
    }

    /// Image of a frame: its origin moves, its axes turn. `None` for a map that would stretch or
    /// mirror it.
    pub fn pose(&self, pose: &Isometry3<f64>) -> Option<Isometry3<f64>> {
        let turn = nalgebra::Rotation3::from_matrix_unchecked(self.linear / self.scale()?);
        let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&turn).into_inner();
        // The matrix is a rotation but for rounding.
        let turn = nalgebra::UnitQuaternion::new_normalize(turn);
        let origin = self.point(&pose.translation.vector);
        Some(Isometry3::from_parts(origin.into(), turn * pose.rotation))
    }

    /// Its turn, as near to it as a turn can be: the orthogonal factor of its polar decomposition (Higham1986),
    /// which mirrors where the map does. `None` for a map that flattens.
    pub fn turn(&self) -> Option<Mat3> {
        let determinant = self.linear.determinant();
        if !determinant.is_finite() || determinant == 0.0 {
            return None;
        }
        let scale = determinant.abs().cbrt();
        let off = self.linear.transpose() * self.linear - Mat3::identity() * (scale * scale);
        if off.amax() <= ROUNDING * scale * scale {
            return Some(self.linear / scale);
        }
        let svd = self.linear.svd(true, true);
        let flat = svd.singular_values.min() <= ROUNDING * svd.singular_values.max();
        Some(svd.u? * svd.v_t?).filter(|_| !flat)
    }

    /// Image of a frame under any map: its origin moves, its axes turn with [`Self::turn`]. A map that mirrors leaves
    /// axis `mirrored` of the frame (0 to 2) opposite to its image. `None` for a map that flattens.
    pub fn frame(&self, pose: &Isometry3<f64>, mirrored: usize) -> Option<Isometry3<f64>> {
        if let Some(image) = self.pose(pose) {
            return Some(image);
        }
        let mut axes = self.turn()? * pose.rotation.to_rotation_matrix().into_inner();
        if axes.determinant() < 0.0 {
            axes.column_mut(mirrored).neg_mut();
        }
        let turn = nalgebra::Rotation3::from_matrix_unchecked(axes);
        let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&turn).into_inner();
        let origin = self.point(&pose.translation.vector);
        let turn = nalgebra::UnitQuaternion::new_normalize(turn);
        Some(Isometry3::from_parts(origin.into(), turn))
    }

    /// The axis of a frame that a map which mirrors turns over the most: left opposite to its image, the frame turns the
    /// least.
    pub fn mirrored_axis(&self, pose: &Isometry3<f64>) -> usize {
        let axes = pose.rotation.to_rotation_matrix().into_inner();
        let image = self.turn().unwrap_or_else(Mat3::identity) * axes;
        let along = [0, 1, 2].map(|k| image.column(k).dot(&axes.column(k)));
        (1..3).fold(0, |least, k| if along[k] < along[least] { k } else { least })
    }

    /// True if each of the axes x, y, z keeps its direction.
    pub(crate) fn keeps_axes(&self) -> bool {
        let diagonal = Mat3::from_diagonal(&self.linear.diagonal());
        (self.linear - diagonal).amax() <= ROUNDING * diagonal.amax()
    }
}

/// Reasons for which a map has no meaning for a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformRefusal {
    /// A number of the map is not one.
    #[error("the map has a number that is not finite")]
    NotFinite,
    /// Elements would be flat, or inside out.
    #[error("its elements would be flat or inside out: the map is flat there, or folds")]
    Inverts,
    /// A surface or a frame would have no inside.
    #[error("it would be flat, or turned inside out in parts: the map is flat there, or folds")]
    Flattens,
    /// Its ends would be at one place.
    #[error("its ends are at one place: nothing says how its length changes; keep the lengths")]
    NoLength,
    /// A body would have no inertia.
    #[error("its inertia would be that of no solid; check the map")]
    Inertia,
    /// One side of a joint would be mirrored, and not the other one.
    #[error(
        "one of its sides would be mirrored and not the other; mirror both bodies, or the whole model"
    )]
    HalfMirrored,
    /// Code of users has lengths and signs that nobody else knows.
    #[error(
        "its functions are code, whose lengths and signs are not known: register its image with the code \
         (CodeRegistry::add_joint_image), or move and turn it only"
    )]
    Code,
    /// The code of a joint refuses a map.
    #[error("its code has no image under the map")]
    CodeImage,
    /// Supports are along the axes of the world.
    #[error("a support along one or two axes only cannot be turned; hold all three, or none")]
    AxisSupport,
    /// Directions in a field of a mesh turn with the mesh.
    #[error(
        "its fibres are those of a field of the mesh; transform its tissue, which takes them along"
    )]
    FibreField,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_knows_whether_it_scales_alike_in_all_directions() {
        let turn = Affine::rotation(Vec3::x(), Vec3::new(0.3, 1.0, -0.2));
        assert!(turn.is_rigid() && !turn.keeps_axes());
        let twice = Affine { linear: turn.linear * 2.0, ..turn };
        // One rounding of a cube root.
        assert!((twice.scale().unwrap() - 2.0).abs() < 1e-14 && !twice.is_rigid());
        let stretch = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(1., 1., 2.)));
        assert!(stretch.scale().is_none() && stretch.keeps_axes());
        let mirror = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(1., 1., -1.)));
        assert!(mirror.scale().is_none());
    }

    #[test]
    fn a_frame_goes_with_the_points_that_are_fixed_to_it() {
        let frame = Isometry3::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
        let turn = Affine::rotation(Vec3::x(), Vec3::new(0.4, 2.9, -0.3));
        let twice = Affine { linear: turn.linear * 2.0, ..turn };
        let p = Vec3::new(0.3, -0.2, 0.7);
        let world = |frame: &Isometry3<f64>, p: Vec3| frame.transform_point(&p.into()).coords;
        for (map, scale) in [(turn, 1.0), (twice, 2.0)] {
            let moved = world(&map.pose(&frame).unwrap(), p * scale);
            // A dozen roundings of coordinates of 8 m.
            assert!((moved - map.point(&world(&frame, p))).norm() < 1e-14, "{moved}");
        }
        let shift = Affine::translation(Vec3::y());
        assert_eq!(shift.pose(&frame).unwrap().rotation, frame.rotation, "to the bit");
        let stretch = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(1., 1., 2.)));
        let mirror = Affine::scaling(Vec3::y(), -1.0);
        assert!(stretch.pose(&frame).is_none() && mirror.pose(&frame).is_none());
    }

    #[test]
    fn a_frame_under_any_map_turns_as_little_as_the_map_lets_it() {
        let frame = Isometry3::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
        let stretch = Affine::about(Vec3::y(), Mat3::new(1., 0.2, 0., 0.2, 3., 0., 0., 0., 2.));
        let image = stretch.frame(&frame, 2).unwrap();
        // A symmetric positive map turns nothing.
        assert!(image.rotation.angle_to(&frame.rotation) < 1e-7);
        let mirror = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0)));
        assert_eq!(mirror.mirrored_axis(&Isometry3::identity()), 0);
        let kept = mirror.frame(&Isometry3::identity(), 0).unwrap();
        assert!(kept.rotation.angle() < 1e-15);
        for axis in 0..3 {
            let image = mirror.frame(&frame, axis).unwrap();
            for k in 0..3 {
                let direction = Vec3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
                let along = (image.rotation * direction)
                    .dot(&(mirror.linear * (frame.rotation * direction)));
                assert!((along - if k == axis { -1.0 } else { 1.0 }).abs() < 1e-14);
            }
        }
        let flat = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)));
        assert!(flat.frame(&frame, 0).is_none() && flat.turn().is_none());
    }

    #[test]
    fn there_and_back_is_where_one_was() {
        let map = Affine::about(Vec3::y(), Mat3::new(1., 2., 0., 0., 1., 0.5, 0., 0., 3.));
        let x = Vec3::new(0.3, -0.2, 0.7);
        // A dozen roundings of numbers of size 3.
        assert!((map.inverse().unwrap().point(&map.point(&x)) - x).norm() < 1e-14);
        assert_eq!(map.point(&Vec3::y()), Vec3::y());
    }
}
