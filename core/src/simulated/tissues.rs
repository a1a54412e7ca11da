//! Tissues, their nodes and their elements in a state of the simulation.

use super::view::{Simulated, part_readers, readers};
use crate::component::Handle;
use crate::model::{FemModel, PointRef};
use crate::system::ElementState;
use crate::{Mat3, Vec3};

fn node(fem: Handle<FemModel>, k: usize) -> PointRef {
    PointRef::FemNode(fem, k as u32)
}

fn element(s: &Simulated<'_>, fem: Handle<FemModel>, k: usize) -> Option<ElementState> {
    s.compiled.at(s.state).element_state(fem, k)
}

/// Eigenvalue of largest absolute value.
fn largest(tensor: &Mat3) -> f64 {
    let values = tensor.symmetric_eigenvalues();
    values.iter().fold(0.0, |most: f64, x| if x.abs() > most.abs() { *x } else { most })
}

/// Smallest det F now, and how many elements are inverted.
fn worst(s: &Simulated<'_>, fem: Handle<FemModel>) -> Option<(f64, usize)> {
    s.compiled.at(s.state).worst_volume_ratio(fem)
}

readers! { pub(super) FEM_MODEL: FemModel {
    "volume_ratio": f64 = |s, fem| Some(worst(s, fem)?.0);
    "inverted_count": i64 = |s, fem| i64::try_from(worst(s, fem)?.1).ok();
} }

part_readers! { pub(super) NODE {
    "position": Vec3 = |s, fem, k| Some(s.motion(node(fem, k))?.0);
    "velocity": Vec3 = |s, fem, k| Some(s.motion(node(fem, k))?.1);
    "displacement": Vec3 = |s, fem, k| s.displacement(node(fem, k));
    "force": Vec3 = |s, fem, k| s.force(node(fem, k));
    "reaction": Vec3 = |s, fem, k| s.reaction(node(fem, k));
    "mass": f64 = |s, fem, k| Some(s.mass(s.row(node(fem, k))?));
} }

part_readers! { pub(super) ELEMENT {
    "volume": f64 = |s, fem, k| Some(element(s, fem, k)?.volume);
    "rest_volume": f64 = |s, fem, k| Some(element(s, fem, k)?.rest_volume);
    "volume_ratio": f64 = |s, fem, k| Some(element(s, fem, k)?.volume_ratio);
    "stress": Mat3 = |s, fem, k| Some(element(s, fem, k)?.stress);
    "strain": Mat3 = |s, fem, k| Some(element(s, fem, k)?.strain);
    "von_mises": f64 = |s, fem, k| Some(element(s, fem, k)?.von_mises);
    "max_principal_stress": f64 = |s, fem, k| Some(largest(&element(s, fem, k)?.stress));
    "max_principal_strain": f64 = |s, fem, k| Some(largest(&element(s, fem, k)?.strain));
    "strain_energy_density": f64 = |s, fem, k| Some(element(s, fem, k)?.strain_energy_density);
} }
