//! All commands of the window in one table: name, key, effect of each. Menus, keys and the palette
//! are made of it.

use egui::{Key, KeyboardShortcut, Modifiers};

/// A command of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each is")]
pub enum WindowCommand {
    PlayOrPause,
    Step,
    Reset,
    Rewind,
    Waypoint,
    Breakpoint,
    RunToMark,
    Unmark,
    Checkpoint,
    Undo,
    Redo,
    DeleteSelected,
    Duplicate,
    Move,
    Turn,
    Scale,
    Mirror,
    New,
    Open,
    Import,
    Reload,
    Save,
    SaveAs,
    SavePicture,
    SavePictureAs,
    Film,
    EvenWaypoints,
    FilmOfWaypoints,
    Fit,
    Front,
    Back,
    Left,
    Right,
    Above,
    Below,
    Isometric,
    Projection,
    SaveView,
    NextView,
    NextColors,
    Cut,
    Wireframe,
    Translucent,
    Nodes,
    Fibres,
    Frames,
    Joints,
    Contacts,
    Grid,
    Shrink,
    Tree,
    Properties,
    Controls,
    Plots,
    View,
    Build,
    Curves,
    AnotherView,
    ClearSelection,
    ShowAll,
    CloseNotes,
    ClosePlots,
    Palette,
    Theme,
    Tour,
    Quit,
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
    line(WindowCommand::New, "File", "New model", with_command(Key::N)),
    line(WindowCommand::Open, "File", "Open a model", with_command(Key::O)),
    line(WindowCommand::Import, "File", "Import a mesh", with_command(Key::I)),
    line(WindowCommand::Reload, "File", "Reload", with_command(Key::R)),
    line(WindowCommand::Save, "File", "Save the model", with_command(Key::S)),
    line(WindowCommand::SaveAs, "File", "Save as", with_both(Key::S)),
    line(WindowCommand::SavePicture, "File", "Save picture", plain(Key::F12)),
    line(WindowCommand::SavePictureAs, "File", "Picture of another size", with_shift(Key::F12)),
    line(WindowCommand::Film, "File", "Begin or end a film", with_command(Key::F12)),
    line(WindowCommand::FilmOfWaypoints, "File", "Film of the waypoints", None),
    line(WindowCommand::Checkpoint, "File", "Save checkpoint", with_command(Key::K)),
    line(WindowCommand::Palette, "File", "All commands", with_command(Key::P)),
    line(WindowCommand::Quit, "File", "Quit", with_command(Key::Q)),
    line(WindowCommand::Undo, "Edit", "Undo", with_command(Key::Z)),
    line(WindowCommand::Redo, "Edit", "Redo", with_command(Key::Y)),
    line(WindowCommand::DeleteSelected, "Edit", "Delete what is selected", plain(Key::Delete)),
    line(WindowCommand::Duplicate, "Edit", "Duplicate what is selected", with_command(Key::D)),
    line(WindowCommand::Move, "Edit", "Gizmo to move", plain(Key::M)),
    line(WindowCommand::Turn, "Edit", "Gizmo to turn", plain(Key::R)),
    line(WindowCommand::Scale, "Edit", "Gizmo to scale", plain(Key::S)),
    line(WindowCommand::Mirror, "Edit", "Gizmo to mirror", with_shift(Key::M)),
    line(WindowCommand::ClearSelection, "Edit", "Clear selection", plain(Key::Escape)),
    line(WindowCommand::CloseNotes, "Edit", "Close notes", with_shift(Key::Escape)),
    line(WindowCommand::PlayOrPause, "Run", "Play or pause", plain(Key::Space)),
    line(WindowCommand::Step, "Run", "One step", plain(Key::Period)),
    line(WindowCommand::Reset, "Run", "Reset", plain(Key::Home)),
    line(WindowCommand::Rewind, "Run", "Back to the last waypoint", plain(Key::Backspace)),
    line(WindowCommand::Waypoint, "Run", "Waypoint here", plain(Key::W)),
    line(WindowCommand::Breakpoint, "Run", "Breakpoint here", with_shift(Key::W)),
    line(WindowCommand::RunToMark, "Run", "On to the next waypoint", with_shift(Key::Space)),
    line(WindowCommand::Unmark, "Run", "Remove the last waypoint", with_shift(Key::Delete)),
    line(WindowCommand::EvenWaypoints, "Run", "Waypoints at even times", None),
    line(WindowCommand::Fit, "View", "Fit", plain(Key::F)),
    line(WindowCommand::Front, "View", "From the front (+x)", plain(Key::Num1)),
    line(WindowCommand::Back, "View", "From behind (-x)", plain(Key::Num2)),
    line(WindowCommand::Left, "View", "From the left (+y)", plain(Key::Num3)),
    line(WindowCommand::Right, "View", "From the right (-y)", plain(Key::Num4)),
    line(WindowCommand::Above, "View", "From above (+z)", plain(Key::Num5)),
    line(WindowCommand::Below, "View", "From below (-z)", plain(Key::Num6)),
    line(WindowCommand::Isometric, "View", "Isometric", plain(Key::Num7)),
    line(WindowCommand::AnotherView, "View", "Another view beside", with_command(Key::E)),
    line(WindowCommand::Projection, "View", "Perspective or parallel", plain(Key::O)),
    line(WindowCommand::SaveView, "View", "Keep this view", plain(Key::V)),
    line(WindowCommand::NextView, "View", "Next kept view", with_shift(Key::V)),
    line(WindowCommand::NextColors, "Show", "Colour tissues by the next quantity", plain(Key::C)),
    line(WindowCommand::Cut, "Show", "Cutting plane", plain(Key::X)),
    line(WindowCommand::Wireframe, "Show", "Wireframe", plain(Key::E)),
    line(WindowCommand::Translucent, "Show", "Translucent surfaces", plain(Key::T)),
    line(WindowCommand::Shrink, "Show", "Shrunk elements", plain(Key::H)),
    line(WindowCommand::Nodes, "Show", "Nodes", plain(Key::N)),
    line(WindowCommand::Fibres, "Show", "Fibres of tissues", None),
    line(WindowCommand::Frames, "Show", "Frames of bodies", None),
    line(WindowCommand::Joints, "Show", "Axes of joints", plain(Key::J)),
    line(WindowCommand::Contacts, "Show", "Contacts", plain(Key::K)),
    line(WindowCommand::Grid, "Show", "Grid", plain(Key::G)),
    line(WindowCommand::ShowAll, "Show", "Everything that is hidden", with_shift(Key::H)),
    line(WindowCommand::Tree, "Panels", "Tree", plain(Key::F1)),
    line(WindowCommand::Properties, "Panels", "Properties", plain(Key::F2)),
    line(WindowCommand::Controls, "Panels", "Controls", plain(Key::F3)),
    line(WindowCommand::Plots, "Panels", "Plots", plain(Key::F4)),
    line(WindowCommand::ClosePlots, "Panels", "Close all plots", with_shift(Key::F4)),
    line(WindowCommand::View, "Panels", "View", plain(Key::F5)),
    line(WindowCommand::Build, "Panels", "Build", plain(Key::F7)),
    line(WindowCommand::Curves, "Panels", "Curves", plain(Key::F8)),
    line(WindowCommand::Theme, "Panels", "Dark or light", plain(Key::F6)),
    line(WindowCommand::Tour, "Help", "Tour in five hints", None),
];
