//! Directions of fibres in elements, from lines that run along them: measured polylines of muscles, streamlines.

use nalgebra::SymmetricEigen;

use crate::VolumeMesh;
use crate::locate::elements_at;
use crate::{Mat3, Vec3};

/// Samples of a line in an element of mean size, about: a line that crosses the corner of an element is seen.
const SAMPLES: f64 = 8.0;

/// A short part of a line.
struct Sample {
    at: Vec3,
    /// Along the line, as long as the part [m].
    along: Vec3,
}

/// Direction of the fibres in each element that polylines [m] run through, of length 1; in an element that none runs
/// through, that of the nearest part of a line within `reach` [m] of its centre, if there is one. Several lines in an
/// element are averaged by their lengths in it, whichever way they run: the direction is the main axis of the sum of
/// d d^T, turned along the first of them.
pub fn directions_along(mesh: &VolumeMesh, lines: &[Vec<Vec3>], reach: f64) -> Vec<Option<Vec3>> {
    let samples = samples_of(lines, spacing(mesh));
    let places: Vec<Vec3> = samples.iter().map(|sample| sample.at).collect();
    let mut tensors = vec![Mat3::zeros(); mesh.element_count()];
    let mut first: Vec<Option<Vec3>> = vec![None; mesh.element_count()];
    for (sample, element) in samples.iter().zip(elements_at(mesh, &places)) {
        let Some(e) = element else { continue };
        tensors[e] += sample.along * sample.along.transpose() / sample.along.norm();
        first[e].get_or_insert(sample.along);
    }
    let near = |e: usize| {
        let nodes = mesh.element(e).1;
        let centre =
            nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64;
        let distance = |sample: &Sample| (sample.at - centre).norm_squared();
        let nearest = samples.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(nearest) <= reach * reach).then(|| nearest.along.normalize())
    };
    (0..mesh.element_count())
        .map(|e| match first[e] {
            Some(along) => Some(main_axis(tensors[e], along)),
            None if reach > 0.0 => near(e),
            None => None,
        })
        .collect()
}

/// Length of samples [m].
fn spacing(mesh: &VolumeMesh) -> f64 {
    let Some([low, high]) = mesh.bounding_box() else { return f64::INFINITY };
    let count = mesh.element_count().max(1) as f64;
    ((high - low).product() / count).abs().cbrt().max((high - low).norm() * 1e-6) / SAMPLES
}

/// The lines in parts no longer than `spacing` [m]; parts without a length are left out.
fn samples_of(lines: &[Vec<Vec3>], spacing: f64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for ends in lines.iter().flat_map(|line| line.windows(2)) {
        let whole = ends[1] - ends[0];
        if !(whole.norm() > 0.0 && whole.norm().is_finite()) {
            continue;
        }
        let count = (whole.norm() / spacing).ceil().max(1.0);
        samples.extend((0..count as usize).map(|k| Sample {
            at: ends[0] + whole * ((k as f64 + 0.5) / count),
            along: whole / count,
        }));
    }
    samples
}

/// The axis of the largest eigenvalue, turned along a direction.
fn main_axis(tensor: Mat3, along: Vec3) -> Vec3 {
    let eigen = SymmetricEigen::new(tensor);
    let axis: Vec3 = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into();
    if axis.dot(&along) < 0.0 { -axis } else { axis }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementKind;

    /// A row of cubes of 1 m along x.
    fn row(count: u32) -> VolumeMesh {
        let corner = |k: u32| Vec3::new(f64::from(k / 4), f64::from(k % 2), f64::from(k / 2 % 2));
        let mut mesh = VolumeMesh::new((0..4 * (count + 1)).map(corner).collect());
        for i in 0..count {
            let [a, b] = [4 * i, 4 * (i + 1)];
            let nodes = [a + 2, b + 2, b + 3, a + 3, a, b, b + 1, a + 1];
            mesh.push_element(ElementKind::Hex8, &nodes).unwrap();
        }
        mesh
    }

    #[test]
    fn an_element_takes_the_direction_of_the_line_in_it_and_none_where_there_is_none() {
        let mesh = row(3);
        let line =
            vec![Vec3::new(0.1, 0.5, 0.5), Vec3::new(1.5, 0.5, 0.5), Vec3::new(1.5, 0.9, 0.5)];
        let found = directions_along(&mesh, std::slice::from_ref(&line), 0.0);
        assert!((found[0].unwrap() - Vec3::x()).norm() < 1e-12);
        // Of half a metre along x and 0.4 m along y the longer part wins.
        assert!((found[1].unwrap() - Vec3::x()).norm() < 1e-12);
        assert_eq!(found[2], None);
        let reached = directions_along(&mesh, &[line], 1.05);
        assert!((reached[2].unwrap() - Vec3::y()).norm() < 1e-12, "{:?}", reached[2]);
    }

    #[test]
    fn lines_that_run_against_each_other_do_not_cancel() {
        let ends = [Vec3::new(0.1, 0.2, 0.2), Vec3::new(0.9, 0.8, 0.2)];
        let back = vec![ends[1], ends[0]];
        let found = directions_along(&row(1), &[ends.to_vec(), back], 0.0)[0].unwrap();
        assert!((found - (ends[1] - ends[0]).normalize()).norm() < 1e-12, "{found:?}");
    }

    #[test]
    fn lines_without_length_and_places_that_are_not_finite_are_left_out() {
        let bad = vec![Vec3::repeat(f64::NAN), Vec3::repeat(0.5), Vec3::repeat(0.5)];
        assert_eq!(directions_along(&row(1), &[bad, vec![], vec![Vec3::repeat(0.5)]], 0.0), [None]);
        assert_eq!(directions_along(&VolumeMesh::default(), &[], 1.0), []);
    }
}
