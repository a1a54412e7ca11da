//! Views on what a compiled model has of a border of tissue, and what of it no border takes, for a backend that steps tissue elsewhere.

use super::border::border_effectors;
use super::border_bodies::moved_bodies;
use super::{BorderForces, DeviceView, MechSystem, State, Weight};
use crate::attachment::Attachments;
use crate::force::{TissueBatch, TissuePressures};

/// Rows and ranges that a border takes at most: each has a response of all tissue, a solve of its own.
const MOST_ROWS: usize = 32;

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
        if let Some(multibody) = system.multibody() {
            let joints = &multibody.joints;
            touched.extend(joints.rows.lists().iter().chain(joints.unilateral.lists()).flatten());
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

    /// Numbers of the bilateral rows, of the ranges and of the locks along paths that a border does not take: all rows and ranges where
    /// they are many, where one is the volume inside of a surface, or where there is no tissue; all locks.
    pub fn rows_beyond_border(self) -> [usize; 3] {
        let Some(multibody) = self.system.multibody() else { return [0; 3] };
        let joints = &multibody.joints;
        let counts = [joints.rows.count(), joints.unilateral.count()];
        let are_beyond = counts.iter().sum::<usize>() > MOST_ROWS
            || joints.rows.has_volumes()
            || self.tissue_batches().next().is_none();
        let [rows, ranges] = if are_beyond { counts } else { [0; 2] };
        [rows, ranges, joints.paths.len()]
    }

    /// Brings the memory of springs and muscles up to date after the step [s] that led to the motion of a state, before its
    /// time is advanced. Of positions and velocities it takes those of the border.
    pub fn advance_memory(self, step: f64, state: &mut State) {
        self.system.parts.forces.advance_memory(step, state);
    }
}
