//! Validation against closed forms, published values and ArtiSynth's runs. Every module holds its
//! reference numbers (with the id of the entry in the reference data), checks them, and gives the
//! rows of docs/theory/validation.md.

mod artisynth_beams;
mod bar;
mod bending;
mod bodies;
mod cantilever;
mod closed_volume;
mod contact;
mod elastica;
// The models of the tests of inverse control, of which not all are in the table.
#[allow(dead_code)]
#[path = "../inverse/models.rs"]
mod excited;
mod fusiform;
mod hinge;
mod homogeneous;
mod inf_sup;
mod integrals;
mod integrators;
mod inverse;
mod lame;
mod land;
mod laws;
mod lcp;
// The generators of the tests of complementarity problems, of which not all are in the table.
#[allow(dead_code)]
#[path = "../../../linalg/tests/lcp/problems.rs"]
mod lcp_problems;
mod meshes;
// The rules and models of the tests of orders, of which not all are in the table.
#[path = "../orders/rules.rs"]
mod order_rules;
#[allow(dead_code)]
#[path = "../orders/scenes.rs"]
mod order_scenes;
mod orders;
mod patch;
mod problem;
mod rest_states;
// The models of the tests of bodies, of which not all are in the table.
#[allow(dead_code)]
#[path = "../bodies/scenes.rs"]
mod scenes;
mod shells;
mod squeezer;
mod table;
// The models of the tests of contact, of which not all are in the table.
#[allow(dead_code)]
#[path = "../touch/scenes.rs"]
mod touching;
mod vibration;
mod viscoelastic;
mod volume;

use table::Group;

const INTRODUCTION: &str = "\
# Validation
What the library computes, beside closed forms, published values and the runs of ArtiSynth 3.9. The
table is made by the tests in `core/tests/validation`, which hold the references and fail where an
error is larger than allowed, or where this page is not what they compute:

    cargo test -p sinew --test validation
    SINEW_BLESS=1 cargo test -p sinew --test validation the_table    # writes this page anew

*reference* and *ours* are shown with six digits. *error* is relative to the reference or, where the
metric says so, of the worst of several figures of which one is shown. Errors that are down to
rounding are given as the decade they stay below, since their digits differ between machines.
*allowed* is what the test asserts: the tolerance of the reference problem, or a bound of our own
where it states none (stress in the cylinder, tension, torsion, higher modes, orders of convergence,
coarse meshes and elements that are listed because they lock). Names like FEM-patch-tests are those
of the reference problems.
Quadrature rules and node order: [elements.md](../reference/elements.md); sources: [references.md](../reference/references.md).
";

fn render() -> String {
    let groups = [
        artisynth_beams::groups,
        laws::groups,
        integrals::groups,
        patch::groups,
        homogeneous::groups,
        bending::groups,
        bar::groups,
        cantilever::groups,
        elastica::groups,
        lame::groups,
        vibration::groups,
        viscoelastic::groups,
        volume::groups,
        closed_volume::groups,
        land::groups,
        inf_sup::groups,
        fusiform::groups,
        rest_states::groups,
        orders::groups,
        integrators::groups,
        bodies::groups,
        squeezer::groups,
        lcp::groups,
        contact::groups,
        inverse::groups,
    ];
    let tables: String = groups.iter().flat_map(|g| g()).map(|g: Group| g.render()).collect();
    format!("{INTRODUCTION}{tables}")
}

#[test]
fn the_table_in_docs_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/theory/validation.md");
    let new = render();
    if std::env::var_os("SINEW_BLESS").is_some() {
        std::fs::write(path, new).expect("docs/theory/validation.md is written");
        return;
    }
    let printed = std::fs::read_to_string(path).expect("docs/theory/validation.md is there");
    if let Some(difference) = table::first_difference(&printed, &new) {
        panic!(
            "docs/theory/validation.md is not what the tests compute; SINEW_BLESS=1 rewrites it\n{difference}"
        );
    }
}
