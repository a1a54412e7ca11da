//! `sinew view` in earnest: a window on a display in memory, a hand on its keyboard and mouse, and a look
//! at what is seen.
#![cfg(target_os = "linux")]

use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::common::display::{Display, Picture};
use crate::common::{Workshop, stderr};

/// A red beam that sags, with its opacity on a slider.
const MODEL: &str = r#"
version = 1
name = "beam"
gravity = [0.0, 0.0, -9.8]

[[fem_model]]
name = "beam"
density = 1000.0
material = { type = "corot", youngs_modulus = 5e4, poissons_ratio = 0.33 }

[fem_model.mesh]
nodes = [
    [0.0, 0.0, 0.0], [0.0, 0.0, 0.1], [0.0, 0.1, 0.0], [0.0, 0.1, 0.1],
    [0.2, 0.0, 0.0], [0.2, 0.0, 0.1], [0.2, 0.1, 0.0], [0.2, 0.1, 0.1],
]
elements = { hex8 = [[1, 5, 7, 3, 0, 4, 6, 2]] }
node_sets = { clamped = [0, 1, 2, 3] }

[[fem_model.support]]
nodes = "clamped"

[[panels]]
name = "looks"

[[panels.items]]
property = "/models/beam/fem_models/beam:render.alpha"
label = "opacity"
widget = "slider"
low = 0.0
high = 1.0
"#;

/// Area of the picture of the model in the window, well within the panels around it: left, top,
/// right, bottom [pixel].
const CANVAS: [usize; 4] = [300, 60, 740, 640];
/// Area of the panels on the right [pixel].
const RIGHT: [usize; 4] = [964, 50, 1276, 700];
/// Pixels of the model that must be seen, and that must change when it moves or fades.
const MANY: usize = 2000;

/// A window on the beam.
struct Seen {
    display: Display,
    workshop: Workshop,
    window: Child,
}

impl Seen {
    /// A window on the beam at its start, which has the keyboard.
    fn open() -> Self {
        let (display, workshop) = (Display::open(), Workshop::new());
        workshop.write("beam.toml", MODEL);
        let color = "/models/beam/fem_models/beam:render.face_color=0.9 0.05 0.05";
        let mut command =
            workshop.command(&["view", "beam.toml", "--set", color, "--out", "results"]);
        let window = display.show(&mut command);
        display.await_picture("a red beam", |it| it.count(CANVAS, is_red) > MANY);
        display.focus("Sinew");
        Self { display, workshop, window }
    }

    fn await_change(&self, what: &str, since: &Picture) -> Picture {
        self.display.await_picture(what, |it| it.count_changed(since, CANVAS) > MANY)
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        // It may have been closed before.
        let _ = self.window.kill();
        let _ = self.window.wait();
    }
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 60 && u16::from(r) > 2 * u16::from(g.max(b))
}

/// The left end of the rail of the first slider on the right.
fn rail(picture: &Picture) -> Option<[usize; 2]> {
    picture.rails(RIGHT).first().copied()
}

/// The one line that a window which cannot open leaves, on any display but one of the environment's.
fn refusal(command: &mut Command) -> String {
    command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    let output = command.output().expect("sinew starts");
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let lines: Vec<_> = told.lines().filter(|line| !is_of_driver(line)).collect();
    let [line] = lines.as_slice() else { panic!("not one line: {told}") };
    assert!(line.starts_with("error: "), "{line}");
    assert!(!line.contains(".rs:"), "a place in a source is of no use here: {line}");
    (*line).to_owned()
}

/// Mesa's drivers write a line of their own where nobody has logged in.
fn is_of_driver(line: &str) -> bool {
    line.contains("XDG_RUNTIME_DIR")
}

#[test]
fn without_a_display_one_line_says_what_to_do() {
    let workshop = Workshop::new();
    let line = refusal(workshop.command(&["view", "beam"]).env_remove("DISPLAY"));
    assert!(line.contains("no display") && line.contains("sinew render"), "{line}");
}

#[test]
fn a_display_that_does_not_answer_is_told_of_in_one_line() {
    let workshop = Workshop::new();
    // No server has so high a number.
    let line = refusal(workshop.command(&["view", "beam"]).env("DISPLAY", ":65000"));
    assert!(line.contains("no display") && line.contains("sinew render"), "{line}");
}

#[test]
fn without_a_library_of_windows_one_line_names_the_packages_to_install() {
    let display = Display::open();
    // They are loaded at two places, which miss them in different ways.
    for library in ["libXcursor.so", "libXi.so", "libxkbcommon-x11.so"] {
        let workshop = Workshop::new();
        // Files of its names that are no libraries take its place.
        for version in ["", ".0", ".1", ".6"] {
            workshop.write(&format!("{library}{version}"), "");
        }
        let mut command = workshop.command(&["view", "beam"]);
        command.env("DISPLAY", display.name()).env("LD_LIBRARY_PATH", workshop.path("."));
        let line = refusal(&mut command);
        assert!(line.contains("a library for windows is missing"), "{library}: {line}");
        assert!(line.contains("sudo apt-get install libx11-6 "), "{library}: {line}");
    }
}

