//! Names of rows, for messages.

use super::flat::Flat;
use super::numbering::Numbering;
use super::tissues::CompiledFem;

/// Paths of bodies and particles, in the order of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct PointNames {
    bodies: Vec<String>,
    particles: Vec<String>,
}

impl PointNames {
    pub(super) fn of(flat: &Flat<'_>) -> Self {
        let bodies = flat.places.bodies.handles().iter().map(|&it| flat.model.path(it));
        let particles = flat.places.particles.handles().iter().map(|&it| flat.model.path(it));
        Self { bodies: bodies.collect(), particles: particles.collect() }
    }

    /// The point or the body of a row.
    pub(super) fn describe(
        &self,
        (numbering, fems): (&Numbering, &[CompiledFem]),
        row: usize,
    ) -> String {
        let Numbering { fem_rows, body_rows, particle_rows, .. } = numbering;
        let node = fems.iter().zip(fem_rows).find_map(|(fem, rows)| {
            let node = rows.iter().position(|&r| r as usize == row)?;
            Some(format!("node {node} of '{}'", fem.name))
        });
        let body = || {
            let is_its = |&r: &u32| (r as usize..r as usize + 2).contains(&row);
            self.bodies.get(body_rows.iter().position(is_its)?).cloned()
        };
        let particle = || {
            let place = particle_rows.iter().position(|&r| r as usize == row)?;
            self.particles.get(place).cloned()
        };
        node.or_else(body).or_else(particle).unwrap_or_else(|| format!("row {row}"))
    }
}
