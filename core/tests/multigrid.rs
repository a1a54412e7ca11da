//! Aggregation multigrid as a preconditioner: symmetric, positive, and indifferent to mesh size,
//! supports, pieces and slivers.

use std::sync::Arc;

use sinew::Vec3;
use sinew::force::JacobianScale;
use sinew::linalg::{
    BlockMatrix, BlockPattern, CgLimits, CgOutcome, CgWorkspace, Definiteness, Multigrid,
    Preconditioner, dot, norm,
};
use sinew::model::Model;
use sinew::solve::{LinearSolver, MechSystemSolver, Preconditioning, SolverSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion};
use sinew_datasets::beam::{BeamElement, BeamGrid, BeamParams, beam};

/// Length of the step whose matrix is solved [s].
const STEP: f64 = 0.01;

/// A system S x = b with the places of its rows.
struct System {
    matrix: BlockMatrix,
    fixed: Vec<[bool; 3]>,
    positions: Vec<Vec3>,
}

impl System {
    /// M - h df/du - h² df/dq of a model at rest.
    fn of(model: &Model) -> Self {
        let compiled = model.compile().unwrap();
        let state = compiled.initial_state();
        let mut matrix = BlockMatrix::zeros(compiled.pattern().clone());
        let scale = JacobianScale { position: STEP * STEP, velocity: STEP };
        let motion = Motion::at(&state.q, &state.u);
        compiled.add_jacobian(LoadCase::at(0.0), motion, scale, &mut matrix).unwrap();
        add_masses(&compiled, &mut matrix);
        Self { matrix, fixed: compiled.fixed().to_vec(), positions: state.q }
    }

    fn multigrid(&self) -> Multigrid {
        let mut multigrid = Multigrid::new(self.matrix.pattern(), &self.fixed).unwrap();
        assert!(multigrid.level_sizes().len() > 1, "too small to be a test");
        let found = multigrid.update(&self.matrix, &self.positions).unwrap();
        assert_eq!(found, Definiteness::Positive);
        multigrid
    }

    /// Numbers in (-1, 1), zero where fixed.
    fn noise(&self, seed: u64) -> Vec<Vec3> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        let free = |fixed: &[bool; 3]| {
            Vec3::from_fn(|a, _| {
                let number = next();
                if fixed[a] { 0.0 } else { number }
            })
        };
        self.fixed.iter().map(free).collect()
    }

    /// Iterations from zero to a relative residual of 1e-8, under gravity along -z.
    fn iterations(&self) -> usize {
        let mut b = vec![Vec3::new(0.0, 0.0, -1.0); self.fixed.len()];
        for (b, fixed) in b.iter_mut().zip(&self.fixed) {
            (0..3).filter(|&a| fixed[a]).for_each(|a| b[a] = 0.0);
        }
        self.iterations_for(&b)
    }

    fn iterations_for(&self, b: &[Vec3]) -> usize {
        let mut x = vec![Vec3::zeros(); b.len()];
        let limits = CgLimits { tolerance: 1e-8, max_iterations: 500 };
        let mut multigrid = self.multigrid();
        let mut workspace = CgWorkspace::new(b.len());
        let system = (&self.matrix, &self.fixed[..]);
        match workspace.solve(system, &mut multigrid, b, &mut x, limits) {
            CgOutcome::Converged { iterations, .. } => iterations,
            other => panic!("{other:?}"),
        }
    }

    /// The cycle is a symmetric positive operator. It rounds in single precision, 6e-8, over some
    /// hundred operations a scalar, hence 1e-6; a smoother that differs before and after fails by far.
    fn check_symmetric_and_positive(&self) {
        let mut multigrid = self.multigrid();
        let (x, y) = (self.noise(1), self.noise(2));
        let (mut mx, mut my) = (x.clone(), y.clone());
        multigrid.apply(&x, &mut mx);
        multigrid.apply(&y, &mut my);
        let (left, right) = (dot(&mx, &y), dot(&x, &my));
        let scale = norm(&mx) * norm(&y);
        assert!((left - right).abs() <= 1e-6 * scale, "<Mx, y> = {left}, <x, My> = {right}");
        for (seed, v) in [(1, &x), (2, &y), (3, &self.noise(3))] {
            let mut mv = v.clone();
            multigrid.apply(v, &mut mv);
            let energy = dot(v, &mv);
            assert!(energy > 0.0, "<v, Mv> = {energy} for seed {seed}");
        }
        let fixed_part: f64 = mx
            .iter()
            .zip(&self.fixed)
            .flat_map(|(m, fixed)| (0..3).filter(|&a| fixed[a]).map(|a| m[a].abs()))
            .sum();
        assert_eq!(fixed_part, 0.0, "held scalars move");
    }
}

