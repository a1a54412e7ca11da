//! `Model` to `CompiledModel`: a line of parts, each made of those before it.

use std::sync::Arc;

use super::State;
use super::attachments::named;
use super::bodies::{self, Attached, set_free_rotations};
use super::check::{CompileError, check};
use super::collision_things::{Fixation, Source};
use super::collisions;
use super::compiled::{CompiledModel, Parts, Points};
use super::flat::Flat;
use super::forces::{Forces, forces_of};
use super::markers::set_moving;
use super::multibody::Multibody;
use super::numbering::{Numbering, number};
use super::point_names::PointNames;
use super::prescribed_body::PrescribedBody;
use super::rows::{self, RowOwners, actuators_of, coordinate_springs_of};
use super::shells::{CompiledShell, shells_of};
use super::supports::{self, Support, fixed_by, initial_state};
use super::tissues::{self, Tissues, check_masses, masses_of};
use crate::Vec3;
use crate::component::Seen;
use crate::force::RowPartition;
use crate::linalg::BlockPattern;
use crate::model::Model;

impl Model {
    /// Flat arrays, index maps and pattern of this model, and its state at the start.
    ///
    /// Rows are shared out among the threads of the current rayon pool; the results do not depend
    /// on their number.
    ///
    /// # Errors
    /// [`CompileError`] names the component and the number that is wrong.
    pub fn compile(&self) -> Result<CompiledModel, CompileError> {
        compile(self, Known::default())
    }

    /// The same for a model that has come of the one of `old` by the changes in its log: those alone are checked.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub(super) fn compile_after(&self, old: &CompiledModel) -> Result<CompiledModel, CompileError> {
        compile(self, Known { sound: Some(old.seen), ..Known::default() })
    }

    /// The same with the rows of `known`, a model whose points are the same in other places: rows follow rest positions.
    ///
    /// # Errors
    /// As [`Self::compile`].
    pub(crate) fn compile_on_rows_of(
        &self,
        known: &CompiledModel,
    ) -> Result<CompiledModel, CompileError> {
        compile(self, Known { rows: Some(&known.points.numbering), ..Known::default() })
    }
}

/// Forces of a model, with those on coordinates and in shells.
fn all_forces_of(
    flat: &Flat<'_>,
    points: &Numbering,
    masses: (&[f64], &[f64]),
    (multibody, shells): (&Multibody, Vec<CompiledShell>),
) -> Result<Forces, CompileError> {
    let Multibody { bodies, joints, .. } = multibody;
    let mut forces = forces_of(flat, points, masses, (bodies, joints))?;
    forces.add_actuators(actuators_of(flat, joints));
    forces.add_springs(coordinate_springs_of(flat, joints));
    forces.shells = shells;
    Ok(forces)
}

/// Flags of what moves of itself, and of which bodies turn freely.
fn set_motions(flat: &Flat, numbering: &Numbering, multibody: &mut Multibody) {
    set_moving(flat, numbering, multibody);
    set_free_rotations(flat, multibody);
}

/// Parts of a model that are known before it is compiled.
#[derive(Default)]
struct Known<'k> {
    /// Rows of its points.
    rows: Option<&'k Numbering>,
    /// Place in its log at which all of its components were sound.
    sound: Option<Seen>,
}

/// The line of parts.
fn compile(model: &Model, known: Known<'_>) -> Result<CompiledModel, CompileError> {
    let flat = Flat::of(model);
    check(&flat, known.sound)?;
    let mut numbering = number(&flat, known.rows);
    let (tissues, shells) = (tissues::compile(&flat, &numbering)?, shells_of(&flat, &numbering)?);
    let lumped = masses_of(&flat, &numbering, &tissues, &shells);
    let supports = supports::compile(&flat, &numbering);
    check_masses(&flat, &lumped, &supports, &numbering)?;
    let mut fixed = fixed_by(&supports, lumped.len());
    let attached = bodies::attach(&flat, &mut numbering, &lumped, &fixed)?;
    let joints = rows::compile(&flat, &numbering, &attached.bodies)?;
    let (points, bodies) = (&numbering, &attached.bodies);
    let fixation = &Fixation::of(&attached, &fixed);
    let contacts = collisions::compile(Source { flat: &flat, points, bodies, fixation })?;
    attached.fix(&mut fixed);
    let Attached { bodies, attachments, prescribed, inertial, has_tissue } = attached;
    let mut multibody = Multibody { bodies, attachments, joints, contacts: contacts.setup };
    set_motions(&flat, &numbering, &mut multibody);
    let forces = all_forces_of(&flat, &numbering, (&lumped, &inertial), (&multibody, shells))?;
    let pattern = pattern_of(numbering.rest.len(), &tissues, &forces, &multibody);
    let parts = Parts::bind(tissues, forces, multibody, (pattern, &fixed))
        .map_err(|error| named(&flat, &numbering, error))?;
    let points = Points {
        initial: start_of(&flat, &numbering, &parts, (&supports, &prescribed)),
        names: PointNames::of(&flat),
        row_owners: RowOwners::of(&flat),
        contact_owners: contacts.owners,
        places: flat.places,
        masses: inertial,
        numbering,
        lumped,
        has_tissue,
        fixed,
        prescribed,
        supports,
    };
    Ok(CompiledModel::new(parts, points, (model.changes().now(), model.may_create_energy())))
}

