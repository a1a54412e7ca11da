//! Points of bodies that nothing but forces acts on, as those that muscles go through: a step needs no more of them than
//! the resultants of their forces, and where they are at its end.

use crate::Vec3;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdlePoint {
    /// Its number among the attached points, and its block row.
    pub(crate) number: u32,
    pub(crate) row: u32,
    /// Its body, and its place from the centre of mass, in the axes of the body [m].
    pub(crate) body: u32,
    pub(crate) arm: Vec3,
}

/// Those of a system, and the attached points that are left.
#[derive(Clone, Debug, Default)]
pub struct IdlePoints {
    pub(crate) points: Vec<IdlePoint>,
    /// Numbers of the other attached points, each after its masters.
    pub(super) order: Vec<u32>,
    /// The weights of these.
    pub(super) active_weights: Vec<u32>,
}

impl IdlePoints {
    /// True for each of `count` attached points that is idle.
    pub(super) fn flags(&self, count: usize) -> Vec<bool> {
        let mut flags = vec![false; count];
        self.points.iter().for_each(|it| flags[it.number as usize] = true);
        flags
    }
}
