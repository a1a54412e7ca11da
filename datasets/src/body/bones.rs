//! Surfaces of bones: smooth tubes through elliptical sections, closed at both ends. Parts of a bone overlap; a surface
//! is drawn and takes no part in masses.

use sinew::Vec3;
use sinew::geometry::SurfaceMesh;

use super::BodyError;
use super::skeleton::{Placed, Side};
use super::tables::{BoneSection, Tables};
use crate::interpolation::catmull_rom;

/// Corners of a section.
const CORNERS: usize = 10;
/// Rings an interval between two sections.
const RINGS: usize = 2;
/// Offset from the midplane over the scale from which a part in the middle of the body has a mirror image.
const ASIDE: f64 = 5e-3;

/// Centre and half widths of a ring [m].
type Ring = [f64; 5];

/// Bones of a segment in its frame; `None` where the table has none.
pub(super) fn surface(tables: &Tables, segment: &Placed) -> Result<Option<SurfaceMesh>, BodyError> {
    let own: Vec<_> = tables.bones.iter().filter(|it| it.segment == segment.segment).collect();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for part in own.chunk_by(|a, b| a.bone == b.bone && a.part == b.part) {
        let sides: &[Side] = match segment.side {
            Side::Middle if part.iter().any(|it| it.y.abs() > ASIDE) => &Side::BOTH,
            ref side => std::slice::from_ref(side),
        };
        for side in sides {
            add_tube(part, segment.scale, *side, (&mut vertices, &mut triangles));
        }
    }
    match vertices.is_empty() {
        true => Ok(None),
        false => Ok(Some(SurfaceMesh::new(vertices, triangles)?)),
    }
}

/// Vertices [m], and corners of triangles, anticlockwise from outside.
type Triangles<'a> = (&'a mut Vec<Vec3>, &'a mut Vec<[u32; 3]>);

/// Adds the tube of a part.
fn add_tube(part: &[&BoneSection], scale: f64, side: Side, (vertices, triangles): Triangles<'_>) {
    let rings = rings(part, scale);
    let (Some(first), Some(last)) = (rings.first(), rings.last()) else { return };
    let whole = center(last) - center(first);
    // Half widths across are towards the side, or forward where the tube goes to the side.
    let towards = if whole.y.abs() > 0.8 * whole.norm() { Vec3::x() } else { Vec3::y() };
    let base = vertices.len() as u32;
    for (k, ring) in rings.iter().enumerate() {
        let [before, after] = [k.saturating_sub(1), (k + 1).min(rings.len() - 1)];
        let along = (center(&rings[after]) - center(&rings[before])).normalize();
        let across = (towards - along * along.dot(&towards)).normalize();
        let deep = along.cross(&across);
        for corner in 0..CORNERS {
            let turn = std::f64::consts::TAU * corner as f64 / CORNERS as f64;
            let at = center(ring) + across * (ring[3] * turn.cos()) + deep * (ring[4] * turn.sin());
            vertices.push(side.of(at));
        }
    }
    let ends = [first, last].map(|ring| {
        vertices.push(side.of(center(ring)));
        vertices.len() as u32 - 1
    });
    let (count, corners) = (rings.len() as u32, CORNERS as u32);
    let at = |ring: u32, corner: u32| base + ring * corners + corner % corners;
    let mut add = |[a, b, c]: [u32; 3]| {
        triangles.push(if side == Side::Right { [a, c, b] } else { [a, b, c] });
    };
    for corner in 0..corners {
        add([ends[0], at(0, corner + 1), at(0, corner)]);
        add([ends[1], at(count - 1, corner), at(count - 1, corner + 1)]);
        for ring in 0..count - 1 {
            let (a, b) = (at(ring, corner), at(ring, corner + 1));
            let (c, d) = (at(ring + 1, corner), at(ring + 1, corner + 1));
            add([a, b, d]);
            add([a, d, c]);
        }
    }
}

fn center(ring: &Ring) -> Vec3 {
    Vec3::new(ring[0], ring[1], ring[2])
}

/// Rings of a part: along a Catmull-Rom curve through its sections, smaller towards the ends, which are rounded.
fn rings(part: &[&BoneSection], scale: f64) -> Vec<Ring> {
    let rows: Vec<Ring> =
        part.iter().map(|s| [s.x, s.y, s.z, s.across, s.deep].map(|x| x * scale)).collect();
    let count = (rows.len() - 1) * RINGS;
    let mut rings: Vec<Ring> = (0..=count).map(|k| curve(&rows, k)).collect();
    let [first, last] = [cap(rings[0], rings[1]), cap(rings[count], rings[count - 1])];
    rings.splice(0..0, first);
    rings.extend(last.into_iter().rev());
    rings
}

/// Two rings beyond an end, away from the one beside it: those of a half ellipsoid, farthest first.
fn cap(end: Ring, beside: Ring) -> [Ring; 2] {
    let out = (center(&end) - center(&beside)).normalize();
    let height = 0.7 * end[3].min(end[4]);
    [75.0_f64, 40.0].map(|degrees| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let at = center(&end) + out * (height * sine);
        [at.x, at.y, at.z, end[3] * cosine, end[4] * cosine]
    })
}

/// Point `k` of [`RINGS`] an interval on the uniform Catmull-Rom curve through the rows, which ends straight.
fn curve(rows: &[Ring], k: usize) -> Ring {
    let place = k as f64 / RINGS as f64;
    let at = catmull_rom(rows, place);
    let i = (place as usize).min(rows.len() - 2);
    // Half widths never vanish between sections that have some.
    let least = |axis: usize| 0.5 * rows[i][axis].min(rows[i + 1][axis]);
    std::array::from_fn(|axis| if axis < 3 { at[axis] } else { at[axis].max(least(axis)) })
}
