//! The border of tissue: the rows that anything else acts on (springs, muscles along lines, shells, pressures on surfaces,
//! forces by code), those of elements whose nodes follow points or bodies, bodies, and the forces and stiffness there, for a
//! backend that computes those of other elements elsewhere. They are those of a step of the CPU, by the same code; no work of a step
//! grows with the rows of tissue.

use super::border_bodies::{BorderBodies, moved_bodies};
use super::border_rows::BorderRows;
use super::compiled::{Located, for_parts};
use super::{CompiledModel, MechSystem, Multibody, State};
use crate::attachment::Attachments;
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, VelocityTerms,
};
use crate::linalg::{BLOCK, BlockMatrix, add_block};
use crate::state::{LoadCase, Motion, Schedule};
use crate::{Mat3, Vec3};

/// Length and rule of a step whose border is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderStep {
    /// Its length [s].
    pub h: f64,
    /// Weight of the end of an implicit rule [-]; `None` of symplectic Euler.
    pub end_weight: Option<f64>,
}

/// Forces and stiffness at the border, with the vectors that they are computed in.
///
/// In a residual for the velocity x they are b - B (x + s u), s = 1/w - 1, u the velocity at the start: b are
/// [`Self::impulses`], B the matrix of [`Self::blocks`]. Attached points are replaced by their masters. What is not linear in x, the
/// turning of bodies, is in b as the last x has it ([`Self::correct`]), with the impulses of joints and constraints that meet their rows. Angular velocities count as velocities of points as
/// far from the centre as the inertia of a body says ([`Self::scale`]).
pub struct BorderForces {
    pub(super) rows: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    slots: Vec<u32>,
    /// Rows that forces act on, attached points among them.
    touched: Vec<u32>,
    /// Slots of the matrix that forces and attached points write.
    written: Vec<u32>,
    /// A vector for each row of the model, of which those that are touched count.
    impulses: Vec<Vec3>,
    /// On the pattern of the model: of what is never written no memory is used.
    matrix: BlockMatrix,
    attached: Option<Attachments>,
    pub(super) bodies: BorderBodies,
    /// Bilateral rows, where there are some.
    pub(super) joints: Option<BorderRows>,
    /// Impulses at the rows that are touched, before those on attached points are handed to masters.
    given: Vec<Vec3>,
    /// Factors of the unknowns of rotations, by row [1/m].
    scales: Vec<(u32, f64)>,
    loads: AttachedLoads,
}

/// Loads on attached points.
#[derive(Default)]
struct AttachedLoads {
    /// Revision of the model that has them.
    revision: Option<u64>,
    /// Row, force at a schedule value of 1 [N] and time course.
    forces: Vec<(u32, Vec3, Schedule)>,
}

/// Loads on attached points.
fn loads_of(system: &CompiledModel, attached: &Attachments) -> Vec<(u32, Vec3, Schedule)> {
    let loads = system.device_view().row_loads().into_iter();
    let of = |load: super::RowLoad<'_>| {
        let schedule = load.schedule.clone();
        let forces = load.forces.into_iter().filter(|(row, _)| attached.is_attached(*row));
        forces.map(move |(row, force)| (row, force, schedule.clone())).collect::<Vec<_>>()
    };
    loads.flat_map(of).collect()
}

/// The pairs of rows that couple in these cliques, rising, each once.
fn pairs_of<'c>(cliques: impl Iterator<Item = &'c [u32]>) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for clique in cliques {
        pairs.extend(clique.iter().flat_map(|&i| clique.iter().map(move |&j| [i, j])));
    }
    sort_distinct(&mut pairs);
    pairs
}

/// Sorts a list and leaves each of its entries once.
fn sort_distinct<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

