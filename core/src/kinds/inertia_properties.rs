//! Properties of the inertia of a rigid body: its source, and its numbers, each of which can be
//! set.

use crate::dynamics::SpatialInertia;
use crate::kinds::{Inertia, RigidBody};
use crate::property::{
    CheckError, Components, Problem, Property, Put, Refusal, choices, properties,
};
use crate::{Mat3, Vec3};

/// Source of the inertia of a body, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InertiaMethod {
    Density,
    Mass,
    Explicit,
}

choices!(InertiaMethod { Density => "density", Mass => "mass", Explicit => "explicit" });

const NO_SOLID: Refusal = Refusal::Value("the body has no closed surface to take it from");
const NO_INERTIA: Refusal = Refusal::Value("the body has no inertia yet to take the others from");
const UNPHYSICAL: Refusal = Refusal::Value(
    "no solid has such moments: symmetric, each positive and at most the sum of the others",
);

impl RigidBody {
    fn inertia_method(&self) -> InertiaMethod {
        match self.inertia {
            Inertia::Density(_) => InertiaMethod::Density,
            Inertia::Mass(_) => InertiaMethod::Mass,
            Inertia::Explicit(_) => InertiaMethod::Explicit,
        }
    }

    /// Gives the inertia in another way: with the mass that it has now.
    fn put_inertia_method(&mut self, method: InertiaMethod) -> Put {
        if method == self.inertia_method() {
            return Ok(());
        }
        let now = self.spatial_inertia().map_err(|_| NO_INERTIA)?;
        let volume = || self.volume().ok_or(NO_SOLID);
        self.inertia = match method {
            InertiaMethod::Density => Inertia::Density(now.mass() / volume()?),
            InertiaMethod::Mass => volume().map(|_| Inertia::Mass(now.mass()))?,
            InertiaMethod::Explicit => Inertia::Explicit(now),
        };
        Ok(())
    }

    /// Volume inside its surface [m³]; `None` where that is not closed.
    fn volume(&self) -> Option<f64> {
        Some(self.mesh.as_ref()?.solid_integrals().ok()?.volume)
    }

    fn density(&self) -> Option<f64> {
        match self.inertia {
            Inertia::Density(density) => Some(density),
            Inertia::Mass(_) | Inertia::Explicit(_) => None,
        }
    }

    fn put_density(&mut self, density: f64) -> Put {
        match &mut self.inertia {
            Inertia::Density(old) => *old = density,
            Inertia::Mass(_) | Inertia::Explicit(_) => return Err(Refusal::Absent),
        }
        Ok(())
    }

    /// Another mass: of an inertia by density it becomes one by mass, an explicit one keeps its
    /// moments.
    fn put_mass(&mut self, mass: f64) -> Put {
        match &mut self.inertia {
            Inertia::Explicit(old) => {
                *old = SpatialInertia::new(mass, old.center_of_mass(), old.rotational())
                    .map_err(|_| Refusal::Value("it must be positive and finite"))?;
            }
            by_surface => *by_surface = Inertia::Mass(mass),
        }
        Ok(())
    }

    fn put_center_of_mass(&mut self, center: Vec3) -> Put {
        let now = self.spatial_inertia().map_err(|_| NO_INERTIA)?;
        let new = SpatialInertia::new(now.mass(), center, now.rotational());
        self.inertia = Inertia::Explicit(new.map_err(|_| Refusal::Value("it must be finite"))?);
        Ok(())
    }

    fn put_rotational(&mut self, rotational: Mat3) -> Put {
        let now = self.spatial_inertia().map_err(|_| NO_INERTIA)?;
        let new = SpatialInertia::new(now.mass(), now.center_of_mass(), rotational);
        self.inertia = Inertia::Explicit(new.map_err(|_| UNPHYSICAL)?);
        Ok(())
    }

    /// Checks that surface and numbers make an inertia.
    pub(super) fn check_inertia(&self, _: &dyn Components) -> Result<(), CheckError> {
        let made = self.spatial_inertia().map(|_| ());
        made.map_err(|error| Problem::Inertia(Box::new(error)).at("inertia"))
    }
}

fn now(body: &RigidBody) -> Option<SpatialInertia> {
    body.spatial_inertia().ok()
}

/// Lines for the inertia.
pub(super) fn inertia_table() -> Vec<Property<RigidBody>> {
    let mut table = Vec::new();
    properties! { @lines table RigidBody;
        "inertia_method": InertiaMethod = InertiaMethod::Density, "", FINITE, STRUCTURE, "Source of its inertia: the solid inside its surface at a density or with a mass, or given; another one begins with what is there",
            replacing (|b: &RigidBody| Some(b.inertia_method()), RigidBody::put_inertia_method), check RigidBody::check_inertia;
        "density": f64 = 1000.0, "kg/m³", POSITIVE, STRUCTURE, "Density of the solid inside its surface, where its inertia comes from that",
            via (RigidBody::density, RigidBody::put_density), check RigidBody::check_inertia;
        "mass": f64 = 1.0, "kg", POSITIVE, STRUCTURE, "Mass; setting it makes an inertia by density one by mass, and leaves the moments of an explicit one",
            replacing (|b: &RigidBody| Some(now(b)?.mass()), RigidBody::put_mass), check RigidBody::check_inertia;
        "center_of_mass": Vec3 = Vec3::zeros(), "m", FINITE, STRUCTURE, "Centre of mass in its frame; setting it makes the inertia explicit",
            replacing (|b: &RigidBody| Some(now(b)?.center_of_mass()), RigidBody::put_center_of_mass), check RigidBody::check_inertia;
        "inertia": Mat3 = Mat3::identity(), "kg m²", FINITE, STRUCTURE, "Rotational inertia about the centre of mass in the axes of its frame; setting it makes the inertia explicit",
            replacing (|b: &RigidBody| Some(now(b)?.rotational()), RigidBody::put_rotational), check RigidBody::check_inertia;
    }
    table
}
