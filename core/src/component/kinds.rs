//! The list of component kinds, and what follows from it: ids, the arenas, dispatch by kind. A new
//! kind is its file in `model/` and one line at the end of this one. What a store does: `store.rs`.

use serde::{Deserialize, Serialize};

use super::names::NameIndex;
use super::{Arena, ComponentId, Invalidates, Reference};
use crate::model::{
    Affine, Attachment, AxialSpring, BodyLoad, CheckError, Collider, CollisionBehavior,
    ComponentList, CoordinateActuator, CustomConstrainer, CustomForce, CustomJoint, FemModel,
    FrameAttachment, FrameLoad, FrameMarker, FrameSpring, Joint, JointCoordinateCoupling,
    MechModel, Model, MultiPointSpring, MuscleBundle, MuscleExciter, Particle, PointConstrainer,
    PointLoad, ReferenceList, RenderMesh, RigidBody, RootModel, SegmentedPlane, SurfaceLoad,
    TransformRefusal,
};
use crate::property::Property;

/// Properties and references of a kind of component; written by hand beside its fields.
pub trait ModelComponent: Clone + std::fmt::Debug + Sized + 'static {
    /// The list of a mechanical model that it lives in; `None` for what has a place of its own.
    const HOME: Option<&'static str>;
    /// What [`Self::transform`] makes stale; nothing when it does nothing.
    const MOVED: Invalidates = Invalidates::NOTHING;

    /// Hands every reference to `visit`.
    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        let _ = visit;
    }

    /// Replaces the target of every reference by what `map` says; a soft one to `None` is dropped,
    /// a hard one is left.
    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        let _ = map;
    }

    /// Moves and deforms it in space.
    ///
    /// # Errors
    /// A [`TransformRefusal`] where the map has no meaning for it; it is unchanged then.
    fn transform(&mut self, map: &Affine) -> Result<(), TransformRefusal> {
        let _ = map;
        Ok(())
    }

    /// What type and range of its properties do not guarantee: references, lengths of lists,
    /// constants that go together.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn check(&self, model: &Model) -> Result<(), CheckError> {
        let _ = model;
        Ok(())
    }

    /// Its properties, without those that every component has.
    fn properties() -> &'static [Property<Self>];
}

/// A kind of the list below.
pub trait ComponentType: ModelComponent + Into<Component> {
    /// Which one.
    const KIND: Kind;

    /// Name in paths; empty without one.
    fn name(&self) -> &str;

    /// The same, to change.
    fn name_mut(&mut self) -> &mut String;

    /// The same component under this name.
    fn named(mut self, name: impl Into<String>) -> Self {
        *self.name_mut() = name.into();
        self
    }

    #[doc(hidden)]
    fn arena(store: &Store) -> &Arena<Self>;

    #[doc(hidden)]
    fn arena_mut(store: &mut Store) -> &mut Arena<Self>;

    #[doc(hidden)]
    fn of(component: &mut Component) -> Option<&mut Self>;
}