impl BorderForces {
    pub(super) fn new(
        system: &CompiledModel,
        attached: Option<Attachments>,
        (cliques, mut touched): (&[Vec<u32>], Vec<u32>),
    ) -> Self {
        let masters = |row: u32| attached.as_ref().and_then(|points| points.masters_of(row));
        let free = |rows: &[u32]| -> Vec<u32> {
            let of = |&row: &u32| masters(row).map_or_else(|| vec![row], |(own, _)| own.to_vec());
            rows.iter().flat_map(of).collect()
        };
        let reduced: Vec<Vec<u32>> = cliques.iter().map(|clique| free(clique)).collect();
        let pairs = pairs_of(reduced.iter().map(Vec::as_slice));
        let slot = |&[i, j]: &[u32; 2]| {
            system.pattern().slot(i, j).expect("forces are part of the pattern")
        };
        let slots: Vec<u32> = pairs.iter().map(slot).collect();
        let unreduced = pairs_of(cliques.iter().map(Vec::as_slice));
        let mut written: Vec<u32> = unreduced.iter().map(slot).chain(slots.clone()).collect();
        let mut rows = free(&touched);
        touched.extend_from_slice(&rows);
        [&mut rows, &mut touched, &mut written].into_iter().for_each(sort_distinct);
        Self {
            given: vec![Vec3::zeros(); touched.len()],
            joints: BorderRows::new(system, &touched),
            rows,
            pairs,
            slots,
            touched,
            written,
            impulses: vec![Vec3::zeros(); system.block_count()],
            matrix: BlockMatrix::zeros(system.pattern().clone()),
            attached,
            bodies: BorderBodies::new(system),
            scales: moved_bodies(system).map(|it| (it.row + 1, 1.0 / it.length())).collect(),
            loads: AttachedLoads::default(),
        }
    }

    /// The rows of the border, rising.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The pairs of rows that its forces couple, rising, in both orders and with each row itself.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Factor of the unknowns of a row: 1, of the rotation of a body that moves one over a length [1/m].
    pub fn scale(&self, row: u32) -> f64 {
        let known = self.scales.binary_search_by_key(&row, |scale| scale.0);
        known.map_or(1.0, |place| self.scales[place].1)
    }

    /// Rows of the rotations of bodies that move, rising, with their factors [1/m].
    pub fn scales(&self) -> &[(u32, f64)] {
        &self.scales
    }

    /// Impulse at each row [N s].
    pub fn impulses(&self) -> impl Iterator<Item = Vec3> {
        self.rows.iter().map(|&row| self.impulses[row as usize] * self.scale(row))
    }

    /// Block of each pair [kg].
    pub fn blocks(&self) -> impl Iterator<Item = Mat3> {
        self.pairs.iter().zip(&self.slots).map(|(&[i, j], &slot)| {
            self.matrix.block(slot as usize) * (self.scale(i) * self.scale(j))
        })
    }

    /// Puts attached points where their masters have them, with the velocities of these.
    pub fn place_attached(&mut self, system: &CompiledModel, state: &mut State) {
        if let (Some(points), Some(multibody)) = (&mut self.attached, system.multibody()) {
            points.update_weights(self.bodies.place(multibody, state));
            points.expand_velocity(&mut state.u);
        }
    }

    /// Computes forces and stiffness for a step from `state`, of whose positions and velocities those of the border and of attached
    /// points count.
    ///
    /// # Errors
    /// The [`Fault`] of a shell or of an element on the border.
    pub fn update(
        &mut self,
        system: &CompiledModel,
        state: &State,
        step: BorderStep,
    ) -> Result<(), Fault> {
        let BorderStep { h, end_weight } = step;
        let (after, velocity, motion) = match end_weight {
            Some(w) => (w * h, VelocityTerms::Excluded, Motion::of(state, w * h)),
            None => (0.0, VelocityTerms::Included, Motion::now(state)),
        };
        let kinematics = Kinematics { load: LoadCase::at(state.time + after), motion };
        self.add_forces(system, &kinematics, velocity)?;
        self.add_loads(system, kinematics.load.time);
        self.touched.iter().for_each(|&row| self.impulses[row as usize] *= h);
        let Some(w) = end_weight else { return Ok(()) };
        let scale = JacobianScale { position: w * h * (w * h), velocity: w * h };
        self.add_stiffness(system, &kinematics, scale)?;
        if system.multibody().is_some() {
            self.reduce(system, state, (w, h));
        }
        Ok(())
    }

