//! A model as lists, one a kind, in the order of the tree: the input of compilation, and the place
//! of each component in its list.

use crate::model::Stored;
use std::collections::BTreeMap;

use crate::Vec3;
use crate::component::{ComponentId, Handle};
use crate::model::{
    Attachment, AxialSpring, BodyLoad, ClosedVolume, Collider, CollisionBehavior,
    CoordinateActuator, CustomConstrainer, CustomForce, CustomJoint, DEFAULT_GRAVITY, FemModel,
    FrameLoad, FrameMarker, FrameSpring, Joint, JointCoordinateCoupling, MechModel, Model,
    MultiPointSpring, MuscleBundle, MuscleExciter, Particle, PointConstrainer, PointLoad,
    RigidBody, SegmentedPlane, Shell, SurfaceLoad,
};

/// Places of components in a list.
#[derive(Clone, Debug)]
pub(super) struct ListIndex<T> {
    handles: Vec<Handle<T>>,
    /// By index of the handle: place in the list.
    places: Vec<u32>,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

impl<T> ListIndex<T> {
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

impl<T> Default for ListIndex<T> {
    fn default() -> Self {
        Self { handles: Vec::new(), places: Vec::new() }
    }
}

/// Inherited settings of a mechanical model: gravity and damping of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surroundings {
    /// Acceleration of free fall [m/s²].
    pub(super) gravity: Vec3,
    /// Viscous drag on a point [N s/m].
    pub(super) point_damping: f64,
    /// Drag on a body.
    pub(super) body: BodyDamping,
}

/// Drag on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BodyDamping {
    /// On the velocity of its centre of mass [N s/m].
    pub(super) frame: f64,
    /// On its angular velocity [N m s/rad].
    pub(super) rotary: f64,
    /// In proportion to its momenta [1/s].
    pub(super) inertial: f64,
}

