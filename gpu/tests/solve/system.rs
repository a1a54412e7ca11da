//! Linear systems of steps, as the CPU assembles them.

use std::sync::Arc;

use sinew::force::JacobianScale;
use sinew::linalg::{
    BlockJacobi, BlockMatrix, BlockPattern, CgLimits, CgOutcome, CgWorkspace, Multigrid,
    Preconditioner, SparseCholesky, add_block, norm,
};
use sinew::model::Model;
use sinew::system::{LoadCase, MechSystem, Motion};
use sinew::{Mat3, Vec3};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};

/// A system S x = b with the places of its rows [m].
pub(crate) struct System {
    pub(crate) matrix: BlockMatrix,
    pub(crate) fixed: Vec<[bool; 3]>,
    pub(crate) positions: Vec<Vec3>,
    /// First of the two rows of each body.
    pub(crate) bodies: Vec<u32>,
}

impl System {
    /// M - h df/du - h² df/dq of a model at rest, for steps of `h` [s].
    pub(crate) fn of(model: &Model, h: f64) -> Self {
        let compiled = model.compile().expect("a valid model");
        let state = compiled.initial_state();
        let mut matrix = BlockMatrix::zeros(compiled.pattern().clone());
        let scale = JacobianScale { position: h * h, velocity: h };
        let motion = Motion::at(&state.q, &state.u);
        compiled.add_jacobian(LoadCase::at(0.0), motion, scale, &mut matrix).expect("no inversion");
        for (row, &mass) in compiled.masses().iter().enumerate() {
            let slot = matrix.pattern().diagonal(row);
            (0..3).for_each(|axis| matrix.values_mut()[9 * slot + 4 * axis] += mass);
        }
        let fixed = compiled.fixed().to_vec();
        Self { matrix, fixed, positions: state.q, bodies: Vec::new() }
    }

    /// The same with one more row, coupled to nothing, of mass 2.
    pub(crate) fn with_a_row_alone(self) -> Self {
        let (size, old) = (self.fixed.len(), self.matrix.pattern().clone());
        let lists: Vec<Vec<u32>> = (0..size)
            .map(|i| old.columns()[old.row(i)].iter().copied().filter(|&c| c != i as u32).collect())
            .collect();
        let list = |i: usize| lists.get(i).map_or(&[][..], |list| &list[..]);
        let pattern = BlockPattern::from_neighbours(size + 1, list);
        let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
        let values = self.matrix.values();
        matrix.values_mut()[..values.len()].copy_from_slice(values);
        (0..3).for_each(|axis| matrix.values_mut()[values.len() + 4 * axis] = 2.0);
        let fixed = [&self.fixed[..], &[[false; 3]]].concat();
        let positions = [&self.positions[..], &[Vec3::new(1.0, 2.0, 3.0)]].concat();
        Self { matrix, fixed, positions, bodies: Vec::new() }
    }

    /// The same with a body at the middle of the nodes of the far end, to which stiff springs hold it.
    pub(crate) fn with_a_body(self) -> Self {
        let (size, old) = (self.fixed.len(), self.matrix.pattern().clone());
        let far = self.positions.iter().map(|p| p.x).fold(f64::MIN, f64::max);
        let at_the_end = |&i: &usize| self.positions[i].x > far - 1e-9;
        let end: Vec<usize> = (0..size).filter(at_the_end).collect();
        let middle = end.iter().map(|&i| self.positions[i]).sum::<Vec3>() / end.len() as f64;
        let [center, rotation] = [size as u32, size as u32 + 1];
        let mut lists: Vec<Vec<u32>> = (0..size)
            .map(|i| old.columns()[old.row(i)].iter().copied().filter(|&c| c != i as u32).collect())
            .collect();
        end.iter().for_each(|&i| lists[i].extend([center, rotation]));
        let ends: Vec<u32> = end.iter().map(|&i| i as u32).collect();
        lists.push([&ends[..], &[rotation]].concat());
        lists.push([&ends[..], &[center]].concat());
        let pattern = BlockPattern::from_neighbours(size + 2, |i| &lists[i]);
        let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
        let mut add = |i: u32, j: u32, block: Mat3| {
            let slot = matrix.pattern().slot(i, j).expect("they are coupled") as usize;
            add_block(matrix.values_mut(), slot, &block);
        };
        for i in 0..size {
            old.row(i).for_each(|slot| add(i as u32, old.columns()[slot], self.matrix.block(slot)));
        }
        add(center, center, Mat3::identity() * 0.5);
        add(rotation, rotation, Mat3::identity() * 1e-3);
        for &node in &ends {
            // The stretch v + w x r - u of a spring, whose r x is `arm`.
            let arm = (self.positions[node as usize] - middle).cross_matrix();
            let rates = [(center, Mat3::identity()), (rotation, -arm), (node, -Mat3::identity())];
            for (i, a) in rates {
                rates.iter().for_each(|&(j, b)| add(i, j, a.transpose() * b * 50.0));
            }
        }
        let fixed = [&self.fixed[..], &[[false; 3]; 2]].concat();
        let positions = [&self.positions[..], &[middle; 2]].concat();
        Self { matrix, fixed, positions, bodies: vec![center] }
    }