#[test]
fn without_an_adapter_one_line_names_the_driver_to_install() {
    let (display, workshop) = (Display::open(), Workshop::new());
    let nowhere = workshop.path("no_such_driver.json");
    let mut command = workshop.command(&["view", "beam"]);
    command.env("DISPLAY", display.name());
    command.env("VK_DRIVER_FILES", &nowhere).env("VK_ICD_FILENAMES", &nowhere);
    let line = refusal(&mut command);
    assert!(line.contains("no graphics adapter"), "{line}");
    assert!(line.contains("sudo apt-get install mesa-vulkan-drivers libvulkan1"), "{line}");
}

#[test]
fn a_window_on_a_display_without_settings_leaves_the_terminal_alone() {
    let mut seen = Seen::open();
    seen.window.kill().expect("it stands");
    let mut told = String::new();
    let pipe = seen.window.stderr.as_mut().expect("its errors are piped");
    pipe.read_to_string(&mut told).expect("text");
    let lines: Vec<_> = told.lines().filter(|line| !is_of_driver(line)).collect();
    assert_eq!(lines, [""; 0], "of no use to who opens a window");
}

#[test]
fn integrator_input_and_contact_options_reach_the_model_in_the_window() {
    let (display, workshop) = (Display::open(), Workshop::new());
    workshop.write("beam.toml", MODEL);
    // Seen through from the third millisecond on.
    let alpha = "/models/beam/fem_models/beam:render.alpha";
    workshop.write("alpha.csv", &format!("time,{alpha}\n0,1\n0.002,1\n0.003,0\n9,0\n"));
    let color = "/models/beam/fem_models/beam:render.face_color=0.9 0.05 0.05";
    let line = ["view", "beam.toml", "--set", color, "--input", "alpha.csv", "--step", "0.001"];
    let how = ["--integrator", "trapezoidal", "--newton", "--friction", "cone4", "--root", "."];
    let mut window = display.show(&mut workshop.command(&[&line[..], &how[..]].concat()));
    display.await_picture("a red beam", |it| it.count(CANVAS, is_red) > MANY);
    display.focus("Sinew");
    display.key("space");
    display.await_picture("a beam that is gone", |it| it.count(CANVAS, is_red) < MANY / 10);
    // It may have been closed before.
    let _ = window.kill();
    let _ = window.wait();
}

#[test]
fn options_that_do_not_go_together_are_refused_before_a_window_opens() {
    let workshop = Workshop::new();
    for command in ["view", "render", "shell"] {
        let mut line = vec![command, "beam", "--integrator", "symplectic-euler", "--newton"];
        if command == "render" {
            line.extend(["-o", "a.glb"]);
        }
        let output = workshop.sinew(&line);
        assert_eq!(output.status.code(), Some(2), "{command}: {}", stderr(&output));
        assert!(stderr(&output).contains("--newton goes with"), "{}", stderr(&output));
    }
}

#[test]
fn the_model_moves_when_space_is_pressed_and_home_brings_back_the_first_picture() {
    let seen = Seen::open();
    let first = seen.display.await_rest();
    seen.display.key("space");
    seen.await_change("a beam that sags", &first);
    seen.display.key("space");
    let halted = seen.display.await_rest();
    assert!(halted.count_changed(&first, CANVAS) > MANY, "it came back by itself");
    seen.display.key("Home");
    seen.display.await_picture("the first picture", |it| it.count_changed(&first, CANVAS) == 0);
}

#[test]
fn a_slider_that_is_drawn_sets_its_property_and_the_picture_shows_it() {
    let seen = Seen::open();
    let there = |it: &Picture| rail(it).is_some();
    seen.display.await_picture("the slider of the opacity", there);
    let opaque = seen.display.await_rest();
    let [x, y] = rail(&opaque).expect("it was there");
    seen.display.drag([x + 60, y], [x + 15, y]);
    let faded = seen.await_change("a beam that fades", &opaque);
    let [before, after] = [&opaque, &faded].map(|it| it.count(CANVAS, is_red));
    assert!(before > MANY, "{before} red pixels before, {after} after");
    seen.display.key("ctrl+z");
    // Where a machine is so busy that a second passes within the drag, that is two edits.
    if seen.display.await_rest().count_changed(&opaque, CANVAS) > 0 {
        seen.display.key("ctrl+z");
    }
    seen.display
        .await_picture("the opaque beam again", |it| it.count_changed(&opaque, CANVAS) == 0);
}

#[test]
fn f12_writes_the_picture_into_the_folder_that_was_named() {
    let seen = Seen::open();
    seen.display.await_rest();
    seen.display.key("F12");
    let begun = Instant::now();
    let file = loop {
        let names = seen.workshop.names("results");
        if let Some(name) = names.into_iter().find(|name| name.ends_with(".png")) {
            break seen.workshop.path("results").join(name);
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no picture was written");
        std::thread::sleep(Duration::from_millis(100));
    };
    let bytes = std::fs::read(&file).expect("a picture");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{}", file.display());
}
