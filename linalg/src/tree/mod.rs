//! Saddle points of forests: nodes with coordinates and rows, the last of which are links that touch the coordinates of the
//! parent as well. Leaves are eliminated first, so that time and memory grow with the number of nodes
//! (LubichEngstlerNowakPohle1995). Rows across the tree: [`BorderedTree`].

mod border;
mod dense;
#[cfg(test)]
mod tests;

pub use border::BorderedTree;

const NONE: u32 = u32::MAX;

/// A node of a forest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// Node that its links go to; a root has links to nothing.
    pub parent: Option<u32>,
    /// Number of its coordinates.
    pub coordinates: u32,
    /// Number of its rows, links included.
    pub rows: u32,
    /// Number of its last rows that are links.
    pub links: u32,
}

/// Errors of a forest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A parent that is no node.
    #[error("node {node} names the parent {parent} in a forest of {count} nodes")]
    Parent {
        /// The node.
        node: usize,
        /// Its parent.
        parent: u32,
        /// Number of nodes.
        count: usize,
    },
    /// More links than rows.
    #[error("node {node} has {links} links among {rows} rows: links are rows")]
    Links {
        /// The node.
        node: usize,
        /// Its links.
        links: u32,
        /// Its rows.
        rows: u32,
    },
    /// Nodes that are ancestors of themselves.
    #[error(
        "node {node} is its own ancestor: one row of the circle is to be a row across the tree"
    )]
    Circle {
        /// One of them.
        node: usize,
    },
    /// Rows of a node that depend on each other, or coordinates without mass.
    #[error("the equations of node {node} are singular: its rows depend on each other")]
    Singular {
        /// The node.
        node: usize,
    },
}

/// Places of a node in the arrays.
#[derive(Clone, Copy, Debug)]
struct NodeRange {
    parent: u32,
    coordinates: usize,
    links: usize,
    /// First of its unknowns, their number, its block, its links, its responses to them.
    at: usize,
    size: usize,
    block: usize,
    link: usize,
    response: usize,
}

impl NodeRange {
    fn unknowns(&self) -> std::ops::Range<usize> {
        self.at..self.at + self.size
    }

    fn block(&self) -> std::ops::Range<usize> {
        self.block..self.block + self.size * self.size
    }

    fn responses(&self) -> std::ops::Range<usize> {
        self.response..self.response + self.size * self.links
    }
}

/// The matrix of a forest and its factors. The unknowns of a node are its coordinates x, then the multipliers of its rows:
/// of each, S x + Gᵀ ν and G x - R ν.
#[derive(Clone, Debug)]
pub struct TreeSaddle {
    places: Vec<NodeRange>,
    /// Children before their parents.
    order: Vec<u32>,
    blocks: Vec<f64>,
    exchanged: Vec<u32>,
    /// Rows of links by coordinates of the parent, one after the other.
    links: Vec<f64>,
    /// Columns of the inverse of the block of a node that belong to its links.
    responses: Vec<f64>,
    work: Vec<f64>,
}

impl TreeSaddle {
    /// Of some nodes, all entries zero.
    ///
    /// # Errors
    /// [`TreeError::Parent`], [`TreeError::Links`], [`TreeError::Circle`].
    pub fn new(nodes: &[TreeNode]) -> Result<Self, TreeError> {
        let order = leaves_first(nodes)?;
        let mut places: Vec<NodeRange> = Vec::with_capacity(nodes.len());
        let [mut at, mut block, mut link, mut response, mut work] = [0; 5];
        for (node, it) in nodes.iter().enumerate() {
            if it.links > it.rows {
                return Err(TreeError::Links { node, links: it.links, rows: it.rows });
            }
            let width = |parent: u32| nodes[parent as usize].coordinates as usize;
            let parent = it.parent.filter(|&parent| it.links > 0 && width(parent) > 0);
            let (parent, width) = (parent.unwrap_or(NONE), parent.map_or(0, width));
            let (coordinates, links) = (it.coordinates as usize, it.links as usize);
            let size = coordinates + it.rows as usize;
            places.push(NodeRange { parent, coordinates, links, at, size, block, link, response });
            at += size;
            block += size * size;
            link += links * width;
            response += size * links;
            work = work.max(links * width).max(links);
        }
        Ok(Self {
            places,
            order,
            blocks: vec![0.0; block],
            exchanged: vec![0; at],
            links: vec![0.0; link],
            responses: vec![0.0; response],
            work: vec![0.0; work],
        })
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.exchanged.len()
    }

    /// Unknowns of a node among all: coordinates, then multipliers.
    pub fn unknowns(&self, node: usize) -> std::ops::Range<usize> {
        self.places[node].unknowns()
    }

    /// Number of entries of the factors.
    pub fn entry_count(&self) -> usize {
        self.blocks.len() + self.links.len() + self.responses.len()
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.blocks.fill(0.0);
        self.links.fill(0.0);
    }

    /// Adds to an entry between two unknowns of a node, and to its mirror image.
    pub fn add(&mut self, node: usize, [row, column]: [usize; 2], value: f64) {
        let NodeRange { block, size, .. } = self.places[node];
        self.blocks[block + column * size + row] += value;
        if row != column {
            self.blocks[block + row * size + column] += value;
        }
    }

