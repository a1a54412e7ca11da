//! Panels: the tree, properties, control panels, curves. Plain state that draws itself with egui; what is
//! asked for comes out as [`Actions`].

mod applies;
mod controls;
mod draft;
mod edit_menu;
mod history;
mod merge;
mod navigation;
mod numeric;
mod plot_panel;
mod plots;
mod properties;
mod reparent;
mod selection;
mod svg;
mod to_panel;
mod tracking;
mod tree;
mod tree_row;
mod value;
mod visibility;

use egui::{Popup, Response, SetOpenCommand, Stroke, StrokeKind, Ui};
use sinew::component::ComponentId;
use sinew::schedule::Command;
use sinew::snapshot::{Outline, Readings};

pub(crate) use edit_menu::{edit_menu, paths};
pub(crate) use tracking::TrackingPanel;
pub(crate) use tree::find as row_at;
pub(crate) use value::name;

pub use controls::Controls;
pub use edit_menu::EditForm;
pub use navigation::Navigation;
pub use plots::Plots;
pub use properties::Properties;
pub use selection::Selection;
pub use sinew::model::ControlWidget;
pub use sinew::schedule::{ControlItem, ShownPanel};

/// Actions that a frame of panels asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actions {
    /// Commands to the session.
    pub commands: Vec<Command>,
    /// Paths of properties whose numbers are to be plotted.
    pub follow: Vec<String>,
    /// Component that the camera is to go to.
    pub look_at: Option<ComponentId>,
    /// Files to be written: name and text.
    pub files: Vec<(String, String)>,
    /// Reasons for refusing entries, for the user to read.
    pub refusals: Vec<String>,
    /// An edit that asks for an entry.
    pub form: Option<EditForm>,
}

impl Actions {
    /// Takes in those of another panel, behind these.
    pub(crate) fn append(&mut self, other: Self) {
        let Self { commands, follow, look_at, files, refusals, form } = other;
        self.commands.extend(commands);
        self.follow.extend(follow);
        self.look_at = look_at.or(self.look_at);
        self.files.extend(files);
        self.refusals.extend(refusals);
        self.form = form.or(self.form.take());
    }
}

/// Colour of a curve by its number.
pub(crate) fn curve_color(nth: usize) -> egui::Color32 {
    let [r, g, b] = svg::COLORS[nth % svg::COLORS.len()];
    egui::Color32::from_rgb(r, g, b)
}

/// Unit of a property by its path; empty where it is not known.
pub(crate) fn unit_of(outline: &Outline, path: &str) -> &'static str {
    let unit = || {
        let (owner, name) = path.rsplit_once(':')?;
        let row = tree::find(outline, owner)?;
        let infos = outline.rows[row].id.kind().properties();
        infos.into_iter().find(|info| info.name == name).map(|info| info.unit)
    };
    unit().unwrap_or_default()
}

/// The numbers of a path that is followed; `None` where it has none now.
fn numbers_of<'r>(readings: &'r Readings, path: &str) -> Option<&'r [f64]> {
    numbers_at(readings, path, 0)
}

/// The same in the sample that begins at `begin` among the numbers.
fn numbers_at<'r>(readings: &'r Readings, path: &str, begin: usize) -> Option<&'r [f64]> {
    let at = readings.paths.iter().position(|it| it == path)?;
    let ends = readings.offsets.get(at..at + 2)?;
    let numbers = readings.numbers.get(begin + ends[0] as usize..begin + ends[1] as usize)?;
    let known = !numbers.is_empty() && numbers.iter().all(|x| !x.is_nan());
    known.then_some(numbers)
}

/// A frame around what the pointer would let go of something over.
fn frame_target(ui: &Ui, target: &Response) {
    let stroke = Stroke::new(2.0, ui.visuals().selection.bg_fill);
    ui.painter().rect_stroke(target.rect, 2.0, stroke, StrokeKind::Inside);
}

/// A menu below a label: at a click of either button, and at Enter where it has the focus.
fn menu_of(label: &Response, content: impl FnOnce(&mut Ui)) {
    let asked = label.clicked() || label.secondary_clicked();
    Popup::menu(label).open_memory(asked.then_some(SetOpenCommand::Toggle)).show(content);
}
