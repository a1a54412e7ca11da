//! Panels: the tree, properties, control panels, curves. Plain state that draws itself with egui; what is
//! asked for comes out as [`Actions`].

mod controls;
mod navigation;
mod plots;
mod properties;
mod selection;
mod tree;
mod value;

use sinew::component::ComponentId;
use sinew::schedule::{Assignment, Command};

pub use controls::{ControlItem, ControlPanel, ControlWidget, Controls};
pub use navigation::Navigation;
pub use plots::Plots;
pub use properties::Properties;
pub use selection::Selection;

/// What a frame of panels asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actions {
    /// To be sent to the session.
    pub commands: Vec<Command>,
    /// Paths of properties whose numbers are to be plotted.
    pub follow: Vec<String>,
    /// What the camera is to go to.
    pub look_at: Option<ComponentId>,
    /// Files to be written: name and text.
    pub files: Vec<(String, String)>,
}

impl Actions {
    /// Sets a property of several components, or has it inherited.
    pub(crate) fn set<'p>(
        &mut self,
        owners: impl IntoIterator<Item = &'p str>,
        name: &str,
        value: Option<&str>,
    ) {
        let assign = |owner: &str| Assignment {
            path: format!("{owner}:{name}"),
            value: value.map(str::to_owned),
        };
        self.commands.push(Command::Set(owners.into_iter().map(assign).collect()));
    }
}
