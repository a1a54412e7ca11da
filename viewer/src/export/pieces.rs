//! Everything that a view shows as coloured triangles, one piece a component.

use std::ops::Range;

use sinew::snapshot::{Shape, Snapshot};

use crate::View;
use crate::color::linear;
use crate::geometry::{Soup, across, cross, dot, minus, plus, rotated, scaled, unit};
use crate::render::{
    FLATNESS, Gathered, NO_NUMBER, Selected, Surfaces, Tube, face_color, opacity, tones,
    update_soup,
};

/// Triangles of one colour or of colours at their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportMesh {
    /// Path of the component.
    pub name: String,
    /// Places of the vertices, relative to the origin of the scene [m].
    pub positions: Vec<[f32; 3]>,
    /// Unit normals there.
    pub normals: Vec<[f32; 3]>,
    /// Colours there, linear light.
    pub colors: Vec<[f32; 3]>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Opacity [-].
    pub alpha: f32,
}

/// Facets around a tube, and rings along it.
const FACETS: (u32, u32) = (12, 8);

/// Triangles that a view shows of a snapshot.
pub fn pieces(snapshot: &Snapshot, view: &View) -> Vec<ExportMesh> {
    let mut surfaces = Surfaces::default();
    surfaces.prepare(snapshot);
    surfaces.update(snapshot, view.options.color_scale(&snapshot.field));
    let mut soup = Soup::default();
    update_soup(&mut soup, &surfaces, snapshot, view);
    let mut gathered = Gathered::default();
    gathered.gather(snapshot, view, &Selected::default());
    let mut found = Vec::new();
    let alone = view.options.sections_alone();
    for part in &surfaces.parts {
        let item = &snapshot.scene.items[part.item];
        let replaced = part.moves && (alone || view.options.shrink > 0.0);
        if item.style.visible && !replaced {
            let triangles = part.triangles.start as usize..part.triangles.end as usize;
            let arrays = (&surfaces.positions[..], &surfaces.normals[..]);
            let mut piece = piece_of(snapshot, view, part.item, arrays, part.vertices.clone());
            let first = part.vertices.start as u32;
            piece.triangles =
                surfaces.triangles[triangles].iter().map(|t| t.map(|v| v - first)).collect();
            found.push(piece);
        }
    }
    for (item, range) in &soup.parts {
        let arrays = (&soup.positions[..], &soup.normals[..]);
        let range = range.start as usize..range.end as usize;
        let mut piece = piece_of(snapshot, view, *item as usize, arrays, range);
        piece.triangles =
            (0..piece.positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        found.push(piece);
    }
    found.extend(tubes(&gathered));
    found
}

/// The vertices of a range as a piece without triangles.
fn piece_of(
    snapshot: &Snapshot,
    view: &View,
    item: usize,
    (positions, normals): (&[[f32; 4]], &[[f32; 4]]),
    range: Range<usize>,
) -> ExportMesh {
    let place = item;
    let item = &snapshot.scene.items[place];
    let frame = match &item.shape {
        Shape::Rigid { frame, .. } => snapshot.frames.get(*frame as usize).copied(),
        _ => None,
    };
    let frame = frame.unwrap_or_default();
    let tone = tones(&snapshot.scene).nth(place).unwrap_or(0);
    let own = linear(face_color(item, tone));
    let outline = &snapshot.scene.outline;
    let name = outline.row(item.owner).map_or(format!("item {place}"), |row| outline.path(row));
    let three = |[x, y, z, _]: &[f32; 4]| [*x, *y, *z];
    let color = |[_, _, _, number]: &[f32; 4]| match *number <= 0.1 * NO_NUMBER {
        true => own,
        false => linear(view.options.color_map.color(*number)),
    };
    ExportMesh {
        name,
        positions: positions[range.clone()]
            .iter()
            .map(|p| plus(frame.position, rotated(&frame, three(p))))
            .collect(),
        normals: normals[range.clone()].iter().map(|n| unit(rotated(&frame, three(n)))).collect(),
        colors: positions[range].iter().map(color).collect(),
        triangles: Vec::new(),
        alpha: opacity(item, view),
    }
}

/// Solid lines, spheres and arrows: one piece of all that are opaque, one of the others.
fn tubes(gathered: &Gathered) -> Vec<ExportMesh> {
    let lists = [("lines", &gathered.tubes), ("translucent lines", &gathered.glass)];
    let with_some = lists.into_iter().filter(|(_, tubes)| !tubes.is_empty());
    with_some
        .map(|(name, tubes)| {
            let alpha = tubes.iter().map(|tube| tube.color[3]).fold(1.0, f32::min);
            let mut piece = ExportMesh { name: name.to_owned(), alpha, ..ExportMesh::default() };
            tubes.iter().for_each(|tube| add_tube(tube, &mut piece));
            piece
        })
        .collect()
}

/// Radius of a tube at part t of the way, and how it changes there; as in `tubes.wgsl`.
fn radius_at(tube: &Tube, t: f32) -> (f32, f32) {
    let [from, to, spindle, _] = tube.profile;
    if spindle < 0.5 {
        return (tube.a[3] + t * (tube.b[3] - tube.a[3]), tube.b[3] - tube.a[3]);
    }
    let u = 2.0 * (from + t * (to - from)) - 1.0;
    let height = (1.0 - u * u).max(0.0).sqrt();
    (tube.a[3] * height, -2.0 * tube.a[3] * (to - from) * u / height.max(1e-2))
}

fn add_tube(tube: &Tube, piece: &mut ExportMesh) {
    let three = |[x, y, z, _]: [f32; 4]| [x, y, z];
    let (a, path) = (three(tube.a), minus(three(tube.b), three(tube.a)));
    let extent = crate::geometry::length(path).max(1e-12);
    let axis = unit(path);
    let thin = three(tube.thin);
    let is_flat = dot(thin, thin) > 0.25;
    let e = if is_flat { unit(cross(thin, axis)) } else { across(axis) };
    let f = cross(axis, e);
    let wide = if is_flat { FLATNESS } else { 1.0 };
    let (sides, rings) = FACETS;
    let first = piece.positions.len() as u32;
    for ring in 0..=rings {
        let t = 0.5 - 0.5 * (std::f32::consts::PI * ring as f32 / rings as f32).cos();
        let (radius, slope) = radius_at(tube, t);
        for side in 0..sides {
            let angle = std::f32::consts::TAU * side as f32 / sides as f32;
            let around = |w: f32| plus(scaled(e, w * angle.cos()), scaled(f, angle.sin() / w));
            piece.positions.push(plus(plus(a, scaled(path, t)), scaled(around(wide), radius)));
            piece.normals.push(unit(minus(around(1.0 / wide), scaled(axis, slope / extent))));
            piece.colors.push(three(tube.color));
        }
    }
    for ring in 0..rings {
        for side in 0..sides {
            let at = |r: u32, s: u32| first + r * sides + s % sides;
            let [p, q] = [at(ring, side), at(ring, side + 1)];
            let [r, s] = [at(ring + 1, side), at(ring + 1, side + 1)];
            piece.triangles.extend([[p, q, r], [q, s, r]]);
        }
    }
    close(piece, first, sides, scaled(axis, -1.0), true);
    close(piece, first + rings * sides, sides, axis, false);
}

/// Closes an end by a fan over its ring, with vertices of its own for the sharp edge.
fn close(piece: &mut ExportMesh, ring: u32, sides: u32, normal: [f32; 3], turned: bool) {
    let begin = piece.positions.len() as u32;
    for k in ring..ring + sides {
        piece.positions.push(piece.positions[k as usize]);
        piece.colors.push(piece.colors[k as usize]);
        piece.normals.push(normal);
    }
    for k in 1..sides - 1 {
        let (b, c) = (begin + k, begin + k + 1);
        piece.triangles.push(if turned { [begin, c, b] } else { [begin, b, c] });
    }
}
