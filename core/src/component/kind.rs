//! The list of component kinds. A new kind is its file in `kinds/` and one line at the end of this list.

use serde::{Deserialize, Serialize};

/// Hands what is given, and then the list of kinds, `/// doc` and `Name,` each, to a macro.
macro_rules! with_kinds {
    ([$($then:tt)*] $($given:tt)*) => {
        $($then)*! {
            $($given)*
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
            /// Contents of a closed surface of a tissue.
            ClosedVolume,
            /// A membrane or a thin shell between nodes of a tissue.
            Shell,
            /// A surface that springs and muscles wrap over.
            WrapSurface,
            /// A quantity of the running model that is measured.
            Sensor,
            /// A law that sets a property before every step.
            PropertyController,
            /// A command that is done when a value crosses a threshold.
            Event,
            /// A table of values over time that are fed into properties.
            InputProbe,
            /// A recording of properties over time.
            OutputProbe,
            /// A time at which a run keeps its state, to be gone back to.
            Waypoint,
            /// A group of properties that a user turns, with a widget each.
            ControlPanel,
        }
    };
}

pub(crate) use with_kinds;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)+) => {
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
        }
    };
}

with_kinds!([kinds]);

/// A type of component: its kind and its name.
pub trait ComponentType: Sized + 'static {
    /// Its kind.
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
}
