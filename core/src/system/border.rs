//! The border of tissue: the rows that anything else acts on (springs, muscles along lines, shells, pressures on surfaces,
//! forces by code), those of elements whose nodes follow points or bodies, bodies, and the forces and stiffness there, for a
//! backend that computes those of other elements elsewhere. They are those of a step of the CPU, by the same code; no work of a step
//! grows with the rows of tissue.

use super::border_bodies::{BorderBodies, is_moved};
use super::compiled::{Located, for_parts};
use super::{BodyRows, CompiledModel, DeviceView, MechSystem, Multibody, State, Weight};
use crate::attachment::Attachments;
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, TissueBatch,
    TissuePressures, VelocityTerms,
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
/// turning of bodies, is in b as the last x has it ([`Self::correct`]). Angular velocities count as velocities of points as
/// far from the centre as the inertia of a body says ([`Self::scale`]).
pub struct BorderForces {
    rows: Vec<u32>,
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
    bodies: BorderBodies,
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

impl DeviceView<'_> {
    /// The border of the tissues; `None` where nothing else acts on rows.
    pub fn border(self) -> Option<BorderForces> {
        let system = self.system;
        let attached = system.multibody().map(|it| it.attachments.resolved.clone());
        let attached = attached.filter(|points| !points.attached_rows().is_empty());
        let mut cliques: Vec<Vec<u32>> = Vec::new();
        let mut touched: Vec<u32> = Vec::new();
        for effector in border_effectors(system) {
            effector.visit_cliques(&mut |rows| cliques.push(rows.to_vec()));
            effector.visit_rows(&mut |rows| touched.extend_from_slice(rows));
        }
        for batch in &system.parts.tissues.batches {
            batch.visit_cliques(&mut |rows| {
                if self.is_on_border(rows) {
                    cliques.push(rows.to_vec());
                    touched.extend_from_slice(rows);
                }
            });
        }
        let own = attached.iter().flat_map(Attachments::attached_rows);
        cliques.extend(own.map(|&row| vec![row]));
        cliques.extend(moved_bodies(system).map(|body| vec![body.row, body.row + 1]));
        touched.extend(cliques.iter().flatten());
        (!touched.is_empty()).then(|| BorderForces::new(system, attached, (&cliques, touched)))
    }

    /// True if an element of these rows has nodes that follow points, or bodies which move: forces of the [border](Self::border) have it.
    pub fn is_on_border(self, rows: &[u32]) -> bool {
        self.system.parts.partition.selects(rows)
    }

    /// Number of bodies that move.
    pub fn moving_bodies(self) -> usize {
        let bodies = self.system.multibody().map_or(0, |multibody| multibody.bodies.len());
        let still = self.system.points.prescribed.iter().filter(|body| !body.is_moving());
        bodies - still.count()
    }

    /// Number of bodies that a border does not take: those whose motion is prescribed, those that turn freely, and those that are
    /// fitted to points.
    pub fn bodies_beyond_border(self) -> usize {
        let Some(multibody) = self.system.multibody() else { return 0 };
        let prescribed = self.system.points.prescribed.iter().filter(|body| body.is_moving());
        let free = moved_bodies(self.system).filter(|body| body.rotates_freely);
        prescribed.count() + free.count() + multibody.attachments.fitted.len()
    }

    /// Number of attached points that a border does not take: those that move in their bodies or are prescribed by them, and nodes
    /// of tissues whose stress relaxes or whose volume counts around nodes.
    pub fn attached_beyond_border(self) -> usize {
        let Some(multibody) = self.system.multibody() else { return 0 };
        let mut whole = vec![false; self.system.block_count()];
        let is_whole = |batch: &TissueBatch<'_>| {
            batch.relaxation.is_some() || matches!(batch.pressures, Some(TissuePressures::Nodes(_)))
        };
        for batch in self.tissue_batches().filter(is_whole) {
            batch.rows.iter().for_each(|&row| whole[row as usize] = true);
        }
        let set = &multibody.attachments;
        let prescribed = self.system.points.prescribed.iter().filter(|body| !body.is_moving());
        let still: Vec<usize> = prescribed.flat_map(|body| [body.row(), body.row() + 1]).collect();
        let stands = |k: usize| {
            set.resolved.resolved(k).0.iter().all(|&master| still.contains(&(master as usize)))
        };
        let taken = |k: usize| {
            let mut weights = set.weights[set.list.weights(k)].iter();
            weights.all(|it| matches!(it, Weight::Share(_) | Weight::Centre | Weight::Turned(..)))
        };
        let rows = set.list.attached_rows().iter().enumerate();
        rows.filter(|&(k, &row)| !stands(k) && (whole[row as usize] || !taken(k))).count()
    }

    /// Brings the memory of springs and muscles up to date after the step [s] that led to the motion of a state, before its
    /// time is advanced. Of positions and velocities it takes those of the border.
    pub fn advance_memory(self, step: f64, state: &mut State) {
        self.system.parts.forces.advance_memory(step, state);
    }
}

/// The bodies of a system that forces move.
fn moved_bodies(system: &CompiledModel) -> impl Iterator<Item = &BodyRows> {
    let bodies = system.multibody().map_or(&[][..], |multibody| &multibody.bodies);
    bodies.iter().filter(|body| is_moved(system, body))
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
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

impl BorderForces {
    fn new(
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
        for list in [&mut rows, &mut touched, &mut written] {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            given: vec![Vec3::zeros(); touched.len()],
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

    /// Takes the velocities of the border that a device has found, displacement and velocity of each row: angular ones change the
    /// impulses. Returns the norm of the change, in the unknowns of rows [N s]; 0 without bodies that move.
    pub fn correct(&mut self, system: &CompiledModel, motion: &[f64]) -> f64 {
        let Some(multibody) = system.multibody() else { return 0.0 };
        if self.scales.is_empty() {
            return 0.0;
        }
        let momenta = |own: &Self| -> Vec<Vec3> {
            own.scales.iter().map(|&(row, scale)| own.impulses[row as usize] * scale).collect()
        };
        let before = momenta(self);
        self.take_velocities(multibody, motion);
        self.set_impulses(system);
        let changes = momenta(self).into_iter().zip(before).map(|(now, before)| now - before);
        changes.map(|change| change.norm_squared()).sum::<f64>().sqrt()
    }

    /// Takes the angular velocities of the iterate from displacements and velocities of all rows.
    fn take_velocities(&mut self, multibody: &Multibody, motion: &[f64]) {
        let moving: Vec<(usize, u32)> =
            self.bodies.moving(multibody).map(|(k, body)| (k, body.row + 1)).collect();
        for (k, row) in moving {
            self.bodies.set_velocity(k, self.velocity_in(motion, row));
        }
    }

    /// Velocity of a row of the border among displacements and velocities of all.
    fn velocity_in(&self, motion: &[f64], row: u32) -> Vec3 {
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
        let Self { attached, impulses, matrix, bodies, .. } = self;
        bodies.begin(multibody, state, h);
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

    /// Impulses with the points on bodies, and the angular momenta of these, as the iterate has them.
    fn set_impulses(&mut self, system: &CompiledModel) {
        let Some(multibody) = system.multibody() else { return };
        let Self { attached, impulses, bodies, given, touched, .. } = self;
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
    }
}

/// Forces that are computed at the border.
fn border_effectors(system: &CompiledModel) -> impl Iterator<Item = &dyn ForceEffector> {
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
