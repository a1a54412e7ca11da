//! Quantities of a tissue that vary in space: constants of its laws, density and directions, by formulas of the rest
//! position and of fields of the mesh, taken at the mean of the nodes of each element; directions at quadrature points too.

use super::checks::is_along;
use super::fem_model::{FemModel, material_axes, of_element};
use super::field_formula::{Direction, FieldFormula, FieldPoint, tensor};
use super::rest_state::{PRESTRAIN, REST_NUMBERS, RestState, rest_items};
use crate::component::Invalidates;
use crate::fem::ElasticAtRest;
use crate::material::{self, MaterialSpec};
use crate::property::{
    CheckError, Components, Item, ItemAccess, Problem, Property, PropertyType, Put, Range, Refusal,
    Value, composite, distinct,
};
use crate::{Mat3, Vec3};

/// Fields that are directions: their names, the same as those of the lists that they stand in place of.
pub(super) const DIRECTIONS: [&str; 2] = ["fibres", "sheets"];
/// Field of the density.
pub(super) const DENSITY: &str = "density";

/// True for a field that is a number of the rest state.
fn is_rest_number(name: &str) -> bool {
    REST_NUMBERS.iter().any(|(known, _)| *known == name)
}

/// Vectors at the quadrature points of an element, interpolated between those of its nodes; their mean where they cancel out.
pub(super) fn directions_at_points(
    fem: &FemModel,
    element: usize,
    vectors: &[[f64; 3]],
) -> Vec<Vec3> {
    let nodes = fem.mesh.element(element).1;
    let at_node = |&node: &u32| Vec3::from(vectors[node as usize]);
    let at = |shares: Vec<f64>| {
        let sum: Vec3 = shares.iter().zip(nodes).map(|(n, node)| at_node(node) * *n).sum();
        if sum == Vec3::zeros() {
            nodes.iter().map(at_node).sum::<Vec3>() / nodes.len() as f64
        } else {
            sum
        }
    };
    shares_at_points(fem, element).map(at).collect()
}

/// Shares of its nodes in each quadrature point of an element: their shape functions.
fn shares_at_points(fem: &FemModel, element: usize) -> impl Iterator<Item = Vec<f64>> {
    let (kind, nodes) = fem.mesh.element(element);
    let count = nodes.len();
    kind.points_by(fem.quadrature).into_iter().map(move |point| {
        let mut shares = vec![0.0; count];
        kind.shape(point.at, &mut shares);
        shares
    })
}

/// The same after that of the mean of its nodes, which has no shares; the mean alone where nothing turns within elements.
fn shares_where(turns: bool, fem: &FemModel, element: usize) -> impl Iterator<Item = Vec<f64>> {
    let points = turns.then(|| shares_at_points(fem, element));
    std::iter::once(Vec::new()).chain(points.into_iter().flatten())
}

/// The fields of a tissue, ready to be read element by element; without fields what the tissue has for all elements. A
/// formula that cannot be read counts as none: [`FemModel::check_fields`] refuses it.
pub(crate) struct TissueFields<'m> {
    pub(super) fem: &'m FemModel,
    constants: Vec<(&'m str, FieldFormula<'m>)>,
    density: Option<FieldFormula<'m>>,
    /// Numbers of the rest state.
    pub(super) rest: Vec<(&'m str, FieldFormula<'m>)>,
    /// The deformation at rest, row by row.
    pub(super) prestrain: Option<Vec<FieldFormula<'m>>>,
    directions: [Option<Direction<'m>>; 2],
}

impl<'m> TissueFields<'m> {
    /// The fields of a tissue.
    pub(crate) fn of(fem: &'m FemModel) -> Self {
        let read = |text: &String| FieldFormula::parse(&fem.mesh, text).ok();
        let apart = |name: &str| {
            let of_rest = is_rest_number(name) || name == PRESTRAIN;
            name == DENSITY || DIRECTIONS.contains(&name) || of_rest
        };
        let constants = fem.fields.iter().filter(|(name, _)| !apart(name));
        let direction = |name| Direction::parse(&fem.mesh, fem.fields.get(name)?).ok();
        Self {
            fem,
            constants: constants
                .filter_map(|(name, it)| Some((name.as_str(), read(it)?)))
                .collect(),
            density: fem.fields.get(DENSITY).and_then(read),
            rest: (fem.fields.iter().filter(|(name, _)| is_rest_number(name)))
                .filter_map(|(name, it)| Some((name.as_str(), read(it)?)))
                .collect(),
            prestrain: fem.fields.get(PRESTRAIN).and_then(|it| tensor(&fem.mesh, it).ok()),
            directions: DIRECTIONS.map(direction),
        }
    }

