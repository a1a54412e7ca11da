//! One suite of checks for every [`Backend`]. A crate with a backend enrols it in a test with one
//! line, [`conformance_suite!`](crate::conformance_suite); models of its own go through [`agree`].
//!
//! The models are small, so that a device without a GPU runs them: most have some 50 nodes, none
//! more than 300. How far results may differ stands in one table, [`TABLE`].

mod behaviour;
mod border;
mod case;
mod compare;
mod grown;
mod meshes;
mod muscles;
mod relaxing;
mod tolerances;
mod volume;

use std::sync::Arc;

use super::Backend;
use crate::fem::ElementKind::{Hex8, Hex20, Pyramid5, Pyramid13, Tet4, Tet10, Wedge6, Wedge15};
use crate::material::{MaterialSpec, PronyStress};
use crate::model::Bending;
use crate::solve::{ImplicitMode, Integrator, SolverSettings};
use crate::system::CompiledModel;

pub use case::Case;
pub use compare::agree;
pub use tolerances::{NEARLY_INCOMPRESSIBLE, Quantity, RESIDUAL, Row, TABLE, row};

/// Mistake of a backend, with the numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(String);

impl From<String> for Mismatch {
    fn from(found: String) -> Self {
        Self(found)
    }
}

impl From<&str> for Mismatch {
    fn from(found: &str) -> Self {
        Self(found.to_owned())
    }
}

/// Makes the backend that is checked. The settings carry the integrator and the residual to reach;
/// how linear systems are solved is its own choice.
pub type Make = fn(Arc<CompiledModel>, SolverSettings) -> Box<dyn Backend>;

const BACKWARD_EULER: Integrator = Integrator::BackwardEuler(ImplicitMode::Linearized);
const PULLED_BACK: PronyStress = PronyStress::SecondPiolaKirchhoff;
const TRAPEZOIDAL: Integrator = Integrator::Trapezoidal(ImplicitMode::Linearized);

/// Makes [`CASES`] and [`conformance_suite!`](crate::conformance_suite) from one list; `$d` is a
/// dollar sign for the inner macro.
macro_rules! suite {
    ($d:tt $($name:ident: $check:expr;)+) => {
        /// Name and check of every case.
        pub const CASES: [(&str, fn(Make) -> Result<(), Mismatch>);
            [$(stringify!($name)),+].len()] = [$((stringify!($name), $check)),+];

        /// Enrols a backend in the suite: one test a case. The argument is a
        /// [`Make`](crate::backend::conformance::Make), or a closure that captures nothing.
        ///
        /// ```
        /// use sinew::backend::CpuBackend;
        ///
        /// sinew::conformance_suite!(|system, settings| {
        ///     Box::new(CpuBackend::new(system, settings).expect("a solver"))
        /// });
        /// # fn main() {}
        /// ```
        #[macro_export]
        macro_rules! conformance_suite {
            ($d make:expr) => {
                $(
                    #[test]
                    fn $name() {
                        let checked =
                            $d crate::backend::conformance::check(stringify!($name), $d make);
                        if let Err(error) = checked {
                            panic!("{error}");
                        }
                    }
                )+
            };
        }
    };
}

