//! What was compiled, brought up to date: numbers in place, or all anew with the state of what stays.

use std::collections::BTreeSet;

use super::check::check;
use super::compile::{self, Points};
use super::flat::Flat;
use super::{CompileError, CompiledModel, State};
use crate::Vec3;
use crate::component::{ComponentId, Invalidates, Kind};
use crate::model::{Affine, AxialSpring, Model};

/// How a compiled model was brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// It was.
    Current,
    /// Numbers were replaced: rows, pattern and state are as they were, and a solver goes on.
    Parameters,
    /// It was compiled anew, with the state of what stays. Rows and pattern may be others: it needs a
    /// new solver.
    Recompiled,
}

impl Model {
    /// Brings what was compiled from this model up to date, at the cost of what changed.
    ///
    /// # Errors
    /// [`CompileError`]; what was compiled is then as it was.
    pub fn refresh(
        &self,
        compiled: &mut CompiledModel,
        state: &mut State,
    ) -> Result<Refresh, CompileError> {
        let stale = self.changes().invalidated_since(compiled.seen);
        if stale.touches(Invalidates::STRUCTURE | Invalidates::GEOMETRY) {
            (*compiled, *state) = self.recompile(compiled, state)?;
            return Ok(Refresh::Recompiled);
        }
        if !stale.touches(Invalidates::PARAMETER | Invalidates::MASS) {
            compiled.seen = self.changes().now();
            return Ok(Refresh::Current);
        }
        if !self.update_springs(compiled) {
            self.update_forces(compiled)?;
        }
        compiled.seen = self.changes().now();
        Ok(Refresh::Parameters)
    }

    /// Compiles anew. Particles and nodes that were compiled before keep their state; those that were
    /// put elsewhere since start there, and those that were transformed are where the map takes them.
    ///
    /// # Errors
    /// [`CompileError`].
    pub fn recompile(
        &self,
        old: &CompiledModel,
        state: &State,
    ) -> Result<(CompiledModel, State), CompileError> {
        let mut new = self.compile()?;
        let mut next = new.initial_state();
        next.time = state.time;
        let before = Before { model: self, old, state };
        before.keep_particles(&mut new, &mut next);
        before.keep_tissues(&new, &mut next);
        Ok((new, next))
    }

    /// Puts new laws of springs into place; `false` when something else changed too.
    fn update_springs(&self, compiled: &mut CompiledModel) -> bool {
        let changes = || self.changes().since(compiled.seen).into_iter().flatten();
        let of_a_spring = |id: ComponentId| id.kind() == Kind::AxialSpring;
        let computed = Invalidates::PARAMETER | Invalidates::MASS;
        if changes().any(|c| c.invalidates.touches(computed) && !of_a_spring(c.id)) {
            return false;
        }
        if self.changes().since(compiled.seen).is_none() {
            return false;
        }
        let Some(springs) = &mut compiled.parts.forces.springs else { return false };
        for id in changes().map(|change| change.id) {
            let Some(handle) = id.typed::<AxialSpring>() else { continue };
            let place = compiled.points.places.springs.place(handle);
            if let (Some(place), Some(spring)) = (place, self.get(handle)) {
                springs.set_material(place, spring.law());
            }
        }
        true
    }

    /// Makes the forces anew, and the batches of tissues that changed, on the pattern that there is.
    fn update_forces(&self, compiled: &mut CompiledModel) -> Result<(), CompileError> {
        let flat = Flat::of(self);
        check(&flat)?;
        let parts = &mut compiled.parts;
        let points = Points {
            particle_rows: compiled.points.particle_rows.clone(),
            fem_rows: parts.fems.iter().map(|fem| fem.rows.clone()).collect(),
            rest: compiled.points.rest.clone(),
        };
        let changed: Option<BTreeSet<ComponentId>> =
            self.changes().since(compiled.seen).map(|changes| changes.map(|c| c.id).collect());
        for (f, handle) in flat.places.fems.handles().iter().enumerate() {
            if changed.as_ref().is_none_or(|changed| changed.contains(&handle.id())) {
                let batches = compile::batches_of(flat.fems[f], &points, f)?;
                let places = parts.fems[f].batches.clone();
                for (place, mut batch) in places.zip(batches) {
                    batch.bind(&parts.pattern, &parts.partition);
                    parts.fem_batches[place] = batch;
                }
            }
        }
        let masses = compile::masses_of(&flat, &points, &parts.fem_batches, &parts.fems);
        parts.forces = compile::forces_of(&flat, &points, &masses);
        parts.forces.bind(&parts.pattern, &parts.partition);
        compiled.points.masses = masses;
        Ok(())
    }
}

