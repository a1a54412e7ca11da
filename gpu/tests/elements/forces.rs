//! Forces and products with K.

use sinew::Vec3;
use sinew::fem::ElementKind;
use sinew::force::{JacobianScale, VelocityTerms};
use sinew::linalg::BlockMatrix;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion};
use sinew_gpu::elements::Twins;
use sinew_shaders::cpu::Real;
use sinew_shaders::machine::ElementTwins;

use crate::fixture::{FACTORS, Setup, error, kinds_and_laws, laws, noise, small, turned};

pub(crate) const WHOLE: (usize, u64) = (1 << 20, 1 << 30);

/// Sum of forces and product by the CPU path.
pub(crate) fn expected(system: &CompiledModel, q: &[Vec3], v: &[Vec3]) -> Vec<Vec3> {
    expected_in(system, Motion::at(q, &vec![Vec3::zeros(); q.len()]), v)
}

/// The same of a motion with a memory.
pub(crate) fn expected_in(system: &CompiledModel, motion: Motion<'_>, v: &[Vec3]) -> Vec<Vec3> {
    let (load, zero) = (LoadCase::at(0.0), vec![Vec3::zeros(); v.len()]);
    let mut forces = zero.clone();
    system.forces(load, motion, VelocityTerms::Excluded, &mut forces).unwrap();
    let mut matrix = BlockMatrix::zeros(system.pattern().clone());
    let scale = JacobianScale { position: 1.0, velocity: 0.0 };
    system.add_jacobian(load, motion, scale, &mut matrix).unwrap();
    let mut product = zero;
    matrix.mul(v, &mut product);
    forces.iter().zip(&product).map(|(f, k)| k * FACTORS[1] - f * FACTORS[0]).collect()
}

fn found<T: Real>(system: &CompiledModel, q: &[Vec3], v: &[Vec3]) -> Vec<Vec3>
where
    Twins: ElementTwins<T>,
{
    Setup::<T>::new(system, (q, v), WHOLE).forces()
}

#[test]
fn forces_and_products_are_those_of_the_cpu_in_both_precisions() {
    for (kind, law) in kinds_and_laws() {
        let system = small(kind, law);
        let q = turned(&system);
        let v = noise(q.len(), 2);
        let expected = expected(&system, &q, &v);
        let double = error(&found::<f64>(&system, &q, &v), &expected);
        // Some hundred roundings.
        assert!(double < 1e-12, "{kind:?} {}: {double:e}", law.name());
        let single = error(&found::<f32>(&system, &q, &v), &expected);
        // Displacements of a turn are twice the edge of an element: 40 times its strain.
        assert!(single < 2e-5, "{kind:?} {}: {single:e}", law.name());
    }
}

#[test]
fn a_strain_of_a_millionth_keeps_three_digits_in_f32() {
    for (kind, law) in kinds_and_laws() {
        let system = small(kind, law);
        let zero = vec![Vec3::zeros(); system.block_count()];
        let moved = noise(zero.len(), 3);
        let q: Vec<Vec3> =
            system.rest_positions().iter().zip(&moved).map(|(x, d)| x + d * 1e-7).collect();
        let single = error(&found::<f32>(&system, &q, &zero), &expected(&system, &q, &zero));
        assert!(single < 1e-3, "{kind:?} {}: {single:e}", law.name());
    }
}

#[test]
fn translations_make_no_force_at_all() {
    let shift = Vec3::new(0.3, -0.7, 0.11);
    for (kind, law) in kinds_and_laws() {
        let system = small(kind, law);
        let v: Vec<Vec3> = vec![shift; system.block_count()];
        let mut setup = Setup::<f32>::new(&system, (&v, &v), WHOLE);
        // Displacements that are equal to the last bit.
        setup.displace(&[shift.x, shift.y, shift.z].repeat(v.len()));
        let forces = setup.forces();
        assert!(forces.iter().all(|f| *f == Vec3::zeros()), "{kind:?} {}", law.name());
    }
}

#[test]
fn the_first_inverted_element_is_flagged_by_laws_that_need_volume() {
    for (kind, law) in [ElementKind::Hex8, ElementKind::Tet4, ElementKind::Pyramid13]
        .into_iter()
        .flat_map(|kind| laws().into_iter().map(move |law| (kind, law)))
    {
        let system = small(kind, law);
        let mut q = system.rest_positions().to_vec();
        let mut setup = Setup::<f64>::new(&system, (&q, &q), WHOLE);
        setup.forces();
        assert_eq!(setup.inverted(), u32::MAX, "{kind:?} {}", law.name());
        // The second element is turned inside out by moving one of its corners through it.
        let batch = system.device_view().tissue_batches().next().unwrap();
        let rows = &batch.rows[kind.node_count()..2 * kind.node_count()];
        let centre = rows.iter().map(|&r| q[r as usize]).sum::<Vec3>() / rows.len() as f64;
        let others = &batch.rows[..kind.node_count()];
        let lone = *rows.iter().find(|r| !others.contains(r)).unwrap() as usize;
        let through = (centre - q[lone]) * 4.0;
        q[lone] += through;
        let mut setup = Setup::<f64>::new(&system, (&q, &q), WHOLE);
        setup.forces();
        let needs_volume = law.kind().needs_positive_volume;
        let motion = Motion::at(&q, &q);
        let mut forces = vec![Vec3::zeros(); q.len()];
        let cpu = system.forces(LoadCase::at(0.0), motion, VelocityTerms::Excluded, &mut forces);
        assert_eq!(cpu.is_err(), needs_volume, "{kind:?} {}", law.name());
        assert_eq!(setup.inverted() != u32::MAX, needs_volume, "{kind:?} {}", law.name());
        if let Err(sinew::force::Fault::Inverted { place, .. }) = cpu {
            assert_eq!(setup.inverted(), place as u32, "{kind:?} {}", law.name());
        }
    }
}
