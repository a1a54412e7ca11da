//! Warnings about a mesh, one sentence each: notes of the reader, and findings about the shape.

use sinew::Vec3;
use sinew::geometry::{SurfaceReport, guess_unit, recentring};

/// Warnings about the surface of a volume: what the notes of its file do not say already.
pub(super) fn of_boundary(report: &SurfaceReport) -> Vec<String> {
    let told = SurfaceReport { components: 1, duplicate_vertices: 0, ..report.clone() };
    told.warnings().into_iter().map(|warning| format!("on the surface: {warning}")).collect()
}

/// Notes from reading a volume, but for its length: [`of_size`] tells the option for that.
pub(super) fn of_reading(notes: &[String]) -> Vec<String> {
    notes.iter().filter(|note| !note.contains("unit=")).cloned().collect()
}

/// A length in digits that are read at a glance [m].
fn length(x: f64) -> String {
    if (1e-4..1e6).contains(&x) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

/// Warnings about size and place.
pub(super) fn of_size(bounds: Option<[Vec3; 2]>) -> Vec<String> {
    let Some([low, high]) = bounds else { return Vec::new() };
    let mut warnings = Vec::new();
    if let Some(guess) = guess_unit((high - low).amax()) {
        let extent = guess.extent;
        let advice = match (guess.unit, guess.factor) {
            (Some(unit), Some(factor)) if factor < 1.0 => {
                format!(
                    "if the file is in {unit}, say so with --unit {unit} ({} m then)",
                    length(extent * factor)
                )
            }
            (_, Some(factor)) => format!("it may have been scaled once too often (by {factor})"),
            _ => "no usual unit makes it plausible".to_owned(),
        };
        warnings.push(format!(
            "the mesh is {} m long, which no part of a body is: {advice}",
            length(extent)
        ));
    }
    if let Some(centre) = recentring(&low, &high) {
        let [x, y, z] = [centre.x, centre.y, centre.z];
        warnings.push(format!(
            "it lies so far from the origin that single precision (a GPU, STL) blurs it: move it by \
             ({:.6}, {:.6}, {:.6}) m",
            -x, -y, -z
        ));
    }
    warnings
}