    /// Takes the angular velocities of the iterate from displacements and velocities of all rows.
    pub(super) fn take_velocities(&mut self, multibody: &Multibody, motion: &[f64]) {
        let moving: Vec<(usize, u32)> =
            self.bodies.moving(multibody).map(|(k, body)| (k, body.row + 1)).collect();
        for (k, row) in moving {
            self.bodies.set_velocity(k, self.velocity_in(motion, row));
        }
    }

    /// Velocity of a row of the border among displacements and velocities of all.
    pub(super) fn velocity_in(&self, motion: &[f64], row: u32) -> Vec3 {
        let place = self.rows.binary_search(&row).expect("it is a row of the border");
        Vec3::from_column_slice(&motion[6 * place + 3..6 * place + 6]) * self.scale(row)
    }

    /// Takes displacements from `rest` [m] and velocities of the border at the end of a step into a state.
    pub fn take_end(
        &mut self,
        system: &CompiledModel,
        (rest, motion): (&[Vec3], &[f64]),
        state: &mut State,
    ) {
        for (&row, motion) in self.rows.iter().zip(motion.as_chunks::<6>().0) {
            let [d, u] = [0, 3].map(|k| Vec3::from_column_slice(&motion[k..k + 3]));
            state.q[row as usize] = rest[row as usize] + d;
            state.u[row as usize] = u;
        }
        if let Some(multibody) = system.multibody() {
            self.take_velocities(multibody, motion);
            for (k, body) in self.bodies.moving(multibody) {
                let row = body.row as usize + 1;
                [state.q[row], state.u[row]] = self.bodies.end(k);
            }
        }
        self.place_attached(system, state);
        if let Some(multibody) = system.multibody() {
            self.end_rows(multibody, state);
        }
    }

    fn add_forces(
        &mut self,
        system: &CompiledModel,
        kinematics: &Kinematics,
        velocity: VelocityTerms,
    ) -> Result<(), Fault> {
        self.touched.iter().for_each(|&row| self.impulses[row as usize] = Vec3::zeros());
        let add = |part: &Part, forces: &mut [Vec3]| {
            for_border(system, |it| it.add_forces(part, kinematics, velocity, forces))
        };
        let parts = system.parts.partition.parts();
        let len = |part: &Part| part.rows.len();
        for_parts(parts, &len, &mut self.impulses, &add).map_err(|e| e.fault)?;
        for_selected(system, |part, it| {
            it.add_forces(part, kinematics, velocity, &mut self.impulses)
        })
    }

    fn add_stiffness(
        &mut self,
        system: &CompiledModel,
        kinematics: &Kinematics,
        scale: JacobianScale,
    ) -> Result<(), Fault> {
        let values = self.matrix.values_mut();
        for &slot in &self.written {
            values[BLOCK * slot as usize..BLOCK * (slot as usize + 1)].fill(0.0);
        }
        system.add_blocks(&mut self.matrix, &|part: &Part, blocks: &mut [f64]| {
            for_border(system, |it| it.add_jacobian(part, kinematics, scale, blocks))
        })?;
        let blocks = self.matrix.values_mut();
        for_selected(system, |part, it| it.add_jacobian(part, kinematics, scale, blocks))
    }

    /// Adds the loads on attached points at a time [s].
    fn add_loads(&mut self, system: &CompiledModel, time: f64) {
        let Self { attached: Some(points), impulses, loads, .. } = self else { return };
        if loads.revision != Some(system.revision) {
            let forces = loads_of(system, points);
            *loads = AttachedLoads { revision: Some(system.revision), forces };
        }
        for (row, force, schedule) in &loads.forces {
            impulses[*row as usize] += force * schedule.at(time);
        }
    }

