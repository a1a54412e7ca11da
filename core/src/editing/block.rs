//! Blocks of tissue from text: their edges and their cells, beside the properties of a tissue.

use super::DescriptionError;
use crate::Vec3;
use crate::fem::{ElementKind, VolumeMesh, grid_mesh};

/// Most cells of a block: larger meshes come from files.
const MOST_CELLS: u64 = 100_000;

/// Properties that are left: names and texts.
type Others<'a> = Vec<&'a (String, String)>;

/// The mesh that `box` and `cells` among the properties of a new tissue describe, and the other properties. The block
/// lies about the origin; without `box` the mesh is empty.
pub(super) fn block_of(
    properties: &[(String, String)],
) -> Result<(VolumeMesh, Others<'_>), DescriptionError> {
    let given = |name: &str| properties.iter().find(|(key, _)| key == name).map(|(_, text)| text);
    let rest = properties.iter().filter(|(key, _)| !["box", "cells"].contains(&key.as_str()));
    let rest = rest.collect();
    let wrong = |name, expected, given: &str| DescriptionError::Block {
        name,
        expected,
        given: given.to_owned(),
    };
    let Some(edges) = given("box") else {
        return match given("cells") {
            Some(cells) => Err(wrong("cells", "beside a 'box'", cells)),
            None => Ok((VolumeMesh::default(), rest)),
        };
    };
    let expected = "three edges x y z, each above 0 m";
    let size: [f64; 3] = numbers(edges).ok_or_else(|| wrong("box", expected, edges))?;
    if size.iter().any(|x| !(*x > 0.0 && x.is_finite())) {
        return Err(wrong("box", expected, edges));
    }
    let expected = "three whole numbers from 1 on, 100000 cells at most";
    let text = given("cells").map_or("1 1 1", String::as_str);
    let cells: [u32; 3] = numbers(text).ok_or_else(|| wrong("cells", expected, text))?;
    let count = cells.iter().fold(1u64, |all, &n| all.saturating_mul(n.into()));
    let half = 0.5 * Vec3::from(size);
    let mesh = (1..=MOST_CELLS)
        .contains(&count)
        .then(|| grid_mesh(cells, ElementKind::Hex8, |p| p.component_mul(&half)))
        .flatten();
    Ok((mesh.ok_or_else(|| wrong("cells", expected, text))?, rest))
}

fn numbers<T: std::str::FromStr>(text: &str) -> Option<[T; 3]> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let numbers: Option<Vec<T>> = words.map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}
