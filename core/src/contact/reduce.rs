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

/// Merges and chooses; `last` are the keys of last step.
pub(super) fn reduce(touches: &mut Buffer, last: &[u64], size: f64, chosen: &mut Buffer) {
    touches.sort_unstable_by_key(|touch| touch.key);
    merge(touches, last, SAME * size);
    chosen.clear();
    if touches.len() <= MOST {
        chosen.extend_from_slice(touches);
        return;
    }
    let best = widest(touches, LEVEL * size);
    let set = remembered(touches, last, &best, MISS * size).unwrap_or(best);
    chosen.extend(set.map(|i| touches[i]));
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

/// The deepest, the farthest from it, and the two that add most area.
fn widest(touches: &[Touch], level: f64) -> [usize; MOST] {
    let count = touches.len();
    let at = |k: usize| touches[k].b;
    let first = greatest(count, level, |k| -touches[k].gap);
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
    let keys: [u64; MOST] = last.try_into().ok()?;
    let mut set = [0; MOST];
    for (place, key) in set.iter_mut().zip(keys) {
        *place = touches.iter().position(|touch| touch.key == key)?;
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
