//! Views in files: JSON that outlives the model that was looked at. No component is named in them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sinew::snapshot::Quantity;

use crate::bounded::read_text;
use crate::{Camera, ViewOptions};

/// Ending of names of files with views.
pub const VIEW_ENDING: &str = ".view.json";

/// Most bytes of a file with a view: some hundred times what one has.
const LONGEST: u64 = 256 * 1024;

/// A view as a file keeps it. What a file leaves out is as it would be without one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SavedView {
    /// Camera of the view; `None` where that is left to whoever opens it.
    pub camera: Option<Camera>,
    /// Quantity that colours tissues.
    pub color_by: Quantity,
    /// Options of what is shown.
    pub options: ViewOptions,
}

/// Errors of view files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewFileError {
    /// The file cannot be read.
    #[error("{}: the view cannot be read: {detail}", .path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        detail: String,
    },
    /// Content that is no view.
    #[error("{}:{line}:{column}: this is no view: {detail}; keep one in the window with V to see how it is written", .path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The fault in it.
        detail: String,
    },
}

impl SavedView {
    /// The view in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or whose text is no view: the line is named.
    pub fn read(path: &Path) -> Result<Self, ViewFileError> {
        let text = read_text(path, LONGEST).map_err(|error| {
            let detail = error.to_string();
            ViewFileError::Read { path: path.to_owned(), detail }
        })?;
        Self::from_json(&text, path)
    }

