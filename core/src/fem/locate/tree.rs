//! A tree of axis-aligned boxes: which hold a point, and what is nearest to it.

use crate::Vec3;

/// Boxes of a leaf at most.
const LEAF: usize = 4;

/// An axis-aligned box [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Bounds {
    /// That of some points, wider by `margin` on all sides.
    pub(super) fn of(points: impl Iterator<Item = Vec3>, margin: Vec3) -> Self {
        let none = Vec3::repeat(f64::INFINITY);
        let [low, high] = points.fold([none, -none], |[l, h], p| [l.inf(&p), h.sup(&p)]);
        Self { low: low - margin, high: high + margin }
    }

    fn union(&self, other: &Self) -> Self {
        Self { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Squared distance to a point [m²]; zero within.
    fn distance_squared(&self, p: &Vec3) -> f64 {
        (self.low - p).sup(&(p - self.high)).sup(&Vec3::zeros()).norm_squared()
    }

    fn center(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }
}

struct Node {
    bounds: Bounds,
    /// Range of `order` of a leaf; of an inner node its second child (the first follows it), and 0.
    first: u32,
    count: u32,
}

/// The tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Boxes as the leaves have them: number and bounds.
    order: Vec<(u32, Bounds)>,
}

impl Tree {
    pub(super) fn new(boxes: Vec<Bounds>) -> Self {
        let order: Vec<_> = (0..).zip(boxes).collect();
        let mut tree = Self { nodes: Vec::new(), order };
        if !tree.order.is_empty() {
            tree.grow(0, tree.order.len());
        }
        tree
    }

    /// Adds the node over a range of `order`, cut in the middle of its longest side.
    fn grow(&mut self, first: usize, count: usize) {
        let own = &mut self.order[first..first + count];
        let all = own.iter().map(|o| o.1).reduce(|a, b| a.union(&b));
        let bounds = all.expect("a node has boxes");
        let place = self.nodes.len();
        self.nodes.push(Node { bounds, first: first as u32, count: count as u32 });
        if count > LEAF {
            let axis = (bounds.high - bounds.low).imax();
            let key = |o: &(u32, Bounds)| o.1.center()[axis];
            own.select_nth_unstable_by(count / 2, |a, b| key(a).total_cmp(&key(b)));
            self.grow(first, count / 2);
            let second = self.nodes.len() as u32;
            self.grow(first + count / 2, count - count / 2);
            (self.nodes[place].first, self.nodes[place].count) = (second, 0);
        }
    }

    /// Numbers of the boxes that hold a point, into `found`, in rising order.
    pub(super) fn find_around(&self, p: &Vec3, found: &mut Vec<usize>) {
        found.clear();
        let mut least = |k: usize, bound: f64| {
            found.push(k);
            bound
        };
        self.walk(0, p, 0.0, &mut least);
        found.sort_unstable();
    }

    /// Hands to `measure` the numbers of all boxes that can hold something nearer than the square of
    /// a distance [m²] that it was given, and takes the next such from it.
    pub(super) fn find_nearest(&self, p: &Vec3, measure: &mut dyn FnMut(usize, f64) -> f64) {
        self.walk(0, p, f64::INFINITY, measure);
    }

    /// Visits what is not farther than the square `bound`; the new bound.
    fn walk(
        &self,
        node: usize,
        p: &Vec3,
        mut bound: f64,
        visit: &mut dyn FnMut(usize, f64) -> f64,
    ) -> f64 {
        let Some(Node { first, count, bounds }) = self.nodes.get(node) else { return bound };
        if bounds.distance_squared(p) > bound {
            return bound;
        }
        if *count > 0 {
            for (k, bounds) in &self.order[*first as usize..(*first + *count) as usize] {
                if bounds.distance_squared(p) <= bound {
                    bound = visit(*k as usize, bound);
                }
            }
            return bound;
        }
        let mut children = [node + 1, *first as usize];
        let far = |child: usize| self.nodes[child].bounds.distance_squared(p);
        if far(children[0]) > far(children[1]) {
            children.reverse();
        }
        children.into_iter().fold(bound, |bound, child| self.walk(child, p, bound, visit))
    }
}
