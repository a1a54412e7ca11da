//! All that matters is listed, and little else, told by distances in f64 over all pairs of features.

use std::collections::BTreeSet;

use sinew::Vec3;
use sinew::contact::{Candidates, Features};
use sinew::geometry::nearest_on_triangle;

use crate::scene::Balls;

const KINDS: [Features; 3] = [Features::VertexOfA, Features::VertexOfB, Features::Edges];

/// A feature: where its vertices are and how far they go.
struct Feature {
    numbers: Vec<u32>,
    points: Vec<Vec3>,
    steps: Vec<Vec3>,
}

impl Feature {
    fn all<const N: usize>(
        lists: impl Iterator<Item = [u32; N]>,
        (points, steps): (&[Vec3], &[Vec3]),
    ) -> Vec<Self> {
        let of = |numbers: [u32; N]| Self {
            points: numbers.iter().map(|&v| points[v as usize]).collect(),
            steps: numbers.iter().map(|&v| steps[v as usize]).collect(),
            numbers: numbers.to_vec(),
        };
        lists.map(of).collect()
    }

    fn bounds(&self) -> [Vec3; 2] {
        let ends = self.points.iter().zip(&self.steps).map(|(p, step)| p + step);
        let none = Vec3::repeat(f64::INFINITY);
        let all = self.points.iter().copied().chain(ends);
        all.fold([none, -none], |[low, high], p| [low.inf(&p), high.sup(&p)])
    }

    /// True if boxes around ways come within a distance [m] along every axis.
    fn overlaps(&self, other: &Self, distance: f64) -> bool {
        let ([a, b], [c, d]) = (self.bounds(), other.bounds());
        (0..3).all(|k| a[k] <= d[k] + distance && c[k] <= b[k] + distance)
    }

    /// Least distance of two segments, or of a point and a triangle [m].
    fn distance(&self, other: &Self) -> f64 {
        if let [p] = self.points[..] {
            let corners = [0, 1, 2].map(|k| other.points[k]);
            return (p - nearest_on_triangle(&p, &corners).point).norm();
        }
        let to = |p: &Vec3, ends: &[Vec3]| {
            let along = ends[1] - ends[0];
            let t = (p - ends[0]).dot(&along) / along.norm_squared();
            (p - ends[0] - along * t.clamp(0.0, 1.0)).norm()
        };
        let (a, b) = (&self.points, &other.points);
        // At an end of one, or where a line across both meets both.
        let ends = a.iter().map(|p| to(p, b)).chain(b.iter().map(|p| to(p, a)));
        let least = ends.fold(f64::INFINITY, f64::min);
        let (da, db, r) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
        let across = da.cross(&db);
        let at = |along: &Vec3| r.cross(along).dot(&across) / across.norm_squared();
        let within = [at(&db), at(&da)].iter().all(|t| (0.0..=1.0).contains(t));
        if within { least.min(r.dot(&across.normalize()).abs()) } else { least }
    }

    /// Longest way of a vertex of one against a vertex of the other [m].
    fn way(&self, other: &Self) -> f64 {
        let both = self.steps.iter().flat_map(|a| other.steps.iter().map(move |b| (a - b).norm()));
        both.fold(0.0, f64::max)
    }

    fn is_behind(&self, other: &Self) -> bool {
        let [a, b, c] = [0, 1, 2].map(|k| other.points[k]);
        (self.points[0] - a).dot(&(b - a).cross(&(c - a))) <= 0.0
    }
}

/// First and second features of a kind.
fn features(balls: &Balls, kind: Features, is_self: bool) -> [Vec<Feature>; 2] {
    let sides = [0, usize::from(!is_self)];
    let at = |side: usize| (&balls.points[side][..], &balls.steps[side][..]);
    let vertices =
        |side: usize| Feature::all((0..balls.points[side].len() as u32).map(|v| [v]), at(side));
    let faces =
        |side: usize| Feature::all(balls.surfaces[side].triangles.iter().copied(), at(side));
    let edges = |side: usize| Feature::all(balls.surfaces[side].edges().into_iter(), at(side));
    match kind {
        Features::VertexOfA => [vertices(sides[0]), faces(sides[1])],
        Features::VertexOfB => [vertices(sides[1]), faces(sides[0])],
        Features::Edges => [edges(sides[0]), edges(sides[1])],
    }
}