/// What was before a model was compiled anew.
struct Before<'a> {
    model: &'a Model,
    old: &'a CompiledModel,
    state: &'a State,
}

impl Before<'_> {
    /// Maps that a component went through since, in order.
    fn maps(&self, id: ComponentId) -> Vec<Affine> {
        let changes = self.model.changes().since(self.old.seen).into_iter().flatten();
        changes.filter(|c| c.id == id).filter_map(|c| c.map.as_deref().copied()).collect()
    }

    /// Position and velocity that row `from` had, taken along by `maps`.
    fn carried(&self, from: usize, maps: &[Affine]) -> (Vec3, Vec3) {
        let motion = (self.state.q[from], self.state.u[from]);
        maps.iter().fold(motion, |(q, u), map| (map.point(&q), map.linear * u))
    }

    /// Particles stay where they are; those that are held now are held there.
    fn keep_particles(&self, new: &mut CompiledModel, next: &mut State) {
        let mut held = Vec::new();
        for (handle, &row) in new.particles().iter().zip(&new.points.particle_rows) {
            let Some(place) = self.old.points.places.particles.place(*handle) else { continue };
            let (from, to) = (self.old.points.particle_rows[place] as usize, row as usize);
            let maps = self.maps_of_moved(from, to, new, handle.id());
            let start = (&self.old.points.initial, &new.points.initial);
            let (q, u) = self.carried(from, maps.as_deref().unwrap_or(&[]));
            if start.0.q[from] == start.1.q[to] || maps.is_some() {
                next.q[to] = q;
            }
            if start.0.u[from] == start.1.u[to] || maps.is_some() {
                next.u[to] = u;
            }
            if self.model.get(*handle).is_some_and(|particle| particle.fixed) {
                next.u[to] = Vec3::zeros();
                held.push(to);
            }
        }
        if held.iter().any(|&row| new.points.rest[row] != next.q[row]) {
            let rest = std::sync::Arc::make_mut(&mut new.points.rest);
            held.iter().for_each(|&row| rest[row] = next.q[row]);
        }
    }

    /// The maps of a component that starts elsewhere than before, if maps took it there.
    fn maps_of_moved(
        &self,
        from: usize,
        to: usize,
        new: &CompiledModel,
        id: ComponentId,
    ) -> Option<Vec<Affine>> {
        if self.old.points.initial.q[from] == new.points.initial.q[to] {
            return None;
        }
        Some(self.maps(id)).filter(|maps| !maps.is_empty())
    }

    /// Nodes of tissues keep their displacement; a transformed tissue goes along as a whole.
    fn keep_tissues(&self, new: &CompiledModel, next: &mut State) {
        for (handle, fem) in new.fems().iter().zip(&new.parts.fems) {
            let Some(place) = self.old.points.places.fems.place(*handle) else { continue };
            let before = &self.old.parts.fems[place];
            if before.rows.len() != fem.rows.len() {
                continue;
            }
            let maps = self.maps(handle.id());
            for (&from, &to) in before.rows.iter().zip(&fem.rows) {
                let (from, to) = (from as usize, to as usize);
                let (old_rest, rest) = (self.old.points.rest[from], new.points.rest[to]);
                let (q, u) = self.carried(from, &maps);
                let moved = if maps.is_empty() { rest - old_rest } else { Vec3::zeros() };
                (next.q[to], next.u[to]) = (q + moved, u);
            }
        }
    }
}
