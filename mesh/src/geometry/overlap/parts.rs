//! Parts of surfaces that are inside of each other, without cutting triangles. The border of the part of a
//! triangle consists of stretches of its sides and of arcs; integrals over the part are sums over the border,
//! each stretch with the winding number of the other surface there (Stokes; Franklin1982 has such local
//! formulas for volumes). Integrals over the solid follow by the divergence theorem (Mirtich1996).

use super::arcs::{Arc, Network};
use super::piercings::{Pair, Piercing};
use super::result::{CommonSolid, Operand, Region};
use super::stretch::{Frame, Stretch, add_stretch, crossing, unit_normal};
use crate::Vec3;
use crate::geometry::DisjointSets;

/// Buffers of the search for inside parts.
#[derive(Clone, Debug, Default)]
pub(super) struct PartWork {
    /// Winding numbers of the other surface about the vertices of each; of closed others.
    windings: [Vec<i32>; 2],
    jumps: Vec<i32>,
    /// Piercings of each edge of each surface, as a range of the sorted piercings.
    of_edge: [Vec<[u32; 2]>; 2],
    /// Arcs by the triangle of the second surface.
    by_second: Vec<u32>,
    /// True for triangles of each surface that have arcs.
    has_arcs: [Vec<bool>; 2],
    stretches: Vec<Stretch>,
    groups: Vec<Group>,
    region_of: Vec<u32>,
}

/// Stretches of one triangle that hang together.
#[derive(Clone, Copy, Debug)]
struct Group {
    root: u32,
    /// Any point of it [m].
    point: Vec3,
    /// Signed area of what it surrounds [m²].
    area: f64,
}

/// No region.
const NONE: u32 = u32::MAX;

impl PartWork {
    /// Replaces `regions` by the parts of each surface whose other is closed, and the solids that they
    /// bound; the region of each piercing is [`region_of`](Self::region_of).
    pub(super) fn find_regions(
        &mut self,
        pair: &Pair,
        network: Network,
        regions: &mut Vec<Region>,
    ) {
        regions.clear();
        self.region_of.clear();
        self.prepare(pair, network);
        let is_free = |of: Operand| self.windings[of.index()].iter().all(|&number| number == 0);
        if network.arcs.is_empty() && asked(pair).all(is_free) {
            return;
        }
        let counts = pair.surfaces.map(|surface| surface.vertices().len());
        let mut sets = DisjointSets::new(network.piercings.len() + counts[0] + counts[1]);
        network.arcs.iter().for_each(|arc| sets.join(arc.ends[0], arc.ends[1]));
        for of in asked(pair) {
            self.join_edges(pair, of, network, &mut sets);
        }
        for of in asked(pair) {
            self.join_holes(pair, of, network, &mut sets);
        }
        self.region_of.resize(network.piercings.len() + counts[0] + counts[1], NONE);
        self.integrate(pair, network, &mut sets, regions);
        for point in 0..network.piercings.len() as u32 {
            self.region_of[point as usize] = self.region_of[sets.find(point) as usize];
        }
    }

    /// Sums up the parts of all triangles by what hangs together.
    fn integrate(
        &mut self,
        pair: &Pair,
        network: Network,
        sets: &mut DisjointSets,
        regions: &mut Vec<Region>,
    ) {
        let origin = origin(pair, network.piercings);
        for of in asked(pair) {
            for t in 0..pair.surface(of).triangles().len() as u32 {
                if !self.is_outside(pair, of, t) {
                    self.find_stretches(pair, of, t, network);
                    let normal = unit_normal(&pair.surface(of).corners(t));
                    self.find_groups(&normal, sets);
                    self.add_stretches(of, &Frame { normal, origin }, sets, regions);
                }
            }
        }
        let is_solid = pair.surfaces.iter().all(|surface| surface.is_closed());
        for region in regions {
            let volume = region.solid.volume;
            let moment = region.solid.moment + origin * volume;
            region.solid =
                if is_solid { CommonSolid { volume, moment } } else { CommonSolid::default() };
        }
    }

    /// Region of a piercing, where a surface is closed.
    pub(super) fn region_of(&self, point: usize) -> Option<u32> {
        self.region_of.get(point).copied().filter(|&region| region != NONE)
    }

