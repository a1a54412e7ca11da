//! Quantities of a tissue that vary in space: constants of its laws, density and directions, by formulas of the rest
//! position and of fields of the mesh, taken at the mean of the nodes of each element.

use super::fem_model::{FemModel, material_axes, of_element};
use super::rest_state::{PRESTRAIN, REST_NUMBERS};
use crate::fem::{Field, VolumeMesh};
use crate::formula::{Formula, FormulaError, braced};
use crate::material::{self, MaterialSpec};
use crate::property::{
    CheckError, Item, ItemAccess, Problem, PropertyType, Put, Range, Refusal, Value, distinct,
};
use crate::{Mat3, Vec3};

/// Fields that are directions: their names, the same as those of the lists that they stand in place of.
const DIRECTIONS: [&str; 2] = ["fibres", "sheets"];
/// Field of the density.
const DENSITY: &str = "density";

/// True for a field that is a number of the rest state.
fn is_rest_number(name: &str) -> bool {
    REST_NUMBERS.iter().any(|(known, _)| *known == name)
}

/// One input of a formula.
#[derive(Clone, Copy)]
enum Input<'m> {
    /// A coordinate of the rest position [m].
    Axis(usize),
    /// A component of a field of the nodes.
    OfNodes(&'m Field, usize),
    /// A component of a field of the elements.
    OfElements(&'m Field, usize),
}

impl<'m> Input<'m> {
    /// The input of a name: `x`, a field of one number, `FIELD.x`, `FIELD[3]`.
    fn named(mesh: &'m VolumeMesh, name: &str) -> Option<Self> {
        let whole = |name: &str, part: usize| {
            let of = |field: &'m Field| part < field.components;
            let elements = mesh.element_fields.get(name).filter(|it| of(it));
            let nodes = mesh.node_fields.get(name).filter(|it| of(it));
            let elements = elements.map(|field| Self::OfElements(field, part));
            elements.or(nodes.map(|field| Self::OfNodes(field, part)))
        };
        let alone = whole(name, 0).filter(|it| match it {
            Self::Axis(_) => true,
            Self::OfNodes(field, _) | Self::OfElements(field, _) => field.components == 1,
        });
        let axis = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
        let parted = || match name.strip_suffix(']').and_then(|inner| inner.rsplit_once('[')) {
            Some((field, part)) => whole(field, part.parse().ok()?),
            None => name.rsplit_once('.').and_then(|(field, part)| whole(field, axis(part)?)),
        };
        alone.or_else(|| axis(name).map(Self::Axis)).or_else(parted)
    }

    /// Its value at a place; not a number where elements have it and there is none.
    fn of(self, mesh: &VolumeMesh, FieldPoint { nodes, element }: FieldPoint<'_>) -> f64 {
        let mean = |of: &dyn Fn(usize) -> f64| {
            nodes.iter().map(|&n| of(n as usize)).sum::<f64>() / nodes.len() as f64
        };
        let of_field =
            |field: &Field, part: usize, k: usize| field.values[k * field.components + part];
        match self {
            Self::Axis(axis) => mean(&|n| mesh.nodes[n][axis]),
            Self::OfNodes(field, part) => mean(&|n| of_field(field, part, n)),
            Self::OfElements(field, part) => element.map_or(f64::NAN, |e| of_field(field, part, e)),
        }
    }
}

/// Nodes at whose mean a formula is taken, and the element that they belong to.
#[derive(Clone, Copy)]
pub(super) struct FieldPoint<'a> {
    pub(super) nodes: &'a [u32],
    pub(super) element: Option<usize>,
}

/// Errors of a formula of the rest position and of fields.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum FieldError {
    #[error("'{text}' is no formula: {source}")]
    Formula { text: String, source: FormulaError },
    #[error(
        "'{name}' in '{text}' is none of x, y, z, nor a field of one number at the nodes or elements of the mesh (of \
         several: {{{name}.x}} or {{{name}[0]}})"
    )]
    Input { name: String, text: String },
    #[error(
        "'{0}' is neither a field of three numbers of the mesh nor three formulas parted by semicolons"
    )]
    Direction(String),
    #[error(
        "'{0}' is neither a field of nine numbers of the mesh nor nine formulas parted by semicolons"
    )]
    Tensor(String),
}

impl From<FieldError> for Problem {
    fn from(error: FieldError) -> Self {
        Self::Formula(error.to_string())
    }
}

/// A formula with the places of its inputs in a mesh.
pub(super) struct FieldFormula<'m> {
    mesh: &'m VolumeMesh,
    formula: Formula,
    inputs: Vec<Input<'m>>,
}

