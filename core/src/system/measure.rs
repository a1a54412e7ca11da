//! Measures of a state of a compiled model: energies, volumes, momenta, centre of mass, and values
//! of elements.

use super::compiled::Points;
use super::start_overlaps::{PairOverlap, overlaps};
use super::{ContactRegion, Contacts, Energies, Multibody, StateView};
use crate::Vec3;
use crate::component::Handle;
use crate::contact::ContactError;
use crate::model::{CollisionBehavior, FemModel};
use crate::state::{Motion, State};

/// Values of each element of a tissue, in the order of its mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementFields {
    /// Von Mises norm of the mean Cauchy stress [Pa].
    pub von_mises: Vec<f64>,
    /// Strain energy per rest volume [J/m³].
    pub strain_energy_density: Vec<f64>,
}

/// Sums over one tissue at a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TissueSums {
    /// Mass [kg].
    pub mass: f64,
    /// Volume [m³].
    pub volume: f64,
    /// Energy stored by deformation [J].
    pub strain_energy: f64,
    /// Energy of motion [J].
    pub kinetic_energy: f64,
}

/// Sums over a model at a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measurement {
    /// Energies [J].
    pub energies: Energies,
    /// Volume of all tissues [m³].
    pub volume: f64,
    /// Centre of mass of all that forces move [m]; of everything where they move nothing.
    pub center_of_mass: Vec3,
}

