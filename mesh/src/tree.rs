//! A tree of axis-aligned boxes: those that hold a point, those that overlap a box, and the nearest
//! to a point. The boxes may move: the tree keeps its shape, and its bounds are renewed.

use crate::Vec3;

/// Boxes of a leaf at most.
const LEAF: usize = 4;

/// An axis-aligned box [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates [m].
    pub low: Vec3,
    /// Greatest coordinates [m].
    pub high: Vec3,
}

impl Bounds {
    /// That of some points [m], wider by `margin` [m] on all sides.
    pub fn of(points: impl Iterator<Item = Vec3>, margin: Vec3) -> Self {
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

    /// True if two boxes share a point; false where a coordinate is no number.
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    fn center(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// Range of `order` of a leaf; of an inner node its second child (the first follows it), and 0.
    first: u32,
    count: u32,
}

impl Node {
    /// Boxes of a leaf.
    fn boxes<'o>(&self, order: &'o [(u32, Bounds)]) -> &'o [(u32, Bounds)] {
        &order[self.first as usize..(self.first + self.count) as usize]
    }
}

/// The tree, over boxes by their numbers.
#[derive(Clone, Debug)]
pub struct BoxTree {
    nodes: Vec<Node>,
    /// Boxes as the leaves have them: number and bounds.
    order: Vec<(u32, Bounds)>,
}

impl BoxTree {
    /// The tree of these boxes. n log n in their number.
    pub fn new(boxes: Vec<Bounds>) -> Self {
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

    /// Takes boxes that moved, as many as before, in the same order. Linear in their number; queries stay
    /// quick as long as what was near stays near.
    ///
    /// # Panics
    /// If there are fewer boxes than before.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        self.order.iter_mut().for_each(|(number, bounds)| *bounds = boxes[*number as usize]);
        // Children stand after their parents.
        for place in (0..self.nodes.len()).rev() {
            let Node { first, count, .. } = self.nodes[place];
            self.nodes[place].bounds = if count > 0 {
                let own = &self.order[first as usize..(first + count) as usize];
                own[1..].iter().fold(own[0].1, |all, (_, bounds)| all.union(bounds))
            } else {
                self.nodes[place + 1].bounds.union(&self.nodes[first as usize].bounds)
            };
        }
    }

    /// Visits the numbers of the boxes that overlap `bounds`, in an order that only the boxes decide.
    pub fn visit_overlapping(&self, bounds: &Bounds, visit: &mut dyn FnMut(u32)) {
        if !self.nodes.is_empty() {
            self.descend(0, bounds, visit);
        }
    }

    fn descend(&self, place: usize, with: &Bounds, visit: &mut dyn FnMut(u32)) {
        let Node { bounds, first, count } = &self.nodes[place];
        if !bounds.overlaps(with) {
            return;
        }
        if *count > 0 {
            let own = &self.order[*first as usize..(*first + *count) as usize];
            own.iter().filter(|own| own.1.overlaps(with)).for_each(|own| visit(own.0));
            return;
        }
        self.descend(place + 1, with, visit);
        self.descend(*first as usize, with, visit);
    }

    /// Visits the numbers of a box of this tree and a box of another that overlap, in an order that only
    /// the boxes decide.
    pub fn visit_pairs(&self, other: &Self, visit: &mut dyn FnMut(u32, u32)) {
        if !self.nodes.is_empty() && !other.nodes.is_empty() {
            self.descend_both(0, other, 0, visit);
        }
    }

    fn descend_both(&self, place: usize, other: &Self, at: usize, visit: &mut dyn FnMut(u32, u32)) {
        let (own, theirs) = (&self.nodes[place], &other.nodes[at]);
        if !own.bounds.overlaps(&theirs.bounds) {
            return;
        }
        let extent = |node: &Node| (node.bounds.high - node.bounds.low).amax();
        if own.count > 0 && theirs.count > 0 {
            for (number, bounds) in own.boxes(&self.order) {
                let near = theirs.boxes(&other.order).iter().filter(|b| b.1.overlaps(bounds));
                near.for_each(|b| visit(*number, b.0));
            }
        } else if theirs.count > 0 || (own.count == 0 && extent(own) >= extent(theirs)) {
            self.descend_both(place + 1, other, at, visit);
            self.descend_both(own.first as usize, other, at, visit);
        } else {
            self.descend_both(place, other, at + 1, visit);
            self.descend_both(place, other, theirs.first as usize, visit);
        }
    }

