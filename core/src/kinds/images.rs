//! Images of frames, bodies and surfaces under a transformation: what is on a body goes with that, the rest by itself. Lengths
//! of lines: `growth.rs`.

use crate::component::{Affine, Handle, TransformRefusal};
use crate::geometry::SurfaceMesh;
use crate::kinds::{FrameSite, RigidBody};
use crate::property::{Pose, Transformation};
use crate::{Mat3, Vec3};

/// Least determinant of a map over the cube of its largest entry from which on it is not flat [-].
const FLAT: f64 = 1e-12;

/// Image of a frame on a body or on the ground.
pub(super) struct SiteImage {
    /// Its pose, in that of its body or of the world [m].
    pub(super) pose: Pose,
    /// The map in its axes: images of its axes, seen from the axes of the image [-].
    pub(super) linear: Mat3,
}

impl SiteImage {
    /// True if the map mirrors.
    pub(super) fn is_mirrored(&self) -> bool {
        self.linear.determinant() < 0.0
    }

    /// Factor of lengths along axis `k` [-].
    pub(super) fn along(&self, k: usize) -> f64 {
        self.linear.column(k).norm()
    }

    /// Factor of lengths in the mean of all directions: the cube root of that of volumes [-].
    pub(super) fn mean(&self) -> f64 {
        self.linear.determinant().abs().cbrt()
    }

    /// Factor of lengths across axis z in the mean [-].
    pub(super) fn across(&self) -> f64 {
        (self.along(0) * self.along(1)).sqrt()
    }
}

/// Image of a body: its frame, and the map in its axes.
pub(super) struct BodyImage {
    /// Pose of its frame after [m].
    pub(super) pose: Pose,
    /// Axis of its frame that lies opposite to its image where the map mirrors.
    pub(super) axis: usize,
    before: Pose,
}

impl BodyImage {
    /// Place of a point of the body [m], in its frame before and after.
    pub(super) fn place(&self, transformation: &Transformation<'_>, x: &Vec3) -> Vec3 {
        let world = self.before.transform_point(&(*x).into()).coords;
        let image = transformation.map.point(&world);
        self.pose.inverse_transform_point(&image.into()).coords
    }
}

/// Turns a frame so that its z axis points along a direction of the frame, or against it where that is nearer.
fn lean(pose: &mut Pose, direction: &Vec3) {
    let z = Vec3::z();
    let direction = direction * direction.z.signum();
    // Below, the turn is rounding.
    let leans = direction.xy().norm() > 1e-12 * direction.z;
    if let Some(turn) = nalgebra::UnitQuaternion::rotation_between(&z, &direction).filter(|_| leans)
    {
        pose.rotation *= turn;
    }
}

