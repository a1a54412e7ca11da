//! Contacts of two surfaces, or of one with itself: each vertex of either over the faces of the
//! other, and edges that stand out across each other. Surfaces touch at a distance, so that a
//! normal is the way from one to the other (docs/theory/contact.md, "Surfaces").

use sinew_mesh::geometry::{OnTriangle, TrianglePart, nearest_on_triangle, on_curved_triangle};

use super::candidates::{Features, NearFeatures};
use super::pair::END;
use super::segment::{Nearest, nearest};
use super::surface::Skin;
use super::surface_crossing::{Crossing, Two};
use super::{ContactPoint, Stencil, Surface};
use crate::Vec3;

/// Nearer than this share of their distance of contact two surfaces meet: the way between them is noise.
pub(super) const FLUSH: f64 = 1e-3;
/// Faces whose distances differ by less than this share are as near.
const SAME: f64 = 1e-9;
/// A vertex has another contact where the normal differs by more than 26 degrees.
pub(super) const ALIKE: f64 = 0.9;
/// Cosine above which the normal of a vertex points away from what is near: other parts of its surface are nearer.
/// Vertices on a rim point away by up to 45 degrees from what lies beside it.
pub(super) const AWAY: f64 = 0.9;
/// Within one surface, the least cosine between the way and the normal of the face: faces beside a vertex are seen
/// at right angles.
const FACING: f64 = 0.1;
/// Overlaps deeper than this share of the thinner surface are not resolved: the far side is nearer.
pub(super) const DEEPEST: f64 = 0.25;
/// An edge that stands out by less than this share of the distance of contact is flat: vertices hold it.
const FLAT: f64 = 0.125;
/// Edges whose sine is below this meet along a stretch, which their ends hold.
pub(super) const PARALLEL: f64 = 1e-3;

/// Settings of the search for contacts of two surfaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// Number of the pair.
    pub(super) pair: u32,
    /// True if both are the same.
    pub(super) is_self: bool,
    /// Distance at which they touch [m].
    pub(super) thickness: f64,
    /// Gaps up to this at the end of the step are reported [m].
    pub(super) margin: f64,
    /// True if what passes by needs no contact, as crossings are looked for after the step.
    pub(super) is_guarded: bool,
    /// True if distances and normals of faces are those of smooth surfaces through their corners.
    pub(super) is_smooth: bool,
}

/// A face near a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub(super) face: u32,
    pub(super) on: OnTriangle,
    /// Out of the face, towards the vertex.
    pub(super) normal: Vec3,
    /// Negative where the vertex is behind the face [m].
    pub(super) distance: f64,
    /// Of the normal and that of the face.
    cosine: f64,
}

impl Near {
    /// The point of a face that is nearest to `p`; the face tells the direction of a way shorter than `noise` [m].
    pub(super) fn of(p: &Vec3, skin: &Skin, face: usize, noise: f64) -> Self {
        let outward = skin.face_normals[face];
        let on = nearest_on_triangle(p, &skin.corners(face));
        let arm = p - on.point;
        let distance = arm.norm();
        let (normal, distance) = if distance <= noise {
            (outward, arm.dot(&outward))
        } else if arm.dot(&outward) >= 0.0 {
            (arm / distance, distance)
        } else {
            (-arm / distance, -distance)
        };
        Near { face: face as u32, on, normal, distance, cosine: normal.dot(&outward) }
    }
}

/// Adds the contacts of A with B by rising keys, those of features that would have crossed among them; `near` is work
/// space.
pub(super) fn add(
    search: &Search,
    features: &NearFeatures,
    (near, crossings): (&mut Vec<Near>, &[Crossing]),
    out: &mut Vec<ContactPoint>,
) {
    let start = out.len();
    let [a, b] = features.skins;
    let of_a = Over { search, features, own: a, other: b, is_a: true };
    let of_b = Over { search, features, own: b, other: a, is_a: false };
    of_a.add(near, out);
    if !search.is_self {
        of_b.add(near, out);
    }
    add_edges(search, features, out);
    for it in crossings.iter().filter(|it| it.pair == search.pair) {
        let [first, second] = [it.first, it.second].map(|feature| feature as usize);
        out.extend(match it.features {
            Features::VertexOfA => of_a.refused(first, second),
            Features::VertexOfB => of_b.refused(first, second),
            Features::Edges => {
                let at = nearest(&a.ends(first), &b.ends(second));
                between(search, [a, b], [first, second], &at)
            }
        });
    }
    out[start..].sort_unstable_by_key(|contact| contact.key);
    let mut last = None;
    let mut place = 0;
    out.retain(|contact| {
        let is_new = place < start || last != Some(contact.key);
        place += 1;
        last = Some(contact.key);
        is_new
    });
}

