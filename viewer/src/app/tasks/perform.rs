//! Execution of the commands of the window.

use sinew::editing::{DuplicateScope, EditCommand};
use sinew::schedule::{Command, NoteKind};
use sinew::snapshot::Quantity;

use crate::Projection;
use crate::app::App;
use crate::app::commands::WindowCommand;
use crate::app::pane::Pane;
use crate::app::timeline::{mark_after, mark_before};
use crate::app::tools::{Motion, Tool};
use crate::app::viewports::MOST;
use crate::geometry::{NO_FIBRES, has_fibres};

impl App {
    /// Does something.
    pub(crate) fn perform(&mut self, command: WindowCommand, context: &egui::Context) {
        match command {
            WindowCommand::Undo => self.send(Command::Undo),
            WindowCommand::Redo => self.send(Command::Redo),
            WindowCommand::DeleteSelected => {
                self.edit_selected(|paths| EditCommand::Delete { paths });
            }
            WindowCommand::Duplicate => {
                let scope = DuplicateScope::Alone;
                self.edit_selected(|paths| EditCommand::Duplicate { paths, scope });
            }
            WindowCommand::Move => self.take_tool(Tool::Gizmo(Motion::Move)),
            WindowCommand::Turn => self.take_tool(Tool::Gizmo(Motion::Turn)),
            WindowCommand::Scale => self.take_tool(Tool::Gizmo(Motion::Scale)),
            WindowCommand::Mirror => self.take_tool(Tool::Gizmo(Motion::Mirror)),
            WindowCommand::ClearSelection => {
                if !self.tour.close() && !self.workspace.picture_mut().canvas.tools().put_away() {
                    self.workspace.selection.clear();
                }
            }
            WindowCommand::CloseNotes => self.notes.clear(),
            WindowCommand::Tour => self.tour.open(),
            WindowCommand::ClosePlots => self.workspace.plots.clear(),
            WindowCommand::Palette => self.palette.open(),
            WindowCommand::Quit => self.closing = true,
            WindowCommand::Theme => toggle_theme(context),
            other => self.file(other),
        }
    }

    /// Edits what is selected.
    fn edit_selected(&mut self, edit: impl FnOnce(Vec<String>) -> EditCommand) {
        let outline = &self.session.reader().front().scene.outline;
        let paths = crate::panels::paths(outline, self.workspace.selection.ids());
        if paths.is_empty() {
            return self.say(NoteKind::Refused, "nothing is selected: click a component first");
        }
        self.send(Command::Edit(vec![edit(paths)]));
    }

    /// Takes a tool into the hand, and shows its numbers.
    fn take_tool(&mut self, tool: Tool) {
        self.workspace.picture_mut().canvas.tools().take(tool);
        self.dock.set_open(Pane::Build, true);
    }

