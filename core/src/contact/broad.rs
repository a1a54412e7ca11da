//! Broad phase: pairs of colliders that are near, by boxes sorted along the axis on which they are
//! spread most, and swept (Baraff1992). Only pairs that the caller listed are found, by their
//! members.

use super::bounds::Bounds;
use crate::Vec3;

/// A listed pair of colliders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    /// Colliders, the lesser first.
    pub(super) members: [u32; 2],
    /// Index of the pair.
    pub(super) pair: u32,
    /// Its margin [m].
    pub(super) margin: f64,
}

/// The sweep, with arrays that are kept.
#[derive(Debug, Clone)]
pub(super) struct Broad {
    /// By members.
    listed: Vec<Listed>,
    /// Pairs of collider c, as the lesser: `listed[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    /// Half of the largest margin of each collider's pairs [m].
    reach: Vec<f64>,
    /// Colliders with listed pairs, in the order of the last sweep.
    order: Vec<u32>,
    /// Those whose box has not ended yet.
    open: Vec<u32>,
}

impl Broad {
    /// For the listed pairs; these are sorted by members.
    pub(super) fn new(mut listed: Vec<Listed>, collider_count: usize) -> Self {
        listed.sort_by_key(|pair| pair.members);
        let mut starts = vec![0u32; collider_count + 1];
        let mut reach = vec![f64::NEG_INFINITY; collider_count];
        for pair in &listed {
            starts[pair.members[0] as usize + 1] += 1;
            for member in pair.members {
                let reach = &mut reach[member as usize];
                *reach = reach.max(pair.margin / 2.0);
            }
        }
        for c in 0..collider_count {
            starts[c + 1] += starts[c];
        }
        let order = (0..collider_count as u32).filter(|&c| reach[c as usize] >= 0.0).collect();
        Broad { listed, starts, reach, order, open: Vec::new() }
    }

    /// Adds the pairs whose boxes are within their margins, in no order.
    pub(super) fn add_near(&mut self, bounds: &[Bounds], near: &mut Vec<u32>) {
        let axis = widest_axis(&self.order, bounds);
        let start = |c: &u32| bounds[*c as usize].low[axis] - self.reach[*c as usize];
        self.order.sort_unstable_by(|a, b| start(a).total_cmp(&start(b)).then(a.cmp(b)));
        self.open.clear();
        for &c in &self.order {
            let own = start(&c);
            let end = |o: &u32| bounds[*o as usize].high[axis] + self.reach[*o as usize];
            self.open.retain(|other| end(other) >= own);
            for &other in &self.open {
                if let Some(pair) = self.find(c.min(other), c.max(other)) {
                    let [a, b] = pair.members.map(|m| &bounds[m as usize]);
                    if a.near(b, pair.margin) {
                        near.push(pair.pair);
                    }
                }
            }
            self.open.push(c);
        }
    }

    fn find(&self, lesser: u32, greater: u32) -> Option<&Listed> {
        let range =
            self.starts[lesser as usize] as usize..self.starts[lesser as usize + 1] as usize;
        let own = &self.listed[range];
        own.binary_search_by_key(&greater, |pair| pair.members[1]).ok().map(|at| &own[at])
    }
}

/// The axis along which the middles of boxes vary most.
fn widest_axis(order: &[u32], bounds: &[Bounds]) -> usize {
    let count = order.len().max(1) as f64;
    let middles = || order.iter().map(|&c| bounds[c as usize].middle());
    let mean = middles().sum::<Vec3>() / count;
    let spread: Vec3 = middles().map(|p| (p - mean).component_mul(&(p - mean))).sum();
    spread.imax()
}
