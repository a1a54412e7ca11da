//! All commands of the window in one table: name, key, effect of each. Menus, keys and the palette
//! are made of it.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::pane::Pane;
use super::tools::Motion;
use WindowCommand::{File, Picture, Run};

/// A command of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowCommand {
    File(FileCommand),
    Run(RunCommand),
    Picture(PictureCommand),
    Undo,
    Redo,
    DeleteSelected,
    Duplicate,
    ClearSelection,
    Gizmo(Motion),
    Brush,
    /// Opens or closes a pane.
    Pane(Pane),
    AnotherView,
    ShowAll,
    CloseNotes,
    ClosePlots,
    Palette,
    Theme,
    Tour,
    Quit,
}

/// A command about files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileCommand {
    New,
    Open,
    Import,
    Reload,
    Save,
    SaveAs,
    SavePicture,
    SavePictureAs,
    Film,
    FilmOfWaypoints,
}

/// A command about the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunCommand {
    PlayOrPause,
    Step,
    Reset,
    Rewind,
    Waypoint,
    Breakpoint,
    EvenWaypoints,
    RunToMark,
    Unmark,
    Checkpoint,
}

/// A command about the picture that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureCommand {
    Fit,
    /// Looks from a side: `+x` is the side that the eye is on.
    LookFrom(&'static str),
    Projection,
    SaveView,
    NextView,
    NextColors,
    Cut,
    Translucent,
    Shrink,
    Wireframe,
    Nodes,
    Fibres,
    Frames,
    Joints,
    Contacts,
    Grid,
}

/// A line of the table: what it is, its menu, what it is called, its key.
pub(crate) struct Line {
    pub(crate) command: WindowCommand,
    pub(crate) menu: &'static str,
    pub(crate) name: &'static str,
    pub(crate) key: Option<KeyboardShortcut>,
}

const fn plain(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::NONE, key))
}

const fn with_command(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}

const fn with_shift(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::SHIFT, key))
}

const fn with_both(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key))
}

const fn line(
    command: WindowCommand,
    menu: &'static str,
    name: &'static str,
    key: Option<KeyboardShortcut>,
) -> Line {
    Line { command, menu, name, key }
}

