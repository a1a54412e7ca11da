//! From one compiled model to the next: the state of components that stay, were moved, or come back
//! after a deletion.

use std::collections::{BTreeMap, VecDeque};

use super::carry_bodies::{self, BodyMotion, near};
use super::{CompiledModel, State};
use crate::component::{Affine, ComponentId};
use crate::fem::{FemBatch, StressMemory};
use crate::material::polar_rotation;
use crate::model::{Model, Particle, RigidBody};
use crate::{Mat3, Vec3};

/// Maps that components went through, in order.
pub(super) type Maps = BTreeMap<ComponentId, Vec<Affine>>;

/// Rows of deleted components that are remembered at least; beyond that, as many as the model has.
const REMEMBERED: usize = 10_000;

/// Positions [m] and velocities [m/s] of components that were deleted while the model ran, the
/// longest gone first.
#[derive(Clone, Debug, Default)]
pub(super) struct Departed {
    motions: VecDeque<(ComponentId, Vec<(Vec3, Vec3)>)>,
    rows: usize,
}

impl Departed {
    fn add(&mut self, id: ComponentId, motion: Vec<(Vec3, Vec3)>) {
        self.rows += motion.len();
        self.motions.push_back((id, motion));
    }

    /// Puts those that are back where they were, and forgets the oldest of the others where they are
    /// too many.
    fn bring_back(&mut self, old: &CompiledModel, new: &mut CompiledModel, next: &mut State) {
        self.motions.retain(|(id, motion)| {
            let body = id.typed::<RigidBody>().and_then(|h| new.points.places.bodies.place(h));
            let Some(place) = body else { return true };
            if let Some(motion) = BodyMotion::from_list(motion) {
                carry_bodies::put(new, place, motion, next);
            }
            false
        });
        let back = |id: ComponentId| -> Option<&[u32]> {
            if let Some(handle) = id.typed::<Particle>() {
                let place = new.points.places.particles.place(handle)?;
                return Some(&new.points.numbering.particle_rows[place..=place]);
            }
            let place = new.points.places.fems.place(id.typed()?)?;
            Some(&new.points.numbering.fem_rows[place])
        };
        let most = old.block_count().max(REMEMBERED);
        self.motions.retain(|(id, motion)| {
            let Some(rows) = back(*id) else { return true };
            if rows.len() == motion.len() {
                for (&row, (q, u)) in rows.iter().zip(motion) {
                    (next.q[row as usize], next.u[row as usize]) = (*q, *u);
                }
            }
            false
        });
        self.rows = self.motions.iter().map(|(_, motion)| motion.len()).sum();
        while self.rows > most {
            self.rows -= self.motions.pop_front().map_or(self.rows, |(_, motion)| motion.len());
        }
    }
}

/// Model, compiled model and state before a new compilation.
pub(super) struct Before<'a> {
    pub(super) model: &'a Model,
    pub(super) old: &'a CompiledModel,
    pub(super) state: &'a State,
}