/// Vertices of one surface over the faces of another.
struct Over<'a> {
    search: &'a Search,
    features: &'a NearFeatures<'a>,
    /// The surface whose vertices are tested.
    own: &'a Skin,
    /// The surface whose faces they are tested against.
    other: &'a Skin,
    /// True if the vertices are those of A.
    is_a: bool,
}

impl Over<'_> {
    fn add(&self, near: &mut Vec<Near>, out: &mut Vec<ContactPoint>) {
        let Self { own, other, .. } = self;
        let deepest = DEEPEST * own.thinness().min(other.thinness());
        let whose = if self.is_a { Features::VertexOfA } else { Features::VertexOfB };
        for v in 0..own.points.len() {
            near.clear();
            self.features.visit_faces(whose, v, &mut |face| {
                near.extend(self.foot(v, face).filter(|it| it.distance > -deepest));
            });
            for (rank, it) in (0..).zip(choose(near)) {
                out.extend(self.contact(v, it, rank));
            }
        }
    }

    /// The point of a face that is nearest to a vertex, if the two can touch.
    fn foot(&self, v: usize, face: usize) -> Option<Near> {
        let Self { search, own, other, .. } = self;
        if search.is_self && other.surface.triangles[face].contains(&(v as u32)) {
            return None;
        }
        let near = Near::of(&own.points[v], other, face, FLUSH * search.thickness);
        let (Near { normal, distance, cosine, .. }, away) = (near, own.normals[v]);
        let is_thin = own.is_thin(v as u32) || other.is_thin(other.surface.triangles[face][0]);
        let fits = match search.is_self {
            _ if is_thin && distance < 0.0 => false,
            true => distance > 0.0 && cosine > FACING && away.dot(&normal) < AWAY,
            false => away.dot(&normal) < if distance < 0.0 { 0.0 } else { AWAY },
        };
        fits.then_some(near)
    }

    /// The contact of a vertex with a face that it would have passed; a kind of its own among keys.
    fn refused(&self, v: usize, face: usize) -> Option<ContactPoint> {
        let (p, outward) = (self.own.points[v], self.other.face_normals[face]);
        let on = nearest_on_triangle(&p, &self.other.corners(face));
        let arm = p - on.point;
        let distance = arm.norm();
        let normal = if distance > 0.0 { arm / distance } else { outward };
        let near = Near { face: face as u32, on, normal, distance, cosine: 1.0 };
        let contact = self.contact(v, &near, 0)?;
        let key = 3 << 62 | u64::from(!self.is_a) << 61 | (v as u64) << 30 | face as u64;
        Some(ContactPoint { key, ..contact })
    }

    /// A face near a vertex, its place and normal those of the smooth surface through its corners; inwards no farther than leaves
    /// half of the distance of contact to the face, which nothing comes through.
    fn smoothed(&self, v: usize, it: &Near) -> Near {
        let Self { search, own, other, .. } = self;
        let face = it.face as usize;
        let (places, normals) = (other.corners(face), other.normals_at_corners(face));
        let (point, sum) = on_curved_triangle(&it.on.weights, &places, &normals);
        let Some(normal) = sum.try_normalize(0.0).map(|n| n * n.dot(&it.normal).signum()) else {
            return *it;
        };
        let height = (point - it.on.point).dot(&normal).max(-0.5 * search.thickness);
        let point = it.on.point + normal * height;
        let on = OnTriangle { point, ..it.on };
        Near { on, normal, distance: (own.points[v] - point).dot(&normal), ..*it }
    }

    /// The contact of a vertex with a face, if it can be reached.
    fn contact(&self, v: usize, it: &Near, rank: u64) -> Option<ContactPoint> {
        let Self { search, own, other, is_a, .. } = self;
        let smooth = search.is_smooth.then(|| self.smoothed(v, it));
        let it = smooth.as_ref().unwrap_or(it);
        let corners = other.surface.triangles[it.face as usize].map(|corner| corner as usize);
        let [i, j, k] = corners;
        let weights = it.on.weights;
        // A vertex over a vertex is one contact, not two.
        let corner = (0..3).find(|&k| weights[k] > 1.0 - END).map(|k| corners[k]);
        if corner.is_some_and(|corner| !is_a || search.is_self && corner < v) {
            return None;
        }
        let step =
            other.steps[i] * weights[0] + other.steps[j] * weights[1] + other.steps[k] * weights[2];
        let approach = (own.steps[v] - step).dot(&it.normal).min(0.0);
        let gap = it.distance - search.thickness;
        let sign = if *is_a { 1.0 } else { -1.0 };
        let [x, y, z] = weights.map(|weight| -sign * weight);
        let of = |list: fn(&Surface) -> &[u32]| {
            let (own, other) = (list(&own.surface), list(&other.surface));
            [own[v], other[i], other[j], other[k]]
        };
        let stencil = Stencil { rows: of(|it| &it.rows), weights: [sign, x, y, z] };
        if together(of(|it| &it.holders), &stencil) || gap + approach > search.margin {
            return None;
        }
        let on_face = corners.map(|corner| (*other, corner as u32));
        let ways = || Two::of(1, [(*own, v as u32), on_face[0], on_face[1], on_face[2]]);
        if search.passes_by(gap, &ways) {
            return None;
        }
        let key = u64::from(!is_a) << 62 | (v as u64) << 2 | rank;
        let (vertex, foot) = (own.points[v], it.on.point);
        let feet = if *is_a { [vertex, foot] } else { [foot, vertex] };
        Some(search.contact((key, stencil), it.normal * sign, (gap, feet)))
    }
}

