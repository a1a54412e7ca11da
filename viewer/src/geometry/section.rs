//! Sections of tetrahedra by a plane: triangles, with the field interpolated linearly along the edges.

use sinew::snapshot::Tetrahedra;

use super::soup::{Soup, blend, cross, dot, minus};
use crate::scene_view::MOST_PLANES;

/// Corners of a section of a tetrahedron that several planes cut: four, and one more for each.
const MOST_CORNERS: usize = 4 + MOST_PLANES;

/// Adds the section of tetrahedra by the plane of points p with n . p = d, without what lies above other such planes.
/// Corners are places in `points`, each with its number on the colour map.
pub(crate) fn add_section(
    inside: &Tetrahedra,
    points: &[[f32; 4]],
    (normal, d): ([f32; 3], f32),
    others: &[([f32; 3], f32)],
    soup: &mut Soup,
) {
    for corners in &inside.corners {
        let Some(corners) = gathered(corners, points) else { continue };
        let heights = corners.map(|[x, y, z, _]| dot(normal, [x, y, z]) - d);
        // A place that is no number has no section, and would spoil those of its neighbours' pixels.
        if !heights.iter().all(|h| h.is_finite()) {
            continue;
        }
        let (first, count) = crossings(&corners, heights);
        let mut polygon = [[0.0; 4]; MOST_CORNERS];
        polygon[..4].copy_from_slice(&first);
        let mut count = count;
        for &other in others {
            count = clip(&mut polygon, count, other);
        }
        for k in 2..count {
            push_facing([polygon[0], polygon[k - 1], polygon[k]], normal, soup);
        }
    }
}

fn gathered(corners: &[u32; 4], points: &[[f32; 4]]) -> Option<[[f32; 4]; 4]> {
    let mut found = [[0.0; 4]; 4];
    for (place, &corner) in found.iter_mut().zip(corners) {
        *place = *points.get(corner as usize)?;
    }
    Some(found)
}

/// Points at which the edges cross the plane, in order around the section: three or four.
fn crossings(corners: &[[f32; 4]; 4], heights: [f32; 4]) -> ([[f32; 4]; 4], usize) {
    let mut above = [0; 4];
    let mut below = [0; 4];
    let (mut ups, mut downs) = (0, 0);
    for k in 0..4 {
        if heights[k] > 0.0 {
            above[ups] = k;
            ups += 1;
        } else {
            below[downs] = k;
            downs += 1;
        }
    }
    let at =
        |a: usize, b: usize| blend(corners[a], corners[b], heights[a] / (heights[a] - heights[b]));
    let ([a, b, c, _], [e, f, g, _]) = (above, below);
    match (ups, downs) {
        (1, 3) => ([at(a, e), at(a, f), at(a, g), [0.0; 4]], 3),
        (3, 1) => ([at(a, e), at(b, e), at(c, e), [0.0; 4]], 3),
        (2, 2) => ([at(a, e), at(a, f), at(b, f), at(b, e)], 4),
        _ => ([[0.0; 4]; 4], 0),
    }
}

/// Takes away what of a convex polygon lies above a plane [SutherlandHodgman1974]; the number of corners that are left.
fn clip(
    polygon: &mut [[f32; 4]; MOST_CORNERS],
    count: usize,
    (normal, d): ([f32; 3], f32),
) -> usize {
    let whole = *polygon;
    let height = |[x, y, z, _]: [f32; 4]| dot(normal, [x, y, z]) - d;
    let mut left = 0;
    let mut push = |corner: [f32; 4]| {
        // Rounding may make a sliver cross a plane more often than a convex polygon does.
        if left < MOST_CORNERS {
            polygon[left] = corner;
            left += 1;
        }
    };
    for k in 0..count {
        let (here, next) = (whole[k], whole[(k + 1) % count]);
        let (above, after) = (height(here), height(next));
        if above <= 0.0 {
            push(here);
        }
        if (above > 0.0) != (after > 0.0) {
            push(blend(here, next, above / (above - after)));
        }
    }
    left
}

