//! A display in memory, with hands on its mouse and keyboard: Xvfb and xdotool.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Width and height of the display [pixel]; a window of the size of `sinew view` fits in.
const SIZE: &str = "1280x800x24";
/// Longest wait for something to be seen: a software adapter on a busy machine takes seconds a frame.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks.
const NAP: Duration = Duration::from_millis(100);

/// A display that nobody sees. It goes when it is dropped.
pub(crate) struct Display {
    server: Child,
    name: String,
    folder: tempfile::TempDir,
}

/// Picture on a display.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) size: [usize; 2],
    /// Red, green, blue, row by row from the top.
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Display {
    /// A display of its own number.
    ///
    /// # Panics
    /// Where there is no Xvfb: `cargo xtask test` installs it.
    pub(crate) fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", SIZE, "-nolisten", "tcp", "-fbdir"]);
        command.arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = command.spawn();
        let mut server = started.expect("Xvfb starts; `cargo xtask test` installs what is missing");
        let mut number = String::new();
        let output = server.stdout.take().expect("its output is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb tells its number");
        Self { server, name: format!(":{}", number.trim()), folder }
    }

    /// Name by which programs know it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Has a program open its windows here.
    pub(crate) fn show(&self, command: &mut Command) -> Child {
        // Nothing of the user's is read or written, and no tour begins.
        let state = self.folder.path().join("state");
        std::fs::create_dir_all(state.join("sinew")).expect("a folder");
        let known = r#"{ "dark": true, "knows_tour": true }"#;
        let kept = std::fs::write(state.join("sinew").join("preferences.json"), known);
        kept.expect("preferences are written");
        command.env("XDG_STATE_HOME", state);
        command.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY");
        command.env_remove("WAYLAND_SOCKET").stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Words for xdotool.
    pub(crate) fn send(&self, words: &[&str]) {
        let mut command = Command::new("xdotool");
        let done = command.args(words).env("DISPLAY", &self.name).status();
        let done = done.expect("xdotool starts; `cargo xtask test` installs what is missing");
        assert!(done.success(), "xdotool {words:?}: {done}");
    }

    /// Gives the keyboard to the window with this title, once it is there.
    pub(crate) fn focus(&self, title: &str) {
        self.send(&["search", "--sync", "--onlyvisible", "--name", title, "windowfocus"]);
    }

    /// Presses a key, such as `space` or `ctrl+s`.
    pub(crate) fn key(&self, key: &str) {
        self.send(&["key", key]);
    }

    /// Draws the pointer from one place to another with the left button down.
    pub(crate) fn drag(&self, from: [usize; 2], to: [usize; 2]) {
        let words = [from, to].map(|place| place.map(|x| x.to_string()));
        self.send(&["mousemove", &words[0][0], &words[0][1]]);
        std::thread::sleep(3 * NAP);
        self.send(&["mousedown", "1"]);
        std::thread::sleep(3 * NAP);
        self.send(&["mousemove", &words[1][0], &words[1][1]]);
        std::thread::sleep(3 * NAP);
        self.send(&["mouseup", "1"]);
    }

    /// Clicks at a place with a button.
    pub(crate) fn click(&self, place: [usize; 2], button: u8) {
        let [x, y, button] = [place[0], place[1], button.into()].map(|x| x.to_string());
        self.send(&["mousemove", &x, &y]);
        std::thread::sleep(5 * NAP);
        self.send(&["click", &button]);
        std::thread::sleep(5 * NAP);
    }

    /// Present picture on it.
    pub(crate) fn picture(&self) -> Picture {
        let file: PathBuf = self.folder.path().join("Xvfb_screen0");
        Picture::from_dump(&std::fs::read(file).expect("Xvfb keeps its picture in a file"))
    }

    /// Waits until a picture meets a condition.
    ///
    /// # Panics
    /// When that takes too long.
    pub(crate) fn await_picture(&self, what: &str, is: impl Fn(&Picture) -> bool) -> Picture {
        let begun = Instant::now();
        loop {
            let picture = self.picture();
            if is(&picture) {
                return picture;
            }
            if begun.elapsed() > PATIENCE {
                let file = std::env::temp_dir().join("sinew_display.png");
                let kept = std::fs::write(&file, picture.to_png());
                panic!("not seen: {what}; what was seen: {} {kept:?}", file.display());
            }
            std::thread::sleep(NAP);
        }
    }

    /// Waits until the picture stays as it is.
    pub(crate) fn await_rest(&self) -> Picture {
        let begun = Instant::now();
        let (mut last, mut since) = (self.picture(), Instant::now());
        while since.elapsed() < 10 * NAP && begun.elapsed() < PATIENCE {
            std::thread::sleep(NAP);
            let now = self.picture();
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have gone before.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Picture {
    /// From the file that Xvfb keeps: an X window dump with four bytes a pixel, blue first. Its header is of
    /// words with the high byte first: its own length, then at 4 and 5 the size, at 12 the length of a row, at
    /// 19 the number of colours, which lie between header and picture.
    fn from_dump(bytes: &[u8]) -> Self {
        let word = |k: usize| {
            let four = bytes[4 * k..4 * k + 4].try_into().expect("four bytes");
            u32::from_be_bytes(four) as usize
        };
        let (size, row, colors) = ([word(4), word(5)], word(12), word(19));
        let data = &bytes[word(0) + 12 * colors..];
        let pixels = (0..size[1]).flat_map(|y| {
            let row = &data[y * row..y * row + 4 * size[0]];
            row.chunks_exact(4).map(|p| [p[2], p[1], p[0]])
        });
        Self { size, pixels: pixels.collect() }
    }

    /// Number of pixels of a rectangle, of given left, top, right and bottom, that meet a
    /// condition.
    pub(crate) fn count(&self, [l, t, r, b]: [usize; 4], is: impl Fn([u8; 3]) -> bool) -> usize {
        let rows = (t..b).flat_map(|y| &self.pixels[y * self.size[0] + l..y * self.size[0] + r]);
        rows.filter(|&&pixel| is(pixel)).count()
    }

    /// Number of pixels of a rectangle that differ from another picture by more than a shade.
    pub(crate) fn count_changed(&self, other: &Self, [l, t, r, b]: [usize; 4]) -> usize {
        let places = (t..b).flat_map(|y| (l..r).map(move |x| y * self.size[0] + x));
        let differs =
            |k: &usize| (0..3).any(|c| self.pixels[*k][c].abs_diff(other.pixels[*k][c]) > 8);
        places.filter(differs).count()
    }

    /// The left ends of the rails of sliders in a rectangle, from the top: stretches of one grey, longer than
    /// a field and lower than one.
    pub(crate) fn rails(&self, [left, top, right, bottom]: [usize; 4]) -> Vec<[usize; 2]> {
        let grey = |x: usize, y: usize| {
            let [r, g, b] = self.pixels[y * self.size[0] + x];
            r == g && g == b && (50..=80).contains(&r)
        };
        let mut found: Vec<[usize; 2]> = Vec::new();
        for y in top..bottom {
            let mut run = 0;
            for x in left..right {
                run = if grey(x, y) { run + 1 } else { 0 };
                let ends = x + 1 == right || !grey(x + 1, y);
                // The line between two panels is longer, and a field is 18 pixels high.
                let is_rail = ends && (50..=120).contains(&run) && !grey(x - run / 2, y + 12);
                if is_rail && found.last().is_none_or(|last| y > last[1] + 8) {
                    found.push([x + 1 - run, y + 2]);
                }
            }
        }
        found
    }

    /// As a file; the two lowest bits of each channel are left out, which halves it and is not seen.
    pub(crate) fn to_png(&self) -> Vec<u8> {
        let pixels = self.pixels.iter().map(|[r, g, b]| [r & 0xFC, g & 0xFC, b & 0xFC, 255]);
        let size = self.size.map(|side| side as u32);
        let image = sinew_viewer::Image { size, pixels: pixels.collect() };
        image.to_png().expect("a picture of so many pixels")
    }
}
