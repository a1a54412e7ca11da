//! The assembled stiffness.

use sinew::Mat3;
use sinew::force::JacobianScale;
use sinew::linalg::BlockMatrix;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion};
use sinew_gpu::elements::Twins;
use sinew_shaders::cpu::Real;
use sinew_shaders::machine::ElementTwins;
use sinew_shaders::matrix::block_place;

use crate::fixture::{FACTORS, Setup, kinds_and_laws, small, turned};

impl<T: Real> Setup<T>
where
    Twins: ElementTwins<T>,
{
    /// Every stored block off the diagonal: rows of the model, and the block.
    pub(crate) fn matrix(&mut self) -> Vec<((usize, usize), nalgebra::Matrix3<f32>)> {
        self.assemble();
        let last = self.device_row.len() - 1;
        let mut found = Vec::new();
        for (segment, &blocks) in self.segments.iter().zip(&self.blocks) {
            let scalars = self.floats(blocks);
            for row in segment.first_row..segment.first_row + segment.row_count {
                let slice = (row - segment.first_row) / 32;
                for k in 0..(segment.slices[slice + 1] - segment.slices[slice]) as usize {
                    let entry = segment.entry(row, k);
                    let column = segment.columns[entry] as usize;
                    let block =
                        nalgebra::Matrix3::from_fn(|r, c| scalars[block_place(entry, 3 * r + c)]);
                    if column != row {
                        found.push(((last - row, last - column), block));
                    } else {
                        assert_eq!(block.amax(), 0.0, "padding of row {row}");
                    }
                }
            }
        }
        found
    }
}

fn check<T: Real>()
where
    Twins: ElementTwins<T>,
{
    for (kind, law) in kinds_and_laws() {
        compare::<T>(&small(kind, law), &format!("{kind:?} {}", law.name()));
    }
}

/// Compares every block of the matrix of a model that is turned and strained.
pub(crate) fn compare<T: Real>(system: &CompiledModel, name: &str)
where
    Twins: ElementTwins<T>,
{
    let q = turned(system);
    compare_in::<T>(system, Motion::at(&q, &q), name);
}

/// The same of a motion with a memory.
pub(crate) fn compare_in<T: Real>(system: &CompiledModel, motion: Motion<'_>, name: &str)
where
    Twins: ElementTwins<T>,
{
    let mut matrix = BlockMatrix::zeros(system.pattern().clone());
    let scale = JacobianScale { position: FACTORS[1], velocity: 0.0 };
    system.add_jacobian(LoadCase::at(0.0), motion, scale, &mut matrix).unwrap();
    let mut setup = Setup::<T>::new(system, (motion.q, motion.q), (32, 1 << 30));
    setup.give_memory(motion.memory);
    let found = setup.matrix();
    let blocks = system.pattern().block_count() - system.block_count();
    assert_eq!(found.len(), blocks, "{name}");
    let largest = matrix.values().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for ((i, j), block) in &found {
        let slot = system.pattern().slot(*i as u32, *j as u32).unwrap();
        let expected: Mat3 = matrix.block(slot as usize);
        let error = (block.cast::<f64>() - expected).amax() / largest;
        // Single precision throughout; displacements of a turn are 40 times the strain.
        assert!(error < 2e-5, "{name} {i} {j}: {error:e}");
        let (_, mirror) = found.iter().find(|(place, _)| *place == (*j, *i)).unwrap();
        assert_eq!(*block, mirror.transpose(), "{name} {i} {j}");
    }
}

#[test]
fn the_matrix_is_that_of_the_cpu_and_symmetric_to_the_last_bit() {
    check::<f64>();
}

#[test]
fn the_matrix_is_the_same_from_buffers_of_single_precision() {
    check::<f32>();
}