impl Before<'_> {
    /// Takes everything that stays along into what was compiled anew, and remembers what goes.
    pub(super) fn carry_over(&self, new: &mut CompiledModel, next: &mut State) {
        let mut departed = self.departures(new);
        departed.bring_back(self.old, new, next);
        new.departed = departed;
        let maps = self.maps();
        self.keep_particles(new, next, &maps);
        self.keep_tissues(new, next, &maps);
        self.keep_bodies(new, next, &maps);
        self.keep_attached(new, next);
        self.keep_coordinates(new, next);
        self.keep_multipliers(new, next);
        self.keep_memory(new, next);
        self.keep_stresses(new, next, &maps);
    }

    /// Springs remember what they did, as long as they are of the same law; new ones are at rest where
    /// they are.
    fn keep_memory(&self, new: &CompiledModel, next: &mut State) {
        next.memory = new.parts.memory_at_rest(&next.q, next.time);
        let (before, after) = (&self.old.points.places, &new.points.places);
        let muscles = (&self.old.parts.forces.muscles, &new.parts.forces.muscles);
        if let (Some(old), Some(now)) = muscles {
            for (k, &bundle) in after.bundles.handles().iter().enumerate() {
                let place = before.bundles.place(bundle).map(|place| old.memory_of(place));
                if let Some(known) = place.and_then(|place| self.state.memory.get(place)) {
                    next.memory[now.memory_of(k)] = *known;
                }
            }
        }
        let springs = (&self.old.parts.forces.springs, &new.parts.forces.springs);
        let (Some(old), Some(now)) = springs else { return };
        let axial = after.springs.handles().iter().map(|&spring| before.springs.place(spring));
        let lines = after.multi_point_springs.handles().iter().map(|line| before.line(line.id()));
        for (place, before) in axial.chain(lines).enumerate() {
            let Some(before) = before else { continue };
            let known = self.state.memory.get(old.memory_of(before));
            if let (Some(known), true) = (known, old.remembers_like(before, now, place)) {
                next.memory[now.memory_of(place)].copy_from_slice(known);
            }
        }
    }

    /// Tissues remember their stresses, element by element, as long as these relax in the same way; they turn with a tissue
    /// that was turned.
    fn keep_stresses(&self, new: &CompiledModel, next: &mut State, maps: &Maps) {
        for (place, handle) in new.fems().iter().enumerate() {
            let Some(before) = self.old.points.places.fems.place(*handle) else { continue };
            let tissue = |system: &CompiledModel, place: usize| {
                let fem = &system.parts.tissues.fems[place];
                (fem.element_count, fem.batches.clone())
            };
            let ((old_count, old), (count, now)) = (tissue(self.old, before), tissue(new, place));
            if old_count != count {
                continue;
            }
            let known = remembered(&self.old.parts.tissues.batches[old], &self.state.memory);
            let maps = maps.get(&handle.id()).map_or(&[][..], Vec::as_slice);
            // Nodes of elements that are mirrored stand in another order.
            if maps.iter().any(|map| map.linear.determinant() <= 0.0) {
                continue;
            }
            let turn = maps.iter().fold(Mat3::identity(), |turn, map| match map.is_rigid() {
                true => map.linear * turn,
                false => polar_rotation(&map.linear) * turn,
            });
            for batch in &new.parts.tissues.batches[now] {
                let Some(memory) = batch.memory() else { continue };
                for (k, element) in batch.elements().iter().enumerate() {
                    let Some((other, numbers)) = known.get(element) else { continue };
                    if memory.is_like(other) {
                        memory.put(k, numbers, &turn, &mut next.memory);
                    }
                }
            }
        }
    }

    /// Maps that components went through since.
    fn maps(&self) -> Maps {
        let mut maps = Maps::new();
        for change in self.model.changes().since(self.old.seen).into_iter().flatten() {
            if let Some(map) = change.map.as_deref() {
                maps.entry(change.id).or_default().push(*map);
            }
        }
        maps
    }

    /// Those of before, and what was compiled then and is not now.
    fn departures(&self, new: &CompiledModel) -> Departed {
        let mut departed = self.old.departed.clone();
        let motion = |&row: &u32| (self.state.q[row as usize], self.state.u[row as usize]);
        let old = self.old;
        for (handle, row) in old.particles().iter().zip(&old.points.numbering.particle_rows) {
            if new.points.places.particles.place(*handle).is_none() {
                departed.add(handle.id(), vec![motion(row)]);
            }
        }
        for &handle in old.bodies() {
            if let (None, Some(body)) = (new.body_rows(handle), old.body_rows(handle)) {
                departed.add(handle.id(), BodyMotion::of(body, self.state).to_list());
            }
        }
        for (handle, rows) in old.fems().iter().zip(&old.points.numbering.fem_rows) {
            if new.points.places.fems.place(*handle).is_none() {
                departed.add(handle.id(), rows.iter().map(motion).collect());
            }
        }
        departed
    }

    /// Position and velocity that row `from` had, taken along by `maps`.
    fn transferred(&self, from: usize, maps: &[Affine]) -> (Vec3, Vec3) {
        let motion = (self.state.q[from], self.state.u[from]);
        maps.iter().fold(motion, |(q, u), map| (map.point(&q), map.linear * u))
    }

    /// Particles stay where they are; those that forces do not move go on from there, or are where their
    /// keyframes have them.
    fn keep_particles(&self, new: &mut CompiledModel, next: &mut State, maps: &Maps) {
        let mut prescribed = Vec::new();
        for (handle, &row) in new.particles().iter().zip(&new.points.numbering.particle_rows) {
            let Some(place) = self.old.points.places.particles.place(*handle) else { continue };
            let (from, to) =
                (self.old.points.numbering.particle_rows[place] as usize, row as usize);
            let moved = self.old.points.initial.q[from] != new.points.initial.q[to];
            let maps = maps.get(&handle.id()).filter(|_| moved);
            let start = (&self.old.points.initial, &new.points.initial);
            let (q, u) = self.transferred(from, maps.map_or(&[], Vec::as_slice));
            if start.0.q[from] == start.1.q[to] || maps.is_some() {
                next.q[to] = q;
            }
            if start.0.u[from] == start.1.u[to] || maps.is_some() {
                next.u[to] = u;
            }
            let particle = self.model.get(*handle).filter(|particle| particle.fixed);
            if let Some(particle) = particle {
                let was_prescribed = self.old.points.fixed[from] == [true; 3];
                prescribed.push((to, particle, was_prescribed));
            }
        }
        prescribed.into_iter().for_each(|(row, particle, was_prescribed)| {
            go_on(new, next, row, (particle, was_prescribed));
        });
    }

    /// Nodes of tissues keep their displacement; a transformed tissue goes along as a whole.
    fn keep_tissues(&self, new: &CompiledModel, next: &mut State, maps: &Maps) {
        for (handle, rows) in new.fems().iter().zip(&new.points.numbering.fem_rows) {
            let Some(place) = self.old.points.places.fems.place(*handle) else { continue };
            let before = &self.old.points.numbering.fem_rows[place];
            if before.len() != rows.len() {
                continue;
            }
            let maps = maps.get(&handle.id()).map_or(&[][..], Vec::as_slice);
            for (&from, &to) in before.iter().zip(rows) {
                let (from, to) = (from as usize, to as usize);
                let (old_rest, rest) =
                    (self.old.points.numbering.rest[from], new.points.numbering.rest[to]);
                let (q, u) = self.transferred(from, maps);
                let moved = if maps.is_empty() { rest - old_rest } else { Vec3::zeros() };
                (next.q[to], next.u[to]) = (q + moved, u);
            }
        }
    }
}

