//! The figures as rows of a table.

use super::measure::Figures;
use crate::numbers::grouped;

/// Widths of the columns after the scene.
const COLUMNS: [(&str, usize); 13] = [
    ("nodes", 9),
    ("on", 4),
    ("solver", 13),
    ("set-up ms", 10),
    ("step ms", 9),
    ("forces", 8),
    ("assembly", 9),
    ("factor", 8),
    ("solve", 8),
    ("parts", 5),
    ("iterations", 11),
    ("residual", 9),
    ("of copy", 8),
];
/// Width of the name of a scene.
const SCENE: usize = 14;

/// The names of the columns: phases are medians in ms, bytes over the bus mean a step.
pub(super) fn heading() -> String {
    let names = COLUMNS.map(|(name, _)| name.to_owned());
    line("scene", &names, "bytes up, down")
}

/// One scene on one backend.
pub(super) fn row(figures: &Figures) -> String {
    let phases = &figures.phases_ms;
    let ms = |value: f64| format!("{value:.3}");
    let solver = match figures.preconditioner {
        Some(preconditioner) => format!("{} {preconditioner}", figures.solver),
        None => figures.solver.to_owned(),
    };
    let cells = [
        grouped(figures.nodes),
        figures.backend.name().to_owned(),
        solver,
        format!("{:.1}", figures.setup_ms),
        ms(figures.step_ms),
        ms(phases.forces),
        ms(phases.assembly),
        ms(phases.factor),
        ms(phases.solve),
        format!("{:.1}", figures.parts),
        format!("{:.1}", figures.iterations),
        format!("{:.1e}", figures.residual),
        figures.of_copy.map_or_else(|| "-".to_owned(), |part| format!("{:.0} %", 100.0 * part)),
    ];
    let bytes = format!("{:.0}, {:.0}", figures.bytes_up, figures.bytes_down);
    line(&figures.scene, &cells, &bytes)
}

fn line(scene: &str, cells: &[String; COLUMNS.len()], last: &str) -> String {
    let mut text = format!("{scene:<SCENE$}");
    for (cell, (_, width)) in cells.iter().zip(COLUMNS) {
        text += &format!(" {cell:>width$}");
    }
    format!("{text}  {last}")
}
