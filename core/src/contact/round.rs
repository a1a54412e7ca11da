//! Contacts of a cylinder with a cylinder, a capsule's segment or a polytope. Their distance is the
//! greatest separation over all normals: directions of flat pieces are tried as they are; where
//! round pieces meet, parry's direction is the start of a search of one's own, since GJK ends at
//! 1e-8 of the distance and EPA after 100 facets.

use super::border;
use super::flat;
use super::patch::Overlap;
use super::point::{tangents, to_cylinder};
use super::segment;
use super::support::{Core, Disk, separation};
use super::touch::{Feature, Touch};
use crate::Vec3;

/// Largest turn of a normal in the search, to each side [rad]: a hundred times the error of GJK.
const TURN: f64 = 0.02;
/// Lines whose sine with the plane across a normal is below this may be at right angles to the best one.
const NEAR: f64 = 0.3;
/// A flat contact of overlapping shapes is taken without a search if it is wider than this many
/// times the depth: another way out would have to pass under all of it.
const WIDE: f64 = 20.0;
/// Golden sections of a turn: 0.618^40 of it is 1e-10.
const SECTIONS: usize = 40;
/// Most iterations of turns; two or three are usual.
const ITERATIONS: usize = 20;

/// Adds contacts in the common frame, gaps up to `limit`, of a pair of some size [m].
pub(super) fn add(a: &Core<'_>, b: &Core<'_>, limit: f64, size: f64, overlap: &mut Overlap) {
    let mut search = Search { a, b, normal: Vec3::z(), gap: f64::NEG_INFINITY, tie: 1e-12 * size };
    search.try_flat();
    if search.gap > limit {
        return;
    }
    let level = flat::EQUAL * size;
    add_facing(&search, overlap);
    if is_certain(&search, level, &overlap.found) {
        return;
    }
    let flat = search.normal;
    search.try_round();
    if search.normal != flat {
        overlap.found.clear();
        add_facing(&search, overlap);
    }
    if search.gap <= limit && !overlap.reaches(search.gap + level) {
        overlap.found.push(deepest(a, b, &search.normal, size));
    }
}

/// Adds where the pieces overlap that face each other across the normal.
fn add_facing(search: &Search<'_>, overlap: &mut Overlap) {
    let Search { a, b, normal, tie, .. } = search;
    overlap.a.take(a, &-normal, *tie);
    overlap.b.take(b, normal, *tie);
    match (overlap.a.side(), overlap.b.side()) {
        (Some(side_a), Some(side_b)) => {
            let at = segment::nearest(&side_a.points, &side_b.points);
            segment::add_contacts(&side_a, &side_b, &at, normal, &mut overlap.found);
        }
        _ => overlap.clip(normal, *tie),
    }
}

/// True if no other normal can be better. Apart, it is enough that points as near as the slab is
/// wide face each other; overlapping, they must do so over more than the depth.
fn is_certain(search: &Search<'_>, level: f64, touches: &[Touch]) -> bool {
    let Some(nearest) = touches.iter().find(|touch| {
        let off = (touch.a - touch.b).norm_squared() - touch.gap * touch.gap;
        touch.gap <= search.gap + level && off <= level * level
    }) else {
        return false;
    };
    let spread = |touch: &Touch| (touch.b - nearest.b).norm();
    search.gap > 0.0 || touches.iter().any(|touch| spread(touch) > -WIDE * search.gap)
}

/// The best normal so far.
struct Search<'a> {
    a: &'a Core<'a>,
    b: &'a Core<'a>,
    normal: Vec3,
    gap: f64,
    tie: f64,
}

