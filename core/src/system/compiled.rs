//! A model as flat arrays, index maps and a sparsity pattern, ready to be stepped. It does not
//! change during a step; where things are stands in the [`State`].

use std::sync::Arc;

use super::carry::Departed;
use super::collisions::ContactOwners;
use super::energy_gain::part_that_gained;
use super::flat::ListIndices;
use super::forces::Forces;
use super::mech_system::MechSystem;
use super::numbering::Numbering;
use super::point_names::PointNames;
use super::prescribed_body::PrescribedBody;
use super::rows::RowOwners;
use super::supports::Support;
use super::tissues::{CompiledFem, Tissues};
use super::{
    BodyRows, DerivativeTerms, DividedForces, Energies, ForceShare, Multibody, State, SteadyForces,
};
use crate::Vec3;
use crate::component::{Handle, Seen};
use crate::constraint::Pose;
use crate::force::{
    Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition, VelocityTerms,
};
use crate::linalg::{BLOCK, BlockMatrix, BlockPattern};
use crate::model::{AxialSpring, FemModel, Particle, PointRef, RigidBody};
use crate::state::{LoadCase, Motion};

/// Tissues, forces and bodies of a compiled model, on their common pattern.
pub(super) struct Parts {
    pub(super) tissues: Tissues,
    pub(super) forces: Forces,
    pub(super) pattern: Arc<BlockPattern>,
    pub(super) partition: RowPartition,
    pub(super) multibody: Option<Multibody>,
}

/// Numbering, masses and supports of the rows.
pub(super) struct Points {
    pub(super) numbering: Numbering,
    pub(super) names: PointNames,
    /// Mass of each row [kg]: a body's without what is attached to it.
    pub(super) lumped: Vec<f64>,
    /// Inertia of each row [kg]: the masses of what is attached to a body are in the body's.
    pub(super) masses: Vec<f64>,
    /// True if any of these differ.
    pub(super) has_tissue: bool,
    pub(super) fixed: Vec<[bool; 3]>,
    /// Bodies that forces do not move.
    pub(super) prescribed: Vec<PrescribedBody>,
    pub(super) supports: Vec<Support>,
    /// Component of each constraint row.
    pub(super) row_owners: RowOwners,
    /// Components of the pairs that may touch.
    pub(super) contact_owners: ContactOwners,
    pub(super) initial: State,
    pub(super) places: ListIndices,
}

/// A compiled model.
pub struct CompiledModel {
    pub(super) parts: Parts,
    pub(super) points: Points,
    /// Changes of the model that it knows.
    pub(super) seen: Seen,
    /// Motions of components that were deleted since the first compilation.
    pub(super) departed: Departed,
    /// Times that numbers changed that a device has a copy of.
    pub(super) revision: u64,
    /// True if energy that linearized steps create is to be looked for, as far as components tell.
    pub(super) may_create_energy: bool,
}

/// A compiled model in a state, of which totals, elements and overlaps are read.
#[derive(Clone, Copy)]
pub struct StateView<'s> {
    pub(super) system: &'s CompiledModel,
    pub(super) state: &'s State,
}

/// A compiled model as data, for a backend that computes forces by itself.
#[derive(Clone, Copy)]
pub struct DeviceView<'a> {
    pub(super) system: &'a CompiledModel,
}

impl CompiledModel {
    pub(super) fn new(
        parts: Parts,
        points: Points,
        (seen, may_create_energy): (Seen, bool),
    ) -> Self {
        Self { parts, points, seen, departed: Departed::default(), revision: 0, may_create_energy }
    }

    /// The state at the start.
    pub fn initial_state(&self) -> State {
        self.points.initial.clone()
    }

    /// The model in `state`: totals, values of elements, overlaps.
    pub fn at<'s>(&'s self, state: &'s State) -> StateView<'s> {
        StateView { system: self, state }
    }

