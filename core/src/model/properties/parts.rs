//! The properties of nodes, elements, regions and supports of a tissue.

use std::sync::LazyLock;

use super::part_table::{
    CheckPart, GetPartItem, PartAccess, PartProperty, SetPartItem, part_properties,
};
use crate::component::{Address, Invalidates};
use crate::fem::QuadratureRule;
use crate::kinds::{
    Dirichlet, FemModel, KeyframeInterpolation, LawName, PointKeyframe, Region, constant,
    law_constants, put_constant, read_indices,
};
use crate::material::MaterialSpec;
use crate::model::Model;
use crate::property::{
    CheckError, Item, PropertyRef, Put, Refusal, Setting, Value, distinct, info, put_schedule,
};
use crate::{Mat3, Vec3};

/// Nodes.
static NODE: LazyLock<Vec<PartProperty>> = LazyLock::new(|| {
    let mut table = Vec::new();
    part_properties! { table:
        "rest_position": Vec3 = Vec3::zeros(), "m", FINITE, GEOMETRY, "Position at rest",
            via (|fem: &FemModel, k| fem.mesh.nodes.get(k).copied(), |fem: &mut FemModel, x, k| put(fem.mesh.nodes.get_mut(k), x));
        "dynamic": bool = true, "", FINITE, NOTHING, "True if it can move along any axis; supports of the tissue fix it",
            derived (|fem: &FemModel, k| Some(fem.fixed(k) != [true; 3]));
        "fixed.x": bool = false, "", FINITE, NOTHING, "True if a support fixes or prescribes it along x", derived (|fem: &FemModel, k| Some(fem.fixed(k)[0]));
        "fixed.y": bool = false, "", FINITE, NOTHING, "True if a support fixes or prescribes it along y", derived (|fem: &FemModel, k| Some(fem.fixed(k)[1]));
        "fixed.z": bool = false, "", FINITE, NOTHING, "True if a support fixes or prescribes it along z", derived (|fem: &FemModel, k| Some(fem.fixed(k)[2]));
        "position": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position now", simulated ();
        "velocity": Vec3 = Vec3::zeros(), "m/s", FINITE, NOTHING, "Velocity now", simulated ();
        "displacement": Vec3 = Vec3::zeros(), "m", FINITE, NOTHING, "Position now minus that at rest", simulated ();
        "force": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Sum of all forces on it, support left out; computes all forces of the model", simulated ();
        "reaction": Vec3 = Vec3::zeros(), "N", FINITE, NOTHING, "Force of its support over the last step, with that which changes the momentum of what is prescribed; computes all forces of the model", simulated ();
        "mass": f64 = 0.0, "kg", FINITE, NOTHING, "Lumped mass", simulated ();
    }
    table
});

/// Elements.
static ELEMENT: LazyLock<Vec<PartProperty>> = LazyLock::new(|| {
    let mut table = Vec::new();
    part_properties! { table:
        "kind": String = String::new(), "", FINITE, NOTHING, "Kind of element", derived (|fem: &FemModel, k| Some(fem.mesh.element(k).0.name().to_owned()));
        "nodes": Vec<f64> = Vec::new(), "", FINITE, NOTHING, "Indices of its nodes", derived (|fem: &FemModel, k| Some(indices(fem.mesh.element(k).1)));
        "jacobian_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest over largest det dX/dr of its quadrature points at rest: 1 for a parallelepiped, not above 0 for what is inside out",
            derived (|fem: &FemModel, k| Some(fem.mesh.jacobian_ratio(k, QuadratureRule::default())));
        "region": i64 = 0, "-", NOT_NEGATIVE, NOTHING, "Number of the region that gives it its law", derived (|fem: &FemModel, k| i64::try_from(fem.region_of(k)?).ok());
        "material": LawName = LawName::DEFAULT, "", FINITE, NOTHING, "Law: set it at the tissue or the region", derived (|fem: &FemModel, k| Some(LawName::of(&fem.material_of(k))));
    }
    let material = |fem: &FemModel, k: usize, name: &str| constant(&fem.material_of(k), name);
    table.extend(constants(material, None, None));
    part_properties! { table:
        "volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume now", simulated ();
        "rest_volume": f64 = 0.0, "m³", FINITE, NOTHING, "Volume at rest", simulated ();
        "volume_ratio": f64 = 1.0, "-", FINITE, NOTHING, "Smallest det F of its quadrature points now; not above 0 where it is inverted", simulated ();
        "stress": Mat3 = Mat3::zeros(), "Pa", FINITE, NOTHING, "Mean Cauchy stress, with that of the muscle bundles in it", simulated ();
        "strain": Mat3 = Mat3::zeros(), "-", FINITE, NOTHING, "Mean Green-Lagrange strain", simulated ();
        "von_mises": f64 = 0.0, "Pa", FINITE, NOTHING, "Von Mises norm of the mean Cauchy stress", simulated ();
        "max_principal_stress": f64 = 0.0, "Pa", FINITE, NOTHING, "Principal stress that is largest in absolute value", simulated ();
        "max_principal_strain": f64 = 0.0, "-", FINITE, NOTHING, "Principal strain that is largest in absolute value", simulated ();
        "strain_energy_density": f64 = 0.0, "J/m³", FINITE, NOTHING, "Strain energy per volume at rest, with that of the passive fibres of muscle bundles in it", simulated ();
    }
    table
});