    /// Adds inertia and drag of attached points, and hands all that acts on them to their masters; adds what resists
    /// rotations.
    fn reduce(&mut self, system: &CompiledModel, state: &State, (w, h): (f64, f64)) {
        let Some(multibody) = system.multibody() else { return };
        let Self { attached, impulses, matrix, bodies, joints, .. } = self;
        bodies.begin(multibody, state, h);
        if let Some(joints) = joints {
            joints.begin(multibody, bodies, (state, h));
        }
        if let Some(points) = attached {
            for &row in points.attached_rows() {
                let mass = system.masses()[row as usize];
                // m (u - x) = m (1 + s) u - m (x + s u), 1 + s = 1 / w.
                impulses[row as usize] += state.u[row as usize] * (mass / w);
                let own = Mat3::identity() * (mass + w * h * drag_at(system, row));
                let slot = system.pattern().diagonal(row as usize);
                add_block(matrix.values_mut(), slot, &own);
            }
            points.update_weights(bodies.weights_half_way(multibody));
            points.reduce(matrix);
        }
        bodies.add_levers(multibody, impulses);
        for (k, body) in bodies.moving(multibody) {
            let slot = system.pattern().diagonal(body.row as usize + 1);
            add_block(matrix.values_mut(), slot, &bodies.resistance(k));
        }
        for (given, &row) in self.given.iter_mut().zip(&self.touched) {
            *given = self.impulses[row as usize];
        }
        self.set_impulses(system);
    }

    /// Impulses with the points on bodies, the angular momenta of these and the impulses of rows, as the iterate has them.
    pub(super) fn set_impulses(&mut self, system: &CompiledModel) {
        let Some(multibody) = system.multibody() else { return };
        let Self { attached, impulses, bodies, joints, given, touched, .. } = self;
        for (given, &row) in given.iter().zip(&*touched) {
            impulses[row as usize] = *given;
        }
        if let Some(points) = attached {
            points.update_weights(bodies.weights_half_way(multibody));
            points.reduce_force(impulses);
        }
        for (k, body) in bodies.moving(multibody) {
            impulses[body.row as usize + 1] += bodies.momentum(multibody, k);
        }
        if let Some(joints) = joints {
            joints.push(impulses);
        }
    }
}

/// Forces that are computed at the border.
pub(super) fn border_effectors(system: &CompiledModel) -> impl Iterator<Item = &dyn ForceEffector> {
    system.parts.forces.effectors().filter(|it| matches!(it.view(), EffectorView::Border(_)))
}

/// Runs `work` on the forces of the border in order.
fn for_border(
    system: &CompiledModel,
    mut work: impl FnMut(&dyn ForceEffector) -> Result<(), Fault>,
) -> Result<(), Located> {
    let mut batches = border_effectors(system).enumerate();
    batches.try_for_each(|(batch, it)| work(it).map_err(|fault| Located { batch, fault }))
}

/// Runs `work` on tissues and their muscles, for the elements whose nodes follow points.
fn for_selected(
    system: &CompiledModel,
    mut work: impl FnMut(&Part, &dyn ForceEffector) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let Some(part) = system.parts.partition.selected() else { return Ok(()) };
    let tissues = system.parts.tissues.batches.iter().map(|it| &**it as &dyn ForceEffector);
    let muscles = system.parts.forces.muscles.as_ref().map(|it| it as &dyn ForceEffector);
    tissues.chain(muscles).try_for_each(|it| work(part, it))
}

/// Drag of a row against space [N s/m].
fn drag_at(system: &CompiledModel, row: u32) -> f64 {
    let drags = system.parts.forces.effectors().map(|it| match it.view() {
        EffectorView::Drag(coefficients) => coefficients[row as usize],
        _ => 0.0,
    });
    drags.sum()
}
