//! Everything that the window can be told to do, in one table: name, key, what it does. Menus, keys and
//! the palette are made of it.

use egui::{Key, KeyboardShortcut, Modifiers};
use sinew::schedule::{Command, NoteKind};
use sinew::snapshot::Quantity;

use super::App;
use crate::{Projection, Slice, SliceKind};

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
    line(Deed::PlayOrPause, "Run", "Play or pause", plain(Key::Space)),
    line(Deed::Step, "Run", "One step", plain(Key::Period)),
    line(Deed::Reset, "Run", "Reset", plain(Key::Home)),
    line(Deed::Rewind, "Run", "Back to the last waypoint", plain(Key::Backspace)),
    line(Deed::Waypoint, "Run", "Waypoint here", plain(Key::W)),
    line(Deed::Breakpoint, "Run", "Breakpoint here", with_shift(Key::W)),
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
    line(Deed::View, "Panels", "View", plain(Key::F5)),
    line(Deed::Theme, "Panels", "Dark or light", plain(Key::F6)),
];

impl App {
    /// Keys, unless something is typed.
    pub(super) fn shortcuts(&mut self, ui: &egui::Ui) {
        let typing = ui.ctx().text_edit_focused();
        for line in TABLE {
            let Some(key) = line.key else { continue };
            let bare = !key.modifiers.command;
            if typing && bare {
                continue;
            }
            if ui.input_mut(|input| input.consume_shortcut(&key)) {
                self.perform(line.deed, ui.ctx());
            }
        }
    }

    /// Does something.
    pub(super) fn perform(&mut self, deed: Deed, context: &egui::Context) {
        match deed {
            Deed::PlayOrPause if self.status.playing => self.session.send(Command::Pause),
            Deed::PlayOrPause => self.session.send(Command::Play),
            Deed::Step => self.session.send(Command::Step),
            Deed::Reset => self.session.send(Command::Reset),
            Deed::Rewind => self.rewind(),
            Deed::Waypoint => self.mark(false),
            Deed::Breakpoint => self.mark(true),
            Deed::Checkpoint => {
                let name = format!("t{:.4}.sinew", self.session.reader().front().time);
                self.session.send(Command::SaveCheckpoint(self.setup.folder.join(name)));
            }
            Deed::Undo => self.session.send(Command::Undo),
            Deed::Redo => self.session.send(Command::Redo),
            Deed::ClearSelection => self.selection.clear(),
            Deed::Palette => self.palette.open(),
            Deed::Quit => self.closing = true,
            Deed::SavePicture => self.save_picture(),
            Deed::Theme => toggle_theme(context),
            look => self.look(look),
        }
    }

    fn look(&mut self, deed: Deed) {
        let layout = &mut self.layout;
        let flag = match deed {
            Deed::Navigation => &mut layout.navigation,
            Deed::Properties => &mut layout.properties,
            Deed::Controls => &mut layout.controls,
            Deed::Plots => &mut layout.plots,
            Deed::View => &mut layout.view,
            Deed::Wireframe => &mut self.view.options.wireframe,
            Deed::Nodes => &mut self.view.options.nodes,
            Deed::Fibres => &mut self.view.options.fibres,
            Deed::Frames => &mut self.view.options.frames,
            Deed::Joints => &mut self.view.options.joints,
            Deed::Contacts => &mut self.view.options.contacts,
            Deed::Grid => &mut self.view.options.grid,
            other => return self.turn(other),
        };
        *flag = !*flag;
    }

    fn turn(&mut self, deed: Deed) {
        let direction = match deed {
            Deed::Front => "-y",
            Deed::Back => "+y",
            Deed::Left => "-x",
            Deed::Right => "+x",
            Deed::Above => "+z",
            Deed::Below => "-z",
            Deed::Isometric => "iso",
            Deed::Fit => return self.fit(),
            Deed::Projection => {
                let camera = &mut self.view.camera;
                camera.projection = match camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
                return;
            }
            Deed::SaveView => return self.save_view(String::new()),
            Deed::NextColors => {
                let all = Quantity::ALL;
                let at = all.iter().position(|&it| it == self.quantity).unwrap_or(0);
                return self.color_by(all[(at + 1) % all.len()]);
            }
            Deed::Translucent => {
                let opacity = &mut self.view.options.opacity;
                *opacity = if *opacity < 1.0 { 1.0 } else { 0.4 };
                return;
            }
            Deed::Shrink => {
                let shrink = &mut self.view.options.shrink;
                *shrink = if *shrink > 0.0 { 0.0 } else { 0.2 };
                return;
            }
            Deed::Cut => return self.toggle_cut(),
            _ => return,
        };
        if let Some(direction) = crate::Camera::direction(direction) {
            self.view.camera.look_along(direction);
            self.fit();
        }
    }

    fn fit(&mut self) {
        let snapshot = self.session.reader().front();
        self.canvas.fit(&mut self.view, snapshot);
    }

    /// Colours tissues.
    pub(super) fn color_by(&mut self, quantity: Quantity) {
        self.quantity = quantity;
        self.session.send(Command::ColorBy(quantity));
    }

    /// A plane through the middle, or none.
    pub(super) fn toggle_cut(&mut self) {
        let options = &mut self.view.options;
        if options.slice.take().is_some() {
            return;
        }
        let [low, high] = crate::bounds_of(self.session.reader().front());
        let origin = (low + high) * 0.5;
        let normal = sinew::Vec3::x();
        options.slice = Some(Slice { origin, normal, kind: SliceKind::Clip });
        self.layout.view = true;
    }

    fn mark(&mut self, halts: bool) {
        self.session.send(Command::AddWaypoint { time: None, halts });
        let what = if halts { "breakpoint" } else { "waypoint" };
        let time = self.session.reader().front().time;
        self.say(NoteKind::Done, format!("{what} at t = {time:.4} s"));
    }

    /// To the last waypoint before now, or the start.
    fn rewind(&mut self) {
        let now = self.session.reader().front().time;
        let mut before =
            self.status.waypoints.iter().filter(|mark| mark.saved && mark.time < now - 1e-9);
        let time = before.next_back().map_or(0.0, |mark| mark.time);
        self.session.send(Command::Rewind(time));
    }
}

/// From dark to light, or back.
fn toggle_theme(context: &egui::Context) {
    let dark = context.theme() == egui::Theme::Dark;
    let theme = if dark { egui::ThemePreference::Light } else { egui::ThemePreference::Dark };
    context.set_theme(theme);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_key_and_no_name_stands_for_two_things() {
        let keys: Vec<_> = TABLE.iter().filter_map(|line| line.key).collect();
        for (k, key) in keys.iter().enumerate() {
            assert!(!keys[..k].contains(key), "{key:?}");
        }
        let names: HashSet<_> = TABLE.iter().map(|line| line.name).collect();
        assert_eq!(names.len(), TABLE.len());
    }
}
