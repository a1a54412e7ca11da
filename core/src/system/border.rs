//! The border of tissue: the rows that anything else acts on (springs, muscles along lines, shells, pressures on surfaces,
//! forces by code), those of elements whose nodes follow points, and the forces and stiffness there, for a backend that
//! computes those of other elements elsewhere. They are those of a step of the CPU, by the same code; no work of a step
//! grows with the rows of tissue.

use super::compiled::{Located, for_parts};
use super::{CompiledModel, DeviceView, MechSystem, Multibody, State, Weight};
use crate::attachment::Attachments;
use crate::force::{
    EffectorView, Fault, ForceEffector, JacobianScale, Kinematics, Part, VelocityTerms,
};
use crate::linalg::{BLOCK, BlockMatrix, add_block};
use crate::state::{LoadCase, Motion};
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
/// [`Self::impulses`], B the matrix of [`Self::blocks`]. Attached points are replaced by their masters.
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
    /// Rotations of the bodies, all of which stand still.
    turns: Vec<Mat3>,
}

impl DeviceView<'_> {
    /// The border of the tissues; `None` where nothing else acts on rows.
    pub fn border(self) -> Option<BorderForces> {
        let system = self.system;
        let attached = system.multibody().map(attached_points);
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
        cliques.extend(own.clone().map(|&row| vec![row]));
        touched.extend(own);
        (!touched.is_empty()).then(|| BorderForces::new(system, attached, (&cliques, touched)))
    }

    /// True if an element of these rows has nodes that follow points: forces of the [border](Self::border) have it.
    pub fn is_on_border(self, rows: &[u32]) -> bool {
        self.system.parts.partition.selects(rows)
    }

    /// Number of bodies that move.
    pub fn moving_bodies(self) -> usize {
        let bodies = self.system.multibody().map_or(0, |multibody| multibody.bodies.len());
        let still = self.system.points.prescribed.iter().filter(|body| !body.is_moving());
        bodies - still.count()
    }

    /// Number of attached points that a border does not take: those of bodies that move, and nodes of tissues whose stress
    /// relaxes.
    pub fn attached_beyond_border(self) -> usize {
        let Some(multibody) = self.system.multibody() else { return 0 };
        let mut relaxes = vec![false; self.system.block_count()];
        for batch in self.tissue_batches().filter(|batch| batch.relaxation.is_some()) {
            batch.rows.iter().for_each(|&row| relaxes[row as usize] = true);
        }
        let set = &multibody.attachments;
        let prescribed = self.system.points.prescribed.iter().filter(|body| !body.is_moving());
        let still: Vec<usize> = prescribed.flat_map(|body| [body.row(), body.row() + 1]).collect();
        let stands = |k: usize| {
            set.resolved.resolved(k).0.iter().all(|&master| still.contains(&(master as usize)))
        };
        let rows = set.list.attached_rows().iter().enumerate();
        rows.filter(|&(k, &row)| !stands(k) && (relaxes[row as usize] || !set.follows_points(k)))
            .count()
    }

    /// Brings the memory of springs and muscles up to date after the step [s] that led to the motion of a state, before its
    /// time is advanced. Of positions and velocities it takes those of the border.
    pub fn advance_memory(self, step: f64, state: &mut State) {
        self.system.parts.forces.advance_memory(step, state);
    }
}

/// The attached points of a system with their weights, which do not change where their masters are points. Of those on bodies, which
/// stand still, they are zero: nothing moves them.
fn attached_points(multibody: &Multibody) -> Attachments {
    let mut points = multibody.attachments.resolved.clone();
    let share = |rule: &Weight| match rule {
        Weight::Share(share) => Mat3::identity() * *share,
        Weight::Centre | Weight::Turned(..) | Weight::Gradient(..) | Weight::Moving(_) => {
            Mat3::zeros()
        }
    };
    let weights: Vec<Mat3> = multibody.attachments.weights.iter().map(share).collect();
    points.update_weights(&weights);
    points
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
            rows,
            pairs,
            slots,
            touched,
            written,
            impulses: vec![Vec3::zeros(); system.block_count()],
            matrix: BlockMatrix::zeros(system.pattern().clone()),
            attached,
            turns: vec![Mat3::zeros(); system.multibody().map_or(0, |it| it.bodies.len())],
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

    /// Impulse at each row [N s].
    pub fn impulses(&self) -> impl Iterator<Item = Vec3> {
        self.rows.iter().map(|&row| self.impulses[row as usize])
    }

    /// Block of each pair [kg].
    pub fn blocks(&self) -> impl Iterator<Item = Mat3> {
        self.slots.iter().map(|&slot| self.matrix.block(slot as usize))
    }

    /// Hands the forces on attached points to their masters.
    pub fn reduce_force(&self, forces: &mut [Vec3]) {
        self.attached.iter().for_each(|points| points.reduce_force(forces));
    }

    /// Puts attached points where their masters have them, with the velocities of these.
    pub fn place_attached(&mut self, system: &CompiledModel, state: &mut State) {
        if let (Some(points), Some(multibody)) = (&self.attached, system.multibody()) {
            multibody.update_turns(&state.q, &mut self.turns);
            multibody.place_attached(&mut self.turns, &mut state.q);
            points.expand_velocity(&mut state.u);
        }
    }

    /// Computes forces and stiffness for a step from `state`, of whose positions and velocities those of the border and of attached
    /// points count.
    ///
    /// # Errors
    /// The [`Fault`] of a shell.
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
        self.touched.iter().for_each(|&row| self.impulses[row as usize] *= h);
        if let Some(w) = end_weight {
            let scale = JacobianScale { position: w * h * (w * h), velocity: w * h };
            self.add_stiffness(system, &kinematics, scale)?;
            self.reduce_attached(system, state, (w, h));
        }
        Ok(())
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
        system
            .for_selected(|part, it| it.add_forces(part, kinematics, velocity, &mut self.impulses))
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

    /// Adds the inertia and the drag of attached points, and hands all that acts on them to their masters.
    fn reduce_attached(&mut self, system: &CompiledModel, state: &State, (w, h): (f64, f64)) {
        let Self { attached: Some(points), impulses, matrix, .. } = self else { return };
        for &row in points.attached_rows() {
            let mass = system.masses()[row as usize];
            // m (u - x) = m (1 + s) u - m (x + s u), 1 + s = 1 / w.
            impulses[row as usize] += state.u[row as usize] * (mass / w);
            let own = Mat3::identity() * (mass + w * h * drag_at(system, row));
            let slot = system.pattern().diagonal(row as usize);
            add_block(matrix.values_mut(), slot, &own);
        }
        points.reduce_force(impulses);
        points.reduce(matrix);
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
