//! Update of a compiled model after edits: numbers in place, or all anew with the state of the
//! components that stay.

use std::collections::BTreeSet;

use super::bodies::set_free_rotations;
use super::carry::Before;
use super::check::check;
use super::closed_volumes;
use super::collision_layers::layers_of;
use super::compiled::Points;
use super::flat::Flat;
use super::multibody::{JointSet, Multibody};
use super::numbering::Numbering;
use super::rows::{
    actuators_of, compliance_of, coordinate_springs_of, inertia_of, unilateral_compliance_of,
};
use super::shells::{CompiledShell, shells_of};
use super::tissues::{batches_of, check_masses, masses_of};
use super::{CompileError, CompiledModel, State};
use super::{drives, forces};
use crate::component::{ComponentId, Handle, Invalidates, Kind};
use crate::fem::FemBatch;
use crate::model::{
    AxialSpring, CollisionBehavior, CoordinateActuator, Model, MultiPointSpring, MuscleBundle,
};

/// Work that brings a compiled model up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Nothing was stale.
    Current,
    /// Numbers are replaced: rows, pattern and state stay as they are, and a solver goes on.
    Parameters,
    /// It is compiled anew, with the state of what stays. Rows and pattern may be others: it needs a
    /// new solver.
    Recompiled,
}

/// A batch, and its place among all.
type Placed = (usize, Box<dyn FemBatch>);

impl Model {
    /// Work that brings `compiled` up to date with this model.
    pub fn staleness(&self, compiled: &CompiledModel) -> Refresh {
        let stale = self.changes().invalidated_since(compiled.seen);
        let shifts = stale.touches(Invalidates::MASS) && self.shifts_bodies(compiled);
        if shifts || stale.touches(Invalidates::STRUCTURE | Invalidates::GEOMETRY) {
            Refresh::Recompiled
        } else if stale.touches(Invalidates::PARAMETER | Invalidates::MASS | Invalidates::MOTION) {
            Refresh::Parameters
        } else {
            Refresh::Current
        }
    }

    /// True if masses changed that are attached to a body: its centre of mass moves with them.
    fn shifts_bodies(&self, compiled: &CompiledModel) -> bool {
        let Some(mut changes) = self.changes().since(compiled.seen) else { return true };
        let heavier = |id, stale: Invalidates| {
            stale.touches(Invalidates::MASS) && compiled.is_part_of_body(id)
        };
        compiled.points.has_tissue && changes.any(|it| heavier(it.id, it.invalidates))
    }

    /// Brings the compiled form of this model up to date, at the cost of the changed parts.
    ///
    /// # Errors
    /// [`CompileError`]; what was compiled is then as it was.
    pub fn refresh(
        &self,
        compiled: &mut CompiledModel,
        state: &mut State,
    ) -> Result<Refresh, CompileError> {
        let staleness = self.staleness(compiled);
        match staleness {
            Refresh::Current => compiled.seen = self.changes().now(),
            Refresh::Parameters => self.update_parameters(compiled)?,
            Refresh::Recompiled => (*compiled, *state) = self.recompile(compiled, state)?,
        }
        Ok(staleness)
    }

    /// Puts changed numbers into the compiled form of this model: rows, pattern and state stay.
    ///
    /// # Errors
    /// [`CompileError`]; what was compiled is then as it was.
    ///
    /// # Panics
    /// When more than numbers changed: [`Self::staleness`] tells.
    pub fn update_parameters(&self, compiled: &mut CompiledModel) -> Result<(), CompileError> {
        assert_ne!(self.staleness(compiled), Refresh::Recompiled, "more than numbers changed");
        self.update_paths(compiled);
        if !self.update_in_place(compiled) {
            self.update_forces(compiled)?;
            compiled.revision += 1;
        }
        // Of what is put in place, the laws of springs alone have a say in that.
        let springs = [Kind::AxialSpring, Kind::MultiPointSpring];
        let changes = self.changes().since(compiled.seen);
        if changes.is_none_or(|mut all| all.any(|it| springs.contains(&it.id.kind()))) {
            compiled.may_create_energy = self.may_create_energy();
        }
        compiled.seen = self.changes().now();
        Ok(())
    }

    /// Compiles anew. Particles, nodes and bodies that were compiled before keep their state; those that
    /// were put elsewhere since start there, those that were transformed are where the map takes them, and
    /// those that were deleted and came back go on where they were. What follows others is where these
    /// have it.
    ///
    /// # Errors
    /// [`CompileError`].
    pub fn recompile(
        &self,
        old: &CompiledModel,
        state: &State,
    ) -> Result<(CompiledModel, State), CompileError> {
        let mut new = self.compile_after(old)?;
        let mut next = new.initial_state();
        next.time = state.time;
        Before { model: self, old, state }.carry_over(&mut new, &mut next);
        Ok((new, next))
    }

