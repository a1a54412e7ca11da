//! Requests of the panes.

use sinew::schedule::NoteKind;

use crate::app::App;
use crate::app::pane::Pane;
use crate::app::viewports::Viewport;
use crate::app::views::ViewRequest;
use crate::app::workspace::Requests;
use crate::panels::unit_of;

impl App {
    /// Does what the panes asked for.
    pub(in crate::app) fn act(&mut self, requests: Requests) {
        let Requests { actions, view, color_by, show_view } = requests;
        let (commands, gesture) = (actions.commands.into_iter(), self.gestures.number());
        self.outbox.extend(commands.map(|command| command.in_gesture(gesture)));
        actions.refusals.into_iter().for_each(|text| self.say(NoteKind::Refused, text));
        let front = self.session.reader().front();
        if !actions.follow.is_empty() {
            let outline = &front.scene.outline;
            let units = actions.follow.iter().map(|path| (path.as_str(), unit_of(outline, path)));
            self.workspace.plots.follow(units);
            self.dock.set_open(Pane::Plots, true);
        }
        if let Some(form) = actions.form {
            self.dialogs.edit(form);
        }
        if let Some(id) = actions.look_at {
            let Viewport { canvas, view } = self.workspace.picture_mut();
            canvas.look_at(view, front, id);
        }
        for (name, text) in actions.files {
            self.pictures.write(self.files.folder().join(name), text.into_bytes());
        }
        match view {
            Some(ViewRequest::Keep(name)) => self.save_view(name),
            Some(ViewRequest::Open(name)) => self.open_view(name),
            None => {}
        }
        if let Some(quantity) = color_by {
            self.color_by(quantity);
        }
        if show_view {
            self.dock.set_open(Pane::View, true);
        }
    }
}