/// A model as lists.
pub(super) struct Flat<'m> {
    pub(super) model: &'m Model,
    pub(super) particles: Vec<&'m Particle>,
    pub(super) fems: Vec<&'m FemModel>,
    pub(super) bodies: Vec<&'m RigidBody>,
    pub(super) markers: Vec<&'m FrameMarker>,
    pub(super) springs: Vec<&'m AxialSpring>,
    pub(super) multi_point_springs: Vec<&'m MultiPointSpring>,
    pub(super) bundles: Vec<&'m MuscleBundle>,
    pub(super) frame_springs: Vec<&'m FrameSpring>,
    pub(super) joints: Vec<&'m Joint>,
    pub(super) constrainers: Vec<&'m PointConstrainer>,
    pub(super) attachments: Vec<&'m Attachment>,
    pub(super) colliders: Vec<&'m Collider>,
    pub(super) collision_behaviors: Vec<&'m CollisionBehavior>,
    pub(super) exciters: Vec<&'m MuscleExciter>,
    pub(super) frame_loads: Vec<&'m FrameLoad>,
    pub(super) point_loads: Vec<&'m PointLoad>,
    pub(super) body_loads: Vec<&'m BodyLoad>,
    pub(super) surface_loads: Vec<&'m SurfaceLoad>,
    pub(super) closed_volumes: Vec<(Handle<ClosedVolume>, &'m ClosedVolume)>,
    pub(super) shells: Vec<(Handle<Shell>, &'m Shell)>,
    pub(super) custom_forces: Vec<(Handle<CustomForce>, &'m CustomForce)>,
    pub(super) actuators: Vec<&'m CoordinateActuator>,
    pub(super) custom_joints: Vec<(Handle<CustomJoint>, &'m CustomJoint)>,
    pub(super) custom_constrainers: Vec<(Handle<CustomConstrainer>, &'m CustomConstrainer)>,
    pub(super) couplings: Vec<(Handle<JointCoordinateCoupling>, &'m JointCoordinateCoupling)>,
    pub(super) segmented_planes: Vec<(Handle<SegmentedPlane>, &'m SegmentedPlane)>,
    /// Surroundings of each particle, each tissue and each body.
    pub(super) at_particles: Vec<Surroundings>,
    pub(super) at_fems: Vec<Surroundings>,
    pub(super) at_bodies: Vec<Surroundings>,
    pub(super) places: ListIndices,
}

/// Places of everything that has a place in the compiled arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct ListIndices {
    pub(super) particles: ListIndex<Particle>,
    pub(super) fems: ListIndex<FemModel>,
    pub(super) bodies: ListIndex<RigidBody>,
    pub(super) markers: ListIndex<FrameMarker>,
    pub(super) springs: ListIndex<AxialSpring>,
    pub(super) multi_point_springs: ListIndex<MultiPointSpring>,
    pub(super) bundles: ListIndex<MuscleBundle>,
    pub(super) joints: ListIndex<Joint>,
    pub(super) constrainers: ListIndex<PointConstrainer>,
    pub(super) colliders: ListIndex<Collider>,
    pub(super) collision_behaviors: ListIndex<CollisionBehavior>,
}

impl ListIndices {
    fn of(model: &Model) -> Self {
        Self {
            particles: ListIndex::of(handles(model)),
            fems: ListIndex::of(handles(model)),
            bodies: ListIndex::of(handles(model)),
            markers: ListIndex::of(handles(model)),
            springs: ListIndex::of(handles(model)),
            multi_point_springs: ListIndex::of(handles(model)),
            bundles: ListIndex::of(handles(model)),
            joints: ListIndex::of(handles(model)),
            constrainers: ListIndex::of(handles(model)),
            colliders: ListIndex::of(handles(model)),
            collision_behaviors: ListIndex::of(handles(model)),
        }
    }

    /// Place of a spring or a muscle along a line, those through several points after those between two.
    pub(super) fn line(&self, id: ComponentId) -> Option<usize> {
        match id.typed() {
            Some(spring) => self.springs.place(spring),
            None => {
                Some(self.springs.handles().len() + self.multi_point_springs.place(id.typed()?)?)
            }
        }
    }
}

impl<'m> Flat<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut known = BTreeMap::new();
        let mut around = |id: ComponentId| surroundings(model, model.parent(id), &mut known);
        Self {
            model,
            particles: list(model),
            fems: list(model),
            bodies: list(model),
            markers: list(model),
            springs: list(model),
            multi_point_springs: list(model),
            bundles: list(model),
            frame_springs: list(model),
            joints: list(model),
            constrainers: list(model),
            attachments: list(model),
            colliders: list(model),
            collision_behaviors: list(model),
            exciters: list(model),
            frame_loads: list(model),
            point_loads: list(model),
            body_loads: list(model),
            surface_loads: list(model),
            closed_volumes: model.iter().collect(),
            shells: model.iter().collect(),
            custom_forces: model.iter().collect(),
            actuators: list(model),
            custom_joints: model.iter().collect(),
            custom_constrainers: model.iter().collect(),
            couplings: model.iter().collect(),
            segmented_planes: model.iter().collect(),
            at_particles: model.iter().map(|(at, it)| around(at.id()).at_particle(it)).collect(),
            at_fems: model.iter().map(|(at, it)| around(at.id()).at_fem(it)).collect(),
            at_bodies: handles::<RigidBody>(model).iter().map(|at| around(at.id())).collect(),
            places: ListIndices::of(model),
        }
    }
}

impl Surroundings {
    /// Those of a particle, by settings of its own.
    fn at_particle(self, particle: &Particle) -> Self {
        let point_damping = particle.point_damping.unwrap_or(self.point_damping);
        Self { point_damping, ..self }
    }

    /// Those of a tissue, by settings of its own.
    fn at_fem(self, fem: &FemModel) -> Self {
        let point_damping = fem.point_damping.unwrap_or(self.point_damping);
        let gravity = fem.gravity.unwrap_or(self.gravity);
        Self { point_damping, gravity, ..self }
    }
}

impl Flat<'_> {
    /// Drag on body number `body`.
    pub(super) fn damping_of(&self, body: usize) -> BodyDamping {
        let (own, around) = (self.bodies[body], self.at_bodies[body].body);
        BodyDamping {
            frame: own.frame_damping.unwrap_or(around.frame),
            rotary: own.rotary_damping.unwrap_or(around.rotary),
            inertial: own.inertial_damping.unwrap_or(around.inertial),
        }
    }

    /// Position of a marker at the start, in the world [m].
    pub(super) fn place_of(&self, marker: &FrameMarker) -> Vec3 {
        let body = self.places.bodies.place(marker.body).expect("references were checked");
        self.bodies[body].pose.transform_point(&marker.place(self.model).into()).coords
    }
}

fn list<T: Stored>(model: &Model) -> Vec<&T> {
    model.iter::<T>().map(|(_, it)| it).collect()
}

fn handles<T: Stored>(model: &Model) -> Vec<Handle<T>> {
    model.iter::<T>().map(|(handle, _)| handle).collect()
}

/// Surroundings below `id`: each value is that of the nearest mechanical model that has one of its
/// own, as for any inherited property.
fn surroundings(
    model: &Model,
    id: Option<ComponentId>,
    known: &mut BTreeMap<ComponentId, Surroundings>,
) -> Surroundings {
    let Some(id) = id else {
        let body = BodyDamping::default();
        return Surroundings { gravity: DEFAULT_GRAVITY, point_damping: 0.0, body };
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
            body: BodyDamping {
                frame: mech.frame_damping.unwrap_or(above.body.frame),
                rotary: mech.rotary_damping.unwrap_or(above.body.rotary),
                inertial: mech.inertial_damping.unwrap_or(above.body.inertial),
            },
        },
    };
    known.insert(id, here);
    here
}
