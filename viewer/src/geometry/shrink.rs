//! Elements drawn smaller than they are, so that one sees between them.

use sinew::snapshot::Tetrahedra;

use super::soup::{Soup, blend, cross, minus, unit};

/// Corners of the faces of a right-handed tetrahedron, anticlockwise seen from outside.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// Adds elements, each drawn towards its centre by `shrink`. Corners are places in `points`, each with
/// its number on the colour map. Tetrahedra of one element follow each other, and share its centre.
pub(crate) fn add_shrunk(inside: &Tetrahedra, points: &[[f32; 4]], shrink: f32, soup: &mut Soup) {
    let count = inside.corners.len();
    let mut begin = 0;
    while begin < count {
        let element = inside.elements.get(begin);
        let mut end = begin + 1;
        while end < count && element.is_some() && inside.elements.get(end) == element {
            end += 1;
        }
        add_element(&inside.corners[begin..end], points, shrink, soup);
        begin = end;
    }
}

fn add_element(parts: &[[u32; 4]], points: &[[f32; 4]], shrink: f32, soup: &mut Soup) {
    let corner = |c: &u32| points.get(*c as usize).copied();
    let mut centre = [0.0; 4];
    let mut count = 0.0f32;
    for p in parts.iter().flatten().filter_map(corner) {
        (0..4).for_each(|k| centre[k] += p[k]);
        count += 1.0;
    }
    let centre = centre.map(|x| x / count.max(1.0));
    for part in parts {
        let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(|k| corner(&part[k])) else {
            continue;
        };
        let moved = [a, b, c, d].map(|p| {
            let [x, y, z, _] = blend(p, centre, shrink);
            // The number is that of the node: elements keep their colours when they shrink.
            [x, y, z, p[3]]
        });
        for face in FACES {
            let corners = face.map(|k| moved[k]);
            let [p, q, r] = corners.map(|[x, y, z, _]| [x, y, z]);
            soup.push(corners, unit(cross(minus(q, p), minus(r, p))), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::soup::{dot, plus, scaled};

    #[test]
    fn faces_of_a_shrunk_tetrahedron_look_outward_and_enclose_its_part_of_the_volume() {
        let points = [
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 2.0],
            [0.0, 1.0, 0.0, 3.0],
            [0.0, 0.0, 1.0, 4.0],
        ];
        let inside = Tetrahedra { corners: vec![[0, 1, 2, 3]], elements: vec![0] };
        let mut soup = Soup::default();
        add_shrunk(&inside, &points, 0.5, &mut soup);
        // Divergence theorem: V = sum of a . (b x c) / 6 over the faces.
        let volume: f32 = soup
            .positions
            .chunks(3)
            .map(|t| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|[x, y, z, _]| [x, y, z]);
                let middle = scaled(plus(a, plus(b, c)), 1.0 / 3.0);
                let normal = [soup.normals[0][0], soup.normals[0][1], soup.normals[0][2]];
                assert!(
                    normal.iter().all(|x| x.is_finite()) && middle.iter().all(|x| x.is_finite())
                );
                dot(a, cross(b, c)) / 6.0
            })
            .sum();
        assert!((volume - 0.125 / 6.0).abs() < 1e-7, "{volume}");
        assert_eq!(soup.positions.len(), 12);
    }
}
