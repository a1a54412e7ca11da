//! A model as lists, one a kind, in the order of the tree: what compilation reads, and who has which
//! place in which list.

use std::collections::BTreeMap;

use crate::Vec3;
use crate::component::{ComponentId, ComponentType, Handle};
use crate::model::{
    AxialSpring, BodyLoad, CustomForce, DEFAULT_GRAVITY, FemModel, MechModel, Model, Particle,
    PointLoad,
};

/// Places of components in a list.
#[derive(Clone, Debug)]
pub(super) struct Places<T> {
    handles: Vec<Handle<T>>,
    /// By index of the handle: place in the list.
    places: Vec<u32>,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

impl<T> Places<T> {
    fn of(handles: Vec<Handle<T>>) -> Self {
        let length = handles.iter().map(|h| h.index as usize + 1).max().unwrap_or(0);
        let mut places = vec![NOWHERE; length];
        for (place, handle) in (0..).zip(&handles) {
            places[handle.index as usize] = place;
        }
        Self { handles, places }
    }

    /// Place of a component; `None` when it is not in the list.
    pub(super) fn place(&self, handle: Handle<T>) -> Option<usize> {
        let place = *self.places.get(handle.index as usize)? as usize;
        (self.handles.get(place) == Some(&handle)).then_some(place)
    }

    /// The components, in order.
    pub(super) fn handles(&self) -> &[Handle<T>] {
        &self.handles
    }
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { handles: Vec::new(), places: Vec::new() }
    }
}

/// What a mechanical model hands down to its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surroundings {
    /// Acceleration of free fall [m/s²].
    pub(super) gravity: Vec3,
    /// Viscous drag on a point [N s/m].
    pub(super) point_damping: f64,
}

/// A model as lists.
pub(super) struct Flat<'m> {
    pub(super) model: &'m Model,
    pub(super) particles: Vec<&'m Particle>,
    pub(super) fems: Vec<&'m FemModel>,
    pub(super) springs: Vec<&'m AxialSpring>,
    pub(super) point_loads: Vec<&'m PointLoad>,
    pub(super) body_loads: Vec<&'m BodyLoad>,
    pub(super) custom_forces: Vec<&'m CustomForce>,
    /// What holds at each particle, and at each tissue.
    pub(super) at_particles: Vec<Surroundings>,
    pub(super) at_fems: Vec<Surroundings>,
    pub(super) places: AllPlaces,
}

/// Places of everything that has a place in the compiled arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct AllPlaces {
    pub(super) particles: Places<Particle>,
    pub(super) fems: Places<FemModel>,
    pub(super) springs: Places<AxialSpring>,
}

impl<'m> Flat<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let (particle_handles, particles) = list::<Particle>(model);
        let (fem_handles, fems) = list::<FemModel>(model);
        let (spring_handles, springs) = list::<AxialSpring>(model);
        let mut known = BTreeMap::new();
        let mut around = |id: ComponentId| surroundings(model, model.parent(id), &mut known);
        let at_particles = particle_handles.iter().zip(&particles).map(|(handle, particle)| {
            let around = around(handle.id());
            let point_damping = particle.point_damping.unwrap_or(around.point_damping);
            Surroundings { point_damping, ..around }
        });
        let at_particles = at_particles.collect();
        let at_fems = fem_handles.iter().zip(&fems).map(|(handle, fem)| {
            let around = around(handle.id());
            let point_damping = fem.point_damping.unwrap_or(around.point_damping);
            Surroundings { point_damping, gravity: fem.gravity.unwrap_or(around.gravity) }
        });
        Self {
            model,
            at_fems: at_fems.collect(),
            particles,
            fems,
            springs,
            point_loads: list(model).1,
            body_loads: list(model).1,
            custom_forces: list(model).1,
            at_particles,
            places: AllPlaces {
                particles: Places::of(particle_handles),
                fems: Places::of(fem_handles),
                springs: Places::of(spring_handles),
            },
        }
    }
}

fn list<T: ComponentType>(model: &Model) -> (Vec<Handle<T>>, Vec<&T>) {
    model.iter::<T>().unzip()
}

/// What holds below `id`: each value is that of the nearest mechanical model that has one of its
/// own, as for any inherited property.
fn surroundings(
    model: &Model,
    id: Option<ComponentId>,
    known: &mut BTreeMap<ComponentId, Surroundings>,
) -> Surroundings {
    let Some(id) = id else {
        return Surroundings { gravity: DEFAULT_GRAVITY, point_damping: 0.0 };
    };
    if let Some(known) = known.get(&id) {
        return *known;
    }
    let above = surroundings(model, model.parent(id), known);
    let here = match id.typed::<MechModel>().and_then(|mech| model.get(mech)) {
        None => above,
        Some(mech) => Surroundings {
            gravity: mech.gravity.unwrap_or(above.gravity),
            point_damping: mech.point_damping.unwrap_or(above.point_damping),
        },
    };
    known.insert(id, here);
    here
}
