//! A bar that hangs under its weight, in one dimension (nu = 0).

use sinew::Vec3;
use sinew::material::{Isotropic, MaterialSpec};
use sinew_datasets::beam::BeamElement;

use super::meshes::grid;
use super::problem::{close, fix, isotropic, nodes_where, solve, tissue};
use super::table::{Group, Row};

/// FEM-bar-selfweight: displacement of the lower end [m], by the closed form and by integration
/// along the bar.
const LINEAR: f64 = 0.005;
const ST_VENANT_KIRCHHOFF: f64 = 0.004_950_974_524_040_26;
const NEO_HOOKEAN: f64 = 0.005_016_666_416_675_596;
const ALLOWED: f64 = 1e-3;

fn row(name: &str, law: fn(Isotropic) -> MaterialSpec, reference: f64) -> Row {
    let mesh = grid(BeamElement::Hex, [1, 1, 40], [0.1, 0.1, 1.0]);
    let mut model = tissue(mesh, law(isotropic(1e6, 0.0)));
    model.set_gravity(Vec3::new(0.0, 0.0, -10.0));
    let top = nodes_where(&model.fem(0).mesh, |x| close(x.z, 1.0));
    let bottom = nodes_where(&model.fem(0).mesh, |x| close(x.z, 0.0));
    fix(&mut model, top, [true; 3]);
    let way = -solve(model, 1).mean_displacement(&bottom).z;
    Row::new(name, "displacement of the end [m]", (reference, way), ALLOWED)
}

pub(crate) fn groups() -> Vec<Group> {
    vec![Group {
        title: "Bar under its own weight",
        text: "FEM-bar-selfweight: 1 m long, 0.01 m² across, E = 1 MPa, nu = 0, density 1000 kg/m³, \
               g = 10 m/s²; 40 hex8 along it.",
        rows: vec![
            row("linear", MaterialSpec::Linear, LINEAR),
            row("St. Venant-Kirchhoff", MaterialSpec::StVenantKirchhoff, ST_VENANT_KIRCHHOFF),
            row("neo-Hookean", MaterialSpec::NeoHookean, NEO_HOOKEAN),
        ],
    }]
}

#[test]
fn a_hanging_bar_stretches_as_in_one_dimension() {
    groups().iter().for_each(Group::check);
}
