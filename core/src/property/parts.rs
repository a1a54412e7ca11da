//! The properties of nodes and elements of a tissue, which are no components.

use super::{PropertyInfo, PropertyRef, PropertyType, Range, Simulated, Value};
use crate::Vec3;
use crate::component::{Address, Handle, Invalidates};
use crate::model::{FemModel, Model};

/// A line of the table of nodes, or of that of elements.
pub(crate) struct PartProperty {
    pub(crate) info: PropertyInfo,
    get: fn(&FemModel, usize) -> Option<Value>,
    set: Option<fn(&mut FemModel, usize, Value)>,
    simulated: fn(&Simulated<'_>, Handle<FemModel>, usize) -> Option<Value>,
}

const fn info(name: &'static str, unit: &'static str, doc: &'static str) -> PropertyInfo {
    PropertyInfo {
        name,
        value_type: PropertyType::Vector,
        unit,
        range: Range::FINITE,
        default: || Value::Vector(Vec3::zeros()),
        doc,
        invalidates: Invalidates::NOTHING,
        read_only: true,
        inheritable: false,
        simulated: true,
        plain: true,
    }
}

const fn number(info: PropertyInfo) -> PropertyInfo {
    PropertyInfo { value_type: PropertyType::Real, default: || Value::Real(0.0), ..info }
}

/// Nodes.
pub(crate) static NODE: &[PartProperty] = &[
    PartProperty {
        info: PropertyInfo {
            invalidates: Invalidates::GEOMETRY,
            read_only: false,
            simulated: false,
            ..info("rest_position", "m", "Position at rest")
        },
        get: |fem, node| fem.mesh.nodes.get(node).map(|x| Value::Vector(*x)),
        set: Some(|fem, node, value| {
            if let (Some(x), Value::Vector(to)) = (fem.mesh.nodes.get_mut(node), value) {
                *x = to;
            }
        }),
        simulated: |_, _, _| None,
    },
    PartProperty {
        info: info("position", "m", "Position now"),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, node| Some(Value::Vector(*s.state.q.get(s.node(fem, node)?)?)),
    },
    PartProperty {
        info: info("velocity", "m/s", "Velocity now"),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, node| Some(Value::Vector(*s.state.u.get(s.node(fem, node)?)?)),
    },
    PartProperty {
        info: info("displacement", "m", "Position now minus that at rest"),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, node| {
            let row = s.node(fem, node)?;
            Some(Value::Vector(s.state.q.get(row)? - s.compiled.rest_positions()[row]))
        },
    },
    PartProperty {
        info: number(info("mass", "kg", "Lumped mass")),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, node| Some(Value::Real(s.mass(s.node(fem, node)?))),
    },
];

/// Elements.
pub(crate) static ELEMENT: &[PartProperty] = &[
    PartProperty {
        info: PropertyInfo {
            value_type: PropertyType::Text,
            default: || Value::Text(String::new()),
            simulated: false,
            ..info("kind", "", "Kind of element")
        },
        get: |fem, element| {
            let there = element < fem.mesh.element_count();
            there.then(|| Value::Text(fem.mesh.element(element).0.name().to_owned()))
        },
        set: None,
        simulated: |_, _, _| None,
    },
    PartProperty {
        info: PropertyInfo {
            value_type: PropertyType::List,
            default: || Value::List(Vec::new()),
            simulated: false,
            ..info("nodes", "", "Indices of its nodes")
        },
        get: |fem, element| {
            let there = element < fem.mesh.element_count();
            let nodes = || fem.mesh.element(element).1.iter().map(|&n| f64::from(n)).collect();
            there.then(|| Value::List(nodes()))
        },
        set: None,
        simulated: |_, _, _| None,
    },
    PartProperty {
        info: number(info("von_mises", "Pa", "Von Mises norm of the mean Cauchy stress")),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, element| {
            let fields = s.compiled.element_fields(fem, s.state);
            fields.von_mises.get(element).map(|x| Value::Real(*x))
        },
    },
    PartProperty {
        info: number(info("strain_energy_density", "J/m³", "Strain energy per volume at rest")),
        get: |_, _| None,
        set: None,
        simulated: |s, fem, element| {
            let fields = s.compiled.element_fields(fem, s.state);
            fields.strain_energy_density.get(element).map(|x| Value::Real(*x))
        },
    },
];

fn line(property: &PropertyRef) -> Option<(&'static PartProperty, Handle<FemModel>, usize)> {
    match property.host() {
        Address::Node(fem, node) => Some((NODE.get(property.row)?, fem, node as usize)),
        Address::Element(fem, element) => Some((ELEMENT.get(property.row)?, fem, element as usize)),
        _ => None,
    }
}

pub(super) fn get(model: &Model, property: &PropertyRef) -> Option<Value> {
    let (line, fem, k) = line(property)?;
    (line.get)(model.get(fem)?, k)
}

pub(super) fn set(model: &mut Model, property: &PropertyRef, value: &Value) -> Option<bool> {
    let (line, fem, k) = line(property)?;
    let fem = model.data_mut(fem)?;
    (line.set?)(fem, k, value.clone());
    Some(k < fem.mesh.nodes.len())
}

pub(super) fn simulated(view: &Simulated<'_>, property: &PropertyRef) -> Option<Value> {
    let (line, fem, k) = line(property)?;
    (line.simulated)(view, fem, k)
}
