//! The components of a model: one arena a kind, and all that is made from the list of kinds: the
//! enum of components, the store, dispatch by kind. The tree: `tree.rs`; names: `names.rs`; what a
//! store does whatever the kind: `dispatch.rs`.

mod arena;
mod dispatch;
mod names;
mod references;
mod tree;

use serde::{Deserialize, Serialize};

pub use arena::{Arena, Row};
use names::NameIndex;
pub(crate) use references::ReferenceIndex;
pub use tree::{MAX_DEPTH, Meta};

use crate::component::{ComponentType, Kind, with_kinds};
use crate::kinds::{
    Attachment, AxialSpring, BodyLoad, ClosedVolume, Collider, CollisionBehavior, ComponentList,
    ControlPanel, CoordinateActuator, CustomConstrainer, CustomForce, CustomJoint, Event, FemModel,
    FrameAttachment, FrameLoad, FrameMarker, FrameSpring, InputProbe, Joint,
    JointCoordinateCoupling, MechModel, MultiPointSpring, MuscleBundle, MuscleExciter, OutputProbe,
    Particle, PointConstrainer, PointLoad, PropertyController, ReferenceList, RenderMesh,
    RigidBody, RootModel, SegmentedPlane, Sensor, Shell, SurfaceLoad, Waypoint, WrapSurface,
};
use crate::property::ModelComponent;

/// A kind of component that a store holds.
pub trait Stored: ModelComponent + Into<Component> {
    #[doc(hidden)]
    fn arena(store: &Store) -> &Arena<Self>;

    #[doc(hidden)]
    fn arena_mut(store: &mut Store) -> &mut Arena<Self>;

    #[doc(hidden)]
    fn of(component: &mut Component) -> Option<&mut Self>;
}

macro_rules! store {
    ($($(#[$doc:meta])* $kind:ident,)+) => {
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
            names: NameIndex,
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
            }

            impl Stored for $kind {
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
    };
}

with_kinds!([store]);

/// `for_kind!(kind, T => expression)`: the expression with `T` standing for the kind's type.
macro_rules! for_kind {
    ($kind:expr, $T:ident => $body:expr) => {
        $crate::component::with_kinds!([$crate::model::match_kind]($kind, $T, $body))
    };
}

macro_rules! match_kind {
    (($kind:expr, $T:ident, $body:expr) $($(#[$doc:meta])* $name:ident,)+) => {
        match $kind {
            $($crate::component::Kind::$name => {
                type $T = $crate::kinds::$name;
                $body
            })+
        }
    };
}

/// `for_component!(component, c => expression)`: the expression with `c` standing for what is in the variant.
macro_rules! for_component {
    ($component:expr, $c:ident => $body:expr) => {
        $crate::component::with_kinds!([$crate::model::match_component]($component, $c, $body))
    };
}

macro_rules! match_component {
    (($component:expr, $c:ident, $body:expr) $($(#[$doc:meta])* $name:ident,)+) => {
        match $component {
            $($crate::model::Component::$name($c) => $body,)+
        }
    };
}

pub(crate) use {for_component, for_kind, match_component, match_kind};

impl Kind {
    /// The list of a mechanical model that components of this kind live in.
    pub fn home(self) -> Option<&'static str> {
        for_kind!(self, T => T::HOME)
    }
}