    /// The model as data, for a backend that computes forces by itself.
    pub fn device_view(&self) -> DeviceView<'_> {
        DeviceView { system: self }
    }

    /// Number of rows (3-vectors) of the state.
    pub fn block_count(&self) -> usize {
        self.points.fixed.len()
    }

    /// Free velocity unknowns: without those that are fixed, attached, or without inertia.
    /// Constraint rows are not subtracted.
    pub fn dof_count(&self) -> usize {
        let free = self.points.fixed.iter().flatten().filter(|fixed| !**fixed).count();
        let attached =
            self.parts.multibody.as_ref().map_or(0, |m| m.attachments.list.attached_rows().len());
        free - 3 * attached
    }

    /// Number of tissues.
    pub fn fem_count(&self) -> usize {
        self.parts.tissues.fems.len()
    }

    /// The tissues, in the order of the tree.
    pub fn fems(&self) -> &[Handle<FemModel>] {
        self.points.places.fems.handles()
    }

    /// The particles, in the order of the tree.
    pub fn particles(&self) -> &[Handle<Particle>] {
        self.points.places.particles.handles()
    }

    /// Row of a node.
    ///
    /// # Panics
    /// When the tissue was not compiled, or has no such node.
    pub fn block_of_node(&self, fem: Handle<FemModel>, node: usize) -> usize {
        self.nodes_of(fem)[node] as usize
    }

    /// Rows and inertia of a body; `None` when it was not compiled.
    pub fn body_rows(&self, body: Handle<RigidBody>) -> Option<&BodyRows> {
        let place = self.points.places.bodies.place(body)?;
        self.parts.multibody.as_ref()?.bodies.get(place)
    }

    /// Pose of a body, body to world [m], velocity of the origin of its frame [m/s] and angular velocity
    /// [rad/s] in a state; `None` when it was not compiled.
    pub fn body_motion(
        &self,
        body: Handle<RigidBody>,
        state: &State,
    ) -> Option<(Pose, Vec3, Vec3)> {
        let rows = self.body_rows(body)?;
        let (row, turn) = (rows.row as usize, rows.orientation(&state.q));
        let arm = turn * rows.inertia.center_of_mass();
        let angular_velocity = state.u[row + 1];
        let pose = Pose::from_parts((state.q[row] - arm).into(), turn);
        Some((pose, state.u[row] - angular_velocity.cross(&arm), angular_velocity))
    }

    /// # Panics
    /// When the tissue was not compiled.
    pub(super) fn fem(&self, fem: Handle<FemModel>) -> &CompiledFem {
        let place = self.points.places.fems.place(fem);
        &self.parts.tissues.fems[place.expect("the tissue is part of the compiled model")]
    }

    /// Rows of the nodes of a tissue.
    ///
    /// # Panics
    /// When the tissue was not compiled.
    fn nodes_of(&self, fem: Handle<FemModel>) -> &[u32] {
        let place = self.points.places.fems.place(fem);
        &self.points.numbering.fem_rows[place.expect("the tissue is part of the compiled model")]
    }

    /// Row of a point; `None` when it was not compiled.
    pub fn find_row(&self, point: PointRef) -> Option<usize> {
        let row = match point {
            PointRef::Particle(particle) => {
                self.points.numbering.particle_rows[self.points.places.particles.place(particle)?]
            }
            PointRef::Marker(marker) => {
                self.points.numbering.marker_rows[self.points.places.markers.place(marker)?]
            }
            PointRef::FemNode(fem, node) => {
                let place = self.points.places.fems.place(fem)?;
                *self.points.numbering.fem_rows[place].get(node as usize)?
            }
        };
        Some(row as usize)
    }

    /// Row of a particle.
    ///
    /// # Panics
    /// When the particle was not compiled.
    pub fn block_of_particle(&self, particle: Handle<Particle>) -> usize {
        let place = self.points.places.particles.place(particle);
        let place = place.expect("the particle is part of the compiled model");
        self.points.numbering.particle_rows[place] as usize
    }

    /// Rest position of every row [m].
    pub fn rest_positions(&self) -> &[Vec3] {
        &self.points.numbering.rest
    }

    /// Length [m], rate [m/s], tension [N] and strain energy [J] of a spring in a state; `None` when it
    /// was not compiled.
    pub fn stretch_of(&self, spring: Handle<AxialSpring>, state: &State) -> Option<[f64; 4]> {
        self.stretch_along(spring.id(), state)
    }

    /// All supports, by row and axis.
    pub fn supports(&self) -> &[Support] {
        &self.points.supports
    }

    /// All batches, tissues first.
    pub(super) fn effectors(&self) -> impl Iterator<Item = &dyn ForceEffector> {
        let tissues = self.parts.tissues.batches.iter().map(|b| &**b as &dyn ForceEffector);
        tissues.chain(self.parts.forces.effectors())
    }

    /// Has every part of the rows add its blocks of a matrix.
    pub(super) fn add_blocks(
        &self,
        matrix: &mut BlockMatrix,
        add: &(impl Fn(&Part, &mut [f64]) -> Result<(), Located> + Sync),
    ) -> Result<(), Fault> {
        let offsets = self.parts.pattern.offsets();
        let scalars =
            |part: &Part| BLOCK * (offsets[part.rows.end as usize] as usize - part.first_slot);
        let (parts, values) = (self.parts.partition.parts(), matrix.values_mut());
        for_parts(parts, &scalars, values, add).map_err(|e| e.fault)
    }

    /// Runs `work` on every batch of a share, in order; a fault comes with the number of its batch in it.
    fn for_share(
        &self,
        (share, steady): (ForceShare, SteadyForces),
        work: impl FnMut(&dyn ForceEffector) -> Result<(), Fault>,
    ) -> Result<(), Located> {
        let parts = &self.parts;
        let with_bundles = steady == SteadyForces::TissuesAndBundles;
        let batches = parts.tissues.batches.iter().map(|batch| &**batch as &dyn ForceEffector);
        let bundles = parts.forces.bundles().filter(|_| with_bundles).into_iter();
        match share {
            ForceShare::Steady => numbered(batches.chain(bundles), work),
            ForceShare::Rest => numbered(parts.forces.effectors_beside(with_bundles), work),
        }
    }

    /// Runs `work` on every batch in order; a fault comes with the number of its batch.
    pub(super) fn for_batches(
        &self,
        work: impl FnMut(&dyn ForceEffector) -> Result<(), Fault>,
    ) -> Result<(), Located> {
        numbered(self.effectors(), work)
    }
}

