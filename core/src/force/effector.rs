//! Force effectors, and the partition of the system's rows among threads.
//!
//! Threads own ranges of rows. Each adds, element after element, what falls into its rows, and
//! computes the elements on the border of two ranges twice. So no two threads write to one place,
//! every row is summed in the same order whatever the number of threads, and no element matrix is
//! ever stored.

use std::ops::Range;

use super::{EffectorView, ExcitationSource, ExcitedStep};
use crate::Vec3;
use crate::linalg::BlockPattern;
use crate::state::{LoadCase, Motion};

/// The configuration that forces are evaluated at.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<'a> {
    /// Time of schedules, and the fraction of loads that is applied.
    pub load: LoadCase,
    /// Positions, velocities, and the memory of forces.
    pub motion: Motion<'a>,
}

/// Part that the terms of a force that are linear in velocity have in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityTerms {
    /// f(q, u).
    Included,
    /// f(q, u) - (df/du) u: linearized implicit steps carry the rest in their matrix.
    Excluded,
}

/// Factors of the Jacobians in S = ... - position df/dq - velocity df/du.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JacobianScale {
    /// Factor of -df/dq [s²], or 1 in statics.
    pub position: f64,
    /// Factor of -df/du [s].
    pub velocity: f64,
}

/// Errors of the evaluation of forces.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// An element is inverted where its material has no meaning.
    Inverted {
        /// Name of the tissue.
        fem: String,
        /// Element in its mesh.
        element: usize,
        /// det F at its worst point.
        volume_ratio: f64,
        /// Position of the element in its batch: of several faults the first is reported, whatever
        /// thread found it.
        place: usize,
    },
    /// An element is inverted so far that it has no rotation which its forces could turn with.
    Unoriented {
        /// Name of the tissue.
        fem: String,
        /// Element in its mesh.
        element: usize,
        /// Position of the element in its batch.
        place: usize,
    },
}

impl Fault {
    /// Position in its batch of what is at fault.
    pub(crate) fn place(&self) -> usize {
        match self {
            Self::Inverted { place, .. } | Self::Unoriented { place, .. } => *place,
        }
    }
}

/// One range of rows, owned by one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number.
    pub index: usize,
    /// Its block rows.
    pub rows: Range<u32>,
    /// The first slot of its rows in the matrix.
    pub first_slot: usize,
}

impl Part {
    /// Position of block row `row` in the slices of this part, if it owns it.
    #[inline(always)]
    pub fn local(&self, row: u32) -> Option<usize> {
        self.rows.contains(&row).then(|| (row - self.rows.start) as usize)
    }
}

/// All rows, cut into contiguous ranges of about equal numbers of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPartition {
    parts: Vec<Part>,
    selection: Option<Selection>,
}

/// A further part of all rows, for the items alone that touch some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Selection {
    part: Part,
    /// True for the rows whose items it has.
    rows: Vec<bool>,
}

impl RowPartition {
    /// `count` parts of the rows of `pattern` (fewer when there are fewer rows).
    pub fn new(pattern: &BlockPattern, count: usize) -> Self {
        let offsets = pattern.offsets();
        let total = pattern.block_count();
        let mut bounds: Vec<usize> = (0..=count.max(1))
            .map(|k| offsets.partition_point(|&o| (o as usize) < total * k / count.max(1)))
            .map(|row| row.min(pattern.size()))
            .collect();
        *bounds.last_mut().expect("two bounds at least") = pattern.size();
        bounds.dedup();
        let parts = bounds
            .windows(2)
            .enumerate()
            .map(|(index, w)| Part {
                index,
                rows: w[0] as u32..w[1] as u32,
                first_slot: offsets[w[0]] as usize,
            })
            .collect();
        Self { parts, selection: None }
    }

    /// The same with a further part of all rows, to which the items belong that touch some of these: of those alone forces are
    /// computed with it.
    #[must_use]
    pub(crate) fn with_selection(mut self, selected: impl IntoIterator<Item = u32>) -> Self {
        let count = self.parts.last().map_or(0, |last| last.rows.end);
        let mut rows = vec![false; count as usize];
        selected.into_iter().for_each(|row| rows[row as usize] = true);
        let part = Part { index: self.parts.len(), rows: 0..count, first_slot: 0 };
        self.selection = rows.contains(&true).then_some(Selection { part, rows });
        self
    }

    /// The part of the items that touch selected rows; `None` where none are selected.
    pub(crate) fn selected(&self) -> Option<&Part> {
        self.selection.as_ref().map(|selection| &selection.part)
    }

    /// True if an item touches selected rows; one at the ground has a row that is nowhere.
    pub(crate) fn selects(&self, item: &[u32]) -> bool {
        let is_selected = |it: &Selection, row: u32| it.rows.get(row as usize) == Some(&true);
        let any = |it: &Selection| item.iter().any(|&row| is_selected(it, row));
        self.selection.as_ref().is_some_and(any)
    }