    fn prepare(&mut self, pair: &Pair, network: Network) {
        for of in [Operand::First, Operand::Second] {
            let ranges = &mut self.of_edge[of.index()];
            ranges.clear();
            ranges.resize(pair.surface(of).edges().len(), [0, 0]);
            let has_arcs = &mut self.has_arcs[of.index()];
            has_arcs.clear();
            has_arcs.resize(pair.surface(of).triangles().len(), false);
            for arc in network.arcs {
                has_arcs[arc.triangles[of.index()] as usize] = true;
            }
            if pair.surface(of.other()).is_closed() {
                let numbers = &mut self.windings[of.index()];
                pair.find_windings(of, network.piercings, numbers, &mut self.jumps);
            }
        }
        for (k, piercing) in (0..).zip(network.piercings) {
            let range = &mut self.of_edge[piercing.edge_of.index()][piercing.edge as usize];
            *range = if range[1] == 0 { [k, k + 1] } else { [range[0], k + 1] };
        }
        self.by_second.clear();
        self.by_second.extend(0..network.arcs.len() as u32);
        self.by_second.sort_unstable_by_key(|&arc| (network.arcs[arc as usize].triangles[1], arc));
    }

    /// True if nothing of a triangle is inside the other surface.
    fn is_outside(&self, pair: &Pair, of: Operand, t: u32) -> bool {
        let surface = pair.surface(of);
        let windings = &self.windings[of.index()];
        let ranges = &self.of_edge[of.index()];
        !self.has_arcs[of.index()][t as usize]
            && surface.triangles()[t as usize].iter().all(|&v| windings[v as usize] == 0)
            && (0..3).all(|k| ranges[surface.edge_of(t, k) as usize] == [0, 0])
    }

    /// Joins what inside stretches of edges connect.
    fn join_edges(&self, pair: &Pair, of: Operand, network: Network, sets: &mut DisjointSets) {
        for edge in 0..pair.surface(of).edges().len() as u32 {
            self.walk_edge(pair, EdgeOf { of, edge }, network.piercings, &mut |run| {
                sets.join(run.ends[0].number, run.ends[1].number);
            });
        }
    }

    /// Visits the stretches of an edge, from the smaller to the larger number, that are inside.
    fn walk_edge(
        &self,
        pair: &Pair,
        EdgeOf { of, edge }: EdgeOf,
        piercings: &[Piercing],
        visit: &mut dyn FnMut(Run),
    ) {
        let surface = pair.surface(of);
        let [low, high] = surface.edges()[edge as usize];
        let shift = if of == Operand::First { 0 } else { pair.surfaces[0].vertices().len() };
        let at_vertex = |v: u32| Node {
            number: (piercings.len() + shift) as u32 + v,
            position: surface.vertices()[v as usize],
        };
        let [first, last] = self.of_edge[of.index()][edge as usize];
        let mut weight = self.windings[of.index()][low as usize];
        let mut from = at_vertex(low);
        for number in first..last {
            let piercing = &piercings[number as usize];
            let to = Node { number, position: piercing.position };
            if weight != 0 {
                visit(Run { ends: [from, to], weight: f64::from(weight) });
            }
            weight += if piercing.leaves { -1 } else { 1 };
            from = to;
        }
        if weight != 0 {
            visit(Run { ends: [from, at_vertex(high)], weight: f64::from(weight) });
        }
    }

    /// Replaces the stretches by those of a triangle.
    fn find_stretches(&mut self, pair: &Pair, of: Operand, t: u32, network: Network) {
        let mut found = std::mem::take(&mut self.stretches);
        found.clear();
        let surface = pair.surface(of);
        for k in 0..3 {
            let is_forward = surface.is_forward(t, k);
            let edge = surface.edge_of(t, k);
            self.walk_edge(pair, EdgeOf { of, edge }, network.piercings, &mut |run| {
                let [a, b] = run.ends.map(|end| end.position);
                let ends = if is_forward { [a, b] } else { [b, a] };
                found.push(Stretch { ends, node: run.ends[0].number, weight: run.weight });
            });
        }
        let mut add = |arc: &Arc| {
            let [a, b] = arc.ends.map(|point| network.piercings[point as usize].position);
            let ends = if of == Operand::First { [a, b] } else { [b, a] };
            found.push(Stretch { ends, node: arc.ends[0], weight: 1.0 });
        };
        let arcs = network.arcs;
        match of {
            Operand::First => {
                let first = arcs.partition_point(|arc| arc.triangles[0] < t);
                arcs[first..].iter().take_while(|arc| arc.triangles[0] == t).for_each(&mut add);
            }
            Operand::Second => {
                let arc_at = |k: &u32| &arcs[*k as usize];
                let first = self.by_second.partition_point(|k| arc_at(k).triangles[1] < t);
                let own = self.by_second[first..].iter().map(arc_at);
                own.take_while(|arc| arc.triangles[1] == t).for_each(&mut add);
            }
        }
        self.stretches = found;
    }

