//! Hexahedra with repeated nodes, as programs write wedges, pyramids and tetrahedra that know one
//! solid only: which element they are (ANSYS, SOLID185 and SOLID186, "degenerate shapes").

use crate::ElementKind;

/// A quarter turn of a hexahedron about the axis from its first face to its second.
const ROTATED: [usize; 8] = [1, 2, 3, 0, 5, 6, 7, 4];
/// A quarter turn about the axis from the side 0 3 7 4 to the side 1 2 6 5.
const TILT: [usize; 8] = [3, 2, 6, 7, 0, 1, 5, 4];

/// Kind and nodes of a hexahedron of 8 nodes (0 to 3 the lower face, 4 to 7 above them) in any of
/// its 24 positions; `None` where the repeated nodes leave no element.
pub(in crate::io) fn collapse(nodes: &[i64; 8]) -> Option<(ElementKind, Vec<i64>)> {
    let turned = |n: [i64; 8], by: [usize; 8]| by.map(|i| n[i]);
    let mut first = *nodes;
    for _ in 0..4 {
        let mut second = first;
        for _ in 0..4 {
            let mut third = second;
            for _ in 0..4 {
                if let Some((kind, corners)) = standard(&third) {
                    return Some((kind, corners.iter().map(|&i| third[i]).collect()));
                }
                third = turned(third, ROTATED);
            }
            second = turned(second, TILT);
        }
        first = turned(first, ROTATED);
    }
    None
}

/// The element in the position that the programs write it in.
fn standard(n: &[i64; 8]) -> Option<(ElementKind, &'static [usize])> {
    let apex = n[4] == n[5] && n[5] == n[6] && n[6] == n[7];
    let (kind, corners): (_, &'static [usize]) = match (n[2] == n[3], n[6] == n[7], apex) {
        (true, _, true) => (ElementKind::Tet4, &[0, 1, 2, 4]),
        (false, _, true) => (ElementKind::Pyramid5, &[0, 1, 2, 3, 4]),
        (true, true, false) => (ElementKind::Wedge6, &[0, 1, 2, 4, 5, 6]),
        (false, false, false) => (ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]),
        _ => return None,
    };
    let distinct = |i: usize| corners[..i].iter().all(|&j| n[j] != n[corners[i]]);
    (1..corners.len()).all(distinct).then_some((kind, corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All positions that a hexahedron can be turned to.
    fn positions(n: [i64; 8]) -> Vec<[i64; 8]> {
        let mut found = vec![n];
        let mut next = 0;
        while next < found.len() {
            for by in [ROTATED, TILT] {
                let turned = by.map(|i| found[next][i]);
                if !found.contains(&turned) {
                    found.push(turned);
                }
            }
            next += 1;
        }
        found
    }

    #[test]
    fn a_hexahedron_has_24_positions_and_in_each_a_degenerate_one_is_found() {
        assert_eq!(positions([0, 1, 2, 3, 4, 5, 6, 7]).len(), 24);
        for (nodes, kind) in [
            ([0, 1, 2, 2, 4, 5, 6, 6], ElementKind::Wedge6),
            ([0, 1, 2, 3, 4, 4, 4, 4], ElementKind::Pyramid5),
            ([0, 1, 2, 2, 4, 4, 4, 4], ElementKind::Tet4),
        ] {
            for position in positions(nodes) {
                let (found, _) = collapse(&position).unwrap();
                assert_eq!(found, kind, "{position:?}");
            }
        }
    }

    #[test]
    fn nodes_that_leave_no_element_are_told() {
        for nodes in [[0; 8], [0, 0, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 0, 1, 2, 3]] {
            assert_eq!(collapse(&nodes), None, "{nodes:?}");
        }
    }
}