impl Search<'_> {
    fn consider(&mut self, normal: Vec3) {
        let gap = separation(self.a, self.b, &normal);
        if gap > self.gap + self.tie {
            (self.normal, self.gap) = (normal, gap);
        }
    }

    /// Both ways along a direction, if it has one.
    fn consider_line(&mut self, direction: &Vec3) {
        let length = direction.norm();
        if length > 1e-8 {
            self.consider(direction / length);
            self.consider(-direction / length);
        }
    }

    /// Normals of faces and ends, directions across two edges or axes, from axis to axis, and from a
    /// cylinder to the nearest corner.
    fn try_flat(&mut self) {
        let (a, b) = (self.a, self.b);
        for (core, sign) in [(a, -1.0), (b, 1.0)] {
            match core {
                Core::Flat(solid) => solid.normals.iter().for_each(|n| self.consider(n * sign)),
                Core::Disk(disk) => self.consider_line(&disk.axes[2]),
            }
        }
        for i in 0..line_count(a) {
            for j in 0..line_count(b) {
                self.consider_line(&line(a, i).cross(&line(b, j)));
            }
        }
        match (a, b) {
            (Core::Disk(p), Core::Disk(q)) => {
                let arm = p.center - q.center;
                self.consider_line(&(arm - q.axes[2] * q.axes[2].dot(&arm)));
            }
            (Core::Disk(disk), Core::Flat(solid)) => {
                nearest_corner(disk, solid.corners).into_iter().for_each(|n| self.consider(-n));
            }
            (Core::Flat(solid), Core::Disk(disk)) => {
                nearest_corner(disk, solid.corners).into_iter().for_each(|n| self.consider(n));
            }
            (Core::Flat(_), Core::Flat(_)) => {}
        }
    }

    /// The best that is found from parry's direction, where it is better than what is flat.
    fn try_round(&mut self) {
        let Some(start) = border::nearest_direction(self.a, self.b) else { return };
        // The gap is flat about its greatest value: rounding of it is a turn of 1e-8.
        let mut round = Search { gap: f64::NEG_INFINITY, tie: 1e-3 * self.tie, ..*self };
        round.consider(start);
        for _ in 0..ITERATIONS {
            let before = round.gap;
            round.improve();
            if round.gap <= before + round.tie {
                break;
            }
        }
        if round.gap > self.gap + self.tie {
            (self.normal, self.gap) = (round.normal, round.gap);
        }
    }

    /// Turns about each line that is nearly across the normal, then about two directions across it.
    fn improve(&mut self) {
        let start = self.normal;
        for core in [self.a, self.b] {
            for k in 0..line_count(core) {
                let line = line(core, k);
                let along = line.dot(&start);
                if along.abs() < NEAR {
                    self.turn((start - line * along).normalize(), &line);
                }
            }
        }
        let (u, v) = tangents(&self.normal);
        self.turn(self.normal, &u);
        self.turn(self.normal, &v);
    }

    /// The best of the normals that a turn about an axis at right angles reaches, by golden section.
    fn turn(&mut self, normal: Vec3, axis: &Vec3) {
        let across = axis.cross(&normal);
        let turned = |angle: f64| (normal * angle.cos() + across * angle.sin()).normalize();
        let value = |angle: f64| separation(self.a, self.b, &turned(angle));
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (-TURN, TURN);
        let mut inner = [high - ratio * (high - low), low + ratio * (high - low)];
        let mut values = inner.map(value);
        for _ in 0..SECTIONS {
            if values[0] >= values[1] {
                high = inner[1];
                inner = [high - ratio * (high - low), inner[0]];
                values = [value(inner[0]), values[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + ratio * (high - low)];
                values = [values[1], value(inner[1])];
            }
        }
        self.consider(turned((low + high) / 2.0));
    }
}

/// Edges of a polytope, or the axis of a cylinder.
fn line_count(core: &Core<'_>) -> usize {
    match core {
        Core::Flat(solid) => solid.shape.edges.len(),
        Core::Disk(_) => 1,
    }
}

/// Unit direction of an edge or axis.
fn line(core: &Core<'_>, k: usize) -> Vec3 {
    match core {
        Core::Flat(solid) => {
            let [start, end] = solid.segment(k);
            (end - start).normalize()
        }
        Core::Disk(disk) => disk.axes[2],
    }
}

/// Out of a cylinder towards the nearest of some points.
fn nearest_corner(disk: &Disk, corners: &[Vec3]) -> Option<Vec3> {
    let foot = |p: &Vec3| {
        let arm = p - disk.center;
        let local = Vec3::from_fn(|k, _| disk.axes[k].dot(&arm));
        to_cylinder(&local, disk.radius, disk.half_length)
    };
    let nearest = corners.iter().map(foot).min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    Some((0..3).map(|k| disk.axes[k] * nearest.normal[k]).sum())
}

/// The deepest points across a normal: those of the solid that has one such point, and across from it.
fn deepest(a: &Core<'_>, b: &Core<'_>, normal: &Vec3, size: f64) -> Touch {
    let (p, q) = (a.support(&-normal), b.support(normal));
    if is_point(a, &-normal, size) {
        Touch::on_a(Feature::Deepest, p, &q, *normal)
    } else if is_point(b, normal, size) {
        Touch::on_b(Feature::Deepest, q, &p, *normal)
    } else {
        let gap = (p - q).dot(normal);
        let middle = (p - normal * gap).lerp(&q, 0.5);
        Touch::on_b(Feature::Deepest, middle, &p, *normal)
    }
}

/// True if the farthest point along a direction stays in place when the direction turns a little.
fn is_point(core: &Core<'_>, direction: &Vec3, size: f64) -> bool {
    let (u, v) = tangents(direction);
    let here = core.support(direction);
    [u, v, -u, -v]
        .iter()
        .all(|turn| (core.support(&(direction + turn * 1e-6)) - here).norm() < 1e-3 * size)
}