    /// Puts new laws of springs and behaviours of contacts into place; `false` when something else changed
    /// too, or does not fit: all numbers are then to be made anew.
    fn update_in_place(&self, compiled: &mut CompiledModel) -> bool {
        let computed = Invalidates::PARAMETER | Invalidates::MASS;
        let Some(changes) = self.changes().since(compiled.seen) else { return false };
        let changes = changes.filter(|change| change.invalidates.touches(computed));
        let pulling = [Kind::AxialSpring, Kind::MultiPointSpring, Kind::MuscleExciter];
        let placed = [Kind::CollisionBehavior, Kind::MuscleBundle];
        let known = |kind: Kind| placed.contains(&kind) || pulling.contains(&kind);
        if changes.clone().any(|change| !known(change.id.kind())) {
            return false;
        }
        // Actuators take their exciters along with all other numbers.
        let drives = |kind: Kind| kind == Kind::MuscleExciter;
        if changes.clone().any(|change| drives(change.id.kind()))
            && self.iter::<CoordinateActuator>().next().is_some()
        {
            return false;
        }
        let mut drives_changed = false;
        for id in changes.map(|change| change.id) {
            let put = match id.typed() {
                Some(behavior) => self.put_behavior(behavior, compiled),
                None => match id.typed() {
                    Some(bundle) => self.put_bundle(bundle, compiled),
                    None => id.kind() == Kind::MuscleExciter || self.put_spring(id, compiled),
                },
            };
            if !put {
                return false;
            }
            drives_changed |= drives(id.kind());
        }
        if let (true, Some(springs)) = (drives_changed, &mut compiled.parts.forces.springs) {
            springs.set_drives(drives::drives_of(&Flat::of(self)));
        }
        if let (true, Some(muscles)) = (drives_changed, &mut compiled.parts.forces.muscles) {
            muscles.set_drives(drives::bundle_drives_of(&Flat::of(self)));
        }
        true
    }

    /// Puts the excitation of a bundle into place; `false` where its law is another one.
    fn put_bundle(&self, bundle: Handle<MuscleBundle>, compiled: &mut CompiledModel) -> bool {
        let place = compiled.points.places.bundles.place(bundle);
        let (Some(place), Some(new)) = (place, self.get(bundle)) else { return false };
        let muscles = &mut compiled.parts.forces.muscles;
        muscles.as_mut().is_some_and(|muscles| muscles.set(place, new.contraction()))
    }

    /// Puts the law of a spring into place; nothing to do for other components.
    fn put_spring(&self, id: ComponentId, compiled: &mut CompiledModel) -> bool {
        let Some(springs) = &mut compiled.parts.forces.springs else { return false };
        let places = &compiled.points.places;
        let spring = id.typed().and_then(|h| Some((places.springs.place(h)?, self.get(h)?)));
        if let Some((place, spring)) = spring {
            return springs.set_pull(place, AxialSpring::pull(spring));
        }
        let line = id.typed().and_then(|h| Some((places.line(id)?, self.get(h)?)));
        line.is_none_or(|(place, line)| springs.set_pull(place, MultiPointSpring::pull(line)))
    }

    /// Puts the numbers of a behaviour into its pairs; `false` when it was not compiled.
    fn put_behavior(
        &self,
        behavior: Handle<CollisionBehavior>,
        compiled: &mut CompiledModel,
    ) -> bool {
        let place = compiled.points.places.collision_behaviors.place(behavior);
        let (Some(place), Some(new)) = (place, self.get(behavior)) else { return false };
        // Without one there are no pairs.
        if let Some(multibody) = &mut compiled.parts.multibody {
            compiled.points.contact_owners.put(place, new, &mut multibody.contacts);
        }
        true
    }