/// Makes [`Kind`], [`Component`], [`Store`] and the two dispatching macros from the list of kinds;
/// `$d` is a dollar sign for the inner macros.
macro_rules! components {
    ($d:tt $($(#[$doc:meta])* $kind:ident,)+) => {
        /// The kinds of component.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Kind {
            $($(#[$doc])* $kind,)+
        }

        impl Kind {
            /// Every kind, in the order of the enum.
            pub const ALL: [Self; [$(stringify!($kind)),+].len()] = [$(Self::$kind),+];

            /// Name in reports, e.g. "AxialSpring".
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind),)+ }
            }

            /// True if components of this kind hold code, which no file has.
            pub(crate) fn is_code(self) -> bool {
                matches!(self, Self::CustomForce | Self::CustomJoint | Self::CustomConstrainer)
            }

            /// The list of a mechanical model that components of this kind live in.
            pub fn home(self) -> Option<&'static str> {
                match self { $(Self::$kind => <$kind as ModelComponent>::HOME,)+ }
            }
        }

        /// A component of any kind.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        // Whoever keeps one boxes it; in a model each kind has an arena of its own.
        #[allow(clippy::large_enum_variant)]
        pub enum Component {
            $($(#[$doc])* $kind($kind),)+
        }

        /// All components: one arena a kind, and an index of their names.
        #[derive(Clone, Debug, Default)]
        #[allow(non_snake_case)]
        pub struct Store {
            $($kind: Arena<$kind>,)+
            pub(super) names: NameIndex,
        }

        $(
            impl From<$kind> for Component {
                fn from(component: $kind) -> Self {
                    Self::$kind(component)
                }
            }

            impl ComponentType for $kind {
                const KIND: Kind = Kind::$kind;

                fn name(&self) -> &str {
                    &self.name
                }

                fn name_mut(&mut self) -> &mut String {
                    &mut self.name
                }

                fn arena(store: &Store) -> &Arena<Self> {
                    &store.$kind
                }

                fn arena_mut(store: &mut Store) -> &mut Arena<Self> {
                    &mut store.$kind
                }

                fn of(component: &mut Component) -> Option<&mut Self> {
                    match component {
                        Component::$kind(it) => Some(it),
                        _ => None,
                    }
                }
            }
        )+

        /// `for_kind!(kind, T => expression)`: the expression with `T` standing for the kind's type.
        macro_rules! for_kind {
            ($d kind:expr, $d T:ident => $d body:expr) => {
                match $d kind {
                    $($crate::component::Kind::$kind => {
                        type $d T = $crate::model::$kind;
                        $d body
                    })+
                }
            };
        }

        /// `for_component!(component, c => expression)`: the expression with `c` standing for what
        /// is in the variant.
        macro_rules! for_component {
            ($d component:expr, $d c:ident => $d body:expr) => {
                match $d component {
                    $($crate::component::Component::$kind($d c) => $d body,)+
                }
            };
        }
    };
}

components! { $
    /// The root of the tree.
    RootModel,
    /// A list of components: one of those that every model has, or the user's own.
    ComponentList,
    /// A point mass.
    Particle,
    /// A rigid body.
    RigidBody,
    /// A point fixed to a rigid body.
    FrameMarker,
    /// A spring along the line between two points.
    AxialSpring,
    /// A spring along the line through several points.
    MultiPointSpring,
    /// A spring between two frames.
    FrameSpring,
    /// A joint between two frames.
    Joint,
    /// A constraint of a point.
    PointConstrainer,
    /// Points that follow a body, a particle or a tissue.
    Attachment,
    /// A shape that touches others.
    Collider,
    /// Behaviour of two sides that touch.
    CollisionBehavior,
    /// A rigid body that follows a tissue or points.
    FrameAttachment,
    /// A soft tissue.
    FemModel,
    /// A force on a point.
    PointLoad,
    /// A force on the mass of a soft tissue.
    BodyLoad,
    /// A force and a moment on a rigid body.
    FrameLoad,
    /// A force that the user's own code computes.
    CustomForce,
    /// One excitation for a group of muscles.
    MuscleExciter,
    /// A surface that is drawn and takes no part in the simulation.
    RenderMesh,
    /// A mechanical model: lists of what it is made of, other mechanical models among them.
    MechModel,
    /// A group of components that live elsewhere.
    ReferenceList,
    /// A joint that the user's own code defines.
    CustomJoint,
    /// A constraint that the user's own code defines.
    CustomConstrainer,
    /// An equation between coordinates of joints.
    JointCoordinateCoupling,
    /// A force or moment on a coordinate of a joint.
    CoordinateActuator,
    /// A point on a chain of planes.
    SegmentedPlane,
    /// Fibres in elements of a tissue.
    MuscleBundle,
    /// A load on a surface of a tissue.
    SurfaceLoad,
}

pub(crate) use {for_component, for_kind};