    /// True if a constant of this law varies.
    pub(crate) fn vary(&self, law: &MaterialSpec) -> bool {
        self.constants.iter().any(|(name, _)| law.kind().constant(name).is_some())
    }

    /// The law of element `e`, where the tissue or its region has this one.
    pub(crate) fn law(&self, e: usize, law: &MaterialSpec) -> MaterialSpec {
        let mut varied = *law;
        for (name, formula) in &self.constants {
            if law.kind().constant(name).is_some() {
                varied.put(name, material::Value::Number(formula.eval(e)));
            }
        }
        varied
    }

    /// Density of element `e` [kg/m³].
    pub(crate) fn density(&self, e: usize) -> f64 {
        self.density.as_ref().map_or(self.fem.density, |formula| formula.eval(e))
    }

    /// True if directions of fibres or sheets are given, by lists or fields.
    pub(crate) fn have_axes(&self) -> bool {
        let lists = !(self.fem.fibres.is_empty() && self.fem.sheets.is_empty());
        lists || self.directions.iter().any(Option::is_some)
    }

    /// Axes of the material of element `e` at rest, columns: fibre, sheet, normal.
    pub(crate) fn axes(&self, e: usize) -> Mat3 {
        self.axes_between(e, &[])
    }

    /// The same between the nodes of element `e`, with a share of each; at their mean without shares.
    fn axes_between(&self, e: usize, shares: &[f64]) -> Mat3 {
        let [fibre, sheet] = self.directions_between(e, shares);
        material_axes(fibre, sheet)
    }

    /// Directions of fibres and sheets there, where they are given.
    fn directions_between(&self, e: usize, shares: &[f64]) -> [Option<Vec3>; 2] {
        let place = FieldPoint { nodes: self.fem.mesh.element(e).1, shares, element: Some(e) };
        let [fibres, sheets] = &self.directions;
        let of = |field: &Option<Direction<'_>>, list: &[Vec3]| match field {
            Some(direction) => Some(direction.at(place)),
            None => of_element(list, e),
        };
        [of(fibres, &self.fem.fibres), of(sheets, &self.fem.sheets)]
    }

    /// True if a formula of the rest position or a field of the nodes turns the axes within elements.
    pub(crate) fn turn_within_elements(&self) -> bool {
        self.directions.iter().flatten().any(Direction::varies_within_elements)
    }

    /// Axes of the material at each quadrature point of element `e`, where they turn within it; empty elsewhere.
    pub(crate) fn axes_at_points(&self, e: usize) -> Vec<Mat3> {
        if !self.turn_within_elements() {
            return Vec::new();
        }
        shares_at_points(self.fem, e).map(|shares| self.axes_between(e, &shares)).collect()
    }

    /// True if fibres have directions of a field.
    pub(crate) fn turn_fibres(&self) -> bool {
        self.directions[0].is_some()
    }
}

/// Names, units and docs of the quantities that can vary.
pub(super) fn field_items() -> impl Iterator<Item = Item> {
    let text = |item: Item| Item {
        value_type: PropertyType::Text,
        range: Range::FINITE,
        default: Value::Text(String::new()),
        ..item
    };
    let item = |name, unit, doc| Item {
        name,
        value_type: PropertyType::Text,
        unit,
        range: Range::FINITE,
        default: Value::Text(String::new()),
        doc,
    };
    let constants = super::law_properties::law_constants(false);
    let numbers = constants.filter(|item| item.value_type == PropertyType::Real);
    let own = [
        item(DENSITY, "kg/m³", "Mass per volume at rest"),
        item(DIRECTIONS[0], "-", "Direction of the fibres at rest"),
        item(DIRECTIONS[1], "-", "Direction of the sheets at rest"),
    ];
    let rest = REST_NUMBERS.map(|(name, doc)| item(name, "-", doc));
    let whole = item(PRESTRAIN, "-", "Deformation gradient at rest, row by row");
    distinct(numbers).into_iter().map(text).chain(own).chain(rest).chain([whole])
}