impl MechSystem for CompiledModel {
    fn pattern(&self) -> &Arc<BlockPattern> {
        &self.parts.pattern
    }

    fn fixed(&self) -> &[[bool; 3]] {
        &self.points.fixed
    }

    fn masses(&self) -> &[f64] {
        &self.points.masses
    }

    fn multibody(&self) -> Option<&Multibody> {
        self.parts.multibody.as_ref()
    }

    fn divided(&self) -> Option<&dyn DividedForces> {
        Some(self)
    }

    fn derivative_terms(&self) -> Option<&dyn DerivativeTerms> {
        Some(self)
    }

    fn prescribe(&self, load: LoadCase, q: &mut [Vec3]) -> bool {
        let mut moved = false;
        for s in &self.points.supports {
            let rest = self.points.numbering.rest[s.row as usize][s.axis];
            let target = rest + s.displacement * (s.schedule.at(load.time) * load.factor);
            let position = &mut q[s.row as usize][s.axis];
            moved |= *position != target;
            *position = target;
        }
        for body in &self.points.prescribed {
            let row = body.row();
            let targets = body.positions(load.time);
            moved |= q[row..row + 2] != targets;
            q[row..row + 2].copy_from_slice(&targets);
        }
        moved
    }

    fn forces(
        &self,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let kinematics = Kinematics { load, motion };
        let add = |part: &Part, forces: &mut [Vec3]| {
            forces.fill(Vec3::zeros());
            self.for_batches(|e| e.add_forces(part, &kinematics, velocity, forces))
        };
        let rows = |part: &Part| part.rows.len();
        for_parts(self.parts.partition.parts(), &rows, forces, &add).map_err(|e| e.fault)
    }

    fn add_jacobian(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        let kinematics = Kinematics { load, motion };
        self.add_blocks(matrix, &|part: &Part, blocks: &mut [f64]| {
            self.for_batches(|e| e.add_jacobian(part, &kinematics, scale, blocks))
        })
    }