/// Adds a triangle, anticlockwise seen against the normal.
fn push_facing(corners: [[f32; 4]; 3], normal: [f32; 3], soup: &mut Soup) {
    let [a, b, c] = corners.map(|[x, y, z, _]| [x, y, z]);
    let [p, q, r] = corners;
    let ahead = dot(cross(minus(b, a), minus(c, a)), normal) >= 0.0;
    soup.push(if ahead { [p, q, r] } else { [p, r, q] }, normal, true);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::soup::{length, unit};

    /// A grid of n³ cubes of unit extent about the origin, each of six tetrahedra; the number of each
    /// point is x + 2 y - z.
    fn cube(n: u32) -> (Vec<[f32; 4]>, Tetrahedra) {
        let place = |i: u32| i as f32 / n as f32 - 0.5;
        let mut points = Vec::new();
        for k in 0..=n {
            for j in 0..=n {
                for i in 0..=n {
                    let [x, y, z] = [i, j, k].map(place);
                    points.push([x, y, z, x + 2.0 * y - z]);
                }
            }
        }
        let number = |i, j, k| (k * (n + 1) + j) * (n + 1) + i;
        let mut inside = Tetrahedra::default();
        for cell in 0..n * n * n {
            let base = [cell % n, cell / n % n, cell / n / n];
            for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
                let mut at = base;
                let mut corners = [number(at[0], at[1], at[2]); 4];
                for (step, axis) in order.into_iter().enumerate() {
                    at[axis] += 1;
                    corners[step + 1] = number(at[0], at[1], at[2]);
                }
                inside.corners.push(corners);
                inside.elements.push(cell);
            }
        }
        (points, inside)
    }

    fn area(soup: &Soup) -> f32 {
        let corners = |t: &[[f32; 4]]| [t[0], t[1], t[2]].map(|[x, y, z, _]| [x, y, z]);
        soup.positions
            .chunks(3)
            .map(corners)
            .map(|[a, b, c]| 0.5 * length(cross(minus(b, a), minus(c, a))))
            .sum()
    }

    fn section(points: &[[f32; 4]], inside: &Tetrahedra, normal: [f32; 3], d: f32) -> Soup {
        let mut soup = Soup::default();
        add_section(inside, points, (normal, d), &[], &mut soup);
        soup
    }

    #[test]
    fn sections_of_a_cube_have_the_area_of_the_closed_form() {
        let (points, inside) = cube(4);
        let square = section(&points, &inside, [0.0, 0.0, 1.0], 0.1);
        assert!((area(&square) - 1.0).abs() < 1e-5, "{}", area(&square));
        // Across the diagonal a cube of unit edges has a regular hexagon of edges 1/sqrt(2).
        let hexagon = section(&points, &inside, unit([1.0, 1.0, 1.0]), 0.0);
        let expected = 1.5 * 3f32.sqrt() * 0.5;
        assert!((area(&hexagon) - expected).abs() < 1e-4, "{} of {expected}", area(&hexagon));
        assert_eq!(area(&section(&points, &inside, [1.0, 0.0, 0.0], 0.6)), 0.0);
    }

    #[test]
    fn other_planes_leave_their_part_of_a_section() {
        let (points, inside) = cube(4);
        let cut = |others: &[([f32; 3], f32)]| {
            let mut soup = Soup::default();
            add_section(&inside, &points, ([0.0, 0.0, 1.0], 0.1), others, &mut soup);
            // The number of each place is still x + 2 y - z.
            for [x, y, z, number] in &soup.positions {
                assert!((number - (x + 2.0 * y - z)).abs() < 1e-5);
            }
            area(&soup)
        };
        let (x, y) = ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0]);
        assert!((cut(&[(x, 0.2)]) - 0.7).abs() < 1e-5, "{}", cut(&[(x, 0.2)]));
        let corner = cut(&[(x, 0.2), (y, 0.1)]);
        assert!((corner - 0.7 * 0.6).abs() < 1e-5, "{corner}");
        // Across a corner of the square a triangle of legs of 0.5 goes.
        let across = cut(&[(unit([1.0, 1.0, 0.0]), 0.5 / 2f32.sqrt())]);
        assert!((across - 0.875).abs() < 1e-5, "{across}");
        assert_eq!(cut(&[(x, -0.6)]), 0.0);
    }

    #[test]
    fn the_section_of_a_ball_nears_the_circle_as_the_mesh_gets_finer() {
        let error = |n: u32| {
            let (mut points, inside) = cube(n);
            for p in &mut points {
                // The cube to the ball of radius 1/2: spheres of the largest norm to round ones.
                let [x, y, z, _] = *p;
                let largest = x.abs().max(y.abs()).max(z.abs());
                let r = length([x, y, z]).max(1e-9);
                (0..3).for_each(|k| p[k] *= largest / r);
            }
            let disc = section(&points, &inside, [0.0, 0.6, 0.8], 0.2);
            let expected = std::f32::consts::PI * (0.25 - 0.04);
            ((area(&disc) - expected) / expected).abs()
        };
        let errors = [4, 8, 16].map(error);
        assert!(errors[1] < 0.4 * errors[0] && errors[2] < 0.4 * errors[1], "{errors:?}");
        assert!(errors[2] < 0.01, "{errors:?}");
    }

    #[test]
    fn linear_fields_are_linear_on_the_section_which_faces_the_normal() {
        let (points, inside) = cube(3);
        let normal = unit([0.3, -0.5, 0.9]);
        let soup = section(&points, &inside, normal, 0.07);
        assert!(soup.positions.len() > 100);
        for [x, y, z, value] in &soup.positions {
            assert!((x + 2.0 * y - z - value).abs() < 1e-5, "{value} at {x} {y} {z}");
            assert!((dot(normal, [*x, *y, *z]) - 0.07).abs() < 1e-5);
        }
        for t in soup.positions.chunks(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|[x, y, z, _]| [x, y, z]);
            assert!(dot(cross(minus(b, a), minus(c, a)), normal) >= -1e-9);
        }
    }

    /// Area of the section of a cube of unit edges about the origin by the plane n . p = d, n of unit
    /// length: the derivative by d of the volume below it, which is a sum over the corners [Marichal2008].
    fn area_of_cube(normal: [f64; 3], d: f64) -> f64 {
        let n: Vec<f64> = normal.iter().map(|x| x.abs()).filter(|x| *x > 0.0).collect();
        let from_corner = d + 0.5 * n.iter().sum::<f64>();
        let power = n.len() as i32 - 1;
        let corners = (0..1usize << n.len()).map(|corner| {
            let taken = (0..n.len()).filter(|k| corner >> k & 1 == 1);
            let reach = from_corner - taken.map(|k| n[k]).sum::<f64>();
            let sign = if corner.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
            if reach > 0.0 { sign * reach.powi(power) } else { 0.0 }
        });
        let below = [1.0, 1.0, 2.0][n.len() - 1] * n.iter().product::<f64>();
        corners.sum::<f64>() / below
    }

    /// Checks a section: numbers throughout, facing the normal, of the right area.
    fn check(normal: [f64; 3], d: f64, n: u32) -> Result<(), TestCaseError> {
        let (points, inside) = cube(n);
        let narrow = normal.map(|x| x as f32);
        let soup = section(&points, &inside, narrow, d as f32);
        for numbers in soup.positions.iter().chain(&soup.normals) {
            prop_assert!(numbers.iter().all(|x| x.is_finite()), "{numbers:?}");
        }
        for [x, y, z, uncut] in &soup.normals {
            prop_assert!((length([*x, *y, *z]) - 1.0).abs() < 1e-6 && *uncut == 1.0);
        }
        for [x, y, z, value] in &soup.positions {
            prop_assert!((x + 2.0 * y - z - value).abs() < 1e-5);
            prop_assert!((dot(narrow, [*x, *y, *z]) - d as f32).abs() < 1e-6);
        }
        let (area, expected) = (f64::from(area(&soup)), area_of_cube(normal, d));
        prop_assert!((area - expected).abs() < 2e-5, "{area} of {expected}");
        Ok(())
    }

    proptest! {
        #[test]
        fn sections_of_a_cube_have_the_right_area_at_every_orientation(
            normal in prop::array::uniform3(-1.0..1.0f64),
            d in -0.9..0.9f64,
            n in 1u32..5,
        ) {
            // The closed form is a difference of large numbers where a part of the normal is nearly 0.
            prop_assume!(normal.iter().all(|x: &f64| x.abs() > 0.03));
            let norm = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            check(normal.map(|x| x / norm), d, n)?;
        }

        #[test]
        fn planes_through_nodes_cut_every_face_once(
            normal in prop::array::uniform3(-2i32..=2),
            node in prop::array::uniform3(0u32..=4),
        ) {
            prop_assume!(normal != [0; 3]);
            let norm = f64::from(normal.iter().map(|x| x * x).sum::<i32>()).sqrt();
            let normal = normal.map(|x| f64::from(x) / norm);
            let place = node.map(|k| f64::from(k) / 4.0 - 0.5);
            let d: f64 = (0..3).map(|k| normal[k] * place[k]).sum();
            // A plane in a face of the cube is a limit that rounding decides.
            let reach: f64 = 0.5 * normal.iter().map(|x| x.abs()).sum::<f64>();
            prop_assume!(d.abs() < reach - 1e-6);
            check(normal, d, 4)?;
        }

        #[test]
        fn flat_and_broken_tetrahedra_leave_no_numbers_that_are_none(
            corners in prop::array::uniform4(prop::array::uniform3(-1i32..=1)),
            broken in prop::option::of(0usize..4),
            normal in prop::array::uniform3(-1.0..1.0f32),
            d in prop::sample::select(vec![0.0f32, -1.0, 1.0, 1e-38, 0.5]),
        ) {
            let mut points: Vec<[f32; 4]> = corners
                .iter()
                .map(|p| [p[0] as f32, p[1] as f32, p[2] as f32, 0.5])
                .collect();
            if let Some(k) = broken {
                points[k][1] = f32::NAN;
            }
            let inside = Tetrahedra { corners: vec![[0, 1, 2, 3]], elements: vec![0] };
            let soup = section(&points, &inside, unit(normal), d);
            for numbers in soup.positions.iter().chain(&soup.normals) {
                prop_assert!(numbers.iter().all(|x| x.is_finite()), "{numbers:?}");
            }
        }
    }
}