/// The sparsity pattern of a system: a clique of rows for each element, force and constraint.
fn pattern_of(
    size: usize,
    tissues: &Tissues,
    forces: &Forces,
    multibody: &Multibody,
) -> Arc<BlockPattern> {
    Arc::new(BlockPattern::from_cliques(size, |visit| {
        tissues.batches.iter().for_each(|b| b.visit_cliques(visit));
        forces.effectors().for_each(|e| e.visit_cliques(visit));
        multibody.visit_cliques(visit);
    }))
}

impl Parts {
    /// Gives every part its slots in the matrix. Attached points extend the pattern by the couplings of their masters.
    fn bind(
        mut tissues: Tissues,
        mut forces: Forces,
        mut multibody: Multibody,
        (mut pattern, fixed): (Arc<BlockPattern>, &[[bool; 3]]),
    ) -> Result<Self, crate::attachment::AttachmentError> {
        let multibody = match multibody.is_empty() {
            true => None,
            false => {
                multibody.attachments.resolve(&pattern, fixed)?;
                pattern = multibody.attachments.resolved.pattern().clone();
                Some(multibody)
            }
        };
        let partition = RowPartition::new(&pattern, part_count(&tissues, &pattern));
        let partition =
            partition.with_selection(multibody.iter().flat_map(|it| tied_rows_of(it, fixed)));
        tissues.batches.iter_mut().for_each(|b| b.bind(&pattern, &partition));
        forces.bind(&pattern, &partition);
        tissues.place_memory(forces.memory_len());
        Ok(Self { tissues, forces, pattern, partition, multibody })
    }

    /// Memory at rest at these positions [m], with the excitations of a time [s]: springs and muscles in balance, all
    /// stresses relaxed.
    pub(super) fn memory_at_rest(&self, q: &[Vec3], time: f64) -> Vec<f64> {
        let mut memory = self.forces.memory_at_rest(q, time);
        memory.resize(memory.len() + self.tissues.memory_len(), 0.0);
        self.tissues.relax(q, &mut memory);
        memory
    }
}

/// Rows that follow points, or bodies that forces move: elements at them are computed apart where a device keeps the others.
fn tied_rows_of<'m>(
    multibody: &'m Multibody,
    fixed: &'m [[bool; 3]],
) -> impl Iterator<Item = u32> + 'm {
    let attachments = &multibody.attachments;
    let moves = |k: usize| {
        let mut masters = attachments.resolved.resolved(k).0.iter();
        attachments.follows_points(k) || masters.any(|&row| fixed[row as usize] != [true; 3])
    };
    let rows = attachments.list.attached_rows().iter().enumerate();
    rows.filter(move |&(k, _)| moves(k)).map(|(_, &row)| row)
}

/// Blocks of the matrix that a thread takes at least where there are no tissues: waking it costs some 10 us, as many as
/// the springs of a thousand blocks.
const BLOCKS_A_PART: usize = 8192;

/// Number of parts that the rows are cut into: one a thread, where there is work for it.
fn part_count(tissues: &Tissues, pattern: &BlockPattern) -> usize {
    let threads = rayon::current_num_threads();
    match tissues.batches.is_empty() {
        true => threads.min(1 + pattern.block_count() / BLOCKS_A_PART),
        false => threads,
    }
}

/// The state at the start.
fn start_of(
    flat: &Flat<'_>,
    numbering: &Numbering,
    parts: &Parts,
    (supports, prescribed): (&[Support], &[PrescribedBody]),
) -> State {
    let mut initial = initial_state(flat, numbering, supports);
    if let Some(multibody) = &parts.multibody {
        bodies::start(multibody, flat, prescribed, &mut initial);
    }
    // By where things begin, which is not where they rest for what is prescribed.
    initial.memory = parts.memory_at_rest(&initial.q, 0.0);
    initial
}