/// Of the faces near a vertex the nearest, and others that it is right over and that hold it in other
/// directions; four at most.
pub(super) fn choose(near: &mut [Near]) -> &[Near] {
    near.sort_unstable_by(|a, b| {
        a.distance.abs().total_cmp(&b.distance.abs()).then(a.face.cmp(&b.face))
    });
    // Over an edge the face that the vertex is more over tells on which side it is.
    let Some(first) = near.first() else { return near };
    let least = first.distance.abs() * (1.0 + SAME);
    let ties = near.iter().take_while(|it| it.distance.abs() <= least).count();
    let best = (0..ties).reduce(|a, b| if near[b].cosine > near[a].cosine { b } else { a });
    near.swap(0, best.unwrap_or(0));
    let mut kept = 1;
    for k in 1..near.len() {
        let it = near[k];
        let is_other = it.on.part == TrianglePart::Face
            && it.distance > 0.0
            && near[..kept].iter().all(|old| old.normal.dot(&it.normal) < ALIKE);
        if is_other && kept < 4 {
            near[kept] = it;
            kept += 1;
        }
    }
    &near[..kept]
}

/// Adds edges that stand out on both sides and lie across each other.
fn add_edges(search: &Search, features: &NearFeatures, out: &mut Vec<ContactPoint>) {
    let [a, b] = features.skins;
    let is_feature = |skin: &Skin, edge| skin.stands_out(edge) > FLAT * search.thickness;
    for first in (0..a.edges.len()).filter(|&edge| is_feature(a, edge)) {
        features.visit_edges(first, &mut |second| {
            let ends = [a.edges[first].ends, b.edges[second].ends];
            let twice = search.is_self
                && (second <= first || ends[1].iter().any(|end| ends[0].contains(end)));
            if !twice && is_feature(b, second) {
                out.extend(across(search, [a, b], [first, second]));
            }
        });
    }
}

/// The contact of two edges that are nearest within both, along a normal between those of their faces.
fn across(
    search: &Search,
    [a, b]: [&Skin; 2],
    [first, second]: [usize; 2],
) -> Option<ContactPoint> {
    let (on_a, on_b) = (a.ends(first), b.ends(second));
    let (along_a, along_b) = (on_a[1] - on_a[0], on_b[1] - on_b[0]);
    if along_a.cross(&along_b).norm() <= PARALLEL * along_a.norm() * along_b.norm() {
        return None;
    }
    let at = nearest(&on_a, &on_b);
    let arm = at.a - at.b;
    let is_within = at.at.iter().all(|x| (END..=1.0 - END).contains(x));
    let fits = is_within && a.is_between(first, &-arm) && b.is_between(second, &arm);
    if fits { between(search, [a, b], [first, second], &at) } else { None }
}