/// Stresses of the elements of these batches in the memory of a state, by their index in the mesh.
fn remembered<'m>(
    batches: &'m [Box<dyn FemBatch>],
    memory: &'m [f64],
) -> BTreeMap<u32, (&'m StressMemory, &'m [f64])> {
    let mut known = BTreeMap::new();
    for batch in batches {
        let Some(own) = batch.memory() else { continue };
        let Some(numbers) = memory.get(own.range()) else { continue };
        let elements = batch.elements().iter().zip(numbers.chunks(own.element_len()));
        known.extend(elements.map(|(&element, numbers)| (element, (own, numbers))));
    }
    known
}

/// Leads a particle on from where it is, at the velocity that its model has, or through its keyframes.
fn go_on(
    new: &mut CompiledModel,
    next: &mut State,
    row: usize,
    (particle, was_prescribed): (&Particle, bool),
) {
    let time = next.time;
    if particle.keyframes.is_empty() {
        next.u[row] = particle.velocity;
        let origin = next.q[row] - particle.velocity * time;
        // What moves goes on to the bit where it is prescribed but for rounding.
        let rests = particle.velocity == Vec3::zeros();
        if (rests && new.points.numbering.rest[row] != origin)
            || !near(&new.points.numbering.rest[row], &origin)
        {
            std::sync::Arc::make_mut(&mut new.points.numbering.rest)[row] = origin;
        }
        return;
    }
    if !was_prescribed {
        next.u[row] = Vec3::zeros();
    }
    for support in new.points.supports.iter().filter(|support| support.row as usize == row) {
        let displacement = support.displacement * support.schedule.at(time);
        next.q[row][support.axis] = new.points.numbering.rest[row][support.axis] + displacement;
    }
}
