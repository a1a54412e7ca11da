//! At most four contacts of a pair: those that span the largest area, and last step's as long as
//! they span nearly as much.

use super::point::tangents;
use super::touch::{Buffer, Touch};
use crate::Vec3;

/// Most contacts of a pair of solids.
pub(super) const MOST: usize = 4;
/// Contacts closer than this part of the pair's size are one: a corner over a corner.
const SAME: f64 = 1e-8;
/// Gaps that differ by less than this part of the size are equal.
const LEVEL: f64 = 1e-10;
/// Last step's contacts are kept while they span this part of the largest area: a choice that moves
/// on only when it is clearly worse does not flicker.
const KEEP: f64 = 0.95;
/// They are kept as well if they miss the deepest by no more than this part of the size: a body at
/// rest tilts by less from step to step, and a tilt of 1e-5 is not seen.
const MISS: f64 = 1e-5;

/// Square of the largest distance of two unit wrenches [-].
const LARGEST: f64 = 8.0;
/// Lead of last step's contacts among those of a pair, as a distance of wrenches [-]: ties and noise change nothing.
const KNOWN: f64 = 0.05;

/// Merges and chooses; `last` are the keys of last step.
pub(super) fn reduce(touches: &mut Buffer, last: &[u64], size: f64, chosen: &mut Buffer) {
    touches.sort_unstable_by_key(|touch| touch.key);
    merge(touches, last, SAME * size);
    chosen.clear();
    let deepest = |level| greatest(touches.len(), level, |k| -touches[k].gap);
    add_widest(touches, last, (size, &deepest), chosen);
}

/// Normals of contacts that hold a solid in the same direction: within 26 degrees.
const ALIKE: f64 = 0.9;
/// Contacts within this part of the size of the deepest are as deep: what rests on feet rests on all of them.
const BAND: f64 = 1e-3;

/// Leaves those that [`reduce`] would leave of all that hold in one direction, for each such direction; `last`
/// are the keys of last step.
pub(super) fn reduce_directions(
    touches: &mut Buffer,
    last: &[u64],
    size: f64,
    chosen: &mut Buffer,
) {
    touches.sort_unstable_by_key(|touch| touch.key);
    touches.dedup_by_key(|touch| touch.key);
    chosen.clear();
    // Directions are those of the first of what is left, in the order of keys: it stays while things slide.
    let mut rest = &mut touches[..];
    while let Some(seed) = rest.first().copied() {
        let (region, others) = split(rest, |touch| touch.normal.dot(&seed.normal) > ALIKE);
        add_widest(region, last, (size, &|level| outermost(region, level)), chosen);
        // What is round touches within what is widest: the deepest as well.
        let deepest = region.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        let (deep, _) = split(region, |touch| touch.gap <= deepest + BAND * size);
        add_widest(deep, last, (size, &|level| outermost(deep, level)), chosen);
        rest = others;
    }
    chosen.sort_unstable_by_key(|touch| touch.key);
    chosen.dedup_by_key(|touch| touch.key);
}

/// Leaves `most` contacts of a pair of rigid solids: the deepest, and one after the other those that can do what the ones before
/// cannot. The unit wrench of a contact, its normal and its moment about the middle of all over their size, says what it can do; a gap
/// over that of the deepest counts against it, as a share of `reach` [m], in which contacts are looked for. `last` are the keys of
/// last step.
pub(super) fn reduce_pair(
    touches: &[Touch],
    last: &[u64],
    (most, reach): (usize, f64),
    chosen: &mut Buffer,
) {
    chosen.clear();
    let middle = touches.iter().map(|touch| touch.b).sum::<Vec3>() / touches.len() as f64;
    let far = |touch: &Touch| (touch.b - middle).norm();
    let size = touches.iter().map(far).fold(f64::MIN_POSITIVE, f64::max);
    let deepest = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    let moment = |touch: &Touch| (touch.b - middle).cross(&touch.normal) / size;
    let apart = |a: &Touch, b: &Touch| {
        (a.normal - b.normal).norm_squared() + (moment(a) - moment(b)).norm_squared()
    };
    while chosen.len() < most.min(touches.len()) {
        let score = |k: usize| {
            let touch = &touches[k];
            if chosen.iter().any(|other| other.key == touch.key) {
                return f64::NEG_INFINITY;
            }
            let nearest = chosen.iter().map(|it| apart(it, touch)).fold(f64::MAX, f64::min);
            let known = if last.contains(&touch.key) { KNOWN } else { 0.0 };
            // The first is the deepest, whatever it can do.
            nearest.min(LARGEST).sqrt() + known - (touch.gap - deepest) / reach
        };
        let best = greatest(touches.len(), 0.0, score);
        chosen.push(touches[best]);
    }
    chosen.sort_unstable_by_key(|touch| touch.key);
}

