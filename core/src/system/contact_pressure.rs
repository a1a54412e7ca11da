//! Pressures of contact in a state: the forces of the contacts that were active in the last step, over the surfaces of the
//! tissues that they push on.

use std::collections::BTreeMap;

use super::{CompiledModel, ContactSetup, Multibody, State};
use crate::Vec3;
use crate::component::Handle;
use crate::contact::{ContactPressure, Member, PressureSurface, SurfaceForce};
use crate::model::CollisionBehavior;
use crate::state::ContactForce;

/// Contact of the pairs of a behaviour, over the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPatch {
    /// Area of the surfaces of tissues that are pushed [m²], of two tissues that of A's, and of the regions in which solids
    /// touch.
    pub area: f64,
    /// Greatest pressure on a face of a tissue, and mean pressure on a region of solids [Pa].
    pub max_pressure: f64,
}

/// Contacts of a state, of one behaviour or of all.
#[derive(Clone, Copy)]
pub(crate) struct Contacts<'s> {
    system: &'s CompiledModel,
    state: &'s State,
    behavior: Option<u32>,
}

impl<'s> Contacts<'s> {
    /// All contacts.
    pub(crate) fn all(system: &'s CompiledModel, state: &'s State) -> Self {
        Self { system, state, behavior: None }
    }

    /// Those of a behaviour; `None` when it was not compiled.
    pub(crate) fn of(
        system: &'s CompiledModel,
        state: &'s State,
        behavior: Handle<CollisionBehavior>,
    ) -> Option<Self> {
        let place = system.points.places.collision_behaviors.place(behavior)?;
        Some(Self { system, state, behavior: Some(place as u32) })
    }

    pub(super) fn multibody(self) -> Option<&'s Multibody> {
        self.system.parts.multibody.as_ref()
    }

    fn setup(self) -> Option<&'s ContactSetup> {
        self.multibody().map(|multibody| &multibody.contacts)
    }

    pub(super) fn state(self) -> &'s State {
        self.state
    }

    /// Contacts that press; those that adhesion pulls at are left out.
    pub(super) fn iter(self) -> impl Iterator<Item = &'s ContactForce> + Clone {
        let owners = &self.system.points.contact_owners.behaviors;
        let is_its = move |contact: &&ContactForce| {
            self.behavior.is_none_or(|own| owners.get(contact.pair as usize) == Some(&own))
        };
        let presses = |contact: &&ContactForce| contact.force.dot(&contact.normal) >= 0.0;
        self.state.contacts.iter().filter(is_its).filter(presses)
    }

    /// Mean of the places of the contacts by their forces along normals [m]; zero without contacts.
    pub(crate) fn center(self) -> Vec3 {
        let (mut size, mut moment) = (0.0, Vec3::zeros());
        for contact in self.iter() {
            let push = contact.force.dot(&contact.normal);
            size += push;
            moment += contact.point * push;
        }
        if size > 0.0 { moment / size } else { Vec3::zeros() }
    }

    /// Area and greatest pressure.
    pub(crate) fn patch(self) -> ContactPatch {
        let mut patch = ContactPatch::default();
        for region in self.regions() {
            patch.area += region.area;
            patch.max_pressure = patch.max_pressure.max(region.pressure());
        }
        let Some(setup) = self.setup() else { return patch };
        for side in [0, 1] {
            for (tissue, surface) in self.surfaces(setup, side) {
                let pressure = self.pressure((tissue, surface), &[side]);
                let greatest = pressure.of_faces.into_iter().fold(0.0, f64::max);
                patch.max_pressure = patch.max_pressure.max(greatest);
                // The same area is on both sides of two tissues.
                if side == 0 || !self.touches_a_tissue(setup, tissue) {
                    patch.area += pressure.area;
                }
            }
        }
        patch
    }

    /// True if a tissue on side B has a tissue on side A.
    fn touches_a_tissue(self, setup: &ContactSetup, tissue: u32) -> bool {
        self.iter().any(|contact| {
            let [a, b] = setup.tissues[contact.pair as usize];
            a.is_some() && b == Some(tissue)
        })
    }

    /// Tissues on one side of the contacts, with their surfaces.
    fn surfaces(self, setup: &'s ContactSetup, side: usize) -> BTreeMap<u32, &'s PressureSurface> {
        let tissues = self.iter().filter_map(|contact| setup.tissues[contact.pair as usize][side]);
        let with_surface = |tissue| Some((tissue, setup.pressure_surfaces.get(&tissue)?));
        tissues.filter_map(with_surface).collect()
    }

    /// Pressure on a tissue, of the contacts that have it on one of these sides.
    fn pressure(
        self,
        (tissue, surface): (u32, &PressureSurface),
        sides: &[usize],
    ) -> ContactPressure {
        let Some(setup) = self.setup() else { return ContactPressure::default() };
        let forces = sides.iter().flat_map(|&side| {
            self.iter()
                .filter(move |contact| setup.tissues[contact.pair as usize][side] == Some(tissue))
                .filter_map(move |contact| force_on(setup, contact, side))
        });
        surface.spread(forces, &self.state.q)
    }

    /// Pressure at each row [Pa]; `None` where no tissue is to touch anything.
    pub(crate) fn pressures(self) -> Option<Vec<f64>> {
        let surfaces = &self.setup()?.pressure_surfaces;
        if surfaces.is_empty() {
            return None;
        }
        let mut pressures = vec![0.0; self.system.block_count()];
        for (&tissue, surface) in surfaces {
            let pressure = self.pressure((tissue, surface), &[0, 1]);
            for (&row, of_vertex) in surface.rows().iter().zip(pressure.of_vertices) {
                pressures[row as usize] = of_vertex;
            }
        }
        Some(pressures)
    }
}

/// The force of a contact along its normal on the tissue of a side.
fn force_on(setup: &ContactSetup, contact: &ContactForce, side: usize) -> Option<SurfaceForce> {
    let pair = &setup.pairs[contact.pair as usize];
    let on_a = contact.normal * contact.force.dot(&contact.normal);
    let (member, force) = if side == 0 { (pair.a, on_a) } else { (pair.b, -on_a) };
    match member {
        Member::Points(set) => {
            // Between nodes no point of the set is named.
            let row = setup.points[set as usize].rows.get(contact.a as usize);
            let between = SurfaceForce::Near(contact.point, force);
            Some(row.map_or(between, |&row| SurfaceForce::Row(row, force)))
        }
        Member::Surface(_) => Some(SurfaceForce::Near(contact.point, force)),
        Member::Collider(_) => None,
    }
}