impl Transformation<'_> {
    /// The map near a point [m].
    ///
    /// # Errors
    /// A map that is flat there, or that turns space inside out where it does not mirror it all.
    pub(super) fn near(&self, x: &Vec3) -> Result<Affine, TransformRefusal> {
        let local = self.map.local(x).into_owned();
        let determinant = local.linear.determinant();
        let least = FLAT * local.linear.amax().powi(3);
        let sound = match self.map.affine() {
            Some(_) => determinant.abs() > least,
            None => determinant > least,
        };
        if sound { Ok(local) } else { Err(TransformRefusal::Flattens) }
    }

    /// Image of a frame in the world, axis `mirrored` of which may lie opposite to its image.
    pub(super) fn frame(&self, pose: &Pose, mirrored: usize) -> Result<Pose, TransformRefusal> {
        let local = self.near(&pose.translation.vector)?;
        local.frame(pose, mirrored).ok_or(TransformRefusal::Flattens)
    }

    /// Image of a body.
    pub(super) fn body(&self, body: &RigidBody) -> Result<BodyImage, TransformRefusal> {
        let before = body.pose;
        let axis = self.near(&before.translation.vector)?.mirrored_axis(&before);
        Ok(BodyImage { pose: self.frame(&before, axis)?, axis, before })
    }

    /// Map in the axes of a frame at a place of the world, seen from the axes of its image.
    pub(super) fn linear_in(
        &self,
        [before, after]: [&Pose; 2],
        at: &Vec3,
    ) -> Result<Mat3, TransformRefusal> {
        let turn = |pose: &Pose| pose.rotation.to_rotation_matrix().into_inner();
        Ok(turn(after).transpose() * self.near(at)?.linear * turn(before))
    }

    /// True if a frame on a body or on the ground moves in space.
    pub(super) fn moves_site(&self, site: &FrameSite) -> bool {
        site.body.map_or(self.selected, |body| self.moves(body))
    }

    /// Image of a frame that moves; `None` for one that stays where it is, or goes with its body as it is.
    pub(super) fn site(
        &self,
        site: &FrameSite,
        mirrored: usize,
    ) -> Result<Option<SiteImage>, TransformRefusal> {
        let rigid = self.map.rigid();
        if !self.moves_site(site) || (site.body.is_some() && rigid.is_some()) {
            return Ok(None);
        }
        let Some(before) = site.world_pose(self.model) else { return Ok(None) };
        let after = self.frame(&before, mirrored)?;
        let linear = match self.map.affine().and_then(|map| map.scale()) {
            _ if rigid.is_some() => Mat3::identity(),
            Some(scale) => Mat3::identity() * scale,
            None => self.linear_in([&before, &after], &before.translation.vector)?,
        };
        let pose = match site.body.and_then(|body| self.model.get(body)) {
            None => after,
            Some(body) => self.body(body)?.pose.inv_mul(&after),
        };
        Ok(Some(SiteImage { pose, linear }))
    }

    /// Puts a frame where it moves to.
    pub(super) fn put_site(
        &self,
        site: &mut FrameSite,
        mirrored: usize,
    ) -> Result<Option<SiteImage>, TransformRefusal> {
        let image = self.site(site, mirrored)?;
        if let Some(image) = &image {
            site.pose = image.pose;
        }
        Ok(image)
    }

    /// Puts a frame whose plane z = 0 is meant where that plane moves to. Its z axis stays on the same side.
    pub(super) fn put_plane(
        &self,
        site: &mut FrameSite,
    ) -> Result<Option<SiteImage>, TransformRefusal> {
        let image = self.put_site(site, 0)?;
        if let Some(SiteImage { linear, .. }) = &image {
            let inverse = linear.try_inverse().ok_or(TransformRefusal::Flattens)?;
            lean(&mut site.pose, &inverse.row(2).transpose());
        }
        Ok(image)
    }

    /// Puts a frame whose z axis is meant as a line where that line moves to.
    pub(super) fn put_line(&self, site: &mut FrameSite) -> Result<(), TransformRefusal> {
        if let Some(SiteImage { linear, .. }) = self.put_site(site, 0)? {
            lean(&mut site.pose, &linear.column(2).into_owned());
        }
        Ok(())
    }

    /// Place of a point of a body in its frame [m].
    pub(super) fn place_on(
        &self,
        body: Handle<RigidBody>,
        x: &Vec3,
    ) -> Result<Vec3, TransformRefusal> {
        match self.model.get(body) {
            Some(it) if self.moves(body) && self.map.rigid().is_none() => {
                Ok(self.body(it)?.place(self, x))
            }
            _ => Ok(*x),
        }
    }

    /// Image of a surface, each vertex by itself; `world` has them before. A map that mirrors winds the triangles the
    /// other way round.
    pub(super) fn surface(
        &self,
        mesh: &SurfaceMesh,
        world: impl Fn(&Vec3) -> Vec3,
        image: impl Fn(&Vec3) -> Vec3,
    ) -> Result<SurfaceMesh, TransformRefusal> {
        mesh.vertices().iter().try_for_each(|p| self.near(&world(p)).map(|_| ()))?;
        let vertices = mesh.vertices().iter().map(image).collect();
        let moved = SurfaceMesh::new(vertices, mesh.triangles().to_vec());
        let moved = moved.map_err(|_| TransformRefusal::Flattens)?;
        let mirrors = self.map.affine().is_some_and(|map| map.linear.determinant() < 0.0);
        Ok(if mirrors { moved.flipped() } else { moved })
    }
}