fn add_masses(compiled: &CompiledModel, matrix: &mut BlockMatrix) {
    for (row, &mass) in compiled.masses().iter().enumerate() {
        let slot = matrix.pattern().diagonal(row);
        for axis in 0..3 {
            matrix.values_mut()[9 * slot + 4 * axis] += mass;
        }
    }
}

fn hex_beam(cells: [usize; 3]) -> Model {
    let grid = BeamGrid::Cells { element: BeamElement::Hex, counts: cells };
    let params = BeamParams { grid, stiffness_damping: 0.0, ..BeamParams::default() };
    beam(&params).unwrap()
}

/// The pieces of `parts` side by side, without coupling between them.
fn side_by_side(parts: &[System]) -> System {
    let mut cliques = Vec::new();
    let (mut fixed, mut positions) = (Vec::new(), Vec::new());
    for part in parts {
        let (pattern, first) = (part.matrix.pattern(), fixed.len() as u32);
        for row in 0..pattern.size() {
            let columns = &pattern.columns()[pattern.row(row)];
            cliques.extend(columns.iter().map(|c| [first + row as u32, first + c]));
        }
        fixed.extend(&part.fixed);
        positions.extend(&part.positions);
    }
    let pattern = BlockPattern::from_cliques(fixed.len(), |visit| {
        cliques.iter().for_each(|c| visit(c));
    });
    let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
    // Rows come one part after the other with all their blocks, so the values do, too.
    let values: Vec<f64> = parts.iter().flat_map(|p| p.matrix.values()).copied().collect();
    matrix.values_mut().copy_from_slice(&values);
    System { matrix, fixed, positions }
}

/// Particles in a row of rest length 1 cm, joined by springs of 100 N/m; masses of 1 g.
fn chain(count: usize) -> System {
    let pattern = BlockPattern::from_cliques(count, |visit| {
        (1..count as u32).for_each(|i| visit(&[i - 1, i]));
    });
    let mut matrix = BlockMatrix::zeros(Arc::new(pattern));
    for row in 0..count as u32 {
        let pattern = matrix.pattern().clone();
        for slot in pattern.row(row as usize) {
            let column = pattern.columns()[slot];
            let ends = f64::from(u8::from(row > 0) + u8::from(row + 1 < count as u32));
            let stiffness = 100.0 * STEP * STEP * if column == row { ends } else { -1.0 };
            matrix.values_mut()[9 * slot] = stiffness;
            for axis in (0..3).filter(|_| column == row) {
                matrix.values_mut()[9 * slot + 4 * axis] += 1e-3;
            }
        }
    }
    let positions = (0..count).map(|i| Vec3::new(0.01 * i as f64, 0.0, 0.0)).collect();
    System { matrix, fixed: vec![[false; 3]; count], positions }
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    System::of(&hex_beam([24, 8, 8])).check_symmetric_and_positive();
}

