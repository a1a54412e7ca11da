//! Names of rows, for messages.

use std::collections::BTreeMap;

use super::flat::Flat;
use super::numbering::Numbering;
use super::tissues::CompiledFem;
use crate::component::{ComponentType, Handle, ROOT};
use crate::model::Model;

/// Names of bodies and particles, in the order of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct PointNames {
    bodies: PathList,
    particles: PathList,
}

/// Paths that share most of what they begin with: there may be very many in one container, and few are read.
#[derive(Clone, Debug, Default)]
struct PathList {
    /// Paths of the containers.
    homes: Vec<String>,
    /// Steps from there, one after the other.
    steps: String,
    /// Place of the container and end of the step of each.
    ends: Vec<(u32, usize)>,
}

impl PathList {
    fn of<T: ComponentType>(model: &Model, handles: &[Handle<T>]) -> Self {
        let mut list = Self { ends: Vec::with_capacity(handles.len()), ..Self::default() };
        let mut known = BTreeMap::new();
        for handle in handles {
            let parent = model.parent(handle.id()).unwrap_or(ROOT);
            let (home, steps) = known.entry(parent).or_insert_with(|| {
                list.homes.push(model.path(parent));
                (list.homes.len() as u32 - 1, model.steps_below(parent).into_iter())
            });
            // Both are in the order of the tree.
            let step = steps.find(|(id, _)| *id == handle.id());
            list.steps.extend(step.map(|(_, step)| step));
            list.ends.push((*home, list.steps.len()));
        }
        list
    }

    fn get(&self, place: usize) -> Option<String> {
        let &(home, end) = self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let home = self.homes[home as usize].trim_end_matches('/');
        Some(format!("{home}/{}", &self.steps[start..end]))
    }
}

impl PointNames {
    pub(super) fn of(flat: &Flat<'_>) -> Self {
        Self {
            bodies: PathList::of(flat.model, flat.places.bodies.handles()),
            particles: PathList::of(flat.model, flat.places.particles.handles()),
        }
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
            self.bodies.get(body_rows.iter().position(is_its)?)
        };
        let particle = || {
            let place = particle_rows.iter().position(|&r| r as usize == row)?;
            self.particles.get(place)
        };
        node.or_else(body).or_else(particle).unwrap_or_else(|| format!("row {row}"))
    }
}
