//! Views that are kept and gone back to.

use sinew::schedule::NoteKind;

use crate::app::App;
use crate::app::views::News;
use crate::{SavedView, ViewOptions};

impl App {
    /// Takes the results of threads since the last call.
    pub(crate) fn receive_views(&mut self) {
        for news in self.workspace.views.take_news() {
            match news {
                News::Names(names) => self.workspace.views.set_names(names),
                News::Opened(name, view) => self.show_view(&name, *view),
                News::Note(kind, text) => self.say(kind, text),
            }
        }
    }

    fn show_view(&mut self, name: &str, saved: SavedView) {
        let SavedView { camera, color_by, options } = saved;
        if let Some(camera) = camera {
            self.workspace.picture_mut().view.camera = camera;
            self.asked.fitted = Some(self.front_model());
        }
        let old = &mut self.workspace.picture_mut().view.options;
        let selection = old.selection.clone();
        *old = ViewOptions { selection, pixel_scale: old.pixel_scale, ..options };
        if color_by != self.workspace.quantity {
            self.color_by(color_by);
        }
        self.workspace.views.opened(name);
        self.say(NoteKind::Done, format!("view {name}"));
    }

    /// Keeps the view of now in a file; without a name under the next free one.
    pub(crate) fn save_view(&mut self, name: String) {
        let camera = Some(self.workspace.picture().view.camera.clone());
        let options = self.workspace.picture().view.options.clone();
        let view = SavedView { camera, color_by: self.workspace.quantity, options };
        self.workspace.views.save(self.files.folder().to_owned(), name, view);
    }

    /// Goes to a view of the folder, or of a path that ends in .json.
    pub(crate) fn open_view(&mut self, name: String) {
        self.workspace.views.open(self.files.folder().to_owned(), name);
    }

    /// The view of the folder after the one that was opened last, the first after the last.
    pub(crate) fn next_view(&mut self) {
        if let Some(name) = self.workspace.views.next_name().map(str::to_owned) {
            self.open_view(name);
        }
    }
}
