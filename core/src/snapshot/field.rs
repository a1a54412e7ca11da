//! Fields that tissues are coloured by.

use serde::{Deserialize, Serialize};

use crate::Mat3;
use crate::kinds::TissueFields;
use crate::material::MaterialSpec;
use crate::model::Model;
use crate::system::{CompiledModel, ElementState, State};

/// A quantity at the points of tissues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// None: the colours of the styles.
    #[default]
    None,
    /// Von Mises norm of the Cauchy stress [Pa].
    VonMises,
    /// Strain energy per rest volume [J/m³].
    EnergyDensity,
    /// Largest principal Green-Lagrange strain [-].
    Strain,
    /// Distance from rest [m].
    Displacement,
    /// Speed [m/s].
    Speed,
    /// Mean normal Cauchy stress, positive in compression [Pa].
    Pressure,
    /// Pressure of contact on the surface over the last step [Pa].
    ContactPressure,
    /// Least shear modulus at rest of the law there [Pa].
    ShearModulus,
    /// Mass per volume at rest [kg/m³].
    Density,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::VonMises,
        Self::EnergyDensity,
        Self::Strain,
        Self::Displacement,
        Self::Speed,
        Self::Pressure,
        Self::ContactPressure,
        Self::ShearModulus,
        Self::Density,
    ];

    /// Name on the command line and in files: `von_mises`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::VonMises => "von_mises",
            Self::EnergyDensity => "energy_density",
            Self::Strain => "strain",
            Self::Displacement => "displacement",
            Self::Speed => "speed",
            Self::Pressure => "pressure",
            Self::ContactPressure => "contact_pressure",
            Self::ShearModulus => "shear_modulus",
            Self::Density => "density",
        }
    }

    /// Unit of its numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::None => "",
            Self::VonMises | Self::Pressure | Self::ContactPressure | Self::ShearModulus => "Pa",
            Self::Density => "kg/m³",
            Self::EnergyDensity => "J/m³",
            Self::Strain => "-",
            Self::Displacement => "m",
            Self::Speed => "m/s",
        }
    }
}

/// A quantity at every point.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its quantity.
    pub quantity: Quantity,
    /// Its value at each point; NaN at points of no tissue. Empty for [`Quantity::None`].
    pub values: Vec<f32>,
    /// Least and greatest value over all tissues; both 0 where there is none.
    pub range: [f32; 2],
}

impl Field {
    /// Fills in `quantity` for all tissues. What elements have comes to their nodes as the mean of the
    /// elements around, by their volumes at rest.
    pub(super) fn update(
        &mut self,
        quantity: Quantity,
        model: &Model,
        compiled: &CompiledModel,
        state: &State,
        weights: &mut Vec<f32>,
    ) {
        self.quantity = quantity;
        self.values.clear();
        self.range = [0.0; 2];
        if quantity == Quantity::None {
            return;
        }
        self.values.resize(state.q.len(), f32::NAN);
        match quantity.of_element() {
            Some(of_element) => self.average(&of_element, model, compiled, state, weights),
            None => self.fill(quantity, model, compiled, state),
        }
        let known = self.values.iter().filter(|x| x.is_finite());
        let range = known
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &x| [low.min(x), high.max(x)]);
        if range[0] <= range[1] {
            self.range = range;
        }
    }

    fn average(
        &mut self,
        of_element: &OfElement,
        model: &Model,
        compiled: &CompiledModel,
        state: &State,
        weights: &mut Vec<f32>,
    ) {
        weights.clear();
        weights.resize(state.q.len(), 0.0);
        for &fem in compiled.fems() {
            let (mesh, fields) = (&model[fem].mesh, TissueFields::of(&model[fem]));
            let regions = model[fem].regions_of_elements();
            compiled.at(state).for_each_element(fem, &mut |element, its| {
                let value = match of_element {
                    OfElement::State(of) => of(its),
                    OfElement::Density => fields.density(element),
                    OfElement::Law(of) => {
                        let region = regions[element].map(|r| &model[fem].regions[r].material);
                        of(&fields.law(element, region.unwrap_or(&model[fem].material)))
                    }
                };
                let (value, weight) = (value as f32, its.rest_volume as f32);
                for &node in mesh.element(element).1 {
                    let row = compiled.block_of_node(fem, node as usize);
                    if weights[row] == 0.0 {
                        self.values[row] = 0.0;
                    }
                    weights[row] += weight;
                    self.values[row] += weight * value;
                }
            });
        }
        let sums = self.values.iter_mut().zip(weights.iter());
        sums.filter(|(_, weight)| **weight > 0.0).for_each(|(value, weight)| *value /= weight);
    }

    fn fill(&mut self, quantity: Quantity, model: &Model, compiled: &CompiledModel, state: &State) {
        let rest = compiled.rest_positions();
        let is_contact = quantity == Quantity::ContactPressure;
        let pressures = is_contact.then(|| compiled.at(state).contact_pressures()).flatten();
        for &fem in compiled.fems() {
            for node in 0..model[fem].mesh.nodes.len() {
                let row = compiled.block_of_node(fem, node);
                self.values[row] = match quantity {
                    Quantity::Speed => state.u[row].norm(),
                    Quantity::ContactPressure => pressures.as_ref().map_or(0.0, |it| it[row]),
                    Quantity::None
                    | Quantity::VonMises
                    | Quantity::EnergyDensity
                    | Quantity::Strain
                    | Quantity::Displacement
                    | Quantity::ShearModulus
                    | Quantity::Density
                    | Quantity::Pressure => (state.q[row] - rest[row]).norm(),
                } as f32;
            }
        }
    }
}

/// Value of an element.
enum OfElement {
    /// Of its state.
    State(fn(&ElementState) -> f64),
    /// Of its law at rest.
    Law(fn(&MaterialSpec) -> f64),
    /// Its density.
    Density,
}

impl Quantity {
    /// Its value in an element; `None` for what nodes have.
    fn of_element(self) -> Option<OfElement> {
        match self {
            Self::VonMises => Some(OfElement::State(|it| it.von_mises)),
            Self::EnergyDensity => Some(OfElement::State(|it| it.strain_energy_density)),
            Self::Strain => Some(OfElement::State(|it| largest_principal(&it.strain))),
            Self::Pressure => Some(OfElement::State(|it| -it.stress.trace() / 3.0)),
            Self::ShearModulus => Some(OfElement::Law(MaterialSpec::shear_modulus)),
            Self::Density => Some(OfElement::Density),
            Self::None | Self::Displacement | Self::Speed | Self::ContactPressure => None,
        }
    }
}

/// Largest eigenvalue of a symmetric matrix.
fn largest_principal(matrix: &Mat3) -> f64 {
    matrix.symmetric_eigenvalues().max()
}
