//! What a user should know of a mesh, one sentence each: what the reader noted, and what the shape
//! shows.

use sinew::Vec3;
use sinew::geometry::{SurfaceReport, guess_unit, recentring};

/// Warnings about the surface of a volume: what the notes of its file do not say already.
pub(super) fn of_boundary(report: &SurfaceReport) -> Vec<String> {
    let told = SurfaceReport { components: 1, duplicate_vertices: 0, ..report.clone() };
    told.warnings().into_iter().map(|warning| format!("on the surface: {warning}")).collect()
}

/// Warnings about size and place; `notes` may hold the first already.
pub(super) fn of_size(bounds: Option<[Vec3; 2]>, notes: &[String]) -> Vec<String> {
    let Some([low, high]) = bounds else { return Vec::new() };
    let mut warnings = Vec::new();
    let is_told = notes.iter().any(|note| note.contains("unit="));
    if let Some(guess) = guess_unit((high - low).amax()).filter(|_| !is_told) {
        let extent = guess.extent;
        let advice = match (guess.unit, guess.factor) {
            (Some(unit), Some(factor)) if factor < 1.0 => {
                format!(
                    "if the file is in {unit}, say so with --unit {unit} ({:.4} m then)",
                    extent * factor
                )
            }
            (_, Some(factor)) => format!("it may have been scaled once too often (by {factor})"),
            _ => "no usual unit makes it plausible".to_owned(),
        };
        warnings
            .push(format!("the mesh is {extent:.4e} m long, which no part of a body is: {advice}"));
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