/// Access to the fields as properties. A field shows where a law of the tissue has its constant, or it is set.
pub(super) const FIELDS: ItemAccess<FemModel> = ItemAccess {
    get: |fem, name| {
        let text = fem.fields.get(name).cloned();
        let shown = text.is_some() || fem.can_vary(name);
        shown.then(|| Value::Text(text.unwrap_or_default()))
    },
    set: Some(FemModel::put_field),
    check: Some(|fem, _| fem.check_fields()),
};

impl FemModel {
    /// True if there is a quantity of that name: density, directions, a constant of a law of the tissue or of a region.
    fn can_vary(&self, name: &str) -> bool {
        let has = |law: &MaterialSpec| law.kind().constant(name).is_some();
        let regions = || self.regions.iter().any(|region| has(&region.material));
        let own = name == DENSITY || DIRECTIONS.contains(&name) || name == PRESTRAIN;
        own || is_rest_number(name) || has(&self.material) || regions()
    }

    fn put_field(&mut self, name: &str, value: &Value) -> Put {
        let Value::Text(text) = value else { return Err(Refusal::Absent) };
        let text = text.trim();
        if text.is_empty() {
            self.fields.remove(name);
            return Ok(());
        }
        self.fields.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    /// Checks that fields are of quantities that there are, can be read, and have values that make sense where a law has the
    /// quantity; of one that no law has, the values wait for a law that does.
    pub(super) fn check_fields(&self) -> Result<(), CheckError> {
        for (name, text) in &self.fields {
            let at = format!("field.{name}");
            if !field_items().any(|item| item.name == name) {
                let must = "density, fibres, sheets, growth, prestretch, prestrain, or a constant of a law of tissue";
                return Err(Problem::Unfit { target: name.clone(), must }.at(at));
            }
            let checked = if DIRECTIONS.contains(&name.as_str()) {
                self.check_direction_field(text)
            } else if name == PRESTRAIN {
                self.check_prestrain_field(text)
            } else {
                self.check_scalar_field(name, text)
            };
            checked.map_err(|problem| problem.at(at))?;
        }
        self.check_crossing()?;
        self.check_varied_laws()
    }

    fn check_direction_field(&self, text: &str) -> Result<(), Problem> {
        let direction = Direction::parse(&self.mesh, text)?;
        let turns = direction.varies_within_elements();
        for element in 0..self.mesh.element_count() {
            let nodes = self.mesh.element(element).1;
            for shares in shares_where(turns, self, element) {
                let place = FieldPoint { nodes, shares: &shares, element: Some(element) };
                let value = direction.at(place).norm();
                if !(value.is_finite() && value > 0.0) {
                    return Err(Problem::InElement { value, element, range: Range::POSITIVE });
                }
            }
        }
        Ok(())
    }

    /// Checks that no sheet lies along its fibres.
    pub(super) fn check_crossing(&self) -> Result<(), CheckError> {
        let fields = TissueFields::of(self);
        if self.sheets.is_empty() && fields.directions[1].is_none() {
            return Ok(());
        }
        let turn = fields.turn_within_elements();
        let at_fault = |e: usize, shares: &[f64]| {
            let [fibre, sheet] = fields.directions_between(e, shares);
            is_along(fibre, sheet)
        };
        let mut elements = 0..self.mesh.element_count();
        let along =
            elements.find(|&e| shares_where(turn, self, e).any(|shares| at_fault(e, &shares)));
        let Some(element) = along else { return Ok(()) };
        let field = fields.directions.iter().rposition(Option::is_some);
        let at = field.map_or("sheets".into(), |k| format!("field.{}", DIRECTIONS[k]));
        Err(Problem::AlongFibres { element }.at(at))
    }

    fn check_scalar_field(&self, name: &str, text: &str) -> Result<(), Problem> {
        let formula = FieldFormula::parse(&self.mesh, text)?;
        let regions = self.regions_of_elements();
        for (element, region) in regions.into_iter().enumerate() {
            let law = region.map_or(&self.material, |r| &self.regions[r].material);
            let range = match law.kind().constant(name) {
                _ if name == DENSITY || is_rest_number(name) => Range::POSITIVE,
                Some(constant) if constant.range == Range::POISSON => Range::open(-1.0, 0.5),
                Some(constant) => constant.range,
                None => continue,
            };
            let value = formula.eval(element);
            if !range.contains(value) {
                return Err(Problem::InElement { value, element, range });
            }
        }
        Ok(())
    }

    /// Checks what constants must meet together.
    fn check_varied_laws(&self) -> Result<(), CheckError> {
        let fields = TissueFields::of(self);
        if fields.constants.is_empty() {
            return Ok(());
        }
        for (e, region) in self.regions_of_elements().into_iter().enumerate() {
            let law = region.map_or(&self.material, |r| &self.regions[r].material);
            fields.law(e, law).check().map_err(|error| {
                let name = fields.constants.iter().find(|(name, _)| error.parameter.contains(name));
                let name = name.map_or(fields.constants[0].0, |(name, _)| name);
                Problem::from(error).at(format!("field.{name}"))
            })?;
        }
        Ok(())
    }
}

/// Access to the numbers of the rest state as properties.
const REST: ItemAccess<FemModel> = ItemAccess {
    get: |fem, name| fem.rest.value(name),
    set: Some(|fem, name, value| fem.rest.put(name, value)),
    check: Some(FemModel::check_rest),
};

/// The properties of the rest state.
pub(super) fn rest_properties() -> Vec<Property<FemModel>> {
    composite("rest", Invalidates::PARAMETER, rest_items(), &REST)
}

impl FemModel {
    /// Checks that a field of the deformation at rest can be read, and has a positive determinant everywhere.
    pub(super) fn check_prestrain_field(&self, text: &str) -> Result<(), Problem> {
        let formulas = tensor(&self.mesh, text)?;
        for element in 0..self.mesh.element_count() {
            let whole = Mat3::from_row_iterator(formulas.iter().map(|it| it.eval(element)));
            let value = whole.determinant();
            if !(value.is_finite() && value > 0.0) {
                return Err(Problem::InElement { value, element, range: Range::POSITIVE });
            }
        }
        Ok(())
    }

