//! Contact in steps: MB-*, LCP-* and CON-* of the reference data, and closed forms.

mod adhesion;
mod blocks;
mod impacts;
mod laws;
mod soft;
mod spheres;
mod stacks;

use super::table::{Group, Row};

/// A row whose error is absolute.
fn absolute(case: &str, metric: &str, pair: (f64, f64), allowed: f64) -> Row {
    let error = (pair.1 - pair.0).abs();
    if pair.0 == 0.0 {
        return Row::of_error(case, metric, error, allowed);
    }
    Row::new(case, format!("{metric}; error: absolute"), pair, allowed).with_error(error)
}

pub(crate) fn groups() -> Vec<Group> {
    vec![
        Group {
            title: "Contact",
            text: "Scenes of the reference data, stepped by the trapezoidal rule with the steps given; stacks and \
               LCP-* by backward Euler. Soft cubes of the stack have thin rigid plates between them. A stack \
               of ten cubes of 0.2 m, steps of 10 ms, after 60 s (STACK_SECONDS=60 for the test in \
               core/tests/touch/boxes.rs): 6e-18 m to the side, top 8e-11 m low, kinetic energy 6e-43 J. \
               References: closed forms.",
            rows: [blocks::rows(), spheres::rows(), stacks::rows(), impacts::rows(), soft::rows()]
                .concat(),
        },
        Group {
            title: "Laws of contact",
            text: "Forces of contact by overlap, rate, speed and gap ([unilateral.md](unilateral.md#laws)). References: closed \
                   forms; Hertz (Johnson1985) and its impact of the reference data, Hunt and Crossley (HuntCrossley1975), a layer \
                   of ν = 0.4 that cannot move sideways, Stribeck's curve (ArmstrongHelouvryEtAl1994), and of adhesion Dugdale's \
                   constant tension and the limit of Derjaguin, Muller and Toporov (Derjaguin1975), the pull 2πwR beside the \
                   force of Hertz.",
            rows: [laws::rows(), adhesion::rows()].concat(),
        },
    ]
}

fn check(rows: Vec<Row>) {
    rows.iter().for_each(|row| {
        println!(
            "{} | {} | {:e} | {:e} | {:e}",
            row.case, row.metric, row.reference, row.ours, row.error
        );
    });
    rows.iter().for_each(Row::check);
}

#[test]
fn blocks_stick_slide_stop_and_slide_back_as_coulomb_says() {
    check(blocks::rows());
}

#[test]
fn spheres_roll_slip_and_sink_in_as_their_closed_forms_say() {
    check(spheres::rows());
}

#[test]
fn stacks_carry_their_weight_and_stand() {
    check(stacks::rows());
}

#[test]
fn impacts_and_ends_of_ranges_have_the_impulses_of_newton() {
    check(impacts::rows());
}

#[test]
fn laws_of_the_force_press_slow_and_send_back_as_their_closed_forms_say() {
    check(laws::rows());
}

#[test]
fn what_adheres_bears_takes_and_presses_as_dugdale_and_derjaguin_say() {
    check(adhesion::rows());
}

#[test]
fn soft_blocks_slide_stick_and_carry_each_other() {
    check(soft::rows());
}
