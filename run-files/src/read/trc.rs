//! TRC: ways of markers, as motion capture writes them. Rows are number of the frame, time, and x, y, z
//! of each marker; lengths are in the unit that the third line tells.

use super::lines::Lines;
use super::rows::Heading;
use super::words::Layout;
use crate::RecordingError;

/// Five lines: kind of path, names of fields, fields, names of markers, names of their parts.
pub(super) fn heading(lines: &mut Lines) -> Result<Layout, RecordingError> {
    let first = lines.expect("'PathFileType'")?;
    if !first.starts_with("PathFileType") {
        return Err(lines.error("a TRC file begins with 'PathFileType'"));
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let names = words(lines.expect("the names of fields (DataRate ..)")?);
    let fields = words(lines.expect("the fields (DataRate ..)")?);
    let field = |name: &str| {
        let at = names.iter().position(|it| it.eq_ignore_ascii_case(name))?;
        fields.get(at).cloned()
    };
    let Some(scale) = field("Units").as_deref().and_then(unit) else {
        return Err(lines.error("'Units' must be mm, cm or m"));
    };
    let markers = words(lines.expect("the names of the markers")?);
    let [frame, time, markers @ ..] = &markers[..] else {
        return Err(lines.error("the names 'Frame#', 'Time' and those of markers are expected"));
    };
    if !frame.starts_with("Frame") || !time.eq_ignore_ascii_case("time") {
        return Err(lines.error("the names 'Frame#', 'Time' and those of markers are expected"));
    }
    let part = |marker: &String| ["x", "y", "z"].map(|axis| format!("{marker}.{axis}"));
    let columns = markers.iter().flat_map(part).collect();
    lines.expect("the names X1 Y1 Z1 ..")?;
    let heading = Heading { columns, ..Heading::default() };
    Ok(Layout { heading, time: Ok(1), skipped: 2, count: None, scale, tabs: true })
}

/// In metres.
fn unit(name: &str) -> Option<f64> {
    match name.to_ascii_lowercase().as_str() {
        "mm" => Some(1e-3),
        "cm" => Some(1e-2),
        "m" => Some(1.0),
        _ => None,
    }
}