    /// A value of each node: of leaves from their bounds and boxes, of others from those of their two
    /// children.
    pub fn summarize<T>(
        &self,
        leaf: &dyn Fn(&Bounds, &[u32]) -> T,
        join: &dyn Fn(&Bounds, &T, &T) -> T,
    ) -> Vec<T> {
        // From the last to the first: children stand after their parents.
        let mut values: Vec<T> = Vec::with_capacity(self.nodes.len());
        let last = self.nodes.len();
        for place in (0..last).rev() {
            let Node { bounds, first, count } = &self.nodes[place];
            let value = if *count > 0 {
                let own = &self.order[*first as usize..(*first + *count) as usize];
                let numbers: Vec<u32> = own.iter().map(|own| own.0).collect();
                leaf(bounds, &numbers)
            } else {
                let of = |node: usize| &values[last - 1 - node];
                join(bounds, of(place + 1), of(*first as usize))
            };
            values.push(value);
        }
        values.reverse();
        values
    }

    /// Goes down from the root: nodes that `is_enough` go to `node` whole, of the rest every box to `leaf`.
    pub fn visit_coarse(
        &self,
        is_enough: &dyn Fn(usize) -> bool,
        node: &mut dyn FnMut(usize),
        leaf: &mut dyn FnMut(u32),
    ) {
        if !self.nodes.is_empty() {
            self.coarse(0, is_enough, node, leaf);
        }
    }

    fn coarse(
        &self,
        place: usize,
        is_enough: &dyn Fn(usize) -> bool,
        node: &mut dyn FnMut(usize),
        leaf: &mut dyn FnMut(u32),
    ) {
        let Node { first, count, .. } = self.nodes[place];
        if is_enough(place) {
            node(place);
        } else if count > 0 {
            let own = &self.order[first as usize..(first + count) as usize];
            own.iter().for_each(|own| leaf(own.0));
        } else {
            self.coarse(place + 1, is_enough, node, leaf);
            self.coarse(first as usize, is_enough, node, leaf);
        }
    }

    /// Numbers of the boxes that hold a point, into `found`, in rising order.
    pub(crate) fn find_around(&self, p: &Vec3, found: &mut Vec<usize>) {
        found.clear();
        let mut least = |k: usize, bound: f64| {
            found.push(k);
            bound
        };
        self.walk(0, p, 0.0, &mut least);
        found.sort_unstable();
    }

    /// Hands to `measure` the numbers of all boxes that can hold something nearer to `p` than the square of
    /// a distance [m²], `within` at first, and takes the next such square from it.
    pub fn find_nearest(&self, p: &Vec3, within: f64, measure: &mut dyn FnMut(usize, f64) -> f64) {
        self.walk(0, p, within, measure);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize, shift: f64) -> Vec<Bounds> {
        let at = |k: usize| {
            let turn = k as f64 + shift;
            Vec3::new((1.7 * turn).sin(), (2.9 * turn).sin(), (4.1 * turn).sin())
        };
        (0..count).map(|k| Bounds::of([at(k)].into_iter(), Vec3::repeat(0.05))).collect()
    }

    fn overlapping(tree: &BoxTree, with: &Bounds) -> Vec<u32> {
        let mut found = Vec::new();
        tree.visit_overlapping(with, &mut |k| found.push(k));
        found.sort_unstable();
        found
    }

    #[test]
    fn a_tree_that_was_refitted_finds_what_a_search_through_all_boxes_finds() {
        let mut tree = BoxTree::new(boxes(300, 0.0));
        let moved = boxes(300, 0.3);
        tree.refit(&moved);
        let with = Bounds { low: Vec3::repeat(-0.2), high: Vec3::repeat(0.4) };
        let expected: Vec<u32> = (0..300).filter(|&k| moved[k as usize].overlaps(&with)).collect();
        assert!(expected.len() > 5, "{expected:?}");
        assert_eq!(overlapping(&tree, &with), expected);
    }

    #[test]
    fn pairs_of_two_trees_are_those_of_a_search_through_all_pairs() {
        let (a, b) = (boxes(200, 0.0), boxes(90, 0.4));
        let mut found = Vec::new();
        BoxTree::new(a.clone()).visit_pairs(&BoxTree::new(b.clone()), &mut |i, j| {
            found.push([i as usize, j as usize]);
        });
        found.sort_unstable();
        let all = (0..200).flat_map(|i| (0..90).map(move |j| [i, j]));
        let expected: Vec<[usize; 2]> = all.filter(|&[i, j]| a[i].overlaps(&b[j])).collect();
        assert!(expected.len() > 20, "{}", expected.len());
        assert_eq!(found, expected);
    }

    #[test]
    fn a_tree_without_boxes_finds_nothing() {
        let mut tree = BoxTree::new(Vec::new());
        tree.refit(&[]);
        let all = Bounds { low: Vec3::repeat(-1.0), high: Vec3::repeat(1.0) };
        assert!(overlapping(&tree, &all).is_empty());
        tree.visit_pairs(&BoxTree::new(vec![all]), &mut |_, _| panic!("a pair"));
    }
}
