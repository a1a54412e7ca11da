//! OpenSim's motion (.mot) and storage (.sto) files: a heading up to `endheader`, names of columns with
//! the time first, rows. Angles may be in degrees; lengths are in metres.

use super::lines::Lines;
use super::rows::Heading;
use super::words::Layout;
use crate::RecordingError;

/// More lines than this are no heading.
const MOST_LINES: usize = 10_000;

/// Fault of a heading that does not tell the unit of angles.
const IN_DEGREES: &str = "'inDegrees' must be yes or no";

/// True for angles in degrees, in the words that OpenSim takes.
fn turned(value: &str) -> Option<bool> {
    match value {
        "yes" | "y" | "true" => Some(true),
        "no" | "n" | "false" => Some(false),
        _ => None,
    }
}

pub(super) fn heading(lines: &mut Lines) -> Result<Layout, RecordingError> {
    let mut degrees = false;
    let mut ended = false;
    for _ in 0..MOST_LINES {
        let text = lines.expect("'endheader'")?.trim().to_ascii_lowercase();
        if text == "endheader" {
            ended = true;
            break;
        }
        if let Some((key, value)) = text.split_once('=') {
            let told = || turned(value.trim()).ok_or_else(|| lines.error(IN_DEGREES));
            degrees |= key.trim() == "indegrees" && told()?;
        }
    }
    if !ended {
        return Err(lines.error("there is no line 'endheader'"));
    }
    let mut names = lines.expect("the names of the columns")?;
    while names.trim().is_empty() {
        names = lines.expect("the names of the columns")?;
    }
    let names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
    match names.split_first() {
        Some((time, columns)) if time.eq_ignore_ascii_case("time") => {
            let heading = Heading { columns: columns.to_vec(), degrees, ..Heading::default() };
            Ok(Layout { heading, time: Ok(0), skipped: 1, count: None, scale: 1.0, tabs: false })
        }
        _ => Err(lines.error("the first column must be 'time'")),
    }
}
