//! Execution of the commands of the window.

use sinew::editing::{DuplicateScope, EditCommand};
use sinew::schedule::{Command, NoteKind};
use sinew::snapshot::Quantity;

use crate::Projection;
use crate::app::App;
use crate::app::commands::{FileCommand, PictureCommand, RunCommand, WindowCommand};
use crate::app::pane::Pane;
use crate::app::timeline::{mark_after, mark_before};
use crate::app::tools::Tool;
use crate::app::viewports::MOST;
use crate::app::worlds::WorldKey;
use crate::geometry::{NO_FIBRES, has_fibres};

/// Keys that the pane of worlds has a use for.
fn world_key(command: WindowCommand) -> Option<WorldKey> {
    match command {
        WindowCommand::Undo => Some(WorldKey::Undo),
        WindowCommand::Redo => Some(WorldKey::Redo),
        WindowCommand::DeleteSelected => Some(WorldKey::Delete),
        WindowCommand::ClearSelection => Some(WorldKey::PutAway),
        _ => None,
    }
}

impl App {
    /// Does something.
    pub(crate) fn perform(&mut self, command: WindowCommand, context: &egui::Context) {
        if world_key(command).is_some_and(|key| self.workspace.worlds.take_key(key, context)) {
            return;
        }
        match command {
            WindowCommand::File(command) => self.file(command),
            WindowCommand::Run(command) => self.run(command),
            WindowCommand::Picture(command) => self.alter_picture(command),
            WindowCommand::Undo => self.send(Command::Undo),
            WindowCommand::Redo => self.send(Command::Redo),
            WindowCommand::DeleteSelected => {
                self.edit_selected(|paths| EditCommand::Delete { paths });
            }
            WindowCommand::Duplicate => {
                let scope = DuplicateScope::Alone;
                self.edit_selected(|paths| EditCommand::Duplicate { paths, scope });
            }
            WindowCommand::ClearSelection => {
                if !self.tour.close() && !self.workspace.picture_mut().canvas.tools().put_away() {
                    self.workspace.selection.clear();
                }
            }
            WindowCommand::Gizmo(motion) => self.take_tool(Tool::Gizmo(motion)),
            WindowCommand::Brush => self.take_tool(Tool::Brush),
            WindowCommand::Pane(pane) => self.dock.toggle(pane),
            WindowCommand::AnotherView => self.open_another_view(),
            WindowCommand::ShowAll => {
                let outline = self.session.reader().front().scene.outline.clone();
                let commands = self.workspace.navigation.show_all(&outline);
                self.outbox.extend(commands);
            }
            WindowCommand::CloseNotes => self.notes.clear(),
            WindowCommand::ClosePlots => self.workspace.plots.clear(),
            WindowCommand::Palette => self.palette.open(),
            WindowCommand::Theme => toggle_theme(context),
            WindowCommand::Tour => self.tour.open(),
            WindowCommand::Quit => self.closing = true,
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
    fn file(&mut self, command: FileCommand) {
        match command {
            FileCommand::New => self.send(Command::New),
            FileCommand::Open => self.dialogs.open_model(),
            FileCommand::Import => self.dialogs.import(None),
            FileCommand::Reload => self.send(Command::Reload),
            FileCommand::Save => self.save_model(),
            FileCommand::SaveAs => self.save_model_as(),
            FileCommand::SavePicture => {
                let path = self.picture_path();
                self.save_picture(path, self.workspace.picture().canvas.size(), false);
            }
            FileCommand::SavePictureAs => {
                let path = self.picture_path();
                self.dialogs.save_picture(&path, self.workspace.picture().canvas.size());
            }
            FileCommand::Film => self.begin_or_end_film(),
            FileCommand::FilmOfWaypoints => self.film_waypoints(),
        }
    }

    /// Commands that concern the run.
    fn run(&mut self, command: RunCommand) {
        let now = self.session.reader().front().time;
        match command {
            RunCommand::PlayOrPause if self.status.playing => self.send(Command::Pause),
            RunCommand::PlayOrPause => self.send(Command::Play),
            RunCommand::Step => self.send(Command::Step),
            RunCommand::Reset => self.send(Command::Reset),
            RunCommand::Rewind => self.rewind(),
            RunCommand::Waypoint => self.mark(false),
            RunCommand::Breakpoint => self.mark(true),
            RunCommand::EvenWaypoints => self.dialogs.set_waypoints(now),
            RunCommand::Checkpoint => {
                let name = format!("t{now:.4}.sinew");
                self.send(Command::SaveCheckpoint(self.files.folder().join(name)));
            }
            RunCommand::RunToMark => {
                if let Some(mark) = mark_after(&self.status, now) {
                    self.outbox.push(Command::RunUntil(mark.time));
                }
            }
            RunCommand::Unmark => {
                // The one that is here counts too.
                if let Some(mark) = mark_before(&self.status, now + self.status.step) {
                    self.outbox.push(Command::RemoveWaypoint(mark.time));
                }
            }
        }
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

    /// Commands that concern the picture that is used.
    fn alter_picture(&mut self, command: PictureCommand) {
        let options = &mut self.workspace.picture_mut().view.options;
        let toggle = |flag: &mut bool| *flag = !*flag;
        match command {
            PictureCommand::Fit => self.fit(),
            PictureCommand::LookFrom(side) => {
                self.workspace.picture_mut().look_from(side, self.session.reader().front());
            }
            PictureCommand::Projection => self.switch_projection(),
            PictureCommand::SaveView => self.save_view(String::new()),
            PictureCommand::NextView => self.next_view(),
            PictureCommand::NextColors => {
                let all = Quantity::ALL;
                let at = all.iter().position(|&it| it == self.workspace.quantity).unwrap_or(0);
                self.color_by(all[(at + 1) % all.len()]);
            }
            PictureCommand::Cut => {
                self.workspace.toggle_cut(self.session.reader().front());
                if self.workspace.picture().view.options.slice.is_some() {
                    self.dock.set_open(Pane::View, true);
                }
            }
            PictureCommand::Translucent => {
                options.opacity = if options.opacity < 1.0 { 1.0 } else { 0.4 }
            }
            PictureCommand::Shrink => options.shrink = if options.shrink > 0.0 { 0.0 } else { 0.2 },
            PictureCommand::Wireframe => toggle(&mut options.wireframe),
            PictureCommand::Nodes => toggle(&mut options.nodes),
            PictureCommand::Fibres => self.toggle_fibres(),
            PictureCommand::Frames => toggle(&mut options.frames),
            PictureCommand::Joints => toggle(&mut options.joints),
            PictureCommand::Contacts => toggle(&mut options.contacts),
            PictureCommand::Grid => toggle(&mut options.grid),
        }
    }

    fn switch_projection(&mut self) {
        let camera = &mut self.workspace.picture_mut().view.camera;
        camera.projection = match camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
    }

    /// Shows the fibres of tissues, or says that there are none.
    fn toggle_fibres(&mut self) {
        let options = &mut self.workspace.picture_mut().view.options;
        options.fibres = !options.fibres;
        if options.fibres && !has_fibres(self.session.reader().front()) {
            self.say(NoteKind::Refused, NO_FIBRES);
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
