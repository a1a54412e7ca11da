//! Values read from a compiled model and mended between steps: the rows and multipliers of a joint,
//! attached points where they belong, forces handed to masters. Nothing here is part of a step.

use super::ContactForce;
use crate::contact::Member;
use crate::kinds::{ClosedVolume, Collider, CollisionBehavior};
use std::ops::Range;

use super::{CompiledModel, Multibody, State};
use crate::attachment::Attachments;
use crate::axial::Contraction;
use crate::component::{ComponentId, Handle};
use crate::constraint::Placement;
use crate::force::ForceEffector;
use crate::model::{FrameMarker, MultiPointSpring, MuscleBundle, RigidBody, Shell};
use crate::{Mat3, Vec3};

/// Points of a polyline along each surface that a line wraps over: half a turn deviates from its arc by 0.5 % of the
/// radius.
const CURVE_POINTS: usize = 16;

fn turns_of(multibody: &Multibody, q: &[Vec3]) -> Vec<Mat3> {
    let mut turns = vec![Mat3::zeros(); multibody.bodies.len()];
    multibody.update_turns(q, &mut turns);
    turns
}

/// The attachments with the weights of positions `q`.
fn attachments_at(multibody: &Multibody, q: &[Vec3]) -> Attachments {
    let mut attachments = multibody.attachments.resolved.clone();
    attachments.update_weights(&multibody.weights_at(q));
    attachments
}

impl CompiledModel {
    /// Constraint rows of a joint or a point constrainer; `None` when it was not compiled, or does not
    /// hold.
    pub fn rows_of(&self, owner: impl Into<ComponentId>) -> Option<Range<usize>> {
        self.points.row_owners.get(owner.into())
    }

