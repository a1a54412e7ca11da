//! What the window does when it is told to.

use sinew::schedule::{Command, NoteKind};
use sinew::snapshot::Quantity;

use super::App;
use super::commands::Deed;
use super::timeline::{mark_after, mark_before};
use crate::panels::Plots;
use crate::{Projection, Slice, SliceKind};

impl App {
    /// Does something.
    pub(super) fn perform(&mut self, deed: Deed, context: &egui::Context) {
        match deed {
            Deed::Undo => self.send(Command::Undo),
            Deed::Redo => self.send(Command::Redo),
            Deed::ClearSelection => self.selection.clear(),
            Deed::CloseNotes => self.notes.clear(),
            Deed::ClosePlots => self.plots = Plots::default(),
            Deed::Palette => self.palette.open(),
            Deed::Quit => self.closing = true,
            Deed::SavePicture => self.save_picture(),
            Deed::Theme => toggle_theme(context),
            other => self.run(other),
        }
    }

    /// What has to do with the run.
    fn run(&mut self, deed: Deed) {
        let now = self.session.reader().front().time;
        match deed {
            Deed::PlayOrPause if self.status.playing => self.send(Command::Pause),
            Deed::PlayOrPause => self.send(Command::Play),
            Deed::Step => self.send(Command::Step),
            Deed::Reset => self.send(Command::Reset),
            Deed::Rewind => self.rewind(),
            Deed::Waypoint => self.mark(false),
            Deed::Breakpoint => self.mark(true),
            Deed::Checkpoint => {
                let name = format!("t{now:.4}.sinew");
                self.send(Command::SaveCheckpoint(self.setup.folder.join(name)));
            }
            Deed::RunToMark => {
                if let Some(mark) = mark_after(&self.status, now) {
                    self.outbox.push(Command::RunUntil(mark.time));
                }
            }
            Deed::Unmark => {
                // The one that is here counts too.
                if let Some(mark) = mark_before(&self.status, now + self.status.step) {
                    self.outbox.push(Command::RemoveWaypoint(mark.time));
                }
            }
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
            other => return self.alter(other),
        };
        if let Some(direction) = crate::Camera::direction(direction) {
            self.view.camera.look_along(direction);
            self.fit();
        }
    }

    fn alter(&mut self, deed: Deed) {
        let options = &mut self.view.options;
        match deed {
            Deed::Fit => self.fit(),
            Deed::Projection => {
                let camera = &mut self.view.camera;
                camera.projection = match camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
            }
            Deed::SaveView => self.save_view(String::new()),
            Deed::NextView => self.next_view(),
            Deed::NextColors => {
                let all = Quantity::ALL;
                let at = all.iter().position(|&it| it == self.quantity).unwrap_or(0);
                self.color_by(all[(at + 1) % all.len()]);
            }
            Deed::Translucent => options.opacity = if options.opacity < 1.0 { 1.0 } else { 0.4 },
            Deed::Shrink => options.shrink = if options.shrink > 0.0 { 0.0 } else { 0.2 },
            Deed::Cut => self.toggle_cut(),
            // The others are done above.
            _ => {}
        }
    }

    fn fit(&mut self) {
        let snapshot = self.session.reader().front();
        self.canvas.fit(&mut self.view, snapshot);
    }

    /// Colours tissues.
    pub(super) fn color_by(&mut self, quantity: Quantity) {
        self.quantity = quantity;
        self.send(Command::ColorBy(quantity));
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
        self.send(Command::AddWaypoint { time: None, halts });
        let what = if halts { "breakpoint" } else { "waypoint" };
        let time = self.session.reader().front().time;
        self.say(NoteKind::Done, format!("{what} at t = {time:.4} s"));
    }

    /// To the last waypoint before now, or the start.
    fn rewind(&mut self) {
        let now = self.session.reader().front().time;
        let time = mark_before(&self.status, now).map_or(0.0, |mark| mark.time);
        self.send(Command::Rewind(time));
    }
}

/// From dark to light, or back.
fn toggle_theme(context: &egui::Context) {
    let dark = context.theme() == egui::Theme::Dark;
    let theme = if dark { egui::ThemePreference::Light } else { egui::ThemePreference::Dark };
    context.set_theme(theme);
}
