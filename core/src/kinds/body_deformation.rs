//! Rigid bodies under maps that deform: surface, inertia, keyframes, velocities.

use crate::component::{MassRule, TransformRefusal};
use crate::dynamics::SpatialInertia;
use crate::kinds::{Inertia, RigidBody};
use crate::property::Transformation;

impl RigidBody {
    /// Takes it along with a map that deforms. Its frame turns with the map there, and the surface changes in it. A given
    /// inertia becomes that of the same mass distribution under the map at its centre of mass, which is exact for
    /// affine maps.
    pub(super) fn deform(&mut self, by: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let image = by.body(self)?;
        let before = self.clone();
        if let Some(mesh) = &before.mesh {
            let world = |p: &_| before.pose.transform_point(&crate::Vec3::into(*p)).coords;
            self.mesh = Some(by.surface(mesh, world, |p| image.place(by, p))?);
        }
        for keyframe in &mut self.keyframes {
            keyframe.pose = by.frame(&keyframe.pose, image.axis)?;
        }
        let near = by.near(&before.pose.translation.vector)?;
        let turn = near.turn().ok_or(TransformRefusal::Flattens)?;
        self.velocity = near.linear * before.velocity;
        // An axial vector.
        self.angular_velocity = turn * before.angular_velocity * turn.determinant().signum();
        self.pose = image.pose;
        self.inertia = match before.inertia {
            Inertia::Explicit(inertia) => {
                let center = inertia.center_of_mass();
                let world = before.pose.transform_point(&center.into()).coords;
                let linear = by.linear_in([&before.pose, &image.pose], &world)?;
                let growth = match by.options.masses {
                    MassRule::Density => linear.determinant().abs(),
                    MassRule::Mass => 1.0,
                };
                let mass = inertia.mass() * growth;
                let inertia = inertia.deformed(&linear, image.place(by, &center), mass);
                Inertia::Explicit(inertia.map_err(|_| TransformRefusal::Inertia)?)
            }
            Inertia::Density(_) | Inertia::Mass(_) => self.uniform(&before, by.options.masses)?,
        };
        Ok(())
    }

    /// The inertia of its surface with that of the body before, by density or mass.
    fn uniform(&self, before: &Self, masses: MassRule) -> Result<Inertia, TransformRefusal> {
        let growth = || {
            let volume = |body: &Self| Some(body.mesh.as_ref()?.solid_integrals().ok()?.volume);
            Some(volume(self)? / volume(before)?)
        };
        let growth = || growth().ok_or(TransformRefusal::Inertia);
        Ok(match (&before.inertia, masses) {
            (Inertia::Density(density), MassRule::Mass) => Inertia::Density(density / growth()?),
            (Inertia::Mass(mass), MassRule::Density) => Inertia::Mass(mass * growth()?),
            (same, _) => same.clone(),
        })
    }
}

impl SpatialInertia {
    /// The same distribution of mass under x -> linear x, with another mass [kg] and its centre there [m]: second moments
    /// ∫ρ x xᵀ = tr(J)/2 - J about the centre become linear (∫ρ x xᵀ) linearᵀ, scaled to the mass.
    pub(crate) fn deformed(
        &self,
        linear: &crate::Mat3,
        center: crate::Vec3,
        mass: f64,
    ) -> Result<Self, crate::dynamics::InertiaError> {
        let identity = crate::Mat3::identity();
        let moments = identity * (self.rotational().trace() / 2.0) - self.rotational();
        let moments = linear * moments * linear.transpose() * (mass / self.mass());
        Self::new(mass, center, identity * moments.trace() - moments)
    }
}

#[cfg(test)]
mod tests {
    use crate::dynamics::SpatialInertia;
    use crate::geometry::ellipsoid_mesh;
    use crate::{Mat3, Vec3};

    #[test]
    fn a_given_inertia_deforms_as_that_of_the_solid_that_has_it() {
        let mesh = ellipsoid_mesh(&Vec3::new(0.06, 0.05, 0.03), 2).unwrap();
        let linear = Mat3::new(-1.2, 0.3, 0.1, 0.0, 0.8, -0.2, 0.1, 0.0, 1.5);
        let shift = Vec3::new(0.1, 0.2, -0.3);
        let deformed = mesh.transformed(&linear, &shift).unwrap();
        let before = SpatialInertia::from_mesh_density(&mesh, 1900.0).unwrap();
        let after = SpatialInertia::from_mesh_density(&deformed, 1900.0).unwrap();
        let center = linear * before.center_of_mass() + shift;
        let mass = before.mass() * linear.determinant().abs();
        let own = before.deformed(&linear, center, mass).unwrap();
        // Sums over 320 triangles.
        assert!((own.mass() / after.mass() - 1.0).abs() < 1e-12);
        assert!((own.center_of_mass() - after.center_of_mass()).norm() < 1e-13);
        let apart = (own.rotational() - after.rotational()).norm();
        assert!(apart < 1e-12 * after.rotational().norm(), "{apart}");
    }
}
