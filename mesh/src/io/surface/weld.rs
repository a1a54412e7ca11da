//! Corners that are given by their coordinates, as in STL: those at the same place are one point.

use std::collections::HashMap;

use super::builder::SurfaceBuilder;
use crate::io::error::Problem;

/// Finds the points of a surface by their coordinates, exactly.
#[derive(Default)]
pub(super) struct KnownPoints {
    known: HashMap<[u64; 3], u32>,
}

impl KnownPoints {
    /// The index of the point at `at`, which is appended if it is new.
    pub(super) fn point(
        &mut self,
        builder: &mut SurfaceBuilder,
        at: [f64; 3],
    ) -> Result<u32, Problem> {
        // Adding zero makes -0 and 0 the same.
        let key = at.map(|x| (x + 0.0).to_bits());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        builder.add_point(at)?;
        let index = builder.points.len() as u32 - 1;
        self.known.insert(key, index);
        Ok(index)
    }
}
