//! Building by hand while a model runs: parts drawn from place to place, and connections between what was picked. Each
//! becomes commands of edits, one edit together; places are those of now.

mod connection;
mod error;
mod part;
mod place;
mod start;

use crate::Vec3;
use crate::component::ComponentId;
use crate::editing::EditCommand;
use crate::model::{MechModel, Model};
use crate::property::Value;
use crate::schedule::Simulation;

use super::DragPoint;
pub use error::BuildError;
pub(super) use place::{point_at, site_of};
pub(super) use start::Moving;

/// A place that was picked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// Point or body that was picked there; `None` for free space.
    pub grabbed: Option<DragPoint>,
    /// The place, world [m]. That of a point is taken from the state.
    pub place: Vec3,
}

/// A part, drawn from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A ball about the first place, which reaches the second.
    Ball,
    /// A round rod between the places.
    Rod,
    /// A wheel about the first place, whose rim goes through the second; its axis points to the eye.
    Wheel,
    /// A plate with its corners at the places, facing the eye.
    Plate,
    /// A block of tissue with its corners at the places.
    Block,
}

/// A connection between two picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A joint that lets nothing move.
    Weld,
    /// A joint that turns about an axis.
    Hinge,
    /// A joint that slides along an axis.
    Slider,
    /// A joint that turns about a point: things nailed together.
    Nail,
    /// A hinge with a motor of about a turn a second.
    Motor,
    /// A spring that is at rest now.
    Spring,
    /// A muscle, not excited yet.
    Muscle,
    /// The first point follows the second.
    Attachment,
}

/// Something to be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Build {
    /// A part.
    Part {
        /// Its kind.
        part: Part,
        /// Places from which and to which it is drawn.
        ends: [Pick; 2],
        /// Axes of the picture, to the right, up and to the eye, to the world.
        axes: nalgebra::UnitQuaternion<f64>,
    },
    /// A connection.
    Connection {
        /// Its kind.
        connection: Connection,
        /// Its sides, in the order of clicks.
        ends: [Pick; 2],
        /// Axis of a hinge or a slider, world; of any length.
        axis: Vec3,
    },
    /// A motor on a joint that is there.
    Motor(ComponentId),
    /// A marker: on a body, or a point that follows a tissue.
    Marker(Pick),
}

impl Build {
    /// Commands that build it in a model as it is now.
    ///
    /// # Errors
    /// [`BuildError`] says why it cannot be built so.
    pub(super) fn commands(
        &self,
        simulation: &mut Simulation,
    ) -> Result<Vec<EditCommand>, BuildError> {
        simulation.state()?;
        let builder = Builder { simulated: simulation.simulated() };
        match *self {
            Self::Part { part, ends, axes } => builder.part(part, ends, axes),
            Self::Connection { connection, ends, axis } => {
                builder.connection(connection, ends, axis)
            }
            Self::Motor(joint) => builder.motor_on(joint),
            Self::Marker(pick) => builder.marker(pick),
        }
    }
}

/// The model that is built on, as it is now.
struct Builder<'s> {
    simulated: crate::simulated::Simulated<'s>,
}

impl Builder<'_> {
    fn model(&self) -> &Model {
        self.simulated.model
    }

    /// The first name `BASE1`, `BASE2` that no component of a kind has yet, and its path.
    fn fresh(&self, kind: crate::component::Kind, base: &str) -> (String, String) {
        let model = self.model();
        let main = model.first::<MechModel>().map_or_else(String::new, |main| model.path(main));
        let home = kind.home().unwrap_or_default();
        let path = |name: &str| format!("{}/{home}/{name}", main.trim_end_matches('/'));
        let names = (1u64..).map(|k| format!("{base}{k}"));
        let mut free = names.filter(|name| model.find(&path(name)).is_err());
        let name = free.next().unwrap_or_else(|| base.to_owned());
        let path = path(&name);
        (name, path)
    }
}

/// A command that adds a component to the first mechanical model.
fn add(kind: &str, name: &str, properties: &[(&str, String)]) -> EditCommand {
    let pair = |(name, value): &(&str, String)| ((*name).to_owned(), value.clone());
    let properties = properties.iter().map(pair).collect();
    EditCommand::Add { kind: kind.to_owned(), path: name.to_owned(), properties }
}

/// A vector as text.
fn text_of(v: Vec3) -> String {
    Value::Vector(v).to_string()
}
