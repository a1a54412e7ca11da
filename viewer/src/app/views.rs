//! Views that are kept as files in the folder of the window: saved, listed and opened in threads of
//! their own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use sinew::schedule::NoteKind;

use super::whole_file::whole;
use crate::window::Repaint;
use crate::{SavedView, VIEW_ENDING};

/// Result of a thread.
pub(super) enum News {
    /// Names of the views of the folder, sorted.
    Names(Vec<String>),
    /// A view that was asked for.
    Opened(String, Box<SavedView>),
    /// Something to be read.
    Note(NoteKind, String),
}

/// Views of the folder, and threads under way.
pub(super) struct Views {
    names: Vec<String>,
    /// The one that was opened last.
    seen: Option<String>,
    /// Name typed for the next one.
    typed: String,
    sender: Sender<News>,
    receiver: Receiver<News>,
    repaint: Option<Repaint>,
}

impl Default for Views {
    fn default() -> Self {
        let (sender, receiver) = channel();
        let (names, typed) = (Vec::new(), String::new());
        Self { names, seen: None, typed, sender, receiver, repaint: None }
    }
}

impl Views {
    /// Lists the folder.
    pub(super) fn attach(&mut self, repaint: Repaint, folder: PathBuf) {
        self.repaint = Some(repaint);
        self.work(move |send| send(News::Names(names_in(&folder))));
    }

    /// Names of the views of the folder.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Results of threads since the last call.
    pub(super) fn take_news(&self) -> Vec<News> {
        self.receiver.try_iter().collect()
    }

    /// Takes in the names of the views of the folder.
    pub(super) fn set_names(&mut self, names: Vec<String>) {
        self.names = names;
    }

    /// A view was opened.
    pub(super) fn opened(&mut self, name: &str) {
        self.seen = Some(name.to_owned());
    }

    /// Name of the view after the one that was opened last, the first after the last.
    pub(super) fn next_name(&self) -> Option<&str> {
        let seen = self.seen.as_ref().and_then(|seen| self.names.iter().position(|n| n == seen));
        let next = seen.map_or(0, |at| (at + 1) % self.names.len());
        self.names.get(next).map(String::as_str)
    }

    /// Keeps a view under a name; under the next free one where it has none.
    pub(super) fn save(&self, folder: PathBuf, name: String, view: SavedView) {
        self.work(move |send| {
            let name = if name.is_empty() { free_name(&folder) } else { name };
            let path = path_of(&folder, &name);
            send(match whole(&path, view.to_json().as_bytes()) {
                Ok(()) => News::Note(NoteKind::Done, format!("kept as {}", path.display())),
                Err(why) => News::Note(NoteKind::Failed, format!("{}: {why}", path.display())),
            });
            send(News::Names(names_in(&folder)));
        });
    }

    /// Opens the view of a name, or of a path.
    pub(super) fn open(&self, folder: PathBuf, name: String) {
        self.work(move |send| {
            let path = path_of(&folder, &name);
            send(match SavedView::read(&path) {
                Ok(view) => News::Opened(name, Box::new(view)),
                Err(error) => News::Note(NoteKind::Failed, error.to_string()),
            });
            send(News::Names(names_in(&folder)));
        });
    }

    /// Saved views: a field for a name, and the list; a click goes there.
    pub(super) fn panel(&mut self, ui: &mut egui::Ui) -> Option<ViewRequest> {
        let mut wanted = None;
        ui.horizontal_wrapped(|ui| {
            let field = egui::TextEdit::singleline(&mut self.typed);
            ui.add(field.hint_text("name, or file.json").desired_width(130.0));
            let hint = "Keep the view of now in a file of the folder (V: under the next free name)";
            if ui.button("Save view").on_hover_text(hint).clicked() {
                wanted = Some((true, std::mem::take(&mut self.typed)));
            }
            let named = !self.typed.is_empty();
            if ui.add_enabled(named, egui::Button::new("Open view")).clicked() {
                wanted = Some((false, self.typed.clone()));
            }
        });
        ui.horizontal_wrapped(|ui| {
            for name in &self.names {
                if ui.button(name).on_hover_text("Go to this view").clicked() {
                    wanted = Some((false, name.clone()));
                }
            }
        });
        wanted.map(|(keeps, name)| {
            let name = name.trim().to_owned();
            if keeps { ViewRequest::Keep(name) } else { ViewRequest::Open(name) }
        })
    }

    fn work(&self, work: impl FnOnce(&dyn Fn(News)) + Send + 'static) {
        let (sender, repaint) = (self.sender.clone(), self.repaint.clone());
        std::thread::spawn(move || {
            // A window that was closed meanwhile reads no news.
            work(&|news| drop(sender.send(news)));
            if let Some(repaint) = repaint {
                repaint.ask();
            }
        });
    }
}

/// The file of a view: a name that ends in .json is a path, any other is a name in the folder.
fn path_of(folder: &Path, name: &str) -> PathBuf {
    let given = name.ends_with(".json");
    if given { PathBuf::from(name) } else { folder.join(format!("{name}{VIEW_ENDING}")) }
}

/// Names of the views in a folder, sorted; none where it cannot be read.
fn names_in(folder: &Path) -> Vec<String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        Some(name.strip_suffix(VIEW_ENDING)?.to_owned())
    };
    let mut names: Vec<String> = entries.filter_map(name).collect();
    names.sort();
    names
}

/// The first of view-1, view-2, .. that is not in the folder.
fn free_name(folder: &Path) -> String {
    let names = names_in(folder);
    let mut numbered = (1..=names.len() + 1).map(|n| format!("view-{n}"));
    numbered.find(|name| !names.contains(name)).unwrap_or_default()
}

/// Request of a click on the saved views.
pub(crate) enum ViewRequest {
    /// Keep the view of now under this name; under the next free one where it is empty.
    Keep(String),
    /// Go to the view of this name, or path.
    Open(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_listed_by_name_and_a_new_one_takes_no_name_that_is_there() {
        let folder = std::env::temp_dir().join(format!("sinew-views-{}", std::process::id()));
        assert!(names_in(&folder).is_empty());
        assert_eq!(free_name(&folder), "view-1");
        let text = SavedView::default().to_json();
        for name in ["view-1", "view-3", "front"] {
            whole(&path_of(&folder, name), text.as_bytes()).unwrap();
        }
        std::fs::write(folder.join("other.json"), "{}").unwrap();
        assert_eq!(names_in(&folder), ["front", "view-1", "view-3"]);
        assert_eq!(free_name(&folder), "view-2");
        assert_eq!(SavedView::read(&path_of(&folder, "front")), Ok(SavedView::default()));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_name_is_one_of_the_folder_and_a_json_file_is_a_path() {
        let folder = Path::new("out");
        assert_eq!(path_of(folder, "front"), Path::new("out/front.view.json"));
        assert_eq!(path_of(folder, "/a/b.json"), Path::new("/a/b.json"));
    }
}