#[test]
fn units_in_which_single_precision_would_underflow_change_no_bit() {
    let mut system = System::of(&hex_beam([24, 8, 8]));
    let r = system.noise(4);
    let (mut z, mut z_small) = (r.clone(), r.clone());
    system.multigrid().apply(&r, &mut z);
    // Powers of two round nothing, and single precision ends at 2^-149.
    let (matrix_scale, scale) = (2_f64.powi(-160), 2_f64.powi(-170));
    system.matrix.values_mut().iter_mut().for_each(|a| *a *= matrix_scale);
    let r_small: Vec<Vec3> = r.iter().map(|r| r * scale).collect();
    system.multigrid().apply(&r_small, &mut z_small);
    let expected: Vec<Vec3> = z.iter().map(|z| z * (scale / matrix_scale)).collect();
    assert_eq!(z_small, expected);
}

#[test]
fn iterations_hardly_grow_when_the_mesh_is_refined() {
    let coarse = System::of(&hex_beam([30, 7, 7])).iterations();
    let fine = System::of(&hex_beam([60, 14, 14])).iterations();
    println!("{coarse} and {fine} iterations");
    assert!(fine <= 30, "{fine} iterations");
    assert!(2 * fine <= 3 * coarse, "{coarse} iterations, then {fine}");
}

#[test]
fn an_unsupported_body_in_translation_is_solved() {
    let mut model = hex_beam([24, 8, 8]);
    model.fem_mut(0).dirichlet.clear();
    let system = System::of(&model);
    system.check_symmetric_and_positive();
    let iterations = system.iterations();
    assert!(iterations <= 30, "{iterations} iterations");
}

#[test]
fn partially_fixed_points_and_free_pieces_do_not_disturb() {
    let mut system = System::of(&hex_beam([24, 8, 8]));
    for (row, fixed) in system.fixed.iter_mut().enumerate() {
        if row % 7 == 0 {
            fixed[row % 3] = true;
        }
    }
    system.check_symmetric_and_positive();
    let mut free = hex_beam([4, 2, 2]);
    free.fem_mut(0).dirichlet.clear();
    let pieces = side_by_side(&[system, System::of(&free), chain(2), chain(1), chain(40)]);
    pieces.check_symmetric_and_positive();
    let iterations = pieces.iterations_for(&pieces.noise(5));
    println!("{iterations} iterations");
    assert!(iterations <= 40, "{iterations} iterations");
}

#[test]
fn a_straight_chain_of_particles_has_no_mode_about_its_axis_and_is_solved() {
    let chain = chain(6000);
    assert!(chain.multigrid().level_sizes().len() > 2, "no level is visited twice");
    chain.check_symmetric_and_positive();
    let iterations = chain.iterations_for(&chain.noise(7));
    println!("{iterations} iterations");
    assert!(iterations <= 40, "{iterations} iterations");
}

#[test]
fn slivers_do_not_break_the_cycle() {
    let mut model = beam(&BeamParams::kuhn(8)).unwrap();
    // Every fifth inner layer across x is pushed to within 1 % of the next one.
    let mesh = &mut model.fem_mut(0).mesh;
    let width = 0.1 / 8.0;
    for node in &mut mesh.nodes {
        let layer = (node.x / width).round();
        if layer as usize % 5 == 2 {
            node.x += 0.99 * width;
        }
    }
    let system = System::of(&model);
    system.check_symmetric_and_positive();
    let iterations = system.iterations();
    println!("{iterations} iterations");
    // Points that are stiff against each other are swept one at a time; each iteration reads the matrix
    // twice in single precision.
    assert!(iterations <= 130, "{iterations} iterations");
}

#[test]
fn a_step_gives_the_same_bits_on_one_thread_and_on_three() {
    // Large enough for colours of several chunks a thread.
    let compiled = hex_beam([40, 12, 12]).compile().unwrap();
    let settings = SolverSettings {
        linear_solver: LinearSolver::ConjugateGradients,
        preconditioner: Preconditioning::Multigrid,
        ..SolverSettings::default()
    };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut state = compiled.initial_state();
            let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
            let stats = solver.step(&compiled, &mut state, STEP).unwrap();
            solver.step(&compiled, &mut state, STEP).unwrap();
            (state, stats.cg_iterations)
        })
    };
    let (one, three) = (run(1), run(3));
    assert!(one.1 <= 40, "{} iterations", one.1);
    assert_eq!(one, three);
}