/// Regions: elements with a law of their own.
static REGION: LazyLock<Vec<PartProperty>> = LazyLock::new(|| {
    let mut table = Vec::new();
    part_properties! { table:
        "elements": Vec<f64> = Vec::new(), "", NOT_NEGATIVE, STRUCTURE, "Indices of its elements; a later region wins over an earlier one",
            via (|fem: &FemModel, k| region(fem, k).map(|r| indices(&r.elements)), |fem: &mut FemModel, list: Vec<f64>, k| put_indices(fem.regions.get_mut(k).map(|r| &mut r.elements), &list)), check FemModel::check_region;
        "material": LawName = LawName::DEFAULT, "", FINITE, PARAMETER, "Law; setting it takes the law's default constants",
            replacing (|fem: &FemModel, k| region(fem, k).map(|r| LawName::of(&r.material)), |fem: &mut FemModel, law: LawName, k| law.put(law_of(fem, k)?));
    }
    let get = |fem: &FemModel, k: usize, name: &str| constant(&region(fem, k)?.material, name);
    table.extend(constants(
        get,
        Some(|fem, k, name, value| put_constant(law_of(fem, k)?, name, value)),
        Some(FemModel::check_region),
    ));
    table
});

/// Supports: nodes that are fixed or prescribed.
static SUPPORT: LazyLock<Vec<PartProperty>> = LazyLock::new(|| {
    let mut table = Vec::new();
    part_properties! { table:
        "nodes": Vec<f64> = Vec::new(), "", NOT_NEGATIVE, STRUCTURE, "Indices of its nodes; a later support wins over an earlier one",
            via (|fem: &FemModel, k| support(fem, k).map(|d| indices(&d.nodes)), |fem: &mut FemModel, list: Vec<f64>, k| put_indices(fem.dirichlet.get_mut(k).map(|d| &mut d.nodes), &list)), check FemModel::check_support;
        "axes.x": bool = true, "", FINITE, STRUCTURE, "True if it acts along x", via (|fem: &FemModel, k| support(fem, k).map(|d| d.axes[0]), |fem: &mut FemModel, on, k| put(axis(fem, k, 0), on));
        "axes.y": bool = true, "", FINITE, STRUCTURE, "True if it acts along y", via (|fem: &FemModel, k| support(fem, k).map(|d| d.axes[1]), |fem: &mut FemModel, on, k| put(axis(fem, k, 1), on));
        "axes.z": bool = true, "", FINITE, STRUCTURE, "True if it acts along z", via (|fem: &FemModel, k| support(fem, k).map(|d| d.axes[2]), |fem: &mut FemModel, on, k| put(axis(fem, k, 2), on));
        "displacement": Vec<f64> = Vec::new(), "m", FINITE, STRUCTURE, "Displacement from rest at a schedule value of 1: none, x y z for all nodes, or x y z of each",
            via (|fem: &FemModel, k| support(fem, k).map(|d| d.displacement.iter().flatten().copied().collect()), |fem: &mut FemModel, list: Vec<f64>, k| put_vectors(fem.dirichlet.get_mut(k), &list)), check FemModel::check_support;
        "schedule": Vec<f64> = vec![1.0], "s, -", FINITE, STRUCTURE, "Time course: one factor, or times and factors in turn",
            via (|fem: &FemModel, k| support(fem, k).map(|d| d.schedule.to_list()), |fem: &mut FemModel, list: Vec<f64>, k| put_schedule(&mut fem.dirichlet.get_mut(k).ok_or(Refusal::Gone)?.schedule, &list)), check FemModel::check_support;
        "keyframes": Vec<f64> = Vec::new(), "s, m", FINITE, STRUCTURE, "Displacements from rest that all its nodes go through, in the place of displacement and schedule: time and x y z of each in turn",
            via (|fem: &FemModel, k| support(fem, k).map(|d| PointKeyframe::list(&d.keyframes)), |fem: &mut FemModel, list: Vec<f64>, k| put(fem.dirichlet.get_mut(k).map(|d| &mut d.keyframes), PointKeyframe::of_list(&list)?)), check FemModel::check_support;
        "keyframe_interpolation": KeyframeInterpolation = KeyframeInterpolation::Linear, "", FINITE, STRUCTURE, "Motion between two keyframes: even, or by a cubic spline, with continuous velocities and accelerations",
            via (|fem: &FemModel, k| support(fem, k).map(|d| d.keyframe_interpolation), |fem: &mut FemModel, it, k| put(fem.dirichlet.get_mut(k).map(|d| &mut d.keyframe_interpolation), it));
        "offset": Vec3 = Vec3::zeros(), "m", FINITE, STRUCTURE, "Displacement from rest of all its nodes, where they have one, at last; a probe that feeds it moves them with their velocity",
            replacing (|fem: &FemModel, k| support(fem, k).and_then(Dirichlet::last_offset), |fem: &mut FemModel, offset: Vec3, k| put_offset(fem.dirichlet.get_mut(k), offset));
    }
    table
});