    /// Commands that concern files.
    fn file(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::New => self.send(Command::New),
            WindowCommand::Open => self.dialogs.open_model(),
            WindowCommand::Import => self.dialogs.import(None),
            WindowCommand::Reload => self.send(Command::Reload),
            WindowCommand::Save => self.save_model(),
            WindowCommand::SaveAs => self.save_model_as(),
            WindowCommand::SavePicture => {
                let path = self.picture_path();
                self.save_picture(path, self.workspace.picture().canvas.size(), false);
            }
            WindowCommand::SavePictureAs => {
                let path = self.picture_path();
                self.dialogs.save_picture(&path, self.workspace.picture().canvas.size());
            }
            WindowCommand::Film => self.begin_or_end_film(),
            WindowCommand::FilmOfWaypoints => self.film_waypoints(),
            other => self.run(other),
        }
    }

    /// Commands that concern the run.
    fn run(&mut self, command: WindowCommand) {
        let now = self.session.reader().front().time;
        match command {
            WindowCommand::PlayOrPause if self.status.playing => self.send(Command::Pause),
            WindowCommand::PlayOrPause => self.send(Command::Play),
            WindowCommand::Step => self.send(Command::Step),
            WindowCommand::Reset => self.send(Command::Reset),
            WindowCommand::Rewind => self.rewind(),
            WindowCommand::Waypoint => self.mark(false),
            WindowCommand::Breakpoint => self.mark(true),
            WindowCommand::EvenWaypoints => self.dialogs.set_waypoints(now),
            WindowCommand::Checkpoint => {
                let name = format!("t{now:.4}.sinew");
                self.send(Command::SaveCheckpoint(self.files.folder().join(name)));
            }
            WindowCommand::RunToMark => {
                if let Some(mark) = mark_after(&self.status, now) {
                    self.outbox.push(Command::RunUntil(mark.time));
                }
            }
            WindowCommand::Unmark => {
                // The one that is here counts too.
                if let Some(mark) = mark_before(&self.status, now + self.status.step) {
                    self.outbox.push(Command::RemoveWaypoint(mark.time));
                }
            }
            look => self.look(look),
        }
    }

    fn look(&mut self, command: WindowCommand) {
        let pane = match command {
            WindowCommand::Tree => Pane::Tree,
            WindowCommand::Properties => Pane::Properties,
            WindowCommand::Controls => Pane::Controls,
            WindowCommand::Plots => Pane::Plots,
            WindowCommand::View => Pane::View,
            WindowCommand::Build => Pane::Build,
            WindowCommand::Curves => Pane::Curves,
            WindowCommand::AnotherView => return self.open_another_view(),
            other => return self.flag(other),
        };
        self.dock.toggle(pane);
    }

    /// Opens a further picture beside the others.
    fn open_another_view(&mut self) {
        let closed = (0..MOST).find(|&number| !self.dock.is_open(Pane::Picture(number)));
        let Some(number) = closed else {
            return self.say(NoteKind::Refused, format!("{MOST} views are open: close one first"));
        };
        self.workspace.viewports.begin(number, self.session.reader().front());
        self.dock.set_open(Pane::Picture(number), true);
    }

    fn flag(&mut self, command: WindowCommand) {
        let options = &mut self.workspace.picture_mut().view.options;
        let flag = match command {
            WindowCommand::Wireframe => &mut options.wireframe,
            WindowCommand::Nodes => &mut options.nodes,
            WindowCommand::Fibres => return self.toggle_fibres(),
            WindowCommand::Frames => &mut options.frames,
            WindowCommand::Joints => &mut options.joints,
            WindowCommand::Contacts => &mut options.contacts,
            WindowCommand::Grid => &mut options.grid,
            other => return self.turn(other),
        };
        *flag = !*flag;
    }

    /// Shows the fibres of tissues, or says that there are none.
    fn toggle_fibres(&mut self) {
        let options = &mut self.workspace.picture_mut().view.options;
        options.fibres = !options.fibres;
        if options.fibres && !has_fibres(self.session.reader().front()) {
            self.say(NoteKind::Refused, NO_FIBRES);
        }
    }

    fn turn(&mut self, command: WindowCommand) {
        let side = match command {
            WindowCommand::Front => "+x",
            WindowCommand::Back => "-x",
            WindowCommand::Left => "+y",
            WindowCommand::Right => "-y",
            WindowCommand::Above => "+z",
            WindowCommand::Below => "-z",
            WindowCommand::Isometric => "iso",
            other => return self.alter(other),
        };
        self.workspace.picture_mut().look_from(side, self.session.reader().front());
    }

    fn alter(&mut self, command: WindowCommand) {
        let options = &mut self.workspace.picture_mut().view.options;
        match command {
            WindowCommand::Fit => self.fit(),
            WindowCommand::Projection => {
                let camera = &mut self.workspace.picture_mut().view.camera;
                camera.projection = match camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
            }
            WindowCommand::SaveView => self.save_view(String::new()),
            WindowCommand::NextView => self.next_view(),
            WindowCommand::NextColors => {
                let all = Quantity::ALL;
                let at = all.iter().position(|&it| it == self.workspace.quantity).unwrap_or(0);
                self.color_by(all[(at + 1) % all.len()]);
            }
            WindowCommand::Translucent => {
                options.opacity = if options.opacity < 1.0 { 1.0 } else { 0.4 }
            }
            WindowCommand::Shrink => options.shrink = if options.shrink > 0.0 { 0.0 } else { 0.2 },
            WindowCommand::Cut => {
                self.workspace.toggle_cut(self.session.reader().front());
                if self.workspace.picture().view.options.slice.is_some() {
                    self.dock.set_open(Pane::View, true);
                }
            }
            WindowCommand::ShowAll => {
                let outline = self.session.reader().front().scene.outline.clone();
                let commands = self.workspace.navigation.show_all(&outline);
                self.outbox.extend(commands);
            }
            // Done above.
            WindowCommand::PlayOrPause
            | WindowCommand::Step
            | WindowCommand::Reset
            | WindowCommand::Rewind
            | WindowCommand::Waypoint
            | WindowCommand::Breakpoint
            | WindowCommand::RunToMark
            | WindowCommand::Unmark
            | WindowCommand::Checkpoint
            | WindowCommand::Undo
            | WindowCommand::Redo
            | WindowCommand::DeleteSelected
            | WindowCommand::Duplicate
            | WindowCommand::Move
            | WindowCommand::Turn
            | WindowCommand::Scale
            | WindowCommand::Mirror
            | WindowCommand::New
            | WindowCommand::Open
            | WindowCommand::Import
            | WindowCommand::Reload
            | WindowCommand::Save
            | WindowCommand::SaveAs
            | WindowCommand::SavePicture
            | WindowCommand::SavePictureAs
            | WindowCommand::Film
            | WindowCommand::FilmOfWaypoints
            | WindowCommand::EvenWaypoints
            | WindowCommand::Front
            | WindowCommand::Back
            | WindowCommand::Left
            | WindowCommand::Right
            | WindowCommand::Above
            | WindowCommand::Below
            | WindowCommand::Isometric
            | WindowCommand::Wireframe
            | WindowCommand::Nodes
            | WindowCommand::Fibres
            | WindowCommand::Frames
            | WindowCommand::Joints
            | WindowCommand::Contacts
            | WindowCommand::Grid
            | WindowCommand::Tree
            | WindowCommand::Properties
            | WindowCommand::Controls
            | WindowCommand::Plots
            | WindowCommand::View
            | WindowCommand::Build
            | WindowCommand::Curves
            | WindowCommand::AnotherView
            | WindowCommand::ClearSelection
            | WindowCommand::CloseNotes
            | WindowCommand::ClosePlots
            | WindowCommand::Palette
            | WindowCommand::Theme
            | WindowCommand::Tour
            | WindowCommand::Quit => {}
        }
    }

    fn fit(&mut self) {
        let snapshot = self.session.reader().front();
        self.workspace.viewports.active_mut().fit(snapshot);
    }

    /// The session tells the time of the mark, which may be ahead of what is shown.
    fn mark(&mut self, halts: bool) {
        self.send(Command::AddWaypoint { time: None, halts });
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