/// Adds the four that span the largest area about a first one, which is chosen up to a rounding, or last step's.
fn add_widest(
    touches: &[Touch],
    last: &[u64],
    (size, first): (f64, &dyn Fn(f64) -> usize),
    chosen: &mut Buffer,
) {
    if touches.len() <= MOST {
        chosen.extend_from_slice(touches);
        return;
    }
    let level = LEVEL * size;
    let best = widest(touches, first(level), level);
    let set = remembered(touches, last, &best, MISS * size).unwrap_or(best);
    chosen.extend(set.map(|i| touches[i]));
}

/// Those of a kind first, both in the order of keys.
fn split(touches: &mut [Touch], is_of: impl Fn(&Touch) -> bool) -> (&mut [Touch], &mut [Touch]) {
    touches.sort_unstable_by_key(|touch| (!is_of(touch), touch.key));
    let count = touches.partition_point(is_of);
    touches.split_at_mut(count)
}

/// Leaves the deepest of contacts in the same place, under last step's key if there is one, else
/// under the least, so that corners win over crossings.
fn merge(touches: &mut Buffer, last: &[u64], distance: f64) {
    let mut kept = 0;
    for k in 0..touches.len() {
        let touch = touches[k];
        let near = |other: &Touch| (other.b - touch.b).norm() <= distance;
        match touches[..kept].iter().position(near) {
            Some(twin) => {
                let named = last.contains(&touch.key) && !last.contains(&touches[twin].key);
                let key = if named { touch.key } else { touches[twin].key };
                if touch.gap < touches[twin].gap {
                    touches[twin] = touch;
                }
                touches[twin].key = key;
            }
            None => {
                touches[kept] = touch;
                kept += 1;
            }
        }
    }
    touches.truncate(kept);
    touches.dedup_by_key(|touch| touch.key);
}

/// The first for which a measure is greatest, up to rounding.
fn greatest(count: usize, slack: f64, measure: impl Fn(usize) -> f64) -> usize {
    let mut best = (0, measure(0));
    for k in 1..count {
        let candidate = measure(k);
        if candidate > best.1 + slack {
            best = (k, candidate);
        }
    }
    best.0
}

/// Of the deepest the one that is farthest from the middle of all.
fn outermost(touches: &[Touch], level: f64) -> usize {
    let middle = touches.iter().map(|touch| touch.b).sum::<Vec3>() / touches.len() as f64;
    let deepest = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    let is_deepest = |k: usize| touches[k].gap <= deepest + level;
    let reach = |k: usize| if is_deepest(k) { (touches[k].b - middle).norm() } else { -1.0 };
    greatest(touches.len(), level, reach)
}

/// A first, the farthest from it, and the two that add most area.
fn widest(touches: &[Touch], first: usize, level: f64) -> [usize; MOST] {
    let count = touches.len();
    let at = |k: usize| touches[k].b;
    let reach = |k: usize| (at(k) - at(first)).norm();
    let second = greatest(count, level, reach);
    let scale = level * reach(second);
    let arm = at(second) - at(first);
    let normal = touches[0].normal;
    let off = |k: usize| arm.cross(&(at(k) - at(first))).dot(&normal).abs();
    let third = greatest(count, scale, off);
    let with = |k: usize| area(&[first, second, third, k].map(at), &normal);
    [first, second, third, greatest(count, scale, with)]
}

/// Last step's four, if they are all there, reach nearly as deep and span nearly as much.
fn remembered(
    touches: &[Touch],
    last: &[u64],
    best: &[usize; MOST],
    miss: f64,
) -> Option<[usize; MOST]> {
    let mut set = [0; MOST];
    let mut count = 0;
    let places = |key: &u64| touches.iter().position(|touch| touch.key == *key);
    for place in last.iter().filter_map(places) {
        *set.get_mut(count)? = place;
        count += 1;
    }
    if count < MOST {
        return None;
    }
    let deepest = touches[best[0]].gap;
    let holds = set.iter().any(|&k| touches[k].gap <= deepest + miss);
    let span = |set: &[usize; MOST]| area(&set.map(|k| touches[k].b), &touches[0].normal);
    (holds && span(&set) >= KEEP * span(best)).then_some(set)
}

/// Area of the convex quadrilateral of four points seen along a normal [m²]: the greatest of half
/// the cross products of their three pairs of lines, which is that of the diagonals.
fn area(p: &[Vec3; MOST], normal: &Vec3) -> f64 {
    let (u, v) = tangents(normal);
    let cross = |a: usize, b: usize, c: usize, d: usize| {
        let (r, s) = (p[b] - p[a], p[d] - p[c]);
        (r.dot(&u) * s.dot(&v) - r.dot(&v) * s.dot(&u)).abs() / 2.0
    };
    cross(0, 1, 2, 3).max(cross(0, 2, 1, 3)).max(cross(0, 3, 1, 2))
}
