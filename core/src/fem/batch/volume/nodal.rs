//! Volumes averaged around nodes (BonetBurton1998; ArtiSynth's nodal form): v_n is the sum of N_n V J over the points
//! around node n, and E the sum of V_n U(v_n / V_n). The elements around a node are its patch; what depends on one
//! patch is computed patch after patch, gathered by the owner of each row as with elements.

use std::sync::{Mutex, PoisonError};

use super::super::factor::StiffnessFactor;
use super::super::geometry::Geometry;
use super::super::laws::Each;
use super::Sample;
use crate::Vec3;
use crate::fem::element::Element;
use crate::force::{NodeVolume, Part, RowPartition};
use crate::linalg::{BlockPattern, add_block};
use crate::material::Bulk;

/// Terms of the elements of a batch that patches need.
pub(in super::super) trait NodalTerms<const N: usize> {
    /// Volume at point `p` of element `e`.
    fn sample(&self, e: usize, p: usize, q: &[Vec3]) -> Sample<N>;

    /// True if volumes have a second derivative by positions.
    fn is_curved(&self) -> bool;
}

/// One element at a node.
#[derive(Clone, Copy, Debug)]
struct Corner {
    element: u32,
    /// Number of the node in the element.
    node: u8,
}

/// The elements around one node.
#[derive(Clone, Debug)]
struct Patch {
    corners: Vec<Corner>,
    /// Rows of all nodes of its elements, rising.
    members: Vec<u32>,
    /// Place in `members` of each node of each corner's element, N a corner.
    places: Vec<u32>,
    /// Slot of each pair of members.
    slots: Vec<u32>,
}

/// Volumes around the nodes of a batch.
pub(in super::super) struct Patches<const N: usize, const P: usize> {
    /// Shape functions at the points.
    shapes: [[f64; N]; P],
    patches: Vec<Patch>,
    /// Volume and potential of each patch.
    volumes: Vec<NodeVolume>,
    /// Patch of each node of each element.
    of_nodes: Vec<[u32; N]>,
    parts: Vec<Vec<u32>>,
    /// Derivatives of the volume of a patch by its members, one list a part: each is worked on by one thread at a time,
    /// so that its lock is never waited for.
    scratch: Vec<Mutex<Vec<Vec3>>>,
}

/// v_n / V_n - 1 of a patch, with what damping asks for.
struct PatchState {
    change: f64,
    /// Sum of dv . u over V_n [1/s].
    rate: f64,
}

impl<const N: usize, const P: usize> Patches<N, P> {
    pub(super) fn new<E: Element>(bulk: &Each<Bulk<f64>>, geometry: &Geometry<N, P>) -> Self {
        let shapes = geometry.shapes::<E>();
        let mut nodes: Vec<u32> = geometry.rows.as_flattened().to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |row: &u32| nodes.binary_search(row).expect("a row of the batch") as u32;
        let of_nodes: Vec<[u32; N]> =
            geometry.rows.iter().map(|rows| rows.map(|row| place(&row))).collect();
        let mut corners = vec![Vec::new(); nodes.len()];
        for (element, patches) in (0..).zip(&of_nodes) {
            for (node, &patch) in (0..).zip(patches) {
                corners[patch as usize].push(Corner { element, node });
            }
        }
        let volume = |(&row, corners): (&u32, &Vec<Corner>)| {
            let share = |corner: &Corner| -> f64 {
                let points = &geometry.points[corner.element as usize];
                (0..P).map(|p| shapes[p][corner.node as usize] * points[p].volume).sum()
            };
            let volume = corners.iter().map(share).sum();
            let modulus = |corner: &Corner| bulk.of(corner.element as usize).modulus();
            let mean = || corners.iter().map(|it| share(it) * modulus(it)).sum::<f64>() / volume;
            let bulk = if bulk.varies() { bulk.all().with_modulus(mean()) } else { *bulk.all() };
            NodeVolume { row, volume, bulk }
        };
        let volumes = nodes.iter().zip(&corners).map(volume).collect();
        let patch = |corners: Vec<Corner>| {
            let rows = |corner: &Corner| geometry.rows[corner.element as usize];
            let mut members: Vec<u32> = corners.iter().flat_map(rows).collect();
            members.sort_unstable();
            members.dedup();
            let place = |row: u32| members.binary_search(&row).expect("a member") as u32;
            let places = corners.iter().flat_map(|corner| rows(corner).map(place)).collect();
            Patch { corners, members, places, slots: Vec::new() }
        };
        let patches = corners.into_iter().map(patch).collect();
        Self { shapes, patches, volumes, of_nodes, parts: Vec::new(), scratch: Vec::new() }
    }