impl StateView<'_> {
    /// Energies, volume and centre of mass in one pass over the elements.
    pub fn measure(&self) -> Measurement {
        let (mut volume, mut strain) = (0.0, 0.0);
        for totals in
            self.system.parts.tissues.batches.iter().map(|batch| batch.totals(&self.state.q))
        {
            volume += totals.volume;
            strain += totals.energy;
        }
        let moment = self.moment();
        let (energies, center_of_mass) = (self.energies_of(strain, moment), self.center_of(moment));
        Measurement { energies, volume, center_of_mass }
    }

    /// Energies alone, for which the elements need less.
    pub(super) fn energies(&self) -> Energies {
        let batches = self.system.parts.tissues.batches.iter();
        let strain = batches.map(|batch| batch.strain_energy(&self.state.q)).sum();
        self.energies_of(strain, self.moment())
    }

    /// Sum of m q [kg m].
    fn moment(&self) -> Vec3 {
        self.system.points.masses.iter().zip(&self.state.q).map(|(&m, q)| q * m).sum()
    }

    /// Energies, that of the tissues by `strain` [J] and that of the weight by the sum of m q [kg m].
    fn energies_of(&self, mut strain: f64, moment: Vec3) -> Energies {
        let State { q, u, .. } = self.state;
        strain += self.system.parts.forces.effectors().map(|e| e.strain_energy(q)).sum::<f64>();
        let masses = &self.system.points.masses;
        let mut kinetic: f64 = masses.iter().zip(u).map(|(&m, u)| 0.5 * m * u.norm_squared()).sum();
        if let Some(multibody) = &self.system.parts.multibody {
            kinetic += multibody.rotational_energy(q, u);
        }
        Energies { kinetic, gravitational: self.potential(moment), strain }
    }

    /// Centre of mass of all that forces move [m], of everything where they move nothing; `moment`
    /// is the sum of m q [kg m]. What is attached to a body that is prescribed counts, the body
    /// does not.
    fn center_of(&self, moment: Vec3) -> Vec3 {
        let Points { masses, lumped, numbering, prescribed, .. } = &self.system.points;
        let whole: f64 = masses.iter().sum();
        let bodies =
            prescribed.iter().map(|body| (lumped[body.row()], body.own_center(&self.state.q)));
        let is_fixed = |row: &&u32| self.system.points.fixed[**row as usize] == [true; 3];
        let of_row = |&row: &u32| (masses[row as usize], self.state.q[row as usize]);
        let particles = numbering.particle_rows.iter().filter(is_fixed).map(of_row);
        let sum = |(mass, moment): (f64, Vec3), (m, at): (f64, Vec3)| (mass + m, moment + at * m);
        let (still, still_moment) = bodies.chain(particles).fold((0.0, Vec3::zeros()), sum);
        // Of the difference of sums that are equal only rounding is left.
        match whole - still > f64::EPSILON * whole * masses.len() as f64 {
            true => (moment - still_moment) / (whole - still),
            false => moment / whole,
        }
    }

    /// Energy of gravity [J]; `moment` is the sum of m q [kg m].
    fn potential(&self, moment: Vec3) -> f64 {
        if let [(gravity, _)] = &self.system.parts.forces.weights[..] {
            return -gravity.dot(&moment);
        }
        let of = |(gravity, masses): &(Vec3, Vec<f64>)| {
            let moment: Vec3 = masses.iter().zip(&self.state.q).map(|(&m, q)| q * m).sum();
            -gravity.dot(&moment)
        };
        self.system.parts.forces.weights.iter().map(of).sum()
    }

    /// Mass, volume and energies of a tissue; `None` when it was not compiled.
    pub fn tissue_sums(&self, fem: Handle<FemModel>) -> Option<TissueSums> {
        let place = self.system.points.places.fems.place(fem)?;
        let fem = &self.system.parts.tissues.fems[place];
        let mut sums = TissueSums::default();
        let batches = &self.system.parts.tissues.batches[fem.batches.clone()];
        for report in batches.iter().flat_map(|b| b.reports(&Motion::now(self.state))) {
            sums.volume += report.volume;
            sums.strain_energy += report.energy_density * report.rest_volume;
        }
        for row in self.system.points.numbering.fem_rows[place].iter().map(|&row| row as usize) {
            let mass = self.system.points.lumped[row];
            sums.mass += mass;
            sums.kinetic_energy += 0.5 * mass * self.state.u[row].norm_squared();
        }
        Some(sums)
    }

    /// Volume of all tissues [m³].
    pub fn volume(&self) -> f64 {
        self.measure().volume
    }

    /// Centre of mass of all that forces move [m]; of everything where they move nothing.
    pub fn center_of_mass(&self) -> Vec3 {
        self.measure().center_of_mass
    }

    /// Linear momentum [kg m/s].
    pub fn momentum(&self) -> Vec3 {
        self.system.points.masses.iter().zip(&self.state.u).map(|(&m, u)| u * m).sum()
    }

    /// Angular momentum about the origin [kg m²/s].
    pub fn angular_momentum(&self) -> Vec3 {
        let motion = self.state.q.iter().zip(&self.state.u);
        let orbital: Vec3 =
            self.system.points.masses.iter().zip(motion).map(|(&m, (q, u))| q.cross(u) * m).sum();
        let rotational_momentum =
            |multibody: &Multibody| multibody.rotational_momentum(&self.state.q, &self.state.u);
        orbital + self.system.parts.multibody.as_ref().map_or_else(Vec3::zeros, rotational_momentum)
    }

    /// Pressure of contact at each row over the last step [Pa], zero where nothing presses on a tissue; `None` where nothing
    /// is to touch any.
    pub fn contact_pressures(&self) -> Option<Vec<f64>> {
        Contacts::all(self.system, self.state).pressures()
    }

    /// Regions in which the pairs of a behaviour touch, of colliders that are bounded by flat faces (`mesh`, `box`, `hull`), one of both
    /// may be a half-space; `None` when it was not compiled. Without compliance A counts as moved towards B by the tolerance
    /// of the behaviour.
    pub fn contact_regions(
        &self,
        behavior: Handle<CollisionBehavior>,
    ) -> Option<Vec<ContactRegion>> {
        Contacts::of(self.system, self.state, behavior).map(Contacts::regions)
    }

    /// Pairs that overlap by more than the tolerance of their behaviour, in the order in which they are looked at. Solids
    /// and points are compared by what contact finds of them, closed meshes, boxes and hulls also by their common solid
    /// (docs/theory/contact.md, "Overlap of two surfaces").
    ///
    /// # Errors
    /// As [`Detector::with_surfaces`](crate::contact::Detector::with_surfaces).
    pub fn overlaps(&self) -> Result<Vec<PairOverlap>, ContactError> {
        let multibody = self.system.parts.multibody.as_ref();
        multibody.map_or(Ok(Vec::new()), |multibody| overlaps(multibody, self.state))
    }

    /// Stress and energy of every element of a tissue.
    ///
    /// # Panics
    /// When the tissue does not exist.
    pub fn element_fields(&self, fem: Handle<FemModel>) -> ElementFields {
        let count = self.system.fem(fem).element_count;
        let mut fields =
            ElementFields { von_mises: vec![0.0; count], strain_energy_density: vec![0.0; count] };
        self.for_each_element(fem, &mut |element, its| {
            fields.von_mises[element] = its.von_mises;
            fields.strain_energy_density[element] = its.strain_energy_density;
        });
        fields
    }
}