    /// Mean forces [N] and moments [N m] of the rows of a joint or a point constrainer over the last
    /// step; `None` before the first, and when it does not hold.
    pub fn multipliers_of<'s>(
        &self,
        owner: impl Into<ComponentId>,
        state: &'s State,
    ) -> Option<&'s [f64]> {
        state.multipliers.get(self.rows_of(owner)?)
    }

    /// Volume [m³] inside of a closed surface in a state, and pressure [Pa] of its contents over that around; `None` when it was not
    /// compiled, or is not in force.
    pub fn volume_and_pressure(
        &self,
        owner: Handle<ClosedVolume>,
        state: &State,
    ) -> Option<[f64; 2]> {
        let row = self.rows_of(owner)?.start;
        let multiplier = state.multipliers.get(row).copied().unwrap_or(0.0);
        let joints = &self.parts.multibody.as_ref()?.joints;
        joints.rows.volume_and_pressure(row, &state.q, multiplier)
    }

    /// Value and rate of every constraint row in a state: [m] and [m/s] of a length, [-] and [1/s] of
    /// the sine of an angle.
    pub fn row_values(&self, state: &State) -> Vec<[f64; 2]> {
        let Some(multibody) = &self.parts.multibody else { return Vec::new() };
        let turns = turns_of(multibody, &state.q);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let rows = &multibody.joints.rows;
        let mut reader = rows.at(at);
        let value = |(row, list): (usize, &Vec<u32>)| {
            let mut coefficients = vec![Vec3::zeros(); list.len()];
            reader.coefficients(row, &mut coefficients);
            let rates = list.iter().zip(&coefficients).map(|(&b, c)| c.dot(&state.u[b as usize]));
            [reader.value(row), rates.sum()]
        };
        rows.lists().iter().enumerate().map(value).collect()
    }

    /// Adds what the multipliers of some rows push with to `forces` [N], [N m], by block row.
    pub(crate) fn add_constraint_forces(
        &self,
        rows: Range<usize>,
        state: &State,
        forces: &mut [Vec3],
    ) {
        let Some(multibody) = &self.parts.multibody else { return };
        let Some(multipliers) = state.multipliers.get(rows.clone()) else { return };
        let turns = turns_of(multibody, &state.q);
        let at = Placement { q: &state.q, turns: &turns, coordinates: &state.coordinates };
        let mut reader = multibody.joints.rows.at(at);
        for (row, multiplier) in rows.zip(multipliers) {
            let list = &multibody.joints.rows.lists()[row];
            let mut coefficients = vec![Vec3::zeros(); list.len()];
            reader.coefficients(row, &mut coefficients);
            for (&block, coefficient) in list.iter().zip(&coefficients) {
                forces[block as usize] += coefficient * *multiplier;
            }
        }
    }

    /// Range of the coordinates of a joint in [`State::coordinates`]; `None` when it is not enabled.
    pub fn coordinates_of(&self, joint: impl Into<ComponentId>) -> Option<Range<usize>> {
        let multibody = self.parts.multibody.as_ref()?;
        let joint = &multibody.joints.placed[*multibody.joints.places.get(&joint.into())?];
        let first = joint.first as usize;
        Some(first..first + joint.start.len())
    }

    /// Number of constraint rows.
    pub fn row_count(&self) -> usize {
        self.parts.multibody.as_ref().map_or(0, |multibody| multibody.joints.rows.count())
    }

    /// True if a constraint row has a compliance.
    pub(super) fn is_compliant(&self, row: usize) -> bool {
        self.parts.multibody.as_ref().is_some_and(|m| m.joints.compliance[row].compliance != 0.0)
    }

    /// True if a block row follows others.
    pub(crate) fn is_attached(&self, row: usize) -> bool {
        let row = row as u32;
        self.parts.multibody.as_ref().is_some_and(|m| m.attachments.resolved.is_attached(row))
    }

    /// Hands forces on attached points to their masters.
    pub(crate) fn reduce_forces(&self, state: &State, forces: &mut [Vec3]) {
        if let Some(multibody) = self.with_attached() {
            attachments_at(multibody, &state.q).reduce_force(forces);
        }
    }

    /// Puts all attached points where their masters have them, with their velocities.
    pub(crate) fn place_attached(&self, state: &mut State) {
        if let Some(multibody) = self.with_attached() {
            let mut turns = turns_of(multibody, &state.q);
            multibody.place_attached(&mut turns, &mut state.q);
            attachments_at(multibody, &state.q).expand_velocity(&mut state.u);
        }
    }

    fn with_attached(&self) -> Option<&Multibody> {
        self.parts.multibody.as_ref().filter(|m| !m.attachments.list.attached_rows().is_empty())
    }

    /// Mass of a row [kg], whatever it is attached to: that of a body without what is attached to it.
    pub(crate) fn own_mass(&self, row: usize) -> f64 {
        self.points.lumped[row]
    }

    /// True if the inertia of a particle, or of nodes of a tissue, is part of that of a body.
    pub(super) fn is_part_of_body(&self, id: ComponentId) -> bool {
        let places = &self.points.places;
        let particle = id.typed().and_then(|particle| places.particles.place(particle));
        let fem = id.typed().and_then(|fem| places.fems.place(fem));
        let rows = match (particle, fem) {
            (Some(place), _) => &self.points.numbering.particle_rows[place..=place],
            (_, Some(place)) => &self.points.numbering.fem_rows[place],
            _ => return true,
        };
        rows.iter().any(|&row| self.points.masses[row as usize] != self.own_mass(row as usize))
    }

    /// The bodies, in the order of the tree.
    pub fn bodies(&self) -> &[Handle<RigidBody>] {
        self.points.places.bodies.handles()
    }

    /// The frame markers, in the order of the tree.
    pub fn markers(&self) -> &[Handle<FrameMarker>] {
        self.points.places.markers.handles()
    }

    /// Gives forces with a memory the one that they have at rest where a state is: activations without delay, elastic
    /// tendons in balance, stresses relaxed.
    pub(crate) fn rest_memory(&self, state: &mut State) {
        state.memory = self.parts.memory_at_rest(&state.q, state.time);
    }

    /// As [`Self::stretch_of`], of a line through several points.
    pub fn stretch_of_line(
        &self,
        line: Handle<MultiPointSpring>,
        state: &State,
    ) -> Option<[f64; 4]> {
        self.stretch_along(line.id(), state)
    }

    /// The same of a spring or a line through several points.
    pub(crate) fn stretch_along(&self, line: ComponentId, state: &State) -> Option<[f64; 4]> {
        let place = self.points.places.line(line)?;
        self.parts.forces.springs.as_ref()?.stretch_in(place, state)
    }

    /// Activation [-] of a spring or a muscle along a line in a state, and fibre and tendon where its law has a fibre;
    /// `None` when it was not compiled.
    pub fn fibre_of(&self, line: ComponentId, state: &State) -> Option<(f64, Option<Contraction>)> {
        let place = self.points.places.line(line)?;
        self.parts.forces.springs.as_ref()?.contraction_in(place, state)
    }

    /// A line through several points as a polyline in a state [m], with points along what it wraps over; `None` when it
    /// was not compiled.
    pub fn polyline_of(&self, line: Handle<MultiPointSpring>, state: &State) -> Option<Vec<Vec3>> {
        let mut points = Vec::new();
        self.visit_polyline(line, state, |point| points.push(point))?;
        Some(points)
    }

    /// Hands the points of a line to `visit`, as many in every state; `None` when it was not compiled.
    pub(crate) fn visit_polyline(
        &self,
        line: Handle<MultiPointSpring>,
        state: &State,
        visit: impl FnMut(Vec3),
    ) -> Option<()> {
        let place = self.points.places.line(line.id())?;
        self.parts.forces.springs.as_ref()?.polyline(place, &state.q, CURVE_POINTS, visit);
        Some(())
    }

    /// True if a line was compiled with surfaces that it wraps over.
    pub(crate) fn is_wrapped(&self, line: Handle<MultiPointSpring>) -> bool {
        let place = self.points.places.line(line.id());
        let springs = self.parts.forces.springs.as_ref();
        place.zip(springs).is_some_and(|(place, springs)| springs.wraps(place))
    }

    /// Activation [-], mean stretch [-] and mean Cauchy stress [Pa] along the fibres of a bundle in a
    /// state; `None` when it was not compiled.
    pub fn contraction_of(&self, bundle: Handle<MuscleBundle>, state: &State) -> Option<[f64; 3]> {
        let place = self.points.places.bundles.place(bundle)?;
        Some(self.parts.forces.muscles.as_ref()?.contraction_in(place, state))
    }

    /// Energy that the fibres of a bundle store in a state when they are not active [J]; `None` when it
    /// was not compiled.
    pub(crate) fn passive_energy_of(
        &self,
        bundle: Handle<MuscleBundle>,
        state: &State,
    ) -> Option<f64> {
        let place = self.points.places.bundles.place(bundle)?;
        Some(self.parts.forces.muscles.as_ref()?.passive_energy(place, &state.q))
    }

    /// Energy of deformation of a shell in a state [J]; `None` when it was not compiled.
    pub(crate) fn energy_of_shell(&self, shell: Handle<Shell>, state: &State) -> Option<f64> {
        let compiled = self.parts.forces.shells.iter().find(|it| it.handle == shell)?;
        Some(compiled.sheets.strain_energy(&state.q))
    }

    /// Paths of two clouds of vertices, or of one and a tissue, that a behaviour says touch, and that pass through
    /// each other, since points of bodies touch solids alone. The first 20.
    pub fn pairs_without_contact(&self) -> &[[String; 2]] {
        &self.points.contact_owners.without_contact
    }

    /// Paths of behaviours that are switched on, each with that of a side on which nothing can touch: a body without a
    /// collider. The first 20.
    pub fn sides_without_colliders(&self) -> &[[String; 2]] {
        &self.points.contact_owners.empty_sides
    }

    /// Contacts of a behaviour that were active in the last step; A of each is on side A of the behaviour.
    /// `None` when it was not compiled.
    pub fn contacts_of<'s>(
        &'s self,
        behavior: Handle<CollisionBehavior>,
        state: &'s State,
    ) -> Option<impl Iterator<Item = &'s ContactForce> + use<'s>> {
        let place = self.points.places.collision_behaviors.place(behavior)?;
        let owners = &self.points.contact_owners.behaviors;
        let is_its = move |pair: u32| owners.get(pair as usize) == Some(&(place as u32));
        Some(state.contacts.iter().filter(move |contact| is_its(contact.pair)))
    }

    /// Forces of the contacts that were active in the last step on a collider [N]; `None` when it was not
    /// compiled.
    pub fn contacts_on<'s>(
        &'s self,
        collider: Handle<Collider>,
        state: &'s State,
    ) -> Option<impl Iterator<Item = Vec3> + use<'s>> {
        self.points.places.colliders.place(collider)?;
        let number = self.points.contact_owners.colliders.get(&collider.id()).copied();
        let pairs = self.parts.multibody.as_ref().map_or(&[][..], |m| &m.contacts.pairs);
        let on = move |contact: &ContactForce| {
            let (pair, it) = (pairs.get(contact.pair as usize)?, Member::Collider(number?));
            match (pair.a == it, pair.b == it) {
                (true, _) => Some(contact.force),
                (_, true) => Some(-contact.force),
                _ => None,
            }
        };
        Some(state.contacts.iter().filter_map(on))
    }
}