    /// The view in the text of a file of this name.
    ///
    /// # Errors
    /// [`ViewFileError::Content`].
    pub fn from_json(text: &str, path: &Path) -> Result<Self, ViewFileError> {
        serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let whole = error.to_string();
            let place = format!(" at line {line} column {column}");
            let detail = whole.strip_suffix(&place).unwrap_or(&whole).to_owned();
            ViewFileError::Content { path: path.to_owned(), line, column, detail }
        })
    }

    /// The text of its file.
    pub fn to_json(&self) -> String {
        // Numbers, words and lists: nothing that JSON lacks but numbers that are none, which become null.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sinew::Vec3;

    use super::*;
    use crate::{Background, ColorRange, Slice, SliceKind};

    fn read(text: &str) -> Result<SavedView, ViewFileError> {
        SavedView::from_json(text, Path::new("a.view.json"))
    }

    #[test]
    fn what_a_file_leaves_out_is_as_without_one() {
        assert_eq!(read("{}"), Ok(SavedView::default()));
        let view = read("{\"color_by\": \"von_mises\", \"options\": {\"fibres\": true}}").unwrap();
        assert_eq!(view.color_by, Quantity::VonMises);
        assert_eq!(view.options, ViewOptions { fibres: true, ..ViewOptions::default() });
    }

    #[test]
    fn quantities_are_written_as_on_the_command_line() {
        for color_by in Quantity::ALL {
            let text = SavedView { color_by, ..SavedView::default() }.to_json();
            assert!(text.contains(&format!("\"color_by\": \"{}\"", color_by.name())), "{text}");
        }
    }

    #[test]
    fn the_selection_and_the_scale_of_a_display_stay_behind() {
        let selection = vec![sinew::component::ROOT];
        let options = ViewOptions { selection, pixel_scale: 2.0, ..ViewOptions::default() };
        let again = read(&SavedView { options, ..SavedView::default() }.to_json()).unwrap();
        assert_eq!(again.options, ViewOptions::default());
    }

    #[test]
    fn what_is_no_view_is_refused_at_its_line() {
        let options = |text: &str| format!("{{\n\"options\": {{\n{text}\n}}\n}}");
        let cases = [
            ("{\n\"camara\": null\n}".to_owned(), 2, "camara"),
            ("{\n".to_owned(), 2, "EOF"),
            ("[1]".to_owned(), 1, "invalid"),
            (options("\"shrink\": 1.5"), 3, "1.5 is not a number from 0 to 1"),
            (options("\"opacity\": -1"), 3, "-1 is not a number from 0 to 1"),
            (options("\"exaggeration\": -3"), 3, "-3 is not a number from 0"),
            (options("\"exaggeration\": 1e39"), 3, "is not a number from 0"),
            (options("\"range\": [2, 1]"), 3, "does not rise"),
            (options("\"range\": {\"percentiles\": [2, 101]}"), 3, "does not rise, or is none"),
            (options("\"slice\": {\"origin\": [0, 0, 0], \"normal\": [0, 0, 0]}"), 3, "length 0"),
            (
                options(&format!(
                    "\"further_planes\": [{}]",
                    ["{\"origin\": [0, 0, 0], \"normal\": [0, 0, 1]}"; 6].join(", ")
                )),
                3,
                "at most 5 further planes, got 6",
            ),
            (options("\"color_map\": \"mud\""), 3, "mud"),
        ];
        for (text, at, word) in cases {
            let Err(error) = read(&text) else { panic!("{text} was read") };
            let ViewFileError::Content { line, detail, .. } = &error else { panic!("{error}") };
            assert!(detail.contains(word), "{text}: {detail}");
            // What is wrong about a list is told where what it is part of ends.
            let late = usize::from(text.contains('[') || text.contains("mud"));
            assert!((at..=at + late).contains(line), "{text}: line {line}");
            assert!(error.to_string().starts_with(&format!("a.view.json:{line}:")), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let endless = folder.path().join("long.view.json");
        std::fs::write(&endless, vec![b' '; LONGEST as usize + 1]).unwrap();
        let refused = SavedView::read(&endless).unwrap_err().to_string();
        assert!(refused.contains("longer than 262144 bytes"), "{refused}");
        for endless in [folder.path(), Path::new("/dev/zero")] {
            let refused = SavedView::read(endless).unwrap_err().to_string();
            assert!(refused.contains("it is not a file") || cfg!(windows), "{refused}");
        }
        let missing = SavedView::read(Path::new("/nowhere/a.view.json")).unwrap_err();
        assert!(missing.to_string().starts_with("/nowhere/a.view.json: "), "{missing}");
    }

    #[test]
    fn cameras_that_see_nothing_are_refused() {
        let camera = |distance: &str, turn: &str, fov: &str| {
            read(&format!(
                "{{\"camera\": {{\"target\": [0, 0, 0], \"distance\": {distance}, \
                 \"orientation\": {turn}, \"fov\": {fov}}}}}"
            ))
        };
        let view = camera("2", "[0, 0, 0, 3]", "0.5").unwrap();
        assert_eq!(view.camera.unwrap().orientation, nalgebra::UnitQuaternion::identity());
        let cases = [
            ("0", "[0, 0, 0, 1]", "0.5"),
            ("2", "[0, 0, 0, 0]", "0.5"),
            ("2", "[0, 0, 0, 1]", "3.2"),
        ];
        for (distance, turn, fov) in cases {
            assert!(camera(distance, turn, fov).is_err(), "{distance} {turn} {fov}");
        }
    }

    proptest! {
        #[test]
        fn a_view_comes_back_from_its_file(
            target in prop::array::uniform3(-10.0..10.0),
            direction in prop::array::uniform3(0.1..1.0),
            distance in 1e-3..100.0,
            shrink in 0.0f32..=1.0,
            exaggeration in 0.0f32..1e3,
            range in prop::option::of((-1e6f32..0.0, 1.0f32..1e6)),
            flags in prop::array::uniform4(any::<bool>()),
        ) {
            let mut camera = Camera::seen_from(Vec3::from(direction));
            (camera.target, camera.distance) = (Vec3::from(target), distance);
            let normal = Vec3::from(direction);
            let percent = ColorRange::Percentiles { percentiles: [2.0, 98.0] };
            let slice = Slice { origin: Vec3::from(target), normal, kind: SliceKind::Slice };
            let options = ViewOptions {
                shrink,
                exaggeration,
                range: range.map_or(percent, |(low, high)| ColorRange::Fixed([low, high])),
                log_colors: flags[1],
                slice: flags[0].then_some(slice),
                further_planes: vec![Slice { kind: SliceKind::Grid, ..slice }; usize::from(flags[1])],
                nodes: flags[1],
                fibres: flags[2],
                background: if flags[3] { Background::Dark } else { Background::White },
                ..ViewOptions::default()
            };
            let camera = Some(camera);
            let view = SavedView { camera, color_by: Quantity::Strain, options };
            prop_assert_eq!(read(&view.to_json()), Ok(view));
        }
    }
}