    /// Adds to the entry of a link of a node at a coordinate of its parent.
    pub fn add_to_link(&mut self, node: usize, [link, coordinate]: [usize; 2], value: f64) {
        let place = &self.places[node];
        let width = self.places[place.parent as usize].coordinates;
        self.links[place.link + link * width + coordinate] += value;
    }

    /// Entry between an unknown and itself, before [`Self::factor`].
    pub fn diagonal(&self, unknown: usize) -> f64 {
        let node = self.places.partition_point(|place| place.at <= unknown) - 1;
        let NodeRange { at, block, size, .. } = self.places[node];
        self.blocks[block + (unknown - at) * (size + 1)]
    }

    /// Factors in place, from the leaves to the roots.
    ///
    /// # Errors
    /// [`TreeError::Singular`].
    pub fn factor(&mut self) -> Result<(), TreeError> {
        for k in 0..self.order.len() {
            let node = self.order[k] as usize;
            let place = self.places[node];
            let rows = &mut self.exchanged[place.unknowns()];
            if !dense::factor(&mut self.blocks[place.block()], rows) {
                return Err(TreeError::Singular { node });
            }
            if place.parent != NONE {
                self.respond(place);
                self.reduce_parent(place);
            }
        }
        Ok(())
    }

    /// Columns of the inverse of a block for its links.
    fn respond(&mut self, place: NodeRange) {
        let responses = &mut self.responses[place.responses()];
        responses.fill(0.0);
        let first = place.size - place.links;
        for (k, response) in responses.chunks_exact_mut(place.size).enumerate() {
            response[first + k] = 1.0;
            let rows = &self.exchanged[place.unknowns()];
            dense::solve(&self.blocks[place.block()], rows, response);
        }
    }

    /// Takes -Cᵀ (K⁻¹) C of the links C of a node into the block of its parent.
    fn reduce_parent(&mut self, place: NodeRange) {
        let parent = self.places[place.parent as usize];
        let (width, first) = (parent.coordinates, place.size - place.links);
        let links = &self.links[place.link..place.link + place.links * width];
        let products = &mut self.work[..place.links * width];
        products.fill(0.0);
        let responses = self.responses[place.responses()].chunks_exact(place.size);
        for (response, link) in responses.zip(links.chunks_exact(width)) {
            for (product, share) in products.chunks_exact_mut(width).zip(&response[first..]) {
                product.iter_mut().zip(link).for_each(|(sum, x)| *sum += share * x);
            }
        }
        let block = &mut self.blocks[parent.block()];
        for (link, product) in links.chunks_exact(width).zip(products.chunks_exact(width)) {
            for (column, share) in link.iter().enumerate().filter(|(_, share)| **share != 0.0) {
                let column = &mut block[column * parent.size..][..width];
                column.iter_mut().zip(product).for_each(|(x, p)| *x -= share * p);
            }
        }
    }

    /// Solves in place by the factors.
    ///
    /// # Panics
    /// When `x` does not have [`Self::size`] values.
    pub fn solve(&mut self, x: &mut [f64]) {
        assert_eq!(x.len(), self.size(), "unknowns");
        for &node in &self.order {
            let place = &self.places[node as usize];
            let own = &mut x[place.unknowns()];
            dense::solve(&self.blocks[place.block()], &self.exchanged[place.unknowns()], own);
            if place.parent == NONE {
                continue;
            }
            let parent = &self.places[place.parent as usize];
            let multipliers = &mut self.work[..place.links];
            multipliers.copy_from_slice(&x[place.unknowns()][place.size - place.links..]);
            let links = self.links[place.link..].chunks_exact(parent.coordinates);
            let above = &mut x[parent.at..parent.at + parent.coordinates];
            for (link, multiplier) in links.zip(&*multipliers) {
                above.iter_mut().zip(link).for_each(|(x, c)| *x -= c * multiplier);
            }
        }
        self.carry_down(x);
    }

    /// Corrects the unknowns of all nodes by the coordinates of their parents, from the roots to the leaves.
    fn carry_down(&self, x: &mut [f64]) {
        for &node in self.order.iter().rev() {
            let place = &self.places[node as usize];
            if place.parent == NONE {
                continue;
            }
            let parent = &self.places[place.parent as usize];
            let links = self.links[place.link..].chunks_exact(parent.coordinates);
            let responses = self.responses[place.responses()].chunks_exact(place.size);
            for (link, response) in links.zip(responses) {
                let above = &x[parent.at..parent.at + parent.coordinates];
                let rate: f64 = link.iter().zip(above).map(|(c, x)| c * x).sum();
                x[place.unknowns()].iter_mut().zip(response).for_each(|(x, r)| *x -= r * rate);
            }
        }
    }
}

/// Nodes with children before their parents.
fn leaves_first(nodes: &[TreeNode]) -> Result<Vec<u32>, TreeError> {
    let count = nodes.len();
    let mut children = vec![0u32; count];
    for (node, it) in nodes.iter().enumerate() {
        if let Some(parent) = it.parent {
            let known = children.get_mut(parent as usize);
            *known.ok_or(TreeError::Parent { node, parent, count })? += 1;
        }
    }
    let mut order: Vec<u32> = (0..count as u32).filter(|&k| children[k as usize] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        if let Some(parent) = nodes[node as usize].parent {
            children[parent as usize] -= 1;
            if children[parent as usize] == 0 {
                order.push(parent);
            }
        }
    }
    match children.iter().position(|&left| left > 0) {
        Some(node) => Err(TreeError::Circle { node }),
        None => Ok(order),
    }
}
