//! Formulas of the rest position and of fields of a mesh, taken at the mean of the nodes of an element or between them:
//! numbers, directions, tensors.

use crate::Vec3;
use crate::fem::{Field, VolumeMesh};
use crate::formula::{Formula, FormulaError, braced};
use crate::property::Problem;

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
    fn of(self, mesh: &VolumeMesh, FieldPoint { nodes, shares, element }: FieldPoint<'_>) -> f64 {
        let mean = |of: &dyn Fn(usize) -> f64| match shares {
            [] => nodes.iter().map(|&n| of(n as usize)).sum::<f64>() / nodes.len() as f64,
            shares => nodes.iter().zip(shares).map(|(&n, share)| of(n as usize) * share).sum(),
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

/// Nodes between which a formula is taken, and the element that they belong to.
#[derive(Clone, Copy)]
pub(super) struct FieldPoint<'a> {
    pub(super) nodes: &'a [u32],
    /// Share of each node, such as its shape function at a quadrature point; empty for the mean.
    pub(super) shares: &'a [f64],
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
        // Fields hide constants: one named E is Young's modulus, not 2.718.
        let fields: Vec<&str> =
            mesh.element_fields.keys().chain(mesh.node_fields.keys()).map(String::as_str).collect();
        let formula = Formula::parse_number(text, &fields)
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
        self.at(FieldPoint { nodes: self.mesh.element(e).1, shares: &[], element: Some(e) })
    }

    /// True if its value may differ from point to point of an element.
    fn varies_within_elements(&self) -> bool {
        self.inputs.iter().any(|input| !matches!(input, Input::OfElements(..)))
    }
}

/// A direction: three formulas parted by semicolons, or the name of a field of three numbers.
pub(super) struct Direction<'m>([FieldFormula<'m>; 3]);

impl<'m> Direction<'m> {
    pub(super) fn parse(mesh: &'m VolumeMesh, text: &str) -> Result<Self, FieldError> {
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

    pub(super) fn eval(&self, e: usize) -> Vec3 {
        Vec3::from([0, 1, 2].map(|k| self.0[k].eval(e)))
    }

    /// Its value at each node, where it turns within elements and nodes have all of it: no field of elements is part of it.
    pub(super) fn at_nodes(&self) -> Option<Vec<[f64; 3]>> {
        let of_elements = |input: &Input<'_>| matches!(input, Input::OfElements(..));
        let apart = self.0.iter().flat_map(|formula| &formula.inputs).any(of_elements);
        let count = self.0[0].mesh.nodes.len() as u32;
        let at = |node| self.at(FieldPoint { nodes: &[node], shares: &[], element: None }).into();
        (self.varies_within_elements() && !apart).then(|| (0..count).map(at).collect())
    }

    /// True if it may turn from point to point of an element.
    pub(super) fn varies_within_elements(&self) -> bool {
        self.0.iter().any(FieldFormula::varies_within_elements)
    }

    /// The direction at a place; that of the whole element where vectors of nodes cancel out.
    pub(super) fn at(&self, place: FieldPoint<'_>) -> Vec3 {
        let here = Vec3::from([0, 1, 2].map(|k| self.0[k].at(place)));
        match here == Vec3::zeros() {
            true => {
                Vec3::from([0, 1, 2].map(|k| self.0[k].at(FieldPoint { shares: &[], ..place })))
            }
            false => here,
        }
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