impl<'m> FieldFormula<'m> {
    pub(super) fn parse(mesh: &'m VolumeMesh, text: &str) -> Result<Self, FieldError> {
        let formula = Formula::parse_number(text)
            .map_err(|source| FieldError::Formula { text: text.to_owned(), source })?;
        let input = |name: &String| {
            let name = braced(name).unwrap_or(name);
            Input::named(mesh, name)
                .ok_or_else(|| FieldError::Input { name: name.to_owned(), text: text.to_owned() })
        };
        let inputs = formula.inputs().iter().map(input).collect::<Result<_, _>>()?;
        Ok(Self { mesh, formula, inputs })
    }

    /// Its value at a place.
    pub(super) fn at(&self, place: FieldPoint<'_>) -> f64 {
        let values: Vec<f64> = self.inputs.iter().map(|input| input.of(self.mesh, place)).collect();
        let mut value = [f64::NAN];
        self.formula.eval(&values, &mut value, &mut Vec::new());
        value[0]
    }

    pub(super) fn eval(&self, e: usize) -> f64 {
        self.at(FieldPoint { nodes: self.mesh.element(e).1, element: Some(e) })
    }
}

/// A direction: three formulas parted by semicolons, or the name of a field of three numbers.
struct Direction<'m>([FieldFormula<'m>; 3]);

impl<'m> Direction<'m> {
    fn parse(mesh: &'m VolumeMesh, text: &str) -> Result<Self, FieldError> {
        let name = bare(text);
        let is_vector = |field: Option<&Field>| field.is_some_and(|it| it.components == 3);
        let parts: Vec<String> =
            if is_vector(mesh.element_fields.get(name)) || is_vector(mesh.node_fields.get(name)) {
                ["x", "y", "z"].map(|axis| format!("{{{name}.{axis}}}")).to_vec()
            } else {
                text.split(';').map(str::to_owned).collect()
            };
        let [x, y, z] = parts.as_slice() else {
            return Err(FieldError::Direction(text.to_owned()));
        };
        let read = |text: &String| FieldFormula::parse(mesh, text);
        Ok(Self([read(x)?, read(y)?, read(z)?]))
    }

    fn eval(&self, e: usize) -> Vec3 {
        Vec3::from([0, 1, 2].map(|k| self.0[k].eval(e)))
    }
}

/// Nine formulas parted by semicolons, row by row, or the name of a field of nine numbers.
pub(super) fn tensor<'m>(
    mesh: &'m VolumeMesh,
    text: &str,
) -> Result<Vec<FieldFormula<'m>>, FieldError> {
    let name = bare(text);
    let whole = |field: Option<&Field>| field.is_some_and(|it| it.components == 9);
    let of_field = whole(mesh.element_fields.get(name)) || whole(mesh.node_fields.get(name));
    let parts: Vec<String> = match of_field {
        true => (0..9).map(|k| format!("{{{name}[{k}]}}")).collect(),
        false => text.split(';').map(str::to_owned).collect(),
    };
    if parts.len() != 9 {
        return Err(FieldError::Tensor(text.to_owned()));
    }
    parts.iter().map(|part| FieldFormula::parse(mesh, part)).collect()
}

/// The name of a field without the braces that it may stand in.
fn bare(text: &str) -> &str {
    text.trim().trim_start_matches('{').trim_end_matches('}').trim()
}

