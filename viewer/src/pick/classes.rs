//! Classes of components by what a user takes them for, and sets of them: which ones a rectangle selects.

use sinew::component::Kind;
use sinew::snapshot::{Item, Shape};

/// A class of components that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickClass {
    /// Rigid bodies, with the shapes that they touch others by.
    Bodies,
    /// Tissues, shells among them.
    Tissues,
    /// Particles.
    Particles,
    /// Markers on bodies.
    Markers,
    /// Lines that can be excited, and bundles of fibres.
    Muscles,
    /// Springs, and all other lines.
    Springs,
    /// Joints and constraints.
    Joints,
    /// Surfaces that are drawn, wrapped over or touched, and are of no body.
    Surfaces,
    /// Everything else that is drawn: attachments, loads.
    Others,
}

impl PickClass {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Bodies,
        Self::Tissues,
        Self::Particles,
        Self::Markers,
        Self::Muscles,
        Self::Springs,
        Self::Joints,
        Self::Surfaces,
        Self::Others,
    ];

    /// Its name in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bodies => "bodies",
            Self::Tissues => "tissues",
            Self::Particles => "particles",
            Self::Markers => "markers",
            Self::Muscles => "muscles",
            Self::Springs => "springs",
            Self::Joints => "joints",
            Self::Surfaces => "surfaces",
            Self::Others => "others",
        }
    }

    fn of_line(item: &Item) -> Self {
        match &item.shape {
            Shape::Lines(lines) if lines.muscle => Self::Muscles,
            _ => Self::Springs,
        }
    }

    /// Class of a component of this kind that an item shows.
    pub(super) fn of(kind: Kind, item: &Item) -> Self {
        match kind {
            Kind::RigidBody => Self::Bodies,
            Kind::FemModel | Kind::Shell => Self::Tissues,
            Kind::Particle => Self::Particles,
            Kind::FrameMarker => Self::Markers,
            Kind::MuscleBundle => Self::Muscles,
            Kind::AxialSpring | Kind::MultiPointSpring | Kind::FrameSpring => Self::of_line(item),
            Kind::Joint
            | Kind::CustomJoint
            | Kind::PointConstrainer
            | Kind::CustomConstrainer
            | Kind::JointCoordinateCoupling
            | Kind::SegmentedPlane => Self::Joints,
            Kind::Collider | Kind::RenderMesh | Kind::WrapSurface => Self::Surfaces,
            Kind::RootModel
            | Kind::ComponentList
            | Kind::Attachment
            | Kind::CollisionBehavior
            | Kind::FrameAttachment
            | Kind::PointLoad
            | Kind::BodyLoad
            | Kind::FrameLoad
            | Kind::CustomForce
            | Kind::MuscleExciter
            | Kind::MechModel
            | Kind::ReferenceList
            | Kind::CoordinateActuator
            | Kind::SurfaceLoad
            | Kind::ClosedVolume
            | Kind::Sensor
            | Kind::PropertyController
            | Kind::Event
            | Kind::InputProbe
            | Kind::OutputProbe
            | Kind::Waypoint
            | Kind::ControlPanel => Self::Others,
        }
    }
}

/// Classes that a rectangle selects; all of them at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickClasses([bool; PickClass::ALL.len()]);

impl Default for PickClasses {
    fn default() -> Self {
        Self::ALL
    }
}

impl PickClasses {
    /// Every class.
    pub const ALL: Self = Self([true; PickClass::ALL.len()]);
    /// No class.
    pub const NONE: Self = Self([false; PickClass::ALL.len()]);

    /// True if a class is among them.
    pub fn has(&self, class: PickClass) -> bool {
        self.0[class as usize]
    }

    /// Takes a class in, or out.
    pub fn set(&mut self, class: PickClass, is_in: bool) {
        self.0[class as usize] = is_in;
    }

    /// Names of the classes in it, in their order; `everything` where all are.
    pub fn describe(&self) -> String {
        if *self == Self::ALL {
            return "everything".to_owned();
        }
        let names = PickClass::ALL.into_iter().filter(|&it| self.has(it)).map(PickClass::name);
        let names: Vec<&str> = names.collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }
}