    pub(in super::super) fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        self.patches.iter().for_each(|patch| visit(&patch.members));
    }

    pub(in super::super) fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let slot = |i, j| pattern.slot(i, j).expect("patches are part of the pattern");
        for patch in &mut self.patches {
            let members = &patch.members;
            patch.slots =
                members.iter().flat_map(|&i| members.iter().map(move |&j| slot(i, j))).collect();
        }
        self.parts = partition.assign(self.patches.iter().map(|patch| &patch.members[..]));
        let largest = self.patches.iter().map(|patch| patch.members.len()).max().unwrap_or(0);
        let scratch = || Mutex::new(vec![Vec3::zeros(); largest]);
        self.scratch = self.parts.iter().map(|_| scratch()).collect();
    }

    /// Volumes around the nodes, by rising row.
    pub(super) fn volumes(&self) -> &[NodeVolume] {
        &self.volumes
    }

    /// Change of the volume of a patch; `visit` gets the weight of each point and its sample, with the places of its
    /// nodes among the members.
    fn for_samples(
        &self,
        n: usize,
        (terms, q): (&dyn NodalTerms<N>, &[Vec3]),
        visit: &mut dyn FnMut(f64, &Sample<N>, &[u32]),
    ) -> f64 {
        let (mut change, patch) = (0.0, &self.patches[n]);
        for (corner, places) in patch.corners.iter().zip(patch.places.chunks_exact(N)) {
            for (p, shapes) in self.shapes.iter().enumerate() {
                let (weight, element) = (shapes[corner.node as usize], corner.element as usize);
                let sample = terms.sample(element, p, q);
                change += weight * sample.rest_volume * sample.change;
                visit(weight, &sample, places);
            }
        }
        change / self.volumes[n].volume
    }

    /// Change of the volume of a patch, and into `slopes` the derivatives of v_n by its members.
    fn state_of(
        &self,
        n: usize,
        at: (&dyn NodalTerms<N>, &[Vec3]),
        (slopes, u): (&mut [Vec3], Option<&[Vec3]>),
    ) -> PatchState {
        slopes.fill(Vec3::zeros());
        let change = self.for_samples(n, at, &mut |weight, sample, places| {
            for (&place, gradient) in places.iter().zip(&sample.gradients) {
                slopes[place as usize] += gradient * (weight * sample.volume);
            }
        });
        let moves = |u: &[Vec3]| -> f64 {
            let each = self.patches[n].members.iter().zip(&*slopes);
            each.map(|(&row, slope)| u[row as usize].dot(slope)).sum()
        };
        PatchState { change, rate: u.map_or(0.0, |u| moves(u) / self.volumes[n].volume) }
    }

    /// Adds forces [N]; `damped` are velocities and the coefficient beta [s]. What turns with pressures is not damped
    /// ([`StiffnessFactor`]).
    pub(in super::super) fn add_forces(
        &self,
        part: &Part,
        at: (&dyn NodalTerms<N>, &[Vec3]),
        damped: Option<(&[Vec3], f64)>,
        forces: &mut [Vec3],
    ) {
        let mut slopes = self.scratch[part.index].lock().unwrap_or_else(PoisonError::into_inner);
        for n in self.parts[part.index].iter().map(|&n| n as usize) {
            let (patch, own) = (&self.patches[n], &self.volumes[n]);
            let slopes = &mut slopes[..patch.members.len()];
            let state = self.state_of(n, at, (slopes, damped.map(|(u, _)| u)));
            let (pressure, stiffness) = own.bulk.slopes(state.change);
            let beta = damped.map_or(0.0, |(_, beta)| beta);
            let whole = pressure + beta * stiffness * state.rate;
            for (&row, slope) in patch.members.iter().zip(&*slopes) {
                if let Some(i) = part.local(row) {
                    forces[i] -= slope * whole;
                }
            }
        }
    }

    /// Adds `-factor df/dq`.
    pub(in super::super) fn add_jacobian(
        &self,
        part: &Part,
        at: (&dyn NodalTerms<N>, &[Vec3]),
        factor: StiffnessFactor,
        blocks: &mut [f64],
    ) {
        let mut slopes = self.scratch[part.index].lock().unwrap_or_else(PoisonError::into_inner);
        for n in self.parts[part.index].iter().map(|&n| n as usize) {
            let (patch, own) = (&self.patches[n], &self.volumes[n]);
            let slopes = &mut slopes[..patch.members.len()];
            let state = self.state_of(n, at, (slopes, None));
            let (pressure, stiffness) = own.bulk.slopes(state.change);
            let size = patch.members.len();
            for (i, (row, a)) in patch.members.iter().zip(&*slopes).enumerate() {
                if !part.rows.contains(row) {
                    continue;
                }
                let scaled = a * (factor.whole * stiffness / own.volume);
                for (j, b) in slopes.iter().enumerate() {
                    let slot = patch.slots[i * size + j] as usize - part.first_slot;
                    add_block(blocks, slot, &(scaled * b.transpose()));
                }
            }
            if at.0.is_curved() {
                self.add_curvature(part, (n, at), factor.turning * pressure, blocks);
            }
        }
    }

    /// Adds factor d²v: of a point V J (g_a g_b^T - g_b g_a^T).
    fn add_curvature(
        &self,
        part: &Part,
        (n, at): (usize, (&dyn NodalTerms<N>, &[Vec3])),
        factor: f64,
        blocks: &mut [f64],
    ) {
        let patch = &self.patches[n];
        let size = patch.members.len();
        self.for_samples(n, at, &mut |weight, sample, places| {
            for (&i, a) in places.iter().zip(&sample.gradients) {
                if !part.rows.contains(&patch.members[i as usize]) {
                    continue;
                }
                let a = a * (weight * sample.volume * factor);
                for (&j, b) in places.iter().zip(&sample.gradients) {
                    let slot = patch.slots[i as usize * size + j as usize] as usize;
                    let block = a * b.transpose() - b * a.transpose();
                    add_block(blocks, slot - part.first_slot, &block);
                }
            }
        });
    }

    /// Energy [J].
    pub(in super::super) fn energy(&self, at: (&dyn NodalTerms<N>, &[Vec3])) -> f64 {
        let of = |(n, own): (usize, &NodeVolume)| {
            own.volume * own.bulk.energy(self.for_samples(n, at, &mut |_, _, _| {}))
        };
        self.volumes.iter().enumerate().map(of).sum()
    }

    /// Pressure [Pa] and energy density of the volume [J/m³] at the points of element `e`.
    pub(in super::super) fn at_points(
        &self,
        e: usize,
        at: (&dyn NodalTerms<N>, &[Vec3]),
    ) -> [(f64, f64); P] {
        let of_node = self.of_nodes[e].map(|n| {
            let change = self.for_samples(n as usize, at, &mut |_, _, _| {});
            let bulk = &self.volumes[n as usize].bulk;
            (bulk.slopes(change).0, bulk.energy(change))
        });
        self.shapes.map(|shapes| {
            let each = || shapes.iter().zip(&of_node);
            (each().map(|(n, it)| n * it.0).sum(), each().map(|(n, it)| n * it.1).sum())
        })
    }
}