/// Vectors at the quadrature points of an element, interpolated between those of its nodes; their mean where they cancel out.
pub(super) fn directions_at_points(
    fem: &FemModel,
    element: usize,
    vectors: &[[f64; 3]],
) -> Vec<Vec3> {
    let (kind, nodes) = fem.mesh.element(element);
    let at_node = |&node: &u32| Vec3::from(vectors[node as usize]);
    let mut shapes = vec![0.0; nodes.len()];
    let at = |r: [f64; 3]| {
        kind.shape(r, &mut shapes);
        let sum: Vec3 = shapes.iter().zip(nodes).map(|(n, node)| at_node(node) * *n).sum();
        if sum == Vec3::zeros() {
            nodes.iter().map(at_node).sum::<Vec3>() / nodes.len() as f64
        } else {
            sum
        }
    };
    kind.points_by(fem.quadrature).iter().map(|point| point.at).map(at).collect()
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
    /// Directions of the fibres at the nodes, where a field of these has them.
    at_nodes: Option<&'m [[f64; 3]]>,
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
        let at_nodes = fem.fields.get(DIRECTIONS[0]).and_then(|text| {
            let name = bare(text);
            let field = fem.mesh.node_fields.get(name).filter(|field| field.components == 3)?;
            let of_elements = fem.mesh.element_fields.contains_key(name);
            (!of_elements).then(|| field.values.as_chunks::<3>().0)
        });
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
            at_nodes,
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
        let [fibres, sheets] = &self.directions;
        let of = |field: &Option<Direction<'_>>, list: &[Vec3]| match field {
            Some(direction) => Some(direction.eval(e)),
            None => of_element(list, e),
        };
        material_axes(of(fibres, &self.fem.fibres), of(sheets, &self.fem.sheets))
    }

    /// True if a field of the nodes turns the fibres within elements.
    pub(crate) fn turn_within_elements(&self) -> bool {
        self.at_nodes.is_some()
    }

    /// Axes of the material at each quadrature point of element `e`, where a field of the nodes turns them; empty elsewhere.
    pub(crate) fn axes_at_points(&self, e: usize) -> Vec<Mat3> {
        let Some(vectors) = self.at_nodes else { return Vec::new() };
        let sheets = match &self.directions[1] {
            Some(direction) => Some(direction.eval(e)),
            None => of_element(&self.fem.sheets, e),
        };
        let along = directions_at_points(self.fem, e, vectors);
        along.into_iter().map(|fibre| material_axes(Some(fibre), sheets)).collect()
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
    check: None,
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
        let before = self.fields.insert(name.to_owned(), text.to_owned());
        if self.check_fields().is_ok() {
            return Ok(());
        }
        match before {
            Some(before) => self.fields.insert(name.to_owned(), before),
            None => self.fields.remove(name),
        };
        Err(Refusal::Value(if DIRECTIONS.contains(&name) {
            "it must be a field of three numbers of the mesh, or three formulas parted by semicolons, and not zero anywhere"
        } else if name == PRESTRAIN {
            "it must be a field of nine numbers of the mesh, or nine formulas parted by semicolons, with a determinant above 0"
        } else {
            "it must be a formula of x, y, z and fields of one number of the mesh, with values that the laws allow in every \
             element"
        }))
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
        self.check_varied_laws()
    }

    fn check_direction_field(&self, text: &str) -> Result<(), Problem> {
        let direction = Direction::parse(&self.mesh, text)?;
        let mut lengths = (0..self.mesh.element_count()).map(|e| (e, direction.eval(e).norm()));
        match lengths.find(|(_, length)| !(length.is_finite() && *length > 0.0)) {
            Some((element, value)) => {
                Err(Problem::InElement { value, element, range: Range::POSITIVE })
            }
            None => Ok(()),
        }
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

    /// Makes fields of the elements of the mesh of all formulas, which a motion of its nodes would change.
    pub(super) fn freeze_fields(&mut self) {
        for name in self.fields.keys().cloned().collect::<Vec<_>>() {
            let (text, count) = (&self.fields[&name], self.mesh.element_count());
            let values = if DIRECTIONS.contains(&name.as_str()) {
                let direction = Direction::parse(&self.mesh, text).ok();
                direction
                    .map(|it| (3, (0..count).flat_map(|e| <[f64; 3]>::from(it.eval(e))).collect()))
            } else if name == PRESTRAIN {
                let formulas = tensor(&self.mesh, text).ok();
                let all = |it: &[FieldFormula<'_>]| {
                    (0..count).flat_map(|e| it.iter().map(move |it| it.eval(e))).collect()
                };
                formulas.map(|it| (9, all(&it)))
            } else {
                let formula = FieldFormula::parse(&self.mesh, text).ok();
                formula.map(|it| (1, (0..count).map(|e| it.eval(e)).collect()))
            };
            let Some((components, values)) = values else { continue };
            let field = frozen(&name);
            self.fields.insert(name, format!("{{{field}}}"));
            self.mesh.element_fields.insert(field, Field { components, values });
        }
    }

    /// Names of the fields of the mesh that directions are frozen in.
    pub(super) fn frozen_directions(&self) -> impl Iterator<Item = String> {
        DIRECTIONS.into_iter().filter(|name| self.fields.contains_key(*name)).map(frozen)
    }

    /// Multiplies a frozen density.
    pub(super) fn scale_density_field(&mut self, factor: f64) {
        if let Some(field) = self.mesh.element_fields.get_mut(&frozen(DENSITY))
            && self.fields.contains_key(DENSITY)
        {
            field.values.iter_mut().for_each(|value| *value *= factor);
        }
    }
}

/// Field of the mesh that a field of a tissue is frozen in.
fn frozen(name: &str) -> String {
    format!("field:{name}")
}
