//! Single elements of a compiled tissue in a state, and how far the worst of all is deformed.

use super::StateView;
use crate::Mat3;
use crate::component::Handle;
use crate::fem::ElementReport;
use crate::model::FemModel;
use crate::state::Motion;

/// State of one element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementState {
    /// Volume [m³].
    pub volume: f64,
    /// Volume at rest [m³].
    pub rest_volume: f64,
    /// Smallest det F of its quadrature points [-].
    pub volume_ratio: f64,
    /// Mean Cauchy stress of the tissue and of the bundles of muscle in it [Pa].
    pub stress: Mat3,
    /// Mean Green-Lagrange strain [-].
    pub strain: Mat3,
    /// Von Mises norm of the mean Cauchy stress [Pa].
    pub von_mises: f64,
    /// Strain energy per rest volume of the tissue and of passive fibres of bundles in it [J/m³].
    pub strain_energy_density: f64,
}

impl From<ElementReport> for ElementState {
    fn from(report: ElementReport) -> Self {
        Self {
            volume: report.volume,
            rest_volume: report.rest_volume,
            volume_ratio: report.volume_ratio,
            stress: report.stress,
            strain: report.strain,
            von_mises: report.von_mises,
            strain_energy_density: report.energy_density,
        }
    }
}

impl StateView<'_> {
    /// Element `element` of the mesh of a tissue; `None` when there is no such element.
    pub fn element_state(&self, fem: Handle<FemModel>, element: usize) -> Option<ElementState> {
        let place = self.system.points.places.fems.place(fem)?;
        let element = u32::try_from(element).ok()?;
        let tissues = &self.system.parts.tissues;
        let mut batches = tissues.batches[tissues.fems[place].batches.clone()].iter();
        let report =
            batches.find_map(|batch| batch.report_of(element, &Motion::now(self.state)))?;
        Some(ElementState::from(self.with_muscles(place, report)))
    }

    /// Hands every element of a tissue to `visit`, by its index in the mesh, in the order of the batches.
    ///
    /// # Panics
    /// When the tissue was not compiled.
    pub fn for_each_element(
        &self,
        fem: Handle<FemModel>,
        visit: &mut dyn FnMut(usize, &ElementState),
    ) {
        let (tissues, place) =
            (&self.system.parts.tissues, self.system.points.places.fems.place(fem));
        let place = place.expect("the tissue was compiled");
        for batch in &tissues.batches[tissues.fems[place].batches.clone()] {
            for report in batch.reports(&Motion::now(self.state)) {
                let element = report.element as usize;
                visit(element, &ElementState::from(self.with_muscles(place, report)));
            }
        }
    }

    /// The report of an element of the tissue of this place with what bundles of muscle add to it.
    fn with_muscles(&self, place: usize, mut report: ElementReport) -> ElementReport {
        let muscles = self.system.parts.forces.muscles.as_ref();
        let added = muscles.and_then(|it| it.report_of(place, report.element, self.state));
        if let Some((stress, energy_density)) = added {
            report.add(&stress, energy_density);
        }
        report
    }

    /// Smallest det F of all quadrature points of a tissue [-], and how many elements have one that
    /// is not above zero; `None` when the tissue was not compiled, or has no element.
    pub fn worst_volume_ratio(&self, fem: Handle<FemModel>) -> Option<(f64, usize)> {
        let fem = &self.system.parts.tissues.fems[self.system.points.places.fems.place(fem)?];
        let batches = &self.system.parts.tissues.batches[fem.batches.clone()];
        let ratios = batches.iter().flat_map(|batch| batch.reports(&Motion::now(self.state)));
        let worst = ratios.fold((f64::INFINITY, 0), |(worst, count), report| {
            let inverted = usize::from(report.volume_ratio <= 0.0);
            (f64::min(worst, report.volume_ratio), count + inverted)
        });
        worst.0.is_finite().then_some(worst)
    }
}
