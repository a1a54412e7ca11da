//! Time until a window is seen: `sinew view` on a display in memory, from its start to the first
//! change of the display and to the last, when the model is in it. A run is not begun, so that the
//! last change is the model's.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{cargo, root, run};
use crate::{display, driver};

/// Between two looks at the display: short beside what is measured.
const NAP: Duration = Duration::from_millis(5);
/// Time without a change after which a window is taken to be complete.
const REST: Duration = Duration::from_secs(3);
/// Longest wait for a window.
const PATIENCE: Duration = Duration::from_secs(120);

/// Times of one window after its start.
struct Times {
    first: Duration,
    last: Duration,
}

/// Opens the release build's window on `model` as often as `count` says, and prints the times of each.
///
/// # Errors
/// A build that fails, a display or a window that does not come.
pub(crate) fn measure(model: &str, count: usize) -> Result<(), String> {
    driver::ensure()?;
    display::ensure()?;
    run(cargo(&["build", "--release"]))?;
    println!("{:>6} {:>16} {:>16}", "window", "first frame [s]", "the model [s]");
    for number in 1..=count {
        let Times { first, last } = times(model)?;
        println!("{number:>6} {:>16.2} {:>16.2}", first.as_secs_f64(), last.as_secs_f64());
    }
    Ok(())
}

/// A program that is ended with what holds it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One window on a display of its own.
fn times(model: &str) -> Result<Times, String> {
    let folder = std::env::temp_dir().join(format!("sinew-first-frame-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (_server, name) = serve(&folder)?;
    let picture = folder.join("Xvfb_screen0");
    let mut last_picture = look(&picture)?;
    let mut command = Command::new(root().join("target/release/sinew"));
    command.args(["view", model]).env("DISPLAY", name).env_remove("WAYLAND_DISPLAY");
    command.env_remove("WAYLAND_SOCKET").stderr(Stdio::null());
    let begun = Instant::now();
    let _window = Running(command.spawn().map_err(|error| format!("sinew: {error}"))?);
    let (mut first, mut last) = (None, Duration::ZERO);
    while first.is_none() || begun.elapsed() < last + REST {
        if begun.elapsed() > PATIENCE {
            return Err(format!("no window on {model} within {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(NAP);
        let now = begun.elapsed();
        let picture = look(&picture)?;
        if picture != last_picture {
            (last_picture, last) = (picture, now);
            first.get_or_insert(now);
        }
    }
    // What is left in a temporary folder does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(Times { first: first.unwrap_or(last), last })
}

/// A display in memory that keeps its picture in a folder, and its name.
fn serve(folder: &Path) -> Result<(Running, String), String> {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-fbdir"]);
    command.arg(folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Running(command.spawn().map_err(|error| format!("Xvfb: {error}"))?);
    let output = server.0.stdout.take().ok_or("Xvfb has no output")?;
    let mut number = String::new();
    let read = BufReader::new(output).read_line(&mut number);
    read.map_err(|error| format!("Xvfb: {error}"))?;
    Ok((server, format!(":{}", number.trim())))
}

fn look(picture: &PathBuf) -> Result<Vec<u8>, String> {
    std::fs::read(picture).map_err(|error| format!("{}: {error}", picture.display()))
}