/// The table of what is at an address; empty for components, which have their own.
pub(crate) fn table(host: Address) -> &'static [PartProperty] {
    match host {
        Address::Node(..) => &NODE,
        Address::Element(..) => &ELEMENT,
        Address::Region(..) => &REGION,
        Address::Support(..) => &SUPPORT,
        Address::Component(_) | Address::Part(..) => &[],
    }
}

/// All tables with their headings, for the documentation.
pub(super) fn tables() -> [(&'static str, &'static [PartProperty]); 4] {
    [
        ("Nodes of a tissue", &NODE),
        ("Elements of a tissue", &ELEMENT),
        ("Regions of a tissue", &REGION),
        ("Supports of a tissue", &SUPPORT),
    ]
}

/// Lines for the constants of all laws of tissue.
fn constants(
    get: GetPartItem,
    set: Option<SetPartItem>,
    check: Option<CheckPart>,
) -> impl Iterator<Item = PartProperty> {
    let line = move |item: Item| {
        let access = PartAccess::Item { item: item.name, get, set };
        let info = info("material", Invalidates::PARAMETER, item, set.is_none());
        PartProperty { info, access, check }
    };
    distinct(law_constants(false)).into_iter().map(line)
}

fn region(fem: &FemModel, k: usize) -> Option<&Region> {
    fem.regions.get(k)
}

fn law_of(fem: &mut FemModel, k: usize) -> Result<&mut MaterialSpec, Refusal> {
    fem.regions.get_mut(k).map(|region| &mut region.material).ok_or(Refusal::Gone)
}

fn support(fem: &FemModel, k: usize) -> Option<&Dirichlet> {
    fem.dirichlet.get(k)
}

fn axis(fem: &mut FemModel, k: usize, axis: usize) -> Option<&mut bool> {
    fem.dirichlet.get_mut(k).map(|support| &mut support.axes[axis])
}

fn indices(list: &[u32]) -> Vec<f64> {
    list.iter().map(|&k| f64::from(k)).collect()
}

fn put<V>(place: Option<&mut V>, value: V) -> Put {
    *place.ok_or(Refusal::Gone)? = value;
    Ok(())
}

fn put_indices(place: Option<&mut Vec<u32>>, list: &[f64]) -> Put {
    put(place, read_indices(list)?)
}

fn put_offset(support: Option<&mut Dirichlet>, offset: Vec3) -> Put {
    support.ok_or(Refusal::Gone)?.put_offset(offset);
    Ok(())
}

fn put_vectors(support: Option<&mut Dirichlet>, list: &[f64]) -> Put {
    let (rows, rest) = list.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(Refusal::Value("it must be three numbers a node"));
    }
    put(support.map(|s| &mut s.displacement), rows.iter().map(|row| Vec3::from(*row)).collect())
}

/// The line of a property of a part.
pub(super) fn line(property: &PropertyRef) -> Option<&'static PartProperty> {
    table(property.host()).get(property.row)
}

/// The value; `None` where there is none now. The part must be there.
pub(super) fn get(model: &Model, property: &PropertyRef) -> Option<Value> {
    let (fem, _, k) = property.host().part()?;
    let (fem, k) = (model.tissue(fem)?, k as usize);
    match &line(property)?.access {
        PartAccess::Own { get, .. } | PartAccess::Derived(get) => get(fem, k),
        PartAccess::Item { item, get, .. } => get(fem, k, item),
        PartAccess::Simulated => None,
    }
}

/// Sets the value in the tissue.
pub(super) fn set(fem: &mut FemModel, property: &PropertyRef, setting: &Setting) -> Put {
    let (Some(line), Some((_, part, k))) = (line(property), property.host().part()) else {
        return Err(Refusal::Gone);
    };
    if k as usize >= fem.part_count(part) {
        return Err(Refusal::Gone);
    }
    match (&line.access, setting) {
        (PartAccess::Own { set, .. }, Setting::Explicit(value)) => set(fem, k as usize, value),
        (PartAccess::Item { item, set: Some(set), .. }, Setting::Explicit(value)) => {
            set(fem, k as usize, item, value)
        }
        _ => Err(Refusal::Absent),
    }
}

/// Checks that the tissue does with the value that was set.
pub(super) fn check(fem: &FemModel, property: &PropertyRef) -> Result<(), CheckError> {
    match (line(property).and_then(|line| line.check), property.host().part()) {
        (Some(check), Some((_, _, k))) => check(fem, k as usize),
        _ => Ok(()),
    }
}