    /// Gravity along a slanted direction, zero where fixed.
    pub(crate) fn load(&self) -> Vec<Vec3> {
        let g = Vec3::new(0.3, -0.2, -1.0);
        let free = |fixed: &[bool; 3]| Vec3::from_fn(|a, _| if fixed[a] { 0.0 } else { g[a] });
        self.fixed.iter().map(free).collect()
    }

    /// b - S x over the free scalars.
    pub(crate) fn residual(&self, b: &[Vec3], x: &[Vec3]) -> Vec<Vec3> {
        let mut r = vec![Vec3::zeros(); b.len()];
        self.matrix.mul(x, &mut r);
        for ((r, b), fixed) in r.iter_mut().zip(b).zip(&self.fixed) {
            *r = Vec3::from_fn(|a, _| if fixed[a] { 0.0 } else { b[a] - r[a] });
        }
        r
    }

    /// The solution by factorization.
    pub(crate) fn direct(&self, b: &[Vec3]) -> Vec<Vec3> {
        let mut factor = SparseCholesky::new(self.matrix.pattern(), &self.fixed).expect("memory");
        factor.factor(&self.matrix).expect("a regular matrix");
        let mut x = vec![Vec3::zeros(); b.len()];
        factor.solve(b, &mut x);
        x
    }

    /// Iterations of the CPU with block-Jacobi.
    pub(crate) fn jacobi_iterations(&self, b: &[Vec3], tolerance: f64) -> usize {
        let mut jacobi = BlockJacobi::new(b.len());
        jacobi.update(&self.matrix, &self.fixed);
        self.iterations(b, &mut jacobi, tolerance)
    }

    /// Iterations of the CPU with multigrid.
    pub(crate) fn multigrid_iterations(&self, b: &[Vec3], tolerance: f64) -> usize {
        let mut multigrid =
            Multigrid::with_bodies(self.matrix.pattern(), &self.fixed, &self.bodies)
                .expect("memory");
        multigrid.update(&self.matrix, &self.positions).expect("a regular matrix");
        self.iterations(b, &mut multigrid, tolerance)
    }

    fn iterations(&self, b: &[Vec3], m: &mut dyn Preconditioner, tolerance: f64) -> usize {
        let mut x = vec![Vec3::zeros(); b.len()];
        let limits = CgLimits { tolerance, max_iterations: 20_000 };
        let system = (&self.matrix, &self.fixed[..]);
        match CgWorkspace::new(b.len()).solve(system, m, b, &mut x, limits) {
            CgOutcome::Converged { iterations, .. } => iterations,
            other => panic!("{other:?}"),
        }
    }
}

/// |x - y| / |y|.
pub(crate) fn error(x: &[Vec3], y: &[Vec3]) -> f64 {
    let difference: Vec<Vec3> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    norm(&difference) / norm(y)
}

/// The beam of ArtiSynth's benchmark, of these cells.
pub(crate) fn hex_beam(cells: [usize; 3]) -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: cells };
    beam(&BeamParams { grid, stiffness_damping: 0.0, ..BeamParams::default() }).expect("a beam")
}