/// The contact of two edges where they are nearest, if it can be reached.
fn between(
    search: &Search,
    [a, b]: [&Skin; 2],
    [first, second]: [usize; 2],
    at: &Nearest,
) -> Option<ContactPoint> {
    let [s, t] = at.at;
    let distance = (at.a - at.b).norm();
    if distance <= FLUSH * search.thickness {
        return None;
    }
    let normal = (at.a - at.b) / distance;
    let [ends_a, ends_b] =
        [a.edges[first].ends, b.edges[second].ends].map(|e| e.map(|v| v as usize));
    let rows = |skin: &Skin, ends: [usize; 2]| ends.map(|v| skin.surface.rows[v]);
    let ([i, j], [k, l]) = (rows(a, ends_a), rows(b, ends_b));
    let stencil = Stencil { rows: [i, j, k, l], weights: [1.0 - s, s, t - 1.0, -t] };
    let holders = |skin: &Skin, ends: [usize; 2]| ends.map(|v| skin.surface.holders[v]);
    let ([i, j], [k, l]) = (holders(a, ends_a), holders(b, ends_b));
    let step =
        |skin: &Skin, ends: [usize; 2], x: f64| skin.steps[ends[0]].lerp(&skin.steps[ends[1]], x);
    let approach = (step(a, ends_a, s) - step(b, ends_b, t)).dot(&normal).min(0.0);
    let gap = distance - search.thickness;
    if together([i, j, k, l], &stencil) || gap + approach > search.margin {
        return None;
    }
    let ([i, j], [k, l]) = (a.edges[first].ends, b.edges[second].ends);
    if search.passes_by(gap, &|| Two::of(2, [(a, i), (a, j), (b, k), (b, l)])) {
        return None;
    }
    let key = 2 << 62 | (first as u64) << 31 | second as u64;
    Some(search.contact((key, stencil), normal, (gap, [at.a, at.b])))
}

/// True if all that a contact is of moves as one.
pub(super) fn together(holders: [u32; 4], stencil: &Stencil) -> bool {
    let mut used = holders.iter().zip(stencil.weights).filter(|it| it.1 != 0.0).map(|it| *it.0);
    let first = used.next().unwrap_or(Surface::FREE);
    first != Surface::FREE && used.all(|holder| holder == first)
}

impl Search {
    /// True if features with this gap [m] do not touch on their ways and need no contact.
    fn passes_by(&self, gap: f64, ways: &dyn Fn() -> Option<Two>) -> bool {
        let is_ahead = self.is_guarded && gap > self.margin;
        is_ahead && ways().is_some_and(|two| two.passes_by(self.thickness + self.margin))
    }

    /// The contact between a point of A and one of B; half of the distance at which they touch belongs to each.
    fn contact(
        &self,
        (key, stencil): (u64, Stencil),
        normal: Vec3,
        (gap, [on_a, on_b]): (f64, [Vec3; 2]),
    ) -> ContactPoint {
        let skin = normal * (0.5 * self.thickness);
        ContactPoint {
            pair: self.pair,
            key,
            a: u32::MAX,
            point_a: on_a - skin,
            point_b: on_b + skin,
            normal,
            gap,
            stencil: Some(stencil),
        }
    }
}

impl Skin {
    /// Least side of the box around it [m].
    pub(super) fn thinness(&self) -> f64 {
        let first = self.points.first().copied().unwrap_or_default();
        let reach = |[low, high]: [Vec3; 2], p: &Vec3| [low.inf(p), high.sup(p)];
        let [low, high] = self.points.iter().fold([first; 2], reach);
        (high - low).min()
    }

    /// True if a direction lies between the normals of the faces of an edge, seen along the edge.
    pub(super) fn is_between(&self, edge: usize, direction: &Vec3) -> bool {
        let [first, second] = self.edges[edge].faces.map(|face| self.face_normals[face as usize]);
        let cosine = first.dot(&second);
        let towards = |from: &Vec3, to: &Vec3| direction.dot(&(to - from * cosine)) >= 0.0;
        towards(&first, &second)
            && towards(&second, &first)
            && direction.dot(&(first + second)) > 0.0
    }
}
