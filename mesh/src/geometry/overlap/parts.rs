//! Parts of surfaces that are inside of each other, without cutting triangles. The border of the part of a
//! triangle consists of stretches of its sides and of arcs; integrals over the part are sums over the border,
//! each stretch with the winding number of the other surface there (Stokes; Franklin1982 has such local
//! formulas for volumes). Integrals over the solid follow by the divergence theorem (Mirtich1996).

use super::arcs::{Arc, Network};
use super::piercings::{Pair, Piercing};
use super::result::{Operand, Region, SurfacePart};
use crate::Vec3;
use crate::geometry::topology::DisjointSets;

/// A stretch of the border of the inside part of a triangle, that part to its left.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    ends: [Vec3; 2],
    /// The node of its start among those that hang together.
    node: u32,
    /// How often the part is inside.
    weight: f64,
}

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
        self.prepare(pair, network);
        let counts = pair.surfaces.map(|surface| surface.vertices().len());
        let mut sets = DisjointSets::new(network.piercings.len() + counts[0] + counts[1]);
        network.arcs.iter().for_each(|arc| sets.join(arc.ends[0], arc.ends[1]));
        let operands = [Operand::First, Operand::Second];
        let asked = operands.into_iter().filter(|of| pair.surface(of.other()).is_closed());
        for of in asked.clone() {
            self.join_edges(pair, of, network, &mut sets);
        }
        for of in asked.clone() {
            self.join_holes(pair, of, network, &mut sets);
        }
        self.region_of.clear();
        self.region_of.resize(network.piercings.len() + counts[0] + counts[1], NONE);
        let origin = origin(pair, network.piercings);
        let is_solid = pair.surfaces.iter().all(|surface| surface.is_closed());
        for of in asked {
            for t in 0..pair.surface(of).triangles().len() as u32 {
                if self.find_stretches(pair, of, t, network) {
                    self.add_triangle(pair, of, t, &mut sets, regions, origin);
                }
            }
        }
        for point in 0..network.piercings.len() as u32 {
            self.region_of[point as usize] = self.region_of[sets.find(point) as usize];
        }
        regions.iter_mut().for_each(|region| {
            if is_solid {
                region.solid.moment += origin * region.solid.volume;
            } else {
                region.solid = Default::default();
            }
        });
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

    /// Joins what inside stretches of edges connect.
    fn join_edges(&self, pair: &Pair, of: Operand, network: Network, sets: &mut DisjointSets) {
        for edge in 0..pair.surface(of).edges().len() as u32 {
            self.walk_edge(pair, EdgeOf { of, edge }, network.piercings, &mut |run| {
                sets.join(run.nodes[0], run.nodes[1]);
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
        let vertex_node = |v: u32| {
            let shift = if of == Operand::First { 0 } else { pair.surfaces[0].vertices().len() };
            (piercings.len() + shift) as u32 + v
        };
        let mut weight = self.windings[of.index()][low as usize];
        let mut from = (vertex_node(low), surface.vertices()[low as usize]);
        let [first, last] = self.of_edge[of.index()][edge as usize];
        let on_edge = (first..last).map(|k| {
            let piercing = &piercings[k as usize];
            ((k, piercing.position), if piercing.leaves { -1 } else { 1 })
        });
        let end = ((vertex_node(high), surface.vertices()[high as usize]), 0);
        for (to, jump) in on_edge.chain([end]) {
            if weight != 0 {
                let weight = f64::from(weight);
                visit(Run { nodes: [from.0, to.0], ends: [from.1, to.1], weight });
            }
            weight += jump;
            from = to;
        }
    }

    /// Replaces the stretches by those of a triangle; false if there are none.
    fn find_stretches(&mut self, pair: &Pair, of: Operand, t: u32, network: Network) -> bool {
        let mut found = std::mem::take(&mut self.stretches);
        found.clear();
        let surface = pair.surface(of);
        for k in 0..3 {
            let is_forward = surface.is_forward(t, k);
            let edge = surface.edge_of(t, k);
            self.walk_edge(pair, EdgeOf { of, edge }, network.piercings, &mut |run| {
                let [a, b] = run.ends;
                let ends = if is_forward { [a, b] } else { [b, a] };
                found.push(Stretch { ends, node: run.nodes[0], weight: run.weight });
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
        !self.stretches.is_empty()
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
    fn add_triangle(
        &mut self,
        pair: &Pair,
        of: Operand,
        t: u32,
        sets: &mut DisjointSets,
        regions: &mut Vec<Region>,
        origin: Vec3,
    ) {
        let normal = unit_normal(&pair.surface(of).corners(t));
        self.find_groups(&normal, sets);
        for stretch in &self.stretches {
            let root = sets.find(stretch.node);
            let Some(group) = self.groups.iter().find(|group| group.root == root) else { continue };
            let region = &mut self.region_of[root as usize];
            if *region == NONE {
                *region = regions.len() as u32;
                regions.push(Region::default());
            }
            let region = &mut regions[*region as usize];
            add_stretch(region, of, stretch, &Frame { apex: group.point, normal, origin });
        }
    }
}

/// An edge of a surface.
#[derive(Clone, Copy)]
struct EdgeOf {
    of: Operand,
    edge: u32,
}

/// A stretch of an edge between two nodes.
#[derive(Clone, Copy)]
struct Run {
    nodes: [u32; 2],
    ends: [Vec3; 2],
    weight: f64,
}

/// What integrals over triangles between the border and a point of it are taken about [m].
struct Frame {
    apex: Vec3,
    normal: Vec3,
    origin: Vec3,
}

/// Adds the triangle between a stretch and the apex, and the tetrahedron between it and the origin.
fn add_stretch(region: &mut Region, of: Operand, stretch: &Stretch, frame: &Frame) {
    let [a, b] = stretch.ends;
    let area_vector = (a - frame.apex).cross(&(b - frame.apex)) * (0.5 * stretch.weight);
    let area = area_vector.dot(&frame.normal);
    let part: &mut SurfacePart = &mut region.parts[of.index()];
    part.area += area;
    part.area_vector += area_vector;
    part.moment += (frame.apex + a + b) * (area / 3.0);
    let arms = [frame.apex, a, b].map(|p| p - frame.origin);
    let volume = area_vector.dot(&arms[0]) / 3.0;
    region.solid.volume += volume;
    region.solid.moment += (arms[0] + arms[1] + arms[2]) * (0.25 * volume);
}

/// Signed crossing of a stretch by a ray from `p` in the plane of `normal`, seen along its largest component.
fn crossing(stretch: &Stretch, p: &Vec3, normal: &Vec3) -> i8 {
    let axis = normal.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [a, b] = stretch.ends.map(|end| end - p);
    if (a[v] > 0.0) == (b[v] > 0.0) {
        return 0;
    }
    // Where the stretch has the height of the point, it is to its right.
    let is_right = (a[u] * b[v] - a[v] * b[u] > 0.0) == (b[v] > a[v]);
    let way = i8::from(b[v] > a[v]) - i8::from(b[v] < a[v]);
    if is_right { way } else { 0 }
}

fn unit_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}

/// A point near what the surfaces have in common: small overlaps far from the origin of the coordinates
/// lose no digits.
fn origin(pair: &Pair, piercings: &[Piercing]) -> Vec3 {
    let first = piercings.first().map(|piercing| piercing.position);
    let vertex = pair.surfaces[0].vertices().first().copied();
    first.or(vertex).unwrap_or_default()
}