suite! { $
    tet4_beams_fall_like_the_reference: |make| agree(&case::beam(Tet4, "corot"), make);
    hex8_beams_fall_like_the_reference: |make| agree(&case::beam(Hex8, "corot"), make);
    wedge6_beams_fall_like_the_reference: |make| agree(&case::beam(Wedge6, "corot"), make);
    pyramid5_beams_fall_like_the_reference: |make| agree(&case::beam(Pyramid5, "corot"), make);
    tet10_beams_fall_like_the_reference: |make| agree(&case::beam(Tet10, "corot"), make);
    hex20_beams_fall_like_the_reference: |make| agree(&case::beam(Hex20, "corot"), make);
    wedge15_beams_fall_like_the_reference: |make| agree(&case::beam(Wedge15, "corot"), make);
    pyramid13_beams_fall_like_the_reference: |make| agree(&case::beam(Pyramid13, "corot"), make);

    linear_tet4_beams_agree: |make| agree(&case::beam(Tet4, "linear"), make);
    linear_hex8_beams_agree: |make| agree(&case::beam(Hex8, "linear"), make);
    linear_tet10_beams_agree: |make| agree(&case::beam(Tet10, "linear"), make);
    st_venant_kirchhoff_tet4_beams_agree: |make| agree(&case::beam(Tet4, "stvk"), make);
    st_venant_kirchhoff_hex8_beams_agree: |make| agree(&case::beam(Hex8, "stvk"), make);
    st_venant_kirchhoff_wedge15_beams_agree: |make| agree(&case::beam(Wedge15, "stvk"), make);
    neo_hookean_tet4_beams_agree: |make| agree(&case::beam(Tet4, "neohook"), make);
    neo_hookean_hex8_beams_agree: |make| agree(&case::beam(Hex8, "neohook"), make);
    neo_hookean_pyramid5_beams_agree: |make| agree(&case::beam(Pyramid5, "neohook"), make);
    neo_hookean_hex20_beams_agree: |make| agree(&case::beam(Hex20, "neohook"), make);
    mooney_rivlin_tet4_beams_agree: |make| agree(&case::beam(Tet4, "mr"), make);
    mooney_rivlin_hex8_beams_agree: |make| agree(&case::beam(Hex8, "mr"), make);
    mooney_rivlin_wedge6_beams_agree: |make| agree(&case::beam(Wedge6, "mr"), make);
    mooney_rivlin_pyramid13_beams_agree: |make| agree(&case::beam(Pyramid13, "mr"), make);

    several_workgroups_of_nodes_agree: |make| agree(&case::many_nodes(), make);
    mixed_linear_kinds_share_their_nodes: |make| agree(&case::mixed_kinds(false, "corot"), make);
    mixed_quadratic_kinds_share_their_nodes:
        |make| agree(&case::mixed_kinds(true, "neohook"), make);
    regions_have_materials_of_their_own: |make| agree(&case::regions(), make);
    constants_and_fibres_vary_in_space: |make| agree(&case::fields(), make);
    two_tissues_move_side_by_side: |make| agree(&case::two_tissues(), make);

    the_trapezoidal_rule_agrees_on_hex8: |make| agree(&case::trapezoidal(Hex8, "stvk"), make);
    the_trapezoidal_rule_agrees_on_tet4: |make| agree(&case::trapezoidal(Tet4, "neohook"), make);
    symplectic_euler_agrees_on_hex8: |make| agree(&case::symplectic(Hex8, "neohook"), make);
    symplectic_euler_agrees_on_tet4: |make| agree(&case::symplectic(Tet4, "corot"), make);
    the_step_may_change_between_steps: |make| agree(&case::uneven_steps(), make);

    nothing_damps_an_undamped_beam: |make| agree(&case::damped(0.0, 0.0, 0.0), make);
    mass_damps: |make| agree(&case::damped(15.0, 0.0, 0.0), make);
    stiffness_damps: |make| agree(&case::damped(0.0, 0.03, 0.0), make);
    drag_damps: |make| agree(&case::damped(0.0, 0.0, 2.0), make);

    body_loads_follow_their_schedule: |make| agree(&case::body_load(), make);
    point_loads_follow_their_schedule: |make| agree(&case::point_loads(), make);
    tractions_follow_their_schedule: |make| agree(&case::traction(Hex8), make);
    tractions_pull_at_quadratic_faces: |make| agree(&case::traction(Tet10), make);
    supports_hold_single_axes: |make| agree(&case::rollers(), make);
    prescribed_supports_follow_their_schedule: |make| agree(&case::prescribed(BACKWARD_EULER, "corot"), make);
    prescribed_supports_follow_their_schedule_under_the_trapezoidal_rule:
        |make| agree(&case::prescribed(TRAPEZOIDAL, "stvk"), make);

    a_thrown_corotated_body_keeps_its_momentum: |make| agree(&case::thrown("corot"), make);
    a_thrown_neo_hookean_body_keeps_its_momentum: |make| agree(&case::thrown("neohook"), make);
    a_turned_corotated_body_is_not_strained: |make| agree(&case::turned("corot"), make);
    a_turned_mooney_rivlin_body_is_not_strained: |make| agree(&case::turned("mr"), make);
    nearly_incompressible_corotated_beams_agree:
        |make| agree(&case::nearly_incompressible(MaterialSpec::Corotated), make);
    nearly_incompressible_neo_hookean_beams_agree:
        |make| agree(&case::nearly_incompressible(MaterialSpec::NeoHookean), make);

    bundles_of_every_law_pull_alike: |make| agree(&muscles::every_law(Hex8), make);
    bundles_pull_alike_in_quadratic_elements: |make| agree(&muscles::every_law(Tet10), make);
    fibres_turn_within_elements: |make| agree(&muscles::turning(Hex8), make);
    muscles_agree_under_the_trapezoidal_rule:
        |make| agree(&muscles::stepped(Tet4, TRAPEZOIDAL, vec![0.01; 8]), make);
    muscles_agree_under_symplectic_euler:
        |make| agree(&muscles::stepped(Hex8, Integrator::SymplecticEuler, vec![5e-4; 60]), make);
    activations_follow_steps_of_any_length: |make| agree(
        &muscles::stepped(Wedge6, BACKWARD_EULER, [0.01, 0.003, 0.02, 0.005].repeat(2)), make);

    grown_tet4_beams_of_a_neo_hookean_law_agree: |make| agree(&grown::alike(Tet4, "neohook"), make);
    grown_hex8_beams_of_a_corotated_law_agree: |make| agree(&grown::alike(Hex8, "corot"), make);
    grown_wedge6_beams_of_a_linear_law_agree: |make| agree(&grown::alike(Wedge6, "linear"), make);
    shrunk_tet10_beams_of_a_mooney_rivlin_law_agree: |make| agree(&grown::shrunk(Tet10, "mr"), make);
    growth_by_fields_agrees_on_tet4: |make| agree(&grown::varied(Tet4, "transverse_linear"), make);
    growth_by_fields_agrees_on_hex8: |make| agree(&grown::varied(Hex8, "holzapfel_ogden"), make);
    muscles_pull_alike_in_grown_tissue: |make| agree(&grown::with_muscles(Wedge6), make);

    relaxing_tet4_beams_of_a_neo_hookean_law_agree:
        |make| agree(&relaxing::beam(Tet4, "neohook", PULLED_BACK), make);
    relaxing_hex8_beams_of_a_corotated_law_agree:
        |make| agree(&relaxing::beam(Hex8, "corot", PULLED_BACK), make);
    relaxing_wedge6_beams_of_a_st_venant_kirchhoff_law_agree:
        |make| agree(&relaxing::beam(Wedge6, "stvk", PULLED_BACK), make);
    relaxing_tet10_beams_of_a_mooney_rivlin_law_agree:
        |make| agree(&relaxing::beam(Tet10, "mr", PULLED_BACK), make);
    relaxing_cauchy_stresses_agree_on_hex8:
        |make| agree(&relaxing::beam(Hex8, "neohook", PronyStress::Cauchy), make);
    relaxing_cauchy_stresses_agree_on_tet4:
        |make| agree(&relaxing::beam(Tet4, "holzapfel_ogden", PronyStress::Cauchy), make);
    relaxing_tissue_agrees_under_the_trapezoidal_rule:
        |make| agree(&relaxing::stepped((Hex8, "neohook"), TRAPEZOIDAL, vec![0.01; 12]), make);
    relaxing_tissue_agrees_under_symplectic_euler: |make| agree(
        &relaxing::stepped((Tet4, "neohook"), Integrator::SymplecticEuler, vec![4e-4; 50]), make);
    stresses_relax_over_steps_of_any_length: |make| agree(
        &relaxing::stepped((Hex8, "linear"), BACKWARD_EULER, [0.01, 0.003, 0.02].repeat(3)), make);
    tissues_relax_by_series_of_their_own: |make| agree(&relaxing::several_series(), make);
    muscles_pull_alike_in_relaxing_tissue: |make| agree(&relaxing::with_muscles(Hex8), make);

    pressures_of_hex8_beams_of_a_neo_hookean_law_agree: |make| agree(&volume::beam(Hex8, "neohook"), make);
    pressures_of_hex8_beams_of_a_mooney_rivlin_law_agree: |make| agree(&volume::beam(Hex8, "mr"), make);
    pressures_of_hex8_beams_of_a_corotated_law_agree: |make| agree(&volume::beam(Hex8, "corot"), make);
    pressures_of_wedge6_beams_of_a_linear_law_agree: |make| agree(&volume::beam(Wedge6, "linear"), make);
    pressures_of_pyramid5_beams_of_a_neo_hookean_law_agree:
        |make| agree(&volume::beam(Pyramid5, "neohook"), make);
    pressures_of_tet10_beams_of_a_mooney_rivlin_law_agree: |make| agree(&volume::beam(Tet10, "mr"), make);
    pressures_of_hex20_beams_of_a_neo_hookean_law_agree:
        |make| agree(&volume::beam(Hex20, "neohook"), make);
    pressures_of_wedge15_beams_of_a_mooney_rivlin_law_agree:
        |make| agree(&volume::beam(Wedge15, "mr"), make);
    pressures_of_pyramid13_beams_of_a_corotated_law_agree:
        |make| agree(&volume::beam(Pyramid13, "corot"), make);
    pressures_agree_under_the_trapezoidal_rule:
        |make| agree(&volume::stepped((volume::beam(Hex8, "neohook"), "neohook"), TRAPEZOIDAL, vec![0.01; 8]), make);
    pressures_agree_under_symplectic_euler: |make| agree(
        &volume::stepped(
            (volume::beam(Hex8, "mr"), "mr"), Integrator::SymplecticEuler, vec![3e-4; 50]), make);
    pressures_agree_in_grown_tissue_that_relaxes:
        |make| agree(&volume::grown(volume::beam(Hex8, "mr"), PULLED_BACK), make);
    pressures_agree_where_a_cauchy_stress_relaxes:
        |make| agree(&volume::grown(volume::beam(Hex8, "neohook"), PronyStress::Cauchy), make);
    pressures_agree_where_the_bulk_modulus_varies: |make| agree(&volume::varied(volume::beam(Hex8, "mr")), make);
    muscles_pull_alike_in_nearly_incompressible_tissue:
        |make| agree(&volume::with_muscles(Hex8), make);
    volumes_at_the_centre_agree_on_hex8: |make| agree(&volume::centred(Hex8, "neohook"), make);
    volumes_at_the_centre_agree_on_wedge6: |make| agree(&volume::centred(Wedge6, "mr"), make);
    volumes_at_the_centre_of_corotated_elements_agree:
        |make| agree(&volume::centred(Hex8, "corot"), make);
    volumes_at_the_centre_agree_in_grown_tissue_that_relaxes: |make| agree(
        &volume::grown(volume::centred(Pyramid5, "neohook"), PULLED_BACK), make);
    pressures_of_nodes_agree_on_tet4: |make| agree(&volume::nodal(Tet4, "neohook"), make);
    pressures_of_nodes_agree_on_wedge6: |make| agree(&volume::nodal(Wedge6, "mr"), make);
    pressures_of_nodes_of_corotated_tet4_agree: |make| agree(&volume::nodal(Tet4, "corot"), make);
    pressures_of_nodes_agree_under_symplectic_euler: |make| agree(
        &volume::stepped(
            (volume::nodal(Tet4, "neohook"), "neohook"), Integrator::SymplecticEuler, vec![3e-4; 50]), make);
    pressures_of_nodes_agree_in_grown_tissue_that_relaxes: |make| agree(
        &volume::grown(volume::nodal(Tet4, "neohook"), PULLED_BACK), make);
    pressures_of_nodes_agree_where_the_bulk_modulus_varies:
        |make| agree(&volume::varied(volume::nodal(Pyramid5, "mr")), make);

    springs_pull_alike_on_hex8: |make| agree(&border::springs(Hex8, 4.0), make);
    springs_pull_alike_on_tet10: |make| agree(&border::springs(Tet10, 0.0), make);
    springs_agree_under_the_trapezoidal_rule:
        |make| agree(&border::stepped(0.0, TRAPEZOIDAL, vec![0.01; 10]), make);
    springs_agree_under_symplectic_euler: |make| agree(
        &border::stepped(2.0, Integrator::SymplecticEuler, vec![5e-4; 60]), make);
    muscles_along_lines_remember_alike: |make| agree(&border::muscles(Hex8), make);
    springs_pull_alike_at_points_that_follow_elements: |make| agree(&border::attached(), make);
    tissues_that_are_tied_to_each_other_agree: |make| agree(&border::tied(), make);
    tissue_on_a_bone_that_stands_still_agrees: |make| agree(&border::on_a_bone(), make);
    shells_and_pressures_agree: |make| agree(&border::covered(Bending::Stiff), make);
    membranes_and_pressures_agree: |make| agree(&border::covered(Bending::Free), make);
    constraints_of_nodes_agree: |make| agree(&border::pinned(), make);
    forces_by_code_agree: |make| agree(&border::coded(), make);

    a_second_run_has_the_same_bits: behaviour::repeats_bit_for_bit;
    reads_go_on_beside_steps: behaviour::reads_go_on_beside_steps;
    states_go_in_and_out: behaviour::states_go_in_and_out;
    a_run_goes_on_from_its_state_alone: behaviour::goes_on_from_the_state_alone;
    a_failed_step_changes_nothing_and_names_the_element: behaviour::a_failed_step_changes_nothing;
    every_solve_meets_the_residual_asked_for: behaviour::meets_the_residual_asked_for;
}

/// Runs the case of that name on the backend that `make` makes.
///
/// # Errors
/// What the backend does wrong, with the numbers; a name that is none of [`CASES`].
pub fn check(name: &str, make: Make) -> Result<(), Mismatch> {
    let case = CASES.iter().find(|(n, _)| *n == name);
    let (_, run) = case.ok_or_else(|| format!("no case is called '{name}'"))?;
    Ok(run(make).map_err(|error| format!("{name}: {error}"))?)
}