/// All of them, menu by menu.
pub(crate) const TABLE: &[Line] = &[
    line(File(FileCommand::New), "File", "New model", with_command(Key::N)),
    line(File(FileCommand::Open), "File", "Open a model", with_command(Key::O)),
    line(File(FileCommand::Import), "File", "Import a mesh", with_command(Key::I)),
    line(File(FileCommand::Reload), "File", "Reload", with_command(Key::R)),
    line(File(FileCommand::Save), "File", "Save the model", with_command(Key::S)),
    line(File(FileCommand::SaveAs), "File", "Save as", with_both(Key::S)),
    line(File(FileCommand::SavePicture), "File", "Save picture", plain(Key::F12)),
    line(File(FileCommand::SavePictureAs), "File", "Picture of another size", with_shift(Key::F12)),
    line(File(FileCommand::Film), "File", "Begin or end a film", with_command(Key::F12)),
    line(File(FileCommand::FilmOfWaypoints), "File", "Film of the waypoints", None),
    line(Run(RunCommand::Checkpoint), "File", "Save checkpoint", with_command(Key::K)),
    line(WindowCommand::Palette, "File", "All commands", with_command(Key::P)),
    line(WindowCommand::Quit, "File", "Quit", with_command(Key::Q)),
    line(WindowCommand::Undo, "Edit", "Undo", with_command(Key::Z)),
    line(WindowCommand::Redo, "Edit", "Redo", with_command(Key::Y)),
    line(WindowCommand::DeleteSelected, "Edit", "Delete what is selected", plain(Key::Delete)),
    line(WindowCommand::Duplicate, "Edit", "Duplicate what is selected", with_command(Key::D)),
    line(WindowCommand::Gizmo(Motion::Move), "Edit", "Gizmo to move", plain(Key::M)),
    line(WindowCommand::Gizmo(Motion::Turn), "Edit", "Gizmo to turn", plain(Key::R)),
    line(WindowCommand::Gizmo(Motion::Scale), "Edit", "Gizmo to scale", plain(Key::S)),
    line(WindowCommand::Gizmo(Motion::Mirror), "Edit", "Gizmo to mirror", with_shift(Key::M)),
    line(WindowCommand::Brush, "Edit", "Brush for faces", plain(Key::B)),
    line(WindowCommand::ClearSelection, "Edit", "Clear selection", plain(Key::Escape)),
    line(WindowCommand::CloseNotes, "Edit", "Close notes", with_shift(Key::Escape)),
    line(Run(RunCommand::PlayOrPause), "Run", "Play or pause", plain(Key::Space)),
    line(Run(RunCommand::Step), "Run", "One step", plain(Key::Period)),
    line(Run(RunCommand::Reset), "Run", "Reset", plain(Key::Home)),
    line(Run(RunCommand::Rewind), "Run", "Back to the last waypoint", plain(Key::Backspace)),
    line(Run(RunCommand::Waypoint), "Run", "Waypoint here", plain(Key::W)),
    line(Run(RunCommand::Breakpoint), "Run", "Breakpoint here", with_shift(Key::W)),
    line(Run(RunCommand::RunToMark), "Run", "On to the next waypoint", with_shift(Key::Space)),
    line(Run(RunCommand::Unmark), "Run", "Remove the last waypoint", with_shift(Key::Delete)),
    line(Run(RunCommand::EvenWaypoints), "Run", "Waypoints at even times", None),
    line(Picture(PictureCommand::Fit), "View", "Fit", plain(Key::F)),
    line(Picture(PictureCommand::LookFrom("+x")), "View", "From the front (+x)", plain(Key::Num1)),
    line(Picture(PictureCommand::LookFrom("-x")), "View", "From behind (-x)", plain(Key::Num2)),
    line(Picture(PictureCommand::LookFrom("+y")), "View", "From the left (+y)", plain(Key::Num3)),
    line(Picture(PictureCommand::LookFrom("-y")), "View", "From the right (-y)", plain(Key::Num4)),
    line(Picture(PictureCommand::LookFrom("+z")), "View", "From above (+z)", plain(Key::Num5)),
    line(Picture(PictureCommand::LookFrom("-z")), "View", "From below (-z)", plain(Key::Num6)),
    line(Picture(PictureCommand::LookFrom("iso")), "View", "Isometric", plain(Key::Num7)),
    line(WindowCommand::AnotherView, "View", "Another view beside", with_command(Key::E)),
    line(Picture(PictureCommand::Projection), "View", "Perspective or parallel", plain(Key::O)),
    line(Picture(PictureCommand::SaveView), "View", "Keep this view", plain(Key::V)),
    line(Picture(PictureCommand::NextView), "View", "Next kept view", with_shift(Key::V)),
    line(
        Picture(PictureCommand::NextColors),
        "Show",
        "Colour tissues by the next quantity",
        plain(Key::C),
    ),
    line(Picture(PictureCommand::Cut), "Show", "Cutting plane", plain(Key::X)),
    line(Picture(PictureCommand::Wireframe), "Show", "Wireframe", plain(Key::E)),
    line(Picture(PictureCommand::Translucent), "Show", "Translucent surfaces", plain(Key::T)),
    line(Picture(PictureCommand::Shrink), "Show", "Shrunk elements", plain(Key::H)),
    line(Picture(PictureCommand::Nodes), "Show", "Nodes", plain(Key::N)),
    line(Picture(PictureCommand::Fibres), "Show", "Fibres of tissues", None),
    line(Picture(PictureCommand::Frames), "Show", "Frames of bodies", None),
    line(Picture(PictureCommand::Joints), "Show", "Axes of joints", plain(Key::J)),
    line(Picture(PictureCommand::Contacts), "Show", "Contacts", plain(Key::K)),
    line(Picture(PictureCommand::Grid), "Show", "Grid", plain(Key::G)),
    line(WindowCommand::ShowAll, "Show", "Everything that is hidden", with_shift(Key::H)),
    line(WindowCommand::Pane(Pane::Tree), "Panels", "Tree", plain(Key::F1)),
    line(WindowCommand::Pane(Pane::Properties), "Panels", "Properties", plain(Key::F2)),
    line(WindowCommand::Pane(Pane::Controls), "Panels", "Controls", plain(Key::F3)),
    line(WindowCommand::Pane(Pane::Plots), "Panels", "Plots", plain(Key::F4)),
    line(WindowCommand::ClosePlots, "Panels", "Close all plots", with_shift(Key::F4)),
    line(WindowCommand::Pane(Pane::View), "Panels", "View", plain(Key::F5)),
    line(WindowCommand::Pane(Pane::Build), "Panels", "Build", plain(Key::F7)),
    line(WindowCommand::Pane(Pane::Curves), "Panels", "Curves", plain(Key::F8)),
    line(WindowCommand::Pane(Pane::World), "Panels", "World", plain(Key::F9)),
    line(WindowCommand::Pane(Pane::Inverse), "Panels", "Inverse", plain(Key::F10)),
    line(WindowCommand::Theme, "Panels", "Dark or light", plain(Key::F6)),
    line(WindowCommand::Tour, "Help", "Tour in five hints", None),
];