    fn add_jacobian_of_turns(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        let kinematics = Kinematics { load, motion };
        self.add_blocks(matrix, &|part: &Part, blocks: &mut [f64]| {
            self.for_batches(|e| e.add_jacobian_of_turns(part, &kinematics, scale, blocks))
        })
    }

    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        self.parts.tissues.batches.iter().try_for_each(|batch| batch.check_step(start, end))
    }

    fn leaves_out_turns(&self) -> bool {
        self.effectors().any(ForceEffector::leaves_out_turns)
    }

    fn advance_memory(&self, step: f64, state: &mut State) {
        let Parts { forces, tissues, .. } = &self.parts;
        forces.advance_memory(step, state);
        tissues.advance_memory(forces.memory_len(), step, state);
        if let Some(multibody) = &self.parts.multibody {
            multibody.update_coordinates(&state.q, &mut state.coordinates);
        }
    }

    fn memory_rates(&self, time: f64, motion: Motion, rates: &mut [f64]) {
        self.parts.forces.memory_rates(time, motion, rates);
        self.parts.tissues.memory_rates(motion, rates);
    }

    fn viscoelastic_tissue(&self) -> Option<&str> {
        self.parts.tissues.viscoelastic()
    }

    fn relax_memory(&self, state: &mut State) {
        self.parts.tissues.relax(&state.q, &mut state.memory);
    }

    fn energies(&self, state: &State) -> Energies {
        self.at(state).energies()
    }

    fn may_create_energy(&self) -> bool {
        // What forces remember has an energy of its own, which is not counted.
        self.may_create_energy && self.points.initial.memory.is_empty()
    }

    fn describe_gain(&self, start: (&[Vec3], &[Vec3]), end: &State) -> String {
        let known = (&self.parts.tissues, &self.points.masses[..]);
        part_that_gained(known, start, end).unwrap_or_else(|row| self.describe(row))
    }

    fn strongest_muscle(&self, fem: &str, element: usize, from: (&State, f64)) -> Option<String> {
        let tissue = self.parts.tissues.fems.iter().position(|it| it.name == fem)?;
        let muscles = self.parts.forces.muscles.as_ref()?;
        let element = u32::try_from(element).ok()?;
        muscles.strongest_in(tissue, element, from).map(str::to_owned)
    }

    fn describe(&self, row: usize) -> String {
        let Points { names, numbering, .. } = &self.points;
        names.describe((numbering, &self.parts.tissues.fems), row)
    }
}

impl DividedForces for CompiledModel {
    fn add_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let add = |part: &Part, forces: &mut [Vec3]| {
            self.for_share(share, |e| e.add_forces(part, at, velocity, forces))
        };
        let rows = |part: &Part| part.rows.len();
        for_parts(self.parts.partition.parts(), &rows, forces, &add).map_err(|e| e.fault)
    }

    fn add_jacobian_share(
        &self,
        share: (ForceShare, SteadyForces),
        at: &Kinematics,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        self.add_blocks(matrix, &|part: &Part, blocks: &mut [f64]| {
            self.for_share(share, |e| e.add_jacobian(part, at, scale, blocks))
        })
    }

    fn update_drives(&self, steady: SteadyForces, at: &Kinematics, drives: &mut Vec<f64>) {
        drives.clear();
        // Numbers of tissues are replaced with all others: `update.rs`.
        drives.push(self.revision as f64);
        if let (SteadyForces::TissuesAndBundles, Some(muscles)) =
            (steady, &self.parts.forces.muscles)
        {
            muscles.add_drives(at, drives);
        }
    }
}

/// A fault and the batch that it came from.
pub(super) struct Located {
    pub(super) batch: usize,
    pub(super) fault: Fault,
}

/// Runs `work` on batches in order; a fault comes with the number of its batch.
fn numbered<'e>(
    batches: impl Iterator<Item = &'e dyn ForceEffector>,
    mut work: impl FnMut(&dyn ForceEffector) -> Result<(), Fault>,
) -> Result<(), Located> {
    let mut batches = batches.enumerate();
    batches.try_for_each(|(batch, e)| work(e).map_err(|fault| Located { batch, fault }))
}

/// Runs `work` on every part with its slice of `data`, `length(part)` entries, in parallel by
/// halving, which allocates nothing. Of several faults the one that a single thread would have met
/// first is returned.
pub(super) fn for_parts<T: Send>(
    parts: &[Part],
    length: &(impl Fn(&Part) -> usize + Sync),
    data: &mut [T],
    work: &(impl Fn(&Part, &mut [T]) -> Result<(), Located> + Sync),
) -> Result<(), Located> {
    match parts {
        [] => Ok(()),
        [part] => work(part, data),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let (left_data, right_data) = data.split_at_mut(left.iter().map(length).sum());
            let results = rayon::join(
                || for_parts(left, length, left_data, work),
                || for_parts(right, length, right_data, work),
            );
            match results {
                (Err(a), Err(b)) => {
                    let place = |e: &Located| (e.batch, e.fault.place());
                    Err(if place(&a) <= place(&b) { a } else { b })
                }
                (a, b) => a.and(b),
            }
        }
    }
}
