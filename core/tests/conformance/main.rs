//! The CPU in the suite of all backends, by every solver; and backends with one mistake each, which
//! the suite must find.

mod wrong;

mod factored {
    sinew::conformance_suite!(|system, settings| super::cpu(system, settings, super::DIRECT));
}

mod by_conjugate_gradients {
    sinew::conformance_suite!(|system, settings| super::cpu(system, settings, super::JACOBI));
}

mod by_multigrid {
    sinew::conformance_suite!(|system, settings| super::cpu(system, settings, super::MULTIGRID));
}

use std::sync::Arc;

use sinew::backend::conformance::{CASES, Make, TABLE, check};
use sinew::backend::{Backend, CpuBackend};
use sinew::solve::{LinearSolver, Preconditioning, SolverSettings};
use sinew::system::CompiledModel;

use wrong::{Mistake, WrongBackend};

type Solver = (LinearSolver, Preconditioning);
const DIRECT: Solver = (LinearSolver::Direct, Preconditioning::Auto);
const JACOBI: Solver = (LinearSolver::ConjugateGradients, Preconditioning::BlockJacobi);
const MULTIGRID: Solver = (LinearSolver::ConjugateGradients, Preconditioning::Multigrid);

fn cpu(
    system: Arc<CompiledModel>,
    settings: SolverSettings,
    (linear_solver, preconditioner): Solver,
) -> Box<dyn Backend> {
    let settings = SolverSettings { linear_solver, preconditioner, ..settings };
    Box::new(CpuBackend::new(system, settings).expect("the models of the suite have solvers"))
}

/// `make` of a backend with that mistake: a closure that captures nothing, hence a macro.
macro_rules! with {
    ($mistake:ident) => {
        (Mistake::$mistake, |system, settings| {
            Box::new(WrongBackend::new(system, settings, Mistake::$mistake))
        })
    };
}

/// Every mistake, and the cases that must see it.
const MISTAKES: [((Mistake, Make), &[&str]); 18] = [
    (
        with!(Forces),
        &["hex8_beams_fall_like_the_reference", "symplectic_euler_agrees_on_tet4", "mass_damps"],
    ),
    (with!(Weight), &["tet4_beams_fall_like_the_reference", "linear_hex8_beams_agree"]),
    (
        with!(Stiffness),
        &[
            "pyramid13_beams_fall_like_the_reference",
            "neo_hookean_tet4_beams_agree",
            "regions_have_materials_of_their_own",
        ],
    ),
    (with!(NoDamping), &["mass_damps", "stiffness_damps", "drag_damps"]),
    (
        with!(FrozenSchedule),
        &[
            "body_loads_follow_their_schedule",
            "point_loads_follow_their_schedule",
            "prescribed_supports_follow_their_schedule",
        ],
    ),
    (
        with!(NotPrescribed),
        &["prescribed_supports_follow_their_schedule_under_the_trapezoidal_rule"],
    ),
    (with!(NotFixed), &["supports_hold_single_axes", "several_workgroups_of_nodes_agree"]),
    (with!(Mass), &["hex20_beams_fall_like_the_reference", "two_tissues_move_side_by_side"]),
    (with!(LostNode), &["a_thrown_corotated_body_keeps_its_momentum", "linear_tet4_beams_agree"]),
    (
        with!(Residual),
        &["every_solve_meets_the_residual_asked_for", "tet10_beams_fall_like_the_reference"],
    ),
    (with!(FrozenStep), &["the_step_may_change_between_steps"]),
    (with!(LateTime), &["states_go_in_and_out", "wedge6_beams_fall_like_the_reference"]),
    (with!(Noise), &["a_second_run_has_the_same_bits"]),
    (with!(KeepsFailure), &["a_failed_step_changes_nothing_and_names_the_element"]),
    (with!(PassesInversion), &["a_failed_step_changes_nothing_and_names_the_element"]),
    (with!(NamesFirst), &["a_failed_step_changes_nothing_and_names_the_element"]),
    (with!(LosesVelocity), &["states_go_in_and_out"]),
    (with!(Remembers), &["a_run_goes_on_from_its_state_alone"]),
];

#[test]
fn every_mistake_is_found_by_the_cases_that_it_concerns() {
    for ((mistake, make), cases) in MISTAKES {
        for case in cases {
            let found = check(case, make);
            assert!(found.is_err(), "{mistake:?} passes {case}");
        }
    }
}

#[test]
fn a_backend_without_a_mistake_passes_what_finds_the_mistakes() {
    let (_, make): (Mistake, Make) = with!(None);
    for case in MISTAKES.iter().flat_map(|(_, cases)| cases.iter()) {
        check(case, make).unwrap();
    }
}

/// The classes of precision are apart: rounding that 32 bits are forgiven, 64 are not.
#[test]
fn rounding_to_32_bits_passes_as_that_and_fails_as_64() {
    let openly: (Mistake, Make) = with!(RoundingOpenly);
    let in_secret: (Mistake, Make) = with!(Rounding);
    for (case, _) in CASES {
        check(case, openly.1).unwrap();
    }
    for case in ["hex8_beams_fall_like_the_reference", "neo_hookean_tet4_beams_agree"] {
        assert!(check(case, in_secret.1).is_err(), "{case}");
    }
}

#[test]
fn a_case_that_does_not_exist_is_an_error() {
    let (_, make): (Mistake, Make) = with!(None);
    assert!(check("no_such_case", make).unwrap_err().to_string().contains("no_such_case"));
}

/// A constant that is wrong by a thousandth must not pass in any class.
#[test]
fn no_tolerance_reaches_a_thousandth() {
    for row in TABLE {
        assert!(row.f64 <= row.f32 && row.f32 < 1e-3, "{row:?}");
    }
}