    /// Makes the forces anew, and the batches of tissues that changed, on the pattern that there is.
    /// Everything is made before anything is replaced.
    fn update_forces(&self, compiled: &mut CompiledModel) -> Result<(), CompileError> {
        let flat = Flat::of(self);
        self.check_changed(compiled, &flat)?;
        let points = &compiled.points.numbering;
        let batches = self.changed_batches(compiled, &flat, points)?;
        let shells = shells_of(&flat, points)?;
        let layers = compiled.parts.multibody.as_ref().map(|it| layers_of(&flat, &it.contacts));
        let layers = layers.transpose()?;
        let masses = self.changed_masses(compiled, &flat, &shells)?;
        let parts = &mut compiled.parts;
        let inertial = inertial_masses(&compiled.points, &masses);
        let none = JointSet::default();
        let on = parts.multibody.as_ref().map_or((&[][..], &none), |m| (&m.bodies[..], &m.joints));
        let mut forces = forces::forces_of(&flat, points, (&masses, &inertial), on)?;
        if let Some(multibody) = &parts.multibody {
            forces.add_actuators(actuators_of(&flat, &multibody.joints));
            forces.add_springs(coordinate_springs_of(&flat, &multibody.joints));
        }
        forces.shells = shells;
        forces.bind(&parts.pattern, &parts.partition);
        for (place, mut batch) in batches {
            batch.bind(&parts.pattern, &parts.partition);
            parts.tissues.batches[place] = batch;
        }
        parts.tissues.place_memory(forces.memory_len());
        parts.forces = forces;
        if let Some(multibody) = &mut parts.multibody {
            update_rows(&flat, multibody);
            multibody.contacts.layers = layers.unwrap_or_default();
            let owners = &compiled.points.contact_owners;
            owners.put_all(&flat.collision_behaviors, &mut multibody.contacts);
        }
        compiled.points.lumped = masses;
        compiled.points.masses = inertial;
        Ok(())
    }

    /// Masses of all rows, made anew where a change touches them.
    fn changed_masses(
        &self,
        compiled: &CompiledModel,
        flat: &Flat<'_>,
        shells: &[CompiledShell],
    ) -> Result<Vec<f64>, CompileError> {
        let Points { numbering, lumped, supports, .. } = &compiled.points;
        if !self.changes().invalidated_since(compiled.seen).touches(Invalidates::MASS) {
            return Ok(lumped.clone());
        }
        // Batches measure volumes alone here, which no parameter changes.
        let masses = masses_of(flat, numbering, &compiled.parts.tissues, shells);
        check_masses(flat, &masses, supports, numbering)?;
        Ok(masses)
    }

    /// Checks the changed components alone: numbers of one component make no other one unsound, and
    /// bodies integrate their surfaces to be looked at.
    fn check_changed(&self, compiled: &CompiledModel, flat: &Flat<'_>) -> Result<(), CompileError> {
        let Some(changes) = self.changes().since(compiled.seen) else { return check(flat, None) };
        let changed: BTreeSet<ComponentId> = changes.map(|change| change.id).collect();
        changed.into_iter().try_for_each(|id| {
            let named = |error| CompileError::Component { path: self.path(id), error };
            self.check_component(id).map_err(named)
        })
    }

    /// New batches of the tissues that changed, each with its place among all.
    fn changed_batches(
        &self,
        compiled: &CompiledModel,
        flat: &Flat<'_>,
        points: &Numbering,
    ) -> Result<Vec<Placed>, CompileError> {
        let computed = Invalidates::PARAMETER | Invalidates::MASS;
        let changed: Option<BTreeSet<ComponentId>> =
            self.changes().since(compiled.seen).map(|changes| {
                changes.filter(|c| c.invalidates.touches(computed)).map(|c| c.id).collect()
            });
        let mut new = Vec::new();
        for (f, handle) in flat.places.fems.handles().iter().enumerate() {
            if changed.as_ref().is_none_or(|changed| changed.contains(&handle.id())) {
                let batches = batches_of(flat, points, f)?;
                new.extend(compiled.parts.tissues.fems[f].batches.clone().zip(batches));
            }
        }
        Ok(new)
    }
}

/// Inertia of each row once masses are others: what is attached to a body, and the bodies that carry it, keep theirs.
fn inertial_masses(points: &Points, masses: &[f64]) -> Vec<f64> {
    let mut inertial = points.masses.clone();
    for (own, (before, mass)) in inertial.iter_mut().zip(points.lumped.iter().zip(masses)) {
        if own == before {
            *own = *mass;
        }
    }
    inertial
}

/// Makes the laws of joints and ranges anew, and what turns freely under them.
fn update_rows(flat: &Flat<'_>, multibody: &mut Multibody) {
    multibody.joints.compliance = compliance_of(flat);
    multibody.joints.inertia = inertia_of(flat);
    closed_volumes::update(flat, &mut multibody.joints);
    for (row, (compliance, bounce)) in unilateral_compliance_of(flat).into_iter().enumerate() {
        multibody.joints.unilateral.set(row, compliance, bounce);
    }
    set_free_rotations(flat, multibody);
}