    /// Replaces the groups by those of the stretches of a triangle with this unit normal.
    fn find_groups(&mut self, normal: &Vec3, sets: &mut DisjointSets) {
        self.groups.clear();
        for stretch in &self.stretches {
            let root = sets.find(stretch.node);
            let known = self.groups.iter().position(|group| group.root == root);
            let place = known.unwrap_or_else(|| {
                self.groups.push(Group { root, point: stretch.ends[0], area: 0.0 });
                self.groups.len() - 1
            });
            let group = &mut self.groups[place];
            let [a, b] = stretch.ends.map(|p| p - group.point);
            group.area += 0.5 * stretch.weight * a.cross(&b).dot(normal);
        }
    }

    /// Joins groups of stretches of one triangle of which one surrounds the other with inside between.
    fn join_holes(&mut self, pair: &Pair, of: Operand, network: Network, sets: &mut DisjointSets) {
        let triangle_of = |arc: u32| network.arcs[arc as usize].triangles[of.index()];
        let mut last = NONE;
        for k in 0..network.arcs.len() {
            let t = triangle_of(if of == Operand::First { k as u32 } else { self.by_second[k] });
            if std::mem::replace(&mut last, t) == t {
                continue;
            }
            self.find_stretches(pair, of, t, network);
            let normal = unit_normal(&pair.surface(of).corners(t));
            self.find_groups(&normal, sets);
            for a in 0..self.groups.len() {
                if let Some(b) = self.surrounding(a, &normal, sets) {
                    sets.join(self.groups[a].root, self.groups[b].root);
                    self.groups.iter_mut().for_each(|group| group.root = sets.find(group.root));
                }
            }
        }
    }

    /// The narrowest group around a group where what is around it is inside.
    fn surrounding(&self, a: usize, normal: &Vec3, sets: &mut DisjointSets) -> Option<usize> {
        if self.groups.len() < 2 {
            return None;
        }
        let own = &self.groups[a];
        let mut around = 0.0;
        let mut narrowest: Option<usize> = None;
        for (b, group) in self.groups.iter().enumerate() {
            if group.root == own.root {
                continue;
            }
            let stretches = self.stretches.iter().filter(|s| sets.find(s.node) == group.root);
            let turns: f64 =
                stretches.map(|s| s.weight * f64::from(crossing(s, &own.point, normal))).sum();
            around += turns;
            let is_narrower = |&c: &usize| group.area.abs() < self.groups[c].area.abs();
            if turns != 0.0 && narrowest.as_ref().is_none_or(is_narrower) {
                narrowest = Some(b);
            }
        }
        narrowest.filter(|_| around != 0.0)
    }

    /// Adds the integrals of the stretches of a triangle to their regions.
    fn add_stretches(
        &mut self,
        of: Operand,
        frame: &Frame,
        sets: &mut DisjointSets,
        regions: &mut Vec<Region>,
    ) {
        for stretch in &self.stretches {
            let root = sets.find(stretch.node);
            let Some(group) = self.groups.iter().find(|group| group.root == root) else { continue };
            let region = &mut self.region_of[root as usize];
            if *region == NONE {
                *region = regions.len() as u32;
                regions.push(Region::default());
            }
            add_stretch(&mut regions[*region as usize], of, stretch, &group.point, frame);
        }
    }
}

/// The surfaces whose parts inside the other are defined.
fn asked(pair: &Pair) -> impl Iterator<Item = Operand> {
    let operands = [Operand::First, Operand::Second];
    operands.into_iter().filter(|of| pair.surface(of.other()).is_closed())
}

/// An edge of a surface.
#[derive(Clone, Copy)]
struct EdgeOf {
    of: Operand,
    edge: u32,
}

/// A vertex or a piercing.
#[derive(Clone, Copy)]
struct Node {
    /// Piercings come first, then the vertices of the first and of the second surface.
    number: u32,
    position: Vec3,
}

/// A stretch of an edge between two nodes.
#[derive(Clone, Copy)]
struct Run {
    ends: [Node; 2],
    weight: f64,
}

/// A point near what the surfaces have in common: small overlaps far from the origin of the coordinates
/// lose no digits.
fn origin(pair: &Pair, piercings: &[Piercing]) -> Vec3 {
    let first = piercings.first().map(|piercing| piercing.position);
    let vertex = pair.surfaces[0].vertices().first().copied();
    first.or(vertex).unwrap_or_default()
}
