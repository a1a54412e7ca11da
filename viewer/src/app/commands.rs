//! Everything that the window can be told to do, in one table: name, key, what it does. Menus, keys and
//! the palette are made of it.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::App;

/// Something that the window can be told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each is")]
pub enum Deed {
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
    SavePicture,
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
    Navigation,
    Properties,
    Controls,
    Plots,
    View,
    ClearSelection,
    CloseNotes,
    ClosePlots,
    Palette,
    Theme,
    Quit,
}

/// A line of the table: what it is, its menu, what it is called, its key.
pub(crate) struct Line {
    pub(crate) deed: Deed,
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

const fn line(
    deed: Deed,
    menu: &'static str,
    name: &'static str,
    key: Option<KeyboardShortcut>,
) -> Line {
    Line { deed, menu, name, key }
}

/// All of them, menu by menu.
pub(crate) const TABLE: &[Line] = &[
    line(Deed::SavePicture, "File", "Save picture", with_command(Key::S)),
    line(Deed::Checkpoint, "File", "Save checkpoint", with_command(Key::K)),
    line(Deed::Palette, "File", "All commands", with_command(Key::P)),
    line(Deed::Quit, "File", "Quit", with_command(Key::Q)),
    line(Deed::Undo, "Edit", "Undo", with_command(Key::Z)),
    line(Deed::Redo, "Edit", "Redo", with_command(Key::Y)),
    line(Deed::ClearSelection, "Edit", "Clear selection", plain(Key::Escape)),
    line(Deed::CloseNotes, "Edit", "Close notes", with_shift(Key::Escape)),
    line(Deed::PlayOrPause, "Run", "Play or pause", plain(Key::Space)),
    line(Deed::Step, "Run", "One step", plain(Key::Period)),
    line(Deed::Reset, "Run", "Reset", plain(Key::Home)),
    line(Deed::Rewind, "Run", "Back to the last waypoint", plain(Key::Backspace)),
    line(Deed::Waypoint, "Run", "Waypoint here", plain(Key::W)),
    line(Deed::Breakpoint, "Run", "Breakpoint here", with_shift(Key::W)),
    line(Deed::RunToMark, "Run", "On to the next waypoint", with_shift(Key::Space)),
    line(Deed::Unmark, "Run", "Remove the last waypoint", plain(Key::Delete)),
    line(Deed::Fit, "View", "Fit", plain(Key::F)),
    line(Deed::Front, "View", "From the front (-y)", plain(Key::Num1)),
    line(Deed::Back, "View", "From behind (+y)", plain(Key::Num2)),
    line(Deed::Left, "View", "From the left (-x)", plain(Key::Num3)),
    line(Deed::Right, "View", "From the right (+x)", plain(Key::Num4)),
    line(Deed::Above, "View", "From above (+z)", plain(Key::Num5)),
    line(Deed::Below, "View", "From below (-z)", plain(Key::Num6)),
    line(Deed::Isometric, "View", "Isometric", plain(Key::Num7)),
    line(Deed::Projection, "View", "Perspective or parallel", plain(Key::O)),
    line(Deed::SaveView, "View", "Keep this view", plain(Key::V)),
    line(Deed::NextView, "View", "Next kept view", with_shift(Key::V)),
    line(Deed::NextColors, "Show", "Colour tissues by the next quantity", plain(Key::C)),
    line(Deed::Cut, "Show", "Cutting plane", plain(Key::X)),
    line(Deed::Wireframe, "Show", "Wireframe", plain(Key::E)),
    line(Deed::Translucent, "Show", "Translucent surfaces", plain(Key::T)),
    line(Deed::Shrink, "Show", "Shrunk elements", plain(Key::H)),
    line(Deed::Nodes, "Show", "Nodes", plain(Key::N)),
    line(Deed::Fibres, "Show", "Fibres of tissues", None),
    line(Deed::Frames, "Show", "Frames of bodies", None),
    line(Deed::Joints, "Show", "Axes of joints", plain(Key::J)),
    line(Deed::Contacts, "Show", "Contacts", plain(Key::K)),
    line(Deed::Grid, "Show", "Grid", plain(Key::G)),
    line(Deed::Navigation, "Panels", "Navigation", plain(Key::F1)),
    line(Deed::Properties, "Panels", "Properties", plain(Key::F2)),
    line(Deed::Controls, "Panels", "Controls", plain(Key::F3)),
    line(Deed::Plots, "Panels", "Plots", plain(Key::F4)),
    line(Deed::ClosePlots, "Panels", "Close all plots", with_shift(Key::F4)),
    line(Deed::View, "Panels", "View", plain(Key::F5)),
    line(Deed::Theme, "Panels", "Dark or light", plain(Key::F6)),
];

impl App {
    /// Keys, unless something is typed.
    pub(super) fn shortcuts(&mut self, ui: &egui::Ui) {
        let typing = ui.ctx().text_edit_focused();
        // A key without Shift is also taken as pressed with it: those with Shift come first.
        for shift in [true, false] {
            for line in TABLE {
                let Some(key) = line.key.filter(|key| key.modifiers.shift == shift) else {
                    continue;
                };
                if typing && !key.modifiers.command {
                    continue;
                }
                if ui.input_mut(|input| input.consume_shortcut(&key)) {
                    self.perform(line.deed, ui.ctx());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
