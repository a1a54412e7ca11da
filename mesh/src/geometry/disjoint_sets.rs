//! Sets of numbers that are joined to larger ones.

/// Disjoint sets of the numbers below a count, each alone at first (Tarjan 1975, with halving of paths). A set is named by its
/// smallest member.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one number.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// Smallest number of the set of `member`, which is below the count.
    ///
    /// # Panics
    /// If it is not.
    pub fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// Makes one set of those of `a` and `b`, which are below the count.
    ///
    /// # Panics
    /// If one is not.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
