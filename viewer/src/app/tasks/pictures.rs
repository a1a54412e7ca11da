//! Pictures of the window as it is seen.

use std::path::PathBuf;

use crate::app::App;

impl App {
    /// Path of a picture without a name: it is named after the time.
    pub(crate) fn picture_path(&mut self) -> PathBuf {
        let time = self.session.reader().front().time;
        self.files.folder().join(format!("t{time:.4}.png"))
    }

    /// The picture as it is seen, of this size [pixel], with letters that fit it.
    pub(crate) fn save_picture(&mut self, path: PathBuf, size: [u32; 2], transparent: bool) {
        let snapshot = self.session.reader().front().clone();
        let mut view = self.workspace.picture().view.clone();
        view.options.pixel_scale = crate::letter_scale(size);
        if transparent {
            view.options.background = crate::Background::Transparent;
        }
        self.pictures.draw(path, snapshot, view, size);
    }
}