/// Counts of what is listed, needed, and near by boxes alone.
#[derive(Debug, Default)]
struct Tally {
    listed: usize,
    needed: usize,
    by_boxes: usize,
}

fn check(balls: &Balls, found: &Candidates, is_self: bool) -> Tally {
    let mut tally = Tally::default();
    for kind in KINDS {
        if is_self && kind == Features::VertexOfB {
            assert!(found.of(kind).is_empty(), "vertices of a surface are asked about once");
            continue;
        }
        check_kind(balls, found.of(kind), (kind, is_self), &mut tally);
    }
    tally
}

/// Every pair of features that matters is listed, and no other but by rounding.
fn check_kind(
    balls: &Balls,
    candidates: &[[u32; 2]],
    (kind, is_self): (Features, bool),
    tally: &mut Tally,
) {
    let listed: BTreeSet<[u32; 2]> = candidates.iter().copied().collect();
    assert_eq!(listed.len(), candidates.len(), "every candidate once");
    tally.listed += listed.len();
    let [firsts, seconds] = features(balls, kind, is_self);
    for (k, first) in (0..).zip(&firsts) {
        let later = |l: &u32| !is_self || kind != Features::Edges || *l > k;
        let others = || (0..).zip(&seconds).filter(|(l, _)| later(l));
        let apart = |it: &(u32, &Feature)| {
            !is_self || !it.1.numbers.iter().any(|v| first.numbers.contains(v))
        };
        let near: Vec<_> = others()
            .filter(apart)
            .filter(|(_, second)| first.overlaps(second, 2.0 * balls.border))
            .collect();
        tally.by_boxes += near.len();
        let matters = |second: &Feature, room: f64| {
            let limit = 2.0 * balls.border + first.way(second);
            first.distance(second) <= limit + room
                || !is_self && kind != Features::Edges && first.is_behind(second)
        };
        if near.iter().any(|(_, second)| matters(second, 0.0)) {
            tally.needed += near.len();
            // Of edges within one surface each asks for those that come after it.
            let whole = kind != Features::Edges || !is_self;
            for (l, second) in &near {
                let needed = whole || matters(second, 0.0);
                assert!(!needed || listed.contains(&[k, *l]), "{kind:?} {k} and {l} are missing");
            }
        }
    }
    assert_near(balls, kind, [&firsts, &seconds], &listed);
}

/// Candidates that are listed are near but for rounding.
fn assert_near(
    balls: &Balls,
    kind: Features,
    [firsts, seconds]: [&[Feature]; 2],
    listed: &BTreeSet<[u32; 2]>,
) {
    for &[k, l] in listed {
        let (first, second) = (&firsts[k as usize], &seconds[l as usize]);
        assert!(first.overlaps(second, 2.1 * balls.border), "{kind:?} {k} and {l} are far apart");
    }
}

#[test]
fn nothing_that_may_touch_is_missing_wherever_it_is_and_however_large() {
    for (scale, at) in [(1.0, Vec3::zeros()), (1e-3, Vec3::repeat(20.0)), (1e4, Vec3::z() * -3e5)] {
        let mut balls = Balls::new(2, scale, at);
        for is_self in [false, true] {
            // Parts of one ball are farther from each other than the two.
            balls.border = scale * if is_self { 1e-2 } else { 1e-3 };
            for mut finder in balls.finders(is_self) {
                let found = balls.found(&mut finder, is_self);
                let tally = check(&balls, &found, is_self);
                println!("{scale} {is_self} {tally:?}");
                assert!(tally.needed > 100, "{tally:?}");
                // Distances part what boxes do not.
                assert!(tally.listed < tally.needed * 21 / 20 + 10, "{tally:?}");
                assert!(5 * tally.listed < 4 * tally.by_boxes, "{tally:?}");
            }
        }
    }
}

#[test]
fn lists_are_the_same_bits_every_time() {
    let balls = Balls::new(3, 1.0, Vec3::zeros());
    for mut finder in balls.finders(false) {
        let mut lists = || {
            let found = balls.found(&mut finder, false);
            KINDS.map(|kind| found.of(kind).to_vec())
        };
        let first = lists();
        assert!(first.iter().all(|list| !list.is_empty()));
        assert_eq!(first, lists());
    }
}