    /// The parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// For every part the items (elements, springs) that touch its rows, in rising order; that of a selection comes last.
    pub(crate) fn assign<'n>(&self, items: impl Iterator<Item = &'n [u32]>) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); self.parts.len() + usize::from(self.selection.is_some())];
        for (item, rows) in items.enumerate() {
            for part in &self.parts {
                if rows.iter().any(|r| part.rows.contains(r)) {
                    lists[part.index].push(item as u32);
                }
            }
            if self.selects(rows) {
                lists[self.parts.len()].push(item as u32);
            }
        }
        lists
    }
}

/// A number that forces depend on beside the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceNumber {
    /// A number of the memory that a step began with.
    Memory(usize),
    /// An excitation, more over all of the step.
    Excitation(ExcitationSource),
}

/// Derivatives of the memory at the end of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemorySlopes {
    /// Numbers of the memory, those at the start that they depend on, and the derivatives.
    pub by_memory: Vec<(usize, usize, f64)>,
    /// Numbers of the memory, block rows whose position at the end they follow, and the derivatives.
    pub by_position: Vec<(usize, usize, Vec3)>,
}

/// A batch of forces of one kind. Its position Jacobian is symmetric.
///
/// `forces` and `blocks` passed to the `add_*` methods are the slices that belong to `part`: entry 0
/// of `forces` is row `part.rows.start`, the first 9 scalars of `blocks` are slot
/// `part.first_slot`. An implementation adds what concerns the rows of the part, and only that.
///
/// A force that couples no rows, or depends on neither position nor velocity, leaves the methods
/// that it does not need as they are here.
pub trait ForceEffector: Send + Sync {
    /// Hands every group of coupled rows to `visit`.
    fn visit_cliques(&self, visit: &mut dyn FnMut(&[u32])) {
        let _ = visit;
    }

    /// Hands groups of rows to `visit` that have all rows which it acts on, where its view is [`EffectorView::Border`].
    fn visit_rows(&self, visit: &mut dyn FnMut(&[u32])) {
        self.visit_cliques(visit);
    }

    /// Looks up, once, the slots of its blocks and the items of each part.
    fn bind(&mut self, pattern: &BlockPattern, partition: &RowPartition) {
        let _ = (pattern, partition);
    }

    /// Adds forces [N].
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_forces(
        &self,
        part: &Part,
        kinematics: &Kinematics,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault>;

    /// Adds `-scale.position df/dq - scale.velocity df/du`.
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_jacobian(
        &self,
        part: &Part,
        kinematics: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let _ = (part, kinematics, scale, blocks);
        Ok(())
    }

    /// Adds the symmetric part of what [`add_jacobian`](Self::add_jacobian) leaves out of the turns of elements: Newton's
    /// method converges faster with it.
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_jacobian_of_turns(
        &self,
        part: &Part,
        kinematics: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let _ = (part, kinematics, scale, blocks);
        Ok(())
    }

    /// Adds what [`add_jacobian`](Self::add_jacobian) leaves out that is not symmetric, where it has a closed form: the
    /// derivatives of rates and moments by positions. Only derivatives of steps ask for it.
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_jacobian_of_rates(
        &self,
        part: &Part,
        kinematics: &Kinematics,
        scale: JacobianScale,
        blocks: &mut [f64],
    ) -> Result<(), Fault> {
        let _ = (part, kinematics, scale, blocks);
        Ok(())
    }

    /// Adds the derivative of the forces by a number that they depend on beside the motion.
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_forces_by(
        &self,
        part: &Part,
        kinematics: &Kinematics,
        number: ForceNumber,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        let _ = (part, kinematics, number, forces);
        Ok(())
    }

    /// Adds the derivatives of its memory at the end of a step.
    fn add_memory_slopes(&self, kinematics: &Kinematics, slopes: &mut MemorySlopes) {
        let _ = (kinematics, slopes);
    }

    /// Adds the derivatives of its memory at the end of a step, one a number of all memory, by what `source` excites over it.
    fn add_memory_by_excitation(
        &self,
        kinematics: &Kinematics,
        source: ExcitationSource,
        memory: &mut [f64],
    ) {
        let _ = (kinematics, source, memory);
    }

    /// Adds the derivative by an excitation of h f - (S - M) y, the impulses [N s] of its forces in a step of backward
    /// Euler; where `source` excites none of its forces, nothing.
    ///
    /// # Errors
    /// A [`Fault`] where the force has no value.
    fn add_excitation_impulses(
        &self,
        part: &Part,
        source: ExcitationSource,
        step: &ExcitedStep,
        impulses: &mut [Vec3],
    ) -> Result<(), Fault> {
        let _ = (part, source, step, impulses);
        Ok(())
    }

    /// Refuses a step between positions [m] whose end its forces have no value at, or whose deformation is too large
    /// for one step, before it is accepted.
    ///
    /// # Errors
    /// The first [`Fault`].
    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        let _ = (start, end);
        Ok(())
    }

    /// True if its Jacobians leave out how its directions turn: rotations of elements, directions of dampers.
    fn leaves_out_turns(&self) -> bool {
        false
    }

    /// Energy stored by deformation [J].
    fn strain_energy(&self, q: &[Vec3]) -> f64 {
        let _ = q;
        0.0
    }

    /// Its data, for a backend that computes forces by itself.
    fn view(&self) -> EffectorView<'_> {
        EffectorView::Other("forces that only the CPU has")
    }
}
