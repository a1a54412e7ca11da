//! Titles of parts beside a model, with lines that lead to a point of each that is seen: where the parts are. The layout of the
//! titles is in `margins.rs`.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::component::Kind;
use sinew::snapshot::{Item, Shape, Snapshot};

use super::margins::{Part, SIDES};
use crate::View;
use crate::geometry::placed;

/// Points of a surface that are looked at.
const LOOKED_AT: usize = 28;

/// Places along a line that are looked at, as parts of its way.
const ALONG: [f32; 5] = [0.5, 0.38, 0.62, 0.28, 0.72];

/// The parts of a model that are seen, each at one of its points.
pub(super) fn parts_of(snapshot: &Snapshot, view: &View, size: [u32; 2]) -> Vec<Part> {
    let mut by_title: BTreeMap<String, Part> = BTreeMap::new();
    for (place, item) in snapshot.scene.items.iter().enumerate() {
        let is_part = item.style.visible && !matches!(item.owner.kind(), Kind::Collider);
        let Some(title) = title_of(snapshot, view, item).filter(|_| is_part) else { continue };
        let points = points_of(snapshot, item);
        let seen = points.iter().filter_map(|&p| seen_at(snapshot, view, size, (place, p)));
        let Some(part) = part_of(title, seen.collect()) else { continue };
        let known = by_title.get(&part.title).map_or(0, |known| known.weight);
        if part.weight > known {
            by_title.insert(part.title.clone(), part);
        }
    }
    let mut parts: Vec<Part> = by_title.into_values().collect();
    drop_lone_sides(&mut parts);
    parts
}

/// Title of the component of an item: the one that is known for its name, or that name in words.
fn title_of(snapshot: &Snapshot, view: &View, item: &Item) -> Option<String> {
    if !matches!(item.shape, Shape::Rigid { .. } | Shape::Tissue { .. } | Shape::Lines(_)) {
        return None;
    }
    let outline = &snapshot.scene.outline;
    let name = &outline.rows.get(outline.row(item.owner)?)?.label;
    // A component without a name has its number for one.
    if name.parse::<u64>().is_ok() {
        return None;
    }
    let known = view.options.titles.of(name);
    // What stands in brackets are other words for it.
    let words = known.unwrap_or(name).split(" (").next().unwrap_or_default().replace('_', " ");
    (!words.is_empty()).then_some(words)
}

/// Points of an item, relative to the origin of the scene [m].
fn points_of(snapshot: &Snapshot, item: &Item) -> Vec<[f32; 3]> {
    let point = |p: &u32| snapshot.points.get(*p as usize).copied();
    match &item.shape {
        Shape::Rigid { frame, vertices, .. } => {
            let Some(frame) = snapshot.frames.get(*frame as usize) else { return Vec::new() };
            let stride = vertices.len().div_ceil(LOOKED_AT).max(1);
            vertices.iter().step_by(stride).map(|&v| placed(frame, v)).collect()
        }
        Shape::Tissue { triangles, .. } => {
            let stride = triangles.len().div_ceil(LOOKED_AT).max(1);
            triangles.iter().step_by(stride).filter_map(|[p, ..]| point(p)).collect()
        }
        Shape::Lines(lines) => {
            let path: Vec<_> = lines.points.iter().filter_map(point).collect();
            ALONG.iter().filter_map(|part| along(&path, *part)).collect()
        }
        Shape::Points(_) | Shape::Fibres { .. } | Shape::Frame { .. } => Vec::new(),
    }
}

/// The place at a part of the way along a line.
fn along(path: &[[f32; 3]], part: f32) -> Option<[f32; 3]> {
    use crate::geometry::{length, minus, plus, scaled};
    let total: f32 = path.windows(2).map(|ends| length(minus(ends[1], ends[0]))).sum();
    let mut left = part * total;
    for ends in path.windows(2) {
        let way = minus(ends[1], ends[0]);
        let step = length(way);
        if left <= step && step > 0.0 {
            return Some(plus(ends[0], scaled(way, left / step)));
        }
        left -= step;
    }
    None
}

/// Pixel of a point of an item that nothing hides.
fn seen_at(
    snapshot: &Snapshot,
    view: &View,
    size: [u32; 2],
    (place, point): (usize, [f32; 3]),
) -> Option<[f32; 2]> {
    let world = snapshot.scene.origin + Vec3::from(point.map(f64::from));
    let (pixel, _) = view.camera.project(world, size)?;
    let inside = (0..2).all(|k| (0.0..f64::from(size[k])).contains(&pixel[k]));
    let hit = crate::pick(snapshot, view, size, pixel).filter(|_| inside)?;
    (hit.item == place).then(|| pixel.map(|x| x as f32))
}

/// The part at that of its points which lies most in their midst; `None` where none is seen.
fn part_of(title: String, seen: Vec<[f32; 2]>) -> Option<Part> {
    let count = seen.len() as f32;
    let mean = [0, 1].map(|k| seen.iter().map(|p| p[k]).sum::<f32>() / count);
    let far = |p: &[f32; 2]| (p[0] - mean[0]).hypot(p[1] - mean[1]);
    let weight = seen.len();
    let pixel = seen.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
    Some(Part { title, pixel, weight })
}

/// Leaves out the side in the titles of parts whose fellow on the other side is not seen.
fn drop_lone_sides(parts: &mut [Part]) {
    let titles: Vec<String> = parts.iter().map(|part| part.title.clone()).collect();
    for part in parts {
        for (side, other) in [SIDES, [SIDES[1], SIDES[0]]].map(|[a, b]| (a, b)) {
            let Some(rest) = part.title.strip_prefix(side) else { continue };
            if !titles.contains(&format!("{other}{rest}")) {
                part.title = rest.to_owned();
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_named_where_both_are_seen() {
        let part = |title: &str| Part { title: title.into(), pixel: [0.0; 2], weight: 1 };
        let mut parts = ["left masseter", "right masseter", "left fold", "jaw"].map(part);
        drop_lone_sides(&mut parts);
        assert_eq!(
            parts.map(|part| part.title),
            ["left masseter", "right masseter", "fold", "jaw"]
        );
    }

    #[test]
    fn places_along_a_line_are_by_its_length() {
        let path = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 3.0, 0.0]];
        assert_eq!(along(&path, 0.5), Some([1.0, 1.0, 0.0]));
        assert_eq!(along(&path[..1], 0.5), None);
        assert_eq!(along(&[[1.0; 3]; 2], 0.5), None);
    }

    #[test]
    fn the_line_to_a_part_ends_in_the_midst_of_what_is_seen() {
        let seen = vec![[0.0, 0.0], [10.0, 0.0], [4.0, 1.0]];
        assert_eq!(part_of("a".into(), seen).map(|part| part.pixel), Some([4.0, 1.0]));
        assert_eq!(part_of("a".into(), Vec::new()), None);
    }
}
