//! The caches that a property names as stale are enough: after it was set, a refreshed model
//! computes the same as one that is compiled anew.

use std::collections::BTreeMap;

use sinew::Vec3;
use sinew::constraint::Compliance;
use sinew::contact::{Collider, Pair, PointSet};
use sinew::force::{JacobianScale, VelocityTerms};
use sinew::linalg::BlockMatrix;
use sinew::model::Model;
use sinew::property::PropertyError;
use sinew::system::{
    BodyRows, CompiledModel, ContactBehavior, LoadCase, MechSystem, Motion, Refresh, State, Support,
};

use crate::fixture::{by_choice, everything, hosts, is_of_its_own};
use crate::values::Random;

/// Numbers that are put in place, whichever component has them.
const NUMBERS: [&str; 17] = [
    "friction",
    "rolling_friction",
    "restitution",
    "restitution_threshold",
    "penetration_limit",
    "compliance",
    "rotary_stiffness",
    "frame_damping",
    "rotary_damping",
    "inertial_damping",
    "excitation",
    "gains",
    "gravity",
    "moment",
    "force",
    "rest_length",
    "point_damping",
];

/// Components of one kind of which a property is set: those of other laws and joints have the same.
const HOSTS: usize = 3;

/// All numbers that a step reads, at one motion.
#[derive(Debug, PartialEq)]
struct Numbers {
    forces: Vec<Vec3>,
    matrix: Vec<f64>,
    masses: Vec<f64>,
    rest: Vec<Vec3>,
    supports: Vec<Support>,
    bodies: Vec<BodyRows>,
    /// Values and rates of the constraint rows, and their give.
    rows: Vec<[f64; 2]>,
    compliance: Vec<Compliance>,
    colliders: Vec<Collider>,
    point_sets: Vec<PointSet>,
    pairs: Vec<Pair>,
    behaviors: Vec<ContactBehavior>,
    unilateral: Vec<(Compliance, f64)>,
}

/// The numbers, or what elements that are inside out are refused with.
fn numbers(compiled: &CompiledModel, motion: &State) -> Result<Numbers, String> {
    let load = LoadCase::at(0.7);
    let at = Motion::at(&motion.q, &motion.u);
    let mut forces = vec![Vec3::zeros(); compiled.block_count()];
    let outcome = compiled.forces(load, at, VelocityTerms::Included, &mut forces);
    outcome.map_err(|fault| format!("{fault:?}"))?;
    let contacts = compiled.multibody().map(|m| m.contacts.clone()).unwrap_or_default();
    let mut matrix = BlockMatrix::zeros(compiled.pattern().clone());
    let scale = JacobianScale { position: 0.3, velocity: 0.2 };
    compiled.add_jacobian(load, at, scale, &mut matrix).unwrap();
    Ok(Numbers {
        forces,
        matrix: matrix.values_mut().to_vec(),
        masses: compiled.masses().to_vec(),
        rest: compiled.rest_positions().to_vec(),
        supports: compiled.supports().to_vec(),
        unilateral: compiled.multibody().map_or_else(Vec::new, |m| {
            let row =
                |row| (m.joints.unilateral.compliance(row), m.joints.unilateral.restitution(row));
            (0..m.joints.unilateral.count()).map(row).collect()
        }),
        bodies: compiled.multibody().map_or_else(Vec::new, |m| m.bodies.clone()),
        rows: compiled.row_values(motion),
        compliance: compiled.multibody().map_or_else(Vec::new, |m| m.joints.compliance.clone()),
        colliders: contacts.colliders,
        point_sets: contacts.points,
        pairs: contacts.pairs,
        behaviors: contacts.behaviors,
    })
}

/// The state at the start, shaken a little.
fn motion(compiled: &CompiledModel) -> State {
    let mut random = Random(3);
    let mut state = compiled.initial_state();
    let mut some = |size: f64| Vec3::from_fn(|_, _| size * (random.unit() - 0.5));
    state.q.iter_mut().for_each(|q| *q += some(1e-3));
    state.u.iter_mut().for_each(|u| *u += some(1e-1));
    state
}

#[test]
fn refreshing_after_any_property_gives_what_compiling_anew_gives() {
    let mut random = Random(5);
    let start = everything();
    let compiled_start = start.compile().unwrap();
    let before = numbers(&compiled_start, &motion(&compiled_start));
    assert!(before.is_ok(), "{before:?}");
    let (mut changed, mut tried, mut seen) = (0, 0, BTreeMap::new());
    for host in hosts(&start) {
        for property in start.properties(host).into_iter().filter(is_of_its_own) {
            let kind = host.component().kind();
            let told = seen.entry((kind, property.info().name)).or_insert(0);
            *told += 1;
            if *told > HOSTS {
                continue;
            }
            let mut model: Model = start.clone();
            let Some(value) = random.value(&model, &property) else { continue };
            if property.info().name.starts_with("render.") {
                continue;
            }
            match model.set_property(&property, value) {
                Ok(()) => {}
                Err(PropertyError::Absent { .. } | PropertyError::ReadOnly(_)) => continue,
                // What depends on another choice: a constant that another law has in a wider range.
                Err(PropertyError::Value { .. } | PropertyError::Invalid { .. })
                    if by_choice(property.info().name) =>
                {
                    continue;
                }
                Err(error) => panic!("{error}"),
            }
            let path = model.property_path(&property);
            // Positions at random turn elements inside out, which is refused both ways.
            let Ok(anew) = model.compile() else { continue };
            let mut compiled = start.compile().unwrap();
            let mut state = compiled.initial_state();
            let refreshed = model.refresh(&mut compiled, &mut state).unwrap();
            let name = property.info().name;
            if NUMBERS.contains(&name) {
                assert_eq!(refreshed, Refresh::Parameters, "{path} is put in place");
            }
            let at = motion(&anew);
            let now = numbers(&anew, &at);
            assert_eq!(numbers(&compiled, &at), now, "{path}");
            changed += usize::from(now != before);
            tried += 1;
        }
    }
    // Names, groups, and what was set to what it was change nothing.
    assert!(changed > 60 && tried > 80, "{changed} of {tried} changed something");
}