    /// Checks that the shape without stress has a volume in every element.
    pub(super) fn check_rest(&self, _: &dyn Components) -> Result<(), CheckError> {
        self.rest.check()?;
        let fields = TissueFields::of(self);
        // Fields that act in full have volumes as they are: `check_fields` looks at them.
        if !fields.is_stressed() || self.rest.ramp == 1.0 {
            return Ok(());
        }
        (0..self.mesh.element_count()).try_for_each(|e| fields.rest_of(e).check())
    }
}

impl FemModel {
    /// Axes of the material of each element at rest, columns: fibre, sheet, normal; those of space without fibres and sheets.
    pub fn material_axes(&self) -> Vec<Mat3> {
        let fields = TissueFields::of(self);
        (0..self.mesh.element_count()).map(|e| fields.axes(e)).collect()
    }
}

impl TissueFields<'_> {
    /// True if the rest shape is not free of stress.
    fn is_stressed(&self) -> bool {
        let varies = !self.rest.is_empty() || self.prestrain.is_some();
        self.fem.rest.ramp != 0.0 && (varies || !self.fem.rest.is_free())
    }

    /// The rest state of element `e`.
    fn rest_of(&self, e: usize) -> RestState {
        let mut rest = self.fem.rest.clone();
        for (name, formula) in &self.rest {
            if let Some(number) = rest.number_mut(name) {
                *number = formula.eval(e);
            }
        }
        if let Some(formulas) = &self.prestrain {
            rest.prestrain = Mat3::from_row_iterator(formulas.iter().map(|it| it.eval(e)));
        }
        rest
    }

    /// Quadrature points of element `e`.
    fn point_count(&self, e: usize) -> usize {
        self.fem.mesh.element(e).0.points_by(self.fem.quadrature).len()
    }

    /// Deformation at rest of each of these elements from its stress-free shape; empty where that is the rest shape.
    pub(crate) fn elastic_at_rest(&self, elements: &[u32]) -> Vec<ElasticAtRest> {
        if !self.is_stressed() {
            return Vec::new();
        }
        elements.iter().map(|&e| self.elastic_of(e as usize)).collect()
    }

    fn elastic_of(&self, e: usize) -> ElasticAtRest {
        let elastic = self.rest_of(e).elastic();
        let turned = |axes: &Mat3| axes * elastic * axes.transpose();
        let centre = turned(&self.axes(e));
        let at_points = self.axes_at_points(e);
        let points = if at_points.is_empty() {
            vec![centre; self.point_count(e)]
        } else {
            at_points.iter().map(turned).collect()
        };
        ElasticAtRest { centre, points }
    }
}
